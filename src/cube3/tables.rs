//! The cube's tables: each built or loaded when it is first needed, then kept.

use super::{Choice, Cube};
use crate::puzzle::{Failure, Job};
use crate::stock::Stock;
use cube::cosets::{Axes, Coordinates, Family};
use cube::patterns::{Corners, Edges, korf97};
use cube::two_phase::TwoPhase;
use cube::{ByteCube3, Cube3, Metric};
use pdb::coset::{Reduced, TwoBit, Views};
use pdb::file::TableSpec;
use pdb::{BuildOptions, Lazy, Nibbles, PatternDatabase};
use search::Max;
use std::sync::Mutex;
use std::sync::OnceLock;

/// Korf's heuristic: the corners are read first and prefetched, the edges only for the few nodes that the corners let through.
pub(super) type Korf97 =
    Max<PatternDatabase<Corners>, Max<Lazy<PatternDatabase<Edges>>, Lazy<PatternDatabase<Edges>>>>;

/// See the module.
pub(super) struct Tables {
    domain: Cube3,
    stock: Stock,
    korf97: OnceLock<Korf97>,
    views: [OnceLock<Views<ByteCube3, Axes>>; Family::ALL.len()],
    two_phase: OnceLock<TwoPhase>,
    /// Held while a table is obtained, so that no two threads build the same.
    busy: Mutex<()>,
}

/// Entries of the corner table and of an edge table.
const KORF97_ENTRIES: [u64; 3] = [88_179_840, 42_577_920, 42_577_920];

impl Tables {
    pub(super) fn new(domain: Cube3, stock: Stock) -> Self {
        let views = std::array::from_fn(|_| OnceLock::new());
        let (korf97, two_phase) = (OnceLock::new(), OnceLock::new());
        Self { domain, stock, korf97, views, two_phase, busy: Mutex::new(()) }
    }

    fn metric(&self) -> Metric {
        self.domain.metric()
    }

    /// Least bytes of tables that a heuristic can do with.
    pub(super) fn bytes_needed(choice: Choice) -> u64 {
        match choice {
            Choice::Manhattan => 0,
            Choice::Korf97 => KORF97_ENTRIES.into_iter().map(Nibbles::bytes_for).sum(),
            Choice::Best => Family::G256.bytes(),
        }
    }

    /// `value`, or what `make` gives, made once.
    fn once<'a, T>(
        &self,
        value: &'a OnceLock<T>,
        make: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<&'a T, Failure> {
        // The lock guards no data, so a panic of another thread leaves nothing wrong behind.
        let _busy = self.busy.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if value.get().is_none() {
            let made = make()?;
            return Ok(value.get_or_init(|| made));
        }
        Ok(value.get_or_init(|| unreachable!("there is a value")))
    }

    pub(super) fn korf97_specs(&self) -> [TableSpec; 3] {
        let (corners, first, second) = korf97(self.metric());
        let metric = self.metric().name();
        let descriptions = [corners.description(), first.description(), second.description()];
        let names = ["corners".to_owned(), edges_name(&first), edges_name(&second)];
        let mut specs = names.into_iter().zip(descriptions).zip(KORF97_ENTRIES).map(
            |((name, description), entries)| {
                let description = serde_json::to_value(description).unwrap_or_default();
                TableSpec::nibbles(format!("3x3x3-{metric}-{name}"), description, entries)
            },
        );
        std::array::from_fn(|_| specs.next().unwrap_or_else(|| unreachable!("three tables")))
    }

    /// The three tables of `korf97`.
    pub(super) fn korf97(&self, job: &Job<'_>) -> Result<&Korf97, Failure> {
        self.once(&self.korf97, || {
            let (corners, first, second) = korf97(self.metric());
            let specs = self.korf97_specs();
            let corner_table = self.stock.nibbles(&specs[0], &corners, job)?;
            let first_table = self.stock.nibbles(&specs[1], &first, job)?;
            let second_table = self.stock.nibbles(&specs[2], &second, job)?;
            Ok(Max(
                PatternDatabase::new(corners, corner_table),
                Max(
                    Lazy(PatternDatabase::new(first, first_table)),
                    Lazy(PatternDatabase::new(second, second_table)),
                ),
            ))
        })
    }

    /// The tables of `korf97` by name.
    pub(super) fn korf97_tables(&self, job: &Job<'_>) -> Result<[(String, &Nibbles); 3], Failure> {
        let Max(corners, Max(Lazy(first), Lazy(second))) = self.korf97(job)?;
        let [a, b, c] = self.korf97_specs().map(|spec| spec.name);
        Ok([(a, corners.table()), (b, first.table()), (c, second.table())])
    }

    /// What the file of a coset table says, its name among it.
    pub(super) fn coset_spec(&self, family: Family) -> TableSpec {
        let description = Axes::description(self.metric(), family);
        let (name, base) =
            (format!("3x3x3-{}-{}", self.metric().name(), family.name()), description.base);
        let description = serde_json::to_value(description).unwrap_or_default();
        TwoBit::spec(name, description, (family.rows(), Family::COLUMNS), base)
    }

    /// Whether a coset table is in memory or on disk.
    pub(super) fn at_hand(&self, family: Family) -> bool {
        self.views[family as usize].get().is_some() || self.stock.has(&self.coset_spec(family).name)
    }

    /// Bytes of the tables of `best` in memory.
    pub(super) fn best_bytes(&self) -> u64 {
        let families = Family::ALL.into_iter();
        let held = families.filter(|&family| self.views[family as usize].get().is_some());
        let small = self.two_phase.get().map_or(0, |_| TwoPhase::bytes());
        held.map(Family::bytes).sum::<u64>() + small
    }

    /// The small tables of the near-optimal search. They are built sooner than a file of them is checked, so there is none.
    pub(super) fn two_phase(&self, job: &Job<'_>) -> Result<&TwoPhase, Failure> {
        self.once(&self.two_phase, || {
            let options = BuildOptions { cancel: Some(&job.cancel), ..BuildOptions::default() };
            let table = "two-phase".to_owned();
            TwoPhase::build(self.metric(), &options)
                .map_err(|error| Failure::Build { table, error })
        })
    }

    /// The views of a coset table.
    pub(super) fn views(
        &self,
        family: Family,
        job: &Job<'_>,
    ) -> Result<&Views<ByteCube3, Axes>, Failure> {
        self.once(&self.views[family as usize], || {
            let spec = self.coset_spec(family);
            let reduced = Reduced::new(Coordinates::new(self.metric(), family));
            let table = self.stock.two_bit(&spec, &reduced, family.base(self.metric()), job)?;
            Views::new(&ByteCube3::new(self.domain), Axes::new(self.metric(), &reduced), table)
                .map_err(|error| Failure::Limit(error.to_string()))
        })
    }

    /// Builds or loads every table of a heuristic.
    pub(super) fn build(
        &self,
        choice: Choice,
        memory: u64,
        job: &Job<'_>,
    ) -> Result<Vec<(String, u64)>, Failure> {
        let named = |spec: TableSpec| (spec.name, spec.payload_bytes);
        match choice {
            Choice::Manhattan => Ok(Vec::new()),
            Choice::Korf97 => {
                self.korf97(job)?;
                Ok(self.korf97_specs().map(named).into())
            }
            Choice::Best => Cube::rungs(memory)
                .map(|(family, _)| self.views(family, job).map(|_| named(self.coset_spec(family))))
                .collect(),
        }
    }
}

/// `edges-UR-UF-..`.
fn edges_name(edges: &Edges) -> String {
    let pieces = edges.pieces().map(|piece| cube::EDGE_NAMES[usize::from(piece)]);
    format!("edges-{}", pieces.join("-"))
}
