//! The command-line tool on the 3x3x3: plans, limits, counts, automata.

use super::{json, run, run_line, run_with_input};
use serde_json::Value;

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
    assert_eq!(wrong.code, 1);
    assert!(wrong.err.contains("not solved"), "{}", wrong.err);
    for (state, plan, code, valid, solves) in [
        ("R U2 F'", "F U2 R'", 0, Value::from(true), Value::from(true)),
        ("R U2 F'", "F U2 R", 1, true.into(), false.into()),
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
    for state in ["R R'", "x y2", "solved"] {
        let ran = run(&["solve", "3x3x3", state, "--heuristic", "manhattan", "--format", "json"]);
        let answer = &json(&ran.out)[0];
        assert_eq!(
            (&answer["length"], &answer["generated"], &answer["plan"]),
            (&0.into(), &0.into(), &serde_json::json!([]))
        );
    }
}

#[test]
fn every_optimal_plan_is_listed() {
    let ran =
        run(&["solve", "3x3x3", "U D R2", "--all", "--heuristic", "manhattan", "--format", "json"]);
    let answer = &json(&ran.out)[0];
    assert_eq!(answer["plans"], serde_json::json!([["R2", "U'", "D'"]]));
    let two =
        run_line("solve 3x3x3 R2 L2 U2 D2 F2 B2 --count 2 --heuristic manhattan --format json");
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
fn a_solver_that_finds_no_plan_says_so() {
    let solve = ["solve", "3x3x3", "superflip", "--solver", "bayes", "--max-bound", "20"];
    let ran = run(&[&solve[..], &["--format", "json"]].concat());
    let answer = &json(&ran.out)[0];
    assert_eq!((ran.code, &answer["outcome"]), (1, &"limit-reached".into()), "{answer}");
    assert_eq!((&answer["solver"], answer.get("plan")), (&"bayes".into(), None), "{answer}");
    let near = run(&["solve", "3x3x3", "R U", "--solver", "bayes"]);
    assert!(near.code == 0 && near.out.contains("U' R'"), "{} {}", near.out, near.err);
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
fn a_prediction_begins_with_bound_1() {
    let predict = |bound| run(&["predict", "3x3x3", "--heuristic", "manhattan", "--bound", bound]);
    let none = predict("0");
    assert_eq!((none.code, none.out.as_str()), (2, ""));
    assert!(none.err.contains("0 is not in 1.."), "{}", none.err);
    let one = predict("1");
    assert_eq!((one.code, one.out.lines().count()), (0, 1), "{}", one.err);
}

/// A goal of stickers, and states of stickers on six lines, with `.` for those left open.
#[test]
fn stickers_may_be_left_open() {
    let lines = ".........\n....R..R.\n....F..F.\n.D.DDD.D.\n....L..L.\n....B..B.\n";
    let ran =
        run_with_input(&crate::tables(), &["solve", "3x3x3", "--goal", "cross", "--quiet"], lines);
    assert!(ran.code == 0 && ran.out.contains("(0 moves, optimal"), "{}{}", ran.out, ran.err);
    let ran =
        run_with_input(&crate::tables(), &["solve", "3x3x3", "--goal", lines, "--quiet"], "F\n");
    assert!(ran.code == 0 && ran.out.contains("F'  (1 move"), "{}{}", ran.out, ran.err);
    let ran = run(&["solve", "3x3x3", "F", "--goal", "cross:X"]);
    assert!(ran.code == 2 && ran.err.contains("expected one of the faces U R F D L B, a colour"));
    let ran = run(&["solve", "3x3x3", "U", "--goal", "cross:white", "--quiet"]);
    assert!(ran.code == 0 && ran.out.contains("U'  (1 move"), "{}{}", ran.out, ran.err);
    // Without a goal, nothing says which stickers matter.
    for (puzzle, stickers) in [("3x3x3", lines), ("2x2x2", "UUUURRRRFFFFDDDDLLLL....")] {
        let ran = run(&["solve", puzzle, stickers]);
        assert!(ran.code == 2 && ran.err.contains("expected --goal"), "{}", ran.err);
    }
    let ran = run(&["solve", "3x3x3", "U", "--moves", "U,M"]);
    assert!(ran.code == 2 && ran.err.contains("3x3x3-slices"), "{}", ran.err);
}
