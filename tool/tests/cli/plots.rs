//! `--plot`: every verb that counts draws what it prints.

use super::run;

#[test]
fn every_verb_draws_what_it_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = "8 6 7 2 5 4 3 0 1";
    let instances = folder.path().join("boards.txt");
    std::fs::write(&instances, format!("{board}\n")).expect("a file");
    let instances = instances.to_str().expect("text");
    let verbs: [(&[&str], &str); 7] = [
        (&["gods-algorithm", "pyramorphix"], "states"),
        (&["count", "8-puzzle", "--sequences", "--depth", "5"], "move sequences"),
        (&["count", "2x2x2", "--states", "--depth", "4"], "states"),
        (&["predict", "8-puzzle", board, "--bound", "24", "-H", "manhattan"], "searched"),
        (&["compare", "8-puzzle", "--instances", instances, "-H", "manhattan"], "nodes, mean"),
        (
            &["compare", "8-puzzle", "--instances", instances, "--solvers", "macros"],
            "macros (best)",
        ),
        (&["learn", "m12", "--depth", "2"], "M3"),
    ];
    for (number, (verb, expected)) in verbs.into_iter().enumerate() {
        let file = folder.path().join(format!("{number}.svg"));
        let plot = ["--plot", file.to_str().expect("text"), "--quiet"];
        let ran = run(&[verb, &plot].concat());
        assert_eq!(ran.code, 0, "{verb:?}: {}", ran.err);
        let picture = std::fs::read_to_string(&file).expect("a picture");
        assert!(picture.contains("<svg") && picture.contains(expected), "{verb:?}: {picture}");
        // The words are for people: the output has no bars unless it is a terminal.
        assert!(!ran.out.contains('█'), "{}", ran.out);
    }
}

#[test]
fn a_picture_that_cannot_be_written_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for (place, expected) in [("", "is a folder"), ("no/such/a.svg", "is no folder")] {
        let file = folder.path().join(place);
        let ran = run(&["gods-algorithm", "2x2x2", "--plot", file.to_str().expect("text")]);
        assert_eq!((ran.code, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
    let file = folder.path().join("a.svg");
    let learn = ["learn", "15-puzzle", "--depth", "10", "--plot"];
    let ran = run(&[&learn[..], &[file.to_str().expect("text")]].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("arrows, expected at most 110") && !ran.out.is_empty(), "{}", ran.err);
}

/// A picture that cannot be written whole leaves no file.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_no_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let tool = env!("CARGO_BIN_EXE_fewest");
    for verb in ["count 2x2x2 --states --plot", "learn 2x2x2 --plot", "learn 2x2x2 --dot"] {
        let command = format!("trap '' XFSZ; ulimit -f 0; exec {tool} {verb} a --depth 2");
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", &command]).current_dir(folder.path());
        let ran = shell.env("FEWEST_TABLES", crate::tables()).output().expect("it runs");
        assert_eq!(ran.status.code(), Some(3), "{}", String::from_utf8_lossy(&ran.stderr));
        assert!(std::fs::read_dir(folder.path()).expect("a folder").next().is_none(), "{verb}");
    }
}
