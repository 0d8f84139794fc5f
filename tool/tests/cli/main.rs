//! The command-line tool as scripts see it: results, exit codes and error texts.

mod anytime;
#[cfg(unix)]
mod cancel;
mod certificates;
mod convert;
mod csv;
mod cubes;
mod deadline;
mod definitions;
mod golden;
mod input;
mod instances;
mod journals;
mod kept_plans;
mod manual;
mod names;
mod on_disk;
mod plain_certificates;
mod plots;
mod predict;
mod proof_logs;
mod reproduce;
mod rot;
mod scrambles;
mod solvers;
mod statistics;
mod stickers;
mod strangers;
mod tables;
mod tiles;
mod two_by_two;

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The table folder of all tests that are not about tables. It is kept between runs, because
/// building its tables takes seconds.
fn tables() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tables")
}

/// The path of a definition file that comes with the project.
fn definition(file: &str) -> String {
    format!("{}/../domains/permutation/puzzles/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The path of a file that a test may write, in a folder that is removed with the first value.
fn new_file(name: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name).display().to_string();
    (folder, path)
}

/// A file with this text, see [`new_file`].
fn written(name: &str, text: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let (folder, path) = new_file(name);
    std::fs::write(&path, text).expect("a file");
    (folder, path)
}

/// A command that runs the tool with `tables` as its table folder.
fn fewest(tables: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewest"));
    command.env("FEWEST_TABLES", tables).current_dir("..");
    command
}

/// The arguments with 1 GiB for tables, unless they name another size. So no result depends on the
/// memory of the machine.
fn pinned<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let verb = arguments.iter().take(2).copied().collect::<Vec<_>>();
    let takes_memory = match verb[..] {
        ["tables", verb] => ["build", "explain", "choose"].contains(&verb),
        [verb, ..] => {
            ["solve", "scramble", "count", "gods-algorithm", "learn", "histogram", "predict"]
                .contains(&verb)
        }
        [] => false,
    };
    let names = |option: &&str| {
        option.starts_with("--memory") || **option == *"-m" || **option == *"--help"
    };
    let mut arguments = arguments.to_vec();
    if takes_memory && !arguments.iter().any(names) {
        arguments.extend(["--memory", "1GiB"]);
    }
    arguments
}

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run_with_input(tables: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut command = fewest(tables);
    command
        .args(pinned(arguments))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
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
    run_with_input(&tables(), arguments, "")
}

/// [`run`] with the words of a line.
fn run_line(line: &str) -> Ran {
    run(&line.split_whitespace().collect::<Vec<_>>())
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}
