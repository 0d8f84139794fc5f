//! Plans above the least cost, against an enumeration of all strings.

use crate::definition;
use cube::{Cube, Cube3, CubeMetric};
use fewest::{Answer, Ending, Event, MetricChoice, Request, Settings, Watch, configure};
use permutation::{Definition, MoveMetric, PuzzleState, ReadLimits, TextFormat};
use search::{Domain, Op};
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

/// The state after an operator.
type Step<S> = Box<dyn Fn(&S, usize) -> S>;

/// A puzzle in the form in which strings are enumerated.
struct Strings<S> {
    names: Vec<String>,
    step: Step<S>,
    goal: S,
    /// The most operators of a string that [`Strings::is_long`] is asked about.
    depth: usize,
}

impl<S: Clone + PartialEq> Strings<S> {
    fn end(&self, from: &S, string: &[usize]) -> S {
        string.iter().fold(from.clone(), |at, &op| (self.step)(&at, op))
    }

    /// Whether a plan may end with these operators: no shorter string does the same, and commuting
    /// neighbours are in ascending order.
    fn is_normal(&self, string: &[usize]) -> bool {
        let last = &string[string.len().saturating_sub(2)..];
        let swapped = matches!(last, &[a, b] if b < a
            && self.end(&self.goal, &[a, b]) == self.end(&self.goal, &[b, a]));
        let ends =
            (2..=self.depth.min(string.len())).map(|length| &string[string.len() - length..]);
        !swapped && !ends.into_iter().any(|end| self.is_long(end))
    }

    /// Whether a shorter string of at most one operator does the same.
    fn is_long(&self, string: &[usize]) -> bool {
        let (all, made) = (0..self.names.len(), self.end(&self.goal, string));
        let shorter = std::iter::once(Vec::new()).chain(all.map(|op| vec![op]));
        let mut shorter = shorter.filter(|one| one.len() < string.len());
        shorter.any(|one| self.end(&self.goal, &one) == made)
    }

    /// All plans of lengths in this range, by length.
    fn plans(&self, start: &S, least: usize, most: usize) -> Vec<Vec<String>> {
        let (mut plans, mut path, mut passed) = (Vec::new(), Vec::new(), vec![start.clone()]);
        if *start == self.goal && least == 0 {
            plans.push(Vec::new());
        }
        self.extend((least, most), &mut path, &mut passed, &mut plans);
        plans.sort_by_key(Vec::len);
        let named = |plan: Vec<usize>| plan.iter().map(|&op| self.names[op].clone()).collect();
        plans.into_iter().map(named).collect()
    }

    fn extend(
        &self,
        (least, most): (usize, usize),
        path: &mut Vec<usize>,
        passed: &mut Vec<S>,
        plans: &mut Vec<Vec<usize>>,
    ) {
        for op in 0..self.names.len() {
            path.push(op);
            let next = (self.step)(&passed[passed.len() - 1], op);
            if self.is_normal(path) {
                if next == self.goal {
                    let passed_twice = passed[1..].contains(&next);
                    if path.len() >= least && !passed_twice {
                        plans.push(path.clone());
                    }
                } else if path.len() < most && !passed.contains(&next) {
                    passed.push(next);
                    self.extend((least, most), path, passed, plans);
                    passed.pop();
                }
            }
            path.pop();
        }
    }
}

fn sorted(mut plans: Vec<Vec<String>>) -> Vec<Vec<String>> {
    plans.sort_by_key(|plan| (plan.len(), plan.clone()));
    plans
}

/// Compares what jobs find with all strings.
fn compare<S: Clone + PartialEq>(
    strings: &Strings<S>,
    start: &S,
    (least, slack): (u8, u8),
    solve: &dyn Fn(&Request<'_>) -> Answer,
) {
    let request = Request::default().plans(usize::MAX).slack(slack).min_length(least);
    let found = solve(&request);
    assert!(found.ending == Ending::Solved && found.optimal && found.complete);
    let first = found.plans[0].len();
    assert!(found.plans.is_sorted_by_key(Vec::len));
    assert_eq!((found.costs[0], usize::from(found.lower_bound)), (first as u64, first));
    let all = strings.plans(start, usize::from(least), first + usize::from(slack));
    assert_eq!(all[0].len(), first);
    assert_eq!(sorted(found.plans.clone()), sorted(all.clone()));
    // The first of them, where only some are wanted.
    let few = solve(&request.plans(2));
    assert!(few.complete && few.plans.len() == all.len().min(2));
    assert_eq!(few.plans[0].len(), first);
    assert!(few.plans.iter().all(|plan| all.contains(plan)));
}

#[test]
fn plans_of_the_cube_are_those_of_all_strings() {
    // R2 L2 commutes with U2 D2, so R2 L2 U2 D2 R2 L2 U2 D2 is a loop of eight moves.
    for (metric, choice, depth, least) in [
        (CubeMetric::HalfTurn, MetricChoice::HalfTurn, 2, (4, 0)),
        (CubeMetric::QuarterTurn, MetricChoice::QuarterTurn, 3, (0, 0)),
    ] {
        let domain = Cube3::new(metric);
        let strings = Strings {
            names: (0..domain.operators()).map(|op| domain.name(Op::new(op))).collect(),
            step: Box::new(move |from: &Cube, op| {
                let mut to = *from;
                domain.apply_into(from, Op::new(op), &mut to);
                to
            }),
            goal: Cube::SOLVED,
            depth,
        };
        for heuristic in ["best", "manhattan"] {
            let settings = Settings::default().metric(choice).heuristic(heuristic);
            let settings = settings.memory(16 << 20).tables(crate::tables());
            let puzzle = configure("3x3x3", &settings).expect("the cube");
            for (moves, range) in [("R U", (0, 2)), ("R2 L2 U2", least), ("solved", (0, 3))] {
                let start = cube::notation::parse_state(moves).expect("a state");
                let solve = |request: &Request<'_>| puzzle.solve(moves, request).expect("solved");
                compare(&strings, &start, range, &solve);
            }
        }
    }
}

#[test]
fn plans_of_definitions_are_those_of_all_strings() {
    for (file, moves, range) in [
        // Tables of all states, coset tables, and no group.
        ("pyraminx.tws", "R U", (0, 2)),
        ("pancake-5.tws", "solved", (1, 1)),
        ("3x3x3.tws", "R U", (0, 2)),
        ("2x2x2-six-faces.tws", "R U2", (0, 1)),
        ("3x3x3-squares.tws", "R2 L2 U2", (4, 0)),
        ("hungarian-rings-10.tws", "L R", (0, 1)),
    ] {
        let limits = ReadLimits::default();
        let read = std::fs::File::open(definition(file)).expect("a file");
        let read = Definition::read(read, TextFormat::Tws, &limits).expect("a definition");
        let operators = read.operators(MoveMetric::Turn).expect("operators");
        let made: Vec<_> = operators.list.iter().map(|op| op.transformation.clone()).collect();
        let strings = Strings {
            names: operators.list.iter().map(|op| op.name.clone()).collect(),
            step: Box::new(move |from: &PuzzleState, op| from.apply(&made[op])),
            goal: read.start().clone(),
            depth: 2,
        };
        let path = definition(file);
        let settings = Settings::default().memory(16 << 20).tables(crate::tables());
        let puzzle = configure(&path, &settings).expect("a puzzle");
        let start = match moves {
            "solved" => read.start().clone(),
            moves => read.parse_state(moves).expect("moves"),
        };
        let solve = |request: &Request<'_>| puzzle.solve(moves, request).expect("solved");
        compare(&strings, &start, range, &solve);
    }
}

/// Without slack the request is the one for all optimal plans, node by node.
#[test]
fn a_slack_of_zero_changes_nothing() {
    let settings = Settings::default().tables(crate::tables());
    for puzzle in ["2x2x2", "8-puzzle", "pyraminx"] {
        let puzzle = configure(puzzle, &settings).expect("a puzzle");
        let state = puzzle.scrambler().expect("random states").scrambles(5).next().expect("one");
        let solve = |request: &Request<'_>| puzzle.solve(&state, request).expect("solved");
        let all = solve(&Request::default().plans(usize::MAX));
        let slack = solve(&Request::default().plans(usize::MAX).slack(0));
        assert_eq!((all.plans, all.iterations), (slack.plans, slack.iterations));
        let bounded = solve(&Request::default().plans(usize::MAX).slack(2));
        assert!(bounded.plans.starts_with(&slack_sorted(&solve, &slack.costs)), "{state}");
    }
}

/// The highest lower bound that a search reported.
#[derive(Default)]
struct Highest(AtomicU8);

impl Watch for Highest {
    fn event(&self, event: &Event<'_>) {
        if let Event::Search { lower_bound, .. } = event {
            self.0.fetch_max(*lower_bound, Relaxed);
        }
    }
}

/// Searches above the optimum, or in one of several views, report no bound that is not proven.
#[test]
fn reported_bounds_are_lower_bounds() {
    for (puzzle, heuristic, goal, state) in [
        ("2x2x2", "manhattan", "solved", "R U2 F' R U F2"),
        ("pyraminx", "none", "solved", "R U' L B R L' U"),
        ("3x3x3", "none", "cross:any", "D L2 B' D2"),
    ] {
        let settings = Settings::default().heuristic(heuristic).goal(goal);
        let puzzle = configure(puzzle, &settings).expect("a puzzle");
        let highest = Highest::default();
        let request = Request::default().plans(usize::MAX).slack(2).watch(&highest);
        let answer = puzzle.solve(state, &request).expect("solved");
        let reported = highest.0.load(Relaxed);
        assert!(
            reported > 0 && reported <= answer.lower_bound,
            "{reported} {}",
            answer.lower_bound
        );
    }
}

/// The optimal plans, in the order in which they are listed.
fn slack_sorted(solve: &dyn Fn(&Request<'_>) -> Answer, costs: &[u64]) -> Vec<Vec<String>> {
    let all = solve(&Request::default().plans(usize::MAX).slack(1));
    all.plans.into_iter().take(costs.len()).collect()
}

/// A plan that is shorter than a bound that the caller gave shows that the bound is wrong.
#[test]
fn a_plan_below_a_given_bound_is_not_called_optimal() {
    let tiles = configure("8-puzzle", &Settings::default().heuristic("manhattan")).unwrap();
    let answer = |bound| tiles.solve("1 4 2 3 0 5 6 7 8", &Request::default().lower_bound(bound));
    let refuted = answer(4).unwrap();
    assert_eq!((refuted.ending, refuted.upper_bound), (Ending::Solved, Some(2)));
    assert_eq!((refuted.lower_bound, refuted.optimal, refuted.complete), (0, false, false));
    let right = answer(2).unwrap();
    assert_eq!((right.lower_bound, right.optimal, right.complete), (2, true, true));
}
