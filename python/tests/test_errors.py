"""Exceptions and the places in them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import fewest

SOLVED = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"


def refusal(solver: fewest.Solver, state: str) -> fewest.InvalidInput:
    with pytest.raises(fewest.InvalidInput) as read:
        solver.read(state)
    with pytest.raises(fewest.InvalidInput) as solved:
        solver.solve(state)
    assert str(read.value) == str(solved.value)
    return read.value


def test_moves_have_a_column(cube: fewest.Solver) -> None:
    assert refusal(cube, "R U X2").column == 5
    assert refusal(cube, "R U X2").facelets == ()


def test_stickers_have_their_numbers(cube: fewest.Solver) -> None:
    assert refusal(cube, SOLVED.replace("URR", "UXR", 1)).facelets == (10,)
    # The stickers of the corner URF in turn: it is twisted, and no piece has wrong colours.
    swapped = list(SOLVED)
    swapped[8], swapped[9] = swapped[9], swapped[8]
    assert refusal(cube, "".join(swapped)).facelets == (9, 10, 21)
    assert refusal(cube, SOLVED.replace("R", "U", 1)).colour == "U"


def test_boards_have_a_square(eight: fewest.Solver) -> None:
    assert refusal(eight, "0 1 2 3 9 5 6 7 8").squares[0] == 5
    assert refusal(eight, "0 1 2 3 4 x 6 7 8").squares[0] == 6
    assert refusal(eight, "0 1 2 3 4 5 6 8 7").squares == ()


def test_plans_have_a_move_or_a_column(cube: fewest.Solver, eight: fewest.Solver) -> None:
    with pytest.raises(fewest.InvalidInput) as caught:
        eight.check("1 0 2 3 4 5 6 7 8", "left sideways")
    assert caught.value.move == 2
    with pytest.raises(fewest.InvalidInput) as caught:
        cube.check("R", "R' Q")
    assert caught.value.column == 4


def test_definitions_and_goals_have_a_place(tmp_path: Path) -> None:
    with pytest.raises(fewest.InvalidInput) as caught:
        fewest.Solver("Name broken\nSet CORNERS 8 three\n")
    assert (caught.value.line, caught.value.column) == (2, 15)
    path = tmp_path / "line 9, column 4.tws"
    path.write_text("Name broken\nSet CORNERS 8 three\n")
    with pytest.raises(fewest.InvalidInput) as caught:
        fewest.Solver(path)
    assert (caught.value.line, caught.value.column) == (2, 15)
    with pytest.raises(fewest.InvalidInput) as caught:
        fewest.Solver("8-puzzle", goal="0 1 2 3 4 x 6 7 8")
    assert caught.value.squares[0] == 6


def test_states_of_a_list_have_an_index(eight: fewest.Solver) -> None:
    with pytest.raises(fewest.InvalidInput) as caught:
        eight.solve_many(["1 0 2 3 4 5 6 7 8", "1 0 2 3 4 5 6 7 7"], progress=False)
    assert (caught.value.index, caught.value.squares[0]) == (1, 9)


# The words of a message that are names, not places.
TRAP = {
    "name": "line 3",
    "orbits": [{"orbitName": "PIECES", "numPieces": 3, "numOrientations": 1}],
    "defaultPattern": {"PIECES": {"pieces": [0, 1, 2], "orientation": [0, 0, 0]}},
    "moves": {
        "move7": {"PIECES": {"permutation": [1, 0, 2], "orientationDelta": [0, 0, 0]}},
        "B": {"PIECES": {"permutation": [0, 2, 1], "orientationDelta": [0, 0, 0]}},
    },
}


def test_names_are_no_places() -> None:
    solver = fewest.Solver(TRAP, moves="B")
    with pytest.raises(fewest.InvalidInput, match="move7") as caught:
        solver.check("B", "B move7")
    assert (caught.value.move, caught.value.line, caught.value.column) == (None, None, None)
    with pytest.raises(fewest.InvalidInput) as caught:
        solver.read("B move 7")
    assert (caught.value.move, caught.value.line, caught.value.column) == (None, 1, 3)
    error = fewest.InvalidInput("move 7 is no operator")
    assert error.move is None


@pytest.mark.parametrize(
    "settings",
    [
        {"puzzle": "9x9x9x9"},
        {"memory": "lots"},
        {"heuristic": "magic"},
        {"pruning": "fsm:99"},
        {"metric": "ftm"},
        {"load": "slowly"},
        {"solver": "nobody"},
        {"goal": "X"},
        {"moves": "X"},
    ],
)
def test_settings_are_refused(settings: dict[str, str]) -> None:
    arguments = {"puzzle": "3x3x3", **settings}
    with pytest.raises(fewest.InvalidInput):
        fewest.Solver(**arguments)  # type: ignore[arg-type]


def test_options_are_refused(cube: fewest.Solver) -> None:
    with pytest.raises(fewest.InvalidInput, match="deadline: -1"):
        cube.solve("R", deadline=-1)
    with pytest.raises(fewest.InvalidInput, match='limit_time: "nan"'):
        cube.solve("R", limit_time=float("nan"))
    with pytest.raises(fewest.InvalidInput, match="near_optimal"):
        cube.solve("R", near_optimal="best")  # type: ignore[arg-type]
    with pytest.raises(fewest.InvalidInput, match="plans: 0"):
        list(cube.plans("R", count=0))
    with pytest.raises(fewest.InvalidInput):
        cube.solve("R", near_optimal=True)  # The cube of these tests has no such search.
    with pytest.raises(fewest.InvalidInput):
        cube.count(2, "plans")  # type: ignore[arg-type]
    with pytest.raises(fewest.InvalidInput, match="too many states"):
        cube.gods_algorithm()
    with pytest.raises(fewest.InvalidInput, match="max_bound: 1000"):
        cube.solve("R", max_bound=1000)
    with pytest.raises(fewest.InvalidInput, match="slack: -1"):
        list(cube.plans("R", slack=-1))
    with pytest.raises(fewest.InvalidInput, match="bound: 256"):
        cube.predict(256)
    with pytest.raises(fewest.InvalidInput, match="deadline"):
        cube.solve("R", deadline="soon")  # type: ignore[arg-type]
    assert cube.solve("R", deadline=float("inf")).length == 1


def test_memory_has_its_bytes() -> None:
    with pytest.raises(fewest.MemoryLimit, match="memory allows") as caught:
        fewest.Solver("3x3x3", heuristic="korf97", memory="1MiB").solve("R")
    assert caught.value.limit == 1 << 20 < caught.value.bytes
    assert isinstance(caught.value, MemoryError)


def test_exceptions_survive_a_pickle() -> None:
    errors: list[fewest.FewestError] = [
        fewest.InvalidInput("no", 1, 2, (3, 4), (5,), "U", 6),
        fewest.DomainError("no", 3, 4),
        fewest.MemoryLimit("no", "x", 2, 1),
        fewest.TableError("no"),
    ]
    for error in errors:
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))
