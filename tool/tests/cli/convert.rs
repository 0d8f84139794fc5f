//! `convert` and `show`: definitions and states in other formats, and what a definition means.

use super::{json, run, run_with_input};
use fewest::permutation::{Definition, MoveMetric, ReadLimits, shipped};
use std::path::Path;

/// Checks that a definition stays the same if it is written as a KPuzzle and read again.
fn converts(name: &str, definition: &Definition) {
    let limits = ReadLimits::default();
    let there = Definition::from_kpuzzle(&definition.to_kpuzzle(), &limits);
    let there = there.unwrap_or_else(|error| panic!("{name}: {error}"));
    let back = Definition::from_tws(&there.to_tws(), &limits);
    let back = back.unwrap_or_else(|error| panic!("{name}: {error}"));
    for other in [there, back] {
        assert_eq!(other, *definition, "{name}");
        assert_eq!(other.goals(), definition.goals(), "{name}");
        let operators = |one: &Definition| one.operators(MoveMetric::Turn).expect("operators");
        assert!(operators(&other) == operators(definition), "{name}");
    }
}

#[test]
fn definitions_are_converted_both_ways() {
    for name in shipped::names() {
        let text = shipped::text(name).expect("a text");
        converts(name, &Definition::from_tws(text, &ReadLimits::default()).expect(name));
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../domains/permutation/tests/corpus");
    for folder in std::fs::read_dir(corpus).expect("the corpus") {
        for file in std::fs::read_dir(folder.expect("a folder").path()).expect("a folder") {
            let path = file.expect("a file").path();
            let name = path.display().to_string();
            let text = std::fs::read_to_string(&path).expect("a file");
            let limits = ReadLimits::default();
            let definition = match path.extension().is_some_and(|extension| extension == "json") {
                true => Definition::from_kpuzzle(&text, &limits),
                false => Definition::from_tws(&text, &limits),
            };
            converts(&name, &definition.unwrap_or_else(|error| panic!("{name}: {error}")));
        }
    }
}

#[test]
fn the_tool_converts_definitions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("square-1.json");
    let path = path.to_str().expect("a path");
    let ran = run(&["convert", "sq1", "--output", path]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_eq!(ran.err, "keys that other programs may not read: illegal\n");
    let back = run(&["convert", path, "--to", "tws"]);
    assert_eq!((back.code, back.err.as_str()), (0, ""));
    let text = std::fs::read_to_string(path).expect("a file");
    let piped = run_with_input(&crate::tables(), &["convert", "-"], &text);
    assert_eq!(piped.out, back.out);
    let again = run_with_input(&crate::tables(), &["convert", "-"], &back.out);
    assert_eq!(again.out, text);
    // The tool names costs, goals and limits if another program cannot read them.
    let limited = format!(
        "{}MoveCost U 2\nMoveLimits\nU2 1\nEnd\n",
        run(&["convert", "skewb", "--to", "tws"]).out
    )
    .replace("MoveCost U ", "MoveCost URF ")
    .replace("\nU2 1", "\nURF' 1");
    let told = run_with_input(&crate::tables(), &["convert", "-", "--to", "tws"], &limited);
    assert_eq!(told.err, "words that other programs may not read: MoveCost, MoveLimits\n");
    let told = run_with_input(&crate::tables(), &["convert", "-", "--to", "kpuzzle"], &limited);
    assert_eq!(told.err, "keys that other programs may not read: moveCosts, moveLimits\n");
    for wrong in
        [&["convert", "15-puzzle"][..], &["convert", "skewb", "--to", "line"], &["convert", "R U"]]
    {
        assert_eq!(run(wrong).code, 2, "{wrong:?}");
    }
}

/// States in each form become the same state in each other form.
#[test]
fn the_tool_converts_states() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let to = |input: &str, to: &str| {
        let ran = run(&["convert", "--puzzle", "skewb", input, "--to", to]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let lines = write("lines.txt", "# two\n1) URF UFL'\nDFR\n");
    let [tws, kpuzzle, line] = ["tws", "kpuzzle", "line"].map(|form| to(&lines, form));
    assert!(
        tws.starts_with("Scramble 1\n") && line.starts_with("CPOS ") && kpuzzle.starts_with('{')
    );
    assert_eq!((line.lines().count(), kpuzzle.lines().count()), (2, 2));
    for (name, text) in [("a.scr", &tws), ("b.json", &kpuzzle), ("c.txt", &line)] {
        let path = write(name, text);
        assert_eq!(
            [to(&path, "tws"), to(&path, "kpuzzle"), to(&path, "line")],
            [&*tws, &*kpuzzle, &*line]
        );
    }
    assert_eq!(
        to("DFR", "line"),
        line.lines().last().map(|last| format!("{last}\n")).expect("two")
    );
    assert_eq!(run(&["solve", "skewb", kpuzzle.lines().next().expect("a state")]).code, 0);
    // The tool names what is not part of a state, and refuses a random state.
    let wishes = write("wishes.scr", "MaxDepth 5\nScrambleAlg one\nDFR\nEnd\n");
    let ran = run(&["convert", "--puzzle", "skewb", &wishes]);
    assert_eq!(ran.err, "left out, as states do not say it: MaxDepth\n");
    let random = write("random.scr", "RandomScramble\n");
    assert_eq!(run(&["convert", "--puzzle", "skewb", &random]).code, 2);
}

#[test]
fn a_definition_is_shown() {
    let text = run(&["show", "3x3x3"]);
    assert_eq!(text.code, 0);
    for line in [
        "  CORNERS: 8 pieces, 3 orientations",
        "group: 43,252,003,274,489,856,000 elements",
        "arrangements of the pieces: 519,024,039,293,878,272,000",
        "symmetries of the moves: 48",
        "operators: 18 (htm), 12 (qtm)",
        "goal: the solved state",
    ] {
        assert!(text.out.lines().any(|other| other == line), "{line}: {}", text.out);
    }
    let show = |name: &str| json(&run(&["show", name, "--format", "json"]).out).remove(0);
    let pocket = show("2x2x2");
    assert_eq!((&pocket["type"], &pocket["group"]["order"]), (&"show".into(), &3_674_160.into()));
    let rings = show("hungarian-rings");
    assert_eq!(rings["group"]["states"], serde_json::Value::Null);
    assert!(rings["orbits"][0]["kinds"].as_array().is_some_and(|kinds| kinds.len() == 4));
    let slices = show("3x3x3-slices");
    let kinds = slices["moves"].as_array().expect("moves").iter().map(|one| &one["kind"]);
    assert!(
        kinds.clone().any(|kind| kind == "rotation") && kinds.clone().any(|kind| kind == "turn")
    );
    let tiles = show("15-puzzle");
    assert_eq!(tiles["states"].to_string(), "10461394944000");
    assert!(run(&["show", "15-puzzle"]).out.contains("states: 10,461,394,944,000"));
    assert_eq!(run(&["show", "no-such-puzzle"]).code, 2);
    let rows = run(&["show", "skewb", "--format", "csv"]).out;
    assert!(rows.starts_with("name,kind,order,cost,changed\nURF,turn,3,1,"), "{rows}");
}

/// A move and its inverse have the same permutation of slots, read in the other direction.
#[test]
fn the_direction_of_a_move_is_shown() {
    let ring = "Set A 4 2\nSolved\nEnd\nMove T\nA\n2 3 4 1\n1 0 0 0\nEnd\nMoveAlias S T\n\
                NamedSequence W T T\nIllegal A 1 2\nMoveCost T 3\n";
    let ran = run_with_input(&crate::tables(), &["convert", "-"], ring);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ring.json");
    std::fs::write(&path, ran.out).expect("a file");
    let shown = run(&["show", path.to_str().expect("a path")]).out;
    // Slot 1 (from 1) gets the piece of slot 2. The piece that was in slot 1 turns.
    for line in [
        "  T: order 8, changes 4 slots; costs 3",
        "    A (0+1 3 2 1)",
        "  S is another name of T",
        "  W is a name for T T",
        "illegal: slot 0 of A holds none of [1]",
    ] {
        assert!(shown.lines().any(|other| other == line), "{line}: {shown}");
    }
}

/// The notation of the World Cube Association for the clock.
#[test]
fn scrambles_of_the_clock_are_read() {
    let state = |text: &str| {
        let ran = run(&["check", "clock", text]);
        assert_eq!(ran.code, 0, "{text}: {}", ran.err);
        let facts = ran.out.lines().filter(|line| !line.starts_with("moves: "));
        facts.collect::<Vec<_>>().join("\n")
    };
    for (association, own) in [
        ("UR3+ DR2-", "UR3 DR2'"),
        ("UR0+ ALL6+ UL1-", "ALL6 UL'"),
        // Seen from the back, left and right change places.
        ("UR1+ y2 UL3+ R2- ALL1+ UR DL", "UR bUR3 bL2' bALL"),
        ("y2 U5- y2 U5+ DR UL", "bU5' U5"),
        ("UR0+ DR", "solved"),
    ] {
        assert_eq!(state(association), state(own), "{association}");
    }
    let whole = "UR5- DR3- DL1- UL0+ U4+ R6+ D1- L2- ALL4- y2 U1- R1+ D0+ L5+ ALL4- UR DL UL";
    assert!(state(whole).starts_with("solvable\n"));
    for wrong in ["UR3+ F2-", "UR3+ DR y2 U1+", "UR+"] {
        assert_eq!(run(&["check", "clock", wrong]).code, 2, "{wrong}");
    }
}

/// An output file is replaced as a whole, and a link to it stays.
#[cfg(unix)]
#[test]
fn an_output_file_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, link] = ["there.json", "link.json"].map(|name| folder.path().join(name));
    std::fs::write(&file, "old").expect("written");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    let convert =
        |to: &std::path::Path| run(&["convert", "skewb", "--output", to.to_str().expect("")]);
    assert_eq!(convert(&link).code, 0);
    assert!(link.is_symlink());
    let text = std::fs::read_to_string(&file).expect("read");
    assert_eq!(text, run(&["convert", "skewb"]).out);
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 2);
    let none = convert(&folder.path().join("missing/out.json"));
    assert!(none.code != 0 && none.err.contains("missing/out.json"), "{}", none.err);
}

/// Moves over stickers become a definition, and rows of stickers its states.
#[test]
fn moves_over_stickers_are_converted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (moves, definition, rows) = (file("wheels.json"), file("wheels.tws"), file("rows"));
    let text = "{\"a\": [4, 5, 0, 1, 2, 3, 6, 7], \"b\": [0, 1, 2, 3, 7, 6, 4, 5]}";
    std::fs::write(&moves, text).expect("a file");
    let convert = |more: &[&str]| run(&[&["convert", &moves, "--stickers"], more].concat());
    let ran = convert(&["--solved", "abcdefgh", "--output", &definition]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    // The solved row, that after a, that after a and b, and a piece that there is not.
    std::fs::write(&rows, "abcdefgh\nefabcdgh\nefabhgcd\nbabbefgh\n").expect("a file");
    let ran = convert(&["--solved", "abcdefgh", "--rows", &rows]);
    let refused = "fewest: line 4: sticker 2: no piece of the goal has these colours: b b\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, refused));
    let solve = &["solve", &definition, "--metric", "qtm", "--quiet"];
    let solved = run_with_input(&crate::tables(), solve, &ran.out);
    let plans: Vec<_> = solved.out.lines().filter_map(|line| line.split("  (").next()).collect();
    assert_eq!(plans[1..], ["line 2: a'", "line 3: b' a'"], "{}", solved.out);
    assert!(plans[0].starts_with("line 1: (0 moves, optimal"), "{}", solved.out);
    let ran = convert(&["--solved", "abc"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("found 3 stickers, expected 8"), "{}", ran.err);
    let part = convert(&["--part", "x"]);
    assert_eq!(part.code, 2, "a file with the moves of one puzzle");
}
