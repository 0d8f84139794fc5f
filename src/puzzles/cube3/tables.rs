//! The cube's tables, each built or loaded when it is first needed.

use super::coset_tables::{BEHIND, Coset, CosetReader};
use super::decomposition;
use super::heuristic::{CubeHeuristic, KORF97_ENTRIES};
use crate::cache::Once;
use crate::puzzle::{Failure, Result};
use crate::run::Run;
use crate::tables::{TableSource, described};
use cube::cosets::{
    AxisCoordinates, AxisFamily, AxisViews, HalfTurnCoordinates, HalfTurnFamily, HalfTurnView,
};
use cube::patterns::{CornerPattern, EdgePattern, korf97};
use cube::two_phase::TwoPhase;
use cube::{ByteCube3, Cube3, CubeMetric};
use pdb::coset::{Cosets, Product, SymmetryReduced, Views};
use pdb::file::TableSpec;
use pdb::table::StripeTable;
use pdb::{PackedTable, PatternDatabase};
use search::Max;

/// Korf's heuristic. The corners are read first and prefetched.
///
/// The edges are read only for the few nodes that the corners let through.
pub(super) type Korf97 = Max<
    PatternDatabase<CornerPattern>,
    Max<PatternDatabase<EdgePattern>, PatternDatabase<EdgePattern>>,
>;

/// The tables of a configured cube.
pub(super) struct CubeTables {
    domain: Cube3,
    source: TableSource,
    korf97: Once<Korf97>,
    axes: [Once<Views<ByteCube3, AxisViews>>; AxisFamily::ALL.len()],
    /// Indexed by the family of cosets, then by the bits for each entry less one.
    halves: [[Once<Views<ByteCube3, HalfTurnView>>; 2]; HalfTurnFamily::ALL.len()],
    two_phase: Once<TwoPhase>,
}

impl CubeTables {
    pub(super) fn new(domain: Cube3, source: TableSource) -> Self {
        Self {
            domain,
            source,
            korf97: Once::default(),
            axes: Default::default(),
            halves: Default::default(),
            two_phase: Once::default(),
        }
    }

    fn metric(&self) -> CubeMetric {
        self.domain.metric()
    }

    /// Every table file of the puzzle, in any metric and with any heuristic.
    pub(super) fn all_specs() -> impl Iterator<Item = TableSpec> {
        [CubeMetric::HalfTurn, CubeMetric::QuarterTurn].into_iter().flat_map(|metric| {
            let cosets = Coset::ALL.map(|coset| coset.spec(metric));
            korf97_specs(metric).into_iter().chain(cosets).chain(decomposition::specs(metric))
        })
    }

    pub(super) fn korf97_specs(&self) -> [TableSpec; 3] {
        korf97_specs(self.metric())
    }

    /// The three tables of `korf97`.
    pub(super) fn korf97(&self, run: &Run<'_>) -> Result<&Korf97> {
        self.korf97.get_or_make(run, || {
            let (corners, first, second) = korf97(self.metric());
            let specs = self.korf97_specs();
            let corner_table = self.source.exact::<4>(&specs[0], &corners, run)?;
            let first_table = self.source.exact::<4>(&specs[1], &first, run)?;
            let second_table = self.source.exact::<4>(&specs[2], &second, run)?;
            Ok(Max(
                PatternDatabase::new(corners, corner_table),
                Max(
                    PatternDatabase::new(first, first_table),
                    PatternDatabase::new(second, second_table),
                ),
            ))
        })
    }

    /// The tables of `korf97` by name.
    pub(super) fn korf97_tables(&self, run: &Run<'_>) -> Result<[(String, &PackedTable); 3]> {
        let Max(corners, Max(first, second)) = self.korf97(run)?;
        let [a, b, c] = self.korf97_specs().map(|spec| spec.name);
        Ok([(a, corners.table()), (b, first.table()), (c, second.table())])
    }

    /// A coset table, if it is in memory.
    fn held(&self, coset: Coset) -> Option<&StripeTable> {
        match coset {
            Coset::Axes(family) => self.axes[family as usize].get().map(Views::table),
            Coset::Halves(halving, bits) => self.kept(halving, bits).get().map(Views::table),
        }
    }

    /// Whether a coset table is in memory or on disk.
    pub(super) fn at_hand(&self, coset: Coset) -> bool {
        self.held(coset).is_some() || self.source.has(&coset.spec(self.metric()).name)
    }

    /// Bytes of the tables of `best` in memory.
    pub(super) fn best_bytes(&self) -> u64 {
        let held = Coset::ALL.into_iter().filter(|&coset| self.held(coset).is_some());
        let small = self.two_phase.get().map_or(0, |_| TwoPhase::bytes());
        held.map(Coset::bytes).sum::<u64>() + small
    }

    /// The tables of the near-optimal search, built at the first call. They have no file, since
    /// they are built sooner than a file is checked.
    pub(super) fn two_phase(&self, run: &Run<'_>) -> Result<&TwoPhase> {
        self.two_phase.get_or_make(run, || {
            run.build("two-phase", |options| TwoPhase::build(self.metric(), options))
        })
    }

    /// A coset table with its views, the lookups for one state. Loaded or built at the first call,
    /// and kept in `place`.
    fn views<'s, A: Product, C: Cosets<ByteCube3>>(
        &self,
        (coset, place): (Coset, &'s Once<Views<ByteCube3, C>>),
        coordinates: impl FnOnce() -> A,
        cosets: impl FnOnce(&SymmetryReduced<A>) -> C,
        run: &Run<'_>,
    ) -> Result<&'s Views<ByteCube3, C>> {
        place.get_or_make(run, || {
            let reduced = SymmetryReduced::new_until(coordinates(), &run.request.cancel);
            let (reduced, metric) = (reduced.ok_or(Failure::Cancelled)?, self.metric());
            let (spec, code) = (coset.spec(metric), coset.code(metric));
            let table = self.source.stripe_table(&spec, &reduced, code, run)?;
            Views::new(&ByteCube3::new(self.domain), cosets(&reduced), table)
                .map_err(|error| Failure::Limit(error.to_string()))
        })
    }

    fn axes(&self, family: AxisFamily, run: &Run<'_>) -> Result<&Views<ByteCube3, AxisViews>> {
        let (metric, place) = (self.metric(), &self.axes[family as usize]);
        let coordinates = || AxisCoordinates::new(metric, family);
        let cosets = |reduced: &SymmetryReduced<_>| AxisViews::new(metric, reduced);
        self.views((Coset::Axes(family), place), coordinates, cosets, run)
    }

    /// The place where a half-turn table is kept.
    fn kept(&self, halving: HalfTurnFamily, bits: u32) -> &Once<Views<ByteCube3, HalfTurnView>> {
        &self.halves[halving as usize][usize::from(bits > 1)]
    }

    fn halves(
        &self,
        halving: HalfTurnFamily,
        bits: u32,
        run: &Run<'_>,
    ) -> Result<&Views<ByteCube3, HalfTurnView>> {
        let place = (Coset::Halves(halving, bits), self.kept(halving, bits));
        let coordinates = || HalfTurnCoordinates::new(self.metric(), halving);
        self.views(place, coordinates, HalfTurnView::new, run)
    }

    /// The tables that a search reads: `coset`, and the one that is read after it, if there is any.
    pub(super) fn reading(&self, coset: Coset, run: &Run<'_>) -> Result<CosetReader<'_>> {
        match coset {
            Coset::Axes(family) => self.axes(family, run).map(CosetReader::Axes),
            Coset::Halves(halving, bits) => {
                let behind = self.axes(BEHIND, run)?;
                Ok(CosetReader::Both(Max(self.halves(halving, bits, run)?, behind)))
            }
        }
    }

    /// How many entries of a coset table have each value.
    pub(super) fn counts(&self, coset: Coset, run: &Run<'_>) -> Result<Vec<u64>> {
        match coset {
            Coset::Axes(family) => Ok(self.axes(family, run)?.table().counts()),
            Coset::Halves(halving, bits) => Ok(self.halves(halving, bits, run)?.table().counts()),
        }
    }

    /// Builds or loads every table of a heuristic.
    pub(super) fn build(
        &self,
        heuristic: CubeHeuristic,
        rungs: &[(Coset, f64)],
        run: &Run<'_>,
    ) -> Result<Vec<(String, u64)>> {
        let named = |spec: TableSpec| (spec.name, spec.payload_bytes);
        match heuristic {
            CubeHeuristic::Manhattan => Ok(Vec::new()),
            CubeHeuristic::Korf97 => {
                self.korf97(run)?;
                Ok(self.korf97_specs().map(named).into())
            }
            CubeHeuristic::Best => {
                let build = |&(coset, _): &(Coset, f64)| {
                    self.reading(coset, run).map(|_| named(coset.spec(self.metric())))
                };
                // No search reads a table of one bit if the next one has two bits for its cosets.
                let is_read = |&at: &usize| {
                    let next = rungs.get(at + 1);
                    next.is_none_or(|(next, _)| next.cosets() != rungs[at].0.cosets())
                };
                (0..rungs.len()).filter(is_read).map(|at| build(&rungs[at])).collect()
            }
        }
    }
}

/// The name of an edge pattern in the name of its table: `edges-UR-UF-..`.
fn edges_name(edges: &EdgePattern) -> String {
    let pieces = edges.pieces().map(|piece| cube::EDGE_NAMES[usize::from(piece)]);
    format!("edges-{}", pieces.join("-"))
}

/// The specifications of the three table files of `korf97`.
fn korf97_specs(metric: CubeMetric) -> [TableSpec; 3] {
    let (corners, first, second) = korf97(metric);
    let files = [
        ("corners".to_owned(), corners.description()),
        (edges_name(&first), first.description()),
        (edges_name(&second), second.description()),
    ];
    let [a, b, c] = KORF97_ENTRIES;
    let spec = |(name, description), entries| {
        let description = described(description);
        let payload = PackedTable::payload(4, entries);
        TableSpec::new(format!("3x3x3-{}-{name}", metric.name()), description, payload)
    };
    let [corners, first, second] = files;
    [spec(corners, a), spec(first, b), spec(second, c)]
}
