//! Conflicts within a line, looked up by the line's code. A line is a row or a column.

use search::Cost;

/// Conflict tables for all lines of one length.
///
/// The code of a line has 3 bits for each square, the first square lowest. A tile that is at home
/// in this line has the digit 1 plus its home's place in the line. The blank and all other tiles
/// have the digit 0. Two tiles *conflict* if both are at home in the line and stand in the wrong
/// order.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// Indexed by code: how many moves across the line the conflicts add to Manhattan distance. Up
    /// to 2^21 entries.
    extra: Box<[Cost]>,
    /// Indexed by code: bit `p` is set if the tile at home on place `p` of the line conflicts with
    /// another.
    conflicted: Box<[u8]>,
}

impl Lines {
    /// The tables for lines of `length` squares, at most 7.
    pub(crate) fn new(length: usize) -> Self {
        let codes = 1 << (3 * length);
        let line = |code: usize| (0..length).map(move |place| (code >> (3 * place)) & 7);
        let mut extra = vec![0; codes].into_boxed_slice();
        let mut conflicted = vec![0; codes].into_boxed_slice();
        for code in 0..codes {
            let homes: Vec<usize> = line(code).filter(|&home| home != 0).collect();
            if homes.iter().any(|&home| home > length) {
                continue; // No line has this code.
            }
            let leaving = homes.len() - longest_rising(&homes);
            extra[code] = 2 * Cost::try_from(leaving).expect("at most seven tiles");
            for (i, &first) in homes.iter().enumerate() {
                for &second in homes[i + 1..].iter().filter(|&&second| second <= first) {
                    conflicted[code] |= 1 << (first - 1) | 1 << (second - 1);
                }
            }
        }
        Self { extra, conflicted }
    }

    /// How many moves across the line its conflicts add to Manhattan distance.
    #[inline(always)]
    pub(crate) fn extra(&self, code: usize) -> Cost {
        self.extra[code]
    }

    /// The tiles that conflict with another. Bit `p` stands for the tile at home on place `p` of
    /// the line.
    #[inline(always)]
    pub(crate) fn conflicted(&self, code: usize) -> u64 {
        self.conflicted[code].into()
    }
}

/// Length of the longest rising subsequence.
fn longest_rising(values: &[usize]) -> usize {
    let mut ending_here = [0; 7];
    for (i, &value) in values.iter().enumerate() {
        let before = (0..i).filter(|&j| values[j] < value).map(|j| ending_here[j]);
        ending_here[i] = 1 + before.max().unwrap_or(0);
    }
    ending_here.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(line: &[usize]) -> usize {
        line.iter().rev().fold(0, |code, &home| code << 3 | home)
    }

    #[test]
    fn all_but_a_longest_rising_subsequence_leave_the_line() {
        let lines = Lines::new(4);
        for (line, extra, conflicted) in [
            ([1, 2, 3, 4], 0, 0),
            ([2, 1, 0, 0], 2, 0b0011),
            ([0, 4, 0, 2], 2, 0b1010),
            ([3, 2, 1, 0], 4, 0b0111),
            ([4, 3, 2, 1], 6, 0b1111),
            ([2, 1, 4, 3], 4, 0b1111),
            ([4, 1, 2, 3], 2, 0b1111),
            ([0, 0, 0, 0], 0, 0),
        ] {
            assert_eq!(lines.extra(code(&line)), extra, "{line:?}");
            assert_eq!(lines.conflicted(code(&line)), conflicted, "{line:?}");
        }
    }
}
