//! The operators of a definition as tables over slots. Both kinds of puzzle domains use them.

use super::slots::{GroupElement, SlotContents, SlotState, any_slot};
use super::{NotSearchable, PuzzleSize};
use crate::definition::{Definition, Operators, Transformation, gcd};
use petgraph::unionfind::UnionFind;
use search::Cost;

/// The effects of the operators, for puzzles of any size.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    /// For each slot: the number of twists of a piece there.
    pub(crate) modulus: Vec<u8>,
    /// Indexed by operator, then slot: the slot that its piece comes from, and by how much it
    /// turns.
    pub(crate) steps: Vec<SlotContents>,
    pub(crate) costs: Vec<Cost>,
}

impl Effects {
    /// The effects of these operators.
    pub(crate) fn new(definition: &Definition, operators: &Operators) -> Self {
        let orbits = definition.orbits();
        let slots = orbits.slots();
        let mut modulus = vec![1; slots];
        for (orbit, range) in orbits.ranges() {
            modulus[range].fill(orbit.orientations());
        }
        let step = |transformation: &Transformation| {
            let (permutation, delta) = transformation.rows();
            let mut step = SlotContents::empty(slots);
            for (_, range) in orbits.ranges() {
                for i in range.clone() {
                    step.piece[i] = any_slot(range.start + usize::from(permutation[i]));
                    step.twist[i] = delta[i];
                }
            }
            step
        };
        let steps = operators.list.iter().map(|op| step(&op.transformation)).collect();
        Self { modulus, steps, costs: operators.list.iter().map(|op| op.cost).collect() }
    }

    /// The number of slots of all orbits.
    pub(crate) fn slots(&self) -> usize {
        self.modulus.len()
    }

    /// The inverse of an element: for each slot, where its piece goes, and the twist back.
    pub(crate) fn invert(&self, element: &SlotContents) -> SlotContents {
        let mut out = SlotContents::empty(self.slots());
        for slot in 0..self.slots() {
            let (home, modulus) = (usize::from(element.piece[slot]), self.modulus[slot]);
            out.piece[home] = any_slot(slot);
            out.twist[home] = (modulus - element.twist[slot]) % modulus;
        }
        out
    }

    /// For each slot: the first slot of its component. A component is the slots that a piece can
    /// reach.
    pub(crate) fn components(&self) -> Vec<usize> {
        let mut sets = UnionFind::new(self.slots());
        for step in &self.steps {
            for slot in 0..self.slots() {
                sets.union(slot, usize::from(step.piece[slot]));
            }
        }
        let mut first = vec![None; self.slots()];
        let firsts = sets.into_labeling().into_iter().enumerate();
        firsts.map(|(slot, set)| *first[set].get_or_insert(slot)).collect()
    }

    /// For each slot: the greatest common divisor of its number of twists and of all turns that
    /// operators make in its component.
    pub(crate) fn turn_steps(&self, component: &[usize]) -> Vec<u8> {
        let mut steps = self.modulus.clone();
        for step in &self.steps {
            for (&slot, &twist) in component.iter().zip(&step.twist) {
                let step = gcd(steps[slot].into(), twist.into());
                steps[slot] = u8::try_from(step).expect("at most 255 turns");
            }
        }
        component.iter().map(|&slot| steps[slot]).collect()
    }

    /// For each operator: the slots whose piece or twist it changes. Finds only slots below 256.
    fn moved(&self) -> Vec<Box<[u8]>> {
        let moved = |step: &SlotContents| {
            let slots = (0..=u8::MAX).zip(0..self.slots());
            let moved = slots.filter(|&(_, i)| step.changes(i));
            moved.map(|(slot, _)| slot).collect()
        };
        self.steps.iter().map(moved).collect()
    }

    /// The number of slots, of operators, and the most twists of a piece.
    pub(crate) fn size(&self) -> PuzzleSize {
        let twists = self.modulus.iter().copied().max().unwrap_or(1);
        PuzzleSize { slots: self.slots(), operators: self.costs.len(), twists }
    }
}

/// [`Effects`] for states of `N` slots. `2 N` bytes for each operator.
#[derive(Clone, Debug)]
pub(crate) struct CompiledOperators<const N: usize> {
    /// The number of slots of all orbits.
    pub(crate) slots: usize,
    /// For each slot: the number of twists of a piece there.
    pub(crate) modulus: [u8; N],
    /// Indexed by operator, then slot: the slot that its piece comes from, and by how much it
    /// turns.
    steps: Vec<GroupElement<N>>,
    /// For each operator: the slots whose piece or twist it changes.
    moved: Vec<Box<[u8]>>,
    pub(crate) costs: Vec<Cost>,
}

impl<const N: usize> CompiledOperators<N> {
    /// The operators for states of `N` slots.
    ///
    /// # Errors
    /// If there are more slots than `N`, more operators than `capacity`, or more than 128 twists.
    pub(crate) fn new(effects: &Effects, capacity: usize) -> Result<Self, NotSearchable> {
        let room = PuzzleSize { slots: N, operators: capacity, ..PuzzleSize::FIXED };
        effects.size().fit(room)?;
        let mut modulus = [1; N];
        modulus[..effects.slots()].copy_from_slice(&effects.modulus);
        Ok(Self {
            slots: effects.slots(),
            modulus,
            moved: effects.moved(),
            steps: effects.steps.iter().map(GroupElement::of).collect(),
            costs: effects.costs.clone(),
        })
    }

    /// An operator as an element of the group: the state after the operator, from the solved state.
    #[inline(always)]
    pub(crate) fn step(&self, op: usize) -> &GroupElement<N> {
        &self.steps[op]
    }

    /// Writes the product to `out`: the effect of `a`, then of `b`. `b` says for each slot where
    /// its piece comes from. Slots that the puzzle does not have keep their bytes.
    #[inline(always)]
    pub(crate) fn then<K: Copy>(
        &self,
        a: &SlotState<K, N>,
        b: &GroupElement<N>,
        out: &mut SlotState<K, N>,
    ) {
        for i in 0..self.slots.min(N) {
            self.fill(a, b, i, out);
        }
    }

    /// As [`CompiledOperators::then`], for an operator. Writes only the slots that it changes.
    #[inline(always)]
    pub(crate) fn after<K: Copy>(
        &self,
        from: &SlotState<K, N>,
        op: usize,
        to: &mut SlotState<K, N>,
    ) {
        let (step, moved) = (&self.steps[op], &self.moved[op]);
        *to = *from;
        for &slot in moved {
            self.fill(from, step, usize::from(slot) & Self::MASK, to);
        }
    }

    /// A mask for slot numbers below `N`, so that an index needs no bounds check.
    const MASK: usize = {
        assert!(N.is_power_of_two());
        N - 1
    };

    #[inline(always)]
    fn fill<K>(
        &self,
        a: &SlotState<K, N>,
        b: &GroupElement<N>,
        i: usize,
        out: &mut SlotState<K, N>,
    ) {
        let from = usize::from(b.piece[i]) & Self::MASK;
        let twist = a.twist[from] + b.twist[i];
        out.piece[i] = a.piece[from];
        // The sum is below twice the modulus. Below the modulus the difference wraps to a large
        // number.
        out.twist[i] = twist.min(twist.wrapping_sub(self.modulus[i]));
    }
}
