//! God's algorithm with its layers on disk: the same counts as in memory, however often it is
//! killed.

use super::{fewest, json, run, run_with_input};
use search::random::Random;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Two bits for each of the 3,628,800 states are 907,200 bytes.
const PUZZLE: &str = "pancake-10";

/// The arguments of a count within a tenth of its table.
fn on_disk(folder: &Path) -> Vec<String> {
    let folder = folder.to_str().expect("text");
    let words = ["gods-algorithm", PUZZLE, "--memory", "90kB", "--disk", folder];
    words.map(str::to_owned).to_vec()
}

#[test]
fn layers_on_disk_are_those_in_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = on_disk(&folder.path().join("disk"));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = run_with_input(folder.path(), &words, "");
    assert_eq!((ran.code, ran.out), (0, run(&["gods-algorithm", PUZZLE]).out));
    assert!(ran.err.contains("The layers are on disk"), "{}", ran.err);
    let left: Vec<_> =
        std::fs::read_dir(folder.path().join("disk")).expect("it is there").collect();
    assert!(left.is_empty(), "{left:?}");
    let progress = [&words[..], &["--progress", "json"]].concat();
    let lines = json(&run_with_input(folder.path(), &progress, "").err);
    let told = |kind: &str| lines.iter().find(|line| line["progress"] == kind).expect("a line");
    assert!(told("on-disk")["bytes"].as_u64() >= Some(907_200));
    assert!(told("moved")["written"].as_u64() > told("on-disk")["bytes"].as_u64());
    // With enough memory nothing goes to the disk.
    let unused = folder.path().join("unused");
    let words = ["gods-algorithm", PUZZLE, "--disk", unused.to_str().expect("text")];
    assert_eq!(run(&words).code, 0);
    assert!(!unused.exists());
}

#[test]
fn too_little_memory_for_the_disk_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().to_str().expect("text");
    let words = ["gods-algorithm", PUZZLE, "--memory", "9kB", "--disk", disk];
    let ran = run_with_input(folder.path(), &words, "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the search on disk needs"), "{}", ran.err);
}

/// Kills the count at random moments, and lets it end at last.
#[test]
fn a_killed_count_goes_on_from_the_last_complete_layer() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = run(&["gods-algorithm", PUZZLE]).out;
    let (words, mut random) = (on_disk(&folder.path().join("disk")), Random::new(7));
    for _ in 0..8 {
        let mut command = fewest(folder.path());
        command.args(&words).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(random.below(400)));
        child.kill().expect("it is killed, or has ended");
        child.wait().expect("it ends");
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = run_with_input(folder.path(), &words, "");
    assert_eq!((ran.code, ran.out), (0, whole), "{}", ran.err);
    assert!(!ran.err.contains("could not be saved"), "{}", ran.err);
}
