//! Certificates: one file that says what proves the answer of an optimal search.
//!
//! A [`Certificate`] holds the identity of the run, its answer, the identities of its tables, and
//! the counts of every unit of every bound below the answer. [`Certificate::check`] looks at what
//! the file says alone. Whoever wants more replays the plan, proves the tables, and searches units
//! again: [`Certificate::draw`] draws them.

mod check;
mod draw;
mod merkle;
mod read;
mod text;

pub use check::Flaw;
pub use draw::{Draw, unseen};
pub use read::CertificateError;

use crate::Identity;
use crate::hex::hex;
use crate::record::{BoundRecord, Record};
use search::Cost;

/// What a certificate says of an optimal search, and what proves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// What the results depend on.
    pub identity: Identity,
    /// What a later run needs beside the identity.
    pub command: Identity,
    /// The answer.
    pub claim: Claim,
    /// No plan costs less than this.
    pub lower_bound: Cost,
    /// The tables that the search read, in the order of their names.
    pub tables: Vec<TableMark>,
    /// The bounds that hold no plan, in ascending order. All their units are known.
    pub bounds: Vec<BoundRecord>,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The names of the operators of an optimal plan, and their cost.
    Plan(Vec<String>, u64),
    /// There is no plan.
    NoPlan,
    /// No plan is cheaper than the lower bound, and none is known to cost as much.
    LowerBound,
}

/// Which table a search read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableMark {
    /// The name of its file.
    pub name: String,
    /// The fingerprint of its specification.
    pub fingerprint: [u8; 32],
    /// The BLAKE3 hash of its payload.
    pub payload: [u8; 32],
}

impl TableMark {
    /// The mark of a table with this payload.
    pub fn new(name: String, fingerprint: [u8; 32], payload: &[u8]) -> Self {
        Self { name, fingerprint, payload: *blake3::hash(payload).as_bytes() }
    }
}

impl Certificate {
    /// The certificate of a record. Of the record it takes the complete bounds below the lower
    /// bound; if there is no plan, all complete bounds.
    pub fn new(
        record: &Record,
        claim: Claim,
        lower_bound: Cost,
        mut tables: Vec<TableMark>,
    ) -> Self {
        let proves = |one: &&BoundRecord| {
            one.is_complete() && (one.bound < lower_bound || claim == Claim::NoPlan)
        };
        let bounds = record.bounds.iter().filter(proves).cloned().collect();
        tables.sort_unstable();
        let [identity, command] = [&record.identity, &record.command].map(Identity::sorted);
        Self { identity, command, claim, lower_bound, tables, bounds }
    }

    /// The number of all units.
    pub fn units(&self) -> usize {
        self.bounds.iter().map(|bound| bound.units.len()).sum()
    }

    /// The generated nodes of all bounds.
    pub fn generated(&self) -> u64 {
        self.bounds.iter().map(|bound| bound.counts().0).sum()
    }

    /// The Merkle root of all bounds and units, in hexadecimal.
    pub fn root(&self) -> String {
        hex(&merkle::root(&text::leaves(self)))
    }
}

#[cfg(test)]
mod tests;
