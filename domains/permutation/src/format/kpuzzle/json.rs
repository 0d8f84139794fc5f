//! JSON values with their positions in the text. Members of objects keep the order of the text.
//!
//! `serde_json` reads the text. A [`RawValue`] borrows its part of the text, so the address gives
//! the position.

use crate::error::{Complaint, DefinitionError, Hint, quoted};
use crate::format::input::Source;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

/// Deepest nesting of lists and objects.
const DEEPEST: usize = 64;

/// A value and the byte where it begins in the text.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    pub(crate) at: usize,
    pub(crate) value: Value<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    /// A number, as it stands in the text.
    Number(&'a str),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Object(Vec<Member<'a>>),
}

/// A key of an object, with its value. All keys of an object differ.
#[derive(Clone, Debug)]
pub(crate) struct Member<'a> {
    pub(crate) key: Cow<'a, str>,
    /// The byte at which the key begins, with its quotation mark.
    pub(crate) at: usize,
    pub(crate) node: Node<'a>,
}

impl<'a> Node<'a> {
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

    /// An element of a list. `None` if the value is no list or has fewer elements.
    pub(crate) fn element(&self, index: usize) -> Option<&Node<'a>> {
        match &self.value {
            Value::List(list) => list.get(index),
            _ => None,
        }
    }
}

/// Reads a text that is one JSON value.
///
/// # Errors
/// If the text is not JSON, nests too deeply, repeats a key, or needs more memory than allowed. The
/// error has the place.
pub(crate) fn read_json<'a>(source: &Source<'a>) -> Result<Node<'a>, DefinitionError> {
    let text = &source.text[source.begin()..];
    let raw: &'a RawValue =
        serde_json::from_str(text).map_err(|error| syntax(source, source.begin(), text, &error))?;
    Reader { source, depth: 0 }.node(raw)
}

/// Reads a text of JSON values, one after the other.
///
/// # Errors
/// As [`read_json`], and if there is no value.
pub(crate) fn read_values<'a>(source: &Source<'a>) -> Result<Vec<Node<'a>>, DefinitionError> {
    let text = &source.text[source.begin()..];
    let mut out = Vec::new();
    for raw in serde_json::Deserializer::from_str(text).into_iter::<&'a RawValue>() {
        let raw = raw.map_err(|error| syntax(source, source.begin(), text, &error))?;
        out.push(Reader { source, depth: 0 }.node(raw)?);
    }
    if out.is_empty() {
        let complaint = Complaint::new("the end of the file", "a value");
        return Err(source.error(source.text.len(), complaint));
    }
    Ok(out)
}

struct Reader<'s, 'a> {
    source: &'s Source<'a>,
    /// Number of lists and objects around the value.
    depth: usize,
}

type Read<T> = Result<T, DefinitionError>;

impl<'a> Reader<'_, 'a> {
    /// The byte at which a part of the text begins.
    fn place(&self, raw: &'a RawValue) -> usize {
        raw.get().as_ptr().addr() - self.source.text.as_ptr().addr()
    }

    fn node(&mut self, raw: &'a RawValue) -> Read<Node<'a>> {
        let (at, text) = (self.place(raw), raw.get());
        self.source.charge(size_of::<Node<'_>>(), at)?;
        let value = match text.as_bytes()[0] {
            b'{' => {
                let (mut members, mut keys) = (Vec::new(), HashSet::new());
                self.each(raw, |reader, key, raw| {
                    let Some(key) = key else { unreachable!("an object has keys") };
                    let member = reader.member(key, raw)?;
                    if !keys.insert(member.key.clone()) {
                        let found = format!("the key {} again", quoted(&member.key));
                        let complaint = Complaint::new(found, "each key once");
                        return Err(reader.source.error(member.at, complaint));
                    }
                    members.push(member);
                    Ok(())
                })?;
                Value::Object(members)
            }
            b'[' => {
                let mut list = Vec::new();
                self.each(raw, |reader, _, raw| {
                    list.push(reader.node(raw)?);
                    Ok(())
                })?;
                Value::List(list)
            }
            b'"' => Value::Text(self.text(raw)?),
            b't' | b'f' => Value::Bool(text == "true"),
            b'n' => Value::Null,
            _ => Value::Number(text),
        };
        Ok(Node { at, value })
    }

    fn member(&mut self, key: &'a RawValue, raw: &'a RawValue) -> Read<Member<'a>> {
        let at = self.place(key);
        self.source.charge(2 * size_of::<Member<'_>>(), at)?;
        Ok(Member { key: self.text(key)?, at, node: self.node(raw)? })
    }

    /// The contents of a string. Borrowed if nothing in it is escaped.
    fn text(&self, raw: &'a RawValue) -> Read<Cow<'a, str>> {
        let text = raw.get();
        if !text.contains('\\') {
            return Ok(Cow::Borrowed(&text[1..text.len() - 1]));
        }
        let read = serde_json::from_str(text).map(Cow::Owned);
        read.map_err(|error| syntax(self.source, self.place(raw), text, &error))
    }

    /// Calls `take` for each member of an object, with key and value, or for each element of a
    /// list, without a key.
    fn each<F>(&mut self, raw: &'a RawValue, take: F) -> Read<()>
    where
        F: FnMut(&mut Self, Option<&'a RawValue>, &'a RawValue) -> Read<()>,
    {
        if self.depth == DEEPEST {
            let found = format!("lists and objects more than {DEEPEST} deep");
            let complaint = Complaint::new(found, "at most that many within each other");
            return Err(self.source.error(self.place(raw), complaint));
        }
        self.depth += 1;
        let mut failure = None;
        let members = Members { reader: self, take, failure: &mut failure };
        let read = serde_json::Deserializer::from_str(raw.get()).deserialize_any(members);
        self.depth -= 1;
        match (failure, read) {
            (Some(failure), _) => Err(failure),
            (None, Ok(())) => Ok(()),
            (None, Err(error)) => unreachable!("the text was checked as a whole: {error}"),
        }
    }
}

/// Passes the members of one value to `take`, and keeps the error that `take` returns.
struct Members<'r, 'f, R, F> {
    reader: &'r mut R,
    take: F,
    failure: &'f mut Option<DefinitionError>,
}

impl<'a, R, F> Members<'_, '_, R, F>
where
    F: FnMut(&mut R, Option<&'a RawValue>, &'a RawValue) -> Read<()>,
{
    fn give<E: Error>(&mut self, key: Option<&'a RawValue>, raw: &'a RawValue) -> Result<(), E> {
        (self.take)(self.reader, key, raw).map_err(|failure| {
            *self.failure = Some(failure);
            E::custom("")
        })
    }
}

impl<'a, R, F> Visitor<'a> for Members<'_, '_, R, F>
where
    F: FnMut(&mut R, Option<&'a RawValue>, &'a RawValue) -> Read<()>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(raw) = list.next_element()? {
            self.give(None, raw)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut object: A) -> Result<(), A::Error> {
        while let Some((key, raw)) = object.next_entry()? {
            self.give(Some(key), raw)?;
        }
        Ok(())
    }
}

/// The error about a syntax error in `text`, which begins at byte `begin` of the source.
fn syntax(
    source: &Source<'_>,
    begin: usize,
    text: &str,
    error: &serde_json::Error,
) -> DefinitionError {
    let message = error.to_string();
    let at = begin + offset(text, error);
    let back = |what: &str| source.text[..at].rfind(what).unwrap_or(at);
    let complain = |at, complaint| source.error(at, complaint);
    let expected = match message.split(" at line").next().unwrap_or_default() {
        "EOF while parsing a list" => "`,` or `]`",
        "EOF while parsing an object" => "`,` or `}`",
        "EOF while parsing a string" => "`\"` at the end of a text",
        "expected `:`" => "`:`",
        "expected `,` or `]`" => "`,` or `]`",
        "expected `,` or `}`" => "`,` or `}`",
        "key must be a string" => "a key in double quotes",
        "trailing characters" => "the end of the file",
        "expected ident" => {
            let before = source.text[..at].trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let start = before.len();
            return complain(start, unexpected(source, start, "a value"));
        }
        "invalid number" if source.text[..at].ends_with('0') => {
            let start = source.text[..at].trim_end_matches(['0', '-']).len();
            return complain(start, unexpected(source, start, "a number without leading zeros"));
        }
        "invalid number" => "a digit",
        "invalid escape" => {
            let start = back("\\");
            let escapes = "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX";
            return complain(start, unexpected(source, start, escapes));
        }
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            let halves = "both halves, \\uD800 to \\uDBFF first";
            return complain(back("\\"), Complaint::new("half of a character", halves));
        }
        found if found.starts_with("control character") => {
            let found = "a control character or the end of the line";
            return complain(at, Complaint::new(found, "`\"`"));
        }
        _ => "a value",
    };
    complain(at, unexpected(source, at, expected))
}

/// The byte of `text` that a JSON error is about.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    if error.is_eof() {
        return text.len();
    }
    let lines = text.match_indices('\n').map(|(at, _)| at + 1);
    let line = [0].into_iter().chain(lines).nth(error.line() - 1).unwrap_or(text.len());
    let consumed = line + error.column();
    // The column counts bytes, the wrong one included. Only a control character is not counted.
    let control = error.to_string().starts_with("control character");
    let at = if control { consumed } else { consumed.saturating_sub(1) };
    // If the text ends within a number, the missing digit is at the end of the text.
    let cut = at + 1 == text.len() && text.ends_with(['-', '+', '.', 'e', 'E']);
    let mut at = if cut { text.len() } else { at };
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The complaint that the word at byte `at` is not what was expected.
fn unexpected(source: &Source<'_>, at: usize, expected: &str) -> Complaint {
    let rest = &source.text[at..];
    let word = rest.find(|c: char| c.is_whitespace() || "{}[],:\"".contains(c));
    let found = match (rest.chars().next(), word) {
        (None, _) => "the end of the file".to_owned(),
        (Some(c), Some(0)) => quoted(c.encode_utf8(&mut [0; 4])),
        (_, end) => quoted(&rest[..end.unwrap_or(rest.len())]),
    };
    let other =
        rest.starts_with(['/', '\'', '#', ']', '}']) || rest.starts_with(char::is_alphabetic);
    Complaint::new(found, expected).maybe(other.then_some(Hint::StrictJson))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::TextFormat;
    use crate::format::input::ReadLimits;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<serde_json::Value, DefinitionError> {
        let limits = ReadLimits { memory_bytes: 1 << 20, ..ReadLimits::default() };
        let source = Source::new(TextFormat::KPuzzle, text, &limits)?;
        read_json(&source).map(|node| general(&node))
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
            ("\u{feff}f ", 1, 1, "found `f`, expected a value"),
            ("\u{feff}00", 1, 1, "found `00`, expected a number without leading zeros"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.place(), Some((line, column)), "{text}: {error}");
            assert!(error.complaint().unwrap().to_string().starts_with(complaint), "{error}");
        }
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(64)).is_ok());
        let deep = read(&nested(1_000_000)).unwrap_err();
        assert_eq!(deep.place(), Some((1, 65)));
        assert!(deep.to_string().contains("more than 64 deep"), "{deep}");
        let many = read(&format!("[{}1]", "1,".repeat(100_000))).unwrap_err();
        assert!(many.to_string().contains("bytes of memory"), "{many}");
    }

    /// Pieces of JSON, with `|` between them. Random sequences of them are often valid JSON.
    const PARTS: &str = "{|}|[|]|,|:|\"a\"|\"b\"|1|-0|2.5|1e9|1E+|true|null| |\n|\"\\u00e9\"|\
        \"\\ud83d\\ude00\"|\"\\udc00\"|\"\t\"|é|\\|\"\\n";

    fn part() -> impl Strategy<Value = &'static str> {
        proptest::sample::select(PARTS.split('|').collect::<Vec<_>>())
    }

    fn has_twice(text: &str) -> bool {
        matches!(read(text), Err(error) if error.to_string().contains("again"))
    }

    proptest! {
        #[test]
        fn the_general_reader_agrees(
            parts in proptest::collection::vec(part(), 0..12),
        ) {
            let text = parts.concat();
            match (read(&text), serde_json::from_str::<serde_json::Value>(&text)) {
                (Ok(ours), Ok(general)) => prop_assert_eq!(ours, general),
                (Err(_), Err(_)) => {}
                (ours, general) => {
                    prop_assert!(has_twice(&text), "{:?} {:?} {:?}", text, ours, general);
                }
            }
        }

        #[test]
        fn values_are_read_as_they_were_written(
            texts in proptest::collection::vec(any::<String>(), 0..5),
            numbers in proptest::collection::vec(any::<i64>(), 0..5),
        ) {
            let value = serde_json::json!({ "texts": texts, "numbers": numbers, "none": null });
            prop_assert_eq!(read(&value.to_string()).unwrap(), value.clone());
            prop_assert_eq!(read(&serde_json::to_string_pretty(&value).unwrap()).unwrap(), value);
        }
    }
}
