//! Published test boards, as text. A line has the number of a board, its tiles row by row, and the
//! length of its optimal plans. Lines that begin with `#` are comments. The goal is `0 1 2 ..`.

/// A hundred random boards of the 15-puzzle (Korf, 1985).
pub const KORF_100: &str = include_str!("../instances/korf100_15.txt");

/// Fifty random boards of the 24-puzzle (Korf and Felner, 2002), in the order of their table. The
/// first ten are those of Korf and Taylor (1996).
pub const KORF_FELNER_50: &str = include_str!("../instances/korf50_24.txt");
