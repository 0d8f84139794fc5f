//! Journals and certificates of strangers: what their command lines may ask of this program.

use super::{fewest, run};
use fewest::proofs::{Certificate, Identity, Record, write};
use std::path::Path;

/// A journal whose command line has these options beside those of a small search.
fn journal(path: &Path, options: &[(&str, &str)]) -> String {
    let search = [("puzzle", "8-puzzle"), ("state", "1 4 2 3 0 5 6 7 8"), ("memory", "30000000")];
    let mut command = Identity::new();
    search.iter().chain(options).for_each(|(name, value)| command.set(name, *value));
    let record = Record { command, ..Record::default() };
    // It may be there from before.
    let _ = std::fs::remove_file(path);
    write(&record, path).expect("written");
    path.display().to_string()
}

#[test]
fn a_journal_names_no_other_option_and_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let aim = path("aim").display().to_string();
    let options = ["certificate", "proof-log", "stages", "tables", "threads", "solver", "journal"];
    for option in options {
        let ran = run(&["resume", &journal(&path("a"), &[(option, &aim)])]);
        let told = format!("--{option}, expected one of --metric");
        assert!(ran.code == 2 && ran.err.contains(&told), "{option}: {}", ran.err);
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    // The goal of a journal is a text, even if there is a file of this name.
    std::fs::write(&aim, "secret").expect("written");
    let ran = run(&["resume", &journal(&path("a"), &[("goal", &aim)])]);
    assert!(
        ran.code == 2 && ran.err.contains("/aim") && !ran.err.contains("secret"),
        "{}",
        ran.err
    );
}

#[test]
fn a_journal_takes_no_more_memory_than_the_default() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = journal(&folder.path().join("a"), &[("memory", "1000000000000000")]);
    let ran = run(&["resume", &path]);
    assert!(ran.err.contains("more than the default here"), "{}", ran.err);
    let ran = run(&["resume", &path, "--memory", "30MB"]);
    assert!(!ran.err.contains("more than the default here"), "{}", ran.err);
}

#[test]
fn a_certificate_is_of_the_state_of_its_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a");
    let text = path.display().to_string();
    let solve = ["solve", "8-puzzle", "1 4 2 3 0 5 6 7 8", "-H", "manhattan", "--certificate"];
    assert_eq!(run(&[&solve[..], &[&text]].concat()).code, 0);
    let ran = run(&["certify", &text]);
    assert!(ran.code == 0 && ran.out.starts_with("claim for 8-puzzle, 1 4 2 3 0 5 6 7 8: "));
    let mut certificate = Certificate::read(&std::fs::read(&path).expect("read")).expect("whole");
    certificate.command.set("state", "1 0 2 3 4 5 6 7 8");
    std::fs::write(&path, certificate.text()).expect("written");
    let ran = run(&["certify", &text]);
    assert!(ran.code == 2 && ran.err.contains("its state is"), "{}{}", ran.out, ran.err);
}

/// Names of files need not be text.
#[test]
#[cfg(target_os = "linux")]
fn a_journal_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"a\xff"));
    let mut solve = fewest(&crate::tables());
    solve.args(["solve", "8-puzzle", "1 4 2 3 0 5 6 7 8", "-H", "manhattan", "--journal"]);
    let [solved, resumed] = [solve.arg(&path), fewest(&crate::tables()).arg("resume").arg(&path)]
        .map(|command| command.output().expect("it runs"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
    assert!(text(&solved.stdout).contains("2 moves, optimal"), "{}", text(&solved.stderr));
    // The search goes on with this file, and makes none of another name.
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
