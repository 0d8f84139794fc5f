//! Reads move sequences: moves, groups, commutators and conjugates.

use super::{Layer, Move};

/// A text is not a move sequence. The error has the column where reading failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: found {found}, expected {expected}")]
pub struct MovesError {
    column: usize,
    found: String,
    expected: &'static str,
}

impl MovesError {
    /// The column of the unexpected character, from 1.
    pub fn column(&self) -> usize {
        self.column
    }
}

/// Most moves of a sequence, after its groups are expanded.
const LONGEST: usize = 100_000;
/// Deepest nesting of brackets.
const DEEPEST: usize = 50;

const MOVE: &str = "a move such as R, U' or F2";

/// Reads moves, such as `R U' F2`; also `R-`, `Ri`, `R3` and `R2'`. Blanks may be left out.
///
/// | text | meaning |
/// |---|---|
/// | `Rw` or `r`, `2Rw` | wide turn; `1Rw` is `R` |
/// | `3Rw` | turn of all three layers |
/// | `M E S` | slice turns |
/// | `x y z` | turns of the whole cube |
/// | `(R U)2` | a group, repeated |
/// | `[R, U]` | the commutator R U R' U' |
/// | `[R: U]` | the conjugate R U R' |
///
/// # Errors
/// If the text is not a move sequence. The error has the column, what stands there, and what was
/// expected.
pub fn parse_moves(text: &str) -> Result<Vec<Move>, MovesError> {
    let mut reader = Reader { text: text.chars().collect(), at: 0, depth: 0 };
    let moves = reader.sequence()?;
    match reader.peek() {
        None => Ok(moves),
        Some(_) => Err(reader.expected(MOVE)),
    }
}

struct Reader {
    text: Vec<char>,
    /// Index of the next character.
    at: usize,
    /// Number of open brackets.
    depth: usize,
}

fn inverse(moves: &[Move]) -> Vec<Move> {
    moves.iter().rev().map(|one| one.inverse()).collect()
}

impl Reader {
    /// Skips blanks and returns the next character, without taking it.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// Takes the next character if it is one of `any`. Does not skip blanks.
    fn take(&mut self, any: &str) -> Option<char> {
        let found = self.text.get(self.at).copied().filter(|&c| any.contains(c));
        self.at += usize::from(found.is_some());
        found
    }

    fn expected(&self, expected: &'static str) -> MovesError {
        let found = match self.text.get(self.at) {
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        };
        MovesError { column: self.at + 1, found, expected }
    }

    fn close(&mut self, bracket: &str, expected: &'static str) -> Result<(), MovesError> {
        self.depth -= 1;
        self.peek();
        self.take(bracket).map(drop).ok_or_else(|| self.expected(expected))
    }

    fn open(&mut self) -> Result<(), MovesError> {
        if self.depth == DEEPEST {
            return Err(self.expected("at most 50 brackets within each other"));
        }
        self.at += 1;
        self.depth += 1;
        Ok(())
    }

    fn sequence(&mut self) -> Result<Vec<Move>, MovesError> {
        let mut moves = Vec::new();
        loop {
            let start = self.at;
            match self.peek() {
                None | Some(')' | ']' | ',' | ':') => return Ok(moves),
                Some('(') => {
                    self.open()?;
                    let inner = self.sequence()?;
                    self.close(")", "a move or `)`")?;
                    self.repeated(inner, &mut moves)?;
                }
                Some('[') => {
                    let inner = self.bracket()?;
                    self.repeated(inner, &mut moves)?;
                }
                Some(letter) => moves.push(self.one(letter)?),
            }
            if moves.len() > LONGEST {
                self.at = start;
                return Err(self.expected("at most 100000 moves when groups are written out"));
            }
        }
    }

    /// Reads `[A, B]` or `[A: B]`.
    fn bracket(&mut self) -> Result<Vec<Move>, MovesError> {
        self.open()?;
        let first = self.sequence()?;
        let expected = "a move, or the `,` or `:` of a commutator or conjugate";
        let kind = self.take(",:").ok_or_else(|| self.expected(expected))?;
        let second = self.sequence()?;
        self.close("]", "a move or `]`")?;
        let last = if kind == ',' { inverse(&second) } else { Vec::new() };
        Ok([first.clone(), second, inverse(&first), last].concat())
    }

    /// Reads the number after a group, and appends the group that many times. A prime after the
    /// number makes it run backward.
    fn repeated(&mut self, group: Vec<Move>, moves: &mut Vec<Move>) -> Result<(), MovesError> {
        let start = self.at;
        let (times, backwards) = self.amount(true)?;
        if group.len().max(1).saturating_mul(times) > LONGEST {
            self.at = start;
            return Err(self.expected("at most 100000 moves when groups are written out"));
        }
        let group = if backwards { inverse(&group) } else { group };
        for _ in 0..times {
            moves.extend_from_slice(&group);
        }
        Ok(())
    }

    /// Reads one move. `letter` is its first character, which is not taken yet.
    fn one(&mut self, letter: char) -> Result<Move, MovesError> {
        let index = |letters: &str| {
            letters.chars().position(|c| c == letter).and_then(|index| u8::try_from(index).ok())
        };
        let layer = if let Some(layers) = letter.to_digit(10) {
            return self.layers(layers);
        } else if let Some(face) = index("URFDLB") {
            self.at += 1;
            if self.take("w").is_some() { Layer::Wide(face) } else { Layer::Face(face) }
        } else {
            let wide = index("urfdlb").map(Layer::Wide);
            let layer = wide.or_else(|| index("MES").map(Layer::Slice));
            let layer = layer.or_else(|| index("xyz").map(Layer::Whole));
            let layer = layer.ok_or_else(|| self.expected(MOVE))?;
            self.at += 1;
            layer
        };
        self.turned(layer)
    }

    /// Reads a turn of this many layers: `1Rw`, `2Rw` or `3Rw`.
    fn layers(&mut self, layers: u32) -> Result<Move, MovesError> {
        let face = self.text.get(self.at + 1).and_then(|&c| "URFDLB".find(c));
        let face = face.and_then(|face| u8::try_from(face).ok());
        let wide = self.text.get(self.at + 2) == Some(&'w');
        let Some(face) = face.filter(|_| wide && matches!(layers, 1..=3)) else {
            let layer = "R2 for a half turn, M E S for a slice, 2Rw for a wide turn";
            return Err(self.expected(if face.is_some() { layer } else { MOVE }));
        };
        self.at += 3;
        if layers == 1 {
            return self.turned(Layer::Face(face));
        }
        if layers == 2 {
            return self.turned(Layer::Wide(face));
        }
        let one = self.turned(Layer::Whole([1, 0, 2][usize::from(face) % 3]))?;
        // D, L and B turn the cube against U, R and F.
        Ok(if face < 3 { one } else { one.inverse() })
    }

    /// Reads the amount after a layer, and returns the move.
    fn turned(&mut self, layer: Layer) -> Result<Move, MovesError> {
        let (quarters, backwards) = self.amount(false)?;
        let quarters = u8::try_from(quarters).expect("at most 3 quarters");
        let one = Move { layer, quarters };
        Ok(if backwards { one.inverse() } else { one })
    }

    /// Reads a number (1 if there is none), and whether a prime stands before or after it. For a
    /// move, not a group, the number is at most 3.
    fn amount(&mut self, group: bool) -> Result<(usize, bool), MovesError> {
        const PRIMES: &str = "'-’′´`i";
        let before = self.take(PRIMES).is_some();
        if group && self.take("^*").is_none() && self.text.get(self.at) == Some(&'x') {
            // Some write `)x2` for twice, others leave out the blank before a rotation.
            return Err(self.expected("`^2` to repeat the group, or a blank before a rotation"));
        }
        let start = self.at;
        let mut number = None;
        while let Some(digit) = self.take("0123456789").and_then(|c| c.to_digit(10)) {
            let value = number.unwrap_or(0_usize).saturating_mul(10);
            number = Some(value.saturating_add(digit as usize));
        }
        let wrong = |number| number == 0 || !group && number > 3;
        if number.is_some_and(wrong) {
            self.at = start;
            let expected =
                if group { "a repetition of 1 or more" } else { "a turn by 1, 2 or 3 quarters" };
            return Err(self.expected(expected));
        }
        let after = !before && self.take(PRIMES).is_some();
        Ok((number.unwrap_or(1), before || after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(moves: &str) -> String {
        let moves = parse_moves(moves).unwrap();
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_spelling_is_read() {
        assert_eq!(text("R- R3 R2' R2- U'2 R’"), "R' R' R2 R2 U2 R'");
        assert_eq!(text("Ri R2i Ri2 (R U)i"), "R' R2 R2 U' R'");
        assert_eq!(text("2Rw 2Lw' 3Rw 3Lw 3Uw2 3Dw' 3Fw 3Bwi"), "Rw Lw' x x' y2 y z z");
        assert_eq!(text("R2U3Rw 1Rw2"), "R2 U' Rw R2");
        assert_eq!(text("R´ U2´ (R U)*2 (R) x2"), "R' U2 R U R U R x2");
        assert_eq!(text("RUR'U'"), "R U R' U'");
        assert_eq!(text("(R U)2 (R U)' (R U)2'"), "R U R U U' R' U' R' U' R'");
        assert_eq!(text("L(U2 L B' D2 B L')^2 L'"), "L U2 L B' D2 B L' U2 L B' D2 B L' L'");
        assert_eq!(text("[R, U2]"), "R U2 R' U2");
        assert_eq!(text("[R U: [F, D]]2"), text("R U F D F' D' U' R' R U F D F' D' U' R'"));
        assert_eq!(text("((R)2)3"), "R R R R R R");
        assert_eq!(text(" \t\n"), "");
        assert_eq!(text("()"), "");
    }

    #[test]
    fn complaints_name_the_column() {
        for (moves, complaint) in [
            ("R U Q", "column 5: found `Q`, expected a move such as R, U' or F2"),
            (
                "R 2U",
                "column 3: found `2`, expected R2 for a half turn, M E S for a slice, \
                 2Rw for a wide turn",
            ),
            (
                "(R U)x2",
                "column 6: found `x`, expected `^2` to repeat the group, or a blank before a rotation",
            ),
            ("4", "column 1: found `4`, expected a move such as R, U' or F2"),
            ("R4", "column 2: found `4`, expected a turn by 1, 2 or 3 quarters"),
            ("R0", "column 2: found `0`, expected a turn by 1, 2 or 3 quarters"),
            ("(R U", "column 5: found the end, expected a move or `)`"),
            ("R )", "column 3: found `)`, expected a move such as R, U' or F2"),
            (
                "[R U]",
                "column 5: found `]`, expected a move, or the `,` or `:` of a commutator or conjugate",
            ),
            ("[R, U", "column 6: found the end, expected a move or `]`"),
            ("(R)0", "column 4: found `0`, expected a repetition of 1 or more"),
            ("R ''", "column 3: found `'`, expected a move such as R, U' or F2"),
        ] {
            assert_eq!(parse_moves(moves).unwrap_err().to_string(), complaint);
        }
        let error = parse_moves("((((R)99)99)99)99").unwrap_err();
        assert!(error.to_string().contains("at most 100000 moves"), "{error}");
        assert_eq!(error.column(), 13);
        let error = parse_moves(&"(".repeat(51)).unwrap_err();
        assert_eq!(error.column(), 51);
        assert!(parse_moves("(R)99999999999999999999999").is_err());
        assert!(parse_moves("()99999999999999999999999").is_err());
        let nested = format!("{}R, U{}", "[".repeat(40), "], U".repeat(40));
        assert!(parse_moves(&nested).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "[URFrx ()\\[\\],:'0-9^w-]{0,40}") {
            let _ = parse_moves(&text);
        }
    }
}
