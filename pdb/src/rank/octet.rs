//! Permutations of 8 packed in 24 bits, ranked and unranked by two table reads each.
//!
//! Element `i` is in bits `3 i` and up. Order: lexicographic, element 0 first, the same as
//! [`Arrangements::permutations(8)`](super::Arrangements::permutations).
//!
//! A rank has two parts. The first is the rank of the first four elements among the 1,680 ordered
//! choices of 4 out of 8. The second is the rank of the order of the last four among 24. So two
//! tables of 4,096 entries are enough. With 12 KiB together they fit the first cache level.

use super::Arrangements;

/// Number of permutations of 8.
pub const SIZE: u32 = 40_320;

/// Indexed by the first four elements (12 bits): their rank, times 24. 4,096 entries of 16 bits; 0
/// if elements are equal.
static FIRST: [u16; 4096] = first();
/// Indexed by the last four elements (12 bits): the rank of their relative order. 4,096 entries of
/// 8 bits; 0 if elements are equal.
static LAST: [u8; 4096] = last();
/// For each of the 1,680 first halves: its elements in the low 12 bits, the four others, ascending,
/// in the next 12.
static HALVES: [u32; 1680] = halves();
/// For each of the 24 orders of four: which of the four others comes at each place, 2 bits a place.
static ORDERS: [u8; 24] = orders();

/// The rank of a permutation of 8, below [`SIZE`]. Ignores bits from 24 on. If it is not a
/// permutation, the result is some number below 2^16.
#[inline(always)]
pub fn rank(packed: u32) -> u32 {
    u32::from(FIRST[(packed & 4095) as usize]) + u32::from(LAST[(packed >> 12 & 4095) as usize])
}

/// The permutation of 8 with this rank.
///
/// # Panics
/// If the rank is not below [`SIZE`].
#[inline(always)]
pub fn unrank(rank: u32) -> u32 {
    let half = HALVES[(rank / 24) as usize];
    let order = u32::from(ORDERS[(rank % 24) as usize]);
    let rest = half >> 12;
    let pick = |place: u32| (rest >> (3 * (order >> (2 * place) & 3)) & 7) << (12 + 3 * place);
    half & 4095 | pick(0) | pick(1) | pick(2) | pick(3)
}

/// Spreads four elements of 3 bits to nibbles. `None` if two are equal.
const fn nibbles(packed: usize) -> Option<u64> {
    let (mut out, mut used, mut i) = (0, 0_u32, 0);
    while i < 4 {
        let element = packed >> (3 * i) & 7;
        if used >> element & 1 == 1 {
            return None;
        }
        used |= 1 << element;
        out |= (element as u64) << (4 * i);
        i += 1;
    }
    Some(out)
}

#[expect(clippy::cast_possible_truncation, reason = "1,679 * 24 fits 16 bits")]
const fn first() -> [u16; 4096] {
    let (mut table, mut packed) = ([0; 4096], 0);
    while packed < 4096 {
        if let Some(nibbles) = nibbles(packed) {
            table[packed] = Arrangements::new(8, 4).rank(nibbles) as u16 * 24;
        }
        packed += 1;
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "ranks below 24")]
const fn last() -> [u8; 4096] {
    let (mut table, mut packed) = ([0; 4096], 0);
    while packed < 4096 {
        if let Some(nibbles) = nibbles(packed) {
            let (mut relative, mut i) = (0, 0);
            while i < 4 {
                let (mut smaller, mut j) = (0, 0);
                while j < 4 {
                    smaller += ((nibbles >> (4 * j) & 15) < (nibbles >> (4 * i) & 15)) as u64;
                    j += 1;
                }
                relative |= smaller << (4 * i);
                i += 1;
            }
            table[packed] = Arrangements::permutations(4).rank(relative) as u8;
        }
        packed += 1;
    }
    table
}

const fn halves() -> [u32; 1680] {
    let (mut table, mut rank) = ([0; 1680], 0);
    while rank < 1680 {
        let nibbles = Arrangements::new(8, 4).unrank(rank as u64);
        let (mut used, mut entry, mut i) = (0_u32, 0_u32, 0);
        while i < 4 {
            let element = (nibbles >> (4 * i) & 15) as u32;
            used |= 1 << element;
            entry |= element << (3 * i);
            i += 1;
        }
        let mut element = 0;
        while element < 8 {
            if used >> element & 1 == 0 {
                entry |= element << (3 * i);
                i += 1;
            }
            element += 1;
        }
        table[rank] = entry;
        rank += 1;
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "four elements of 2 bits")]
const fn orders() -> [u8; 24] {
    let (mut table, mut rank) = ([0; 24], 0);
    while rank < 24 {
        let nibbles = Arrangements::permutations(4).unrank(rank as u64);
        let mut i = 0;
        while i < 4 {
            table[rank] |= ((nibbles >> (4 * i) & 15) << (2 * i)) as u8;
            i += 1;
        }
        rank += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_general_rank_everywhere() {
        let general = Arrangements::permutations(8);
        for number in 0..SIZE {
            let packed = unrank(number);
            let nibbles =
                (0..8).fold(0, |out, i| out | u64::from(packed >> (3 * i) & 7) << (4 * i));
            assert_eq!(general.unrank(u64::from(number)), nibbles);
            assert_eq!(rank(packed), number);
        }
    }
}
