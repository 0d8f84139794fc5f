//! The command-line tool `fewest`: parses, configures, answers; the exit code says how it went.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
