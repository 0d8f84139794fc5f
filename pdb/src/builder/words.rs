//! Passes over all words of a table, on all threads, and words as the bytes of a file.

use search::{CancelToken, threads};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of words in a part. Each part is processed by one thread.
const PART: usize = 1 << 13;

/// Calls a function with every word and its number.
pub(crate) fn each(words: &[AtomicU64], work: impl Fn(usize, &AtomicU64) + Sync) {
    sum(words, &|first, part| {
        part.iter().enumerate().for_each(|(at, word)| work(first + at, word));
        0
    });
}

/// As [`each`], but stops if cancelled. Then some words are left out, and the caller must check the
/// token before it uses any.
pub(crate) fn each_until(
    words: &[AtomicU64],
    cancel: Option<&CancelToken>,
    work: impl Fn(usize, &AtomicU64) + Sync,
) {
    sum(words, &|first, part| {
        if !cancel.is_some_and(CancelToken::is_cancelled) {
            part.iter().enumerate().for_each(|(at, word)| work(first + at, word));
        }
        0
    });
}

/// Calls `work` with each part of the words and the number of the part's first word, which is even.
/// Returns the sum of the results.
pub(crate) fn sum(words: &[AtomicU64], work: &(dyn Fn(usize, &[AtomicU64]) -> u64 + Sync)) -> u64 {
    let sum = AtomicU64::new(0);
    threads::each(words.len().div_ceil(PART), &|part| {
        let (first, end) = (part * PART, words.len().min((part + 1) * PART));
        sum.fetch_add(work(first, &words[first..end]), Relaxed);
    });
    sum.into_inner()
}

/// Packs the lowest bits of all entries of a word together, without gaps. An entry has `entry`
/// bits: a constant of the caller, into which this is inlined.
#[inline(always)]
pub(crate) fn compress(entry: usize, mut bits: u64) -> u64 {
    // Groups of `width` bits lie `entry * width` apart; two become one at each step.
    let mut width = 1;
    while width < 64 / entry {
        let group = u64::MAX >> (64 - 2 * width);
        let mask = (0..64).step_by(2 * width * entry).fold(0, |mask, at| mask | group << at);
        bits = (bits | bits >> (width * (entry - 1))) & mask;
        width *= 2;
    }
    bits
}

/// Finds the entries with this value in a word: their lowest bits are set in the result. An entry
/// has `bits` bits, a constant of the caller.
#[inline(always)]
pub(crate) fn equal(bits: usize, word: u64, value: u64) -> u64 {
    // A 1 in every entry.
    let ones = u64::MAX / ((1 << bits) - 1);
    let mut differ = word ^ (value * ones);
    if bits == 8 {
        differ |= differ >> 4;
    }
    if bits >= 4 {
        differ |= differ >> 2;
    }
    if bits >= 2 {
        differ |= differ >> 1;
    }
    !differ & ones
}

/// Gives each word the byte order of the finished table.
pub(crate) fn to_little_endian(words: &[AtomicU64]) {
    if cfg!(target_endian = "big") {
        each(words, |_, word| word.store(word.load(Relaxed).to_le(), Relaxed));
    }
}

/// Writes words as bytes, the lowest byte of each first.
pub(crate) fn write(words: impl Iterator<Item = u64>, out: &mut dyn Write) -> io::Result<()> {
    let (mut words, mut bytes) = (words.peekable(), Vec::with_capacity(PART * size_of::<u64>()));
    while words.peek().is_some() {
        bytes.clear();
        words.by_ref().take(PART).for_each(|word| bytes.extend(word.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// The words that [`write`] has written as these bytes.
pub(crate) fn read(bytes: &[u8]) -> impl ExactSizeIterator<Item = u64> {
    bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word))
}

/// The words of a table.
pub(crate) fn of(table: &[AtomicU64]) -> impl Iterator<Item = u64> {
    table.iter().map(|word| word.load(Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_were_written() {
        for len in [0, 1, PART, 2 * PART + 3] {
            let words: Vec<u64> = (0..len as u64).map(|word| word << 50 | word).collect();
            let mut bytes = Vec::new();
            write(words.iter().copied(), &mut bytes).expect("written");
            assert_eq!(bytes.len(), 8 * len);
            assert!(read(&bytes).eq(words));
        }
    }

    #[test]
    fn every_word_is_taken_once() {
        for len in [0, 1, PART, 2 * PART + 3] {
            let words: Vec<_> = (0..len).map(|_| AtomicU64::new(1)).collect();
            each(&words, |at, word| _ = word.fetch_add(at as u64, Relaxed));
            assert!((1..).zip(&words).all(|(at, word)| word.load(Relaxed) == at));
            let count = sum(&words, &|first, part| {
                assert_eq!((first % 2, part[0].load(Relaxed)), (0, first as u64 + 1));
                part.len() as u64
            });
            assert_eq!(count, len as u64);
            let cancel = CancelToken::new();
            each_until(&words, Some(&cancel), |_, word| word.store(0, Relaxed));
            cancel.cancel();
            each_until(&words, Some(&cancel), |_, word| word.store(1, Relaxed));
            assert!(words.iter().all(|word| word.load(Relaxed) == 0));
        }
    }
}
