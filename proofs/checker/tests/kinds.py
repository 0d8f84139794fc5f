#!/usr/bin/env python3
"""The kinds of small certificates that the two checkers are compared on: kinds.py FOLDER SEED

Writes two of each kind into the folder. A certificate `NAME.plain` may have a folder of table
files, `NAME.tables`. All of them hold, those named `wide` with `--units 0`.
"""

import random
import sys
from pathlib import Path

import make
import plain
from make import line
from puzzles import Chain, Placements, Words
from text import Refusal, Text


def tiles_lines(chance, squares, kinds=("exact", "least", "large"), sizes=(1, 2, 3)):
    """Lines of tables that share no tile."""
    tiles = list(range(1, squares))
    chance.shuffle(tiles)
    names = []
    while tiles and len(names) < 3:
        part, tiles = tiles[: chance.choice(sizes)], tiles[max(sizes) :]
        names.append(f"t{len(names)}")
        yield line("table", names[-1], "tiles", chance.choice(kinds), *part)
    yield line("sum", *names)
    if len(names) > 1:
        yield line("sum", *names[1:])


def board(chance, folder):
    """A small board with tables of all kinds, and costs that may differ."""
    rows, columns = chance.choice([(2, 2), (3, 2), (2, 4), (3, 3), (3, 3), (1, 5), (2, 3)])
    goal = list(range(rows * columns))
    if chance.random() < 0.5:
        chance.shuffle(goal)
    costs = chance.choice([(1,) * 4, (2, 2, 2, 2), (3, 1, 3, 1), (1, 2, 3, 4), (100, 90, 80, 70)])
    ways = "".join(chance.sample("ulrd", 4))[: chance.choice([4, 4, 4, 3])]
    lines = make.board(rows, columns, goal, costs, ways)
    forbidden = list(make.twins(lines, chance)) if len(ways) == 4 else []
    lines += [make.walk(lines, chance.choice([8, 16, 30]), chance), *forbidden]
    lines += tiles_lines(chance, rows * columns)
    most = 10**9 if len(ways) == 4 else 14
    claim = "plan" if len(ways) == 4 else "least"
    return make.complete(lines, chance, most=most, claim=claim, bare=0.3)


def reflected(chance, folder):
    """A square board with the reflected view, or one turned around, and all tables."""
    size = 3
    goal = list(range(9))
    views = {"f": [0, 3, 6, 1, 4, 7, 2, 5, 8]}
    if chance.random() < 0.5:
        goal = chance.sample(range(1, 9), 4) + [0]
        goal += [x for x in range(9) if x not in goal]
        views["t"] = [2, 5, 8, 1, 4, 7, 0, 3, 6]
        views["h"] = list(range(9))[::-1]
    lines = make.board(size, size, goal, (chance.choice([1, 2, 3]),) * 4)
    forbidden = list(make.twins(lines, chance))
    lines += [make.walk(lines, 40, chance), *forbidden]
    lines += [line("view", name, "symmetry", *v) for name, v in views.items()]
    whole = list(tiles_lines(chance, 9, sizes=(2, 3)))
    lines += whole
    lines += [line("sum", *(f"{w}@{name}" for w in whole[-2].split(" ")[1:])) for name in views]
    return make.complete(lines, chance, bare=0.2)


def large_board(chance, folder):
    """A board of 3 by 4 or 4 by 4 with tables of few tiles."""
    rows, columns = chance.choice([(3, 4), (4, 4)])
    lines = make.board(rows, columns, list(range(rows * columns)))
    forbidden = list(make.twins(lines, chance))
    lines += [make.walk(lines, 20, chance), *forbidden]
    lines += tiles_lines(chance, rows * columns, ("large", "least", "exact"), (2,))
    return make.complete(lines, chance)


def unsolvable(chance, folder):
    """A board that no plan solves: its table says so, or its parity is not seen."""
    goal = list(range(6))
    lines = make.board(2, 3, goal)
    start = goal[:]
    start[1], start[2] = start[2], start[1]
    tiles = chance.choice([[1, 2, 3, 4, 5], [1, 2, 4], [1, 2, 3, 4]])
    lines += [line("start", *start), line("table", "t", "tiles", "exact", *tiles), "sum t"]
    return make.complete(lines, chance, most=chance.choice([4, 20]), claim="least")


def corners(chance, folder):
    """Corners of a cube, with labels for their turns or for a few of them, and many views."""
    turns = chance.choice([("", "'"), ("", "2", "'")])
    moves, symmetries = make.cube(turns)
    if chance.random() < 0.3:
        moves, symmetries = moves[: 3 * len(turns)], []
    lines = make.group([(8, 3)], moves, range(24))
    forbidden = list(make.learn(moves, 24, 2, chance))
    lines += [make.walk(lines, chance.choice([3, 4, 5]), chance), *forbidden]
    views = chance.sample(symmetries, 2) if symmetries else []
    lines += [line("view", f"v{n}", "symmetry", *v) for n, v in enumerate(views)]
    lines.append("view i inverse")
    seen = chance.sample(range(8), 2)
    few = [p % 3 + 1 + 3 * seen.index(p // 3) if p // 3 in seen else 0 for p in range(24)]
    alike = [p % 3 + 1 if p // 3 in seen else 0 for p in range(24)]
    labels = {"turns": [int(p % 3 == 0) for p in range(24)], "few": few, "alike": alike}
    names = chance.sample(sorted(labels), 2)
    lines += [line("table", name, "labels", *labels[name]) for name in names]
    for name in names:
        ways = chance.sample(["", "@i", *(f"@v{n}" for n in range(len(views)))], 2)
        lines += [line("sum", name + way) for way in ways]
    return make.complete(lines, chance, claim=chance.choice(["plan", "plan", "least"]), most=5)


def labelled(pieces, turns, kind):
    """Goal labels: all different, or with pieces that look alike, also when turned."""
    if kind == "different":
        return list(range(pieces * turns))
    if kind == "alike":
        return [p // turns // 2 * turns + p % turns for p in range(pieces * turns)]
    if kind == "turned":
        return [(p + p // turns) % turns for p in range(pieces * turns)]
    return [p // turns for p in range(pieces * turns)]


def ring(chance, folder):
    """Neighbours on a ring change places: costs, views, look-alikes, parity, several units."""
    pieces, turns = chance.choice([(6, 1), (5, 1), (4, 2), (4, 3), (3, 4), (5, 2), (7, 1)])
    kind = chance.choice(["different", "different", "alike", "turned", "whole"])
    costs = chance.choice([(1,), (1,), (3,), (1, 2), (1, 3), (60, 100), (7, 7, 5)])
    costs = costs if pieces % len(costs) == 0 else costs[:1]
    moves, shift, mirror = make.ring(pieces, turns, chance.choice([0, 1]), costs)
    lines = make.group([(pieces, turns)], moves, labelled(pieces, turns, kind))
    forbidden = list(make.learn(moves, pieces * turns, 2 if turns > 1 else 3, chance))
    lines += [make.walk(lines, chance.choice([6, 9]), chance), *forbidden]
    for name, v in (("s", shift), ("m", mirror)):
        view = line("view", name, "symmetry", *v)
        try:
            make.probe([*lines, view])
            lines.append(view)
        except Refusal:
            pass
    names = [words.split(" ")[1] for words in lines if words.startswith("view")]
    if kind == "different":
        lines.append("view i inverse")
        names.append("i")
    goal = labelled(pieces, turns, kind)
    merged = sorted(set(goal))
    tables = []
    for n in range(2):
        few = {label: chance.choice([0, 1, 65535, label]) for label in merged}
        tables.append(line("table", f"t{n}", "labels", *(few[label] for label in goal)))
    lines += tables
    lines += [line("sum", "t0"), line("sum", "t1" + "".join("@" + n for n in names[-1:]))]
    most, claim = (10**9, "plan") if max(costs) < 60 else (200, "least")
    return make.complete(lines, chance, claim=claim, most=most, bare=0.2)


def dead_ends(chance, folder):
    """A small group with nearly all strings forbidden, so that paths come to dead ends."""
    pieces, turns, depth = chance.choice([(4, 1, 5), (3, 2, 4), (5, 1, 5), (4, 1, 4)])
    moves, _, _ = make.ring(pieces, turns, 1, chance.choice([(1,), (1, 2), (3,)][: 3 - pieces % 2]))
    points = pieces * turns
    lines = make.group([(pieces, turns)], moves[: chance.choice([3, 4, 5])], range(points))
    forbidden = make.learn(moves[: len(lines) - 2], points, depth, chance, chance.choice([0.97, 1]))
    lines += [make.walk(lines, 20, chance), *forbidden]
    return make.complete(lines, chance, bare=0.2)


def blocks(chance, folder):
    """Two or three blocks that move together, some of one shape, with a view that swaps them."""
    moves, a, b = [], 3, chance.choice([3, 4])
    sizes = [(a, 2), (a, 2), (b, 1)]
    points = sum(x * y for x, y in sizes)

    def move(swaps, twist):
        state = list(range(points))
        for p, q, step in swaps:
            state[p : p + step], state[q : q + step] = state[q : q + step], state[p : p + step]
        for p in twist:
            state[p], state[p + 1] = state[p + 1], state[p]
        return state

    for n in range(3):
        p, q, e = 2 * n, 2 * ((n + 1) % 3), 12 + n % b
        other = 12 + (n + 1) % b
        moves.append((f"a{n}", 1, move([(p, q, 2), (e, other, 1)], [p, q])))
        moves.append((f"b{n}", 1, move([(p + 6, q + 6, 2), (e, other, 1)], [p + 6, q + 6])))
    goal = list(range(points))
    lines = make.group(sizes, moves, goal)
    forbidden = list(make.learn(moves, points, 2, chance))
    lines += [make.walk(lines, 8, chance), *forbidden]
    swap = [*range(6, 12), *range(6), *range(12, points)]
    lines.append(line("view", "swap", "symmetry", *swap))
    lines.append("view i inverse")
    first = [p if p < 6 else 7 for p in range(points)]
    orient = [p % 2 if p < 12 else p for p in range(points)]
    lines += [line("table", "first", "labels", *first), line("table", "o", "labels", *orient)]
    lines += ["sum first", "sum first@swap", chance.choice(["sum o", "sum o@i"])]
    return make.complete(lines, chance, bare=0.1)


def many_units(chance, folder):
    """No table, so that bounds have thousands of nodes above units, and thousands of units."""
    moves, _ = make.cube()
    lines = make.group([(8, 3)], moves, range(24))
    forbidden = list(make.learn(moves, 24, 2, chance))
    data = b""
    while b"\nunit " not in data:
        start = make.walk(lines, 30, chance)
        data = make.complete([*lines, start, *forbidden], chance, claim="least", most=6)
    return data


def wide(chance, folder):
    """A bound after one of very many nodes, with more nodes above units. It holds with no units."""
    whole = many_units(chance, folder).decode().split("\n")
    at = next(n for n, words in enumerate(whole) if words.startswith("bound 5"))
    unit = next(n for n, words in enumerate(whole) if n > at and words.startswith("unit"))
    words = whole[unit].split(" ")
    words[1] = str(chance.choice([3, 4, 6]) * 10**8)
    whole[unit] = " ".join(words)
    lines = [w for w in whole if w.split(" ")[0] in ("block", "move", "goal", "start", "forbid")]
    before = sum(int(w.split(" ")[1 if w[0] == "u" else 3]) for w in whole[at:-2])
    found = make.probe(lines)
    counts = plain.Counts("", None)
    level = found.units(6, counts, before)
    more = [line("bound", 6, len(level), *make.counts_of(counts))]
    more += [line("unit", chance.randrange(9), 1, 1) for _ in level]
    return "\n".join(whole[:-2] + more + whole[-2:]).encode()


def given(chance, folder):
    """Tables that are given as files."""
    kind = chance.choice([blocks, corners, reflected, ring, board])
    data = kind(chance, None).decode().split("\n")
    lines = [words for words in data if words.split(" ")[0] in make.HEADER]
    make.tables(lines, folder, chance)
    return make.complete(lines, chance, folder=folder, claim="least", most=6, bare=0.2)


def word_distances(chance, folder):
    """Distances of all states by the words of their labels."""
    pieces, turns = chance.choice([(5, 1), (4, 2), (3, 3), (3, 4), (6, 1)])
    kind = chance.choice(["different", "alike", "turned", "whole"])
    costs = chance.choice([(1,), (2,), (3, 1, 2), (9,)])
    moves, _, _ = make.ring(pieces, turns, chance.choice([0, 1]), costs)
    moves = moves[: chance.choice([2, 9])]
    goal = labelled(pieces, turns, kind)
    sizes = [(pieces, turns)]
    if chance.random() < 0.5:
        moves = [(name, cost, [*m, *(p + len(m) for p in n)]) for (name, cost, m), n in
                 zip(moves, [[1, 0, 2], [0, 2, 1], [1, 2, 0], [0, 1, 2]] * 3)]
        goal, sizes = [*goal, 90, 80, 80], [*sizes, (3, 1)]
    lines = make.group(sizes, moves, goal)
    puzzle = plain.read_puzzle(Text("\n".join([*lines, ""]).encode()))
    return make.distances_of(lines, Words(puzzle, puzzle.goal))


def tile_distances(chance, folder):
    """Distances of all states of a board."""
    rows, columns = chance.choice([(2, 2), (2, 3), (3, 2), (1, 4), (2, 3)])
    goal = chance.sample(range(rows * columns), rows * columns)
    costs = chance.choice([(1,) * 4, (1, 2, 3, 4), (5, 5, 5, 5)])
    lines = make.board(rows, columns, goal, costs)
    puzzle = plain.read_puzzle(Text("\n".join([*lines, ""]).encode()))
    return make.distances_of(lines, Placements(puzzle, tuple(range(1, rows * columns))))


def chain_distances(chance, folder):
    """Distances of all states of a group, by the cosets of a chain."""
    pieces, turns = chance.choice([(5, 1), (4, 2), (3, 3), (6, 1), (3, 2)])
    moves, _, _ = make.ring(pieces, turns, chance.choice([0, 1]), (1,))
    if chance.random() < 0.5:
        moves = [(name, chance.choice([1, 2]), make.follow(m, n)) for (name, _, m), (_, _, n)
                 in zip(moves, moves[1:])]
    lines = make.group([(pieces, turns)], moves, range(pieces * turns))
    puzzle = plain.read_puzzle(Text("\n".join([*lines, ""]).encode()))
    levels, words = make.chain(puzzle, chance)
    return make.distances_of(lines, Chain(puzzle, levels), words)


KINDS = [board, reflected, large_board, unsolvable, corners, ring, dead_ends, blocks]
KINDS += [many_units, wide, given, word_distances, tile_distances, chain_distances]


def write_all(folder, seed, each=2):
    """Writes certificates of all kinds into a folder."""
    for kind in KINDS:
        for number in range(each):
            name = f"{kind.__name__}-{number}"
            chance = random.Random(f"{seed} {name}")
            Path(folder, name + ".plain").write_bytes(kind(chance, Path(folder, name + ".tables")))


if __name__ == "__main__":
    write_all(Path(sys.argv[1]), int(sys.argv[2]))
