//! The 18 face turns: definitions, and tables that apply them to a packed [`Cube`].
//!
//! A face turn has the number `3 * face + quarter turns - 1`, with 1 to 3 clockwise quarter turns.

use crate::cube::{Cube, Parts, index};

/// The letters of the faces, in the order of operators and facelets. The opposite of face `f` is
/// `(f + 3) % 6`.
pub const FACES: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// The clockwise quarter turns of U, R, F, D, L and B as Herbert Kociemba defines them. The piece
/// in slot `i` comes from slot `corners[i]`.
pub(crate) const GENERATORS: [Parts; 6] = [
    Parts {
        corners: [3, 0, 1, 2, 4, 5, 6, 7],
        edges: [3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11],
        ..Parts::SOLVED
    },
    Parts {
        corners: [4, 1, 2, 0, 7, 5, 6, 3],
        twists: [2, 0, 0, 1, 1, 0, 0, 2],
        edges: [8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0],
        ..Parts::SOLVED
    },
    Parts {
        corners: [1, 5, 2, 3, 0, 4, 6, 7],
        twists: [1, 2, 0, 0, 2, 1, 0, 0],
        edges: [0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11],
        flips: [0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0],
    },
    Parts {
        corners: [0, 1, 2, 3, 5, 6, 7, 4],
        edges: [0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11],
        ..Parts::SOLVED
    },
    Parts {
        corners: [0, 2, 6, 3, 4, 1, 5, 7],
        twists: [0, 1, 2, 0, 0, 2, 1, 0],
        edges: [0, 1, 10, 3, 4, 5, 9, 7, 8, 2, 6, 11],
        ..Parts::SOLVED
    },
    Parts {
        corners: [0, 1, 3, 7, 4, 5, 2, 6],
        twists: [0, 0, 1, 2, 0, 0, 2, 1],
        edges: [0, 1, 2, 11, 4, 5, 6, 10, 8, 9, 3, 7],
        flips: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1],
    },
];

/// A face turn, as [`Parts`].
pub(crate) const fn turn_parts(turn: usize) -> Parts {
    let generator = &GENERATORS[turn / 3];
    let mut parts = *generator;
    let mut quarter = 0;
    while quarter < turn % 3 {
        parts = parts.compose(generator);
        quarter += 1;
    }
    parts
}

/// For each of the 24 places of a corner or an edge: the place after a turn. A place is `slot *
/// orientations + orientation`.
#[expect(clippy::cast_possible_truncation, reason = "24 places")]
pub(crate) const fn places_after<const N: usize>(pieces: &[u8; N], turned: &[u8; N]) -> [u8; 24] {
    let (mut after, size) = ([0; 24], 24 / N);
    let mut place = 0;
    while place < 24 {
        let (to, orientation) = (place / size, place % size);
        let turned = (orientation + turned[to] as usize) % size;
        after[pieces[to] as usize * size + orientation] = (to * size + turned) as u8;
        place += 1;
    }
    after
}

/// The tables of one face turn: about 1.3 KB.
struct Turn {
    /// Mask of the corner fields (3 bits a slot) that the turn does not move.
    corners_kept: u64,
    /// For each corner that moves: its field as a mask, and by how many bits it is rotated left
    /// within 24 bits.
    corners_moved: [(u64, u32); 4],
    /// Three tables, indexed by the twists of slots 0 to 2, of 3 to 5, and of 6 and 7. Their
    /// entries combine by bitwise or to the new twists of all slots.
    twists: ([u16; 64], [u16; 64], [u16; 16]),
    /// Mask of the edge fields (4 bits a slot) that the turn does not move.
    edges_kept: u64,
    /// For each edge that moves: its field as a mask, and by how many bits it is rotated left
    /// within 64 bits.
    edges_moved: [(u64, u32); 4],
    /// Two tables, indexed by the flips of slots 0 to 5, and of 6 to 11. Their entries combine by
    /// bitwise or to the new flips of all slots.
    flips: ([u16; 64], [u16; 64]),
    /// For [`Cube::turned_back_left`]. Indexed by the pieces in two corner slots. Bits 0 to 5: the
    /// pieces that replace them. Bits 8 to 11: the twists to add.
    corner_names: [u16; 64],
    /// For [`Cube::turned_back_left`] and [`move_edges`]. Indexed by the pieces in two edge slots.
    /// Bits 0 to 7: the pieces that replace them. Bits 8 and 9: the flips to add. For
    /// [`move_edges`], read slots in place of pieces.
    edge_names: [u16; 256],
}

/// The tables of each face turn.
static TURNS: [Turn; 18] = {
    let mut turns = [const { Turn::SOLVED }; 18];
    let mut turn = 0;
    while turn < 18 {
        turns[turn] = Turn::new(&turn_parts(turn), &turn_parts(turn - turn % 3 + 2 - turn % 3));
        turn += 1;
    }
    turns
};

impl Turn {
    const SOLVED: Self = Self::new(&Parts::SOLVED, &Parts::SOLVED);

    const fn new(parts: &Parts, inverse: &Parts) -> Self {
        let (corners_kept, corners_moved) = moved(&parts.corners, 3, 24);
        let (edges_kept, edges_moved) = moved(&parts.edges, 4, 64);
        Self {
            corners_kept,
            corners_moved,
            twists: (twist_part(parts, 0), twist_part(parts, 3), twist_part(parts, 6)),
            edges_kept,
            edges_moved,
            flips: (flip_part(parts, 0), flip_part(parts, 6)),
            corner_names: corner_names(inverse),
            edge_names: edge_names(inverse),
        }
    }
}

/// Returns the mask of the fields that stay. Also returns, for each field that moves, its mask and
/// by how many bits it is rotated left in a word of `size` bits.
const fn moved(from: &[u8], width: usize, size: usize) -> (u64, [(u64, u32); 4]) {
    let field = (1 << width) - 1;
    let (mut kept, mut moved, mut count) = (0, [(0, 0); 4], 0);
    let mut slot = 0;
    while slot < from.len() {
        let source = from[slot] as usize;
        if source == slot {
            kept |= field << (width * slot);
        } else {
            let distance = (width * slot + size - width * source) % size;
            #[expect(clippy::cast_possible_truncation, reason = "less than a word")]
            {
                moved[count] = (field << (width * source), distance as u32);
            }
            count += 1;
        }
        slot += 1;
    }
    (kept, moved)
}

/// Indexed by the twists of up to three slots from `first` on: these twists after the turn, in
/// their new slots.
#[expect(clippy::cast_possible_truncation, reason = "16 bits of twists")]
const fn twist_part<const N: usize>(parts: &Parts, first: usize) -> [u16; N] {
    let mut table = [0; N];
    let mut twists = 0;
    while twists < N {
        let mut slot = 0;
        while slot < 8 {
            let source = parts.corners[slot] as usize;
            if source >= first && source < first + 3 {
                let twist = twists >> (2 * (source - first)) & 3;
                table[twists] |= ((twist as u16 + parts.twists[slot] as u16) % 3) << (2 * slot);
            }
            slot += 1;
        }
        twists += 1;
    }
    table
}

/// Indexed by the flips of slots `first .. first + 6`: these flips after the turn, in their new
/// slots.
const fn flip_part(parts: &Parts, first: usize) -> [u16; 64] {
    let mut table = [0; 64];
    let mut flips = 0;
    while flips < 64 {
        let mut slot = 0;
        while slot < 12 {
            let source = parts.edges[slot] as usize;
            if source >= first && source < first + 6 {
                let flip = flips >> (source - first) & 1;
                table[flips] |= ((flip == 1) as u16 ^ parts.flips[slot] as u16) << slot;
            }
            slot += 1;
        }
        flips += 1;
    }
    table
}

/// Indexed by the pieces in two corner slots: the pieces that replace them, and the twists to add,
/// when `left` is multiplied from the left.
const fn corner_names(left: &Parts) -> [u16; 64] {
    let mut table = [0; 64];
    let mut pieces = 0;
    while pieces < 64 {
        let (low, high) = (pieces & 7, pieces >> 3);
        table[pieces] = left.corners[low] as u16
            | (left.corners[high] as u16) << 3
            | (left.twists[low] as u16) << 8
            | (left.twists[high] as u16) << 10;
        pieces += 1;
    }
    table
}

/// Indexed by the pieces in two edge slots: the pieces that replace them, and the flips to add,
/// when `left` is multiplied from the left.
const fn edge_names(left: &Parts) -> [u16; 256] {
    let mut table = [0; 256];
    let mut pieces = 0;
    while pieces < 256 {
        let (low, high) = (pieces & 15, pieces >> 4);
        if low < 12 && high < 12 {
            table[pieces] = left.edges[low] as u16
                | (left.edges[high] as u16) << 4
                | (left.flips[low] as u16) << 8
                | (left.flips[high] as u16) << 9;
        }
        pieces += 1;
    }
    table
}

impl Cube {
    /// The cube after a face turn `3 * face + quarter turns - 1`. The fields of pieces are rotated;
    /// small tables give the new twists and flips.
    #[inline(always)]
    pub fn turned(&self, turn: usize) -> Self {
        let corners = turn_corners(self.corners, turn);
        let (e, turn) = (self.edges, &TURNS[turn]);
        let mut edges = e & turn.edges_kept;
        for (field, distance) in turn.edges_moved {
            edges |= (e & field).rotate_left(distance);
        }
        let flips = turn.flips.0[index(e, 48, 63)] | turn.flips.1[index(e, 54, 63)];
        Self { corners, edges: edges | u64::from(flips) << 48 }
    }

    /// The product of the inverse of a face turn and this cube, in this order. If this cube is the
    /// inverse of `c`, the result is the inverse of `c.turned(turn)`. The piece in each slot is
    /// replaced; no piece moves to another slot.
    #[inline(always)]
    pub(crate) fn turned_back_left(&self, turn: usize) -> Self {
        let turn = &TURNS[turn];
        let (c, e) = (self.corners, self.edges);
        let pair = |i: usize| u64::from(turn.corner_names[index(c, 6 * i, 63)]);
        let new = pair(0) | pair(1) << 16 | pair(2) << 32 | pair(3) << 48;
        let names = new & 0x003f_003f_003f_003f;
        let names = (names | names >> 10) & 0x0000_0fff_0000_0fff;
        let names = (names | names >> 20) & 0xff_ffff;
        let add = new >> 8 & 0x000f_000f_000f_000f;
        let add = (add | add >> 12) & 0x0000_00ff_0000_00ff;
        let add = (add | add >> 24) & 0xffff;
        let twists = add_twists(c >> 24, add);

        let pair = |i: usize| u64::from(turn.edge_names[index(e, 8 * i, 255)]);
        let even = pair(0) | pair(2) << 16 | pair(4) << 32;
        let odd = pair(1) | pair(3) << 16 | pair(5) << 32;
        const LOW: u64 = 0x00ff_00ff_00ff;
        let edges = even & LOW | (odd & LOW) << 8;
        let flips = even >> 8 & 0x0003_0003_0003 | (odd >> 8 & 0x0003_0003_0003) << 2;
        let flips = (flips | flips >> 12 | flips >> 24) & 0xfff;
        Self { corners: names | twists << 24, edges: edges | (e >> 48 ^ flips) << 48 }
    }
}

/// The corners of a cube, packed as in [`Cube`], after a face turn `3 * face + quarter turns - 1`.
#[inline(always)]
pub(crate) fn turn_corners(c: u64, turn: usize) -> u64 {
    let turn = &TURNS[turn];
    let mut corners = c & turn.corners_kept;
    for (field, distance) in turn.corners_moved {
        corners |= (c & field) << distance;
    }
    // Bits that were shifted beyond 24 bits come in from below.
    corners = (corners | corners >> 24) & 0xff_ffff;
    let twists = turn.twists.0[index(c, 24, 63)]
        | turn.twists.1[index(c, 30, 63)]
        | turn.twists.2[index(c, 36, 15)];
    corners | u64::from(twists) << 24
}

/// The slots and flips of six edges after a face turn: bits `4k .. 4k + 4` are the slot of piece
/// `k`, bit `24 + k` is its flip.
#[inline(always)]
pub(crate) fn move_edges(places: u32, turn: usize) -> u32 {
    let names = &TURNS[turn].edge_names;
    let pair = |i: u32| u32::from(names[(places >> (8 * i) & 255) as usize]);
    let (a, b, c) = (pair(0), pair(1), pair(2));
    let slots = a & 255 | (b & 255) << 8 | (c & 255) << 16;
    let flips = a >> 8 | (b >> 8) << 2 | (c >> 8) << 4;
    slots | (places & 0x3f00_0000 ^ flips << 24)
}

/// Adds two words of eight twists, each modulo 3. A twist has two bits.
#[inline(always)]
fn add_twists(a: u64, b: u64) -> u64 {
    // Twists 0, 2, 4, 6 in the low half, 1, 3, 5, 7 in the high one: each has four bits.
    let spread = |x: u64| x & 0x3333 | (x & 0xcccc) << 14;
    let sum = spread(a) + spread(b);
    let over = (sum + 0x1111_1111) >> 2 & 0x1111_1111;
    let sum = sum - 3 * over;
    sum & 0x3333 | sum >> 14 & 0xcccc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_plain_composition() {
        let mut cube = Cube::SOLVED;
        for step in 0..50_000_usize {
            let turn = step * step % 1_000_003 % 18;
            let (turned, plain) = (cube.turned(turn), cube.compose(&turn_parts(turn).pack()));
            assert_eq!(turned, plain, "turn {turn} of {cube:?}");
            let inverse = turn_parts(turn).inverse().pack();
            assert_eq!(cube.turned_back_left(turn), inverse.compose(&cube), "turn {turn}");
            cube = turned;
        }
    }

    #[test]
    fn a_turn_has_order_four_or_two() {
        for turn in 0..18 {
            let mut cube = Cube::SOLVED;
            let order = (1..)
                .find(|_| {
                    cube = cube.turned(turn);
                    cube == Cube::SOLVED
                })
                .unwrap();
            assert_eq!(order, if turn % 3 == 1 { 2 } else { 4 });
        }
    }

    #[test]
    fn twists_add_modulo_three() {
        for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
            let eight = |x: u64| x * 0x5555;
            assert_eq!(add_twists(eight(a), eight(b)), eight((a + b) % 3));
        }
    }
}
