//! Scramble files: states in every form, options, and errors.

use crate::malformed::check_section;
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
    check_section("scrambles", |text| {
        let error = tws(POCKET).scrambles(text, &ReadLimits::default()).unwrap_err();
        assert!(error.to_string().starts_with("scramble file, line"));
        error
    });
}

#[test]
fn illegal_scrambles_are_refused() {
    let shapes = tws(crate::puzzles::SHAPES);
    for text in ["Scramble\nRING\n2 1 3 3 3 3\nEnd", "CPOS 102222", "ScrambleAlg\nU'\nEnd"] {
        let error = shapes.scrambles(text, &ReadLimits::default()).unwrap_err().to_string();
        assert!(error.contains("found piece 1 in slot 2 of `RING`"), "{error}");
    }
}
