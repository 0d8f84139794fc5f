//! The data of the staged expansion: waiting nodes, and the children that are made together.

use super::super::{Counts, Node, Problem};
use super::path::Path;
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::{Batch, Carries, CarrySlice, Heuristic, LookupBatch, Slack};
use crate::pruning::Pruning;

/// How many operators to take from a set at a time.
const SOME: usize = 8;

/// A node within the bound that waits for its turn.
pub(super) struct Waiting<D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    pub(super) node: Node<D, H, P>,
    pub(super) path: Path,
    /// If `WIDTH` is 1: how many children count as generated when the search comes to this node.
    /// They are this node, and the siblings that were cut between it and the previous waiting
    /// sibling.
    pub(super) taken: u16,
    pub(super) goal: bool,
}

/// Children that are made together, with a vector for each part of their data. Vectors are indexed
/// by the number of the child. They are longer than needed: slots are allocated once and
/// overwritten.
pub(super) struct Children<D: Domain, H: Heuristic<D>> {
    pub(super) made: usize,
    pub(super) states: Vec<D::State>,
    pub(super) carries: Vec<H::Carry>,
    pub(super) ops: Vec<Op>,
    pub(super) parents: Vec<u16>,
    pub(super) slack: Vec<Slack>,
    /// If `WIDTH` is 1: 1 for the child itself, plus the number of siblings that were cut between
    /// the previous kept sibling and this child.
    pub(super) taken: Vec<u16>,
    /// The excluded operators of each child within the bound.
    pub(super) excluded: Vec<D::Ops>,
    /// Whether each child within the bound is a goal.
    pub(super) goals: Vec<bool>,
    /// The numbers of the children that are not cut, ascending. Only the first `count` entries are
    /// in use.
    pub(super) left: Vec<u16>,
    pub(super) count: usize,
    lookups: LookupBatch,
}

/// The vectors of [`Children`] that are the same in every search. So they are made by code that is
/// compiled once.
struct Numbers {
    ops: Vec<Op>,
    parents: Vec<u16>,
    slack: Vec<Slack>,
    taken: Vec<u16>,
    goals: Vec<bool>,
    left: Vec<u16>,
}

impl Numbers {
    fn new(most: usize) -> Self {
        assert!(u16::try_from(most).is_ok(), "{most} children at once");
        Self {
            ops: vec![Op(0); most + SOME],
            parents: vec![0; most + SOME],
            slack: vec![Slack::default(); most + SOME],
            taken: vec![0; most],
            goals: vec![false; most],
            left: vec![0; most],
        }
    }
}

impl<D: Domain, H: Heuristic<D>> Children<D, H> {
    /// Vectors for `most` children. States and carried data are added with the first children.
    pub(super) fn new(most: usize) -> Self {
        let Numbers { ops, parents, slack, taken, goals, left } = Numbers::new(most);
        Self {
            made: 0,
            states: Vec::new(),
            carries: Vec::new(),
            ops,
            parents,
            slack,
            taken,
            excluded: vec![D::Ops::NONE; most],
            goals,
            left,
            count: 0,
            lookups: LookupBatch::new(),
        }
    }

    /// The children of `parents` for the heuristic.
    #[inline(always)]
    pub(super) fn batch<'c, P: Pruning<D>>(
        &'c mut self,
        parents: &'c [Waiting<D, H, P>],
    ) -> Batch<'c, impl Carries<State = D::State, Carry = H::Carry>> {
        let these = ..self.made;
        let numbers = &self.parents[these];
        let from = |child: usize| {
            let node = &parents[usize::from(numbers[child])].node;
            (&node.state, &node.carry)
        };
        Batch {
            left: &self.left[..self.count],
            parents: numbers,
            ops: &self.ops[these],
            states: &self.states[these],
            slack: &mut self.slack[these],
            lookups: &mut self.lookups,
            early: true,
            carries: CarrySlice(from, &mut self.carries[these]),
        }
    }

    /// Numbers the children of `parents`, those of the last parent first. Records the operator,
    /// parent and limit of each child.
    #[inline(always)]
    pub(super) fn number<P: Pruning<D>>(
        &mut self,
        space: Problem<'_, D, H, P>,
        parents: &[Waiting<D, H, P>],
        counts: &mut Counts,
    ) {
        let mut made = 0;
        for (number, parent) in parents.iter().enumerate().rev() {
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            let node = &parent.node;
            let todo = space.todo(&node.state, node.at, node.excluded, counts);
            made = if D::UNIT_COSTS && !P::DEAD_ENDS {
                self.number_all(made, todo, number, node.remaining, counts)
            } else {
                self.number_each(made, todo, number, node, space, counts)
            };
        }
        (self.made, self.count) = (made, made);
        for (child, left) in (0..).zip(&mut self.left[..made]) {
            *left = child;
        }
        if let Some(first) = parents.first() {
            while self.states.len() < made {
                self.states.push(first.node.state.clone());
                self.carries.push(first.node.carry.clone());
            }
        }
    }

    /// Numbers the children of one node by the operators `todo`. The first child gets the number
    /// `made`. Returns the first free number.
    #[inline(always)]
    fn number_each<P: Pruning<D>>(
        &mut self,
        mut made: usize,
        mut todo: D::Ops,
        number: u16,
        node: &Node<D, H, P>,
        space: Problem<'_, D, H, P>,
        counts: &mut Counts,
    ) -> usize {
        while let Some(op) = todo.pop() {
            let entered = space.enter(node.at, op, node.remaining, counts);
            let Some((limit, _)) = entered else { continue };
            (self.ops[made], self.parents[made]) = (op, number);
            self.slack[made] = Slack { limit, proven: 0 };
            made += 1;
        }
        made
    }

    /// [`Children::number_each`] for unit costs and a pruning without dead ends. Takes several
    /// operators at once: the CPU cannot predict where such a short loop ends.
    #[inline(always)]
    fn number_all(
        &mut self,
        made: usize,
        mut todo: D::Ops,
        number: u16,
        remaining: Cost,
        counts: &mut Counts,
    ) -> usize {
        let Some(limit) = remaining.checked_sub(1) else {
            if !todo.is_empty() {
                counts.cut(1);
            }
            return made;
        };
        let (mut next, end) = (made, made + todo.len() as usize);
        loop {
            // Slots behind the end are overwritten later.
            self.ops[next..next + SOME].copy_from_slice(&todo.pop_some::<SOME>());
            self.parents[next..next + SOME].fill(number);
            self.slack[next..next + SOME].fill(Slack { limit, proven: 0 });
            next += SOME;
            if next >= end {
                return end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoPruning;
    use crate::heuristic::Zero;
    use crate::testing::Pancake;

    #[test]
    fn several_at_once_are_those_one_after_another() {
        let pancake = Pancake::new(13);
        let space = Problem { domain: &pancake, heuristic: &Zero, pruning: &NoPruning, step: 1 };
        let start = pancake.state(&[3, 1, 4, 0, 5, 9, 2, 6, 8, 7, 12, 11, 10]);
        let all = <Pancake as Domain>::Ops::first(pancake.operators());
        assert_eq!(all.len(), 12);
        let room = 3 * pancake.operators();
        for (set, remaining) in (0..1 << 12).flat_map(|set| [(set, 0), (set, 1), (set, 9)]) {
            let chosen = |op: &Op| set >> op.index() & 1 == 1;
            let todo = all.members().filter(chosen).fold(OpSet::NONE, OpSet::with);
            let node: Node<Pancake, Zero, NoPruning> = Node::root(space, &start, remaining);
            let new = || Children::<Pancake, Zero>::new(room);
            let (mut once, mut each) = (new(), new());
            let mut counts = [Counts::ZERO; 2];
            let (mut made, mut one) = (0, 0);
            for (number, todo) in [(2, todo), (1, all), (0, todo)] {
                made = once.number_all(made, todo, number, remaining, &mut counts[0]);
                one = each.number_each(one, todo, number, &node, space, &mut counts[1]);
            }
            assert_eq!(made, one);
            assert_eq!(once.ops[..made], each.ops[..made]);
            assert_eq!(once.parents[..made], each.parents[..made]);
            assert_eq!(once.slack[..made], each.slack[..made]);
            assert_eq!(counts[0].over, counts[1].over);
        }
    }
}
