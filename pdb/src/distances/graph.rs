//! Moves by context: what every operator moves from where to where, read off a representative of each context once.

use super::{LearnError, MOST_CONTEXTS, MOST_FEATURES, MOST_PLACES, NONE};
use search::{Cost, Op, OpSet, Placed};

/// A move seen from where it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Back {
    /// The context before the move.
    pub(super) context: u16,
    /// The place that the move leaves.
    pub(super) from: u8,
    /// The place that it enters, which was free.
    pub(super) to: u8,
    pub(super) cost: Cost,
}

/// All moves of a domain.
#[derive(Clone, Debug)]
pub(super) struct MoveGraph {
    pub(super) places: usize,
    pub(super) contexts: usize,
    operators: usize,
    /// By context after the move, and one more: where its moves begin.
    first: Vec<u32>,
    back: Vec<Back>,
    /// By context before the move, then operator: the places left and entered; [`NONE`] where it does not apply. 2 bytes each.
    ways: Vec<(u8, u8)>,
}

fn check(what: &'static str, found: usize, most: usize) -> Result<(), LearnError> {
    if found <= most { Ok(()) } else { Err(LearnError::TooMany { what, found, most }) }
}

#[expect(clippy::cast_possible_truncation, reason = "places and contexts are checked to fit")]
impl MoveGraph {
    pub(super) fn new<D: Placed>(domain: &D) -> Result<Self, LearnError> {
        let (places, contexts) = (domain.places(), domain.contexts());
        check("places", places, MOST_PLACES)?;
        check("contexts", contexts, MOST_CONTEXTS)?;
        check("features", domain.features(), MOST_FEATURES)?;
        let operators = domain.operators();
        let mut ways = vec![(NONE, NONE); contexts * operators];
        let mut into: Vec<Vec<Back>> = vec![Vec::new(); contexts];
        for context in 0..contexts {
            let state = domain.representative(context);
            let mut next = state.clone();
            for op in domain.applicable(&state).members() {
                domain.apply_into(&state, op, &mut next);
                let mover = domain.mover(&state, op);
                let (from, to) = (domain.place(&state, mover), domain.place(&next, mover));
                // The law of `Placed` has it at a place before and after.
                let Some((from, to)) = from.zip(to) else { continue };
                let (from, to) = (from as u8, to as u8);
                ways[context * operators + op.index()] = (from, to);
                let cost = domain.cost(op);
                into[domain.context(&next)].push(Back { context: context as u16, from, to, cost });
            }
        }
        let ends = into.iter().scan(0, |end, moves| {
            *end += moves.len() as u32;
            Some(*end)
        });
        let first = std::iter::once(0).chain(ends).collect();
        Ok(Self { places, contexts, operators, first, back: into.concat(), ways })
    }

    /// The moves that end in a context.
    #[inline(always)]
    pub(super) fn into(&self, context: u16) -> &[Back] {
        let context = usize::from(context);
        &self.back[self.first[context] as usize..self.first[context + 1] as usize]
    }

    /// From where to where an applicable operator moves what lies there.
    #[inline(always)]
    pub(super) fn way(&self, context: usize, op: Op) -> (u8, u8) {
        self.ways[context * self.operators + op.index()]
    }

    /// Bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.first[..]) + size_of_val(&self.back[..]) + size_of_val(&self.ways[..])
    }
}
