//! What other crates see of this one, in one binary.

mod heuristics;
mod korf1985;
mod laws;
mod learned;
mod tables;
