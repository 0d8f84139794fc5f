//! The near-optimal plan that is printed first, and the lower and upper bounds that approach each
//! other.

use super::{Ran, json, run, run_with_input};
use serde_json::Value;

/// The first twelve moves of an optimal sequence of the superflip. The near-optimal search finds
/// a plan of twelve.
const TWELVE: &str = "F B U2 R F2 R2 B2 U' D F U2 R'";

fn scramble(metric: &str) -> String {
    run(&["scramble", "3x3x3", "--seed", "5", "--metric", metric]).out.trim().to_owned()
}

/// The only answer that the tool printed. Its plan, if any, is replayed.
fn answer(ran: &Ran, metric: &str) -> Value {
    let answer = json(&ran.out).pop().expect("an answer");
    let plan: Vec<&str> =
        answer["plan"].as_array().expect("a plan").iter().filter_map(Value::as_str).collect();
    assert_eq!(answer["length"], plan.len());
    assert_eq!(answer["upper_bound"], plan.len());
    assert!(answer["lower_bound"].as_u64() <= answer["length"].as_u64(), "{answer}");
    let state = answer["state"].as_str().expect("a state");
    let check = ["check", "3x3x3", state, "--metric", metric, "--plan", &plan.join(" ")];
    assert_eq!(run(&check).code, 0, "{answer}");
    answer
}

#[test]
fn a_near_optimal_plan_needs_no_table_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (metric, most) in [("htm", 22), ("qtm", 32)] {
        let state = scramble(metric);
        let solve = |more: &[&str]| {
            let near = ["solve", "3x3x3", &state, "--near-optimal", "--metric", metric];
            run_with_input(folder.path(), &[&near[..], more].concat(), "")
        };
        let ran = solve(&["--format", "json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let found = answer(&ran, metric);
        assert!(found["length"].as_u64() <= Some(most), "{found}");
        assert_eq!(
            (&found["outcome"], &found["optimal"], &found["generated"], &found["heuristic"]),
            (&"solved".into(), &false.into(), &0.into(), &"two-phase".into())
        );
        assert_eq!(found["near_optimal"]["length"], found["length"]);
        assert!(found["near_optimal"]["generated"].as_u64() > Some(1_000_000), "{found}");
        let text = solve(&[]);
        assert!(text.code == 0 && text.out.contains("not proven optimal"), "{}", text.out);
        // The plan is the same for any number of threads, and no longer with more nodes.
        let one = answer(&solve(&["--format", "json", "--threads", "1"]), metric);
        assert_eq!(one["plan"], found["plan"]);
        let more = answer(&solve(&["--format", "json", "--limit-nodes", "6000000"]), metric);
        assert!(more["length"].as_u64() <= found["length"].as_u64(), "{more}");
        let none = solve(&["--format", "json", "--limit-nodes", "0"]);
        let nothing = &json(&none.out)[0];
        assert_eq!((none.code, &nothing["outcome"]), (1, &"limit-reached".into()), "{nothing}");
        assert_eq!(nothing["upper_bound"], Value::Null);
    }
    assert!(std::fs::read_dir(folder.path()).expect("a folder").next().is_none());
    let solved = run(&["solve", "3x3x3", "solved", "--near-optimal", "--format", "json"]);
    let answer = &json(&solved.out)[0];
    assert_eq!((&answer["length"], &answer["optimal"]), (&0.into(), &true.into()), "{answer}");
}

#[test]
fn a_near_optimal_plan_is_refused_where_there_is_none() {
    for arguments in [
        &["solve", "3x3x3", "R", "--near-optimal", "--heuristic", "manhattan"][..],
        &["solve", "3x3x3", "R", "--near-optimal", "--memory", "8MiB"],
        &["solve", "3x3x3", "R", "--near-optimal", "--all"],
        &["solve", "3x3x3", "R", "--near-optimal", "--count", "2"],
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains("near-optimal"), "{}", ran.err);
    }
}

#[test]
fn a_limit_leaves_the_best_plan_that_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = scramble("htm");
    let solve = |limit: &[&str], more: &[&str]| {
        let best = ["solve", "3x3x3", &state, "--memory", "16MiB"];
        run_with_input(folder.path(), &[&best[..], limit, more].concat(), "")
    };
    // On one thread the search takes longer than the half second between two lines of progress.
    let limit = ["--limit-nodes", "30000000", "--threads", "1"];
    let ran = solve(&limit, &["--format", "json", "--progress", "json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let limited = answer(&ran, "htm");
    assert_eq!(
        (&limited["outcome"], &limited["optimal"]),
        (&"limit-reached".into(), &false.into())
    );
    assert!(limited["lower_bound"].as_u64() < limited["upper_bound"].as_u64(), "{limited}");
    let lines = json(&ran.err);
    let upper = |kind: &str| -> Vec<u64> {
        let of_kind = lines.iter().filter(|line| line["progress"] == kind);
        of_kind.filter_map(|line| line["upper_bound"].as_u64()).collect()
    };
    let plans = upper("plan");
    assert!(plans.is_sorted_by(|a, b| a > b), "{plans:?}");
    assert_eq!(plans.last(), limited["length"].as_u64().as_ref());
    assert!(
        !upper("search").is_empty() && upper("search").iter().all(|of| plans.last() == Some(of))
    );
    // Now that the table exists, small iterations come before the near-optimal plan.
    let again = answer(&solve(&["--limit-nodes", "5000000"], &["--format", "json"]), "htm");
    assert_eq!(again["plan"], limited["plan"]);
    assert!(again["lower_bound"].as_u64() <= limited["lower_bound"].as_u64(), "{again}");
    let text = solve(&["--limit-nodes", "5000000"], &[]);
    assert!(
        text.code == 1 && text.out.contains("not proven optimal: limit reached; at least"),
        "{}",
        text.out
    );
    // A plan above the caller's bound is not printed.
    let bound = solve(&["--max-bound", "13"], &["--format", "json"]);
    let bounded = &json(&bound.out)[0];
    assert_eq!((bound.code, &bounded["lower_bound"]), (1, &14.into()), "{bounded}");
    assert_eq!(bounded.get("plan"), None);
}

/// A near-optimal plan whose cost equals the lower bound is optimal, so one plan needs no iteration
/// at that bound. With `--all` or `--count`, that iteration must still run to find the other plans.
#[test]
fn the_search_ends_where_the_bounds_meet() {
    let solve = |more: &[&str]| {
        // Without a table the near-optimal search comes first.
        let folder = tempfile::tempdir().expect("a folder");
        let best = ["solve", "3x3x3", TWELVE, "--memory", "16MiB", "--format", "json"];
        let ran = run_with_input(folder.path(), &[&best[..], more].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        answer(&ran, "htm")
    };
    for (more, last) in [(&[][..], 11), (&["--all"], 12), (&["--count", "3"], 12)] {
        let found = solve(more);
        assert_eq!((&found["length"], &found["lower_bound"]), (&12.into(), &12.into()), "{found}");
        assert_eq!((&found["outcome"], &found["optimal"]), (&"solved".into(), &true.into()));
        let iterations = found["iterations"].as_array().expect("a list");
        let bound = iterations.last().map(|iteration| &iteration["bound"]);
        assert_eq!(bound, Some(&last.into()), "{found}");
        let complete = iterations.iter().all(|iteration| iteration["complete"] == true);
        assert!(complete || last == 12, "{found}");
        assert_eq!(found["near_optimal"]["length"], 12);
    }
}

/// With `--max-bound` below the optimal length, the near-optimal search ends without a plan, and
/// the proof continues.
#[test]
fn a_limit_to_the_length_is_no_search_without_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = scramble("htm");
    let solve = |more: &[&str]| {
        let all = ["solve", "3x3x3", &state, "--max-bound", "11", "--format", "json"];
        run_with_input(folder.path(), &[&all[..], more].concat(), "")
    };
    let near = json(&solve(&["--near-optimal"]).out).pop().expect("an answer");
    assert_eq!((&near["outcome"], &near["plan"]), (&"limit-reached".into(), &Value::Null));
    let proof = json(&solve(&["--memory", "12MiB"]).out).pop().expect("an answer");
    assert_eq!((&proof["lower_bound"], &proof["near_optimal"]), (&12.into(), &Value::Null));
}

/// A plan that is not proven says what found it. A proven one does not.
#[test]
fn plans_say_what_found_them() {
    for (puzzle, by) in
        [("megaminx", "words"), ("3x3x3", "two-phase"), ("24-puzzle", "beam"), ("skewb", "")]
    {
        let state = run(&["scramble", puzzle, "--seed", "2"]).out;
        let solve = ["solve", puzzle, "--near-optimal", "--format", "json", state.trim()];
        let answer = &json(&run(&solve).out)[0];
        let expected = if by.is_empty() { Value::Null } else { by.into() };
        assert_eq!((&answer["outcome"], &answer["by"]), (&"solved".into(), &expected), "{answer}");
        assert_eq!(answer["optimal"], by.is_empty());
    }
}

/// Cycles of three give plans of large cubes. A seed gives the same plan again, and another seed
/// gives another.
#[test]
fn seeds_draw_plans() {
    let state = run(&["scramble", "4x4x4", "--seed", "2"]).out;
    let plan = |seed| {
        let near = ["--near-optimal", "--seed", seed, "--limit-nodes", "5000000"];
        let all = [&["solve", "4x4x4"], &near[..], &["--format", "json", state.trim()]].concat();
        json(&run(&all).out).remove(0)
    };
    let [first, again, other] = ["1", "1", "2"].map(plan);
    assert_eq!((&first["by"], &first["optimal"]), (&"cycles".into(), &false.into()));
    assert_eq!(first["plan"], again["plan"]);
    assert_ne!(first["plan"], other["plan"]);
    let alone = run(&["solve", "4x4x4", "--seed", "1", state.trim()]);
    assert_eq!(alone.code, 2);
    assert!(alone.err.contains("--near-optimal"), "{}", alone.err);
}

/// Plans of any program, one a line, become shorter ones.
#[test]
fn plans_are_shortened() {
    let ran = run(&["shorten", "3x3x3", "R", "U", "U'", "R", "F", "R2", "L2", "R2", "L2"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "R2 F\n"));
    assert_eq!(ran.err, "2 moves instead of 9: nearby 7\n");
    let plans = "R R\nR X\n12,R.-R.U\n";
    let ran = run_with_input(
        &crate::tables(),
        &["shorten", "2x2x2", "--quiet", "--metric", "qtm"],
        plans,
    );
    assert_eq!((ran.code, ran.out.as_str()), (2, "R R\n12,U\n"));
    assert!(ran.err.starts_with("fewest: line 2: plan: "), "{}", ran.err);
    let empty = run(&["shorten", "3x3x3", ""]);
    assert_eq!(empty.err, "fewest: the plan is empty: expected moves after the puzzle\n");
    let wrong = ["shorten", "3x3x3", "R U", "--state", "R U", "--format", "json"];
    let ran = run(&wrong);
    let refused = &json(&ran.out)[0];
    assert_eq!((ran.code, refused["puzzle"].as_str()), (2, Some("3x3x3")));
    assert!(refused["error"].as_str().expect("an error").starts_with("plan: "), "{refused}");
    let ran = run(&["shorten", "pyraminx", "U U U L", "--format", "json"]);
    let answer = &json(&ran.out)[0];
    let (plan, before) = (&answer["plan"], &answer["length_before"]);
    assert_eq!((plan, before), (&serde_json::json!(["L"]), &4.into()), "{answer}");
    assert_eq!(answer["complete"], true);
}

/// Several plans of one state become one. An error tells the line of the plan that is wrong.
#[test]
fn plans_of_one_state_become_one() {
    let run = |options: &[&str], plans| {
        let arguments = [&["shorten", "2x2x2", "--metric", "qtm", "--together"], options].concat();
        run_with_input(&crate::tables(), &arguments, plans)
    };
    // One goes astray before its second half, the other in its first.
    let plans = "# of one state\nR U F F F F R' R U R\n\nU U' U U U U R U U R\n";
    let ran = run(&[], plans);
    assert_eq!((ran.code, ran.out.as_str()), (0, "R U U R\n"), "{}", ran.err);
    assert!(ran.err.starts_with("4 moves instead of 10: together 6"), "{}", ran.err);
    let ran = run(&["--format", "json"], plans);
    let answer = &json(&ran.out)[0];
    let keys = ["plans", "length", "length_before", "line"].map(|key| answer[key].as_u64());
    assert_eq!(keys, [Some(2), Some(4), Some(10), Some(2)], "{answer}");
    assert_eq!(answer["passes"][0]["name"], "together", "{answer}");
    // Rows of submissions are plans like others. The answer has the form of the first.
    let ran = run(&["--quiet"], "id,moves\n7,R.R.U\n7,-R.-R.U\n");
    assert_eq!((ran.code, ran.out.as_str()), (0, "7,R.R.U\n"), "{}", ran.err);
    let wrong = "R U\n# the next solves another state\nU R\n";
    let ran = run(&[], wrong);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("fewest: line 3: plan 2: "), "{}", ran.err);
    let refused = &json(&run(&["--format", "json"], wrong).out)[0];
    assert_eq!((&refused["line"], &refused["place"]["plan"]), (&3.into(), &2.into()), "{refused}");
    let none = run(&[], "\n");
    assert_eq!((none.code, none.err.contains("there is no plan")), (2, true), "{}", none.err);
    assert_eq!(run(&["R", "U"], "").code, 2);
}
