"""Table files as arrays."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _fewest, _tiles
from ._errors import TableError
from ._tiles import UNREACHED

_BITS = {"2-bit": 2, "nibbles": 4, "octets": 8}


@dataclass(frozen=True)
class PatternDatabase:
    """A table file: what its header says, and its entries, mapped from the file."""

    path: Path
    encoding: str
    """How entries are written: see docs/FILES.md."""
    entries: int
    """The number of entries."""
    offset: int
    """Where the entries begin in the file, in bytes."""
    bytes: int
    """Bytes of all entries."""
    description: dict[str, Any]
    """What the table is of."""
    verified: bool
    """Whether every byte was checked since the file last changed."""

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.path.stem

    @property
    def payload(self) -> NDArray[np.uint8]:
        """The bytes of the file that hold the entries. Mapped and read-only: nothing is copied."""
        return np.memmap(self.path, np.uint8, "r", self.offset, (self.bytes,))

    def distances(self, first: int = 0, count: int | None = None) -> NDArray[np.uint8]:
        """The distances of ``count`` entries from ``first`` on, or :data:`UNREACHED`.

        With the encoding ``octets``, a view of the mapped file. With the others, an array of its
        own, which takes one byte an entry. A table of sliding tiles gives the least distance over
        all places of the blank; an entry is :data:`UNREACHED` if no solvable board has it.

        :raises TableError: the encoding has no distances of single entries.
        """
        last = self._last(first, count)
        if self.encoding in _tiles.ENCODINGS:
            return self._tiles().distances(self.payload, first, last)
        bits = _BITS.get(self.encoding)
        if bits is None:
            expected = ", ".join([*_BITS, *_tiles.ENCODINGS])
            message = (
                f"{self.path}: the encoding {self.encoding} shares values between entries, so "
                f"single entries have no distances: expected a table with one of {expected}"
            )
            raise TableError(message, self.path)
        if bits == 8:
            return self.payload[first:last]
        each = 8 // bits
        begin = first // each
        packed = self.payload[begin : -(-last // each)]
        mask = np.uint8((1 << bits) - 1)
        values = np.empty(each * len(packed), np.uint8)
        for place in range(each):
            values[place::each] = packed >> np.uint8(bits * place) & mask
        values = values[first - begin * each : last - begin * each]
        values[values == mask] = UNREACHED
        return values

    def region_distances(self, first: int = 0, count: int | None = None) -> NDArray[np.uint8]:
        """The distances of ``count`` entries of a table of sliding tiles, by the blank's region.

        The array has a row for each entry and two columns: the blank in the large region, and the
        least distance elsewhere. A *region* is a set of squares without tiles of the pattern, which
        the blank can reach without moving these tiles. The *large region* has more than half of the
        squares without tiles of the pattern. Where there is none, both columns are the same.

        :raises TableError: the table is not one of sliding tiles with the blank's region.
        """
        if self.encoding not in _tiles.WITH_REGIONS:
            expected = ", ".join(_tiles.WITH_REGIONS)
            message = f"{self.path}: no regions in {self.encoding}: expected {expected}"
            raise TableError(message, self.path)
        return self._tiles().by_region(self.payload, first, self._last(first, count))

    def squares(self, first: int = 0, count: int | None = None) -> NDArray[np.uint8]:
        """The squares of the tiles for ``count`` entries of a table of sliding tiles.

        The array has a row for each entry, and a column for each tile of the pattern, in the order
        of ``description["pattern"]["goals"]``. Squares count from 0, row by row. Entries with equal
        squares in a row (only with the encoding ``halves-direct``) stand for no board.

        :raises TableError: the table is not one of sliding tiles.
        """
        if self.encoding not in _tiles.ENCODINGS:
            expected = ", ".join(_tiles.ENCODINGS)
            message = f"{self.path}: no squares in {self.encoding}: expected {expected}"
            raise TableError(message, self.path)
        return self._tiles().squares(first, self._last(first, count))

    def _last(self, first: int, count: int | None) -> int:
        return self.entries if count is None else min(self.entries, first + count)

    def _tiles(self) -> _tiles.TileEntries:
        pattern = self.description["pattern"]
        return _tiles.TileEntries(
            self.encoding, pattern["rows"], pattern["columns"], tuple(pattern["goals"])
        )

    def verify(self) -> None:
        """Checks every byte.

        :raises TableError: the file is damaged.
        """
        _fewest.verify_table(os.fspath(self.path))


def default_folder() -> Path:
    """The folder of the table files: that of ``$FEWEST_TABLES``, or one in your cache folder."""
    return _fewest.default_folder()


def list_tables(folder: str | os.PathLike[str] | None = None) -> list[PatternDatabase]:
    """The tables in a folder, by default in :func:`default_folder`. Damaged ones are left out."""
    tables, _ = _fewest.table_files(os.fspath(folder or default_folder()))
    return list(map(_table, tables))


def open_table(path: str | os.PathLike[str]) -> PatternDatabase:
    """The table of a file.

    :raises TableError: there is no such file, or its header is damaged.
    """
    return _table(_fewest.table_file(os.fspath(path)))


def _table(table: dict[str, Any]) -> PatternDatabase:
    return PatternDatabase(**{**table, "description": json.loads(table["description"])})
