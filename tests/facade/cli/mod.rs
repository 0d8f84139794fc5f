//! The command-line tool as scripts see it: results, exit codes and error texts.

mod anytime;
mod csv;
mod cubes;
mod definitions;
mod input;
mod names;
mod rot;
mod scrambles;
mod stickers;
mod tables;
mod tiles;
mod two_by_two;

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A command that runs the tool with `tables` as its table folder.
fn fewest(tables: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewest"));
    command.env("FEWEST_TABLES", tables);
    command
}

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run_with_input(tables: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut command = fewest(tables);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("piped");
    // The tool may refuse its arguments and end before it reads: then the input goes nowhere.
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    Ran {
        code: output.status.code().expect("it exits"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Runs the tool with the table folder that all tests share.
fn run(arguments: &[&str]) -> Ran {
    run_with_input(&crate::tables(), arguments, "")
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}
