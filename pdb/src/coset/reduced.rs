//! The abstraction of a product of two coordinates, reduced by a group of symmetries: classes of the first, values of the second.

use crate::abstraction::{Abstraction, Edge};
use search::Op;

/// Two coordinates of a state that move on their own, and symmetries that act on each.
///
/// Law: `move(conjugate(x, s), relabel(s, op)) == conjugate(move(x, op), s)` for both coordinates; conjugation by the symmetries is the
/// action of a group, number 0 its identity; every operator has an inverse among the operators. The solved
/// values are invariant under every symmetry.
pub trait Product: Sync {
    /// How many operators there are.
    fn operators(&self) -> usize;
    /// How many symmetries there are.
    fn symmetries(&self) -> usize;
    /// Values of the first coordinate.
    fn first_size(&self) -> u32;
    /// The first coordinate after an operator.
    fn first_move(&self, value: u32, op: Op) -> u32;
    /// The first coordinate after a symmetry.
    fn first_conjugate(&self, value: u32, symmetry: usize) -> u32;
    /// Values of the second coordinate, at most 65,536.
    fn second_size(&self) -> usize;
    /// The second coordinate after an operator.
    fn second_move(&self, value: u16, op: Op) -> u16;
    /// The second coordinate after a symmetry.
    fn second_conjugate(&self, value: u16, symmetry: usize) -> u16;
    /// The solved values.
    fn solved(&self) -> (u32, u16);
}

/// The reduced product: rows are classes of the first coordinate under the symmetries, numbered by their least value; columns are the
/// second coordinate, conjugated by the symmetry that takes the first to its class's least value.
///
/// A class whose least value is fixed by further symmetries has several columns for one state: all of them are marked, so any
/// may be read. Memory: 5 bytes a value of the first coordinate, and 2 bytes a column for every operator and symmetry.
#[derive(Clone, Debug)]
pub struct Reduced<P> {
    product: P,
    /// By row: the least value of the class.
    least: Vec<u32>,
    /// By row: whether a symmetry besides the identity fixes the least value.
    symmetric: Vec<bool>,
    /// By value: its row.
    row: Vec<u32>,
    /// By value: the first symmetry that takes it to the least value of its class.
    symmetry: Vec<u8>,
    /// By operator, then symmetry, then column: the column after both.
    maps: Vec<Vec<u16>>,
}

impl<P: Product> Reduced<P> {
    /// Finds the classes and composes the column maps. Time: values times symmetries.
    ///
    /// # Panics
    /// If there are more than 256 symmetries.
    pub fn new(product: P) -> Self {
        let values = product.first_size();
        let symmetries = product.symmetries();
        let unseen = u32::MAX;
        let (mut row, mut symmetry) = (vec![unseen; values as usize], vec![0_u8; values as usize]);
        let (mut least, mut symmetric) = (Vec::new(), Vec::new());
        let number = |symmetry: usize| {
            u8::try_from(symmetry).unwrap_or_else(|_| panic!("more than 256 symmetries"))
        };
        for value in 0..values {
            if row[value as usize] != unseen {
                continue;
            }
            let class = u32::try_from(least.len()).unwrap_or(unseen);
            let mut fixed = false;
            for s in 0..symmetries {
                let image = product.first_conjugate(value, s);
                fixed |= s > 0 && image == value;
                if row[image as usize] == unseen {
                    row[image as usize] = class;
                    // The way back to the least value is the inverse of s.
                    let back =
                        (0..symmetries).find(|&t| product.first_conjugate(image, t) == value);
                    symmetry[image as usize] = number(back.unwrap_or(0));
                }
            }
            least.push(value);
            symmetric.push(fixed);
        }
        let columns = 0..u16::try_from(product.second_size() - 1).unwrap_or(u16::MAX);
        let mut maps = Vec::with_capacity(product.operators() * symmetries);
        for op in (0..product.operators()).map(Op::new) {
            for s in 0..symmetries {
                let map = columns.clone().chain([columns.end]);
                maps.push(
                    map.map(|column| product.second_conjugate(product.second_move(column, op), s))
                        .collect(),
                );
            }
        }
        Self { product, least, symmetric, row, symmetry, maps }
    }

    /// The coordinates.
    pub fn product(&self) -> &P {
        &self.product
    }

    /// The row of a value of the first coordinate, and the symmetry by which the second is to be conjugated.
    #[inline(always)]
    pub fn class(&self, value: u32) -> (u32, usize) {
        (self.row[value as usize], usize::from(self.symmetry[value as usize]))
    }

    /// How many values of the first coordinate a row stands for.
    pub fn class_size(&self, row: u64) -> u64 {
        self.row.iter().filter(|&&other| u64::from(other) == row).count() as u64
    }

    /// The symmetries that take a value to the least of its class: more than one where that one is symmetric.
    fn ways(&self, value: u32) -> impl Iterator<Item = usize> {
        let (row, first) = self.class(value);
        let least = self.least[row as usize];
        let all = if self.symmetric[row as usize] { self.product.symmetries() } else { 0 };
        let others =
            (first + 1..all).filter(move |&s| self.product.first_conjugate(value, s) == least);
        std::iter::once(first).chain(others)
    }
}

impl<P: Product> Abstraction for Reduced<P> {
    fn rows(&self) -> u64 {
        self.least.len() as u64
    }

    fn columns(&self) -> usize {
        self.product.second_size()
    }

    fn goals(&self, out: &mut Vec<u64>) {
        let (first, second) = self.product.solved();
        for s in self.ways(first) {
            let column = self.product.second_conjugate(second, s);
            out.push(
                u64::from(self.row[first as usize]) * self.columns() as u64 + u64::from(column),
            );
        }
        out.sort_unstable();
        out.dedup();
    }

    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let least = usize::try_from(row).map_or(0, |row| self.least[row]);
        for op in 0..self.product.operators() {
            let value = self.product.first_move(least, Op::new(op));
            let row = u64::from(self.row[value as usize]);
            for s in self.ways(value) {
                let map = u32::try_from(op * self.product.symmetries() + s).unwrap_or(u32::MAX);
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
