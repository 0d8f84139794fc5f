//! Layers of classes, counted with checkpoints: [`exhaust_classes`].

use super::Checkpoint;
use crate::build::BuildObserver;
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
#[derive(Clone, Copy)]
pub struct ClassesWanted<'a> {
    /// The last layer that is completed. [default of a caller that wants all: the greatest number]
    pub depth: usize,
    /// How many states of the last layer are answered, at the most.
    pub farthest: usize,
    /// Where complete layers are saved, and found again; none: nowhere. A file has the size of the keys of two layers.
    pub checkpoint: Option<&'a Checkpoint>,
    /// Is told if a layer could not be saved, or not be removed ([`BuildObserver::not_kept`]), and of nothing else: none is saved from there on, and the count does not suffer.
    pub observer: Option<&'a dyn BuildObserver>,
}

impl std::fmt::Debug for ClassesWanted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClassesWanted")
            .field("depth", &self.depth)
            .field("farthest", &self.farthest)
            .field("checkpoint", &self.checkpoint)
            .field("observer", &self.observer.is_some())
            .finish()
    }
}

/// Why the layers were not all counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClassesError {
    /// A limit was reached, or the caller cancelled. What was saved stays.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A checkpoint cannot be used.
    #[error("checkpoint: {0}")]
    Checkpoint(#[from] TableError),
}

/// Counts the layers of classes from `goals` (see [`ClassLayers`]), telling each once it is complete; answers some states of the last one, class by class. What a
/// checkpoint holds is told at once, and not counted again; when all is counted, the checkpoint is removed.
///
/// # Errors
/// A limit, cancellation, or a checkpoint that cannot be used.
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
    let shape = (D::Key::BYTES, domain.symmetries());
    let since = Instant::now();
    let mut saved = Saved { wanted, shape, newest: None, since, failed: false };
    let mut layers = match saved.load::<D>(&classes, &goals[0], options, tell)? {
        Some(layers) => layers,
        None => ClassLayers::new(&classes, goals, options),
    };
    while layers.told().len() <= wanted.depth {
        let Some(layer) = layers.advance()? else { break };
        tell(layer);
        saved.save(&layers);
    }
    saved.remove();
    Ok(layers.farthest(wanted.farthest))
}

/// What is saved of one search, and when.
struct Saved<'a> {
    wanted: &'a ClassesWanted<'a>,
    /// Bytes of a key, and symmetries: what classes and their keys depend on besides the puzzle.
    shape: (usize, usize),
    /// The newest file.
    newest: Option<TableSpec>,
    since: Instant,
    /// A file could not be written: no other one is tried.
    failed: bool,
}

impl<'a> Saved<'a> {
    /// What is searched, and where it is saved.
    fn search(&self) -> Option<(&'a Checkpoint, Value)> {
        let checkpoint = self.wanted.checkpoint?;
        let (key, symmetries) = self.shape;
        let puzzle = &checkpoint.description;
        let search =
            json!({"classes": puzzle, "form": 1, "key bytes": key, "symmetries": symmetries});
        Some((checkpoint, search))
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
            let spec = Self::spec(checkpoint, search.clone(), layer, info.entries, self.shape.0);
            let own = layer <= self.wanted.depth
                && spec.fingerprint() == info.fingerprint
                && checkpoint.store.path(&spec.name) == info.path;
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
        tell: &mut dyn FnMut(ClassLayer),
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
        let told: Vec<ClassLayer> = told.chunks_exact(TOLD).enumerate().map(layer).collect();
        // They are known, whether or not the memory is enough to go on.
        told.iter().for_each(|&layer| tell(layer));
        let mut keys = keys.chunks_exact(self.shape.0).map(D::Key::read);
        let layers = ClassLayers::resumed(classes, blank, told, &mut keys, options)?;
        self.newest = Some(spec);
        Ok(Some(layers))
    }

    /// Saves the layers so far, if it is time to, and removes the file before.
    fn save<D>(&mut self, layers: &ClassLayers<'_, D>)
    where
        D: Symmetric + Reversible + Packed,
        D::Key: FlatKey,
    {
        let Some((checkpoint, search)) = self.search() else { return };
        if self.failed || self.since.elapsed() < checkpoint.every {
            return;
        }
        let told = layers.told();
        let keys = told.iter().rev().take(2).map(|layer| layer.classes).sum();
        let spec = Self::spec(checkpoint, search, told.len() - 1, keys, self.shape.0);
        // Another process may have saved the same, or left it behind damaged.
        let saved = checkpoint
            .store
            .remove(&spec)
            .and_then(|_| checkpoint.store.save_with(&spec, |out| write_layers(layers, out)));
        match saved {
            Ok(_) => {
                let older = self.newest.replace(spec);
                self.remove_file(older);
            }
            Err(error) => self.tell(&error),
        }
        self.since = Instant::now();
    }

    fn remove(&mut self) {
        let newest = self.newest.take();
        self.remove_file(newest);
    }

    fn remove_file(&mut self, file: Option<TableSpec>) {
        if let (Some(checkpoint), Some(file)) = (self.wanted.checkpoint, file)
            && let Err(error) = checkpoint.store.remove(&file)
        {
            self.tell(&error);
        }
    }

    fn tell(&mut self, error: &TableError) {
        self.failed = true;
        if let Some(observer) = self.wanted.observer {
            observer.not_kept(error);
        }
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
