"""The exceptions of this package."""

from __future__ import annotations

from pathlib import Path


class FewestError(Exception):
    """The base of all exceptions of this package."""


class InvalidInput(FewestError, ValueError):
    """A state, a plan, a definition or an option is refused. Nothing was searched.

    The message says what is wrong, where, and what was expected. The attributes have the place:
    each number counts from 1. What is not known, or does not apply, is ``None`` or empty.

    >>> import fewest
    >>> cube = fewest.Solver("3x3x3")
    >>> try:
    ...     cube.read("R U X2")
    ... except fewest.InvalidInput as error:
    ...     print(error.column)
    5
    """

    line: int | None
    """The line of a text, such as a definition."""
    column: int | None
    """The character of that line."""
    facelets: tuple[int, ...]
    """The stickers of the piece that is wrong, in the order of the faces U R F D L B."""
    squares: tuple[int, ...]
    """The squares of a board: the wrong one first."""
    colour: str | None
    """A colour that occurs too often or not often enough."""
    move: int | None
    """The word of a plan."""
    plan: int | None
    """Which of several plans it is."""
    index: int | None
    """Which of several states it is, from 0."""

    def __init__(
        self,
        message: str,
        line: int | None = None,
        column: int | None = None,
        facelets: tuple[int, ...] = (),
        squares: tuple[int, ...] = (),
        colour: str | None = None,
        move: int | None = None,
        plan: int | None = None,
    ) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.facelets = facelets
        self.squares = squares
        self.colour = colour
        self.move = move
        self.plan = plan
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
