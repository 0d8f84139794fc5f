//! Splits a text into lines and words, with their positions.

use crate::error::{Complaint, DefinitionError, Hint, quoted};
use crate::format::input::{Lines, Source};

/// A word and its position in the text, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

/// A line that is neither blank nor a comment, without the blanks at its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

/// Whether a character separates words: blanks and control characters do.
fn is_blank(c: char) -> bool {
    c <= ' '
}

impl<'a> Line<'a> {
    /// The words of the line, at least one.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = Token<'a>> + use<'a> {
        let (text, at) = (self.text, self.at);
        let words = text.split(is_blank).filter(|word| !word.is_empty());
        words.map(move |word| Token { text: word, at: at + offset(text, word) })
    }

    /// The first word.
    pub(crate) fn first(&self) -> Token<'a> {
        self.tokens().next().unwrap_or(Token { text: self.text, at: self.at })
    }

    /// The rest of the line after the first `words` words. Empty if there is no rest.
    pub(crate) fn after(&self, words: usize) -> Token<'a> {
        match self.tokens().nth(words) {
            Some(token) => Token { text: &self.text[token.at - self.at..], at: token.at },
            None => Token { text: "", at: self.end() },
        }
    }

    /// The byte after the last word.
    pub(crate) fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// The byte of `text` at which `part`, a part of it, begins.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

/// Reads a text line by line.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) source: &'a Source<'a>,
    at: usize,
    lines: Lines<'a>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(source: &'a Source<'a>) -> Self {
        Self { source, at: source.begin(), lines: Lines::new(source.text) }
    }

    /// The next line that has words, and the byte at which the line after it begins. Does not take
    /// it.
    fn look(&mut self) -> Option<(Line<'a>, usize)> {
        let text: &'a str = self.source.text;
        while self.at < text.len() {
            let rest = &text[self.at..];
            let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let (whole, next) = (&rest[..length], (self.at + length + 1).min(text.len()));
            let line = whole.trim_matches(is_blank);
            if !line.is_empty() && !whole.starts_with('#') {
                return Some((Line { text: line, at: self.at + offset(whole, line) }, next));
            }
            self.at = next;
        }
        None
    }

    /// The next line that has words, without taking it.
    pub(crate) fn peek(&mut self) -> Option<Line<'a>> {
        self.look().map(|(line, _)| line)
    }

    /// Takes the next line that has words.
    pub(crate) fn next(&mut self) -> Option<Line<'a>> {
        let (line, next) = self.look()?;
        self.at = next;
        Some(line)
    }

    /// Takes the next line of a list that ends with a line `End`. Returns `None` at that line.
    pub(crate) fn next_before_end(
        &mut self,
        expected: &str,
    ) -> Result<Option<Line<'a>>, DefinitionError> {
        let Some(line) = self.next() else {
            let complaint = Complaint::new("the end of the file", expected);
            return self.error(self.end(), complaint.hint(Hint::EndMissing));
        };
        if line.first().text == "End" {
            self.words::<1>(&line, "End")?;
            return Ok(None);
        }
        Ok(Some(line))
    }

    /// The byte at which the text ends.
    pub(crate) fn end(&self) -> usize {
        self.source.text.len()
    }

    /// The number of the line with this byte. The bytes of successive calls must be ascending.
    pub(crate) fn line_number(&mut self, at: usize) -> usize {
        self.lines.line(at)
    }

    pub(crate) fn error<T>(&self, at: usize, complaint: Complaint) -> Result<T, DefinitionError> {
        Err(self.source.error(at, complaint))
    }

    /// The words of a line of exactly `N` words. `shape` describes them in the error.
    pub(crate) fn words<const N: usize>(
        &self,
        line: &Line<'a>,
        shape: &str,
    ) -> Result<[Token<'a>; N], DefinitionError> {
        let mut words = [line.first(); N];
        let mut tokens = line.tokens();
        for word in &mut words {
            let Some(token) = tokens.next() else {
                return self.error(line.end(), Complaint::new("the end of the line", shape));
            };
            *word = token;
        }
        match tokens.next() {
            None => Ok(words),
            Some(more) => {
                let expected = format!("the end of the line after {shape}");
                self.error(more.at, Complaint::new(quoted(more.text), expected))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::TextFormat;
    use crate::format::input::ReadLimits;

    #[test]
    fn lines_that_say_something_are_found() {
        let text = "\u{feff}# no\n\n a  b \r\n\t# c\rd#e\n#";
        let source = Source::new(TextFormat::Tws, text, &ReadLimits::default()).unwrap();
        let mut cursor = Cursor::new(&source);
        assert_eq!(cursor.peek().unwrap().text, "a  b");
        let line = cursor.next().unwrap();
        assert_eq!((line.text, cursor.line_number(line.at)), ("a  b", 3));
        let words: Vec<_> = line.tokens().map(|token| &text[token.at..token.at + 1]).collect();
        assert_eq!(words, ["a", "b"]);
        assert_eq!((line.after(1).text, line.after(2).text), ("b", ""));
        // A # behind a blank begins no comment, as in the other programs that use the format.
        let line = cursor.next().unwrap();
        assert_eq!((line.text, cursor.line_number(line.at)), ("# c", 4));
        let line = cursor.next().unwrap();
        assert_eq!((line.text, cursor.line_number(line.at)), ("d#e", 5));
        assert!(cursor.next().is_none() && cursor.peek().is_none());
    }
}
