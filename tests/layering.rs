//! The house rules that a compiler does not check: who imports whom, what a library keeps from doing, what a file looks like.
//!
//! Every rule is a function from text to complaints, each of which names file and line. A self-test below feeds it something
//! bad, so that no rule can hold because it looks at nothing. docs/ARCHITECTURE.md says why the rules are as they are.

#[path = "layering/read.rs"]
mod read;

use read::{File, Package, code, holds, packages, root, sources, without_tests, words};
use std::fs;

/// The crates under `domains/`, there or to come.
const DOMAINS: [&str; 3] = ["cube", "tiles", "permutation"];
/// Folder names that say nothing: the lower crate that needs a thing owns it.
const EMPTY_NAMES: [&str; 6] = ["common", "utils", "util", "types", "core", "helpers"];
/// The crates that know no puzzle.
const AGNOSTIC: [&str; 3] = ["search/", "fsm/", "pdb/"];
/// Files that may hold `unsafe`.
const UNSAFE_FILES: [&str; 5] = [
    "search/src/vector_unit.rs",
    "pdb/src/memory.rs",
    "domains/cube/src/bytes/vector.rs",
    "domains/cube/src/bytes/wide.rs",
    "domains/permutation/src/puzzle/vector.rs",
];
/// Files of the hot loop, where no clock is read.
const HOT: &str = "search/src/expansion/";
/// Lines of a source file, and of an example, at the most.
const LONGEST: usize = 500;
const LONGEST_EXAMPLE: usize = 60;

/// What a library crate leaves to its caller; each is found as it stands here, outside comments, texts and tests.
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

fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

// The rules.

/// Whether a crate in this folder may import the one in that folder. `None`: no crate belongs into this folder.
fn may_import(folder: &str, other: &str) -> Option<bool> {
    match (folder, folder.strip_prefix("domains/")) {
        ("", _) => Some(true),
        ("search", _) => Some(false),
        ("fsm" | "pdb", _) => Some(other == "search"),
        (_, Some(domain)) if DOMAINS.contains(&domain) => Some(["search", "pdb"].contains(&other)),
        _ => None,
    }
}

fn imports(packages: &[Package]) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in packages {
        let Package { folder, dependencies, manifest, .. } = package;
        if may_import(folder, "").is_none() {
            wrong.push(format!("{}:1: the house has no crate in {folder}", manifest.path));
        }
        for other in packages.iter().filter(|other| dependencies.contains(&other.name)) {
            if may_import(folder, &other.folder) == Some(false) {
                let key = other.name.trim_start_matches("fewest-");
                let line = manifest.text.lines().position(|line| line.starts_with(key));
                let line = line.map_or(1, |line| line + 1);
                wrong.push(format!("{}:{line}: {folder} imports {}", manifest.path, other.name));
            }
        }
    }
    wrong
}

/// A folder under `domains/` that is no member is a crate that nothing tests.
fn unlisted(packages: &[Package], domains: &[String]) -> Vec<String> {
    let listed = |folder: &&String| packages.iter().any(|package| package.folder == **folder);
    let missing = domains.iter().filter(|folder| !listed(folder));
    missing.map(|folder| format!("Cargo.toml:1: {folder} is not among the members")).collect()
}

fn empty_names(packages: &[Package]) -> Vec<String> {
    let empty = |package: &&Package| {
        let last = package.folder.rsplit('/').next().unwrap_or_default();
        let name = package.name.trim_start_matches("fewest-");
        EMPTY_NAMES.contains(&last) || EMPTY_NAMES.contains(&name)
    };
    let named = packages.iter().filter(empty);
    named
        .map(|package| format!("{}:1: a crate named {}", package.manifest.path, package.name))
        .collect()
}

fn first_line(file: &File) -> Vec<String> {
    let said = file.text.lines().next().is_some_and(|line| line.starts_with("//! "));
    if said { Vec::new() } else { vec![format!("{}:1: does not begin with //!", file.path)] }
}

fn length(file: &File) -> Vec<String> {
    let most = if file.path.starts_with("examples/") { LONGEST_EXAMPLE } else { LONGEST };
    let lines = file.text.lines().count();
    if lines <= most {
        Vec::new()
    } else {
        vec![format!("{}:{lines}: more than {most} lines", file.path)]
    }
}

/// Puzzle names, in code, texts and comments alike. They may stand in a citation: in a line of comment that also holds a year from 1900
/// to 2099, or there between quotation marks, as part of a title.
fn puzzle_names(file: &File) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        let comment = line.trim_start().starts_with("//");
        let cited = comment
            && words(line).any(|word| word.parse().is_ok_and(|n| (1900..2100).contains(&n)));
        let looked_at = match comment {
            true => line.split('"').step_by(2).collect::<Vec<_>>().join(" "),
            false => line.to_owned(),
        };
        let numbered = |(i, _): (usize, _)| looked_at[..i].ends_with(|c: char| c.is_ascii_digit());
        let puzzle = words(&looked_at).find(|word| PUZZLES.contains(&&**word));
        let puzzle = puzzle.or_else(|| {
            looked_at.match_indices("-puzzle").any(numbered).then(|| "N-puzzle".into())
        });
        if let Some(puzzle) = puzzle.filter(|_| !cited) {
            wrong.push(format!("{}:{number}: names a puzzle ({puzzle})", file.path));
        }
    }
    wrong
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

/// Whether a path is in the sources of a library crate, its tests and benches excepted.
fn in_library(path: &str) -> bool {
    let is_crate =
        AGNOSTIC.iter().any(|start| path.starts_with(start)) || path.starts_with("domains/");
    is_crate && path.contains("/src/") && !path.contains("/tests/") && !path.ends_with("/tests.rs")
}

#[track_caller]
fn none(complaints: impl IntoIterator<Item = String>) {
    let complaints: Vec<String> = complaints.into_iter().collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

// The project.

#[test]
fn crates_import_downwards_only() {
    let packages = packages();
    assert!(packages.len() >= 5, "cargo found {} packages", packages.len());
    none(imports(&packages));
    none(empty_names(&packages));
    let folders = fs::read_dir(root().join("domains"))
        .expect("domains")
        .map(|entry| entry.expect("an entry"));
    let folders = folders.filter(|entry| entry.path().is_dir());
    let folders: Vec<String> =
        folders.map(|entry| format!("domains/{}", entry.file_name().to_string_lossy())).collect();
    assert!(!folders.is_empty());
    none(unlisted(&packages, &folders));
}

#[test]
fn files_begin_with_what_they_are_and_end_in_time() {
    let sources = sources();
    assert!(sources.len() > 50 && sources.iter().any(|file| file.path == "tests/layering.rs"));
    none(sources.iter().flat_map(first_line));
    none(sources.iter().flat_map(length));
}

#[test]
fn the_engine_knows_no_puzzle() {
    let agnostic = |file: &&File| AGNOSTIC.iter().any(|folder| file.path.starts_with(folder));
    none(sources().iter().filter(agnostic).flat_map(puzzle_names));
    none(
        packages().iter().map(|package| &package.manifest).filter(agnostic).flat_map(puzzle_names),
    );
}

#[test]
fn libraries_keep_their_manners() {
    none(sources().iter().filter(|file| in_library(&file.path)).flat_map(library_manners));
}

#[test]
fn no_clock_in_the_hot_loop_and_no_unsafe_outside_its_box() {
    let sources = sources();
    let hot: Vec<_> = sources.iter().filter(|file| file.path.starts_with(HOT)).collect();
    assert!(hot.len() >= 3, "the hot loop is not in {HOT}");
    for clock in ["Instant", "SystemTime"] {
        none(hot.iter().flat_map(|file| word_in_code(file, clock, "a clock in the hot loop")));
    }
    let boxed = |file: &&File| UNSAFE_FILES.contains(&&*file.path);
    assert_eq!(sources.iter().filter(boxed).count(), UNSAFE_FILES.len(), "a listed file is gone");
    let others = sources.iter().filter(|file| !boxed(file));
    none(others.flat_map(|file| word_in_code(file, "unsafe", "unsafe outside the listed files")));
}

// Each rule can fail.

fn package(folder: &str, name: &str, dependencies: &[&str]) -> Package {
    let manifest =
        file(&format!("{folder}/Cargo.toml"), &format!("[package]\n{}", dependencies.join("\n")));
    let dependencies = dependencies.iter().map(|&other| other.to_owned()).collect();
    Package { folder: folder.to_owned(), name: name.to_owned(), dependencies, manifest }
}

#[test]
fn forbidden_imports_are_found() {
    let with = |folder: &str, imports_: &[&str]| {
        let folders = ["search", "fsm", "pdb", "domains/cube", "domains/tiles"];
        let mut all: Vec<_> = folders.into_iter().map(|name| package(name, name, &[])).collect();
        all.push(package("", "the root", &[]));
        all.retain(|package| package.folder != folder);
        all.push(package(folder, folder, imports_));
        imports(&all)
    };
    for (folder, other) in [
        ("search", "fsm"),
        ("search", "domains/cube"),
        ("fsm", "pdb"),
        ("pdb", "fsm"),
        ("pdb", "the root"),
        ("domains/cube", "domains/tiles"),
        ("domains/cube", "fsm"),
    ] {
        assert_eq!(
            with(folder, &["rayon", other]),
            [format!("{folder}/Cargo.toml:3: {folder} imports {other}")]
        );
    }
    for (folder, others) in [
        ("fsm", &["search"][..]),
        ("domains/tiles", &["search", "pdb"]),
        ("", &["fsm", "domains/cube"]),
    ] {
        none(with(folder, others));
    }
    assert_eq!(
        with("domains/chess", &[]),
        ["domains/chess/Cargo.toml:1: the house has no crate in domains/chess"]
    );
    assert_eq!(
        unlisted(&[package("domains/cube", "cube", &[])], &["domains/new".to_owned()]).len(),
        1
    );
    assert_eq!(
        empty_names(&[package("search/core", "x", &[]), package("x", "fewest-utils", &[])]).len(),
        2
    );
}

#[test]
fn bad_files_are_found() {
    assert_eq!(first_line(&file("a.rs", "use x;\n//! Late.")), ["a.rs:1: does not begin with //!"]);
    assert_eq!(length(&file("a.rs", &"x\n".repeat(501))), ["a.rs:501: more than 500 lines"]);
    assert_eq!(length(&file("examples/a.rs", &"x\n".repeat(61))).len(), 1);
    none(length(&file("a.rs", &"x\n".repeat(500))));
}

#[test]
fn puzzle_names_are_found() {
    for bad in [
        "struct CubeState;",
        "let cube_state = 1;",
        "/// Sliding tiles have it.",
        "// As in the 15-puzzle.",
        "let rubik = \"2013\"; // (2013)",
        "// The \"best\" cube of all.",
    ] {
        let found = puzzle_names(&file("search/a.rs", &format!("//! Fine.\n{bad}")));
        assert!(found.len() == 1 && found[0].starts_with("search/a.rs:2: "), "{bad}: {found:?}");
    }
    none(puzzle_names(&file(
        "a.rs",
        "//! (24-puzzle solver, 2017)\n//! \"The Rubik's Cube\", nxopt in cube20src\nfn tiled() {}",
    )));
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
        let found =
            library_manners(&file("pdb/src/a.rs", &format!("/* two\nlines */ fn f() {{}}\n{bad}")));
        assert!(!found.is_empty() && found[0].starts_with("pdb/src/a.rs:3: "), "{bad}: {found:?}");
    }
    none(library_manners(&file(
        "a.rs",
        "/// Not println! here.\nstatic T: [u8; 1] = [0];\nlet s = \"print!\"; let r = r#\"static mut \" x\"#;\n\
         let c = '\"'; fn f<'a>(x: &'a str) {}\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod more {\n println!();\n}",
    )));
    let unsafe_ = |text: &str| word_in_code(&file("a.rs", text), "unsafe", "no").len();
    assert_eq!(
        (unsafe_("\nlet x = unsafe { 1 };"), unsafe_("#![deny(unsafe_code)] // unsafe")),
        (1, 0)
    );
    assert_eq!(
        word_in_code(&file("a.rs", "let t = Instant::now();"), "Instant", "no"),
        ["a.rs:1: no"]
    );
    assert!(in_library("fsm/src/learn.rs") && in_library("domains/cube/src/lib.rs"));
    assert!(
        !in_library("fsm/src/tests/laws.rs")
            && !in_library("pdb/benches/build.rs")
            && !in_library("src/main.rs")
    );
}
