//! A JSON reader that keeps the place of every value and the order of keys, which the general one does not (RFC 8259).

use crate::error::{Complaint, DefinitionError, Hint, quoted};
use crate::format::input::{Budget, Source};
use std::borrow::Cow;
use std::collections::HashSet;

/// Lists and objects within each other, at the most.
const DEEPEST: usize = 64;

/// A value and where it begins in the text.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    pub(crate) at: usize,
    pub(crate) value: Value<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    /// As it is written.
    Number(&'a str),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Object(Vec<Member<'a>>),
}

/// A key of an object with its value; keys differ.
#[derive(Clone, Debug)]
pub(crate) struct Member<'a> {
    pub(crate) key: Cow<'a, str>,
    /// Where the key begins, at its quotation mark.
    pub(crate) at: usize,
    pub(crate) node: Node<'a>,
}

impl Node<'_> {
    /// The value in words, for a complaint.
    pub(crate) fn shown(&self) -> String {
        match &self.value {
            Value::Null => "`null`".into(),
            Value::Bool(flag) => format!("`{flag}`"),
            Value::Number(number) => quoted(number),
            Value::Text(text) => format!("the text {}", quoted(text)),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Object(_) => "an object".into(),
        }
    }
}

/// Reads a text that is one JSON value.
///
/// # Errors
/// Where it is none, nested too deeply, or takes more memory than the budget has.
pub(crate) fn read_json<'a>(
    source: &Source<'a>,
    budget: &mut Budget,
) -> Result<Node<'a>, DefinitionError> {
    let mut reader = Reader { source: *source, at: source.begin(), depth: 0, budget };
    let node = reader.value()?;
    reader.blanks();
    if reader.at < source.text.len() {
        return Err(reader.expected("the end of the file"));
    }
    Ok(node)
}

struct Reader<'a, 'b> {
    source: Source<'a>,
    at: usize,
    depth: usize,
    budget: &'b mut Budget,
}

type Read<T> = Result<T, DefinitionError>;

impl<'a> Reader<'a, '_> {
    fn rest(&self) -> &'a str {
        &self.source.text[self.at..]
    }

    fn byte(&self) -> Option<u8> {
        self.source.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
    }

    fn expected(&self, expected: &str) -> DefinitionError {
        let rest = self.rest();
        let word = rest.find(|c: char| c.is_whitespace() || "{}[],:\"".contains(c));
        let found = match (rest.chars().next(), word) {
            (None, _) => "the end of the file".to_owned(),
            (Some(c), Some(0)) => quoted(c.encode_utf8(&mut [0; 4])),
            (_, end) => quoted(&rest[..end.unwrap_or(rest.len())]),
        };
        let other =
            rest.starts_with(['/', '\'', '#', ']', '}']) || rest.starts_with(char::is_alphabetic);
        let complaint = Complaint::new(found, expected);
        self.source.error(self.at, complaint.maybe(other.then_some(Hint::StrictJson)))
    }

    /// Takes a character after blanks.
    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let there = self.byte() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self) -> Read<Node<'a>> {
        self.blanks();
        self.budget.take(size_of::<Node<'_>>(), &self.source, self.at)?;
        let at = self.at;
        let value = match self.byte() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => Value::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(Node { at, value })
    }

    fn word(&mut self) -> Read<Value<'a>> {
        for (word, value) in
            [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
        {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.expected("a value"))
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Read<Value<'a>>) -> Read<Value<'a>> {
        if self.depth == DEEPEST {
            let complaint = Complaint::new(
                format!("lists and objects more than {DEEPEST} deep"),
                "at most that many within each other",
            );
            return Err(self.source.error(self.at, complaint));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Read<Value<'a>> {
        let mut list = Vec::new();
        if self.take(b']') {
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.value()?);
            if self.take(b']') {
                return Ok(Value::List(list));
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn object(&mut self) -> Read<Value<'a>> {
        let mut members = Vec::new();
        let mut keys = HashSet::new();
        if self.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.blanks();
            let at = self.at;
            if self.byte() != Some(b'"') {
                return Err(self.expected("a key in double quotes"));
            }
            self.budget.take(2 * size_of::<Member<'_>>(), &self.source, self.at)?;
            let key = self.text()?;
            if !keys.insert(key.clone()) {
                let found = format!("the key {} again", quoted(&key));
                return Err(self.source.error(at, Complaint::new(found, "each key once")));
            }
            if !self.take(b':') {
                return Err(self.expected("`:`"));
            }
            members.push(Member { key, at, node: self.value()? });
            if self.take(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn number(&mut self) -> Read<&'a str> {
        let start = self.at;
        let digits = |reader: &mut Self| -> Read<usize> {
            let before = reader.at;
            while reader.byte().is_some_and(|byte| byte.is_ascii_digit()) {
                reader.at += 1;
            }
            match reader.at - before {
                0 => Err(reader.expected("a digit")),
                count => Ok(count),
            }
        };
        self.at += usize::from(self.byte() == Some(b'-'));
        let zero = self.byte() == Some(b'0');
        let count = digits(self)?;
        if zero && count > 1 {
            self.at = start;
            return Err(self.expected("a number without leading zeros"));
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            digits(self)?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            digits(self)?;
        }
        Ok(&self.source.text[start..self.at])
    }

    /// A text; borrowed where nothing is escaped.
    fn text(&mut self) -> Read<Cow<'a, str>> {
        self.at += 1;
        let mut owned: Option<String> = None;
        loop {
            let rest = self.rest();
            let Some(end) = rest.find(|c: char| c == '"' || c == '\\' || c < ' ') else {
                self.at = self.source.text.len();
                return Err(self.expected("`\"` at the end of a text"));
            };
            let part = &rest[..end];
            self.at += end;
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match owned {
                        None => Cow::Borrowed(part),
                        Some(text) => Cow::Owned(text + part),
                    });
                }
                Some(b'\\') => {
                    let character = self.escape()?;
                    let text = owned.get_or_insert_default();
                    text.push_str(part);
                    text.push(character);
                }
                _ => {
                    let complaint =
                        Complaint::new("a control character or the end of the line", "`\"`");
                    return Err(self.source.error(self.at, complaint));
                }
            }
        }
    }

    /// What a backslash stands for, and two where they are the halves of one character.
    fn escape(&mut self) -> Read<char> {
        let start = self.at;
        self.at += 1;
        let byte = self.byte();
        self.at += usize::from(byte.is_some_and(|byte| byte.is_ascii()));
        let plain = match byte {
            Some(plain @ (b'"' | b'\\' | b'/')) => char::from(plain),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self.hexadecimal(start)?;
                let second = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u")
                {
                    self.at += 2;
                    self.hexadecimal(start)?
                } else {
                    return self.unicode(start, first);
                };
                if !(0xdc00..0xe000).contains(&second) {
                    return self.unicode(start, first);
                }
                let both = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return self.unicode(start, both);
            }
            _ => {
                self.at = start;
                return Err(self.expected("one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"));
            }
        };
        Ok(plain)
    }

    fn unicode(&self, start: usize, number: u32) -> Read<char> {
        char::from_u32(number).ok_or_else(|| {
            let complaint =
                Complaint::new("half of a character", "both halves, \\uD800 to \\uDBFF first");
            self.source.error(start, complaint)
        })
    }

    fn hexadecimal(&mut self, start: usize) -> Read<u32> {
        let digits = self.rest().get(..4);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(number) => {
                self.at += 4;
                Ok(number)
            }
            None => {
                self.at = start;
                Err(self.expected("four hexadecimal digits after \\u"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::TextFormat;
    use crate::format::input::ReadLimits;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<serde_json::Value, DefinitionError> {
        let source = Source::new(TextFormat::KPuzzle, text, &ReadLimits::default())?;
        let mut budget = Budget::new(1 << 20);
        read_json(&source, &mut budget).map(|node| general(&node))
    }

    fn general(node: &Node<'_>) -> serde_json::Value {
        match &node.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => (*flag).into(),
            Value::Number(number) => serde_json::from_str(number).unwrap(),
            Value::Text(text) => text.as_ref().into(),
            Value::List(list) => list.iter().map(general).collect(),
            Value::Object(members) => {
                let pairs = members.iter().map(|m| (m.key.to_string(), general(&m.node)));
                serde_json::Value::Object(pairs.collect())
            }
        }
    }

    #[test]
    fn complaints_name_the_place() {
        for (text, line, column, complaint) in [
            ("", 1, 1, "found the end of the file, expected a value"),
            ("{\"a\":1,}", 1, 8, "found `}`, expected a key in double quotes"),
            ("[1,\n 2 3]", 2, 4, "found `3`, expected `,` or `]`"),
            ("[1,]", 1, 4, "found `]`, expected a value"),
            ("{a:1}", 1, 2, "found `a`, expected a key in double quotes"),
            ("// no\n1", 1, 1, "found `//`, expected a value"),
            ("{\"a\" 1}", 1, 6, "found `1`, expected `:`"),
            ("[01]", 1, 2, "found `01`, expected a number without leading zeros"),
            ("1 2", 1, 3, "found `2`, expected the end of the file"),
            ("\"a", 1, 3, "found the end of the file, expected `\"` at the end of a text"),
            ("\"\\ud800\"", 1, 2, "found half of a character"),
            ("\"\\x\"", 1, 2, "found `\\x`, expected one of"),
            ("{\"a\":1,\"a\":2}", 1, 8, "found the key `a` again, expected each key once"),
            ("\"a\nb\"", 1, 3, "found a control character or the end of the line, expected `\"`"),
            ("-", 1, 2, "found the end of the file, expected a digit"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.place(), Some((line, column)), "{text}: {error}");
            assert!(error.complaint().unwrap().to_string().starts_with(complaint), "{error}");
        }
        let deep = read(&"[".repeat(1_000_000)).unwrap_err();
        assert!(deep.to_string().contains("more than 64 deep"), "{deep}");
        let many = read(&format!("[{}1]", "1,".repeat(100_000))).unwrap_err();
        assert!(many.to_string().contains("bytes of memory"), "{many}");
    }

    /// Pieces of JSON, so that random rows of them are often JSON.
    const PARTS: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"b\"",
        "1",
        "-0",
        "2.5",
        "1e9",
        "1E+",
        "true",
        "null",
        " ",
        "\n",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\udc00\"",
        "\"\t\"",
        "é",
        "\\",
        "\"\\n",
    ];

    fn has_twice(text: &str) -> bool {
        matches!(read(text), Err(error) if error.to_string().contains("again"))
    }

    proptest! {
        #[test]
        fn the_general_reader_agrees(parts in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 0..12)) {
            let text = parts.concat();
            match (read(&text), serde_json::from_str::<serde_json::Value>(&text)) {
                (Ok(ours), Ok(general)) => prop_assert_eq!(ours, general),
                (Err(_), Err(_)) => {}
                (ours, general) => prop_assert!(has_twice(&text), "{:?} {:?} {:?}", text, ours, general),
            }
        }

        #[test]
        fn values_are_read_as_they_were_written(
            texts in proptest::collection::vec(any::<String>(), 0..5), numbers in proptest::collection::vec(any::<i64>(), 0..5),
        ) {
            let value = serde_json::json!({ "texts": texts, "numbers": numbers, "none": null });
            prop_assert_eq!(read(&value.to_string()).unwrap(), value.clone());
            prop_assert_eq!(read(&serde_json::to_string_pretty(&value).unwrap()).unwrap(), value);
        }
    }
}
