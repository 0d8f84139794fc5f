"""Domains that are Python classes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from pathlib import Path

import pytest
from by_hand import layers

import fewest

EXAMPLES = Path(__file__).parent.parent / "examples"

Stack = tuple[int, ...]

ALGORITHMS: list[fewest.Algorithm] = [
    "ida_star",
    "ida_star_wide",
    "a_star",
    "uniform_cost",
    "breadth_first",
]


class Pancakes(fewest.Domain[Stack]):
    """Flips of a stack. The estimate counts neighbours that are apart."""

    def successors(self, state: Stack) -> Iterable[tuple[Stack, int]]:
        for size in range(2, len(state) + 1):
            yield state[:size][::-1] + state[size:], 1

    def is_goal(self, state: Stack) -> bool:
        return state == tuple(sorted(state))

    def heuristic(self, state: Stack) -> int:
        return sum(abs(a - b) > 1 for a, b in itertools.pairwise((*state, len(state))))


def test_every_search_finds_the_shortest_plan() -> None:
    """All stacks of five, against breadth-first search by hand."""
    domain, goal = Pancakes(), tuple(range(5))
    distances = layers(goal, lambda stack: [state for state, _ in domain.successors(stack)])
    for distance, layer in enumerate(distances):
        for stack in layer:
            for algorithm in ALGORITHMS:
                found = fewest.search(domain, stack, algorithm=algorithm)
                assert (found.outcome, found.cost) == ("solved", distance), (algorithm, stack)
                assert found.path is not None
                assert (found.path[0], found.path[-1]) == (stack, goal)
                steps = itertools.pairwise(found.path)
                assert all(to in dict(domain.successors(at)) for at, to in steps)
                assert (found.lower_bound, found.optimal) == (distance, True)


def test_weighted_search_says_what_is_proven() -> None:
    stack = (7, 2, 5, 0, 3, 6, 1, 4)
    best = fewest.search(Pancakes(), stack)
    quick = fewest.search(Pancakes(), stack, algorithm="weighted_a_star", weight=3)
    assert quick.cost is not None
    assert best.cost is not None
    assert quick.lower_bound <= best.cost <= quick.cost <= 3 * best.cost


def test_all_plans_of_a_stack() -> None:
    domain, stack = Pancakes(), (2, 0, 3, 1)
    found = fewest.search(domain, stack, algorithm="ida_star", plans=None)
    paths = {tuple(path.states) for path in found.paths}
    assert found.complete
    assert len(paths) == len(found.paths) > 1


class Line(fewest.Domain[int]):
    """From 0 upwards, without a goal, unless a method says otherwise."""

    def successors(self, state: int) -> Iterable[tuple[int, int]]:
        return [(state + 1, 1)]

    def is_goal(self, state: int) -> bool:
        return False


def test_limits_and_progress() -> None:
    found = fewest.search(Line(), 0, limit_nodes=1000)
    assert (found.outcome, found.path, found.cost) == ("limit-reached", None, None)
    assert found.lower_bound >= 999
    assert fewest.search(Line(), 0, algorithm="ida_star").outcome == "limit-reached"
    assert fewest.search(Line(), 0, max_bound=9).outcome == "limit-reached"
    told: list[fewest.SearchProgress] = []
    fewest.search(Line(), 0, limit_time=0.5, on_progress=told.append)
    assert told
    assert [one.generated for one in told] == sorted({one.generated for one in told})


def test_a_finite_space_without_a_goal_is_unsolvable() -> None:
    class Ring(Line):
        def successors(self, state: int) -> Iterable[tuple[int, int]]:
            return [((state + 1) % 7, 1)]

    class Hopeless(Line):
        def heuristic(self, state: int) -> float:
            return math.inf

    for algorithm in ALGORITHMS:
        found = fewest.search(Ring(), 0, algorithm=algorithm)
        assert (found.outcome, found.paths) == ("unsolvable", [])
    assert fewest.search(Hopeless(), 0).outcome == "unsolvable"


def test_large_costs_and_costs_of_nothing() -> None:
    class Steps(Line):
        def successors(self, state: int) -> Iterable[tuple[int, int]]:
            return [(state + 1, 0 if state % 2 else 10**12)]

        def is_goal(self, state: int) -> bool:
            return state == 10

    assert fewest.search(Steps(), 0).cost == 5 * 10**12
    assert fewest.search(Steps(), 0, algorithm="ida_star_wide").cost == 5 * 10**12
    with pytest.raises(fewest.DomainError, match="1 to 250") as caught:
        fewest.search(Steps(), 0, algorithm="ida_star")
    assert (caught.value.depth, caught.value.position) == (1, 0)


def test_what_a_domain_gives_is_checked() -> None:
    class Negative(Line):
        def successors(self, state: int) -> Iterable[tuple[int, int]]:
            return [(state + 1, 1), (state + 2, -1)]

    with pytest.raises(fewest.DomainError) as caught:
        fewest.search(Negative(), 0)
    assert caught.value.position == 1

    class NoPairs(Line):
        def successors(self, state: int) -> Iterable[tuple[int, int]]:
            return [state + 1]  # type: ignore[list-item]

    with pytest.raises(TypeError):
        fewest.search(NoPairs(), 0)

    class NoNumber(Line):
        def heuristic(self, state: int) -> float:
            return math.nan

    with pytest.raises(TypeError):
        fewest.search(NoNumber(), 0)
    with pytest.raises(TypeError, match="unhashable"):
        fewest.search(Line(), [])  # type: ignore[misc]
    with pytest.raises(fewest.InvalidInput, match="algorithm"):
        fewest.search(Line(), 0, algorithm="magic")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["successors", "is_goal", "heuristic", "__eq__", "__hash__"])
@pytest.mark.parametrize("algorithm", ["ida_star", "a_star"])
def test_exceptions_of_a_domain_come_through(method: str, algorithm: fewest.Algorithm) -> None:
    class Fault(Exception):
        pass

    class State:
        def __init__(self, number: int) -> None:
            self.number = number

        def __hash__(self) -> int:
            if method == "__hash__" and self.number > 20:
                raise Fault
            return hash(self.number % 8)

        def __eq__(self, other: object) -> bool:
            if method == "__eq__" and self.number > 20:
                raise Fault
            return isinstance(other, State) and self.number == other.number

    class Faulty(fewest.Domain[State]):
        def successors(self, state: State) -> Iterable[tuple[State, int]]:
            if method == "successors" and state.number > 20:
                raise Fault
            return [(State(state.number + 1), 1), (State(state.number + 2), 1)]

        def is_goal(self, state: State) -> bool:
            if method == "is_goal" and state.number > 20:
                raise Fault
            return False

        def heuristic(self, state: State) -> int:
            if method == "heuristic" and state.number > 20:
                raise Fault
            return 0

    with pytest.raises(Fault):
        fewest.search(Faulty(), State(0), algorithm=algorithm, limit_nodes=1_000_000)


def test_the_example_solves_a_board_of_korf(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick one here; the example itself takes number 12, and so does the bench."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from fifteen import Fifteen

    start = tuple(map(int, "4 1 2 3 5 6 7 11 8 9 0 10 12 13 14 15".split()))
    found = fewest.search(Fifteen(), start, algorithm="ida_star")
    tool = fewest.Solver("15-puzzle", heuristic="manhattan", pruning="inverse", threads=1)
    same = tool.solve(" ".join(map(str, start)))
    assert (found.cost, found.optimal) == (same.length, True)
