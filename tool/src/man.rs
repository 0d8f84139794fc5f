//! `fewest man`: the manual pages, from the definitions of the arguments.

use super::files::write_whole;
use super::verbs::{Arguments, Man};
use clap::builder::StyledStr;
use clap::{Arg, Command, CommandFactory};
use fewest_terminal::{Error, Exit};
use std::fmt::Write as _;
use std::io::{self, Write};

pub(super) fn run(verb: &Man) -> Result<Exit, Error> {
    let mut command = Arguments::command();
    command.build();
    let Some(folder) = &verb.folder else {
        io::stdout().write_all(page(&mut command, "fewest").as_bytes())?;
        return Ok(Exit::Done);
    };
    let mut pages = Vec::new();
    all(&mut command, "fewest".to_owned(), &mut pages);
    let failed = |error| Error::refused(format_args!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, page) in pages {
        write_whole(&folder.join(format!("{name}.1")), &page).map_err(failed)?;
    }
    Ok(Exit::Done)
}

/// The pages of a command and of those below it, by name.
fn all(command: &mut Command, name: String, pages: &mut Vec<(String, String)>) {
    let text = page(command, &name);
    for below in command.get_subcommands_mut().filter(|below| below.get_name() != "help") {
        let name = format!("{name}-{}", below.get_name());
        all(below, name, pages);
    }
    pages.push((name, text));
}

/// The page of a command in the language of `man`.
fn page(command: &mut Command, name: &str) -> String {
    let usage = plain(&command.render_usage());
    let about = command.get_about().map(plain).unwrap_or_default();
    let long = command.get_long_about().map(plain).unwrap_or_else(|| about.clone());
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(".TH {} 1 \"\" \"fewest {version}\"\n", escaped(&name.to_uppercase()));
    section(&mut text, "NAME", &format!("{name} - {}", about.replace('\n', " ")));
    section(&mut text, "SYNOPSIS", usage.strip_prefix("Usage: ").unwrap_or(&usage));
    section(&mut text, "DESCRIPTION", &long);
    let (words, options): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set())
        .partition(|arg| arg.is_positional());
    for (title, args) in [("ARGUMENTS", words), ("OPTIONS", options)] {
        let entries = args.into_iter().map(|arg| (label(arg), help(arg)));
        list(&mut text, title, entries.collect());
    }
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    let about = |below: &Command| below.get_about().map(plain).unwrap_or_default();
    list(&mut text, "COMMANDS", below.map(|b| (b.get_name().to_owned(), about(b))).collect());
    text
}

fn section(text: &mut String, title: &str, body: &str) {
    let _ = write!(text, ".SH {title}\n{}\n", escaped(body));
}

fn list(text: &mut String, title: &str, entries: Vec<(String, String)>) {
    if !entries.is_empty() {
        let _ = writeln!(text, ".SH {title}");
    }
    for (label, body) in entries {
        let _ = write!(text, ".TP\n\\fB{}\\fR\n{}\n", escaped(&label), escaped(&body));
    }
}

/// The label of an argument: `-m, --memory <MEMORY>`, or `<PUZZLE>` for a positional argument.
fn label(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let names: Vec<String> =
        short.into_iter().chain(arg.get_long().map(|l| format!("--{l}"))).collect();
    let takes = arg.get_action().takes_values();
    let value = arg.get_value_names().filter(|_| takes).unwrap_or_default();
    let value = value.iter().map(|name| format!("<{name}>"));
    let names = (!names.is_empty()).then(|| names.join(", "));
    names.into_iter().chain(value).collect::<Vec<_>>().join(" ")
}

/// What an argument is, its default and its values.
fn help(arg: &Arg) -> String {
    let mut text = arg.get_help().map(plain).unwrap_or_default();
    let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
    let defaults: Vec<_> = defaults.collect();
    let takes = arg.get_action().takes_values();
    if takes && !defaults.is_empty() {
        let _ = write!(text, " [default: {}]", defaults.join(", "));
    }
    let values = arg.get_possible_values();
    let values: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
    if takes && !values.is_empty() {
        let _ = write!(text, " [possible values: {}]", values.join(", "));
    }
    text
}

/// A text without its colours.
fn plain(text: &StyledStr) -> String {
    text.to_string()
}

/// Escapes a text for `man`. Each of its lines stays a line.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    let lines = text.lines().map(|line| match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n.br\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_the_language_are_escaped() {
        assert_eq!(escaped(".a-b\\\n'c"), "\\&.a\\-b\\e\n.br\n\\&'c");
    }
}
