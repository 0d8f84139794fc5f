//! Checks the laws of abstractions: entries exist, indices advance, operators have edges, and no
//! distance exceeds the true one.

use crate::abstraction::{Abstraction, Edge, Indexer};
use search::{Cost, Op, OpSet, Packed};
use std::collections::{BTreeMap, BTreeSet};

/// Checks an abstraction, its indexer and the distances of its table against a domain, on up to
/// `states` states around the goals. `distance(entry)` must be [`Cost::MAX`] if the entry reaches
/// no goal. Each operator of the domain must have an inverse.
///
/// - The entry of every state is inside the table. Entries of goals have the distance 0.
/// - `advance` leads to the entry of the successor, along any path.
/// - Every operator from `s` to `t` is an edge from `t`'s entry to `s`'s entry that costs no more.
///   Uncharged edges may help. So the distance of `s` is at most that of `t` plus the operator's
///   cost. If the abstraction is undirected, the same holds with `s` and `t` exchanged.
/// - If the abstraction says that it is undirected, every edge has its reverse at the same cost.
/// - If a column map has an inverse, that takes every column back.
/// - No distance exceeds the true one. Dijkstra's algorithm walks the operators from the goals.
///
/// # Errors
/// If a law does not hold. The text says which, and for which states and entries.
pub fn check_abstraction<D, A, I>(
    domain: &D,
    abstraction: &A,
    indexer: &I,
    distance: &dyn Fn(u64) -> Cost,
    goals: &[D::State],
    states: usize,
) -> Result<(), String>
where
    D: Packed,
    A: Abstraction,
    I: Indexer<D>,
{
    let entries = abstraction.rows() * abstraction.columns() as u64;
    let inside = |state: &D::State, entry: u64| match entry {
        entry if entry < entries => Ok(()),
        entry => Err(format!("{state:?} has entry {entry}, outside of {entries}")),
    };
    let mut rows = BTreeSet::new();
    let mut closed = BTreeSet::new();
    let starts = goals.iter().map(|goal| (goal.clone(), indexer.index(domain, goal)));
    let mut open = BTreeMap::from([(0_u32, starts.collect::<Vec<_>>())]);
    while let Some((depth, bucket)) = open.pop_first() {
        for (state, at) in bucket {
            if closed.len() >= states {
                return Ok(());
            }
            if !closed.insert(domain.pack(&state)) {
                continue;
            }
            let entry = indexer.entry(at);
            let fresh = indexer.entry(indexer.index(domain, &state));
            if entry != fresh {
                return Err(format!("{state:?}: `advance` leads to entry {entry}, not {fresh}"));
            }
            inside(&state, entry)?;
            let own = distance(entry);
            if u32::from(own) > depth {
                return Err(format!("{state:?} is {depth} from a goal; entry {entry} says {own}"));
            }
            let row = entry / abstraction.columns() as u64;
            if rows.insert(row) {
                check_row(abstraction, row)?;
            }
            for op in domain.applicable(&state).members() {
                let mut to = state.clone();
                domain.apply_into(&state, op, &mut to);
                let next = indexer.advance(domain, &state, at, op, &to);
                inside(&to, indexer.entry(next))?;
                check_step::<D>(
                    (&state, op, &to),
                    (own, distance(indexer.entry(next))),
                    domain.cost(op),
                    abstraction.undirected(),
                )?;
                let depth = depth + u32::from(domain.cost(op));
                open.entry(depth).or_default().push((to, next));
            }
        }
    }
    Ok(())
}

/// Checks the edges of all rows of an abstraction, without a domain: reverse edges and inverse
/// column maps, as in [`check_abstraction`].
///
/// # Errors
/// If the inverse of a column map does not take a column back. If the abstraction says that it is
/// undirected, and an edge has no reverse at the same cost.
pub fn check_edges(abstraction: &dyn Abstraction) -> Result<(), String> {
    (0..abstraction.rows()).try_for_each(|row| check_row(abstraction, row))
}

fn check_row(abstraction: &dyn Abstraction, row: u64) -> Result<(), String> {
    check_inverses(abstraction, row)?;
    if abstraction.undirected() { check_reversed(abstraction, row) } else { Ok(()) }
}

/// Checks that a distance changes by at most the cost of the operator.
fn check_step<D: Packed>(
    (from, op, to): (&D::State, Op, &D::State),
    (before, after): (Cost, Cost),
    cost: Cost,
    undirected: bool,
) -> Result<(), String> {
    let falls_too_far = before > after.saturating_add(cost);
    let rises_too_far = undirected && after > before.saturating_add(cost);
    if falls_too_far || rises_too_far {
        return Err(format!(
            "{op:?} of cost {cost} from {from:?} to {to:?}: the distance goes from {before} to {after}"
        ));
    }
    Ok(())
}

/// Checks that the inverses of a row's column maps take every column back.
fn check_inverses(abstraction: &dyn Abstraction, row: u64) -> Result<(), String> {
    let mut edges = Vec::new();
    abstraction.edges(row, &mut edges);
    for edge in edges {
        let Some(inverse) = abstraction.inverse_map(edge.map) else { continue };
        let back = Edge { map: inverse, ..edge };
        let (map, back) = (abstraction.map_of(&edge), abstraction.map_of(&back));
        if let Some(column) = (0..abstraction.columns()).find(|&c| back.to(map.to(c)) != c) {
            return Err(format!(
                "map {inverse} does not take column {column} back, which map {} has moved",
                edge.map
            ));
        }
    }
    Ok(())
}

/// Checks that every edge of a row has a reverse edge of the same cost.
fn check_reversed(abstraction: &dyn Abstraction, row: u64) -> Result<(), String> {
    let columns = abstraction.columns();
    let (mut edges, mut back) = (Vec::new(), Vec::new());
    abstraction.edges(row, &mut edges);
    let mapped = |edge: &Edge, column| abstraction.map_of(edge).to(column);
    for edge in &edges {
        if edge.row >= abstraction.rows() {
            return Err(format!("{edge:?} of row {row} leads outside of {}", abstraction.rows()));
        }
        back.clear();
        abstraction.edges(edge.row, &mut back);
        back.retain(|reverse| reverse.row == row && reverse.cost == edge.cost);
        for column in 0..columns {
            let target = mapped(edge, column);
            if target >= columns {
                return Err(format!("{edge:?} of row {row} leads to column {target}"));
            }
            if !back.iter().any(|reverse| mapped(reverse, target) == column) {
                return Err(format!(
                    "{edge:?} from row {row}, column {column} has no reverse at the same cost, but the abstraction says it is undirected"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::ColumnMap;
    use crate::builder::{BuildOptions, build};
    use crate::table::PackedTable;
    use crate::testing::{DiscPattern, Ring};
    use search::Domain;

    fn reader(table: &PackedTable) -> impl Fn(u64) -> Cost {
        |entry| table.get(entry)
    }

    /// A pattern that breaks one law. The text says which.
    struct Wrong(DiscPattern, &'static str);

    impl Abstraction for Wrong {
        fn shape(&self) -> (u64, usize) {
            self.0.shape()
        }
        fn goals(&self, out: &mut Vec<u64>) {
            out.push(if self.1 == "goal" { 1 } else { 0 });
        }
        fn edges(&self, row: u64, out: &mut Vec<Edge>) {
            self.0.edges(row, out);
            if self.1 == "edge" {
                out.remove(0);
            }
            if self.1 == "cost" {
                out[0].cost = 2;
            }
        }
        fn column_map(&self, map: u32) -> ColumnMap<'_> {
            self.0.column_map(map)
        }
        fn undirected(&self) -> bool {
            self.1 != "cost"
        }
    }

    impl Indexer<Ring> for Wrong {
        type Index = (u64, u64);
        fn index(&self, ring: &Ring, state: &[u8; 12]) -> (u64, u64) {
            self.0.index(ring, state)
        }
        fn advance(
            &self,
            ring: &Ring,
            from: &[u8; 12],
            at: (u64, u64),
            op: Op,
            to: &[u8; 12],
        ) -> (u64, u64) {
            let op = if self.1 == "advance" { Op(0) } else { op };
            self.0.advance(ring, from, at, op, to)
        }
        fn entry(&self, at: (u64, u64)) -> u64 {
            self.0.entry(at) + if self.1 == "entry" { 1 << 40 } else { 0 }
        }
    }

    #[test]
    fn right_ones_pass_and_wrong_ones_do_not() {
        let ring = Ring::new(7, 2, 4);
        let check = |wrong| {
            let pattern = Wrong(DiscPattern::new(ring, 3), wrong);
            let table = build::<4>(&pattern, &BuildOptions::default()).expect("built");
            let read = reader(&table);
            check_abstraction(&ring, &pattern, &pattern, &read, &[ring.sorted()], 20_000)
        };
        assert_eq!(ring.operators(), 12);
        assert_eq!(check(""), Ok(()));
        for (wrong, what) in [
            ("goal", "from a goal"),
            ("edge", "no reverse"),
            ("cost", "from a goal"),
            ("advance", "`advance` leads"),
            ("entry", "outside of"),
        ] {
            let error = check(wrong).expect_err(wrong);
            assert!(error.contains(what), "{wrong}: {error}");
        }
    }
}
