//! Subgoals with pattern databases of their own: [`TableDecomposition`].

use super::subgoal::Subgoal;
use super::table_list::{Pieces, Read, TableList};
use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES};
use crate::domain::CubeMetric;
use crate::patterns::{AllPlaces, PatternDescription, PiecePattern};
use crate::symmetry::{conjugate, upright_turns};
use crate::two_phase::{FaceOrder, FaceTurns};
use pdb::{BuildError, BuildOptions, PackedTable, ProjectedDatabase, Projection, build};
use search::{
    AnyStage, Claims, Cost, Heuristic, Limits, OpSet, Options, Stage, StagedReport, Verdict,
    search_stages,
};

/// Goal decomposition where each subgoal has pattern databases that are derived from it, and is
/// reached with the fewest moves. [`TableList`] has the subgoals.
#[derive(Clone, Debug)]
pub struct TableDecomposition {
    domain: FaceTurns,
    list: TableList,
    goals: Vec<Subgoal>,
    tables: Vec<(PiecePattern, PackedTable)>,
    /// If a subgoal reads it.
    last_layer: Option<LastLayer>,
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

impl TableDecomposition {
    /// What the tables hold, in the order of [`TableDecomposition::patterns`].
    pub fn tables(metric: CubeMetric, list: TableList) -> Vec<SubgoalTable> {
        let goals = list.subgoals();
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
        list.pieces().iter().map(table).collect()
    }

    /// The patterns of the tables, in their order, for [`TableDecomposition::new`].
    pub fn patterns(metric: CubeMetric, list: TableList) -> Vec<PiecePattern> {
        let goals = list.subgoals();
        let pattern = |pieces: &Pieces| {
            let bits = |pieces: &[u8], from| {
                pieces.iter().fold(0, |all, piece| all | 1_u32 << (from + piece))
            };
            let known = bits(pieces.corners, 0) | bits(pieces.edges, 8);
            let pattern = PiecePattern::new(metric, pieces.corners, pieces.edges);
            let pattern = pattern.expect("these pieces are different");
            pattern.with_goals(&|solved| goals[pieces.subgoal].allows(known, solved))
        };
        list.pieces().iter().map(pattern).collect()
    }

    /// Combines tables of the patterns, in the order of [`TableDecomposition::patterns`].
    ///
    /// # Panics
    /// If there are more or fewer tables than patterns, or a table has another number of entries
    /// than its pattern.
    pub fn new(metric: CubeMetric, list: TableList, tables: Vec<PackedTable>) -> Self {
        let patterns = Self::patterns(metric, list);
        assert_eq!(tables.len(), patterns.len(), "a table for each pattern");
        let tables: Vec<_> = patterns.into_iter().zip(tables).collect();
        let fit = tables.iter().all(|(pattern, table)| pattern.entries() == table.entries());
        assert!(fit, "each table is that of its pattern");
        let domain = FaceTurns::new(metric);
        let wanted = list.reads().iter().any(|read| read.last_layer);
        let last_layer = wanted.then(|| last_layer(&domain));
        Self { domain, list, goals: list.subgoals(), tables, last_layer }
    }

    /// Builds all tables, on the current thread pool.
    ///
    /// # Errors
    /// If memory is short, or the caller cancels.
    pub fn build(
        metric: CubeMetric,
        list: TableList,
        options: &BuildOptions<'_>,
    ) -> Result<Self, BuildError> {
        let patterns = Self::patterns(metric, list);
        let built: Result<_, _> =
            patterns.iter().map(|pattern| build::<4>(pattern, options)).collect();
        Ok(Self::new(metric, list, built?))
    }

    /// Size of the tables of a list in bytes. It is the same in both metrics.
    pub fn bytes(list: TableList) -> u64 {
        let tables = Self::tables(CubeMetric::HalfTurn, list).into_iter();
        tables.map(|table| PackedTable::bytes_for(4, table.entries)).sum()
    }

    /// The subgoals, in their order.
    pub fn subgoals(&self) -> &[Subgoal] {
        &self.goals
    }

    /// Searches from subgoal to subgoal, as [`search_stages`] does. Each part of the plan has the
    /// fewest moves from where it begins. The plans of the report have the operators of
    /// [`Cube3`](crate::Cube3) in this metric.
    pub fn search(&self, start: &Cube, options: &Options<'_>) -> StagedReport {
        let of = |numbers: &[usize]| numbers.iter().map(|&at| &self.tables[at]).collect();
        let tables = |read: &Read| Tables {
            own: of(read.own),
            of_inverse: of(read.of_inverse),
            turned: read.turned.map(|(table, at_least)| Turned {
                table: &self.tables[table],
                at_least,
                turns: upright_turns(),
            }),
            last_layer: self.last_layer.as_ref().filter(|_| read.last_layer),
        };
        let stages: Vec<_> = self
            .goals
            .iter()
            .zip(self.list.reads())
            .map(|(goal, read)| Stage {
                operators: u32::first(18),
                goal: move |cube: &Cube| goal.missing(cube) == 0,
                heuristic: tables(read),
                pruning: FaceOrder,
            })
            .collect();
        let chain: Vec<_> = stages.iter().map(|stage| stage as &dyn AnyStage<FaceTurns>).collect();
        self.domain.in_stages(options, |options| {
            search_stages(&self.domain, &chain, start, &Limits::default(), options)
        })
    }
}

/// A table with its pattern.
type Table = (PiecePattern, PackedTable);

/// The tables of a subgoal, read as [`Read`] says: the bound of a cube is the greatest entry.
///
/// Admissible: yes, for each entry is the distance of a pattern to the nearest pattern of a cube
/// that meets the subgoal.
struct Tables<'a> {
    own: Vec<&'a Table>,
    of_inverse: Vec<&'a Table>,
    turned: Option<Turned<'a>>,
    last_layer: Option<&'a LastLayer>,
}

/// A table that is read for a cube turned about the axis of U and D in four ways.
struct Turned<'a> {
    table: &'a Table,
    at_least: usize,
    /// The four symmetries.
    turns: [usize; 4],
}

/// The greatest entry of some tables, or the first one above the limit.
#[inline(always)]
fn greatest(tables: &[&Table], places: &AllPlaces, limit: Cost) -> Cost {
    let mut greatest = 0;
    for (pattern, table) in tables {
        greatest = greatest.max(table.get(pattern.entry_in(places)));
        if greatest > limit {
            break;
        }
    }
    greatest
}

/// The entries of a table for the cube turned about the axis of U and D in four ways, sorted: the
/// one that at least so many do not exceed. Or a number above the limit, if that entry is.
///
/// It is a bound if the table has the distance to a condition, and the subgoal is that so many of
/// the four turned cubes meet the condition.
#[inline(always)]
fn turned(of: &Turned<'_>, cube: &Cube, limit: Cost) -> Cost {
    let Turned { table: (pattern, table), at_least, turns } = of;
    let (mut entries, mut above) = ([0; 4], 0);
    for (entry, &turn) in entries.iter_mut().zip(turns) {
        *entry = table.get(pattern.entry_in(&AllPlaces::new(&conjugate(turn, cube))));
        above += usize::from(*entry > limit);
        if above + *at_least > 4 {
            return limit + 1;
        }
    }
    entries.sort_unstable();
    entries[*at_least - 1]
}

impl Heuristic<FaceTurns> for Tables<'_> {
    search::carry_nothing! { FaceTurns }
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    #[inline]
    fn bound(&self, _: &FaceTurns, cube: &Cube, (): &mut (), limit: Cost) -> Verdict<u32> {
        let mut bound = greatest(&self.own, &AllPlaces::new(cube), limit);
        if bound <= limit && !self.of_inverse.is_empty() {
            bound = bound.max(greatest(&self.of_inverse, &AllPlaces::of_inverse(cube), limit));
        }
        if let Some(last_layer) = self.last_layer.filter(|_| bound <= limit) {
            let distance = last_layer.distance(cube).and_then(|far| Cost::try_from(far).ok());
            bound = bound.max(distance.unwrap_or(Cost::MAX));
        }
        if let Some(of) = self.turned.as_ref().filter(|_| bound <= limit) {
            bound = bound.max(turned(of, cube, limit));
        }
        Verdict::bound(bound)
    }
}

/// The corners of a cube as the last layer sees them: all twists, and of each piece the layer.
fn corner_layers(cube: &Cube) -> Cube {
    const LAYER: u64 = 0o4444_4444;
    const TWISTS: u64 = 0xffff << 24;
    Cube { corners: cube.corners & (LAYER | TWISTS), edges: 0 }
}

/// The distances of corners to an oriented last layer, for all of [`corner_layers`].
pub(super) type LastLayer = ProjectedDatabase<Cube, fn(&Cube) -> Cube>;

/// Builds the table of 153,090 images.
pub(super) fn last_layer(domain: &FaceTurns) -> LastLayer {
    let projection = Projection::new(domain, corner_layers as fn(&Cube) -> Cube);
    let built = projection.backward(&[Cube::SOLVED], &BuildOptions::default());
    built.expect("at most 8 moves, and nobody cancels")
}
