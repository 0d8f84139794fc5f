//! What a definition means, and its texts: [`Defined`].

use super::InvalidInput;
use search::CancelToken;
use serde::Serialize;
use serde_json::Number;
use std::collections::BTreeMap;

/// A form of definitions or states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextForm {
    /// Lines and words: a definition, or blocks of a scramble file.
    Words,
    /// JSON: a definition, or a state a line.
    Json,
    /// States of one line.
    Line,
}

/// Converted states.
#[derive(Clone, Debug, Default)]
pub struct ConvertedStates {
    /// The states in the form that was asked for.
    pub text: String,
    /// The number of states.
    pub states: usize,
    /// What was left out.
    pub notes: Vec<String>,
}

/// The definition of a puzzle.
pub trait Defined {
    /// Whether it was read from JSON.
    fn is_json(&self) -> bool;
    /// The definition as words or as JSON, and the words or keys that other programs may not read.
    fn written(&self, form: TextForm) -> (String, Vec<&'static str>);
    /// Reads states of a line or of a whole file, and writes them in a form. States without a name
    /// are numbered from `first` on.
    ///
    /// # Errors
    /// If the text has no states of this puzzle.
    fn convert(
        &self,
        text: &str,
        whole: bool,
        to: (TextForm, usize),
    ) -> Result<ConvertedStates, InvalidInput>;
    /// What the definition means. The work on its group ends when `cancel` says so.
    ///
    /// # Errors
    /// If no move can be searched.
    fn summary(&self, cancel: &CancelToken) -> Result<DefinitionSummary, InvalidInput>;
}

/// What a definition means. Slots are numbered from 0.
#[derive(Clone, Debug, Serialize)]
pub struct DefinitionSummary {
    /// The name with which it was asked for.
    pub puzzle: String,
    /// The name.
    pub name: String,
    /// The number of slots.
    pub slots: usize,
    /// The orbits.
    pub orbits: Vec<OrbitSummary>,
    /// The moves.
    pub moves: Vec<MoveSummary>,
    /// Names for moves.
    pub names: Vec<NameSummary>,
    /// The number of operators of a search, in both metrics.
    pub operators: BTreeMap<&'static str, usize>,
    /// Moves that do the same as others.
    pub left_out: Vec<String>,
    /// The group.
    pub group: GroupSummary,
    /// The number of goal states.
    pub goals: usize,
    /// The rules.
    pub rules: RuleSummary,
    /// What the reader noticed.
    pub notes: Vec<String>,
}

/// The pieces of an orbit.
#[derive(Clone, Debug, Serialize)]
pub struct OrbitSummary {
    /// The name.
    pub name: String,
    /// The number of pieces.
    pub pieces: usize,
    /// The orientations of a piece.
    pub orientations: u8,
    /// How many pieces of the solved state look alike, for each kind of piece.
    pub kinds: Vec<usize>,
    /// Pieces whose orientation is not fully known.
    pub partly_known: usize,
    /// Slots whose piece the goal ignores.
    pub ignored_pieces: usize,
    /// Slots whose orientation the goal ignores.
    pub ignored_orientations: usize,
    /// Slots that no move of a search changes.
    pub fixed: usize,
}

/// Cycles of slots and turns.
pub type SlotCycles = Vec<Vec<(u16, u8)>>;

/// What a move does.
#[derive(Clone, Debug, Serialize)]
pub struct MoveSummary {
    /// The name.
    pub name: String,
    /// What it is.
    pub kind: &'static str,
    /// `None`: 2^128 or more.
    pub order: Option<Number>,
    /// Its cost.
    pub cost: u64,
    /// The number of slots that it changes.
    pub changed: usize,
    /// By orbit: cycles as pairs of a slot and a turn.
    pub cycles: Vec<(String, SlotCycles)>,
}

/// A name for moves.
#[derive(Clone, Debug, Serialize)]
pub struct NameSummary {
    /// The name.
    pub name: String,
    /// The moves.
    pub moves: String,
    /// Another name for a move, or a sequence.
    pub kind: &'static str,
}

/// What a definition forbids.
#[derive(Clone, Debug, Serialize)]
pub struct RuleSummary {
    /// Pieces that may not lie in a slot.
    pub illegal: Vec<String>,
    /// The number of blocks.
    pub blocks: usize,
    /// Pairs of moves that are forbidden.
    pub forbidden_pairs: Vec<String>,
    /// Limits on moves.
    pub move_limits: Vec<String>,
}

/// The group of the moves, with all pieces told apart.
#[derive(Clone, Debug, Serialize)]
pub struct GroupSummary {
    /// The order of the group of the moves, with all pieces told apart.
    pub order: Option<Number>,
    /// The number of states, if it is known.
    pub states: Option<Number>,
    /// The ways to put the pieces into the slots, as they look.
    pub arrangements: Number,
    /// The symmetries of the moves.
    pub symmetries: Option<usize>,
    /// Why a number is not known.
    pub unknown: Vec<String>,
}
