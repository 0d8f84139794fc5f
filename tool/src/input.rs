//! A state to answer, and where it comes from: [`InputState`].

use fewest::FileState;

/// A state to answer, and where it comes from.
pub(super) struct InputState {
    pub(super) text: String,
    /// Line number, from 1. `None` for the state of the command line and for a whole file.
    pub(super) line: Option<usize>,
    /// Why the text is refused before the puzzle reads it: it is not UTF-8, or too long. `None` if
    /// it is not refused.
    pub(super) wrong: Option<String>,
    /// Its name in a file that has names.
    pub(super) name: Option<String>,
    /// Whether the text is a whole file, which the puzzle reads.
    pub(super) whole: bool,
}

impl From<FileState> for InputState {
    /// A state of a file in the puzzle's own format.
    fn from(state: FileState) -> Self {
        let (line, name) = (Some(state.line), Some(state.name));
        Self { text: state.text, line, wrong: None, name, whole: false }
    }
}

impl InputState {
    /// `line 3: `, if it stands on a line.
    pub(super) fn place(&self) -> String {
        self.line.map_or(String::new(), |line| format!("line {line}: "))
    }
}
