//! The infinite grid, an example of Larry Taylor and Richard Korf for duplicate strings.

use fewest::Failure;
use fewest::fsm::{Automaton, ForbiddenStrings, Keep};
use fewest::search::{Contexts, Domain, Op, Packed, Reversible};

/// The points of an infinite grid. The operators step up, down, right and left. There is no goal.
///
/// Inverse steps are neighbours in this order. So of all paths to a point, the smallest goes up or
/// down first, then right or left, and each of its two parts has one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid;

impl Grid {
    /// The point from which steps are counted.
    pub(super) const ORIGIN: [i16; 2] = [0, 0];

    /// Each step with the step back.
    pub(super) fn ways_back() -> Vec<[Op; 2]> {
        (0..4).map(|op| [Op::new(op), Op::new(op ^ 1)]).collect()
    }

    /// The automaton that forbids these strings.
    pub(super) fn automaton(strings: &[[Op; 2]]) -> Result<Automaton<u64>, Failure> {
        let strings = strings.iter().map(|string| &string[..]);
        let forbidden = ForbiddenStrings::from_strings(&[1; 4], 2, Keep::OneOptimal, strings);
        Automaton::new(&forbidden.map_err(Failure::refused)?).map_err(Failure::refused)
    }
}

impl Domain for Grid {
    type State = [i16; 2];
    type Ops = u64;
    fn operators(&self) -> usize {
        4
    }
    fn applicable(&self, _: &[i16; 2]) -> u64 {
        0b1111
    }
    fn apply_into(&self, from: &[i16; 2], op: Op, to: &mut [i16; 2]) {
        let [x, y] = *from;
        *to = [[x, y + 1], [x, y - 1], [x + 1, y], [x - 1, y]][op.index()];
    }
    fn is_goal(&self, _: &[i16; 2]) -> bool {
        false
    }
}

impl Reversible for Grid {
    fn inverse_op(&self, op: Op) -> Op {
        Op::new(op.index() ^ 1)
    }
}

impl Contexts for Grid {
    fewest::search::one_context! { |_: &Self| Self::ORIGIN }
}

impl Packed for Grid {
    type Key = u32;
    fn pack(&self, state: &[i16; 2]) -> u32 {
        let [x, y] = state.map(|part| u32::from(part.cast_unsigned()));
        x << 16 | y
    }
    #[expect(clippy::cast_possible_truncation, reason = "a key has two halves of 16 bits")]
    fn unpack(&self, key: u32, out: &mut [i16; 2]) {
        *out = [(key >> 16) as u16, key as u16].map(u16::cast_signed);
    }
}
