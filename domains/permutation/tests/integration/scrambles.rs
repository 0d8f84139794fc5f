//! Scramble files: states in every form, options, and errors.

use crate::puzzles::{EVERYTHING, POCKET, cube, stickers, tws};
use fewest_permutation::{
    Commands, MoveMetric, PuzzleState, ReadLimits, ScrambleFile, ScrambleState,
};

fn read(text: &str) -> ScrambleFile {
    tws(POCKET).scrambles(text, &ReadLimits::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn given(file: &ScrambleFile) -> Vec<&PuzzleState> {
    let state = |scramble: &'_ fewest_permutation::Scramble| scramble.state.clone();
    assert!(file.scrambles.iter().all(|one| matches!(state(one), ScrambleState::Given(_))));
    let states = file.scrambles.iter().filter_map(|scramble| match &scramble.state {
        ScrambleState::Given(state) => Some(state),
        ScrambleState::Random => None,
    });
    states.collect()
}

#[test]
fn every_form_says_the_same() {
    let pocket = tws(POCKET);
    let state = pocket.parse_state("U F2").unwrap();
    let compact = pocket.compact(&state).unwrap();
    let text = format!(
        "{}ScrambleState b\nCORNERS\n{}\n{}\nEnd\nScrambleAlg c\nU\nF F\nEnd\nCPOS {compact}\n",
        pocket.scramble_text("a", &state),
        state.pieces(0).iter().map(u16::to_string).collect::<Vec<_>>().join(" "),
        state.orientation(0).iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
    );
    let file = read(&text);
    assert_eq!(given(&file), [&state; 4]);
    let names: Vec<_> = file.scrambles.iter().map(|scramble| &*scramble.name).collect();
    assert_eq!(names, ["a", "b", "c", "Unnamed"]);
    assert_eq!(file.scrambles[2].line, 10);
}

#[test]
fn compact_forms_are_read_as_they_were_written() {
    for (definition, moves) in
        [(cube(), "R U2 F' L"), (tws(&stickers(3)), "R1 U2 F3'"), (tws(EVERYTHING), "x y2")]
    {
        let state = definition.parse_state(moves).unwrap();
        let text = format!("CPOS {}\n", definition.compact(&state).unwrap());
        let file = definition.scrambles(&text, &ReadLimits::default()).unwrap();
        assert_eq!(given(&file), [&state]);
        let text = definition.scramble_text("", &state);
        let file = definition.scrambles(&text, &ReadLimits::default()).unwrap();
        assert_eq!(given(&file), [&state]);
    }
    let wide =
        tws("Set A 62 63\nSolved\nEnd\nMove M\nA\n2 1\nEnd".replace("2 1", &swap(62)).as_str());
    // 3,906 states of a slot: three digits each.
    let state = wide.parse_state("M").unwrap();
    let compact = wide.compact(&state).unwrap();
    assert_eq!((compact.len(), &compact[..9]), (186, "011000022"));
    let file = wide.scrambles(&format!("CPOS {compact}"), &ReadLimits::default()).unwrap();
    assert_eq!(given(&file), [&state]);
    let error = wide.scrambles("CPOS 0", &ReadLimits::default()).unwrap_err().to_string();
    assert!(error.contains("expected 186 digits"), "{error}");
}

/// A permutation of `n` slots that exchanges the first two.
fn swap(n: usize) -> String {
    let rest = (3..=n).map(|i| format!(" {i}")).collect::<String>();
    format!("2 1{rest}")
}

#[test]
fn what_else_a_file_says_is_kept() {
    let file =
        read("# no\nMaxDepth 12\nSlack 2\nQTM\nRandomScramble r\nMoveLimits\nF2 1\nR* 3\nEnd\n");
    let commands = file.scrambles[0].commands;
    assert_eq!((commands.max_depth, commands.slack), (Some(12), Some(2)));
    assert_eq!(commands.metric, Some((MoveMetric::Quarter, 4)));
    assert_eq!(file.scrambles[0].state, ScrambleState::Random);
    assert_eq!(file.limits.values().copied().collect::<Vec<_>>(), [1, 3]);
    assert_eq!(read(""), ScrambleFile::default());
}

/// A command rules the scrambles after it, up to the next such command.
#[test]
fn commands_rule_from_where_they_stand() {
    let file = read(
        "RandomScramble a\nEnd\nSlack 2\nMaxDepth 9\nRandomScramble b\nQTM\nSlack 0\n\
         RandomScramble c\nEnd\nHTM\n",
    );
    let commands = |at: usize| {
        let Commands { max_depth, slack, metric, .. } = file.scrambles[at].commands;
        (max_depth, slack, metric)
    };
    assert_eq!(commands(0), (None, None, None));
    assert_eq!(commands(1), (Some(9), Some(2), None));
    assert_eq!(commands(2), (Some(9), Some(0), Some((MoveMetric::Quarter, 6))));
}

#[test]
fn a_missing_set_is_solved_and_unknown_orientations_need_not_be_said() {
    let everything = tws(EVERYTHING);
    let file = everything
        .scrambles("Scramble\nRING\n20 10 30 40 50 60\n1 0 3 ? 3 0\nEnd\n", &ReadLimits::default())
        .unwrap();
    let state = given(&file)[0];
    assert_eq!(state.pieces(1), everything.start().pieces(1));
    assert_eq!(
        (state.orientation(0), state.modulus(0)),
        (&[1, 0, 0, 0, 1, 0][..], &[0, 0, 1, 1, 2, 0][..])
    );
}

#[test]
fn a_copied_move_is_noticed() {
    let block = "CORNERS\n5 2 3 1 7 6 4\n1 0 0 2 2 0 1\nEnd\n";
    let file = read(&format!("Scramble s\n{block}"));
    assert_eq!(file.notes.len(), 1);
    assert!(
        file.notes[0]
            .text
            .starts_with("this is the block of the move R, but not the state after it")
    );
    let right = tws(POCKET).parse_state("R").unwrap();
    assert!(read(&tws(POCKET).scramble_text("s", &right)).notes.is_empty());
}

#[test]
fn complaints_name_the_place() {
    for (text, line, column, complaint) in [
        ("Scrambel a", 1, 1, "found `Scrambel`, expected Scramble, ScrambleState"),
        ("scramble a", 1, 1, "found `scramble`, expected Scramble, ScrambleState"),
        ("Scramble a # b\nEnd", 1, 12, "found `#`, expected a name (a comment begins with #"),
        (
            "Scramble\nCORNERS\n1 2 3 4 5 6 0\nEnd",
            3,
            13,
            "found `0`, expected a piece from 1 to 65535 (Move, Solved",
        ),
        (
            "Scramble\nCORNERS\n1 2 3 4 5 6 6\nEnd",
            3,
            13,
            "found piece 6 (counted from 0: 5) once more, expected the pieces of the solved",
        ),
        (
            "ScrambleState\nCORNERS\n1 2 3 4 5 6 7\nEnd",
            3,
            13,
            "found piece 8 (counted from 0: 7), expected one of the pieces",
        ),
        (
            "Scramble\nCORNERS\n1 2 3 4 5 6 7\n0 0 0 0 ? 0 0\nEnd",
            3,
            9,
            "found another knowledge of the orientation of piece 5",
        ),
        (
            "Scramble\nCORNERS\n1 2 3 4 5 6 ?\nEnd",
            3,
            13,
            "found `?`, expected a piece from 1 to 65535 (? stands for",
        ),
        (
            "Scramble\nCORNERS\n1 2 3 4 5 6 7",
            3,
            14,
            "found the end of the file, expected the name of a set, or End",
        ),
        ("ScrambleAlg\nU Q", 2, 3, "found `Q`, expected a move of this puzzle"),
        ("ScrambleAlg\nU", 2, 2, "found the end of the file, expected moves, or End"),
        ("CPOS 0369CF", 1, 12, "found the end after 6 digits, expected 7 digits of 0-9 A-Z a-z"),
        ("CPOS 0369CFI0", 1, 13, "found `0`, expected the end of the line"),
        ("CPOS 0369CF!", 1, 12, "found `!`, expected 7 digits"),
        ("CPOS 0369CFz", 1, 12, "found `z`, expected a value below 21"),
        ("CPOS 0069CFI", 1, 6, "found piece 1 (counted from 0: 0) once more"),
        ("CPOS", 1, 5, "found the end of the line, expected CPOS and a string"),
        ("MaxDepth x", 1, 10, "found `x`, expected a number from 0 to"),
        ("Slack", 1, 6, "found the end of the line, expected Slack and a number"),
        ("MoveLimits\nF2 x\nEnd", 2, 4, "found `x`, expected a number from 0"),
        ("MoveLimits\nX* 1\nEnd", 2, 1, "found `X`, expected a move of this puzzle"),
        ("QTM now", 1, 5, "found `now`, expected the end of the line after this word"),
    ] {
        let error = tws(POCKET).scrambles(text, &ReadLimits::default()).unwrap_err();
        let found = error.complaint().unwrap().to_string();
        assert!(found.starts_with(complaint), "{text}\n{found}");
        assert_eq!(error.place(), Some((line, column)), "{text}\n{error}");
        assert!(error.to_string().starts_with("scramble file, line"));
    }
}

#[test]
fn illegal_scrambles_are_refused() {
    let shapes = tws(crate::puzzles::SHAPES);
    for text in ["Scramble\nRING\n2 1 3 3 3 3\nEnd", "CPOS 102222", "ScrambleAlg\nU'\nEnd"] {
        let error = shapes.scrambles(text, &ReadLimits::default()).unwrap_err().to_string();
        assert!(error.contains("found piece 1 in slot 2 of `RING`"), "{error}");
    }
}
