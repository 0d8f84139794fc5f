#!/usr/bin/env python3
"""How soon does the tool end after Ctrl-C, after --limit-time and after --deadline?

    benches/latency.py FEWEST [--only TEXT] [--tries 2]

FEWEST is the binary. Every command runs several times with an empty folder of tables. Ctrl-C comes
after delays between 0.1 and 2 seconds. The script prints the milliseconds from Ctrl-C to the last
line of output and to the end of the process, and those that a limit of one second was passed by:
median and worst. A command that ends by itself before counts for nothing. On a machine that does
other work, look at the medians.

The promise is 50 ms from Ctrl-C to the last line, a second to the end, and 200 ms for limits.
"""

import argparse
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import threading
import time

PUZZLES = pathlib.Path(__file__).resolve().parent.parent / "domains/permutation/puzzles"
DELAYS = [0.1, 0.3, 0.6, 1.0, 1.5, 2.0]
CUBE = "R U F L2 D B2 U2 R2 F' L D2 B U' R F2 U L' D R2"
BOARD_24 = "10 3 24 12 0 7 8 11 14 21 22 23 2 1 9 17 18 6 20 4 13 15 5 19 16"
BOARD_15 = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
LARGE = "R U F D' L2 Rw Uw2 F B2 Lw D Fw' R2 U' L B Dw R' F2 U"
FTO = "U R F L U' R' BR F' L2 U"

# What the tool is called with, and whether --limit-time and --deadline mean something to it.
CASES = {
    "3x3x3": (["solve", "3x3x3", CUBE], True),
    "3x3x3 korf97": (["solve", "3x3x3", "-H", "korf97", CUBE], True),
    "3x3x3 f2l": (["solve", "3x3x3", "--goal", "f2l", CUBE], True),
    "3x3x3 file": (["solve", PUZZLES / "3x3x3.tws", CUBE], True),
    "15-puzzle": (["solve", "15-puzzle", BOARD_15], True),
    "24-puzzle": (["solve", "24-puzzle", BOARD_24], True),
    "24-puzzle 8MiB": (["solve", "24-puzzle", "-m", "8MiB", BOARD_24], True),
    "square-1": (["solve", "square-1", "U S U3 D3 S U3 S D3 S U3 S U3 D3 S U3 S D3 S"], True),
    "4x4x4": (["solve", "4x4x4", LARGE], True),
    "5x5x5": (["solve", "5x5x5", LARGE], True),
    "7x7x7": (["solve", "7x7x7", LARGE], True),
    "fto": (["solve", "fto", FTO], True),
    "megaminx": (["solve", "megaminx", "U R F2 L BL' BR U2 R' F L2 DR D DL2 B"], True),
    "kilominx 8MiB": (["solve", "kilominx", "-m", "8MiB", "U R F2 L BL' BR U2 R' F L2"], True),
    "clock": (["solve", "clock", "UR3 DR2' bU1 bR4 ALL5 L3 U2 D5'"], True),
    "3x3x3 manhattan": (["solve", "3x3x3", "-H", "manhattan", CUBE], True),
    "15-puzzle manhattan": (["solve", "15-puzzle", "-H", "manhattan", BOARD_15], True),
    "24-puzzle triples": (["solve", "24-puzzle", "-H", "triples", BOARD_24], True),
    "7x7x7 none": (["solve", "7x7x7", "-H", "none", LARGE], True),
    "build 3x3x3": (["tables", "build", "3x3x3"], False),
    "build 24-puzzle": (["tables", "build", "24-puzzle"], False),
    "build megaminx": (["tables", "build", "megaminx"], False),
    "explain 5x5x5": (["tables", "explain", "5x5x5"], False),
    "count states 3x3x3": (["count", "3x3x3", "--states", "--depth", "9"], False),
    "count states square-1": (["count", "square-1", "--states", "--depth", "14"], False),
    "count states megaminx": (["count", "megaminx", "--states", "--depth", "9"], False),
    "gods-algorithm dino": (["gods-algorithm", "dino-cube-eight-corners"], False),
    "gods-algorithm pyraminx": (["gods-algorithm", "pyraminx-faces"], False),
    "learn 24-puzzle": (["learn", "24-puzzle", "--depth", "24"], False),
    "learn 3x3x3": (["learn", "3x3x3", "--depth", "6"], False),
    "predict 3x3x3": (["predict", "3x3x3", "-H", "korf97", "--bound", "18"], False),
    "histogram 3x3x3": (["histogram", "3x3x3", "-H", "korf97"], False),
    "compare 15-puzzle": (
        ["compare", "15-puzzle", "-H", "manhattan,pdb:7-8", "--instances", "korf100"],
        False,
    ),
    "reproduce korf97-seven-edges": (["reproduce", "korf97-seven-edges"], False),
    "reproduce korf97-table2": (["reproduce", "korf97-table2"], False),
    "reproduce kt96-automaton": (["reproduce", "kt96-automaton"], False),
    "reproduce fowler02-table3-2": (["reproduce", "fowler02-table3-2"], False),
    "scramble 3x3x3": (["scramble", "3x3x3", "--form", "moves", "-n", "100000"], False),
    "show megaminx": (["show", "megaminx", "--limit-time", "60s"], False),
}


def start(tool, words, folder):
    """A run, and a list that gets the time of each line of its output."""
    env = {**os.environ, "FEWEST_TABLES": str(folder)}
    run = subprocess.Popen(
        [tool, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=env,
    )
    lines = []

    def read():
        for line in run.stdout:
            lines.append((time.monotonic(), line))

    reader = threading.Thread(target=read)
    reader.start()
    return run, reader, lines


def interrupted(tool, words, delay):
    """Milliseconds from Ctrl-C to the last line and to the end. None if it had ended before."""
    with tempfile.TemporaryDirectory() as folder:
        run, reader, lines = start(tool, words, folder)
        time.sleep(delay)
        if run.poll() is not None:
            reader.join()
            return None
        at = time.monotonic()
        run.send_signal(signal.SIGINT)
        run.wait()
        end = time.monotonic()
        reader.join()
        last = max([time for time, _ in lines if time > at], default=at)
        return 1000 * (last - at), 1000 * (end - at)


def limited(tool, words, option):
    """Milliseconds by which a limit of a second was passed. None if it was not reached.

    A limit of the search does not count the building of tables, so it is tried where there are none.
    """
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        run, reader, _ = start(tool, [*words, option, "1s"], folder)
        run.wait()
        took = time.monotonic() - begin
        reader.join()
        return 1000 * (took - 1) if took > 0.9 else None


def has_none(words):
    """Whether the heuristic of a call has no tables."""
    return not {"none", "manhattan", "triples"}.isdisjoint(words)


def told(name, figures):
    figures = [figure for figure in figures if figure is not None]
    if not figures:
        return f"{name} -"
    return f"{name} {statistics.median(figures):5.0f} {max(figures):5.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--only", default="", help="cases whose name has this text")
    parser.add_argument("--tries", type=int, default=2, help="runs of each limit")
    options = parser.parse_args()
    for name, (words, has_limits) in CASES.items():
        if options.only not in name:
            continue
        stops = [interrupted(options.tool, words, delay) for delay in DELAYS]
        stops = [stop for stop in stops if stop is not None]
        row = [
            told("last line", [stop[0] for stop in stops]),
            told("end", [stop[1] for stop in stops]),
        ]
        if has_limits:
            tries = range(options.tries)
            limit = "--limit-time" if has_none(words) else "--deadline"
            row.append(told(limit[2:], [limited(options.tool, words, limit) for _ in tries]))
        print(f"{name:24}", "   ".join(row), flush=True)


if __name__ == "__main__":
    main()
