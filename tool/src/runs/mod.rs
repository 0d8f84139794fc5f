//! Runs that outlive a process: `solve --journal`, `resume`, `merge` and `status`. And what proves
//! their answers.

mod keep;
mod merge;
mod proof_log;
mod resume;
mod status;

pub(super) use keep::{Kept, write_new};
pub(super) use merge::run as merge;
pub(super) use proof_log::ProofLog;
pub(super) use resume::{run as resume, search};
pub(super) use status::run as status;

use fewest::proofs::{self, Record};
use fewest_terminal::Error;
use std::path::Path;

/// Reads a journal, which another process may be writing.
fn record(path: &Path) -> Result<Record, Error> {
    Ok(proofs::read(path)?.record)
}
