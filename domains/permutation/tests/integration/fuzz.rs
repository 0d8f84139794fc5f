//! Readers return on any input, and a definition that they accept stays the same if it is written
//! and read again.

use crate::puzzles::{EVERYTHING, POCKET, SHAPES, form, tws};
use fewest_permutation::{
    Definition, MoveMetric, ReadLimits, ScrambleState, TextFormat, Transformation,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Limits with little memory, so that huge puzzles are refused soon.
const LIMITS: ReadLimits = ReadLimits::new(1 << 16, 1 << 22);

fn read(form: TextFormat, text: &str) -> Option<Definition> {
    let read = match form {
        TextFormat::KPuzzle => Definition::from_kpuzzle(text, &LIMITS),
        _ => Definition::from_tws(text, &LIMITS),
    };
    match read {
        Ok(definition) => Some(definition),
        Err(error) => {
            let (line, column) = error.place().unwrap_or((1, 1));
            // A carriage return alone ends a line too.
            let lines = text.replace("\r\n", "\n").split(['\n', '\r']).count();
            assert!(line >= 1 && column >= 1 && line <= lines, "line {line} of {text:?}");
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// Checks what must hold for every definition that a reader accepts.
fn check(definition: &Definition) {
    let (lines, json) = (definition.to_tws(), definition.to_kpuzzle());
    let again = |form, text: &str| {
        let read = match form {
            TextFormat::KPuzzle => Definition::from_kpuzzle(text, &ReadLimits::default()),
            _ => Definition::from_tws(text, &ReadLimits::default()),
        };
        read.unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    assert_eq!(again(TextFormat::Tws, &lines), *definition, "{lines}");
    assert_eq!(again(TextFormat::KPuzzle, &json), *definition, "{json}");
    for metric in [MoveMetric::Turn, MoveMetric::Quarter] {
        let Ok(operators) = definition.operators(metric) else { continue };
        for operator in operators.list.iter().take(50) {
            let turns = definition.parse_moves(&operator.name).unwrap();
            let identity = Transformation::identity(definition.orbits());
            let made = turns
                .iter()
                .fold(identity, |made, &turn| made.then(&definition.moves().transformation(turn)));
            assert_eq!(made, operator.transformation, "{}", operator.name);
        }
    }
    for goal in definition.goals() {
        let text = definition.scramble_text("s", goal);
        let file = definition.scrambles(&text, &ReadLimits::default()).unwrap();
        assert_eq!(file.scrambles[0].state, fewest_permutation::ScrambleState::Given(goal.clone()));
    }
}

/// A random change of a text: it deletes, repeats, exchanges or replaces words.
#[derive(Clone, Debug)]
enum Change {
    Delete(Index),
    Repeat(Index),
    Swap(Index, Index),
    Replace(Index, String),
    Join(Index),
    Cut(Index),
    /// Replaces a digit of a number.
    Digit(Index, u8),
    /// Exchanges two neighbouring numbers. The row is often still valid.
    Neighbours(Index),
    DeleteLine(Index),
    RepeatLine(Index),
}

fn any_change(words: &[&'static str]) -> impl Strategy<Value = Change> {
    let words: Vec<&str> = words.iter().flat_map(|line| line.split('|')).collect();
    let at = any::<Index>;
    prop_oneof![
        1 => at().prop_map(Change::Delete),
        1 => at().prop_map(Change::Repeat),
        1 => (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        1 => (at(), select(words)).prop_map(|(a, word)| Change::Replace(a, word.to_owned())),
        1 => (at(), "[0-9?']{1,3}").prop_map(|(a, word)| Change::Replace(a, word)),
        1 => at().prop_map(Change::Join),
        1 => at().prop_map(Change::Cut),
        4 => (at(), 0_u8..5).prop_map(|(i, digit)| Change::Digit(i, digit)),
        6 => at().prop_map(Change::Neighbours),
        2 => at().prop_map(Change::DeleteLine),
        2 => at().prop_map(Change::RepeatLine),
    ]
}

/// The text after some changes. It is split into words, numbers, signs and line ends.
fn changed(text: &str, changes: &[Change]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        '\n' | '"' | '{' | '}' | '[' | ']' | ',' | ':' => 2,
        c if c.is_whitespace() => 1,
        _ => 0,
    };
    for c in text.chars() {
        match parts.last_mut() {
            Some(part) if kind(c) < 2 && part.chars().all(|other| kind(other) == kind(c)) => {
                part.push(c)
            }
            _ => parts.push(c.to_string()),
        }
    }
    for change in changes {
        if parts.is_empty() {
            break;
        }
        let n = parts.len();
        match change {
            Change::Delete(i) => drop(parts.remove(i.index(n))),
            Change::Repeat(i) => parts.insert(i.index(n), parts[i.index(n)].clone()),
            Change::Swap(i, j) => parts.swap(i.index(n), j.index(n)),
            Change::Replace(i, word) => parts[i.index(n)].clone_from(word),
            Change::Join(i) => {
                let next = parts.get(i.index(n) + 1).cloned().unwrap_or_default();
                parts[i.index(n)].push_str(&next);
            }
            Change::Cut(i) => parts.truncate(i.index(n).max(n / 2)),
            Change::Digit(i, digit) => {
                if let Some(place) = nth(&parts, i, is_number) {
                    parts[place] = digit.to_string();
                }
            }
            Change::Neighbours(i) => {
                if let Some(place) = nth(&parts, i, is_number) {
                    let next = (place + 1..n).find(|&next| is_number(&parts[next]));
                    parts.swap(place, next.unwrap_or(place));
                }
            }
            Change::DeleteLine(i) | Change::RepeatLine(i) => {
                let Some(end) = nth(&parts, i, |part| part == "\n") else { continue };
                let begin =
                    parts[..end].iter().rposition(|part| part == "\n").map_or(0, |at| at + 1);
                let line: Vec<String> = parts.drain(begin..=end).collect();
                if let Change::RepeatLine(_) = change {
                    parts.splice(begin..begin, line.iter().chain(&line).cloned());
                }
            }
        }
    }
    parts.concat()
}

fn is_number(part: &str) -> bool {
    part.parse::<u32>().is_ok()
}

/// The index of a random part for which `so` is true. `None` if there is none.
fn nth(parts: &[String], index: &Index, so: impl Fn(&str) -> bool) -> Option<usize> {
    let places: Vec<usize> = (0..parts.len()).filter(|&place| so(&parts[place])).collect();
    (!places.is_empty()).then(|| places[index.index(places.len())])
}

/// Words, with `|` between them.
const WORDS: [&str; 3] = [
    "Name|Set|Solved|StartState|Move|MoveTransformation|MoveAlias|MoveSequence|NamedSequence",
    "Illegal|Ignore|Block|ForbiddenPairs|ForbiddenGroups|MoveLimits|End|MoveCost|MoveKind|Goal",
    "#|A|B|RING|CORNERS|x|y2|A2'|(|)2|?|1?2|65535|99999999999|\n| |\r|é",
];

/// Keys and signs, with `|` between them.
const KEYS: [&str; 3] = [
    "name|orbits|orbitName|numPieces|defaultPattern|moves|derivedMoves|goals|illegal|ignore",
    "blocks|pieces|orientation|orientationMod|permutation|orientationDelta|moveCosts",
    "moveLimits|{|}|[|]|,|:|\"|\\u0041|null|1.5|-1|A|A2'|y2|(A B)3|65535|é",
];

#[test]
fn lines_end_as_they_do_on_any_system() {
    let text = "Name A\rSet P 2 1\rSolved\rP\r1 2\rEnd\rMove A\rP\r2 3\rEnd\r";
    assert!(read(TextFormat::Tws, text).is_none());
    let error = Definition::from_tws(text, &LIMITS).unwrap_err();
    assert_eq!(error.place(), Some((9, 3)));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn bytes_are_no_puzzle(bytes in vec(any::<u8>(), 0..200)) {
        for kind in [TextFormat::Tws, TextFormat::KPuzzle] {
            if let Ok(definition) = Definition::read(&bytes[..], kind, &LIMITS) {
                check(&definition);
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let _ = tws(POCKET).scrambles(&text, &LIMITS);
        let _ = tws(POCKET).parse_state(&text);
    }

    #[test]
    fn changed_lines(
        base in select(&[POCKET, EVERYTHING, SHAPES][..]), changes in vec(any_change(&WORDS), 1..5),
    ) {
        if let Some(definition) = read(TextFormat::Tws, &changed(base, &changes)) {
            check(&definition);
        }
    }

    #[test]
    fn changed_json(
        base in select(&[POCKET, EVERYTHING, SHAPES][..]), changes in vec(any_change(&KEYS), 1..5),
    ) {
        let json = tws(base).to_kpuzzle();
        if let Some(definition) = read(TextFormat::KPuzzle, &changed(&json, &changes)) {
            check(&definition);
        }
    }

    #[test]
    fn changed_scrambles(changes in vec(any_change(&WORDS), 1..5)) {
        let everything = tws(EVERYTHING);
        let goal = &everything.goals()[1];
        let text = format!(
            "MaxDepth 3\nQTM\n{}ScrambleAlg b\nA (B x)2\nEnd\nCPOS {}\nMoveLimits\nA* 2\nEnd\n",
            everything.scramble_text("a", goal),
            everything.compact(goal).unwrap(),
        );
        if let Ok(file) = everything.scrambles(&changed(&text, &changes), &LIMITS) {
            for scramble in file.scrambles {
                let ScrambleState::Given(state) = scramble.state else { continue };
                prop_assert!(everything.start().same_pieces(&state).is_ok());
                prop_assert_eq!(everything.illegal_at(&state), None);
            }
        }
    }

    #[test]
    fn names_of_all_kinds(
        names in vec("[A-Cxy]{0,2}[0-9]{0,2}['*#(é]?", 1..5), amount in -5_i32..5,
    ) {
        let block = |name| format!("Move {name}\nA\n2 3 1 4\n0 1 1 0\nEnd\n");
        let moves: String = names.iter().map(block).collect();
        let sequence = |word| format!("{word}Sequence {word} ({}){amount}\n", names[0]);
        let (own, named) = (sequence("Move"), sequence("Named"));
        let text = format!("Set A 4 2\nSolved\nEnd\n{moves}{own}{named}");
        if let Some(definition) = read(TextFormat::Tws, &text) {
            check(&definition);
        }
    }
}

/// Some of the changed texts are still valid. Otherwise the tests above would test little.
#[test]
fn many_changed_texts_are_read() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (lines, keys) = (vec(any_change(&WORDS), 1..5), vec(any_change(&KEYS), 1..5));
    let mut read_of = [0; 2];
    for base in [POCKET, EVERYTHING, SHAPES] {
        let json = tws(base).to_kpuzzle();
        for _ in 0..300 {
            let changes = lines.new_tree(&mut runner).unwrap().current();
            read_of[0] += usize::from(read(TextFormat::Tws, &changed(base, &changes)).is_some());
            let changes = keys.new_tree(&mut runner).unwrap().current();
            read_of[1] +=
                usize::from(read(TextFormat::KPuzzle, &changed(&json, &changes)).is_some());
        }
    }
    assert!(read_of.iter().all(|&count| count > 40), "{read_of:?} of 900");
}

#[test]
fn unchanged_texts_are_read() {
    for base in [POCKET, EVERYTHING, SHAPES] {
        assert_eq!(changed(base, &[]), base);
        check(&form(TextFormat::Tws, base).unwrap());
        check(&form(TextFormat::KPuzzle, &tws(base).to_kpuzzle()).unwrap());
    }
}
