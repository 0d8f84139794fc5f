//! Reads bytes as text within limits, and computes lines and columns.

use crate::error::{Complaint, DefinitionError, Hint, TextFormat};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Read;

/// Limits on the size of a file and of the puzzle that it describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReadLimits {
    /// Most bytes of a file. [default: 64 MiB]
    pub file_bytes: u64,
    /// Most bytes of memory for the puzzle that is read, approximately. [default: 256 MiB]
    pub memory_bytes: u64,
}

impl ReadLimits {
    /// Limits on the size of a file and on the memory of its puzzle, both in bytes.
    pub const fn new(file_bytes: u64, memory_bytes: u64) -> Self {
        Self { file_bytes, memory_bytes }
    }
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self::new(64 << 20, 256 << 20)
    }
}

/// Reads a text. Reads at most one byte more than the limit from the source.
///
/// # Errors
/// If the text is longer than the limit, cannot be read, or is not UTF-8.
pub fn read_text(
    source: impl Read,
    form: TextFormat,
    limits: &ReadLimits,
) -> Result<String, DefinitionError> {
    let mut bytes = Vec::new();
    let read = source.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| DefinitionError::Unreadable { form, reason: error.to_string() })?;
    if bytes.len() as u64 > limits.file_bytes {
        return Err(DefinitionError::TooLarge { form, limit: limits.file_bytes });
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let (line, column) = position(&String::from_utf8_lossy(&bytes[..at]), at);
        let value = bytes.get(at).copied().unwrap_or_default();
        DefinitionError::NotUtf8 { form, byte: at + 1, value, line, column }
    })
}

/// A text being read. It computes lines and columns for errors, and counts the memory of the
/// puzzle.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) form: TextFormat,
    pub(crate) text: &'a str,
    limit: u64,
    used: Cell<u64>,
    /// Notes about what the reader ignores: each text, with the place where it occurs first.
    ignored: RefCell<BTreeMap<String, usize>>,
}

impl<'a> Source<'a> {
    /// A text in this format, to be read within limits.
    ///
    /// # Errors
    /// If the text is longer than the limit.
    pub(crate) fn new(
        form: TextFormat,
        text: &'a str,
        limits: &ReadLimits,
    ) -> Result<Self, DefinitionError> {
        if text.len() as u64 > limits.file_bytes {
            return Err(DefinitionError::TooLarge { form, limit: limits.file_bytes });
        }
        let (limit, used) = (limits.memory_bytes, Cell::new(0));
        Ok(Self { form, text, limit, used, ignored: RefCell::default() })
    }

    /// The byte at which the text begins: after a byte-order mark, if there is one.
    pub(crate) fn begin(&self) -> usize {
        if self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
    }

    /// Counts memory before it is allocated. `at` is the byte of the text that needs it.
    ///
    /// # Errors
    /// If the text needs more memory than the limit. The error has the memory needed up to `at`.
    pub(crate) fn charge(&self, bytes: usize, at: usize) -> Result<(), DefinitionError> {
        let needed = self.used.get().saturating_add(bytes as u64);
        self.used.set(needed);
        if needed <= self.limit {
            return Ok(());
        }
        let (line, _) = position(self.text, at);
        Err(DefinitionError::Memory { form: self.form, line, needed, limit: self.limit })
    }

    /// Notes that the reader ignores something at byte `at`. Keeps equal texts once.
    ///
    /// # Errors
    /// If the notes pass the memory limit.
    pub(crate) fn ignore(&self, at: usize, text: String) -> Result<(), DefinitionError> {
        let mut ignored = self.ignored.borrow_mut();
        if let Entry::Vacant(free) = ignored.entry(text) {
            self.charge(2 * free.key().len() + 64, at)?;
            free.insert(at);
        }
        Ok(())
    }

    /// Takes the notes about what was ignored, each as line and text, in the order of the file.
    pub(crate) fn take_ignored(&self) -> Vec<(usize, String)> {
        let mut ignored: Vec<_> = self.ignored.take().into_iter().collect();
        ignored.sort_by_key(|&(_, at)| at);
        let mut lines = Lines::new(self.text);
        ignored.into_iter().map(|(text, at)| (lines.line(at), text)).collect()
    }

    /// The error for a place `at` bytes into the text.
    pub(crate) fn error(&self, at: usize, mut complaint: Complaint) -> DefinitionError {
        use TextFormat::{Def, Scramble, Tws};
        let lines = matches!(self.form, Tws | Def | Scramble);
        if lines && self.text.get(at..).is_some_and(|rest| rest.starts_with('#')) {
            complaint.hint = Some(Hint::CommentAtStart);
        }
        let (line, column) = position(self.text, at);
        DefinitionError::Malformed { form: self.form, line, column, complaint: Box::new(complaint) }
    }
}

/// Line and column of a byte, both from 1. Columns count characters.
///
/// Lines end with LF, CR, or CR and LF. A byte-order mark has no column.
pub(crate) fn position(text: &str, at: usize) -> (usize, usize) {
    let mut lines = Lines::new(text);
    let line = lines.line(at);
    let begin = lines.begin;
    let before = text.get(begin..at.min(text.len())).unwrap_or_default();
    (line, before.trim_start_matches('\u{feff}').chars().count() + 1)
}

/// Counts lines in one pass over the text. The bytes of successive calls must be ascending.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    /// The byte at which the current line begins.
    begin: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, line: 1, begin: 0 }
    }

    pub(crate) fn line(&mut self, at: usize) -> usize {
        let end = at.min(self.bytes.len());
        #[cfg(test)]
        tests::SCANNED.with(|scanned| scanned.update(|all| all + (end.max(self.at) - self.at)));
        while self.at < end {
            let followed = self.bytes.get(self.at + 1) == Some(&b'\n');
            let byte = self.bytes[self.at];
            self.at += 1;
            if byte == b'\n' || byte == b'\r' && !followed {
                self.line += 1;
                self.begin = self.at;
            }
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Definition;

    thread_local! {
        /// Number of bytes in which lines were counted.
        pub(super) static SCANNED: Cell<usize> = const { Cell::new(0) };
    }

    /// In both formats, the line numbers of all moves together cost one pass over the text.
    #[test]
    fn a_definition_is_scanned_once_for_its_line_numbers() {
        let tws = crate::shipped::text("5x5x5").unwrap();
        let limits = ReadLimits::default();
        let read = Definition::from_tws(tws, &limits).unwrap();
        assert!((1..=tws.len()).contains(&SCANNED.take()));
        let json = read.to_kpuzzle();
        Definition::from_kpuzzle(&json, &limits).unwrap();
        assert!((1..=2 * json.len()).contains(&SCANNED.take()));
    }

    #[test]
    fn places_are_counted_over_all_line_ends() {
        let text = "ab\ncé x\r\nd\re";
        let place = |of: &str| position(text, text.find(of).unwrap());
        assert_eq!(
            [place("a"), place("b"), place("c"), place("x"), place("d"), place("e")],
            [(1, 1), (1, 2), (2, 1), (2, 4), (3, 1), (4, 1)]
        );
        assert_eq!(position(text, 999), (4, 2));
        assert_eq!(position("\u{feff}ab", 4), (1, 2));
    }

    #[test]
    fn endless_files_and_no_texts_are_refused() {
        let limits = ReadLimits { file_bytes: 1000, ..ReadLimits::default() };
        let endless = read_text(std::io::repeat(b'x'), TextFormat::Tws, &limits).unwrap_err();
        assert_eq!(
            endless.to_string(),
            "definition: found more than 1000 bytes, expected at most that many"
        );
        let all = read_text(std::io::repeat(b'x').take(1000), TextFormat::Tws, &limits).unwrap();
        assert_eq!(all.len(), 1000);
        let error = read_text(&b"Name \xff"[..], TextFormat::Scramble, &limits).unwrap_err();
        assert_eq!(
            error.to_string(),
            "scramble file, line 1, column 6: found 0xff as byte 6, expected text in UTF-8"
        );
        let error = read_text(&b"a\n\xc3"[..], TextFormat::KPuzzle, &limits).unwrap_err();
        assert_eq!(error.place(), Some((2, 1)));
        assert!(Source::new(TextFormat::Tws, &"x".repeat(1001), &limits).is_err());
    }

    #[test]
    fn a_source_that_fails_is_an_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("no such disk"))
            }
        }
        let error = read_text(Broken, TextFormat::Tws, &ReadLimits::default()).unwrap_err();
        assert_eq!(error.to_string(), "definition: cannot be read: no such disk");
    }
}
