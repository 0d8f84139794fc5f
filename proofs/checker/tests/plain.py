#!/usr/bin/env python3
"""Checks plain certificates and distances of all states: the slow twin of fewest-check.

    plain.py FILE [--units N] [--seed S] [--tables FOLDER]

It is written from the specification alone: states are tuples, tables are dictionaries, and ranks
are places in a list of all abstract states. Exit codes: 0 the file holds, 2 it is refused.
"""

import argparse
import collections
import functools
import hashlib
import sys
from pathlib import Path

from puzzles import INFINITE, Board, Permutations, Placements, Words
from puzzles import Chain, distances, is_permutation, read_entries, read_table
from strings import Strings
from text import Refusal, Text, need


def read_puzzle(text):
    for _ in text.many("about"):
        pass
    words = text.take("board")
    puzzle = Permutations(text) if words is None else Board(text, words)
    text.need(puzzle.points, "expected `block` or `board`")
    puzzle.moves = []
    for words in text.many("move"):
        text.need(len(words) > 1 and words[0] != "=", "expected a name and a cost")
        name, cost = words[0], text.number(words[1], 1, 65_535)
        puzzle.moves.append((name, cost, *puzzle.read_move(text, words[2:])))
    names, ways = (len({move[part] for move in puzzle.moves}) for part in (0, -1))
    right = isinstance(puzzle, Permutations) or ways == len(puzzle.moves)
    text.need(puzzle.moves and names == len(puzzle.moves) and right, "expected different moves")
    puzzle.read_goal(text, text.demand("goal"))
    return puzzle


class Table:
    """A table of distances: computed, or read from a file that was given."""

    def __init__(self, puzzle, text, folder, name, words):
        first = 2 if isinstance(puzzle, Board) else 1
        self.kind, items = "".join(words[1:first]), words[first:]
        right = words[0] == ("tiles" if self.kind else "labels")
        text.need(right and self.kind in ("", "exact", "least", "large"), "expected another kind")
        self.items = text.numbers(items, len(items) if self.kind else puzzle.points, 0, 65_535)
        if self.kind:
            right = self.items and set(self.items) <= set(range(1, puzzle.points))
            right = right and len(set(self.items)) == len(self.items)
            text.need(right, "expected different tiles")
        else:
            right = len(set(zip(puzzle.goal, self.items))) == len(set(puzzle.goal))
            text.need(right, "expected equal labels where those of the goal are equal")
        self.puzzle, self.name, self.folder = puzzle, name, folder

    @functools.cached_property
    def space(self):
        return (Placements if self.kind else Words)(self.puzzle, self.items)

    @functools.cached_property
    def found(self):
        file = self.folder and Path(self.folder, self.name + ".entries")
        if file and file.is_file():
            return read_table(self.space, file.read_bytes(), f"table {self.name}")
        return {x: min(d, 254) for x, d in distances(self.space).items()}

    def look(self, state):
        x = self.space.of(state)
        if self.kind in ("", "exact"):
            return self.found.get(x, INFINITE)
        return self.spread(x[:-1])[x[-1]]

    @functools.cache
    def spread(self, squares):
        """The value for each square of the blank, with the tiles on these squares."""
        regions = self.puzzle.regions(squares)
        h = {q: self.found.get((*squares, q), INFINITE) for region in regions for q in region}
        large = max(regions, key=len)
        if self.kind == "least" or len(regions) < 2 or 2 * len(large) <= len(h):
            return dict.fromkeys(h, min(h.values()))
        b = min(h[q] for q in h if q not in large)
        a = min(b + 8, *(h[q] for q in large))
        return {q: a if q in large else min(b, a + 6) for q in h}


class Counts:
    """Counts of a search, and those that the file states."""

    def __init__(self, place, stated, dead_ends=True):
        self.place, self.stated, self.dead_ends = place, stated, dead_ends
        self.generated, self.expanded, self.over = 0, 0, INFINITE

    def check(self, whole=True):
        """Whether the counts are right, or, of a search that goes on, not too many."""
        if self.stated:
            found, stated = (self.generated, self.expanded), self.stated[:2]
            right = found == stated if whole else found[0] <= stated[0] and found[1] <= stated[1]
            right = right and (not whole or self.stated[2] <= self.over)
            need(right, self.place, f"found {self.generated} {self.expanded} {self.over}")


class Bound:
    """A bound, with the counts above its units and of its units, or with none."""

    def __init__(self, text, words):
        text.need(len(words) in (1, 5), "expected a bound, with 4 counts or without")
        self.place, self.cost = f"line {text.line}", text.number(words[0])
        self.counts = [self.read_counts(text, words[2:])] if len(words) > 1 else []
        while words[1:] and len(self.counts) <= text.number(words[1]):
            self.counts.append(self.read_counts(text, text.demand("unit", 3)))

    def read_counts(self, text, words):
        over = INFINITE if words[2] == "-" else text.number(words[2])
        return Counts(f"line {text.line}", (text.number(words[0]), text.number(words[1]), over))


class Certificate:
    """A plain certificate: the puzzle, the heuristic, the forbidden strings and the claim."""

    def __init__(self, text, folder):
        self.puzzle = puzzle = read_puzzle(text)
        self.start = puzzle.read_state(text, text.demand("start"))
        self.numbers = {move[0]: number for number, move in enumerate(puzzle.moves)}
        costs = [move[1] for move in puzzle.moves]
        forbidden = (self.read_string(text, words) for words in text.many("forbid"))
        self.strings = Strings(set(forbidden), costs)
        view = functools.partial(puzzle.view, text)
        self.views = dict(self.read_names(text, "view", lambda _, words: view(words)))
        table = functools.partial(Table, puzzle, text, folder)
        self.tables = dict(self.read_names(text, "table", table))
        self.sums = [self.read_sum(text, words) for words in text.many("sum")]
        self.read_claim(text)
        self.bounds = [Bound(text, words) for words in text.many("bound")]
        text.demand("end", 0)
        text.need(text.begin == len(text.data), "expected the end of the file")
        right = not self.bounds or not puzzle.is_goal(self.start)
        text.need(right, "expected no bound, for the start is a goal")

    def moves(self, text, words):
        text.need(all(word in self.numbers for word in words), "expected names of moves")
        return tuple(self.numbers[word] for word in words)

    def cost(self, moves):
        return sum(self.puzzle.moves[move][1] for move in moves)

    def follow(self, state, moves):
        for move in moves:
            state = state and self.puzzle.child(state, self.puzzle.moves[move])
        return state

    def read_string(self, text, words):
        text.need(words.count("=") == 1, "expected one `=`")
        middle = words.index("=")
        string, twin = self.moves(text, words[:middle]), self.moves(text, words[middle + 1 :])
        sizes = [(self.cost(moves), len(moves), moves) for moves in (twin, string)]
        text.need(sizes[0] < sizes[1], "expected a smaller twin")
        ends = [(self.follow(s, string), self.follow(s, twin)) for s in self.puzzle.starts()]
        right = all(end in (None, other) for end, other in ends)
        text.need(right, "expected a twin that leads to the same state")
        return string

    def read_names(self, text, first, read):
        known = set()
        for words in text.many(first):
            text.need(len(words) > 1, "expected a name and a kind")
            name, *words = words
            text.need("@" not in name and name not in known, "expected a new name without `@`")
            known.add(name)
            yield name, read(name, words)

    def read_sum(self, text, words):
        lookups = [word.partition("@") for word in words]
        right = all(table in self.tables for table, _, _ in lookups)
        right = right and all(view in self.views for _, at, view in lookups if at)
        text.need(right, "expected tables and views of this file")
        views = {at + view for _, at, view in lookups}
        tables = [self.tables[table] for table, _, _ in lookups]
        tiles = [tile for table in tables for tile in table.items if table.kind]
        right = tables and all(table.kind for table in tables) or len(tables) == 1
        right = right and len(views) == 1 and len(tiles) == len(set(tiles))
        text.need(right, "expected one table, or tables of different tiles with one view")
        return self.views.get(lookups[0][2], lambda state: state), tables

    def read_claim(self, text):
        words = self.plan = text.take("plan")
        words = text.demand("least", 1) if words is None else words
        text.need(words, "expected a cost")
        self.claim = text.number(words[0])
        if self.plan is not None:
            plan = self.moves(text, words[1:])
            end = self.follow(self.start, plan)
            right = end and self.puzzle.is_goal(end) and self.cost(plan) == self.claim
            text.need(right, "expected a plan of this cost that solves the start")

    def h(self, state):
        sums = (sum(table.look(view(state)) for table in tables) for view, tables in self.sums)
        return max(sums, default=0)

    def expand(self, node, counts):
        """The kept children of a node: its state, what is left, and the end of its path."""
        state, left, path = node
        kept = []
        counts.expanded += 1
        for number, move in enumerate(self.puzzle.moves):
            child, end = self.puzzle.child(state, move), self.strings.follow(path, number)
            rest = left - move[1]
            if child is None or end is None:
                continue
            if counts.dead_ends and self.strings.farthest[end] < rest:
                continue
            counts.generated += rest >= 0
            excess = -rest if rest < 0 else self.h(child) - rest
            if excess <= 0:
                need(not self.puzzle.is_goal(child), counts.place, "the search meets a plan")
                excess = excess if rest else 1
            if excess > 0:
                counts.over = min(counts.over, excess)
            else:
                kept.append((child, rest, end))
        counts.check(False)
        return kept

    def units(self, cost, counts, before):
        """The nodes below which the units of a bound search."""
        level, width = [(self.start, cost, ())], min(max(before // 131_072, 2_048), 32_768)
        while level and len(level) < width:
            kept, done = [], 0
            while done < len(level) and len(kept) < 4 * width:
                kept += self.expand(level[done], counts)
                done += 1
            level = kept + level[done:]
        counts.check()
        return level

    def search(self, node, counts):
        """Expands everything from a node on."""
        nodes = [node]
        while nodes:
            nodes += self.expand(nodes.pop(), counts)
        counts.check()

    def check(self, units, data, seed):
        total = sum(len(bound.counts[1:]) for bound in self.bounds)
        drawn = draw(total, units, data, seed)
        proofs, before, first = [self.h(self.start)], 0, 0
        odd = all(move[1] % 2 for move in self.puzzle.moves) and self.puzzle.has_parity()
        for bound in self.bounds:
            found = Counts(bound.place, None, False)
            if bound.counts:
                right = bound.cost <= max(proofs)
                need(right, bound.place, f"only {max(proofs)} is proved before it")
                nodes = self.units(bound.cost, bound.counts[0], before)
                right = len(nodes) == len(bound.counts) - 1
                need(right, bound.place, f"expected {len(nodes)} units")
                for number, unit in enumerate(zip(nodes, bound.counts[1:]), first):
                    if number in drawn:
                        self.search(*unit)
                first += len(nodes)
            else:
                self.search((self.start, bound.cost, ()), found)
            proof = bound.cost + min((c.stated[2] for c in bound.counts), default=found.over)
            rounds = odd and self.plan is not None and proof < INFINITE
            proofs.append(proof + (proof - self.claim) % 2 if rounds else proof)
            before = sum(counts.stated[0] for counts in bound.counts)
        right = self.claim <= max(proofs)
        need(right, "claim", f"{self.claim} is claimed, but {max(proofs)} is proved")
        drawn = min(total, len(drawn))
        return f"the plan or least cost {self.claim}, with {drawn} of {total} units"


def draw(total, units, data, seed):
    """The numbers of the units to check."""
    if units is None or units >= total:
        return range(total)
    drawn, i, file = set(), 0, hashlib.sha256(data).digest()
    while len(drawn) < units:
        words = seed.to_bytes(8, "little") + i.to_bytes(8, "little")
        digest = hashlib.sha256(file + words).digest()
        drawn.add(int.from_bytes(digest[:8], "little") % total)
        i += 1
    return drawn


def read_levels(text, puzzle):
    levels, fixed = [], []
    for words in text.many("level"):
        text.need(isinstance(puzzle, Permutations), "expected `counts`")
        point, count = text.numbers(words, 2)
        text.need(point < puzzle.points and count > 0, "expected a point and cosets")
        cosets = {}
        while len(cosets) < count:
            coset = text.numbers(text.demand("coset"), puzzle.points)
            right = is_permutation(coset) and all(coset[p] == p for p in fixed)
            text.need(right, "expected a permutation that keeps the points of former levels")
            text.need(coset[point] not in cosets, "expected a coset that sends its point elsewhere")
            cosets[coset[point]] = coset
        levels.append(list(cosets.values()))
        fixed.append(point)
    text.need(not levels or len(set(puzzle.goal)) == puzzle.points, "goal labels are equal")
    return levels


def check_distances(text):
    puzzle = read_puzzle(text)
    levels = read_levels(text, puzzle)
    if isinstance(puzzle, Board):
        space = Placements(puzzle, tuple(range(1, puzzle.points)))
    else:
        space = Chain(puzzle, levels) if levels else Words(puzzle, puzzle.goal)
    words = text.demand("counts")
    counts = text.numbers(words, len(words))
    size = text.number(*text.demand("entries", 1))
    data = text.data[text.begin :]
    text.need(len(data) == size, f"{len(data)} bytes follow")
    found = read_entries(space, data, "entries")
    for x, entry in found.items():
        behind = [(cost + found.get(y, INFINITE), y in found) for cost, y in space.ahead(x)]
        least = min((far for far, _ in behind), default=INFINITE)
        need(x == space.goal or entry == least, "entries", f"{entry} where {least} is right")
        need(entry == INFINITE or all(known for _, known in behind), "entries", "no rank behind")
    seen = collections.Counter(entry for entry in found.values() if entry < INFINITE)
    right = counts == tuple(seen[d] for d in range(max(seen) + 1))
    need(right, "counts", "expected how many states have each distance")
    return f"the distances of {size} states"


def check_file(data, units=None, seed=0, folder=None):
    """What the file proves. Raises a refusal otherwise."""
    text = Text(data)
    words = text.take("fewest-distances")
    if words == ["1"]:
        return check_distances(text)
    right = words is None and text.take("fewest-plain") == ["1"]
    text.need(right, "expected `fewest-plain 1` or `fewest-distances 1`")
    return Certificate(text, folder).check(units, data, seed)


def natural(word):
    return Text(b"").number(word)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--units", type=natural)
    parser.add_argument("--seed", type=natural, default=0)
    parser.add_argument("--tables", type=Path)
    options = parser.parse_args()
    try:
        data = options.file.read_bytes()
        print("holds:", check_file(data, options.units, options.seed, options.tables))
    except (OSError, Refusal) as why:
        print(f"refused: {why}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
