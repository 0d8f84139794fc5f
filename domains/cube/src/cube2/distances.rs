//! The whole state space of the 2x2x2 as an abstraction, for exact distances, and Fowler's joint
//! table of distances in both metrics.

use super::domain::Cube2;
use super::pocket::Pocket;
use crate::cube::CORNER_NAMES;
use crate::domain::CubeMetric;
use pdb::{Abstraction, BuildError, BuildOptions, ColumnMap, Edge, Indexer, build};
use search::{Domain, Op};

/// Number of columns: one for each value of the twists.
const COLUMNS: u16 = 729;

/// The abstraction that keeps the whole state: all 3,674,160 states. The row is [`Pocket::order`],
/// the column [`Pocket::twists`], so the entry is [`Pocket::rank`].
///
/// A turn changes the twists alike for every permutation of the corners, so each operator has one
/// column map.
#[derive(Clone, Debug)]
pub struct PocketAbstraction {
    domain: Cube2,
    /// For each operator: the column that each column becomes.
    maps: Vec<Vec<u16>>,
}

/// The description of a table of [`PocketAbstraction`]. Its fields are written in this order, as
/// JSON, to the table's file. The file's fingerprint is computed from them.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct PocketDescription {
    /// Always `2x2x2`.
    pub puzzle: String,
    /// What counts as one move.
    pub metric: CubeMetric,
    /// The name of the corner that is held fixed.
    pub held: String,
    /// Version of the numbering of entries. It changes when entries get other numbers.
    pub ranking: u32,
}

impl PocketAbstraction {
    /// The abstraction for a metric.
    pub fn new(metric: CubeMetric) -> Self {
        let domain = Cube2::new(metric);
        let turns = (0..domain.operators()).map(|op| domain.turn(Op::new(op)));
        let map = |turn| {
            let columns = (0..COLUMNS).map(|column| Pocket::unrank(column.into()));
            columns.map(|pocket: Pocket| pocket.turned(turn).twists()).collect()
        };
        Self { domain, maps: turns.map(map).collect() }
    }

    /// The description of the table, for its file.
    pub fn description(&self) -> PocketDescription {
        PocketDescription {
            puzzle: "2x2x2".to_owned(),
            metric: self.domain.metric(),
            held: CORNER_NAMES[6].to_owned(),
            ranking: 1,
        }
    }
}

impl Abstraction for PocketAbstraction {
    fn shape(&self) -> (u64, usize) {
        (u64::from(Pocket::COUNT) / u64::from(COLUMNS), usize::from(COLUMNS))
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(Pocket::SOLVED.rank().into());
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let row = u32::try_from(row).expect("5,040 rows");
        let pocket = Pocket::unrank(row * u32::from(COLUMNS));
        // The operators of a metric undo each other, so they lead to all predecessors.
        out.extend((0..).zip(0..self.domain.operators()).map(|(map, op)| {
            let row = pocket.turned(self.domain.turn(Op::new(op))).order().into();
            Edge { row, map, cost: 1 }
        }));
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize])
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<Cube2> for PocketAbstraction {
    type Index = u32;
    #[inline(always)]
    fn index(&self, _: &Cube2, state: &Pocket) -> u32 {
        state.rank()
    }
    #[inline(always)]
    fn entry(&self, at: u32) -> u64 {
        u64::from(at)
    }
}

/// The number of states for each pair of distances. The first index is the distance in quarter
/// turns (0 to 14), the second in half turns (0 to 11).
///
/// This is table 1-1 of Joe Fowler, "Algorithmic approaches to solving the Rubik's cube" (2002).
/// Builds two tables of four bits a state on the current thread pool. Each takes 1,837,080 bytes.
///
/// # Errors
/// If memory is short, or the caller cancels.
pub fn joint_counts(options: &BuildOptions) -> Result<Vec<Vec<u64>>, BuildError> {
    let quarter = build::<4>(&PocketAbstraction::new(CubeMetric::QuarterTurn), options)?;
    let half = build::<4>(&PocketAbstraction::new(CubeMetric::HalfTurn), options)?;
    let mut pairs = [[0; 16]; 16];
    for entry in 0..quarter.entries() {
        pairs[usize::from(quarter.get(entry))][usize::from(half.get(entry))] += 1;
    }
    let sizes = [quarter, half].map(|table| table.histogram().counts.len());
    Ok(pairs[..sizes[0]].iter().map(|row| row[..sizes[1]].to_vec()).collect())
}
