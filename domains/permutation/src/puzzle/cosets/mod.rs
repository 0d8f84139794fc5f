//! Coset tables of a group puzzle, derived from its operators.
//!
//! A [`Colouring`] colours the points of pieces. The states that look solved form a subgroup. Every
//! other way in which the colours can lie is a coset of it. So each colouring is a coset
//! abstraction, and colourings of different pieces can be combined. The colours that a state shows
//! in the slots of a colouring are its *word*. It has one *symbol* for each slot.
//!
//! The operators tell which colourings are useful: points get the same colour if powers of some
//! operators take them to each other ([`colourings`]). A [`CosetPattern`] combines two or three
//! colourings and is reduced by the symmetries that keep them. [`SlotViews`] reads its table for
//! the state and its inverse, in several *views*. A view reads them through another symmetry.
//!
//! From the definition of the cube this finds the two-phase cosets of Herbert Kociemba and Michael
//! Reid. They are the orbits of points under two opposite faces and the half turns of the others.

mod choose;
mod colouring;
mod coordinate;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod pattern;
mod views;

pub use choose::{CosetCandidate, CosetCandidates, candidates};
pub use colouring::{Colouring, colourings};
pub use pattern::CosetPattern;
pub use views::SlotViews;

#[cfg(test)]
mod tests;
