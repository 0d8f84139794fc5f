//! The command-line tool on definition files: farthest states, scramble files, tables, costs,
//! rotations.

use super::{definition, json, run, run_with_input};
use serde_json::json as value;

#[test]
fn the_farthest_states_are_listed_and_can_be_solved() {
    let file = definition("pyramorphix.tws");
    let text = run(&["gods-algorithm", &file]);
    let lines: Vec<&str> = text.out.lines().collect();
    assert_eq!((text.code, lines.len()), (0, 5 + 1 + 3), "{}", text.out);
    assert_eq!((lines[4], &lines[5][..9]), ("4 20", "96 states"));
    let farthest = lines[6].strip_prefix("farthest: ").expect("a state");
    let list = |count: &str| {
        let ran = run(&["gods-algorithm", &file, "--antipodes", count, "--format", "json"]);
        json(&ran.out).pop().expect("the sum")["antipodes"].as_array().expect("a list").clone()
    };
    assert_eq!((list("0").len(), list("30").len()), (0, 20));
    assert_eq!(list("1")[0], farthest);
    let solved = run(&["solve", &file, farthest, "--format", "json"]);
    assert_eq!(json(&solved.out)[0]["length"], 4);
    // The farthest state of the built-in cube is printed as facelets.
    let cube = run(&["gods-algorithm", "2x2x2", "--antipodes", "1"]);
    let facelets = cube.out.lines().last().and_then(|line| line.strip_prefix("farthest: "));
    let solved = run(&["solve", "2x2x2", facelets.expect("a state"), "--format", "json"]);
    assert_eq!(json(&solved.out)[0]["length"], 11);
}

/// A puzzle of five beads in a ring: one move turns the ring, one swaps two beads.
const RING: &str = "Set BEADS 5 2\nSolved\nBEADS\n1 2 3 4 5\nEnd\nMove T\nBEADS\n2 3 4 5 1\nEnd\nMove S\nBEADS\n2 1 3 4 5\n1 0 0 0 0\nEnd\n";

/// `check` prints what the reader of a definition ignores.
#[test]
fn notes_of_a_definition_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two.json");
    let text = r#"{"$schema":"x","name":"two","orbits":[
        {"orbitName":"A","numPieces":2,"numOrientations":1}],
        "defaultPattern":{"A":{"pieces":[0,1],"orientation":[0,0]}},
        "moves":{"S":{"A":{"permutation":[1,0],"orientationDelta":[0,0]}}}}"#;
    std::fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("a path");
    let ran = run(&["check", path, "S"]);
    let note = format!("{path}, line 1: the key `$schema` of a puzzle is ignored\n");
    assert_eq!((ran.code, ran.err), (0, note));
}

/// A definition that is refused gets an object with its place, as a state does.
#[test]
fn a_broken_definition_is_told_with_its_place() {
    let (_folder, path) = crate::written("ring.tws", RING.replace("2 3 4 5 1", "2 3 4 5 5"));
    let path = path.as_str();
    for verb in ["solve", "check"] {
        let ran = run(&[verb, path, "T", "--format", "json"]);
        let told = json(&ran.out).remove(0);
        assert_eq!((ran.code, &told["outcome"]), (2, &"refused".into()), "{}", ran.err);
        assert_eq!((&told["type"], &told["version"]), (&verb.into(), &1.into()));
        assert_eq!((&told["puzzle"], &told["place"]["line"]), (&path.into(), &8.into()), "{told}");
        let error = told["error"].as_str().expect("text");
        assert!(ran.err.contains(error), "{}", ran.err);
        let text = run(&[verb, path, "T"]);
        assert_eq!((text.code, text.out.as_str(), text.err), (2, "", ran.err));
    }
}

/// A state in JSON is read as a word, as a line, as a file of several lines, and as a goal.
#[test]
fn states_and_goals_in_json_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let ring = write("ring.tws", RING);
    let after_t = r#"{"BEADS":{"pieces":[1,2,3,4,0],"orientation":[0,0,0,0,0]}}"#;
    let lengths = |out: &str| {
        let lengths = json(out).into_iter().map(|line| line["length"].as_u64());
        lengths.collect::<Option<Vec<_>>>().unwrap_or_else(|| panic!("{out}"))
    };
    let solve = |rest: &[&str], input: &str| {
        let all = [&["solve", &ring, "--format", "json"], rest].concat();
        let ran = run_with_input(folder.path(), &all, input);
        assert_eq!(ran.code, 0, "{}", ran.err);
        lengths(&ran.out)
    };
    assert_eq!(solve(&[after_t], ""), [1]);
    assert_eq!(solve(&[], &format!("{after_t}\nT2\n\n{after_t}\nS T\n")), [1, 1, 1, 2]);
    let pretty = after_t.replace('[', "\n[").replace("{\"BEADS", "{\n\"BEADS");
    assert_eq!(solve(&[], &format!("\n{pretty}\n{pretty}")), [1, 1]);
    assert_eq!(solve(&["--file", &write("state.json", &pretty)], ""), [1]);
    // The state after T is the goal: moves still begin at the solved state of the file.
    let goal = write("goal.json", &pretty);
    assert_eq!(solve(&["--goal", &goal, "T"], ""), [0]);
    assert_eq!(solve(&["--goal", after_t, "solved"], ""), [1]);
    // If the goal does not distinguish the first two beads, S changes nothing.
    let alike = r#"{"BEADS":{"pieces":[0,0,2,3,4],"orientation":[0,0,0,0,0],
        "orientationMod":[1,1,0,0,0]}}"#;
    assert_eq!(solve(&["--goal", alike, "S"], ""), [0]);
    assert_eq!(solve(&["--goal", alike, after_t], ""), [1]);
    let refused = run(&["solve", &ring, r#"{"BEADS":{"pieces":[0]}}"#]);
    let expected = "pattern, line 1, column 10: found a state of an orbit without the key";
    assert!(refused.code == 2 && refused.err.contains(expected), "{}", refused.err);
    let none = run(&["solve", &ring, "T", "--goal", "no-such-file"]);
    assert!(none.code == 2 && none.err.contains("or a state in JSON"), "{}", none.err);
}

/// The file of a goal has what the option takes: a name, moves, a board.
#[test]
fn a_goal_may_be_a_file() {
    let (folder, path) = crate::new_file("goal");
    let length = |puzzle: &str, goal: &str, state: &str| {
        std::fs::write(&path, goal).expect("written");
        let solve = ["solve", puzzle, "--goal", &path, "--format", "json", state];
        let ran = run_with_input(folder.path(), &solve, "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        json(&ran.out)[0]["length"].as_u64()
    };
    assert_eq!(length("2x2x2", "face:U\n", "U R"), Some(1));
    assert_eq!(length("8-puzzle", "1 0 2 3 4 5 6 7 8\n", "0 1 2 3 4 5 6 7 8"), Some(1));
    std::fs::write(&path, "no goal").expect("written");
    let wrong = run(&["solve", "2x2x2", "--goal", &path, "R"]);
    assert!(wrong.code == 2 && wrong.err.contains("the goal \"no goal\""), "{}", wrong.err);
}

/// Solves every form of a scramble, from a file and from standard input.
#[test]
fn scramble_files_are_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    std::fs::write(path("ring.tws"), RING).expect("a file");
    let scrambles = "\n# What the file is.\nHTM\nScrambleAlg of moves\nT2 S\nT\nEnd\nScramble by slot\nBEADS\n2 3 4 5 1\n0 0 0 0 0\nEnd\n\
        CPOS 02468\nScrambleState\nBEADS\n1 2 3 4 0\nEnd\nRandomScramble any\n";
    std::fs::write(path("a.scr"), scrambles).expect("a file");
    let solve = |input: &str, more: &[&str]| {
        let ring = path("ring.tws");
        run_with_input(
            folder.path(),
            &[&["solve", &ring, "--format", "json"], more].concat(),
            input,
        )
    };
    let ran = solve("", &["--file", &path("a.scr")]);
    let answers = json(&ran.out);
    assert_eq!((ran.code, answers.len()), (0, 5), "{} {}", ran.out, ran.err);
    let column = |key: &str| answers.iter().map(|one| one[key].clone()).collect::<Vec<_>>();
    assert_eq!(column("name"), ["of moves", "by slot", "Unnamed", "Unnamed", "any"]);
    assert_eq!(column("length")[..4], [3, 1, 0, 1]);
    assert_eq!(column("plan")[1], serde_json::json!(["T'"]));
    assert_eq!(column("state")[1..4], ["CPOS 24680", "CPOS 02468", "CPOS 24680"]);
    // The random state of a line is the same in every run.
    let place = scrambles.lines().position(|line| line.starts_with("RandomScramble"));
    let line = (place.expect("the line") + 1).to_string();
    let drawn = run(&["scramble", &path("ring.tws"), "--seed", &line]);
    assert_eq!(answers[4]["state"], drawn.out.trim_end());
    let piped = solve(scrambles, &[]);
    let again = json(&piped.out);
    assert_eq!((again.len(), &again[4]["state"]), (5, &answers[4]["state"]));
    // A file with one state on each line is still read line by line, even if one line is bad.
    let lines = solve("CPOS 24680\nScramble\n# no\nT S\n", &["--file", "-"]);
    let outcomes: Vec<_> = json(&lines.out).iter().map(|one| one["outcome"].clone()).collect();
    assert_eq!(
        (lines.code, outcomes.as_slice()),
        (2, &["solved".into(), "refused".into(), "solved".into()][..])
    );
    // Commands rule from where they stand.
    let ruled = "Slack 1\nMaxDepth 9\nScrambleAlg\nT2 S T\nEnd\n\
                 Slack 0\nMaxDepth 2\nScrambleAlg\nT\nEnd\n";
    let ruled = json(&solve(ruled, &[]).out);
    assert_eq!([&ruled[0]["outcome"], &ruled[1]["outcome"]], ["solved"; 2]);
    assert_eq!([0, 1].map(|at| ruled[at].get("plans").is_some()), [true, false]);
    let bound = solve("MaxDepth 2\nScrambleAlg\nT2 S T\nEnd\nScrambleAlg\nT2 S\nEnd\n", &[]);
    let outcomes: Vec<_> = json(&bound.out).iter().map(|one| one["outcome"].clone()).collect();
    assert_eq!(
        (bound.code, outcomes.as_slice()),
        (1, &["limit-reached".into(), "solved".into()][..])
    );
}

#[test]
fn scramble_files_that_ask_for_something_else_are_refused() {
    let (folder, ring) = crate::written("ring.tws", format!("{RING}MoveLimits\nS 2\nEnd\n"));
    let ring = ring.as_str();
    for (input, code, said) in [
        ("Scramble a\nBEADS\n1 2 3 4 6\nEnd\n", 2, "scramble file, line 3, column 9: found"),
        ("ScrambleAlg\nT Q\nEnd\n", 2, "line 2, column 3: found `Q`"),
        ("ScrambleAlg\nT\n", 2, "expected moves, or End"),
        ("HTM\nScrambleAlg\nT\nEnd\nQTM\nRandomScramble\n", 2, "line 5: found QTM, expected HTM"),
        ("Slack 2\nScrambleAlg\nT\nEnd\n", 0, ""),
        ("Slack 0\nScrambleAlg\nT\nEnd\n", 0, ""),
        ("MoveLimits\nS 1\nEnd\nScrambleAlg\nT\nEnd\n", 2, "found other MoveLimits"),
        ("MoveLimits\nS 2\nEnd\nScrambleAlg\nT\nEnd\n", 0, ""),
    ] {
        let ran = run_with_input(folder.path(), &["solve", ring], input);
        assert_eq!((ran.code, ran.out.is_empty()), (code, code != 0), "{input}: {}", ran.err);
        assert!(ran.err.contains(said), "{input}: {}", ran.err);
    }
    let bytes = folder.path().join("bytes.scr");
    std::fs::write(&bytes, b"Scramble \xff\nBEADS\n1 2 3 4 5\nEnd\n").expect("a file");
    let ran = run(&["solve", ring, "--file", bytes.to_str().expect("a path")]);
    assert_eq!((ran.code, ran.err.contains("no text")), (2, true), "{}", ran.err);
    let cube = run_with_input(folder.path(), &["solve", "2x2x2"], "Scramble a\nR U\n");
    assert_eq!((cube.code, cube.out.lines().count()), (2, 2), "{}", cube.out);
}

/// A slot of a large set takes three digits in a compact state. What is printed can be read again.
#[test]
fn states_of_large_sets_are_printed_so_that_they_are_read_again() {
    let rest: String = (3..=62).map(|i| format!(" {i}")).collect();
    let text = format!(
        "Set A 62 63\nSolved\nA\n1 1{rest}\nEnd\nMove M\nA\n2 1{rest}\nEnd\nMove N\nA\n1 2{rest}\n5{}\nEnd\n",
        " 0".repeat(61)
    );
    let (_folder, path) = crate::written("wide.tws", text);
    let path = path.as_str();
    let states = run(&["scramble", path, "--count", "3", "--seed", "1"]);
    assert_eq!(states.code, 0, "{}", states.err);
    for state in states.out.lines() {
        assert_eq!((state.split(' ').count(), state.len()), (2, 5 + 186));
        let solved = run(&["solve", path, state, "--format", "json"]);
        assert_eq!((solved.code, json(&solved.out)[0]["state"].as_str()), (0, Some(state)));
    }
}

/// A move of order 840 has 839 powers as operators. They are too many for a search from both ends,
/// so the search uses one end.
#[test]
fn moves_of_great_order_are_searched_from_one_end() {
    let rows = [(0, 3), (3, 5), (8, 7), (15, 8)].map(|(first, length)| {
        let row = (0..length).map(|i| format!("{}", first + (i + 1) % length));
        row.collect::<Vec<_>>().join(" ")
    });
    let order = (0..23).map(|i| i.to_string()).collect::<Vec<_>>().join(" ");
    let text = format!(
        "Set A 23 1\nStartState\nA\n{order}\nEnd\nMoveTransformation M\nA\n{}\nEnd\n",
        rows.join(" ")
    );
    let (_folder, path) = crate::written("long.tws", text);
    let path = path.as_str();
    let solved = run(&["solve", path, "M5", "--format", "json"]);
    assert_eq!(json(&solved.out)[0]["plan"], serde_json::json!(["M5'"]), "{}", solved.err);
    let counted = run(&["gods-algorithm", path, "--antipodes", "0"]);
    assert!(counted.out.starts_with("0 1\n1 839\n840 states"), "{}", counted.out);
}

#[test]
fn tables_of_a_definition_are_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (ring, tables) = (path("ring.tws"), folder.path().join("tables"));
    std::fs::write(&ring, RING).expect("a file");
    let with =
        |words: &[&str]| run_with_input(&tables, &[words, &["--format", "json"]].concat(), "");
    let names = |words: &[&str]| {
        let ran = with(words);
        let names: Vec<_> = json(&ran.out).iter().map(|one| one["table"].clone()).collect();
        (ran.code, names)
    };
    let mut built = Vec::new();
    for metric in ["htm", "qtm"] {
        let more = ["--metric", metric];
        let (code, own) = names(&[&["tables", "build", &ring], &more[..]].concat());
        assert_eq!((code, own.len()), (0, 1));
        assert_eq!(names(&[&["histogram", &ring], &more[..]].concat()), (0, own.clone()));
        built.extend(own);
    }
    let other = definition("2x2x2.tws");
    assert_eq!(names(&["tables", "build", &other]).0, 0);
    for verb in ["list", "verify"] {
        assert_eq!(names(&["tables", verb, &ring]), (0, built.clone()));
    }
    let removed = json(&with(&["tables", "remove", &ring]).out);
    assert_eq!(removed.len(), 2);
    let none = with(&["tables", "verify", &ring]);
    assert_eq!((none.code, &*none.out), (0, ""));
    assert!(none.err.starts_with("No tables of "), "{}", none.err);
    assert_eq!(names(&["tables", "list", &other]).1.len(), 1);
    // The folder's path is a file. The table is built, but cannot be saved.
    let unsaved = run_with_input(folder.path(), &["tables", "build", &ring, "--tables", &ring], "");
    assert_eq!((unsaved.code, &*unsaved.out), (3, ""), "{}", unsaved.err);
}

#[test]
fn costs_are_told_where_moves_have_some() {
    let (folder, path) = crate::new_file("dear.tws");
    std::fs::write(&path, format!("{RING}MoveCost S 5\n")).expect("a file");
    let with = |words: &[&str]| run_with_input(folder.path(), words, "");
    let answer = &json(&with(&["solve", &path, "S T", "--format", "json"]).out)[0];
    let of = |key: &str| answer[key].clone();
    assert_eq!(["length", "cost", "lower_bound", "upper_bound"].map(of), [2, 6, 6, 6], "{answer}");
    let text = with(&["solve", &path, "S T"]).out;
    assert!(text.contains("(2 moves, cost 6, optimal; "), "{text}");
    let limited = with(&["solve", &path, "S T", "--max-bound", "3"]);
    assert!(limited.out.contains("at least cost 6 (proven)"), "{}", limited.out);
    let check = with(&["check", &path, "S T", "--plan", "T' S'"]).out;
    assert!(check.ends_with("the plan solves it in 2 moves, cost 6\n"), "{check}");
    let layers = with(&["gods-algorithm", &path]);
    let counted = with(&["count", &path, "--states", "--depth", "6"]);
    assert!(layers.code == 0 && layers.out.starts_with(&counted.out), "{}", layers.out);
    // In JSON, facts that are numbers are no strings.
    for words in [["check", &path, "T"], ["check", "8-puzzle", "1 0 2 3 4 5 6 7 8"]] {
        let ran = with(&[&words[..], &["--format", "json"]].concat());
        let facts = json(&ran.out)[0]["facts"].as_object().expect("facts").clone();
        assert!(facts.values().any(serde_json::Value::is_number), "{facts:?}");
    }
}

/// A state is solved if a rotation of it is the solved state. Plans contain no rotations and are
/// for the puzzle as it is held.
#[test]
fn states_are_solved_however_the_puzzle_is_held() {
    let (folder, path) = crate::new_file("held.tws");
    // A belt of six beads. Moves exchange the first, third and fifth. The rotation turns the belt
    // by one place.
    let belt = "Set BEADS 6 1\nSolved\nBEADS\n1 2 3 4 5 6\nEnd\nMove A\nBEADS\n3 2 1 4 5 6\nEnd\nMove B\nBEADS\n1 2 5 4 3 6\nEnd\n\
        Move x\nBEADS\n2 3 4 5 6 1\nEnd\n";
    std::fs::write(&path, belt).expect("a file");
    let solve = |state: &str| {
        let words = ["solve", &path, state, "--format", "json"];
        let ran = run_with_input(folder.path(), &words, "");
        let answer = json(&ran.out).pop().unwrap_or_default();
        (ran.code, answer["length"].clone(), answer["plan"].clone())
    };
    assert_eq!(solve("x"), (0, value!(0), value!([])));
    assert_eq!(solve("x A"), (0, value!(1), value!(["A"])));
    assert_eq!(solve("x' A B"), (0, value!(2), value!(["B", "A"])));
    assert_eq!(solve("B x2"), (0, value!(1), value!(["A"])));
    // After x the beads lie in places that no move reaches.
    assert_eq!(solve("A x").0, 2);
    let refused = run_with_input(folder.path(), &["solve", &path, "CPOS 102345"], "");
    assert!(refused.code == 2 && refused.err.contains("no sequence of moves"), "{}", refused.err);
}

/// Where states form no group, not every state without a plan is recognized.
#[test]
fn what_is_not_known_is_not_claimed() {
    let check = |puzzle: &str, state: &str| {
        let ran = run(&["check", puzzle, state, "-f", "json"]);
        assert_eq!(ran.code, 0, "{puzzle}: {}", ran.err);
        json(&ran.out).remove(0)
    };
    for (puzzle, moves) in [("4x4x4", "R Uw F2"), ("square-1", "U S")] {
        let turned = check(puzzle, moves);
        let compact = turned["facts"]["state"].as_str().expect("text");
        assert!(check(puzzle, compact)["solvable"].is_null(), "{puzzle}");
        let known = turned["solvable"] == true;
        assert_eq!(known, puzzle == "4x4x4", "{turned}");
    }
    assert_eq!(check("skewb", "URF")["solvable"], true);
    let text = run(&["check", "square-1", "U S"]).out;
    assert!(text.starts_with("not known to be solvable: the states form no group\n"), "{text}");
    // A plan that solves the state shows that it can be solved.
    let solved = run(&["check", "square-1", "U S", "--plan", "S U'"]).out;
    assert!(solved.starts_with("solvable\n"), "{solved}");
    let other = run(&["check", "square-1", "U S", "--plan", "S"]).out;
    assert!(other.starts_with("not known to be solvable"), "{other}");
}

/// A stages file solves stage by stage. A file that is not there or no chain is a usage error.
#[test]
fn stages_of_a_file_are_told() {
    let (_folder, path) =
        crate::written("stages.txt", "all: U L R B\nleft: U L # two corners\nU\n");
    let path = path.as_str();
    let solve = |file: &str, form| {
        run(&["solve", "pyraminx", "--stages", file, "--format", form, "R U L B' R"])
    };
    let text = solve(path, "text");
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(text.out.contains("moves: all ") && text.out.contains(", left "), "{}", text.out);
    let answer = json(&solve(path, "json").out).remove(0);
    assert_eq!(answer["solver"], "stages");
    assert_eq!(answer["stages"][2]["name"], "stage 3");
    let missing = solve("no/such/file", "text");
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("stages file no/such/file: "), "{}", missing.err);
    let board = run(&["solve", "8-puzzle", "--stages", path, "1 0 2 3 4 5 6 7 8"]);
    assert_eq!(board.code, 2, "{}", board.err);
}
