//! One puzzle, checked: orbits, goals, moves and rules.
//!
//! [`Definition`] holds all of it. [`MoveSet`] has the names and transformations of moves,
//! [`Rules`] what is forbidden. [`PuzzleState`] and [`Transformation`] do the arithmetic.
//! [`Operators`] are the moves as a search makes them.

mod apply;
mod derived;
mod goal;
mod move_rules;
mod moves;
mod names;
mod notation;
mod operators;
mod orbits;
mod own_moves;
mod products;
mod rules;
mod state;
mod transformation;
mod unknown_turns;

pub use goal::GoalMask;
pub use move_rules::DuplicatePair;
pub use moves::{BaseMove, DerivedMove, MoveKind, MoveSet};
pub use names::{MoveRef, Turn, is_rotation_name};
pub use notation::write_out;
pub use operators::{MoveMetric, Operator, Operators};
pub use orbits::{LONGEST_NAME, MOST_ORIENTATIONS, MOST_SLOTS, Orbit, Orbits};
pub use rules::{IgnoredSlots, IllegalPieces, LimitedMoves, PieceBlock, Rules};
pub use state::{LARGEST_PIECE, OrbitState, PuzzleState};
pub use transformation::{OrbitTransformation, Transformation};
pub use unknown_turns::FineDefinition;

pub(crate) use derived::DerivedText;
pub(crate) use moves::rotation_note;
pub(crate) use notation::{LONGEST_STATE, parse_placed};
pub(crate) use state::{StateRow, check};
pub(crate) use transformation::{first_repeated, gcd};

use crate::error::{Complaint, DefinitionError, quoted};
use search::OperatorRules;
use std::collections::HashMap;

/// A note to the user about something in a file that is no error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The line of the file, from 1. 0 if there is no file.
    pub line: usize,
    /// A sentence without a full stop.
    pub text: String,
}

/// Whether a word of a name may begin a comment: it has a `#`, but is no number such as `#54`.
pub(crate) fn begins_comment(word: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word.strip_prefix('#').is_some_and(|rest| !number(rest))
}

/// A permutation puzzle as its file defines it.
///
/// Two definitions are equal if they mean the same. Line numbers and notes are not compared.
#[derive(Clone, Debug)]
pub struct Definition {
    pub(crate) name: String,
    pub(crate) orbits: Orbits,
    /// The goal states. The first is the solved state.
    pub(crate) goals: Vec<PuzzleState>,
    /// Goals that a search may be asked for by name, for [`Definition::with_goal`].
    pub(crate) named_goals: Vec<(String, PuzzleState)>,
    pub(crate) moves: MoveSet,
    pub(crate) rules: Rules,
    pub(crate) notes: Vec<Note>,
    /// For each orbit and piece number: how many such pieces the solved state has.
    counts: HashMap<(usize, u16), usize>,
}

/// Most goal states.
const MOST_GOALS: usize = 1000;

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, orbits, goals, named_goals, moves, rules, notes: _, counts: _ } = self;
        *name == other.name
            && *named_goals == other.named_goals
            && *orbits == other.orbits
            && *goals == other.goals
            && *moves == other.moves
            && *rules == other.rules
    }
}

impl Eq for Definition {}

impl Definition {
    /// A puzzle that has no moves yet.
    ///
    /// # Errors
    /// If the state has other orbits, or the name is invalid. A name has 1 to 1000 bytes, no
    /// control characters, no blanks at its ends, and no word that begins with `#`, except for
    /// numbers as in `#54`.
    pub fn new(name: &str, orbits: &Orbits, solved: PuzzleState) -> Result<Self, Complaint> {
        let odd = name.contains(char::is_control) || name.split(' ').any(begins_comment);
        if name.is_empty() || name.trim() != name || name.len() > 1000 || odd {
            let expected = "a name of 1 to 1000 bytes without control characters, \
                            blanks at its ends, or words that begin with #, but for numbers as in #54";
            return Err(Complaint::new(quoted(name), expected));
        }
        check_orbits(orbits, solved.orbits(), "a state")?;
        let counts = counts_of(&solved);
        Ok(Self {
            name: name.to_owned(),
            orbits: orbits.clone(),
            goals: vec![solved],
            named_goals: Vec::new(),
            moves: MoveSet::default(),
            rules: Rules::default(),
            notes: Vec::new(),
            counts,
        })
    }

    /// The same orbits and moves with other goals and rules. The first goal is the solved state.
    pub(crate) fn with_states(&self, goals: Vec<PuzzleState>, rules: Rules) -> Self {
        let counts = counts_of(&goals[0]);
        // Named goals have the pieces of the old states.
        Self { goals, named_goals: Vec::new(), rules, counts, ..self.clone() }
    }

    /// The name of the puzzle.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The orbits in the order of the file.
    pub fn orbits(&self) -> &Orbits {
        &self.orbits
    }

    /// The solved state. If a state is given as moves, they start from it.
    pub fn start(&self) -> &PuzzleState {
        &self.goals[0]
    }

    /// The goal states, the solved state first. [`Definition::is_goal`] compares a state with each
    /// of them, except for the slots that the definition ignores.
    pub fn goals(&self) -> &[PuzzleState] {
        &self.goals
    }

    /// The moves and their names.
    pub fn moves(&self) -> &MoveSet {
        &self.moves
    }

    /// The rules: what is forbidden, and what the goal ignores.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The limits on moves as text, such as `F2 1` and `F* 2`.
    pub fn limit_texts(&self) -> Vec<String> {
        let text = |(&limited, most): (&LimitedMoves, &u32)| {
            format!("{} {most}", self.moves.limited_text(limited))
        };
        self.rules.limits.iter().map(text).collect()
    }

    /// The notes that the reader of the file made.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// A BLAKE3 hash of the definition. Comments, blanks, named goals and the file format do not
    /// change it.
    pub fn fingerprint(&self) -> [u8; 32] {
        // Older releases wrote MoveSequence for NamedSequence. The hash still does, so that their
        // tables stay valid.
        let text = Self { named_goals: Vec::new(), ..self.clone() }
            .to_tws()
            .replace("\nNamedSequence ", "\nMoveSequence ");
        *blake3::hash(text.as_bytes()).as_bytes()
    }

    pub(crate) fn note(&mut self, line: usize, text: String) {
        self.notes.push(Note { line, text });
    }

    /// Sets which slots the goals ignore. If no item is true, the goals ignore nothing.
    ///
    /// # Panics
    /// If the lists do not have an item for each slot.
    pub fn ignore(&mut self, ignored: IgnoredSlots) {
        let lengths = [ignored.pieces.len(), ignored.orientation.len()];
        assert!(lengths == [self.orbits.slots(); 2], "expected an item for each slot");
        self.rules.set_ignore(ignored);
    }

    /// Adds a goal state. If the state is a goal already, adds only a note.
    ///
    /// # Errors
    /// If it has other pieces than the solved state, or is illegal. Also if there are 1000 goals.
    pub fn add_goal(&mut self, goal: PuzzleState) -> Result<(), Complaint> {
        check_orbits(&self.orbits, goal.orbits(), "a state")?;
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

    /// The goals that have names, in the order of the file.
    pub fn named_goals(&self) -> &[(String, PuzzleState)] {
        &self.named_goals
    }

    /// Adds a goal that a search may be asked for by name. It may have other pieces than the solved
    /// state, as in [`Definition::with_goal`].
    ///
    /// # Errors
    /// If the name is empty, has blanks, or is taken (`solved` is). Also if there are 1000 such
    /// goals, or as [`Definition::with_goal`].
    pub fn add_named_goal(&mut self, name: &str, goal: PuzzleState) -> Result<(), Complaint> {
        check_orbits(&self.orbits, goal.orbits(), "a state")?;
        let taken = name == "solved" || self.named_goals.iter().any(|(other, _)| other == name);
        let odd = name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control());
        if taken || odd || begins_comment(name) {
            return Err(Complaint::new(quoted(name), "a name that no other goal has"));
        }
        if self.named_goals.len() == MOST_GOALS {
            let found = format!("more than {MOST_GOALS} named goals");
            return Err(Complaint::new(found, "at most that many"));
        }
        self.with_goal(goal.clone())?;
        self.named_goals.push((name.to_owned(), goal));
        Ok(())
    }

    /// Adds a move. Its name decides whether it is a rotation. Searches do not make rotations.
    ///
    /// # Errors
    /// If the name is taken or could not be read back, or the transformation has other orbits or
    /// changes nothing.
    pub fn add_move(
        &mut self,
        name: &str,
        transformation: Transformation,
        line: usize,
    ) -> Result<(), Complaint> {
        let kind = MoveKind::of_name(name);
        moves::check_effect(name, kind, &transformation)?;
        self.add_move_of(name, kind, transformation, line)
    }

    /// Adds a move of this kind, whatever its name says. The move may change nothing.
    pub(crate) fn add_move_of(
        &mut self,
        name: &str,
        kind: MoveKind,
        transformation: Transformation,
        line: usize,
    ) -> Result<(), Complaint> {
        check_orbits(&self.orbits, transformation.orbits(), "a move")?;
        self.moves.add(name, kind, transformation, line)?;
        if kind == MoveKind::Rotation
            && let Some(note) = rotation_note(name)
        {
            self.note(line, note);
        }
        Ok(())
    }

    /// Adds derived moves, each given as a name and the text of its moves. The moves may be other
    /// derived moves of the list. Adds all or none.
    ///
    /// # Errors
    /// - A name is taken, or cannot be a name.
    /// - Moves cannot be read, are none, or are too many.
    /// - A derived move uses itself, directly or through others.
    pub fn add_derived(&mut self, all: &[(&str, &str)]) -> Result<(), Complaint> {
        let text = |&(name, text)| DerivedText { name, text, line: 0, is_move: false };
        let all: Vec<_> = all.iter().map(text).collect();
        let added = self.moves.add_derived(&self.orbits, &all, &mut |_, _| true);
        added.map_err(|(_, _, complaint)| complaint)
    }

    /// Sets the cost of a move, such as `R`, or of one of its turns, such as `R2`. The cost of a
    /// turn wins over that of its move.
    ///
    /// # Errors
    /// If there is no such move, or the cost is not from 1 to 250.
    pub fn set_cost(&mut self, name: &str, cost: u64) -> Result<(), Complaint> {
        self.moves.set_cost(name, cost)
    }

    /// Checks a definition that was built by calls. Readers of files do this themselves.
    ///
    /// # Errors
    /// If there is no move, or a move that searches make changes nothing. Also if a move has a name
    /// such as U2 but is not that power of U.
    pub fn check(&self) -> Result<(), Complaint> {
        self.moves.check().map_err(|(_, complaint)| complaint)
    }

    /// Adds a rule that pieces may not lie in a slot. An error if a goal would break it.
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

    /// Checks that an orbit has a piece of this number. With `once`, checks that it has exactly
    /// one.
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

    /// The operators of a search with all moves except rotations.
    ///
    /// # Errors
    /// If there are no operators, or too many.
    pub fn operators(&self, metric: MoveMetric) -> Result<Operators, Complaint> {
        operators::all(self, metric)
    }

    /// The operators of a search with the moves that `list` names, separated by blanks or commas.
    ///
    /// `U R2` means all powers of U and all powers of R2. A derived move may be named too. It costs
    /// 1.
    ///
    /// # Errors
    /// If a name is unknown or is a rotation, a turn changes nothing, or there are too many
    /// operators.
    pub fn operators_named(
        &self,
        metric: MoveMetric,
        list: &str,
    ) -> Result<Operators, DefinitionError> {
        operators::named(self, metric, list)
    }

    /// The rules about moves, expressed in these operators.
    ///
    /// Rules about rotations, and about moves that are not among the operators, have no effect.
    ///
    /// # Errors
    /// If a rule names what only several operators together can do. Examples are U2 in the quarter
    /// metric, and a derived move of several moves.
    pub fn operator_rules(&self, operators: &Operators) -> Result<OperatorRules, Complaint> {
        move_rules::operator_rules(self, operators)
    }

    /// Pairs of operators that a search under these rules may skip. Each of them can be replaced by
    /// nothing, by one operator, or by the same two in the other order.
    ///
    /// `rules` comes from [`Definition::operator_rules`]. At least one optimal plan contains none
    /// of the pairs. With `all`, this holds for every optimal plan, up to the order of neighbouring
    /// operators that commute. Strings of more than two operators are not considered.
    ///
    /// Time: `n`<sup>2</sup> comparisons of products for `n` operators. Most comparisons end early.
    ///
    /// Returns `None` once `stop` returns true.
    pub fn duplicate_pairs(
        &self,
        operators: &Operators,
        rules: &OperatorRules,
        all: bool,
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<DuplicatePair>> {
        move_rules::duplicate_pairs(self, operators, rules, all, stop)
    }
}

/// For each orbit and piece number: how many such pieces a state has.
fn counts_of(state: &PuzzleState) -> HashMap<(usize, u16), usize> {
    let mut counts = HashMap::new();
    for orbit in 0..state.orbits().len() {
        let pieces = state.pieces(orbit).iter();
        pieces.for_each(|&piece| *counts.entry((orbit, piece)).or_default() += 1);
    }
    counts
}

fn check_orbits(expected: &Orbits, found: &Orbits, what: &str) -> Result<(), Complaint> {
    if found == expected {
        return Ok(());
    }
    Err(Complaint::new(format!("{what} of other orbits"), "one of the same orbits"))
}
