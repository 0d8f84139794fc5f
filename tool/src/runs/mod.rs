//! Runs that outlive a process: `solve --journal`, `resume`, `merge` and `status`. And what proves
//! their answers.

mod keep;
mod merge;
mod proof_log;
mod resume;
mod status;

pub(super) use keep::{JournalOptions, Kept};
pub(super) use merge::{Merge, run as merge};
pub(super) use proof_log::{ProofLog, ProofLogOptions};
pub(super) use resume::{Resume, run as resume, search};
pub(super) use status::{Status, run as status};

use fewest::proofs::{self, Record};
use std::path::Path;

/// Reads a journal, which another process may be writing.
fn record(path: &Path) -> Result<Record, super::Error> {
    Ok(proofs::read(path)?.record)
}
