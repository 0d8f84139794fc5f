//! The lines of a file, their words and numbers.

use std::{fmt, str};

/// Why a file is not confirmed. Both texts name the place and what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Objection {
    /// The file says something that does not hold.
    Refused(String),
    /// The file could not be checked, which says nothing about it.
    NotDone(String),
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(text) => write!(f, "refused: {text}"),
            Self::NotDone(text) => write!(f, "not checked: {text}"),
        }
    }
}

impl std::error::Error for Objection {}

/// Whether something holds, or is refused with a text.
pub(crate) fn require(holds: bool, text: impl FnOnce() -> String) -> Result<(), Objection> {
    if holds { Ok(()) } else { Err(Objection::Refused(text())) }
}

/// The lines that are left of a file.
pub(crate) struct Lines<'a> {
    pub(crate) rest: &'a [u8],
    number: usize,
}

/// A line without its first word.
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) words: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(file: &'a [u8]) -> Self {
        Self { rest: file, number: 1 }
    }

    /// The next line if this is its first word. `about` is followed by anything.
    pub(crate) fn take(&mut self, first: &str) -> Result<Option<Line<'a>>, Objection> {
        let place = |text: &str| Objection::Refused(format!("line {}: {text}", self.number));
        if self.rest.is_empty() {
            return Ok(None);
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| place("expected a line break at its end"))?;
        let text = str::from_utf8(&self.rest[..end]).map_err(|_| place("expected UTF-8"))?;
        let mut words: Vec<&str> = text.split(' ').collect();
        if words.remove(0) != first {
            return Ok(None);
        }
        if first != "about" && words.contains(&"") {
            return Err(place("expected words with one space between them"));
        }
        let line = Line { number: self.number, words };
        self.rest = &self.rest[end + 1..];
        self.number += 1;
        Ok(Some(line))
    }

    /// The next line, which must begin with this word.
    pub(crate) fn expect(&mut self, first: &str) -> Result<Line<'a>, Objection> {
        let number = self.number;
        let line = self.take(first)?;
        line.ok_or_else(|| Objection::Refused(format!("line {number}: expected `{first}`")))
    }

    /// All lines from here that begin with this word.
    pub(crate) fn all(&mut self, first: &str) -> Result<Vec<Line<'a>>, Objection> {
        let mut lines = Vec::new();
        while let Some(line) = self.take(first)? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// Requires that nothing is left.
    pub(crate) fn end(&self) -> Result<(), Objection> {
        require(self.rest.is_empty(), || {
            format!("line {}: expected the end of the file", self.number)
        })
    }
}

impl Line<'_> {
    pub(crate) fn refused(&self, text: impl fmt::Display) -> Objection {
        Objection::Refused(format!("line {}: {text}", self.number))
    }

    /// Refuses the line unless something holds.
    pub(crate) fn require(&self, holds: bool, text: impl fmt::Display) -> Result<(), Objection> {
        if holds { Ok(()) } else { Err(self.refused(text)) }
    }

    pub(crate) fn word(&self, at: usize) -> Result<&str, Objection> {
        let found = self.words.get(at).copied();
        found.ok_or_else(|| self.refused(format_args!("expected more words than {}", at + 1)))
    }

    /// A decimal number of at most `most`.
    pub(crate) fn number(&self, at: usize, most: u64) -> Result<u64, Objection> {
        let word = self.word(at)?;
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let number = word.parse().ok().filter(|&number| digits && number <= most);
        let expected = || self.refused(format_args!("expected 0 to {most} in place of `{word}`"));
        number.ok_or_else(expected)
    }

    /// All words from here on as numbers of at most 65,535: exactly `many`.
    pub(crate) fn numbers(&self, from: usize, many: usize) -> Result<Vec<u16>, Objection> {
        let found = self.words.len().saturating_sub(from);
        self.require(found == many, format_args!("expected {many} numbers, not {found}"))?;
        let numbers = from..self.words.len();
        numbers.map(|at| Ok(self.number(at, u16::MAX.into())? as u16)).collect()
    }

    pub(crate) fn require_words(&self, many: usize) -> Result<(), Objection> {
        let found = self.words.len();
        self.require(found == many, format_args!("expected {many} words more, not {found}"))
    }
}
