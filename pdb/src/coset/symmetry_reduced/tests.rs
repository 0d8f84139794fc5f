//! Symmetry-reduced products of a toy group have the same distances, however their coordinates are
//! arranged.

use super::*;
use crate::testing::wheels::{Together, Wheels};
use crate::testing::{check_edges, slow_distances};
use crate::{BuildOptions, ColumnMap, build};

/// The product without reduction by symmetries: one row for each value of the first coordinate.
struct Plain(Together, Vec<Vec<u16>>);

impl Abstraction for Plain {
    fn shape(&self) -> (u64, usize) {
        (self.0.first().size().into(), self.0.last().size() as usize)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        let (first, second) = (self.0.first().solved(), self.0.last().solved());
        out.push(u64::from(first) * self.columns() as u64 + u64::from(second));
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let first = u32::try_from(row).unwrap();
        out.extend((0..).zip(0..self.0.operators()).map(|(map, op)| Edge {
            row: self.0.first().moved(first, Op::new(op)).into(),
            map,
            cost: 1,
        }));
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.1[map as usize])
    }
}

/// The same product with the last coordinate in the middle, so that there is only one column.
#[derive(Clone, Copy)]
struct Between(Together);

impl Product for Between {
    fn first(&self) -> &dyn Coordinate {
        self.0.first()
    }
    fn middle(&self) -> &dyn Coordinate {
        self.0.last()
    }
    fn last(&self) -> &dyn Coordinate {
        &Single
    }
    fn operators(&self) -> usize {
        self.0.operators()
    }
    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }
}

/// As [`Between`], but the first coordinate is added to the middle one, modulo its size. So how the
/// middle one changes depends on the first.
#[derive(Clone, Copy)]
struct Shifted(Together);

impl Shifted {
    /// Applies `change` to the middle coordinate. The first coordinate is `before` and `after` the
    /// change.
    fn by(self, before: u32, middle: u32, after: u32, change: impl Fn(u32) -> u32) -> u32 {
        let size = self.0.last().size();
        (change((middle + size - before % size) % size) + after) % size
    }
}

impl Coordinate for Shifted {
    fn size(&self) -> u32 {
        self.0.last().size()
    }
    fn solved(&self) -> u32 {
        (self.0.last().solved() + self.0.first().solved()) % self.size()
    }
    fn moved(&self, _: u32, _: Op) -> u32 {
        unreachable!("it depends on the first coordinate")
    }
    fn conjugate(&self, _: u32, _: usize) -> u32 {
        unreachable!("it depends on the first coordinate")
    }
}

impl Product for Shifted {
    fn first(&self) -> &dyn Coordinate {
        self.0.first()
    }
    fn middle(&self) -> &dyn Coordinate {
        self
    }
    fn middle_moved(&self, first: u32, middle: u32, op: Op) -> u32 {
        let after = self.0.first().moved(first, op);
        self.by(first, middle, after, |opposite| self.0.last().moved(opposite, op))
    }
    fn middle_conjugate(&self, first: u32, middle: u32, symmetry: usize) -> u32 {
        let after = self.0.first().conjugate(first, symmetry);
        self.by(first, middle, after, |opposite| self.0.last().conjugate(opposite, symmetry))
    }
    fn last(&self) -> &dyn Coordinate {
        &Single
    }
    fn operators(&self) -> usize {
        self.0.operators()
    }
    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }
}

#[test]
fn a_middle_that_depends_on_the_first_numbers_the_same_table_otherwise() {
    for wheels in [Wheels(6), Wheels(8)] {
        let together = Together::new(wheels);
        let (plain, shifted) =
            (SymmetryReduced::new(Between(together)), SymmetryReduced::new(Shifted(together)));
        let options = BuildOptions::default();
        let (a, b) =
            (build::<4>(&plain, &options).unwrap(), build::<4>(&shifted, &options).unwrap());
        let size = u64::from(together.last().size());
        for entry in 0..a.entries() {
            let least = u64::from(plain.classes.least[usize::try_from(entry / size).unwrap()]);
            let to = entry / size * size + (entry % size + least) % size;
            assert_eq!(a.get(entry), b.get(to));
        }
        assert_eq!((a.entries(), a.histogram()), (b.entries(), b.histogram()));
    }
}

/// The same product with two kinds that behave alike, so that an edge consists of two maps.
#[derive(Clone, Copy)]
struct TwoMaps(Together);

impl Product for TwoMaps {
    fn first(&self) -> &dyn Coordinate {
        self.0.first()
    }
    fn last(&self) -> &dyn Coordinate {
        self.0.last()
    }
    fn kinds(&self) -> usize {
        2
    }
    fn operators(&self) -> usize {
        self.0.operators()
    }
    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }
}

/// A product with the opposite point in the middle. A symmetry rotates the columns by an amount
/// that depends on it. It is used to test column maps, not for a table.
#[derive(Clone, Copy)]
struct Turning(Together);

impl Product for Turning {
    fn first(&self) -> &dyn Coordinate {
        self.0.first()
    }
    fn middle(&self) -> &dyn Coordinate {
        self.0.last()
    }
    fn last(&self) -> &dyn Coordinate {
        self.0.last()
    }
    fn kinds(&self) -> usize {
        2
    }
    fn kind(&self, middle: u32) -> usize {
        usize::from(middle == 0)
    }
    fn last_conjugate(&self, kind: usize, last: u32, symmetry: usize) -> u32 {
        let by = u32::from(kind == 1 && symmetry == 1);
        (self.0.last().conjugate(last, symmetry) + by) % self.0.last().size()
    }
    fn operators(&self) -> usize {
        self.0.operators()
    }
    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }
}

#[test]
fn columns_are_conjugated_by_the_kind_after_the_operator_and_before_the_symmetry() {
    let product = Turning(Together::new(Wheels(6)));
    let reduced = SymmetryReduced::new(product);
    let (mut edges, mut turned) = (Vec::new(), 0);
    for row in 0..reduced.rows() {
        edges.clear();
        reduced.edges(row, &mut edges);
        let size = u64::from(product.middle().size());
        let (class, middle) = (usize::try_from(row / size).unwrap(), row % size);
        let (least, mut left) = (reduced.classes.least[class], edges.iter());
        for op in (0..product.operators()).map(Op::new) {
            let moved = product.middle().moved(u32::try_from(middle).unwrap(), op);
            let kind = product.kind(moved);
            for s in reduced.classes.ways(&product, product.first().moved(least, op)) {
                let edge = left.next().unwrap();
                let map = reduced.column_map(edge.map);
                turned += usize::from(kind == 1 && s == 1);
                for column in 0..product.last().size() {
                    let to = product.last().moved(column, op);
                    let to = product.last_conjugate(kind, to, s) as usize;
                    assert_eq!(map.to(column as usize), to, "row {row} by {op:?} and {s}");
                }
            }
        }
        assert_eq!(left.next(), None);
    }
    assert!(turned > 0, "no kind mattered");
}

#[test]
fn two_maps_of_columns_make_the_table_of_one() {
    for wheels in [Wheels(6), Wheels(8)] {
        let together = Together::new(wheels);
        let (one, two) = (SymmetryReduced::new(together), SymmetryReduced::new(TwoMaps(together)));
        let both = |map| {
            let map = two.column_map(map);
            !map.first.is_empty() && !map.second.is_empty()
        };
        assert!((0..20).any(both), "no edge needs both maps");
        let (a, b) = (slow_distances(&one), slow_distances(&two));
        assert_eq!(a, b);
        let built = build::<4>(&two, &BuildOptions::default()).unwrap();
        let entries = (0_u64..).zip(&a).map(|(entry, &far)| (u32::from(built.get(entry)), far));
        assert!(entries.into_iter().all(|(built, far)| built == far.min(255)));
    }
}

#[test]
fn a_coordinate_in_the_middle_makes_rows_of_columns() {
    for wheels in [Wheels(6), Wheels(8)] {
        let together = Together::new(wheels);
        let (columns, rows) =
            (SymmetryReduced::new(together), SymmetryReduced::new(Between(together)));
        assert_eq!(rows.rows(), columns.rows() * columns.columns() as u64);
        assert_eq!(rows.class_sizes().len() as u64, rows.rows());
        let options = BuildOptions::default();
        let (a, b) =
            (build::<4>(&columns, &options).unwrap(), build::<4>(&rows, &options).unwrap());
        assert_eq!(a.entries(), b.entries());
        assert!((0..a.entries()).all(|entry| a.get(entry) == b.get(entry)));
    }
}

#[test]
fn reduced_distances_are_those_of_the_product() {
    for wheels in [Wheels(6), Wheels(8)] {
        let together = Together::new(wheels);
        let columns = together.last().size();
        let moved = |c, op| u16::try_from(together.last().moved(c, Op::new(op))).unwrap();
        let map = |op| (0..columns).map(|c| moved(c, op)).collect();
        let plain = Plain(together, (0..together.operators()).map(map).collect());
        let expected = slow_distances(&plain);
        let reduced = SymmetryReduced::new(together);
        let table = build::<4>(&reduced, &BuildOptions::default()).unwrap();
        assert!(reduced.classes.symmetric.iter().any(|&symmetric| symmetric));
        assert!(table.histogram().unreached > 0 && table.histogram().max() > 3);
        for first in 0..together.first().size() {
            let (row, symmetry) = reduced.class(first);
            for second in 0..columns {
                // Every symmetry to the least value, not only the one that `class` names.
                let ways: Vec<usize> = reduced.classes.ways(reduced.product(), first).collect();
                assert_eq!(ways[0], symmetry);
                for s in ways {
                    let column = together.last().conjugate(second, s);
                    let read = table.get(u64::from(row) * u64::from(columns) + u64::from(column));
                    let exact = expected[(first * columns + second) as usize];
                    assert_eq!(u32::from(read), exact.min(255), "({first}, {second}) by {s}");
                }
            }
        }
        let sizes = reduced.class_sizes();
        assert_eq!(sizes.iter().sum::<u32>(), together.first().size());
        // Each edge has a reverse edge, as the builder's backward phase requires.
        check_edges(&reduced).unwrap();
    }
}
