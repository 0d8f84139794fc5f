//! States from lines of input, and a clear one-line error for every kind of bad input.

use super::{json, run, run_with_input};
use std::path::Path;

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
    let (_folder, file) = crate::written("states", b"R\nU \xff F\n\n# \xff\r\nF2\r\n");
    let path = file.as_str();
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
fn bad_input_is_refused_in_one_line() {
    let twisted = "UUUUUUUURURRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    for (arguments, part) in [
        (&["solve", "3x3x3", "R U Q"][..], "column 5: found `Q`"),
        (&["solve", "3x3x3", twisted], "corner URF (facelets 9, 10, 21)"),
        (&["solve", "3x3x3", "UUU5X"], "column 4: found `5`"),
        (&["solve", "4x4x9", "R"], "3x3x3"),
        (&["solve", "3x3x3", "R", "--heuristic", "magic"], "korf97"),
        (&["solve", "3x3x3", "R", "--metric", "ftm"], "expected htm or qtm"),
        (&["solve", "3x3x3", "R", "--pruning", "fsm:0"], "fsm:D"),
        (&["solve", "3x3x3", "R", "--memory", "many"], "expected a size such as"),
        (&["solve", "3x3x3", "R", "--heuristic", "korf97", "--memory", "1MiB"], "korf97 needs"),
        (&["solve", "3x3x3", "--file", "no-such-file"], "no-such-file"),
        (&["solve", "3x3x3", "R", "--threads", "0"], "0 is not in 1..=1024"),
        (&["check", "3x3x3"], "the state is empty"),
        (&["count", "3x3x3", "--depth", "2"], "--states"),
        (&["count", "3x3x3", "--depth", "2"], "--sequences"),
        (&["fly", "3x3x3"], "unrecognized subcommand 'fly'"),
        (&["histogram", "3x3x3", "--heuristic", "manhattan"], "korf97"),
        (&["tables", "list", "4x4x9"], "3x3x3"),
        (&["tables", "verify", "4x4x9"], "3x3x3"),
        (&["tables", "remove", "4x4x9"], "3x3x3"),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    }
}

/// The letters of stickers are also letters of moves. Six lines of nine stickers are one cube; five
/// lines are an error.
#[test]
fn six_lines_of_stickers_are_one_cube() {
    // The 3x3x3 and the 2x2x2 after the move R.
    let cube = "UUFUUFUUF RRRRRRRRR FFDFFDFFD DDBDDBDDB LLLLLLLLL UBBUBBUBB";
    let pocket = "UFUF RRRR FDFD DBDB LLLL UBUB";
    for (puzzle, faces) in [("3x3x3", cube), ("2x2x2", pocket)] {
        let solve = ["solve", puzzle, "--heuristic", "manhattan", "--format", "json"];
        let lines = faces.replace(' ', "\n");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("states");
        let input = format!("R2\n{lines}\n# a comment\n{lines}\nF\n");
        std::fs::write(&path, &input).expect("written");
        let file = ["--file", path.to_str().expect("text")];
        for ran in
            [run_with_input(folder.path(), &solve, &input), run(&[&solve[..], &file].concat())]
        {
            let answers = json(&ran.out);
            let plans = answers.iter().map(|answer| answer["plan"][0].as_str().expect("a plan"));
            assert!(plans.eq(["R2", "R'", "R'", "F'"]), "{}", ran.out);
            assert_eq!(answers[1]["state"], faces);
        }
        assert_eq!(run(&["check", puzzle, faces, "--plan", "R'"]).code, 0);
        // One colour more than there should be.
        let wrong = run(&["solve", puzzle, &faces.replacen('F', "R", 1)]);
        assert_eq!(wrong.code, 2, "{}", wrong.out);
        assert!(wrong.err.contains("occurs"), "{}", wrong.err);
    }
    let solve = ["solve", "3x3x3", "--heuristic", "manhattan", "--format", "json"];
    let five = cube.split(' ').take(5).collect::<Vec<_>>().join("\n");
    let ran = run_with_input(Path::new("/nowhere"), &solve, &format!("{five}\nU\n{five}\n"));
    let answers = json(&ran.out);
    assert_eq!((ran.code, answers.len()), (2, 11), "{}", ran.out);
    for (number, answer) in answers.iter().enumerate() {
        let expected = if number == 5 { "solved" } else { "refused" };
        assert_eq!(answer["outcome"], expected, "{answer}");
        let error = answer["error"].as_str().unwrap_or("six such faces of stickers");
        assert!(error.contains("six such faces of stickers"), "{error}");
    }
    // Four letters can also be moves.
    let moves = ["solve", "2x2x2", "--heuristic", "manhattan", "--format", "json"];
    let ran = run_with_input(Path::new("/nowhere"), &moves, &"RURU\n".repeat(7));
    assert_eq!((ran.code, json(&ran.out).len()), (0, 7), "{}", ran.err);
}

/// Lines of letters that could also be moves.
#[test]
fn other_lines_of_stickers_are_one_cube() {
    let faces = ["UUFUUFUUF", "RRRRRRRRR", "FFDFFDFFD", "DDBDDBDDB", "LLLLLLLLL", "UBBUBBUBB"];
    let blanks = |text: &str| text.chars().flat_map(|c| [c, ' ']).collect::<String>();
    let rows = |face: &str| [&face[..3], &face[3..6], &face[6..]].join("\n");
    let middle = |row: usize| [4, 2, 1, 5].map(|face| &faces[face][3 * row..][..3]).concat();
    let unfolded = [rows(faces[0]), middle(0), middle(1), middle(2), rows(faces[3])].join("\n");
    let one_a_line: String = faces.map(|face| blanks(face) + "\n").concat();
    let row_by_row = faces.map(rows).join("\n");
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "3x3x3", "--heuristic", "manhattan", "--format", "json"];
    for text in [&one_a_line, &row_by_row, &unfolded] {
        for between in ["", "F U\n"] {
            let input = format!("{between}{text}\n{between}");
            let path = folder.path().join("states");
            std::fs::write(&path, &input).expect("written");
            let file = ["--file", path.to_str().expect("text")];
            for ran in
                [run_with_input(folder.path(), &solve, &input), run(&[&solve[..], &file].concat())]
            {
                let answers = json(&ran.out);
                let plan = &answers[between.len().min(1)]["plan"];
                assert_eq!(
                    (answers.len(), plan),
                    (1 + between.len() / 2, &serde_json::json!(["R'"])),
                    "{input}"
                );
            }
        }
    }
    let ran = run(&["solve", "3x3x3", "1) R U // two\nF # and one"]);
    assert!(ran.out.starts_with("F' U' R'"), "{}{}", ran.out, ran.err);
    // Letters of three moves on each of eighteen lines.
    let moves = run_with_input(folder.path(), &solve, &"RUF\n".repeat(18));
    assert_eq!(json(&moves.out).len(), 18);
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let solve = ["solve", "3x3x3", "--heuristic", "manhattan", "--format", "json"];
    for (input, outcomes) in [
        ("\u{feff}R\nU\n", &["solved", "solved"][..]),
        ("\u{feff}# a comment\r\nR\r\n", &["solved"]),
        ("\u{feff}", &[]),
        ("R\n\u{feff}U\n", &["solved", "refused"]),
    ] {
        let path = folder.path().join("states");
        std::fs::write(&path, input).expect("written");
        let file = ["--file", path.to_str().expect("text")];
        for ran in [
            run_with_input(folder.path(), &solve, input),
            run_with_input(folder.path(), &[&solve[..], &file].concat(), ""),
        ] {
            let answers = json(&ran.out);
            assert!(answers.iter().map(|answer| &answer["outcome"]).eq(outcomes), "{}", ran.out);
        }
    }
}

/// An empty state, such as an unset variable of a script, must not count as a solved puzzle.
#[test]
fn an_empty_state_is_refused() {
    for verb in ["check", "solve"] {
        for state in ["", " ", "\t"] {
            let ran = run(&[verb, "3x3x3", state]);
            assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
            assert!(ran.err.contains("expected words after the puzzle"), "{}", ran.err);
        }
    }
}

#[test]
fn the_usage_shows_no_folder_that_nobody_typed() {
    for arguments in
        [&["tables", "list", "--fly"][..], &["check", "3x3x3", "--fly"], &["bench", "--fly"]]
    {
        let ran = run(arguments);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("Usage:") && !ran.err.contains("--tables"), "{}", ran.err);
    }
}

#[test]
fn sizes_have_readable_units() {
    let needs =
        "needs 82.7 MiB (86667840 bytes) of tables, and --memory allows 976.6 KiB (1000000 bytes)";
    for (heuristic, memory, told) in [
        ("korf97", "1MB", needs),
        ("best", "1KiB", "--memory allows 1.0 KiB (1024 bytes)"),
        ("best", "0", "--memory allows 0 B (0 bytes)"),
    ] {
        let ran = run(&["solve", "3x3x3", "R", "--heuristic", heuristic, "--memory", memory]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}

#[test]
fn a_line_that_never_ends_is_refused() {
    let solve = ["solve", "3x3x3", "--heuristic", "manhattan"];
    let long = "R ".repeat(600_000);
    let ran = run_with_input(Path::new("/nowhere"), &solve, &format!("{long}\nR\n"));
    assert_eq!((ran.code, ran.out.lines().count()), (2, 2), "{}", ran.err);
    let told = "line 1: refused: the line has more than 1048576 bytes";
    assert!(ran.out.starts_with(told) && ran.out.contains("R'"), "{}", ran.out);
    let whole = format!("{}\n", "R".repeat(1 << 20));
    let most = run_with_input(Path::new("/nowhere"), &solve, &whole);
    assert!(!most.out.contains("1048576 bytes"), "{}", most.out);
    let endless = run(&[&solve[..], &["--file", "/dev/zero"]].concat());
    assert_eq!((endless.code, endless.out.as_str()), (2, ""), "{}", endless.err);
    assert!(endless.err.contains("/dev/zero, line 1: a line of more than"), "{}", endless.err);
}

/// Lists of scrambles as people keep them; each text answer names its line.
#[test]
fn numbered_and_commented_lines_are_read() {
    let lines = "# Monday\n1) R U // the first\n\n2. 3Rw Ri # the second\n";
    let arguments = ["solve", "3x3x3", "--heuristic", "manhattan"];
    let ran = run_with_input(&crate::tables(), &arguments, lines);
    let answers: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, answers.len()), (0, 2), "{} {}", ran.out, ran.err);
    assert!(answers[0].starts_with("line 2: U' R'  (2 moves, optimal"), "{}", ran.out);
    assert!(answers[1].starts_with("line 4: R  (1 move, optimal"), "{}", ran.out);
    let ran = run(&["solve", "pyraminx", "U", "Li"]);
    assert!(ran.out.starts_with("L U'") || ran.out.starts_with("U' L"), "{}", ran.out);
}

#[test]
fn every_object_has_a_type_and_the_first_a_version() {
    let solve = ["solve", "3x3x3", "--heuristic", "manhattan", "--format", "json"];
    let lines = json(&run_with_input(&crate::tables(), &solve, "R\nQ\nU\n").out);
    for (place, line) in lines.iter().enumerate() {
        assert_eq!(line["type"], "solve");
        assert_eq!(line.get("version"), (place == 0).then_some(&serde_json::json!(1)));
    }
    let lines = json(&run(&["gods-algorithm", "pancake-5", "--format", "json"]).out);
    let kinds: Vec<_> = lines.iter().map(|line| line["type"].as_str()).collect();
    assert_eq!(kinds.first(), Some(&Some("gods-algorithm")));
    assert_eq!(kinds.last(), Some(&Some("summary")));
    for (verb, rest) in
        [("puzzles", &[][..]), ("tables", &["list"]), ("learn", &["3x3x3", "--depth", "1"])]
    {
        let arguments: Vec<&str> = [&[verb], rest, &["--format", "json"]].concat();
        let lines = json(&run(&arguments).out);
        assert!(
            lines.iter().all(|line| line["type"].as_str().is_some_and(|t| t.starts_with(verb)))
        );
    }
}

#[test]
fn result_lines_have_the_place() {
    let place = |arguments: &[&str]| json(&run(arguments).out)[0]["place"].clone();
    let refused = ["solve", "3x3x3", "R Q", "--format", "json"];
    assert_eq!(place(&refused), serde_json::json!({"column": 3}));
    let refused = ["check", "8-puzzle", "1 2 3 4 5 6 7 8 8", "--format", "json"];
    assert_eq!(place(&refused), serde_json::json!({"squares": [9, 8]}));
    let refused =
        ["check", "8-puzzle", "1 0 2 3 4 5 6 7 8", "--plan", "left x", "--format", "json"];
    assert_eq!(place(&refused), serde_json::json!({"move": 2}));
}

/// A text of a state means one thing, whatever the search leaves behind it.
#[test]
fn numbers_and_comments_are_no_part_of_a_state_at_any_door() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (journal, certificate, log) = (path("a"), path("b"), path("c"));
    let state = ["3x3x3", "1. R U // two moves"];
    for more in
        [&["--journal", &journal][..], &["--certificate", &certificate], &["--proof-log", &log]]
    {
        let ran = run(&[&["solve"], &state[..], &["-H", "manhattan"], more].concat());
        assert!(ran.code == 0 && ran.out.starts_with("U' R'  (2 moves"), "{more:?}: {}", ran.err);
    }
    assert_eq!(run(&["resume", &journal]).code, 0);
    let checked = run(&[&["check"], &state[..], &["--plan", "U' R'"]].concat());
    assert!(checked.out.contains("the plan solves it in 2 moves"), "{}", checked.err);
}
