//! Manhattan distance of the 3x3x3: how far each piece is from home if the others do not matter.

use crate::cube::{Cube, Parts, index};
use crate::domain::{Cube3, CubeMetric};
use crate::turns::{places_after, turn_parts};
use search::{Claims, Cost, Domain, Heuristic, Op, Verdict};

/// The larger of two sums, the corners' distances and the edges' distances, divided by four and
/// rounded up.
///
/// The distance of a piece is the least number of moves that bring it home with its orientation,
/// while other pieces may go anywhere. Richard Korf ("Finding optimal solutions to Rubik's cube
/// using pattern databases", AAAI 1997).
///
/// Admissible: yes (a move acts on four corners and four edges and brings each at most one nearer).
/// Consistent: yes (so neither sum falls by more than four, and neither quarter, rounded up, by
/// more than one).
#[derive(Clone, Debug)]
pub struct CubeManhattan {
    /// Indexed by piece, then by `3 * slot + twist`: the distance in moves.
    corners: [[Cost; 24]; 8],
    /// Indexed by piece, then by `2 * slot + flip`: the distance in moves.
    edges: [[Cost; 24]; 12],
    /// Indexed by pair of neighbouring corner slots, then by the pieces (6 bits) and twists (4
    /// bits) in them: the sum of both distances. 4 KB.
    corner_pairs: Box<[[Cost; 1024]; 4]>,
    /// Indexed by pair of neighbouring edge slots, then by the pieces (8 bits) and flips (2 bits)
    /// in them: the sum of both distances. 6 KB.
    edge_pairs: Box<[[Cost; 1024]; 6]>,
}

/// For each place (see [`places_after`]): the distance of a piece from `home`. `moves` has, for
/// each operator, the new place of each place.
pub(crate) fn distances(home: usize, moves: &[[u8; 24]]) -> [Cost; 24] {
    let mut distances = [Cost::MAX; 24];
    distances[home] = 0;
    let mut layer = vec![home];
    for distance in 1.. {
        let reached = layer.iter().flat_map(|&place| moves.iter().map(move |by| by[place].into()));
        layer = reached.collect();
        layer.retain(|&place| {
            let fresh = distances[place] == Cost::MAX;
            distances[place] = distances[place].min(distance);
            fresh
        });
        if layer.is_empty() {
            break;
        }
    }
    distances
}

impl CubeManhattan {
    /// The heuristic for a metric.
    pub fn new(metric: CubeMetric) -> Self {
        let domain = Cube3::new(metric);
        let turns: Vec<Parts> =
            (0..domain.operators()).map(|op| turn_parts(domain.turn(Op::new(op)))).collect();
        let corner_moves = turns.iter().map(|turn| places_after(&turn.corners, &turn.twists));
        let edge_moves = turns.iter().map(|turn| places_after(&turn.edges, &turn.flips));
        let (corner_moves, edge_moves) =
            (corner_moves.collect::<Vec<_>>(), edge_moves.collect::<Vec<_>>());
        // Each move has an inverse of the same cost, so the distances to home and from home are
        // equal.
        let corners = std::array::from_fn(|piece| distances(3 * piece, &corner_moves));
        let edges = std::array::from_fn(|piece| distances(2 * piece, &edge_moves));
        let (mut corner_pairs, mut edge_pairs) =
            (Box::new([[0; 1024]; 4]), Box::new([[0; 1024]; 6]));
        for word in 0..1024 {
            for (pair, table) in corner_pairs.iter_mut().enumerate() {
                let at = |slot, piece: usize, twist| match twist {
                    3 => 0,
                    _ => corners[piece][3 * slot + twist],
                };
                table[word] = at(2 * pair, word & 7, word >> 6 & 3)
                    + at(2 * pair + 1, word >> 3 & 7, word >> 8);
            }
            for (pair, table) in edge_pairs.iter_mut().enumerate() {
                let at = |slot, piece, flip| {
                    edges.get(piece).map_or(0, |by: &[Cost; 24]| by[2 * slot + flip])
                };
                table[word] = at(2 * pair, word & 15, word >> 8 & 1)
                    + at(2 * pair + 1, word >> 4 & 15, word >> 9);
            }
        }
        Self { corners, edges, corner_pairs, edge_pairs }
    }

    /// The distances of a corner piece, indexed by `3 * slot + twist`.
    pub fn corner(&self, piece: usize) -> &[Cost; 24] {
        &self.corners[piece]
    }

    /// The distances of an edge piece, indexed by `2 * slot + flip`.
    pub fn edge(&self, piece: usize) -> &[Cost; 24] {
        &self.edges[piece]
    }

    /// The sum of the corners' distances, and the sum of the edges' distances.
    #[inline(always)]
    pub fn sums(&self, cube: &Cube) -> (Cost, Cost) {
        let (c, e) = (cube.corners, cube.edges);
        let (mut corners, mut edges) = (0, 0);
        for (pair, table) in self.corner_pairs.iter().enumerate() {
            corners += table[index(c, 6 * pair, 63) | index(c, 24 + 4 * pair, 15) << 6];
        }
        for (pair, table) in self.edge_pairs.iter().enumerate() {
            edges += table[index(e, 8 * pair, 255) | index(e, 48 + 2 * pair, 3) << 8];
        }
        (corners, edges)
    }
}

impl Heuristic<Cube3> for CubeManhattan {
    search::carry_nothing! { Cube3 }
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
    #[inline(always)]
    fn bound(&self, _: &Cube3, state: &Cube, (): &mut (), _: Cost) -> Verdict<u32> {
        let (corners, edges) = self.sums(state);
        Verdict::bound(corners.max(edges).div_ceil(4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::random::Random;
    use search::testing::{Distances, check_heuristic};

    /// The sum of the distances of all pieces in all places: 24 times the mean sum.
    fn total<const N: usize>(tables: &[[Cost; 24]; N]) -> u32 {
        tables.iter().flatten().map(|&distance| u32::from(distance)).sum()
    }

    #[test]
    fn means_are_korfs() {
        let half = CubeManhattan::new(CubeMetric::HalfTurn);
        // 22 / 4 = 5.5, and 37 / 3 / 4 = 3.083.
        assert_eq!(total(&half.edges), 22 * 24);
        assert_eq!(total(&half.corners), 37 * 8);
        assert_eq!(half.edges.iter().flatten().max(), Some(&3));
    }

    #[test]
    fn pairs_add_up_to_pieces() {
        let mut random = Random::new(2);
        for manhattan in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn].map(CubeManhattan::new) {
            for _ in 0..500 {
                let cube = Cube::random(&mut random);
                let corner = |slot| {
                    manhattan.corner(cube.corner(slot).into())
                        [3 * slot + usize::from(cube.twist(slot))]
                };
                let edge = |slot| {
                    manhattan.edge(cube.edge(slot).into())[2 * slot + usize::from(cube.flip(slot))]
                };
                let sums = ((0..8).map(corner).sum(), (0..12).map(edge).sum());
                assert_eq!(manhattan.sums(&cube), sums);
            }
        }
    }

    #[test]
    fn the_laws_of_heuristics_hold() {
        for (metric, reach) in [(CubeMetric::HalfTurn, 4), (CubeMetric::QuarterTurn, 5)] {
            let domain = Cube3::new(metric);
            let near = Distances::from_goals(&domain, &[Cube::SOLVED], reach);
            check_heuristic(&domain, &CubeManhattan::new(metric), &near).unwrap();
        }
    }

    #[test]
    fn bounds_fall_by_one_at_most() {
        let mut random = Random::new(9);
        for metric in [CubeMetric::HalfTurn, CubeMetric::QuarterTurn] {
            let (domain, manhattan) = (Cube3::new(metric), CubeManhattan::new(metric));
            let h = |cube: &Cube| manhattan.estimate(&domain, cube);
            for cube in std::iter::repeat_with(|| Cube::random(&mut random)).take(500) {
                for op in (0..domain.operators()).map(Op::new) {
                    assert!(h(&cube.turned(domain.turn(op))) + 1 >= h(&cube));
                }
            }
        }
    }
}
