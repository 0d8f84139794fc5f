//! Errors about every kind of malformed definition: the place, what was found, what was expected,
//! and the hint.

use crate::puzzles::form;
use fewest_permutation::{DefinitionError, TextFormat};

/// Malformed lines and words. A section begins with a line `== NAME`. A case is a text, and then a
/// line with `> ` and the beginning of the complaint. The `@` in the text marks the place to which
/// the complaint must point.
const TWS: &str = include_str!("../malformed/tws.txt");

/// Malformed JSON, in sections and cases as [`TWS`]. The text of a case replaces one of [`LINES`].
const KPUZZLE: &str = include_str!("../malformed/kpuzzle.txt");

const HEAD: &str = "Name T\nSet A 3 2\nSet B 2 1\nSolved\nA\n1 2 3\n0 0 0\nEnd\n";
const MOVES: &str = "Move M\nA\n2 3 1\n1 0 1\nEnd\nMove N\nB\n2 1\nEnd\n";

/// A valid definition with one line for each key.
const LINES: [&str; 5] = [
    r#""name":"T","#,
    r#""orbits":[{"orbitName":"A","numPieces":3,"numOrientations":2}],"#,
    r#""defaultPattern":{"A":{"pieces":[0,1,2],"orientation":[0,0,0]}},"#,
    r#""moves":{"M":{"A":{"permutation":[1,2,0],"orientationDelta":[1,0,1]}}}"#,
    "",
];

/// The valid definition with another line at a place.
fn puzzle(line: usize, replaced: &str) -> String {
    let mut lines = LINES;
    lines[line] = replaced;
    format!("{{\n{}\n}}", lines.join("\n"))
}

/// Checks the error about a text with a mark.
fn check(marked: &str, complaint: &str, read: impl Fn(&str) -> DefinitionError) {
    let at = marked.find('@').expect("a mark");
    let text = marked.replacen('@', "", 1);
    let error = read(&text);
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    assert_eq!(error.place(), Some((line, column)), "{marked}\n{error}");
    let found = error.complaint().expect("a complaint").to_string();
    assert!(found.starts_with(complaint), "{marked}\nfound:    {found}\nexpected: {complaint}");
}

/// Checks all cases of a section of [`TWS`] or [`KPUZZLE`]. `whole` makes a whole text of that of a
/// case.
fn check_cases(kind: TextFormat, section: &str, whole: impl Fn(&str) -> String) {
    let all = if kind == TextFormat::Tws { TWS } else { KPUZZLE };
    let read = |text: &str| form(kind, text).expect_err(text);
    for (text, complaint) in cases(all, section) {
        check(&whole(&text), complaint, read);
    }
}

/// Checks the errors about the texts of a section of [`TWS`].
pub(crate) fn check_section(section: &str, read: impl Fn(&str) -> DefinitionError) {
    for (text, complaint) in cases(TWS, section) {
        check(&text, complaint, &read);
    }
}

/// The texts and complaints of a section.
fn cases<'a>(all: &'a str, section: &str) -> Vec<(String, &'a str)> {
    let (_, lines) = all.split_once(&format!("== {section}\n")).expect("a section");
    let (mut text, mut cases) = (Vec::new(), Vec::new());
    for line in lines.split_terminator('\n').take_while(|line| !line.starts_with("== ")) {
        match line.strip_prefix("> ") {
            Some(complaint) => cases.push((std::mem::take(&mut text).join("\n"), complaint)),
            None => text.push(line),
        }
    }
    assert!(cases.len() > 2 && text.is_empty(), "{section}");
    cases
}

#[test]
fn the_texts_without_errors_are_read() {
    form(TextFormat::Tws, &format!("{HEAD}{MOVES}")).unwrap();
    form(TextFormat::KPuzzle, &puzzle(4, "")).unwrap();
}

#[test]
fn lines_and_words() {
    check_cases(TextFormat::Tws, "heads", str::to_owned);
    let solved = |block: &str| format!("Set A 3 2\nSet B 2 1\nSolved\n{block}");
    check_cases(TextFormat::Tws, "states", solved);
    check_cases(TextFormat::Tws, "moves", |tail| format!("{HEAD}{tail}"));
    for section in ["derived_moves", "rules"] {
        check_cases(TextFormat::Tws, section, |tail| format!("{HEAD}{MOVES}{tail}"));
    }
    check_cases(TextFormat::Tws, "whole", str::to_owned);
    let blank = "Name \u{a0}x\nSet A 3 2\nSolved\nEnd";
    assert!(form(TextFormat::Tws, blank).is_err());
}

#[test]
fn json() {
    for (line, section) in ["name", "orbits", "states", "moves", "rest"].iter().enumerate() {
        check_cases(TextFormat::KPuzzle, section, |replaced| puzzle(line, replaced));
    }
}

#[test]
fn what_is_no_puzzle_at_all() {
    for (text, complaint) in [
        ("[]", "line 1, column 1: found a list of 0, expected an object: a puzzle"),
        ("{}", "found a puzzle without the key `name`"),
        ("", "found the end of the file, expected a value"),
        ("Name X", "found `Name`, expected a value"),
    ] {
        let error = form(TextFormat::KPuzzle, text).expect_err(text).to_string();
        assert!(error.contains(complaint), "{error}");
    }
}
