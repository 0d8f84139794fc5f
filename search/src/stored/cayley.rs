//! A toy for tests: graphs of permutations with random generators, costs and gaps.

use crate::domain::{Cost, Domain, Group, Key, Op, OpSet, Packed, Reversible};
use crate::plan::Reference;
use crate::random::Random;

/// An order of five things.
pub(super) type State = [u8; 5];

/// The goal of every graph.
pub(super) const GOAL: State = [0, 1, 2, 3, 4];

/// Up to three random generators and their inverses, each with a cost of its own. Operator `2 i +
/// 1` undoes operator `2 i`.
#[derive(Debug)]
pub(super) struct Cayley {
    generators: Vec<State>,
    costs: Vec<Cost>,
    /// One of this many edges is missing, in both directions; 0 for none.
    gaps: u64,
    /// Whether all generators are odd and have odd costs.
    odd: bool,
}

fn product(a: &State, b: &State) -> State {
    b.map(|place| a[usize::from(place)])
}

fn is_odd(state: &State) -> bool {
    let pairs = (0..5).flat_map(|b| (0..b).map(move |a| (a, b)));
    pairs.filter(|&(a, b)| state[a] > state[b]).count() % 2 == 1
}

/// A heuristic that is admissible and not consistent: `exact` on about half of the states, else 0.
pub(super) fn patchy(state: &State, exact: Cost) -> Cost {
    if key(state).hash().is_multiple_of(2) { exact } else { 0 }
}

fn key(state: &State) -> u64 {
    state.iter().fold(0, |key, &thing| key << 8 | u64::from(thing))
}

impl Cayley {
    /// The graph of a seed. A third of them has all edges; every second one has parity.
    pub(super) fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let odd = seed.is_multiple_of(2);
        let gaps = [0, 2, 4][usize::try_from(seed % 3).unwrap()];
        let mut graph = Self { generators: vec![], costs: vec![], gaps, odd };
        for _ in 0..2 + random.index(2) {
            let mut generator = GOAL;
            random.shuffle(&mut generator);
            if odd && !is_odd(&generator) {
                generator.swap(0, 1);
            }
            let mut inverse = GOAL;
            graph.invert(&generator, &mut inverse);
            graph.generators.extend([generator, inverse]);
            for _ in 0..2 {
                let cost = 1 + random.below(9);
                graph.costs.push(Cost::try_from(if odd { cost | 1 } else { cost }).unwrap());
            }
        }
        graph
    }

    /// All states and edges.
    pub(super) fn graph(&self) -> EdgeList {
        let mut states = vec![[0; 5]];
        for place in 0..5 {
            let longer = |state: &State| {
                let (state, before) = (*state, state[..place].to_vec());
                (0..5).filter(move |thing| !before.contains(thing)).map(move |thing| {
                    let mut longer = state;
                    longer[place] = thing;
                    longer
                })
            };
            states = states.iter().flat_map(longer).collect();
        }
        let mut graph = EdgeList { states, edges: Vec::new() };
        for (from, state) in graph.states.iter().enumerate() {
            for op in self.applicable(state).members() {
                let mut to = GOAL;
                self.apply_into(state, op, &mut to);
                graph.edges.push((from, op, self.cost(op), graph.number(&to)));
            }
        }
        graph
    }
}

impl Domain for Cayley {
    type State = State;
    type Ops = u8;
    fn operators(&self) -> usize {
        self.generators.len()
    }
    fn applicable(&self, state: &State) -> u8 {
        let gap = |op: &Op| {
            let to = product(state, &self.generators[op.index()]);
            let edge = key(state).hash().wrapping_add(key(&to).hash());
            self.gaps > 0 && edge.is_multiple_of(self.gaps)
        };
        let ops = u8::first(self.operators()).members();
        ops.filter(|op| !gap(op)).fold(0, |ops, op| ops.with(op))
    }
    fn apply_into(&self, from: &State, op: Op, to: &mut State) {
        *to = product(from, &self.generators[op.index()]);
    }
    fn is_goal(&self, state: &State) -> bool {
        *state == GOAL
    }
    fn cost(&self, op: Op) -> Cost {
        self.costs[op.index()]
    }
    fn parity(&self, state: &State) -> Option<bool> {
        self.odd.then(|| is_odd(state))
    }
}

impl Reversible for Cayley {
    fn inverse_op(&self, op: Op) -> Op {
        Op(op.0 ^ 1)
    }
}

/// True of graphs without gaps.
impl Group for Cayley {
    fn identity(&self) -> State {
        GOAL
    }
    fn compose(&self, a: &State, b: &State, out: &mut State) {
        *out = product(a, b);
    }
    fn invert(&self, a: &State, out: &mut State) {
        for (place, &thing) in (0..).zip(a) {
            out[usize::from(thing)] = place;
        }
    }
}

impl Packed for Cayley {
    type Key = u64;
    fn pack(&self, state: &State) -> u64 {
        key(state)
    }
    fn unpack(&self, key: u64, out: &mut State) {
        let bytes = key.to_be_bytes();
        *out = std::array::from_fn(|place| bytes[3 + place]);
    }
}

/// The same graph as a list of edges: from, operator, cost, to.
pub(super) struct EdgeList {
    pub(super) states: Vec<State>,
    edges: Vec<(usize, Op, Cost, usize)>,
}

impl EdgeList {
    pub(super) fn number(&self, state: &State) -> usize {
        self.states.iter().position(|other| other == state).unwrap()
    }

    /// The least cost from each state to one; `None` if there is no way.
    pub(super) fn distances_to(&self, to: usize) -> Vec<Option<Cost>> {
        self.distances(to, |&(from, _, cost, to)| (to, cost, from))
    }

    /// The least cost from one state to each; `None` if there is no way.
    pub(super) fn distances_from(&self, from: usize) -> Vec<Option<Cost>> {
        self.distances(from, |&(from, _, cost, to)| (from, cost, to))
    }

    /// Relaxes all edges until no distance falls any more.
    fn distances(
        &self,
        first: usize,
        ends: impl Fn(&(usize, Op, Cost, usize)) -> (usize, Cost, usize),
    ) -> Vec<Option<Cost>> {
        let mut distances = vec![None; self.states.len()];
        distances[first] = Some(0);
        let mut falls = true;
        while falls {
            falls = false;
            for (known, cost, next) in self.edges.iter().map(&ends) {
                let Some(sum) = distances[known].map(|distance: Cost| distance + cost) else {
                    continue;
                };
                if distances[next].is_none_or(|old| sum < old) {
                    distances[next] = Some(sum);
                    falls = true;
                }
            }
        }
        distances
    }
}

/// Replays plans by the numbers of states.
impl Reference for EdgeList {
    type State = usize;
    fn successor(&self, state: &usize, op: Op) -> Option<usize> {
        let edge = self.edges.iter().find(|(from, other, ..)| from == state && *other == op);
        edge.map(|&(.., to)| to)
    }
    fn is_solved(&self, state: &usize) -> bool {
        self.states[*state] == GOAL
    }
}

#[test]
fn random_graphs_keep_the_laws() {
    use crate::testing::{check_domain, check_group, check_packed, check_parity, check_reversible};
    for seed in 0..12 {
        let domain = Cayley::random(seed);
        let starts = [GOAL, [3, 1, 4, 0, 2]];
        check_domain(&domain, &starts).unwrap();
        check_reversible(&domain, &starts).unwrap();
        check_packed(&domain, &starts).unwrap();
        if domain.odd {
            check_parity(&domain, &starts).unwrap();
        }
        if domain.gaps == 0 {
            check_group(&domain, &starts).unwrap();
        }
    }
}
