//! Boards and plans as text: a board is its numbers row by row, a plan the moves of the blank.

use crate::board::arrangement::BoardError;
use crate::board::domain::{Board, DOWN, LEFT, RIGHT, Tiles, UP};
use crate::board::word::BoardWord;
use search::{Op, Plan};

/// The names of the operators in their order: the direction in which the blank moves.
pub const OPERATOR_NAMES: [&str; 4] = ["up", "left", "right", "down"];

/// A word of a text is not an operator, so the text is not a plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "move {place}: found `{found}`, expected up, left, right or down (or u, l, r, d): the way of the blank"
)]
pub struct PlanError {
    /// The number of the wrong word, from 1.
    pub place: usize,
    /// The wrong word.
    pub found: String,
}

/// The name of an operator. `None` if tiles have no such operator.
pub fn operator_name(op: Op) -> Option<&'static str> {
    OPERATOR_NAMES.get(op.index()).copied()
}

/// A plan as text: the moves of the blank, with blanks between them. Skips operators that sliding
/// tiles do not have.
pub fn plan_text(plan: &[Op]) -> String {
    plan.iter().filter_map(|&op| operator_name(op)).collect::<Vec<_>>().join(" ")
}

/// Reads a plan: words or their first letters, in either case, with blanks or commas between them.
///
/// # Errors
/// At the first word that is not an operator.
pub fn parse_plan(text: &str) -> Result<Plan, PlanError> {
    let op = |(place, word): (usize, &str)| match word.to_lowercase().as_str() {
        "u" | "up" => Ok(UP),
        "l" | "left" => Ok(LEFT),
        "r" | "right" => Ok(RIGHT),
        "d" | "down" => Ok(DOWN),
        _ => Err(PlanError { place, found: word.to_owned() }),
    };
    (1..).zip(words(text)).map(op).collect()
}

/// Splits a text at blanks and commas.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

/// Reads the numbers on the squares row by row, 0 or _ the blank. Does not check whether they are a
/// board.
fn parse_numbers(text: &str, squares: usize) -> Result<Vec<u8>, BoardError> {
    let largest = squares.saturating_sub(1);
    let mut numbers = Vec::new();
    for (square, word) in (1..).zip(words(text)) {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let found = || word.to_owned();
        let number = match word {
            "_" => Some(0),
            _ if digits => word.parse().ok(),
            _ => return Err(BoardError::NotANumber { square, found: found(), largest }),
        };
        let small = number.filter(|&small: &u8| usize::from(small) <= largest);
        numbers.push(small.ok_or_else(|| BoardError::OutOfRange {
            square,
            found: found(),
            largest,
        })?);
    }
    Ok(numbers)
}

/// Reads a goal as numbers, as [`parse_numbers`] does. The word `last` stands for `1 2 .. 0`, and
/// `solved` for `0 1 2 ..`.
fn goal_numbers(text: &str, squares: usize) -> Result<Vec<u8>, BoardError> {
    let last = squares.saturating_sub(1);
    match text.trim() {
        word if word.eq_ignore_ascii_case("last") => Ok((1..).take(last).chain([0]).collect()),
        word if word.eq_ignore_ascii_case("solved") => Ok((0..).take(squares).collect()),
        _ => parse_numbers(text, squares),
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Tiles<W, ROWS, COLS> {
    /// The puzzle with another goal, read from a text. The text is the numbers row by row, with
    /// blanks or commas between them, and 0 or _ for the blank. The word `last` stands for 1 2 ..
    /// with the blank last, and `solved` for the blank first.
    ///
    /// # Errors
    /// If the numbers are not those from 0 to the number of squares minus 1, each once.
    pub fn parse_goal(text: &str) -> Result<Self, BoardError> {
        Self::with_goal(&goal_numbers(text, ROWS * COLS)?)
    }

    /// A puzzle of the same size with another goal, read from a text: see [`Tiles::parse_goal`].
    ///
    /// # Errors
    /// As [`Tiles::parse_goal`].
    pub fn with_goal_text(&self, text: &str) -> Result<Self, BoardError> {
        self.to_goal(&goal_numbers(text, self.squares())?)
    }

    /// Reads a board: the numbers row by row, with blanks or commas between them, and 0 or _ for
    /// the blank.
    ///
    /// # Errors
    /// If the numbers are not those from 0 to the number of squares minus 1, each once, or the
    /// board cannot be solved.
    pub fn parse(&self, text: &str) -> Result<Board<W>, BoardError> {
        self.board(&parse_numbers(text, self.squares())?)
    }

    /// The board as text that [`Tiles::parse`] reads: numbers row by row, 0 the blank.
    pub fn text(&self, board: &Board<W>) -> String {
        let numbers = self.numbers(board);
        numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::domain::{Puzzle3, Puzzle8, Puzzle15};

    #[test]
    fn boards_are_read_and_written() {
        let domain = Puzzle8::new();
        let board = domain.parse("1, 2,_ 3 4 5\n6 7 8").unwrap();
        assert_eq!(domain.text(&board), "1 2 0 3 4 5 6 7 8");
        assert_eq!(domain.parse(&domain.text(&domain.goal())), Ok(domain.goal()));
        let last = Puzzle8::parse_goal("1 2 3 4 5 6 7 8 _").unwrap();
        assert_eq!(last.text(&last.goal()), "1 2 3 4 5 6 7 8 0");
        assert_eq!(Puzzle8::parse_goal(" Last ").as_ref(), Ok(&last));
        assert_eq!(domain.with_goal_text("last").as_ref(), Ok(&last));
        assert_eq!(last.with_goal_text("solved").as_ref(), Ok(&domain));
        assert_eq!(last.text(&last.parse("1 2 3 4 5 6 7 0 8").unwrap()), "1 2 3 4 5 6 7 0 8");
    }

    #[test]
    fn complaints_say_where_and_what() {
        let refused = |text: &str| Puzzle3::new().parse(text).unwrap_err().to_string();
        assert!(refused("").starts_with("0 numbers, expected 4"));
        assert!(refused("0 1 2 3 3").starts_with("5 numbers, expected 4"));
        assert_eq!(
            refused("0 1 x 3"),
            "square 3: found `x`, expected a number from 0 to 3, or _ for the blank"
        );
        assert!(refused("0 1 -2 3").starts_with("square 3: found `-2`, expected a number"));
        assert_eq!(refused("0 1 2 9"), "square 4: found 9, expected a number from 0 to 3");
        assert!(
            refused("0 1 2 99999999999999999999")
                .starts_with("square 4: found 99999999999999999999, ")
        );
        assert_eq!(
            refused("1 0 _ 2"),
            "square 3: found 0 again, which is on square 2 already; 3 is missing"
        );
        assert_eq!(
            refused("0 2 1 3"),
            "this board cannot be solved: it is an odd permutation of the goal, but the blank is an even number of moves \
             from its goal square, expected the same: every move changes both; exchanging any two tiles makes it solvable"
        );
    }

    #[test]
    fn the_unsolvable_puzzle_of_1880_is_refused() {
        let domain = Puzzle15::parse_goal("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0").unwrap();
        let error = domain.parse("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0").unwrap_err();
        assert!(matches!(error, BoardError::Parity(p) if p.tiles_odd && !p.blank_odd));
    }

    #[test]
    fn plans_are_read_and_written() {
        let plan = parse_plan("up L, Right d").unwrap();
        assert_eq!(plan_text(&plan), "up left right down");
        assert_eq!(parse_plan(""), Ok(Plan::new()));
        assert_eq!(
            parse_plan("up x").unwrap_err().to_string(),
            "move 2: found `x`, expected up, left, right or down (or u, l, r, d): the way of the blank"
        );
    }
}
