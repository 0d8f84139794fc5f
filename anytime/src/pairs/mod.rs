//! Plans by beams over single operators, led by estimates for pairs of places: [`PairBeam`].

mod ball;
mod beam;
mod parts;
mod tables;
#[cfg(test)]
mod tests;
mod train;

use crate::contents::Contents;
use crate::{Generators, Pieces};
use ball::Ball;
use beam::{Candidate, Node};

pub(crate) use parts::PairBeam;
use search::Op;
use tables::PairTables;

/// The states of the ball while the weights are learned, and the most for a search.
const SMALL_BALL: u64 = 100_000;
const LARGE_BALL: u64 = 300_000;

/// The successors of a random state that lead to others, for each operator. The depth of a puzzle
/// is taken for the steps after which so many make as many states as there are, times `DEEP`.
const BRANCHING: f64 = 0.6;
const DEEP: f64 = 1.6;
const MOST_DEPTH: u32 = 500;

/// The logarithm of the number of states up to which estimates are learned: 10^27. Above, narrow
/// beams come to the ball only from short walks.
const MOST_STATES: f64 = 62.2;

/// What beams by pairs depend on beside the puzzle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The number of elements of the group, as a logarithm.
    pub(crate) elements: f64,
    /// The most bytes of the weights and of the ball.
    pub(crate) bytes: u64,
    /// About the nodes that are generated to learn.
    pub(crate) nodes: u64,
}

impl PairBeam {
    /// The most bytes that are taken.
    pub(crate) const MOST_BYTES: u64 = 1 << 25;

    /// The beams for a puzzle.
    ///
    /// `saved` are the weights that [`PairBeam::to_bytes`] gave for the same. Otherwise they are
    /// learned, in up to half a minute. `None` if there are too many states or weights, or an
    /// operator costs nothing. Also if pieces that look alike may be turned by different steps, the
    /// bytes are no such weights, or `stop` is true.
    pub(crate) fn new(
        (generators, pieces): (&Generators, &Pieces),
        Scope { elements, bytes, nodes }: Scope,
        saved: Option<&[u8]>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let (least, bytes) = (generators.least_cost(), bytes.min(Self::MOST_BYTES));
        let contents = Contents::new(generators, pieces, bytes)?;
        let states = elements.min(contents.log_arrangements());
        if states > MOST_STATES || least == 0 {
            return None;
        }
        let tables = PairTables::new(&contents, bytes / 2)?;
        let ops = || (0..generators.len()).map(Op::new);
        let with_next = |is: &dyn Fn(Op, Op) -> bool| -> Vec<Vec<bool>> {
            ops().map(|last| ops().map(|next| is(last, next)).collect()).collect()
        };
        let follows = with_next(&|last, next| generators.may_follow(last, next));
        let varies = with_next(&|last, next| generators.saving(last, next) == 0);
        let mut kinds: Vec<Vec<Op>> = Vec::new();
        for op in ops() {
            match kinds.iter_mut().find(|kind| !varies[kind[0].index()][op.index()]) {
                Some(kind) => kind.push(op),
                None => kinds.push(vec![op]),
            }
        }
        let ball = |contents: &Contents, states| Ball::new(contents, (states, bytes / 2), stop);
        if let Some(saved) = saved {
            let weights = saved.chunks_exact(4).map(|four| four.try_into().unwrap_or([0; 4]));
            let tables = tables.with_weights(weights.map(i32::from_le_bytes).collect())?;
            let ball = ball(&contents, LARGE_BALL)?;
            return Some(Self { contents, tables, ball, least, follows, varies, kinds });
        }
        let small = ball(&contents, SMALL_BALL)?;
        let beam = Self { contents, tables, ball: small, least, follows, varies, kinds };
        if beam.ball.is_whole() {
            // There is nothing to estimate.
            return Some(beam);
        }
        let branching = (generators.len() as f64 * BRANCHING).max(2.0).ln();
        let is_deep = |depth: &u32| f64::from(*depth) * branching >= states * DEEP;
        let depth = (1..=MOST_DEPTH).find(is_deep).unwrap_or(MOST_DEPTH);
        let learned = beam.train((depth, nodes), stop)?;
        let large = ball(&learned.contents, LARGE_BALL)?;
        Some(Self { ball: large, ..learned })
    }

    /// The weights as bytes: four for each, the lowest first.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.tables.weights().iter().flat_map(|weight| weight.to_le_bytes()).collect()
    }

    /// The bytes of a state of a beam, with its successors. What is kept of earlier layers comes
    /// to it.
    fn bytes_of_node(&self) -> u64 {
        let (places, ops) = (self.contents.goal.len(), self.contents.moves.len());
        let node = places * size_of::<u16>() + size_of::<Node>();
        (2 * node + 2 * ops * size_of::<Candidate>()) as u64
    }

    /// Whether a layer of so many states takes at most half of the bytes.
    pub(crate) fn fits(&self, width: usize, bytes: u64) -> bool {
        self.bytes_of_node().saturating_mul(width as u64) <= bytes / 2
    }

    /// The best plan that costs less than `limit`, of one beam from all these states, whose pieces
    /// lie at these points: the number of the state, and its plan. Returns the nodes, too.
    ///
    /// A layer has at most `width` states, and all layers about so many bytes. The same for any
    /// number of threads, unless `stop` is true.
    pub(crate) fn search(
        &self,
        starts: &[&[u16]],
        (width, limit, bytes): (usize, u32, u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Option<(usize, Vec<Op>)>, u64) {
        let roots: Vec<Vec<u16>> = starts.iter().map(|images| self.contents.of(images)).collect();
        if let Some(solved) = roots.iter().position(|root| *root == self.contents.goal) {
            return (Some((solved, Vec::new())), 0);
        }
        let beam::Ended { plan, nodes } = self.beam(&roots, (width, limit, bytes / 2), stop);
        (plan, nodes)
    }
}
