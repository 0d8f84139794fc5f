//! The program: options, texts and exit codes.

mod maker;

use maker::samples;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, str};

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("a file");
    path
}

fn run(words: &[&str]) -> (i32, String, String) {
    let program = env!("CARGO_BIN_EXE_fewest-check");
    let Output { status, stdout, stderr } =
        Command::new(program).args(words).output().expect("the program");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("a code"), text(stdout), text(stderr))
}

#[test]
fn exit_codes_tell_what_became_of_a_file() {
    let (_, text) = samples::board().certificate();
    let path = file("holds.plain", &text);
    let path = path.to_str().expect("UTF-8");
    let (code, out, _) = run(&[path, "--units", "7", "--seed", "3"]);
    assert_eq!(code, 0);
    assert!(out.contains("holds: the plan solves the start, and no plan costs less than 20\n"));
    assert!(out.contains("trusted: this program, its compiler, the machine; "));
    let wrong = file("refused.plain", &text.replace("plan 20", "plan 21"));
    let (code, out, error) = run(&["--all", wrong.to_str().expect("UTF-8")]);
    assert_eq!((code, &*out), (2, ""));
    assert!(error.ends_with("the plan costs 20, not 21\n") && error.starts_with("refused: line "));
    let (code, _, error) = run(&["no such file"]);
    assert!(code == 1 && error.starts_with("not checked: no such file: "));
}

#[test]
fn options_are_checked() {
    let (code, help, _) = run(&["--help"]);
    assert!(code == 0 && help.contains("--write-tables FOLDER"));
    assert_eq!(run(&[]).0, 2);
    for words in [&["--units"][..], &["file", "--units", "x"], &["--all"], &["file", "--no"]] {
        let (code, _, error) = run(words);
        assert!(code == 2 && error.starts_with("refused: "), "{words:?}: {error}");
    }
}
