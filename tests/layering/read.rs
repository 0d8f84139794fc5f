//! What the rules of the house read: the sources, their code without comments and texts, and the crates as cargo knows them.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A text file of the project: its path from the root, with `/` between folders.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A crate of the workspace.
pub(crate) struct Package {
    /// From the root; empty for the root itself.
    pub(crate) folder: String,
    pub(crate) name: String,
    /// Everything it depends on, also in tests and for building.
    pub(crate) dependencies: Vec<String>,
    pub(crate) manifest: File,
}

/// Lower-case words; `CubeState` and `cube_state` are two each.
pub(crate) fn words(line: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::with_capacity(line.len());
    let mut lower = false;
    for c in line.chars() {
        if lower && c.is_uppercase() {
            spaced.push(' ');
        }
        lower = c.is_lowercase();
        spaced.extend(c.to_lowercase());
    }
    let words: Vec<String> =
        spaced.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    words.into_iter().filter(|word| !word.is_empty())
}

/// Whether a line holds a piece of code, not as the end or the beginning of a longer word.
pub(crate) fn holds(line: &str, piece: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let ends = piece.ends_with(part);
    line.match_indices(piece).any(|(at, _)| {
        let after = &line[at + piece.len()..];
        !(line[..at].ends_with(part) || ends && after.starts_with(part))
    })
}

/// The source with comments and texts blanked out; lines stay where they are.
pub(crate) fn code(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let hashes =
            rest.strip_prefix('r').map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
        let raw = rest.starts_with('r')
            && rest[1 + hashes..].starts_with('"')
            && !out.ends_with(char::is_alphanumeric);
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if raw {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len())
        } else if c == '"' {
            1 + quoted(&rest[1..], '"')
        } else if c == '\'' && (rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'')) {
            1 + quoted(&rest[1..], '\'')
        } else {
            0
        };
        if length == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            out.push(' ');
            out.extend(rest[..length].chars().filter(|&c| c == '\n'));
            rest = &rest[length..];
        }
    }
    out
}

/// Bytes up to and with the closing mark.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().find(|&(_, c)| {
        let closes = c == mark && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The source up to its tests, which stand at the foot of a file.
pub(crate) fn without_tests(code: &str) -> &str {
    let foot = code.match_indices("#[cfg(test)]\nmod ");
    let foot = foot.map(|(at, _)| at).find(|&at| {
        let line = code[at..].lines().nth(1).unwrap_or_default();
        line.trim_end().ends_with('{')
    });
    &code[..foot.unwrap_or(code.len())]
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> File {
    let short = path.strip_prefix(root()).expect("inside the project");
    let path_text = short.to_string_lossy().replace('\\', "/");
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path_text}: {error}"));
    File { path: path_text, text }
}

/// Every Rust file below a folder, built and hidden ones excepted.
fn collect(folder: &Path, out: &mut Vec<File>) {
    for entry in fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            collect(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push(read(&path));
        }
    }
}

pub(crate) fn sources() -> Vec<File> {
    let mut files = Vec::new();
    collect(&root(), &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The members, as cargo reads them.
pub(crate) fn packages() -> Vec<Package> {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let packages = metadata["packages"].as_array().expect("a list");
    let package = |package: &Value| {
        let manifest = read(Path::new(&text(&package["manifest_path"])));
        let dependencies = package["dependencies"].as_array().expect("a list");
        Package {
            folder: manifest.path.trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned(),
            name: text(&package["name"]),
            dependencies: dependencies.iter().map(|other| text(&other["name"])).collect(),
            manifest,
        }
    };
    packages.iter().map(package).collect()
}
