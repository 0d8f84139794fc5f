"""Search in a domain of your own: :class:`Domain` and :func:`search`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar

from . import _fewest
from ._results import Iteration, Nodes, Outcome

S = TypeVar("S", bound=Hashable)

Algorithm = Literal[
    "ida_star", "ida_star_wide", "a_star", "weighted_a_star", "uniform_cost", "breadth_first"
]
"""How a domain is searched.

- ``a_star``: a cheapest plan; stores every state.
- ``ida_star``: a cheapest plan in the memory of one path. Steps cost 1 to 250, a plan at most 250.
- ``ida_star_wide``: the same for all costs of 0 or more. It remembers no states, and is slower.
- ``weighted_a_star``: a plan within the factor ``weight`` of the cheapest, usually much sooner.
- ``uniform_cost``: a cheapest plan, without the heuristic.
- ``breadth_first``: a plan of the fewest steps.
"""


class Domain(ABC, Generic[S]):
    """A state space. States are any values that can be hashed, such as tuples.

    >>> class Numbers(Domain[int]):
    ...     def successors(self, state):
    ...         return [(2 * state, 3), (state + 1, 1)]
    ...     def is_goal(self, state):
    ...         return state == 100
    >>> found = search(Numbers(), 1)
    >>> found.path
    [1, 2, 3, 6, 12, 24, 25, 50, 100]
    >>> found.cost
    18
    """

    @abstractmethod
    def successors(self, state: S) -> Iterable[tuple[S, int]]:
        """The states one step away, each with the cost of the step."""

    @abstractmethod
    def is_goal(self, state: S) -> bool:
        """Whether a state is a goal."""

    def heuristic(self, state: S) -> float:
        """A lower bound on the cost to a goal. ``math.inf``: no goal can be reached.

        A float loses its fraction. With a bound above the true cost, plans may not be optimal.
        """
        return 0


@dataclass(frozen=True, slots=True)
class Path(Generic[S]):
    """A plan as the states along it, from the start to a goal."""

    states: list[S]
    cost: int


class SearchProgress(NamedTuple):
    """What a running search of a domain has reached."""

    bound: int
    lower_bound: int
    """Proven so far: no plan costs less."""
    generated: int
    """Generated nodes so far."""
    seconds: float


@dataclass(frozen=True, slots=True)
class SearchResult(Nodes, Generic[S]):
    """What the search of a domain found."""

    outcome: Outcome
    paths: list[Path[S]]
    """The plans: one for every algorithm but ``ida_star`` and ``ida_star_wide``."""
    optimal: bool
    """Whether the plans are proven to cost the least."""
    complete: bool
    """Whether these are as many plans as were wanted, or all that exist."""
    lower_bound: int
    """Proven: no plan costs less."""
    iterations: list[Iteration]
    seconds: float

    @property
    def path(self) -> list[S] | None:
        """The states of the first plan."""
        return self.paths[0].states if self.paths else None

    @property
    def cost(self) -> int | None:
        """The cost of the first plan."""
        return self.paths[0].cost if self.paths else None


def search(
    domain: Domain[S],
    start: S,
    *,
    algorithm: Algorithm = "a_star",
    weight: float = 1.0,
    plans: int | None = 1,
    limit_time: float | None = None,
    limit_nodes: int | None = None,
    max_bound: int | None = None,
    on_progress: Callable[[SearchProgress], object] | None = None,
) -> SearchResult[S]:
    """Searches a domain from a state.

    The search calls the methods of the domain on this thread. Their first exception, or Ctrl-C,
    ends it. ``plans`` is the number of plans that ``ida_star`` and ``ida_star_wide`` look
    for; ``None`` means all.

    :raises DomainError: costs, estimates or successors are not what the algorithm can take.
    :raises TypeError: a state cannot be hashed, or successors are no pairs of a state and a cost.
    """
    found = _fewest.search(
        (domain.successors, domain.heuristic, domain.is_goal),
        start,
        {
            "algorithm": algorithm,
            "weight": weight,
            "limit_time": limit_time,
            "limit_nodes": limit_nodes,
            "max_bound": max_bound,
            "plans": plans,
        },
        None if on_progress is None else lambda *told: on_progress(SearchProgress(*told)),
    )
    found["paths"] = [Path(states, cost) for states, cost in found["paths"]]
    found["iterations"] = list(map(Iteration._make, found["iterations"]))
    return SearchResult(**found)
