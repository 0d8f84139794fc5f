//! Backward steps of a whole row at once, on AVX-512: lookups of 32 columns in one instruction.
//!
//! A set of columns is a bitmap: column `c` is bit `c % 64` of word `c / 64`. Rows have two bits an
//! entry, and at most [`MOST_ENTRIES`] entries. Tests compare the results with those of
//! [`Row`](super::Row).
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "vector instructions, chosen at run time: docs/decisions/vectors-and-unsafe.md"
    )
)]

use std::sync::atomic::AtomicU64;

/// Most entries of the words of a row that are looked up in registers.
#[cfg(target_arch = "x86_64")]
const MOST_ENTRIES: usize = 4096;
/// With fewer columns, steps of a whole row gain nothing.
#[cfg(target_arch = "x86_64")]
const LEAST_COLUMNS: usize = 64;
/// Entries in a word.
#[cfg(target_arch = "x86_64")]
const IN_WORD: usize = 32;

/// Proves that the CPU has the instructions, and that rows are short enough.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide {
    columns: usize,
}

/// Other CPUs make no steps of a whole row.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wide {}

/// A row of a table with two bits an entry: its words, and where it starts in the first of them.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "other CPUs make no steps of a whole row")
)]
pub(crate) struct WideRow<'a> {
    pub(crate) words: &'a [AtomicU64],
    pub(crate) offset: usize,
}

#[cfg(not(target_arch = "x86_64"))]
impl Wide {
    pub(crate) fn of(_: usize) -> Option<Self> {
        None
    }
    pub(crate) fn select(self, _: WideRow<'_>, _: u64, _: &mut Vec<u64>) {
        match self {}
    }
    pub(crate) fn remove(self, _: WideRow<'_>, _: u64, _: &[u16], _: &mut [u64]) {
        match self {}
    }
    pub(crate) fn remove_set(self, _: &[u64], _: &[u16], _: &mut [u64]) {
        match self {}
    }
    pub(crate) fn give(self, _: WideRow<'_>, _: u64, _: &[u64]) {
        match self {}
    }
}

#[cfg(target_arch = "x86_64")]
impl Wide {
    /// The steps for rows of `columns` columns. `None` if they are impossible or slower.
    pub(crate) fn of(columns: usize) -> Option<Self> {
        let fits = columns >= LEAST_COLUMNS && columns + IN_WORD <= MOST_ENTRIES;
        let best = search::VectorUnit::best();
        (fits && best >= search::VectorUnit::Wide).then_some(Self { columns })
    }

    /// Overwrites `out` with the columns that have the value.
    #[inline]
    pub(crate) fn select(self, row: WideRow<'_>, value: u64, out: &mut Vec<u64>) {
        out.clear();
        out.resize(self.columns.div_ceil(64), 0);
        // SAFETY: `Wide::of` found the features.
        unsafe { x86::select(row, value, self.columns, out) }
    }

    /// Removes each column `c` from `left` for which column `map[c]` of the row has the value.
    #[inline]
    pub(crate) fn remove(self, row: WideRow<'_>, value: u64, map: &[u16], left: &mut [u64]) {
        let map = &map[..self.columns];
        let left = &mut left[..self.columns.div_ceil(64)];
        let entries = row.offset + self.columns;
        // SAFETY: `Wide::of` found the features.
        unsafe {
            match entries.div_ceil(1024) {
                0 | 1 => x86::remove::<2>(row, value, map, left),
                2 => x86::remove::<4>(row, value, map, left),
                _ => x86::remove::<8>(row, value, map, left),
            }
        }
    }

    /// Removes each column `c` from `left` for which column `map[c]` is in a set.
    #[inline]
    pub(crate) fn remove_set(self, set: &[u64], map: &[u16], left: &mut [u64]) {
        let map = &map[..self.columns];
        let words = self.columns.div_ceil(64);
        let (set, left) = (&set[..words], &mut left[..words]);
        // SAFETY: `Wide::of` found the features.
        unsafe {
            match words.div_ceil(16) {
                0 | 1 => x86::remove_set::<2>(set, map, left),
                2 => x86::remove_set::<4>(set, map, left),
                _ => x86::remove_set::<8>(set, map, left),
            }
        }
    }

    /// Gives the value to the columns of `hits`, all of which are unseen.
    #[inline]
    pub(crate) fn give(self, row: WideRow<'_>, value: u64, hits: &[u64]) {
        // SAFETY: `Wide::of` found the features.
        unsafe { x86::give(row, value, hits) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use crate::builder::wide::{IN_WORD, WideRow};
    use crate::builder::words::equal;
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi16, _mm512_and_si512, _mm512_loadu_si512, _mm512_mask_blend_epi16,
        _mm512_maskz_loadu_epi16, _mm512_permutex2var_epi16, _mm512_set1_epi16,
        _mm512_setzero_si512, _mm512_sllv_epi16, _mm512_srli_epi16, _mm512_test_epi16_mask,
        _pdep_u64, _pext_u64,
    };
    use std::sync::atomic::Ordering::Relaxed;

    /// The lowest bit of each entry.
    const LOW: u64 = u64::MAX / 3;

    /// The entries of a word that have the value: one bit for each.
    #[target_feature(enable = "bmi2")]
    fn hits(word: u64, value: u64) -> u64 {
        _pext_u64(equal(2, word, value), LOW)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn select(row: WideRow<'_>, value: u64, columns: usize, out: &mut [u64]) {
        for (i, word) in row.words.iter().enumerate() {
            let bits = hits(word.load(Relaxed), value);
            match (IN_WORD * i).checked_sub(row.offset) {
                None => out[0] |= bits >> row.offset,
                Some(at) => {
                    out[at / 64] |= bits << (at % 64);
                    if at % 64 > IN_WORD && at / 64 + 1 < out.len() {
                        out[at / 64 + 1] |= bits >> (64 - at % 64);
                    }
                }
            }
        }
        if !columns.is_multiple_of(64) {
            out[columns / 64] &= u64::MAX >> (64 - columns % 64);
        }
    }

    /// The row has at most `512 * REGISTERS` entries, with those before it in its first word.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn remove<const REGISTERS: usize>(
        row: WideRow<'_>,
        value: u64,
        map: &[u16],
        left: &mut [u64],
    ) {
        let mut bits = [[0_u64; 8]; REGISTERS];
        let (words, offset) = (row.words.as_chunks::<2>(), row.offset);
        let pair = |low: u64, high: u64| hits(low, value) | hits(high, value) << 32;
        let flat = bits.as_flattened_mut();
        for (bits, [low, high]) in flat.iter_mut().zip(words.0) {
            *bits = pair(low.load(Relaxed), high.load(Relaxed));
        }
        if let ([last], Some(bits)) = (words.1, flat.get_mut(words.0.len())) {
            *bits = hits(last.load(Relaxed), value);
        }
        remove_bits(&bits, offset, map, left);
    }

    /// The set has at most `512 * REGISTERS` columns.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn remove_set<const REGISTERS: usize>(set: &[u64], map: &[u16], left: &mut [u64]) {
        let mut bits = [[0_u64; 8]; REGISTERS];
        bits.as_flattened_mut()[..set.len()].copy_from_slice(set);
        remove_bits(&bits, 0, map, left);
    }

    /// Removes each column `c` from `left` for which the bit `offset + map[c]` is set.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    fn remove_bits<const REGISTERS: usize>(
        bits: &[[u64; 8]; REGISTERS],
        offset: usize,
        map: &[u16],
        left: &mut [u64],
    ) {
        let mut table = [_mm512_setzero_si512(); REGISTERS];
        for (register, bits) in table.iter_mut().zip(bits) {
            // SAFETY: it reads the 64 bytes of the array.
            *register = unsafe { _mm512_loadu_si512(bits.as_ptr().cast()) };
        }
        let offset = _mm512_set1_epi16(i16::try_from(offset).expect("at most 31"));
        for (left, map) in left.iter_mut().zip(map.chunks(64)) {
            if *left == 0 {
                continue;
            }
            // The first `count` of 32 lanes.
            let lanes = |count: usize| if count < 32 { (1 << count) - 1 } else { u32::MAX };
            let (low, high) = (lanes(map.len()), lanes(map.len().saturating_sub(32)));
            // SAFETY: the masks select the `map.len()` elements of the slice.
            let halves = unsafe {
                [
                    _mm512_maskz_loadu_epi16(low, map.as_ptr().cast()),
                    _mm512_maskz_loadu_epi16(high, map.as_ptr().wrapping_add(32).cast()),
                ]
            };
            let [low, high] =
                halves.map(|columns| u64::from(look_up(&table, _mm512_add_epi16(columns, offset))));
            *left &= !(low | high << 32);
        }
    }

    /// For each of 32 entries: whether its bit in the table is set.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
    fn look_up<const REGISTERS: usize>(table: &[__m512i; REGISTERS], entries: __m512i) -> u32 {
        let word = _mm512_srli_epi16::<4>(entries);
        let bit = _mm512_and_si512(entries, _mm512_set1_epi16(15));
        let bit = _mm512_sllv_epi16(_mm512_set1_epi16(1), bit);
        // The words of two registers, by the lowest six bits of their number.
        let of =
            |pair: usize| _mm512_permutex2var_epi16(table[2 * pair], word, table[2 * pair + 1]);
        let is = |part: i16| _mm512_test_epi16_mask(word, _mm512_set1_epi16(part));
        let found = match REGISTERS {
            2 => of(0),
            4 => _mm512_mask_blend_epi16(is(64), of(0), of(1)),
            _ => {
                let low = _mm512_mask_blend_epi16(is(64), of(0), of(1));
                let high = _mm512_mask_blend_epi16(is(64), of(2), of(3));
                _mm512_mask_blend_epi16(is(128), low, high)
            }
        };
        _mm512_test_epi16_mask(found, bit)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn give(row: WideRow<'_>, value: u64, hits: &[u64]) {
        for (i, word) in row.words.iter().enumerate() {
            let bits = match (IN_WORD * i).checked_sub(row.offset) {
                None => hits[0] << row.offset,
                Some(at) => {
                    let next = if at % 64 > IN_WORD { hits.get(at / 64 + 1) } else { None };
                    hits[at / 64] >> (at % 64) | next.map_or(0, |next| next << (64 - at % 64))
                }
            };
            let bits = _pdep_u64(bits & u64::from(u32::MAX), LOW);
            if bits != 0 {
                word.fetch_and(!(bits * (3 ^ value)), Relaxed);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{BuildTable, Table};

    /// The columns of a bitmap.
    fn columns_of(bits: &[u64], columns: usize) -> Vec<usize> {
        assert_eq!(bits.len(), columns.div_ceil(64));
        (0..64 * bits.len()).filter(|c| bits[c / 64] >> (c % 64) & 1 == 1).collect()
    }

    #[test]
    fn steps_of_a_whole_row_are_those_of_single_columns() {
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            state ^ state >> 32
        };
        for columns in [64, 65, 95, 97, 360, 648, 960, 1000, 2047, 2048, 2520, 4064] {
            let Some(wide) = Wide::of(columns) else { continue };
            let words: Vec<_> = (0..5 * columns.div_ceil(32))
                .map(|_| AtomicU64::new(random() | random()))
                .collect();
            let table = Table::<2>::of(&words);
            let map: Vec<u16> = (0..columns)
                .map(|_| u16::try_from(random() % columns as u64).expect("a column"))
                .collect();
            let mut bits = Vec::new();
            for (row, value) in (0..4).flat_map(|row| (0..4).map(move |value| (row, value))) {
                let own = table.row(row, columns);
                let packed = own.wide().expect("two bits");
                wide.select(packed, value, &mut bits);
                let mut wanted: Vec<usize> = (0..columns).filter(|&c| own.has(c, value)).collect();
                assert_eq!(columns_of(&bits, columns), wanted);
                for target in 0..4 {
                    let target = table.row(target, columns);
                    let to = value % 3;
                    wide.remove(target.wide().expect("two bits"), to, &map, &mut bits);
                    wanted.retain(|&column| !target.has(usize::from(map[column]), to));
                    assert_eq!(columns_of(&bits, columns), wanted);
                }
                let mut set = Vec::new();
                let target = table.row(4, columns);
                wide.select(target.wide().expect("two bits"), value % 3, &mut set);
                wide.remove_set(&set, &map, &mut bits);
                wanted.retain(|&column| !target.has(usize::from(map[column]), value % 3));
                assert_eq!(columns_of(&bits, columns), wanted);
            }
            // Every other unseen entry gets a value. Nothing else changes.
            let entries = || (0..4).flat_map(|row| (0..columns).map(move |c| (row, c)));
            let value = |(row, c)| (0..4).find(|&v| table.row(row, columns).has(c, v));
            let mut before: Vec<_> = entries().map(value).collect();
            let row = table.row(2, columns);
            let own = row.wide().expect("two bits");
            wide.select(own, 3, &mut bits);
            for bits in &mut bits {
                *bits &= 0x5555_5555_5555_5555;
            }
            wide.give(own, 1, &bits);
            for column in columns_of(&bits, columns) {
                before[2 * columns + column] = Some(1);
            }
            assert!(entries().map(value).eq(before));
        }
    }

    #[test]
    fn rows_that_fit_no_registers_are_refused() {
        assert!([0, 1, 63, 4065, 65536].iter().all(|&columns| Wide::of(columns).is_none()));
    }
}
