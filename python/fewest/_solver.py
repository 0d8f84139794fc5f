"""Puzzles: :class:`Solver` and the functions about all puzzles."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from . import _calls as calls
from . import _fewest
from ._errors import InvalidInput, LimitReached
from ._results import (
    Counts,
    GodsAlgorithm,
    Plan,
    Prediction,
    Progress,
    Replay,
    Result,
    Shortened,
    StateInfo,
    TableHistogram,
    TablePrediction,
    counts_of,
)
from ._tables import PatternDatabase, default_folder, open_table

IN_MEMORY = ":memory:"
"""As ``tables``: no table is saved."""


class Event(Protocol):
    """Asks a call to stop, as ``threading.Event`` does."""

    def is_set(self) -> bool: ...


class Puzzle(NamedTuple):
    """A puzzle that has a name."""

    name: str
    aliases: tuple[str, ...]
    title: str


def puzzles() -> list[Puzzle]:
    """All puzzles by name. Words in capitals stand for what you choose.

    >>> [puzzle.name for puzzle in puzzles()][:3]
    ['3x3x3', '2x2x2', '8-puzzle']
    """
    return [Puzzle(name, tuple(aliases), title) for name, aliases, title in _fewest.puzzles()]


class Solver:
    """A puzzle with its settings and tables: solves states, counts them, predicts searches.

    >>> solver = Solver("8-puzzle")
    >>> result = solver.solve("1 2 0 3 4 5 6 7 8")
    >>> print(result.plan, result.optimal)
    left left True

    ``puzzle`` is a name (:func:`puzzles`), the path of a definition (``.tws``, ``.def`` or KPuzzle
    ``.json``), the text of one, or a KPuzzle as a dict.

    - ``memory``: bytes that tables may take, as a number or a text such as ``"2GiB"``.
    - ``threads``: 0 means one for each core.
    - ``tables``: the folder of the table files, or :data:`IN_MEMORY`. By default the folder of the
      command-line tool: ``$FEWEST_TABLES``, or one in your cache folder.
    - ``load``: how a table file gets into memory: ``auto``, ``mmap`` or ``ram``.
    - The other settings are the options of the command-line tool, by the same names.

    Tables are built or loaded when a call first needs them. Calls release the interpreter, end
    within 50 ms of Ctrl-C, and may come from several threads. These share the solver's threads.

    :raises InvalidInput: a setting or the definition is refused.
    :raises MemoryLimit: the tables of the heuristic need more than ``memory``.
    """

    def __init__(
        self,
        puzzle: str | os.PathLike[str] | Mapping[str, object],
        *,
        memory: int | str = "1GiB",
        threads: int = 0,
        tables: str | os.PathLike[str] | None = None,
        metric: Literal["htm", "qtm", "stm", "atm", "mtm"] | None = None,
        goal: str | Mapping[str, object] | None = None,
        moves: str | Iterable[str] | None = None,
        cost: str | Mapping[str, int] | None = None,
        solver: str = "optimal",
        stages: str | None = None,
        heuristic: str = "best",
        pruning: str = "fsm",
        load: Literal["auto", "mmap", "ram"] = "auto",
    ) -> None:
        folder = default_folder() if tables is None else os.fspath(tables)
        options = {
            "metric": metric,
            "goal": json.dumps(goal) if isinstance(goal, Mapping) else goal,
            "moves": moves if moves is None or isinstance(moves, str) else ",".join(moves),
            "cost": ",".join(f"{move}={cost[move]}" for move in cost)
            if isinstance(cost, Mapping)
            else cost,
            "solver": solver,
            "stages": stages,
            "heuristic": heuristic,
            "pruning": pruning,
            "load": load,
        }
        options = {name: value for name, value in options.items() if value is not None}
        self._arguments: dict[str, Any] = {
            "puzzle": calls.text(puzzle),
            "options": json.dumps(options),
            "memory": str(memory),
            "tables": None if folder == IN_MEMORY else os.fspath(folder),
            "threads": threads,
        }
        self._solver = _fewest.Solver(**self._arguments)

    def __getstate__(self) -> dict[str, Any]:
        return self._arguments

    def __setstate__(self, arguments: dict[str, Any]) -> None:
        self._arguments = arguments
        self._solver = _fewest.Solver(**arguments)

    def __repr__(self) -> str:
        return f"<fewest.Solver of {self.name}>"

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return self._solver.name

    @property
    def metric(self) -> str | None:
        """What counts as one move, such as ``htm``. ``None`` on tiles where each moved one does."""
        return self._solver.metric

    @property
    def has_near_optimal(self) -> bool:
        """Whether ``near_optimal=True`` is possible."""
        return self._solver.has_near_optimal

    @property
    def notes(self) -> list[str]:
        """Remarks of the reader of the definition, such as keys that it ignored."""
        return self._solver.notes

    def read(self, state: str) -> StateInfo:
        """Reads a state.

        >>> Solver("3x3x3").read("superflip").facts["name"]
        'superflip'

        :raises InvalidInput: the text is no state, or no plan can solve it.
        """
        return StateInfo(**json.loads(self._solver.read(state)))

    def check(self, state: str, plan: str | Iterable[str]) -> Replay:
        """Replays a plan. A plan that does not solve the state is no error.

        >>> Solver("3x3x3").check("R U", "U' R'").solves
        True

        :raises InvalidInput: the state or the plan cannot be read.
        """
        return Replay(**json.loads(self._solver.check(state, calls.words(plan))))

    def shorten(
        self,
        plan: str | Iterable[str],
        state: str | None = None,
        *,
        others: Iterable[str | Iterable[str]] = (),
        limit_time: float | None = None,
        cancel: Event | None = None,
    ) -> Shortened:
        """Makes a plan cheaper. It solves the same afterwards, and never costs more.

        ``state``: what the plan solves; by default the state that it leads to the goal.
        ``others``: more plans of this state. The answer costs no more than any of them, and may use
        parts of several.

        >>> print(Solver("3x3x3").shorten("R U U' R F").plan)
        R2 F

        :raises InvalidInput: a plan cannot be read, or does not solve the state.
        """
        wishes = calls.wishes(limit_time=limit_time)
        plans = [calls.words(one) for one in (plan, *others)]
        return calls.shortened(self._solver.shorten(plans, state, wishes, cancel))

    def invert(self, moves: str | Iterable[str]) -> Plan:
        """The moves that undo a sequence of moves.

        >>> print(Solver("3x3x3").invert("R U2 F'"))
        F U2 R'
        """
        return Plan(self._solver.invert(calls.words(moves)))

    def scrambles(self, count: int, seed: int = 0) -> list[str]:
        """Random solvable states, the same in every release for the same seed.

        They are uniformly random if the states of the puzzle form a group.
        """
        return self._solver.scrambles(count, seed)

    def solve(
        self,
        state: str,
        *,
        deadline: float | None = None,
        limit_time: float | None = None,
        limit_nodes: int | None = None,
        max_bound: int | None = None,
        near_optimal: bool | None = None,
        seed: int | None = None,
        begins: str | None = None,
        ends: str | None = None,
        cancel: Event | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Result:
        """Finds a plan that costs the least, and proves it.

        A limit is no error: the result has the proven lower bound, and the best plan that is known.

        - ``deadline``: seconds for the whole call, tables included.
        - ``limit_time``: seconds of searches alone.
        - ``limit_nodes``: generated nodes.
        - ``max_bound``: the highest cost of a plan that is looked for.
        - ``near_optimal``: ``True`` asks for a short plan soon, without a proof. ``False`` asks for
          the optimal plan alone, so that nodes and times are those of the proof. By default a
          near-optimal plan comes first if the proof may take long.
        - ``seed``: draws the random changes of a search for plans that need no proof.
        - ``begins``, ``ends``: sequences with one of which a plan begins or ends, such as
          ``"R U,F'"``. Plans in which moves join, such as ``R R'``, do not count.
        - ``cancel``: an event that another thread can set.
        - ``on_progress``: is called about ten times a second, and when the search has ended, always
          on this thread. If it raises, the call ends with its exception.

        :raises InvalidInput: the text is no state, or no plan can solve it.
        :raises TableError: a table file is damaged, or a table cannot be built.
        """
        wishes = calls.wishes(
            deadline=deadline,
            limit_time=limit_time,
            limit_nodes=limit_nodes,
            max_bound=max_bound,
            near_optimal=near_optimal,
            seed=seed,
            begins=begins,
            ends=ends,
        )
        answer = self._solver.solve(state, wishes, cancel, calls.progress(on_progress))
        return calls.result(state, answer)

    def solve_many(
        self,
        states: Iterable[str],
        *,
        deadline: float | None = None,
        limit_time: float | None = None,
        limit_nodes: int | None = None,
        max_bound: int | None = None,
        near_optimal: bool | None = None,
        seed: int | None = None,
        begins: str | None = None,
        ends: str | None = None,
        cancel: Event | None = None,
        progress: bool | None = None,
    ) -> list[Result]:
        """Solves many states on all threads. The results are in the order of the states.

        All threads solve the first state. Then each thread solves one state at a time. Limits are
        those of each state. ``progress`` shows a bar of ``tqdm``. By default it does if ``tqdm`` is
        installed and standard error is a terminal.

        >>> [result.length for result in Solver("8-puzzle").solve_many(["1 0 2 3 4 5 6 7 8"] * 3)]
        [1, 1, 1]

        :raises InvalidInput: a state is refused. ``index`` says which. Nothing was searched then.
        """
        states = list(states)
        for index, state in enumerate(states):
            try:
                self._solver.read(state)
            except InvalidInput as error:
                error.index = index
                raise
        wishes = calls.wishes(
            deadline=deadline,
            limit_time=limit_time,
            limit_nodes=limit_nodes,
            max_bound=max_bound,
            near_optimal=near_optimal,
            seed=seed,
            begins=begins,
            ends=ends,
        )
        results: list[Result | None] = [None] * len(states)
        with calls.bar(len(states), progress) as bar:

            def take(index: int, answer: str) -> None:
                results[index] = calls.result(states[index], answer)
                if bar is not None:
                    bar.update()

            self._solver.solve_many(states, wishes, cancel, take)
        return [result for result in results if result is not None]

    def plans(
        self,
        state: str,
        *,
        count: int | None = None,
        slack: int = 0,
        min_length: int = 0,
        deadline: float | None = None,
        cancel: Event | None = None,
    ) -> Generator[Plan, None, None]:
        """Generates optimal plans: all of them, or ``count``, while the search runs.

        Plans come in the order of the search. Those that differ only by the order of neighbours
        that commute come once. With ``slack``, plans may cost so much more than the cheapest,
        cheapest first. ``min_length`` is the least cost of a plan that counts.

        The search begins with the first plan that is asked for. It waits if some plans are not
        taken yet, which counts against ``deadline``. It ends when the generator is closed or
        dropped.

        >>> for plan in Solver("8-puzzle").plans("8 0 6 5 4 7 2 3 1", count=2):
        ...     print(len(plan))
        31
        31

        :raises InvalidInput: the text is no state, or no plan can solve it.
        :raises LimitReached: after the last plan that is known, if a limit or the event ended the
            search before it had all.
        """
        wishes = calls.wishes(
            deadline=deadline,
            plans=sys.maxsize if count is None else count,
            slack=slack,
            min_length=min_length,
            near_optimal=False,
        )
        search = self._solver.plans(state, wishes)
        told: set[tuple[str, ...]] = set()
        try:
            while not isinstance(found := search.next(cancel), str):
                told.add(tuple(found))
                yield Plan(found)
                if len(told) == count:
                    return
        finally:
            search.close()
        result = calls.result(state, found)
        for plan in result.plans:
            # The search may end without a call for some plans: see Request::on_plan.
            if tuple(plan) not in told and len(told) != count:
                told.add(tuple(plan))
                yield plan
        if not result.complete and result.outcome != "unsolvable":
            raise LimitReached(f"the search ended before it had all plans: {result.outcome}")

    def predict(
        self, bound: int, on_progress: Callable[[Progress], object] | None = None
    ) -> Prediction:
        """Predicts the generated nodes of complete iterations with bounds 1 to ``bound``."""
        predicted = json.loads(self._solver.predict(bound, calls.progress(on_progress)))
        generated = np.array(predicted["generated"], np.float64)
        tables = (
            TablePrediction(
                one["table"],
                one["bytes"],
                one["build_seconds"],
                np.array(one["generated"], np.float64),
                np.array(one["seconds"], np.float64),
            )
            for one in predicted["tables"]
        )
        return Prediction(np.arange(1, len(generated) + 1), generated, tuple(tables))

    def count(
        self,
        depth: int,
        what: Literal["states", "sequences"] = "states",
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Counts:
        """The number of states at each distance from 0 to ``depth``.

        Or of the operator sequences of each length that the pruning lets through.

        >>> Solver("3x3x3").count(3)
        array([   1,   18,  243, 3240], dtype=uint64)
        >>> Solver("3x3x3").count(3, "sequences")
        array([   1,   18,  243, 3240], dtype=uint64)

        :raises LimitReached: the counts need more memory, or 128 bits.
        """
        if what == "states":
            return counts_of(self._solver.count_states(depth, calls.progress(on_progress)))
        if what == "sequences":
            return counts_of(self._solver.count_sequences(depth))
        raise InvalidInput(f"what {what!r}: expected states or sequences")

    def gods_algorithm(
        self, antipodes: int = 0, on_progress: Callable[[Progress], object] | None = None
    ) -> GodsAlgorithm:
        """The number of states at every distance, to the last.

        >>> found = Solver("pyraminx").gods_algorithm()
        >>> found.diameter, found.states
        (11, 933120)

        ``antipodes`` is the number of farthest states to return.

        :raises InvalidInput: the puzzle has too many states.
        """
        counts, farthest = self._solver.count_all(antipodes, calls.progress(on_progress))
        return GodsAlgorithm(counts_of(counts), tuple(farthest))

    def histograms(
        self, on_progress: Callable[[Progress], object] | None = None
    ) -> list[TableHistogram]:
        """How often each value occurs in the tables of the heuristic. Builds missing tables."""
        histograms = json.loads(self._solver.histograms(calls.progress(on_progress)))
        return [
            TableHistogram(**{**one, "counts": np.array(one["counts"], np.uint64)})
            for one in histograms
        ]

    def pattern_databases(
        self, on_progress: Callable[[Progress], object] | None = None
    ) -> list[PatternDatabase]:
        """The tables of the heuristic, mapped from their files. Builds missing tables.

        ``best`` may have several: on the 3x3x3 those of a ladder, which take minutes and fill
        ``memory``. ``on_progress`` tells how far they are.

        >>> (table,) = Solver("pyraminx").pattern_databases()
        >>> table.encoding, int(table.distances().max())
        ('nibbles', 11)

        :raises InvalidInput: the puzzle has no tables, or the solver has no folder for them.
        """
        folder = self._solver.tables
        if folder is None:
            raise InvalidInput(f"{self.name}: no folder for tables: expected tables")
        built = self._solver.build_tables(calls.progress(on_progress))
        return [open_table(folder / f"{name}.table") for name, _ in built]
