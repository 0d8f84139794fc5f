//! The tool as scripts see it: results, exit codes, and one clear line for every kind of bad input.

mod anytime;
mod definitions;
mod details;
mod tiles;
mod two_by_two;

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// The tool, with its tables in a folder of the test.
fn fewest(tables: &Path) -> Command {
    let mut command = Command::cargo_bin("fewest").expect("the tool is built");
    command.env("FEWEST_TABLES", tables);
    command
}

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run_with_input(tables: &Path, arguments: &[&str], input: &str) -> Ran {
    let output = fewest(tables).args(arguments).write_stdin(input).output().expect("it runs");
    Ran {
        code: output.status.code().expect("it exits"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

fn run(arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a folder");
    run_with_input(folder.path(), arguments, "")
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

#[test]
fn a_cube_is_solved_and_the_plan_checks() {
    let solved =
        run(&["solve", "3x3x3", "R", "U2", "F'", "--heuristic", "manhattan", "--format", "json"]);
    assert_eq!((solved.code, solved.err.as_str()), (0, ""));
    let answer = &json(&solved.out)[0];
    assert_eq!(answer["plan"], serde_json::json!(["F", "U2", "R'"]));
    assert_eq!((&answer["length"], &answer["lower_bound"]), (&3.into(), &3.into()));
    assert_eq!((&answer["outcome"], &answer["optimal"]), (&"solved".into(), &true.into()));
    for key in [
        "generated",
        "expanded",
        "seconds",
        "cpu_seconds",
        "table_seconds",
        "threads",
        "table_bytes",
    ] {
        assert!(answer[key].is_number(), "{key} is a number in {answer}");
    }
    assert_eq!(
        (&answer["heuristic"], &answer["pruning"], &answer["metric"]),
        (&"manhattan".into(), &"fsm:2".into(), &"htm".into())
    );
    let iterations = answer["iterations"].as_array().expect("a list");
    let total: u64 = iterations.iter().map(|i| i["generated"].as_u64().expect("a count")).sum();
    assert_eq!(answer["generated"], total);

    let checked = run(&["check", "3x3x3", "R U2 F'", "--plan", "F U2 R'"]);
    assert_eq!(checked.code, 0);
    assert!(checked.out.contains("3 moves"), "{}", checked.out);
    let wrong = run(&["check", "3x3x3", "R U2 F'", "--plan", "F U2 R"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("not solved"), "{}", wrong.err);
    for (state, plan, code, valid, solves) in [
        ("R U2 F'", "F U2 R'", 0, Value::from(true), Value::from(true)),
        ("R U2 F'", "F U2 R", 2, true.into(), false.into()),
        ("R U2 F'", "F U2 Q", 2, false.into(), false.into()),
        ("R U2 Q", "F U2 R'", 2, Value::Null, Value::Null),
    ] {
        let ran = run(&["check", "3x3x3", state, "--plan", plan, "--format", "json"]);
        let answer = &json(&ran.out)[0];
        assert_eq!((ran.code, ran.err.as_str()), (code, ""), "{answer}");
        assert_eq!((&answer["valid"], &answer["solves"]), (&valid, &solves), "{answer}");
        assert_eq!(answer["error"].is_string(), code != 0, "{answer}");
        assert_eq!(answer["outcome"] == "refused", valid.is_null(), "{answer}");
    }
}

#[test]
fn a_solved_cube_needs_no_moves() {
    for state in ["R R'", "x y2", ""] {
        let ran = run(&["solve", "3x3x3", state, "--heuristic", "manhattan", "--format", "json"]);
        if state.is_empty() {
            continue;
        }
        let answer = &json(&ran.out)[0];
        assert_eq!(
            (&answer["length"], &answer["generated"], &answer["plan"]),
            (&0.into(), &0.into(), &serde_json::json!([]))
        );
    }
}

#[test]
fn many_states_are_answered_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = "R\n# a comment\n\nR U X\nF2 R\n";
    let ran = run_with_input(
        folder.path(),
        &["solve", "3x3x3", "--heuristic", "manhattan", "--format", "json"],
        input,
    );
    assert_eq!(ran.code, 2);
    let answers = json(&ran.out);
    let outcomes: Vec<_> =
        answers.iter().map(|answer| answer["outcome"].as_str().expect("text")).collect();
    assert_eq!(outcomes, ["solved", "refused", "solved"]);
    assert_eq!(answers[2]["plan"], serde_json::json!(["R'", "F2"]));
    let file = folder.path().join("cubes.txt");
    std::fs::write(&file, input).expect("written");
    let path = file.to_str().expect("text");
    let ran = run_with_input(
        folder.path(),
        &["solve", "3x3x3", "--heuristic", "manhattan", "--file", path],
        "",
    );
    assert_eq!((ran.code, ran.out.lines().count()), (2, 3));
    assert!(
        ran.out.lines().nth(1).expect("three lines").starts_with("line 4: refused"),
        "{}",
        ran.out
    );
}

#[test]
fn a_line_that_is_no_text_is_refused_as_a_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("states");
    std::fs::write(&file, b"R\nU \xff F\n\n# \xff\r\nF2\r\n").expect("written");
    let path = file.to_str().expect("text");
    let solve = ["solve", "3x3x3", "--heuristic", "manhattan", "--file", path];
    let ran = run(&[&solve[..], &["--format", "json"]].concat());
    let answers = json(&ran.out);
    assert_eq!((ran.code, answers.len()), (2, 3), "{}", ran.out);
    assert_eq!(answers[1]["outcome"], "refused");
    assert!(answers[1]["error"].as_str().expect("text").starts_with("line 2: "), "{}", ran.out);
    assert_eq!(answers[2]["plan"], serde_json::json!(["F2"]));
    let text = run(&solve);
    assert!(text.out.contains("line 2: refused: "), "{}", text.out);
}

#[test]
fn limits_end_with_a_proven_bound() {
    let state = "superflip";
    for limit in [["--limit-nodes", "1000000"], ["--max-bound", "5"], ["--limit-time", "300ms"]] {
        let ran = run(&[
            "solve",
            "3x3x3",
            state,
            "--heuristic",
            "manhattan",
            "--format",
            "json",
            limit[0],
            limit[1],
        ]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        let answer = &json(&ran.out)[0];
        assert_eq!(answer["outcome"], "limit-reached");
        assert!(answer["lower_bound"].as_u64().expect("a bound") > 5, "{answer}");
        assert!(answer["generated"].as_u64().expect("a count") < 100_000_000, "{answer}");
        assert!(answer.get("plan").is_none());
    }
}

#[test]
fn a_limit_of_nothing_searches_nothing() {
    for limit in [["--limit-nodes", "0"], ["--limit-time", "0s"]] {
        let solve = ["solve", "3x3x3", "R U F", "--heuristic", "manhattan", "--format", "json"];
        let ran = run(&[&solve[..], &limit].concat());
        let answer = &json(&ran.out)[0];
        assert_eq!((ran.code, &answer["outcome"]), (1, &"limit-reached".into()), "{answer}");
        assert_eq!(answer["generated"], 0, "{answer}");
        let solved =
            run(&[&["solve", "3x3x3", "x", "--heuristic", "manhattan"][..], &limit].concat());
        assert_eq!(solved.code, 0, "{}", solved.err);
    }
}

#[test]
fn every_optimal_plan_is_listed() {
    let ran =
        run(&["solve", "3x3x3", "U D R2", "--all", "--heuristic", "manhattan", "--format", "json"]);
    let answer = &json(&ran.out)[0];
    assert_eq!(answer["plans"], serde_json::json!([["R2", "U'", "D'"]]));
    let two = run(&[
        "solve",
        "3x3x3",
        "R2 L2 U2 D2 F2 B2",
        "--count",
        "2",
        "--heuristic",
        "manhattan",
        "--format",
        "json",
    ]);
    assert_eq!(json(&two.out)[0]["plans"].as_array().map(Vec::len), Some(2));
}

#[test]
fn plans_cut_short_are_not_said_to_be_all() {
    let solve = |more: &[&str]| {
        let cube = ["solve", "3x3x3", "four-spot", "--heuristic", "manhattan"];
        run(&[&cube[..], &["--threads", "1"], more].concat())
    };
    let all = solve(&["--all", "--format", "json"]);
    let whole = &json(&all.out)[0];
    assert_eq!((all.code, &whole["complete"]), (0, &true.into()), "{whole}");
    let nodes = (whole["generated"].as_u64().expect("a count") - 100_000).to_string();
    let short = solve(&["--all", "--format", "json", "--limit-nodes", &nodes]);
    let answer = &json(&short.out)[0];
    assert_eq!((short.code, &answer["outcome"]), (1, &"solved".into()), "{answer}");
    assert_eq!((&answer["complete"], &answer["optimal"]), (&false.into(), &true.into()));
    let text = solve(&["--all", "--limit-nodes", &nodes]);
    assert!(text.code == 1 && text.out.contains("not all"), "{}", text.out);
    let one = solve(&["--count", "1", "--format", "json", "--limit-nodes", &nodes]);
    assert_eq!((one.code, &json(&one.out)[0]["complete"]), (0, &true.into()));
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let twisted = "UUUUUUUURURRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    for (arguments, part) in [
        (&["solve", "3x3x3", "R U Q"][..], "Q"),
        (&["solve", "3x3x3", twisted], ""),
        (&["solve", "3x3x3", "UUU5X"], ""),
        (&["solve", "4x4x4", "R"], "3x3x3"),
        (&["solve", "3x3x3", "R", "--heuristic", "magic"], "korf97"),
        (&["solve", "3x3x3", "R", "--metric", "ftm"], "qtm"),
        (&["solve", "3x3x3", "R", "--pruning", "fsm:0"], "fsm:D"),
        (&["solve", "3x3x3", "R", "--memory", "many"], "GiB"),
        (&["solve", "3x3x3", "R", "--heuristic", "korf97", "--memory", "1MiB"], "bytes"),
        (&["solve", "3x3x3", "--file", "no-such-file"], "no-such-file"),
        (&["solve", "3x3x3", "R", "--threads", "0"], "0"),
        (&["check", "3x3x3"], "state"),
        (&["count", "3x3x3", "--depth", "2"], "--states"),
        (&["count", "3x3x3", "--depth", "2"], "--sequences"),
        (&["fly", "3x3x3"], "fly"),
        (&["histogram", "3x3x3", "--heuristic", "manhattan"], "korf97"),
        (&["tables", "list", "4x4x4"], "3x3x3"),
        (&["tables", "verify", "4x4x4"], "3x3x3"),
        (&["tables", "remove", "4x4x4"], "3x3x3"),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn the_impossible_cube_is_refused_with_the_reason() {
    // R U R' U' with the corner URF twisted once.
    let ran = run(&["scramble", "3x3x3", "--seed", "7"]);
    assert_eq!((ran.code, ran.out.trim().len()), (0, 54));
    let again = run(&["scramble", "3x3x3", "--seed", "7"]);
    assert_eq!(ran.out, again.out);
    let mut stickers: Vec<char> = ran.out.trim().chars().collect();
    // The stickers of URF: U9, R1, F3.
    let (u, r, f) = (stickers[8], stickers[9], stickers[20]);
    (stickers[8], stickers[9], stickers[20]) = (r, f, u);
    let twisted: String = stickers.into_iter().collect();
    let ran = run(&["check", "3x3x3", &twisted]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("twist"), "{}", ran.err);
}

#[test]
fn counts_are_those_of_the_literature() {
    let sequences = run(&["count", "3x3x3", "--sequences", "--depth", "18", "--format", "json"]);
    let last = json(&sequences.out).pop().expect("19 lines");
    assert_eq!(last["count"].to_string(), "246639261965462754048");
    let states = run(&["count", "3x3x3", "--states", "--depth", "5"]);
    let counts: Vec<&str> =
        states.out.lines().map(|line| line.split(' ').nth(1).expect("two columns")).collect();
    assert_eq!(counts, ["1", "18", "243", "3240", "43239", "574908"]);
    let quarter = run(&["count", "3x3x3", "--states", "--depth", "5", "--metric", "qtm"]);
    assert!(quarter.out.ends_with("5 93840\n"), "{}", quarter.out);
}

#[test]
fn counts_end_where_they_pass_128_bits() {
    for (depth, lines) in [("33", 34), ("40", 35), ("18446744073709551615", 35)] {
        let ran = run(&["count", "3x3x3", "--sequences", "--depth", depth]);
        let fits = depth == "33";
        assert_eq!((ran.code, ran.out.lines().count()), (i32::from(!fits), lines), "{}", ran.err);
        assert_eq!(ran.err.contains("128 bits"), !fits, "{}", ran.err);
    }
    let ran = run(&["predict", "3x3x3", "--heuristic", "manhattan", "--bound", "40"]);
    assert_eq!((ran.code, ran.out.lines().count()), (1, 33), "{}", ran.err);
    assert!(ran.err.contains("128 bits"), "{}", ran.err);
}

#[test]
fn what_was_learned_can_be_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let dot = folder.path().join("cube.dot");
    let path = dot.to_str().expect("text");
    let ran = run(&["learn", "3x3x3", "--depth", "2", "--format", "json", "--dot", path]);
    let learned = &json(&ran.out)[0];
    assert_eq!(
        (&learned["strings"], &learned["states"], &learned["minimized_states"]),
        (&81.into(), &19.into(), &7.into())
    );
    let factor: f64 = learned["branching_factor"].to_string().parse().expect("a number");
    assert!((factor - 13.348_469_2).abs() < 1e-7, "{factor}");
    let drawn = std::fs::read_to_string(&dot).expect("drawn");
    assert!(drawn.starts_with("digraph") && drawn.contains("R2"), "{drawn}");
}

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
    // A line for each state, whatever happens.
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

#[test]
fn a_folder_that_is_not_there_holds_no_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    for verb in ["list", "verify", "remove"] {
        let ran = run_with_input(&missing, &["tables", verb], "");
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
    let ran = run_with_input(folder.path(), &["tables", "remove", "--format", "json"], "");
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

/// A script may have closed standard error, or its disk may be full.
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
