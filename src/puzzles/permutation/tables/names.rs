//! Names and descriptions of the table files of a definition: [`TableNames`].

use crate::settings::Settings;
use crate::words::hex;
use pdb::file::{TableInfo, TableSpec};
use pdb::{GroupPattern, PackedTable};
use permutation::cosets::CosetPattern;
use permutation::{Definition, Operators};
use serde_json::{Value, json};

/// What table files record of a definition and a metric, so that other puzzles do not read them.
#[derive(Clone)]
pub(crate) struct TableNames {
    /// The definition's name.
    name: String,
    fingerprint: [u8; 32],
    metric: &'static str,
    /// The names of the operators, where only some moves are allowed.
    moves: Option<String>,
}

/// The end of a table's name: the first eight digits of its pattern's hash.
///
/// `pattern` is what the table's description says: the hash, or the pattern in words.
fn pattern_mark(pattern: &str) -> String {
    let is_hash = pattern.len() == 64 && pattern.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { pattern[..8].to_owned() } else { hex(&CosetPattern::fingerprint_of(pattern)[..4]) }
}

/// The part of a table's name that identifies the allowed moves.
fn moves_mark(moves: &str) -> String {
    format!("moves-{}", hex(&CosetPattern::fingerprint_of(moves)[..4]))
}

/// Whether a file has the name that its description asks for. `None` if it is no table of a
/// definition.
pub(crate) fn is_named_right(name: &str, table: &TableInfo) -> Option<bool> {
    let told = |key: &str| table.description[key].as_str();
    let (definition, metric) = (told("definition")?.get(..8)?, told("metric")?);
    let of_definition = name.contains(&format!("-{metric}-{definition}-"));
    let of_pattern =
        told("pattern").is_none_or(|pattern| name.contains(&format!("-{}", pattern_mark(pattern))));
    let of_moves = told("moves").is_none_or(|moves| name.contains(&moves_mark(moves)));
    Some(of_definition && of_pattern && of_moves)
}

impl TableNames {
    pub(crate) fn new(
        definition: &Definition,
        operators: &Operators,
        metric: &'static str,
        settings: &Settings,
    ) -> Self {
        let names: Vec<&str> = operators.list.iter().map(|op| op.name.as_str()).collect();
        let moves = settings.moves.as_ref().map(|_| names.join(" "));
        let (name, fingerprint) = (definition.name().to_owned(), definition.fingerprint());
        Self { name, fingerprint, metric, moves }
    }

    /// The beginning of all table names, and the description of tables of this `kind`.
    pub(crate) fn of_kind(&self, kind: &str) -> (String, Value) {
        let mut description = json!({
            "kind": kind, "definition": hex(&self.fingerprint), "metric": self.metric,
        });
        let mut beginning = self.beginning(self.metric);
        if let Some(moves) = &self.moves {
            description["moves"] = moves.as_str().into();
            beginning.push_str(&format!("-{}", moves_mark(moves)));
        }
        (beginning, description)
    }

    /// The hash of a pattern in words, and the end of the table's name.
    pub(crate) fn pattern(words: &str) -> (String, String) {
        let hash = hex(&CosetPattern::fingerprint_of(words));
        let mark = pattern_mark(&hash);
        (hash, mark)
    }

    /// The beginning of the names of all tables in a metric.
    fn beginning(&self, metric: &str) -> String {
        let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = self.name.chars().take(40).map(safe).collect();
        format!("{name}-{metric}-{}", hex(&self.fingerprint[..4]))
    }

    /// Whether a table of this name belongs to the definition, in any metric.
    pub(crate) fn has(&self, table: &str) -> bool {
        ["htm", "qtm"].into_iter().any(|metric| {
            let rest = table.strip_prefix(&self.beginning(metric));
            rest.is_some_and(|rest| rest.starts_with('-'))
        })
    }

    /// Whether a table of this name belongs to the definition, its metric and its allowed moves.
    /// Words, cycles and pairs are no tables: no bound comes from them.
    pub(crate) fn may_read(&self, table: &str) -> bool {
        let rest = table.strip_prefix(&self.of_kind("any").0);
        let others = ["-moves-", "-words-", "-cycles-", "-pairs-"];
        rest.is_some_and(|rest| {
            rest.starts_with('-') && !others.iter().any(|other| rest.starts_with(other))
        })
    }

    /// The name of a table file. It depends on the bits for each entry. `pattern` is the pattern's
    /// hash.
    pub(crate) fn of_table(&self, kind: &str, pattern: &[u8; 32], table: &PackedTable) -> String {
        let (four, eight) = self.specs(kind, pattern, 1);
        if table.bits() == 4 { four.name } else { eight.name }
    }

    /// The specifications of the table file of a pattern of pieces: with four bits for each entry,
    /// and with eight.
    pub(crate) fn pieces(&self, pattern: &GroupPattern) -> (TableSpec, TableSpec) {
        self.specs("pieces", &pattern.fingerprint(), pattern.entries())
    }

    /// The specifications of a table file with four bits for each entry, and of one with eight.
    /// `pattern` is the pattern's hash.
    pub(crate) fn specs(
        &self,
        kind: &str,
        pattern: &[u8; 32],
        entries: u64,
    ) -> (TableSpec, TableSpec) {
        let (name, mut description) = self.of_kind(kind);
        description["pattern"] = hex(pattern).into();
        let name = format!("{name}-{}", hex(&pattern[..4]));
        let [four, eight] = [4, 8].map(|bits| PackedTable::payload(bits, entries));
        let eight = TableSpec::new(format!("{name}-octets"), description.clone(), eight);
        (TableSpec::new(name, description, four), eight)
    }
}
