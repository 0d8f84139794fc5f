//! The ladder of the heuristic `best`: tables of growing size, called rungs. A search begins with a
//! small table, and changes to a larger one when its building time pays off.

pub(crate) mod climb;
pub(crate) mod outlook;
mod pace;

pub(crate) use pace::Rung;
