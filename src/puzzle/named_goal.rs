//! A goal that has a name: [`NamedGoal`].

use serde::Serialize;

/// A goal of a puzzle that [`Settings::goal`](crate::Settings::goal) takes by name.
///
/// As JSON it has these keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NamedGoal {
    /// The name.
    #[serde(rename = "goal")]
    pub name: String,
    /// What the name alone stands for: the text that may follow after a colon. Empty if none may
    /// follow.
    pub usual: &'static str,
    /// When the goal is reached.
    pub means: String,
    /// In how many ways the name alone is reached: each is a goal of its own, and the cheapest
    /// counts.
    pub ways: usize,
    /// A solved puzzle where only the pieces of the first way are drawn: a letter for a sticker,
    /// `.` where it may have any colour, `*` where it may have one of some colours. Boards: the
    /// numbers. `None` if the puzzle is not drawn by letters.
    pub picture: Option<String>,
}

impl NamedGoal {
    /// A goal that is reached in one way.
    pub(crate) fn new(name: &str, means: &str, picture: Option<String>) -> Self {
        Self { name: name.to_owned(), usual: "", means: means.to_owned(), ways: 1, picture }
    }
}
