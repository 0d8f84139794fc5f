//! Definitions of puzzles: what one means, and how its texts are converted ([`Defined`]).

use super::InvalidInput;
use search::CancelToken;
use serde::Serialize;
use serde_json::Number;
use std::collections::BTreeMap;

/// The text form of a definition or of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextForm {
    /// Lines of words: a definition, or states as blocks of a scramble file.
    Words,
    /// JSON: a definition, or states, one in each line.
    Json,
    /// States, one in each line.
    Line,
}

/// The result of [`Defined::convert`].
#[derive(Clone, Debug, Default)]
pub struct ConvertedStates {
    /// The states in the wanted form.
    pub text: String,
    /// The number of states.
    pub states: usize,
    /// What the text asks for besides the states, and other remarks of the reader.
    pub notes: Vec<String>,
}

/// The definition of a puzzle.
pub trait Defined {
    /// Whether the definition was read from JSON.
    fn is_json(&self) -> bool;
    /// The definition in a form, and the words or keys in it that other programs may not read.
    fn written(&self, form: TextForm) -> (String, Vec<&'static str>);
    /// Reads states and writes them in another form. `text` is one line or, if `whole`, a whole
    /// file. `to` has the form, and the number of the first state without a name.
    ///
    /// A state without a name gets a number as its name.
    ///
    /// # Errors
    /// If the text has no states of this puzzle.
    fn convert(
        &self,
        text: &str,
        whole: bool,
        to: (TextForm, usize),
    ) -> Result<ConvertedStates, InvalidInput>;
    /// What the definition means. Cancelling `cancel` ends the work on the group.
    ///
    /// # Errors
    /// If no move can be searched.
    fn summary(&self, cancel: &CancelToken) -> Result<DefinitionSummary, InvalidInput>;
}

/// What a definition means. Slots are numbered from 0.
#[derive(Clone, Debug, Serialize)]
pub struct DefinitionSummary {
    /// The name with which the caller asked for the definition.
    pub puzzle: String,
    /// The name in the definition.
    pub name: String,
    /// The number of slots of all orbits.
    pub slots: usize,
    /// The orbits.
    pub orbits: Vec<OrbitSummary>,
    /// The moves.
    pub moves: Vec<MoveSummary>,
    /// Names that stand for one move or several.
    pub names: Vec<NameSummary>,
    /// The number of operators of a search, for the metrics `htm` and `qtm`.
    pub operators: BTreeMap<&'static str, usize>,
    /// Notes about moves that a search leaves out, since others do the same.
    pub left_out: Vec<String>,
    /// The group.
    pub group: GroupSummary,
    /// The number of goal states.
    pub goals: usize,
    /// The rules.
    pub rules: RuleSummary,
    /// Remarks of the reader, such as keys that it ignored.
    pub notes: Vec<String>,
}

/// An orbit: pieces that share a set of slots.
#[derive(Clone, Debug, Serialize)]
pub struct OrbitSummary {
    /// The name.
    pub name: String,
    /// The number of pieces.
    pub pieces: usize,
    /// The number of orientations of a piece.
    pub orientations: u8,
    /// How many pieces of the solved state look alike, for each kind of piece.
    pub kinds: Vec<usize>,
    /// The number of pieces whose orientation the solved state does not fully specify.
    pub partly_known: usize,
    /// The number of slots whose piece the goal ignores.
    pub ignored_pieces: usize,
    /// The number of slots whose orientation the goal ignores.
    pub ignored_orientations: usize,
    /// The number of slots that no move of a search changes.
    pub fixed: usize,
}

/// Cycles of a move. An item is a slot, from 0 on, and a turn. The piece in that slot goes to the
/// slot of the next item, and turns by that much. The last item leads to the first.
pub type SlotCycles = Vec<Vec<(u16, u8)>>;

/// What a move does.
#[derive(Clone, Debug, Serialize)]
pub struct MoveSummary {
    /// The name.
    pub name: String,
    /// `turn` or `rotation`.
    pub kind: &'static str,
    /// The least number of repetitions that change nothing. `None` if it is 2^128 or more.
    pub order: Option<Number>,
    /// Its cost.
    pub cost: u64,
    /// The number of slots that it changes.
    pub changed: usize,
    /// The cycles in each orbit that the move changes, with the orbit's name.
    pub cycles: Vec<(String, SlotCycles)>,
}

/// A name that stands for one move or several.
#[derive(Clone, Debug, Serialize)]
pub struct NameSummary {
    /// The name.
    pub name: String,
    /// The moves that it stands for.
    pub moves: String,
    /// `alias`: stands for one move. `sequence`: stands for several.
    pub kind: &'static str,
}

/// What a definition forbids.
#[derive(Clone, Debug, Serialize)]
pub struct RuleSummary {
    /// For each slot with forbidden pieces: a sentence that lists them.
    pub illegal: Vec<String>,
    /// The number of blocks: sets of pieces that are tied together.
    pub blocks: usize,
    /// Pairs of moves that are forbidden.
    pub forbidden_pairs: Vec<String>,
    /// Limits on how often plans may use moves, such as `F2 1`.
    pub move_limits: Vec<String>,
}

/// The group of the moves, with all pieces told apart.
#[derive(Clone, Debug, Serialize)]
pub struct GroupSummary {
    /// The order of the group. `None` if it is unknown.
    pub order: Option<Number>,
    /// The number of states. `None` if it is unknown.
    pub states: Option<Number>,
    /// The number of ways to fill the slots that look different, whether moves reach them or not.
    pub arrangements: Number,
    /// The number of symmetries of the moves. `None` if it is unknown.
    pub symmetries: Option<usize>,
    /// Why numbers are unknown, a sentence for each.
    pub unknown: Vec<String>,
}
