//! Tables that rot on the disk, table files with exchanged names, and folders with files that are
//! no tables.
#![cfg(unix)]

use super::{json, run_with_input};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Solves a state whose optimal length is 11. A damaged table may give another length.
const SOLVE: [&str; 7] =
    ["solve", "3x3x3", "--memory", "8MiB", "--max-bound", "14", "R U2 F' L2 D B' R2 U' F D2 L"];

fn with_table() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let build =
        run_with_input(folder.path(), &["tables", "build", "3x3x3", "--memory", "8MiB"], "");
    assert_eq!(build.code, 0, "{}", build.err);
    let table = folder.path().join("3x3x3-htm-g256.table");
    (folder, table)
}

/// Overwrites the payload of a table as a rotting disk does.
///
/// `mark` names the side file that says the table passed its check. This file is written again, for
/// the new times of the table file and an earlier boot.
fn rot(table: &Path, mark: &str) {
    let mut bytes = std::fs::read(table).expect("read");
    bytes[8192..].fill(0xff);
    std::fs::write(table, bytes).expect("written");
    let file = table.metadata().expect("a file");
    let mut words: Vec<_> = mark.lines().next().expect("a line").split(' ').collect();
    let data = format!("{}.{:09}", file.mtime(), file.mtime_nsec());
    let inode = format!("{}.{:09}", file.ctime(), file.ctime_nsec());
    (words[3], words[4]) = (&data, &inode);
    let mark = words.join(" ") + "\n";
    std::fs::write(table.with_extension("verified"), mark).expect("written");
}

#[test]
fn a_rotten_table_is_never_believed() {
    let (folder, table) = with_table();
    let mark = std::fs::read_to_string(table.with_extension("verified")).expect("a mark");
    rot(&table, &mark);
    let many = ["solve", "3x3x3", "--memory", "8MiB", "--max-bound", "14", "--format", "json"];
    let state = SOLVE[6];
    let told = [&SOLVE[..], &["--progress", "json"]].concat();
    let two = format!("{state}\n{state}\n");
    for (arguments, input) in [(&SOLVE[..], ""), (&many, &two), (&told, "")] {
        let ran = run_with_input(folder.path(), arguments, input);
        // Iterations with a damaged table are not reported.
        assert!(!ran.err.contains(r#""iteration""#), "{}", ran.err);
        assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("proven"), "{}", ran.out);
        assert!(ran.err.contains("chunk 0"), "{}", ran.err);
        for answer in json(&ran.out) {
            assert_eq!(answer["outcome"], "refused", "{answer}");
            assert!(answer["lower_bound"].is_null(), "{answer}");
        }
        assert!(!table.with_extension("verified").exists(), "the mark is dropped");
        rot(&table, &mark);
    }
    let verify = ["tables", "verify"];
    assert_eq!(run_with_input(folder.path(), &verify, "").code, 3);
    assert_eq!(run_with_input(folder.path(), &SOLVE, "").code, 3, "the mark is dropped");
}

/// A table that is shortened while the tool reads it ends the tool with a message.
#[test]
fn a_table_that_is_shortened_meanwhile_is_told() {
    let (folder, table) = with_table();
    let arguments = ["solve", "3x3x3", "--memory", "8MiB", "--load", "mmap"];
    let mut tool = super::fewest(folder.path());
    tool.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut tool = tool.spawn().expect("it runs");
    let mut states = tool.stdin.take().expect("piped");
    let mut answers = BufReader::new(tool.stdout.take().expect("piped"));
    let mut answer = String::new();
    writeln!(states, "{}", SOLVE[6]).expect("it reads");
    answers.read_line(&mut answer).expect("an answer");
    assert!(answer.contains("11 moves, optimal"), "{answer}");
    let file = std::fs::OpenOptions::new().write(true).open(&table).expect("a table");
    file.set_len(8192).expect("shortened");
    // The tool may be gone before it has read this.
    writeln!(states, "L {}", SOLVE[6]).ok();
    drop(states);
    let ended = tool.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(3), "{told}");
    assert!(told.contains("shortened while it was in use"), "{told}");
}

#[test]
fn a_right_table_is_marked_for_this_boot() {
    let (folder, table) = with_table();
    let mark = table.with_extension("verified");
    let written = std::fs::read_to_string(&mark).expect("a mark");
    std::fs::write(&mark, written.lines().next().expect("a line")).expect("written");
    let ran = run_with_input(folder.path(), &SOLVE, "");
    assert!(ran.code == 0 && ran.out.contains("11 moves, optimal"), "{}{}", ran.out, ran.err);
    assert_eq!(std::fs::read_to_string(&mark).expect("a mark"), written);
}

/// Table files with exchanged names are found, though the fingerprint of a table does not cover its
/// name.
#[test]
fn swapped_names_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let build = |more: &[&str]| {
        let ran = run_with_input(folder.path(), &[&["tables", "build"], more].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.err);
    };
    build(&["3x3x3", "--memory", "8MiB"]);
    build(&["2x2x2"]);
    build(&["8-puzzle", "--heuristic", "pdb:4-4"]);
    build(&["domains/permutation/puzzles/pyraminx.tws", "--memory", "8MiB"]);
    let verify = || run_with_input(folder.path(), &["tables", "verify"], "");
    assert_eq!(verify().code, 0, "{}", verify().err);
    let files = std::fs::read_dir(folder.path()).expect("a folder");
    let paths = files.map(|file| file.expect("a file").path());
    let mut tables: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "table")).collect();
    tables.sort();
    let moved = |at: usize| folder.path().join(format!("{at}.moved"));
    for (at, table) in tables.iter().enumerate() {
        std::fs::rename(table, moved(at)).expect("moved");
    }
    for at in 0..tables.len() {
        std::fs::rename(moved(at), &tables[(at + 1) % tables.len()]).expect("moved");
    }
    let wrong = verify();
    let told = wrong.err.lines().filter(|line| line.contains("has another name")).count();
    assert_eq!((wrong.code, told), (3, tables.len()), "{}", wrong.err);
}

#[test]
fn pipes_and_links_among_the_tables_are_told_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["3x3x3-htm-g256.table", "foreign.table"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status();
        assert!(made.expect("it runs").success());
    }
    let link = folder.path().join("link.table");
    std::os::unix::fs::symlink("nowhere", &link).expect("linked");
    let listed = run_with_input(folder.path(), &["tables", "list"], "");
    let told = listed.err.matches("expected a regular file").count();
    assert_eq!((listed.code, told), (3, 3), "{}", listed.err);
    let solved = run_with_input(folder.path(), &SOLVE, "");
    assert_eq!(solved.code, 3, "{}", solved.err);
    let removed = run_with_input(folder.path(), &["tables", "remove", "--all"], "");
    assert_eq!((removed.code, removed.out.lines().count()), (0, 3), "{}", removed.err);
}

#[test]
fn names_of_files_send_nothing_to_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a\u{1b}[31m.table"), "").expect("written");
    let listed = run_with_input(folder.path(), &["tables", "list"], "");
    assert!(listed.code == 3 && !listed.err.contains('\u{1b}'), "{}", listed.err);
}

#[test]
fn what_a_killed_build_left_is_listed_and_removed() {
    let (folder, _) = with_table();
    let left = folder.path().join(".3x3x3-htm-g256.a1B2c3.tmp");
    std::fs::write(&left, "left").expect("written");
    let listed = run_with_input(folder.path(), &["tables", "list"], "");
    assert!(listed.code == 0 && listed.err.contains("4 bytes left by"), "{}", listed.err);
    let removed = run_with_input(folder.path(), &["tables", "remove", "2x2x2"], "");
    assert!(removed.code == 0 && left.exists(), "{}", removed.err);
    let removed = run_with_input(folder.path(), &["tables", "remove", "3x3x3"], "");
    assert_eq!((removed.code, removed.out.lines().count()), (0, 2), "{}", removed.err);
    assert!(std::fs::read_dir(folder.path()).expect("a folder").next().is_none());
}

/// With a limit of the file size (`ulimit -f`), the tool still answers, and says which table could
/// not be saved.
#[test]
fn a_limit_of_the_file_size_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let tool = env!("CARGO_BIN_EXE_fewest");
    let command = format!("ulimit -f 100; exec {tool} solve 3x3x3 'R U F' --memory 8MiB");
    let ran = std::process::Command::new("sh")
        .args(["-c", &command])
        .env("FEWEST_TABLES", folder.path())
        .output()
        .expect("it runs");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(3), "{out}{err}");
    assert!(out.starts_with("F' U' R'") && err.contains("could not write the table"), "{err}");
    assert!(std::fs::read_dir(folder.path()).expect("a folder").next().is_none());
}
