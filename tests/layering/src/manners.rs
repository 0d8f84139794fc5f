//! What a library keeps from doing: naming puzzles, printing, global state, clocks, unsafe code.

use crate::read::{File, code, holds, packages, sources, without_tests, words};
use crate::{file, in_library, is_agnostic, none};

/// Files that may hold `unsafe`.
const UNSAFE_FILES: [&str; 9] = [
    "search/src/prefetch.rs",
    "search/src/domain/vector_unit.rs",
    "search/src/heuristic/max_of_sums/register/sse2.rs",
    "pdb/src/builder/wide.rs",
    "pdb/src/file/read.rs",
    "pdb/src/memory.rs",
    "domains/cube/src/bytes/vectors.rs",
    "domains/permutation/src/puzzle/vector.rs",
    "tool/src/fatal_signals.rs",
];
/// The folder of the hot loop in `search`, where no clock is read.
const HOT: &str = "ida_star/expansion/";
/// What a library crate leaves to its caller. Comments, texts and tests may hold it.
const NOT_IN_A_LIBRARY: [&str; 11] = [
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "dbg!",
    "std::env",
    "env::",
    "process::exit",
    "process::abort",
    "static mut",
    "thread_local!",
];
/// What makes a `static` a global state instead of a constant.
const CHANGEABLE: [&str; 8] =
    ["Atomic", "Mutex", "RwLock", "OnceLock", "OnceCell", "LazyLock", "LazyCell", "RefCell"];
/// Names of puzzles, and words that only make sense for one.
const PUZZLES: [&str; 18] = [
    "cube",
    "cubes",
    "cubie",
    "cubies",
    "cubing",
    "rubik",
    "rubiks",
    "singmaster",
    "superflip",
    "facelet",
    "facelets",
    "tile",
    "tiles",
    "pyraminx",
    "megaminx",
    "skewb",
    "hanoi",
    "topspin",
];

/// Puzzle names in code, texts and plain comments. A doc comment may name a puzzle as an example.
/// A plain comment may in a citation: on a line with a year, or in a title between quotation marks.
fn puzzle_names(file: &File) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        let start = line.trim_start();
        let documentation = start.starts_with("///") || start.starts_with("//!");
        let comment = start.starts_with("//");
        let year = |word: String| word.parse().is_ok_and(|year| (1900..2100).contains(&year));
        if documentation || comment && words(line).any(year) {
            continue;
        }
        let titles = if comment { 2 } else { 1 };
        let outside_titles = line.split('"').step_by(titles).collect::<Vec<_>>().join(" ");
        if let Some(puzzle) = puzzle_name(&outside_titles) {
            wrong.push(format!("{}:{number}: names a puzzle ({puzzle})", file.path));
        }
    }
    wrong
}

fn puzzle_name(line: &str) -> Option<String> {
    let numbered = |(at, _): (usize, _)| line[..at].ends_with(|c: char| c.is_ascii_digit());
    let many = line.match_indices("-puzzle").any(numbered).then(|| "N-puzzle".to_owned());
    words(line).find(|word| PUZZLES.contains(&&**word)).or(many)
}

fn library_manners(file: &File) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(without_tests(&code(&file.text)).lines()) {
        for bad in NOT_IN_A_LIBRARY.into_iter().filter(|bad| holds(line, bad)) {
            wrong.push(format!("{}:{number}: {bad} in a library", file.path));
        }
        if holds(line, "static") && CHANGEABLE.iter().any(|kind| line.contains(kind)) {
            wrong.push(format!("{}:{number}: global state in a library", file.path));
        }
    }
    wrong
}

/// Places of a word in code, comments and texts excepted.
fn word_in_code(file: &File, word: &str, complaint: &str) -> Vec<String> {
    let code = code(&file.text);
    let found = (1..).zip(code.lines()).filter(|(_, line)| holds(line, word));
    found.map(|(number, _)| format!("{}:{number}: {complaint}", file.path)).collect()
}

/// Tests that are left out without a reason of the form `slow: WHY, HOW LONG`.
fn ignored_without_reason(file: &File) -> Vec<String> {
    let lines = (1..).zip(file.text.lines());
    let ignored = lines.filter_map(|(number, line)| Some((number, ignored_because(line)?)));
    let bad = ignored.filter(|(_, reason)| !is_slow_reason(reason));
    bad.map(|(number, _)| format!("{}:{number}: ignored without a reason", file.path)).collect()
}

/// What an attribute `ignore` says, if the line is one.
fn ignored_because(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("#[ignore")
}

/// Whether the rest of the attribute is like ` = "slow: builds 70 MB, 10 s"]`.
fn is_slow_reason(reason: &str) -> bool {
    let reason = reason.strip_prefix(" = \"slow: ").and_then(|text| text.strip_suffix("\"]"));
    let time = reason.and_then(|text| text.rsplit_once(", ")).map(|(_, time)| time);
    let (number, unit) = time.and_then(|time| time.split_once(' ')).unwrap_or_default();
    number.parse::<u32>().is_ok() && ["s", "min", "h"].contains(&unit)
}

#[test]
fn tests_are_ignored_only_where_they_are_slow() {
    none(sources().iter().flat_map(ignored_without_reason));
}

#[test]
fn bad_reasons_are_found() {
    for bad in ["", " = \"flaky\"", " = \"slow: builds 70 MB\"", " = \"slow: one, two s\""] {
        let found = ignored_without_reason(&file("a.rs", &format!("\n    #[ignore{bad}]")));
        assert_eq!(found, ["a.rs:2: ignored without a reason"], "{bad}");
    }
    let good = "#[test]\n#[ignore = \"slow: all 3,628,800 boards, 5 min\"]\nfn a() {}\n";
    none(ignored_without_reason(&file("a.rs", good)));
}

#[test]
fn the_engine_knows_no_puzzle() {
    let agnostic = |file: &&File| is_agnostic(&file.path);
    none(sources().iter().filter(agnostic).flat_map(puzzle_names));
    let packages = packages();
    let manifests = packages.iter().map(|package| &package.manifest);
    none(manifests.filter(agnostic).flat_map(puzzle_names));
}

#[test]
fn libraries_keep_their_manners() {
    none(sources().iter().filter(|file| in_library(&file.path)).flat_map(library_manners));
}

#[test]
fn no_clock_in_the_hot_loop() {
    let sources = sources();
    let hot = |file: &&File| file.path.starts_with("search/src/") && file.path.contains(HOT);
    let hot: Vec<_> = sources.iter().filter(hot).collect();
    assert!(hot.len() >= 3, "the hot loop is not in {HOT}");
    for clock in ["Instant", "SystemTime"] {
        none(hot.iter().flat_map(|file| word_in_code(file, clock, "a clock in the hot loop")));
    }
}

/// Places that read the clock of the standard library, which panics in a browser.
fn foreign_clocks(file: &File) -> Vec<String> {
    let code = code(&file.text);
    let found = (1..).zip(code.lines()).filter(|(_, line)| {
        holds(line, "std::time") && (holds(line, "Instant") || holds(line, "SystemTime"))
    });
    found.map(|(number, _)| format!("{}:{number}: expected web_time", file.path)).collect()
}

#[test]
fn clocks_run_in_a_browser() {
    let facade = |path: &str| path.starts_with("src/") || in_library(path);
    none(sources().iter().filter(|file| facade(&file.path)).flat_map(foreign_clocks));
}

#[test]
fn foreign_clocks_are_found() {
    for bad in ["use std::time::{Duration, Instant};", "let now = std::time::SystemTime::now();"] {
        let found = foreign_clocks(&file("pdb/src/a.rs", &format!("//! Fine.\n{bad}")));
        assert_eq!(found, ["pdb/src/a.rs:2: expected web_time"]);
    }
    none(foreign_clocks(&file("a.rs", "use std::time::Duration;\nuse web_time::Instant;")));
}

#[test]
fn no_unsafe_outside_its_box() {
    let sources = sources();
    let boxed = |file: &&File| UNSAFE_FILES.contains(&&*file.path);
    assert_eq!(sources.iter().filter(boxed).count(), UNSAFE_FILES.len(), "a listed file is gone");
    let others = sources.iter().filter(|file| !boxed(file));
    none(others.flat_map(|file| word_in_code(file, "unsafe", "unsafe outside the listed files")));
}

#[test]
fn puzzle_names_are_found() {
    for bad in [
        "struct CubeState;",
        "let cube_state = 1;",
        "// Sliding tiles have it.",
        "// As in the 15-puzzle.",
        "let rubik = \"2013\"; // (2013)",
        "expect(\"a cube\")",
        "// The \"best\" cube of all.",
    ] {
        let found = puzzle_names(&file("search/a.rs", &format!("//! Fine.\n{bad}")));
        assert!(found.len() == 1 && found[0].starts_with("search/a.rs:2: "), "{bad}: {found:?}");
    }
    for good in [
        "// (24-puzzle solver, 2017)",
        "// \"The Rubik's Cube\", nxopt in cube20src",
        "fn tiled() {}",
        "    /// Operators that commute (U and D on the cube).",
        "//! As on the 15-puzzle.",
    ] {
        none(puzzle_names(&file("a.rs", good)));
    }
}

#[test]
fn bad_manners_are_found() {
    for bad in [
        "println!(\"x\");",
        "    eprintln!();",
        "let home = std::env::var(\"HOME\");",
        "std::process::exit(1);",
        "static mut COUNT: u8 = 0;",
        "static COUNT: AtomicU64 = AtomicU64::new(0);",
        "thread_local! {}",
    ] {
        let text = format!("/* two\nlines */ fn f() {{}}\n{bad}");
        let found = library_manners(&file("pdb/src/a.rs", &text));
        assert!(!found.is_empty() && found[0].starts_with("pdb/src/a.rs:3: "), "{bad}: {found:?}");
    }
    for good in [
        "/// Not println! here.\nstatic T: [u8; 1] = [0];",
        "let s = \"print!\"; let r = r#\"static mut \" x\"#;",
        "let c = '\"'; fn f<'a>(x: &'a str) {}",
        "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod more {\n println!();\n}",
    ] {
        none(library_manners(&file("a.rs", good)));
    }
}

#[test]
fn words_in_code_are_found() {
    let in_line = |line: &str, word| word_in_code(&file("a.rs", &format!("\n{line}")), word, "no");
    assert_eq!(in_line("let x = unsafe { 1 };", "unsafe"), ["a.rs:2: no"]);
    none(in_line("#![deny(unsafe_code)] // unsafe", "unsafe"));
    assert_eq!(in_line("let t = Instant::now();", "Instant"), ["a.rs:2: no"]);
}
