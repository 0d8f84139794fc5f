//! A puzzle of the user's own, once as a domain and once as a definition file, by the solvers
//! beside the optimal search. All 5,040 states are known by breadth-first search over lists.

use fewest::search::macros::{SerialOrder, learn_macros};
use fewest::search::stored::{Perimeter, bidirectional, schroeppel_shamir};
use fewest::search::testing::{
    check_domain, check_group, check_packed, check_permutation_group, check_reversible,
    check_serial,
};
use fewest::search::{
    Domain, Group, InversePruning, Limits, Op, OpSet, Options, Packed, PermutationGroup, Plan,
    Reversible, StagedReport, Zero, ida_star,
};
use fewest::{Answer, Ending, Puzzle, Request, Settings, configure};
use pdb::{BuildOptions, PointDecomposition, SubgroupActions, SubgroupChain, point_permutation};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// The token in each place.
type Tokens = [u8; 7];

const SOLVED: Tokens = [0, 1, 2, 3, 4, 5, 6];

/// The place from which each place gets its token, when a ring turns.
const RINGS: [[usize; 7]; 2] = [[1, 2, 3, 0, 4, 5, 6], [0, 1, 2, 4, 5, 6, 3]];

/// The operators: each ring turns by one, two or three places.
const NAMES: [&str; 6] = ["A", "A2", "A'", "B", "B2", "B'"];

/// The same puzzle as a definition.
const FILE: &str = include_str!("two_rings.tws");

fn turned(state: &Tokens, op: usize) -> Tokens {
    let turn = |state: Tokens| RINGS[op / 3].map(|from| state[from]);
    (0..=op % 3).fold(*state, |state, _| turn(state))
}

/// Two rings of four places, which share one place, with seven tokens.
#[derive(Clone, Copy, Debug)]
struct Rings;

impl Domain for Rings {
    type State = Tokens;
    type Ops = u8;
    fn operators(&self) -> usize {
        NAMES.len()
    }
    fn applicable(&self, _: &Tokens) -> u8 {
        u8::first(NAMES.len())
    }
    fn apply_into(&self, from: &Tokens, op: Op, to: &mut Tokens) {
        *to = turned(from, op.index());
    }
    fn is_goal(&self, state: &Tokens) -> bool {
        *state == SOLVED
    }
}

impl Reversible for Rings {
    fn inverse_op(&self, op: Op) -> Op {
        Op::new(op.index() / 3 * 3 + 2 - op.index() % 3)
    }
}

impl Group for Rings {
    fn identity(&self) -> Tokens {
        SOLVED
    }
    fn compose(&self, a: &Tokens, b: &Tokens, out: &mut Tokens) {
        *out = b.map(|place| a[usize::from(place)]);
    }
    fn invert(&self, a: &Tokens, out: &mut Tokens) {
        for (place, &token) in (0..).zip(a) {
            out[usize::from(token)] = place;
        }
    }
}

impl PermutationGroup for Rings {
    fn points(&self) -> usize {
        SOLVED.len()
    }
    fn image(&self, element: &Tokens, point: usize) -> usize {
        element[point].into()
    }
}

impl Packed for Rings {
    type Key = u64;
    fn pack(&self, state: &Tokens) -> u64 {
        state.iter().fold(0, |key, &token| key << 8 | u64::from(token))
    }
    fn unpack(&self, key: u64, out: &mut Tokens) {
        out.copy_from_slice(&key.to_be_bytes()[1..]);
    }
}

/// The tokens by their numbers. The value of a token is its place.
struct InOrder;

impl SerialOrder<Rings> for InOrder {
    fn features(&self) -> usize {
        SOLVED.len()
    }
    fn values(&self, _: usize) -> usize {
        SOLVED.len()
    }
    fn value(&self, _: &Rings, state: &Tokens, feature: usize) -> usize {
        state.iter().position(|&token| usize::from(token) == feature).expect("a token")
    }
}

/// The fewest turns by some operators from each state to a state that `is_goal` accepts.
fn distances(ops: &[usize], is_goal: impl Fn(&Tokens) -> bool) -> HashMap<Tokens, usize> {
    let mut found = HashMap::new();
    let mut next: VecDeque<_> = all().into_iter().filter(is_goal).map(|goal| (goal, 0)).collect();
    while let Some((state, distance)) = next.pop_front() {
        if let Entry::Vacant(place) = found.entry(state) {
            place.insert(distance);
            // The operators and their inverses are the same.
            next.extend(ops.iter().map(|&op| (turned(&state, op), distance + 1)));
        }
    }
    found
}

/// All states.
fn all() -> Vec<Tokens> {
    let (mut states, mut at) = (vec![SOLVED], 0);
    let mut seen = std::collections::HashSet::from([SOLVED]);
    while at < states.len() {
        let next: Vec<Tokens> = (0..NAMES.len()).map(|op| turned(&states[at], op)).collect();
        states.extend(next.into_iter().filter(|state| seen.insert(*state)));
        at += 1;
    }
    assert_eq!(states.len(), 5040);
    states
}

const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

fn end_of(start: &Tokens, plan: &[Op]) -> Tokens {
    plan.iter().fold(*start, |state, op| turned(&state, op.index()))
}

/// A stage: its operators, and the distances to its goals.
type Stage = HashMap<Tokens, usize>;

/// Checks that each part of a plan is as short as possible, and that the plan solves the state.
fn check_parts(stages: &[Stage], start: &Tokens, plan: &[Op], lengths: &[usize]) {
    assert_eq!(lengths.len(), stages.len());
    let (mut state, mut rest) = (*start, plan);
    for (stage, &length) in stages.iter().zip(lengths) {
        assert_eq!(stage[&state], length, "{start:?}");
        let (part, later) = rest.split_at(length);
        (state, rest) = (end_of(&state, part), later);
        assert_eq!(stage[&state], 0, "{start:?}");
    }
    assert!(rest.is_empty() && state == SOLVED);
}

fn check_report(stages: &[Stage], start: &Tokens, report: &StagedReport) {
    let lengths = report.stages.iter().map(|stage| stage.plan().expect("a plan").len());
    let plan = report.plan.as_ref().expect("a plan");
    check_parts(stages, start, plan, &lengths.collect::<Vec<_>>());
}

/// All turns lead into the group of A. Turns of A solve that.
fn subgroup_stages() -> [Stage; 2] {
    let of_a = |state: &Tokens| {
        state[4..] == SOLVED[4..] && {
            let turns = (0..3).map(|op| turned(&SOLVED, op)).chain([SOLVED]);
            turns.into_iter().any(|turn| turn == *state)
        }
    };
    [distances(&ALL, of_a), distances(&ALL[..3], |state| *state == SOLVED)]
}

/// Subgoals that ask for more and more tokens.
fn token_stages(subgoals: &[Vec<u16>]) -> Vec<Stage> {
    let upto = |number: usize| {
        distances(&ALL, move |state| {
            let tokens = subgoals[..=number].iter().flatten();
            let home = |&token: &u16| u16::from(state[usize::from(token)]) == token;
            // Six tokens at home leave no other place to the last one.
            tokens.clone().all(home)
        })
    };
    (0..subgoals.len()).map(upto).collect()
}

#[test]
fn the_domain_is_lawful() {
    let starts = [end_of(&SOLVED, &[0, 3, 1, 5, 2].map(Op))];
    check_domain(&Rings, &starts).unwrap();
    check_reversible(&Rings, &starts).unwrap();
    check_group(&Rings, &starts).unwrap();
    check_permutation_group(&Rings, &starts).unwrap();
    check_packed(&Rings, &starts).unwrap();
    check_serial(&Rings, &InOrder, &SOLVED, &starts).unwrap();
}

#[test]
fn searches_of_the_domain_find_the_fewest_turns() {
    let (options, distances) = (Options::default(), distances(&ALL, |state| *state == SOLVED));
    let near = Perimeter::new(&Rings, &[SOLVED], Zero, 3, &options).expect("no limits");
    for (number, start) in all().iter().enumerate() {
        let both = bidirectional(&Rings, &Zero, &Zero, start, &SOLVED, &options);
        let mut reports = vec![both, schroeppel_shamir(&Rings, start, &options)];
        if number % 5 == 0 {
            reports.push(ida_star(&Rings, &near, &InversePruning, start, &options));
        }
        for report in reports {
            let plan = report.plan().expect("a plan");
            assert!(report.optimal && end_of(start, plan) == SOLVED);
            assert_eq!(plan.len(), distances[start], "{start:?}");
        }
    }
}

#[test]
fn macros_of_the_domain_are_the_cheapest() {
    let learned = learn_macros(&Rings, &InOrder, &SOLVED, 5040, &Options::default());
    assert!(learned.table.is_complete());
    for start in all() {
        let plan = learned.table.solve(&Rings, &InOrder, &start).expect("macros").plan;
        assert_eq!(end_of(&start, &plan), SOLVED);
    }
    let tokens: Vec<Vec<u16>> = (0..7).map(|token| vec![token]).collect();
    let stages = token_stages(&tokens);
    for (feature, value, entry) in learned.table.iter() {
        let before = |state: &&Tokens| {
            let home = |token: usize| InOrder.value(&Rings, state, token) == token;
            (0..feature).all(home) && InOrder.value(&Rings, state, feature) == value
        };
        let states = all();
        let state = states.iter().find(before).expect("a state");
        assert_eq!(entry.plan.len(), stages[feature][state], "{feature} {value}");
    }
}

#[test]
fn stages_of_the_domain_are_the_shortest() {
    let (each, options) = (Limits::default(), Options::default());
    let (actions, build) = (SubgroupActions::of(&Rings).unwrap(), BuildOptions::default());
    let ops = |count: usize| (0..count).map(Op::new).collect::<Vec<_>>();
    let view = |state: &Tokens| point_permutation(&Rings, state).expect("few points");
    let chain = SubgroupChain::build(&actions, &[ops(6), ops(3)], view, 5040, &build).unwrap();
    let stages = subgroup_stages();
    for start in &all() {
        check_report(&stages, start, &chain.solve(&Rings, start, &each, &options));
    }
    for (most, subgoals) in [(5040, 1), (900, 2), (200, 3)] {
        let decomposition = PointDecomposition::build(&actions, most, &build).unwrap();
        let tokens = decomposition.subgoals().iter().map(|subgoal| subgoal.points.clone());
        let stages = token_stages(&tokens.collect::<Vec<_>>());
        assert!(stages.len() >= subgoals, "{}", stages.len());
        for start in all().iter().step_by(2) {
            let report = decomposition.search(&Rings, &InversePruning, start, &each, &options);
            check_report(&stages, start, &report);
        }
    }
}

/// The moves of an answer as operators, after a check that they solve the state.
fn plan_of(puzzle: &dyn Puzzle, state: &str, start: &Tokens) -> (Answer, Plan) {
    let state = if state.is_empty() { "solved" } else { state };
    let answer = puzzle.solve(state, &Request::default()).expect("a state");
    assert_eq!(answer.ending, Ending::Solved, "{state}");
    let op = |word: &String| Op::new(NAMES.iter().position(|name| name == word).expect("a move"));
    let plan: Plan = answer.plans[0].iter().map(op).collect();
    assert_eq!(end_of(start, &plan), SOLVED, "{state}");
    (answer, plan)
}

#[test]
fn solvers_of_the_file_agree_with_the_domain() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two-rings.tws");
    std::fs::write(&file, FILE).unwrap();
    let puzzle = |settings: Settings| configure(file.to_str().unwrap(), &settings).unwrap();
    let named = |solver: &str| puzzle(Settings::default().solver(solver));
    let optimal = ["bidirectional", "perimeter", "schroeppel-shamir"].map(named);
    let macros = named("macros");
    let stages = puzzle(Settings::default().stages("both: A B\nA: A"));
    let whole = named("decomposition");
    let small = puzzle(Settings::default().solver("decomposition").memory(500));
    let goal = distances(&ALL, |state| *state == SOLVED);
    let subgroups = subgroup_stages();
    let mut subgoals = HashMap::new();
    for start in all().iter().step_by(40) {
        // The state as moves: those of an optimal plan, undone.
        let undo = ida_star(&Rings, &Zero, &InversePruning, start, &Options::default());
        let undo = undo.plan().expect("a plan").iter().rev().map(|&op| Rings.inverse_op(op));
        let state = undo.map(|op| NAMES[op.index()]).collect::<Vec<_>>().join(" ");
        for puzzle in &optimal {
            let (answer, plan) = plan_of(&**puzzle, &state, start);
            assert!(answer.optimal && plan.len() == goal[start], "{state}");
        }
        plan_of(&*macros, &state, start);
        let lengths = |answer: &Answer| {
            answer.stages.iter().map(|stage| stage.length).collect::<Vec<usize>>()
        };
        let (answer, plan) = plan_of(&*stages, &state, start);
        check_parts(&subgroups, start, &plan, &lengths(&answer));
        let (answer, plan) = plan_of(&*whole, &state, start);
        assert!(answer.optimal && answer.stages.len() == 1 && plan.len() == goal[start]);
        let (answer, plan) = plan_of(&*small, &state, start);
        let names: Vec<String> = answer.stages.iter().map(|stage| stage.name.clone()).collect();
        let stages = subgoals.entry(names.clone()).or_insert_with(|| {
            // A name such as TOKENS(1 2) has the numbers of the tokens that the subgoal adds.
            let number = |word: &str| word.parse::<u16>().ok().map(|number| number - 1);
            let tokens = |name: &String| match name.as_str() {
                "solved" => (0..7).collect(),
                name => name.split(['(', ' ', ')']).filter_map(number).collect(),
            };
            token_stages(&names.iter().map(tokens).collect::<Vec<Vec<u16>>>())
        });
        assert!(stages.len() > 1, "{names:?}");
        check_parts(stages, start, &plan, &lengths(&answer));
    }
    assert_eq!(subgoals.len(), 1);
}
