//! Sets of instances from papers ([`InstanceSet`]), and a reader for the lines of
//! instance files ([`InstanceReader`]).

use crate::puzzle::{InvalidInput, PuzzleInfo};
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A named set of states to solve, from a paper or of this project.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct InstanceSet {
    /// The name of the set.
    pub name: &'static str,
    /// The name of the puzzle.
    pub puzzle: &'static str,
    /// A description of one line.
    pub title: &'static str,
    /// The states, one in each line. Lines that begin with `#` are comments.
    pub(crate) text: &'static str,
    /// The number of states: the first `most` lines of `text`.
    pub(crate) most: usize,
}

impl InstanceSet {
    /// The states of the set, each as one line.
    pub fn lines(&self) -> impl Iterator<Item = &'static str> + use<> {
        let lines = self.text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.take(self.most)
    }
}

/// A state from a line of an instance file, with the number before it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instance {
    /// The number before the state, as text. `None` if there is none.
    pub name: Option<String>,
    /// The state.
    pub state: String,
}

/// A text of one state with blanks in place of the number before it, such as `1.` or `1)`, and of
/// its comments. A comment begins with `//`, but not right after `)`, or with `#` after a blank or
/// at the start of a line.
/// Columns stay the same.
pub fn state_text(text: &str) -> String {
    // A state in JSON may have both in a string.
    if text.trim_start().starts_with('{') {
        return text.to_owned();
    }
    let blanks = |part: &str| " ".repeat(part.chars().count());
    let uncommented = |line: &str| {
        let begins = |&at: &usize| {
            let rest = &line[at..];
            let alone = || line[..at].chars().next_back().is_none_or(char::is_whitespace);
            // After a bracket, two slashes are moves of the square-1.
            let slices = || line[..at].ends_with([')', '/']);
            rest.starts_with("//") && !slices() || rest.starts_with('#') && alone()
        };
        let end = line.char_indices().map(|(at, _)| at).find(begins).unwrap_or(line.len());
        format!("{}{}", &line[..end], blanks(&line[end..]))
    };
    let plain = text.split('\n').map(uncommented).collect::<Vec<_>>().join("\n");
    let digits = plain.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = plain.trim_start().len() > digits.len();
    match digits.strip_prefix([')', '.']).filter(|rest| numbered && rest.starts_with([' ', '\t'])) {
        Some(rest) if !rest.trim().is_empty() => {
            format!("{}{rest}", blanks(&plain[..plain.len() - rest.len()]))
        }
        _ => plain,
    }
}

/// Most bytes of a file with a goal.
const MOST_GOAL: u64 = 16 << 20;

/// The goal that an option names: the text of the file, if there is one of this name, else the text
/// itself.
///
/// # Errors
/// If the file cannot be read, is no text, or is too long.
pub fn goal_text(goal: &str) -> Result<Cow<'_, str>, InvalidInput> {
    if !Path::new(goal).metadata().is_ok_and(|there| !there.is_dir()) {
        return Ok(goal.into());
    }
    let mut text = String::new();
    let read = File::open(goal).and_then(|file| file.take(MOST_GOAL).read_to_string(&mut text));
    let bytes = read.map_err(|error| InvalidInput::new(format!("goal file {goal}: {error}")))?;
    if bytes as u64 == MOST_GOAL {
        let most = MOST_GOAL - 1;
        return Err(InvalidInput::new(format!("goal file {goal}: expected at most {most} bytes")));
    }
    Ok(text.into())
}

/// Reads the lines of instance files. A line has a number of its own, the state, then perhaps its
/// optimal length and other figures. The number or the figures may be missing.
///
/// Understands states of sliding tiles, and cubes as stickers.
#[derive(Clone, Debug)]
pub struct InstanceReader {
    squares: Option<usize>,
    stickers: Option<usize>,
    /// The number of lines with a board so far.
    boards: usize,
    /// The index of the word at which boards begin, 0 or 1. `None` until a line shows it.
    from: Option<usize>,
}

impl InstanceReader {
    /// A reader of states of this puzzle.
    pub fn new(puzzle: &PuzzleInfo) -> Self {
        let face = puzzle.face_stickers.or(puzzle.refused_stickers);
        let stickers = face.map(|face| 6 * face);
        Self { squares: puzzle.squares, stickers, boards: 0, from: None }
    }

    /// Reads the next line. Returns `None` if the line holds nothing but a state, or is no line of
    /// an instance file.
    ///
    /// # Errors
    /// If there are two boards in the line, with its first number and without it, and nothing tells
    /// which one is meant.
    pub fn read(&mut self, line: &str) -> Result<Option<Instance>, InvalidInput> {
        let words = line.split(|c: char| c.is_whitespace() || c == ',');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let place = match (self.squares, self.stickers) {
            (Some(squares), _) => self.board(&words, squares)?,
            (None, Some(count)) => stickers(&words, count),
            (None, None) => None,
        };
        let Some((from, to)) = place else { return Ok(None) };
        let beside = from < 2 && words[..from].iter().all(|word| word.parse::<u64>().is_ok());
        let figures = words[to..].iter().all(|word| word.parse::<f64>().is_ok());
        let plain = from == 0 && to == words.len();
        let name = words[..from].first().map(|&name| name.to_owned());
        let instance = Instance { name, state: words[from..to].join(" ") };
        Ok((!plain && beside && figures).then_some(instance))
    }

    /// The words that form the board, from the first to one past the last. `None` if there is no
    /// board.
    ///
    /// If the first number equals the last one of the board, there are two ways to read the line.
    /// Then the lines before decide. Without them, the board begins after the first number if that
    /// is the number of this line.
    fn board(
        &mut self,
        words: &[&str],
        squares: usize,
    ) -> Result<Option<(usize, usize)>, InvalidInput> {
        let [plain, numbered] = [0, 1].map(|from| is_board(words.get(from..), squares));
        self.boards += usize::from(plain || numbered);
        let from = match (plain, numbered, self.from) {
            (false, false, _) => return Ok(None),
            (true, true, Some(from)) => from,
            (true, true, None) if words[0].parse() == Ok(self.boards) => 1,
            (true, true, None) => {
                let told = "two boards are on this line, as its first number may be one of a list \
                            or a tile: expected a board without other numbers";
                return Err(InvalidInput::new(told));
            }
            (_, numbered, _) => usize::from(numbered),
        };
        if plain != numbered && words.len() > squares {
            self.from = Some(from);
        }
        Ok(Some((from, from + squares)))
    }
}

/// Whether the words begin with the numbers of a board.
fn is_board(words: Option<&[&str]>, squares: usize) -> bool {
    let mut seen = vec![false; squares];
    let fresh = |word: &&str| {
        let place = word.parse::<usize>().ok().and_then(|tile| seen.get_mut(tile));
        place.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    let board = words.and_then(|words| words.get(..squares));
    board.is_some_and(|board| board.iter().all(fresh))
}

/// The words that spell `stickers` stickers, from the first to one past the last.
fn stickers(words: &[&str], stickers: usize) -> Option<(usize, usize)> {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let from = words.iter().take_while(|word| is_number(word)).count();
    let to = words.iter().rposition(|word| !is_number(word))? + 1;
    let letters = words.get(from..to)?.concat();
    let all = letters.chars().all(char::is_alphabetic) && letters.len() == stickers;
    all.then_some((from, to))
}
