//! Scramble files: states as blocks, moves or compact strings, and options for the search.

use super::compact::parse_compact;
use super::input::Source;
use super::tws::block::{number, read_block, state, transformation};
use super::tws::lines::{Cursor, Line};
use super::tws::rules::read_limit;
use crate::definition::{
    Definition, LONGEST_STATE, LimitedMoves, MoveMetric, Note, PuzzleState, Turn, parse_placed,
};
use crate::error::{Complaint, DefinitionError, Hint, quoted};
use std::collections::BTreeMap;

/// The contents of a scramble file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ScrambleFile {
    /// The scrambles in order.
    pub scrambles: Vec<Scramble>,
    /// `MoveLimits`: limits in addition to those of the definition.
    pub limits: BTreeMap<LimitedMoves, u32>,
    /// Notes to the user about things that are no errors.
    pub notes: Vec<Note>,
}

/// A state to solve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scramble {
    /// The name of the scramble. `Unnamed` if the file gives none.
    pub name: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// The state.
    pub state: ScrambleState,
    /// The moves that lead to it from the solved state. Empty if the file gives no moves.
    pub turns: Vec<Turn>,
    /// The commands that stand before it.
    pub commands: Commands,
}

/// The commands that rule a scramble: of each kind the last one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Commands {
    /// `MaxDepth`: the greatest length of a plan.
    pub max_depth: Option<u32>,
    /// `Slack`: by how much plans may be longer than the shortest.
    pub slack: Option<u32>,
    /// `HTM` or `QTM`: the metric, and the line that says so, from 1.
    pub metric: Option<(MoveMetric, usize)>,
}

/// A given state, or a random one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScrambleState {
    /// The state itself.
    Given(PuzzleState),
    /// `RandomScramble`: the program chooses a random state.
    Random,
}

/// The words that a line outside of blocks can begin with.
const WORDS: &str = "Scramble, ScrambleState, StartState, ScrambleAlg, CPOS, RandomScramble, \
                     MaxDepth, Slack, QTM, HTM or MoveLimits";

type Read<T> = Result<T, DefinitionError>;

/// Implements [`Definition::scrambles`].
pub(super) fn read_scrambles(definition: &Definition, source: &Source<'_>) -> Read<ScrambleFile> {
    let (commands, out) = (Commands::default(), ScrambleFile::default());
    let mut reader = Reader { definition, cursor: Cursor::new(source), commands, out };
    while let Some(line) = reader.cursor.next() {
        source.charge(4 * definition.orbits().slots() + 256, line.at)?;
        reader.line(line)?;
    }
    Ok(reader.out)
}

struct Reader<'a> {
    definition: &'a Definition,
    cursor: Cursor<'a>,
    commands: Commands,
    out: ScrambleFile,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: Line<'a>) -> Read<()> {
        let word = line.first();
        let number_of = self.cursor.line_number(line.at);
        let mut turns = Vec::new();
        let state = match word.text {
            "Scramble" | "ScrambleState" | "StartState" => {
                ScrambleState::Given(self.block(&line, number_of)?)
            }
            "ScrambleAlg" => ScrambleState::Given(self.moves(&mut turns)?),
            "CPOS" => ScrambleState::Given(self.compact(&line)?),
            "RandomScramble" => {
                // Other programs end it as a block.
                if self.cursor.peek().is_some_and(|line| line.text == "End") {
                    self.cursor.next();
                }
                ScrambleState::Random
            }
            "MaxDepth" => {
                self.commands.max_depth = Some(self.value(&line)?);
                return Ok(());
            }
            "Slack" => {
                self.commands.slack = Some(self.value(&line)?);
                return Ok(());
            }
            "QTM" | "HTM" => {
                self.cursor.words::<1>(&line, "this word")?;
                let quarter = word.text == "QTM";
                let metric = if quarter { MoveMetric::Quarter } else { MoveMetric::Turn };
                self.commands.metric = Some((metric, number_of));
                return Ok(());
            }
            "MoveLimits" => return self.limits(),
            found => {
                let like = WORDS.split([',', ' ']).find(|word| word.eq_ignore_ascii_case(found));
                let hint = like.map(|word| Hint::DidYouMean(word.to_owned()));
                let complaint = Complaint::new(quoted(found), WORDS).maybe(hint);
                return self.cursor.error(word.at, complaint);
            }
        };
        let named = if word.text == "CPOS" { "" } else { line.after(1).text };
        if let Some(word) = line.tokens().skip(1).find(|word| word.text.starts_with('#')) {
            return self.cursor.error(word.at, Complaint::new(quoted(word.text), "a name"));
        }
        let name = if named.is_empty() { "Unnamed" } else { named }.to_owned();
        let commands = self.commands;
        self.out.scrambles.push(Scramble { name, line: number_of, state, turns, commands });
        Ok(())
    }

    /// Reads the number after the first word of a line.
    fn value(&self, line: &Line<'a>) -> Read<u32> {
        let shape = format!("{} and a number", line.first().text);
        let [_, value] = self.cursor.words::<2>(line, &shape)?;
        number(&self.cursor, value, "a number", 0, u32::MAX)
    }

    fn block(&mut self, line: &Line<'a>, number_of: usize) -> Read<PuzzleState> {
        let base = u32::from(line.first().text == "Scramble");
        let (orbits, solved) = (self.definition.orbits(), self.definition.start());
        let block = read_block(&mut self.cursor, orbits)?;
        let given = state(&self.cursor, orbits, &block, base, Some(solved))?;
        self.check_legal(&given, line.at)?;
        // Users copy the block of a Move under the word Scramble. It is read as a state, but not
        // as the state after the move.
        let copied = transformation(&self.cursor, orbits, &block, true);
        let copied = copied.ok().filter(|made| base == 1 && solved.apply(made) != given);
        let base = self.definition.moves().base();
        let moved = copied.and_then(|made| base.iter().find(|one| one.transformation == made));
        if let Some(moved) = moved {
            let text = format!(
                "this is the block of the move {}, but not the state after it: {}",
                moved.name,
                Hint::ByPieceOrSlot
            );
            self.out.notes.push(Note { line: number_of, text });
        }
        Ok(given)
    }

    /// Reads moves on any number of lines up to `End`, and adds them to `all`.
    fn moves(&mut self, all: &mut Vec<Turn>) -> Read<PuzzleState> {
        let mut state = self.definition.start().clone();
        while let Some(line) = self.cursor.next_before_end("moves, or End")? {
            let turns = parse_placed(&self.definition.moves().names, line.text, LONGEST_STATE);
            let turns =
                turns.or_else(|(at, complaint)| self.cursor.error(line.at + at, complaint))?;
            for (turn, at) in turns {
                let after = self.definition.after(&state, turn);
                state = after.or_else(|complaint| self.cursor.error(line.at + at, complaint))?;
                all.push(turn);
            }
        }
        Ok(state)
    }

    fn limits(&mut self) -> Read<()> {
        while let Some(line) = self.cursor.next_before_end("a limit, or End")? {
            let (limited, most) = read_limit(&self.cursor, self.definition, &line)?;
            self.out.limits.insert(limited, most);
        }
        Ok(())
    }

    fn compact(&self, line: &Line<'a>) -> Read<PuzzleState> {
        let shape = "CPOS and a string of digits and letters";
        let [_, digits] = self.cursor.words::<2>(line, shape)?;
        let state = parse_compact(self.definition, digits.text);
        let state =
            state.or_else(|(at, complaint)| self.cursor.error(digits.at + at, complaint))?;
        self.check_legal(&state, digits.at)?;
        Ok(state)
    }

    fn check_legal(&self, state: &PuzzleState, at: usize) -> Read<()> {
        let Some((orbit, slot)) = self.definition.illegal_at(state) else { return Ok(()) };
        let complaint = self.definition.illegal_complaint(state, orbit, slot, "a legal state");
        self.cursor.error(at, complaint)
    }
}
