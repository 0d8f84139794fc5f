//! The cube as 32 bytes for vector instructions: a second domain beside [`Cube3`].
//!
//! It has the same group and operators. With AVX2, five instructions turn a cube or its inverse.
//! The domain finds out when it is created whether the CPU has AVX2. Without AVX2, simple loops
//! over bytes do the same. Tests compare both.

mod sixteen;
#[cfg(target_arch = "x86_64")]
mod vectors;

use crate::cube::{Cube, Parts};
use crate::domain::Cube3;
use crate::turns::turn_parts;
use search::{Domain, Group, Kernel, Lookup, Op, Packed, Reversible, TwoSidedState, VectorUnit};
pub(crate) use sixteen::{Plain, Sixteen, Vector};

/// For each edge place (byte index) of a [`ByteCube`]: the number of its slot in [`Cube`], and of
/// the piece at home there. A rotation of the whole cube about the corner URF moves each place by
/// four, modulo 12.
///
/// Places 0 to 3 are the slice between F and B, places 4 to 7 the slice between R and L. Places 8
/// to 11 are the slice between U and D.
pub(crate) const EDGE_PLACES: [usize; 12] = [0, 2, 4, 6, 1, 5, 3, 7, 8, 11, 9, 10];
/// For each corner place of a [`ByteCube`]: the number of its slot in [`Cube`], and of the piece at
/// home there. Places 0 to 3 are one tetrad (orbit of corners under half turns), 4 to 7 the other.
pub(crate) const CORNER_PLACES: [usize; 8] = [0, 5, 2, 7, 1, 4, 3, 6];

/// A cube as bytes: one for each edge place and each corner place.
///
/// Bits 0 to 3 of a byte are the home place of the piece that lies there, bits 4 and 5 its flip or
/// twist. Unused bytes hold their own index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct ByteCube {
    edges: Sixteen,
    corners: Sixteen,
}

impl ByteCube {
    pub(crate) const SOLVED: Self = Self::from_parts(&Parts::SOLVED);

    #[expect(clippy::cast_possible_truncation, reason = "places are below 16")]
    const fn from_parts(parts: &Parts) -> Self {
        let (mut edge_home, mut corner_home) = ([0; 12], [0; 8]);
        let mut place = 0;
        while place < 12 {
            edge_home[EDGE_PLACES[place]] = place as u8;
            if place < 8 {
                corner_home[CORNER_PLACES[place]] = place as u8;
            }
            place += 1;
        }
        let (mut edges, mut corners) = (Sixteen::ZERO, Sixteen::ZERO);
        let mut place = 0;
        while place < 16 {
            (edges.0[place], corners.0[place]) = (place as u8, place as u8);
            if place < 12 {
                let slot = EDGE_PLACES[place];
                edges.0[place] = edge_home[parts.edges[slot] as usize] | parts.flips[slot] << 4;
            }
            if place < 8 {
                let slot = CORNER_PLACES[place];
                corners.0[place] =
                    corner_home[parts.corners[slot] as usize] | parts.twists[slot] << 4;
            }
            place += 1;
        }
        Self { edges, corners }
    }

    #[expect(clippy::cast_possible_truncation, reason = "slots are below 12")]
    fn parts(self) -> Parts {
        let mut parts = Parts::SOLVED;
        for (place, &slot) in EDGE_PLACES.iter().enumerate() {
            let byte = self.edges.0[place];
            parts.edges[slot] = EDGE_PLACES[usize::from(byte & 15) % 12] as u8;
            parts.flips[slot] = byte >> 4;
        }
        for (place, &slot) in CORNER_PLACES.iter().enumerate() {
            let byte = self.corners.0[place];
            parts.corners[slot] = CORNER_PLACES[usize::from(byte & 7)] as u8;
            parts.twists[slot] = byte >> 4;
        }
        parts
    }

    /// The product: the effect of `self`, then of `then`.
    #[inline]
    fn compose(&self, then: &Self) -> Self {
        let half = |a: &Sixteen, b: &Sixteen, turn: u8| {
            Sixteen(b.0.map(|from| {
                let sum = a.0[usize::from(from & 15)] + (from & 0x30);
                sum.min(sum.wrapping_sub(turn))
            }))
        };
        Self {
            edges: half(&self.edges, &then.edges, 0x20),
            corners: half(&self.corners, &then.corners, 0x30),
        }
    }

    /// The 12 bytes of the edges, then four unused bytes.
    #[inline(always)]
    pub(crate) fn edges(&self) -> &Sixteen {
        &self.edges
    }

    /// The 8 bytes of the corners, then eight unused bytes.
    #[inline(always)]
    pub(crate) fn corners(&self) -> &Sixteen {
        &self.corners
    }
}

/// For each face turn `3 * face + quarter turns - 1`: the turn and its inverse.
static TURNS: [(ByteCube, ByteCube); 18] = {
    let mut turns = [(ByteCube::SOLVED, ByteCube::SOLVED); 18];
    let mut turn = 0;
    while turn < 18 {
        let back = turn - turn % 3 + 2 - turn % 3;
        turns[turn] =
            (ByteCube::from_parts(&turn_parts(turn)), ByteCube::from_parts(&turn_parts(back)));
        turn += 1;
    }
    turns
};

/// Computes the table rows and columns of byte cubes with [`Vector`] operations.
pub trait Locator: Sync {
    /// Number of views of a cube.
    const VIEWS: usize;
    /// Does what [`pdb::coset::Cosets::locate_all`] does, on registers of type `V` with `L` lanes,
    /// for `N` cubes at once.
    fn each<V: Vector<L>, const L: usize, const N: usize>(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    );
}

/// Number of cubes that the widest vector unit locates at once.
#[cfg(any(test, target_arch = "x86_64"))]
pub(crate) const AT_ONCE: usize = 32;

/// The vector instructions to use: the proofs that the CPU has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    #[cfg(target_arch = "x86_64")]
    avx2: Option<vectors::Avx2>,
    #[cfg(target_arch = "x86_64")]
    avx512: Option<vectors::Avx512>,
}

impl Units {
    /// The instructions of the CPU, restricted to vector units up to `unit`.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn up_to(unit: VectorUnit) -> Self {
        let (avx2, avx512) = vectors::detect(unit);
        Self { avx2, avx512 }
    }
    /// No instructions: only x86-64 has vector units.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn up_to(_: VectorUnit) -> Self {
        Self {}
    }

    /// Does what [`pdb::coset::Cosets::locate_all`] does.
    #[inline(always)]
    pub(crate) fn locate_all(
        self,
        index: &impl Locator,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            // Locates the remaining cubes one by one: smaller batches are no faster.
            let rest = if self.avx512.is_some() { asked.len() % AT_ONCE } else { asked.len() };
            let wide = asked.len() - rest;
            let ((these, others), (out, rest)) = (asked.split_at(wide), places.split_at_mut(wide));
            if let Some(avx512) = self.avx512.filter(|_| wide > 0) {
                avx512.locate_all(index, states, these, out, &place, &ask);
            }
            return avx2.locate_all(index, states, others, rest, place, ask);
        }
        index.each::<Plain<1>, 1, 1>(states, asked, places, place, ask);
    }
}

impl From<&Cube> for ByteCube {
    fn from(cube: &Cube) -> Self {
        Self::from_parts(&cube.parts())
    }
}

impl From<&ByteCube> for Cube {
    fn from(cube: &ByteCube) -> Self {
        cube.parts().pack()
    }
}

/// [`Cube3`] on [`ByteCube`] states: the same operators, the same group.
#[derive(Clone, Copy, Debug)]
pub struct ByteCube3 {
    plain: Cube3,
    units: Units,
    /// Indexed by operator of a [`search::TwoSided`] search, which adds moves at both ends of the
    /// plan. Bits 0 to 6: the face turn. Bit 7: whether it is added at the back end.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "for the vector unit"))]
    ends: [u8; 64],
}

impl ByteCube3 {
    /// The domain with the operators of `plain`, which uses the best vector unit of the CPU.
    pub fn new(plain: Cube3) -> Self {
        Self::on(plain, VectorUnit::best())
    }

    /// The same domain without vector instructions, to compare with.
    #[cfg(test)]
    pub(crate) fn scalar(plain: Cube3) -> Self {
        Self::on(plain, VectorUnit::None)
    }

    /// The domain with the operators of `plain`, restricted to vector units up to `unit`.
    fn on(plain: Cube3, unit: VectorUnit) -> Self {
        let mut ends = [0; 64];
        for (op, end) in ends.iter_mut().take(2 * plain.operators()).enumerate() {
            let (op, back) = search::split_op(Op::new(op), plain.operators());
            let turn = u8::try_from(plain.turn(op)).unwrap_or_else(|_| unreachable!("18 turns"));
            *end = turn | u8::from(back) << 7;
        }
        Self { plain, units: Units::up_to(unit), ends }
    }
}

impl Domain for ByteCube3 {
    type State = ByteCube;
    type Ops = u32;
    const UNIT_COSTS: bool = true;

    #[inline(always)]
    fn operators(&self) -> usize {
        self.plain.operators()
    }
    #[inline(always)]
    fn applicable(&self, _: &ByteCube) -> u32 {
        self.plain.applicable(&Cube::SOLVED)
    }
    #[inline(always)]
    fn apply_into(&self, from: &ByteCube, op: Op, to: &mut ByteCube) {
        *to = from.compose(&TURNS[self.plain.turn(op)].0);
    }
    #[inline(always)]
    fn is_goal(&self, state: &ByteCube) -> bool {
        *state == ByteCube::SOLVED
    }
    fn parity(&self, state: &ByteCube) -> Option<bool> {
        self.plain.parity(&state.into())
    }
    #[inline(always)]
    fn with_target_features<K: Kernel>(&self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if self.units.avx2.is_some() {
            return VectorUnit::run(kernel);
        }
        kernel.run()
    }
}

impl Reversible for ByteCube3 {
    #[inline(always)]
    fn inverse_op(&self, op: Op) -> Op {
        self.plain.inverse_op(op)
    }
}

impl Group for ByteCube3 {
    fn identity(&self) -> ByteCube {
        ByteCube::SOLVED
    }
    fn compose(&self, a: &ByteCube, b: &ByteCube, out: &mut ByteCube) {
        *out = a.compose(b);
    }
    fn invert(&self, a: &ByteCube, out: &mut ByteCube) {
        *out = ByteCube::from_parts(&a.parts().inverse());
    }
    #[inline(always)]
    fn apply_inverse_left(&self, from: &ByteCube, op: Op, to: &mut ByteCube) {
        *to = TURNS[self.plain.turn(op)].1.compose(from);
    }
    #[inline(always)]
    fn products<'a>(
        &self,
        from: impl Fn(usize) -> &'a TwoSidedState<ByteCube>,
        ops: &[Op],
        to: &mut [TwoSidedState<ByteCube>],
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.units.avx2 {
            return avx2.products(&self.ends, from, ops, to);
        }
        self.products_in_turn(from, ops, to);
    }
}

impl Packed for ByteCube3 {
    type Key = u128;
    fn pack(&self, state: &ByteCube) -> u128 {
        self.plain.pack(&state.into())
    }
    fn unpack(&self, key: u128, out: &mut ByteCube) {
        let mut cube = Cube::SOLVED;
        self.plain.unpack(key, &mut cube);
        *out = (&cube).into();
    }
}

#[cfg(test)]
pub(crate) mod tests;
