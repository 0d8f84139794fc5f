//! The states of a large puzzle that are near some starts, and a heuristic that knows them.

use super::large::{LargePuzzle, LargeState};
use rustc_hash::FxHashMap;
use search::{Claims, Cost, Domain, Heuristic, Op, OpSet, Verdict};

/// A breadth-first search that stores only the parent and the operator of each state. Takes 50
/// bytes a state.
///
/// States are identified by [`LargeState::fingerprint`]. A layer has the states at one cost.
#[derive(Debug)]
pub struct NearStates<'p> {
    puzzle: &'p LargePuzzle,
    starts: Vec<LargeState>,
    /// For each state: the index of its parent, and the operator. For a start: its index in
    /// `starts`, and 0.
    nodes: Vec<(u32, u16)>,
    /// For each fingerprint: the cost.
    known: FxHashMap<u128, Cost>,
    /// The index of the first state of each layer, and the end of the last layer.
    begins: Vec<usize>,
    /// The costs of operators, ascending.
    costs: Vec<Cost>,
}

/// Number of parents between two calls of `stop`.
const LOOK: usize = 1 << 4;

impl<'p> NearStates<'p> {
    /// A search whose layer 0 has these starts.
    pub fn new(puzzle: &'p LargePuzzle, starts: &[LargeState]) -> Self {
        let mut costs: Vec<Cost> =
            (0..puzzle.operators()).map(|op| puzzle.cost(Op::new(op))).collect();
        costs.sort_unstable();
        costs.dedup();
        let mut near = Self {
            puzzle,
            starts: Vec::new(),
            nodes: Vec::new(),
            known: FxHashMap::default(),
            begins: vec![0],
            costs,
        };
        for start in starts {
            if near.known.insert(start.fingerprint(), 0).is_none() {
                near.nodes.push((number(near.starts.len()), 0));
                near.starts.push(start.clone());
            }
        }
        near.begins.push(near.nodes.len());
        near
    }

    /// The number of states so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of states in each complete layer.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.begins.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// Whether no further layer has a state. This is known once the last layers are empty, as many
    /// as the greatest operator cost.
    pub fn is_exhausted(&self) -> bool {
        let most = self.costs.last().map_or(0, |&cost| usize::from(cost));
        self.begins.windows(2).rev().take(most).all(|layer| layer[0] == layer[1])
    }

    /// Completes the next layer and returns its size. `stop` receives the number of states so far.
    /// Once it returns true, the layer is dropped, and the result is `None`.
    ///
    /// # Panics
    /// If there are 2^32 states.
    pub fn advance(&mut self, stop: &dyn Fn(usize) -> bool) -> Option<usize> {
        let (puzzle, before) = (self.puzzle, self.nodes.len());
        let depth = self.begins.len() - 1;
        let cost_here = Cost::try_from(depth).unwrap_or(Cost::MAX);
        let mut looked = 0;
        for cost in self.costs.clone() {
            let Some(from) = depth.checked_sub(cost.into()) else { break };
            let of_cost = |op: &Op| puzzle.cost(*op) == cost;
            for parent in self.begins[from]..self.begins[from + 1] {
                looked += 1;
                if looked % LOOK == 0 && stop(self.nodes.len()) {
                    let last = self.nodes.split_off(before);
                    self.known.retain(|_, known| *known < cost_here);
                    drop(last);
                    return None;
                }
                let state = self.state(parent);
                for op in puzzle.applicable(&state).members().filter(of_cost) {
                    let fingerprint = puzzle.fingerprint_after(&state, op);
                    self.known.entry(fingerprint).or_insert_with(|| {
                        self.nodes.push((number(parent), op.0));
                        cost_here
                    });
                }
            }
        }
        self.begins.push(self.nodes.len());
        Some(self.nodes.len() - before)
    }

    /// The states of a complete layer, recomputed from the starts.
    pub fn layer(&self, depth: usize) -> impl Iterator<Item = LargeState> + '_ {
        (self.begins[depth]..self.begins[depth + 1]).map(|node| self.state(node))
    }

    /// The state with this index, recomputed from its start.
    fn state(&self, mut node: usize) -> LargeState {
        let mut ops = Vec::new();
        while node >= self.begins[1] {
            let (parent, op) = self.nodes[node];
            ops.push(Op(op));
            node = parent as usize;
        }
        let mut state = self.starts[self.nodes[node].0 as usize].clone();
        let mut next = state.clone();
        for &op in ops.iter().rev() {
            self.puzzle.apply_into(&state, op, &mut next);
            std::mem::swap(&mut state, &mut next);
        }
        state
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 states")
}

/// A heuristic that knows the distance of every state near the goals, and one bound for all others.
///
/// Admissible: yes. States that share a fingerprint count as the nearer one. Consistent: yes.
#[derive(Clone, Debug, Default)]
pub struct NearGoals {
    known: FxHashMap<u128, Cost>,
    /// A lower bound on the distance of all other states.
    beyond: Cost,
}

impl NearGoals {
    /// Finds the complete layers near the goals that have at most about `most` states together.
    /// `None` if `stop` returns true.
    ///
    /// If goals ignore slots, there are too many goal states, and the bound is 0 everywhere.
    pub fn new(puzzle: &LargePuzzle, most: usize, stop: &dyn Fn() -> bool) -> Option<Self> {
        if puzzle.labels().ignore.is_some() {
            return Some(Self::default());
        }
        let backward = puzzle.backward();
        let mut near = NearStates::new(&backward, puzzle.goals());
        while near.begins.len() <= usize::from(Cost::MAX) {
            // Layers mostly grow by the same factor.
            let last: Vec<usize> = near.layers().filter(|&states| states > 0).collect();
            let grown = match last[..] {
                [.., before, last] => last.saturating_mul(last) / before,
                _ => 1,
            };
            if grown > most {
                break;
            }
            if near.advance(&|states| states > most || stop()).is_none() {
                break;
            }
            if near.is_exhausted() {
                break;
            }
        }
        if stop() {
            return None;
        }
        let beyond = Cost::try_from(near.begins.len() - 1).unwrap_or(Cost::MAX);
        Some(Self { known: near.known, beyond })
    }

    /// The bytes in memory.
    pub fn bytes(&self) -> usize {
        self.known.capacity() * (size_of::<(u128, Cost)>() + 1)
    }
}

impl Heuristic<LargePuzzle> for NearGoals {
    search::carry_nothing! { LargePuzzle }
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();

    fn bound(
        &self,
        _: &LargePuzzle,
        state: &LargeState,
        (): &mut (),
        _: Cost,
    ) -> Verdict<<LargePuzzle as Domain>::Ops> {
        Verdict::bound(self.known.get(&state.fingerprint()).copied().unwrap_or(self.beyond))
    }
}
