//! Colours of rows: a row has a colour if all its distances are odd, or all are even.
//!
//! If every row has a colour, the backward phase reads only rows of the layer's colour.

use super::flags::Flags;
use crate::abstraction::Abstraction;
use search::CancelToken;

/// With fewer columns, colours save no time.
const LEAST_COLUMNS: usize = 16;
/// Number of rows between two checks of the cancel token.
const OFTEN: usize = 1 << 10;

/// For each row, whether it holds even distances and whether it holds odd ones. Two bits a row.
pub(crate) struct Colours([Flags; 2]);

impl Colours {
    /// Whether an entry of the row can have this distance.
    #[inline(always)]
    pub(crate) fn may_be(&self, row: u64, depth: usize) -> bool {
        self.0[depth % 2].get(row)
    }
}

/// The colours of the rows, if every edge has an odd cost and leads to a row of the other colour.
/// `None` if some edge does not, if colours would save no time, or if cancelled. Reads each edge of
/// each row at most once.
pub(crate) fn colours(
    abstraction: &dyn Abstraction,
    cancel: Option<&CancelToken>,
) -> Option<Colours> {
    if abstraction.columns() < LEAST_COLUMNS {
        return None;
    }
    let colours = Colours([Flags::new(abstraction.rows()), Flags::new(abstraction.rows())]);
    let (mut goals, mut edges, mut stack) = (Vec::new(), Vec::new(), Vec::new());
    abstraction.goals(&mut goals);
    // Gives a row a colour. Returns false if the row also has the other colour.
    let put = |row: u64, colour: usize, stack: &mut Vec<(u64, usize)>| {
        if !colours.may_be(row, colour) {
            colours.0[colour].set(row);
            stack.push((row, colour));
        }
        !colours.may_be(row, 1 - colour)
    };
    for goal in goals {
        put(goal / abstraction.columns() as u64, 0, &mut stack);
    }
    let mut passed = 0_usize;
    while let Some((row, colour)) = stack.pop() {
        passed += 1;
        if passed.is_multiple_of(OFTEN) && cancel.is_some_and(CancelToken::is_cancelled) {
            return None;
        }
        edges.clear();
        abstraction.edges(row, &mut edges);
        for edge in &edges {
            // A builder that skips rows would find an edge within a colour too late.
            if edge.cost % 2 == 0 || !put(edge.row, 1 - colour, &mut stack) {
                return None;
            }
        }
    }
    Some(colours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::{ColumnMap, Edge};

    /// Rows in a circle, each joined to the next one.
    struct Circle {
        rows: u64,
        cost: u8,
    }

    impl Abstraction for Circle {
        fn shape(&self) -> (u64, usize) {
            (self.rows, LEAST_COLUMNS)
        }
        fn goals(&self, out: &mut Vec<u64>) {
            out.push(LEAST_COLUMNS as u64 + 1);
        }
        fn edges(&self, row: u64, out: &mut Vec<Edge>) {
            for to in [(row + 1) % self.rows, (row + self.rows - 1) % self.rows] {
                out.push(Edge { row: to, map: 0, cost: self.cost });
            }
        }
        fn column_map(&self, _: u32) -> ColumnMap<'_> {
            ColumnMap::IDENTITY
        }
    }

    #[test]
    fn even_circles_have_two_colours_and_odd_ones_none() {
        let even = colours(&Circle { rows: 10, cost: 3 }, None).expect("two colours");
        for row in 0..10_u64 {
            assert!(even.may_be(row, usize::from(row.is_multiple_of(2))));
            assert!(!even.may_be(row, usize::from(!row.is_multiple_of(2))));
        }
        assert!(colours(&Circle { rows: 9, cost: 1 }, None).is_none());
        assert!(colours(&Circle { rows: 10, cost: 2 }, None).is_none());
        assert!(colours(&Circle { rows: 10, cost: 0 }, None).is_none());
    }
}
