//! Errors of reading a file: what was found, what was expected, where, and a hint about known
//! traps.

use std::fmt;

/// The format of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextFormat {
    /// A definition of lines and words, as in `.tws` files.
    Tws,
    /// The same in a `.def` file, where `Ignore` only says what scrambles may leave out.
    Def,
    /// A definition in KPuzzle JSON.
    KPuzzle,
    /// A file of scrambles.
    Scramble,
    /// States in JSON.
    KPattern,
    /// Moves of a puzzle.
    Moves,
}

impl TextFormat {
    /// The format of a definition by its file name: `.tws`, `.def` or `.json`. `None` for other
    /// names.
    pub fn of_file_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "tws" => Some(Self::Tws),
            "def" => Some(Self::Def),
            "json" => Some(Self::KPuzzle),
            _ => None,
        }
    }
}

impl fmt::Display for TextFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tws | Self::Def => "definition",
            Self::KPuzzle => "KPuzzle definition",
            Self::Scramble => "scramble file",
            Self::KPattern => "pattern",
            Self::Moves => "moves",
        })
    }
}

/// A known trap of the formats that may explain an error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Hint {
    /// A comment does not begin at the start of a line.
    #[error("a comment begins with # as the very first character of its line")]
    CommentAtStart,
    /// A number is off by one, because some words count from 0 and others from 1.
    #[error(
        "Move, Solved, Scramble, Illegal, Block and Goal count from 1; MoveTransformation, \
         StartState, ScrambleState, GoalState and all of KPuzzle count from 0"
    )]
    CountsFrom,
    /// Orientations are listed by slot instead of by piece, or the other way round.
    #[error(
        "the orientations of Move are listed by piece, those of MoveTransformation, Solved and \
         Scramble by slot"
    )]
    ByPieceOrSlot,
    /// A piece of a set with one orientation turns. Older programs let it, so that blocks tie
    /// pieces to it.
    #[error(
        "to tie pieces to one that turns in place, give its set as many orientations as its turn \
         has, and `?` in Solved"
    )]
    TiedToCentre,
    /// A set in a block has more than two lines.
    #[error("in a block a set has one line of pieces and at most one line of orientations")]
    TwoRows,
    /// A Set stands after Solved.
    #[error("all Sets stand before Solved")]
    SetsFirst,
    /// Something stands before Solved that must come after it.
    #[error("Solved stands after all Sets and before everything else")]
    SolvedFirst,
    /// A `?` stands for a piece. Only orientations can be unknown.
    #[error(
        "? stands for an unknown orientation; pieces that look alike have the same number in Solved"
    )]
    NoUnknownPiece,
    /// Only some of the pieces that look alike have a `?`.
    #[error(
        "identical pieces have ? all or none, and a scramble has ? for exactly the pieces \
         that have it in Solved"
    )]
    UnknownTogether,
    /// A scramble has other pieces than Solved.
    #[error(
        "a scramble has the pieces of Solved, each as often as there; the numbers need not be \
         contiguous"
    )]
    SamePieces,
    /// A slot occurs twice in the permutation of a move.
    #[error("a move takes each slot once; that pieces look alike is said in Solved")]
    MovesPermute,
    /// The name makes a move a rotation, which searches do not make.
    #[error(
        "moves named x, y or z, also with 2 or ', or in capitals with a v at the end, turn the \
         whole puzzle, and no search makes them, unless MoveKind NAME turn says otherwise"
    )]
    Rotation,
    /// A move such as `U2` or `U'` is defined besides `U`.
    #[error("powers such as U2 and U' are derived from U")]
    PowersAreDerived,
    /// A word or name is known in another spelling, which follows.
    #[error("upper and lower case differ: did you mean `{0}`?")]
    DidYouMean(String),
    /// The text uses something that JSON does not allow, but other notations do.
    #[error(
        "JSON has no comments, no comma after the last element, and names and texts in double \
         quotes only"
    )]
    StrictJson,
    /// A block has no `End`.
    #[error("a block of sets ends with a line End")]
    EndMissing,
}

/// What was found and what was expected, without the place in the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {found}, expected {expected}{}", in_brackets(hint.as_ref()))]
pub struct Complaint {
    /// What stands in the text: in words, or the text itself between backquotes.
    pub found: String,
    /// What would be allowed instead.
    pub expected: String,
    /// The known trap that may explain the error.
    pub hint: Option<Hint>,
}

fn in_brackets(hint: Option<&Hint>) -> String {
    hint.map_or(String::new(), |hint| format!(" ({hint})"))
}

impl Complaint {
    /// A complaint without a hint.
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { found: found.into(), expected: expected.into(), hint: None }
    }

    /// Sets the hint.
    pub fn hint(mut self, hint: Hint) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Sets the hint if there is one.
    pub(crate) fn maybe(mut self, hint: Option<Hint>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }
}

/// `1 slot`, `2 slots`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A text between backquotes, cut after 40 characters.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// Why a text cannot be read. Lines, columns and bytes count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The text differs from what was expected.
    #[error("{form}, line {line}, column {column}: {complaint}")]
    Malformed {
        /// The format of the text.
        form: TextFormat,
        /// The line of the error, from 1.
        line: usize,
        /// The column of the error, in characters from 1.
        column: usize,
        /// What was found and what was expected.
        complaint: Box<Complaint>,
    },
    /// The text is longer than allowed, or endless. Reading stopped at the limit.
    #[error("{form}: found more than {limit} bytes, expected at most that many")]
    TooLarge {
        /// The format of the text.
        form: TextFormat,
        /// The limit in bytes.
        limit: u64,
    },
    /// The bytes are not text in UTF-8.
    #[error(
        "{form}, line {line}, column {column}: found 0x{value:02x} as byte {byte}, \
         expected text in UTF-8"
    )]
    NotUtf8 {
        /// The format of the text.
        form: TextFormat,
        /// The position of the wrong byte in the file, from 1.
        byte: usize,
        /// The value of the wrong byte.
        value: u8,
        /// The line of the wrong byte, from 1.
        line: usize,
        /// The column of the wrong byte, in characters from 1.
        column: usize,
    },
    /// The puzzle needs more memory than allowed. The reader notices this before it allocates the
    /// memory.
    #[error(
        "{form}, line {line}: found a puzzle that needs more than {needed} bytes of memory, \
         expected at most {limit}"
    )]
    Memory {
        /// The format of the text.
        form: TextFormat,
        /// The line at which the limit was exceeded.
        line: usize,
        /// The bytes needed up to that line.
        needed: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Reading failed.
    #[error("{form}: cannot be read: {reason}")]
    Unreadable {
        /// The format of the text.
        form: TextFormat,
        /// The error of the operating system.
        reason: String,
    },
}

impl DefinitionError {
    /// What was found and what was expected. `Some` only for [`DefinitionError::Malformed`].
    pub fn complaint(&self) -> Option<&Complaint> {
        match self {
            Self::Malformed { complaint, .. } => Some(complaint),
            _ => None,
        }
    }

    /// Line and column of the error, from 1. `None` if they are not known.
    pub fn place(&self) -> Option<(usize, usize)> {
        match *self {
            Self::Malformed { line, column, .. } | Self::NotUtf8 { line, column, .. } => {
                Some((line, column))
            }
            Self::Memory { line, .. } => Some((line, 1)),
            Self::TooLarge { .. } | Self::Unreadable { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_promise_a_form() {
        assert_eq!(TextFormat::of_file_name("a.b/3x3x3.TWS"), Some(TextFormat::Tws));
        assert_eq!(TextFormat::of_file_name("x.def"), Some(TextFormat::Def));
        assert_eq!(TextFormat::of_file_name("x.kpuzzle.json"), Some(TextFormat::KPuzzle));
        assert_eq!(
            (TextFormat::of_file_name("x.txt"), TextFormat::of_file_name("tws")),
            (None, None)
        );
    }

    #[test]
    fn one_is_singular() {
        let all = [1, 2, 0].map(|count| counted(count, "slot"));
        assert_eq!(all, ["1 slot", "2 slots", "0 slots"]);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(quoted("Ü"), "`Ü`");
        assert_eq!(quoted(&"Ü".repeat(41)), format!("`{}...`", "Ü".repeat(40)));
    }
}
