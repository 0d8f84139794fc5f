"""Parts of small plain certificates: lines of puzzles, counts, plans, tables and distances.

The counts come from the search of plain.py, the puzzles and their views from here.
"""

import itertools
import math

import plain
from puzzles import INFINITE, Chain, Placements, distances
from text import Refusal, Text

HEADER = ("block", "board", "move", "goal", "start", "forbid", "view", "table", "sum")
WAYS = {"u": (-1, 0), "l": (0, -1), "r": (0, 1), "d": (1, 0)}


def line(first, *words):
    return " ".join(map(str, (first, *words)))


def board(rows, columns, goal, costs=(1, 1, 1, 1), ways="ulrd"):
    """The lines of a board up to its goal."""
    lines = [line("board", rows, columns)]
    lines += [line("move", way, cost, *WAYS[way]) for way, cost in zip(ways, costs)]
    return lines + [line("goal", *goal)]


def group(blocks, moves, goal):
    """The lines of a puzzle of permutations up to its goal."""
    lines = [line("block", *block) for block in blocks]
    lines += [line("move", name, cost, *move) for name, cost, move in moves]
    return lines + [line("goal", *goal)]


def follow(state, move):
    return tuple(state[p] for p in move)


def cube(turns=("", "'")):
    """The moves of the corners of a cube, and its symmetries that may turn and reflect."""
    corners = list(itertools.product((1, -1), repeat=3))
    points = []
    for corner in corners:
        order = (0, 1, 2) if corner[0] * corner[1] * corner[2] == 1 else (0, 2, 1)
        points += [(corner, axis) for axis in order]

    def image(point, axes, signs):
        corner, axis = point
        moved = tuple(signs[i] * corner[axes[i]] for i in range(3))
        return points.index((moved, axes.index(axis)))

    quarter = {0: ((0, 2, 1), (1, 1, -1)), 1: ((2, 1, 0), (-1, 1, 1)), 2: ((1, 0, 2), (1, -1, 1))}
    moves = []
    for name, (axis, side) in zip("RULDFB", ((0, 1), (1, 1), (0, -1), (1, -1), (2, 1), (2, -1))):
        turn = [image(p, *quarter[axis]) if p[0][axis] == side else points.index(p) for p in points]
        powers = [tuple(turn), follow(turn, turn), follow(follow(turn, turn), turn)]
        moves += [(name + t, 1, powers[("", "2", "'").index(t)]) for t in turns]
    ways = itertools.product(itertools.permutations(range(3)), itertools.product((1, -1), repeat=3))
    return moves, [tuple(image(p, *way) for p in points) for way in ways]


def ring(pieces, turns, twist, costs):
    """Neighbours on a ring change places, with a twist, and the ring's shift and reflection."""

    def points(places, twists, way=1):
        seats = zip(places, twists)
        return [q * turns + (way * i + k) % turns for q, k in seats for i in range(turns)]

    moves = []
    for p in range(pieces):
        places, q = list(range(pieces)), (p + 1) % pieces
        places[p], places[q] = q, p
        for sign in (1, -1) if turns > 1 and twist else (1,):
            twists = [sign * twist if x in (p, q) else 0 for x in range(pieces)]
            name = f"s{p}" + ("-" if sign < 0 else "")
            moves.append((name, costs[p % len(costs)], points(places, twists)))
    shift = points([(p + len(costs)) % pieces for p in range(pieces)], [0] * pieces)
    mirror = points([-p % pieces for p in range(pieces)], [0] * pieces, -1)
    return moves, shift, mirror


def learn(moves, points, depth, chance, most=0.8):
    """Forbidden strings of a puzzle of permutations, each with its twin, in random choice."""
    start, best, found = tuple(range(points)), {}, []
    strings = [s for n in range(depth + 1) for s in itertools.product(range(len(moves)), repeat=n)]
    for string in sorted(strings, key=lambda s: (sum(moves[m][1] for m in s), len(s), s)):
        state = start
        for move in string:
            state = follow(state, moves[move][2])
        if best.setdefault(state, string) != string and chance.random() < most:
            parts = (string[i:j] for i in range(len(string)) for j in range(i + 1, len(string) + 1))
            if not any(part in found for part in parts):
                found.append(string)
                names = [moves[move][0] for move in string]
                yield line("forbid", *names, "=", *(moves[move][0] for move in best[state]))


def twins(lines, chance):
    """Forbidden strings of a board: there and back, and around a square of four."""
    circles = ["urdl", "rdlu", "dlur", "lurd"]
    back = str.maketrans("udlr", "durl")
    pairs = [(x + x.translate(back), "") for x in "udlr"]
    for circle in circles:
        way = circle * 3
        around = way[6:][::-1].translate(back)
        pairs += [(way[:7], around[:5]), (way[:6], around), (around, way[:6])]
    for string, twin in pairs:
        words = line("forbid", *string, "=", *twin)
        try:
            probe(lines + [line("start", *lines[-1].split(" ")[1:]), words])
        except Refusal:
            continue
        if chance.random() < 0.9:
            yield words


def probe(lines, folder=None):
    data = "\n".join([*lines, "least 0", "end", ""]).encode()
    return plain.Certificate(Text(data), folder)


def walk(lines, length, chance):
    """A `start` line: a state that random moves lead to from the goal."""
    goal = lines[-1].split(" ")[1:]
    first = goal if lines[0].startswith("board") else range(len(goal))
    found = probe(lines + [line("start", *first)])
    state, moves = found.start, found.puzzle.moves
    for _ in range(length):
        state = found.puzzle.child(state, chance.choice(moves)) or state
    return line("start", *state)


def find_plan(found, state, left, path=()):
    """A plan within a cost, or None. Its path is what the forbidden strings see of it."""
    if found.puzzle.is_goal(state):
        return ()
    for number, move in enumerate(found.puzzle.moves):
        child, end = found.puzzle.child(state, move), found.strings.follow(path, number)
        rest = left - move[1]
        if child and end is not None and rest >= 0 and found.h(child) <= rest:
            plan = find_plan(found, child, rest, end)
            if plan is not None:
                return (number, *plan)
    return None


def counts_of(counts):
    over = "-" if counts.over == INFINITE else counts.over
    return counts.generated, counts.expanded, over


def search(found, cost, before):
    """The lines of a bound, its generated nodes, and what it is over; None if there is a plan."""
    all_counts = [plain.Counts("", None)]
    try:
        for node in found.units(cost, all_counts[0], before):
            all_counts.append(plain.Counts("", None))
            found.search(node, all_counts[-1])
    except Refusal:
        return None
    first, *rest = (counts_of(counts) for counts in all_counts)
    lines = [line("bound", cost, len(rest), *first), *(line("unit", *counts) for counts in rest)]
    return lines, sum(c.generated for c in all_counts), min(c.over for c in all_counts)


def complete(lines, chance, folder=None, most=INFINITE, claim="plan", bare=0.0):
    """A whole certificate: bounds from the start's `h` on, until there is a plan, or to `most`."""
    found = probe(lines, folder)
    bounds, before, least = [], 0, found.h(found.start)
    cost = least
    while cost < most and not found.puzzle.is_goal(found.start):
        result = search(found, cost, before)
        if result is None:
            break
        more, before, over = result
        if chance.random() < bare:
            more, before = [line("bound", cost)], 0
        bounds += more
        least = max(least, cost + over)
        cost = least
    if claim == "plan":
        plan = find_plan(found, found.start, cost)
        words = [found.puzzle.moves[move][0] for move in plan]
        claim = line("plan", found.cost(plan), *words)
    else:
        claim = line("least", min(least, 60))
    about = [line("about", "a test", chance.randrange(1000), "\u00fc"), line("about")]
    about = about[: chance.randrange(3)]
    text = ["fewest-plain 1", *about, *lines, claim, *bounds, "end"]
    return "".join(line + "\n" for line in text).encode()


def size(space):
    """How many ranks a space has."""
    if isinstance(space, Placements):
        return math.perm(space.puzzle.points, len(space.goal))
    if isinstance(space, Chain):
        return math.prod(map(len, space.levels))
    return math.prod(space.one_block(block)[0] for block in space.puzzle.blocks)


def distances_of(lines, space, levels=()):
    found = distances(space)
    data = bytes(found.get(x, 255) for x in space.ranked(size(space)))
    far = [d for d in data if d < 255]
    text = ["fewest-distances 1", *lines, *levels]
    text.append(line("counts", *(far.count(d) for d in range(max(far) + 1))))
    text.append(line("entries", len(data)))
    return "".join(line + "\n" for line in text).encode() + data


def chain(puzzle, chance):
    """The levels of a small group, and their lines."""
    start = tuple(range(puzzle.points))
    elements = [start]
    known = {start}
    for state in elements:
        new = {puzzle.child(state, move) for move in puzzle.moves} - known
        known |= new
        elements += new
    chance.shuffle(elements)
    levels, lines = [], []
    while len(elements) > 1:
        point = chance.choice([p for p in start if len({s[p] for s in elements}) > 1])
        cosets = {s[point]: s for s in elements}
        levels.append(list(cosets.values()))
        lines.append(line("level", point, len(cosets)))
        lines += [line("coset", *coset) for coset in cosets.values()]
        elements = [s for s in elements if s[point] == point]
    return levels, lines


def tables(lines, folder, chance):
    """Writes files of the tables: exact, or lower, but right all the same."""
    folder.mkdir(exist_ok=True)
    for name, table in probe(lines).tables.items():
        lower = chance.choice([lambda d: d, lambda d: d // 2, lambda d: min(d, 3)])
        lost = chance.choice([255, 255, 0])
        found = table.found
        ranked = table.space.ranked(size(table.space))
        entries = (lower(found[x]) if x in found else lost for x in ranked)
        (folder / f"{name}.entries").write_bytes(bytes(entries))
