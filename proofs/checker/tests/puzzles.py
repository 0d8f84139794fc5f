"""Puzzles and their abstractions, for the slow checker of plain certificates."""

import heapq
import itertools
import math
from operator import itemgetter

from text import need

INFINITE = math.inf
AHEAD, BACK = 2, 3  # a move: name, cost, how it leads on and back, and its numbers


def picker(places):
    """A function from a tuple to its items at these places."""
    return itemgetter(*places) if len(places) > 1 else lambda s: tuple(s[p] for p in places)


def inverse(s):
    return tuple(sorted(range(len(s)), key=s.__getitem__))


def is_permutation(s):
    return sorted(s) == list(range(len(s)))


def rotations(word):
    return [word[k:] + word[:k] for k in range(len(word))]


class Permutations:
    """A puzzle of permutations: a state is the sticker at each point."""

    def __init__(self, text):
        self.blocks, self.points = [], 0
        for words in text.many("block"):
            pieces, turns = text.numbers(words, 2, 1)
            self.blocks.append(range(self.points, self.points + pieces * turns, turns))
            self.points += pieces * turns

    def read_move(self, text, words):
        move = self.read_state(text, words)
        return picker(move), picker(inverse(move)), move

    def read_state(self, text, words):
        state = text.numbers(words, self.points)
        right = is_permutation(state) and all(self.homes(b, state) == {b} for b in self.blocks)
        text.need(right, "expected pieces at places of their block")
        return state

    def read_goal(self, text, words):
        self.goal = text.numbers(words, self.points, 0, 65_535)

    def split(self, block, word):
        return [tuple(word[p : p + block.step]) for p in block]

    def homes(self, block, word, ways=(1,)):
        """The blocks with places that hold the points of this block's places."""
        homes = set()
        for held in self.split(block, word):
            places = rotations(tuple(range(min(held), min(held) + block.step)))
            right = any(held[::way] in places for way in ways)
            homes.add(next((b for b in self.blocks if right and min(held) in b), None))
        return homes

    def child(self, state, move):
        return move[AHEAD](state)

    def is_goal(self, state):
        return all(self.goal[s] == label for s, label in zip(state, self.goal))

    def starts(self):
        """States that tell whether two strings always lead to the same."""
        return [tuple(range(self.points))]

    def classes(self, block, labels):
        """The class of each place of a block: the least rotation of its labels."""
        return [min(rotations(word)) for word in self.split(block, labels)]

    def turns_of(self, block, move):
        return sum(held[0] - min(held) for held in self.split(block, move))

    def has_parity(self):
        def permutes_oddly(block, move):
            places = map(min, self.split(block, move))
            return sum(a > b for a, b in itertools.combinations(places, 2)) % 2 == 1

        return any(
            len(set(self.classes(block, self.goal))) == len(block)
            and all(permutes_oddly(block, move[-1]) for move in self.moves)
            for block in self.blocks
        )

    def view(self, text, words):
        kind, *words = words
        known = {(move[1], move[-1]) for move in self.moves}
        if kind == "inverse":
            right = not words and len(set(self.goal)) == self.points
            image = inverse
        else:
            v = text.numbers(words, self.points)
            homes = [self.homes(block, v, (1, -1)) for block in self.blocks if is_permutation(v)]
            alike = [(len(b), b.step) for b in self.blocks]
            right = alike == [b and (len(b), b.step) for home in homes for b in home]
            right = right and kind == "symmetry"
            labels = {(label, self.goal[p]) for label, p in zip(self.goal, v) if right}
            right = len(labels) == len(set(self.goal)) == len({b for _, b in labels})
            image = lambda s, back=inverse(v): tuple(v[s[p]] for p in back)
        text.need(right, "expected a view of the blocks and of the goal")
        text.need(all((c, image(m)) in known for c, m in known), "the image of a move is no move")
        return image


class Board:
    """A board of sliding tiles: a state is the value of each square."""

    def __init__(self, text, words):
        self.rows, self.columns = text.numbers(words, 2, 1)
        self.points = self.rows * self.columns

    def read_move(self, text, words):
        right = " ".join(words) in ("1 0", "-1 0", "0 1", "0 -1")
        text.need(right, "expected the way to a neighbour")
        down, side = map(int, words)
        return self.ways(down, side), self.ways(-down, -side), (down, side)

    def read_state(self, text, words):
        state = text.numbers(words, self.points)
        text.need(is_permutation(state), "expected each value once")
        return state

    def read_goal(self, text, words):
        self.goal = self.read_state(text, words)

    def ways(self, down, side):
        """Where each square's blank goes, or None at the edge."""
        ends = [(q // self.columns + down, q % self.columns + side) for q in range(self.points)]
        inside = (0 <= row < self.rows and 0 <= column < self.columns for row, column in ends)
        return [r * self.columns + c if right else None for (r, c), right in zip(ends, inside)]

    def child(self, state, move):
        blank = state.index(0)
        to = move[AHEAD][blank]
        if to is not None:
            values = list(state)
            values[blank], values[to] = values[to], 0
            return tuple(values)

    def is_goal(self, state):
        return state == self.goal

    def starts(self):
        rest = tuple(range(1, self.points))
        return [rest[:q] + (0,) + rest[q:] for q in range(self.points)]

    def has_parity(self):
        return True

    def view(self, text, words):
        kind, *words = words
        v, blank = self.read_state(text, words), self.goal.index(0)
        right = kind == "symmetry" and v[blank] == blank and len({m[1] for m in self.moves}) == 1
        text.need(right, "expected equal costs, and a symmetry that keeps the goal's blank")
        grid = [self.ways(*way) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        for ways in (grid, [move[AHEAD] for move in self.moves]):
            near = [{way[q] for way in ways} - {None} for q in range(self.points)]
            right = all({v[p] for p in near[q]} == near[v[q]] for q in range(self.points))
            text.need(right, "expected neighbours at neighbours, and moves at moves")
        rename = {value: self.goal[v[q]] for q, value in enumerate(self.goal)}
        return lambda state, back=inverse(v): tuple(rename[state[q]] for q in back)

    def regions(self, squares):
        """The sets of squares that are connected without these."""
        free, found = set(range(self.points)) - set(squares), []
        while free:
            found.append([free.pop()])
            for q in found[-1]:
                near = {move[way][q] for move in self.moves for way in (AHEAD, BACK)} & free
                free -= near
                found[-1].extend(near)
        return found


class Words:
    """An abstraction of permutations: the words of labels."""

    def __init__(self, puzzle, labels):
        self.puzzle, self.goal = puzzle, labels

    def of(self, state):
        return tuple(map(self.goal.__getitem__, state))

    def ahead(self, word):
        return [(move[1], move[AHEAD](word)) for move in self.puzzle.moves]

    def behind(self, word):
        return [(move[1], move[BACK](word)) for move in self.puzzle.moves]

    def one_block(self, block):
        """How many words a block has, and their iterator in the order of their ranks."""
        puzzle, turns = self.puzzle, block.step
        classes = puzzle.classes(block, self.goal)
        digits = {c: range(len(set(rotations(c)))) for c in classes}
        words = zip(classes, puzzle.split(block, self.goal))
        total = sum(rotations(c).index(word) for c, word in words)
        sums = [puzzle.turns_of(block, move[-1]) % turns for move in self.puzzle.moves]
        follows = not any(sums) and all(len(digits[c]) == turns for c in classes)
        size = math.factorial(len(block)) * math.prod(len(digits[c]) for c in classes)
        size //= math.prod(math.factorial(classes.count(c)) for c in set(classes))
        return size // turns if follows else size, (
            sum((rotations(c)[k] for c, k in zip(row, ks)), ())
            for row in arrangements(sorted(classes, key=classes.index))
            for ks in itertools.product(*(digits[c] for c in row))
            if not follows or (sum(ks) - total) % turns == 0
        )

    def ranked(self, size):
        """All words in the order of their ranks, if there are as many as this."""
        sizes, words = zip(*map(self.one_block, self.puzzle.blocks))
        if math.prod(sizes) == size:
            return [sum(row, ()) for row in itertools.product(*words)]


def arrangements(items):
    """All arrangements of items, each once, in lexicographic order of the places in this list."""
    if not items:
        yield ()
    for item in dict.fromkeys(items):
        n = items.index(item)
        yield from ((item, *row) for row in arrangements(items[:n] + items[n + 1 :]))


class Placements:
    """An abstraction of a board: the squares of some tiles and of the blank."""

    def __init__(self, puzzle, tiles):
        self.puzzle, self.tiles = puzzle, tiles
        self.goal = self.of(puzzle.goal)

    def of(self, state):
        return (*map(state.index, self.tiles), state.index(0))

    def ahead(self, squares, way=AHEAD):
        *tiles, blank = squares
        found = []
        for move in self.puzzle.moves:
            to = move[way][blank]
            if to is not None:
                cost = move[1] if to in tiles else 0
                found.append((cost, (*(blank if q == to else q for q in tiles), to)))
        return found

    def behind(self, squares):
        return self.ahead(squares, BACK)

    def ranked(self, size):
        points, count = self.puzzle.points, len(self.goal)
        if math.perm(points, count) == size:
            return list(itertools.permutations(range(points), count))


class Chain(Words):
    """The states of a group, by the cosets of a chain."""

    def __init__(self, puzzle, levels):
        self.levels = levels
        super().__init__(puzzle, tuple(range(puzzle.points)))

    def ranked(self, size):
        states = [self.goal] if math.prod(map(len, self.levels)) == size else []
        for cosets in self.levels:
            states = [tuple(s[p] for p in u) for s in states for u in cosets]
        return states


def distances(space):
    """The distance of each abstract state that leads to the goal."""
    found, far, queue = {}, {0: [space.goal]}, [0]
    while queue:
        d = queue[0]
        while far[d]:
            x = far[d].pop()
            if x not in found:
                found[x] = d
                for cost, y in space.behind(x):
                    if d + cost not in far:
                        far[d + cost] = []
                        heapq.heappush(queue, d + cost)
                    far[d + cost].append(y)
        heapq.heappop(queue)
    return found


def read_entries(space, data, place):
    """Bytes by rank, as entries of abstract states."""
    ranked = space.ranked(len(data))
    need(ranked, place, "expected one byte for each abstract state")
    found = {x: INFINITE if byte == 255 else byte for x, byte in zip(ranked, data)}
    need(found.get(space.goal) == 0, place, "expected 0 at the goal")
    return found


def read_table(space, data, place):
    found = read_entries(space, data, place)
    for x, entry in found.items():
        right = all(entry <= cost + found.get(y, INFINITE) for cost, y in space.ahead(x))
        need(right, place, f"an entry of {entry} is above a move's cost and the entry behind it")
    return found
