//! A toy group for tests: permutations with generators as operators, and slow searches in it.

use groups::Permutation;
use search::{Cost, Domain, Group, Op, OpSet, Packed, PermutationGroup, Reversible};
use std::collections::{BTreeMap, BTreeSet};

/// The elements of a permutation group, with generators and their inverses as operators.
#[derive(Clone, Debug)]
pub(crate) struct Elements(pub(crate) Vec<(Permutation, Cost)>);

impl Domain for Elements {
    type State = Permutation;
    type Ops = u64;
    fn operators(&self) -> usize {
        self.0.len()
    }
    fn applicable(&self, _: &Permutation) -> u64 {
        u64::first(self.0.len())
    }
    fn apply_into(&self, from: &Permutation, op: Op, to: &mut Permutation) {
        *to = from.then(&self.0[op.index()].0);
    }
    fn is_goal(&self, state: &Permutation) -> bool {
        *state == self.identity()
    }
    fn cost(&self, op: Op) -> Cost {
        self.0[op.index()].1
    }
}

impl Reversible for Elements {
    fn inverse_op(&self, op: Op) -> Op {
        let (action, cost) = &self.0[op.index()];
        let inverse = (action.inverse(), *cost);
        Op::new(self.0.iter().position(|other| *other == inverse).expect("an inverse"))
    }
}

impl Group for Elements {
    fn identity(&self) -> Permutation {
        Permutation::identity(self.0[0].0.points()).expect("few points")
    }
    fn compose(&self, a: &Permutation, b: &Permutation, out: &mut Permutation) {
        *out = a.then(b);
    }
    fn invert(&self, a: &Permutation, out: &mut Permutation) {
        *out = a.inverse();
    }
}

/// The image of a point is the point that the element takes there.
impl PermutationGroup for Elements {
    fn points(&self) -> usize {
        self.0[0].0.points()
    }
    fn image(&self, element: &Permutation, point: usize) -> usize {
        element.images().iter().position(|&image| usize::from(image) == point).expect("an image")
    }
}

/// The key has the image of each point in four bits.
impl Packed for Elements {
    type Key = u64;
    fn pack(&self, state: &Permutation) -> u64 {
        state.images().iter().rev().fold(0, |key, &image| key << 4 | u64::from(image))
    }
    fn unpack(&self, key: u64, out: &mut Permutation) {
        let image = |point| u16::try_from(key >> (4 * point) & 15).expect("four bits");
        *out = Permutation::new((0..out.points()).map(image).collect()).expect("a key");
    }
}

/// All elements that these operators reach.
pub(crate) fn closure(domain: &Elements, ops: &[Op]) -> BTreeSet<Permutation> {
    let mut all = BTreeSet::from([domain.identity()]);
    let mut todo = vec![domain.identity()];
    while let Some(element) = todo.pop() {
        for op in ops {
            let next = element.then(&domain.0[op.index()].0);
            if all.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    all
}

/// The cost from each element to the nearest goal by these operators, by Dijkstra's algorithm.
pub(crate) fn costs(
    domain: &Elements,
    ops: &[Op],
    goals: &BTreeSet<Permutation>,
) -> BTreeMap<Permutation, u32> {
    let mut open = BTreeMap::from([(0, goals.iter().cloned().collect::<Vec<_>>())]);
    let mut costs = BTreeMap::new();
    while let Some((cost, bucket)) = open.pop_first() {
        for element in bucket {
            if costs.contains_key(&element) {
                continue;
            }
            for op in ops {
                let (action, of_op) = &domain.0[op.index()];
                let from = element.then(&action.inverse());
                open.entry(cost + u32::from(*of_op)).or_default().push(from);
            }
            costs.insert(element, cost);
        }
    }
    costs
}

/// Operators that swap two points each. They undo themselves.
pub(crate) fn swaps(
    points: usize,
    pairs: &[&[[u16; 2]]],
    cost: impl Fn(usize) -> Cost,
) -> Elements {
    let swap = |(number, pairs): (usize, &&[[u16; 2]])| {
        let cycles: Vec<&[u16]> = pairs.iter().map(|pair| &pair[..]).collect();
        (Permutation::from_cycles(points, &cycles).expect("swaps"), cost(number))
    };
    Elements(pairs.iter().enumerate().map(swap).collect())
}

pub(crate) fn ops(numbers: impl IntoIterator<Item = usize>) -> Vec<Op> {
    numbers.into_iter().map(Op::new).collect()
}
