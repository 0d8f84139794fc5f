"""Solves a board of Korf's with successors and an estimate in pure Python.

    examples/fifteen.py [BOARD]

The 15-puzzle as a domain of its own: a state is a tuple of the tiles, row by row, with 0 for the
blank. The estimate is the Manhattan distance. Without BOARD, solves number 12 of the hundred boards
of Korf, "Depth-first iterative-deepening", 1985.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import fewest

Board = tuple[int, ...]

SIDE = 4
KORF_12 = "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15"


def _neighbours(square: int) -> list[int]:
    """The squares beside a square: above, left, right, below."""
    row, column = divmod(square, SIDE)
    beside = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [r * SIDE + c for r, c in beside if 0 <= r < SIDE and 0 <= c < SIDE]


class Fifteen(fewest.Domain[Board]):
    """The goal is 0 1 2 .. 15."""

    def __init__(self) -> None:
        squares = range(SIDE * SIDE)
        self.goal = tuple(squares)
        self.neighbours = [_neighbours(square) for square in squares]
        # distance[tile][square]; the blank does not count.
        self.distance = [
            [0 if tile == 0 else self._steps(tile, square) for square in squares]
            for tile in squares
        ]

    @staticmethod
    def _steps(tile: int, square: int) -> int:
        (row, column), (home_row, home_column) = divmod(square, SIDE), divmod(tile, SIDE)
        return abs(row - home_row) + abs(column - home_column)

    def successors(self, state: Board) -> Iterator[tuple[Board, int]]:
        blank = state.index(0)
        for square in self.neighbours[blank]:
            board = list(state)
            board[blank], board[square] = board[square], 0
            yield tuple(board), 1

    def is_goal(self, state: Board) -> bool:
        return state == self.goal

    def heuristic(self, state: Board) -> int:
        distance = self.distance
        return sum(distance[tile][square] for square, tile in enumerate(state))


def main() -> None:
    words = " ".join(sys.argv[1:]) or KORF_12
    start = tuple(map(int, words.split()))
    found = fewest.search(Fifteen(), start, algorithm="ida_star")
    print(f"{found.cost} moves, {found.generated:,} nodes, {found.seconds:.1f} s")


if __name__ == "__main__":
    main()
