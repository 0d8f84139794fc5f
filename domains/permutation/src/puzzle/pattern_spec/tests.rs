//! Patterns agree with slow, simple walks over the states of small puzzles. On a shipped puzzle,
//! bounds never exceed the lengths of random walks.

use super::kinds::Kinds;
use super::*;
use crate::MoveMetric;
use crate::puzzle::{GeneralPuzzle, LabelState};
use crate::testing::{self, labels, read};
use pdb::testing::check_abstraction;
use pdb::{Abstraction, BuildError, BuildOptions, DescentWalk, Indexer, Modulo3, build};
use search::random::Random;
use search::testing::{Distances, check_heuristic};
use search::{
    CancelToken, Cost, Domain, Heuristic, Limits, NoPruning, Op, OpSet, Options, Outcome, ida_star,
};
use std::collections::{BTreeMap, BTreeSet};

type Small = GeneralPuzzle<32, u32>;

/// A puzzle of two sets. Pieces of the first have four turns. `state` has the lines of the solved
/// state.
fn puzzle(state: [&str; 3], rest: &str) -> Small {
    let [ring, turns, disks] = state;
    let text = format!(
        "Name Small\nSet RING 3 4\nSet DISKS 4 1\nStartState\nRING\n{ring}\n{turns}\nDISKS\n{disks}\nEnd
MoveTransformation A\nRING\n1 2 0\n1 0 0\nEnd
MoveTransformation B\nRING\n0 2 1\n0 1 2\nDISKS\n1 2 3 0\nEnd
MoveTransformation C\nDISKS\n1 0 2 3\nEnd\n{rest}"
    );
    Small::of(labels(read(&text)).into()).expect("small")
}

const APART: [&str; 3] = ["0 1 2", "0 0 0", "0 1 2 3"];

/// Small puzzles that together have every feature of a definition, each with a name.
fn puzzles() -> Vec<(&'static str, Small)> {
    let alike = ["0 0 1", "0 3 1", "0 0 1 1"];
    let modulo = ["0 1 2", "3 0?2 ?", "0 1 2 2"];
    let goal = "GoalState\nRING\n1 0 2\n0 2 0\nDISKS\n0 1 3 2\nEnd\n";
    let ignored = "Ignore\nRING\n0 1 1\n0 1 1\nDISKS\n1 1 0 0\nEnd\n";
    let turns = "Ignore\nRING\n1 1 1\n0 0 1\nDISKS\n1 1 1 1\nEnd\n";
    vec![
        ("a group", puzzle(APART, "")),
        ("goals", puzzle(APART, goal)),
        ("alike", puzzle(alike, "")),
        ("modulo", puzzle(modulo, "")),
        ("ignored", puzzle(APART, ignored)),
        ("ignored and goals", puzzle(APART, &format!("{goal}{ignored}"))),
        ("turns ignored", puzzle(APART, turns)),
        ("illegal", puzzle(APART, "Illegal DISKS 1 2\nIllegal RING 3 1 2\n")),
        ("illegal and alike", puzzle(alike, "Illegal DISKS 4 1\nIllegal RING 1 2\n")),
        ("illegal and ignored", puzzle(APART, &format!("{ignored}Illegal DISKS 1 3\n"))),
        ("blocks", puzzle(APART, "Block\nDISKS\n1 2\nEnd\n")),
        ("costs", puzzle(APART, "MoveCost A 3\nMoveCost C 2\n")),
        ("great costs", puzzle(modulo, "MoveCost A 120\nMoveCost B 90\nMoveCost C 100\n")),
        ("costs and illegal", puzzle(alike, "MoveCost B 4\nIllegal DISKS 2 2\n")),
    ]
}

/// All states that are reached from the solved state, and the distance of each.
fn distances(puzzle: &Small) -> (Vec<LabelState<32>>, BTreeMap<LabelState<32>, u32>) {
    let start = puzzle.state(puzzle.labels().definition().start());
    let mut states = vec![start];
    let mut known: BTreeSet<LabelState<32>> = states.iter().copied().collect();
    let mut into: BTreeMap<LabelState<32>, Vec<(LabelState<32>, u32)>> = BTreeMap::new();
    let mut at = 0;
    while let Some(&state) = states.get(at) {
        for op in puzzle.applicable(&state).members() {
            let mut to = state;
            puzzle.apply_into(&state, op, &mut to);
            into.entry(to).or_default().push((state, puzzle.cost(op).into()));
            if known.insert(to) {
                states.push(to);
            }
        }
        at += 1;
    }
    let goals = states.iter().filter(|state| puzzle.is_goal(state)).copied();
    let costs = cheapest(goals.collect(), |state| into.get(state).cloned().unwrap_or_default());
    (states, costs)
}

/// For each node: the cost to the nearest goal. `into` returns the predecessors of a node with
/// their costs.
fn cheapest<K: Ord + Clone>(goals: Vec<K>, into: impl Fn(&K) -> Vec<(K, u32)>) -> BTreeMap<K, u32> {
    let mut open: BTreeSet<(u32, K)> = goals.into_iter().map(|goal| (0, goal)).collect();
    let mut costs = BTreeMap::new();
    while let Some((cost, node)) = open.pop_first() {
        if costs.contains_key(&node) {
            continue;
        }
        for (before, step) in into(&node) {
            open.insert((cost + step, before));
        }
        costs.insert(node, cost);
    }
    costs
}

/// For each slot of a spec: what the spec keeps of the piece there (group, colour and turn).
fn shown(spec: &PatternSpec, state: &LabelState<32>) -> Vec<(u8, u8, u8)> {
    let of = |&slot: &usize| {
        let label = usize::from(state.piece[slot]);
        let twist = state.twist[slot] % spec.turns[label];
        (spec.group[label], spec.colour[label], twist)
    };
    spec.slots.iter().map(of).collect()
}

fn structure(puzzle: &Small) -> PuzzleStructure {
    PuzzleStructure::new(puzzle.labels())
}

/// The table of a pattern, in the least unit in which all distances fit.
fn table(pattern: &SpecPattern) -> SpecTable {
    for unit in [1, 2, 4, 8, 16, 32, 64, 128] {
        let pattern = pattern.clone().in_units(unit, &CancelToken::new()).expect("not cancelled");
        if let Ok(distances) = build::<8>(&pattern, &BuildOptions::default()) {
            return SpecTable::new(pattern, distances);
        }
    }
    panic!("no unit fits")
}

fn chosen(structure: &PuzzleStructure, memory: u64) -> (Vec<SpecCandidate>, Vec<SpecPattern>) {
    candidates(structure, memory, &CancelToken::new()).expect("not cancelled")
}

/// An indexer for the entries of a pattern. All states of these tests have entries.
struct Entries<'a>(&'a SpecPattern);

impl Indexer<Small> for Entries<'_> {
    type Index = SpecPlace;
    fn index(&self, _: &Small, state: &LabelState<32>) -> SpecPlace {
        self.0.place(state)
    }
    fn advance(
        &self,
        _: &Small,
        _: &LabelState<32>,
        at: SpecPlace,
        op: Op,
        to: &LabelState<32>,
    ) -> SpecPlace {
        self.0.after(at, op, to)
    }
    fn entry(&self, at: SpecPlace) -> u64 {
        if at.is_known() { self.0.number(at) } else { u64::MAX }
    }
}

/// Every value of every table is a distance in the graph of what its spec keeps of states. A walk
/// over all states computes these distances.
#[test]
fn values_are_distances_of_what_is_shown() {
    let mut compared = 0;
    for (name, puzzle) in puzzles() {
        let structure = structure(&puzzle);
        let (states, costs) = distances(&puzzle);
        let restricted = puzzle.labels().definition().rules().restrict_states();
        let (list, _) = chosen(&structure, 1 << 22);
        assert!(!list.is_empty(), "{name}");
        for one in list.iter().step_by(list.len().div_ceil(10)) {
            let pattern = SpecPattern::new(&structure, &one.spec, &CancelToken::new());
            let table = table(&pattern.expect("small"));
            let mut into: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
            let mut goals = BTreeSet::new();
            for state in &states {
                let from = shown(&one.spec, state);
                if puzzle.is_goal(state) {
                    goals.insert(from.clone());
                }
                for op in puzzle.applicable(state).members() {
                    let mut to = *state;
                    puzzle.apply_into(state, op, &mut to);
                    let edge = (from.clone(), u32::from(puzzle.cost(op)));
                    into.entry(shown(&one.spec, &to)).or_default().insert(edge);
                }
            }
            let before = |node: &Vec<_>| into.get(node).into_iter().flatten().cloned().collect();
            let slow = cheapest(goals.into_iter().collect(), before);
            for state in &states {
                let value = u32::from(table.value(table.pattern().place(state)));
                let expected = slow[&shown(&one.spec, state)];
                let kept = !restricted || one.spec.keeps_all(&structure);
                let exact = kept && table.pattern().unit() == 1;
                assert!(value <= expected.min(250), "{name}: {value} of {expected}, {one:?}");
                assert!(!exact || value == expected, "{name}: {value} of {expected}, {one:?}");
                assert!(value <= costs[state], "{name}: {state:?}");
                compared += usize::from(exact);
            }
        }
    }
    assert!(compared > 100_000, "{compared}");
}

/// With enough memory there is one table, and it has the distance of every state.
#[test]
fn a_table_that_keeps_all_is_exact() {
    for (name, puzzle) in puzzles() {
        let structure = structure(&puzzle);
        let (states, costs) = distances(&puzzle);
        let (list, patterns) = chosen(&structure, 1 << 26);
        let tables = SpecTables::new(patterns.iter().map(table).collect());
        let taken: Vec<_> = list.iter().filter(|one| one.taken).collect();
        assert!(taken.len() == 1 && taken[0].spec.keeps_all(&structure), "{name}: {taken:?}");
        let unit = u32::from(tables.tables()[0].pattern().unit());
        assert_eq!(unit > 1, name == "great costs");
        for state in &states {
            let value = u32::from(tables.estimate(&puzzle, state));
            let expected = costs[state];
            // Goals that ignore different pieces make one class of them all.
            let exact = unit == 1 && name != "ignored and goals";
            assert!(value == expected || !exact && value <= expected, "{name}: {state:?}");
        }
    }
}

/// Checks the laws of heuristics and abstractions. With small tables, plans are as cheap as in a
/// search without a heuristic.
#[test]
fn small_tables_are_lawful_and_plans_are_the_cheapest() {
    let options = Options::from(Limits { nodes: Some(100_000), ..Limits::default() });
    let mut solved = 0;
    for (name, puzzle) in puzzles() {
        let structure = structure(&puzzle);
        let (states, costs) = distances(&puzzle);
        // The least memory with which there is a table.
        let memory = (10..20).map(|power| chosen(&structure, 1 << power).1);
        let patterns = memory.into_iter().find(|patterns| !patterns.is_empty()).expect(name);
        let tables = SpecTables::new(patterns.iter().map(table).collect());
        let goals: Vec<_> = states.iter().filter(|state| puzzle.is_goal(state)).copied().collect();
        let start = [puzzle.state(puzzle.labels().definition().start())];
        let known = Distances::from_starts(&puzzle, &start, 250);
        check_heuristic(&puzzle, &tables, &known).unwrap_or_else(|e| panic!("{name}: {e}"));
        if puzzle.labels().definition().rules().blocks.is_empty() {
            for table in tables.tables() {
                let pattern = table.pattern();
                let unit = pattern.unit();
                let read = |entry| table.entry(entry);
                check_abstraction(&puzzle, pattern, &Entries(pattern), &read, &goals, 5000)
                    .unwrap_or_else(|error| panic!("{name}, {unit}: {error}"));
            }
        }
        let mut random = Random::new(9);
        for _ in 0..40 {
            let at = usize::try_from(random.below(states.len() as u64)).expect("small");
            if costs[&states[at]] > 250 {
                continue;
            }
            let report = ida_star(&puzzle, &tables, &NoPruning, &states[at], &options);
            let bound = u32::from(report.lower_bound);
            match report.outcome {
                Outcome::Solved(_) => assert_eq!(bound, costs[&states[at]], "{name}"),
                _ => assert!(bound <= costs[&states[at]], "{name}"),
            }
            solved += usize::from(matches!(report.outcome, Outcome::Solved(_)));
        }
    }
    assert!(solved > 200, "{solved}");
}

fn square_1() -> GeneralPuzzle<32, u32> {
    let (definition, operators) = testing::puzzle("square-1", MoveMetric::Turn);
    GeneralPuzzle::new(definition, operators).expect("small")
}

/// The kinds of Square-1 are edges, both halves of corners, and the middle. The halves of a corner
/// move together. The number of shapes is the published one.
#[test]
fn the_kinds_of_a_puzzle_that_changes_its_shape_are_found() {
    let structure = PuzzleStructure::new(square_1().labels());
    let kinds = Kinds::new(&structure, &CancelToken::new());
    let mut sizes = BTreeMap::new();
    kinds.of.iter().for_each(|kind| *sizes.entry(kind).or_insert(0) += 1);
    assert_eq!(sizes.into_values().collect::<Vec<_>>(), [8, 8, 8, 1]);
    assert_eq!((kinds.layouts, kinds.tied.len(), kinds.always.len()), (3678, 1, 24));
    let edges = kinds.of[0];
    let known = BTreeSet::from([0, 3, 6, 9, 14, 17, 20, 23]);
    let found = (0..24).filter(|&label| kinds.of[label] == edges).collect();
    assert_eq!(known, found);
}

/// On random walks from the goal, no bound exceeds the length of the walk, and a move changes no
/// bound by more than its cost.
#[test]
fn tables_of_a_puzzle_that_changes_its_shape_are_admissible() {
    let puzzle = square_1();
    let structure = PuzzleStructure::new(puzzle.labels());
    let (list, patterns) = chosen(&structure, 8 << 20);
    let tables = SpecTables::new(patterns.iter().map(table).collect());
    assert!(!tables.tables().is_empty() && list.iter().any(|one| one.taken));
    assert!(tables.tables().iter().all(|table| table.pattern().layouts.words.restricted()));
    let bytes: u64 = tables.tables().iter().map(SpecTable::bytes).sum();
    assert!(bytes < 9 << 20, "{bytes}");
    let mut random = Random::new(3);
    let mut greatest = 0;
    for _ in 0..200 {
        let mut state = puzzle.state(puzzle.labels().definition().start());
        let (mut to, mut carry) = (state, tables.root(&puzzle, &state));
        let mut before = 0;
        for moves in 1..=40 {
            let ops: Vec<Op> = puzzle.applicable(&state).members().collect();
            let op = ops[usize::try_from(random.below(ops.len() as u64)).expect("few")];
            puzzle.apply_into(&state, op, &mut to);
            carry = tables.child(&puzzle, &state, &carry, op, &to);
            state = to;
            let value: Cost = tables.bound(&puzzle, &state, &mut carry, Cost::MAX).h;
            assert_eq!(value, tables.estimate(&puzzle, &state));
            assert!(value <= moves && value.abs_diff(before) <= 1, "{value} after {moves}");
            (before, greatest) = (value, greatest.max(value));
        }
    }
    assert!(greatest > 10, "{greatest}");
}

/// The chosen tables fit in the memory, and the choice is the same each time.
#[test]
fn choices_fit_and_are_reproducible() {
    let (_, puzzle) = puzzles().swap_remove(1);
    let structure = structure(&puzzle);
    for memory in [0, 500, 2000, 10_000, 1 << 20] {
        let (list, patterns) = chosen(&structure, memory);
        let taken: Vec<_> = list.iter().filter(|one| one.taken).collect();
        assert_eq!(taken.len(), patterns.len());
        assert!(taken.iter().map(|one| one.bytes).sum::<u64>() <= memory);
        let print = |patterns: &[SpecPattern]| -> Vec<_> {
            patterns.iter().map(SpecPattern::fingerprint).collect()
        };
        let (again, same) = chosen(&structure, memory);
        assert_eq!(print(&patterns), print(&same));
        assert_eq!(list.len(), again.len());
        assert!(list.is_sorted_by_key(|one| one.bytes));
    }
    let cancel = CancelToken::cancelled();
    assert!(candidates(&structure, 1 << 20, &cancel).is_none());
}

/// Files of older releases hold entries in this order. If it changes, the old files must be
/// refused: then add a version of the numbering to [`SpecPattern::fingerprint_in`].
#[test]
fn the_numbering_of_entries_stays() {
    let mut hasher = blake3::Hasher::new();
    for (_, puzzle) in puzzles() {
        for pattern in chosen(&structure(&puzzle), 2000).1 {
            hasher.update(&pattern.fingerprint());
            hasher.update(table(&pattern).distances().bytes());
        }
    }
    assert_eq!(hasher.finalize().to_hex()[..16], *"e458610e0bb0255b");
}

/// The classes of goals have the distances of their states, whatever goals ask for. Rules on states
/// have none.
#[test]
fn classes_have_the_distances_of_their_states() {
    let mut exact = Vec::new();
    // Great costs do not fit a byte.
    for (name, puzzle) in puzzles().into_iter().filter(|(name, _)| *name != "great costs") {
        let structure = PuzzleStructure::new(puzzle.labels());
        let cancel = &CancelToken::new();
        let Some(classes) = ClassPattern::new(&structure, 1 << 20, cancel) else { continue };
        exact.push(name);
        // The same layers if only the arrangements of a component are columns.
        let few = ClassPattern::of_columns(&structure, 1 << 20, 1, cancel).expect("small");
        assert!(few.columns() < classes.columns(), "{name}");
        let layers = |pattern: &ClassPattern| {
            build::<8>(pattern, &BuildOptions::default()).expect("small distances").histogram()
        };
        assert_eq!(layers(&few), layers(&classes), "{name}");
        let table = build::<8>(&classes, &BuildOptions::default()).expect("small distances");
        let (states, costs) = distances(&puzzle);
        let slots = puzzle.labels().slots();
        let walk = match Modulo3::build(&classes, &BuildOptions::default()) {
            Ok(table) => DescentWalk::new(&puzzle, classes.clone(), table).ok(),
            Err(error) => {
                assert_eq!((name, error.to_string()), ("costs", BuildError::Costs.to_string()));
                None
            }
        };
        for state in &states {
            if let Some(walk) = &walk {
                let plan = walk.plan(&puzzle, state).expect("a plan");
                assert_eq!(Some(plan.len()), costs.get(state).map(|&cost| cost as usize), "{name}");
            }
            let entry = classes.entry(&state.contents(slots)).expect("reached");
            assert_eq!(
                costs.get(state).copied(),
                Some(table.get(entry).into()),
                "{name}: {state:?}"
            );
            let contents = classes.contents(entry);
            assert_eq!(classes.entry(&contents), Some(entry), "{name}");
            if classes.has_single_states() {
                assert_eq!(contents, state.contents(slots), "{name}");
            }
            let mut goals = Vec::new();
            classes.goals(&mut goals);
            let (path, end) = classes.path(entry, &goals, &CancelToken::new()).expect("a path");
            let mut at = *state;
            path.iter().for_each(|&op| puzzle.apply_into(&at.clone(), op, &mut at));
            assert_eq!(classes.entry(&at.contents(slots)), Some(end), "{name}");
            assert!(puzzle.is_goal(&at) && goals.contains(&end), "{name}");
        }
    }
    assert_eq!(exact, ["a group", "goals", "alike", "modulo", "ignored", "costs"]);
}

/// Where too many ways to turn pieces make goals of their own, more states than those show a goal.
/// Then classes are not counted.
#[test]
fn classes_of_too_many_goals_are_refused() {
    let turns = |open: usize| {
        let row = |value: &str, last: &str| {
            (0..open).map(|_| value).chain([last]).collect::<Vec<_>>().join(" ")
        };
        let text = format!(
            "Name Flips\nSet A {} 2\nSolved\nA\n{}\nEnd\nMove T\nA\n{}\n{}\nEnd
Ignore\nA\n{}\n{}\nEnd\n",
            open + 1,
            (1..=open + 1).map(|piece| piece.to_string()).collect::<Vec<_>>().join(" "),
            (2..=open + 1).chain([1]).map(|piece| piece.to_string()).collect::<Vec<_>>().join(" "),
            row("0", "1"),
            row("1", "1"),
            row("1", "0"),
        );
        ClassPattern::new(&PuzzleStructure::new(&labels(read(&text))), 1 << 20, &CancelToken::new())
    };
    assert!(turns(3).is_none() && turns(15).is_none());
}

/// Tables of classes are kept in files. So the numbers of entries must stay.
#[test]
fn the_numbering_of_classes_stays() {
    let marks = ["alike", "modulo", "costs"].map(|wanted| {
        let (_, puzzle) = puzzles().into_iter().find(|(name, _)| *name == wanted).expect("there");
        let structure = PuzzleStructure::new(puzzle.labels());
        let classes = ClassPattern::new(&structure, 1 << 20, &CancelToken::new()).expect("small");
        let table = build::<8>(&classes, &BuildOptions::default()).expect("small distances");
        blake3::hash(table.bytes()).to_hex()[..8].to_owned()
    });
    assert_eq!(marks, ["81749dc5", "d0c1d7b3", "dd700d80"]);
}
