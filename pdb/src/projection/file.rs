//! Tables of projections in files: [`ProjectionFile`].

use super::database::BuildDirection;
use super::distances::{Distances, UNREACHED};
use super::equation::say;
use super::{ProjectedDatabase, Projection};
use crate::file::{Load, TableError, TableErrorKind, TableSpec, TableStore};
use search::{FlatKey, Op, Packed};
use serde_json::{Value, json};
use std::hash::Hash;
use std::path::PathBuf;

/// A file with this many entries, or fewer, is compared with the domain completely.
const SAMPLE: usize = 1 << 14;

/// The file of a [`ProjectedDatabase`]: a table file as described in the module
/// [`file`](mod@crate::file).
///
/// Payload: the keys of all images in ascending order, each in [`FlatKey::BYTES`] bytes; then their
/// distances in the same order, each in one or two bytes. All bits set say that the image reaches
/// no goal. Numbers are little-endian.
///
/// # What a load checks
/// - The file is whole: all its checksums, and its length.
/// - The header has the same [`ProjectionFile::description`], size of keys, charged features,
///   number and costs of operators, and keys of the images of the goals.
/// - Every key is that of a state, as [`Packed::is_key`] tells. A domain whose methods may panic on
///   other keys must implement it.
/// - The image of a goal has the distance 0.
/// - For 16,384 images, or all if there are fewer: the projection leaves the image as it is. All
///   operators that apply lead to images of the table. The distance is the least of `charge +
///   distance` over them.
///
/// The header says whether the table was built forward. Then an image that is not there has the
/// bound 0, else it is a dead end. No check can notice a header that was forged there.
///
/// The domain and the projection are code, so nothing proves that they are the same. If they differ
/// only where no checked image shows it, the load does not notice: put what may change into the
/// description. [`testing::check_projected_database`](crate::testing::check_projected_database)
/// compares all images.
#[derive(Clone, Debug)]
pub struct ProjectionFile {
    /// The folder of the file.
    pub store: TableStore,
    /// The name of the file without its ending: see [`TableSpec::name`].
    pub name: String,
    /// Says which domain and projection it is: a name, the kept features, a version. At most about
    /// 3,500 bytes of JSON.
    pub description: Value,
}

impl ProjectionFile {
    fn refuse(&self, kind: TableErrorKind) -> TableError {
        TableError::new(&self.store.path(&self.name), kind)
    }
}

impl<D, F, C> Projection<'_, D, F, C>
where
    D: Packed<State: Eq + Hash, Key: FlatKey>,
    F: Fn(&D::State) -> D::State + Clone,
    C: Clone + Into<Value>,
{
    /// Saves a database that this projection built for these goals. The file is written whole or
    /// not at all, and never replaces another.
    ///
    /// Needs a domain that packs *images*, too: different images have different keys, and a key
    /// gives its image back.
    ///
    /// # Errors
    /// - A file of this name exists.
    /// - An image does not come back from its key, or the table is not that of the projection and
    ///   goals.
    /// - The operating system refuses something.
    ///
    /// ```
    /// use fewest_pdb::file::{TableErrorKind, TableStore};
    /// use fewest_pdb::{BuildOptions, Projection, ProjectionFile};
    /// use fewest_pdb::search::testing::Pancake;
    ///
    /// // The pancakes 0 to 3 of seven. All others become number 15.
    /// let domain = Pancake::new(7);
    /// let keep = |state: &u64| {
    ///     let others = (0..7).filter(|&place| Pancake::pancake(*state, place) > 3);
    ///     others.fold(*state, |image, place| image | 15 << (4 * place))
    /// };
    /// let projection = Projection::new(&domain, keep);
    /// let goals = [domain.state(&[0, 1, 2, 3, 4, 5, 6])];
    /// let folder = tempfile::tempdir()?;
    /// let file = ProjectionFile {
    ///     store: TableStore::new(folder.path()),
    ///     name: "pancakes-0-3".to_owned(),
    ///     description: "seven pancakes, 0 to 3".into(),
    /// };
    /// let database = match projection.load(&goals, &file) {
    ///     Err(error) if matches!(error.kind(), TableErrorKind::Missing) => {
    ///         let built = projection.backward(&goals, &BuildOptions::default())?;
    ///         projection.save(&built, &goals, &file)?;
    ///         built
    ///     }
    ///     loaded => loaded?,
    /// };
    /// assert_eq!(projection.load(&goals, &file)?.histogram(), database.histogram());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(
        &self,
        database: &ProjectedDatabase<D::State, F, C>,
        goals: &[D::State],
        file: &ProjectionFile,
    ) -> Result<PathBuf, TableError> {
        let mut entries = Vec::with_capacity(database.table.len());
        for (image, distance) in database.table.iter() {
            let key = self.domain.pack(image);
            if self.state(key, image).as_ref() != Some(image) {
                let text = format!("the key {key:?} of the image {image:?} gives another state");
                return Err(file.refuse(TableErrorKind::Spec(text)));
            }
            entries.push((key, distance));
        }
        entries.sort_unstable();
        let keys: Vec<D::Key> = entries.iter().map(|&(key, _)| key).collect();
        self.check_table(database, goals, &keys, file)?;
        let (bits, width) = (database.bits(), database.bits() as usize / 8);
        let (direction, number) = (database.direction, entries.len() as u64);
        let spec = self.spec(goals, file, direction, bits, number);
        let mut payload = vec![0; keys.len() * D::Key::BYTES];
        let bytes = payload.chunks_mut(D::Key::BYTES);
        keys.iter().zip(bytes).for_each(|(key, bytes)| key.write(bytes));
        let distances = entries.iter().map(|(_, distance)| distance.to_le_bytes());
        distances.for_each(|bytes| payload.extend_from_slice(&bytes[..width]));
        file.store.save(&spec, &payload)
    }

    /// Loads a database that [`Projection::save`] saved for this projection and these goals.
    ///
    /// Time: an image and an insertion into a hash map for each entry. [`ProjectionFile`] says what
    /// is checked.
    ///
    /// # Errors
    /// If the file is missing or damaged, or has another version or another table, or the operating
    /// system refuses something.
    pub fn load(
        &self,
        goals: &[D::State],
        file: &ProjectionFile,
    ) -> Result<ProjectedDatabase<D::State, F, C>, TableError> {
        let info = file.store.info(&file.name)?;
        let forward = info.description["direction"] == direction_name(BuildDirection::Forward);
        let direction = if forward { BuildDirection::Forward } else { BuildDirection::Backward };
        let bits = if info.encoding == encoding::<D>(16) { 16 } else { 8 };
        let spec = self.spec(goals, file, direction, bits, info.entries);
        let payload = file.store.load(&spec, Load::Ram)?;
        let damage = |found, expected| file.refuse(TableErrorKind::Contents { found, expected });

        let in_keys = payload.len() / (D::Key::BYTES + bits as usize / 8) * D::Key::BYTES;
        let (keys, distances) = payload.split_at(in_keys);
        let keys: Vec<D::Key> = keys.chunks(D::Key::BYTES).map(D::Key::read).collect();
        if !keys.is_sorted_by(|first, second| first < second) {
            return Err(damage("one with keys in another order", "ascending keys"));
        }
        let Some(goal) = goals.first() else {
            return Err(damage("that of a projection", "one without goals"));
        };
        let states = keys.iter().map(|&key| self.state(key, goal));
        let Some(images) = states.collect::<Option<Vec<_>>>() else {
            return Err(damage("one with a key of no state", "keys of images"));
        };
        let distance = |bytes: &[u8]| match *bytes {
            [u8::MAX] => UNREACHED,
            [byte] => byte.into(),
            _ => u16::from_le_bytes([bytes[0], bytes[1]]),
        };
        let distances = distances.chunks(bits as usize / 8).map(distance);
        let table = Distances::new(bits, images.into_iter().zip(distances));
        let database = self.database(table, direction);
        self.check_table(&database, goals, &keys, file)?;
        Ok(database)
    }

    /// The specification of a table of these entries. It has all that can be known of domain,
    /// projection and goals without a search.
    pub(super) fn spec(
        &self,
        goals: &[D::State],
        file: &ProjectionFile,
        direction: BuildDirection,
        bits: u32,
        entries: u64,
    ) -> TableSpec {
        let mut keys: Vec<D::Key> =
            goals.iter().map(|goal| self.domain.pack(&self.image(goal))).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut bytes = vec![0; keys.len() * D::Key::BYTES];
        let chunks = bytes.chunks_mut(D::Key::BYTES);
        keys.iter().zip(chunks).for_each(|(key, bytes)| key.write(bytes));
        let operators = self.domain.operators();
        let costs: Vec<u8> = (0..operators).map(|op| self.domain.cost(Op::new(op))).collect();
        let charged: Value = self.charged.clone().into();
        let description = json!({
            "projection": file.description,
            "direction": direction_name(direction),
            "charged": charged,
            "goals": blake3::hash(&bytes).to_hex().as_str(),
            "operators": operators,
            "costs": blake3::hash(&costs).to_hex().as_str(),
        });
        let in_entry = D::Key::BYTES as u64 + u64::from(bits / 8);
        TableSpec {
            name: file.name.clone(),
            description,
            encoding: encoding::<D>(bits),
            entries,
            payload_bytes: entries.saturating_mul(in_entry),
        }
    }

    /// The state of a key; `None` if it has none. `some` is any state.
    fn state(&self, key: D::Key, some: &D::State) -> Option<D::State> {
        if !self.domain.is_key(key) {
            return None;
        }
        let mut state = some.clone();
        self.domain.unpack(key, &mut state);
        (self.domain.pack(&state) == key).then_some(state)
    }

    /// Compares a table with the domain: its goals, and a sample of its images. `keys` are those of
    /// all images, ascending.
    fn check_table(
        &self,
        database: &ProjectedDatabase<D::State, F, C>,
        goals: &[D::State],
        keys: &[D::Key],
        file: &ProjectionFile,
    ) -> Result<(), TableError> {
        let images = self.images_of(goals);
        let wrong = |entry: usize, image: &D::State, found: String, expected: String| {
            let (entry, image) = (entry as u64, format!("{image:?}"));
            Err(file.refuse(TableErrorKind::Entry { entry, image, found, expected }))
        };
        for goal in &images {
            let distance = database.get(goal);
            if distance != Some(0) {
                let place = keys.partition_point(|&key| key < self.domain.pack(goal));
                return wrong(place, goal, say(distance.map(u32::from)), say(Some(0)));
            }
        }
        let step = keys.len().div_ceil(SAMPLE).max(1);
        for (place, &key) in keys.iter().enumerate().step_by(step) {
            let Some(image) = goals.first().and_then(|goal| self.state(key, goal)) else { break };
            let again = self.image(&image);
            if again != image {
                return wrong(place, &image, "a state".to_owned(), format!("its image {again:?}"));
            }
            if let Some([found, least]) = self.contradiction(database, &images, &image) {
                return wrong(place, &image, found, least);
            }
        }
        Ok(())
    }
}

/// The name of the encoding of a payload.
fn encoding<D: Packed<Key: FlatKey>>(bits: u32) -> String {
    format!("{}-bit keys, {bits}-bit distances", 8 * D::Key::BYTES)
}

fn direction_name(direction: BuildDirection) -> &'static str {
    match direction {
        BuildDirection::Backward => "backward",
        BuildDirection::Forward => "forward",
    }
}
