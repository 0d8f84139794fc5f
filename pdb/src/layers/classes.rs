//! Counts the layers of symmetry classes, with checkpoints: [`exhaust_classes`].

use crate::builder::BuildObserver;
use crate::file::{Checkpoint, CheckpointWriter, SavedLayer};
use search::stored::{LayersError, SymmetricLayer, SymmetricLayers, SymmetryClasses};
use search::{FlatKey, Options, Packed, Reversible, Symmetric};
use serde_json::{Value, json};
use std::io::{self, Write};

const ENCODING: &str = "class layers";
/// Bytes that store the counts of a layer: number of classes, and number of states.
const SIZE_BYTES: usize = 8 + 16;

/// Options of [`exhaust_classes`].
#[derive(Clone, Copy)]
pub struct ClassLayerOptions<'a> {
    /// The last layer to complete. Use [`usize::MAX`] for all layers.
    pub depth: usize,
    /// Maximum number of states of the last layer to return.
    pub farthest: usize,
    /// Where complete layers are saved and loaded from. `None`: nowhere. A file has the keys of the
    /// last two layers.
    pub checkpoint: Option<&'a Checkpoint>,
    /// Receives only [`BuildObserver::not_kept`], if a layer could not be saved or removed. After
    /// that, the search continues but saves no more layers.
    pub observer: Option<&'a dyn BuildObserver>,
}

impl std::fmt::Debug for ClassLayerOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClassLayerOptions")
            .field("depth", &self.depth)
            .field("farthest", &self.farthest)
            .field("checkpoint", &self.checkpoint)
            .field("observer", &self.observer.is_some())
            .finish()
    }
}

/// Counts symmetry classes and states at each distance from `goals` (see [`SymmetricLayers`]).
/// Calls `tell` with each complete layer. Returns states of the last layer, class by class.
///
/// Layers of a checkpoint are reported at once and not counted again. After the last layer, the
/// checkpoint files are removed.
///
/// # Errors
/// If a limit is reached or the caller cancels. Saved layers stay.
///
/// # Panics
/// If `goals` is empty.
pub fn exhaust_classes<D>(
    domain: &D,
    goals: &[D::State],
    wanted: &ClassLayerOptions<'_>,
    options: &Options<'_>,
    on_layer: &mut dyn FnMut(SymmetricLayer),
) -> Result<Vec<D::State>, LayersError>
where
    D: Symmetric + Reversible + Packed,
    D::Key: FlatKey,
{
    let classes = SymmetryClasses(domain);
    let key_bytes = D::Key::BYTES;
    let symmetries = domain.symmetries();
    // Classes and their keys depend on these as well as on the puzzle.
    let describe = |puzzle: &Value| {
        json!({
            "classes": puzzle, "form": 1, "key bytes": key_bytes, "symmetries": symmetries,
        })
    };
    let files = CheckpointWriter::new(wanted.checkpoint, wanted.observer, ENCODING, &describe);
    let mut files = files.stopped_by(Some(&options.cancel));
    // The keys of a deeper layer are of no use for a smaller depth.
    let fits = |layer, keys, bytes| {
        layer <= wanted.depth && Some(bytes) == file_bytes(layer, keys, key_bytes)
    };
    let mut layers = match files.load(&fits) {
        Some(saved) => match go_on(&classes, &goals[0], saved, options, on_layer)? {
            Some(layers) => layers,
            None => {
                files.refuse();
                SymmetricLayers::new(&classes, goals, options)
            }
        },
        None => SymmetricLayers::new(&classes, goals, options),
    };
    while layers.layers().len() <= wanted.depth {
        let Some(layer) = layers.advance()? else { break };
        on_layer(layer);
        if files.is_due() {
            let keys = layers.layers().iter().rev().take(2).map(|layer| layer.classes).sum();
            let bytes = file_bytes(layer.depth, keys, key_bytes);
            let shape = (keys, bytes.expect("keys in memory"));
            files.save(layer.depth, shape, &mut |out| write_layers(&layers, out));
        }
    }
    files.done(wanted.depth);
    Ok(layers.farthest(wanted.farthest))
}

/// Size of a checkpoint file in bytes: the counts of each layer, then `keys` keys. `None` if it
/// exceeds 2^64 - 1.
fn file_bytes(layer: usize, keys: u64, key_bytes: usize) -> Option<u64> {
    let sizes = (layer as u64).checked_add(1)?.checked_mul(SIZE_BYTES as u64)?;
    sizes.checked_add(keys.checked_mul(key_bytes as u64)?)
}

/// Resumes the search from a saved layer. Calls `tell` with the layers in the file. `None` if no
/// search can have written the file: it may be forged, with right checksums.
fn go_on<'c, D>(
    classes: &'c SymmetryClasses<'c, D>,
    blank: &D::State,
    SavedLayer { layer, bytes }: SavedLayer,
    options: &'c Options<'c>,
    on_layer: &mut dyn FnMut(SymmetricLayer),
) -> Result<Option<SymmetricLayers<'c, D>>, LayersError>
where
    D: Symmetric + Reversible + Packed,
    D::Key: FlatKey,
{
    let (sizes, keys) = bytes.split_at((layer + 1) * SIZE_BYTES);
    let layer = |(depth, bytes): (usize, &[u8])| SymmetricLayer {
        depth,
        classes: u64::read(&bytes[..8]),
        states: u128::read(&bytes[8..]),
    };
    let sizes: Vec<SymmetricLayer> =
        sizes.chunks_exact(SIZE_BYTES).enumerate().map(layer).collect();
    let keys = || keys.chunks_exact(D::Key::BYTES).map(D::Key::read);
    if !fits(&sizes, keys().len() as u64, classes.0.symmetries())
        || !keys().all(|key| classes.0.is_key(key))
    {
        return Ok(None);
    }
    match SymmetricLayers::resumed(classes, blank, sizes.clone(), &mut keys(), options) {
        Err(LayersError::Keys { .. }) => Ok(None),
        resumed => {
            // These layers are known, even if there is no memory to go on.
            sizes.iter().for_each(|&layer| on_layer(layer));
            resumed.map(Some)
        }
    }
}

/// Whether layers may have these sizes. The last two have `keys` classes.
fn fits(layers: &[SymmetricLayer], keys: u64, symmetries: usize) -> bool {
    let mut states = 0_u128;
    let sizes = layers.iter().all(|layer| {
        let most = u128::from(layer.classes) * symmetries as u128;
        states = states.saturating_add(layer.states);
        layer.classes > 0 && (layer.classes.into()..=most).contains(&layer.states)
    });
    let last: u128 = layers.iter().rev().take(2).map(|layer| u128::from(layer.classes)).sum();
    sizes && states < u128::MAX && last == keys.into()
}

/// Writes the counts of each layer, then the keys of the last two.
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
