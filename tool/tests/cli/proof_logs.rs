//! Proof logs: a formula and its refutation, written by `solve --proof-log`.

use super::{json, run};

/// Solves with a proof log, and returns exit code, output and errors.
fn solve(search: &[&str], path: &str, more: &[&str]) -> (i32, String, String) {
    let ran = run(&[&["solve"], search, &["--proof-log", path], more].concat());
    (ran.code, ran.out, ran.err)
}

#[test]
fn proof_logs_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (search, moves)) in [
        (["8-puzzle", "1 4 2 3 0 5 6 7 8"], 2),
        (["pyraminx", "U R' L B'"], 4),
        (["2x2x2", "R U F' R2 U"], 5),
        (["3x3x3", "R U F"], 3),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(number.to_string()).display().to_string();
        let (code, out, errors) = solve(&search, &path, &["--format", "json"]);
        assert_eq!(code, 0, "{search:?}: {errors}");
        let told = json(&out);
        assert_eq!((told.len(), told[0]["length"].as_u64()), (1, Some(moves)), "{search:?}");
        assert!(errors.contains(&format!("no plan has fewer than {moves} moves")), "{errors}");
        let read = |kind: &str| std::fs::read_to_string(format!("{path}.{kind}")).expect("a file");
        let (formula, proof) = (read("opb"), read("pbp"));
        assert!(formula.starts_with("* #variable= "), "{search:?}");
        assert!(formula.contains("* claim 0: no plan from the start has at most"), "{search:?}");
        assert!(proof.starts_with("pseudo-Boolean proof version 3.0\n"), "{search:?}");
        assert!(proof.ends_with("end pseudo-Boolean proof;\n"), "{search:?}");
        // The files are not overwritten.
        let (code, out, errors) = solve(&search, &path, &[]);
        assert_eq!((code, out.as_str()), (2, ""), "{errors}");
        assert!(errors.contains(&format!("{path}.opb exists")), "{errors}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 8);
}

#[test]
fn what_cannot_be_logged_is_refused() {
    let (folder, path) = crate::new_file("log");
    let solve = |search: &[&str], more: &[&str]| solve(search, &path, more);
    let (code, out, errors) = solve(&["square-1", "U S"], &[]);
    assert_eq!((code, out.as_str()), (2, ""), "{errors}");
    assert!(errors.contains("square-1 has no proof logs"), "{errors}");
    let (code, _, errors) = solve(&["8-puzzle", "1 4 2 3 0 5 6 7 8"], &["--all"]);
    assert_eq!(code, 2, "{errors}");
    // The answer is there, but no log.
    let few = ["--proof-log-nodes", "100"];
    let (code, out, errors) = solve(&["8-puzzle", "8 7 6 0 4 1 2 5 3"], &few);
    assert!(code == 1 && out.contains("optimal"), "{out}{errors}");
    assert!(errors.contains("more than 100 nodes"), "{errors}");
    let (code, _, errors) = solve(&["2x2x2", "R U F' R2 U"], &["--max-bound", "3"]);
    assert!(code == 1 && errors.contains("the search did not end"), "{errors}");
    let (code, _, errors) = solve(&["2x2x2", "solved"], &[]);
    assert!(code == 0 && errors.contains("nothing to prove"), "{errors}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let nowhere = folder.path().join("none").join("log").display().to_string();
    let ran = super::run(&["solve", "8-puzzle", "1 0 2 3 4 5 6 7 8", "--proof-log", &nowhere]);
    assert_eq!(ran.code, 3, "{}", ran.err);
}

/// Logs of five of Korf's boards, checked by VeriPB.
#[test]
#[ignore = "slow: builds VeriPB from its crate and checks five logs, 3 min"]
fn logs_of_korfs_boards_are_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let figures = folder.path().join("figures.csv");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../proofs/korf-logs");
    let mut command = std::process::Command::new(script);
    command.args(["--tool", env!("CARGO_BIN_EXE_fewest"), "--figures"]).arg(&figures);
    let status = command.args(["12", "42", "79", "96", "97"]).status().expect("the script runs");
    assert!(status.success());
    let told = std::fs::read_to_string(&figures).expect("figures");
    assert_eq!(told.lines().filter(|line| line.ends_with(",yes")).count(), 5, "{told}");
}
