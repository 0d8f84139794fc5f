//! Small promises of the tool: full names, readable sizes, empty values, marks that editors leave.

use super::{fewest, json, run, run_with_input};
use std::path::Path;

#[test]
fn a_table_has_one_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for metric in ["htm", "qtm"] {
        let with = |verb: &[&str]| {
            let options = ["--memory", "8MiB", "--metric", metric, "--format", "json"];
            let ran = run_with_input(folder.path(), &[verb, &options].concat(), "");
            json(&ran.out).pop().expect("a line")
        };
        let name = format!("3x3x3-{metric}-g256");
        assert_eq!(with(&["tables", "build", "3x3x3"])["table"], name.as_str());
        assert_eq!(with(&["histogram", "3x3x3"])["table"], name.as_str());
        assert_eq!(with(&["solve", "3x3x3", "R U"])["heuristic"], format!("best/{name}").as_str());
    }
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "3x3x3", "--heuristic", "manhattan", "--format", "json"];
    for (input, outcomes) in [
        ("\u{feff}R\nU\n", &["solved", "solved"][..]),
        ("\u{feff}# a comment\r\nR\r\n", &["solved"]),
        ("\u{feff}", &[]),
        ("R\n\u{feff}U\n", &["solved", "refused"]),
    ] {
        let path = folder.path().join("states");
        std::fs::write(&path, input).expect("written");
        let file = ["--file", path.to_str().expect("text")];
        for ran in [
            run_with_input(folder.path(), &solve, input),
            run_with_input(folder.path(), &[&solve[..], &file].concat(), ""),
        ] {
            let answers = json(&ran.out);
            assert!(answers.iter().map(|answer| &answer["outcome"]).eq(outcomes), "{}", ran.out);
        }
    }
}

#[test]
fn an_empty_variable_names_no_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = |variable: &str, more: &[&str]| {
        let mut command = fewest(Path::new(variable));
        command.env("XDG_CACHE_HOME", folder.path()).env("HOME", folder.path());
        let output = command.args(["tables", "list"]).args(more).output().expect("it runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let (set, given) = (folder.path().join("set"), folder.path().join("given"));
    let [set, given] = [&set, &given].map(|path| path.to_str().expect("text"));
    for (variable, more, named) in [
        ("", &[][..], "fewest"),
        (set, &[], set),
        (set, &["--tables", given], given),
        ("", &["--tables", given], given),
    ] {
        let (code, line) = list(variable, more);
        assert_eq!(code, Some(0), "{line}");
        assert!(line.trim_end().trim_end_matches('.').ends_with(named), "{line}");
    }
}

#[test]
fn the_usage_shows_no_folder_that_nobody_typed() {
    for arguments in
        [&["tables", "list", "--fly"][..], &["check", "3x3x3", "--fly"], &["bench", "--fly"]]
    {
        let ran = run(arguments);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("Usage:") && !ran.err.contains("--tables"), "{}", ran.err);
    }
}

#[test]
fn sizes_have_readable_units() {
    let needs =
        "needs 82.7 MiB (86667840 bytes) of tables, and --memory allows 976.6 KiB (1000000 bytes)";
    for (heuristic, memory, told) in [
        ("korf97", "1MB", needs),
        ("best", "1KiB", "--memory allows 1.0 KiB (1024 bytes)"),
        ("best", "0", "--memory allows 0 B (0 bytes)"),
    ] {
        let ran = run(&["solve", "3x3x3", "R", "--heuristic", heuristic, "--memory", memory]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}

#[test]
fn an_empty_table_file_is_shorter_than_any() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("3x3x3-htm-g256.table"), "").expect("written");
    let ran = run_with_input(folder.path(), &["tables", "list"], "");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("the file has 0 bytes, expected at least 4096"), "{}", ran.err);
}

/// Such as an unset variable of a script: not to be taken for a solved puzzle.
#[test]
fn an_empty_state_is_refused() {
    for verb in ["check", "solve"] {
        for state in ["", " ", "\t"] {
            let ran = run(&[verb, "3x3x3", state]);
            assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
            assert!(ran.err.contains("expected words after the puzzle"), "{}", ran.err);
        }
    }
}

#[test]
fn a_prediction_begins_with_bound_1() {
    let predict = |bound| run(&["predict", "3x3x3", "--heuristic", "manhattan", "--bound", bound]);
    let none = predict("0");
    assert_eq!((none.code, none.out.as_str()), (2, ""));
    assert!(none.err.contains("0 is not in 1.."), "{}", none.err);
    let one = predict("1");
    assert_eq!((one.code, one.out.lines().count()), (0, 1), "{}", one.err);
}

#[test]
fn tables_are_explained_with_grouped_thousands() {
    let explained = run(&["tables", "explain", "3x3x3", "--memory", "64MiB"]);
    let lines: Vec<&str> = explained.out.lines().collect();
    assert_eq!((explained.code, lines.len()), (0, 7), "{}", explained.err);
    let first = "* 4,735,872 bytes, 277,136,640 states, 16 symmetries, 3 views: 3x3x3-htm-g256";
    assert_eq!(lines[0], first);
    assert!(lines[1].starts_with("* ") && lines[2].starts_with("  "), "{lines:?}");
}
