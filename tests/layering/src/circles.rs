//! Import circles: files of one crate that use each other's items in a loop.
//!
//! Paths are read as text, from `use` lines and from code that names `crate::` or `super::`. A
//! module that only hands a name on with `pub use` is looked through, and its `pub use` lines are
//! no imports. Tests are left out.

use crate::read::{File, code, sources, without_tests};
use crate::{file, is_test, none};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// The first file of each circle that still stands, and what closes it. None may be added.
const STANDING: [(&str, &str); 0] = [];

/// Rooms with a front of their own: their crate does without them. Only its root, and the rooms
/// named behind a room, use it.
const ROOMS: [(&str, &str, &[&str]); 6] = [
    ("search", "bayes", &[]),
    ("search", "macros", &[]),
    ("search", "predict", &[]),
    ("search", "stored", &["bayes", "macros"]),
    ("pdb", "coset", &[]),
    ("pdb", "group_tables", &[]),
];

/// The path of a module from the root of its crate.
type Module = Vec<String>;
/// A module, and the item in it that a path names. `None`: the module itself.
type Place = (Module, Option<String>);

/// One file of a crate.
struct Unit<'a> {
    path: &'a str,
    module: Module,
    code: String,
}

/// The files of a crate, and the names that its modules hand on.
struct Crate<'a> {
    units: Vec<Unit<'a>>,
    modules: BTreeMap<Module, usize>,
    faces: BTreeMap<(Module, String), Place>,
}

impl<'a> Crate<'a> {
    fn new(files: &[&'a File]) -> Self {
        let units: Vec<_> = files.iter().filter_map(|file| unit(file)).collect();
        let modules = (0..).zip(&units).map(|(at, unit)| (unit.module.clone(), at)).collect();
        let mut read = Self { units, modules, faces: BTreeMap::new() };
        let mut faces = BTreeMap::new();
        for unit in &read.units {
            for path in uses(&unit.code).filter(|found| found.public).flat_map(|found| found.paths)
            {
                if let Some((module, Some(name))) = read.resolve(&unit.module, &path) {
                    faces.insert((unit.module.clone(), name.clone()), (module, Some(name)));
                }
            }
        }
        read.faces = faces;
        read
    }

    /// The module that a path leads to, and the item behind it. `None` for other crates.
    fn resolve(&self, here: &Module, path: &str) -> Option<Place> {
        let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
        let mut at = here.clone();
        match parts[0] {
            "crate" => (at, parts) = (Module::new(), parts.split_off(1)),
            "self" => parts = parts.split_off(1),
            "super" => {
                while parts.first() == Some(&"super") {
                    at.pop();
                    parts.remove(0);
                }
            }
            child => {
                at.push(child.to_owned());
                self.modules.get(&at)?;
                at.pop();
            }
        }
        (0..=parts.len()).rev().find_map(|length| {
            let own = parts[..length].iter().map(|part| (*part).to_owned());
            let module: Module = at.iter().cloned().chain(own).collect();
            let name = parts.get(length).and_then(|name| name.split(' ').next());
            self.modules.contains_key(&module).then(|| (module, name.map(str::to_owned)))
        })
    }

    /// The module that owns what a path names, behind all modules that hand it on.
    fn owner(&self, here: &Module, path: &str) -> Option<usize> {
        let mut place = self.resolve(here, path)?;
        for _ in 0..8 {
            let Some(name) = place.1.clone() else { break };
            let Some(next) = self.faces.get(&(place.0.clone(), name)) else { break };
            place = next.clone();
        }
        self.modules.get(&place.0).copied()
    }

    /// The other files whose items a file uses.
    fn used(&self, from: usize) -> BTreeSet<usize> {
        let unit = &self.units[from];
        let imports = uses(&unit.code).filter(|found| !found.public);
        let paths = imports.flat_map(|found| found.paths).chain(inline_paths(&unit.code));
        let owners = paths.filter_map(|path| self.owner(&unit.module, &path));
        owners.filter(|&owner| owner != from).collect()
    }

    /// Complaints about files outside a room that use it.
    fn entered(&self, room: &str, may: &[&str]) -> Vec<String> {
        let inside = |at: usize| self.units[at].module.first().is_some_and(|first| first == room);
        let allowed = |at: usize| match self.units[at].module.first() {
            Some(first) => first == room || may.contains(&&**first),
            None => true,
        };
        let outside = (0..self.units.len()).filter(|&at| !allowed(at));
        let users = outside.filter(|&at| self.used(at).into_iter().any(inside));
        users.map(|at| format!("{}:1: uses the room {room}", self.units[at].path)).collect()
    }

    /// Sets of files that use each other, each in the order of their paths.
    fn circles(&self) -> Vec<Vec<&'a str>> {
        let mut graph = DiGraph::<usize, ()>::new();
        let nodes: Vec<NodeIndex> = (0..self.units.len()).map(|at| graph.add_node(at)).collect();
        for from in 0..self.units.len() {
            for owner in self.used(from) {
                graph.add_edge(nodes[from], nodes[owner], ());
            }
        }
        let circles = tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1);
        let mut circles: Vec<Vec<&str>> = circles
            .map(|circle| {
                let mut paths: Vec<_> =
                    circle.into_iter().map(|node| self.units[graph[node]].path).collect();
                paths.sort_unstable();
                paths
            })
            .collect();
        circles.sort_unstable();
        circles
    }
}

fn unit(file: &File) -> Option<Unit<'_>> {
    let (_, inside) = split(&file.path)?;
    let mut module: Module = inside.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    module.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
    Some(Unit { path: &file.path, module, code: without_tests(&code(&file.text)).to_owned() })
}

/// The folder of a file's crate, and its path below `src/`.
fn split(path: &str) -> Option<(&str, &str)> {
    path.split_once("/src/").or_else(|| path.strip_prefix("src/").map(|inside| ("", inside)))
}

/// A `use` line: whether it hands names on, and every whole path in it.
struct Use {
    public: bool,
    paths: Vec<String>,
}

fn uses(code: &str) -> impl Iterator<Item = Use> {
    code.match_indices("use ").filter_map(|(at, word)| {
        let line = code[..at].rsplit('\n').next().unwrap_or_default().trim();
        let public = line.starts_with("pub");
        let (list, _) = code[at + word.len()..].split_once(';')?;
        (line.is_empty() || public && !line.contains(' '))
            .then(|| Use { public, paths: whole_paths(list) })
    })
}

/// `a::{b, c::{d}}` is `a::b` and `a::c::d`.
fn whole_paths(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((start, list)) = tree.split_once('{') else {
        return (!tree.is_empty()).then(|| tree.to_owned()).into_iter().collect();
    };
    let list = list.strip_suffix('}').unwrap_or(list);
    let (mut depth, mut paths) = (0, Vec::new());
    let items = list.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for item in items.flat_map(whole_paths) {
        paths.push(format!("{start}{item}"));
    }
    paths
}

/// The code without its `use` lines.
fn without_uses(code: &str) -> String {
    let mut rest = code;
    let mut out = String::new();
    while let Some(at) = rest.find("use ") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let end = if is_word { from.find(';').unwrap_or(from.len()) } else { "use ".len() };
        rest = &from[end..];
    }
    out + rest
}

/// Paths outside `use` lines that begin with `crate::` or `super::`.
fn inline_paths(code: &str) -> Vec<String> {
    let code = &without_uses(code)[..];
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let starts = code.match_indices("crate::").chain(code.match_indices("super::"));
    let starts = starts.filter(|&(at, _)| !code[..at].ends_with(|c| part(c) || c == ':'));
    let path = |at: usize| {
        let end = code[at..].find(|c| !part(c) && c != ':').unwrap_or(code.len() - at);
        code[at..at + end].trim_end_matches(':').to_owned()
    };
    starts.map(|(at, _)| path(at)).collect()
}

/// The files of each crate.
fn crates(files: &[File]) -> BTreeMap<&str, Vec<&File>> {
    let mut crates: BTreeMap<&str, Vec<&File>> = BTreeMap::new();
    for file in files.iter().filter(|file| !is_test(&file.path) && !left_out(&file.path)) {
        if let Some((folder, _)) = split(&file.path) {
            crates.entry(folder).or_default().push(file);
        }
    }
    crates
}

/// A complaint for each circle that [`STANDING`] does not list.
fn circles(files: &[File], standing: &[(&str, &str)]) -> Vec<String> {
    let crates = crates(files);
    let found = crates.values().flat_map(|files| Crate::new(files).circles());
    let found = found.filter(|circle| standing.iter().all(|(first, _)| *first != circle[0]));
    found.map(|circle| format!("{}:1: in a circle: {}", circle[0], circle.join(", "))).collect()
}

/// Toys and laws are for tests; benches and examples belong to no crate.
fn left_out(path: &str) -> bool {
    ["testing", "benches", "examples", "fuzz"]
        .iter()
        .any(|name| path.split('/').any(|part| part.trim_end_matches(".rs") == *name))
}

#[test]
fn files_do_not_use_each_other_in_circles() {
    let sources = sources();
    none(circles(&sources, &STANDING));
    for (first, reason) in STANDING {
        let found = circles(&sources, &[]);
        assert!(found.iter().any(|circle| circle.starts_with(first)), "{first}: {reason}");
    }
}

#[test]
fn rooms_are_used_by_their_front_only() {
    let sources = sources();
    let crates = crates(&sources);
    for (folder, room, may) in ROOMS {
        none(Crate::new(&crates[folder]).entered(room, may));
    }
}

#[test]
fn files_that_enter_a_room_are_found() {
    let files = [
        file("a/src/lib.rs", "pub mod x;\nmod y;\nmod z;\npub use x::X;\n"),
        file("a/src/x.rs", "use crate::y::Y;\npub struct X;\n"),
        file("a/src/y.rs", "use crate::X;\n"),
        file("a/src/z.rs", "fn f(x: crate::x::X) {}\n"),
    ];
    let files: Vec<&File> = files.iter().collect();
    assert_eq!(Crate::new(&files).entered("x", &["z"]), ["a/src/y.rs:1: uses the room x"]);
}

#[test]
fn circles_are_found() {
    let files = [
        file("a/src/lib.rs", "//! A.\nmod x;\nmod y;\npub use x::X;\npub use self::y::{Y, z};\n"),
        file("a/src/x.rs", "use crate::{Y as Z, other};\npub struct X;\n"),
        file("a/src/y/mod.rs", "pub(crate) mod z;\nuse std::fs;\nfn f(x: crate::X) {}\n"),
        file("a/src/y/z.rs", "use super::super::x::X;\n#[cfg(test)]\nmod tests {\nuse super::*;\n"),
        file("b/src/lib.rs", "mod p;\nmod q;\n"),
        file("b/src/p.rs", "use crate::q::Q; // use crate::r::R;\n"),
        file("a/src/w.rs", "pub use crate::x::X;\nfn f(x: super::y::z::Q) {}\n"),
        file("b/src/q.rs", "const P: &str = \"crate::p::P\";\n"),
    ];
    let found = circles(&files, &[]);
    assert_eq!(found, ["a/src/x.rs:1: in a circle: a/src/x.rs, a/src/y/mod.rs"]);
    none(circles(&files, &[("a/src/x.rs", "a reason")]));
    assert_eq!(
        whole_paths("a::{b, c::{d, e as f}, self}"),
        ["a::b", "a::c::d", "a::c::e as f", "a::self"]
    );
}
