//! Small traits, and public names that mean one thing in the whole project.

use crate::read::{File, code, sources, without_tests};
use crate::{file, in_library, is_test, none};
use std::collections::BTreeMap;

/// The most methods that an implementor of a trait has to write, whoever may see the trait.
const MOST_REQUIRED: usize = 4;
/// Traits that require more, exactly as many as written here, each with the reason. None may be
/// added, and no number may grow.
const LARGE_TRAITS: [(&str, usize, &str); 5] = [
    ("BuiltIn", 14, "what differs between the built-in puzzles; parts of it have no other user"),
    ("Game", 20, "what differs between all puzzles; parts of it have no other user"),
    ("GroupSearch", 7, "the one door to code that is compiled for each size of a state"),
    ("Rungs", 7, "what a ladder tells of its rungs: each is one figure"),
    ("Vector", 10, "a register of the CPU: each method is one instruction"),
];
/// Public types that several crates may have under one name, each with the reason.
const SHARED_NAMES: [(&str, &str); 0] = [];

/// The traits of a file, private ones too: line, name, and number of required methods.
fn traits(file: &File) -> Vec<(usize, String, usize)> {
    let code = code(&file.text);
    let mut found = Vec::new();
    for (at, _) in code.match_indices("trait ").filter(|&(at, _)| is_word(&code, at, "trait")) {
        let name = identifier(&code[at + "trait ".len()..]);
        let line = code[..at].matches('\n').count() + 1;
        found.push((line, name.to_owned(), required_methods(body(&code[at..]))));
    }
    found
}

/// The traits of a file that require too many methods.
fn large_traits(file: &File) -> Vec<String> {
    let large = traits(file).into_iter().filter(|&(_, _, required)| required > MOST_REQUIRED);
    let excused = |name: &str, required| {
        LARGE_TRAITS.iter().any(|&(large, number, _)| (large, number) == (name, required))
    };
    large
        .filter(|(_, name, required)| !excused(name, *required))
        .map(|(line, name, required)| {
            format!("{}:{line}: {name} requires {required} methods", file.path)
        })
        .collect()
}

fn identifier(code: &str) -> &str {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The text between the first `{` and the `}` that closes it.
fn body(code: &str) -> &str {
    let start = code.find('{').map_or(code.len(), |at| at + 1);
    let mut depth = 1;
    let end = code[start..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    &code[start..end.map_or(code.len(), |end| start + end)]
}

/// Methods without a body, in the body of a trait.
fn required_methods(body: &str) -> usize {
    let (mut required, mut in_signature, mut depth) = (0, false, 0);
    for (at, c) in body.char_indices() {
        match c {
            '(' | '[' | '{' => {
                in_signature &= c != '{' || depth > 0;
                depth += 1;
            }
            ')' | ']' | '}' => depth -= 1,
            'f' if depth == 0 && is_word(body, at, "fn") => in_signature = true,
            ';' if depth == 0 => required += usize::from(std::mem::take(&mut in_signature)),
            _ => {}
        }
    }
    required
}

fn is_word(code: &str, at: usize, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let after = code[at..].strip_prefix(word);
    after.is_some_and(|after| !after.starts_with(part)) && !code[..at].ends_with(part)
}

/// The folder of a file's crate, the root's for the facade.
fn crate_of(path: &str) -> &str {
    path.find("/src/").map_or("", |end| &path[..end])
}

/// Public structs, enums, unions, traits and aliases of a file, each with its line.
fn public_types(file: &File) -> Vec<(String, usize)> {
    let code = code(&file.text);
    let mut found = Vec::new();
    for (number, line) in (1..).zip(without_tests(&code).lines()) {
        let Some(item) = line.trim_start().strip_prefix("pub ") else { continue };
        let item = item.strip_prefix("unsafe ").unwrap_or(item);
        for kind in ["struct ", "enum ", "union ", "trait ", "type "] {
            found.extend(item.strip_prefix(kind).map(|rest| (identifier(rest).to_owned(), number)));
        }
    }
    found
}

/// Names that public types of two crates have.
fn shared_names(files: &[&File]) -> Vec<String> {
    let mut places: BTreeMap<String, BTreeMap<&str, String>> = BTreeMap::new();
    for file in files {
        for (name, line) in public_types(file) {
            let place = format!("{}:{line}", file.path);
            places.entry(name).or_default().entry(crate_of(&file.path)).or_insert(place);
        }
    }
    let excused = |name: &str| SHARED_NAMES.iter().any(|(shared, _)| *shared == name);
    places.retain(|name, crates| crates.len() > 1 && !excused(name));
    let complaint = |(name, crates): (&String, &BTreeMap<&str, String>)| {
        let places: Vec<&str> = crates.values().map(String::as_str).collect();
        format!("{}: {name} is the name of several types ({})", places[0], places.join(", "))
    };
    places.iter().map(complaint).collect()
}

#[test]
fn traits_ask_for_four_methods_at_most() {
    let sources = sources();
    none(sources.iter().flat_map(large_traits));
    let all: Vec<_> = sources.iter().flat_map(traits).collect();
    assert!(all.iter().any(|(_, name, required)| (&name[..], *required) == ("Domain", 4)));
    for (name, number, reason) in LARGE_TRAITS {
        let large = |found: &(usize, String, usize)| (&found.1[..], found.2) == (name, number);
        assert_eq!(all.iter().filter(|found| large(found)).count(), 1, "{name}: {reason}");
    }
}

#[test]
fn a_type_name_means_one_thing() {
    let sources = sources();
    let public: Vec<_> = sources.iter().filter(|file| is_public(&file.path)).collect();
    none(shared_names(&public));
    let names: Vec<_> = public.iter().flat_map(|file| public_types(file)).collect();
    assert!(names.len() > 100);
    for (name, reason) in SHARED_NAMES {
        assert!(names.iter().filter(|(found, _)| found == name).count() > 1, "{name}: {reason}");
    }
}

/// Whether other crates may see what a file has.
fn is_public(path: &str) -> bool {
    let facade = path.starts_with("src/") || path.starts_with("reproduce/src/");
    in_library(path) || facade && !is_test(path)
}

#[test]
fn large_traits_are_found() {
    let four = [
        "/// Large.\npub trait Large: Sized {\n    type Of<'a>: Fn() -> u8;\n    const N: u8;",
        "    fn a(&self);\n    fn b(x: [u8; 2]) -> [u8; 4];",
        "    fn c<F: Fn(u8)>(f: F)\n    where\n        F: Sized;",
        "    fn given(&self) -> u8 { let f = |x: u8| { x }; f(1); 2 }\n    // fn e();",
        "    fn d();\n",
    ];
    let four = four.join("\n");
    let large = file("a.rs", &format!("{four}    unsafe fn e();\n}}\nfn f() {{}}\n"));
    assert_eq!(large_traits(&large), ["a.rs:2: Large requires 5 methods"]);
    none(large_traits(&file("a.rs", &format!("{four}}}\npub trait Next {{ fn a(); fn b(); }}"))));
    let private =
        "#[cfg(test)]\nmod tests {\n    trait A { fn a(); fn b(); fn c(); fn d(); fn e(); }\n}";
    assert_eq!(large_traits(&file("a.rs", private)), ["a.rs:3: A requires 5 methods"]);
    let known = format!("trait Search {{ {} }}", "fn f();".repeat(6));
    assert_eq!(large_traits(&file("a.rs", &known)), ["a.rs:1: Search requires 6 methods"]);
}

#[test]
fn shared_names_are_found() {
    let one = file("search/src/a.rs", "pub struct Walk<T>(T);\npub(crate) enum Own {}\n");
    let two = file("src/b.rs", "pub enum Own {}\n    pub trait Walk {}\n// pub struct Pair;\n");
    let three = file("search/src/c.rs", "pub type Walk = u8;\npub struct Pair;\n");
    let found = shared_names(&[&one, &two, &three]);
    let places = "src/b.rs:2: Walk is the name of several types (src/b.rs:2, search/src/a.rs:1)";
    assert_eq!(found, [places]);
    none(shared_names(&[&one, &three]));
    assert!(is_public("src/lib.rs") && is_public("domains/cube/src/a.rs"));
    assert!(!is_public("tool/src/main.rs") && !is_public("pdb/src/tests.rs"));
}
