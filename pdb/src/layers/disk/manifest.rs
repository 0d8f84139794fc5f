//! The manifest: a checkpoint file that says which files hold the codes after a complete layer.

use super::costs;
use super::cut::Cut;
use super::files::{BucketFiles, Slot};
use super::options::DiskOptions;
use crate::builder::words;
use crate::file::{Checkpoint, CheckpointWriter, TableError};
use crate::layers::ExhaustError;
use search::Cost;
use serde_json::json;
use std::io::Write;

const ENCODING: &str = "layers on disk";
/// Words before the sizes of the layers: the numbers of layers, of buckets, and of rows in a
/// bucket.
const HEAD: usize = 3;
/// Words for each bucket.
const LINE: usize = 4;

/// What is known about a bucket after a complete layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bucket {
    /// The file with the codes. `None` while all entries are unseen.
    pub(super) slot: Option<Slot>,
    /// CRC-32 of the file.
    pub(super) crc: u32,
    /// The last layer that has entries in the bucket.
    pub(super) layer: u64,
    /// Number of entries of that layer in the bucket.
    pub(super) new: u64,
}

impl Bucket {
    pub(super) const UNSEEN: Self = Self { slot: None, crc: 0, layer: 0, new: 0 };

    /// Whether the bucket has entries of a layer.
    pub(super) fn has(&self, layer: usize) -> bool {
        self.slot.is_some() && self.layer == layer as u64
    }

    fn words(&self) -> [u64; LINE] {
        let slot = match self.slot {
            None => 0,
            Some(Slot::A) => 1,
            Some(Slot::B) => 2,
        };
        [slot, self.crc.into(), self.layer, self.new]
    }

    fn of(words: &[u64]) -> Option<Self> {
        let &[slot, crc, layer, new] = words else { return None };
        let slot =
            [None, Some(Slot::A), Some(Slot::B)].get(usize::try_from(slot).ok()?).copied()?;
        Some(Self { slot, crc: u32::try_from(crc).ok()?, layer, new })
    }
}

/// The complete layers of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    /// The number of entries of each layer.
    pub(super) layers: Vec<u64>,
    pub(super) cut: Cut,
    pub(super) buckets: Vec<Bucket>,
    /// The known costs of edges. With two bits an entry, that is 1 alone, and it is not saved.
    pub(super) costs: [u64; costs::WORDS],
}

/// The cost 1 alone.
const ONE: [u64; costs::WORDS] = [2, 0, 0, 0];

impl Manifest {
    /// No layer yet.
    pub(super) fn none(cut: Cut) -> Self {
        let buckets = vec![Bucket::UNSEEN; cut.buckets()];
        Self { layers: Vec::new(), cut, buckets, costs: ONE }
    }

    fn words(&self) -> Vec<u64> {
        let Self { layers, cut, buckets, costs } = self;
        let mut words = vec![layers.len() as u64, buckets.len() as u64, cut.bucket_rows];
        words.extend(layers);
        words.extend(buckets.iter().flat_map(Bucket::words));
        words.extend(costs.iter().filter(|_| cut.bits > 2));
        words
    }

    /// Reads a manifest. `None` if no search of this shape can have written it.
    fn of(words: &[u64], layer: usize, shape: (u64, usize), bits: usize) -> Option<Self> {
        let (words, costs) = match bits {
            2 => (words, ONE),
            _ => words.split_last_chunk().map(|(words, costs)| (words, *costs))?,
        };
        let (&[layers, buckets, bucket_rows], rest) = words.split_first_chunk::<HEAD>()?;
        let layers = usize::try_from(layers).ok().filter(|&layers| layers == layer + 1)?;
        let (sizes, lines) = rest.split_at_checked(layers)?;
        let (rows, columns) = shape;
        // With costs other than 1, there may be layers without entries, but not the last one.
        let empty = |size: &u64| *size == 0 && (bits == 2 || costs == ONE);
        let empty = sizes.iter().any(empty) || sizes.last().is_none_or(|&size| size == 0);
        if !(1..=rows.min(1 << 32)).contains(&bucket_rows) || empty {
            return None;
        }
        let cut = Cut { rows, columns, bucket_rows, bits };
        let whole = buckets == cut.buckets() as u64 && lines.len() % LINE == 0;
        if !whole || lines.len() / LINE != cut.buckets() {
            return None;
        }
        let buckets = lines.chunks_exact(LINE).map(Bucket::of).collect::<Option<Vec<_>>>()?;
        let mut last = buckets.iter().filter(|bucket| bucket.has(layer));
        let last = last.try_fold(0_u64, |sum, bucket| sum.checked_add(bucket.new));
        let right = |bucket: &Bucket| bucket.slot.is_none() || bucket.layer <= layer as u64;
        let sound = cut.is_aligned() && buckets.iter().all(right) && last == sizes.last().copied();
        let sound = sound && costs[0] & ONE[0] != 0;
        sound.then(|| Self { layers: sizes.to_vec(), cut, buckets, costs })
    }
}

/// Reads and writes the manifests of one search.
pub(super) struct Manifests<'a> {
    files: CheckpointWriter<'a>,
    shape: (u64, usize),
    bits: usize,
    entries: u64,
}

impl<'a> Manifests<'a> {
    pub(super) fn new(
        options: &DiskOptions<'a>,
        checkpoint: &'a Checkpoint,
        shape: (u64, usize),
        (bits, most): (usize, Option<Cost>),
    ) -> Self {
        let (rows, columns) = shape;
        let codes = match most {
            _ if bits == 2 => json!("disk"),
            most => json!({"bits": bits, "most": most}),
        };
        let files = CheckpointWriter::new(
            Some(checkpoint),
            options.observer,
            ENCODING,
            &|search| json!({"exhaust": search, "rows": rows, "columns": columns, "codes": codes}),
        );
        let files = files.stopped_by(options.cancel);
        Self { files, shape, bits, entries: rows * columns as u64 }
    }

    /// The newest manifest. `None` if there is none that a search can have written.
    ///
    /// # Errors
    /// If a manifest has a newer version of the format.
    pub(super) fn load(&mut self) -> Result<Option<Manifest>, TableError> {
        self.files.refuse_newer()?;
        Ok(self.load_own())
    }

    fn load_own(&mut self) -> Option<Manifest> {
        let entries = self.entries;
        let saved = self.files.load(&|_, of, bytes| of == entries && bytes % 8 == 0)?;
        let words: Vec<u64> = words::read(&saved.bytes).collect();
        let read = Manifest::of(&words, saved.layer, self.shape, self.bits);
        if read.is_none() {
            self.refuse();
        }
        read
    }

    /// Reports that the newest manifest or a file that it names is damaged. The search then begins
    /// anew.
    pub(super) fn refuse(&mut self) {
        self.files.refuse();
    }

    /// Saves a manifest and removes the one before.
    ///
    /// # Errors
    /// If it cannot be written or the caller cancels. Then the manifest before is still there.
    pub(super) fn save(
        &mut self,
        manifest: &Manifest,
        files: &BucketFiles<'_>,
    ) -> Result<(), ExhaustError> {
        files.sync_names()?;
        let words = manifest.words();
        let shape = (self.entries, words.len() as u64 * 8);
        let mut fill = |out: &mut dyn Write| words::write(words.iter().copied(), out);
        let saved = self.files.try_save(manifest.layers.len() - 1, shape, &mut fill);
        saved.map_err(|error| files.check().err().unwrap_or(ExhaustError::File(error)))?;
        files.set_saved(manifest.layers.len());
        Ok(())
    }

    /// Removes the files after the search has ended.
    pub(super) fn done(self) {
        self.files.done(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let cut = Cut { rows: 10, columns: 7, bucket_rows: 8, bits: 8 };
        let a = Bucket { slot: Some(Slot::A), crc: u32::MAX, layer: 1, new: 3 };
        let b = Bucket { slot: Some(Slot::B), crc: 5, layer: 0, new: 1 };
        let buckets = vec![a, b];
        let manifest = Manifest { layers: vec![1, 3], cut, buckets, costs: ONE };
        let words = manifest.words();
        assert_eq!(Manifest::of(&words, 1, (10, 7), 8), Some(manifest.clone()));
        assert_eq!(Manifest::of(&words, 2, (10, 7), 8), None);
        assert_eq!(Manifest::of(&words, 1, (17, 7), 8), None);
        // Each word but the checksums, the counts of older layers and the costs is checked.
        for at in (0..words.len() - costs::WORDS).filter(|at| ![3, 6, 10, 12].contains(at)) {
            let mut forged = words.clone();
            forged[at] = forged[at].wrapping_add(3);
            assert_eq!(Manifest::of(&forged, 1, (10, 7), 8), None, "word {at}");
        }
        assert!((0..words.len()).all(|len| Manifest::of(&words[..len], 1, (10, 7), 8).is_none()));
        // A layer without entries needs another cost than 1.
        let layers = vec![1, 0, 3];
        let buckets = vec![Bucket { layer: 2, ..a }, b];
        let gap = Manifest { layers, buckets, costs: [6, 0, 0, 0], ..manifest };
        assert_eq!(Manifest::of(&gap.words(), 2, (10, 7), 8), Some(gap.clone()));
        for costs in [ONE, [4, 0, 0, 0]] {
            let words = Manifest { costs, ..gap.clone() }.words();
            assert_eq!(Manifest::of(&words, 2, (10, 7), 8), None);
        }
    }
}
