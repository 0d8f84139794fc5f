//! The lines of a file, their words and numbers.

use std::{fmt::Display, iter, str};

/// Why a file is not confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// Whether the file says something that does not hold. Else it could not be checked.
    pub refused: bool,
    /// Names the place and what was expected.
    pub text: String,
}

/// The most points, moves, and labels, and the greatest cost of a move.
pub(crate) const MOST: usize = 65_535;

pub(crate) type Checked<T = ()> = Result<T, Objection>;

/// Refuses the file unless something holds.
pub(crate) fn require(holds: bool, text: impl Display) -> Checked {
    some(holds.then_some(()), text)
}

/// Refuses the file if there is nothing.
pub(crate) fn some<T>(found: Option<T>, text: impl Display) -> Checked<T> {
    found.ok_or_else(|| Objection { refused: true, text: text.to_string() })
}

/// Something is too large for this program, or the machine failed.
pub(crate) fn not_done(text: impl Display) -> Objection {
    Objection { refused: false, text: text.to_string() }
}

/// Puts the name of a place in front of a text.
pub(crate) fn at<T>(place: impl Display, checked: Checked<T>) -> Checked<T> {
    checked.map_err(|why| Objection { text: format!("{place}: {}", why.text), ..why })
}

/// The lines that are left of a file.
pub(crate) struct Lines<'a> {
    pub(crate) rest: &'a [u8],
    pub(crate) number: usize,
}

/// The words of a line behind the first.
pub(crate) type Line<'a> = [&'a str];

/// Reads a line.
pub(crate) trait Read<T>: FnMut(&Line) -> Checked<T> {}
impl<T, R: FnMut(&Line) -> Checked<T>> Read<T> for R {}

impl<'a> Lines<'a> {
    /// The next line if this is its first word.
    pub(crate) fn take(&mut self, first: &str) -> Checked<Option<Vec<&'a str>>> {
        let place = format!("line {}", self.number);
        let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
        let text = str::from_utf8(&self.rest[..end]).ok();
        let mut words = at(&place, some(text, "expected UTF-8"))?.split(' ');
        if words.next() != Some(first) {
            return Ok(None);
        }
        let words: Vec<_> = words.collect();
        let whole = end < self.rest.len() && !words.contains(&"");
        at(place, require(whole, "expected one space between words, and a line break at the end"))?;
        (self.rest, self.number) = (&self.rest[end + 1..], self.number + 1);
        Ok(Some(words))
    }

    /// Reads the next line if this is its first word.
    pub(crate) fn one<T>(&mut self, first: &str, mut read: impl Read<T>) -> Checked<Option<T>> {
        let place = format!("line {}", self.number);
        self.take(first)?.map(|words| at(place, read(&words))).transpose()
    }

    /// Reads the next line, which must begin with this word.
    pub(crate) fn need<T>(&mut self, first: &str, read: impl Read<T>) -> Checked<T> {
        let missing = format!("line {}: expected `{first}`", self.number);
        some(self.one(first, read)?, missing)
    }

    /// Reads all lines from here that begin with this word.
    pub(crate) fn each<T>(&mut self, first: &str, mut read: impl Read<T>) -> Checked<Vec<T>> {
        iter::from_fn(|| self.one(first, &mut read).transpose()).collect()
    }
}

/// The word with this number.
pub(crate) fn word<'a>(words: &Line<'a>, at: usize) -> Checked<&'a str> {
    some(words.get(at).copied(), format_args!("expected more than {} words", at + 1))
}

/// A decimal number without zeros in front.
pub(crate) fn number(words: &Line, at: usize) -> Checked<usize> {
    let word = word(words, at)?;
    let number = word.parse().ok().filter(|number: &usize| number.to_string() == word);
    some(number, format_args!("expected a number, not `{word}`"))
}

/// A line of one number.
pub(crate) fn lone_number(words: &Line) -> Checked<usize> {
    require(words.len() == 1, "expected one number")?;
    number(words, 0)
}

/// All words from here on as numbers of at most 65,535: exactly `many`.
pub(crate) fn numbers(words: &Line, from: usize, many: usize) -> Checked<Vec<usize>> {
    let found = words.len().saturating_sub(from);
    require(found == many, format_args!("expected {many} numbers, not {found}"))?;
    let small = |at| number(words, at).and_then(|n| some((n <= MOST).then_some(n), "over 65,535"));
    (from..words.len()).map(small).collect()
}
