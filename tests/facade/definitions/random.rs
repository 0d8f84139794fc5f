//! Small random puzzles with rules, costs, alike pieces and several goals, compared with a list of
//! all strings of moves.

use fewest::{Ending, Puzzle, Request, Settings, configure};
use permutation::{Definition, MoveMetric, Operator, PuzzleState, ReadLimits};
use search::random::Random;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The numbers of operators, in the order of a plan.
type Plan = Vec<usize>;

/// A random puzzle of a few slots, and its rules by the names of operators.
struct Small {
    text: String,
    definition: Definition,
    /// The operators that the rules leave.
    operators: Vec<Operator>,
    pairs: Vec<[String; 2]>,
    /// The greatest number of turns of a move in a plan.
    limits: BTreeMap<char, usize>,
    quarter: bool,
}

fn below(random: &mut Random, end: usize) -> usize {
    usize::try_from(random.below(end as u64)).expect("small")
}

/// A list of numbers from 1 on with a random cycle of `length` of them.
fn cycle(random: &mut Random, slots: usize, length: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..slots).collect();
    let places: Vec<usize> =
        (0..length).map(|_| left.swap_remove(below(random, left.len()))).collect();
    let mut made: Vec<usize> = (1..=slots).collect();
    for (at, &place) in places.iter().enumerate() {
        made[place] = places[(at + 1) % length] + 1;
    }
    made
}

impl Small {
    /// `rules`: with limits and forbidden pairs. `goals`: with alike pieces and several goals.
    fn new(seed: u64, rules: bool, goals: bool) -> Self {
        let mut random = Random::new(seed);
        let slots = 4 + below(&mut random, 4);
        let line = |row: &[usize]| row.iter().map(|n| format!("{n} ")).collect::<String>();
        let mut solved: Vec<usize> = (1..=slots).collect();
        if goals && below(&mut random, 2) == 0 {
            solved[slots - 1] = solved[slots - 2];
        }
        let mut text = format!("Name small\nSet P {slots} 1\nSolved\nP\n{}\nEnd\n", line(&solved));
        let names = &["A", "B", "C", "D"][..2 + below(&mut random, 3)];
        for name in names {
            let length = 2 + below(&mut random, 3);
            let row = cycle(&mut random, slots, length);
            text += &format!("Move {name}\nP\n{}\nEnd\n", line(&row));
        }
        let quarter = below(&mut random, 3) == 0;
        let metric = if quarter { MoveMetric::Quarter } else { MoveMetric::Turn };
        let read = |text: &str| Definition::from_tws(text, &ReadLimits::default()).expect("tws");
        if goals {
            let start = read(&text).parse_state(names[below(&mut random, names.len())]);
            let goal: Vec<usize> =
                start.expect("moves").pieces(0).iter().map(|&n| n.into()).collect();
            let from = usize::from(!goal.contains(&0));
            let goal: Vec<usize> = goal.iter().map(|n| n + 1 - from).collect();
            text += &format!("Goal\nP\n{}\nEnd\n", line(&goal));
        }
        let operators = read(&text).operators(metric).expect("operators").list;
        let (mut pairs, mut limits) = (Vec::new(), BTreeMap::new());
        if rules {
            for name in names.iter().filter(|_| below(&mut Random::new(seed ^ 7), 2) == 0) {
                limits.insert(name.chars().next().expect("a name"), below(&mut random, 4));
            }
            let name = |random: &mut Random| operators[below(random, operators.len())].name.clone();
            pairs
                .extend((0..below(&mut random, 3)).map(|_| [name(&mut random), name(&mut random)]));
            text += "ForbiddenPairs\n";
            pairs.iter().for_each(|[one, two]| text += &format!("{one} {two}\n"));
            text += "End\nMoveLimits\n";
            limits.iter().for_each(|(name, most)| text += &format!("{name}* {most}\n"));
            text += "End\n";
        }
        let definition = read(&text);
        // Under rules, moves of one effect are several operators.
        let operators = definition.operators(metric).expect("operators").list;
        Self { text, definition, operators, pairs, limits, quarter }
    }

    fn puzzle(&self, heuristic: &str) -> Box<dyn Puzzle> {
        let metric = if self.quarter { "qtm" } else { "htm" };
        let settings = Settings::default().metric(metric.parse().expect("a metric"));
        let settings = settings.heuristic(heuristic).memory(1 << 26);
        let settings = settings.pruning("fsm:2".parse().expect("a pruning"));
        configure(&self.text, &settings).unwrap_or_else(|error| panic!("{error}\n{}", self.text))
    }

    /// Whether an operator may follow others under the rules.
    fn allows(&self, before: &[usize], op: usize) -> bool {
        let name = |op: usize| &self.operators[op].name;
        let of = |op: usize| name(op).chars().next().expect("a name");
        let count = before.iter().filter(|&&other| of(other) == of(op)).count();
        let forbidden = |pair: &[String; 2]| {
            before.last().is_some_and(|&last| (name(last), name(op)) == (&pair[0], &pair[1]))
        };
        self.limits.get(&of(op)).is_none_or(|&most| count < most)
            && !self.pairs.iter().any(forbidden)
    }

    fn is_goal(&self, state: &PuzzleState) -> bool {
        self.definition.is_goal(state)
    }

    /// All plans of at most `most` operators, which end at the first goal that they reach.
    fn plans(&self, start: &PuzzleState, most: usize) -> Vec<(Plan, Vec<PuzzleState>)> {
        let (mut found, mut todo) = (Vec::new(), vec![(Vec::new(), vec![start.clone()])]);
        while let Some((plan, passed)) = todo.pop() {
            let at: &PuzzleState = &passed[passed.len() - 1];
            if self.is_goal(at) {
                found.push((plan, passed));
            } else if plan.len() < most {
                for op in (0..self.operators.len()).filter(|&op| self.allows(&plan, op)) {
                    let next = at.apply(&self.operators[op].transformation);
                    let (mut plan, mut passed) = (plan.clone(), passed.clone());
                    plan.push(op);
                    passed.push(next);
                    todo.push((plan, passed));
                }
            }
        }
        found
    }

    fn commute(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|op| &self.operators[op].transformation);
        a.then(b) == b.then(a)
    }

    /// All orders of a plan that swaps of commuting neighbours make.
    fn orders(&self, plan: &Plan) -> BTreeSet<Plan> {
        let (mut all, mut todo) = (BTreeSet::from([plan.clone()]), vec![plan.clone()]);
        while let Some(plan) = todo.pop() {
            for at in 1..plan.len() {
                let mut other = plan.clone();
                other.swap(at - 1, at);
                if self.commute(plan[at - 1], plan[at]) && all.insert(other.clone()) {
                    todo.push(other);
                }
            }
        }
        all
    }

    /// Whether two operators do nothing together, or what one does.
    fn is_long(&self, a: usize, b: usize) -> bool {
        let made = self.operators[a].transformation.then(&self.operators[b].transformation);
        made.is_identity() || self.operators.iter().any(|op| op.transformation == made)
    }

    /// Words for all states that moves reach without rules, of at most three moves.
    fn words(&self) -> Vec<String> {
        let names = self.operators.iter().map(|op| op.name.as_str());
        let one: Vec<String> = names.map(str::to_owned).collect();
        let two = one.iter().flat_map(|a| one.iter().map(move |b| format!("{a} {b}")));
        let three: Vec<String> = two.clone().map(|two| format!("{two} {}", one[0])).collect();
        one.iter().cloned().chain(two).chain(three).step_by(3).collect()
    }

    fn numbers(&self, plan: &[String]) -> Plan {
        let number = |name: &String| self.operators.iter().position(|op| op.name == *name);
        plan.iter().map(|name| number(name).expect("an operator")).collect()
    }

    fn listed(&self, puzzle: &dyn Puzzle, state: &str, slack: u8) -> Option<Vec<Plan>> {
        let limits = search::Limits { bound: Some(5), ..search::Limits::default() };
        let request = Request::default().plans(usize::MAX).slack(slack).limits(limits);
        let answer = puzzle.solve(state, &request).ok()?;
        let plans: Vec<Plan> = answer.plans.iter().map(|plan| self.numbers(plan)).collect();
        assert_eq!(answer.ending == Ending::Solved, !plans.is_empty());
        Some(plans)
    }
}

/// The list has the cheapest plans, each in one order: swaps of commuting neighbours make no other
/// plan.
#[test]
fn each_cheapest_plan_is_listed_once_in_one_order() {
    let mut merged = 0;
    for seed in 0..60 {
        let small = Small::new(seed, seed % 2 == 0, seed % 4 > 1);
        let Ok(puzzle) = std::panic::catch_unwind(|| small.puzzle("best")) else {
            // The rules leave no move.
            continue;
        };
        for state in small.words() {
            let start = small.definition.parse_state(&state).expect("moves");
            let plans: Vec<Plan> =
                small.plans(&start, 4).into_iter().map(|found| found.0).collect();
            let Some(least) = plans.iter().map(Vec::len).min() else { continue };
            let known: HashSet<Plan> =
                plans.into_iter().filter(|plan| plan.len() == least).collect();
            let classes: HashSet<BTreeSet<Plan>> =
                known.iter().map(|plan| small.orders(plan)).collect();
            let listed = small.listed(&*puzzle, &state, 0).expect("a state");
            let text = &small.text;
            assert!(listed.iter().all(|plan| known.contains(plan)), "{text}{state}: {listed:?}");
            let told: HashSet<_> = listed.iter().map(|plan| small.orders(plan)).collect();
            assert_eq!((listed.len(), told.len()), (classes.len(), classes.len()), "{text}{state}");
            merged += known.len() - classes.len();
        }
    }
    assert!(merged > 30, "{merged}");
}

/// Above the least cost, a plan counts in one order if some order passes no goal and no state
/// twice.
#[test]
fn each_longer_plan_is_listed_once_in_an_order_that_is_a_plan() {
    let mut moved = 0;
    for seed in 0..24 {
        let small = Small::new(seed, false, seed % 3 > 0);
        let puzzle = small.puzzle("best");
        for state in small.words() {
            let start = small.definition.parse_state(&state).expect("moves");
            let all = small.plans(&start, 5);
            let Some(least) = all.iter().map(|(plan, _)| plan.len()).min() else { continue };
            if least == 0 || least > 3 {
                continue;
            }
            let is_short = |plan: &Plan| !plan.windows(2).any(|two| small.is_long(two[0], two[1]));
            let is_simple = |passed: &[PuzzleState]| {
                (0..passed.len()).all(|at| !passed[..at].contains(&passed[at]))
            };
            let ascends = |plan: &Plan| {
                plan.windows(2).all(|two| two[0] <= two[1] || !small.commute(two[0], two[1]))
            };
            let plans = all.into_iter().filter(|(plan, passed)| {
                plan.len() <= least + 2 && is_short(plan) && is_simple(passed)
            });
            let plans: HashSet<Plan> = plans.map(|(plan, _)| plan).collect();
            let classes: HashSet<BTreeSet<Plan>> = plans
                .iter()
                .map(|plan| small.orders(plan))
                .filter(|orders| orders.iter().any(|order| is_short(order) && ascends(order)))
                .collect();
            let listed = small.listed(&*puzzle, &state, 2).expect("a state");
            let text = &small.text;
            assert!(listed.iter().all(|plan| plans.contains(plan)), "{text}{state}: {listed:?}");
            let told: HashSet<_> = listed.iter().map(|plan| small.orders(plan)).collect();
            assert_eq!(told, classes, "{text}{state}");
            assert_eq!(listed.len(), classes.len(), "{text}{state}");
            moved += listed.iter().filter(|plan| !ascends(plan)).count();
        }
    }
    assert!(moved > 0, "{moved}");
}

/// Under rules, also if they leave a move out, states have the distance of their shortest plan.
#[test]
fn states_are_counted_by_their_shortest_plan_under_rules() {
    let mut without = 0;
    for seed in 1000..1060 {
        let small = Small::new(seed, true, seed % 5 == 0);
        if small
            .operators
            .iter()
            .all(|op| small.limits.get(&op.name.chars().next().expect("a name")) == Some(&0))
        {
            continue;
        }
        without += usize::from(small.limits.values().any(|&most| most == 0));
        let puzzle = small.puzzle("best");
        let mut known = vec![0_u128; 4];
        let mut seen = HashSet::new();
        // From the goals back: the inverse of a plan, last operator first.
        let mut states: Vec<PuzzleState> = small.definition.goals().to_vec();
        while let Some(state) = states.pop() {
            if !seen.insert(state.pieces(0).to_vec()) {
                continue;
            }
            let least = small.plans(&state, 3).iter().map(|(plan, _)| plan.len()).min();
            if let Some(least) = least {
                known[least] += 1;
            }
            states.extend(small.operators.iter().map(|op| state.apply(&op.transformation)));
        }
        let mut told = Vec::new();
        let tell = &mut |_, count| told.push(count);
        puzzle
            .counting()
            .expect("counts")
            .count_states(3, &Request::default(), tell)
            .expect("small");
        assert_eq!(told, known, "{}", small.text);
    }
    assert!(without > 8, "{without}");
}
