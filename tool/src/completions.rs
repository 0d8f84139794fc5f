//! `fewest completions`: completions of the command line, for a shell.

use super::verbs::{Arguments, Completions};
use clap::CommandFactory;
use fewest_terminal::{Error, Exit};
use std::io::{self, Write};

pub(super) fn run(verb: &Completions) -> Result<Exit, Error> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(verb.shell, &mut Arguments::command(), "fewest", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Done)
}
