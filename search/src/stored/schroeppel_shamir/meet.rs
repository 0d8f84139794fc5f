//! A product that two pairs of lists have in common: a walk down the tries of both.

use super::factors::{Factors, Halt, Point, grow};
use crate::control::Counts;
use crate::stored::store::{Budget, Full};
use std::ops::Range;

/// The products `outer x y` of a fixed element, a left factor and a right factor.
#[derive(Clone, Copy)]
pub(super) struct Products<'a, P> {
    /// The images of the fixed element.
    pub(super) outer: &'a [P],
    pub(super) left: &'a Factors<P>,
    pub(super) right: &'a Factors<P>,
}

impl<P: Point> Products<'_, P> {
    /// The image of a point under a product.
    #[inline(always)]
    fn image(&self, (left, right): (usize, usize), point: usize) -> P {
        let middle = self.right.images.row(right)[point];
        self.outer[self.left.images.row(left)[middle.index()].index()]
    }

    /// Visits the children of an entry: the image of `point`, and the node of the right factors.
    #[inline(always)]
    fn children(&self, entry: Entry, point: usize, mut visit: impl FnMut(usize, u32)) {
        let left = self.left.images.row(entry.left as usize);
        let node = &self.right.nodes[entry.node as usize];
        let image = |middle: P| self.outer[left[middle.index()].index()].index();
        let (begin, end) = node.children;
        if begin == end {
            visit(image(self.right.images.row(node.rows().start)[point]), entry.node);
        }
        for child in begin..end {
            visit(image(self.right.nodes[child as usize].image), child);
        }
    }

    /// The products of an entry, as pairs of a left and a right factor.
    fn products(&self, entry: Entry) -> impl Iterator<Item = (usize, usize)> {
        let rows = self.right.nodes[entry.node as usize].rows();
        rows.map(move |right| (entry.left as usize, right))
    }
}

/// A left factor, and a node of the trie of right factors: the products of the left factor with
/// each right factor below the node.
#[derive(Clone, Copy, Default)]
struct Entry {
    left: u32,
    node: u32,
}

/// An image that products of both sides share, and the number of entries on each side.
#[derive(Clone, Copy)]
struct SharedImage {
    image: usize,
    counts: [u32; 2],
}

/// For each side: a range of its stack.
type Ranges = [Range<usize>; 2];

/// A product of each side, as a pair of a left and a right factor.
pub(super) type Equal = [(usize, usize); 2];

/// The most pairs of products that are compared one by one.
const PAIRS: usize = 64;
/// The most entries that one step makes for several images at a time. One image may have more: at
/// most one for each left factor.
const BATCH: usize = 1 << 14;
/// The number of entries between two checks of the limits.
const LOOK: u64 = 1 << 16;

/// The walk. Its position is a string of images of the first points of the base. For each side it
/// holds the products with these images, as entries.
pub(super) struct Meet<'a, P> {
    sides: [Products<'a, P>; 2],
    base: &'a [usize],
    /// For each side: the entries of the position and of those before, the last ones on top.
    stacks: [Vec<Entry>; 2],
    /// The shared images of these positions.
    shared: Vec<SharedImage>,
    /// For each side and image: a number of entries, or a place on the stack. Zero between uses.
    tally: [Vec<u32>; 2],
    budget: &'a Budget,
    pub(super) counts: Counts,
    /// Says whether to stop, for a number of entries made.
    stop: &'a mut dyn FnMut(u64) -> bool,
    unchecked: u64,
}

impl<'a, P: Point> Meet<'a, P> {
    pub(super) fn new(
        sides: [Products<'a, P>; 2],
        base: &'a [usize],
        counts: Counts,
        budget: &'a Budget,
        stop: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        let tally = sides.map(|side| vec![0; side.outer.len()]);
        let (stacks, shared) = ([Vec::new(), Vec::new()], Vec::new());
        Self { sides, base, stacks, shared, tally, budget, counts, stop, unchecked: 0 }
    }

    /// The first pair of equal products; `None` if no products are equal.
    pub(super) fn run(&mut self) -> Result<Option<Equal>, Halt> {
        for (side, stack) in self.sides.iter().zip(&mut self.stacks) {
            let rows = side.left.images.rows();
            grow(stack, rows, self.budget)?;
            let rows = u32::try_from(rows).map_err(|_| Full)?;
            stack.extend((0..rows).map(|left| Entry { left, node: 0 }));
        }
        let all = [0, 1].map(|side| 0..self.stacks[side].len());
        self.descend(0, &all)
    }

    /// Searches the products of these entries, which have equal images of the first `level` points.
    fn descend(&mut self, level: usize, ranges: &Ranges) -> Result<Option<Equal>, Halt> {
        self.counts.expanded += (ranges[0].len() + ranges[1].len()) as u64;
        let Some(&point) = self.base.get(level).filter(|_| !self.few(ranges)) else {
            return self.compare(level, ranges);
        };
        let bottom = [self.stacks[0].len(), self.stacks[1].len()];
        let first = self.shared.len();
        self.share(point, ranges)?;
        let mut from = first;
        while from < self.shared.len() {
            let end = self.fill(point, ranges, from)?;
            let mut at = bottom;
            for number in from..end {
                let counts = self.shared[number].counts;
                let below = [0, 1].map(|side| at[side]..at[side] + counts[side] as usize);
                at = [below[0].end, below[1].end];
                if let Some(equal) = self.descend(level + 1, &below)? {
                    return Ok(Some(equal));
                }
            }
            for (stack, bottom) in self.stacks.iter_mut().zip(bottom) {
                stack.truncate(bottom);
            }
            from = end;
        }
        self.shared.truncate(first);
        Ok(None)
    }

    /// Finds the images of `point` that both sides have, with the numbers of their entries, and
    /// puts them on top of `self.shared`.
    fn share(&mut self, point: usize, ranges: &Ranges) -> Result<(), Halt> {
        let first = self.shared.len();
        for side in [0, 1] {
            for at in ranges[side].clone() {
                let mut made = 0;
                let [of_front, of_back] = &mut self.tally;
                self.sides[side].children(self.stacks[side][at], point, |image, _| {
                    made += 1;
                    if side == 1 {
                        // Images that the front does not have are of no use.
                        of_back[image] += u32::from(of_front[image] > 0);
                    } else {
                        if of_front[image] == 0 {
                            self.shared.push(SharedImage { image, counts: [0; 2] });
                        }
                        of_front[image] += 1;
                    }
                });
                self.counts.generated += made;
                self.spend(made)?;
            }
        }
        for shared in &mut self.shared[first..] {
            shared.counts = [0, 1].map(|side| std::mem::take(&mut self.tally[side][shared.image]));
        }
        let mut kept = first;
        for number in first..self.shared.len() {
            let shared = self.shared[number];
            self.shared[kept] = shared;
            kept += usize::from(shared.counts[1] > 0);
        }
        self.shared.truncate(kept);
        Ok(())
    }

    /// Puts the entries of some shared images on top of the stacks, image after image: those from
    /// the number `from` on, as many as a batch takes. Returns the number of the next one.
    fn fill(&mut self, point: usize, ranges: &Ranges, from: usize) -> Result<usize, Halt> {
        let bottom = [self.stacks[0].len(), self.stacks[1].len()];
        let (mut top, mut end) = (bottom, from);
        while let Some(shared) = self.shared.get(end) {
            let next = [0, 1].map(|side| top[side] + shared.counts[side] as usize);
            if end > from && next[0] + next[1] - bottom[0] - bottom[1] > BATCH {
                break;
            }
            for side in [0, 1] {
                // Places count from 1: 0 stands for an image that is not wanted.
                let place = top[side] - bottom[side] + 1;
                self.tally[side][shared.image] = u32::try_from(place).map_err(|_| Full)?;
            }
            (top, end) = (next, end + 1);
        }
        for side in [0, 1] {
            let stack = &mut self.stacks[side];
            grow(stack, top[side], self.budget)?;
            stack.resize(top[side], Entry::default());
            for at in ranges[side].clone() {
                let (entry, mut made) = (self.stacks[side][at], 0);
                let (stack, places) = (&mut self.stacks[side], &mut self.tally[side]);
                self.sides[side].children(entry, point, |image, node| {
                    made += 1;
                    let place = places[image] as usize;
                    if place > 0 {
                        stack[bottom[side] + place - 1] = Entry { left: entry.left, node };
                        places[image] += 1;
                    }
                });
                self.spend(made)?;
            }
            for shared in &self.shared[from..end] {
                self.tally[side][shared.image] = 0;
            }
        }
        Ok(end)
    }

    /// Whether the entries have so few products that comparing all pairs is faster.
    fn few(&self, ranges: &Ranges) -> bool {
        let products = |side: usize| -> usize {
            let entries = self.stacks[side][ranges[side].clone()].iter();
            entries
                .map(|entry| self.sides[side].right.nodes[entry.node as usize].rows().len())
                .sum()
        };
        ranges[0].len() * ranges[1].len() <= PAIRS && products(0) * products(1) <= PAIRS
    }

    /// Compares all pairs of products of these entries, by the base from `level` on, then by all
    /// points.
    fn compare(&mut self, level: usize, ranges: &Ranges) -> Result<Option<Equal>, Halt> {
        let [front, back] = self.sides;
        let points = || self.base[level..].iter().copied().chain(0..front.outer.len());
        for at in ranges[0].clone() {
            self.spend(ranges[1].len() as u64)?;
            for one in front.products(self.stacks[0][at]) {
                for &entry in &self.stacks[1][ranges[1].clone()] {
                    for other in back.products(entry) {
                        let equal = |point| front.image(one, point) == back.image(other, point);
                        if points().all(equal) {
                            return Ok(Some([one, other]));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Counts entries, and checks the limits when it is time.
    #[inline(always)]
    fn spend(&mut self, entries: u64) -> Result<(), Halt> {
        self.unchecked += entries;
        if self.unchecked >= LOOK {
            self.unchecked = 0;
            if (self.stop)(self.counts.generated) {
                return Err(Halt::Stopped);
            }
        }
        Ok(())
    }
}
