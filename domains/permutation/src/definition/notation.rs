//! Reads move sequences: names with amounts, groups, commutators and conjugates.

use super::names::{LARGEST_AMOUNT, MoveRef, Names, PRIMES, Turn};
use crate::error::{Complaint, Hint, quoted};

/// The most turns in a state written as moves, once groups and derived moves are expanded.
pub(crate) const LONGEST_STATE: usize = 100_000;
/// The characters that group moves.
const BRACKETS: &str = "()[],:";
/// Deepest nesting of brackets.
const DEEPEST: usize = 50;

/// Reads moves up to the end of the text.
///
/// An error has the byte offset and a complaint. It is an error if there are more than `longest`
/// turns, once groups are expanded.
pub(crate) fn parse(
    names: &Names,
    text: &str,
    longest: usize,
) -> Result<Vec<Turn>, (usize, Complaint)> {
    Ok(parse_placed(names, text, longest)?.into_iter().map(|(turn, _)| turn).collect())
}

/// As [`parse`]. Each turn has the byte offset of its name.
pub(crate) fn parse_placed(
    names: &Names,
    text: &str,
    longest: usize,
) -> Result<Vec<Placed>, (usize, Complaint)> {
    let mut reader = Reader { names, text, at: 0, depth: 0, longest };
    let turns = reader.sequence()?;
    match reader.peek() {
        None => Ok(turns),
        Some(_) => Err(reader.expected("a move")),
    }
}

/// Writes out the groups, commutators and conjugates of a text. Its words may be of any notation.
/// `undo` gives the words that undo a word. `None` if brackets do not match, `undo` fails, or there
/// are more than 100,000 words.
pub fn write_out(text: &str, undo: &dyn Fn(&str) -> Option<Vec<String>>) -> Option<String> {
    let words = text.split(|c: char| c.is_whitespace() || BRACKETS.contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut names = Names::default();
    for (index, word) in words.iter().enumerate() {
        names.insert(word, MoveRef::Base(index));
    }
    let mut out = Vec::new();
    for Turn { of, amount } in parse(&names, text, LONGEST_STATE).ok()? {
        let MoveRef::Base(index) = of else { return None };
        let word = words[index];
        let made = if amount < 0 { undo(word)? } else { vec![word.to_owned()] };
        let times = usize::try_from(amount.unsigned_abs()).ok()?;
        if made.len().max(1).saturating_mul(times) > LONGEST_STATE - out.len() {
            return None;
        }
        (0..times).for_each(|_| out.extend_from_slice(&made));
    }
    Some(out.join(" "))
}

struct Reader<'a> {
    names: &'a Names,
    text: &'a str,
    /// Number of bytes read so far.
    at: usize,
    /// Number of open brackets.
    depth: usize,
    longest: usize,
}

type Read<T> = Result<T, (usize, Complaint)>;

/// A turn and the byte offset of its name.
type Placed = (Turn, usize);

fn inverse(turns: &[Placed]) -> Vec<Placed> {
    turns.iter().rev().map(|&(turn, at)| (turn.inverse(), at)).collect()
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Skips blanks and returns the next character, without taking it.
    fn peek(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    /// Takes the next character if it is one of `any`. Does not skip blanks.
    fn take(&mut self, any: &[char]) -> Option<char> {
        let found = self.rest().chars().next().filter(|c| any.contains(c))?;
        self.at += found.len_utf8();
        Some(found)
    }

    /// The text up to the next blank or bracket.
    fn word(&self) -> &str {
        let ends = |c: char| c.is_whitespace() || BRACKETS.contains(c);
        let rest = self.rest();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find(ends).map_or(rest.len(), |end| first + end);
        &rest[..end]
    }

    fn expected(&self, expected: impl Into<String>) -> (usize, Complaint) {
        let found = match self.word() {
            "" => "the end".to_owned(),
            word => quoted(word),
        };
        (self.at, Complaint::new(found, expected))
    }

    fn close(&mut self, bracket: char) -> Read<()> {
        self.depth -= 1;
        self.peek();
        match self.take(&[bracket]) {
            Some(_) => Ok(()),
            None => Err(self.expected(format!("a move or `{bracket}`"))),
        }
    }

    fn open(&mut self) -> Read<()> {
        if self.depth == DEEPEST {
            return Err(self.expected(format!("at most {DEEPEST} brackets within each other")));
        }
        self.at += 1;
        self.depth += 1;
        Ok(())
    }

    fn too_long(&self) -> (usize, Complaint) {
        self.expected(format!("at most {} moves when groups are written out", self.longest))
    }

    fn sequence(&mut self) -> Read<Vec<Placed>> {
        let mut turns = Vec::new();
        loop {
            match self.peek() {
                None | Some(')' | ']' | ',' | ':') => return Ok(turns),
                Some('(') => {
                    self.open()?;
                    let inner = self.sequence()?;
                    self.close(')')?;
                    self.repeated(inner, &mut turns)?;
                }
                Some('[') => {
                    let inner = self.bracket()?;
                    self.repeated(inner, &mut turns)?;
                }
                Some(_) if turns.len() == self.longest => return Err(self.too_long()),
                Some(_) => turns.push(self.one()?),
            }
        }
    }

    /// Reads `[A, B]` or `[A: B]`.
    fn bracket(&mut self) -> Read<Vec<Placed>> {
        self.open()?;
        let first = self.sequence()?;
        let kind = self.take(&[',', ':']);
        let expected = "a move, or the `,` or `:` of a commutator or conjugate";
        let kind = kind.ok_or_else(|| self.expected(expected))?;
        let second = self.sequence()?;
        self.close(']')?;
        let last = if kind == ',' { inverse(&second) } else { Vec::new() };
        Ok([first.clone(), second, inverse(&first), last].concat())
    }

    /// Reads the number after a group, and appends the group that many times. A prime after the
    /// number makes it run backward.
    ///
    /// If the group is a single turn, its amount is multiplied instead.
    fn repeated(&mut self, mut group: Vec<Placed>, turns: &mut Vec<Placed>) -> Read<()> {
        let start = self.at;
        let (mut times, backwards) = self.amount(true)?;
        if let [(turn, _)] = group.as_mut_slice() {
            let amount = turn.amount.checked_mul(times);
            if let Some(amount) = amount.filter(|n| n.abs() <= LARGEST_AMOUNT) {
                (turn.amount, times) = (amount, 1);
            }
        }
        let times = usize::try_from(times).expect("amounts are positive");
        let length = group.len().max(1).saturating_mul(times).saturating_add(turns.len());
        if length > self.longest && !(group.is_empty() && times == 1) {
            self.at = start;
            return Err(self.too_long());
        }
        let group = if backwards { inverse(&group) } else { group };
        for _ in 0..times {
            turns.extend_from_slice(&group);
        }
        Ok(())
    }

    /// Reads one move: the longest name that fits, with its amount.
    fn one(&mut self) -> Read<Placed> {
        let at = self.at;
        let Some((of, length)) = self.names.longest_in(self.rest()).or_else(|| self.two_layers())
        else {
            let word = self.word();
            let like = self.names.like(word).map(|name| Hint::DidYouMean(name.to_owned()));
            let (_, complaint) =
                self.expected("a move of this puzzle, with a number or ' after it");
            return Err((at, complaint.maybe(like)));
        };
        self.at += length;
        let (times, backwards) = self.amount(false)?;
        Ok((Turn { of, amount: if backwards { -times } else { times } }, at))
    }

    /// Reads `2Rw` as `Rw` if only `Rw` is a name, because `w` alone means two layers. Returns the
    /// move and the number of bytes.
    fn two_layers(&self) -> Option<(MoveRef, usize)> {
        let (of, length) = self.names.longest_in(self.rest().strip_prefix('2')?)?;
        let wide = self.rest()[..=length].ends_with('w');
        wide.then_some((of, length + 1))
    }

    /// Takes a prime, if there is one, and returns whether there was. An `i` counts as a prime
    /// unless a name begins there.
    fn prime(&mut self) -> bool {
        let named = self.names.longest_in(self.rest()).is_some();
        self.take(&PRIMES).is_some() || !named && self.take(&['i']).is_some()
    }

    /// Reads an amount. Returns the number (1 if there is none), and whether a prime stands before
    /// or after it. After a group, a `^` may stand before the number.
    fn amount(&mut self, group: bool) -> Read<(i32, bool)> {
        let before = self.prime();
        if group {
            let _ = self.take(&['^']);
        }
        let digits = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        let times = match &self.rest()[..digits] {
            "" => 1,
            digits => {
                let number = digits.parse::<i32>().ok();
                let number = number.filter(|n| (1..=LARGEST_AMOUNT).contains(n));
                let expected = || format!("a number from 1 to {LARGEST_AMOUNT}");
                number.ok_or_else(|| self.expected(expected()))?
            }
        };
        self.at += digits;
        let after = !before && self.prime();
        Ok((times, before || after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 9] = ["R", "U", "BR", "B", "2R", "3-4r", "y2", "Uv", "y"];

    fn names() -> Names {
        let mut names = Names::default();
        for (i, name) in NAMES.into_iter().enumerate() {
            names.insert(name, MoveRef::Base(i));
        }
        names
    }

    fn text(moves: &str) -> String {
        let names = names();
        let written = |turn: &Turn| match turn.of {
            MoveRef::Base(i) => names.with_amount(NAMES[i], turn.amount),
            MoveRef::Derived(_) => String::new(),
        };
        let turns = parse(&names, moves, 1000).unwrap();
        turns.iter().map(written).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_spelling_is_read() {
        assert_eq!(text("R2' U’ U3 2R2 2R'"), "R2' U' U3 2R2 2R'");
        assert_eq!(text("BRU'B R"), "BR U' B R");
        assert_eq!(text("3-4r2' y2 y2' y3 Uv'"), "3-4r2' y2 y2' y3 Uv'");
        assert_eq!(text("(R U)2 (R U)' (R U)^2'"), "R U R U U' R' U' R' U' R'");
        assert_eq!(text("(R)3 ((R2)2)' (y2)2"), "R3 R4' (y2)2");
        assert_eq!(text("[R, U2]"), "R U2 R' U2'");
        assert_eq!(text("[R U: B]2"), "R U B U' R' R U B U' R'");
        assert_eq!(text("U2R"), "U2 R");
        assert_eq!(text(" \t"), "");
        assert_eq!(text("()()"), "");
    }

    #[test]
    fn complaints_name_the_place() {
        for (moves, at, complaint) in [
            (
                "R U Q2",
                4,
                "found `Q2`, expected a move of this puzzle, with a number or ' after it",
            ),
            (
                "R b",
                2,
                "found `b`, expected a move of this puzzle, with a number or ' after it \
                 (upper and lower case differ: did you mean `B`?)",
            ),
            ("R0", 1, "found `0`, expected a number from 1 to 1000000000"),
            ("R1000000001'", 1, "found `1000000001'`, expected a number from 1 to 1000000000"),
            ("(R U", 4, "found the end, expected a move or `)`"),
            ("R )", 2, "found `)`, expected a move"),
            (
                "[R U]",
                4,
                "found `]`, expected a move, or the `,` or `:` of a commutator or conjugate",
            ),
            ("[R, U", 5, "found the end, expected a move or `]`"),
            ("(R U)501", 5, "found `501`, expected at most 1000 moves when groups are written out"),
        ] {
            let (found_at, found) = parse(&names(), moves, 1000).unwrap_err();
            assert_eq!((found_at, found.to_string().as_str()), (at, complaint), "{moves}");
        }
        assert_eq!(parse(&names(), &"(".repeat(51), 9).unwrap_err().0, 50);
        assert!(parse(&names(), "()999999999", 9).is_err());
        assert!(parse(&names(), "(R1000000000)2", 1).is_err());
        assert!(parse(&names(), &"R ".repeat(10), 9).is_err());
        assert!(parse(&names(), &"R ".repeat(9), 9).is_ok());
    }

    #[test]
    fn groups_of_any_words_are_written_out() {
        let undo = |word: &str| Some(vec![format!("-{word}")]).filter(|_| word != "?");
        let out = |text| write_out(text, &undo);
        assert_eq!(out("(2-3Rw' U)2 R").as_deref(), Some("2-3Rw' U 2-3Rw' U R"));
        assert_eq!(out("[M: U2] [a+, b]'").as_deref(), Some("M U2 -M b a+ -b -a+"));
        assert_eq!(out("(a b)2'").as_deref(), Some("-b -a -b -a"));
        assert_eq!([out("(a"), out("(?)'"), out("(a)100001")], [None, None, None]);
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_and_read_again(
            text in "([RUBy2é]|BR|\\(|\\)|\\[|\\]|,|:|'|[0-9]|\\^| ){0,30}",
        ) {
            let names = names();
            if let Ok(turns) = parse(&names, &text, 1000) {
                let written = |turn: &Turn| match turn.of {
                    MoveRef::Base(i) => names.with_amount(NAMES[i], turn.amount),
                    MoveRef::Derived(_) => String::new(),
                };
                let written = turns.iter().map(written).collect::<Vec<_>>().join(" ");
                prop_assert_eq!(parse(&names, &written, 1000), Ok(turns));
            }
        }
    }
}
