#!/usr/bin/env python3
"""The package beside its rivals: kociemba from PyPI, and IDA* in pure Python.

    bench/compare.py [--cubes 1000] [--seed 1]

Near-optimal plans of random cubes, one thread: lengths and processor seconds. The limits of fewest
are of nodes, so its plans are the same on every machine. Then number 12 of Korf's boards (1985),
with the Manhattan distance: in pure Python, as a Python class that fewest searches, and by fewest
alone. Last, what a call costs beside its search. Every plan is replayed by `Solver.check`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import kociemba

import fewest

sys.path.append(str(Path(__file__).parent.parent / "examples"))

from fifteen import KORF_12, Board, Fifteen


def cubes(count: int, seed: int) -> None:
    solver = fewest.Solver("3x3x3", threads=1)
    states = solver.scrambles(count, seed)
    started = time.process_time()
    solver.solve(states[0], near_optimal=True)
    print(f"tables of fewest: {time.process_time() - started:.2f} s")
    started = time.process_time()
    kociemba.solve(states[0])
    print(f"tables of kociemba: {time.process_time() - started:.2f} s")

    def by_fewest(nodes: int | None) -> Callable[[str], Sequence[str] | None]:
        return lambda state: solver.solve(state, near_optimal=True, limit_nodes=nodes).plan

    def by_kociemba(state: str) -> Sequence[str]:
        plan: str = kociemba.solve(state)
        return plan.split()

    # With a limit of nodes, fewest looks for better plans until it is reached. Else it takes the
    # best plan of two million nodes.
    rivals: dict[str, Callable[[str], Sequence[str] | None]] = {
        "kociemba": by_kociemba,
        "fewest, 500,000 nodes": by_fewest(500_000),
        "fewest": by_fewest(None),
    }
    for name, solve in rivals.items():
        lengths, seconds = [], []
        for state in states:
            started = time.process_time()
            plan = solve(state)
            seconds.append(time.process_time() - started)
            if plan is not None:
                assert solver.check(state, plan).solves
                lengths.append(len(plan))
        print(
            f"{name}: {len(lengths)} of {count} cubes in {sum(seconds):.1f} s, "
            f"median {statistics.median(seconds):.4f} s, worst {max(seconds):.2f} s; "
            f"length {statistics.mean(lengths):.3f}, at most {max(lengths)}"
        )


def pure_python(start: Board) -> tuple[int, int]:
    """IDA* as Korf had it: the length of the plan, and the generated nodes."""
    domain = Fifteen()
    goal, distance, neighbours = domain.goal, domain.distance, domain.neighbours
    tiles = list(start)
    nodes = 0

    def descend(blank: int, before: int, depth: int, h: int, bound: int) -> bool:
        nonlocal nodes
        for square in neighbours[blank]:
            if square == before:
                continue
            nodes += 1
            tile = tiles[square]
            other = h + distance[tile][blank] - distance[tile][square]
            if depth + 1 + other > bound:
                continue
            tiles[blank], tiles[square] = tile, 0
            if other == 0 and tuple(tiles) == goal:
                return True
            if descend(square, blank, depth + 1, other, bound):
                return True
            tiles[square], tiles[blank] = tile, 0
        return False

    h = domain.heuristic(start)
    bound = h
    while not descend(start.index(0), -1, 0, h, bound):
        bound += 2
    return bound, nodes


def board() -> None:
    start = tuple(map(int, KORF_12.split()))
    started = time.process_time()
    length, nodes = pure_python(start)
    print(f"pure Python: {length} moves, {nodes:,} nodes, {time.process_time() - started:.2f} s")
    started = time.process_time()
    found = fewest.search(Fifteen(), start, algorithm="ida_star")
    seconds = time.process_time() - started
    print(f"a Python class: {found.cost} moves, {found.generated:,} nodes, {seconds:.2f} s")
    solver = fewest.Solver("15-puzzle", heuristic="manhattan", pruning="inverse", threads=1)
    result = solver.solve(KORF_12)
    print(f"fewest: {result.length} moves, {result.generated:,} nodes, {result.cpu_seconds:.3f} s")


def calls() -> None:
    """The time of a call beside its search: of a board that is one move from the goal."""
    solver = fewest.Solver("8-puzzle", heuristic="manhattan", threads=1)
    state, rest = "1 0 2 3 4 5 6 7 8", []
    for _ in range(20_000):
        started = time.perf_counter()
        seconds = solver.solve(state).seconds
        rest.append(time.perf_counter() - started - seconds)
    median, fast = statistics.median(rest), sorted(rest)[len(rest) // 10]
    print(f"a call beside its search: median {1e6 * median:.0f} us, fastest tenth {1e6 * fast:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cubes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cubes(options.cubes, options.seed)
    board()
    calls()


if __name__ == "__main__":
    main()
