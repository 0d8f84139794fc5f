"""What the tests share. Their tables are in the folder of FEWEST_TABLES, which check sets."""

from __future__ import annotations

import pytest

import fewest


@pytest.fixture(scope="session")
def cube() -> fewest.Solver:
    return fewest.Solver("3x3x3", heuristic="manhattan")


@pytest.fixture(scope="session")
def eight() -> fewest.Solver:
    return fewest.Solver("8-puzzle")
