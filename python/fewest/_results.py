"""What calls return: plain values that can be compared, copied and pickled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Outcome = Literal["solved", "unsolvable", "limit-reached", "cancelled"]
"""How a search ended."""

Counts = NDArray[np.uint64] | NDArray[np.object_]
"""Numbers of states or sequences. Python's own integers where one of them passes 64 bits."""


def counts_of(numbers: list[int]) -> Counts:
    """The numbers as an array: of 64 bits if all of them fit."""
    fit = max(numbers, default=0) < 1 << 64
    return np.array(numbers, np.uint64) if fit else np.array(numbers, np.object_)


class Plan(tuple[str, ...]):
    """The operators of a plan by their names, in order. As text they have blanks between them.

    >>> print(Plan(["R", "U'"]))
    R U'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " ".join(self)


class Iteration(NamedTuple):
    """One iteration of a search: everything below a bound."""

    bound: int
    """The highest cost of a plan that this iteration could find."""
    generated: int
    """Generated nodes."""
    expanded: int
    """Expanded nodes."""
    complete: bool
    """Whether everything below the bound was searched. Then the counts are the same in each run."""


class Stage(NamedTuple):
    """A part of a plan, from one subgoal to the next."""

    name: str
    length: int


@dataclass(frozen=True, slots=True)
class NearOptimal:
    """What the near-optimal search before the proof did."""

    length: int | None
    """The number of operators of its best plan."""
    generated: int
    expanded: int
    seconds: float


class Nodes:
    """Sums over the iterations of a search."""

    __slots__ = ()
    iterations: Sequence[Iteration]

    @property
    def generated(self) -> int:
        """Generated nodes of all iterations."""
        return sum(iteration.generated for iteration in self.iterations)

    @property
    def expanded(self) -> int:
        """Expanded nodes of all iterations."""
        return sum(iteration.expanded for iteration in self.iterations)


@dataclass(frozen=True, slots=True)
class Result(Nodes):
    """What the search for a state found."""

    state: str
    """The state as it was given."""
    outcome: Outcome
    plans: tuple[Plan, ...]
    """The plans. If the search ended early: the best one that is known, or none."""
    costs: tuple[int, ...]
    """What each plan costs."""
    by: str | None
    """What found the plans, if they are not proven: ``words``, ``cycles``, ``gaps``, ``pairs``,
    ``meet``, ``shorten``, ``shapes``, ``beam``, ``two-phase``, or the name of the solver."""
    optimal: bool
    """Whether the first plan is proven to cost the least."""
    complete: bool
    """Whether these are as many plans as were wanted, or all that exist."""
    lower_bound: int
    """Proven: no plan costs less."""
    upper_bound: int | None
    """The cost of the best plan that is known."""
    near_optimal: NearOptimal | None
    iterations: tuple[Iteration, ...]
    """The iterations of the optimal search."""
    stages: tuple[Stage, ...]
    """The parts of the plan, if the solver goes from subgoal to subgoal."""
    seconds: float
    """Time of the search, without tables."""
    cpu_seconds: float
    """Processor time of all threads of the process meanwhile."""
    table_seconds: float
    """Time of building and loading tables."""
    table_bytes: int
    solver: str
    heuristic: str
    pruning: str

    @property
    def plan(self) -> Plan | None:
        """The best plan."""
        return self.plans[0] if self.plans else None

    @property
    def length(self) -> int | None:
        """The number of operators of the best plan."""
        return len(self.plans[0]) if self.plans else None

    @property
    def bounds(self) -> tuple[int, int | None]:
        """The proven lower bound, and the cost of the best plan that is known."""
        return self.lower_bound, self.upper_bound


@dataclass(frozen=True, slots=True)
class Progress:
    """What a running call has reached."""

    stage: Literal["", "preparing", "building", "searching", "done"]
    what: str
    """What is prepared, or the name of the table that is built."""
    fraction: float | None
    """The share of the table, or of the iteration, that is done: from 0 to 1, if it is known."""
    bound: int
    """The bound of the running iteration."""
    lower_bound: int
    """Proven so far: no plan costs less."""
    upper_bound: int | None
    """The cost of the best plan so far."""
    generated: int
    """Generated nodes so far."""
    plan: Plan | None
    """The best plan so far."""
    notes: list[str]
    """Remarks, such as that a table could not be saved."""
    seconds: float
    """Seconds since the call began."""


@dataclass(frozen=True, slots=True)
class Shortened:
    """A plan that was made cheaper."""

    plan: Plan
    length: int
    cost: int
    length_before: int
    cost_before: int
    passes: dict[str, int]
    """By how much each pass made the plan cheaper: ``together`` if several plans were given,
    ``commuting``, ``nearby`` and ``solve``."""
    complete: bool
    """Whether every pass was tried on this plan without a gain."""


@dataclass(frozen=True, slots=True)
class StateInfo:
    """A state that was read."""

    state: str
    """The state in a form that reads back as the same state."""
    facts: dict[str, str]
    """Facts about it to show to people."""
    solvable: bool | None
    """``None`` if that is not known before a search."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The replay of a plan, on an implementation that shares no code with the search."""

    solves: bool
    """Whether the plan solves the state."""
    plan_length: int
    plan_cost: int
    error: str | None
    """Why the plan does not solve the state, with the rule that it breaks."""


@dataclass(frozen=True, slots=True, eq=False)
class TableHistogram:
    """How often each value occurs in a table."""

    table: str
    entries: int
    bytes: int
    mean: float
    max: int
    counts: NDArray[np.uint64]
    """The number of entries with value 0, 1, and so on."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePrediction:
    """A prediction for searches with one table. Index 0 belongs to bound 1."""

    table: str
    bytes: int
    build_seconds: float
    generated: NDArray[np.float64]
    seconds: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The predicted nodes of complete iterations."""

    bounds: NDArray[np.int64]
    """The bounds 1, 2, and so on."""
    generated: NDArray[np.float64]
    """The generated nodes for each of these bounds."""
    tables: tuple[TablePrediction, ...]
    """A prediction for each table that the heuristic can choose."""


@dataclass(frozen=True, slots=True, eq=False)
class GodsAlgorithm:
    """All states of a puzzle by their distance."""

    counts: Counts
    """The number of states at distance 0, 1, and so on."""
    antipodes: tuple[str, ...]
    """Some of the farthest states."""

    @property
    def states(self) -> int:
        """The number of all states."""
        return sum(map(int, self.counts))

    @property
    def diameter(self) -> int:
        """The greatest distance."""
        return len(self.counts) - 1

    @property
    def mean(self) -> float:
        """The mean distance."""
        return sum(depth * int(count) for depth, count in enumerate(self.counts)) / self.states
