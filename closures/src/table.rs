//! A table of fixed size with notes on searched states. Notes of this iteration cut states; all
//! notes order children.

use rustc_hash::FxBuildHasher;
use search::Cost;
use std::hash::{BuildHasher, Hash};
use std::num::NonZeroU8;

/// Maximum size of a table in bytes, without the heap memory that states own.
const BYTES: usize = 1 << 21;

/// States with their notes. Entries come in pairs: the high bits of a state's hash choose its pair.
///
/// The first entry of a pair keeps the state below which more states were expanded, unless its note
/// is older than the last iteration. The second entry is always replaced. So the few states near
/// the start outlast the many near the bound. The table compares states, not only their hashes.
pub(super) struct NoteTable<N> {
    entries: Vec<Option<Entry<N>>>,
    /// A hash shifted right by this number of bits is the number of the pair.
    shift: u32,
    /// The number of the iteration, from 1 on.
    round: NonZeroU8,
}

struct Entry<N> {
    state: N,
    /// The low 32 bits of the hash. Different tags save most comparisons of states.
    tag: u32,
    /// The iteration of the note. It is never 0, so that an empty entry takes no extra byte.
    round: NonZeroU8,
    note: Note,
}

/// The result of a complete search below a state that found no plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Note {
    /// The cost that remained at the state.
    pub(super) remaining: Cost,
    /// The least estimate among the state and the looked up states below it.
    pub(super) least: Cost,
    /// The number of states that the search expanded, including the state itself.
    pub(super) size: u32,
}

/// A note, and whether it was made in this iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoteMatch {
    pub(super) note: Note,
    pub(super) now: bool,
}

impl<N: Clone + Eq + Hash> NoteTable<N> {
    /// An empty table with at most `entries` entries and [`BYTES`] bytes. `None` if fewer than four
    /// entries fit.
    pub(super) fn new(entries: usize) -> Option<Self> {
        let fit = BYTES / size_of::<Option<Entry<N>>>();
        let bits = entries.min(fit).checked_ilog2().filter(|&bits| bits > 1)?;
        let mut entries = Vec::new();
        entries.resize_with(1 << bits, || None);
        Some(Self { entries, shift: u64::BITS + 1 - bits, round: NonZeroU8::MIN })
    }

    /// Begins the next iteration. There are at most 251, because bounds rise from 0 to 250.
    pub(super) fn begin(&mut self) {
        self.round = self.round.saturating_add(1);
    }

    /// The hash of a state, the same in every run. Its high bits choose the *pair* of entries; its
    /// low 32 bits are the tag.
    #[inline(always)]
    pub(super) fn hash(state: &N) -> u64 {
        // The multiplication makes the high bits depend on all others. The low bits stay weak.
        FxBuildHasher.hash_one(state).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "below the number of entries")]
    fn pair(&self, hash: u64) -> usize {
        (hash >> self.shift << 1) as usize
    }

    /// The note on a state; `None` if the table has none.
    #[inline(always)]
    pub(super) fn get(&self, hash: u64, state: &N) -> Option<NoteMatch> {
        let pair = self.pair(hash);
        let mut entries = self.entries[pair..pair + 2].iter().flatten();
        let entry = entries.find(|entry| entry.is(hash, state))?;
        Some(NoteMatch { note: entry.note, now: entry.round == self.round })
    }

    /// Stores the note on a state, and replaces its old note.
    ///
    /// Never inlined: it may hold a copy of the state on the stack, and its caller is part of a
    /// recursion.
    #[inline(never)]
    pub(super) fn put(&mut self, hash: u64, state: &N, note: Note) {
        let (pair, round) = (self.pair(hash), self.round);
        let [first, second] = &mut self.entries[pair..pair + 2] else { return };
        let is = |entry: &Option<Entry<N>>| entry.as_ref().is_some_and(|one| one.is(hash, state));
        let keep = |entry: &Option<Entry<N>>| {
            let last = round.get() - 1;
            entry.as_ref().is_some_and(|one| one.note.size > note.size && one.round.get() >= last)
        };
        let place = if is(first) {
            first
        } else if is(second) || keep(first) {
            second
        } else {
            std::mem::swap(first, second);
            first
        };
        match place {
            Some(entry) => {
                // Reuses the heap memory that the old state owns.
                entry.state.clone_from(state);
                (entry.tag, entry.round, entry.note) = (tag(hash), round, note);
            }
            None => *place = Some(Entry { state: state.clone(), tag: tag(hash), round, note }),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "other bits than those of the pair")]
fn tag(hash: u64) -> u32 {
    hash as u32
}

impl<N: Eq> Entry<N> {
    #[inline(always)]
    fn is(&self, hash: u64, state: &N) -> bool {
        self.tag == tag(hash) && self.state == *state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hasher;

    /// States that all have the same hash.
    #[derive(Clone, PartialEq, Eq, Debug)]
    struct Same(u32);

    impl Hash for Same {
        fn hash<H: Hasher>(&self, _: &mut H) {}
    }

    fn note(size: u32) -> Note {
        Note { remaining: 9, least: 3, size }
    }

    /// The sizes of the notes of states 0, 1, ...
    fn sizes<const N: usize>(table: &NoteTable<Same>) -> [Option<u32>; N] {
        let found = |state: usize| {
            let state = Same(u32::try_from(state).ok()?);
            Some(table.get(NoteTable::hash(&state), &state)?.note.size)
        };
        std::array::from_fn(found)
    }

    #[test]
    fn the_first_of_a_pair_keeps_the_larger_and_states_are_compared() {
        let mut table = NoteTable::new(1024).unwrap();
        let put = |table: &mut NoteTable<Same>, state, size| {
            let state = Same(state);
            table.put(NoteTable::hash(&state), &state, note(size));
        };
        assert_eq!(sizes(&table), [None]);
        put(&mut table, 0, 50);
        put(&mut table, 1, 10);
        assert_eq!(sizes(&table), [Some(50), Some(10), None]);
        put(&mut table, 2, 5);
        assert_eq!(sizes(&table), [Some(50), None, Some(5)]);
        put(&mut table, 3, 60);
        assert_eq!(sizes(&table), [Some(50), None, None, Some(60)]);
        put(&mut table, 0, 1);
        assert_eq!(
            sizes(&table),
            [Some(1), None, None, Some(60)],
            "a new note replaces the old one"
        );
        // Notes that are older than the last iteration give way.
        table.begin();
        put(&mut table, 4, 2);
        assert_eq!(sizes(&table), [None, None, None, Some(60), Some(2)]);
        table.begin();
        put(&mut table, 5, 2);
        assert_eq!(sizes(&table), [None, None, None, Some(60), None, Some(2)]);
    }

    #[test]
    fn a_note_says_whether_it_is_of_this_iteration() {
        let mut table = NoteTable::new(1024).unwrap();
        let hash = NoteTable::hash(&7u64);
        table.put(hash, &7, note(1));
        assert_eq!(table.get(hash, &7), Some(NoteMatch { note: note(1), now: true }));
        table.begin();
        assert_eq!(table.get(hash, &7), Some(NoteMatch { note: note(1), now: false }));
        assert_eq!(table.get(hash, &8), None);
    }

    #[test]
    fn states_that_are_alike_spread_over_the_table() {
        let mut table = NoteTable::new(1 << 12).unwrap();
        for state in 0..1000u64 {
            table.put(NoteTable::hash(&(state << 40)), &(state << 40), note(1));
        }
        let kept = (0..1000)
            .filter(|state| table.get(NoteTable::hash(&(state << 40)), &(state << 40)).is_some());
        assert!(kept.count() > 900);
    }

    #[test]
    fn very_large_states_have_small_tables_or_none() {
        assert_eq!(NoteTable::<[u64; 2048]>::new(1 << 15).unwrap().entries.len(), 64);
        assert!(NoteTable::<[u64; 1 << 17]>::new(1 << 15).is_none());
        assert!(NoteTable::<u64>::new(3).is_none());
        assert!(size_of::<Option<Entry<[u8; 16]>>>() <= 32);
    }
}
