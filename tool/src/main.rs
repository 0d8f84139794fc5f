//! The command-line tool `fewest`: a file for each verb.

mod bars;
mod bench;
mod certify;
mod check;
mod compare;
mod completions;
mod convert;
mod count;
mod ctrl_c;
mod faces;
mod fatal_signals;
mod files;
mod goals;
mod gods_algorithm;
mod histogram;
mod input;
mod insert;
mod invert;
mod learn;
mod man;
mod memory;
mod options;
mod plot;
mod predict;
mod progress;
mod puzzles;
mod reproduce;
mod runs;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod shorten;
mod show;
mod show_text;
mod solve;
mod states;
mod statistics;
mod steps;
mod tables;
mod verbs;

use clap::Parser;
use ctrl_c::{Interrupt, at_once};
use fewest_terminal::{Error, Exit, note};
use std::process::ExitCode;
use verbs::{Arguments, Verb};

/// Prints what is wrong with the command line, or the help. Help that cannot be printed is no
/// success.
fn tell(told: &clap::Error) -> ExitCode {
    let printed = told.print().map_err(Error::from);
    let code = u8::try_from(told.exit_code()).unwrap_or(Exit::Refused as u8);
    ExitCode::from(printed.map_or_else(|error| code.max(error.exit as u8), |()| code))
}

/// Parses the command line and does what it says.
fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(told) => return tell(&told),
    };
    let interrupt = Interrupt::install();
    fatal_signals::take_over();
    let cancel = interrupt.cancel.clone();
    let result = match arguments.verb {
        Verb::Solve(verb) if verb.steps.insert.is_some() => insert::run(&verb, &interrupt),
        Verb::Solve(verb) if verb.steps.are_wanted() => steps::run(&verb, &interrupt),
        Verb::Solve(verb) => solve::run(&verb, &interrupt),
        Verb::Resume(verb) => runs::resume(verb, &interrupt),
        Verb::Merge(verb) => at_once(|| runs::merge(&verb)),
        Verb::Status(verb) => at_once(|| runs::status(&verb)),
        Verb::Certify(verb) => certify::run(verb, &interrupt),
        Verb::Scramble(verb) => scramble::run(&verb, &interrupt),
        Verb::Invert(verb) => invert::run(&verb, &interrupt),
        Verb::Compose(verb) => invert::compose(&verb),
        Verb::Shorten(verb) => shorten::run(&verb, &interrupt),
        Verb::Check(verb) => at_once(|| check::run(&verb)),
        Verb::Count(verb) => count::run(&verb, cancel),
        Verb::GodsAlgorithm(verb) => gods_algorithm::run(&verb, cancel),
        Verb::Statistics(verb) => statistics::run(&verb, &interrupt),
        Verb::Learn(verb) => learn::run(&verb, cancel),
        Verb::Histogram(verb) => histogram::run(&verb, cancel),
        Verb::Predict(verb) => predict::run(&verb, cancel),
        Verb::Compare(verb) => compare::run(&verb, &interrupt),
        Verb::Reproduce(verb) => reproduce::run(&verb, &interrupt),
        Verb::Tables(verb) => tables::run(&verb, &interrupt),
        Verb::Puzzles(verb) => puzzles::run(&verb),
        Verb::Goals(verb) => goals::run(&verb),
        Verb::Completions(verb) => completions::run(&verb),
        Verb::Man(verb) => man::run(&verb),
        Verb::Show(verb) => show::run(&verb, &cancel),
        Verb::Convert(verb) => convert::run(&verb, &interrupt),
        Verb::Bench(verb) => bench::run(&verb, &cancel),
        #[cfg(feature = "serve")]
        Verb::Serve(verb) => serve::run(&verb, &interrupt),
    };
    let exit = result.unwrap_or_else(|error| {
        if error.exit != Exit::Done {
            note(format_args!("fewest: {}", error.message));
        }
        error.exit
    });
    // Ctrl-C may come between two inputs, when no work sees it.
    let least = if interrupt.cancel.is_cancelled() { Exit::NotSolved } else { Exit::Done };
    let exit = exit.max(least);
    exit.into()
}
