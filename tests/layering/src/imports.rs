//! Who imports whom, and what crates may be called.

use crate::none;
use crate::read::{Dependency, Package, packages, root};
use std::fs;

/// The crates under `domains/`.
const DOMAINS: [&str; 3] = ["cube", "tiles", "permutation"];
/// Folder names that say nothing: the lowest crate that needs a thing owns it.
const EMPTY_NAMES: [&str; 6] = ["common", "utils", "util", "types", "core", "helpers"];
/// The crates that are no libraries of Rust programs.
const PYTHON: &str = "python";
const WASM: &str = "wasm";
/// The crate whose program is a feature.
const CLUSTER: &str = "cluster";
/// The program that checks what the others write: it shares nothing with them.
const CHECKER: &str = "proofs/checker";
/// All that it imports, tests included.
const OF_CHECKER: [&str; 1] = ["sha2"];
/// The command line, what it shares with the cluster's program, and the papers that it reproduces.
const TOOL: &str = "tool";
const TERMINAL: &str = "tool/terminal";
const REPRODUCE: &str = "reproduce";
/// What only a program needs, and some of it the Python module.
const OF_PROGRAMS: [&str; 9] = [
    "bytesize",
    "clap",
    "ctrlc",
    "etcetera",
    "humantime",
    "indicatif",
    "layout",
    "libc",
    "plotters",
];

/// The crates of ours that a crate in this folder may import. `None`: no crate belongs there. The
/// empty name is that of the root.
fn may_import(folder: &str) -> Option<&'static [&'static str]> {
    match (folder, folder.strip_prefix("domains/")) {
        (PYTHON | WASM | TERMINAL | REPRODUCE, _) => Some(&[""]),
        (CLUSTER, _) => Some(&["", TERMINAL]),
        // Its tests have the checker read what it writes.
        (TOOL, _) => Some(&["", TERMINAL, REPRODUCE, CHECKER]),
        ("search" | "groups" | CHECKER | "tests/layering", _) => Some(&[]),
        ("fsm" | "closures" | "proofs" | "distances", _) => Some(&["search"]),
        ("pdb", _) => Some(&["search", "groups"]),
        ("anytime", _) => Some(&["search", "groups", "fsm", "pdb"]),
        (_, Some(domain)) if DOMAINS.contains(&domain) => {
            Some(&["search", "pdb", "groups", "distances"])
        }
        _ => None,
    }
}

/// Imports that the layers forbid. The root may import every crate.
fn imports(packages: &[Package]) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in packages.iter().filter(|package| !package.folder.is_empty()) {
        let Package { folder, dependencies, manifest, .. } = package;
        let Some(allowed) = may_import(folder) else {
            wrong.push(format!("{}:1: the house has no crate in {folder}", manifest.path));
            continue;
        };
        // A crate may name itself, to ask for the features that its tests need.
        let may = |other: &Package| other.folder == *folder || allowed.contains(&&*other.folder);
        for other in packages.iter().filter(|other| !may(other)) {
            if dependencies.iter().any(|dependency| dependency.name == other.name) {
                let key = other.name.trim_start_matches("fewest-");
                let line = manifest.text.lines().position(|line| line.starts_with(key));
                let line = line.map_or(1, |line| line + 1);
                wrong.push(format!("{}:{line}: {folder} imports {}", manifest.path, other.name));
            }
        }
    }
    wrong
}

/// Folders under `domains/` that are no members of the workspace, so that nothing tests them.
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
    let complaint =
        |package: &Package| format!("{}:1: a crate named {}", package.manifest.path, package.name);
    named.map(complaint).collect()
}

/// Dependencies of a program that a library has, or that the cluster has without the feature of its
/// program. The Python module is no library of Rust programs.
fn program_dependencies(packages: &[Package]) -> Vec<String> {
    let mut wrong = Vec::new();
    for Package { folder, dependencies, manifest, .. } in packages {
        let of_programs = dependencies.iter().filter(|other| OF_PROGRAMS.contains(&&*other.name));
        let programs = [PYTHON, TOOL, TERMINAL];
        let own = |optional| programs.contains(&&**folder) || folder == CLUSTER && optional;
        let always = of_programs.filter(|other| !own(other.optional));
        wrong.extend(
            always.map(|other| format!("{}:1: always needs {}", manifest.path, other.name)),
        );
    }
    wrong
}

/// Imports of the checker, which a referee would have to read.
fn checker_imports(packages: &[Package]) -> Vec<String> {
    let checkers = packages.iter().filter(|package| package.folder == CHECKER);
    let imports = checkers.flat_map(|one| &one.dependencies).map(|other| &*other.name);
    let others = imports.filter(|other| !OF_CHECKER.contains(other));
    others.map(|other| format!("{CHECKER}/Cargo.toml:1: imports {other}")).collect()
}

/// Dependencies that compile laws and toy domains into a crate, outside of tests and of the feature
/// `testing`.
fn laws_outside_tests(packages: &[Package]) -> Vec<String> {
    let mut wrong = Vec::new();
    for Package { dependencies, manifest, .. } in packages {
        let of = dependencies.iter().filter(|other| other.testing);
        wrong.extend(of.map(|other| format!("{}:1: laws of {}", manifest.path, other.name)));
    }
    wrong
}

#[test]
fn crates_import_downwards_only() {
    let packages = packages();
    assert!(packages.len() >= 7, "cargo found {} packages", packages.len());
    none(imports(&packages));
    none(empty_names(&packages));
    let entries = fs::read_dir(root().join("domains")).expect("domains");
    let folders = entries.map(|entry| entry.expect("an entry")).filter(|one| one.path().is_dir());
    let folders: Vec<String> =
        folders.map(|folder| format!("domains/{}", folder.file_name().to_string_lossy())).collect();
    assert!(!folders.is_empty());
    none(unlisted(&packages, &folders));
}

fn package(folder: &str, name: &str, dependencies: &[&str]) -> Package {
    let manifest = format!("[package]\n{}", dependencies.join("\n"));
    let dependency = |name: &&str| {
        let (name, testing) = ((*name).to_owned(), name.ends_with("testing"));
        Dependency { name, optional: false, testing }
    };
    Package {
        folder: folder.to_owned(),
        name: name.to_owned(),
        dependencies: dependencies.iter().map(dependency).collect(),
        manifest: crate::file(&format!("{folder}/Cargo.toml"), &manifest),
    }
}

/// The complaints about a project in which the crate in this folder imports these crates.
fn complaints_with(folder: &str, imported: &[&str]) -> Vec<String> {
    let folders = [
        "search",
        "groups",
        "fsm",
        "pdb",
        "anytime",
        "distances",
        "domains/cube",
        "domains/tiles",
        "",
    ];
    let others = folders.into_iter().filter(|other| *other != folder);
    let mut all: Vec<_> = others
        .map(|other| package(other, if other.is_empty() { "the root" } else { other }, &[]))
        .collect();
    all.push(package(folder, folder, imported));
    imports(&all)
}

#[test]
fn libraries_are_free_of_what_programs_need() {
    none(program_dependencies(&packages()));
}

#[test]
fn program_dependencies_are_found() {
    let mut all =
        [package("", "root", &["clap", "serde"]), package("cluster", "cluster", &["clap"])];
    let at_root = "/Cargo.toml:1: always needs clap";
    assert_eq!(program_dependencies(&all), [at_root, "cluster/Cargo.toml:1: always needs clap"]);
    all.iter_mut().flat_map(|one| &mut one.dependencies).for_each(|other| other.optional = true);
    assert_eq!(program_dependencies(&all), [at_root]);
    none(program_dependencies(&[package("tool", "tool", &["clap"])]));
}

#[test]
fn the_checker_stands_alone() {
    let packages = packages();
    assert!(packages.iter().any(|package| package.folder == CHECKER));
    none(checker_imports(&packages));
    let all = [package(CHECKER, "checker", &["sha2", "clap"]), package("pdb", "pdb", &["clap"])];
    assert_eq!(checker_imports(&all), ["proofs/checker/Cargo.toml:1: imports clap"]);
}

#[test]
fn laws_are_for_tests() {
    none(laws_outside_tests(&packages()));
    let all = [package("pdb", "pdb", &["search", "a crate for testing"])];
    assert_eq!(laws_outside_tests(&all), ["pdb/Cargo.toml:1: laws of a crate for testing"]);
}

#[test]
fn forbidden_imports_are_found() {
    for (folder, other) in [
        ("search", "fsm"),
        ("search", "groups"),
        ("search", "domains/cube"),
        ("groups", "search"),
        ("fsm", "pdb"),
        ("fsm", "groups"),
        ("distances", "pdb"),
        ("anytime", "domains/cube"),
        ("pdb", "anytime"),
        ("domains/cube", "anytime"),
        ("pdb", "fsm"),
        ("pdb", "distances"),
        ("pdb", "the root"),
        ("domains/cube", "domains/tiles"),
        ("domains/cube", "fsm"),
        ("python", "pdb"),
        ("cluster", "search"),
        ("tool", "search"),
        ("reproduce", "domains/cube"),
        (CHECKER, "search"),
    ] {
        let complaint = format!("{folder}/Cargo.toml:3: {folder} imports {other}");
        assert_eq!(complaints_with(folder, &["rayon", other]), [complaint]);
    }
    for (folder, others) in [
        ("fsm", &["search"][..]),
        ("pdb", &["pdb", "search", "groups"]),
        ("anytime", &["search", "groups"]),
        ("domains/tiles", &["search", "pdb", "groups", "distances"]),
        ("", &["fsm", "domains/cube"]),
        ("python", &["the root"]),
        ("cluster", &["the root"]),
        ("tool", &["the root"]),
    ] {
        none(complaints_with(folder, others));
    }
}

#[test]
fn crates_that_do_not_belong_are_found() {
    let strange = "domains/chess/Cargo.toml:1: the house has no crate in domains/chess";
    assert_eq!(complaints_with("domains/chess", &["search"]), [strange]);
    let cube = package("domains/cube", "cube", &[]);
    assert_eq!(unlisted(&[cube], &["domains/new".to_owned()]).len(), 1);
    let empty = [package("search/core", "x", &[]), package("x", "fewest-utils", &[])];
    assert_eq!(empty_names(&empty).len(), 2);
}
