//! The states near the goal, with their exact costs: [`Ball`].

use crate::contents::Contents;
use rustc_hash::FxHashMap;
use search::Op;

/// The bytes of a state of the ball while it is made, beside its contents.
const ENTRY: u64 = 64;

/// The least costs of the states near the goal, by hash.
#[derive(Clone, Debug)]
pub(crate) struct Ball {
    costs: FxHashMap<u64, u8>,
    /// Whether it has all states.
    is_whole: bool,
}

impl Ball {
    /// A ball of at most so many states, all that cost less than others, in so many bytes while it
    /// is made. None costs more than 255. `None` if `stop` is true.
    pub(super) fn new(
        contents: &Contents,
        (states, bytes): (u64, u64),
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let places = contents.goal.len();
        let most = states.min(bytes / (ENTRY + 2 * places as u64)).max(1);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let goal = contents.goal.clone();
        let mut costs = FxHashMap::from_iter([(contents.hash(&goal), 0_u8)]);
        // The contents of states by cost. Some are reached at less later.
        let mut open: Vec<Vec<u16>> = vec![goal];
        let (mut cost, mut is_whole) = (0_usize, true);
        let mut next = vec![0; places];
        'all: while cost < open.len() {
            let states = std::mem::take(&mut open[cost]);
            for state in states.chunks_exact(places) {
                if stop() {
                    return None;
                }
                let hash = contents.hash(state);
                if costs.get(&hash).is_none_or(|&known| usize::from(known) < cost) {
                    continue;
                }
                for (op, moved) in contents.moves.iter().enumerate() {
                    let (hash, at) =
                        (contents.hash_after(state, hash, op), cost + moved.cost as usize);
                    if costs.get(&hash).is_some_and(|&known| usize::from(known) <= at) {
                        continue;
                    }
                    let Ok(small) = u8::try_from(at) else {
                        is_whole = false;
                        continue;
                    };
                    if costs.len() >= most && !costs.contains_key(&hash) {
                        is_whole = false;
                        break 'all;
                    }
                    costs.insert(hash, small);
                    contents.apply(state, op, &mut next);
                    if open.len() <= at {
                        open.resize(at + 1, Vec::new());
                    }
                    open[at].extend(&next);
                }
            }
            cost += 1;
        }
        if !is_whole {
            // A state that is still open is reached at less only over other open states.
            let least = contents.moves.iter().map(|moved| moved.cost as usize).min().unwrap_or(0);
            costs.retain(|_, known| usize::from(*known) <= cost + least);
        }
        Some(Self { costs, is_whole })
    }

    /// Whether it has all states.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The least cost of plans, if the state is in the ball.
    #[inline]
    pub(super) fn cost(&self, hash: u64) -> Option<u32> {
        self.costs.get(&hash).map(|&cost| cost.into())
    }

    /// A cheapest plan of a state in the ball. `None` if there is none, as after equal hashes.
    pub(super) fn plan(&self, contents: &Contents, state: &[u16]) -> Option<Vec<Op>> {
        let (mut state, mut plan) = (state.to_vec(), Vec::new());
        while state != contents.goal {
            let hash = contents.hash(&state);
            let cost = self.cost(hash)?;
            let closer = |&op: &usize| {
                let next = self.cost(contents.hash_after(&state, hash, op));
                next.is_some_and(|next| next + contents.moves[op].cost == cost)
            };
            let op = (0..contents.moves.len()).find(closer)?;
            let before = state.clone();
            contents.apply(&before, op, &mut state);
            plan.push(Op::new(op));
        }
        Some(plan)
    }
}
