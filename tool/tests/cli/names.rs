//! Puzzles by name: shipped definitions, aliases, suggestions for misspelt names, and the list of
//! all.

use super::{json, run};
use fewest::{Settings, configure, named_puzzles, permutation::shipped};

/// The name of a shipped definition gives the same answers as the path of its file.
#[test]
fn a_shipped_definition_is_a_puzzle_by_its_name() {
    let path = &crate::definition("pyraminx.tws");
    let of = |puzzle: &str| run(&["solve", puzzle, "U", "R'", "L", "B"]).out;
    assert!(of("pyraminx").contains("(4 moves, optimal"), "{}", of("pyraminx"));
    let plan = |out: String| out.split("  (").next().map(str::to_owned);
    assert_eq!(plan(of("pyraminx")), plan(of(path)));
    let ran = run(&["solve", "Pyraminx", "U", "--format", "json"]);
    assert_eq!(json(&ran.out)[0]["puzzle"], "pyraminx");
}

#[test]
fn every_name_and_alias_is_configured() {
    let named = named_puzzles();
    for name in shipped::names() {
        assert!(named.iter().any(|puzzle| puzzle.name == name), "{name}");
    }
    for puzzle in &named {
        assert!(!puzzle.title.is_empty(), "{}", puzzle.name);
        let chosen = puzzle.name.contains(char::is_uppercase);
        for name in puzzle.aliases.iter().chain([&puzzle.name]).filter(|_| !chosen) {
            let configured = configure(name, &Settings::default());
            let configured = configured.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(configured.info().name, puzzle.name, "{name}");
        }
    }
    for (alias, name) in [("222", "2x2x2"), ("333", "3x3x3"), ("3x3", "3x3x3"), ("sq1", "square-1")]
    {
        let puzzle = named.iter().find(|puzzle| puzzle.name == name).expect("a puzzle");
        assert!(puzzle.aliases.contains(&alias), "{alias}");
    }
}

#[test]
fn a_misspelt_name_is_told_its_neighbours() {
    for (wrong, meant) in [
        ("piraminx", "did you mean pyraminx?"),
        ("skweb", "did you mean skewb?"),
        ("3x3x", "did you mean 3x3x3"),
        ("megamix", "did you mean megaminx?"),
        ("hungarian", "did you mean hungarian-rings or hungarian-rings-10?"),
    ] {
        let ran = run(&["solve", wrong, "U"]);
        assert_eq!(ran.code, 2, "{wrong}: {}", ran.err);
        assert!(ran.err.contains(meant), "{wrong}: {}", ran.err);
    }
    for (wrong, meant) in [
        ("xcros:FR", "the goal \"xcros:FR\": did you mean xcross or cross or xxcross? "),
        ("eocros", "did you mean eocross? "),
    ] {
        let ran = run(&["solve", "3x3x3", "--goal", wrong, "U"]);
        assert_eq!(ran.code, 2, "{wrong}: {}", ran.err);
        assert!(ran.err.contains(meant), "{wrong}: {}", ran.err);
    }
    let ran = run(&["solve", "no-such-puzzle", "U"]);
    assert!(ran.err.contains("unknown puzzle \"no-such-puzzle\": expected 3x3x3"), "{}", ran.err);
}

#[test]
fn puzzles_lists_names_aliases_and_paths() {
    let ran = run(&["puzzles"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for line in [
        "3x3x3 (333, 3x3): 3x3x3 cube (Rubik's cube)",
        "pyraminx: Pyraminx without its tips",
        "megaminx (minx): Megaminx, its twelve centres held still",
        "PATH.json: a definition of your own",
    ] {
        assert!(ran.out.lines().any(|found| found == line), "{line}: {}", ran.out);
    }
    let lines = json(&run(&["puzzles", "--format", "json"]).out);
    assert_eq!(lines.len(), ran.out.lines().count());
    let cube = lines.iter().find(|line| line["puzzle"] == "2x2x2").expect("the 2x2x2");
    assert_eq!(cube["aliases"], serde_json::json!(["222", "2x2"]));
}

#[test]
fn goals_lists_names_that_solve_takes() {
    for (puzzle, known) in [
        ("3x3x3", "cross:D: the edges of a face at home"),
        ("3x3x3", "xcross:D: a cross, and a corner of its face with the edge beside it: the best"),
        ("2x2x2", "face:D: a face of one colour\n  .... ..** ..** DDDD ..** ..**"),
        ("8-puzzle", "last: all tiles in order, the blank last\n  1 2 3 4 5 6 7 8 0"),
        ("skewb", "solved: "),
    ] {
        let ran = run(&["goals", puzzle]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains(known), "{}", ran.out);
        for line in json(&run(&["goals", puzzle, "--format", "json"]).out) {
            let goal = line["goal"].as_str().expect("a name");
            let settings = Settings::default().goal(goal);
            assert!(configure(puzzle, &settings).is_ok(), "{puzzle} {goal}");
        }
    }
    let lines = json(&run(&["goals", "3x3x3", "--format", "json"]).out);
    let xcross = lines.iter().find(|line| line["goal"] == "xcross").expect("a goal");
    assert_eq!((&xcross["ways"], &xcross["usual"]), (&4.into(), &"D".into()));
    let ran = run(&["goals", "no-such-puzzle"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}

#[test]
fn steps_are_told_one_by_one() {
    let steps = ["solve", "3x3x3", "--steps", "eo,solved", "--keep", "3", "-t", "1", "-m", "1GiB"];
    let ran = run(&[&steps[..], &["R U F'"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("  (eo: ") && ran.out.contains("  (solved: "), "{}", ran.out);
    let lines =
        json(&run(&[&steps[..], &["--inverse", "--format", "json", "R U F'"]].concat()).out);
    let chain = lines[0]["steps"].as_array().expect("steps");
    assert!(chain.iter().all(|step| step["inverse"] == true), "{}", lines[0]);
    assert_eq!(lines[0]["goals"], serde_json::json!(["eo", "solved"]));
    let plan: Vec<&str> = lines[0]["plan"]
        .as_array()
        .expect("a plan")
        .iter()
        .filter_map(|one| one.as_str())
        .collect();
    let checked = run(&["check", "3x3x3", "R U F'", "--plan", &plan.join(" ")]);
    assert_eq!(checked.code, 0, "{} {}", checked.out, checked.err);
    for (more, told) in [
        (&["--slack", "1,2,3"][..], "--slack: found 3 numbers, expected one for each of 2 steps"),
        (&["--journal", "j"], "cannot be used with"),
        (&["--goal", "eo"], "cannot be used with"),
    ] {
        let ran = run(&[&steps[..], more, &["R"]].concat());
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
    let ran = run(&["solve", "3x3x3", "--slack", "1,2", "R"]);
    assert!(ran.code == 2 && ran.err.contains("--slack: found 2 numbers"), "{}", ran.err);
    let ran = run(&[&steps[..], &["--limit-nodes", "9", "R U F' D2 L B2 R"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.out);
}

#[test]
fn first_and_last_moves_are_asked_for() {
    let ends = ["solve", "3x3x3", "-t", "1", "-m", "64MiB", "--begins", "F2,F R", "--ends", "U"];
    let ran = run(&[&ends[..], &["U F"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    // F2 F U2 U would do it in four, but its turns join.
    assert!(
        ran.out.starts_with("F2 ") && ran.out.contains(" U  (10 moves, optimal; "),
        "{}",
        ran.out
    );
    for (more, told) in [
        (&["--steps", "eo,solved"][..], "cannot be used with"),
        (&["--proof-log", "log"], "cannot be used with"),
        (&["--certificate", "file"], "cannot be used with"),
        (&["--journal", "no/folder/journal"], "neither kept nor shared"),
    ] {
        let ran = run(&[&ends[..], more, &["R"]].concat());
        assert_ne!(ran.code, 0, "{}", ran.out);
        assert!(ran.err.contains(told) || more[0] == "--journal", "{}", ran.err);
    }
}

#[test]
fn cycles_are_put_into_plans() {
    let insert = ["solve", "3x3x3", "-t", "1", "-m", "64MiB", "--insert", "B D' F2 L'"];
    let state = "R U' L' U R' U' L U L F2 D B'";
    let ran = run(&[&insert[..], &[state]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains('['), "{}", ran.out);
    assert!(lines[1].contains("  (9 moves, no cheapest plan"), "{}", ran.out);
    let answer = &json(&run(&[&insert[..], &["--format", "json", state]].concat()).out)[0];
    let insertion = &answer["insertions"][0];
    assert_eq!((&answer["length"], &answer["complete"]), (&9.into(), &true.into()));
    assert_eq!(insertion["into"], serde_json::json!(["B", "D'", "F2", "L'"]));
    let ran = run(&[&insert[..], &["R U F"]].concat());
    assert!(ran.code == 2 && ran.err.contains("no two such cycles"), "{}", ran.err);
}
