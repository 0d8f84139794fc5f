//! The definition of a permutation puzzle: orbits, goals, moves, derived moves and rules.

mod apply;
mod derived;
mod move_rules;
mod names;
mod notation;
mod operators;
mod orbits;
mod rules;
mod state;
mod transformation;

pub use move_rules::DuplicatePair;
pub use names::{MoveRef, Turn, is_rotation_name};
pub use operators::{MoveMetric, Operator, Operators};
pub use orbits::{LONGEST_NAME, MOST_ORIENTATIONS, MOST_SLOTS, Orbit, Orbits};
pub use rules::{IgnoredSlots, IllegalPieces, LimitedMoves, PieceBlock, Rules};
pub use state::{LARGEST_PIECE, OrbitState, PuzzleState};
pub use transformation::{OrbitTransformation, Transformation};

pub(crate) use apply::LONGEST_STATE;
pub(crate) use derived::Written;
pub(crate) use notation::parse;
pub(crate) use state::check;
pub(crate) use transformation::first_repeated;

use crate::error::{Complaint, Hint, quoted};
use names::{Names, powers_of};
use orbits::check_name;
use search::Cost;
use std::collections::HashMap;

/// Whether a move is made in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// It is.
    Turn,
    /// It turns the whole puzzle: never made by a search.
    Rotation,
}

impl MoveKind {
    /// The kind that a name says, unless the definition says otherwise.
    pub fn of_name(name: &str) -> Self {
        if is_rotation_name(name) { Self::Rotation } else { Self::Turn }
    }
}

/// A move of a definition; its powers are derived from it.
#[derive(Clone, Debug)]
pub struct BaseMove {
    /// The name, without an amount.
    pub name: String,
    /// What it does.
    pub transformation: Transformation,
    /// What one turn costs: any power in the turn metric, M or M' in the quarter metric. [default: 1]
    pub cost: Cost,
    /// Whether a search makes it.
    pub kind: MoveKind,
    /// The line of its file, from 1; 0 without a file. Not part of equality.
    pub line: usize,
}

impl PartialEq for BaseMove {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, transformation, cost, kind, line: _ } = self;
        *name == other.name
            && *transformation == other.transformation
            && (*cost, *kind) == (other.cost, other.kind)
    }
}

impl Eq for BaseMove {}

/// A name for other moves one after another. It is read in states, and not made by a search unless asked for.
#[derive(Clone, Debug)]
pub struct DerivedMove {
    /// The name.
    pub name: String,
    /// The moves it stands for, at least one.
    pub turns: Vec<Turn>,
    /// What they do.
    pub transformation: Transformation,
    /// The line of its file, from 1; 0 without a file. Not part of equality.
    pub line: usize,
}

impl PartialEq for DerivedMove {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, turns, transformation, line: _ } = self;
        (name, turns) == (&other.name, &other.turns) && *transformation == other.transformation
    }
}

impl Eq for DerivedMove {}

/// What a reader wants to say that is no error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The line of the file, from 1; 0 without one.
    pub line: usize,
    /// What, as a sentence without a full stop.
    pub text: String,
}

/// A permutation puzzle as its file defines it. Definitions are equal if they say the same; lines and notes do not count.
#[derive(Clone, Debug)]
pub struct Definition {
    pub(crate) name: String,
    pub(crate) orbits: Orbits,
    /// The solved state first.
    pub(crate) goals: Vec<PuzzleState>,
    pub(crate) moves: Vec<BaseMove>,
    pub(crate) derived: Vec<DerivedMove>,
    pub(crate) names: Names,
    pub(crate) rules: Rules,
    pub(crate) notes: Vec<Note>,
    /// How often the solved state has a piece, by orbit and number.
    pub(crate) counts: HashMap<(usize, u16), usize>,
}

/// Goal states, at the most.
const MOST_GOALS: usize = 1000;

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, orbits, goals, moves, derived, names, rules, notes: _, counts: _ } = self;
        *name == other.name
            && *orbits == other.orbits
            && *goals == other.goals
            && *moves == other.moves
            && *derived == other.derived
            && *names == other.names
            && *rules == other.rules
    }
}

impl Eq for Definition {}

impl Definition {
    /// A puzzle without moves.
    ///
    /// # Errors
    /// If the name is empty, longer than 1000 bytes, has control characters, blanks at an end or a word that begins with `#`; or the state is
    /// of other orbits.
    pub fn new(name: &str, orbits: &Orbits, solved: PuzzleState) -> Result<Self, Complaint> {
        let odd = name.contains(char::is_control) || name.starts_with('#') || name.contains(" #");
        if name.is_empty() || name.trim() != name || name.len() > 1000 || odd {
            let expected = "a name of 1 to 1000 bytes without control characters, blanks at its ends, or words that begin with #";
            return Err(Complaint::new(quoted(name), expected));
        }
        if solved.orbits() != orbits {
            return Err(Complaint::new("a state of other orbits", "one of the same"));
        }
        let mut counts = HashMap::new();
        for orbit in 0..orbits.len() {
            solved
                .pieces(orbit)
                .iter()
                .for_each(|&piece| *counts.entry((orbit, piece)).or_default() += 1);
        }
        Ok(Self {
            name: name.to_owned(),
            orbits: orbits.clone(),
            goals: vec![solved],
            moves: Vec::new(),
            derived: Vec::new(),
            names: Names::default(),
            rules: Rules::default(),
            notes: Vec::new(),
            counts,
        })
    }

    /// The name of the puzzle.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The orbits in the order of the file.
    pub fn orbits(&self) -> &Orbits {
        &self.orbits
    }

    /// The solved state, which is also where moves begin that stand for a state.
    pub fn start(&self) -> &PuzzleState {
        &self.goals[0]
    }

    /// The goal states, the solved state first; a state is a goal if it is one of these up to what is ignored.
    pub fn goals(&self) -> &[PuzzleState] {
        &self.goals
    }

    /// The moves in the order of the file, rotations among them.
    pub fn moves(&self) -> &[BaseMove] {
        &self.moves
    }

    /// Names for moves one after another, in the order of the file.
    pub fn derived(&self) -> &[DerivedMove] {
        &self.derived
    }

    /// What is forbidden, and what the goal does not ask about.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What the reader noticed.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What a name stands for.
    pub fn find(&self, name: &str) -> Option<MoveRef> {
        self.names.get(name)
    }

    /// The name of a move.
    ///
    /// # Panics
    /// If the puzzle has no such move.
    pub fn name_of(&self, of: MoveRef) -> &str {
        match of {
            MoveRef::Base(index) => &self.moves[index].name,
            MoveRef::Derived(index) => &self.derived[index].name,
        }
    }

    /// What a move does when it is made once.
    ///
    /// # Panics
    /// If the puzzle has no such move.
    pub fn transformation_of(&self, of: MoveRef) -> &Transformation {
        match of {
            MoveRef::Base(index) => &self.moves[index].transformation,
            MoveRef::Derived(index) => &self.derived[index].transformation,
        }
    }

    /// What a turn does.
    ///
    /// # Panics
    /// If the puzzle has no such move.
    pub fn transformation(&self, turn: Turn) -> Transformation {
        self.transformation_of(turn.of).power(turn.amount.into())
    }

    /// A turn as text that is read again: `R`, `R2'`, or `(y2)2` where the short form would be another name.
    pub fn turn_text(&self, turn: Turn) -> String {
        self.names.with_amount(self.name_of(turn.of), turn.amount)
    }

    /// Turns as text that is read again, with blanks between them.
    pub fn turns_text(&self, turns: &[Turn]) -> String {
        turns.iter().map(|&turn| self.turn_text(turn)).collect::<Vec<_>>().join(" ")
    }

    /// A fingerprint of what the definition says: of its written form, so that comments, blanks and the format do not matter.
    pub fn fingerprint(&self) -> [u8; 32] {
        *blake3::hash(self.to_tws().as_bytes()).as_bytes()
    }

    pub(crate) fn note(&mut self, line: usize, text: String) {
        self.notes.push(Note { line, text });
    }

    /// Adds a state that is a goal too.
    ///
    /// # Errors
    /// If it has other pieces than the solved state, or is illegal.
    pub fn add_goal(&mut self, goal: PuzzleState) -> Result<(), Complaint> {
        if goal.orbits() != &self.orbits {
            return Err(Complaint::new("a state of other orbits", "one of the same"));
        }
        self.start().same_pieces(&goal).map_err(|(_, _, complaint)| complaint)?;
        if let Some((orbit, slot)) = self.illegal_at(&goal) {
            return Err(self.illegal_complaint(&goal, orbit, slot, "a goal that is legal"));
        }
        if self.goals.contains(&goal) {
            self.note(0, "a goal is there twice and kept once".into());
        } else if self.goals.len() == MOST_GOALS {
            let found = format!("more than {MOST_GOALS} goals");
            return Err(Complaint::new(found, "at most that many"));
        } else {
            self.goals.push(goal);
        }
        Ok(())
    }

    /// Adds a move; its name says whether it is a rotation.
    ///
    /// # Errors
    /// If the name is taken or could not be read again, the transformation is of other orbits, or it changes nothing.
    pub fn add_move(
        &mut self,
        name: &str,
        transformation: Transformation,
        line: usize,
    ) -> Result<(), Complaint> {
        check_name(name)?;
        if transformation.orbits() != &self.orbits {
            return Err(Complaint::new("a move of other orbits", "one of the same"));
        }
        let kind = MoveKind::of_name(name);
        if kind == MoveKind::Turn && transformation.is_identity() {
            let found = format!("the move {}, which changes nothing", quoted(name));
            return Err(Complaint::new(found, "a move that changes something"));
        }
        self.take_name(name, MoveRef::Base(self.moves.len()))?;
        if kind == MoveKind::Rotation {
            self.note(line, format!("move {name} is a rotation by its name: no search makes it"));
        }
        self.moves.push(BaseMove { name: name.to_owned(), transformation, cost: 1, kind, line });
        Ok(())
    }

    pub(crate) fn take_name(&mut self, name: &str, of: MoveRef) -> Result<(), Complaint> {
        if self.names.insert(name, of) {
            return Ok(());
        }
        let found = format!("a second move {}", quoted(name));
        Err(Complaint::new(found, "moves of different names"))
    }

    /// The index of a move of the file (not a derived one) by name.
    fn base(&self, name: &str) -> Result<usize, Complaint> {
        match self.find(name) {
            Some(MoveRef::Base(index)) => Ok(index),
            _ => {
                let like = self.names.like(name).map(|name| Hint::DidYouMean(name.to_owned()));
                Err(Complaint::new(quoted(name), "the name of a move of this puzzle").maybe(like))
            }
        }
    }

    /// Sets what a move costs.
    ///
    /// # Errors
    /// If there is no such move, or the cost is not from 1 to 250.
    pub fn set_cost(&mut self, name: &str, cost: u64) -> Result<(), Complaint> {
        let index = self.base(name)?;
        let fits = Cost::try_from(cost).ok().filter(|cost| (1..=250).contains(cost));
        let wrong = || Complaint::new(quoted(&cost.to_string()), "a cost from 1 to 250");
        self.moves[index].cost = fits.ok_or_else(wrong)?;
        Ok(())
    }

    /// Sets whether a move is a rotation, whatever its name says.
    ///
    /// # Errors
    /// If there is no such move, or it changes nothing and would be searched with.
    pub fn set_kind(&mut self, name: &str, kind: MoveKind) -> Result<(), Complaint> {
        let index = self.base(name)?;
        if kind == MoveKind::Turn && self.moves[index].transformation.is_identity() {
            let found = format!("the move {}, which changes nothing", quoted(name));
            return Err(Complaint::new(found, "a move that changes something"));
        }
        self.moves[index].kind = kind;
        Ok(())
    }

    /// Whether the definition is whole, where it was put together by calls: readers do this themselves.
    ///
    /// # Errors
    /// If there is no move, or a name such as U2 is not what it would be as a power of U.
    pub fn check(&self) -> Result<(), Complaint> {
        self.check_moves().map_err(|(_, complaint)| complaint)
    }

    /// What no single line can tell: whether there are moves, and no name means one thing in a text and another as a power.
    pub(crate) fn check_moves(&self) -> Result<(), (Option<MoveRef>, Complaint)> {
        if self.moves.is_empty() {
            return Err((None, Complaint::new("no move", "at least one Move")));
        }
        let base = (0..self.moves.len()).map(MoveRef::Base);
        for of in base.chain((0..self.derived.len()).map(MoveRef::Derived)) {
            let name = self.name_of(of);
            for (stem, amount) in powers_of(name) {
                let Some(other) = self.find(stem) else { continue };
                if self.transformation(Turn { of: other, amount }) != *self.transformation_of(of) {
                    let found =
                        format!("the move {}, which is not that power of {stem}", quoted(name));
                    let expected = "another name, as this one means two things";
                    return Err((
                        Some(of),
                        Complaint::new(found, expected).hint(Hint::PowersAreDerived),
                    ));
                }
            }
        }
        Ok(())
    }
}
