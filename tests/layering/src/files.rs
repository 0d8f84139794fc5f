//! What a file looks like: its first line, its length, its width, and where it stands.

use crate::read::{File, pages, sources, without_texts};
use crate::{file, none};
use std::collections::BTreeSet;

/// The most lines of a source file, and of an example.
const LONGEST: usize = 500;
const LONGEST_EXAMPLE: usize = 60;
/// The most columns of a line.
const WIDEST: usize = 100;
/// Many tools skip folders with these names.
const PASSED_OVER: [&str; 2] = ["build", "target"];

fn first_line(file: &File) -> Vec<String> {
    let said = file.text.lines().next().is_some_and(|line| line.starts_with("//! "));
    if said { Vec::new() } else { vec![format!("{}:1: does not begin with //!", file.path)] }
}

fn length(file: &File) -> Vec<String> {
    let most = if file.path.starts_with("examples/") { LONGEST_EXAMPLE } else { LONGEST };
    let lines = file.text.lines().count();
    let long = (lines > most).then(|| format!("{}:{lines}: more than {most} lines", file.path));
    long.into_iter().collect()
}

/// Lines of code and comments that are too wide. Texts do not count: rustfmt does not break them.
fn wide_source(file: &File) -> Vec<String> {
    let shown = without_texts(&file.text);
    let lines = (1..).zip(file.text.lines().zip(shown.lines()));
    let wide = lines.filter(|(_, (line, shown))| {
        line.chars().count() > WIDEST && shown.chars().count() > WIDEST || has_wide_comment(line)
    });
    wide.map(|(number, (line, _))| too_wide(file, number, line)).collect()
}

/// A whole line of comment has no text to leave out.
fn has_wide_comment(line: &str) -> bool {
    line.trim_start().starts_with("//") && line.chars().count() > WIDEST
}

/// Lines of a page that are too wide. Tables, code, and links that cannot be broken do not count.
fn wide_page(file: &File) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut in_code = false;
    for (number, line) in (1..).zip(file.text.lines()) {
        let start = line.trim_start();
        in_code ^= start.starts_with("```");
        let unbroken = !start.trim_start_matches(['-', '*', ' ']).contains(' ');
        let free = in_code || start.starts_with('|') || unbroken;
        if line.chars().count() > WIDEST && !free {
            wrong.push(too_wide(file, number, line));
        }
    }
    wrong
}

fn too_wide(file: &File, number: usize, line: &str) -> String {
    format!("{}:{number}: {} columns", file.path, line.chars().count())
}

/// A module with children is a folder with `mod.rs`: no `x.rs` stands beside `x/`.
fn beside_folders(files: &[File]) -> Vec<String> {
    let mut folders = BTreeSet::new();
    for file in files {
        folders.extend(file.path.match_indices('/').map(|(end, _)| &file.path[..end]));
    }
    let stems = files.iter().filter_map(|file| file.path.strip_suffix(".rs"));
    let beside = stems.filter(|stem| folders.contains(stem));
    beside.map(|stem| format!("{stem}.rs:1: stands beside the folder {stem}/")).collect()
}

fn passed_over(file: &File) -> Vec<String> {
    let (folder, _) = file.path.rsplit_once('/').unwrap_or_default();
    let bad = folder.split('/').find(|name| PASSED_OVER.contains(name));
    bad.map(|name| format!("{}:1: in a folder called {name}", file.path)).into_iter().collect()
}

#[test]
fn files_begin_with_what_they_are_and_end_in_time() {
    let sources = sources();
    assert!(
        sources.len() > 50 && sources.iter().any(|file| file.path == "tests/layering/src/lib.rs")
    );
    none(sources.iter().flat_map(first_line));
    none(sources.iter().flat_map(length));
}

#[test]
fn lines_fit_a_screen() {
    let sources = sources();
    none(sources.iter().flat_map(wide_source));
    let pages = pages();
    assert!(pages.iter().any(|page| page.path == "README.md"));
    none(pages.iter().flat_map(wide_page));
}

#[test]
fn modules_have_one_style() {
    let sources = sources();
    none(beside_folders(&sources));
    none(sources.iter().flat_map(passed_over));
}

#[test]
fn bad_files_are_found() {
    assert_eq!(first_line(&file("a.rs", "use x;\n//! Late.")), ["a.rs:1: does not begin with //!"]);
    assert_eq!(length(&file("a.rs", &"x\n".repeat(501))), ["a.rs:501: more than 500 lines"]);
    assert_eq!(length(&file("examples/a.rs", &"x\n".repeat(61))).len(), 1);
    none(length(&file("a.rs", &"x\n".repeat(500))));
}

#[test]
fn wide_lines_are_found() {
    let sixty = "x".repeat(60);
    for bad in [
        format!("// {sixty} {sixty}"),
        format!("/// \"{sixty} {sixty}\""),
        format!("let {sixty} = {sixty};"),
        format!("let s = \"{sixty}\"; // {sixty} {sixty}"),
    ] {
        let found = wide_source(&file("a.rs", &format!("fn f() {{}}\n{bad}\n")));
        assert_eq!(found, [format!("a.rs:2: {} columns", bad.len())]);
    }
    let fits = "é".repeat(94);
    none(wide_source(&file("a.rs", &format!("let s = \"{sixty} {sixty}\";\n// {fits}\n"))));
    let wide = format!("{sixty} {sixty}");
    let page =
        format!("# Page\n\n{wide}\n```text\n{wide}\n```\n{wide}\n| {wide} |\n{sixty}{sixty}\n");
    let found = wide_page(&file("a.md", &page));
    assert_eq!(found, ["a.md:3: 121 columns", "a.md:7: 121 columns"]);
}

#[test]
fn misplaced_files_are_found() {
    let files = |paths: &[&str]| paths.iter().map(|path| file(path, "")).collect::<Vec<_>>();
    let found = beside_folders(&files(&["a/src/x.rs", "a/src/x/y/z.rs", "a/src/y.rs"]));
    assert_eq!(found, ["a/src/x.rs:1: stands beside the folder a/src/x/"]);
    none(beside_folders(&files(&["a/src/x/mod.rs", "a/src/x/y.rs", "b/src/x.rs"])));
    let found = passed_over(&file("a/build/x.rs", ""));
    assert_eq!(found, ["a/build/x.rs:1: in a folder called build"]);
    none(passed_over(&file("a/builder/build.rs", "")));
}
