//! What the programs of this project share: options of the command line, results on standard
//! output ([`Output`]), texts of progress, errors and exit codes ([`Error`], [`Exit`]).

mod exit;
mod options;
mod output;
mod progress;

pub use exit::{Error, Exit};
pub use options::{FolderOptions, OutputOptions, PlanOptions, parse_bytes};
pub use output::{Format, Output, note, plain};
pub use progress::event_text;
