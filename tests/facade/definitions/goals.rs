//! Puzzles whose states form no group: plans with and without tables, and tables that are saved and
//! loaded.

use super::puzzle;
use fewest::{Ending, Event, Failure, Puzzle, Request, Settings, configure};
use search::CancelToken;
use std::fs;

/// Writes a definition file of the 2x2x2 with these lines at its end. Dropping the first value
/// deletes the file.
fn written(lines: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let text = fs::read_to_string(crate::definition("2x2x2.tws")).expect("the puzzle");
    let path = folder.path().join("small.tws").display().to_string();
    fs::write(&path, format!("{text}\n{lines}")).expect("written");
    (folder, path)
}

fn configured(path: &str, settings: Settings) -> Box<dyn Puzzle> {
    configure(path, &settings).expect("a puzzle")
}

const KINDS: [&str; 6] = [
    "Ignore\nCORNERS\n0 0 0 0 1 1 0 1\n0 0 0 0 1 1 0 1\nEnd\n",
    "Ignore\nCORNERS\n1 1 1 1 1 1 1 1\n0 0 0 0 0 0 0 0\nEnd\n",
    "GoalState\nCORNERS\n1 0 2 3 4 5 6 7\n0 0 0 0 0 0 0 0\nEnd\n",
    "Illegal CORNERS 1 3\nIllegal CORNERS 4 6 8\n",
    "MoveCost U 3\nIgnore\nCORNERS\n0 0 0 1 1 1 0 1\n0 0 0 0 0 1 0 1\nEnd\n",
    "ForbiddenPairs\nU R\nR F2\nEnd\nIgnore\nCORNERS\n0 0 1 1 1 0 0 0\n0 0 1 1 1 0 0 0\nEnd\n",
];

/// With tables of all states, with small tables, and without tables, plans have the same cost and
/// replay.
#[test]
fn plans_are_as_cheap_with_tables_as_without() {
    for lines in KINDS {
        let (_folder, path) = written(lines);
        let of = |heuristic: &str, memory| {
            configured(&path, Settings::default().heuristic(heuristic).memory(memory))
        };
        let all = [of("best", 1 << 26), of("best", 1 << 16), of("none", 1 << 26)];
        // The states are near enough for a search without tables. The last two stay legal under the
        // illegal states below.
        let states = ["U R F U' R2", "F R' U2 F", "R F U R' F2 U", "U F R2 U' F R U2"];
        let states = [&states[..], &["F2 R2 F R F", "U R U R' U'"]].concat();
        let mut legal = 0;
        for state in states.iter().filter(|state| all[0].read(state).is_ok()) {
            legal += 1;
            let bounds = all.each_ref().map(|puzzle| {
                let answer = puzzle.solve(state, &Request::default()).expect("a state");
                assert_eq!((answer.ending, answer.optimal), (Ending::Solved, true), "{lines}");
                let plan = answer.plans[0].join(" ");
                assert_eq!(puzzle.check_plan(state, &plan).expect("a plan").fault, None);
                answer.lower_bound
            });
            assert!(bounds[0] == bounds[2] && bounds[1] == bounds[2], "{lines}{state}: {bounds:?}");
        }
        assert_eq!(legal, if lines.starts_with("Illegal") { 2 } else { 6 }, "{lines}");
    }
}

/// A table that is built is saved, and the next search loads it.
#[test]
fn tables_are_saved_and_read_again() {
    let (folder, path) = written(KINDS[0]);
    let of = || {
        let tables = folder.path().join("tables");
        configured(&path, Settings::default().tables(tables).memory(1 << 24))
    };
    let histograms =
        of().tables().expect("tables").histograms(&Request::default()).expect("tables");
    assert_eq!(histograms.len(), 1);
    // Four corners told apart, three alike, all turns.
    assert_eq!(histograms[0].entries, 7 * 6 * 5 * 4 * 81);
    let files = || fs::read_dir(folder.path().join("tables")).expect("a folder").count();
    let before = files();
    assert!(before > 0);
    assert_eq!(
        of().tables().expect("tables").histograms(&Request::default()).expect("tables"),
        histograms
    );
    assert_eq!(
        (files(), of().tables().expect("tables").build(&Request::default()).expect("tables").len()),
        (before, 1)
    );
}

/// The chosen tables fit in the memory. If none fits, the puzzle is refused. Cancelling works.
#[test]
fn choices_are_explained() {
    let square = puzzle("square-1.tws", "htm", 4 << 20);
    let tables = square.tables().expect("tables").explain(&Request::default()).expect("derived");
    let taken: Vec<_> = tables.iter().filter(|one| one.in_use).collect();
    assert!(!taken.is_empty() && taken.iter().map(|one| one.bytes).sum::<u64>() <= 4 << 20);
    assert!(taken.iter().all(|one| one.pattern.contains("LAYERS")), "{taken:?}");
    let nothing = puzzle("hungarian-rings.tws", "htm", 1 << 20)
        .tables()
        .expect("tables")
        .explain(&Request::default());
    assert!(matches!(nothing, Err(Failure::Refused(_))));
    let cancel = CancelToken::cancelled();
    let stopped = puzzle("square-1.tws", "htm", 4 << 20);
    let stopped = stopped.tables().expect("tables").explain(&Request::default().cancel(cancel));
    assert!(stopped.is_err_and(|failure| failure.is_cancelled()));
}

/// Solves a state that is too far for a search without tables. The state comes from an optimal plan
/// that is run backward.
#[test]
fn a_far_state_of_a_puzzle_that_changes_its_shape_is_solved() {
    let square = puzzle("square-1.tws", "htm", 32 << 20);
    let state = "D5 S D2' S D3' U3' S D' U4 S U4 S U2' S";
    let answer = square.solve(state, &Request::default()).expect("a state");
    assert_eq!((answer.ending, answer.optimal, answer.lower_bound), (Ending::Solved, true, 14));
    assert!((1..33 << 20).contains(&answer.table_bytes), "{}", answer.table_bytes);
    let plan = answer.plans[0].join(" ");
    assert_eq!(square.check_plan(state, &plan).expect("a plan").fault, None);
}

/// If a search without tables answers at once, no table is built.
#[test]
fn a_low_bound_builds_no_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().to_owned();
    let path = crate::definition("square-1.tws");
    let puzzle = configured(&path, Settings::default().tables(tables));
    let far = "CPOS EHLM3645ABFG120NIJK9CD780";
    let limits = search::Limits { bound: Some(2), ..search::Limits::default() };
    let answer = puzzle.solve(far, &Request::default().limits(limits)).expect("a state");
    assert_eq!((answer.ending, answer.lower_bound), (Ending::LimitReached, 3));
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

/// A search without tables runs first. Its bound and its nodes are part of the answer.
#[test]
fn what_is_proven_before_a_table_is_built_is_kept() {
    let puzzle =
        configured(&crate::definition("square-1.tws"), Settings::default().memory(4 << 20));
    let cancel = CancelToken::new();
    let watch = |event: &Event<'_>| {
        if matches!(event, Event::Building { .. }) {
            cancel.cancel();
        }
    };
    let far = "CPOS EHLM3645ABFG120NIJK9CD780";
    let answer = puzzle.solve(far, &Request::default().cancel(cancel.clone()).watch(&watch));
    let answer = answer.expect("a state");
    assert_eq!(answer.ending, Ending::Cancelled);
    assert!(answer.lower_bound > 2 && answer.generated() > 1 << 15, "{answer:?}");
}

/// A group of more slots than coset tables have room for: a near state is solved before tables of
/// its pieces are built, and a farther one with them.
#[test]
fn a_near_state_of_a_large_group_needs_no_table() {
    let row = |turned: &dyn Fn(usize) -> usize| {
        (0..70).map(|slot| format!(" {}", turned(slot))).collect::<String>()
    };
    // Two rings of nine slots that meet in one, and a swap far away.
    let ring = |from: usize| {
        move |slot: usize| match slot {
            slot if slot == from + 8 => from,
            slot if (from..from + 8).contains(&slot) => slot + 1,
            slot => slot,
        }
    };
    let swap = |slot: usize| if slot > 67 { 137 - slot } else { slot };
    let text = format!(
        "Name rings\nSet P 70 1\nStartState\nP\n{}\nEnd\nMoveTransformation A\nP\n{}\nEnd\n\
         MoveTransformation B\nP\n{}\nEnd\nMoveTransformation C\nP\n{}\nEnd\n",
        row(&|slot| slot),
        row(&ring(0)),
        row(&ring(8)),
        row(&swap),
    );
    let puzzle = configure(&text, &Settings::default().memory(1 << 20)).expect("a puzzle");
    for (state, tables) in [("A B", false), ("A B A2 B' A3 B2 A", true), ("A B", true)] {
        let answer = puzzle.solve(state, &Request::default()).expect("a state");
        assert_eq!((answer.ending, answer.optimal), (Ending::Solved, true), "{state}");
        assert_eq!(answer.table_bytes > 0, tables, "{state}");
        assert_eq!(answer.heuristic, if tables { "best" } else { "none" }, "{state}");
    }
}

/// A goal by its name is what its block says, or its file in the folder `goals`.
#[test]
fn goals_of_definitions_have_names() {
    let (folder, path) = written("Goal layer\nCORNERS\n1 2 3 4 ? ? ? ?\nEnd\n");
    let pattern = r#"{"CORNERS": {"pieces": [0, 1, 2, 3, 4, 4, 4, 4],
        "orientation": [0, 0, 0, 0, 0, 0, 0, 0], "orientationMod": [0, 0, 0, 0, 1, 1, 1, 1]}}"#;
    fs::create_dir(folder.path().join("goals")).expect("a folder");
    fs::write(folder.path().join("goals/same.json"), pattern).expect("written");
    fs::create_dir(folder.path().join("goals/folder.json")).expect("no goal");
    let of = |goal: &str| configured(&path, Settings::default().goal(goal).memory(1 << 26));
    let [plain, named, of_file, of_text] = ["solved", "layer", "same", pattern].map(of);
    let names: Vec<String> = named.goals().into_iter().map(|goal| goal.name).collect();
    assert_eq!(names, ["solved", "layer", "same"]);
    for state in ["U R F U' R2", "F R' U2 F", "R F U R' F2 U"] {
        let bound = |puzzle: &dyn Puzzle| {
            let answer = puzzle.solve(state, &Request::default()).expect("a state");
            let plan = answer.plans[0].join(" ");
            assert_eq!(puzzle.check_plan(state, &plan).expect("a plan").fault, None);
            answer.lower_bound
        };
        let asked = bound(&*named);
        assert_eq!((asked, asked), (bound(&*of_file), bound(&*of_text)), "{state}");
        assert!(asked <= bound(&*plain), "{state}");
    }
    let (_folder, bare) = written("");
    let bare = configured(&bare, Settings::default());
    assert_eq!(plain.info().definition, bare.info().definition, "tables stay valid");
    let error = |path: &str, goal: &str| {
        configure(path, &Settings::default().goal(goal)).map(drop).unwrap_err().to_string()
    };
    assert!(error(&path, "layr").contains("did you mean layer?"), "{}", error(&path, "layr"));
    let (_folder, twice) = written(&"Goal one\nCORNERS\n? ? ? ? ? ? ? 8\nEnd\n".repeat(2));
    assert!(error(&twice, "one").contains("a name that no other goal has"));
    let (_folder, vague) = written("Goal\nCORNERS\n? 1 2 3 4 5 6 7\nEnd\n");
    assert!(error(&vague, "solved").contains("expected a piece"), "{}", error(&vague, "solved"));
}
