//! Table folders that are missing, locked or read-only, or have damaged files.

use super::{fewest, json, run, run_with_input};
use std::path::Path;

#[test]
fn a_damaged_table_is_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "3x3x3", "R U F", "--memory", "8MiB", "--format", "json"];
    let first = run_with_input(folder.path(), &solve, "");
    assert_eq!(first.code, 0, "{}", first.err);
    assert_eq!(json(&first.out)[0]["length"], 3);
    let table = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .max_by_key(|path| path.metadata().map_or(0, |data| data.len()))
        .expect("a table");
    let mut bytes = std::fs::read(&table).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    std::fs::write(&table, &bytes).expect("written");
    let second = run_with_input(folder.path(), &solve, "");
    assert_eq!(second.code, 3, "{}", second.err);
    let name = table.file_name().and_then(|name| name.to_str()).expect("text");
    assert!(second.err.contains(name), "{}", second.err);
    let refused = &json(&second.out)[0];
    assert_eq!(refused["outcome"], "refused", "{refused}");
    assert!(refused["error"].as_str().expect("text").contains(name), "{refused}");
    // Each state gets a result line, whatever happens.
    let many = ["solve", "3x3x3", "--memory", "8MiB", "--format", "json"];
    let third = run_with_input(folder.path(), &many, "R\nU X\nF\n");
    assert_eq!((third.code, json(&third.out).len()), (3, 3), "{}", third.err);
    assert_eq!(std::fs::read(&table).expect("still there"), bytes);
    let verified = run_with_input(folder.path(), &["tables", "verify"], "");
    assert_eq!(verified.code, 3, "{}", verified.err);
    assert_eq!(run_with_input(folder.path(), &["tables", "remove", "3x3x3"], "").code, 0);
    assert_eq!(run_with_input(folder.path(), &solve, "").code, 0);
    let listed = run_with_input(folder.path(), &["tables", "list", "--format", "json"], "");
    assert_eq!(json(&listed.out).len(), 1, "{}", listed.out);
}

/// With a table that is above 0 at the goal, no bound would reach a goal.
#[test]
fn a_table_above_zero_at_the_goal_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "pyraminx", "U R' L"];
    let first = run_with_input(folder.path(), &solve, "");
    assert_eq!(first.code, 0, "{}", first.err);
    let store = fewest::pdb::file::TableStore::new(folder.path());
    for info in store.list().expect("listed") {
        let info = info.expect("a table");
        let name = info.path.file_stem().expect("a name").to_string_lossy().into_owned();
        let spec = fewest::pdb::file::TableSpec {
            name,
            description: info.description,
            encoding: info.encoding,
            entries: info.entries,
            payload_bytes: info.payload_bytes,
        };
        let mut payload = store.load(&spec, fewest::pdb::file::Load::Ram).expect("loaded").to_vec();
        payload.fill(0x11);
        assert!(store.remove(&spec).expect("removed"));
        store.save(&spec, &payload).expect("saved");
    }
    let ran = run_with_input(folder.path(), &solve, "");
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("the payload is above 0 at a goal, expected 0"), "{}", ran.err);
    assert!(ran.err.contains(".table: "), "{}", ran.err);
}

/// Tables of goals belong to their cube, those of a definition with its name do not.
#[test]
fn tables_of_goals_are_removed_with_those_of_their_cube() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |words: &[&str]| run_with_input(folder.path(), words, "");
    let goal = ["solve", "3x3x3", "--goal", "cross", "-f", "json", "R U F D L2 B R D' F U2"];
    let ran = run(&goal);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(json(&ran.out)[0]["goal"], "cross");
    assert_eq!(run(&["tables", "build", "3x3x3", "--goal", "cross"]).code, 0);
    let file = crate::definition("2x2x2.tws");
    assert_eq!(run(&["tables", "build", &file]).code, 0);
    let listed = |puzzle: &str| json(&run(&["tables", "list", puzzle, "-f", "json"]).out).len();
    let all = || json(&run(&["tables", "list", "-f", "json"]).out).len();
    let (of_goals, others) = (listed("3x3x3"), listed("2x2x2"));
    assert!(of_goals > 0 && others == 0 && all() > of_goals, "{of_goals} {others}");
    let left = all() - of_goals;
    assert_eq!(run(&["tables", "remove", "3x3x3"]).code, 0);
    assert_eq!((listed("3x3x3"), all()), (0, left));
}

#[test]
fn a_folder_that_is_not_there_holds_no_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    for verb in ["list", "verify", "remove"] {
        let all = if verb == "remove" { &["--all"][..] } else { &[] };
        let ran = run_with_input(&missing, &[&["tables", verb], all].concat(), "");
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        assert!(ran.err.contains("missing"), "{}", ran.err);
        let ran = run_with_input(&missing, &["tables", verb, "3x3x3", "--quiet"], "");
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    }
    assert!(!missing.exists());
}

#[test]
fn every_table_that_can_be_removed_is() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["3x3x3-a", "3x3x3-b", "3x3x3-c"] {
        std::fs::write(folder.path().join(format!("{name}.table")), "damaged").expect("written");
    }
    let lock = std::fs::File::create(folder.path().join("3x3x3-a.lock")).expect("created");
    lock.lock().expect("locked");
    std::fs::create_dir(folder.path().join("3x3x3-d.table")).expect("in the way");
    let ran = run_with_input(folder.path(), &["tables", "remove", "--all", "--format", "json"], "");
    assert_eq!((ran.code, json(&ran.out).len()), (3, 2), "{}", ran.err);
    assert!(ran.err.contains("3x3x3-a") && ran.err.contains("3x3x3-d"), "{}", ran.err);
}

#[test]
fn a_folder_that_cannot_be_made_is_named_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("occupied");
    std::fs::write(&file, "not a folder").expect("written");
    let build = ["tables", "build", "3x3x3", "--memory", "8MiB"];
    let ran = run_with_input(&file.join("below"), &build, "");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{}", ran.err);
    let line = ran.err.lines().last().expect("a line");
    assert!(line.contains("occupied/below: could not create it: "), "{line}");
}

#[test]
fn a_table_folder_that_cannot_be_written_costs_nothing_but_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("occupied");
    std::fs::write(&file, "not a folder").expect("written");
    let ran = run_with_input(
        &file,
        &["solve", "3x3x3", "R U F", "--memory", "8MiB", "--format", "json"],
        "",
    );
    assert!(ran.err.contains("occupied"), "{}", ran.err);
    assert_eq!(json(&ran.out)[0]["length"], 3, "the answer is there all the same");
    assert_eq!(ran.code, 3);
}

/// The tool still answers if standard error is closed or cannot be written.
#[test]
#[cfg(target_os = "linux")]
fn a_standard_error_that_takes_nothing_is_no_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it opens");
    let solve = ["solve", "3x3x3", "R U", "--memory", "8MiB", "--progress", "json"];
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_fewest"))
        .args(solve)
        .env("FEWEST_TABLES", folder.path())
        .stderr(full)
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"U' R'"), "{output:?}");
}

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
fn an_empty_table_file_is_shorter_than_any() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("3x3x3-htm-g256.table"), "").expect("written");
    let ran = run_with_input(folder.path(), &["tables", "list"], "");
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("the file has 0 bytes, expected at least 4096"), "{}", ran.err);
}

#[test]
fn tables_are_explained_with_grouped_thousands() {
    let explained = run(&["tables", "explain", "3x3x3", "--memory", "64MiB"]);
    let lines: Vec<&str> = explained.out.lines().collect();
    assert_eq!((explained.code, lines.len()), (0, 10), "{}", explained.err);
    let first = "* 4,735,872 bytes, 277,136,640 states, 16 symmetries, 3 views: 3x3x3-htm-g256";
    assert_eq!(lines[0], first);
    assert!(lines[1].starts_with("* ") && lines[2].starts_with("  "), "{lines:?}");
}

#[test]
fn all_tables_are_removed_only_if_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = folder.path().join("3x3x3-a.table");
    std::fs::write(&table, "damaged").expect("written");
    let ran = run_with_input(folder.path(), &["tables", "remove"], "");
    assert!(ran.code == 2 && ran.err.contains("--all") && table.exists(), "{}", ran.err);
    assert_eq!(run_with_input(folder.path(), &["tables", "remove", "--all"], "").code, 0);
    assert!(!table.exists());
}
