//! `fewest tables`: the table files.

use super::ctrl_c::{Interrupt, at_once};
use super::options::HeuristicArgs;
use super::verbs::{BuildTables, ChooseTables, ListTables, Tables, TablesVerb};
use fewest::pdb::PackedTable;
use fewest::pdb::file::{Leftover, TableError, TableInfo, TableSpec, TableStore};
use fewest::search::CancelToken;
use fewest::{
    Failure, PartitionChoice, PartitionOptions, Puzzle, Request, Settings, TableCandidate,
    configure, grouped, is_named_right,
};
use fewest_terminal::{Error, Exit, Output, note, plain};
use serde_json::json;
use std::path::{Path, PathBuf};

// Columns of CSV.
const CANDIDATE: &str = "taken bytes states symmetries views worth pattern";
const CHOICE: &str = "heuristic mean nodes tables";
const FILE: &str = "table path bytes entries encoding verified description";

pub(super) fn run(verb: &Tables, interrupt: &Interrupt) -> Result<Exit, Error> {
    let cancel = interrupt.cancel.clone();
    match &verb.verb {
        TablesVerb::Build(verb) => build(verb, cancel),
        TablesVerb::List(verb) => at_once(|| list(verb)),
        TablesVerb::Verify(verb) => at_once(|| verify(verb)),
        TablesVerb::Remove(verb) => remove(&verb.which),
        TablesVerb::Choose(verb) => choose(verb, cancel),
        TablesVerb::Explain(verb) => at_once(|| explain(verb, cancel)),
    }
}

fn build(verb: &BuildTables, cancel: CancelToken) -> Result<Exit, Error> {
    let BuildTables { disk, guided: verb } = verb;
    let mut settings = verb.parts().settings()?;
    settings.disk.clone_from(disk);
    let puzzle = at_once(|| configure(&verb.args.puzzle, &settings))?;
    let meter = verb.args.work.meter();
    let request = Request::default().cancel(cancel).watch(&meter);
    let tables = tables_of(&*puzzle)?.build(&request)?;
    meter.clear();
    let mut output = Output::new(verb.args.work.output.format, "tables-build", "table bytes");
    let unsaved = meter.unsaved().clone();
    for (table, bytes) in tables.into_iter().filter(|(table, _)| !unsaved.contains(table)) {
        output.line(
            || json!({"table": table, "bytes": bytes}),
            || format!("{table}: {} bytes", grouped(bytes)),
        )?;
    }
    Ok(meter.exit())
}

fn explain(verb: &HeuristicArgs, cancel: CancelToken) -> Result<Exit, Error> {
    let puzzle = verb.parts().configure(&verb.args.puzzle)?;
    let meter = verb.args.work.meter();
    let request = Request::default().cancel(cancel).watch(&meter);
    let tables = tables_of(&*puzzle)?.explain(&request)?;
    meter.clear();
    let mut output = Output::new(verb.args.work.output.format, "tables-explain", CANDIDATE);
    for one in &tables {
        let text = || {
            let TableCandidate { bytes, states, symmetries, views, worth, in_use, pattern } = one;
            let mark = if *in_use { '*' } else { ' ' };
            let (bytes, states) = (grouped(*bytes), grouped(*states));
            format!(
                "{mark} {bytes} bytes, {states} states, \
                 {symmetries} symmetries, {views} views{}: {pattern}",
                worth.map_or(String::new(), |worth| format!(", worth {worth:.2}"))
            )
        };
        output.line(|| json!(one), text)?;
    }
    Ok(Exit::Done)
}

fn choose(verb: &ChooseTables, cancel: CancelToken) -> Result<Exit, Error> {
    let puzzle = verb.args.parts().configure(&verb.args.puzzle)?;
    let meter = verb.args.work.meter();
    let mut output = Output::new(verb.args.work.output.format, "tables-choose", CHOICE);
    let wanted = PartitionOptions {
        sizes: verb.sizes.0.clone(),
        partitions: verb.count.into(),
        time: verb.limit_time,
        seed: verb.seed,
    };
    let mut told = Ok(());
    let mut tell = |chosen: &PartitionChoice| {
        meter.clear();
        let line = output.line(
            || json!(chosen),
            || {
                let PartitionChoice { heuristic, nodes, mean, tables } = chosen;
                format!(
                    "{heuristic}\n  mean {mean:.3}, predicted nodes {nodes:.3e} of all strings; \
                     {tables} tables looked at"
                )
            },
        );
        if told.is_ok() {
            told = line;
        }
    };
    let request = Request::default().cancel(cancel).watch(&meter);
    let choosing = puzzle.choosing().ok_or_else(|| {
        let name = &puzzle.info().name;
        let expected = "sliding tiles have";
        Error::refused(format_args!("{name} has no partitions to choose from: {expected}"))
    })?;
    choosing.choose(&wanted, &request, &mut tell)?;
    told?;
    Ok(Exit::Done)
}

/// The capability [`fewest::Tables`] of a puzzle, or the error that it has none.
pub(super) fn tables_of(puzzle: &dyn Puzzle) -> Result<&dyn fewest::Tables, Error> {
    puzzle.tables().ok_or_else(|| Error::lacks(puzzle, "there are no tables"))
}

/// What the header of a file says, or why the file is refused.
type FileState = Result<TableInfo, TableError>;
/// A file and its state.
type Found = (PathBuf, FileState);

/// The table files and leftovers in the folder, of one puzzle or of all.
struct Contents {
    store: TableStore,
    tables: Vec<Found>,
    leftovers: Vec<Leftover>,
}

/// Lists the table files and leftovers in the folder, of one puzzle or of all.
fn found(verb: &ListTables) -> Result<Contents, Error> {
    // The puzzle knows which files are its own.
    let puzzle = verb.puzzle.as_ref().map(|name| configure(name, &Settings::default()));
    let puzzle = puzzle.transpose()?;
    let store = TableStore::new(verb.folder.folder()?);
    if matches!(store.folder.try_exists(), Ok(false)) && !verb.quiet {
        note(format_args!("No tables: there is no folder {}.", store.folder.display()));
    }
    let files = store.list().map_err(Failure::File)?.into_iter().map(|file| match file {
        Ok(info) => (info.path.clone(), Ok(info)),
        Err(error) => (error.path().to_owned(), Err(error)),
    });
    // A refused file has no readable description, so files are chosen by their names.
    let tables = puzzle.as_deref().map(tables_of).transpose()?;
    let wanted = |path: &Path| tables.is_none_or(|tables| tables.owns(&stem(path)));
    let files: Vec<Found> = files.filter(|(path, _)| wanted(path)).collect();
    if let (Some(name), true, Ok(true)) =
        (&verb.puzzle, files.is_empty() && !verb.quiet, store.folder.try_exists())
    {
        note(format_args!("No tables of {name} in {}.", store.folder.display()));
    }
    let mut leftovers = store.leftovers().map_err(Failure::File)?;
    leftovers.retain(|one| tables.is_none_or(|tables| tables.owns(&one.table)));
    Ok(Contents { store, tables: files, leftovers })
}

fn list(verb: &ListTables) -> Result<Exit, Error> {
    let contents = found(verb)?;
    if !verb.quiet {
        for Leftover { path, bytes, .. } in &contents.leftovers {
            let (path, bytes) = (path.display(), grouped(*bytes));
            note(format_args!(
                "{path}: {bytes} bytes left by a build that was killed; `tables remove` removes it"
            ));
        }
    }
    each(verb, contents, "tables-list", |_, file| Ok((file.map_err(text)?, "")))
}

fn verify(verb: &ListTables) -> Result<Exit, Error> {
    each(verb, found(verb)?, "tables-verify", |path, file| {
        file.map_err(text)?;
        let info = fewest::pdb::file::verify(path, &|_, _| true).map_err(text)?;
        if !is_named_right(&stem(path), &info) {
            let path = path.display();
            return Err(format!(
                "table file {path}: the table in it has another name: it describes itself as {}",
                info.description
            ));
        }
        Ok((info, ": every byte is right"))
    })
}

fn text(error: TableError) -> String {
    error.to_string()
}

/// Writes a result line for every file that `look` accepts, and an error for every other.
fn each(
    verb: &ListTables,
    contents: Contents,
    kind: &'static str,
    look: impl Fn(&Path, FileState) -> Result<(TableInfo, &'static str), String>,
) -> Result<Exit, Error> {
    let mut output = Output::new(verb.output.format, kind, FILE);
    output.header()?;
    let mut exit = Exit::Done;
    for (path, file) in contents.tables {
        match look(&path, file) {
            Ok((info, what)) => output.line(
                || {
                    json!({"table": stem(&path), "path": path, "bytes": info.payload_bytes,
                           "entries": info.entries, "encoding": info.encoding,
                           "verified": info.verified, "description": info.description})
                },
                || {
                    let (path, bytes) = (path.display(), grouped(info.payload_bytes));
                    plain(&format!("{path}  {bytes} bytes, {}{what}", info.encoding))
                },
            )?,
            Err(error) => {
                note(format_args!("fewest: {error}"));
                exit = Exit::Table;
            }
        }
    }
    Ok(exit)
}

fn remove(verb: &ListTables) -> Result<Exit, Error> {
    let Contents { store, tables, leftovers } = found(verb)?;
    let mut output = Output::new(verb.output.format, "tables-remove", "removed");
    let mut exit = Exit::Done;
    for (path, _) in tables {
        match remove_table(&store, &stem(&path)) {
            Ok(true) => {
                output.line(|| json!({"removed": path}), || removed(&path))?;
            }
            Ok(false) => {}
            Err(error) => {
                note(format_args!("fewest: {error}"));
                exit = Exit::Table;
            }
        }
    }
    for one in leftovers.iter().filter(|one| store.remove_leftover(one)) {
        let path = &one.path;
        output.line(|| json!({"removed": path}), || removed(path))?;
    }
    Ok(exit)
}

/// Removes the table of this name. Returns false if there is none.
pub(super) fn remove_table(store: &TableStore, name: &str) -> Result<bool, TableError> {
    // Only the name counts for a removal.
    store.remove(&TableSpec::new(name, serde_json::Value::Null, PackedTable::payload(8, 1)))
}

fn removed(path: &Path) -> String {
    plain(&format!("removed {}", path.display()))
}

/// The name of a table, from the path of its file.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
