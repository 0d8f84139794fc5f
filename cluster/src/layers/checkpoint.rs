//! The files of layers: [`Checkpoint`].

use super::slice::Slice;
use crate::ranges::Ranges;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What is complete: the file that makes the parts of a layer valid.
#[derive(Debug, Serialize, Deserialize)]
struct Published {
    version: u32,
    name: String,
    entries: u64,
    /// The bits of an entry.
    bits: u32,
    layers: Vec<u64>,
    /// The number of ranks that wrote parts.
    ranks: usize,
}

const VERSION: u32 = 2;

/// The files of a build or a count, in a folder that all ranks see. Each rank writes its part of a
/// layer. Then rank 0 publishes the layer.
pub(super) struct Checkpoint<'a> {
    folder: Option<&'a Path>,
    name: &'a str,
    /// The parts that this rank wrote: the last one, and the one before.
    written: Vec<PathBuf>,
}

impl<'a> Checkpoint<'a> {
    pub(super) fn new(folder: Option<&'a Path>, name: &'a str) -> Self {
        Self { folder, name, written: Vec::new() }
    }

    /// Loads the entries of a rank. Returns the sizes of all layers; none if there is no file.
    pub(super) fn load(&mut self, slice: &mut Slice) -> Result<Vec<u64>, String> {
        let Some(folder) = self.folder else { return Ok(Vec::new()) };
        let path = folder.join("published.json");
        let wrong = |what: &str| format!("{}: {what}", path.display());
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(wrong(&error.to_string())),
        };
        let published: Published =
            serde_json::from_slice(&text).map_err(|error| wrong(&error.to_string()))?;
        let Published { version, name, entries, bits, layers, ranks } = published;
        if version != VERSION {
            return Err(wrong(&format!("version {version}, expected {VERSION}")));
        }
        let (own, all, width) = (self.name, slice.entries(), slice.bits());
        if name != own || entries != all || bits != width {
            return Err(wrong(&format!(
                "{entries} entries of {name} with {bits} bits, \
                 expected {all} entries of {own} with {width} bits"
            )));
        }
        let ranges = Ranges::new(entries, ranks);
        for rank in 0..ranks {
            let Range { start, end } = ranges.blocks(rank);
            let own = start.max(slice.first())..end.min(slice.end() / 64);
            if own.is_empty() {
                continue;
            }
            let path = part(folder, layers.len(), rank, ranks);
            let words = read_part(&path, (end - start) * u64::from(bits))?;
            let [from, to] = [own.start, own.end].map(|block| {
                usize::try_from((block - start) * u64::from(bits)).expect("a place in memory")
            });
            slice.fill(own.start, &words[from..to]);
        }
        slice.count();
        Ok(layers)
    }

    /// Writes the part of a rank.
    pub(super) fn save(&mut self, slice: &Slice, layers: &[u64]) -> Result<(), String> {
        let Some(folder) = self.folder else { return Ok(()) };
        let path = part(folder, layers.len(), slice.rank(), slice.ranks());
        let mut bytes: Vec<u8> = slice.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        write(&path, &bytes)?;
        self.written.push(path);
        if self.written.len() > 2 {
            // Two layers back. Whether it is gone does not matter.
            let _ = fs::remove_file(self.written.remove(0));
        }
        Ok(())
    }

    /// Makes the parts of all ranks valid. If it fails, the layer before stays valid.
    pub(super) fn publish(&self, slice: &Slice, layers: &[u64]) -> Result<(), String> {
        let Some(folder) = self.folder else { return Ok(()) };
        let (name, entries, bits) = (self.name.to_owned(), slice.entries(), slice.bits());
        let (layers, ranks) = (layers.to_vec(), slice.ranks());
        let published = Published { version: VERSION, name, entries, bits, layers, ranks };
        let text = serde_json::to_vec(&published).expect("numbers and a text");
        write(&folder.join("published.json"), &text)
    }
}

fn part(folder: &Path, layers: usize, rank: usize, ranks: usize) -> PathBuf {
    folder.join(format!("layer-{}-part-{rank}-of-{ranks}", layers - 1))
}

/// Writes a file whole or not at all, also if the power fails.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let new = path.with_extension("new");
    let written = fs::File::create(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    });
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a part of so many words.
fn read_part(path: &Path, words: u64) -> Result<Vec<u64>, String> {
    let wrong = |what: String| format!("{}: {what}", path.display());
    let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let (bits, sum) = bytes.split_last_chunk::<4>().ok_or_else(|| wrong("is empty".to_owned()))?;
    if bits.len() as u64 != 8 * words {
        return Err(wrong(format!("{} bytes, expected {}", bytes.len(), 8 * words + 4)));
    }
    if crc32fast::hash(bits) != u32::from_le_bytes(*sum) {
        return Err(wrong("its checksum is wrong".to_owned()));
    }
    Ok(bits.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
}
