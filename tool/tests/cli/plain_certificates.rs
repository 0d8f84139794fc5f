//! Plain certificates: written by `certify --plain`, and checked by a program that shares nothing
//! with this one.

use super::run;
use fewest_check::{Checks, check};
use std::path::Path;

/// Solves a state, and returns its plain certificate and what was said about it.
fn plain(search: &[&str], folder: &Path) -> (String, String) {
    let [proof, plain] = ["proof", "plain"].map(|name| folder.join(name).display().to_string());
    let ran = run(&[&["solve"], search, &["--certificate", &proof]].concat());
    assert_eq!(ran.code, 0, "{search:?}: {}", ran.err);
    let ran = run(&["certify", &proof, "--plain", &plain]);
    assert_eq!((ran.code, &*ran.out), (0, ""), "{search:?}: {}", ran.err);
    // The file is not overwritten.
    let again = run(&["certify", &proof, "--plain", &plain]);
    assert_eq!(again.code, 3, "{}", again.err);
    (std::fs::read_to_string(&plain).expect("a text"), ran.err)
}

fn checked(text: &str) -> Result<String, String> {
    let checked = check(text.as_bytes().to_vec(), &Checks::default());
    checked.map_err(|objection| objection.text)
}

/// Searches with their number of units: a few kinds of heuristics of boards.
#[test]
fn boards_are_checked_unit_by_unit() {
    let folder = tempfile::tempdir().expect("a folder");
    let far = "8 6 7 2 5 4 3 0 1";
    let near = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";
    for (number, (search, some)) in [
        (&["8-puzzle", far, "--heuristic", "manhattan"][..], false),
        (&["8-puzzle", far, "--heuristic", "tables:1.2.3.4-5.6.7.8"], false),
        (&["8-puzzle", far, "--heuristic", "tables:1.2-3.4.5-6.7.8+1.4.7-2.5.8-3.6"], false),
        (
            &[
                "3x4-tiles",
                "10 11 9 8 7 6 5 4 3 2 1 0",
                "--heuristic",
                "tables:1.2.3.4.5-6.7.8.9.10.11",
            ],
            false,
        ),
        (&["15-puzzle", near, "--heuristic", "manhattan"], true),
        (&["15-puzzle", near, "--heuristic", "manhattan", "--pruning", "inverse"], true),
        (&["15-puzzle", near, "--heuristic", "pdb:5-5-5/plain"], false),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = folder.path().join(number.to_string());
        std::fs::create_dir(&folder).expect("a folder");
        let (text, told) = plain(search, &folder);
        assert!(told.contains("has the units"), "{search:?}: {told}");
        assert_eq!(text.contains("\nunit "), some, "{search:?}");
        let report = checked(&text);
        assert!(report.is_ok(), "{search:?}: {report:?}");
        // The claim of one more move needs a bound that was not searched.
        let plan = text.split("\nplan ").nth(1).expect("a plan");
        let (cost, rest) = plan.split_once(' ').expect("a cost");
        let more = format!("\nleast {}\n", cost.parse::<u32>().expect("a cost") + 1);
        let plan = rest.split('\n').next().expect("a line");
        let claim = text.replace(&format!("\nplan {cost} {plan}\n"), &more);
        assert!(checked(&claim).unwrap_err().contains("is proven"), "{search:?}");
    }
}

/// Searches from both ends, with tables that lines cannot say, are made again with others.
#[test]
fn groups_are_searched_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, search) in [
        &["2x2x2", "R U2 F' R U' F R2 U"][..],
        &["2x2x2", "R U2 F' R U'", "--metric", "qtm"],
        &["pyraminx", "U R' L B U' L R B'"],
        &["pyraminx", "U R U' R", "--cost", "R=2", "--cost", "R'=3"],
        &["skewb", "R L B R' U' L U'"],
        &["pyramorphix", "D U R"],
        &["15-puzzle", "1 5 2 3 4 0 6 7 8 9 10 11 12 13 14 15", "--heuristic", "korf-taylor"],
    ]
    .into_iter()
    .enumerate()
    {
        let folder = folder.path().join(number.to_string());
        std::fs::create_dir(&folder).expect("a folder");
        let (text, told) = plain(search, &folder);
        assert!(told.contains("has no units"), "{search:?}: {told}");
        let report = checked(&text);
        assert!(report.is_ok(), "{search:?}: {report:?}");
    }
}
