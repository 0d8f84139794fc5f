"""Arguments and answers of calls, as the compiled half takes and gives them."""

from __future__ import annotations

import json
import math
import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from ._results import Iteration, NearOptimal, Plan, Progress, Result, Shortened, Stage


def text(puzzle: str | os.PathLike[str] | Mapping[str, object]) -> str:
    """The name, path or text of a puzzle."""
    return json.dumps(puzzle) if isinstance(puzzle, Mapping) else os.fspath(puzzle)


def words(plan: str | Iterable[str]) -> str:
    return plan if isinstance(plan, str) else " ".join(plan)


def wishes(**wishes: float | str | None) -> str:
    """What is wanted of a search, as JSON. What is ``None`` or infinite is not wanted."""

    def wish(value: float | str) -> float | str:
        # JSON has no such numbers. As texts they are refused with their names.
        return value if not isinstance(value, float) or math.isfinite(value) else str(value)

    given = ((name, value) for name, value in wishes.items() if value not in (None, math.inf))
    return json.dumps(
        {name: wish(value) for name, value in given},
        # Numbers of numpy, too.
        default=operator.index,
    )


def shortened(answer: str) -> Shortened:
    found = json.loads(answer)
    gains = {one["name"]: one["saved"] for one in found["passes"]}
    return Shortened(**{**found, "plan": Plan(found["plan"]), "passes": gains})


def result(state: str, answer: str) -> Result:
    found = {"near_optimal": None, "by": None, "stages": (), **json.loads(answer)}
    near = found["near_optimal"]
    found["plans"] = tuple(map(Plan, found["plans"]))
    found["costs"] = tuple(found["costs"])
    found["near_optimal"] = near if near is None else NearOptimal(**near)
    found["iterations"] = tuple(Iteration(**one) for one in found["iterations"])
    found["stages"] = tuple(Stage(**one) for one in found["stages"])
    return Result(state=state, **found)


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
