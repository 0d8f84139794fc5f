"""Arguments and answers of calls, as the compiled half takes and gives them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, Protocol

from . import _fewest
from ._results import Iteration, NearOptimal, Plan, Progress, Result, Stage

Aim = Literal["optimal", "optimal-only", "near-optimal"]
"""What a search is for.

- ``optimal``: the fewest moves with their proof. If the proof may take long, a near-optimal plan
  comes first.
- ``optimal-only``: without that plan, so that nodes and times are those of the proof alone.
- ``near-optimal``: a short plan soon, without a proof.
"""


def text(puzzle: str | os.PathLike[str] | Mapping[str, object]) -> str:
    """The name, path or text of a puzzle."""
    return json.dumps(puzzle) if isinstance(puzzle, Mapping) else os.fspath(puzzle)


def words(plan: str | Iterable[str]) -> str:
    return plan if isinstance(plan, str) else " ".join(plan)


def options(
    timeout: float | None,
    search_timeout: float | None,
    max_nodes: int | None,
    max_cost: int | None,
    aim: Aim,
) -> _fewest._SolveOptions:
    return {
        "timeout": timeout,
        "search_timeout": search_timeout,
        "max_nodes": max_nodes,
        "max_cost": max_cost,
        "plans": 1,
        "slack": 0,
        "min_cost": 0,
        "aim": aim,
    }


def result(state: str, answer: dict[str, Any]) -> Result:
    near = answer["near"]
    answer["plans"] = tuple(map(Plan, answer["plans"]))
    answer["costs"] = tuple(answer["costs"])
    answer["near"] = near if near is None else NearOptimal(**near)
    answer["iterations"] = tuple(map(Iteration._make, answer["iterations"]))
    answer["stages"] = tuple(map(Stage._make, answer["stages"]))
    return Result(state=state, **answer)


def progress(
    on_progress: Callable[[Progress], object] | None,
) -> Callable[[dict[str, Any]], object] | None:
    if on_progress is None:
        return None

    def tell(snapshot: dict[str, Any]) -> None:
        plan = snapshot["plan"]
        snapshot["plan"] = plan if plan is None else Plan(plan)
        on_progress(Progress(**snapshot))

    return tell


class Bar(Protocol):
    """The part of ``tqdm`` that is needed here."""

    def update(self) -> object: ...


def bar(total: int, progress: bool | None) -> AbstractContextManager[Bar | None]:
    """A bar of tqdm, or nothing."""
    if progress or (progress is None and sys.stderr is not None and sys.stderr.isatty()):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            if progress:
                raise
        else:
            bar: AbstractContextManager[Bar] = tqdm(total=total, unit="state")
            return bar
    return nullcontext()
