//! The files of layers: [`Checkpoint`].

use super::slice::Slice;
use crate::ranges::Ranges;
use fewest::pdb::file::{Load, TableError, TableSpec, TableStore};
use serde_json::{Value, json};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// The encodings of the file that makes the parts of a layer valid, and of a part.
const LAYER: &str = "layers of ranks";
const PART: &str = "part of a layer";
/// More ranks than any job has.
const MOST_RANKS: u64 = 1 << 24;

/// The files of a build or a count, in a folder that all ranks see. Each rank saves its part of a
/// layer. Then rank 0 saves the sizes of all layers, which makes the parts valid. All are table
/// files: each exists whole or not at all, and is checked before it is used.
pub(super) struct Checkpoint<'a> {
    store: Option<TableStore>,
    description: &'a Value,
}

impl<'a> Checkpoint<'a> {
    pub(super) fn new(folder: Option<&'a Path>, description: &'a Value) -> Self {
        Self { store: folder.map(TableStore::new), description }
    }

    /// The file of a layer, or of the part of a rank in it.
    fn spec(
        &self,
        slice: &Slice,
        (layer, ranks): (usize, usize),
        part: Option<usize>,
        payload_bytes: u64,
    ) -> TableSpec {
        let (name, encoding) = match part {
            None => (format!("layer-{layer}"), LAYER),
            Some(rank) => (format!("layer-{layer}-part-{rank}-of-{ranks}"), PART),
        };
        let (of, bits, entries) = (self.description, slice.bits(), slice.entries());
        let description =
            json!({"of": of, "bits": bits, "layer": layer, "ranks": ranks, "part": part});
        let encoding = encoding.to_owned();
        TableSpec { name, description, encoding, entries, payload_bytes }
    }

    /// Loads the entries of a rank. Returns the sizes of all layers; none if there is no file.
    pub(super) fn load(&self, slice: &mut Slice) -> Result<Vec<u64>, TableError> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        let Some((layer, ranks)) = newest(store)? else { return Ok(Vec::new()) };
        let spec = self.spec(slice, (layer, ranks), None, 8 * (layer as u64 + 1));
        let sizes = words(&store.load(&spec, Load::Mmap)?);
        let ranges = Ranges::new(slice.entries(), ranks);
        for rank in 0..ranks {
            let Range { start, end } = ranges.blocks(rank);
            let own = start.max(slice.first())..end.min(slice.end() / 64);
            if own.is_empty() {
                continue;
            }
            // A block has 64 entries, so a word for each bit of an entry.
            let bytes = 8 * u64::from(slice.bits());
            let part = self.spec(slice, (layer, ranks), Some(rank), (end - start) * bytes);
            let part = store.load(&part, Load::Mmap)?;
            let [from, to] = [own.start, own.end]
                .map(|block| usize::try_from((block - start) * bytes).expect("a place in memory"));
            slice.fill(own.start, &words(&part[from..to]));
        }
        slice.count();
        Ok(sizes)
    }

    /// Saves the part of a rank.
    pub(super) fn save(&self, slice: &Slice, layers: &[u64]) -> Result<(), TableError> {
        let Some(store) = &self.store else { return Ok(()) };
        let words = slice.words();
        if words.is_empty() {
            return Ok(());
        }
        let bytes = size_of_val(words) as u64;
        let place = (layers.len() - 1, slice.ranks());
        let spec = self.spec(slice, place, Some(slice.rank()), bytes);
        save(store, &spec, words)
    }

    /// Makes the parts of all ranks valid, and removes the files of all layers before. If it fails,
    /// the layer before stays valid.
    pub(super) fn publish(&self, slice: &Slice, layers: &[u64]) -> Result<(), TableError> {
        let Some(store) = &self.store else { return Ok(()) };
        let place = (layers.len() - 1, slice.ranks());
        let spec = self.spec(slice, place, None, size_of_val(layers) as u64);
        save(store, &spec, layers)?;
        for file in store.list()?.into_iter().flatten() {
            if file.description["layer"].as_u64().is_some_and(|layer| layer < place.0 as u64) {
                // The newest layer counts, so it does not matter whether this one is gone.
                let _ = store.remove(&file.spec());
            }
        }
        Ok(())
    }

    /// Says that ranks see different files.
    pub(super) fn not_shared(&self) -> String {
        let path = |store: &TableStore| store.folder.display().to_string();
        let folder = self.store.as_ref().map_or_else(String::new, path);
        format!("{folder}: ranks see other layers in it, expected a folder that all ranks share")
    }
}

/// The newest layer of a folder, and how many ranks saved it.
fn newest(store: &TableStore) -> Result<Option<(usize, usize)>, TableError> {
    let number = |path: &Path| -> Option<usize> {
        path.file_stem()?.to_str()?.strip_prefix("layer-")?.parse().ok()
    };
    let mut newest = None;
    for file in store.list()? {
        let path = file.as_ref().map_or_else(TableError::path, |info| &info.path);
        let Some(layer) = number(path) else { continue };
        if newest.is_some_and(|(other, _)| other > layer) {
            continue;
        }
        let ranks = file?.description["ranks"].as_u64();
        let ranks = ranks.filter(|ranks| (1..MOST_RANKS).contains(ranks));
        let ranks = ranks.and_then(|ranks| usize::try_from(ranks).ok());
        let wrong = || {
            let name = format!("layer-{layer}");
            store.wrong_contents(&name, "of no number of ranks", "the sizes of layers")
        };
        newest = Some((layer, ranks.ok_or_else(wrong)?));
    }
    Ok(newest)
}

/// Saves words, in the place of a file that a killed job left.
fn save(store: &TableStore, spec: &TableSpec, words: &[u64]) -> Result<(), TableError> {
    store.remove(spec)?;
    let mut fill = |out: &mut dyn Write| {
        let mut words = words.chunks(1 << 16);
        words.try_for_each(|words| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            out.write_all(&bytes)
        })
    };
    store.save_with(spec, &mut fill)?;
    Ok(())
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}
