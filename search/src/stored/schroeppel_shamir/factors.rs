//! Elements at one distance from the identity as factors of products: their images, and a trie.

use crate::stored::store::{Budget, Full};
use std::ops::Range;

/// The number of rows between two checks of the limits.
pub(super) const LOOK: usize = 1 << 12;

/// Why a walk ended early.
pub(super) enum Halt {
    Full,
    /// The caller's check said so.
    Stopped,
}

impl From<Full> for Halt {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

/// A point in a table of images: one byte if there are at most 256 points, else two.
pub(super) trait Point: Copy + Ord + Default {
    /// The point with this number, which fits.
    fn new(number: usize) -> Self;
    fn index(self) -> usize;
}

macro_rules! point {
    ($($word:ty)*) => { $(
        impl Point for $word {
            #[expect(clippy::cast_possible_truncation, reason = "the caller's type fits")]
            fn new(number: usize) -> Self {
                number as $word
            }
            #[inline(always)]
            fn index(self) -> usize {
                self.into()
            }
        }
    )* };
}

point! { u8 u16 }

/// Makes room for `len` entries. Takes the bytes from the budget before it allocates.
pub(super) fn grow<T>(list: &mut Vec<T>, len: usize, budget: &Budget) -> Result<(), Full> {
    if len > list.capacity() {
        let (old, new) = (list.capacity(), len.next_power_of_two());
        budget.take(new * size_of::<T>())?;
        list.reserve_exact(new - list.len());
        budget.give(old * size_of::<T>());
    }
    Ok(())
}

/// The images of some elements, in rows of one entry for each point.
pub(super) struct Images<P> {
    points: usize,
    entries: Vec<P>,
}

impl<P: Point> Images<P> {
    /// A table with room for this many rows.
    pub(super) fn with_room(points: usize, rows: usize, budget: &Budget) -> Result<Self, Full> {
        budget.take(points * rows * size_of::<P>())?;
        Ok(Self { points, entries: Vec::with_capacity(points * rows) })
    }

    pub(super) fn push(&mut self, row: impl Iterator<Item = usize>) {
        self.entries.extend(row.map(P::new));
    }

    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[P] {
        &self.entries[row * self.points..][..self.points]
    }

    /// Frees the table.
    pub(super) fn free(self, budget: &Budget) {
        budget.give(self.entries.capacity() * size_of::<P>());
    }

    pub(super) fn rows(&self) -> usize {
        self.entries.len() / self.points.max(1)
    }

    /// The order in which to compare products: points whose images determine those of the others,
    /// as far as the rows tell. Points that more elements move come first.
    ///
    /// Two kinds of points are left out. No row moves the one kind. The image of the other kind
    /// follows from that of a point before, as with another sticker of the same piece. At most 4096
    /// rows are asked.
    pub(super) fn base(&self) -> Vec<usize> {
        let rows = self.rows().min(4096);
        let moved =
            |&point: &usize| (0..rows).filter(move |&row| self.row(row)[point].index() != point);
        let mut order: Vec<(usize, usize)> =
            (0..self.points).map(|point| (moved(&point).count(), point)).collect();
        order.retain(|&(moved, _)| moved > 0);
        sort_by_moved(&mut order);
        let mut function = Function { of: vec![(0, P::default()); self.points], stamp: 0 };
        let mut base: Vec<usize> = Vec::new();
        for (_, point) in order {
            let pairs =
                |from: usize| (0..rows).map(move |row| (self.row(row)[from], self.row(row)[point]));
            if !base.iter().any(|&from| function.holds(pairs(from))) {
                base.push(point);
            }
        }
        base
    }
}

/// Sorts points, each after the number of elements that move it: most elements first.
fn sort_by_moved(order: &mut [(usize, usize)]) {
    order.sort_unstable_by_key(|&(moved, point)| (usize::MAX - moved, point));
}

/// Tells whether one point's image determines another's.
struct Function<P> {
    /// For each argument: the stamp of the question that gave its value, and the value.
    of: Vec<(u32, P)>,
    stamp: u32,
}

impl<P: Point> Function<P> {
    fn holds(&mut self, mut pairs: impl Iterator<Item = (P, P)>) -> bool {
        self.stamp += 1;
        pairs.all(|(argument, value)| {
            let known = &mut self.of[argument.index()];
            if known.0 != self.stamp {
                *known = (self.stamp, value);
            }
            known.1 == value
        })
    }
}

/// A node of a trie: the rows whose images of the first points of the base are equal.
pub(super) struct TrieNode<P> {
    /// The image of the last of these points.
    pub(super) image: P,
    /// The first row, and the end.
    rows: (u32, u32),
    /// The first child, and the end. Empty for a node with one row.
    pub(super) children: (u32, u32),
}

impl<P> TrieNode<P> {
    pub(super) fn rows(&self) -> Range<usize> {
        self.rows.0 as usize..self.rows.1 as usize
    }
}

/// All elements at one distance, sorted by their images of the base, and the trie of these images.
///
/// Node 0 is the root. Memory: `points` entries for each element, and at most one node for each
/// element and point of the base; a branch ends where it has one element only.
pub(super) struct Factors<P> {
    pub(super) images: Images<P>,
    pub(super) nodes: Vec<TrieNode<P>>,
}

impl<P: Point> Factors<P> {
    /// `stop` is called every few thousand rows, with their number. If it returns true, the work
    /// ends.
    pub(super) fn new(
        images: &Images<P>,
        base: &[usize],
        budget: &Budget,
        stop: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, Halt> {
        let rows = u32::try_from(images.rows()).map_err(|_| Full)?;
        let bytes = images.rows() * size_of::<u32>();
        budget.take(bytes)?;
        let mut order: Vec<u32> = (0..rows).collect();
        let nodes = make_nodes(images, base, &mut order, budget, stop)?;
        let mut sorted = Images::with_room(images.points, images.rows(), budget)?;
        for some in order.chunks(LOOK) {
            if stop(some.len()) {
                return Err(Halt::Stopped);
            }
            for &row in some {
                sorted.entries.extend_from_slice(images.row(row as usize));
            }
        }
        budget.give(bytes);
        Ok(Self { images: sorted, nodes })
    }
}

/// Makes the trie level by level, so that the children of a node have consecutive numbers. Sorts
/// the rows of each node.
fn make_nodes<P: Point>(
    images: &Images<P>,
    base: &[usize],
    order: &mut [u32],
    budget: &Budget,
    stop: &mut dyn FnMut(usize) -> bool,
) -> Result<Vec<TrieNode<P>>, Halt> {
    let mut nodes = Vec::new();
    grow(&mut nodes, 1, budget)?;
    nodes.push(TrieNode { image: P::default(), rows: short(0..order.len())?, children: (0, 0) });
    let (mut begin, mut unchecked) = (0, 0);
    for &point in base {
        let end = nodes.len();
        for number in begin..end {
            let rows = nodes[number].rows();
            if rows.len() < 2 {
                continue;
            }
            unchecked += rows.len();
            if unchecked >= LOOK {
                if stop(unchecked) {
                    return Err(Halt::Stopped);
                }
                unchecked = 0;
            }
            let image = |&row: &u32| images.row(row as usize)[point];
            let (first, mut from) = (nodes.len(), rows.start);
            order[rows.clone()].sort_by_key(image);
            for same in order[rows].chunk_by(|a, b| image(a) == image(b)) {
                let rows = short(from..from + same.len())?;
                from += same.len();
                let all = nodes.len() + 1;
                grow(&mut nodes, all, budget)?;
                nodes.push(TrieNode { image: image(&same[0]), rows, children: (0, 0) });
            }
            nodes[number].children = short(first..nodes.len())?;
        }
        begin = end;
    }
    Ok(nodes)
}

fn short(range: Range<usize>) -> Result<(u32, u32), Full> {
    let short = |index| u32::try_from(index).map_err(|_| Full);
    Ok((short(range.start)?, short(range.end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pieces with two stickers each, and a piece that never moves.
    #[test]
    fn a_base_has_a_point_of_each_piece_that_moves() {
        let budget = Budget::new(None);
        let mut images = Images::<u8>::with_room(5, 4, &budget).unwrap();
        for row in [[0, 1, 2, 3, 4], [1, 0, 2, 3, 4], [0, 1, 3, 2, 4], [1, 0, 3, 2, 4]] {
            images.push(row.into_iter());
        }
        assert_eq!(images.base(), [0, 2]);
        let sorted =
            |base: &[usize], budget: &Budget| Factors::new(&images, base, budget, &mut |_| false);
        let factors = sorted(&images.base(), &budget).ok().unwrap();
        let children = |node: usize| -> Vec<(u8, Range<usize>)> {
            let (begin, end) = factors.nodes[node].children;
            factors.nodes[begin as usize..end as usize]
                .iter()
                .map(|node| (node.image, node.rows()))
                .collect()
        };
        assert_eq!(children(0), [(0, 0..2), (1, 2..4)]);
        assert_eq!(children(2), [(2, 2..3), (3, 3..4)]);
        assert_eq!(factors.images.row(3), [1, 0, 3, 2, 4]);
        assert!(matches!(sorted(&[0], &Budget::new(Some(20))), Err(Halt::Full)));
        let stopped = Factors::new(&images, &[0], &budget, &mut |_| true);
        assert!(matches!(stopped, Err(Halt::Stopped)));
    }
}
