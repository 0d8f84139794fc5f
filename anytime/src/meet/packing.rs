//! The contents of all places in one number: [`Packing`].

use crate::contents::{Change, Contents};

/// The bits of a place.
#[derive(Clone, Copy, Debug)]
struct Field {
    shift: u32,
    mask: u128,
}

/// How the content of a place changes.
#[derive(Clone, Debug)]
struct Shift {
    from: u32,
    to: u32,
    mask: u128,
    /// What each content becomes. `None`: what it was.
    turned: Option<Vec<u128>>,
}

/// What an operator does to a number.
#[derive(Clone, Debug)]
struct Move {
    /// The bits of the places that stay as they are.
    keeps: u128,
    shifts: Vec<Shift>,
}

/// States as numbers of 128 bits, a field for each place.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    fields: Vec<Field>,
    moves: Vec<Move>,
}

impl Packing {
    /// `None` if the fields take more bits.
    pub(super) fn new(contents: &Contents) -> Option<Self> {
        let mut shift = 0;
        let field = |&kinds: &usize| {
            let bits = kinds.next_power_of_two().trailing_zeros();
            let own = Field { shift, mask: (1 << bits) - 1 };
            shift += bits;
            (shift < u128::BITS).then_some(own)
        };
        let fields: Option<Vec<Field>> = contents.kinds.iter().map(field).collect();
        let fields = fields?;
        let shift = |change: &Change| {
            let (from, to) = (fields[change.from], fields[change.to]);
            let turned = (change.turn != 0).then(|| {
                let kinds = (0..=u16::MAX).take(contents.kinds[change.from]);
                kinds.map(|content| contents.turned_by(content, change).into()).collect()
            });
            Shift { from: from.shift, to: to.shift, mask: from.mask, turned }
        };
        let moved = |own: &crate::contents::Move| {
            let changed = own.changes.iter().map(|change| fields[change.to]);
            let changed = changed.fold(0, |bits, field| bits | field.mask << field.shift);
            Move { keeps: !changed, shifts: own.changes.iter().map(shift).collect() }
        };
        let moves = contents.moves.iter().map(moved).collect();
        Some(Self { fields, moves })
    }

    /// The number of a state.
    pub(super) fn pack(&self, state: &[u16]) -> u128 {
        let fields = self.fields.iter().zip(state);
        fields.fold(0, |number, (field, &content)| number | u128::from(content) << field.shift)
    }

    /// The number of the state after an operator.
    #[inline]
    pub(super) fn apply(&self, state: u128, op: usize) -> u128 {
        let moved = &self.moves[op];
        let mut after = state & moved.keeps;
        for Shift { from, to, mask, turned } in &moved.shifts {
            let content = state >> from & mask;
            let content = turned.as_ref().map_or(content, |turned| turned[content as usize]);
            after |= content << to;
        }
        after
    }
}
