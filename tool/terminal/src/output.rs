//! Results on standard output, as text, JSON lines or CSV, and notes on standard error.

use clap::ValueEnum;
use fewest::csv_row;
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, Write};

/// The form of results.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    /// For people.
    Text,
    /// An object a line.
    Json,
    /// A header, then a row a line.
    Csv,
}

/// Writes results to standard output. Every line is flushed, since a reader may wait for it.
#[derive(Debug)]
pub struct Output {
    /// How the results are written.
    pub format: Format,
    /// The `type` of the JSON objects: the name of the verb.
    kind: &'static str,
    /// The columns of CSV, with blanks between them: keys of the objects.
    columns: &'static str,
    /// Whether nothing is written yet. The first object gets the version; CSV begins with a header.
    first: bool,
    out: io::StdoutLock<'static>,
}

/// The version of the JSON objects. Within a version, keys are added but never changed.
const VERSION: u32 = 1;

impl Output {
    /// The results of a verb. `columns` are those of CSV, with blanks between them.
    pub fn new(format: Format, kind: &'static str, columns: &'static str) -> Self {
        Self { format, kind, columns, first: true, out: io::stdout().lock() }
    }

    /// Writes a summary of the lines before, as [`Output::line`] does. Its `type` is `summary`.
    ///
    /// All rows of CSV are of one kind, so there the text goes to standard error.
    ///
    /// # Errors
    /// If standard output takes no more.
    pub fn summary(
        &mut self,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> io::Result<()> {
        if self.format == Format::Csv {
            note(text());
            return Ok(());
        }
        self.kind = "summary";
        self.line(json, text)
    }

    /// Writes a result: the object as a line of JSON or a row of CSV, or the text, as the format
    /// says.
    ///
    /// Each object gets the key `type`, unless it has one. The first object of a run also gets
    /// `version`.
    ///
    /// # Errors
    /// If standard output takes no more.
    pub fn line(
        &mut self,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> io::Result<()> {
        match self.format {
            Format::Json => {
                let mut object = self.typed(json());
                if std::mem::take(&mut self.first) {
                    object["version"] = VERSION.into();
                }
                writeln!(self.out, "{object}")?;
            }
            Format::Csv => {
                self.header()?;
                let object = self.typed(json());
                writeln!(self.out, "{}", csv_row(&object, self.columns.split(' ')))?;
            }
            Format::Text => writeln!(self.out, "{}", text())?,
        }
        self.out.flush()
    }

    /// The object with its `type`.
    fn typed(&self, mut object: Value) -> Value {
        if object.get("type").is_none() {
            object["type"] = self.kind.into();
        }
        object
    }

    /// Writes the header of CSV, unless it is written.
    ///
    /// Verbs that may end without a row call it, so that the table is empty and not missing.
    ///
    /// # Errors
    /// If standard output takes no more.
    pub fn header(&mut self) -> io::Result<()> {
        if self.format == Format::Csv && std::mem::take(&mut self.first) {
            writeln!(self.out, "{}", self.columns.replace(' ', ","))?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// Writes a line to standard error. A failure to write it is ignored.
pub fn note(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", plain(&line.to_string()));
}

/// Escapes control characters other than line ends. Names of files may contain some.
pub fn plain(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(plain("a\u{1b}[31m\tb\nc é"), "a\\u{1b}[31m\\tb\nc é");
    }
}
