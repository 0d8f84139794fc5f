"""Slow puzzles that share no code with the package: a board of tiles, and breadth-first search."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

S = TypeVar("S", bound=Hashable)

STEPS = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}


def slide(board: str, plan: Iterable[str], columns: int) -> str:
    """The board after the moves of the blank."""
    tiles = board.split()
    for word in plan:
        row, column = divmod(tiles.index("0"), columns)
        down, right = STEPS[word]
        to_row, to_column = row + down, column + right
        assert 0 <= to_column < columns
        assert 0 <= to_row < len(tiles) // columns
        blank, square = row * columns + column, to_row * columns + to_column
        tiles[blank], tiles[square] = tiles[square], tiles[blank]
    return " ".join(tiles)


def layers(start: S, neighbours: Callable[[S], Iterable[S]]) -> list[set[S]]:
    """All states by their distance from the start."""
    found, seen = [{start}], {start}
    while found[-1]:
        layer = {state for at in found[-1] for state in neighbours(at)} - seen
        seen |= layer
        found.append(layer)
    return found[:-1]


def slides(board: str, columns: int) -> list[str]:
    """The boards one move away."""
    blank = board.split().index("0")
    rows = len(board.split()) // columns
    row, column = divmod(blank, columns)
    inside = {
        word
        for word, (down, right) in STEPS.items()
        if 0 <= row + down < rows and 0 <= column + right < columns
    }
    return [slide(board, [word], columns) for word in inside]
