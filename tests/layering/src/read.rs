//! What the rules read: source files, code without comments and texts, and the crates of cargo.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A text file of the project. The path starts at the root and has `/` between folders.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A crate of the workspace.
pub(crate) struct Package {
    /// The path of the folder from the root. Empty for the root itself.
    pub(crate) folder: String,
    pub(crate) name: String,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) manifest: File,
}

/// One line of a manifest's dependencies, those of tests and build scripts included.
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Whether only a feature brings it in, or only tests need it.
    pub(crate) optional: bool,
    /// Whether the line is outside `dev-dependencies` and turns on the feature `testing` of the
    /// dependency. Then users compile its laws and toy domains, too.
    pub(crate) testing: bool,
}

/// The words of a line in lower case. `CubeState` and `cube_state` are two words each.
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

/// Whether a line holds a piece of code that is not part of a longer word.
pub(crate) fn holds(line: &str, piece: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let ends = piece.ends_with(part);
    line.match_indices(piece).any(|(at, _)| {
        let after = &line[at + piece.len()..];
        !(line[..at].ends_with(part) || ends && after.starts_with(part))
    })
}

/// The source without comments and texts. Lines stay where they are.
pub(crate) fn code(source: &str) -> String {
    blanked(source, false)
}

/// The source without texts. Lines stay where they are.
pub(crate) fn without_texts(source: &str) -> String {
    blanked(source, true)
}

/// Puts a blank in place of each text (string or character), and of each comment unless kept.
fn blanked(source: &str, keep_comments: bool) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let comment = rest.starts_with("//") || rest.starts_with("/*");
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if comment {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            text_length(rest, out.ends_with(char::is_alphanumeric))
        };
        if comment && keep_comments {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        } else if length > 0 {
            out.push(' ');
            out.extend(rest[..length].chars().filter(|&c| c == '\n'));
            rest = &rest[length..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// Bytes of the string or character that the code begins with; 0 if it begins with neither.
fn text_length(code: &str, in_word: bool) -> usize {
    if let Some(raw) = code.strip_prefix('r').filter(|_| !in_word) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if let Some(text) = raw[hashes..].strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            return text.find(&end).map_or(code.len(), |at| hashes + 2 + at + end.len());
        }
    }
    match code.as_bytes() {
        [b'"', ..] => 1 + quoted(&code[1..], '"'),
        [b'\'', b'\\', ..] => 1 + quoted(&code[1..], '\''),
        // A lifetime has no mark at its end.
        [b'\'', ..] if code.chars().nth(2) == Some('\'') => 1 + quoted(&code[1..], '\''),
        _ => 0,
    }
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

/// The code up to its tests, which stand at the foot of a file.
pub(crate) fn without_tests(code: &str) -> &str {
    let foot = code.match_indices("#[cfg(test)]\nmod ");
    let foot = foot.map(|(at, _)| at).find(|&at| {
        let line = code[at..].lines().nth(1).unwrap_or_default();
        line.trim_end().ends_with('{')
    });
    &code[..foot.unwrap_or(code.len())]
}

pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).expect("two folders up").to_owned()
}

fn read(path: &Path) -> File {
    let short = path.strip_prefix(root()).expect("inside the project");
    let path_text = short.to_string_lossy().replace('\\', "/");
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path_text}: {error}"));
    File { path: path_text, text }
}

/// Every file below a folder with this ending. Hidden folders and the build's own are left out.
fn collect(folder: &Path, ending: &str, out: &mut Vec<File>) {
    for entry in fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let built = [
            "target",
            "fuzz/target",
            "wasm/bindgen/target",
            "wasm/node_modules",
            "web/node_modules",
        ];
        let built = built.into_iter().any(|folder| path == root().join(folder));
        if path.is_dir() && !built && !name.starts_with('.') {
            collect(&path, ending, out);
        } else if path.extension().is_some_and(|found| found == ending) {
            out.push(read(&path));
        }
    }
}

fn files(ending: &str) -> Vec<File> {
    let mut files = Vec::new();
    collect(&root(), ending, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// All Rust files of the project.
pub(crate) fn sources() -> Vec<File> {
    files("rs")
}

/// All Markdown files of the project.
pub(crate) fn pages() -> Vec<File> {
    files("md")
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
    metadata["packages"].as_array().expect("a list").iter().map(package).collect()
}

fn package(package: &Value) -> Package {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let manifest = read(Path::new(&text(&package["manifest_path"])));
    let dependency = |other: &Value| {
        let (for_tests, features) = (other["kind"] == "dev", other["features"].as_array());
        Dependency {
            name: text(&other["name"]),
            optional: other["optional"] == true || for_tests,
            testing: !for_tests && features.is_some_and(|all| all.iter().any(|f| f == "testing")),
        }
    };
    let dependencies = package["dependencies"].as_array().expect("a list");
    Package {
        folder: manifest.path.trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned(),
        name: text(&package["name"]),
        dependencies: dependencies.iter().map(dependency).collect(),
        manifest,
    }
}
