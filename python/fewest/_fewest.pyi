from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypedDict, final

__all__ = [
    "Plans",
    "Solver",
    "default_folder",
    "puzzles",
    "search",
    "table_file",
    "table_files",
    "verify_table",
]

_Function = Callable[..., object]

# Settings, wishes and results are JSON, with the names of the command line.

class _DomainOptions(TypedDict):
    algorithm: str
    weight: float
    limit_time: float | None
    limit_nodes: int | None
    max_bound: int | None
    plans: int | None

@final
class Solver:
    def __new__(
        cls, puzzle: str, options: str, memory: str, tables: str | None, threads: int
    ) -> Solver: ...
    @property
    def name(self) -> str: ...
    @property
    def metric(self) -> str | None: ...
    @property
    def has_near_optimal(self) -> bool: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def tables(self) -> Path | None: ...
    def read(self, state: str) -> str: ...
    def check(self, state: str, plan: str) -> str: ...
    def shorten(
        self,
        plans: list[str],
        state: str | None,
        wishes: str,
        cancel: object | None,
    ) -> str: ...
    def invert(self, moves: str) -> list[str]: ...
    def scrambles(self, count: int, seed: int) -> list[str]: ...
    def solve(
        self,
        state: str,
        wishes: str,
        cancel: object | None,
        on_progress: _Function | None,
    ) -> str: ...
    def plans(self, state: str, wishes: str) -> Plans: ...
    def solve_many(
        self,
        states: list[str],
        wishes: str,
        cancel: object | None,
        on_answer: _Function,
    ) -> None: ...
    def predict(self, bound: int, on_progress: _Function | None) -> str: ...
    def count_states(self, depth: int, on_progress: _Function | None) -> list[int]: ...
    def count_sequences(self, depth: int) -> list[int]: ...
    def count_all(
        self, antipodes: int, on_progress: _Function | None
    ) -> tuple[list[int], list[str]]: ...
    def build_tables(self, on_progress: _Function | None) -> list[tuple[str, int]]: ...
    def histograms(self, on_progress: _Function | None) -> str: ...

@final
class Plans:
    def next(self, event: object | None) -> list[str] | str: ...
    def close(self) -> None: ...

def puzzles() -> list[tuple[str, list[str], str]]: ...
def default_folder() -> Path: ...
def table_files(folder: str) -> tuple[list[dict[str, Any]], list[tuple[str, Path]]]: ...
def table_file(path: str) -> dict[str, Any]: ...
def verify_table(path: str) -> None: ...
def search(
    methods: tuple[
        Callable[[Any], Iterable[tuple[Any, int]]], Callable[[Any], float], Callable[[Any], bool]
    ],
    start: object,
    options: _DomainOptions,
    on_progress: Callable[[int, int, int, float], object] | None,
) -> dict[str, Any]: ...
