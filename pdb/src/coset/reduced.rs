//! The abstraction of a product of two or three coordinates, reduced by a group of symmetries: classes of the first, values of the others.

use crate::abstraction::{Abstraction, Edge};
use search::Op;
use std::collections::HashMap;

/// A part of a state that moves on its own: its value after an operator depends on its value before alone.
pub trait Coordinate: Sync {
    /// How many values there are: 0 to below this.
    fn size(&self) -> u32;
    /// The solved value; every symmetry leaves it as it is.
    fn solved(&self) -> u32;
    /// The value after an operator.
    fn moved(&self, value: u32, op: Op) -> u32;
    /// The value after a symmetry.
    fn conjugate(&self, value: u32, symmetry: usize) -> u32;
}

/// Two or three coordinates of a state, and symmetries that act on all.
///
/// Law, for every coordinate: `conjugate(moved(x, op), s) == moved(conjugate(x, s), op')`, where the operator `op'` is the image of `op`
/// under `s`; conjugation by the symmetries is the action of a group, number 0 its identity; every operator has an inverse
/// among the operators. It need hold only of values that operators make of the solved one, if symmetries take no others to these.
pub trait Product: Sync {
    /// The coordinate whose classes are the rows, or with a coordinate in the middle, as many rows each as that has values.
    fn first(&self) -> &impl Coordinate;
    /// A coordinate that tells rows of a class apart: for one that would make too many columns. [default: one value]
    fn middle(&self) -> &impl Coordinate {
        &Single
    }
    /// The coordinate whose values are the columns, at most 65,536.
    fn second(&self) -> &impl Coordinate;
    /// How many operators there are.
    fn operators(&self) -> usize;
    /// How many symmetries there are.
    fn symmetries(&self) -> usize;
}

/// A coordinate of one value.
#[derive(Clone, Copy, Debug)]
pub struct Single;

impl Coordinate for Single {
    fn size(&self) -> u32 {
        1
    }
    fn solved(&self) -> u32 {
        0
    }
    fn moved(&self, _: u32, _: Op) -> u32 {
        0
    }
    fn conjugate(&self, _: u32, _: usize) -> u32 {
        0
    }
}

/// The reduced product: rows are classes of the first coordinate under the symmetries, numbered by their least value, times the values of the middle
/// one; columns are the second coordinate. Both are conjugated by the symmetry that takes the first to its class's least value: row
/// `class * middle values + middle value`.
///
/// A class whose least value is fixed by further symmetries has several columns for one state: edges lead to all of them and all have the
/// state's distance, so any may be read.
///
/// Why the distances are those of the product: an operator takes (a, m, b) to (a', m', b') if and only if its image takes the image of the one to
/// that of the other (the law of [`Product`]), and the goal is its own image; so states that a symmetry takes to each other have the same
/// distance, and each entry is such a set of states. Edges are undirected: the way back from the least value of the class of a' is the
/// image of the inverse operator.
///
/// Memory: 5 bytes a value of the first coordinate, and 2 bytes a column for every operator and symmetry that differ.
#[derive(Clone, Debug)]
pub struct Reduced<P> {
    product: P,
    /// By class: the least value.
    least: Vec<u32>,
    /// By class: whether a symmetry besides the identity fixes the least value.
    symmetric: Vec<bool>,
    /// By value: its class.
    class: Vec<u32>,
    /// By value: the first symmetry that takes it to the least value of its class.
    symmetry: Vec<u8>,
    /// By operator, then symmetry: the number of the map of columns by both.
    map: Vec<u32>,
    /// By number, then column: the column after. All differ; empty for the identity.
    maps: Vec<Vec<u16>>,
}

impl<P: Product> Reduced<P> {
    /// Finds the classes and composes the column maps. Time: values times symmetries.
    ///
    /// # Panics
    /// If there are more than 256 symmetries, or the second coordinate has more than 65,536 values.
    pub fn new(product: P) -> Self {
        let (rows, columns) = (product.first(), product.second());
        let values = rows.size();
        let symmetries = product.symmetries();
        let unseen = u32::MAX;
        assert!(columns.size() <= 1 << 16, "{} columns are too many", columns.size());
        let (mut class, mut symmetry) =
            (vec![unseen; values as usize], vec![0_u8; values as usize]);
        let (mut least, mut symmetric) = (Vec::new(), Vec::new());
        let number = |symmetry: usize| {
            u8::try_from(symmetry).unwrap_or_else(|_| panic!("more than 256 symmetries"))
        };
        let (mut images, mut inverses) = (Vec::new(), vec![0; symmetries]);
        for value in 0..values {
            if class[value as usize] != unseen {
                continue;
            }
            let number_of_class = u32::try_from(least.len()).unwrap_or(unseen);
            images.clear();
            images.extend((0..symmetries).map(|s| rows.conjugate(value, s)));
            let fixed = images[1..].contains(&value);
            for (s, &image) in images.iter().enumerate() {
                if class[image as usize] == unseen {
                    class[image as usize] = number_of_class;
                    // The way back to the least value is the inverse of s, and where no symmetry fixes that value, there is no other.
                    let leads_back = |t: &usize| rows.conjugate(image, *t) == value;
                    // Of a value that no state has, symmetries need be no group; then any will do.
                    let known = Some(inverses[s]).filter(|t| !fixed && leads_back(t));
                    let back = known.or_else(|| (0..symmetries).find(leads_back)).unwrap_or(0);
                    inverses[s] = back;
                    symmetry[image as usize] = number(back);
                }
            }
            least.push(value);
            symmetric.push(fixed);
        }
        let mut known = HashMap::new();
        let (mut numbers, mut maps) =
            (Vec::with_capacity(product.operators() * symmetries), Vec::new());
        for op in (0..product.operators()).map(Op::new) {
            for s in 0..symmetries {
                let after = |column| columns.conjugate(columns.moved(column, op), s);
                #[expect(clippy::cast_possible_truncation, reason = "columns fit 16 bits")]
                let mut map: Vec<u16> = (0..columns.size()).map(|c| after(c) as u16).collect();
                if map.iter().zip(0..).all(|(&to, from)| to == from) {
                    map.clear();
                }
                let number = *known.entry(map).or_insert_with_key(|map| {
                    maps.push(map.clone());
                    u32::try_from(maps.len() - 1).unwrap_or(u32::MAX)
                });
                numbers.push(number);
            }
        }
        Self { product, least, symmetric, class, symmetry, map: numbers, maps }
    }

    /// The coordinates.
    pub fn product(&self) -> &P {
        &self.product
    }

    /// The class of a value of the first coordinate, and the symmetry by which the others are to be conjugated.
    #[inline(always)]
    pub fn class(&self, value: u32) -> (u32, usize) {
        (self.class[value as usize], usize::from(self.symmetry[value as usize]))
    }

    /// The row of a class and a value of the middle coordinate.
    fn row(&self, class: u32, middle: u32) -> u64 {
        u64::from(class) * u64::from(self.product.middle().size()) + u64::from(middle)
    }

    /// By row: how many values of the first coordinate it stands for.
    pub fn class_sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.least.len()];
        for &class in &self.class {
            sizes[class as usize] += 1;
        }
        let middle = self.product.middle().size() as usize;
        sizes.into_iter().flat_map(|size| std::iter::repeat_n(size, middle)).collect()
    }

    /// The symmetries that take a value to the least of its class: more than one where that one is symmetric.
    fn ways(&self, value: u32) -> impl Iterator<Item = usize> {
        let (class, first) = self.class(value);
        let least = self.least[class as usize];
        let all = if self.symmetric[class as usize] { self.product.symmetries() } else { 0 };
        let others =
            (first + 1..all).filter(move |&s| self.product.first().conjugate(value, s) == least);
        std::iter::once(first).chain(others)
    }
}

impl<P: Product> Abstraction for Reduced<P> {
    fn rows(&self) -> u64 {
        self.least.len() as u64 * u64::from(self.product.middle().size())
    }

    fn columns(&self) -> usize {
        self.product.second().size() as usize
    }

    fn goals(&self, out: &mut Vec<u64>) {
        let first = self.class[self.product.first().solved() as usize];
        let row = self.row(first, self.product.middle().solved());
        out.push(row * self.columns() as u64 + u64::from(self.product.second().solved()));
    }

    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let middle = self.product.middle();
        let values = u64::from(middle.size());
        #[expect(clippy::cast_possible_truncation, reason = "the class and the value of a row")]
        let (class, value) = ((row / values) as usize, (row % values) as u32);
        let least = self.least[class];
        for op in 0..self.product.operators() {
            let first = self.product.first().moved(least, Op::new(op));
            let moved = middle.moved(value, Op::new(op));
            for s in self.ways(first) {
                let row = self.row(self.class[first as usize], middle.conjugate(moved, s));
                let map = self.map[op * self.product.symmetries() + s];
                out.push(Edge { row, map, cost: 1 });
            }
        }
    }

    fn column_map(&self, map: u32) -> &[u16] {
        &self.maps[map as usize]
    }

    fn undirected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::wheels::{Together, Wheels};
    use super::*;
    use crate::testing::slow_distances;
    use crate::{BuildOptions, build};

    /// The product as it is: a row for each value of the first coordinate.
    struct Plain(Together, Vec<Vec<u16>>);

    impl Abstraction for Plain {
        fn rows(&self) -> u64 {
            self.0.first().size().into()
        }
        fn columns(&self) -> usize {
            self.0.second().size() as usize
        }
        fn goals(&self, out: &mut Vec<u64>) {
            let (first, second) = (self.0.first().solved(), self.0.second().solved());
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
        fn column_map(&self, map: u32) -> &[u16] {
            &self.1[map as usize]
        }
    }

    /// The same with the second coordinate in the middle, and columns of one value.
    #[derive(Clone, Copy)]
    struct Between(Together);

    impl Product for Between {
        fn first(&self) -> &impl Coordinate {
            self.0.first()
        }
        fn middle(&self) -> &impl Coordinate {
            self.0.second()
        }
        fn second(&self) -> &impl Coordinate {
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
    fn a_coordinate_in_the_middle_makes_rows_of_columns() {
        for wheels in [Wheels(6), Wheels(8)] {
            let together = Together::new(wheels);
            let (columns, rows) = (Reduced::new(together), Reduced::new(Between(together)));
            assert_eq!(rows.rows(), columns.rows() * columns.columns() as u64);
            assert_eq!(rows.class_sizes().len() as u64, rows.rows());
            let options = BuildOptions::default();
            let (a, b) = (build(&columns, &options).unwrap(), build(&rows, &options).unwrap());
            assert_eq!(a.entries(), b.entries());
            assert!((0..a.entries()).all(|entry| a.get(entry) == b.get(entry)));
        }
    }

    #[test]
    fn reduced_distances_are_those_of_the_product() {
        for wheels in [Wheels(6), Wheels(8)] {
            let together = Together::new(wheels);
            let columns = together.second().size();
            let moved = |c, op| u16::try_from(together.second().moved(c, Op::new(op))).unwrap();
            let map = |op| (0..columns).map(|c| moved(c, op)).collect();
            let plain = Plain(together, (0..together.operators()).map(map).collect());
            let expected = slow_distances(&plain);
            let reduced = Reduced::new(together);
            let table = build(&reduced, &BuildOptions::default()).unwrap();
            assert!(reduced.symmetric.iter().any(|&symmetric| symmetric));
            assert!(table.histogram().unreached > 0 && table.histogram().max() > 3);
            for first in 0..together.first().size() {
                let (row, symmetry) = reduced.class(first);
                for second in 0..columns {
                    // Every symmetry to the least value, not only the one that `class` names.
                    let ways: Vec<usize> = reduced.ways(first).collect();
                    assert_eq!(ways[0], symmetry);
                    for s in ways {
                        let column = together.second().conjugate(second, s);
                        let read =
                            table.get(u64::from(row) * u64::from(columns) + u64::from(column));
                        let exact = expected[(first * columns + second) as usize];
                        assert_eq!(u32::from(read), exact.min(15), "({first}, {second}) by {s}");
                    }
                }
            }
            let sizes = reduced.class_sizes();
            assert_eq!(sizes.iter().sum::<u32>(), together.first().size());
            // Each way back exists: the licence of the builder's backward phase.
            let (mut edges, mut back) = (Vec::new(), Vec::new());
            for row in 0..reduced.rows() {
                edges.clear();
                reduced.edges(row, &mut edges);
                for edge in &edges {
                    back.clear();
                    reduced.edges(edge.row, &mut back);
                    let to = |edge: &Edge, column: u16| {
                        let map = reduced.column_map(edge.map);
                        map.get(usize::from(column)).copied().unwrap_or(column)
                    };
                    for column in (0..=u16::MAX).take(reduced.columns()) {
                        let there = to(edge, column);
                        assert!(back.iter().any(|e| e.row == row && to(e, there) == column));
                    }
                }
            }
        }
    }
}
