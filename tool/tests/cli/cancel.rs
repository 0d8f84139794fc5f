//! Ctrl-C at the terminal: the tool answers at once, with the right exit code.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn json(line: &str) -> Value {
    serde_json::from_str(line).expect("a JSON object")
}

/// If a table is being built, by this or another process, Ctrl-C still gives an answer: the proven
/// bound.
#[test]
fn an_interrupt_of_a_build_answers_with_the_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let locked = tempfile::tempdir().expect("a folder");
    let lock = std::fs::File::create(locked.path().join("3x3x3-htm-g256.lock")).expect("created");
    lock.lock().expect("locked");
    for (heuristic, folder, event) in [
        ("korf97", &folder, "building"),
        ("best", &folder, "plan"),
        ("best", &folder, "building"),
        ("best", &locked, "waiting"),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fewest"))
            .args(["solve", "3x3x3", "superflip", "--heuristic", heuristic, "--format", "json"])
            .args(["--progress", "json"])
            .env("FEWEST_TABLES", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut progress = BufReader::new(child.stderr.take().expect("piped"));
        let mut out = child.stdout.take().expect("piped");
        // Before `best` builds a table, it prints plans that are not proven optimal.
        let mut planned = false;
        loop {
            let mut line = String::new();
            progress.read_line(&mut line).expect("a line");
            let told = &json(&line)["progress"];
            planned |= told == "plan";
            if told == event {
                break;
            }
            let before = told == "plan" && heuristic == "best";
            assert!(before || told == "preparing", "{line}");
        }
        std::thread::spawn(move || std::io::copy(&mut progress, &mut std::io::sink()));
        assert_eq!(interrupt(child), Some(1));
        let mut text = String::new();
        out.read_to_string(&mut text).expect("text");
        let answer = json(&text);
        assert_eq!(answer["outcome"], "cancelled", "{answer}");
        assert!(answer["lower_bound"].is_number(), "{answer}");
        assert_eq!(answer["upper_bound"].is_number(), planned, "{answer}");
        assert_eq!(answer.get("plan").is_some(), planned, "{answer}");
    }
}

/// Interrupts the tool as Ctrl-C does.
fn signal(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
}

/// Interrupts the tool, and waits for its exit code.
fn interrupt(mut child: Child) -> Option<i32> {
    // Waiting would close the input, which ends the tool as well.
    let _open = child.stdin.take();
    signal(&child);
    child.wait().expect("it ends").code()
}

/// Work that only reads ends at once. The interrupt comes with the first word of progress, long
/// before the tables of a 5x5x5 are chosen.
#[test]
fn an_interrupt_ends_work_that_only_reads() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fewest"))
        .args(["tables", "explain", "5x5x5", "--progress", "json"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut progress = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    progress.read_line(&mut line).expect("a line");
    assert_eq!(json(&line)["progress"], "preparing", "{line}");
    std::thread::spawn(move || std::io::copy(&mut progress, &mut std::io::sink()));
    assert_eq!(interrupt(child), Some(1));
}

#[test]
fn an_interrupt_ends_scrambling_and_waiting() {
    let start = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewest"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
    };
    let first_line = |child: &mut Child| {
        let mut reader = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        // Further output is read too, so that the tool does not wait for a reader.
        std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
        line
    };
    let mut endless = start(&["scramble", "3x3x3", "--count", "1000000000000"]).expect("it runs");
    assert_eq!(first_line(&mut endless).trim().len(), 54);
    assert_eq!(interrupt(endless), Some(1));
    let mut idle = start(&["invert", "3x3x3"]).expect("it runs");
    writeln!(idle.stdin.as_ref().expect("piped"), "R").expect("it reads");
    assert!(!first_line(&mut idle).is_empty());
    assert_eq!(interrupt(idle), Some(1));
    // States that come through a pipe are those of a program, so it takes two signals to end the
    // tool.
    for (state, code) in [("R", 1), ("Q", 2)] {
        let mut idle = start(&["solve", "3x3x3", "--heuristic", "manhattan"]).expect("it runs");
        writeln!(idle.stdin.as_ref().expect("piped"), "{state}").expect("it reads");
        assert!(!first_line(&mut idle).is_empty());
        signal(&idle);
        // Two signals at once may arrive as one.
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(idle.try_wait().expect("it is there"), None);
        assert_eq!(interrupt(idle), Some(code));
    }
}

/// A program that sends states through a pipe cancels one of them, and the others are answered.
#[test]
fn an_interrupt_cancels_one_state_of_a_pipe() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fewest"))
        .args(["solve", "3x3x3", "-H", "manhattan", "-f", "json", "--progress", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().expect("piped");
    writeln!(input, "R\nsuperflip\nU F").expect("it reads");
    let mut progress = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    // Waits until the search of the second state is reported.
    while line.is_empty() || json(&line)["progress"] != "search" {
        line.clear();
        progress.read_line(&mut line).expect("a line");
    }
    let told = json(&line);
    assert_eq!((&told["request"], &told["line"]), (&2.into(), &2.into()), "{told}");
    std::thread::spawn(move || std::io::copy(&mut progress, &mut std::io::sink()));
    signal(&child);
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut next = || json(&answers.next().expect("a line").expect("text"));
    let ended = [next(), next(), next()].map(|answer| answer["outcome"].clone());
    assert_eq!(ended, ["solved", "cancelled", "solved"]);
    writeln!(input, "F2").expect("it still reads");
    let last = next();
    assert_eq!((&last["plan"][0], &last["request"]), (&"F2".into(), &4.into()), "{last}");
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}
