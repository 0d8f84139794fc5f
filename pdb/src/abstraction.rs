//! The two traits of a pattern database: [`Abstraction`] says what the table stores, [`Indexer`]
//! says where a state finds its entry.

use search::{CancelToken, Cost, Domain, Op};
use std::fmt::Debug;

/// An edge of an abstraction. It leads from the row given to [`Abstraction::edges`] to the row
/// `row`: from every column `c` to column `map(c)`. See [`ColumnMap`] for `map`.
///
/// Edges lead away from the goal, from a state to its predecessors. 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The row that the edge leads to.
    pub row: u64,
    /// The number of the column map, for [`Abstraction::column_map`].
    pub map: u32,
    /// The cost of the edge; 0 if it is not charged (for example because it moves a piece outside
    /// the pattern).
    pub cost: Cost,
}

/// A graph of `rows * columns` entries. [`build`](crate::build()) stores the distance of each entry
/// to the nearest goal.
///
/// The number of an entry is `row * columns + column`. An operator takes a row to a row, and moves
/// its columns by one of a few shared maps. So the builder works on rows that fit in the first
/// cache level. An abstraction without such a structure has one column.
///
/// Contract: the distance of an entry is at most the distance of each of its states in the domain.
/// It holds under three conditions:
///
/// - every operator from a state `s` to a state `t` is an edge from `t`'s entry to `s`'s entry;
/// - the edge costs no more than the operator;
/// - the entry of every goal state is a goal.
///
/// More edges or goals keep the table admissible and make it weaker.
/// [`testing::check_abstraction`](crate::testing::check_abstraction) checks the contract.
pub trait Abstraction: Sync {
    /// The number of rows, and the number of columns of a row (1 to 65,536).
    fn shape(&self) -> (u64, usize);

    /// Appends the entries whose distance is 0, at least one.
    fn goals(&self, out: &mut Vec<u64>);

    /// Appends the edges of a row. The builder calls this several times for every row, from many
    /// threads. `out` is empty and keeps its capacity.
    fn edges(&self, row: u64, out: &mut Vec<Edge>);

    /// The column map with the number `map`, as in [`Edge::map`]. Never asked for if there is only
    /// one column.
    fn column_map(&self, map: u32) -> ColumnMap<'_>;

    /// How an edge moves the columns of a row. The identity if there is only one column.
    fn map_of(&self, edge: &Edge) -> ColumnMap<'_> {
        if self.columns() == 1 { ColumnMap::IDENTITY } else { self.column_map(edge.map) }
    }

    /// The number of a map that takes every column back: column `map(c)` to column `c`. It is asked
    /// for many times, from many threads. [default: `None`, it is not known]
    fn inverse_map(&self, _map: u32) -> Option<u32> {
        None
    }

    /// Whether every edge has a reverse edge of the same cost. If true, the builder may also work
    /// backward from unseen entries. [default: false]
    fn undirected(&self) -> bool {
        false
    }

    /// Computes the data that the first call of [`Abstraction::edges`] would otherwise compute.
    /// Returns false if cancelled before the end. The builder calls it before it reads goals and
    /// edges. Override it if that computation takes long. [default: does nothing]
    fn prepare(&self, _cancel: &CancelToken) -> bool {
        true
    }

    /// The number of rows.
    fn rows(&self) -> u64 {
        self.shape().0
    }

    /// The number of columns of a row.
    fn columns(&self) -> usize {
        self.shape().1
    }
}

/// How an edge moves columns: by one map, then by a second one.
///
/// A map names the new column of each column. It need not be a bijection. An empty map is the
/// identity.
#[derive(Clone, Copy, Debug)]
pub struct ColumnMap<'a> {
    pub(crate) first: &'a [u16],
    pub(crate) second: &'a [u16],
}

impl<'a> ColumnMap<'a> {
    /// Every column stays where it is.
    pub const IDENTITY: Self = Self { first: &[], second: &[] };

    /// Column `c` moves to column `map[c]`.
    pub fn by(map: &'a [u16]) -> Self {
        Self { first: map, second: &[] }
    }

    /// Column `c` moves to column `second[first[c]]`. Use it if many maps are products of a few.
    pub fn by_both(first: &'a [u16], second: &'a [u16]) -> Self {
        Self { first, second }
    }

    /// The column that a column moves to.
    ///
    /// # Panics
    /// If a map is not empty and shorter than needed.
    #[inline]
    pub fn to(self, column: usize) -> usize {
        let by = |map: &[u16], column: usize| {
            if map.is_empty() { column } else { usize::from(map[column]) }
        };
        by(self.second, by(self.first, column))
    }
}

impl<A: Abstraction> Abstraction for &A {
    fn shape(&self) -> (u64, usize) {
        (**self).shape()
    }
    fn goals(&self, out: &mut Vec<u64>) {
        (**self).goals(out);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        (**self).edges(row, out);
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        (**self).column_map(map)
    }
    fn inverse_map(&self, map: u32) -> Option<u32> {
        (**self).inverse_map(map)
    }
    fn prepare(&self, cancel: &CancelToken) -> bool {
        (**self).prepare(cancel)
    }
    fn undirected(&self) -> bool {
        (**self).undirected()
    }
}

/// Finds the table entry of a state. A search computes an index at the root, and then advances it
/// operator by operator.
///
/// Laws: `entry(index(s))` is the entry of `s` in the abstraction. `advance` leads to the same
/// entry as `index` of the successor.
pub trait Indexer<D: Domain>: Sync {
    /// The data that a search carries from a state to its successor: the entry itself, or its
    /// parts.
    type Index: Copy + Send + Sync + Debug + 'static;

    /// The index of a state.
    fn index(&self, domain: &D, state: &D::State) -> Self::Index;

    /// The index of `to`, the successor of `from` by `op`. `at` is the index of `from`. It should
    /// not read memory. [default: computes the index of `to` from scratch]
    #[inline(always)]
    fn advance(
        &self,
        domain: &D,
        from: &D::State,
        at: Self::Index,
        op: Op,
        to: &D::State,
    ) -> Self::Index {
        let _ = (from, at, op);
        self.index(domain, to)
    }

    /// The entry of the table that an index reads.
    fn entry(&self, at: Self::Index) -> u64;
}

impl<D: Domain, I: Indexer<D>> Indexer<D> for &I {
    type Index = I::Index;
    #[inline(always)]
    fn index(&self, domain: &D, state: &D::State) -> Self::Index {
        (**self).index(domain, state)
    }
    #[inline(always)]
    fn advance(
        &self,
        domain: &D,
        from: &D::State,
        at: Self::Index,
        op: Op,
        to: &D::State,
    ) -> Self::Index {
        (**self).advance(domain, from, at, op, to)
    }
    #[inline(always)]
    fn entry(&self, at: Self::Index) -> u64 {
        (**self).entry(at)
    }
}
