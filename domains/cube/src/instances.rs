//! Published test cubes, as move sequences.

/// Ten random cubes (Korf, 1997). Each line has the hundred moves that lead to one of them from the
/// solved cube. Lines that begin with `#` are comments.
pub const KORF_97: &str = include_str!("../instances/korf97_cubes.txt");
