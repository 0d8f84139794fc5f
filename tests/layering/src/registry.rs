//! A built-in puzzle takes few edits outside its own folders.

use crate::read::{File, code, holds, packages, sources, without_texts};
use crate::{file, is_test, none};

/// The most lines outside its folders that name a domain.
const MOST_EDITS: usize = 5;

/// A puzzle that is made of two domains. Its folder belongs to both.
const OF_BOTH: &str = "src/puzzles/derived_cube/";

/// Lines of the manifest and the facade that name a domain, outside its own folders.
fn edits(domain: &str, manifest: &File, sources: &[File]) -> Vec<String> {
    let own = format!("src/puzzles/{domain}/");
    let key = format!("{domain} = ");
    let lines = (1..).zip(manifest.text.lines());
    let named = lines.filter(|(_, line)| line.starts_with(&key));
    let mut edits: Vec<String> =
        named.map(|(number, _)| format!("{}:{number}: names {domain}", manifest.path)).collect();
    let facade = |file: &&File| {
        let others =
            [own.as_str(), OF_BOTH].into_iter().all(|folder| !file.path.starts_with(folder));
        file.path.starts_with("src/") && others
    };
    for file in sources.iter().filter(facade).filter(|file| !is_test(&file.path)) {
        let code = without_texts(&code(&file.text));
        let named = (1..).zip(code.lines()).filter(|(_, line)| holds(line, domain));
        edits.extend(named.map(|(number, _)| format!("{}:{number}: names {domain}", file.path)));
    }
    edits
}

/// docs/BUILT_IN_PUZZLE.md shows these edits one by one.
#[test]
fn a_built_in_puzzle_takes_few_edits_outside_its_folders() {
    let (packages, sources) = (packages(), sources());
    let root = packages.iter().find(|package| package.folder.is_empty()).expect("the root");
    for domain in ["tiles", "permutation"] {
        let edits = edits(domain, &root.manifest, &sources);
        assert!(edits.len() >= 3, "{domain} is named somewhere: {edits:?}");
        let more = edits.len() > MOST_EDITS;
        none(edits.into_iter().filter(|_| more));
    }
}

#[test]
fn edits_are_found() {
    let manifest = file("Cargo.toml", "[dependencies]\nchess = { workspace = true }\n");
    let sources = [
        file("src/lib.rs", "pub use chess;\n// chess\nlet text = \"chess\";"),
        file("src/puzzles/chess/mod.rs", "use chess::Board;"),
        file("tests/facade/main.rs", "use chess::Board;"),
    ];
    let expected = ["Cargo.toml:2: names chess", "src/lib.rs:1: names chess"];
    assert_eq!(edits("chess", &manifest, &sources), expected);
}
