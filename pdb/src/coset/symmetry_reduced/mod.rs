//! The abstraction of a coset table: a product of two or three coordinates, reduced by symmetries
//! ([`SymmetryReduced`]).

use crate::abstraction::{Abstraction, ColumnMap, Edge};
use search::{CancelToken, Op};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Number of values between two checks of the cancel token.
const OFTEN: u32 = 1 << 10;

/// A function of the state whose value after an operator depends only on the operator and the value
/// before.
pub trait Coordinate: Sync {
    /// Number of values. They are numbered from 0.
    fn size(&self) -> u32;
    /// The value of the solved state. Every symmetry keeps it.
    fn solved(&self) -> u32;
    /// The value after an operator.
    fn moved(&self, value: u32, op: Op) -> u32;
    /// The value after a symmetry.
    fn conjugate(&self, value: u32, symmetry: usize) -> u32;
}

/// Two or three coordinates that together tell cosets apart, and symmetries that act on all of
/// them.
///
/// Laws, for every coordinate:
///
/// - `conjugate(moved(x, op), s) == moved(conjugate(x, s), op')`. Operator `op'` is the image of
///   `op` under `s`.
/// - Conjugation by the symmetries is the action of a group. Symmetry 0 is its identity.
/// - Every operator has an inverse among the operators.
///
/// Values that operators never reach from the solved state may break the laws. Then no symmetry may
/// map such a value to one that operators reach.
pub trait Product: Sync {
    /// The first coordinate. Its values form classes under the symmetries, and the classes are the
    /// rows. With a middle coordinate, each class has one row for each middle value.
    fn first(&self) -> &dyn Coordinate;
    /// The middle coordinate, for one that would make too many columns. If
    /// [`Product::middle_moved`] is overridden, only its size and its solved value are used.
    /// [default: one value]
    fn middle(&self) -> &dyn Coordinate {
        &Single
    }
    /// The value of the middle coordinate after an operator. It may depend on `first`, the first
    /// coordinate before the operator. [default: does not]
    fn middle_moved(&self, _first: u32, middle: u32, op: Op) -> u32 {
        self.middle().moved(middle, op)
    }
    /// The value of the middle coordinate after a symmetry. It may depend on `first`, the first
    /// coordinate before the symmetry. [default: does not]
    fn middle_conjugate(&self, _first: u32, middle: u32, symmetry: usize) -> u32 {
        self.middle().conjugate(middle, symmetry)
    }
    /// The last coordinate. Its values are the columns, at most 65,536.
    fn last(&self) -> &dyn Coordinate;
    /// Number of *kinds* of middle values. A symmetry's effect on the last coordinate may depend
    /// on the kind of the middle value. [default: 1]
    fn kinds(&self) -> usize {
        1
    }
    /// The kind of a middle value, below [`Product::kinds`].
    fn kind(&self, _middle: u32) -> usize {
        0
    }
    /// The value of the last coordinate after a symmetry. It may depend on `kind`, the kind of
    /// the middle value before the symmetry. [default: does not]
    fn last_conjugate(&self, _kind: usize, last: u32, symmetry: usize) -> u32 {
        self.last().conjugate(last, symmetry)
    }
    /// Number of operators.
    fn operators(&self) -> usize;
    /// Number of symmetries, at most 256.
    fn symmetries(&self) -> usize;
}

/// A coordinate with one value. It stands for a missing middle coordinate.
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

/// The abstraction of a [`Product`], in which states that a symmetry maps to each other share an
/// entry.
///
/// The values of the first coordinate form classes under the symmetries. Classes are numbered in
/// the order of their least values. Row = `class * middle values + middle value`. Column = value of
/// the last coordinate. Both are taken after the symmetry that takes the first coordinate to the
/// least value of its class.
///
/// If further symmetries fix that least value, a state has several entries. Edges lead to all of
/// them, and all have the state's distance. So a search may read any of them.
///
/// The distances are those of the product. A symmetry maps operators to operators and the goal to
/// itself, by the laws of [`Product`]. So states of one entry have the same distance. Edges are
/// undirected: the way back from the least value of a class is the image of the inverse operator.
///
/// Memory: 5 bytes for each value of the first coordinate, and 2 bytes a column for each column
/// map. Without kinds, there is a map for each pair of operator and symmetry. With kinds, there is
/// one for each operator, and one for each pair of symmetry and kind. Equal maps are stored once.
#[derive(Clone, Debug)]
pub struct SymmetryReduced<P> {
    product: P,
    classes: Classes,
}

/// The data of [`SymmetryReduced`] that does not depend on the type of the product.
#[derive(Clone, Debug)]
struct Classes {
    /// For each class: its least value.
    least: Vec<u32>,
    /// For each class: whether a symmetry besides the identity fixes its least value.
    symmetric: Vec<bool>,
    /// For each value: its class.
    class: Vec<u32>,
    /// For each value: the first symmetry that takes it to the least value of its class.
    symmetry: Vec<u8>,
    /// Computed at the first use. A search with a finished table does not need it.
    columns: OnceLock<Columns>,
}

/// How operators and symmetries move columns.
#[derive(Clone, Debug)]
struct Columns {
    /// Indexed by operator, then symmetry and kind: the number of the column map.
    map: Vec<u32>,
    /// The first map of an edge. The number of an edge's map is `first * number of second maps +
    /// second`.
    first: Maps,
    second: Maps,
}

/// A list of different column maps. The identity is stored as an empty map.
#[derive(Clone, Debug, Default)]
struct Maps {
    /// Indexed by number of the map, then column: the new column.
    maps: Vec<Vec<u16>>,
    numbers: HashMap<Vec<u16>, u32>,
}

impl Maps {
    /// The number of the map that takes each of `columns` columns `c` to `after(c)`. Adds it if it
    /// is new.
    fn number(&mut self, columns: u32, after: impl Fn(u32) -> u32) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "columns fit 16 bits")]
        let mut map: Vec<u16> = (0..columns).map(|column| after(column) as u16).collect();
        if map.iter().zip(0..).all(|(&to, from)| to == from) {
            map.clear();
        }
        *self.numbers.entry(map).or_insert_with_key(|map| {
            self.maps.push(map.clone());
            u32::try_from(self.maps.len() - 1).expect("fewer than 2^32 maps")
        })
    }

    /// Drops the index that finds equal maps. Call it after the last map is added.
    fn closed(mut self) -> Self {
        self.numbers = HashMap::new();
        self
    }
}

impl<P: Product> SymmetryReduced<P> {
    /// Finds the classes. Time: number of values times number of symmetries.
    ///
    /// # Panics
    /// If there are more than 256 symmetries, or the last coordinate has more than 65,536 values.
    pub fn new(product: P) -> Self {
        Self::new_until(product, &CancelToken::new()).expect("nobody cancels")
    }

    /// As [`SymmetryReduced::new`]. `None` if cancelled.
    ///
    /// # Panics
    /// As [`SymmetryReduced::new`].
    pub fn new_until(product: P, cancel: &CancelToken) -> Option<Self> {
        let classes = Classes::new(&product, cancel)?;
        Some(Self { product, classes })
    }

    /// The coordinates and symmetries.
    pub fn product(&self) -> &P {
        &self.product
    }

    /// The class of a value of the first coordinate, and the symmetry that takes it to the least
    /// value of the class. Apply that symmetry to the other coordinates.
    #[inline(always)]
    pub fn class(&self, value: u32) -> (u32, usize) {
        self.classes.class(value)
    }

    /// For each row: the number of values of the first coordinate in its class.
    pub fn class_sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.classes.least.len()];
        for &class in &self.classes.class {
            sizes[class as usize] += 1;
        }
        let middle = self.product.middle().size() as usize;
        sizes.into_iter().flat_map(|size| std::iter::repeat_n(size, middle)).collect()
    }
}

impl Classes {
    /// Finds the classes. `None` if cancelled.
    fn new(product: &dyn Product, cancel: &CancelToken) -> Option<Self> {
        let (rows, columns) = (product.first(), product.last());
        let values = rows.size();
        let symmetries = product.symmetries();
        let unseen = u32::MAX;
        assert!(columns.size() <= 1 << 16, "{} columns are too many", columns.size());
        let (mut class, mut symmetry) =
            (vec![unseen; values as usize], vec![0_u8; values as usize]);
        let (mut least, mut symmetric) = (Vec::new(), Vec::new());
        let number = |symmetry: usize| u8::try_from(symmetry).expect("at most 256 symmetries");
        let (mut images, mut inverses) = (Vec::new(), vec![0; symmetries]);
        for value in 0..values {
            if value.is_multiple_of(OFTEN) && cancel.is_cancelled() {
                return None;
            }
            if class[value as usize] != unseen {
                continue;
            }
            let number_of_class = u32::try_from(least.len()).expect("no more classes than values");
            images.clear();
            images.extend((0..symmetries).map(|s| rows.conjugate(value, s)));
            let fixed = images[1..].contains(&value);
            for (s, &image) in images.iter().enumerate() {
                if class[image as usize] == unseen {
                    class[image as usize] = number_of_class;
                    // The inverse of s leads back to the least value. If no symmetry fixes that
                    // value, there is no other way back.
                    let leads_back = |t: &usize| rows.conjugate(image, *t) == value;
                    // On a value that no state has, the symmetries may not act as a group. Any
                    // symmetry will do there.
                    let known = Some(inverses[s]).filter(|t| !fixed && leads_back(t));
                    let back = known.or_else(|| (0..symmetries).find(leads_back)).unwrap_or(0);
                    inverses[s] = back;
                    symmetry[image as usize] = number(back);
                }
            }
            least.push(value);
            symmetric.push(fixed);
        }
        Some(Self { least, symmetric, class, symmetry, columns: OnceLock::new() })
    }

    /// The column maps, computed at the first call.
    #[inline]
    fn maps(&self, product: &dyn Product) -> &Columns {
        self.columns.get_or_init(|| {
            Self::column_maps(product, &CancelToken::new()).expect("nobody cancels")
        })
    }

    /// Computes the column maps ahead of their first use. Returns false if cancelled.
    fn prepare(&self, product: &dyn Product, cancel: &CancelToken) -> bool {
        if self.columns.get().is_none()
            && let Some(columns) = Self::column_maps(product, cancel)
        {
            // Another thread may have been faster. Its maps are the same.
            let _ = self.columns.set(columns);
        }
        self.columns.get().is_some()
    }

    /// Computes the column maps. With one kind, an operator and a symmetry together have one map.
    /// With more kinds, each has a map of its own. `None` if cancelled.
    fn column_maps(product: &dyn Product, cancel: &CancelToken) -> Option<Columns> {
        let columns = product.last();
        let (mut first, mut second) = (Maps::default(), Maps::default());
        let (symmetries, kinds) = (product.symmetries(), product.kinds());
        let conjugate = |kind, s| move |column| product.last_conjugate(kind, column, s);
        let both = || (0..symmetries).flat_map(|s| (0..kinds).map(move |kind| (s, kind)));
        let seconds: Vec<u32> = match kinds {
            1 => vec![second.number(columns.size(), |column| column); symmetries],
            _ => both().map(|(s, k)| second.number(columns.size(), conjugate(k, s))).collect(),
        };
        let count = u32::try_from(second.maps.len()).expect("fewer than 2^32 maps");
        let mut map = Vec::with_capacity(product.operators() * seconds.len());
        for op in (0..product.operators()).map(Op::new) {
            let moved = |column| columns.moved(column, op);
            let by_op = (kinds > 1).then(|| first.number(columns.size(), moved));
            for ((s, kind), then) in both().zip(&seconds) {
                if cancel.is_cancelled() {
                    return None;
                }
                let by_both = || conjugate(kind, s);
                let number = by_op.unwrap_or_else(|| {
                    first.number(columns.size(), |column| by_both()(moved(column)))
                });
                map.push(number * count + then);
            }
        }
        Some(Columns { map, first: first.closed(), second: second.closed() })
    }

    /// [`SymmetryReduced::class`].
    #[inline(always)]
    fn class(&self, value: u32) -> (u32, usize) {
        (self.class[value as usize], usize::from(self.symmetry[value as usize]))
    }

    /// The symmetries that take a value to the least value of its class. There are several if
    /// symmetries besides the identity fix the least value.
    fn ways(&self, product: &dyn Product, value: u32) -> impl Iterator<Item = usize> {
        let (class, first) = self.class(value);
        let least = self.least[class as usize];
        let all = if self.symmetric[class as usize] { product.symmetries() } else { 0 };
        let others =
            (first + 1..all).filter(move |&s| product.first().conjugate(value, s) == least);
        std::iter::once(first).chain(others)
    }

    /// The edges of a row.
    fn edges(&self, product: &dyn Product, row: u64, out: &mut Vec<Edge>) {
        let (values, kinds) = (u64::from(product.middle().size()), product.kinds());
        #[expect(clippy::cast_possible_truncation, reason = "the class and the value of a row")]
        let (class, value) = ((row / values) as usize, (row % values) as u32);
        let least = self.least[class];
        for op in 0..product.operators() {
            let first = product.first().moved(least, Op::new(op));
            let moved = product.middle_moved(least, value, Op::new(op));
            let kind = product.kind(moved);
            for s in self.ways(product, first) {
                let middle = product.middle_conjugate(first, moved, s);
                let row = u64::from(self.class[first as usize]) * values + u64::from(middle);
                let map = self.maps(product).map[(op * product.symmetries() + s) * kinds + kind];
                out.push(Edge { row, map, cost: 1 });
            }
        }
    }
}

impl<P: Product> Abstraction for SymmetryReduced<P> {
    fn shape(&self) -> (u64, usize) {
        (
            self.classes.least.len() as u64 * u64::from(self.product.middle().size()),
            self.product.last().size() as usize,
        )
    }

    fn goals(&self, out: &mut Vec<u64>) {
        let middle = self.product.middle();
        let (class, _) = self.class(self.product.first().solved());
        let row = u64::from(class) * u64::from(middle.size()) + u64::from(middle.solved());
        out.push(row * self.columns() as u64 + u64::from(self.product.last().solved()));
    }

    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        self.classes.edges(&self.product, row, out);
    }

    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        let (Columns { first, second, .. }, map) = (self.classes.maps(&self.product), map as usize);
        let count = second.maps.len();
        ColumnMap::by_both(&first.maps[map / count], &second.maps[map % count])
    }

    fn undirected(&self) -> bool {
        true
    }

    fn prepare(&self, cancel: &CancelToken) -> bool {
        self.classes.prepare(&self.product, cancel)
    }
}

#[cfg(test)]
mod tests;
