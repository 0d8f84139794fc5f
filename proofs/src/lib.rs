//! Searches that outlive a process: their results on disk, unit by unit.
//!
//! [`search::Units`] cuts each bound of a search into units, whose results depend on nothing but
//! the *run*: the puzzle, the state, the heuristic and so on. This crate keeps these results.
//!
//! | to | use |
//! |---|---|
//! | say what a run is, and what differs between two | [`Identity`] |
//! | keep the results of a search, and go on with them later | [`Journal`] |
//! | search a fixed share of the units | [`Share`] |
//! | read a journal, running or not | [`read`] |
//! | join the journals of several shares | [`merge`] |
//! | tell how far a run is, and when it may end | [`RunStatus`] |
//! | say what proves an answer, in one file | [`Certificate`] |
//! | prove a lower bound to a checker of other people | [`pseudo_boolean`] |
//! | say what a puzzle is to a checker that knows none | [`plain`] |
//!
//! A journal is trusted as far as its file is: its checksums find accidents, not forgery.

mod certificate;
mod error;
mod hex;
mod identity;
mod journal;
mod line;
mod locked_file;
mod merge;
pub mod plain;
pub mod pseudo_boolean;
mod read;
mod record;
mod share;
mod status;
#[cfg(test)]
mod tests;

pub use certificate::{Certificate, CertificateError, Claim, Draw, Flaw, TableMark, unseen};
pub use error::{JournalError, JournalErrorKind};
pub use identity::Identity;
pub use journal::Journal;
pub use locked_file::JournalFile;
pub use merge::{MissingUnits, merge, write};
pub use read::{Reading, read, read_text};
pub use record::{BoundRecord, Record, RunEnd, UnitPlan};
pub use share::Share;
pub use status::{BoundStatus, RunStatus};
