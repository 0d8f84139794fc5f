"""The entries of pattern databases of sliding tiles, as docs/FILES.md describes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UNREACHED = 255
"""The distance of an entry from which no goal can be reached."""

WITH_REGIONS = ("halves", "halves-direct")
"""Encodings that have a distance for each region of the blank."""
ENCODINGS = (*WITH_REGIONS, "excess-4")
"""Encodings of tables of sliding tiles."""

# Entries that are decoded at a time: their squares take some bytes each.
_PART = 1 << 18


@dataclass(frozen=True)
class TileEntries:
    """How the entries of one table are numbered and encoded."""

    encoding: str
    rows: int
    columns: int
    goals: tuple[int, ...]
    """The goal squares of the pattern's tiles, ascending."""

    def squares(self, first: int, last: int) -> NDArray[np.uint8]:
        """The squares of the tiles for each entry: a row an entry, a column a tile."""
        tiles, board = len(self.goals), self.rows * self.columns
        squares = np.empty((max(0, last - first), tiles), np.uint8)
        for begin, end in _parts(first, last):
            entries = np.arange(begin, end, dtype=np.uint64)
            part = squares[begin - first : end - first]
            if self.encoding == "halves-direct":
                for tile in range(tiles):
                    part[:, tile] = entries // np.uint64(board**tile) % np.uint64(board)
                continue
            # The first digit is the highest. A digit does not count the squares of earlier tiles.
            for tile in reversed(range(tiles)):
                ways = np.uint64(board - tile)
                part[:, tile] = entries % ways
                entries //= ways
            for tile in range(1, tiles):
                for taken in np.sort(part[:, :tile], axis=1).T:
                    part[:, tile] += part[:, tile] >= taken
        return squares

    def distances(self, payload: NDArray[np.uint8], first: int, last: int) -> NDArray[np.uint8]:
        """The least distances over all places of the blank."""
        distances = np.empty(max(0, last - first), np.uint8)
        for begin, end in _parts(first, last):
            part = distances[begin - first : end - first]
            if self.encoding == "excess-4":
                packed = payload[begin // 2 : -(-end // 2)]
                codes = np.stack([packed & 15, packed >> 4], axis=1).ravel()
                codes = codes[begin % 2 :][: end - begin]
                part[:] = self._from_home(begin, end) + 2 * (15 - codes)
                part[codes == 0] = UNREACHED
            else:
                part[:] = self.by_region(payload, begin, end).min(axis=1)
        return distances

    def by_region(self, payload: NDArray[np.uint8], first: int, last: int) -> NDArray[np.uint8]:
        """The distances with the blank in the large region, and elsewhere."""
        distances = np.empty((max(0, last - first), 2), np.uint8)
        for begin, end in _parts(first, last):
            part, codes = distances[begin - first : end - first], payload[begin:end]
            large = codes & 31
            part[:, 0] = large
            part[:, 1] = np.maximum(large + (codes >> 5), 4) - 4
            part *= 2
            part += (self._from_home(begin, end) & 1)[:, None]
            part[codes == 0] = UNREACHED
        return distances

    def _from_home(self, first: int, last: int) -> NDArray[np.uint8]:
        """The sum of the distances of the tiles from home, for each entry."""
        rows, columns = np.divmod(np.arange(self.rows * self.columns), self.columns)
        sums = np.zeros(last - first, np.uint8)
        for goal, squares in zip(self.goals, self.squares(first, last).T, strict=True):
            row, column = divmod(goal, self.columns)
            distance = np.abs(rows - row) + np.abs(columns - column)
            sums += distance.astype(np.uint8)[squares]
        return sums


def _parts(first: int, last: int) -> Iterator[tuple[int, int]]:
    for begin in range(first, last, _PART):
        yield begin, min(last, begin + _PART)
