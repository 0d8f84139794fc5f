//! Errors of reading: what was found, what was expected, where, and a hint about known traps.

use std::fmt;

/// The format of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextFormat {
    /// A definition of lines and words, as in `.tws` and `.def` files.
    Tws,
    /// A definition in KPuzzle JSON.
    KPuzzle,
    /// A file of scrambles.
    Scramble,
    /// Moves of a puzzle.
    Moves,
}

impl TextFormat {
    /// The format of a definition by its file name: `.tws` and `.def`, or `.json`. `None` for other
    /// names.
    pub fn of_file_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "tws" | "def" => Some(Self::Tws),
            "json" => Some(Self::KPuzzle),
            _ => None,
        }
    }
}

impl fmt::Display for TextFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tws => "definition",
            Self::KPuzzle => "KPuzzle definition",
            Self::Scramble => "scramble file",
            Self::Moves => "moves",
        })
    }
}

/// A known trap of the formats that may explain an error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Hint {
    /// A `#` that is not at the beginning of a line.
    #[error("a comment begins with # as the very first character of its line")]
    CommentAtStart,
    /// A number that is off by one.
    #[error(
        "Move, Solved, Scramble, Illegal, Block and Goal count from 1; MoveTransformation, \
         StartState, ScrambleState, GoalState and all of KPuzzle count from 0"
    )]
    CountsFrom,
    /// Orientations listed by slot instead of by piece, or the other way round.
    #[error(
        "the orientations of Move are listed by piece, those of MoveTransformation, Solved and \
         Scramble by slot"
    )]
    ByPieceOrSlot,
    /// A block with a row too many.
    #[error("in a block a set has one line of pieces and at most one line of orientations")]
    TwoRows,
    /// A Set after Solved.
    #[error("all Sets stand before Solved")]
    SetsFirst,
    /// Something before Solved.
    #[error("Solved stands after all Sets and before everything else")]
    SolvedFirst,
    /// A `?` for a piece.
    #[error(
        "? stands for an unknown orientation; pieces that look alike have the same number in Solved"
    )]
    NoUnknownPiece,
    /// A `?` for only some of the pieces that look alike.
    #[error(
        "identical pieces have ? all or none, and a scramble has ? for exactly the pieces \
         that have it in Solved"
    )]
    UnknownTogether,
    /// A scramble with other pieces than Solved.
    #[error(
        "a scramble has the pieces of Solved, each as often as there; the numbers need not be \
         contiguous"
    )]
    SamePieces,
    /// A slot twice in the permutation of a move.
    #[error("a move takes each slot once; that pieces look alike is said in Solved")]
    MovesPermute,
    /// A name that makes a move a rotation.
    #[error(
        "moves named x, y or z, also with 2 or ', or in capitals with a v at the end, turn the \
         whole puzzle, and no search makes them, unless MoveKind NAME turn says otherwise"
    )]
    Rotation,
    /// `U2` or `U'` beside `U`.
    #[error("powers such as U2 and U' are derived from U")]
    PowersAreDerived,
    /// A word or name that is known in another spelling.
    #[error("upper and lower case differ: did you mean `{0}`?")]
    DidYouMean(String),
    /// A key of an older version of the format.
    #[error("older files say so; the key is now `{0}`")]
    NewKey(&'static str),
    /// Something that JSON does not allow but other notations do.
    #[error(
        "JSON has no comments, no comma after the last element, and names and texts in double \
         quotes only"
    )]
    StrictJson,
    /// A block without `End`.
    #[error("a block of sets ends with a line End")]
    EndMissing,
}

/// An error without its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("found {found}, expected {expected}{}", in_brackets(hint.as_ref()))]
pub struct Complaint {
    /// What stands there: words, or a text between backquotes.
    pub found: String,
    /// What could stand there.
    pub expected: String,
    /// The trap that may explain it.
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
    /// Something else was expected at a place.
    #[error("{form}, line {line}, column {column}: {complaint}")]
    Malformed {
        /// What was read.
        form: TextFormat,
        /// The line of the place.
        line: usize,
        /// The column of the place.
        column: usize,
        /// What is wrong there.
        complaint: Box<Complaint>,
    },
    /// The text is longer than allowed, or endless. No more than the limit was read.
    #[error("{form}: found more than {limit} bytes, expected at most that many")]
    TooLarge {
        /// What was read.
        form: TextFormat,
        /// The largest length in bytes.
        limit: u64,
    },
    /// The bytes are no text.
    #[error(
        "{form}, line {line}, column {column}: found 0x{value:02x} as byte {byte}, \
         expected text in UTF-8"
    )]
    NotUtf8 {
        /// What was read.
        form: TextFormat,
        /// The byte that is wrong: its place in the file.
        byte: usize,
        /// The byte itself.
        value: u8,
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
    },
    /// The puzzle does not fit the memory allowed. This is found before the memory is taken.
    #[error(
        "{form}, line {line}: found a puzzle that needs more than {needed} bytes of memory, \
         expected at most {limit}"
    )]
    Memory {
        /// What was read.
        form: TextFormat,
        /// The line where the limit was passed.
        line: usize,
        /// The bytes needed up to there.
        needed: u64,
        /// The bytes allowed.
        limit: u64,
    },
    /// Reading failed.
    #[error("{form}: cannot be read: {reason}")]
    Unreadable {
        /// What was read.
        form: TextFormat,
        /// What the system says.
        reason: String,
    },
}

impl DefinitionError {
    /// What is wrong at the place, if the error has one.
    pub fn complaint(&self) -> Option<&Complaint> {
        match self {
            Self::Malformed { complaint, .. } => Some(complaint),
            _ => None,
        }
    }

    /// Line and column, where they are known.
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
        assert_eq!(TextFormat::of_file_name("x.def"), Some(TextFormat::Tws));
        assert_eq!(TextFormat::of_file_name("x.kpuzzle.json"), Some(TextFormat::KPuzzle));
        assert_eq!(
            (TextFormat::of_file_name("x.txt"), TextFormat::of_file_name("tws")),
            (None, None)
        );
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(quoted("Ü"), "`Ü`");
        assert_eq!(quoted(&"Ü".repeat(41)), format!("`{}...`", "Ü".repeat(40)));
    }
}
