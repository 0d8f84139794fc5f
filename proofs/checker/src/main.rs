//! The program `fewest-check`.

use fewest_check::{Checks, Objection, check};
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;
use std::{env, fs};

const HELP: &str = "\
fewest-check FILE [OPTIONS]

Checks a plain certificate, or a file of all distances. docs/CERTIFICATES.md specifies both.

  --all                  searches all units again [default]
  --units N, --seed S    searches N units again; S draws others [default: 0]
  --tables FOLDER        reads NAME.entries where present, and checks it edge by edge
  --write-tables FOLDER  writes NAME.entries of the tables that it computes

A table has at most 2^32 states, of one byte each while it is computed. Boards have at most 64
squares. Exit codes: 0 the file holds, 1 it could not be checked, 2 it or the options are refused.
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let help = words.iter().any(|word| ["-h", "--help"].contains(&&**word));
    let (code, text) = match if help { Ok(HELP.to_owned()) } else { run(&words) } {
        Ok(text) => (0, text),
        Err(Objection { refused: true, text }) => (2, format!("refused: {text}\n")),
        Err(Objection { refused: false, text }) => (1, format!("not checked: {text}\n")),
    };
    let mut out: Box<dyn Write> = if code == 0 { Box::new(stdout()) } else { Box::new(stderr()) };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::from(if written.is_ok() { code } else { code.max(1) })
}

fn run(words: &[String]) -> Result<String, Objection> {
    let (file, mut checks) = options(words)?;
    checks.progress = Some(|text| _ = writeln!(stderr(), "{text}"));
    let not_done = |error| Objection { refused: false, text: format!("{file}: {error}") };
    check(fs::read(&file).map_err(not_done)?, &checks)
}

/// The file, and what of it is checked.
fn options(words: &[String]) -> Result<(String, Checks), Objection> {
    let refused = |text: String| Objection { refused: true, text };
    let (mut file, mut checks, mut words) = (None, Checks::default(), words.iter());
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(refused(format!("expected a value behind {word}")));
        let wrong = |_| refused(format!("expected a number behind {word}"));
        match &**word {
            "--all" => checks.units = None,
            "--units" => checks.units = Some(value()?.parse().map_err(wrong)?),
            "--seed" => checks.seed = value()?.parse().map_err(wrong)?,
            "--tables" => checks.tables = Some(value()?.into()),
            "--write-tables" => checks.write_tables = Some(value()?.into()),
            _ if word.starts_with('-') => return Err(refused(format!("no option is {word}"))),
            _ => file = Some(word.clone()),
        }
    }
    file.map(|file| (file, checks)).ok_or(refused("expected a file: see --help".to_owned()))
}
