//! What `best` climbs: tables of growing size for one search, and when the next one pays.

pub(crate) mod climb;
pub(crate) mod outlook;
mod pace;

pub(crate) use pace::Rung;
