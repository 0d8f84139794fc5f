"""What other threads, signals and processes see of a call."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import fewest

# Long after any reason of time that a busy machine gives.
LONG = 120.0


def test_the_interpreter_is_free_meanwhile(cube: fewest.Solver) -> None:
    """Another thread counts while a search runs: it stops the search, too."""
    event, counted = threading.Event(), 0

    def count() -> None:
        nonlocal counted
        for _ in range(20):
            time.sleep(0.01)
            counted += 1
        event.set()

    thread = threading.Thread(target=count)
    thread.start()
    result = cube.solve("superflip", deadline=LONG, cancel=event)
    thread.join()
    assert (result.outcome, counted) == ("cancelled", 20)
    assert result.lower_bound > 0


def test_progress_comes_on_the_calling_thread(cube: fewest.Solver) -> None:
    told: list[fewest.Progress] = []
    threads = set()

    def tell(progress: fewest.Progress) -> None:
        told.append(progress)
        threads.add(threading.get_ident())

    result = cube.solve("superflip", limit_time=0.5, on_progress=tell)
    assert threads == {threading.get_ident()}
    assert told[-1].stage == "done"
    assert (told[-1].lower_bound, told[-1].generated) == (result.lower_bound, result.generated)
    bounds = [progress.lower_bound for progress in told]
    assert bounds == sorted(bounds)
    assert any(progress.stage == "searching" and progress.generated for progress in told)


def test_plans_are_told_before_the_proof() -> None:
    """The best plan shrinks while the bound rises."""
    told: list[fewest.Progress] = []
    solver = fewest.Solver("3x3x3")
    result = solver.solve("superflip", limit_time=2, on_progress=told.append)
    assert result.plan is not None
    upper = [progress.upper_bound for progress in told if progress.upper_bound is not None]
    assert upper == sorted(upper, reverse=True)
    assert told[-1].plan == result.plan


def test_tables_that_are_not_saved_are_told() -> None:
    told: list[fewest.Progress] = []
    solver = fewest.Solver("8-puzzle", heuristic="pdb:4-4", tables=os.devnull + "/tables")
    assert solver.solve("8 0 6 5 4 7 2 3 1", on_progress=told.append).length == 31
    assert any("could not be saved" in note for note in told[-1].notes)


def test_an_exception_of_the_callback_ends_the_call(cube: fewest.Solver) -> None:
    def fail(_: fewest.Progress) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        cube.solve("superflip", deadline=LONG, on_progress=fail)
    assert cube.solve("R").length == 1


INTERRUPTED = """
import os, signal, sys, threading, time, fewest
# A shell that starts this in the background has Python ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
what = sys.argv[1]
event = threading.Event()
def interrupt():
    event.wait()
    time.sleep(0.3)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
if what == "domain":
    class Line(fewest.Domain[int]):
        def successors(self, state):
            event.set()
            return [(state + 1, 1)]
        def is_goal(self, state):
            return False
    call = lambda: fewest.search(Line(), 0)
elif what == "build":
    solver = fewest.Solver("24-puzzle", heuristic="pdb:6-6-6-6", tables=":memory:", memory="2GiB")
    call = lambda: (event.set(), solver.histograms())
elif what == "count":
    solver = fewest.Solver("3x3x3", memory="2GiB")
    call = lambda: (event.set(), solver.count(12))
elif what == "many":
    solver = fewest.Solver("3x3x3", heuristic="manhattan")
    call = lambda: (event.set(), solver.solve_many(["superflip"] * 9))
else:
    solver = fewest.Solver("3x3x3", heuristic=what)
    call = lambda: (event.set(), solver.solve("superflip", near_optimal=False))
try:
    call()
except KeyboardInterrupt:
    print(time.monotonic() - sent)
"""


@pytest.mark.parametrize("what", ["manhattan", "best", "many", "build", "count", "domain"])
def test_ctrl_c_ends_a_call(what: str, tmp_path: Path) -> None:
    """Within 50 ms on a machine that does nothing else; a busy one gets a second."""
    command = [sys.executable, "-c", INTERRUPTED, what]
    tries = [subprocess.check_output(command, cwd=tmp_path, timeout=LONG) for _ in range(3)]
    seconds = min(map(float, tries))
    print(f"{what}: {1000 * seconds:.0f} ms")
    assert seconds < 1


def test_threads_share_a_solver(eight: fewest.Solver) -> None:
    states = eight.scrambles(60, seed=9)
    expected = [result.length for result in eight.solve_many(states, progress=False)]
    with ThreadPoolExecutor(8) as pool:
        found = [result.length for result in pool.map(eight.solve, states)]
    assert found == expected


def test_a_first_call_may_come_from_several_threads() -> None:
    solver = fewest.Solver("8-puzzle", heuristic="pdb:4-4", tables=fewest.IN_MEMORY)
    with ThreadPoolExecutor(8) as pool:
        lengths = set(pool.map(lambda _: solver.solve("8 0 6 5 4 7 2 3 1").length, range(8)))
    assert lengths == {31}


def length(solver: fewest.Solver) -> int | None:
    return solver.solve("8 0 6 5 4 7 2 3 1").length


# Python 3.12 warns of every fork of a process that has threads.
may_fork = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


@may_fork
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_have_threads_of_their_own(method: str, eight: fewest.Solver) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    assert length(eight) == 31
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(length, [eight] * 4).get(LONG) == [31] * 4


@may_fork
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_solves_with_the_solver_of_its_parent(eight: fewest.Solver) -> None:
    assert length(eight) == 31
    child = os.fork()
    if child == 0:
        signal.alarm(int(LONG))
        os._exit(0 if length(eight) == 31 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_solvers_can_be_pickled(eight: fewest.Solver) -> None:
    assert length(pickle.loads(pickle.dumps(eight))) == 31
