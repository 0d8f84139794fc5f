//! `fewest convert`: definitions and states in the other format.

use super::ctrl_c::{Interrupt, at_once};
use super::files::write_whole;
use super::options::Parts;
use super::states::states;
use super::verbs::{Convert, Target};
use fewest::permutation::StickerPuzzle;
use fewest::{Defined, InvalidInput, TextForm, definition};
use fewest_terminal::{Error, Exit, note};
use std::fmt::Display;
use std::io::{Read, Write};
use std::path::Path;

/// Most bytes of a definition on standard input.
const LONGEST: u64 = 64 << 20;

pub(super) fn run(verb: &Convert, interrupt: &Interrupt) -> Result<Exit, Error> {
    let (text, exit) = match &verb.puzzle {
        None if verb.stickers.are_given => of_stickers(verb)?,
        None => (of_definition(verb)?, Exit::Done),
        Some(puzzle) => of_states(verb, puzzle, interrupt)?,
    };
    match &verb.output {
        Some(path) => write_whole(path, &text).map_err(|error| wrong(path.display(), error))?,
        None => std::io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(exit)
}

fn wrong(place: impl Display, error: impl Display) -> Error {
    Error::refused(format_args!("{place}: {error}"))
}

fn form_of(target: Target) -> TextForm {
    match target {
        Target::Tws => TextForm::Words,
        Target::Kpuzzle => TextForm::Json,
        Target::Line => TextForm::Line,
    }
}

/// The definition with this name, or that on standard input.
fn read_definition(name: &str) -> Result<Box<dyn Defined>, Error> {
    // A name has no line end, so the line end marks the text as a definition.
    let text = if name == "-" { text_of(Path::new(name))? + "\n" } else { name.to_owned() };
    let found = at_once(|| definition(&text)).ok_or_else(|| {
        let expected = "no definition: expected a file (.tws, .def, .json), or a name that \
                        `fewest puzzles` lists; states need --puzzle";
        wrong(name, expected)
    })?;
    Ok(found?)
}

/// A definition in the format that was asked for, or in the other one.
fn of_definition(verb: &Convert) -> Result<String, Error> {
    let definition = read_definition(&verb.input)?;
    let other = if definition.is_json() { TextForm::Words } else { TextForm::Json };
    written(&*definition, verb.to.map_or(other, form_of))
}

fn written(definition: &dyn Defined, form: TextForm) -> Result<String, Error> {
    let what = match form {
        TextForm::Line => {
            return Err(Error::refused(
                "a definition takes several lines: expected tws or kpuzzle",
            ));
        }
        TextForm::Json => "keys",
        _ => "words",
    };
    let (text, own) = definition.written(form);
    if !own.is_empty() {
        note(format_args!("{what} that other programs may not read: {}", own.join(", ")));
    }
    Ok(text)
}

/// The text of a file, or of standard input for `-`.
fn text_of(name: &Path) -> Result<String, Error> {
    let is_input = name == Path::new("-");
    let place = if is_input { "standard input".into() } else { name.to_string_lossy() };
    let text = if is_input {
        std::io::read_to_string(std::io::stdin().lock().take(LONGEST + 1))
    } else {
        std::fs::File::open(name).and_then(|file| std::io::read_to_string(file.take(LONGEST + 1)))
    };
    let text = text.map_err(|error| wrong(&place, error))?;
    if text.len() as u64 > LONGEST {
        let expected = format_args!("more than {LONGEST} bytes, expected at most that many");
        return Err(wrong(&place, expected));
    }
    Ok(text)
}

/// A puzzle whose moves are index arrays over stickers, as a definition, or rows of its stickers as
/// states of that definition.
fn of_stickers(verb: &Convert) -> Result<(String, Exit), Error> {
    let (given, input) = (&verb.stickers, Path::new(&verb.input));
    let puzzle =
        StickerPuzzle::read(&text_of(input)?, given.part.as_deref(), given.solved.as_deref())
            .map_err(|error| wrong(input.display(), error))?;
    let stem = || input.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = given.part.clone().or_else(stem).unwrap_or_default();
    let own = puzzle.definition(&name).map_err(|error| wrong(input.display(), error))?;
    let definition = definition(&own.to_tws())
        .ok_or_else(|| wrong(input.display(), "no definition came of it"))??;
    let Some(rows) = &given.rows else {
        let text = written(&*definition, verb.to.map_or(TextForm::Words, form_of))?;
        return Ok((text, Exit::Done));
    };
    let form = verb.to.map_or(TextForm::Line, form_of);
    let (mut text, mut exit, mut number) = (String::new(), Exit::Done, 1);
    let rows = text_of(rows)?;
    let rows = (1..).zip(rows.lines());
    for (line, row) in rows.filter(|(_, row)| !row.trim().is_empty() && !row.starts_with('#')) {
        match puzzle.state(&own, row) {
            Ok(state) => {
                let converted = definition.convert(&own.to_pattern(&state), false, (form, number));
                let converted = converted.map_err(|error| wrong(format!("line {line}"), error))?;
                text += &converted.text;
                number += converted.states;
            }
            Err(refused) => {
                note(format_args!("fewest: line {line}: {refused}"));
                exit = Exit::Refused;
            }
        }
    }
    Ok((text, exit))
}

/// States in the format that was asked for.
fn of_states(verb: &Convert, puzzle: &str, interrupt: &Interrupt) -> Result<(String, Exit), Error> {
    let definition = read_definition(puzzle)?;
    let reader = Parts::default().configure(puzzle)?;
    let (mut text, mut exit) = (String::new(), Exit::Done);
    let file = Path::new(&verb.input);
    let is_file = verb.input == "-" || file.is_file();
    let state = if is_file { Vec::new() } else { vec![verb.input.clone()] };
    let mut all = states(&state, is_file.then_some(file), &*reader)?;
    let mut number = 1;
    while let Some(given) = interrupt.read(exit, || all.next()) {
        let given = given?;
        let is_json = given.text.trim_start().starts_with('{');
        let other = if is_json { TextForm::Line } else { TextForm::Json };
        let form = verb.to.map_or(other, form_of);
        let converted = match &given.wrong {
            Some(wrong) => Err(InvalidInput::new(wrong)),
            None => definition.convert(&given.text, given.whole, (form, number)),
        };
        match converted {
            Ok(converted) => {
                converted.notes.iter().for_each(note);
                text += &converted.text;
                number += converted.states;
            }
            Err(refused) => {
                note(format_args!("fewest: {}{refused}", given.place()));
                exit = Exit::Refused;
            }
        }
    }
    Ok((text, exit))
}
