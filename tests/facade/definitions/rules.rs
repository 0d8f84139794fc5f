//! Forbidden pairs and limits of moves, compared with a breadth-first search over states, last
//! moves and counts.

use crate::definition;
use fewest::{
    Aim, Answer, Ending, Failure, MetricChoice, PruningChoice, Puzzle, Request, Settings, configure,
};
use permutation::{Definition, MoveMetric, PuzzleState, ReadLimits};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fs;
use tempfile::TempDir;

/// A puzzle of six beads. It has a ring of four beads and two swaps, one of which commutes with the
/// ring.
const BEADS: &str = "Set BEADS 6 1\nStartState\nBEADS\n0 1 2 3 4 5\nEnd\nMoveTransformation A\nBEADS\n1 2 3 0 4 5\nEnd\n\
    MoveTransformation B\nBEADS\n0 1 2 3 5 4\nEnd\nMoveTransformation C\nBEADS\n0 1 2 4 3 5\nEnd\n";

/// A puzzle of five beads: a ring of three beads, and two swaps.
const FIVE: &str = "Set BEADS 5 1\nStartState\nBEADS\n0 1 2 3 4\nEnd\nMoveTransformation A\nBEADS\n1 2 0 3 4\nEnd\n\
    MoveTransformation B\nBEADS\n0 1 2 4 3\nEnd\nMoveTransformation C\nBEADS\n0 1 3 2 4\nEnd\n";

/// A puzzle with rules, as a definition file and for the slow search.
struct Ruled {
    _folder: TempDir,
    path: String,
    definition: Definition,
    pairs: Vec<[&'static str; 2]>,
    limits: Vec<(Vec<&'static str>, usize)>,
}

impl Ruled {
    fn new(
        text: &str,
        pairs: &[[&'static str; 2]],
        limits: &[(&str, &[&'static str], usize)],
    ) -> Self {
        let mut text = format!("{text}\nForbiddenPairs\n");
        pairs.iter().for_each(|[first, second]| text += &format!("{first} {second}\n"));
        text += "End\nMoveLimits\n";
        limits.iter().for_each(|(name, _, most)| text += &format!("{name} {most}\n"));
        text += "End\n";
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ruled.tws");
        fs::write(&path, &text).expect("a file");
        Self {
            path: path.to_str().expect("a path").to_owned(),
            _folder: folder,
            definition: Definition::from_tws(&text, &ReadLimits::default()).expect("a definition"),
            pairs: pairs.to_vec(),
            limits: limits.iter().map(|(_, of, most)| (of.to_vec(), *most)).collect(),
        }
    }

    fn puzzle(&self, metric: &str, heuristic: &str, pruning: PruningChoice) -> Box<dyn Puzzle> {
        let metric = metric.parse().expect("a metric");
        let settings = Settings::default().metric(metric).heuristic(heuristic);
        let settings = settings.pruning(pruning).memory(1 << 26);
        configure(&self.path, &settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The length of the shortest plans that obey the rules, and the number of these plans. `None`
    /// if all plans are longer than `most`.
    fn oracle(&self, metric: MoveMetric, start: &PuzzleState, most: usize) -> Option<(usize, u64)> {
        type Node = (Vec<u16>, Vec<u8>, Option<usize>, Vec<usize>);
        let operators = self.definition.operators(metric).expect("operators").list;
        let key = |state: &PuzzleState, last, counts: &[usize]| -> Node {
            let rows = (0..self.definition.orbits().len())
                .map(|orbit| (state.pieces(orbit).to_vec(), state.orientation(orbit).to_vec()));
            let (pieces, turns): (Vec<_>, Vec<_>) = rows.unzip();
            (pieces.concat(), turns.concat(), last, counts.to_vec())
        };
        let none = vec![0; self.limits.len()];
        // For each node: its depth, and the number of ways that lead there.
        let mut ways = BTreeMap::from([(key(start, None, &none), (0, 1_u64))]);
        let mut todo = VecDeque::from([(start.clone(), None, none, 0)]);
        let mut found: Option<(usize, u64)> = None;
        while let Some((state, last, counts, depth)) = todo.pop_front() {
            let here = ways[&key(&state, last, &counts)].1;
            if found.is_some_and(|(length, _)| length < depth) || depth > most {
                break;
            }
            if self.definition.is_goal(&state) {
                found = Some((depth, found.map_or(0, |(_, plans)| plans) + here));
                continue;
            }
            for (number, operator) in operators.iter().enumerate() {
                let before = last.map(|last: usize| operators[last].name.as_str());
                let pair = |pair: &[&str; 2]| before == Some(pair[0]) && operator.name == pair[1];
                let mut counts = counts.clone();
                for ((of, _), count) in self.limits.iter().zip(&mut counts) {
                    *count += usize::from(of.contains(&operator.name.as_str()));
                }
                let mut spent = self.limits.iter().zip(&counts);
                if self.pairs.iter().any(pair) || spent.any(|((_, most), count)| count > most) {
                    continue;
                }
                let Ok(next) = self.definition.after(&state, operator.turn) else { continue };
                let known = ways.entry(key(&next, Some(number), &counts)).or_insert((depth + 1, 0));
                if known.0 == depth + 1 {
                    known.1 += here;
                    if known.1 == here {
                        todo.push_back((next, Some(number), counts, depth + 1));
                    }
                }
            }
        }
        found
    }
}

fn length(answer: &Answer) -> Option<usize> {
    (answer.ending == Ending::Solved).then(|| answer.plans[0].len())
}

/// Puzzles of every kind: a group, identical pieces with a second goal, illegal states, and blocks.
fn puzzles(beads: &str) -> Vec<Ruled> {
    let turns: &[&str] = if beads == FIVE { &["A", "A'"] } else { &["A", "A2", "A'"] };
    let pairs: &[[&str; 2]] = &[["A", "C"], ["C", "A'"], ["B", "A"], ["B", "C"]];
    let limits: [(&str, &[&str], usize); 3] =
        [("A*", turns, 5), ("C", &["C"], 3), ("B", &["B"], 2)];
    let alike = beads.replace("\n0 1 2 3 4", "\n0 0 1 1 2").replace("2 5\nEnd", "2 3\nEnd");
    let pieces = if beads == FIVE { "1 0 0 1 2" } else { "1 0 0 1 2 3" };
    let goal = format!("GoalState\nBEADS\n{pieces}\nEnd\n");
    vec![
        Ruled::new(beads, &[], &[("C*", &["C"], 4), ("A", &["A"], 1), ("A'", &["A'"], 1)]),
        Ruled::new(beads, pairs, &[]),
        Ruled::new(beads, pairs, &limits),
        Ruled::new(beads, &[["A", "B"], ["B", "A'"]], &[("A'", &["A'"], 0), ("A*", turns, 2)]),
        Ruled::new(&format!("{alike}{goal}"), pairs, &limits),
        Ruled::new(&format!("{beads}Illegal BEADS 5 1 2\n"), pairs, &limits[..1]),
        Ruled::new(&format!("{beads}Block\nBEADS\n1 2\nEnd\n"), &pairs[..2], &limits[..2]),
    ]
}

#[test]
fn plans_under_rules_are_as_short_and_as_many_as_those_of_the_oracle() {
    let (mut solved, mut unsolvable) = (0, 0);
    for ruled in puzzles(BEADS) {
        let modes = [PruningChoice::Fsm(None), PruningChoice::Inverse, PruningChoice::None];
        let [fsm, inverse, none] = modes.map(|pruning| ruled.puzzle("htm", "best", pruning));
        let blind = ruled.puzzle("htm", "none", PruningChoice::Fsm(None));
        for moves in
            ["solved", "A", "A C", "C A2 C", "A2 C A C", "C A' C B A", "B C B", "A C A C A2 C"]
        {
            let Ok(state) = ruled.definition.parse_state(moves) else { continue };
            let known = ruled.oracle(MoveMetric::Turn, &state, 9);
            let limits = search::Limits { bound: Some(9), ..search::Limits::default() };
            let request = Request::default().limits(limits);
            for puzzle in [&fsm, &inverse, &none, &blind] {
                let answer = puzzle.solve(moves, &request).expect("a state");
                assert_eq!(length(&answer), known.map(|(length, _)| length), "{moves}");
                if let Some(plan) = answer.plans.first() {
                    let checked = puzzle.check_plan(moves, &plan.join(" ")).expect("a plan");
                    assert_eq!(checked.fault, None);
                }
            }
            let near = fsm.solve(moves, &Request::default().aim(Aim::NearOptimal));
            let near = near.expect("a state");
            let Some((least, plans)) = known else {
                unsolvable += 1;
                continue;
            };
            // The answer was replayed.
            assert_eq!((near.ending, near.plans.len()), (Ending::Solved, 1), "{moves}");
            assert!(near.plans[0].len() >= least, "{moves}");
            assert!(usize::from(near.lower_bound) <= least, "{moves}");
            solved += 1;
            let request = request.plans(usize::MAX);
            let all = none.solve(moves, &request).expect("a state").plans;
            assert_eq!(all.len() as u64, plans, "{moves}");
            assert_eq!(all.iter().collect::<HashSet<_>>().len() as u64, plans, "{moves}");
            let fewer = fsm.solve(moves, &request).expect("a state").plans;
            assert!(fewer.iter().all(|plan| all.contains(plan)), "{moves}: {fewer:?}");
        }
    }
    assert!(solved > 30 && unsolvable > 2, "{solved} {unsolvable}");
}

/// Under rules, `gods_algorithm` and `count_states` count states by the lengths of their shortest
/// plans.
#[test]
fn layers_under_rules_are_the_lengths_of_plans() {
    for ruled in puzzles(FIVE) {
        let mut known: BTreeMap<usize, u128> = BTreeMap::new();
        let operators = ruled.definition.operators(MoveMetric::Turn).expect("operators").list;
        let key = |state: &PuzzleState| state.pieces(0).to_vec();
        let goals = ruled.definition.goals().to_vec();
        let (mut seen, mut todo): (HashSet<_>, _) = (goals.iter().map(key).collect(), goals);
        while let Some(state) = todo.pop() {
            if let Some((length, _)) = ruled.oracle(MoveMetric::Turn, &state, 40) {
                *known.entry(length).or_default() += 1;
            }
            let next =
                operators.iter().filter_map(|op| ruled.definition.after(&state, op.turn).ok());
            todo.extend(next.filter(|next| seen.insert(key(next))));
        }
        let last = *known.keys().last().expect("the goal");
        let known: Vec<u128> =
            (0..=last).map(|depth| known.get(&depth).copied().unwrap_or(0)).collect();
        let puzzle = ruled.puzzle("htm", "best", PruningChoice::Fsm(None));
        let (request, mut told) = (Request::default(), Vec::new());
        puzzle
            .exhaustive()
            .expect("few states")
            .count_all(0, &request, &mut |_, count| told.push(count))
            .expect("small");
        assert_eq!(told, known);
        for depth in [0, 2, last, last + 3] {
            let mut told = Vec::new();
            puzzle
                .counting()
                .expect("counts")
                .count_states(depth, &request, &mut |_, count| told.push(count))
                .expect("small");
            let mut known = known.clone();
            known.resize(depth + 1, 0);
            assert_eq!(told, known, "to {depth}");
        }
    }
}

/// The 2x2x2 in both metrics, where tables guide the search.
#[test]
fn a_cube_under_rules_has_the_lengths_of_the_oracle() {
    let text = fs::read_to_string(definition("2x2x2.tws")).expect("the cube");
    let turn = Ruled::new(
        &text,
        &[["U", "R"], ["R", "U"], ["F2", "U'"]],
        &[("F*", &["F", "F2", "F'"], 2), ("R2", &["R2"], 1)],
    );
    let quarter =
        Ruled::new(&text, &[["U", "U"], ["R", "F'"]], &[("R*", &["R", "R'"], 3), ("F", &["F"], 1)]);
    let mut longer = 0;
    for (ruled, metric, name) in
        [(turn, MoveMetric::Turn, "htm"), (quarter, MoveMetric::Quarter, "qtm")]
    {
        let puzzle = ruled.puzzle(name, "best", PruningChoice::Fsm(None));
        let free = Settings::default().metric(name.parse().expect("a metric"));
        let free = configure(&definition("2x2x2.tws"), &free);
        let free = free.expect("the cube");
        for moves in ["R U", "U' R'", "R' U'", "U F2", "R2 F U2", "U2 R2 U2", "F' R2 U"] {
            let state = ruled.definition.parse_state(moves).expect("moves");
            let limits = search::Limits { bound: Some(5), ..search::Limits::default() };
            let answer = puzzle.solve(moves, &Request::default().limits(limits)).expect("a state");
            let known = ruled.oracle(metric, &state, 5).map(|(length, _)| length);
            assert_eq!(length(&answer), known, "{moves}");
            let without = free.solve(moves, &Request::default()).expect("a state").plans[0].len();
            longer += u32::from(known != Some(without));
            assert_eq!((answer.pruning.as_str(), answer.heuristic.as_str()), ("fsm:2", "best"));
        }
    }
    assert!(longer > 2, "{longer}");
}

#[test]
fn a_plan_that_breaks_a_rule_is_no_plan() {
    let ruled = Ruled::new(BEADS, &[["A", "C"]], &[("A*", &["A", "A2", "A'"], 1)]);
    let puzzle = ruled.puzzle("htm", "best", PruningChoice::Fsm(None));
    let told = |state: &str, plan: &str| {
        let replayed = puzzle.check_plan(state, plan).expect("a plan");
        (replayed.fault.map_or(String::new(), |fault| fault.to_string()), replayed.rule)
    };
    for (state, plan, place, rule) in [
        ("C A'", "A C", "operator 2", "C may not follow A directly"),
        ("C A C A2", "A2 C A' C", "operator 3", "A* is limited to 1 in a plan"),
    ] {
        let (fault, broken) = told(state, plan);
        assert!(fault.contains(place), "{fault}");
        assert_eq!(broken.as_deref(), Some(rule));
    }
    assert_eq!(told("C A2", "A2 C"), (String::new(), None));
}

/// If the rules allow only finitely many strings and none is a plan, the search proves that the
/// state is unsolvable.
#[test]
fn a_state_that_the_rules_leave_no_plan_for_is_unsolvable() {
    let ruled = Ruled::new(
        BEADS,
        &[["C", "A2"]],
        &[("A*", &["A", "A2", "A'"], 2), ("C", &["C"], 1), ("B", &["B"], 1)],
    );
    for heuristic in ["best", "none"] {
        let puzzle = ruled.puzzle("htm", heuristic, PruningChoice::Fsm(None));
        let answer = puzzle.solve("C A C A C", &Request::default()).expect("a state");
        assert_eq!(answer.ending, Ending::Unsolvable, "{heuristic}");
    }
}

#[test]
fn what_rules_make_meaningless_is_refused_and_the_rest_is_told() {
    let limited = Ruled::new(BEADS, &[["A", "C"]], &[("C", &["C"], 2)]);
    let limited = limited.puzzle("htm", "best", PruningChoice::Fsm(None));
    let counts = limited.counting().expect("counts").count_sequences(3, &Request::default());
    assert!(
        matches!(&counts, Err(Failure::Refused(why)) if why.to_string().contains("MoveLimits"))
    );
    let paired = Ruled::new(BEADS, &[["A", "C"]], &[]);
    let none = paired.puzzle("htm", "best", PruningChoice::None);
    // One of 25 pairs of operators is forbidden. Ten of 125 strings of three contain it.
    assert_eq!(
        none.counting().expect("counts").count_sequences(3, &Request::default()).expect("counts"),
        [1, 5, 24, 115]
    );
    let (learned, dot) =
        none.learning().expect("strings").learn(5, true, &Request::default()).expect("pairs");
    let pairs = paired.definition.operators(MoveMetric::Turn).expect("operators");
    let rules = paired.definition.operator_rules(&pairs).expect("rules");
    let cut =
        paired.definition.duplicate_pairs(&pairs, &rules, false, &|| false).expect("pairs").len();
    assert_eq!((learned.depth, learned.strings), (2, cut + 1));
    assert!(learned.branching_factor < 5.0 && dot.expect("a drawing").contains("digraph"));
    let half = Ruled::new(BEADS, &[["A2", "C"]], &[]);
    let settings = Settings::default().metric(MetricChoice::QuarterTurn);
    let small = Settings::default().memory(1 << 16);
    let small = configure(&paired.path, &small).expect("a puzzle");
    let layers =
        small.exhaustive().expect("few states").count_all(0, &Request::default(), &mut |_, _| {});
    assert!(matches!(layers, Err(Failure::Limit(_))), "{layers:?}");
    let Err(refused) = configure(&half.path, &settings) else { panic!("a half turn") };
    assert!(refused.to_string().contains("found a rule about `A2`"), "{refused}");
}

/// Two moves with the same effect are two operators if rules or blocks may treat them differently.
#[test]
fn plans_are_checked_by_the_moves_that_they_name() {
    let same = "Set A 6 1\nSolved\nEnd\nMove R\nA\n2 1 4 5 3 6\nEnd\nMoveSequence Q R2\n";
    let ruled = Ruled::new(&format!("{same}MoveSequence P R\n"), &[["R", "R"], ["R", "P"]], &[]);
    let puzzle = ruled.puzzle("qtm", "best", PruningChoice::None);
    let all = puzzle.solve("R2", &Request::default().plans(usize::MAX)).expect("a state").plans;
    assert!(all.contains(&vec!["Q'".to_owned()]), "{all:?}");
    let fault = |plan: &str| puzzle.check_plan("Q'", plan).expect("a plan").fault;
    assert!(fault("P P").is_none() && fault("P R").is_none());
    assert!(fault("R R").is_some() && fault("R P").is_some());
    // R breaks the block, and Q does not.
    let tied = Ruled::new(&format!("{same}Block\nA\n1 6\nEnd\n"), &[], &[]);
    let puzzle = tied.puzzle("htm", "best", PruningChoice::Fsm(None));
    let answer = puzzle.solve("Q", &Request::default()).expect("a state");
    assert_eq!(answer.plans, [["Q'"]]);
    assert!(puzzle.check_plan("Q", "Q'").expect("a plan").fault.is_none());
    assert!(puzzle.check_plan("Q'", "R2").expect("a plan").fault.is_some());
}
