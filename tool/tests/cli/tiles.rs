//! The command-line tool on sliding tiles.

use super::{json, run, run_line, run_with_input};

#[test]
fn a_board_is_solved_and_the_plan_checks() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = "8 0 6 5 4 7 2 3 1";
    let solve = |more: &[&str]| {
        let arguments = [&["solve", "8-puzzle", board, "--format", "json"], more].concat();
        let ran = run_with_input(folder.path(), &arguments, "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        json(&ran.out).remove(0)
    };
    let best = solve(&[]);
    assert_eq!((&best["outcome"], &best["length"]), (&"solved".into(), &31.into()));
    assert_eq!((&best["puzzle"], &best["metric"]), (&"8-puzzle".into(), &serde_json::Value::Null));
    for heuristic in [
        "manhattan",
        "linear-conflict",
        "korf-taylor",
        "pairs",
        "triples",
        "pdb:4-4",
        "pdb:4-4/plain",
        "tables:1.2.3-4.5.6.7.8",
    ] {
        let answer = solve(&["--heuristic", heuristic]);
        assert_eq!((&answer["length"], &answer["heuristic"]), (&31.into(), &heuristic.into()));
    }
    let plan: Vec<_> = best["plan"]
        .as_array()
        .expect("a plan")
        .iter()
        .map(|op| op.as_str().expect("text"))
        .collect();
    assert!(plan.iter().all(|op| ["up", "left", "right", "down"].contains(op)));
    let checked = run(&["check", "8-puzzle", board, "--plan", &plan.join(" ")]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    let short: String = plan[..30].iter().map(|op| &op[..1]).collect::<Vec<_>>().join(" ");
    assert_eq!(run(&["check", "8-puzzle", board, "--plan", &short]).code, 1);
    assert_eq!(run(&["check", "8-puzzle", board, "--plan", "up sideways"]).code, 2);
}

/// `--from A --to B` is the search from A with the goal B.
#[test]
fn a_search_goes_from_one_state_to_another() {
    let (from, to) = ("1 0 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8 0");
    let goal = run(&["solve", "8-puzzle", "--goal", to, from]);
    assert_eq!(goal.code, 0, "{}", goal.err);
    let ran = run(&["solve", "8-puzzle", "--from", from, "--to", to]);
    let plan = |line: &str| line.split("  (").next().map(str::to_owned);
    assert_eq!((ran.code, plan(&ran.out)), (0, plan(&goal.out)), "{}", ran.err);
    assert!(ran.out.contains("21 moves"), "{}", ran.out);
    let back = run(&["solve", "8-puzzle", "--from", to, "--to", from]);
    assert!(back.out.contains("21 moves"), "{}", back.out);
    // A state is given once, and `--to` is a goal of every search that takes one.
    assert_eq!(run(&["solve", "8-puzzle", from, "--from", from]).code, 2);
    assert_eq!(run(&["solve", "8-puzzle", "--from", "1 0", "--to", to]).code, 2);
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("kept").display().to_string();
    let kept = run(&["solve", "8-puzzle", "--from", from, "--to", to, "--journal", &journal]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert!(run(&["status", &journal]).out.starts_with(&format!("8-puzzle {from}")), "{journal}");
}

#[test]
fn boards_of_every_size_are_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    for rows in 2..=7 {
        for cols in (2..=7).filter(|cols| rows * cols <= 40) {
            let name = format!("{rows}x{cols}-tiles");
            let last = rows * cols - 1;
            // Two moves from the goal: right, then down.
            let numbers: Vec<_> = (0..=last)
                .map(|square| match square {
                    0 => 1,
                    1 => cols + 1,
                    square if square == cols + 1 => 0,
                    square => square,
                })
                .collect();
            let board = numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            for heuristic in ["manhattan", "linear-conflict", "korf-taylor", "best"] {
                // There is memory for a few small tables only, or for none on large boards.
                let arguments = [
                    "solve",
                    &name,
                    &board,
                    "--heuristic",
                    heuristic,
                    "--pruning",
                    "inverse",
                    "--memory",
                    "20KiB",
                    "--format",
                    "json",
                ];
                let ran = run_with_input(folder.path(), &arguments, "");
                assert_eq!(ran.code, 0, "{name} {heuristic}: {}", ran.err);
                assert_eq!(json(&ran.out)[0]["plan"], serde_json::json!(["up", "left"]), "{name}");
            }
        }
    }
    assert!(run(&["solve", "8x2-tiles", "0"]).err.contains("2 to 7 rows"));
}

#[test]
fn other_goals_are_taken() {
    let ran = run_line(
        "solve 15-puzzle --goal 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0 --heuristic \
         linear-conflict --format json 1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15",
    );
    assert_eq!(json(&ran.out)[0]["plan"], serde_json::json!(["right", "right"]));
    assert_eq!(run(&["solve", "8-puzzle", "--goal", "1 2 3", "0"]).code, 2);
    let refused = run_line(
        "solve 8-puzzle --goal 1,2,3,4,0,5,6,7,8 --heuristic korf-taylor 1 2 3 4 0 5 6 7 8",
    );
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("corner"), "{}", refused.err);
}

/// The goal `last` has the blank last, as most people write the solved board.
#[test]
fn the_blank_may_be_last() {
    for (puzzle, squares, columns) in [
        ("2x2-tiles", 4, 2),
        ("8-puzzle", 9, 3),
        ("15-puzzle", 16, 4),
        ("19-puzzle", 20, 5),
        ("24-puzzle", 25, 5),
        ("2x5-tiles", 10, 5),
        ("6x6-tiles", 36, 6),
        ("4x7-tiles", 28, 7),
    ] {
        // The blank went left, then up: the tile left of it and the one above that moved.
        let mut board: Vec<usize> = (1..squares).chain([0]).collect();
        board.swap(squares - 1, squares - 2);
        board.swap(squares - 2, squares - 2 - columns);
        let board = board.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let solve = ["solve", puzzle, &board, "--heuristic", "manhattan", "--format", "json"];
        let ran = run(&[&solve[..], &["--goal", "last"]].concat());
        let plan = &json(&ran.out)[0]["plan"];
        assert_eq!(plan, &serde_json::json!(["down", "right"]), "{puzzle}: {}", ran.err);
        let check = ["check", puzzle, &board, "--goal", "last", "--plan", "down right"];
        assert_eq!(run(&check).code, 0, "{puzzle}");
        let first = run(&["check", puzzle, &board]);
        let told = first.err.contains("it can be solved: --goal last");
        assert_eq!(told, first.code == 2, "{puzzle}: {}", first.err);
    }
    let usual = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
    let refused = run(&["solve", "15-puzzle", usual]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("it can be solved: --goal last"), "{}", refused.err);
    let never = run(&["solve", "8-puzzle", "0 2 1 3 4 5 6 7 8"]);
    assert!(never.code == 2 && !never.err.contains("--goal"), "{}", never.err);
}

#[test]
fn bad_boards_and_heuristics_are_refused() {
    for (arguments, message) in [
        (&["15-puzzle", "1 2 3"][..], "3 numbers, expected 16"),
        (&["8-puzzle", "0 1 2 3 4 5 6 8 7"], "cannot be solved"),
        (&["8-puzzle", "0 1 2 3 4 5 6 8 x"], "square 9"),
        (&["8-puzzle", "0 1 2 3 4 5 6 8 8"], "7 is missing"),
        (&["8-puzzle", "0", "--heuristic", "pdb:5-3"], "expected pdb:"),
        (&["24-puzzle", "0", "--heuristic", "pdb:6-6-6-6", "--memory", "1MB"], "--memory allows"),
        (&["8-puzzle", "0", "--heuristic", "tables:1.2.3-4.5.6.7"], "square 8 is in 0 patterns"),
        (&["8-puzzle", "0", "--heuristic", "tables:1.2-x"], "\"x\" is no square"),
        (
            &["15-puzzle", "0", "--heuristic", "tables:1-2-3-4-5-6-7-8-9.10.11.12.13.14.15"],
            "a partition of 9 patterns: expected at most 8",
        ),
        (&["8-puzzle", "0", "--heuristic", "korf97"], "expected best, manhattan"),
        (&["8-puzzle", "0", "--metric", "htm"], "takes no metric"),
    ] {
        let ran = run(&[&["solve"], arguments].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(message), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn facts_of_boards_are_told() {
    let states = run(&["count", "15-puzzle", "--states", "--depth", "10", "--format", "json"]);
    let counts: Vec<_> =
        json(&states.out).iter().map(|line| line["count"].as_u64().expect("a count")).collect();
    assert_eq!(counts, [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948]);
    assert_eq!(run(&["count", "6x6-tiles", "--states", "--depth", "2"]).code, 2);
    let learned = run(&["learn", "4x4-tiles", "--depth", "12", "--format", "json"]);
    let learned = &json(&learned.out)[0];
    assert_eq!((&learned["strings"], &learned["states"]), (&2027.into(), &7435.into()));
    let folder = tempfile::tempdir().expect("a folder");
    let tables = |arguments: &[&str]| run_with_input(folder.path(), arguments, "");
    let histogram =
        tables(&["histogram", "15-puzzle", "--heuristic", "pdb:5-5-5", "--format", "json"]);
    let lines = json(&histogram.out);
    assert_eq!(lines.len(), 3);
    let entries = 524_160;
    for line in &lines {
        let counts =
            line["counts"].as_array().expect("counts").iter().map(|n| n.as_u64().expect("a count"));
        assert_eq!((&line["entries"], counts.sum::<u64>()), (&entries.into(), entries));
    }
    // `4x4-tiles` is another name of the 15-puzzle, so it owns the same files.
    assert_eq!(tables(&["tables", "list", "4x4-tiles"]).out.lines().count(), 3);
    assert_eq!(tables(&["tables", "verify", "15-puzzle"]).code, 0);
    let predicted = run_line(
        "predict 15-puzzle --heuristic manhattan --pruning inverse --bound 45 --format json",
    );
    assert_eq!(json(&predicted.out).len(), 45);
    let same = |seed| run(&["scramble", "24-puzzle", "--count", "2", "--seed", seed]).out;
    assert_eq!(same("3"), same("3"));
    assert_ne!(same("3"), same("4"));
}

#[test]
fn tables_are_chosen_and_used() {
    let chosen =
        run_line("tables choose 3x4-tiles --sizes 4-4-3 --count 2 --limit-time 2s --format json");
    let lines = json(&chosen.out);
    let nodes: Vec<_> = lines.iter().map(|line| line["nodes"].as_f64().expect("a share")).collect();
    assert!(nodes.len() == 2 && nodes[1] <= nodes[0], "{nodes:?}");
    let heuristic = lines[1]["heuristic"].as_str().expect("a name");
    let length = |heuristic: &str| {
        let board = "10 11 9 8 7 6 5 4 3 2 1 0";
        let ran = run(&["solve", "3x4-tiles", board, "--heuristic", heuristic, "--format", "json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        json(&ran.out)[0]["length"].clone()
    };
    assert_eq!(length(heuristic), length("best"));
    let much = ["tables", "choose", "15-puzzle", "--sizes", "7-8", "--memory", "1MiB"];
    assert!(run(&much).err.contains("--memory allows"));
    let refused = run(&["tables", "choose", "15-puzzle", "--sizes", "7-7"]);
    assert!(refused.code == 2 && refused.err.contains("sum to the 15 tiles"), "{}", refused.err);
    assert_eq!(run(&["tables", "choose", "3x3x3", "--sizes", "7-7"]).code, 2);
}

/// The automata of the common boards come with the program. Others are learned within `--memory`,
/// or not at all.
#[test]
fn learning_keeps_to_the_memory() {
    let learn = |depth| run(&["learn", "24-puzzle", "--depth", depth, "--memory", "8MiB"]);
    let kept = learn("14");
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert!(kept.out.starts_with("depth 14: 18,425 forbidden strings"), "{}", kept.out);
    let refused = learn("15");
    assert_eq!(refused.code, 2, "{}{}", refused.out, refused.err);
    assert!(refused.err.contains("bytes"), "{}", refused.err);
    let help = run(&["learn", "--help"]).out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("default: a quarter of the machine's memory, at least 1GiB"), "{help}");
}

/// A board near the goal waits for no table. With a limit of nodes, the tables come first.
#[test]
fn near_boards_need_no_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = "1 2 3 4 9 5 0 6 7 8 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24";
    let solve = ["solve", "24-puzzle", "-f", "json", board];
    let ran = run_with_input(folder.path(), &solve, "");
    let answer = &json(&ran.out)[0];
    assert_eq!((&answer["length"], &answer["optimal"]), (&8.into(), &true.into()), "{answer}");
    assert_eq!(
        (&answer["heuristic"], &answer["table_bytes"]),
        (&"linear-conflict".into(), &0.into())
    );
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
    // If the first few nodes are too few, the search continues with tables at the proven bound.
    let board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let solve = ["solve", "15-puzzle", "-m", "16MiB", "-f", "json", board];
    let far = &json(&run_with_input(folder.path(), &solve, "").out)[0];
    assert_eq!((&far["length"], &far["heuristic"]), (&57.into(), &"best".into()), "{far}");
    let iterations = far["iterations"].as_array().expect("a list");
    let bounds: Vec<u64> = iterations.iter().filter_map(|one| one["bound"].as_u64()).collect();
    assert!(bounds.is_sorted() && bounds.contains(&57), "{bounds:?}");
}

#[test]
fn a_slide_of_several_tiles_is_one_move_on_demand() {
    let folder = tempfile::tempdir().expect("a folder");
    let slides =
        |words: &[&str]| run_with_input(folder.path(), &[words, &["--metric", "mtm"]].concat(), "");
    let solved = slides(&["solve", "8-puzzle", "1 2 0 3 4 5 6 7 8", "--format", "json"]);
    let answer = &json(&solved.out)[0];
    assert_eq!((solved.code, &answer["length"], &answer["metric"]), (0, &1.into(), &"mtm".into()));
    assert_eq!(answer["plan"], serde_json::json!(["left2"]));
    for (plan, code) in [("left2", 0), ("l2", 0), ("l l", 0), ("left", 1), ("left3", 2)] {
        let checked = slides(&["check", "8-puzzle", "1 2 0 3 4 5 6 7 8", "--plan", plan]);
        assert_eq!(checked.code, code, "{plan}: {}", checked.err);
    }
    let counted = slides(&["gods-algorithm", "8-puzzle", "--antipodes", "0"]).out;
    assert!(counted.contains("181,440 states, none farther than 24"), "{counted}");
    // The tables of both metrics have names of their own.
    let single = run_with_input(folder.path(), &["tables", "build", "8-puzzle"], "");
    assert_eq!(single.code, 0, "{}", single.err);
    let listed = run_with_input(folder.path(), &["tables", "list", "8-puzzle"], "").out;
    for name in ["8-puzzle-mtm-b0-1.2.3.4.5.6.7.8", "8-puzzle-b0-1.2.3.4.5.6.7.8"] {
        assert!(listed.contains(name), "{listed}");
    }
    let verified = run_with_input(folder.path(), &["tables", "verify"], "");
    assert_eq!(verified.code, 0, "{}", verified.err);
    let scrambled = slides(&["scramble", "8-puzzle", "--form", "moves", "--seed", "3"]);
    assert_eq!(slides(&["solve", "8-puzzle", scrambled.out.trim()]).code, 0);
}
