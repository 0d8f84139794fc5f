//! The place in a text that an error is about: [`Place`].

use serde::Serialize;

/// Where in a text the error is. All numbers count from 1, and columns count characters.
///
/// What is not known, or does not apply to the text, is `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The line of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column of that line. Without a line, the column in the whole text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The refused stickers, numbered in the order of the faces U R F D L B.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facelets: Vec<usize>,
    /// Squares of a board, row by row: the wrong one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<usize>,
    /// A colour that occurs too often or not often enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<char>,
    /// Which of several plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<usize>,
    /// Which word of a sequence of moves.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub word: Option<usize>,
}

impl Place {
    pub(crate) fn line(line: usize) -> Self {
        Self { line: Some(line), ..Self::default() }
    }
    pub(crate) fn column(column: usize) -> Self {
        Self { column: Some(column), ..Self::default() }
    }
    /// `None` gives an empty place.
    pub(crate) fn line_and_column(place: Option<(usize, usize)>) -> Self {
        let (line, column) = place.unzip();
        Self { line, column, ..Self::default() }
    }
    pub(crate) fn word(word: usize) -> Self {
        Self { word: Some(word), ..Self::default() }
    }
    pub(crate) fn stickers(facelets: &[usize], colour: Option<char>) -> Self {
        Self { facelets: facelets.to_vec(), colour, ..Self::default() }
    }
    pub(crate) fn squares(squares: Vec<usize>) -> Self {
        Self { squares, ..Self::default() }
    }
}
