//! Scramble files: states as blocks, as moves, or as compact strings, and how they are to be solved.

use crate::definition::LONGEST_STATE;
use crate::definition::LimitedMoves;
use crate::definition::MoveMetric;
use crate::definition::parse;
use crate::definition::{Definition, Note};
use crate::definition::{OrbitState, PuzzleState};
use crate::error::{Complaint, DefinitionError, Hint, TextFormat, quoted};
use crate::format::input::{ReadLimits, Source};
use crate::format::tws::block::{number, read_block, state, transformation};
use crate::format::tws::lines::{Cursor, Line};
use crate::format::tws::rules::read_limit;
use std::collections::BTreeMap;

/// What a scramble file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScrambleFile {
    /// The scrambles in order.
    pub scrambles: Vec<Scramble>,
    /// `MaxDepth`: plans are at most so long.
    pub max_depth: Option<u32>,
    /// `Slack`: all plans that are at most so much longer than the shortest.
    pub slack: Option<u32>,
    /// `HTM` or `QTM`.
    pub metric: Option<MoveMetric>,
    /// `MoveLimits`, besides those of the definition.
    pub limits: BTreeMap<LimitedMoves, u32>,
    /// What the reader noticed.
    pub notes: Vec<Note>,
}

/// A state to be solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scramble {
    /// The name; `Unnamed` without one.
    pub name: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// The state.
    pub state: ScrambleState,
}

/// A state given, or left to chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScrambleState {
    /// This state.
    Given(PuzzleState),
    /// `RandomScramble`: a random one.
    Random,
}

/// The words that a line outside of blocks can begin with.
const WORDS: &str = "Scramble, ScrambleState, StartState, ScrambleAlg, CPOS, RandomScramble, MaxDepth, Slack, QTM, HTM or MoveLimits";

type Read<T> = Result<T, DefinitionError>;

impl Definition {
    /// Reads a scramble file of this puzzle.
    ///
    /// # Errors
    /// With line, column, what was found there and what was expected.
    pub fn scrambles(&self, text: &str, limits: &ReadLimits) -> Read<ScrambleFile> {
        let mut cursor = Cursor::new(Source::new(TextFormat::Scramble, text, limits)?);
        let mut budget = crate::format::input::Budget::new(limits.memory_bytes);
        let mut out = ScrambleFile::default();
        while let Some(line) = cursor.next() {
            budget.take(4 * self.orbits.slots() + 256, &cursor.source, line.at)?;
            self.scramble_line(&mut cursor, &mut out, line)?;
        }
        Ok(out)
    }

    fn scramble_line<'a>(
        &self,
        cursor: &mut Cursor<'a>,
        out: &mut ScrambleFile,
        line: Line<'a>,
    ) -> Read<()> {
        let word = line.first();
        let number_of = cursor.line_number(line.at);
        let value = |cursor: &Cursor<'_>| {
            let [_, value] = cursor.words::<2>(&line, &format!("{} and a number", word.text))?;
            number(cursor, value, "a number", 0, u32::MAX)
        };
        let state = match word.text {
            "Scramble" | "ScrambleState" | "StartState" => {
                ScrambleState::Given(self.scramble_block(cursor, out, &line, number_of)?)
            }
            "ScrambleAlg" => ScrambleState::Given(self.scramble_moves(cursor)?),
            "CPOS" => ScrambleState::Given(self.scramble_compact(cursor, &line)?),
            "RandomScramble" => ScrambleState::Random,
            "MaxDepth" => {
                out.max_depth = Some(value(cursor)?);
                return Ok(());
            }
            "Slack" => {
                out.slack = Some(value(cursor)?);
                return Ok(());
            }
            "QTM" | "HTM" => {
                cursor.words::<1>(&line, "this word")?;
                out.metric =
                    Some(if word.text == "QTM" { MoveMetric::Quarter } else { MoveMetric::Turn });
                return Ok(());
            }
            "MoveLimits" => return self.scramble_limits(cursor, out),
            found => {
                let like = WORDS.split([',', ' ']).find(|word| word.eq_ignore_ascii_case(found));
                let hint = like.map(|word| Hint::DidYouMean(word.to_owned()));
                return cursor.error(word.at, Complaint::new(quoted(found), WORDS).maybe(hint));
            }
        };
        let named = if word.text == "CPOS" { "" } else { line.after(1).text };
        if let Some(word) = line.tokens().skip(1).find(|word| word.text.starts_with('#')) {
            return cursor.error(word.at, Complaint::new(quoted(word.text), "a name"));
        }
        let name = if named.is_empty() { "Unnamed" } else { named }.to_owned();
        out.scrambles.push(Scramble { name, line: number_of, state });
        Ok(())
    }

    fn scramble_block<'a>(
        &self,
        cursor: &mut Cursor<'a>,
        out: &mut ScrambleFile,
        line: &Line<'a>,
        number_of: usize,
    ) -> Read<PuzzleState> {
        let base = u32::from(line.first().text == "Scramble");
        let block = read_block(cursor, &self.orbits)?;
        let given = state(cursor, &self.orbits, &block, base, Some(self.start()))?;
        if let Some((orbit, slot)) = self.illegal_at(&given) {
            let complaint = self.illegal_complaint(&given, orbit, slot, "a legal state");
            return cursor.error(line.at, complaint);
        }
        // A block of a Move copied into a Scramble: it is a state, but another one than was meant.
        let copied = transformation(cursor, &self.orbits, &block, true).ok().filter(|_| base == 1);
        let copied = copied.filter(|made| self.start().apply(made) != given);
        let moved =
            copied.and_then(|made| self.moves.iter().find(|one| one.transformation == made));
        if let Some(moved) = moved {
            let text = format!(
                "this is the block of the move {}, but not the state after it: {}",
                moved.name,
                Hint::ByPieceOrSlot
            );
            out.notes.push(Note { line: number_of, text });
        }
        Ok(given)
    }

    /// Moves on any number of lines up to `End`.
    fn scramble_moves(&self, cursor: &mut Cursor<'_>) -> Read<PuzzleState> {
        let mut state = self.start().clone();
        loop {
            let Some(line) = cursor.next() else {
                let complaint = Complaint::new("the end of the file", "moves, or End");
                return cursor.error(cursor.end(), complaint.hint(Hint::EndMissing));
            };
            if line.first().text == "End" {
                cursor.words::<1>(&line, "End")?;
                return Ok(state);
            }
            let turns = parse(&self.names, line.text, LONGEST_STATE);
            let turns = turns.or_else(|(at, complaint)| cursor.error(line.at + at, complaint))?;
            for turn in turns {
                let after = self.after(&state, turn);
                state = after.or_else(|complaint| cursor.error(line.at, complaint))?;
            }
        }
    }

    fn scramble_limits(&self, cursor: &mut Cursor<'_>, out: &mut ScrambleFile) -> Read<()> {
        loop {
            let Some(line) = cursor.next() else {
                let complaint = Complaint::new("the end of the file", "a limit, or End");
                return cursor.error(cursor.end(), complaint.hint(Hint::EndMissing));
            };
            if line.first().text == "End" {
                return cursor.words::<1>(&line, "End").map(drop);
            }
            let (limited, most) = read_limit(cursor, self, &line)?;
            out.limits.insert(limited, most);
        }
    }

    fn scramble_compact(&self, cursor: &Cursor<'_>, line: &Line<'_>) -> Read<PuzzleState> {
        let [_, digits] = cursor.words::<2>(line, "CPOS and a string of digits and letters")?;
        let state = self.parse_compact(digits.text);
        let state = state.or_else(|(at, complaint)| cursor.error(digits.at + at, complaint))?;
        match self.illegal_at(&state) {
            None => Ok(state),
            Some((orbit, slot)) => {
                let complaint = self.illegal_complaint(&state, orbit, slot, "a legal state");
                cursor.error(digits.at, complaint)
            }
        }
    }

    /// A state as a Scramble block, which [`Definition::scrambles`] reads.
    pub fn scramble_text(&self, name: &str, state: &PuzzleState) -> String {
        let mut out = String::new();
        self.write_state(&mut out, format!("Scramble {name}").trim_end(), state);
        out
    }

    /// Digits that a slot of an orbit takes in the compact form: enough for its pieces times their orientations.
    fn compact_width(&self, orbit: usize) -> u32 {
        let states = self
            .orbits
            .get(orbit)
            .map_or(0, |orbit| orbit.pieces() * usize::from(orbit.orientations()));
        let mut width = 1;
        while 62_usize.pow(width) < states {
            width += 1;
        }
        width
    }

    /// The numbers of the pieces of an orbit, each once, ascending: the compact form counts among these.
    fn kinds(&self, orbit: usize) -> Vec<u16> {
        let mut kinds = self.start().pieces(orbit).to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The state as a compact string: for each slot its piece times the orientations plus its orientation, in a digit of
    /// `0-9 A-Z a-z`, or as many as the numbers of its orbit need, the highest one first. `None` if the state has pieces that the solved state has not.
    pub fn compact(&self, state: &PuzzleState) -> Option<String> {
        let mut out = String::new();
        for (index, orbit) in self.orbits.iter().enumerate() {
            let (width, kinds) = (self.compact_width(index), self.kinds(index));
            for (piece, &turn) in state.pieces(index).iter().zip(state.orientation(index)) {
                let kind = kinds.binary_search(piece).ok()?;
                let value = kind * usize::from(orbit.orientations()) + usize::from(turn);
                let digits = (0..width).rev().map(|place| value / 62_usize.pow(place) % 62);
                out.extend(digits.filter_map(digit));
            }
        }
        Some(out)
    }

    /// Reads a state as a compact string.
    pub(crate) fn parse_compact(&self, text: &str) -> Result<PuzzleState, (usize, Complaint)> {
        let mut values = text.char_indices();
        let mut rows = Vec::new();
        for (index, orbit) in self.orbits.iter().enumerate() {
            let width = self.compact_width(index);
            let kinds = self.kinds(index);
            let moduli: BTreeMap<_, _> =
                self.start().pieces(index).iter().zip(self.start().modulus(index)).collect();
            let mut row = OrbitState::default();
            for _ in 0..orbit.pieces() {
                let (mut value, mut begin) = (0, text.len());
                for place in 0..width {
                    let (at, c) = values.next().unwrap_or((text.len(), ' '));
                    begin = if place == 0 { at } else { begin };
                    value =
                        value * 62 + digit_value(c).ok_or_else(|| self.compact_error(text, at))?;
                }
                let n = usize::from(orbit.orientations());
                let Some(&piece) = kinds.get(value / n) else {
                    let found = quoted(&text[begin..begin + width as usize]);
                    let expected = format!("a value below {}", kinds.len() * n);
                    return Err((begin, Complaint::new(found, expected)));
                };
                let modulus = moduli.get(&piece).map_or(0, |&&modulus| modulus);
                let turn = u8::try_from(value % n).unwrap_or(0);
                row.pieces.push(piece);
                row.modulus.push(modulus);
                row.orientation.push(if modulus == 0 { turn } else { turn % modulus });
            }
            rows.push(row);
        }
        if let Some((at, _)) = values.next() {
            return Err((at, Complaint::new(quoted(&text[at..]), "the end of the line")));
        }
        let state = PuzzleState::new(&self.orbits, rows).map_err(|complaint| (0, complaint))?;
        self.start().same_pieces(&state).map_err(|(_, _, complaint)| (0, complaint))?;
        Ok(state)
    }

    fn compact_error(&self, text: &str, at: usize) -> (usize, Complaint) {
        let width = |orbit| self.orbits.range(orbit).len() * self.compact_width(orbit) as usize;
        let length: usize = (0..self.orbits.len()).map(width).sum();
        let found = match text[at..].chars().next() {
            Some(c) => quoted(c.encode_utf8(&mut [0; 4])),
            None => format!("the end after {} digits", text.len()),
        };
        (at, Complaint::new(found, format!("{length} digits of 0-9 A-Z a-z")))
    }
}

const DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn digit(value: usize) -> Option<char> {
    DIGITS.chars().nth(value)
}

fn digit_value(c: char) -> Option<usize> {
    DIGITS.chars().position(|digit| digit == c)
}
