"""Table files as arrays."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _fewest
from ._errors import TableError

UNREACHED = 255
"""The distance of an entry from which no goal can be reached."""

_BITS = {"2-bit": 2, "nibbles": 4, "octets": 8}


@dataclass(frozen=True)
class PatternDatabase:
    """A table file: what its header says, and its entries, mapped from the file."""

    path: Path
    encoding: str
    """How entries are written: see docs/FORMATS.md."""
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

        With the encoding ``octets``, a view of the mapped file. With ``nibbles`` and ``2-bit``, an
        array of its own, which takes one byte an entry.

        :raises TableError: the encoding has no distances of single entries.
        """
        bits = _BITS.get(self.encoding)
        if bits is None:
            expected = ", ".join(_BITS)
            message = f"{self.path}: no distances in {self.encoding}: expected {expected}"
            raise TableError(message, self.path)
        last = self.entries if count is None else min(self.entries, first + count)
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
    path = Path(path)
    tables, damaged = _fewest.table_files(os.fspath(path.parent))
    for table in tables:
        if table["path"] == path:
            return _table(table)
    for message, other in damaged:
        if other == path:
            raise TableError(message, path)
    raise TableError(f"table file {path}: there is no such file", path)


def _table(table: dict[str, Any]) -> PatternDatabase:
    return PatternDatabase(**{**table, "description": json.loads(table["description"])})
