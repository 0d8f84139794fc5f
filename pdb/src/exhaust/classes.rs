//! Layers of classes, counted with checkpoints: [`exhaust_classes`].

use super::Checkpoint;
use crate::file::{Load, TableError, TableInfo, TableSpec};
use search::{
    ClassLayer, ClassLayers, Classes, FlatKey, Options, Packed, Reversible, Stopped, Symmetric,
};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Instant;

const ENCODING: &str = "class layers";
/// Bytes that are told of each layer: how many classes, how many states.
const TOLD: usize = 8 + 16;

/// What a breadth-first search by classes looks for.
#[derive(Clone, Copy, Debug)]
pub struct ClassesWanted<'a> {
    /// The last layer that is completed. [default of a caller that wants all: the greatest number]
    pub depth: usize,
    /// How many states of the last layer are answered, at the most.
    pub farthest: usize,
    /// Where complete layers are saved, and found again; none: nowhere. A file has the size of the keys of two layers; from layer 254 on nothing is saved.
    pub checkpoint: Option<&'a Checkpoint>,
}

/// Why the layers were not all counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClassesError {
    /// A limit was reached, or the caller cancelled. What was saved stays.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A checkpoint cannot be used, or not be written.
    #[error("checkpoint: {0}")]
    Checkpoint(#[from] TableError),
}

/// Counts the layers of classes from `goals` (see [`ClassLayers`]), telling each once it is complete; answers some states of the last one, class by class. What a
/// checkpoint holds is told at once, and not counted again; when all is counted, the checkpoint is removed.
///
/// # Errors
/// A limit, cancellation, or a checkpoint that cannot be used or written.
///
/// # Panics
/// If there is no goal.
pub fn exhaust_classes<D>(
    domain: &D,
    goals: &[D::State],
    wanted: &ClassesWanted<'_>,
    options: &Options<'_>,
    tell: &mut dyn FnMut(ClassLayer),
) -> Result<Vec<D::State>, ClassesError>
where
    D: Symmetric + Reversible + Packed,
    D::Key: FlatKey,
{
    let classes = Classes(domain);
    let mut saved = Saved { wanted, key: D::Key::BYTES, newest: None, since: Instant::now() };
    let mut layers = match saved.load::<D>(&classes, &goals[0], options)? {
        Some(layers) => layers,
        None => ClassLayers::new(&classes, goals, options),
    };
    layers.told().iter().for_each(|&layer| tell(layer));
    while layers.told().len() <= wanted.depth {
        let Some(layer) = layers.advance()? else { break };
        tell(layer);
        saved.save(&layers)?;
    }
    saved.remove()?;
    Ok(layers.farthest(wanted.farthest))
}

/// What is saved of one search, and when.
struct Saved<'a> {
    wanted: &'a ClassesWanted<'a>,
    /// Bytes of a key.
    key: usize,
    /// The newest file.
    newest: Option<TableSpec>,
    since: Instant,
}

impl<'a> Saved<'a> {
    /// What is searched, and where it is saved.
    fn search(&self) -> Option<(&'a Checkpoint, Value)> {
        let checkpoint = self.wanted.checkpoint?;
        Some((checkpoint, json!({"classes": checkpoint.description, "key bytes": self.key})))
    }

    /// The file after the last of these layers.
    fn spec(
        checkpoint: &Checkpoint,
        mut search: Value,
        layer: usize,
        keys: u64,
        key: usize,
    ) -> TableSpec {
        search["layer"] = layer.into();
        TableSpec {
            name: format!("{}-layer-{layer}", checkpoint.name),
            description: search,
            encoding: ENCODING.to_owned(),
            entries: keys,
            payload_bytes: ((layer + 1) * TOLD) as u64 + keys * key as u64,
        }
    }

    /// The newest file of this search that is of no use for a smaller depth.
    fn find(&self) -> Result<Option<TableSpec>, TableError> {
        let Some((checkpoint, search)) = self.search() else { return Ok(None) };
        let own = |info: TableInfo| {
            let layer = usize::try_from(info.description["layer"].as_u64()?).ok()?;
            let spec = Self::spec(checkpoint, search.clone(), layer, info.entries, self.key);
            let own = layer <= self.wanted.depth && spec.fingerprint() == info.fingerprint;
            own.then_some((layer, spec))
        };
        // Files that cannot be read are none of this search, or will be refused by name.
        let all = checkpoint.store.list()?.into_iter().flatten().filter_map(own);
        Ok(all.max_by_key(|(layer, _)| *layer).map(|(_, spec)| spec))
    }

    /// The search after the newest file, if there is one.
    fn load<'c, D>(
        &mut self,
        classes: &'c Classes<'c, D>,
        blank: &D::State,
        options: &'c Options<'c>,
    ) -> Result<Option<ClassLayers<'c, D>>, ClassesError>
    where
        D: Symmetric + Reversible + Packed,
        D::Key: FlatKey,
    {
        let (Some((checkpoint, _)), Some(spec)) = (self.search(), self.find()?) else {
            return Ok(None);
        };
        let bytes = checkpoint.store.load(&spec, Load::Mmap)?;
        let layer = spec.description["layer"].as_u64().unwrap_or(0);
        let layers = usize::try_from(layer).unwrap_or(0) + 1;
        let (told, keys) = bytes.split_at(layers * TOLD);
        let layer = |(depth, bytes): (usize, &[u8])| ClassLayer {
            depth,
            classes: u64::read(&bytes[..8]),
            states: u128::read(&bytes[8..]),
        };
        let told = told.chunks_exact(TOLD).enumerate().map(layer).collect();
        let mut keys = keys.chunks_exact(self.key).map(D::Key::read);
        let layers = ClassLayers::resumed(classes, blank, told, &mut keys, options)?;
        self.newest = Some(spec);
        Ok(Some(layers))
    }

    /// Saves the layers so far, if it is time to, and removes the file before.
    fn save<D>(&mut self, layers: &ClassLayers<'_, D>) -> Result<(), TableError>
    where
        D: Symmetric + Reversible + Packed,
        D::Key: FlatKey,
    {
        let Some((checkpoint, search)) = self.search() else { return Ok(()) };
        if self.since.elapsed() < checkpoint.every {
            return Ok(());
        }
        let told = layers.told();
        let keys = told.iter().rev().take(2).map(|layer| layer.classes).sum();
        let spec = Self::spec(checkpoint, search, told.len() - 1, keys, self.key);
        checkpoint.store.save_with(&spec, |out| write_layers(layers, out))?;
        let older = self.newest.replace(spec);
        self.since = Instant::now();
        older.map_or(Ok(()), |older| checkpoint.store.remove(&older).map(drop))
    }

    fn remove(&mut self) -> Result<(), TableError> {
        let (Some(checkpoint), Some(newest)) = (self.wanted.checkpoint, self.newest.take()) else {
            return Ok(());
        };
        checkpoint.store.remove(&newest).map(drop)
    }
}

/// Writes what is told of each layer, then the keys of the last two.
fn write_layers<D>(layers: &ClassLayers<'_, D>, out: &mut dyn Write) -> io::Result<()>
where
    D: Symmetric + Reversible + Packed,
    D::Key: FlatKey,
{
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    for layer in layers.told() {
        out.write_all(&layer.classes.to_le_bytes())?;
        out.write_all(&layer.states.to_le_bytes())?;
    }
    let (mut bytes, mut written) = (vec![0; D::Key::BYTES], Ok(()));
    layers.for_each_key(|key| {
        if written.is_ok() {
            key.write(&mut bytes);
            written = out.write_all(&bytes);
        }
    });
    written?;
    out.flush()
}
