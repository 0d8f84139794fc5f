//! Coset tables of a group puzzle, derived from its operators: colourings of pieces, what of them tells cosets apart, and the views of a table.
//!
//! A [`Colouring`] paints the points of pieces. The states that show the solved colours everywhere are a subgroup, and every other way the colours can
//! lie is one of its cosets, so a colouring is a coset abstraction of its own, and colourings of different pieces together are one. Which
//! colourings are worth it the operators say: those of points that some of their powers take to each other ([`colourings`]). A [`CosetPattern`] is two
//! or three of them, reduced by the symmetries that keep them; [`SlotViews`] reads its table for the state and its inverse, from
//! as many sides as the other symmetries show.
//!
//! The two-phase cosets of the cube (Herbert Kociemba's and Michael Reid's) come out so, from its file: the orbits of points under two
//! opposite faces and the half turns of the others.

mod choose;
mod colouring;
mod coordinate;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod pattern;
mod views;

pub use choose::{CosetCandidate, CosetCandidates, candidates};
pub use colouring::{Colouring, colourings};
#[cfg(target_arch = "x86_64")]
pub(in crate::puzzle) use lanes::{Lanes, PLACES, SUMS};
pub use pattern::CosetPattern;
pub use views::SlotViews;

#[cfg(test)]
mod tests;
