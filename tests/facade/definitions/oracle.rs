//! A slow search that shares nothing with the engine: [`Oracle`].

use permutation::{Definition, MoveMetric, Operators, PuzzleState, ReadLimits, ReferencePuzzle};
use search::Op;
use search::plan::Reference;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The pieces and the orientations of all slots.
type Key = (Vec<u16>, Vec<u8>);

pub(super) fn key(state: &PuzzleState) -> Key {
    let orbits = 0..state.orbits().len();
    let pieces = orbits.clone().flat_map(|orbit| state.pieces(orbit).to_vec());
    (pieces.collect(), orbits.flat_map(|orbit| state.orientation(orbit).to_vec()).collect())
}

/// A slow, simple search: a definition, the list of its states, and where each operator leads from
/// each state.
pub(super) struct Oracle {
    pub(super) definition: Definition,
    pub(super) operators: Operators,
    pub(super) states: Vec<PuzzleState>,
    pub(super) next: Vec<Vec<Option<usize>>>,
}

impl Oracle {
    pub(super) fn new(text: &str, metric: MoveMetric) -> Self {
        let definition = Definition::from_tws(text, &ReadLimits::default()).expect("a definition");
        let operators = definition.operators(metric).expect("operators");
        let (mut states, mut numbers) = (Vec::new(), HashMap::new());
        for goal in definition.goals() {
            numbers.entry(key(goal)).or_insert_with(|| {
                states.push(goal.clone());
                states.len() - 1
            });
        }
        let mut next: Vec<Vec<Option<usize>>> = Vec::new();
        while next.len() < states.len() {
            let state = states[next.len()].clone();
            let step = operators.list.iter().map(|op| {
                let after = definition.after(&state, op.turn).ok()?;
                Some(*numbers.entry(key(&after)).or_insert_with(|| {
                    states.push(after);
                    states.len() - 1
                }))
            });
            let step = step.collect();
            next.push(step);
        }
        Self { definition, operators, states, next }
    }

    /// For each goal: whether a state equals it in all slots that are not ignored.
    fn goals(&self, state: &PuzzleState) -> Vec<bool> {
        let (pieces, turns) = key(state);
        let ignore = self.definition.rules().ignore.clone();
        let equals = |goal: &PuzzleState| {
            let (others, other_turns) = key(goal);
            let ignored = |slot: usize| {
                let flags = |ignore: &permutation::IgnoredSlots| {
                    (ignore.pieces[slot], ignore.orientation[slot])
                };
                ignore.as_ref().map_or((false, false), flags)
            };
            (0..pieces.len()).all(|slot| {
                (ignored(slot).0 || pieces[slot] == others[slot])
                    && (ignored(slot).1 || turns[slot] == other_turns[slot])
            })
        };
        self.definition.goals().iter().map(equals).collect()
    }

    /// For each state: its class. Every plan takes all states of a class to the same goals, or to
    /// none.
    pub(super) fn classes(&self) -> Vec<usize> {
        let mut numbers = BTreeMap::new();
        let number = |goals: Vec<bool>| {
            let next = numbers.len();
            *numbers.entry(goals).or_insert(next)
        };
        let mut class: Vec<usize> = self.states.iter().map(|s| self.goals(s)).map(number).collect();
        loop {
            let mut numbers = HashMap::new();
            let finer = (0..class.len()).map(|state| {
                let after: Vec<_> = self.next[state].iter().map(|n| n.map(|n| class[n])).collect();
                let next = numbers.len();
                *numbers.entry((class[state], after)).or_insert(next)
            });
            let finer: Vec<usize> = finer.collect();
            let count = |class: &[usize]| class.iter().collect::<HashSet<_>>().len();
            if count(&finer) == count(&class) {
                return class;
            }
            class = finer;
        }
    }

    /// For each state: the length of its shortest plan. `None` if it has no plan.
    pub(super) fn lengths(&self) -> Vec<Option<usize>> {
        let rules = self.definition.rules();
        if !rules.forbidden.is_empty() || !rules.limits.is_empty() {
            return self.states.iter().map(|state| self.length_under_rules(state)).collect();
        }
        let solved = |state: &PuzzleState| self.goals(state).contains(&true).then_some(0);
        let mut lengths: Vec<Option<usize>> = self.states.iter().map(solved).collect();
        for length in 1.. {
            let closer = |next: &Vec<Option<usize>>| {
                next.iter().flatten().any(|&next| lengths[next] == Some(length - 1))
            };
            let found =
                (0..lengths.len()).filter(|&s| lengths[s].is_none() && closer(&self.next[s]));
            let found: Vec<usize> = found.collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|state| lengths[state] = Some(length));
        }
        lengths
    }

    fn length_under_rules(&self, state: &PuzzleState) -> Option<usize> {
        let reference = ReferencePuzzle::new(&self.definition, &self.operators);
        let (mut layer, mut seen) = (vec![reference.start(state)], HashSet::new());
        for length in 0.. {
            if layer.is_empty() {
                return None;
            }
            if layer.iter().any(|made| reference.is_solved(made)) {
                return Some(length);
            }
            let mut next = Vec::new();
            for made in &layer {
                let ops = (0..self.operators.list.len()).map(Op::new);
                let new = ops.filter_map(|op| reference.successor(made, op));
                next.extend(new.filter(|made| seen.insert(format!("{made:?}"))));
            }
            layer = next;
        }
        None
    }

    /// For each distance from a goal: the number of classes.
    pub(super) fn layers(&self) -> Vec<u128> {
        let (classes, lengths) = (self.classes(), self.lengths());
        let found = classes.into_iter().zip(lengths);
        let found: HashSet<(usize, usize)> =
            found.filter_map(|(class, length)| Some((class, length?))).collect();
        let last = found.iter().map(|&(_, length)| length).max().expect("a goal");
        let count = |length| found.iter().filter(|one| one.1 == length).count() as u128;
        (0..=last).map(count).collect()
    }

    /// For each state: what its cheapest plan costs. `None` if it has no plan.
    pub(super) fn costs(&self) -> Vec<Option<u64>> {
        let cost = |op: usize| u64::from(self.operators.list[op].cost);
        if (0..self.operators.list.len()).all(|op| cost(op) == 1) {
            return self.lengths().into_iter().map(|length| length.map(|l| l as u64)).collect();
        }
        let solved = |state: &PuzzleState| self.goals(state).contains(&true).then_some(0);
        let mut costs: Vec<Option<u64>> = self.states.iter().map(solved).collect();
        let mut is_new = true;
        while is_new {
            is_new = false;
            for state in 0..costs.len() {
                let next = self.next[state].iter().enumerate();
                let through = next.filter_map(|(op, &next)| Some(costs[next?]? + cost(op))).min();
                if through.is_some_and(|through| costs[state].is_none_or(|old| through < old)) {
                    (costs[state], is_new) = (through, true);
                }
            }
        }
        costs
    }

    /// What a plan costs, if it takes a state to a goal.
    pub(super) fn replay(&self, state: usize, plan: &[String]) -> Option<u64> {
        let (mut at, mut cost) = (state, 0);
        for name in plan {
            let op = self.operators.list.iter().position(|op| op.name == *name)?;
            at = self.next[at][op]?;
            cost += u64::from(self.operators.list[op].cost);
        }
        self.goals(&self.states[at]).contains(&true).then_some(cost)
    }
}
