//! Reading a definition in whichever form, and what both readers check alike.

use crate::definition::Definition;
use crate::definition::Orbit;
use crate::definition::Written;
use crate::definition::parse;
use crate::definition::{IgnoredSlots, LimitedMoves, PieceBlock};
use crate::definition::{MoveRef, Turn};
use crate::error::{Complaint, DefinitionError, Hint, TextFormat, quoted};
use crate::format::input::{Budget, ReadLimits, Source, read_text};
use crate::format::kpuzzle::read_kpuzzle;
use crate::format::tws::read_tws;
use std::io::Read;

impl Definition {
    /// Reads a definition from a file or another source.
    ///
    /// # Errors
    /// If it cannot be read, is longer than allowed, no text, or no definition; with line and column.
    pub fn read(
        source: impl Read,
        form: TextFormat,
        limits: &ReadLimits,
    ) -> Result<Self, DefinitionError> {
        let text = read_text(source, form, limits)?;
        match form {
            TextFormat::KPuzzle => Self::from_kpuzzle(&text, limits),
            _ => Self::from_tws(&text, limits),
        }
    }

    /// Reads a definition of lines and words, as in `.tws` and `.def` files.
    ///
    /// # Errors
    /// With line, column, what was found there and what was expected.
    pub fn from_tws(text: &str, limits: &ReadLimits) -> Result<Self, DefinitionError> {
        read_tws(&Source::new(TextFormat::Tws, text, limits)?)
    }

    /// Reads a definition in KPuzzle JSON.
    ///
    /// # Errors
    /// With line, column, what was found there and what was expected.
    pub fn from_kpuzzle(text: &str, limits: &ReadLimits) -> Result<Self, DefinitionError> {
        read_kpuzzle(&Source::new(TextFormat::KPuzzle, text, limits)?)
    }
}

/// A derived move with its places in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub(crate) written: Written<'a>,
    /// Where the name is.
    pub(crate) name_at: usize,
    /// Where the text is, and whether places in the text are places in the source.
    pub(crate) text_at: usize,
    pub(crate) literal: bool,
}

/// Adds derived moves and checks all names.
pub(crate) fn finish(
    definition: &mut Definition,
    derived: &[Placed<'_>],
    moves_at: &[usize],
    end: usize,
    source: &Source<'_>,
    budget: &mut Budget,
) -> Result<(), DefinitionError> {
    let written: Vec<Written<'_>> = derived.iter().map(|placed| placed.written).collect();
    let slots = definition.orbits.slots();
    let mut spent = Ok(());
    let added = definition.add_written(&written, &mut |index, turns| {
        spent = budget.take(3 * slots + 16 * turns + 256, source, derived[index].text_at);
        spent.is_ok()
    });
    spent?;
    added.map_err(|(index, at, complaint)| {
        let placed = &derived[index];
        let at = match at {
            Some(at) if placed.literal => placed.text_at + at,
            Some(_) => placed.text_at,
            None => placed.name_at,
        };
        source.error(at, complaint)
    })?;
    definition.check_moves().map_err(|(of, complaint)| {
        let at = match of {
            Some(MoveRef::Base(index)) => moves_at.get(index).copied(),
            Some(MoveRef::Derived(index)) => derived.get(index).map(|placed| placed.name_at),
            None => None,
        };
        source.error(at.unwrap_or(end), complaint)
    })
}

/// The complaint about a number that is out of its range: with the trap of counting from 0 or 1 if it is off by one.
pub(crate) fn out_of_range(found: &str, what: &str, least: u32, most: u32) -> Complaint {
    let complaint = Complaint::new(quoted(found), format!("{what} from {least} to {most}"));
    let counted = least <= 1 && !what.contains("orientation");
    let off = |number: u32| counted && (number < least || number == most.saturating_add(1));
    match found.parse() {
        Ok(number) if off(number) => complaint.hint(Hint::CountsFrom),
        _ => complaint,
    }
}

/// What a value of an orientation may be.
pub(crate) fn orientation_range(orbit: &Orbit) -> (u32, u32) {
    (0, u32::from(orbit.orientations()) - 1)
}

impl Definition {
    /// One turn as text.
    pub(crate) fn parse_turn(&self, text: &str) -> Result<Turn, Complaint> {
        match parse(&self.names, text, 2).map_err(|(_, complaint)| complaint)?.as_slice() {
            [turn] => Ok(*turn),
            _ => Err(Complaint::new(quoted(text), "one move, with a number or ' after it")),
        }
    }

    /// What a limit counts: a turn, or `F*` for all turns of F.
    pub(crate) fn parse_limited(&self, text: &str) -> Result<LimitedMoves, Complaint> {
        match text.strip_suffix('*') {
            Some(name) => match self.find(name) {
                Some(of) => Ok(LimitedMoves::All(of)),
                None => {
                    self.parse_turn(name).and(Err(Complaint::new(quoted(text), "a name and *")))
                }
            },
            None => self.parse_turn(text).map(LimitedMoves::Turn),
        }
    }

    /// The text of what a limit counts.
    pub(crate) fn limited_text(&self, limited: LimitedMoves) -> String {
        match limited {
            LimitedMoves::Turn(turn) => self.turn_text(turn),
            LimitedMoves::All(of) => format!("{}*", self.name_of(of)),
        }
    }

    /// Sets what the goal does not ask about; nothing if no slot is ignored.
    pub(crate) fn set_ignore(&mut self, ignore: IgnoredSlots) {
        let any = ignore.pieces.iter().chain(&ignore.orientation).any(|&flag| flag);
        self.rules.ignore = any.then_some(ignore);
    }

    /// Forbids pieces in a slot; the goals stay legal.
    pub(crate) fn add_illegal(
        &mut self,
        orbit: usize,
        slot: usize,
        pieces: &[u16],
    ) -> Result<(), Complaint> {
        for goal in &self.goals {
            if pieces.contains(&goal.pieces(orbit)[slot]) {
                let expected = "pieces that are not there in a goal";
                return Err(self.illegal_complaint(goal, orbit, slot, expected));
            }
        }
        self.rules.forbid_in(orbit, slot, pieces);
        Ok(())
    }

    /// Whether an orbit has a piece of this number; once only if it is to be told from others.
    pub(crate) fn known_piece(
        &self,
        orbit: usize,
        piece: u16,
        once: bool,
    ) -> Result<(), &'static str> {
        match self.counts.get(&(orbit, piece)).copied().unwrap_or(0) {
            0 => Err("a piece of the solved state"),
            2.. if once => Err("a piece that no other looks like"),
            _ => Ok(()),
        }
    }

    /// Ties pieces together.
    pub(crate) fn add_block(&mut self, mut pieces: Vec<(usize, u16)>) -> Result<(), Complaint> {
        pieces.sort_unstable();
        pieces.dedup();
        if pieces.len() < 2 {
            return Err(Complaint::new("a block of fewer than two pieces", "two or more"));
        }
        self.rules.blocks.insert(PieceBlock { pieces });
        Ok(())
    }

    /// Forbids all turns of a group to follow one another.
    pub(crate) fn add_forbidden_group(&mut self, group: &[Turn]) -> Result<(), Complaint> {
        const MOST: usize = 1 << 20;
        if self.rules.forbidden.len() + group.len() * group.len() > MOST {
            let found = format!("a group of {} moves", group.len());
            return Err(Complaint::new(found, format!("at most {MOST} forbidden pairs in all")));
        }
        for &first in group {
            let others = group.iter().filter(|&&second| second != first);
            self.rules.forbidden.extend(others.map(|&second| (first, second)));
        }
        Ok(())
    }
}
