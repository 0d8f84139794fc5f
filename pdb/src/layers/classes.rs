//! Layers of classes, counted with checkpoints: [`exhaust_classes`].

use super::{Checkpoint, CheckpointWriter};
use crate::builder::BuildObserver;
use crate::file::{Load, TableError, TableSpec};
use search::{
    FlatKey, Options, Packed, Reversible, Stopped, Symmetric, SymmetricLayer, SymmetricLayers,
    SymmetryClasses,
};
use serde_json::json;
use std::io::{self, Write};

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
    /// Where complete layers are saved, and found again; none: nowhere. A file has the size of the
    /// keys of two layers.
    pub checkpoint: Option<&'a Checkpoint>,
    /// Is told if a layer could not be saved, or not be removed ([`BuildObserver::not_kept`]), and
    /// of nothing else: none is saved from there on, and the count does not suffer.
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

/// Counts the layers of classes from `goals` (see [`SymmetricLayers`]), telling each once it is
/// complete; answers some states of the last one, class by class. What a checkpoint holds is told
/// at once, and not counted again; when all is counted, the checkpoint is removed.
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
    tell: &mut dyn FnMut(SymmetricLayer),
) -> Result<Vec<D::State>, ClassesError>
where
    D: Symmetric + Reversible + Packed,
    D::Key: FlatKey,
{
    let classes = SymmetryClasses(domain);
    let shape = (D::Key::BYTES, domain.symmetries());
    let keeper = CheckpointWriter::new(wanted.checkpoint, wanted.observer);
    let mut saved = Saved { keeper, wanted, shape };
    let mut layers = match saved.load::<D>(&classes, &goals[0], options, tell)? {
        Some(layers) => layers,
        None => SymmetricLayers::new(&classes, goals, options),
    };
    while layers.layers().len() <= wanted.depth {
        let Some(layer) = layers.advance()? else { break };
        tell(layer);
        saved.save(&layers);
    }
    saved.keeper.remove_newest();
    Ok(layers.farthest(wanted.farthest))
}

/// What is saved of one search, and when.
struct Saved<'a> {
    keeper: CheckpointWriter<'a>,
    wanted: &'a ClassesWanted<'a>,
    /// Bytes of a key, and symmetries: what classes and their keys depend on besides the puzzle.
    shape: (usize, usize),
}

impl Saved<'_> {
    /// The file after a layer, of so many keys.
    fn spec(&self, checkpoint: &Checkpoint, layer: usize, keys: u64) -> TableSpec {
        let (key, symmetries) = self.shape;
        let puzzle = &checkpoint.description;
        let search =
            json!({"classes": puzzle, "form": 1, "key bytes": key, "symmetries": symmetries});
        let told = (layer as u64).saturating_add(1).saturating_mul(TOLD as u64);
        let bytes = told.saturating_add(keys.saturating_mul(key as u64));
        checkpoint.spec(search, layer, ENCODING, (keys, bytes))
    }

    /// The search after the newest file, if there is one.
    fn load<'c, D>(
        &mut self,
        classes: &'c SymmetryClasses<'c, D>,
        blank: &D::State,
        options: &'c Options<'c>,
        tell: &mut dyn FnMut(SymmetricLayer),
    ) -> Result<Option<SymmetricLayers<'c, D>>, ClassesError>
    where
        D: Symmetric + Reversible + Packed,
        D::Key: FlatKey,
    {
        let Some(checkpoint) = self.keeper.checkpoint() else { return Ok(None) };
        let files = checkpoint.files(|layer, keys| self.spec(checkpoint, layer, keys))?;
        // Those of greater layers are of no use for a smaller depth.
        let files = files.into_iter().filter(|(layer, _)| *layer <= self.wanted.depth);
        let Some((layer, spec)) = files.max_by_key(|(layer, _)| *layer) else { return Ok(None) };
        let bytes = checkpoint.store.load(&spec, Load::Mmap)?;
        let (told, keys) = bytes.split_at((layer + 1) * TOLD);
        let layer = |(depth, bytes): (usize, &[u8])| SymmetricLayer {
            depth,
            classes: u64::read(&bytes[..8]),
            states: u128::read(&bytes[8..]),
        };
        let told: Vec<SymmetricLayer> = told.chunks_exact(TOLD).enumerate().map(layer).collect();
        // They are known, whether or not the memory is enough to go on.
        told.iter().for_each(|&layer| tell(layer));
        let mut keys = keys.chunks_exact(self.shape.0).map(D::Key::read);
        let layers = SymmetricLayers::resumed(classes, blank, told, &mut keys, options)?;
        self.keeper.found(spec);
        Ok(Some(layers))
    }

    /// Saves the layers so far, if it is time to, and removes the file before.
    fn save<D>(&mut self, layers: &SymmetricLayers<'_, D>)
    where
        D: Symmetric + Reversible + Packed,
        D::Key: FlatKey,
    {
        let Some(checkpoint) = self.keeper.due() else { return };
        let told = layers.layers();
        let keys = told.iter().rev().take(2).map(|layer| layer.classes).sum();
        let spec = self.spec(checkpoint, told.len() - 1, keys);
        self.keeper.save(spec, |out| write_layers(layers, out));
    }
}

/// Writes what is told of each layer, then the keys of the last two.
fn write_layers<D>(layers: &SymmetricLayers<'_, D>, out: &mut dyn Write) -> io::Result<()>
where
    D: Symmetric + Reversible + Packed,
    D::Key: FlatKey,
{
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    for layer in layers.layers() {
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
