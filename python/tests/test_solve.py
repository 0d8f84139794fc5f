"""Solving: results, limits, many states, all plans."""

from __future__ import annotations

import contextlib
import copy
import pickle
import threading
import time
from pathlib import Path

import pytest
from by_hand import layers, slide, slides

import fewest

GOAL = "0 1 2 3 4 5 6 7 8"


def test_plans_solve_and_are_optimal(eight: fewest.Solver) -> None:
    """Every board at distance 0 to 12, against breadth-first search by hand."""
    distances = layers(GOAL, lambda board: slides(board, 3))
    assert len(distances) == 32
    boards = [(d, board) for d in range(13) for board in sorted(distances[d])[:20]]
    results = eight.solve_many([board for _, board in boards], progress=False)
    for (distance, board), result in zip(boards, results, strict=True):
        assert result.state == board
        assert (result.outcome, result.length, result.optimal) == ("solved", distance, True)
        assert result.plan is not None
        assert slide(board, result.plan, 3) == GOAL
        assert eight.check(board, result.plan).solves


def test_a_result_has_its_iterations(cube: fewest.Solver) -> None:
    result = cube.solve("R U F L D B R2", near_optimal=False)
    assert result.bounds == (7, 7)
    assert [iteration.bound for iteration in result.iterations][-1] == 7
    assert all(iteration.complete for iteration in result.iterations[:-1])
    assert result.generated == sum(iteration.generated for iteration in result.iterations)
    assert (result.heuristic, result.pruning, result.solver) == ("manhattan", "fsm:2", "optimal")
    assert str(result.plan) == " ".join(result.plan or ())
    assert pickle.loads(pickle.dumps(result)) == copy.copy(result) == result


def test_korf_counts_are_korfs() -> None:
    """Board 79 of Korf 1985: 540,860 nodes with the root."""
    solver = fewest.Solver("15-puzzle", heuristic="manhattan", pruning="inverse", threads=1)
    result = solver.solve("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15")
    assert (result.length, result.generated) == (42, 540_859)


def test_limits_leave_a_proven_bound(cube: fewest.Solver) -> None:
    result = cube.solve("superflip", limit_nodes=100_000)
    assert (result.outcome, result.plan, result.optimal) == ("limit-reached", None, False)
    assert result.lower_bound > 5
    assert cube.solve("R U F", max_bound=2).outcome == "limit-reached"
    assert cube.solve("superflip", deadline=0.2).outcome == "limit-reached"
    assert cube.solve("superflip", limit_time=0.1).outcome == "limit-reached"


def test_near_optimal_plans_come_without_a_proof() -> None:
    solver = fewest.Solver("3x3x3", threads=1)
    assert solver.has_near_optimal
    result = solver.solve("superflip", near_optimal=True)
    assert result.length is not None
    assert result.near_optimal is not None
    assert 20 <= result.length <= 24
    assert (result.optimal, result.near_optimal.length) == (False, result.length)
    assert solver.check("superflip", result.plan or ()).solves


def test_many_states_are_answered_in_order(eight: fewest.Solver) -> None:
    assert eight.solve_many([], progress=False) == []
    states = eight.scrambles(40, seed=1)
    assert states == eight.scrambles(40, seed=1) != eight.scrambles(40, seed=2)
    many = eight.solve_many(states, progress=False)
    assert [result.state for result in many] == states
    assert [result.length for result in many] == [eight.solve(state).length for state in states]


def test_many_states_show_a_bar(eight: fewest.Solver, capsys: pytest.CaptureFixture[str]) -> None:
    eight.solve_many(eight.scrambles(3), progress=True)
    assert "3/3" in capsys.readouterr().err
    eight.solve_many(eight.scrambles(3))
    assert capsys.readouterr().err == ""


def test_a_bad_state_of_many_is_named(eight: fewest.Solver) -> None:
    with pytest.raises(fewest.InvalidInput) as caught:
        eight.solve_many([GOAL, "1 0 2 3 4 5 6 7 7"], progress=False)
    assert (caught.value.index, caught.value.squares[0]) == (1, 9)


def test_all_plans_are_those_of_breadth_first_search(eight: fewest.Solver) -> None:
    """Boards have one plan for each shortest path."""
    distances = layers(GOAL, lambda board: slides(board, 3))
    depth = {board: d for d, layer in enumerate(distances) for board in layer}

    def paths(board: str) -> int:
        if depth[board] == 0:
            return 1
        nearer = (other for other in slides(board, 3) if depth[other] == depth[board] - 1)
        return sum(map(paths, nearer))

    for board in eight.scrambles(10, seed=3) + sorted(distances[31]):
        plans = list(eight.plans(board))
        assert len(set(plans)) == len(plans) == paths(board)
        assert all(slide(board, plan, 3) == GOAL for plan in plans)
        assert {len(plan) for plan in plans} == {depth[board]}


def test_plans_come_by_number_and_by_slack(cube: fewest.Solver, eight: fewest.Solver) -> None:
    assert len(list(eight.plans("8 0 6 5 4 7 2 3 1", count=3))) == 3
    lengths = [len(plan) for plan in cube.plans("R U", slack=2)]
    assert lengths[0] == 2
    assert lengths == sorted(lengths)
    (longer,) = {len(plan) for plan in cube.plans("R U", min_length=4)}
    assert longer >= 4
    with pytest.raises(fewest.LimitReached):
        list(cube.plans("superflip", deadline=0.1))


def test_plans_come_while_the_search_runs() -> None:
    """The event stops the search after its first plan: then it misses some."""
    solver = fewest.Solver("8-puzzle", heuristic="manhattan", threads=1)
    everything = list(solver.plans("8 0 6 5 4 7 2 3 1", slack=6))
    assert len(set(everything)) == len(everything)
    event = threading.Event()
    plans = solver.plans("8 0 6 5 4 7 2 3 1", slack=6, cancel=event)
    taken = [next(plans)]
    # The search waits, and the threads of the solver are free for other calls.
    assert solver.check("8 0 6 5 4 7 2 3 1", taken[0]).solves
    assert solver.solve("1 0 2 3 4 5 6 7 8").length == 1
    event.set()
    with pytest.raises(fewest.LimitReached, match="before it had all"):
        taken.extend(plans)
    assert len(taken) < len(everything)
    assert set(taken) <= set(everything)


def searches() -> int:
    """The number of threads that search for plans."""
    count = 0
    for name in Path("/proc/self/task").glob("*/comm"):
        with contextlib.suppress(OSError):  # A thread that has ended meanwhile.
            count += name.read_text().startswith("plans")
    return count


def wait_until_no_search() -> None:
    """A thread ends soon after its generator."""
    end = time.monotonic() + 120
    while searches() > 0:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system has no /proc")
@pytest.mark.parametrize("how", ["close", "drop", "break"])
def test_a_closed_generator_ends_its_search(how: str) -> None:
    solver = fewest.Solver("8-puzzle", heuristic="manhattan", threads=1)
    plans = solver.plans("8 0 6 5 4 7 2 3 1", slack=6)
    wait_until_no_search()  # Those of other tests.
    first = next(plans)
    assert len(first) == 31
    assert searches() == 1
    if how == "close":
        plans.close()
    elif how == "break":
        for _ in plans:
            break
    del plans
    wait_until_no_search()


def test_an_unsolvable_state_has_no_plan() -> None:
    only_u = fewest.Solver("2x2x2", moves=["U"], heuristic="none")
    assert only_u.solve("U'").length == 1
    with pytest.raises(fewest.InvalidInput):
        only_u.solve("R")


def test_first_and_last_moves() -> None:
    solver = fewest.Solver("8-puzzle")
    result = solver.solve("1 0 2 3 4 5 6 7 8", begins="right")
    # The plan "right left left" goes back at once.
    assert str(result.plan).startswith("right ")
    assert (result.length, result.optimal) == (27, True)
    with pytest.raises(fewest.InvalidInput, match="form a group"):
        solver.solve("1 0 2 3 4 5 6 7 8", ends="left")


def test_goals_and_metrics_are_settings() -> None:
    quarter = fewest.Solver("3x3x3", metric="qtm", heuristic="manhattan")
    assert (quarter.metric, quarter.solve("R2").length) == ("qtm", 2)
    slices = fewest.Solver("3x3x3", metric="stm")
    assert (slices.metric, str(slices.solve("M U").plan)) == ("stm", "U' M'")
    dear = fewest.Solver("3x3x3", cost={"R": 2, "R2": 3}, moves="R,U")
    assert [dear.solve(moves).upper_bound for moves in ("R", "R2", "U2")] == [2, 3, 1]
    last = fewest.Solver("8-puzzle", goal="last")
    assert last.solve("1 2 3 4 5 6 7 8 0").length == 0
    assert fewest.Solver("3X3x3", heuristic="manhattan").name == "3x3x3"
    assert {"3x3x3", "pyraminx"} <= {puzzle.name for puzzle in fewest.puzzles()}
    other = fewest.Solver("8-puzzle", solver="bidirectional").solve("8 0 6 5 4 7 2 3 1")
    assert (other.length, other.solver) == (31, "bidirectional")


def test_moves_are_inverted(cube: fewest.Solver) -> None:
    assert cube.invert("R U2 F'") == ("F", "U2", "R'")
    assert cube.invert(["R", "U"]) == fewest.Plan(["U'", "R'"])


def test_plans_are_made_cheaper(cube: fewest.Solver) -> None:
    shorter = cube.shorten("R U U' R F R2 L2 R2 L2")
    assert (str(shorter.plan), shorter.cost_before, shorter.complete) == ("R2 F", 9, True)
    assert sum(shorter.passes.values()) == 7
    same = cube.shorten(shorter.plan, "F' R2")
    assert same.plan == shorter.plan
    with pytest.raises(fewest.InvalidInput, match="plan: "):
        cube.shorten("R U", "R U")
    together = cube.shorten("R U U' R F", others=["R2 L L' F", fewest.Plan(["R2", "F"])])
    assert (str(together.plan), together.cost_before) == ("R2 F", 2)
    assert together.passes["together"] == 0
    with pytest.raises(fewest.InvalidInput, match="plan 2: ") as refused:
        cube.shorten("R U", others=["U R"])
    assert refused.value.plan == 2


def test_plans_say_what_found_them() -> None:
    solver = fewest.Solver("kilominx")
    state = solver.scrambles(1, seed=3)[0]
    found = solver.solve(state, near_optimal=True, limit_nodes=100_000)
    assert (found.outcome, found.optimal, found.by) == ("solved", False, "words")
    assert solver.check(state, found.plan or ()).solves
