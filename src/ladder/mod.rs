//! The ladder of the heuristic `best`: tables of growing size, called rungs. A search begins with a
//! small table, and changes to a larger one when its building time pays off ([`payoff`]).

pub(crate) mod climb;
pub(crate) mod outlook;
mod payoff;

pub(crate) use payoff::{Growth, Rung, next_factor};
