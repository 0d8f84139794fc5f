//! A symmetry of a puzzle as a relabelling of slots, pieces and operators: [`Relabelling`].

use search::Op;

/// The effect of a symmetry on slots and pieces.
///
/// A piece in slot `s` with twist `t` becomes another piece in slot `to[s]`. Its twist is reversed
/// if the slot is mirrored. Then the shift of its slot is added, and that of its home subtracted.
#[derive(Clone, Debug)]
pub(crate) struct Relabelling {
    /// For each slot: its image. It is also the image of the piece at home there.
    pub(crate) to: Vec<u8>,
    /// For each slot: the twist of the image of the point with twist 0.
    pub(super) shift: Vec<u8>,
    /// For each slot: whether twists are reversed.
    pub(super) mirrored: Vec<bool>,
    pub(super) operators: Vec<Op>,
}

impl Relabelling {
    /// The image of a piece that lies in `slot` with this twist: another piece and its twist.
    ///
    /// `modulus` is the number of twists of the slot.
    #[inline(always)]
    pub(crate) fn image(&self, slot: usize, piece: u8, twist: u8, modulus: u8) -> (u8, u8) {
        let home = usize::from(piece);
        let turned = if self.mirrored[slot] { modulus - twist } else { twist };
        // At most thrice the modulus, which is at most 128.
        let sum = u16::from(turned) + u16::from(self.shift[slot]) + u16::from(modulus)
            - u16::from(self.shift[home]);
        (self.to[home], u8::try_from(sum % u16::from(modulus)).expect("below a byte"))
    }

    /// The shift of twists in a slot, and whether they are reversed.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn turn(&self, slot: usize) -> (u8, bool) {
        (self.shift[slot], self.mirrored[slot])
    }

    /// For each of `slots`: the slot that the symmetry maps to it.
    pub(crate) fn sources(&self, slots: &[usize]) -> Vec<usize> {
        let from = |&slot: &usize| self.to.iter().position(|&to| usize::from(to) == slot);
        slots.iter().filter_map(from).collect()
    }

    /// The image of a point. Both points are given by slot and twist.
    pub(crate) fn point(&self, slot: usize, twist: u8, modulus: u8) -> (usize, u8) {
        let turned = if self.mirrored[slot] { modulus - twist } else { twist };
        let sum = (u16::from(turned) + u16::from(self.shift[slot])) % u16::from(modulus);
        (usize::from(self.to[slot]), u8::try_from(sum).expect("below a byte"))
    }

    /// For each operator: its image.
    pub(crate) fn operators(&self) -> &[Op] {
        &self.operators
    }

    /// The image of an operator.
    #[inline(always)]
    pub(crate) fn operator(&self, op: Op) -> Op {
        self.operators[op.index()]
    }
}
