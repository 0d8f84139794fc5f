//! Proves that a finished table is admissible, whoever built it: [`prove_values`] and
//! [`prove_layers`].
//!
//! Both walk the edges of the abstraction by plain code of their own. They share nothing with the
//! builders but the abstraction. That an abstraction is one of its domain is checked by
//! `testing::check_abstraction`.

use crate::abstraction::{Abstraction, Edge};
use search::{CancelToken, Cost, threads};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Why a table is not proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unproved {
    /// The value of an entry is above what is proven of it.
    #[error("entry {entry} has the value {value}, and its distance is at most {most}")]
    Value {
        /// The entry.
        entry: u64,
        /// Its value, or its code.
        value: Cost,
        /// The length of some path to a goal.
        most: u64,
    },
    /// An edge that does not cost 1, where layers need it.
    #[error("an edge costs {0}, expected 1")]
    Cost(Cost),
    /// The memory of a mark for each entry is not there.
    #[error("{0} entries are too many to be marked")]
    Memory(u64),
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Rows that a thread takes at once.
const BLOCK: u64 = 64;

/// Work on one row, with an empty list for its edges.
type OfRow<'a> = dyn Fn(u64, &mut Vec<Edge>) -> Result<(), Unproved> + Sync + 'a;

/// Calls `work` with each row, on all threads of the current pool, until one fails.
fn each_row(rows: u64, cancel: &CancelToken, work: &OfRow<'_>) -> Result<(), Unproved> {
    let fault = OnceLock::new();
    let blocks = usize::try_from(rows.div_ceil(BLOCK)).unwrap_or(usize::MAX);
    threads::each(blocks, &|block| {
        let first = block as u64 * BLOCK;
        let mut edges = Vec::new();
        for row in first..rows.min(first + BLOCK) {
            if fault.get().is_some() {
                return;
            }
            edges.clear();
            if let Err(error) = work(row, &mut edges) {
                fault.get_or_init(|| error);
            }
        }
        if cancel.is_cancelled() {
            fault.get_or_init(|| Unproved::Cancelled);
        }
    });
    fault.into_inner().map_or(Ok(()), Err)
}

/// Proves in one pass that no value is above the distance: the value of each goal is 0, and no
/// value falls by more than the cost of an edge. `value` is the value of an entry; [`Cost::MAX`] if
/// it reaches no goal. Returns the number of edges.
///
/// # Errors
/// The first entry that fails, or if cancelled.
pub fn prove_values(
    abstraction: &dyn Abstraction,
    value: &(dyn Fn(u64) -> Cost + Sync),
    cancel: &CancelToken,
) -> Result<u64, Unproved> {
    let mut goals = Vec::new();
    abstraction.goals(&mut goals);
    for &entry in &goals {
        let value = value(entry);
        if value > 0 {
            return Err(Unproved::Value { entry, value, most: 0 });
        }
    }
    let (rows, columns) = abstraction.shape();
    let walked = AtomicU64::new(0);
    each_row(rows, cancel, &|row, edges| {
        abstraction.edges(row, edges);
        for edge in edges.iter() {
            let map = abstraction.map_of(edge);
            for column in 0..columns {
                let from = value(row * columns as u64 + column as u64);
                let entry = edge.row * columns as u64 + map.to(column) as u64;
                let (own, most) = (value(entry), u64::from(from) + u64::from(edge.cost));
                if from != Cost::MAX && u64::from(own) > most {
                    return Err(Unproved::Value { entry, value: own, most });
                }
            }
        }
        walked.fetch_add(edges.len() as u64 * columns as u64, Relaxed);
        Ok(())
    })?;
    Ok(walked.into_inner())
}

/// Proves what an entry says by its layer: walks breadth-first from the goals, and calls
/// `fault(entry, Some(layer))` for each entry of each layer up to `depth`, then `fault(entry,
/// None)` for all other entries. `Some(value)` says that this value of the entry is wrong. Returns
/// the number of edges.
///
/// This is for tables of few bits, whose codes do not tell how far an entry is. Time: the edges
/// from the entries of these layers. Memory: three bits for each entry.
///
/// # Errors
/// The first entry that fails, an edge that does not cost 1, or if cancelled.
pub fn prove_layers(
    abstraction: &dyn Abstraction,
    fault: &(dyn Fn(u64, Option<u64>) -> Option<Cost> + Sync),
    depth: u64,
    cancel: &CancelToken,
) -> Result<u64, Unproved> {
    let (rows, columns) = abstraction.shape();
    let entries = rows * columns as u64;
    let (seen, mut open) = (Marks::new(entries)?, Marks::new(entries)?);
    let mut goals = Vec::new();
    abstraction.goals(&mut goals);
    goals.iter().for_each(|&goal| _ = (seen.set(goal), open.set(goal)));
    let (walked, mut next) = (AtomicU64::new(0), Marks::new(entries)?);
    for layer in 0..=depth {
        let found = AtomicBool::new(false);
        each_row(rows, cancel, &|row, edges| {
            let first = row * columns as u64;
            let here = open.within(first, columns);
            for &column in &here {
                let entry = first + column as u64;
                if let Some(value) = fault(entry, Some(layer)) {
                    return Err(Unproved::Value { entry, value, most: layer });
                }
            }
            if layer == depth || here.is_empty() {
                return Ok(());
            }
            abstraction.edges(row, edges);
            for edge in edges.iter() {
                if edge.cost != 1 {
                    return Err(Unproved::Cost(edge.cost));
                }
                let map = abstraction.map_of(edge);
                for &column in &here {
                    let to = edge.row * columns as u64 + map.to(column) as u64;
                    if seen.set(to) {
                        next.set(to);
                        found.store(true, Relaxed);
                    }
                }
            }
            walked.fetch_add((edges.len() * here.len()) as u64, Relaxed);
            Ok(())
        })?;
        if !found.into_inner() {
            break;
        }
        std::mem::swap(&mut open, &mut next);
        next.clear();
    }
    each_row(rows, cancel, &|row, _| {
        for entry in row * columns as u64..(row + 1) * columns as u64 {
            if !seen.get(entry)
                && let Some(value) = fault(entry, None)
            {
                return Err(Unproved::Value { entry, value, most: depth });
            }
        }
        Ok(())
    })?;
    Ok(walked.into_inner())
}

/// A bit for each entry.
struct Marks(Vec<AtomicU64>);

impl Marks {
    fn new(entries: u64) -> Result<Self, Unproved> {
        let failed = || Unproved::Memory(entries);
        let words = usize::try_from(entries.div_ceil(64)).map_err(|_| failed())?;
        let mut marks = Vec::new();
        marks.try_reserve_exact(words).map_err(|_| failed())?;
        marks.resize_with(words, AtomicU64::default);
        Ok(Self(marks))
    }

    /// The marked ones of `count` entries from `first` on, as distances from `first`.
    fn within(&self, first: u64, count: usize) -> Vec<usize> {
        let (mut marked, mut column) = (Vec::new(), 0);
        while column < count {
            let entry = first + column as u64;
            // The rest of the word that holds this entry.
            let bits = self.0[(entry / 64) as usize].load(Relaxed) >> (entry % 64);
            if bits == 0 {
                column += 64 - (entry % 64) as usize;
            } else {
                column += bits.trailing_zeros() as usize;
                marked.extend((column < count).then_some(column));
                column += 1;
            }
        }
        marked
    }

    fn get(&self, entry: u64) -> bool {
        self.0[(entry / 64) as usize].load(Relaxed) >> (entry % 64) & 1 == 1
    }

    /// Sets a bit. Returns whether it was not set.
    fn set(&self, entry: u64) -> bool {
        let bit = 1 << (entry % 64);
        !self.get(entry) && self.0[(entry / 64) as usize].fetch_or(bit, Relaxed) & bit == 0
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(|word| *word.get_mut() = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::BytesMut;
    use crate::table::{Modulo3, PackedTable, StripeCode, StripeTable};
    use crate::testing::{DiscPattern, Ring};
    use crate::{BuildOptions, build};
    use search::random::Random;

    fn pattern() -> DiscPattern {
        DiscPattern::new(Ring::new(9, 3, 4), 4)
    }

    /// A thousand times one wrong byte: a table passes only if no value is above the distance.
    #[test]
    fn wrong_bytes_are_caught() {
        let (pattern, cancel) = (pattern(), CancelToken::new());
        let exact = build::<4>(&pattern, &BuildOptions::default()).expect("built");
        let bytes = exact.bytes().to_vec();
        let mut random = Random::new(1);
        let (mut caught, mut weaker) = (0, 0);
        for round in 0..1000 {
            let mut wrong = BytesMut::zeroed(bytes.len()).expect("memory");
            wrong.as_mut_slice().copy_from_slice(&bytes);
            let place = random.index(bytes.len());
            wrong.as_mut_slice()[place] ^= 1 << random.below(8);
            let table = PackedTable::new(wrong.freeze(), 4, exact.entries()).expect("fits");
            let proved = prove_values(&pattern, &|entry| table.get(entry), &cancel);
            let above = (0..exact.entries()).any(|entry| table.get(entry) > exact.get(entry));
            match proved {
                Ok(_) => assert!(!above, "round {round}"),
                Err(_) if above => caught += 1,
                // Lower values are admissible. One that is not consistent is refused, too.
                Err(_) => weaker += 1,
            }
        }
        assert!(caught > 300 && caught + weaker > 900, "{caught} caught, {weaker} weaker");
        let whole = prove_values(&pattern, &|entry| exact.get(entry), &cancel);
        assert!(whole.expect("proved") > exact.entries());
    }

    /// As the facade proves stripes and remainders.
    #[test]
    fn few_bits_are_proved_by_layers() {
        let (pattern, cancel) = (pattern(), CancelToken::new());
        let options = BuildOptions::default();
        let exact = build::<4>(&pattern, &options).expect("built");
        for code in [StripeCode::one(2), StripeCode::two(1)] {
            let table = StripeTable::build(&pattern, code, &options).expect("built");
            let whole = table.prove(&pattern, &cancel);
            assert!(whole.expect("proved") > 0);
            let mut random = Random::new(2);
            let bytes = table.bytes().to_vec();
            for round in 0..300 {
                let mut wrong = BytesMut::zeroed(bytes.len()).expect("memory");
                wrong.as_mut_slice().copy_from_slice(&bytes);
                let place = random.index(bytes.len());
                wrong.as_mut_slice()[place] ^= 1 << random.below(8);
                let (rows, columns) = pattern.shape();
                let wrong = StripeTable::new(wrong.freeze(), rows, columns, code).expect("fits");
                let above = (0..exact.entries()).any(|entry| wrong.value(entry) > exact.get(entry));
                assert_eq!(wrong.prove(&pattern, &cancel).is_err(), above, "round {round}");
            }
        }
        let table = Modulo3::build(&pattern, &options).expect("built");
        table.prove(&pattern, &cancel).expect("proved");
        let mut wrong = BytesMut::zeroed(table.bytes().len()).expect("memory");
        wrong.as_mut_slice().copy_from_slice(table.bytes());
        wrong.as_mut_slice()[7] ^= 1;
        let wrong = Modulo3::new(wrong.freeze(), table.entries()).expect("fits");
        assert!(matches!(wrong.prove(&pattern, &cancel), Err(Unproved::Value { .. })));
    }
}
