"""Counts, predictions and tables as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from by_hand import layers, slides

import fewest

GOAL = "0 1 2 3 4 5 6 7 8"


def test_counts_are_those_of_breadth_first_search(eight: fewest.Solver) -> None:
    sizes = [len(layer) for layer in layers(GOAL, lambda board: slides(board, 3))]
    counts = eight.count(31)
    assert counts.dtype == np.uint64
    assert counts.tolist() == sizes
    assert int(counts.sum()) == 181_440


def test_sequences_may_pass_64_bits(cube: fewest.Solver) -> None:
    counts = cube.count(20, "sequences")
    assert counts.dtype == object
    assert counts[:4].tolist() == [1, 18, 243, 3240]
    assert counts[20] > 1 << 64
    with pytest.raises(fewest.LimitReached, match="128 bits"):
        cube.count(100, "sequences")


def test_gods_algorithm_knows_the_farthest_states() -> None:
    solver = fewest.Solver("pyraminx")
    found = solver.gods_algorithm(antipodes=2)
    assert (found.states, found.diameter, int(found.counts[-1])) == (933_120, 11, 32)
    assert found.mean == pytest.approx(
        sum(d * int(n) for d, n in enumerate(found.counts)) / 933_120
    )
    assert [solver.solve(state).length for state in found.antipodes] == [11, 11]


def test_predictions_are_near_the_searched_nodes(eight: fewest.Solver) -> None:
    """The mean over random boards, of bounds that all of them search."""
    solver = fewest.Solver("8-puzzle", heuristic="manhattan", threads=1)
    predicted = solver.predict(31)
    assert predicted.bounds.tolist() == list(range(1, 32))
    assert predicted.generated.dtype == np.float64
    assert predicted.tables == ()
    states = solver.scrambles(300, seed=4)
    results = [solver.solve(state, near_optimal=False) for state in states]
    searched = sum(one.generated for result in results for one in result.iterations[:-1])
    of_bounds = sum(
        predicted.generated[one.bound - 1] for result in results for one in result.iterations[:-1]
    )
    assert 0.5 < searched / of_bounds < 2


@pytest.mark.parametrize(("puzzle", "heuristic"), [("8-puzzle", "pdb:4-4"), ("pyraminx", "best")])
def test_tables_are_mapped(puzzle: str, heuristic: str, tmp_path: Path) -> None:
    solver = fewest.Solver(puzzle, heuristic=heuristic, tables=tmp_path)
    tables = solver.pattern_databases()
    assert tables
    for table in tables:
        assert isinstance(table.payload, np.memmap)
        assert not table.payload.flags.writeable
        assert table.payload.nbytes == table.bytes
        written = table.path.read_bytes()[table.offset :][: table.bytes]
        assert table.payload.tobytes() == written
        table.verify()
    listed = fewest.list_tables(tmp_path)
    assert {table.path for table in tables} <= {table.path for table in listed}
    assert fewest.open_table(tables[0].path).description == tables[0].description


def test_distances_are_those_of_the_histogram() -> None:
    solver = fewest.Solver("pyraminx")
    (table,), (histogram,) = solver.pattern_databases(), solver.histograms()
    assert (table.name, table.encoding) == (histogram.table, "nibbles")
    distances = table.distances()
    assert distances.shape == (table.entries,)
    reached = distances[distances != fewest.UNREACHED]
    assert np.bincount(reached).tolist() == histogram.counts.tolist()
    for first, count in [(0, 1), (1, 1), (3, 7), (table.entries - 2, 9)]:
        part = table.distances(first, count)
        assert part.tolist() == distances[first : first + count].tolist()


def test_unpacked_entries_are_those_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.table"
    path.write_bytes(bytes(5) + bytes([0x21, 0xF3, 0x04]))

    def table(encoding: str, entries: int) -> fewest.PatternDatabase:
        return fewest.PatternDatabase(path, encoding, entries, 5, 3, {}, False)

    assert table("nibbles", 5).distances().tolist() == [1, 2, 3, fewest.UNREACHED, 4]
    assert table("nibbles", 5).distances(1, 3).tolist() == [2, 3, fewest.UNREACHED]
    assert table("octets", 3).distances().tolist() == [0x21, 0xF3, 4]
    assert table("octets", 3).distances().base is not None
    assert table("2-bit", 6).distances().tolist() == [1, 0, 2, 0, fewest.UNREACHED, 0]
    with pytest.raises(fewest.TableError, match="trits"):
        table("trits", 9).distances()


def distances_by_hand(goals: list[int], columns: int, rows: int) -> dict[tuple[int, ...], int]:
    """The least number of moves of some tiles, for each square of the blank and of these tiles."""
    start = (0, *goals)
    distances, layer = {start: 0}, [start]
    while layer:
        longer: list[tuple[int, ...]] = []
        while layer:
            state = layer.pop()
            for square in neighbours(state[0], columns, rows):
                moved = (square, *(state[0] if tile == square else tile for tile in state[1:]))
                cost = distances[state] + (square in state[1:])
                if cost < distances.get(moved, 1 << 30):
                    distances[moved] = cost
                    (layer if cost == distances[state] else longer).append(moved)
        layer = longer
    return distances


def neighbours(square: int, columns: int, rows: int) -> list[int]:
    row, column = divmod(square, columns)
    steps = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * columns + c for r, c in steps if 0 <= r < rows and 0 <= c < columns]


def regions(taken: list[int], columns: int, rows: int) -> list[list[int]]:
    """The sets of free squares that the blank can reach without moving a tile."""
    free, found = set(range(rows * columns)) - set(taken), []
    while free:
        region = [free.pop()]
        for square in region:
            for next in free.intersection(neighbours(square, columns, rows)):
                free.remove(next)
                region.append(next)
        found.append(region)
    return found


@pytest.mark.parametrize(
    ("puzzle", "heuristic", "columns"),
    [("8-puzzle", "pdb:4-4", 3), ("2x4-tiles", "tables:1.2.3-4.5.6.7", 4)],
)
def test_distances_of_tiles_are_those_of_a_slow_search(
    puzzle: str, heuristic: str, columns: int, tmp_path: Path
) -> None:
    solver = fewest.Solver(puzzle, heuristic=heuristic, tables=tmp_path)
    for table in solver.pattern_databases():
        pattern = table.description["pattern"]
        rows, goals = pattern["rows"], pattern["goals"]
        free = rows * columns - len(goals)
        by_hand = distances_by_hand(goals, columns, rows)
        squares, both, least = table.squares(), table.region_distances(), table.distances()
        assert squares.shape == (table.entries, len(goals))
        assert both.shape == (table.entries, 2)
        placements = {tuple(placement) for placement in squares.tolist()}
        assert {state[1:] for state in by_hand} <= placements
        for placement, told, one in zip(
            squares.tolist(), both.tolist(), least.tolist(), strict=True
        ):
            values = [
                (2 * len(region) > free, by_hand.get((region[0], *placement), fewest.UNREACHED))
                for region in regions(placement, columns, rows)
            ]
            value = min(value for _, value in values)
            if len(set(placement)) < len(goals) or value == fewest.UNREACHED:
                assert told == [fewest.UNREACHED] * 2
                continue
            assert one == value
            large = next((value for is_large, value in values if is_large), None)
            if large is None or len(values) == 1:
                assert told == [one, one]
                continue
            # A byte has room for small differences.
            other = min(value for is_large, value in values if not is_large)
            assert told == [min(large, other + 8), min(other, large + 6)]
        for first, count in [(0, 1), (5, 7), (table.entries - 2, 9)]:
            part = both[first : first + count].tolist()
            assert table.region_distances(first, count).tolist() == part
            assert table.distances(first, count).tolist() == least[first : first + count].tolist()
            assert table.squares(first, count).tolist() == squares[first : first + count].tolist()


def test_packed_tiles_are_those_of_the_bytes(tmp_path: Path) -> None:
    """Two tiles on 2 x 2 squares: an entry is 3 times one square plus the place of the other."""
    path = tmp_path / "x.table"
    path.write_bytes(bytes(3) + bytes([0xF0, 0xEF, 0xFF, 0xDF, 0xFF, 0x0F]))
    pattern = {"rows": 2, "columns": 2, "goals": [1, 2], "blank": 0}
    description = {"pattern": pattern}
    table = fewest.PatternDatabase(path, "excess-4", 12, 3, 6, description, False)
    assert table.squares()[:5].tolist() == [[0, 1], [0, 2], [0, 3], [1, 0], [1, 2]]
    from_home = [
        abs(one // 2) + abs(one % 2 - 1) + abs(other // 2 - 1) + abs(other % 2)
        for one, other in table.squares().tolist()
    ]
    excess = [None, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, None]
    expected = [
        fewest.UNREACHED if more is None else least + more
        for least, more in zip(from_home, excess, strict=True)
    ]
    assert table.distances().tolist() == expected
    assert table.distances(3, 5).tolist() == expected[3:8]
    with pytest.raises(fewest.TableError, match="no regions in excess-4"):
        table.region_distances()
    other = fewest.PatternDatabase(path, "octets", 6, 3, 6, {}, False)
    with pytest.raises(fewest.TableError, match="no squares in octets"):
        other.squares()


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    solver = fewest.Solver("8-puzzle", heuristic="pdb:4-4", tables=tmp_path)
    table = solver.pattern_databases()[0]
    moved = tmp_path / "renamed by hand.bin"
    table.path.rename(moved)
    opened = fewest.open_table(moved)
    assert (opened.path, opened.description) == (moved, table.description)
    assert moved not in {one.path for one in fewest.list_tables(tmp_path)}


def test_damaged_tables_are_refused(tmp_path: Path) -> None:
    def solver() -> fewest.Solver:
        return fewest.Solver("8-puzzle", heuristic="pdb:4-4", tables=tmp_path)

    table = solver().pattern_databases()[0]
    size = table.path.stat().st_size
    damaged = bytearray(table.path.read_bytes())
    damaged[size - 1] ^= 1
    table.path.write_bytes(damaged)
    with pytest.raises(fewest.TableError) as caught:
        table.verify()
    assert caught.value.path == table.path
    with pytest.raises(fewest.TableError):
        solver().solve("8 0 6 5 4 7 2 3 1")
    table.path.write_bytes(b"short")
    with pytest.raises(fewest.TableError):
        fewest.open_table(table.path)
    assert table.path not in {one.path for one in fewest.list_tables(tmp_path)}
    with pytest.raises(fewest.TableError, match="no such file"):
        fewest.open_table(tmp_path / "none.table")


def test_tables_need_a_folder() -> None:
    solver = fewest.Solver("8-puzzle", heuristic="pdb:4-4", tables=fewest.IN_MEMORY)
    with pytest.raises(fewest.InvalidInput, match="no folder"):
        solver.pattern_databases()
    assert solver.histograms()[0].counts.sum() > 0
