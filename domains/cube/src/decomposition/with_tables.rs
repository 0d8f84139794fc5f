//! Few large subgoals, each with pattern databases of its own: [`TableDecomposition`].

use super::in_metric;
use super::subgoal::{ALL_SLOTS, CORNER_SLOTS, Condition, EDGE_SLOTS, Status, Subgoal};
use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES};
use crate::domain::CubeMetric;
use crate::patterns::{AllPlaces, PatternDescription, PiecePattern};
use crate::two_phase::{FaceOrder, FaceTurns};
use pdb::{BuildError, BuildOptions, PackedTable, build};
use search::{
    AnyStage, Cost, Heuristic, Limits, Op, OpSet, Options, Stage, StagedReport, Verdict,
    search_stages,
};

/// Goal decomposition with few and large subgoals. Each has pattern databases that are derived from
/// it, and is reached with the fewest moves.
///
/// | subgoal | solved then |
/// |---|---|
/// | 2x2x3 block | two corners and five edges |
/// | two layers but a pair | three corners and seven edges |
/// | all but a cycle | all edges, and all corners but a cycle of three, or all |
/// | solved | all |
///
/// Three corners that are only twisted in their places are no cycle: they need up to 16 moves, a
/// cycle at most 11.
#[derive(Clone, Debug)]
pub struct TableDecomposition {
    domain: FaceTurns,
    goals: Vec<Subgoal>,
    tables: Vec<(PiecePattern, PackedTable)>,
}

/// What a table of [`TableDecomposition`] holds.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SubgoalTable {
    /// The number of the subgoal from which its goals derive, counted from 0.
    pub subgoal: usize,
    /// The description of the table, for its file.
    pub description: PatternDescription,
    /// Number of entries.
    pub entries: u64,
}

/// The pieces of a table, and the number of the subgoal from which its goals derive.
struct Pieces {
    corners: &'static [u8],
    edges: &'static [u8],
    subgoal: usize,
}

/// All tables: 285,313,536 entries.
const TABLES: [Pieces; 9] = [
    Pieces { corners: &[6, 5], edges: &[6, 9, 10], subgoal: 0 },
    Pieces { corners: &[6, 5], edges: &[6, 5, 7], subgoal: 0 },
    Pieces { corners: &[], edges: &[6, 9, 10, 5, 7], subgoal: 0 },
    Pieces { corners: &[5, 6, 7], edges: &[4, 11], subgoal: 1 },
    Pieces { corners: &[5, 6], edges: &[6, 4, 11], subgoal: 1 },
    Pieces { corners: &[], edges: &[0, 1, 2, 3, 8, 9], subgoal: 2 },
    Pieces { corners: &[], edges: &[4, 5, 6, 7, 10, 11], subgoal: 2 },
    Pieces { corners: &[0, 1, 2, 3, 4, 5, 7], edges: &[], subgoal: 2 },
    Pieces { corners: &[0, 1, 2, 3, 4, 5, 7], edges: &[], subgoal: 3 },
];

/// For each subgoal, the tables that guide the search to it, in the order in which they are read.
///
/// The tables of all edges are read for the inverse of a cube, too. The edges alone form a group,
/// so they need as many moves as their inverse. Both bounds differ, for a table has only six edges.
const READ: [(&[usize], &[usize]); 4] =
    [(&[0, 1, 2], &[]), (&[3, 4, 0, 1], &[]), (&[5, 6, 7], &[5, 6]), (&[8, 5, 6], &[5, 6])];

impl TableDecomposition {
    /// The subgoals, in their order.
    pub fn subgoals() -> Vec<Subgoal> {
        let solved = |slots| Condition::all(Status::Solved, slots);
        let block = Subgoal::default().augmented("2x2x3 block", solved(0x6_e060));
        let pair = block.augmented("two layers but a pair", solved(0x8_1080));
        let cycle = "all but a cycle";
        let edges = pair
            .augmented(cycle, solved(EDGE_SLOTS))
            .augmented(cycle, Condition::all(Status::Untwisted, CORNER_SLOTS))
            .augmented(cycle, Condition::some(Status::Solved, CORNER_SLOTS, 5));
        let all = edges.augmented("solved", solved(ALL_SLOTS));
        vec![block, pair, edges, all]
    }

    /// What the tables hold, in the order of [`TableDecomposition::patterns`].
    pub fn tables(metric: CubeMetric) -> Vec<SubgoalTable> {
        let goals = Self::subgoals();
        let table = |pieces: &Pieces| {
            let goal = &goals[pieces.subgoal];
            let corners = pieces.corners.iter().map(|&piece| CORNER_NAMES[usize::from(piece)]);
            let edges = pieces.edges.iter().map(|&piece| EDGE_NAMES[usize::from(piece)]);
            let of = |count, all, turns: u64| (0..count).map(|used| (all - used) * turns).product();
            let rows: u64 = of(pieces.corners.len() as u64, 8, 3);
            let columns: u64 = of(pieces.edges.len() as u64, 12, 2);
            let to = format!("pieces to {}", goal.name());
            SubgoalTable {
                subgoal: pieces.subgoal,
                description: PatternDescription::new(metric, &to, corners.chain(edges)),
                entries: rows * columns,
            }
        };
        TABLES.iter().map(table).collect()
    }

    /// The patterns of the tables, in their order, for [`TableDecomposition::new`].
    pub fn patterns(metric: CubeMetric) -> Vec<PiecePattern> {
        let goals = Self::subgoals();
        let pattern = |pieces: &Pieces| {
            let bits = |pieces: &[u8], from| {
                pieces.iter().fold(0, |all, piece| all | 1_u32 << (from + piece))
            };
            let known = bits(pieces.corners, 0) | bits(pieces.edges, 8);
            let pattern = PiecePattern::new(metric, pieces.corners, pieces.edges);
            let pattern = pattern.expect("these pieces are different");
            pattern.with_goals(&|solved| goals[pieces.subgoal].allows(known, solved))
        };
        TABLES.iter().map(pattern).collect()
    }

    /// Combines tables of the patterns, in the order of [`TableDecomposition::patterns`].
    ///
    /// # Panics
    /// If there are more or fewer tables than patterns, or a table has another number of entries
    /// than its pattern.
    pub fn new(metric: CubeMetric, tables: Vec<PackedTable>) -> Self {
        let patterns = Self::patterns(metric);
        assert_eq!(tables.len(), patterns.len(), "a table for each pattern");
        let tables: Vec<_> = patterns.into_iter().zip(tables).collect();
        let fit = tables.iter().all(|(pattern, table)| pattern.entries() == table.entries());
        assert!(fit, "each table is that of its pattern");
        Self { domain: FaceTurns::new(metric), goals: Self::subgoals(), tables }
    }

    /// Builds all tables, on the current thread pool.
    ///
    /// # Errors
    /// If memory is short, or the caller cancels.
    pub fn build(metric: CubeMetric, options: &BuildOptions<'_>) -> Result<Self, BuildError> {
        let patterns = Self::patterns(metric);
        let built: Result<_, _> =
            patterns.iter().map(|pattern| build::<4>(pattern, options)).collect();
        Ok(Self::new(metric, built?))
    }

    /// Size of the tables in bytes. It is the same in both metrics.
    pub fn bytes() -> u64 {
        let tables = Self::tables(CubeMetric::HalfTurn).into_iter();
        tables.map(|table| PackedTable::bytes_for(4, table.entries)).sum()
    }

    /// Searches from subgoal to subgoal, as [`search_stages`] does. Each part of the plan has the
    /// fewest moves from where it begins. The plans of the report have the operators of
    /// [`Cube3`](crate::Cube3) in this metric.
    pub fn search(&self, start: &Cube, options: &Options<'_>) -> StagedReport {
        let of = |numbers: &[usize]| numbers.iter().map(|&at| &self.tables[at]).collect();
        let stages: Vec<_> = self
            .goals
            .iter()
            .zip(READ)
            .map(|(goal, (tables, inverse))| Stage {
                operators: u32::first(18),
                goal: move |cube: &Cube| goal.missing(cube) == 0,
                heuristic: Tables { own: of(tables), of_inverse: of(inverse) },
                pruning: FaceOrder,
            })
            .collect();
        let chain: Vec<_> = stages.iter().map(|stage| stage as &dyn AnyStage<FaceTurns>).collect();
        in_metric(
            &self.domain,
            search_stages(&self.domain, &chain, start, &Limits::default(), options),
        )
    }
}

/// The tables of a subgoal: the bound of a cube is the greatest of their entries.
///
/// Admissible: yes, for each entry is the distance of a pattern to the nearest pattern of a cube
/// that meets the subgoal.
struct Tables<'a> {
    own: Vec<&'a (PiecePattern, PackedTable)>,
    /// The tables that are read for the inverse of the cube.
    of_inverse: Vec<&'a (PiecePattern, PackedTable)>,
}

/// The greatest entry of some tables, or the first one above the limit.
#[inline(always)]
fn greatest(tables: &[&(PiecePattern, PackedTable)], places: &AllPlaces, limit: Cost) -> Cost {
    let mut greatest = 0;
    for (pattern, table) in tables {
        greatest = greatest.max(table.get(pattern.entry_in(places)));
        if greatest > limit {
            break;
        }
    }
    greatest
}

impl Heuristic<FaceTurns> for Tables<'_> {
    type Carry = ();
    #[inline(always)]
    fn root(&self, _: &FaceTurns, _: &Cube) {}
    #[inline(always)]
    fn child(&self, _: &FaceTurns, _: &Cube, (): &(), _: Op, _: &Cube) {}
    #[inline]
    fn bound(&self, _: &FaceTurns, cube: &Cube, (): &mut (), limit: Cost) -> Verdict<u32> {
        let mut bound = greatest(&self.own, &AllPlaces::new(cube), limit);
        if bound <= limit && !self.of_inverse.is_empty() {
            bound = bound.max(greatest(&self.of_inverse, &AllPlaces::of_inverse(cube), limit));
        }
        Verdict::bound(bound)
    }
}
