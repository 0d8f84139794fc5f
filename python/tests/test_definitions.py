"""Definitions from files, texts and dicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from by_hand import layers

import fewest

TWS = """Name three
Set PIECES 3 1

Solved
PIECES
1 2 3
End

Move A
PIECES
2 1 3
End

Move B
PIECES
1 3 2
End
"""


def kpuzzle(*names: str) -> dict[str, Any]:
    """Pieces in a row, and moves that swap neighbours."""
    pieces = list(range(len(names) + 1))

    def swapped(at: int) -> dict[str, Any]:
        order = [*pieces[:at], at + 1, at, *pieces[at + 2 :]]
        return {"PIECES": {"permutation": order, "orientationDelta": [0] * len(pieces)}}

    orbit = {"orbitName": "PIECES", "numPieces": len(pieces), "numOrientations": 1}
    pattern = {"PIECES": {"pieces": pieces, "orientation": [0] * len(pieces)}}
    moves = {name: swapped(at) for at, name in enumerate(names)}
    return {"name": "row", "orbits": [orbit], "defaultPattern": pattern, "moves": moves}


def sizes_by_hand(pieces: int) -> list[int]:
    """Permutations by the number of swaps of neighbours."""

    def swaps(order: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [
            (*order[:at], order[at + 1], order[at], *order[at + 2 :]) for at in range(pieces - 1)
        ]

    return [len(layer) for layer in layers(tuple(range(pieces)), swaps)]


@pytest.mark.parametrize("names", ["AB", "ABC", "ABCD", "ABCDE"])
def test_a_dict_is_a_puzzle(names: str) -> None:
    solver = fewest.Solver(kpuzzle(*names))
    assert solver.name == "row"
    found = solver.gods_algorithm(antipodes=1)
    assert list(found.counts) == sizes_by_hand(len(names) + 1)
    assert solver.solve(found.antipodes[0]).length == found.diameter


def test_all_forms_mean_the_same(tmp_path: Path) -> None:
    text = json.dumps(kpuzzle("A", "B"))
    (tmp_path / "row.json").write_text(text)
    (tmp_path / "three.tws").write_text(TWS)
    forms: list[str | Path | dict[str, Any]] = [
        kpuzzle("A", "B"),
        text,
        tmp_path / "row.json",
        TWS,
        str(tmp_path / "three.tws"),
    ]
    for form in forms:
        solver = fewest.Solver(form)
        assert list(solver.gods_algorithm().counts) == [1, 2, 2, 1], form
        assert solver.solve("A B A").length == 3


def test_a_goal_can_be_a_dict() -> None:
    goal = {"PIECES": {"pieces": [1, 0, 2], "orientation": [0, 0, 0]}}
    assert fewest.Solver(kpuzzle("A", "B"), goal=goal).solve("B").length == 2


def test_keys_that_are_ignored_are_noted() -> None:
    assert "colour" in fewest.Solver({**kpuzzle("A", "B"), "colour": 1}).notes[0]


def test_errors_have_their_place(tmp_path: Path) -> None:
    with pytest.raises(fewest.InvalidInput) as caught:
        fewest.Solver(TWS.replace("2 1 3", "2 2 3"))
    assert (caught.value.line, caught.value.column) == (11, 3)
    path = tmp_path / "three.tws"
    path.write_text(TWS.replace("Move B", "Mvoe B"))
    with pytest.raises(fewest.InvalidInput, match=r"three\.tws") as caught:
        fewest.Solver(path)
    assert caught.value.line == 14
    with pytest.raises(fewest.InvalidInput) as caught:
        fewest.Solver('{"name": "x", }')
    assert caught.value.line == 1
    with pytest.raises(fewest.InvalidInput):
        fewest.Solver(tmp_path / "none.tws")
