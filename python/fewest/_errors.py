"""The exceptions of this package."""

from __future__ import annotations

import re
from pathlib import Path

# Places come before what was found and what was expected.
_PLACE = re.compile(r"\b(line|column|facelet|square|move)s? (\d+(?:, \d+)*)")


class FewestError(Exception):
    """The base of all exceptions of this package."""


class InvalidInput(FewestError, ValueError):
    """A state, a plan, a definition or an option is refused. Nothing was searched.

    The message says what is wrong, where, and what was expected. The attributes have the place:
    each number counts from 1, and is ``None`` if the message does not have it.

    >>> import fewest
    >>> cube = fewest.Solver("3x3x3")
    >>> try:
    ...     cube.read("R U X2")
    ... except fewest.InvalidInput as error:
    ...     print(error.column)
    5
    """

    line: int | None
    """The line of a text."""
    column: int | None
    """The character of a line."""
    facelets: tuple[int, ...]
    """The stickers of the piece that is wrong, in the order of the text."""
    square: int | None
    """The square of a board."""
    move: int | None
    """The word of a plan."""
    index: int | None
    """Which of several states it is, from 0."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        places: dict[str, tuple[int, ...]] = {}
        for kind, numbers in _PLACE.findall(re.split(r"\b(?:found|expected)\b", message)[0]):
            places.setdefault(kind, tuple(map(int, numbers.split(", "))))
        self.line = _first(places.get("line"))
        self.column = _first(places.get("column"))
        self.facelets = places.get("facelet", ())
        self.square = _first(places.get("square"))
        self.move = _first(places.get("move"))
        self.index = None


class DomainError(FewestError, ValueError):
    """A domain gave costs, estimates or successors that the search cannot take."""

    depth: int | None
    """The number of steps from the start to the state."""
    position: int | None
    """The place of the state among the successors, from 0."""

    def __init__(self, message: str, depth: int | None = None, position: int | None = None) -> None:
        super().__init__(message)
        self.depth = depth
        self.position = position


class MemoryLimit(FewestError, MemoryError):
    """The tables need more bytes than ``memory`` allows."""

    what: str
    """What needs the tables, such as a heuristic."""
    bytes: int
    """Bytes of the tables."""
    limit: int
    """Bytes that are allowed."""

    def __init__(self, message: str, what: str = "", bytes: int = 0, limit: int = 0) -> None:
        super().__init__(message)
        self.what = what
        self.bytes = bytes
        self.limit = limit


class LimitReached(FewestError):
    """A limit ended the work, and there is no result."""


class Cancelled(FewestError):
    """The event ``cancel`` was set, and there is no result."""


class TableError(FewestError):
    """A table file is damaged or cannot be read, or a table could not be built."""

    path: Path | None
    """The file, if there is one."""

    def __init__(self, message: str, path: Path | None = None) -> None:
        super().__init__(message)
        self.path = path


class Defect(FewestError):
    """A plan failed its replay, or the program broke down. This is a defect of this package."""


def _first(numbers: tuple[int, ...] | None) -> int | None:
    return numbers[0] if numbers else None
