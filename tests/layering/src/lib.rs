//! The house rules that a compiler does not check.
//!
//! A rule is a function from text to complaints; each complaint names a file and a line.
//! Each rule has a self-test that feeds it something bad, so that no rule passes by looking at
//! nothing. docs/ARCHITECTURE.md says why the rules are as they are.

#![cfg(test)]

mod circles;
mod files;
mod imports;
mod interfaces;
mod manners;
mod read;
mod registry;

use read::File;

/// The crates that know no puzzle.
const AGNOSTIC: [&str; 8] =
    ["search/", "groups/", "fsm/", "closures/", "proofs/", "distances/", "pdb/", "anytime/"];

/// A program that checks what the others write, and knows what puzzles are in its files.
const CHECKER: &str = "proofs/checker/";

/// Whether a path is in a crate that knows no puzzle.
fn is_agnostic(path: &str) -> bool {
    AGNOSTIC.iter().any(|start| path.starts_with(start)) && !path.starts_with(CHECKER)
}

fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

/// Whether a path is in the sources of a library crate, without its tests and benches.
fn in_library(path: &str) -> bool {
    let is_crate =
        AGNOSTIC.iter().any(|start| path.starts_with(start)) || path.starts_with("domains/");
    is_crate && path.contains("/src/") && !path.ends_with("/main.rs") && !is_test(path)
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("tests.rs") || path.starts_with("tests/")
}

/// Fails with a list of the complaints if there are any.
#[track_caller]
fn none(complaints: impl IntoIterator<Item = String>) {
    let complaints: Vec<String> = complaints.into_iter().collect();
    let (found, list) = (complaints.len(), complaints.join("\n"));
    assert!(found == 0, "\n{list}\n{found} complaints");
}

#[test]
fn a_complaint_fails() {
    let complaints = |number: usize| (0..number).map(|i| i.to_string());
    none(complaints(0));
    assert!(std::panic::catch_unwind(|| none(complaints(1))).is_err());
}

#[test]
fn libraries_are_told_from_the_rest() {
    assert!(in_library("fsm/src/learn.rs") && in_library("domains/cube/src/lib.rs"));
    for path in ["fsm/src/tests/laws.rs", "pdb/src/rank/tests.rs", "pdb/benches/build.rs"] {
        assert!(!in_library(path), "{path}");
    }
    assert!(!in_library("tool/src/main.rs") && !in_library("tests/layering/src/lib.rs"));
    let checker = ["lib.rs", "main.rs"].map(|name| format!("{CHECKER}src/{name}"));
    assert!(in_library(&checker[0]) && !in_library(&checker[1]) && !is_agnostic(&checker[0]));
    assert!(is_agnostic("proofs/src/lib.rs"));
}
