//! The cubes of papers, as text.

/// Ten random cubes, each as a hundred moves from the solved one, a line each (Korf, 1997).
pub const KORF_97: &str = include_str!("../instances/korf97_cubes.txt");
