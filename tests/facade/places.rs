//! Errors know the place in the text as numbers, not only as words of their message.

use fewest::{Aim, GoalChoice, MetricChoice, Place, Request, Settings, configure};
use std::time::Duration;

const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

/// The place at which a puzzle refuses a state.
fn of(puzzle: &str, state: &str) -> Place {
    let puzzle = configure(puzzle, &Settings::default()).expect("a puzzle");
    puzzle.read(state).expect_err("refused").place().cloned().unwrap_or_default()
}

/// The place at which a puzzle refuses a plan for its solved state.
fn of_plan(puzzle: &str, state: &str, plan: &str) -> Place {
    let puzzle = configure(puzzle, &Settings::default()).expect("a puzzle");
    puzzle.check_plan(state, plan).expect_err("refused").place().cloned().unwrap_or_default()
}

/// The place at which settings or a definition are refused.
fn of_settings(puzzle: &str, settings: &Settings) -> Place {
    let refused = configure(puzzle, settings).err().expect("refused");
    refused.place().cloned().unwrap_or_default()
}

#[test]
fn moves_have_a_column() {
    assert_eq!(of("3x3x3", "R U X2").column, Some(5));
    assert_eq!(of("3x3x3", "  R X").column, Some(5));
    assert_eq!(of("2x2x2", "R ?").column, Some(3));
    assert_eq!(of("2x2x2", "R X").column, Some(3));
    assert_eq!(of_plan("3x3x3", "R", "R' Q").column, Some(4));
    let pyraminx = of("pyraminx", "R Q");
    assert_eq!((pyraminx.line, pyraminx.column), (Some(1), Some(3)));
}

#[test]
fn stickers_have_their_numbers_or_a_colour() {
    assert_eq!(of("3x3x3", &SOLVED.replacen("URR", "UXR", 1)).facelets, [10]);
    assert_eq!(of("3x3x3", &SOLVED.replacen("UR", "RU", 1)).facelets, [9, 10, 21]);
    assert_eq!(of("3x3x3", &SOLVED.replacen('R', "U", 1)).colour, Some('U'));
    // The edge UF has the colours of UR, and the other way round: both places are told.
    let mut twice: Vec<char> = SOLVED.chars().collect();
    (twice[16], twice[19]) = ('F', 'R');
    let twice = of("3x3x3", &twice.iter().collect::<String>());
    assert_eq!(twice.facelets, [8, 20, 6, 11]);
    let pocket = "UUUURRRRFFFFDDDDLLLLBBBB";
    assert_eq!(of("2x2x2", &pocket.replacen("UR", "RU", 1)).facelets, [4, 5, 10]);
    assert_eq!(of("2x2x2", &pocket.replacen('R', "U", 1)).colour, Some('U'));
    // A state that no move leads to is wrong as a whole.
    let flipped: String = {
        let mut stickers: Vec<char> = SOLVED.chars().collect();
        stickers.swap(7, 19);
        stickers.iter().collect()
    };
    assert_eq!(of("3x3x3", &flipped), Place::default());
    assert_eq!(of("3x3x3", "{\n 1}").line, Some(2));
}

#[test]
fn boards_have_squares_and_plans_a_word() {
    assert_eq!(of("8-puzzle", "0 1 2 3 9 5 6 7 8").squares, [5]);
    assert_eq!(of("8-puzzle", "0 1 2 3 4 x 6 7 8").squares, [6]);
    assert_eq!(of("8-puzzle", "1 2 3 4 5 6 7 8 8").squares, [9, 8]);
    assert_eq!(of("8-puzzle", "0 1 2 3 4 5 6 8 7"), Place::default());
    let board = "1 0 2 3 4 5 6 7 8";
    assert_eq!(of_plan("8-puzzle", board, "left sideways").word, Some(2));
    let up_and_left = Settings::default().moves("up,left");
    let puzzle = configure("8-puzzle", &up_and_left).expect("a puzzle");
    let refused = puzzle.check_plan(board, "left up down").expect_err("refused");
    assert_eq!(refused.place().and_then(|place| place.word), Some(3));
    // What a word of the World Cube Association means is not agreed on.
    assert_eq!(of("5x5x5", "R r").word, Some(2));
}

#[test]
fn settings_and_definitions_have_places() {
    let goal = |goal: &str| Settings::default().goal(goal);
    assert_eq!(of_settings("8-puzzle", &goal("0 1 2 3 4 x 6 7 8")).squares, [6]);
    assert_eq!(of_settings("3x3x3", &goal("R U Q")).column, Some(5));
    let open = SOLVED.replacen('U', ".", 1).replacen("RF", "XF", 1);
    assert_eq!(of_settings("3x3x3", &goal(&open)).facelets, [18]);
    let broken = of_settings("Name broken\nSet CORNERS 8 three\n", &Settings::default());
    assert_eq!((broken.line, broken.column), (Some(2), Some(15)));
    let moves = Settings::default().moves("up,sideways");
    assert_eq!(of_settings("8-puzzle", &moves).word, Some(2));
    assert_eq!(of_settings("9x9x9x9", &Settings::default()), Place::default());
}

#[test]
fn files_of_scrambles_have_a_line() {
    let puzzle = configure("3x3x3.tws", &Settings::default());
    let path = crate::definition("3x3x3.tws");
    let puzzle = puzzle.or_else(|_| configure(&path, &Settings::default())).expect("a puzzle");
    let files = puzzle.state_files().expect("scramble files");
    let refused = files.read_file("ScrambleAlg a\nR U\nR Q\nEnd\n").expect_err("refused");
    let place = refused.place().expect("a place");
    assert_eq!((place.line, place.column), (Some(3), Some(3)));
    let stickers = format!("\nScrambleAlg a\n{SOLVED}\nEnd\n");
    let refused = files.read_file(&stickers).expect_err("refused");
    assert_eq!(refused.place(), Some(&of_line(3)));
}

fn of_line(line: usize) -> Place {
    let mut place = Place::default();
    place.line = Some(line);
    place
}

/// A name that looks like a place is no place.
#[test]
fn names_are_no_places() {
    let text = "Name trap\nSet line9 2 1\nSolved\nline9\n1 2\nEnd\nMove move7\nline9\n2 1\nEnd\n";
    assert_eq!(of_plan(text, "move7", "move7 facelet3").word, None);
    let settings = Settings::default().moves("column5");
    assert_eq!(of_settings(text, &settings).column.filter(|&column| column == 5), None);
    // The path of a definition.
    assert_eq!(of_settings("line 9, column 3.tws", &Settings::default()), Place::default());
}

/// Every puzzle reads a state with the number and the comment of its line, and counts columns in
/// the text as it was given.
#[test]
fn numbers_and_comments_are_no_part_of_a_state() {
    for (puzzle, goal, state, wrong) in [
        ("3x3x3", GoalChoice::Solved, "R2 U", "R2 Q"),
        ("2x2x2", "face:U".into(), "R2 U", "R2 Q"),
        ("pyraminx", GoalChoice::Solved, "R' U", "R' Q"),
        ("8-puzzle", GoalChoice::Solved, "1 0 2 3 4 5 6 7 8", ""),
    ] {
        let puzzle = configure(puzzle, &Settings::default().goal(goal)).expect("a puzzle");
        let read = |text: &str| puzzle.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for text in [format!("1. {state}"), format!("12)\t{state} # so"), format!("{state}//..")] {
            assert_eq!(read(&text).facts, read(state).facts, "{text}");
            let check = |text| puzzle.check_plan(text, "").expect("a plan").fault;
            assert_eq!(check(&text), check(state));
        }
        let column =
            |text: &str| puzzle.read(text).expect_err("refused").place().and_then(|at| at.column);
        if !wrong.is_empty() {
            assert_eq!(column(&format!("1. {wrong}")), Some(3 + column(wrong).expect("a column")));
        }
    }
}

/// A definition in JSON needs no line end to be told from a name.
#[test]
fn json_in_one_line_is_a_definition() {
    let named = fewest::definition(&crate::definition("pyraminx.tws")).unwrap().unwrap();
    let json = named.written(fewest::TextForm::Json).0.replace('\n', " ");
    let puzzle = configure(&json, &Settings::default()).unwrap();
    assert!(puzzle.read("R U").is_ok() && fewest::definition(&json).is_some());
}

/// What a puzzle cannot answer is refused by the puzzle, whatever asks.
#[test]
fn puzzles_refuse_an_aim_that_they_lack() {
    for name in ["3x3x3", "2x2x2", "pyraminx"] {
        let puzzle = configure(name, &Settings::default().heuristic("best")).unwrap();
        let refused = |result: Result<_, fewest::Failure>| {
            assert!(matches!(result, Err(fewest::Failure::Refused(_))), "{name}");
        };
        if !puzzle.info().has_near_optimal {
            refused(puzzle.solve("R", &Request::default().aim(Aim::NearOptimal)).map(drop));
        }
    }
}

/// Every door reads the same names.
#[test]
fn settings_and_requests_are_read_from_text() {
    let text = r#"{"metric": "qtm", "pruning": "fsm:2", "goal": "superflip", "memory": 5}"#;
    let settings: Settings = serde_json::from_str(text).unwrap();
    assert_eq!((settings.metric, settings.memory), (Some(MetricChoice::QuarterTurn), 5));
    assert_eq!((settings.goal, settings.tables), ("superflip".into(), None));
    let text = r#"{"limit_time": 1.5, "max_bound": 9, "near_optimal": true, "slack": null}"#;
    let request: Request<'_> = serde_json::from_str(text).unwrap();
    assert_eq!(
        (request.limits.time, request.aim),
        (Some(Duration::from_millis(1500)), Aim::NearOptimal)
    );
    assert_eq!((request.limits.bound, request.slack, request.plans), (Some(9), 0, 1));
    for (name, value) in [
        ("plans", "0"),
        ("threads", "1025"),
        ("limit_time", "-1"),
        ("deadline", "1e300"),
        ("slack", "256"),
        ("min_length", "1.5"),
        ("near_optimal", "1"),
        ("nodes", "1"),
    ] {
        let text = format!("{{\"{name}\": {value}}}");
        let error = serde_json::from_str::<Request<'_>>(&text).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("expected"), "{error}");
    }
    for wrong in [r#"{"metric": "ftm"}"#, r#"{"tables": "/"}"#, r#"{"pruning": "fsm:0"}"#] {
        assert!(serde_json::from_str::<Settings>(wrong).is_err(), "{wrong}");
    }
}

/// A caller that lost the state must not get the plan of the solved puzzle.
#[test]
fn a_state_of_comments_alone_is_empty() {
    for name in ["3x3x3", "2x2x2", "15-puzzle", "pyraminx", "hungarian-rings"] {
        let puzzle = configure(name, &Settings::default()).expect("a puzzle");
        for text in ["", " \n", "// a comment", "# a comment", "  # one\n// two\n"] {
            let refused = puzzle.read(text).expect_err(text).to_string();
            assert!(refused.contains("the state is empty"), "{name} {text:?}: {refused}");
            assert!(puzzle.solve(text, &Request::default()).is_err(), "{name} {text:?}");
            assert!(puzzle.check_plan(text, "").is_err(), "{name} {text:?}");
        }
    }
}
