//! The heuristics of the 3x3x3 as lines of a plain proof.

use cube::CubeMetric;
use cube::patterns::korf97_edges;
use cube::symmetry::{axis_turns, point_images};
use proofs::plain::{PlainHeuristic, PlainPuzzle, PlainTable, PlainView};

/// Bytes that a program needs for the table of [`cosets`]: one for each of 2,187 twists of the
/// corners, 2,048 flips of the edges, and 495 sets of slots of the middle edges.
pub(super) const COSET_BYTES: u64 = 2187 * 2048 * 495;

/// The tables of Korf (1997): all corners, and both halves of the edges.
pub(super) fn korf97(puzzle: &PlainPuzzle) -> PlainHeuristic {
    let edges = |second| korf97_edges(CubeMetric::HalfTurn, second).pieces();
    let edges = [false, true].map(|second| (1, edges(second).map(usize::from).to_vec()));
    let [first, second] = edges;
    PlainHeuristic::of_pieces(puzzle, &[(0, (0..8).collect()), first, second])
}

/// The cosets of the group that U, D, R2, L2, F2 and B2 generate, seen from three axes, with the
/// inverse of the state (Reid 1997; its subgroup is Kociemba's).
///
/// The labels tell the sides of the corners and of the edges apart, and the edges of the middle
/// layer, which are the last four, from the others.
pub(super) fn cosets() -> PlainHeuristic {
    let corners = (0..24).map(|point| point % 3);
    let edges = (0..24).map(|point| if point < 16 { 3 + point % 2 } else { 5 + point % 2 });
    let name = "cosets";
    let mut made = PlainHeuristic::default();
    let table = PlainTable { kind: "labels".to_owned(), numbers: corners.chain(edges).collect() };
    made.tables.push((name.to_owned(), table));
    made.sums.push(vec![(name.to_owned(), None)]);
    let views = axis_turns().into_iter().zip(["UD", "RL", "FB"]).skip(1);
    let views = views.map(|(turn, axis)| (axis, PlainView::Symmetry(point_images(turn))));
    for (view, how) in views.chain([("inverse", PlainView::Inverse)]) {
        made.views.push((view.to_owned(), how));
        made.sums.push(vec![(name.to_owned(), Some(view.to_owned()))]);
    }
    made
}
