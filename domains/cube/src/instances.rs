//! Test cubes, as text: published ones, and random ones of this project.

/// Ten random cubes (Korf, 1997). Each line has the hundred moves that lead to one of them from the
/// solved cube. Lines that begin with `#` are comments.
pub const KORF_97: &str = include_str!("../instances/korf97_cubes.txt");

/// A hundred random cubes as facelets, each after its number and before its length and nodes in
/// half turns, then in quarter turns: see docs/RANDOM_CUBES.md.
pub const RANDOM: &str = include_str!("../instances/random_cubes.txt");
