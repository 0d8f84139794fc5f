#!/usr/bin/env python3
"""Is a new build of the tool as fast as an old one? Runs both in turn and compares CPU seconds.

    benches/compare.py OLD NEW [--rounds 7] [--only NAME] [--quick] [--csv FILE]

OLD and NEW are two binaries `fewest`. Every case runs OLD, NEW, then NEW, OLD, and so on, so that
a busy machine slows both. A first run that is not measured builds the tables, about 2 GB in the
table folder of the tool (`FEWEST_TABLES`). --quick leaves out the cases of more than some seconds.

Each run becomes a row of FILE (default: compare.csv), with the columns
`case,round,build,nodes,cpu_seconds,wall_seconds`. CPU seconds are those of the searches, as the
tool says, or of the whole process where the tool does not say. At the end the script prints for
each case the median of each build, and the median of the ratios of the rounds. It fails if nodes
differ, or if a case is more than --slower (3) percent slower.
"""

import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CUBES = ["--file", ROOT / "tests/instances/cube_five.txt", "--max-bound", "15"]
DEFINITIONS = ROOT / "domains/permutation/puzzles"
# Instance 1 of Korf 1985, and instances 38 and 40 of Korf and Felner 2002.
BOARD_15 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
BOARD_38 = "10 3 24 12 0 7 8 11 14 21 22 23 2 1 9 17 18 6 20 4 13 15 5 19 16"
BOARD_40 = "2 17 4 13 7 12 10 3 0 16 21 24 8 5 18 20 15 19 14 9 22 11 6 1 23"
SIX = ["--heuristic", "pdb:6-6-6-6", "--pruning", "inverse", "--memory", "1GiB"]
SCRAMBLE = "R U F L2 D B2 U2 R2 F' L D2 B U' R F2 U L' D R2"

# By name: whether it takes seconds only, and what the tool is called with.
CASES = {
    "five-cubes-g1": (False, ["solve", "3x3x3", *CUBES, "--memory", "48MiB"]),
    "five-cubes-htr204": (True, ["solve", "3x3x3", *CUBES, "--memory", "800MiB"]),
    "manhattan-15-puzzle": (True, ["solve", "15-puzzle", "--heuristic", "manhattan", BOARD_15]),
    "six-38": (True, ["solve", "24-puzzle", *SIX, BOARD_38]),
    "six-40": (True, ["solve", "24-puzzle", *SIX, BOARD_40]),
    "best-38": (True, ["solve", "24-puzzle", "--memory", "1GiB", BOARD_38]),
    "definition-g1": (
        False,
        ["solve", DEFINITIONS / "3x3x3.tws", SCRAMBLE, "--max-bound", "15", "--memory", "48MiB"],
    ),
    "dino-gods-algorithm": (
        False,
        ["gods-algorithm", DEFINITIONS / "dino-cube-eight-corners.tws", "--antipodes", "0"],
    ),
}


def run(binary, arguments):
    """Nodes, CPU seconds and wall seconds of one run on one thread."""
    common = ["--threads", "1", "--load", "ram", "--format", "json", "--quiet"]
    command = [str(word) for word in [binary, *arguments, *common]]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = process.stdout.read().splitlines()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    # A bound that is reached without a plan ends with 1.
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"failed: {' '.join(command)}")
    answers = [json.loads(line) for line in lines]
    nodes = sum(answer.get("generated", answer.get("count", 0)) for answer in answers)
    if all("cpu_seconds" in answer for answer in answers):
        return nodes, sum(answer["cpu_seconds"] for answer in answers), wall
    return nodes, usage.ru_utime + usage.ru_stime, wall


def build_tables(binary, arguments):
    """Builds the tables that fit the memory of a search. Without them `best` takes smaller ones."""
    if "--memory" in arguments and "--heuristic" not in arguments:
        memory = arguments[arguments.index("--memory") + 1]
        command = [binary, "tables", "build", arguments[1], "--memory", memory, "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def measured(case, arguments, binaries, rounds, writer):
    """By build the runs of all rounds, each written to the file as it ends."""
    for binary in binaries.values():
        build_tables(binary, arguments)
        run(binary, arguments)
    runs = {build: [] for build in binaries}
    for number in range(rounds):
        order = list(binaries) if number % 2 == 0 else list(reversed(binaries))
        for build in order:
            nodes, cpu, wall = run(binaries[build], arguments)
            runs[build].append((nodes, cpu))
            writer.writerow([case, number + 1, build, nodes, f"{cpu:.3f}", f"{wall:.3f}"])
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", choices=CASES, action="append")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--slower", type=float, default=3, help="percent that are allowed")
    parser.add_argument("--csv", default="compare.csv")
    given = parser.parse_args()
    binaries = {"old": given.old, "new": given.new}
    worse = []
    with open(given.csv, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["case", "round", "build", "nodes", "cpu_seconds", "wall_seconds"])
        for case, (quick, arguments) in CASES.items():
            if given.only and case not in given.only or given.quick and not quick:
                continue
            runs = measured(case, arguments, binaries, given.rounds, writer)
            file.flush()
            old, new = ([cpu for _, cpu in runs[build]] for build in ("old", "new"))
            ratio = statistics.median(b / a for a, b in zip(old, new))
            same = len({nodes for build in runs.values() for nodes, _ in build}) == 1
            before, after = statistics.median(old), statistics.median(new)
            nodes = f"{runs['new'][0][0]:,} nodes" if same else "NODES DIFFER"
            times = f"old {before:8.3f} s  new {after:8.3f} s  ratio {ratio:.3f}"
            print(f"{case:22} {times}  {nodes}", flush=True)
            if not same or ratio > 1 + given.slower / 100:
                worse.append(case)
    if worse:
        sys.exit(f"slower, or with other nodes: {', '.join(worse)}")


if __name__ == "__main__":
    main()
