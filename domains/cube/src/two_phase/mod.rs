//! Herbert Kociemba's two-phase algorithm (1992), as a search through a chain of goals. It finds
//! near-optimal plans in milliseconds.
//!
//! 1. Phase 1 uses all turns, to reach the subgroup that U, D and the half turns of the other faces
//!    generate.
//! 2. Phase 2 uses the ten turns of that subgroup, to reach the solved cube.
//!
//! Tables of pairs of coordinates guide both phases. They have four bits an entry and 4.3 MB
//! together, and are built in a fraction of a second. The search starts from six images of a cube:
//! the cube and its inverse, each conjugated for three axes.

mod coordinates;
mod domain;
mod in_metric;
mod order;
#[cfg(test)]
mod tests;

pub use coordinates::CoordinatePair;
pub use domain::FaceTurns;
pub(crate) use in_metric::InMetric;
pub(crate) use order::FaceOrder;

use crate::cube::Cube;
use crate::domain::{Cube3, CubeMetric};
use crate::symmetry::axis_turns;
use coordinates::Coordinate;
use pdb::{BuildError, BuildOptions, PackedTable, PatternDatabase, build};
use search::{
    AnyStage, Cost, Heuristic, Image, Limits, Max, Op, OpSet, Options, Report, Stage, StagedReport,
    search_chain, search_stages,
};

/// A table of a pair of coordinates.
type Table = PatternDatabase<CoordinatePair>;

/// The tables of both phases, and the search with them.
#[derive(Clone, Debug)]
pub struct TwoPhase {
    domain: FaceTurns,
    /// Phase 1: the tables of slice and twists, of slice and flips, and of flips and twists.
    first: Max<Max<Table, Table>, Table>,
    /// Phase 2: the tables of the slice's order and the corners, and of the slice's order and the
    /// other edges.
    second: Max<Table, Table>,
}

/// Number of entries of each of the five tables.
const ENTRIES: [u64; 5] = [495 * 2187, 495 * 2048, 2048 * 2187, 24 * 40_320, 24 * 40_320];

/// The operators of phase 2, as bits: U and D by any amount, the other faces by half turns.
fn inside() -> u32 {
    let in_subgroup = |op: &Op| matches!(op.index() / 3, 0 | 3) || FaceTurns::is_half(*op);
    (0..18).map(Op::new).filter(in_subgroup).fold(u32::NONE, OpSet::with)
}

/// Whether a cube is in the subgroup of phase 2: no twists, no flips, and the slice's edges in the
/// slice.
fn in_subgroup(cube: &Cube) -> bool {
    // The slice's edges are numbered from 8, and so are their slots.
    const SLICE: u64 = 0x8888 << 32;
    cube.corners >> 24 == 0 && cube.edges >> 48 == 0 && cube.edges & SLICE == SLICE
}

/// Builds the distances of an abstraction, in four bits an entry. Distances above 14 are stored as
/// 14.
fn table(pair: &CoordinatePair, options: &BuildOptions<'_>) -> Result<PackedTable, BuildError> {
    if pair.metric() == CubeMetric::HalfTurn {
        return build::<4>(pair, options);
    }
    let exact = build::<8>(pair, options)?;
    let bytes = PackedTable::bytes_for(4, exact.entries());
    exact.lowered_to_four_bits().map_err(|source| BuildError::Memory { bytes, source })
}

impl TwoPhase {
    /// Builds the tables, on the current thread pool.
    ///
    /// # Errors
    /// If memory is short, or the caller cancels.
    pub fn build(metric: CubeMetric, options: &BuildOptions<'_>) -> Result<Self, BuildError> {
        use Coordinate::{Corners, Edges, Flips, Slice, SliceOrder, Twists};
        let table = |operators, coordinates| {
            let pair = CoordinatePair::new(metric, operators, coordinates);
            let table = table(&pair, options)?;
            Ok(PatternDatabase::new(pair, table))
        };
        let all = u32::first(18);
        Ok(Self {
            domain: FaceTurns::new(metric),
            first: Max(
                Max(table(all, [Slice, Twists])?, table(all, [Slice, Flips])?),
                table(all, [Flips, Twists])?,
            ),
            second: Max(
                table(inside(), [SliceOrder, Corners])?,
                table(inside(), [SliceOrder, Edges])?,
            ),
        })
    }

    /// Size of the tables in bytes. It is the same in both metrics.
    pub fn bytes() -> u64 {
        ENTRIES.into_iter().map(|entries| PackedTable::bytes_for(4, entries)).sum()
    }

    /// Searches for plans as [`search_chain`] does: each plan is better than all before. The plans,
    /// in the report and for the observer, have the operators of [`Cube3`] in this
    /// metric.
    pub fn search(&self, start: &Cube, options: &Options<'_>) -> Report {
        let mut images: Vec<Image<Cube>> = Vec::new();
        for (inverse, symmetry) in
            [false, true].into_iter().flat_map(|inverse| axis_turns().map(|s| (inverse, s)))
        {
            let image = Image::new(&self.domain, start, symmetry, inverse);
            // A symmetric cube has fewer images.
            if images.iter().all(|known| known.state != image.state) {
                images.push(image);
            }
        }
        self.search_images(&images, self.ceiling(), options)
    }

    /// The first plan of the algorithm as Kociemba published it, with one orientation of the cube:
    /// a shortest phase 1, then a shortest phase 2. The plans have the operators of
    /// [`Cube3`] in this metric.
    ///
    /// In half turns the phases have at most 12 and 18 moves.
    pub fn phases(&self, start: &Cube, options: &Options<'_>) -> StagedReport {
        self.domain.in_stages(options, |options| {
            let each = Limits::default();
            self.with_stages(|stages| search_stages(&self.domain, stages, start, &each, options))
        })
    }

    /// Better plans than one of the cost [`Options::upper_bound`], with one orientation of the
    /// cube and longer and longer phases 1.
    ///
    /// [`Report::optimal`] is true if no limit ended the search. Then phase 1 was as long as the
    /// best plan, and no plan is shorter. [`Report::lower_bound`] is then the cost of this plan.
    pub fn lengthen(&self, start: &Cube, options: &Options<'_>) -> Report {
        let mut report = self.search_images(&[Image::plain(*start)], Cost::MAX, options);
        if report.complete
            && let Some(best) = report
                .plan()
                .map(|plan| plan.len())
                .and_then(|length| Cost::try_from(length).ok())
                .or(options.upper_bound)
        {
            (report.lower_bound, report.optimal) = (best, true);
        }
        report
    }

    /// The number of operators of phase 1 in a plan of [`Cube3`] in this metric. The
    /// cube is outside of the subgroup before the last of them, and inside at the end of each half
    /// or quarter turn after it.
    pub fn phase_1(&self, start: &Cube, plan: &[Op]) -> usize {
        let cube3 = Cube3::new(self.domain.metric());
        let mut cube = *start;
        let (mut first, mut half) = (0, None);
        for (place, turn) in plan.iter().map(|&op| cube3.turn(op)).enumerate() {
            let (before, after) = (in_subgroup(&cube), in_subgroup(&cube.turned(turn)));
            // Two equal quarter turns are a half turn of phase 2.
            let completes = half.take() == Some(turn) && after;
            if before && !after && plan.get(place + 1) == plan.get(place) {
                half = Some(turn);
            } else if !inside().contains(Op::new(turn)) && !completes {
                first = place + 1;
            }
            cube = cube.turned(turn);
        }
        first
    }

    fn search_images(
        &self,
        images: &[Image<Cube>],
        ceiling: Cost,
        options: &Options<'_>,
    ) -> Report {
        let observer = InMetric::new(&self.domain, options.observer);
        let options = Options {
            limits: options.limits.clone(),
            cancel: options.cancel.clone(),
            observer: &observer,
            upper_bound: options.upper_bound,
            ..Options::default()
        };
        let mut report = self
            .with_stages(|stages| search_chain(&self.domain, stages, images, ceiling, &options));
        observer.rewrite(&mut report);
        report
    }

    fn with_stages<T>(&self, run: impl FnOnce(&[&dyn AnyStage<FaceTurns>]) -> T) -> T {
        let first = Stage {
            operators: u32::first(18),
            goal: in_subgroup,
            heuristic: &self.first,
            pruning: FaceOrder,
        };
        let second = Stage {
            operators: inside(),
            goal: |cube: &Cube| *cube == Cube::SOLVED,
            heuristic: &self.second,
            pruning: FaceOrder,
        };
        run(&[&first, &second])
    }

    /// A lower bound on the distance of a cube to the subgroup of phase 2, as phase 1 has it.
    pub fn subgroup_bound(&self, cube: &Cube) -> Cost {
        self.first.estimate(&self.domain, cube)
    }

    /// All five tables, those of phase 1 first.
    #[cfg(test)]
    fn tables(&self) -> [&Table; 5] {
        let (Max(Max(a, b), c), Max(d, e)) = (&self.first, &self.second);
        [a, b, c, d, e]
    }

    /// The first limit on the cost of phase 2. It is chosen so that the first plans come soon and
    /// few later ones are missed.
    fn ceiling(&self) -> Cost {
        match self.domain.metric() {
            CubeMetric::HalfTurn => 12,
            CubeMetric::QuarterTurn => 19,
        }
    }
}
