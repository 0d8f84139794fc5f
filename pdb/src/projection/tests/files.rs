//! Databases in files: what is saved is loaded, and everything else is refused.

use super::*;
use crate::file::{TableErrorKind, TableStore};
use crate::testing::check_projected_database;
use search::{Charged, FlatKey, Packed};
use serde_json::Value;

/// A file in a folder of its own, which is removed at the end.
fn file(description: &str) -> (tempfile::TempDir, ProjectionFile) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = TableStore::new(folder.path().join("made"));
    let (name, description) = ("toy".to_owned(), description.into());
    (folder, ProjectionFile { store, name, description })
}

/// Saves a database, loads it, and compares both. Returns the loaded one.
fn round_trip<D, F, C>(
    projection: &Projection<'_, D, F, C>,
    database: &ProjectedDatabase<D::State, F, C>,
    goals: &[D::State],
) -> ProjectedDatabase<D::State, F, C>
where
    D: Packed<State: Eq + Hash, Key: FlatKey>,
    F: Fn(&D::State) -> D::State + Clone,
    C: Clone + Into<Value>,
{
    let (_folder, file) = file("round trip");
    let path = projection.save(database, goals, &file).expect("saved");
    assert_eq!(path, file.store.path("toy"));
    let loaded = projection.load(goals, &file).expect("loaded");
    assert_eq!(loaded.histogram(), database.histogram());
    assert_eq!((loaded.bits(), loaded.direction), (database.bits(), database.direction));
    database.images().for_each(|image| assert_eq!(loaded.get(image), database.get(image)));
    check_projected_database(projection, database, goals).expect("exact");
    check_projected_database(projection, &loaded, goals).expect("exact");
    loaded
}

#[test]
fn a_loaded_database_is_as_lawful_as_the_built_one() {
    let (domain, goals) = (Pancake::new(7), [0x7654_3210]);
    let projection = Projection::new(&domain, pancakes(7, 0..4));
    let built = projection.backward(&goals, &NO_OPTIONS).expect("built");
    let loaded = round_trip(&projection, &built, &goals);
    let distances = Distances::from_goals(&domain, &goals, 20);
    for database in [&built, &loaded] {
        check_heuristic(&domain, database, &distances).expect("lawful");
    }
    let start = domain.state(&[3, 1, 6, 4, 0, 5, 2]);
    let reports = [&built, &loaded]
        .map(|database| ida_star(&domain, database, &NoPruning, &start, &Options::default()));
    assert_eq!(reports[0].iterations, reports[1].iterations);
}

#[test]
fn charges_dead_ends_and_great_distances_come_back() {
    let (domain, goals) = rows();
    let member = |kept: std::ops::Range<u64>, features: std::ops::Range<usize>| {
        let projection = Projection::new(&domain, keep(6, kept)).charging(features);
        let built = projection.backward(&goals, &NO_OPTIONS).expect("built");
        round_trip(&projection, &built, &goals)
    };
    let (low, high) = (member(0..2, 0..2), member(2..5, 2..5));
    assert_eq!((low.features(), high.features()), (&[3][..], &[28][..]));
    let sum = Additive::new(&domain, vec![low, high]).expect("disjoint");
    let distances = Distances::from_goals(&domain, &goals, 60);
    check_heuristic(&domain, &sum, &distances).expect("lawful");

    let line = Line { places: 500, cost: 100, pit: true };
    let projection = Projection::new(&line, |&place: &u32| place);
    let built = projection.forward(&[300], &[0], &NO_OPTIONS).expect("built");
    let loaded = round_trip(&projection, &built, &[0]);
    assert_eq!((loaded.bits(), loaded.get(&499), loaded.get(&500)), (16, Some(49_900), None));
    // No start leads there.
    assert_eq!(loaded.get(&777), Some(0));
}

/// The line of the tests below, and a file with its database.
fn saved() -> (tempfile::TempDir, ProjectionFile, Line) {
    let ((folder, file), line) = (file("a line"), Line { places: 4, cost: 100, pit: false });
    let projection = Projection::new(&line, |&place: &u32| place);
    let built = projection.backward(&[0], &NO_OPTIONS).expect("built");
    projection.save(&built, &[0], &file).expect("saved");
    (folder, file, line)
}

/// Loads the database of this line. Returns what is wrong.
fn refusal(line: Line, goals: &[u32], file: &ProjectionFile) -> Option<TableErrorKind> {
    let projection = Projection::new(&line, |&place: &u32| place);
    projection.load(goals, file).err().map(|error| {
        assert_eq!(error.path(), file.store.path(&file.name));
        error.kind().clone()
    })
}

#[test]
fn the_payload_has_ascending_keys_and_then_their_distances() {
    let (_folder, file, line) = saved();
    let bytes = std::fs::read(file.store.path("toy")).expect("read");
    let keys = [0, 1, 2, 3].map(u32::to_le_bytes);
    let distances = [0, 100, 200, 300].map(u16::to_le_bytes);
    assert_eq!(bytes[8192..], [keys.as_flattened(), distances.as_flattened()].concat());
    let info = file.store.info("toy").expect("whole");
    assert_eq!((info.entries, info.encoding.as_str()), (4, "32-bit keys, 16-bit distances"));
    assert!(refusal(line, &[0], &file).is_none());
}

#[test]
fn every_wrong_byte_and_every_cut_is_refused() {
    let (_folder, file, line) = saved();
    let path = file.store.path("toy");
    let whole = std::fs::read(&path).expect("read");
    for at in (0..whole.len()).step_by(97).chain(8180..whole.len()) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).expect("write");
        assert!(refusal(line, &[0], &file).is_some(), "byte {at}");
        std::fs::write(&path, &whole[..at]).expect("write");
        let cut = refusal(line, &[0], &file);
        use TableErrorKind::{Length, Short};
        assert!(matches!(cut, Some(Short { .. } | Length { .. })), "{at} bytes: {cut:?}");
    }
    std::fs::write(&path, [&whole[..], &[0]].concat()).expect("write");
    let longer = refusal(line, &[0], &file).expect("longer");
    assert_eq!(longer.to_string(), "the file has 8217 bytes, expected 8216");
    std::fs::write(&path, &whole).expect("write");
    assert!(refusal(line, &[0], &file).is_none());
}

#[test]
fn a_table_of_something_else_is_refused() {
    let (_folder, file, line) = saved();
    let other = |change: fn(&mut ProjectionFile)| {
        let mut other = file.clone();
        change(&mut other);
        refusal(line, &[0], &other)
    };
    let missing = other(|file| file.name = "none".to_owned());
    assert!(matches!(missing, Some(TableErrorKind::Missing)), "{missing:?}");
    let described = other(|file| file.description = "another line".into());
    assert!(matches!(described, Some(TableErrorKind::Fingerprint { .. })), "{described:?}");
    for (line, goals) in [
        (line, &[1][..]),
        (line, &[0, 3]),
        (Line { cost: 99, ..line }, &[0]),
        (Line { pit: true, ..line }, &[0]),
    ] {
        let refused = refusal(line, goals, &file);
        let Some(TableErrorKind::Fingerprint { description, .. }) = refused else {
            panic!("{line:?}, {goals:?}: {refused:?}");
        };
        assert!(description.contains("a line"), "{description}");
    }
    let projection = Projection::new(&line, |&place: &u32| place);
    let name = ProjectionFile { name: "../up".to_owned(), ..file.clone() };
    let error = projection.load(&[0], &name).expect_err("no name");
    assert!(matches!(error.kind(), TableErrorKind::Spec(_)), "{error}");

    // These differ from the line in nothing that the header has.
    let key = refusal(Line { places: 3, ..line }, &[0], &file).expect("another line");
    assert_eq!(
        key.to_string(),
        "the payload is one with a key of no state, expected keys of images"
    );
    let longer = refusal(Line { places: 5, ..line }, &[0], &file).expect("another line");
    let text = "entry 3, image 3: no entry for 4, where operator 0 leads, expected an entry for \
                each successor: the table belongs to another domain, projection or goal";
    assert_eq!(longer.to_string(), text);
    let half = Projection::new(&line, |place: &u32| place / 2 * 2);
    let error = half.load(&[0], &file).expect_err("another projection");
    let TableErrorKind::Entry { entry: 1, image, found, expected } = error.kind() else {
        panic!("{error}");
    };
    assert_eq!((&image[..], &found[..], &expected[..]), ("1", "a state", "its image 0"));
}

#[test]
fn forged_distances_and_orders_are_refused() {
    let (_folder, file, line) = saved();
    let projection = Projection::new(&line, |&place: &u32| place);
    let spec = projection.spec(&[0], &file, BuildDirection::Backward, 16, 4);
    let forge = |keys: [u32; 4], distances: [u16; 4]| {
        file.store.remove(&spec).expect("removed");
        let (keys, distances) = (keys.map(u32::to_le_bytes), distances.map(u16::to_le_bytes));
        let payload = [keys.as_flattened(), distances.as_flattened()].concat();
        file.store.save(&spec, &payload).expect("saved");
        refusal(line, &[0], &file)
    };
    assert!(forge([0, 1, 2, 3], [0, 100, 200, 300]).is_none());
    for distances in
        [[0, 100, 200, 299], [0, 100, 200, u16::MAX], [1, 100, 200, 300], [0, 300, 200, 100]]
    {
        let refused = forge([0, 1, 2, 3], distances);
        assert!(matches!(refused, Some(TableErrorKind::Entry { .. })), "{refused:?}");
    }
    let refused = forge([0, 1, 2, 3], [0, 100, 200, u16::MAX]).expect("no dead end");
    let text = "entry 3, image 3: no way to a goal, expected the distance 300: the table belongs \
                to another domain, projection or goal";
    assert_eq!(refused.to_string(), text);
    for keys in [[1, 0, 2, 3], [0, 1, 1, 3]] {
        let refused = forge(keys, [0, 100, 200, 300]);
        assert!(matches!(refused, Some(TableErrorKind::Contents { .. })), "{refused:?}");
    }
}

#[test]
fn what_a_file_cannot_hold_is_not_saved() {
    let (_folder, file, line) = saved();
    let projection = Projection::new(&line, |&place: &u32| place);
    let built = projection.backward(&[0], &NO_OPTIONS).expect("built");
    let there = projection.save(&built, &[0], &file).expect_err("there already");
    assert!(matches!(there.kind(), TableErrorKind::Exists), "{there}");
    let new = ProjectionFile { name: "new".to_owned(), ..file };
    let goal = projection.save(&built, &[2], &new).expect_err("another goal");
    assert!(matches!(goal.kind(), TableErrorKind::Entry { entry: 2, .. }), "{goal}");
    // All images are packed alike.
    let alike = Alike(line);
    let projection = Projection::new(&alike, |&place: &u32| place);
    let built = projection.backward(&[0], &NO_OPTIONS).expect("built");
    let lost = projection.save(&built, &[0], &new).expect_err("one key");
    assert!(lost.to_string().contains("gives another state"), "{lost}");
    assert_eq!(std::fs::read_dir(&new.store.folder).expect("a folder").count(), 2);
}

/// A line whose states all have the key 0.
struct Alike(Line);

impl Domain for Alike {
    type State = u32;
    type Ops = u8;
    search::forward_domain! { 0: operators applicable apply_into is_goal }
}

impl Reversible for Alike {
    search::forward_domain! { 0: inverse_op }
}

impl Packed for Alike {
    type Key = u32;
    fn pack(&self, _: &u32) -> u32 {
        0
    }
    fn unpack(&self, key: u32, out: &mut u32) {
        *out = key;
    }
}
