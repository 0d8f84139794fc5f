//! The program of a rank: `mpirun -n N fewest-cluster solve ..`. Rank 0 prints the answer.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
