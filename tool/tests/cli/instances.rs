//! Instance files as papers have them, instance sets by name, and heuristics compared on them.

use super::{json, run, run_with_input};
use serde_json::Value;
use std::path::Path;

/// Three of Korf's boards: number, board, optimal length.
const BOARDS: &str = "# id, tiles, length\n\
    79 0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15 42\n\
    12 14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15 45\n\
    42 4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10 42\n";

#[test]
fn numbers_beside_a_state_are_no_part_of_it() {
    let solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    let turned = "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB";
    let groups = "UUFUUFUUF RRRRRRRRR FFDFFDFFD DDBDDBDDB LLLLLLLLL UBBUBBUBB";
    for (puzzle, lines, names, lengths) in [
        ("8-puzzle", "7 1 0 2 3 4 5 6 7 8 1\n", &[Some("7")][..], &[1][..]),
        ("8-puzzle", "3 1 2 0 4 5 6 7 8 1 17 0.5\n1 0 2 3 4 5 6 7 8 1\n", &[None; 2], &[1, 1]),
        // The first number is also the last tile.
        ("8-puzzle", "1 3 0 2 4 5 6 7 8 1\n", &[Some("1")], &[21]),
        ("8-puzzle", "5 1,0,2,3,4,5,6,7,8\n", &[Some("5")], &[1]),
        ("3x3x3", &format!("1 {turned} 18 382960112 20 32064330\n"), &[Some("1")], &[1]),
        ("3x3x3", &format!("{turned} 17 0.69 4.54\n{solved}\n"), &[None; 2], &[1, 0]),
        ("3x3x3", &format!("4 {groups} 18\nR U2\n"), &[Some("4"), None], &[1, 2]),
    ] {
        let solve = ["solve", puzzle, "-H", "manhattan", "-f", "json"];
        let ran = run_with_input(Path::new("/nowhere"), &solve, lines);
        let answers = json(&ran.out);
        assert_eq!((ran.code, answers.len()), (0, names.len()), "{} {}", ran.out, ran.err);
        for ((answer, name), length) in answers.iter().zip(names).zip(lengths) {
            assert_eq!(answer["name"].as_str(), *name, "{answer}");
            assert_eq!(answer["length"], *length, "{answer}");
        }
    }
    let solve = ["solve", "8-puzzle", "-H", "manhattan"];
    // 8 may be the number of the line, or the first tile before a length of 8.
    for wrong in ["8 1 0 2 3 4 5 6 7 8", "1 0 2 3 4 5 6 7 8 9 x", "1 1 0 2 3 4 5 6 8 9"] {
        let ran = run_with_input(Path::new("/nowhere"), &solve, &format!("{wrong}\n"));
        assert!(ran.code == 2 && ran.out.starts_with("line 1: refused: "), "{}", ran.out);
    }
    // On the command line there is one state.
    assert_eq!(run(&["solve", "8-puzzle", "5 1 0 2 3 4 5 6 7 8"]).code, 2);
}

#[test]
fn sets_have_names() {
    for (puzzle, set, count, last) in [
        ("15-puzzle", "korf100", 100, "11 4 0 8 6 10 5 13 12 7 14 3 1 2 9 15"),
        ("24-puzzle", "korf-taylor", 10, "23 14 0 24 17 9 20 21 2 18 10 13 22 1 3 11 4 16"),
        ("24-puzzle", "KORF-FELNER50", 50, "23 1 12 6 16 2 20 10 21 18 14 13 17 19 22 0 15 24"),
        ("3x3x3", "korf97", 10, "B2 D- B- U- R- D- B-"),
        ("19-puzzle", "random-19", 100, ""),
        ("333", "random-cubes", 100, ""),
    ] {
        let solve = ["solve", puzzle, "-H", "manhattan", "--max-bound", "1", "-f", "json"];
        let ran = run(&[&solve[..], &["--pruning", "inverse", "--instances", set]].concat());
        let answers = json(&ran.out);
        assert_eq!((ran.code, answers.len()), (1, count), "{}", ran.err);
        let state = answers[count - 1]["state"].as_str().expect("a state");
        assert!(state.starts_with(last), "{state}");
        assert!(answers.iter().all(|answer| answer["lower_bound"].as_u64() > Some(1)));
    }
    let ran = run(&["solve", "24-puzzle", "--instances", "korf100"]);
    assert!(ran.code == 2 && ran.err.contains("states of 15-puzzle"), "{}", ran.err);
    let ran = run(&["solve", "24-puzzle", "--instances", "korf200"]);
    assert!(ran.code == 2 && ran.err.contains("korf-felner50"), "{}", ran.err);
}

/// Korf's counts of 1985 have one node more: they count the root.
#[test]
fn heuristics_are_compared_on_korfs_boards() {
    let (_folder, path) = crate::written("boards.txt", BOARDS);
    let path = path.as_str();
    let compare = |heuristics: &str, count: &str, format: &str| {
        let compare = ["compare", "15-puzzle", "-H", heuristics, "-n", count, "-f", format];
        let how = ["--pruning", "inverse", "-t", "1", "--instances", path];
        let ran = run(&[&compare[..], &how].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let lines = json(&compare("manhattan,linear-conflict", "9", "json"));
    let of = |kind: &str| -> Vec<&Value> { lines.iter().filter(|l| l["type"] == kind).collect() };
    let (searches, sums) = (of("compare"), of("summary"));
    assert_eq!((searches.len(), sums.len(), lines.len()), (6, 2, 8));
    for (search, (name, h, length, generated)) in searches.iter().zip([
        ("79", 28, 42, 540_860),
        ("12", 35, 45, 546_344),
        ("42", 30, 42, 877_823),
    ]) {
        assert_eq!(
            (&search["heuristic"], &search["instance"]),
            (&"manhattan".into(), &name.into())
        );
        assert_eq!((&search["root_h"], &search["length"]), (&h.into(), &length.into()));
        assert_eq!(search["generated"], generated - 1, "{search}");
        let iterations = search["iterations"].as_array().expect("a list");
        assert_eq!(iterations[0]["bound"], h);
        let predicted = |one: &Value| one["predicted"].as_u64() > Some(0);
        assert!(iterations.iter().all(predicted), "{search}");
        assert!(search["ratio"].as_f64() > Some(0.01), "{search}");
    }
    for (place, sum) in sums.iter().enumerate() {
        assert_eq!(
            (&sum["instances"], &sum["solved"], &sum["length"]),
            (&3.into(), &3.into(), &43.0.into())
        );
        assert_eq!(sum["length_error"], 1.0, "of 42, 45 and 42");
        let nodes = sum["generated"].as_f64().expect("a mean");
        assert_eq!(place == 0, (nodes - 655_008.0).abs() < 1.0, "{nodes}");
    }
    let csv = compare("manhattan", "2", "csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    let count = |kind: &str| rows.iter().filter(|row| row[0] == kind).count();
    assert_eq!((count("type"), count("compare"), count("summary")), (1, 2, 1));
    let iterations =
        searches.iter().take(2).map(|line| line["iterations"].as_array().map_or(0, Vec::len));
    assert_eq!(count("iteration"), iterations.sum::<usize>());
    let text = compare("manhattan", "2", "text");
    assert!(text.starts_with("manhattan, 79: root h 28, 42 moves, 540,859 nodes"), "{text}");
    assert!(text.contains("manhattan: 2 of 2 solved\n") && text.contains("43.50 ± 1.50"), "{text}");
}

#[test]
fn compare_refuses_before_it_searches() {
    let compare = ["compare", "15-puzzle", "--instances", "korf100", "-H"];
    for wrong in ["manhattan,magic", "pdb:7-8"] {
        let ran = run(&[&compare[..], &[wrong, "--memory", "1MiB"]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    }
    let limited = ["manhattan", "-n", "2", "--limit-nodes", "1000", "-f", "csv"];
    let ran = run(&[&compare[..], &limited].concat());
    assert_eq!((ran.code, ran.out.matches("limit-reached").count()), (1, 2), "{}", ran.out);
}

/// Solvers are compared on the same instances. Only the optimal search has a first bound.
#[test]
fn solvers_are_compared() {
    let compare = ["compare", "8-puzzle", "--solvers", "optimal,bidirectional", "-f", "json"];
    let how = ["-H", "manhattan", "--instances", "-"];
    let boards = "1 0 2 3 4 5 6 7 8\n8 7 6 0 4 1 2 5 3\n";
    let ran = run_with_input(&crate::tables(), &[&compare[..], &how].concat(), boards);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines = json(&ran.out);
    let sums: Vec<_> = lines.iter().filter(|line| line["type"] == "summary").collect();
    let solvers: Vec<_> = sums.iter().map(|sum| sum["solver"].as_str()).collect();
    assert_eq!(solvers, [Some("optimal"), Some("bidirectional")]);
    assert_eq!(sums[0]["length"], sums[1]["length"]);
    assert!(sums[0]["root_h"].is_number() && sums[1]["root_h"].is_null(), "{}", ran.out);
    // Plans without a proof are those of single moves here, and never shorter.
    let near = ["compare", "24-puzzle", "--solvers", "near-optimal", "-f", "json"];
    let limits = ["-H", "manhattan", "--instances", "-", "--limit-nodes", "100000"];
    let board = "5 1 2 3 4 10 6 7 8 9 15 11 12 13 14 20 16 17 18 19 0 21 22 23 24\n";
    let ran = run_with_input(&crate::tables(), &[&near[..], &limits].concat(), board);
    let sums = json(&ran.out).pop().expect("a summary");
    assert_eq!((&sums["solver"], &sums["solved"]), (&"near-optimal".into(), &1.into()));
    // Planners are compared by name, where a puzzle has them.
    let planners = ["compare", "pancake-10", "--solvers", "words,gaps,near-optimal", "-f", "json"];
    let limits = ["--instances", "-", "--limit-nodes", "100000"];
    let ran = run_with_input(
        &crate::tables(),
        &[&planners[..], &limits].concat(),
        "5F 9F 3F 10F 7F 4F 9F\n",
    );
    let lines = json(&ran.out);
    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    let by: Vec<_> = of("compare").iter().map(|line| line["solver"].clone()).collect();
    assert_eq!(by, ["words", "gaps", "near-optimal"], "{}", ran.err);
    assert!(of("summary").iter().all(|sum| sum["solved"] == 1), "{}", ran.out);
    for (puzzle, refused, told) in [
        ("pancake-10", "beam", "has no planner \"beam\": expected words, "),
        ("8-puzzle", "words", "has no planner \"words\": expected beam"),
        ("3x3x3", "gaps", "has no planner to choose: expected no name of one"),
    ] {
        let wrong = ["compare", puzzle, "--solvers", refused, "--instances", "-"];
        let ran = run_with_input(&crate::tables(), &wrong, "solved\n");
        assert!(ran.code == 2 && ran.err.contains(told), "{}", ran.err);
    }
    // A stage ends with its plan, and is not called incomplete.
    let stages = ["compare", "2x2x2", "--solvers", "decomposition", "--instances", "-"];
    let ran = run_with_input(&crate::tables(), &stages, "R U F2\n");
    assert!(
        ran.out.contains("(ended by a plan)") && !ran.out.contains("not complete"),
        "{}",
        ran.out
    );
}

/// Standard input is read once, for all heuristics.
#[test]
fn piped_instances_are_compared_with_each_heuristic() {
    let compare = ["compare", "8-puzzle", "-H", "manhattan,linear-conflict", "-f", "json"];
    let how = ["--instances", "-", "--no-predict"];
    let boards = "1 0 2 3 4 5 6 7 8\n3 1 2 4 0 5 6 7 8\n";
    let ran = run_with_input(&crate::tables(), &[&compare[..], &how].concat(), boards);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines = json(&ran.out);
    let searched: Vec<_> = lines.iter().filter(|line| line["type"] == "compare").collect();
    assert_eq!(searched.len(), 4, "{}", ran.out);
    assert!(searched.iter().all(|line| line["predicted"].is_null()), "{}", ran.out);
}
