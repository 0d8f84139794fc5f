//! The program `fewest-check`.

use fewest_check::{Checks, Objection, check};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::{env, fs};

const HELP: &str = "\
fewest-check FILE [OPTIONS]

Checks a plain certificate (`fewest certify FILE --plain OUT`), or a file of all distances
(`fewest gods-algorithm PUZZLE --certificate FILE`). docs/CERTIFICATES.md specifies both.

  --all                  searches all units again [default]
  --units N              searches N units again, drawn from all bounds together
  --seed S               draws other units [default: 0]
  --tables FOLDER        reads NAME.entries where present, and checks it edge by edge
  --write-tables FOLDER  writes NAME.entries of the tables that it computes

A table has at most 2^32 states, of one byte each while it is computed. Boards have at most 64
squares.

Exit codes: 0 the file holds, 1 it could not be checked, 2 it is refused, or the options are wrong.
";

fn main() -> ExitCode {
    let (file, checks) = match options(env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => return end(0, &mut io::stdout(), HELP),
        Err(text) => return end(2, &mut io::stderr(), &format!("{text}\n\n{HELP}")),
    };
    let mut progress = |text: &str| {
        if io::stderr().is_terminal() {
            _ = writeln!(io::stderr(), "{text}");
        }
    };
    let bytes = fs::read(&file).map_err(|error| Objection::NotDone(format!("{file}: {error}")));
    match bytes.and_then(|bytes| check(&bytes, &checks, &mut progress)) {
        Ok(report) => end(0, &mut io::stdout(), &report),
        Err(objection) => {
            let code = if matches!(objection, Objection::NotDone(_)) { 1 } else { 2 };
            end(code, &mut io::stderr(), &format!("{objection}\n"))
        }
    }
}

/// Writes a text, and ends with a code: 1 if it could not be written.
fn end(code: u8, out: &mut dyn Write, text: &str) -> ExitCode {
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::from(if written.is_ok() { code } else { code.max(1) })
}

/// The file, and how much of it is checked. `None`: only help is wanted.
fn options(words: impl Iterator<Item = String>) -> Result<Option<(String, Checks)>, String> {
    let mut words = words;
    let (mut file, mut checks) = (None, Checks::default());
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("expected a value after {word}"));
        let number = |text: String| {
            text.parse().map_err(|_| format!("expected a number after {word}, not `{text}`"))
        };
        match &*word {
            "--help" | "-h" => return Ok(None),
            "--all" => checks.units = None,
            "--units" => checks.units = Some(number(value()?)?),
            "--seed" => checks.seed = number(value()?)?,
            "--tables" => checks.tables = Some(value()?.into()),
            "--write-tables" => checks.write_tables = Some(value()?.into()),
            _ if word.starts_with('-') => return Err(format!("there is no option {word}")),
            _ if file.is_some() => return Err("expected one file".to_owned()),
            _ => file = Some(word),
        }
    }
    file.map(|file| Some((file, checks))).ok_or("expected a file".to_owned())
}
