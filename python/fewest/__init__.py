"""Fewest moves, found and proven.

:class:`Solver` solves puzzles: cubes, sliding tiles, and any puzzle from a definition.
:func:`search` searches a domain of your own, which is a Python class.

>>> import fewest
>>> result = fewest.Solver("3x3x3").solve("R U F' L2")
>>> print(result.plan, result.bounds)
L2 F U' R' (4, 4)
"""

from ._domain import Algorithm, Domain, Path, SearchProgress, SearchResult, search
from ._errors import (
    Cancelled,
    Defect,
    DomainError,
    FewestError,
    InvalidInput,
    LimitReached,
    MemoryLimit,
    TableError,
)
from ._results import (
    Counts,
    GodsAlgorithm,
    Iteration,
    NearOptimal,
    Outcome,
    Plan,
    Prediction,
    Progress,
    Replay,
    Result,
    Shortened,
    Stage,
    StateInfo,
    TableHistogram,
    TablePrediction,
)
from ._solver import IN_MEMORY, Event, Puzzle, Solver, puzzles
from ._tables import PatternDatabase, default_folder, list_tables, open_table
from ._tiles import UNREACHED

__all__ = [
    "IN_MEMORY",
    "UNREACHED",
    "Algorithm",
    "Cancelled",
    "Counts",
    "Defect",
    "Domain",
    "DomainError",
    "Event",
    "FewestError",
    "GodsAlgorithm",
    "InvalidInput",
    "Iteration",
    "LimitReached",
    "MemoryLimit",
    "NearOptimal",
    "Outcome",
    "Path",
    "PatternDatabase",
    "Plan",
    "Prediction",
    "Progress",
    "Puzzle",
    "Replay",
    "Result",
    "SearchProgress",
    "SearchResult",
    "Shortened",
    "Solver",
    "Stage",
    "StateInfo",
    "TableError",
    "TableHistogram",
    "TablePrediction",
    "default_folder",
    "list_tables",
    "open_table",
    "puzzles",
    "search",
]
