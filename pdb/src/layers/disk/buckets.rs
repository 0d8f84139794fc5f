//! The codes of all entries, cut into buckets: [`Buckets`]. One bucket is in memory.

use super::costs;
use super::each::each;
use super::files::{BucketFiles, PIECE, Slot, Syncs};
use super::manifest::{Bucket, Manifest, Manifests};
use crate::builder::{BuildError, BuildTable, Flags, Table, equal, words};
use crate::layers::ExhaustError;
use crate::memory::BytesMut;
use search::CancelToken;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Scan for fully seen rows once at most 1/8 of a bucket is unseen.
const MOSTLY_SEEN: u64 = 8;
/// Number of rows that a thread looks at before it looks at the token.
const PART: u64 = 1 << 10;

/// The buckets of a search: the manifest of the complete layers, and the files with codes.
pub(super) struct Buckets<'a, const BITS: usize> {
    pub(super) files: &'a BucketFiles<'a>,
    pub(super) manifests: Manifests<'a>,
    /// The complete layers, and where their codes are.
    pub(super) made: Manifest,
    /// The buckets after the merges so far.
    pub(super) next: Vec<Bucket>,
    /// The codes of one bucket.
    pub(super) memory: BytesMut,
    /// The rows that are known to have no unseen entries.
    pub(super) whole: Option<Flags>,
    pub(super) cancel: Option<&'a CancelToken>,
}

impl<'a, const BITS: usize> Buckets<'a, BITS> {
    pub(super) const UNSEEN: u64 = <Table<'_, BITS> as BuildTable>::UNSEEN;

    /// The code of the entries of a layer. With two bits, it is that of every other layer.
    pub(super) fn code(layer: usize) -> u64 {
        if BITS == 2 { 1 + layer as u64 % 2 } else { layer as u64 }
    }

    /// The buckets of these layers, without memory.
    pub(super) fn new(
        files: &'a BucketFiles<'a>,
        manifests: Manifests<'a>,
        made: Manifest,
        cancel: Option<&'a CancelToken>,
    ) -> Result<Self, ExhaustError> {
        let (next, memory, whole) = (Vec::new(), memory(0)?, None);
        Ok(Self { files, manifests, made, next, memory, whole, cancel })
    }

    /// Allocates the memory of one bucket, and of the flags of the rows if there are any.
    pub(super) fn allocate(&mut self, has_flags: bool) -> Result<(), ExhaustError> {
        let cut = self.made.cut;
        self.memory = memory(cut.words(0) * 8)?;
        self.whole = has_flags.then(|| Flags::new(cut.rows));
        Ok(())
    }

    /// Number of entries of the complete layers.
    pub(super) fn seen(&self) -> u64 {
        self.made.layers.iter().sum()
    }

    /// Number of entries of the whole table.
    pub(super) fn entries(&self) -> u64 {
        self.made.cut.rows * self.made.cut.columns as u64
    }

    /// Number of entries of the last layer in `next`.
    pub(super) fn found(&self, depth: usize) -> u64 {
        self.next.iter().filter(|bucket| bucket.has(depth)).map(|bucket| bucket.new).sum()
    }

    /// Removes all files that the complete layers do not need.
    pub(super) fn clear(&self) -> Result<(), ExhaustError> {
        let buckets = &self.made.buckets;
        let kept = |bucket: usize, slot| buckets.get(bucket).is_some_and(|b| b.slot == Some(slot));
        self.files.clear(&kept)
    }

    /// Saves the layer whose codes are in `next`, and returns its number of entries.
    pub(super) fn complete(
        &mut self,
        depth: usize,
        costs: [u64; costs::WORDS],
    ) -> Result<u64, ExhaustError> {
        let found = self.found(depth);
        let before = std::mem::replace(&mut self.made.buckets, self.next.clone());
        let saved = self.made.layers.len();
        // Layers between this one and the last have no entries.
        self.made.layers.resize(depth, 0);
        self.made.layers.push(found);
        self.made.costs = costs;
        if let Err(error) = self.manifests.save(&self.made, self.files) {
            // The files of the manifest before are those to keep.
            self.made.buckets = before;
            self.made.layers.truncate(saved);
            return Err(error);
        }
        for (number, (before, bucket)) in before.iter().zip(&self.made.buckets).enumerate() {
            if let Some(slot) = before.slot.filter(|_| before.slot != bucket.slot) {
                self.files.discard(number, slot)?;
            }
        }
        Ok(found)
    }

    /// Loads the codes of a bucket.
    pub(super) fn load(&mut self, number: usize, bucket: Bucket) -> Result<(), ExhaustError> {
        let words = self.made.cut.words(number);
        let Some(slot) = bucket.slot else {
            Table::<BITS>::unseen(&self.memory.as_words()[..words], self.cancel);
            return self.files.check();
        };
        let bytes = &mut self.memory.as_mut_slice()[..words * 8];
        if self.files.load(number, slot, bytes)? != bucket.crc {
            return Err(self.files.damaged(number, slot));
        }
        words::to_little_endian(self.memory.as_words());
        Ok(())
    }

    /// Loads the codes of a bucket of the complete layers. Meanwhile the next bucket is read.
    pub(super) fn load_in_turn(&mut self, number: usize) -> Result<(), ExhaustError> {
        if let Some(next) = self.next.get(number + 1) {
            self.files.expect(number + 1, next.slot);
        }
        self.load(number, self.next[number])
    }

    /// The number of entries of a bucket with a code. Its codes must be loaded.
    pub(super) fn count(&mut self, bucket: usize, code: u64) -> Result<u64, ExhaustError> {
        let words = self.made.cut.words(bucket);
        let hits = |word: &AtomicU64| equal(BITS, word.load(Relaxed), code).count_ones();
        let cancel = self.cancel;
        let count = words::sum(&self.memory.as_words()[..words], &|_, part| {
            if cancel.is_some_and(CancelToken::is_cancelled) {
                return 0;
            }
            part.iter().map(|word| u64::from(hits(word))).sum()
        });
        self.files.check()?;
        // The bits behind the last entry are those of unseen entries.
        let unused = words as u64 * (64 / BITS as u64) - self.made.cut.entries_of(bucket);
        Ok(if code == Self::UNSEEN { count - unused } else { count })
    }

    /// Notes which rows of the loaded bucket have no unseen entries, if most entries are seen.
    pub(super) fn flag_whole_rows(&mut self, bucket: usize) -> Result<(), ExhaustError> {
        let (cut, files, unseen) = (self.made.cut, self.files, self.count(bucket, Self::UNSEEN)?);
        let Some(whole) = self.whole.as_ref() else { return Ok(()) };
        if unseen > cut.entries_of(bucket) / MOSTLY_SEEN {
            return Ok(());
        }
        let (rows, table) = (cut.rows_of(bucket), Table::<BITS>::of(self.memory.as_words()));
        let parts = usize::try_from((rows.end - rows.start).div_ceil(PART)).expect("rows");
        each(parts, &|part| {
            files.check()?;
            let (from, mut columns) = (rows.start + part as u64 * PART, Vec::new());
            for row in from..rows.end.min(from + PART) {
                table.row(row - rows.start, cut.columns).select(
                    cut.columns,
                    Self::UNSEEN,
                    &mut columns,
                );
                if columns.is_empty() {
                    whole.set(row);
                }
            }
            Ok(())
        })
    }

    /// Whether the files hold the codes that the manifest says. A file may be damaged, and a
    /// manifest may be forged.
    pub(super) fn is_sound(&mut self) -> Result<bool, ExhaustError> {
        let (mut seen, last) = (0, self.made.layers.len() - 1);
        for (number, bucket) in self.made.buckets.clone().into_iter().enumerate() {
            match self.load(number, bucket) {
                Ok(()) => {}
                Err(ExhaustError::File(_)) => return Ok(false),
                Err(other) => return Err(other),
            }
            self.flag_whole_rows(number)?;
            let entries = self.made.cut.entries_of(number);
            let Some(found) = entries.checked_sub(self.count(number, Self::UNSEEN)?) else {
                return Ok(false);
            };
            seen += found;
            if bucket.has(last) && self.count(number, Self::code(last))? != bucket.new {
                return Ok(false);
            }
        }
        let sizes = self.made.layers.iter().try_fold(0_u64, |sum, size| sum.checked_add(*size));
        Ok(sizes == Some(seen))
    }

    /// Writes the codes of a bucket that are in memory. The bucket has `new` entries of layer
    /// `depth`.
    pub(super) fn write(
        &mut self,
        number: usize,
        (depth, new): (usize, u64),
        syncs: &Syncs,
    ) -> Result<(), ExhaustError> {
        let slot = match (self.made.buckets[number].slot, self.next[number].slot) {
            // The slot that the manifest names stays as it is.
            (Some(kept), _) => kept.other(),
            (None, slot) => slot.unwrap_or(Slot::A),
        };
        words::to_little_endian(self.memory.as_words());
        let bytes = self.made.cut.words(number) * 8;
        let crc = self.files.save(number, slot, &self.memory.as_mut_slice()[..bytes], syncs)?;
        self.next[number] = Bucket { slot: Some(slot), crc, layer: depth as u64, new };
        Ok(())
    }

    /// Writes the payload of a table: the codes of all buckets, one after another. `bytes` is its
    /// length, without the bytes behind the last entry that fill a word.
    ///
    /// # Errors
    /// The outer one if a bucket cannot be read, the inner one if `out` fails.
    pub(super) fn payload(
        &mut self,
        bytes: u64,
        out: &mut dyn Write,
    ) -> Result<io::Result<()>, ExhaustError> {
        let mut left = bytes;
        for number in 0..self.next.len() {
            self.load_in_turn(number)?;
            let len = self.made.cut.words(number) as u64 * 8;
            let len = usize::try_from(len.min(left)).expect("bytes in memory");
            if let Err(error) = self.write_bytes(len, out) {
                return Ok(Err(error));
            }
            left -= len as u64;
        }
        Ok(Ok(()))
    }

    /// Writes the first bytes of the codes in memory, as they are in a file.
    pub(super) fn write_bytes(&mut self, len: usize, out: &mut dyn Write) -> io::Result<()> {
        words::to_little_endian(self.memory.as_words());
        self.memory.as_mut_slice()[..len].chunks(PIECE).try_for_each(|piece| out.write_all(piece))
    }

    /// The codes of a loaded bucket, as they are in a file.
    pub(super) fn bytes(&mut self, number: usize) -> &[u8] {
        words::to_little_endian(self.memory.as_words());
        let bits = self.made.cut.entries_of(number) * BITS as u64;
        let len = usize::try_from(bits.div_ceil(8)).expect("bytes in memory");
        &self.memory.as_mut_slice()[..len]
    }
}

fn memory(bytes: usize) -> Result<BytesMut, BuildError> {
    BytesMut::zeroed(bytes).map_err(|source| BuildError::Memory { bytes: bytes as u64, source })
}
