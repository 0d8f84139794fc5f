//! Writes results to standard output, as text or as JSON lines, and notes to standard error.

use super::options::Format;
use std::fmt::Display;
use std::io::{self, Write};

/// Writes results to standard output. Every line is flushed, since a reader may wait for it.
pub(super) struct Output {
    pub(super) format: Format,
    /// The `type` of the JSON objects: the name of the verb.
    kind: &'static str,
    /// Whether no object is written yet. The first one gets the version.
    first: bool,
    out: io::StdoutLock<'static>,
}

/// The version of the JSON objects. Within a version, keys are added but never changed.
const VERSION: u32 = 1;

impl Output {
    pub(super) fn new(format: Format, kind: &'static str) -> Self {
        Self { format, kind, first: true, out: io::stdout().lock() }
    }

    /// Writes a summary of the lines before, as [`Output::line`] does. Its `type` is `summary`.
    pub(super) fn summary(
        &mut self,
        json: impl FnOnce() -> serde_json::Value,
        text: impl FnOnce() -> String,
    ) -> io::Result<()> {
        self.kind = "summary";
        self.line(json, text)
    }

    /// Writes a result: the object as a line of JSON, or the text, as the format says.
    ///
    /// Each object gets the key `type`. The first object of a run also gets `version`.
    pub(super) fn line(
        &mut self,
        json: impl FnOnce() -> serde_json::Value,
        text: impl FnOnce() -> String,
    ) -> io::Result<()> {
        match self.format {
            Format::Json => {
                let mut object = json();
                object["type"] = self.kind.into();
                if std::mem::take(&mut self.first) {
                    object["version"] = VERSION.into();
                }
                writeln!(self.out, "{object}")?;
            }
            Format::Text => writeln!(self.out, "{}", text())?,
        }
        self.out.flush()
    }
}

/// Writes a line to standard error. A failure to write it is ignored.
pub(super) fn note(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", plain(&line.to_string()));
}

/// Escapes control characters other than line ends. Names of files may contain some.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => plain.push(c),
            c if c.is_control() => plain.extend(c.escape_default()),
            c => plain.push(c),
        }
    }
    plain
}

/// A number with a comma between thousands.
pub(super) fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 move`, `2 moves`.
pub(super) fn moves(count: usize) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

/// `2 moves`, or `2 moves, cost 7` where some moves cost other than 1.
pub(super) fn moves_at_cost(count: usize, cost: Option<u64>) -> String {
    match cost {
        Some(cost) => format!("{}, cost {cost}", moves(count)),
        None => moves(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(plain("a\u{1b}[31m\tb\nc é"), "a\\u{1b}[31m\\tb\nc é");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0_u32), "0");
        assert_eq!(grouped(999_u32), "999");
        assert_eq!(grouped(1_000_u32), "1,000");
        assert_eq!(grouped(246_639_261_965_462_754_048_u128), "246,639,261,965,462,754,048");
    }
}
