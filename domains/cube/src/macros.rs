//! Serial orders of the pieces of the 3x3x3 and the 2x2x2, for macro tables
//! ([`search::macros::learn_macros`]).
//!
//! The features are pieces. The value of a piece is its slot with its twist or flip. A turn moves
//! each piece by this value alone, so every order of the pieces is serial.
//!
//! ```
//! use fewest_cube::macros::PocketOrder;
//! use fewest_cube::{CubeMetric, cube2::{Cube2, Pocket, parse_state}};
//! use search::Options;
//! use search::macros::learn_macros;
//!
//! let (domain, order) = (Cube2::new(CubeMetric::HalfTurn), PocketOrder);
//! let learned = learn_macros(&domain, &order, &Pocket::SOLVED, 10_000, &Options::default());
//! let start = parse_state("R U2 F' R2 U F").unwrap();
//! let solution = learned.table.solve(&domain, &order, &start).unwrap();
//! assert!(solution.macros.len() <= 6);
//! ```

use crate::cube::{CORNER_NAMES, Cube, EDGE_NAMES};
use crate::cube2::{Cube2, Pocket};
use crate::domain::Cube3;
use search::macros::SerialOrder;

/// A piece of the 3x3x3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The corner with this number in [`CORNER_NAMES`]. Its value is three
    /// times its slot plus its twist.
    Corner(u8),
    /// The edge with this number in [`EDGE_NAMES`]. Its value is twice its slot
    /// plus its flip.
    Edge(u8),
}

/// An order of the 20 pieces of the 3x3x3: macros bring the first piece home first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CubeOrder([Piece; 20]);

impl CubeOrder {
    /// The pieces in this order. `None` if a piece is missing.
    pub fn new(pieces: [Piece; 20]) -> Option<Self> {
        let has = |piece| pieces.contains(&piece);
        let all = (0..8).map(Piece::Corner).chain((0..12).map(Piece::Edge)).all(has);
        all.then_some(Self(pieces))
    }

    /// The name of the piece that is this feature, such as `URF`.
    ///
    /// # Panics
    /// If `feature` is not below 20.
    pub fn name(&self, feature: usize) -> &'static str {
        match self.0[feature] {
            Piece::Corner(piece) => CORNER_NAMES[usize::from(piece)],
            Piece::Edge(piece) => EDGE_NAMES[usize::from(piece)],
        }
    }
}

/// Blocks that grow around the corner DBL, then the other edges, and last the corner DFR and those
/// of U. Of the orders that we tried, this one has the shortest plans.
impl Default for CubeOrder {
    fn default() -> Self {
        use Piece::{Corner, Edge};
        let blocks = [Edge(6), Edge(10), Corner(6), Edge(7), Edge(9), Corner(5), Edge(5), Edge(11)];
        let others = [Corner(7), Edge(4), Edge(3), Edge(2), Edge(8), Edge(1), Edge(0)];
        let last = [Corner(4), Corner(2), Corner(3), Corner(1), Corner(0)];
        let mut pieces = blocks.into_iter().chain(others).chain(last);
        Self(std::array::from_fn(|_| pieces.next().expect("20 pieces")))
    }
}

impl SerialOrder<Cube3> for CubeOrder {
    fn features(&self) -> usize {
        20
    }
    fn values(&self, _: usize) -> usize {
        24
    }
    fn value(&self, _: &Cube3, cube: &Cube, feature: usize) -> usize {
        match self.0[feature] {
            Piece::Corner(piece) => corner_value(cube, piece),
            Piece::Edge(piece) => {
                let slot = (0..12).find(|&slot| cube.edge(slot) == piece).unwrap_or(0);
                2 * slot + usize::from(cube.flip(slot))
            }
        }
    }
}

/// The order of the seven corners of the 2x2x2 that move: the corners of D, then those of U.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PocketOrder;

/// The corners in the order of [`PocketOrder`].
const CORNERS: [u8; 7] = [5, 7, 4, 2, 1, 3, 0];

impl PocketOrder {
    /// The name of the corner that is this feature, such as `URF`.
    ///
    /// # Panics
    /// If `feature` is not below 7.
    pub fn name(self, feature: usize) -> &'static str {
        CORNER_NAMES[usize::from(CORNERS[feature])]
    }
}

impl SerialOrder<Cube2> for PocketOrder {
    fn features(&self) -> usize {
        CORNERS.len()
    }
    fn values(&self, _: usize) -> usize {
        24
    }
    fn value(&self, _: &Cube2, pocket: &Pocket, feature: usize) -> usize {
        corner_value(&pocket.cube(), CORNERS[feature])
    }
}

/// Three times the slot of a corner, plus its twist.
fn corner_value(cube: &Cube, piece: u8) -> usize {
    let slot = (0..8).find(|&slot| cube.corner(slot) == piece).unwrap_or(0);
    3 * slot + usize::from(cube.twist(slot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube2::{FaceletPocket, PocketFacelets};
    use crate::domain::CubeMetric;
    use crate::facelets::Facelets;
    use crate::reference::FaceletCube;
    use search::macros::{LearningEnd, MacroLearning, MacroStatistics, learn_macros};
    use search::random::Random;
    use search::{Options, plan, testing};

    fn learn_cube(metric: CubeMetric, most: usize) -> MacroLearning {
        let (domain, order) = (Cube3::new(metric), CubeOrder::default());
        learn_macros(&domain, &order, &Cube::SOLVED, most, &Options::default())
    }

    fn columns(figures: &MacroStatistics) -> Vec<usize> {
        figures.columns.iter().map(|column| column.macros).collect()
    }

    /// Solves random cubes by a table. Returns the mean length of the plans.
    fn solve_cubes(metric: CubeMetric, learned: &MacroLearning, count: usize) -> f64 {
        let (domain, order) = (Cube3::new(metric), CubeOrder::default());
        let (reference, mut random) = (FaceletCube::new(metric), Random::new(1));
        let mut total = 0;
        for _ in 0..count {
            let start = Cube::random(&mut random);
            let solution = learned.table.solve(&domain, &order, &start).unwrap();
            plan::validate(&reference, &Facelets::from(&start), &solution.plan).unwrap();
            total += solution.plan.len();
        }
        total as f64 / count as f64
    }

    #[test]
    fn the_orders_are_serial() {
        let mut random = Random::new(5);
        for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
            let starts = [Cube::random(&mut random), Cube::random(&mut random)];
            let (domain, order) = (Cube3::new(metric), CubeOrder::default());
            testing::check_serial(&domain, &order, &Cube::SOLVED, &starts).unwrap();
            let start = Pocket::random(&mut random).normalised();
            let domain = Cube2::new(metric);
            testing::check_serial(&domain, &PocketOrder, &Pocket::SOLVED, &[start]).unwrap();
        }
        let CubeOrder(mut pieces) = CubeOrder::default();
        assert!(CubeOrder::new(pieces).is_some());
        pieces[7] = Piece::Corner(0);
        assert_eq!(CubeOrder::new(pieces), None);
    }

    /// Few states give a complete table: 238 macros, as in Korf's. More states only make it better.
    #[test]
    fn a_small_table_solves_random_cubes() {
        for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
            let learned = learn_cube(metric, 1 << 13);
            let figures = learned.table.statistics();
            assert!(learned.end == LearningEnd::Complete && learned.table.is_complete());
            let expected = [23, 21, 23, 19, 17, 20, 15, 13, 17, 11, 9, 7, 5, 3, 0, 14, 11, 8, 2, 0];
            assert_eq!((columns(&figures), figures.macros), (expected.to_vec(), 238));
            let mean = solve_cubes(metric, &learned, 1000);
            assert!((mean - figures.mean_plan).abs() < 2.0, "{mean} {}", figures.mean_plan);
        }
    }

    /// Korf's table has a mean of 86 moves (1985), with another order of the pieces. The two macros
    /// of the last column have 14 moves, and radius 6 proves up to 13.
    #[test]
    #[ignore = "slow: stores 9 million states, 20 s"]
    fn nearly_all_macros_of_the_3x3x3_are_the_cheapest() {
        let learned = learn_cube(CubeMetric::HalfTurn, 9_000_000);
        let figures = learned.table.statistics();
        assert_eq!((figures.macros, figures.cheapest), (238, 236));
        assert_eq!((figures.longest, figures.longest_plan), (14, 130));
        assert!((figures.mean_plan - 83.47).abs() < 0.005);
        let mean = solve_cubes(CubeMetric::HalfTurn, &learned, 1000);
        assert!((mean - figures.mean_plan).abs() < 1.0, "{mean}");
    }

    /// A table of the cheapest macros. Every one of the 3,674,160 states is solved; their mean is
    /// the mean that the table's figures give.
    #[test]
    #[ignore = "slow: solves 3,674,160 states, 4 s"]
    fn every_state_of_the_2x2x2_is_solved() {
        let domain = Cube2::new(CubeMetric::HalfTurn);
        let learned =
            learn_macros(&domain, &PocketOrder, &Pocket::SOLVED, 1 << 16, &Options::default());
        let figures = learned.table.statistics();
        assert_eq!(columns(&figures), [20, 17, 14, 11, 8, 5, 0]);
        assert_eq!((figures.macros, figures.cheapest, figures.longest), (75, 75, 11));
        assert!((figures.mean_plan - 26.9976).abs() < 5e-5 && figures.longest_plan == 38);
        let reference = FaceletPocket::new(CubeMetric::HalfTurn);
        let mut total = 0;
        for rank in 0..Pocket::COUNT {
            let start = Pocket::unrank(rank);
            let solution = learned.table.solve(&domain, &PocketOrder, &start).unwrap();
            total += solution.plan.len();
            if rank % 997 == 0 {
                let facelets = PocketFacelets::from(&start);
                plan::validate(&reference, &facelets, &solution.plan).unwrap();
            }
        }
        let mean = total as f64 / f64::from(Pocket::COUNT);
        assert!((mean - figures.mean_plan).abs() < 1e-9, "{mean}");
    }
}
