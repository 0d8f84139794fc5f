//! The abstractions of Richard Korf's pattern databases: all corners, and six edges.
//!
//! "Finding optimal solutions to Rubik's cube using pattern databases", AAAI 1997.

mod corners;
mod edges;

pub use corners::Corners;
pub use edges::{Edges, EdgesError, Places};

use crate::domain::Metric;

/// What a table stores, for its file's fingerprint. Written as JSON by serde, keys in this order.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Description {
    /// `3x3x3`.
    pub puzzle: String,
    /// What counts as one move.
    pub metric: Metric,
    /// `corners` or `edges`.
    pub abstraction: String,
    /// The names of the pieces, in the order in which they are ranked.
    pub pieces: Vec<String>,
    /// Changes when entries are numbered otherwise.
    pub ranking: u32,
}

impl Description {
    fn new(metric: Metric, abstraction: &str, pieces: impl Iterator<Item = &'static str>) -> Self {
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

/// One half of the edges as Korf split them: UR UF UL UB FR FL, or the other six.
///
/// The paper does not name its edges. Of all sets of six only those of this shape have the mean 7.668 that it prints, and
/// the complement of such a set is another one.
pub fn korf97_edges(metric: Metric, second: bool) -> Edges {
    Edges::of(metric, if second { [4, 5, 6, 7, 10, 11] } else { [0, 1, 2, 3, 8, 9] })
}

/// The three abstractions of `korf97`: corners, and both halves of the edges.
pub fn korf97(metric: Metric) -> (Corners, Edges, Edges) {
    (Corners::new(metric), korf97_edges(metric, false), korf97_edges(metric, true))
}
