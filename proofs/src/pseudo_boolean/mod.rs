//! Pseudo-Boolean proofs that no plan is cheaper: [`write_log`].
//!
//! Two texts prove a lower bound to whoever trusts neither the search nor its tables. The *formula*
//! says "there is a plan of at most this many operators" for one start and one goal, in the OPB
//! format. The *proof* derives a contradiction from it, in the format of the checker VeriPB,
//! version 3. The reader must trust the checker, and that the formula says what it should.
//!
//! The proof has a clause for each pair of a state and a time that the search reaches: "at this
//! time, the state is not this one". It follows from the clauses of the children, the last time
//! first. A heuristic that is itself a short proof cuts the search: a sum of weights for single
//! atoms, or distances of one or two atoms. The design follows Dold, Helmert, Nordström, Röger and
//! Schindler, *Pseudo-Boolean Proof Logging for Optimal Classical Planning* (ICAPS 2025), with
//! states by time in place of costs to reach them.

mod bounds;
mod encoding;
mod error;
mod facts;
mod formula;
mod lines;
mod refute;
mod search;
#[cfg(test)]
mod tests;

pub use encoding::{Encoding, EncodingError, PlaceOperator, ValueMove};
pub use error::LogError;

use ::search::CancelToken;
use bounds::Bounds;
use formula::Formula;
use lines::Lines;
use refute::Refutation;
use search::{Chooser, layers};
use std::io::Write;

/// The size of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogSize {
    /// The constraints of the formula.
    pub constraints: u64,
    /// The clauses of the proof that stand for a state, or a part of one, at a time.
    pub nodes: u64,
    /// The children that the search of the proof generated.
    pub generated: u64,
    /// The bytes of the proof.
    pub bytes: u64,
}

/// Writes the formula "there is a plan of at most `bound` operators" and a proof that it has no
/// solution.
///
/// Both texts are the same for the same arguments. The proof takes 25 to 250 bytes for each
/// generated node, the search about 100 bytes of memory.
///
/// # Errors
/// - The bound is above 250.
/// - There is such a plan.
/// - The search generates more than `most` nodes, or the caller cancels.
/// - A text cannot be written. Nothing is written before the search ends.
pub fn write_log(
    encoding: &Encoding,
    bound: usize,
    most: u64,
    cancel: &CancelToken,
    (formula, proof): (&mut dyn Write, &mut dyn Write),
) -> Result<LogSize, LogError> {
    if bound > 250 {
        return Err(LogError::Bound { bound });
    }
    let (bounds, chooser) = (Bounds::new(encoding), Chooser::new(encoding));
    let layers = layers(encoding, (&bounds, &chooser), bound, most, cancel)?;
    let text = Formula::new(encoding, bound);
    text.write(formula)?;
    formula.flush()?;
    let lines = Lines::new(proof, text.constraints())?;
    let nodes = layers.nodes.iter().map(|nodes| nodes.len() as u64).sum();
    let bytes = Refutation::new(&text, (&bounds, &chooser), lines).write(&layers, cancel)?;
    Ok(LogSize { constraints: text.constraints(), nodes, generated: layers.generated, bytes })
}
