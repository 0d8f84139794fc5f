//! The abstractions of Richard Korf's pattern databases: all corners, and six edges. Also those of
//! any few pieces: [`PiecePattern`].
//!
//! "Finding optimal solutions to Rubik's cube using pattern databases", AAAI 1997.

mod corners;
mod edges;
mod pieces;

pub use corners::CornerPattern;
pub use edges::{EdgePattern, EdgePatternError, EdgePlaces};
pub(crate) use pieces::AllPlaces;
pub use pieces::{PiecePattern, PiecePatternError, PiecePlaces};

use crate::domain::CubeMetric;

/// The description of a pattern's table. Its fields are written in this order, as JSON, to the
/// table's file. The file's fingerprint is computed from them.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct PatternDescription {
    /// Always `3x3x3`.
    pub puzzle: String,
    /// What counts as one move.
    pub metric: CubeMetric,
    /// `corners`, `edges`, or `pieces to` and a subgoal.
    pub abstraction: String,
    /// The names of the pieces, in the order in which they are ranked.
    pub pieces: Vec<String>,
    /// Version of the numbering of entries. It changes when entries get other numbers.
    pub ranking: u32,
}

impl PatternDescription {
    pub(crate) fn new(
        metric: CubeMetric,
        abstraction: &str,
        pieces: impl Iterator<Item = &'static str>,
    ) -> Self {
        let (puzzle, abstraction) = ("3x3x3".to_owned(), abstraction.to_owned());
        Self {
            puzzle,
            metric,
            abstraction,
            pieces: pieces.map(str::to_owned).collect(),
            ranking: 1,
        }
    }
}

/// The pattern of six edges as Korf split them: UR UF UL UB FR FL, or with `second` the other six.
///
/// The paper does not name its edges, but it prints their mean distance 7.668. Only sets of this
/// shape have that mean. The complement of such a set has the same shape.
pub fn korf97_edges(metric: CubeMetric, second: bool) -> EdgePattern {
    EdgePattern::of(metric, if second { [4, 5, 6, 7, 10, 11] } else { [0, 1, 2, 3, 8, 9] })
}

/// The three patterns of Korf (1997): all corners, and both halves of the edges.
pub fn korf97(metric: CubeMetric) -> (CornerPattern, EdgePattern, EdgePattern) {
    (CornerPattern::new(metric), korf97_edges(metric, false), korf97_edges(metric, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;
    use crate::domain::Cube3;
    use pdb::testing::check_abstraction;
    use pdb::{Abstraction, BuildOptions, Indexer, build};

    const EDGES_HTM: [u64; 11] =
        [1, 15, 182, 2208, 25329, 258_827, 2_165_560, 12_222_708, 24_596_752, 3_305_973, 365];
    const EDGES_QTM: [u64; 11] =
        [1, 10, 83, 688, 5566, 43_540, 321_819, 2_129_750, 10_695_605, 23_399_492, 5_974_788];

    /// Builds a table and checks its histogram, its mean and the law of abstractions.
    fn check<A: Abstraction + Indexer<Cube3>>(
        metric: CubeMetric,
        abstraction: &A,
        counts: &[u64],
        mean: f64,
    ) {
        let table = build::<4>(abstraction, &BuildOptions::default()).unwrap();
        let histogram = table.histogram();
        assert_eq!(histogram.counts, counts);
        assert!((histogram.mean() - mean).abs() < 5e-10, "{}", histogram.mean());
        let distance = |entry| table.get(entry);
        let domain = Cube3::new(metric);
        check_abstraction(&domain, abstraction, abstraction, &distance, &[Cube::SOLVED], 50_000)
            .unwrap();
    }

    #[test]
    #[ignore = "slow: builds 44 MB, 4 s"]
    fn corners_in_half_turns_have_korfs_histogram() {
        let corners = CornerPattern::new(CubeMetric::HalfTurn);
        let counts = [
            1, 18, 243, 2874, 28_000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616,
            15_139_616, 64_736,
        ];
        check(CubeMetric::HalfTurn, &corners, &counts, 8.764_133_684);
    }

    #[test]
    #[ignore = "slow: builds 44 MB, 4 s"]
    fn corners_in_quarter_turns_have_the_known_histogram() {
        let corners = CornerPattern::new(CubeMetric::QuarterTurn);
        let counts = [
            1, 12, 114, 924, 6539, 39_528, 199_926, 806_136, 2_761_740, 8_656_152, 22_334_112,
            32_420_448, 18_780_864, 2_166_720, 6624,
        ];
        check(CubeMetric::QuarterTurn, &corners, &counts, 10.667_575_673);
    }

    #[test]
    #[ignore = "slow: builds 21 MB twice, 4 s"]
    fn both_halves_of_the_edges_have_korfs_mean() {
        for second in [false, true] {
            let edges = korf97_edges(CubeMetric::HalfTurn, second);
            check(CubeMetric::HalfTurn, &edges, &EDGES_HTM, 7.667_969_525);
        }
    }

    #[test]
    #[ignore = "slow: builds 21 MB twice, 4 s"]
    fn both_halves_of_the_edges_are_alike_in_quarter_turns() {
        let counts = [&EDGES_QTM[..], &[6578]].concat();
        for second in [false, true] {
            let edges = korf97_edges(CubeMetric::QuarterTurn, second);
            check(CubeMetric::QuarterTurn, &edges, &counts, 8.761_862_346);
        }
    }

    #[test]
    #[ignore = "slow: builds 21 MB, 2 s"]
    fn other_sets_of_edges_have_their_own_histogram() {
        let edges = EdgePattern::new(CubeMetric::HalfTurn, [5, 4, 3, 2, 1, 0]).unwrap();
        let counts =
            [1, 18, 230, 2747, 30_847, 308_783, 2_508_618, 13_189_082, 23_497_569, 3_039_786, 239];
        check(CubeMetric::HalfTurn, &edges, &counts, 7.618_792_088);
    }

    #[test]
    fn the_halves_name_every_edge_once() {
        let (corners, first, second) = korf97(CubeMetric::HalfTurn);
        let mut pieces = [first.pieces(), second.pieces()].concat();
        pieces.sort_unstable();
        assert!(pieces.into_iter().eq(0..12));
        assert_eq!(corners.description().pieces.len(), 8);
        assert_eq!(first.description().pieces, ["UR", "UF", "UL", "UB", "FR", "FL"]);
    }
}
