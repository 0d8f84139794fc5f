//! Pseudo-Boolean proofs that no plan is cheaper: [`write_log`].
//!
//! Two texts prove a lower bound to whoever trusts neither the search nor its tables. The *formula*
//! makes *claims*: "from a state with these atoms, the rest of a plan costs at least so much". The
//! first claim says that no plan from the start is cheap enough. The formula says: all claims hold
//! after an operator, but one does not hold before it. The *proof* derives a contradiction from it,
//! in the format of the checker VeriPB, version 3. So all claims hold, by induction on the length
//! of plans.
//!
//! The claims are about the states of a search, and about parts of states: the distances of
//! abstractions, which cut the search. Each state has one claim and one line of the proof. The
//! design follows Dold, Helmert, Nordström, Röger and Schindler, *Pseudo-Boolean Proof Logging for
//! Optimal Classical Planning* (ICAPS 2025).

mod chooser;
mod claims;
mod costs;
mod encoding;
mod error;
mod facts;
mod formula;
mod lines;
mod parts;
mod refute;
mod search;
mod tables;
#[cfg(test)]
mod tests;

pub use encoding::{Encoding, EncodingError, PlaceOperator, ValueMove};
pub use error::LogError;

use ::search::CancelToken;
use chooser::Chooser;
use claims::Claims;
use costs::Costs;
use formula::Formula;
use lines::Lines;
use refute::Refutation;
use search::states;
use std::io::Write;
use tables::Tables;

/// The size of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogSize {
    /// The constraints of the formula.
    pub constraints: u64,
    /// The claims about states.
    pub states: u64,
    /// The claims about parts of states.
    pub partial: u64,
    /// The children that the search of the proof generated.
    pub generated: u64,
    /// The bytes of the formula.
    pub formula_bytes: u64,
    /// The bytes of the proof up to the claims about states.
    pub partial_bytes: u64,
    /// The bytes of the proof.
    pub bytes: u64,
}

/// Writes a formula that says that there may be a plan that costs at most `bound`, and a proof that
/// it has no solution.
///
/// Both texts are the same for the same arguments. The proof takes 30 to 60 bytes for each
/// generated node besides its claims about parts, the search about 60 bytes of memory.
///
/// # Errors
/// - The bound is above 250.
/// - The goals have other pieces than the start.
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
    if !encoding.goals_have_pieces_of_start() {
        return Err(LogError::Pieces);
    }
    let (costs, chooser) = (Costs::new(encoding, bound), Chooser::new(encoding));
    let tables = Tables::new(encoding, &costs, &chooser);
    let states = states(encoding, (&costs, &tables, &chooser), most, cancel)?;
    let mut claims = Claims::new((encoding, &costs, &chooser), &tables, &states);
    let text = Formula::new(&claims);
    let formula_bytes = text.write(&claims, formula)?;
    formula.flush()?;
    let lines = Lines::new(proof, text.constraints())?;
    let partial = claims.partial.len() as u64;
    let (partial_bytes, bytes) = Refutation::new(&text, &mut claims, lines).write(cancel)?;
    Ok(LogSize {
        constraints: text.constraints(),
        states: states.states.len() as u64,
        partial,
        generated: states.generated,
        formula_bytes,
        partial_bytes,
        bytes,
    })
}
