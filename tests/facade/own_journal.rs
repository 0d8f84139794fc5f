//! A journal for a user's own domain, under kills. The example `long_search` is the user's program.

use fewest::search::random::Random;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The program of the example. `cargo test` builds it beside the tests, `cargo test --test` not.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("this program");
    let folder = test.parent().and_then(Path::parent).expect("the folder of the profile");
    let program = format!("examples/long_search{}", std::env::consts::EXE_SUFFIX);
    let program = folder.join(program);
    assert!(program.exists(), "cargo build --example long_search makes {}", program.display());
    program
}

/// Runs the program, and kills it after this time. Returns the lines about bounds and the plan, and
/// whether nodes were known before. `None` if it was killed.
fn run(journal: &Path, threads: &str, after: Option<Duration>) -> Option<(String, bool)> {
    let mut command = Command::new(program());
    let mut child = command.arg(journal).arg(threads).stdout(Stdio::piped()).spawn().expect("runs");
    if let Some(after) = after {
        std::thread::sleep(after);
        if child.try_wait().expect("a child").is_none() {
            child.kill().expect("a child");
            child.wait().expect("a child");
            return None;
        }
    }
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", output.status);
    let text = String::from_utf8(output.stdout).expect("text");
    let (results, known) = text.rsplit_once("; ").expect("what was known");
    Some((results.to_owned(), !known.starts_with("0 ")))
}

/// Kills the program until it ends by itself, with one journal after the other, so many times.
fn goes_on(least: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (expected, known) = run(&path("unbroken"), "2", None).expect("not killed");
    assert!(expected.contains("bound 8: no plan") && !known, "{expected}");
    let (mut random, mut kills, mut resumed) = (Random::new(11), 0, 0);
    for number in 0.. {
        let journal = path(&number.to_string());
        let (results, known) = loop {
            let threads = ["1", "2", "16"][kills % 3];
            let after = Duration::from_micros(random.below(400_000));
            match run(&journal, threads, Some(after)) {
                Some(ended) => break ended,
                None => kills += 1,
            }
        };
        assert_eq!(results, expected, "after {kills} kills");
        resumed += usize::from(known);
        if kills >= least {
            assert!(resumed > 0, "no search went on");
            return;
        }
    }
}

#[test]
fn a_killed_program_goes_on() {
    goes_on(10);
}

#[test]
#[ignore = "slow: two hundred kills of a user's program, 2 min"]
fn a_program_is_killed_two_hundred_times() {
    goes_on(200);
}
