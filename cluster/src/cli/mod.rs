//! The verbs of the command line, with the names and options of `fewest`.

mod build;
mod gods_algorithm;
mod options;
mod progress;
mod solve;

use clap::{Parser, Subcommand};
use fewest::search::CancelToken;
use fewest_cluster::{Comm, MpiComm};
use fewest_terminal::{Exit, note};
use std::process::ExitCode;

/// Searches on all ranks of an MPI job: `mpirun -n N fewest-cluster ..`
#[derive(Parser, Debug)]
#[command(name = "fewest-cluster", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Solve a state optimally on all ranks, and prove it
    Solve(solve::Solve),
    /// Build the tables of a heuristic on all ranks. A stopped build goes on in the next job, with
    /// any number of ranks
    Build(build::Build),
    /// Count the states at every distance from the goal, to the last (God's algorithm). A stopped
    /// count goes on in the next job, with any number of ranks
    GodsAlgorithm(gods_algorithm::GodsAlgorithm),
}

/// Parses the command line and does what it says. `mpirun` ends with the exit code of rank 0, as
/// other ranks end with 0.
pub(crate) fn run() -> ExitCode {
    // A wrong command line is told before MPI begins, by every rank.
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let Some(comm) = MpiComm::begin() else {
        note("fewest-cluster: this MPI allows no threads beside it");
        return Exit::Refused.into();
    };
    let cancel = CancelToken::new();
    let token = cancel.clone();
    // `mpirun` passes SIGTERM on. Then rank 0 ends the search of all, and keeps its journal.
    if ctrlc::set_handler(move || token.cancel()).is_err() {
        note("fewest-cluster: signals are not handled");
    }
    let result = match &arguments.verb {
        Verb::Solve(verb) => solve::run(verb, &comm, &cancel),
        Verb::Build(verb) => build::run(verb, &comm, &cancel),
        Verb::GodsAlgorithm(verb) => gods_algorithm::run(verb, &comm, &cancel),
    };
    let exit = result.unwrap_or_else(|error| {
        if comm.rank() > 0 {
            // The others wait for this rank.
            note(format_args!("fewest-cluster: rank {}: {}", comm.rank(), error.message));
            comm.abort(error.exit as i32);
        }
        note(format_args!("fewest-cluster: {}", error.message));
        error.exit
    });
    exit.into()
}

/// Prints what is wrong with the command line, or the help: by rank 0 alone, as far as the
/// environment names the rank.
fn refuse(error: &clap::Error) -> ExitCode {
    let rank =
        ["OMPI_COMM_WORLD_RANK", "PMI_RANK"].iter().find_map(|name| std::env::var(name).ok());
    if rank.is_none_or(|rank| rank == "0") {
        // Where nothing can be written, nothing can be told.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::Refused as u8))
}
