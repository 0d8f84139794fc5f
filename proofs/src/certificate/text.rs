//! The text of a certificate. One certificate has one text.
//!
//! | line | what it says |
//! |---|---|
//! | `fewest-certificate 1` | the first line |
//! | `identity JSON` | what the results depend on |
//! | `command JSON` | what a later run needs beside it |
//! | `claim plan COST`, `claim no-plan` or `claim lower-bound` | the answer |
//! | `plan NAME NAME ..` | the plan; `plan -` if it is empty. Only if there is one |
//! | `lower-bound N` | no plan costs less |
//! | `table NAME FINGERPRINT PAYLOAD` | a table, with two hashes; sorted by name |
//! | `bound ..` and `unit ..` | as in a journal, each bound with all its units |
//! | `root HEX` | the Merkle root of the lines of bounds and units |
//! | `end HEX` | the BLAKE3 hash of all lines before it |

use super::{Certificate, Claim, TableMark, merkle};
use crate::hex::hex;
use crate::line::Line;
use std::fmt::Write;

/// The first words of a certificate.
pub(super) const MAGIC: &str = "fewest-certificate";
/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The lines of bounds and units, which are the leaves of the Merkle tree.
pub(super) fn leaves(certificate: &Certificate) -> Vec<String> {
    let mut leaves = Vec::with_capacity(certificate.units() + certificate.bounds.len());
    for one in &certificate.bounds {
        let (bound, above, digest) = (one.bound, one.above, one.digest);
        leaves.push(Line::Bound { bound, units: one.units.len(), above, digest }.text());
        let known = one.units.iter().enumerate();
        let known = known.filter_map(|(unit, counts)| Some((unit, (*counts)?)));
        leaves.extend(known.map(|(unit, counts)| Line::Unit { bound, unit, counts }.text()));
    }
    leaves
}

impl Certificate {
    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{MAGIC} {VERSION}\n");
        let mut line = |line: std::fmt::Arguments<'_>| {
            writeln!(text, "{line}").expect("a string takes all text");
        };
        line(format_args!("identity {}", self.identity.to_json()));
        line(format_args!("command {}", self.command.to_json()));
        match &self.claim {
            Claim::Plan(plan, cost) => {
                line(format_args!("claim plan {cost}"));
                let empty = plan.is_empty();
                let plan = if empty { "-".to_owned() } else { plan.join(" ") };
                line(format_args!("plan {plan}"));
            }
            Claim::NoPlan => line(format_args!("claim no-plan")),
            Claim::LowerBound => line(format_args!("claim lower-bound")),
        }
        line(format_args!("lower-bound {}", self.lower_bound));
        for TableMark { name, fingerprint, payload } in &self.tables {
            line(format_args!("table {name} {} {}", hex(fingerprint), hex(payload)));
        }
        let leaves = leaves(self);
        leaves.iter().for_each(|leaf| line(format_args!("{leaf}")));
        line(format_args!("root {}", hex(&merkle::root(&leaves))));
        let end = hex(blake3::hash(text.as_bytes()).as_bytes());
        text + "end " + &end + "\n"
    }
}
