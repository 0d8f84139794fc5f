//! The words for plans that are not proven are saved like tables.

use fewest::{Aim, Answer, Failure, Request, Settings, configure};
use pdb::file::{TableInfo, TableStore};
use search::Limits;
use std::path::Path;

fn settings(folder: &Path) -> Settings {
    Settings::default().tables(folder)
}

/// The answer for a random state, from a puzzle that knows nothing yet.
fn solve(name: &str, settings: &Settings) -> Result<Answer, Failure> {
    let puzzle = configure(name, settings).expect("a puzzle");
    let state = puzzle.scrambler().expect("scrambles").scrambles(1).next().expect("a state");
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    puzzle.solve(&state, &Request::default().aim(Aim::NearOptimal).limits(limits))
}

/// The files of a kind.
fn files(folder: &Path, kind: &str) -> Vec<TableInfo> {
    let files = TableStore::new(folder).list().expect("a folder");
    let files = files.into_iter().map(|file| file.expect("undamaged"));
    files.filter(|file| file.encoding == kind && file.description["kind"] == kind).collect()
}

#[test]
fn saved_words_give_the_same_plans() {
    for (name, kinds) in [("kilominx", &["words"][..]), ("fto", &["words", "cycles"])] {
        let folder = tempfile::tempdir().expect("folder");
        let built = solve(name, &settings(folder.path())).expect("an answer");
        let puzzle = configure(name, &settings(folder.path())).expect("a puzzle");
        for kind in kinds {
            let [info] = &files(folder.path(), kind)[..] else { panic!("{name}: {kind}") };
            let stem = info.spec().name;
            assert!(puzzle.tables().expect("tables").owns(&stem), "{stem}");
            assert!(fewest::is_named_right(&stem, info), "{stem}");
        }
        let read = solve(name, &settings(folder.path())).expect("an answer");
        let nodes = |answer: &Answer| answer.near.as_ref().map(|near| near.generated);
        assert_eq!((&read.plans, nodes(&read)), (&built.plans, nodes(&built)), "{name}");
        let alone = solve(name, &Settings::default()).expect("an answer");
        assert_eq!(alone.plans, built.plans, "{name}");
        assert_eq!(files(folder.path(), "cycles").len(), kinds.len() - 1, "{name}");
        // Another metric has words of its own.
        let other = settings(folder.path()).metric(fewest::MetricChoice::QuarterTurn);
        solve(name, &other).expect("an answer");
        assert_eq!(files(folder.path(), "words").len(), 2, "{name}");
    }
}

/// Learned estimates are saved, and read they give the same plans.
#[test]
fn estimates_are_saved() {
    let folder = tempfile::tempdir().expect("folder");
    let plan = |settings: &Settings| {
        let puzzle = configure("loopover-4x4", settings).expect("a puzzle");
        let state = puzzle.scrambler().expect("scrambles").scrambles(1).next().expect("a state");
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let request = Request::default().aim(Aim::NearOptimal).limits(limits).planner("pairs");
        let answer = puzzle.solve(&state, &request).expect("an answer");
        assert_eq!(answer.by.as_deref(), Some("pairs"));
        answer.plans
    };
    let learned = plan(&settings(folder.path()));
    let [info] = &files(folder.path(), "pairs")[..] else { panic!("one file") };
    let puzzle = configure("loopover-4x4", &settings(folder.path())).expect("a puzzle");
    assert!(puzzle.tables().expect("tables").owns(&info.spec().name));
    let saved = std::fs::read(&info.path).expect("a file");
    assert_eq!(plan(&settings(folder.path())), learned);
    assert_eq!(std::fs::read(&info.path).expect("a file"), saved);
    // Weights that may be too large are learned again.
    let store = TableStore::new(folder.path());
    let begin = usize::try_from(info.payload_offset).expect("small");
    store.remove(&info.spec()).expect("removed");
    store.save(&info.spec(), &vec![0x7f; saved.len() - begin]).expect("saved");
    assert_eq!(plan(&settings(folder.path())), learned);
}

/// A damaged file is refused with its place, and one that holds other words with what it holds.
#[test]
fn damaged_and_forged_words_are_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let settings = settings(folder.path());
    let expected = solve("fto", &settings).expect("an answer");
    let store = TableStore::new(folder.path());
    let refused = || match solve("fto", &settings) {
        Err(Failure::File(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    for kind in ["words", "cycles"] {
        let [info] = &files(folder.path(), kind)[..] else { panic!("{kind}") };
        let whole = std::fs::read(&info.path).expect("a file");
        let begin = usize::try_from(info.payload_offset).expect("small");
        for at in [10, 2_000, begin + 5, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            std::fs::write(&info.path, bytes).expect("written");
            assert!(refused().contains("bytes "), "{kind}: byte {at}");
        }
        for length in [whole.len() - 1, begin, 100] {
            std::fs::write(&info.path, &whole[..length]).expect("written");
            assert!(refused().contains("expected"), "{kind}: {length} bytes");
        }
        std::fs::write(&info.path, &whole).expect("written");
        for (at, what) in [(0, "a level for each piece"), (whole.len() - begin - 1, "symmetr")] {
            let mut payload = whole[begin..].to_vec();
            payload[at] ^= 1;
            store.remove(&info.spec()).expect("removed");
            store.save(&info.spec(), &payload).expect("saved");
            if kind == "words" {
                let told = refused();
                assert!(told.contains("the payload is") && told.contains(what), "{told}");
            } else {
                // Other cycles are found in their place.
                let answer = solve("fto", &settings).expect("an answer");
                assert_eq!(answer.plans, expected.plans);
            }
        }
        std::fs::write(&info.path, &whole).expect("written");
    }
}
