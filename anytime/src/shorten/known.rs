//! Cheaper plans of a group among the states near known ones: [`Shorten`].

use super::{near_plan, plan_among};
use crate::contents::Contents;
use crate::cycles::Round;
use crate::{Generators, Pieces};
use search::{Cost, Domain, Op, OpSet, Plan};

/// The most bytes that the contents may take.
const CONTENTS: u64 = 1 << 22;

/// The bytes of a state that is held, beside its contents, with those of queues and hashes.
const STATE: u64 = 200;

/// The nodes of the first round. Each of the next so many has twice as many as the one before.
const NODES: u64 = 1 << 22;
const DOUBLINGS: u32 = 5;

/// The plans whose states are searched together: the last ones, which cost least.
const PLANS: usize = 8;

/// The operators of a puzzle, as far as they fit a set.
type Ops = [u64; 32];

/// Shortens the plans of states of a group. A state is the contents of its places.
#[derive(Clone, Debug)]
pub(crate) struct Shorten {
    contents: Contents,
    all: Ops,
}

impl Domain for Shorten {
    type State = Vec<u16>;
    type Ops = Ops;

    fn operators(&self) -> usize {
        self.contents.moves.len()
    }
    fn applicable(&self, _: &Vec<u16>) -> Ops {
        self.all
    }
    fn apply_into(&self, from: &Vec<u16>, op: Op, to: &mut Vec<u16>) {
        self.contents.apply(from, op.index(), to);
    }
    fn is_goal(&self, state: &Vec<u16>) -> bool {
        *state == self.contents.goal
    }
    fn cost(&self, op: Op) -> Cost {
        Cost::try_from(self.contents.moves[op.index()].cost).unwrap_or(Cost::MAX)
    }
}

impl Shorten {
    /// `None` if there are too many operators, or no contents of places.
    pub(crate) fn new(generators: &Generators, pieces: &Pieces) -> Option<Self> {
        if generators.len() > Ops::CAPACITY {
            return None;
        }
        let contents = Contents::new(generators, pieces, CONTENTS)?;
        Some(Self { contents, all: Ops::first(generators.len()) })
    }

    /// A round with plans of a state, each cheaper than the one before it: looks near the last
    /// plans together, and then near the parts of the best. `round` says how far, for about `left`
    /// nodes in `bytes` bytes at most. `images` are the points where the pieces lie.
    pub(crate) fn search(
        &self,
        images: &[u16],
        plans: &[Vec<Op>],
        (round, left, bytes): (u32, u64, u64),
        stop: &dyn Fn() -> bool,
    ) -> Option<Round> {
        let start = self.contents.of(images);
        let last = &plans[plans.len().saturating_sub(PLANS)..];
        let mut best = last.last()?.clone();
        let whole = NODES << round.min(DOUBLINGS);
        let nodes = whole.min(left);
        let fit = bytes / (STATE + 2 * start.len() as u64);
        let fit = usize::try_from(fit).unwrap_or(usize::MAX);
        let mut made = 0;
        if last.len() > 1 {
            let (cheaper, among) = plan_among(self, &start, last, (nodes, fit), stop);
            made = among;
            best = cheaper.map_or(best, Plan::into_vec);
        }
        let (plan, near) = near_plan(self, &start, &best, (nodes / 2, fit), stop);
        Some(Round { plan: Some(plan.to_vec()), nodes: made + near, is_cut: nodes < whole })
    }

    /// Whether a later round looks no further.
    pub(crate) fn is_widest(round: u32) -> bool {
        round > DOUBLINGS
    }
}
