//! The entries of one rank, and their files: [`Slice`], [`Checkpoint`].

use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The entries of one rank: a range of whole words of 64 bits.
pub(super) struct Slice {
    /// All entries.
    entries: u64,
    rank: usize,
    ranks: usize,
    /// The number of the first word.
    first: u64,
    /// A bit for each entry that was reached.
    seen: Vec<u64>,
    /// The last layer, and the next.
    frontier: Vec<u64>,
    next: Vec<u64>,
}

/// The first word of a rank, among so many words.
fn first_word(words: u64, rank: usize, ranks: usize) -> u64 {
    let share = u128::from(words) * rank as u128 / ranks as u128;
    u64::try_from(share).expect("at most all words")
}

impl Slice {
    pub(super) fn new(entries: u64, rank: usize, ranks: usize) -> Self {
        let words = entries.div_ceil(64);
        let first = first_word(words, rank, ranks);
        let own = usize::try_from(first_word(words, rank + 1, ranks) - first);
        let own = own.expect("the words of a rank fit its memory");
        let bits = || vec![0; own];
        Self { entries, rank, ranks, first, seen: bits(), frontier: bits(), next: bits() }
    }

    pub(super) fn ranks(&self) -> usize {
        self.ranks
    }

    pub(super) fn start(&self) -> u64 {
        64 * self.first
    }

    pub(super) fn end(&self) -> u64 {
        64 * (self.first + self.seen.len() as u64)
    }

    /// The rank that owns an entry.
    pub(super) fn owner(&self, entry: u64) -> usize {
        let (word, words) = (u128::from(entry / 64), u128::from(self.entries.div_ceil(64)));
        // The last rank whose first word is not behind this one.
        let owner = ((word + 1) * self.ranks as u128 - 1) / words;
        usize::try_from(owner).expect("less than the number of ranks")
    }

    /// The place of an entry of this rank.
    fn place(&self, entry: u64) -> Option<(usize, u64)> {
        let word = usize::try_from((entry / 64).checked_sub(self.first)?).ok()?;
        (word < self.seen.len()).then_some((word, 1 << (entry % 64)))
    }

    /// Adds an entry to the next layer. Returns whether it is new and of this rank.
    pub(super) fn reach(&mut self, entry: u64) -> bool {
        let Some((word, bit)) = self.place(entry) else { return false };
        let new = self.seen[word] & bit == 0;
        if new {
            self.seen[word] |= bit;
            self.next[word] |= bit;
        }
        new
    }

    /// Makes the next layer the last one.
    pub(super) fn advance(&mut self) {
        self.frontier.fill(0);
        std::mem::swap(&mut self.frontier, &mut self.next);
    }

    pub(super) fn frontier_size(&self) -> u64 {
        self.frontier.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Entries of the last layer from `at` on: about as many as `most`. Moves `at` behind them.
    pub(super) fn frontier_from(&self, at: &mut u64, most: usize) -> Vec<u64> {
        let mut found = Vec::new();
        while *at < self.end() && found.len() < most {
            let Some((word, _)) = self.place(*at) else { break };
            let mut bits = self.frontier[word];
            while bits != 0 {
                found.push(*at + u64::from(bits.trailing_zeros()));
                bits &= bits - 1;
            }
            *at += 64;
        }
        found
    }
}

/// What is complete: the file that makes the parts of a layer valid.
#[derive(Debug, Serialize, Deserialize)]
struct Published {
    version: u32,
    name: String,
    entries: u64,
    layers: Vec<u64>,
    /// The number of ranks that wrote parts.
    ranks: usize,
}

const VERSION: u32 = 1;

/// The files of a count, in a folder that all ranks see. Each rank writes its part of a layer.
/// Then rank 0 publishes the layer.
pub(super) struct Checkpoint<'a> {
    folder: Option<&'a Path>,
    name: &'a str,
    entries: u64,
    /// The parts that this rank wrote: the last one, and the one before.
    written: Vec<PathBuf>,
}

impl<'a> Checkpoint<'a> {
    pub(super) fn new(folder: Option<&'a Path>, name: &'a str, entries: u64) -> Self {
        Self { folder, name, entries, written: Vec::new() }
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
        let Published { version, name, entries, layers, ranks } = published;
        if version != VERSION {
            return Err(wrong(&format!("version {version}, expected {VERSION}")));
        }
        if name != self.name || entries != self.entries {
            let (own, all) = (self.name, self.entries);
            return Err(wrong(&format!(
                "{entries} entries of {name}, expected {all} entries of {own}"
            )));
        }
        let words = entries.div_ceil(64);
        let mut loaded = 0;
        for rank in 0..ranks {
            let (start, end) = (first_word(words, rank, ranks), first_word(words, rank + 1, ranks));
            let own = start.max(slice.first)..end.min(slice.first + slice.seen.len() as u64);
            if own.is_empty() {
                continue;
            }
            let bits = read_part(&part(folder, layers.len(), rank, ranks), end - start)?;
            let (seen, frontier) = bits.split_at(bits.len() / 2);
            for word in own {
                let [to, from] = [word - slice.first, word - start]
                    .map(|place| usize::try_from(place).expect("a place in memory"));
                (slice.seen[to], slice.frontier[to]) = (seen[from], frontier[from]);
                loaded += 1;
            }
        }
        match loaded == slice.seen.len() {
            true => Ok(layers),
            false => Err(wrong("its parts do not cover all entries")),
        }
    }

    /// Writes the part of a rank.
    pub(super) fn save(&mut self, slice: &Slice, layers: &[u64]) -> Result<(), String> {
        let Some(folder) = self.folder else { return Ok(()) };
        let path = part(folder, layers.len(), slice.rank, slice.ranks);
        let words = slice.seen.iter().chain(&slice.frontier);
        let mut bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
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
    pub(super) fn publish(&self, layers: &[u64], ranks: usize) -> Result<(), String> {
        let Some(folder) = self.folder else { return Ok(()) };
        let (name, entries) = (self.name.to_owned(), self.entries);
        let layers = layers.to_vec();
        let published = Published { version: VERSION, name, entries, layers, ranks };
        let text = serde_json::to_vec(&published).expect("numbers and a text");
        write(&folder.join("published.json"), &text)
    }
}

fn part(folder: &Path, layers: usize, rank: usize, ranks: usize) -> PathBuf {
    folder.join(format!("layer-{}-part-{rank}-of-{ranks}", layers - 1))
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let new = path.with_extension("new");
    let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, path));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a part that has so many words twice: those reached, and those of the last layer.
fn read_part(path: &Path, words: u64) -> Result<Vec<u64>, String> {
    let wrong = |what: String| format!("{}: {what}", path.display());
    let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let (bits, sum) = bytes.split_last_chunk::<4>().ok_or_else(|| wrong("is empty".to_owned()))?;
    if bits.len() as u64 != 16 * words {
        return Err(wrong(format!("{} bytes, expected {}", bytes.len(), 16 * words + 4)));
    }
    if crc32fast::hash(bits) != u32::from_le_bytes(*sum) {
        return Err(wrong("its checksum is wrong".to_owned()));
    }
    Ok(bits.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_one_owner() {
        for (entries, ranks) in [(1, 1), (1, 4), (1000, 3), (64 * 7, 7), (64 * 7 + 1, 5), (130, 9)]
        {
            let mut slices: Vec<Slice> =
                (0..ranks).map(|rank| Slice::new(entries, rank, ranks)).collect();
            for entry in 0..entries {
                let owner = slices[0].owner(entry);
                for slice in &mut slices {
                    assert_eq!(slice.reach(entry), slice.rank == owner, "{entry} of {entries}");
                }
            }
        }
    }
}
