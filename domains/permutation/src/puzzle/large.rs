//! Any definition as a domain, for puzzles with more slots, operators or orientations than states
//! of a fixed size can hold.

use super::labels::PuzzleLabels;
use super::slots::SlotContents;
use super::{NotSearchable, PuzzleSize};
use crate::definition::PuzzleState;
use search::{Contexts, Cost, Domain, Op, OpSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The operators of a [`LargePuzzle`].
pub type LargeOps = [u64; 32];

/// A state of a [`LargePuzzle`]: for each slot the label and the twist of its piece. Four bytes for
/// each slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LargeState {
    /// A hash of the state. Comparisons look at it first.
    fingerprint: u128,
    /// For each slot: the label, shifted, and the twist in the lowest eight bits.
    codes: Box<[u32]>,
}

/// The fingerprint stands for the state: equal states have equal ones.
impl Hash for LargeState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.fingerprint.hash(hasher);
    }
}

impl LargeState {
    /// A hash of the labels and twists. Two different states share it with a chance of about one in
    /// 2^120.
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// The labels and twists.
    pub fn contents(&self) -> SlotContents {
        let twist = |code: &u32| code.to_le_bytes()[0];
        SlotContents {
            piece: self.codes.iter().copied().map(label).collect(),
            twist: self.codes.iter().map(twist).collect(),
        }
    }
}

/// What an operator does to one slot.
#[derive(Clone, Copy, Debug)]
struct Change {
    slot: u16,
    /// The slot that the piece comes from.
    from: u16,
    /// By how much the piece turns.
    turn: u8,
}

/// The domain of any definition, for puzzles of any size. Operators have the order of
/// [`crate::Operators`].
///
/// Each state has its own allocation. The fingerprint is updated only for the slots that change.
/// Tests compare it with [`super::GeneralPuzzle`].
#[derive(Clone, Debug)]
pub struct LargePuzzle {
    labels: Arc<PuzzleLabels>,
    /// For each operator: the slots that it changes.
    changes: Vec<Vec<Change>>,
    all: LargeOps,
    goals: Vec<LargeState>,
    /// Whether rules about states hold.
    restricted: bool,
    /// For each label: the number of its kind.
    kinds: Vec<u16>,
}

impl LargePuzzle {
    /// The domain of a puzzle that is given by labels.
    ///
    /// # Errors
    /// If there are more operators than [`LargeOps`] holds.
    pub fn of(labels: Arc<PuzzleLabels>) -> Result<Self, NotSearchable> {
        labels.size().fit(PuzzleSize::MOST)?;
        let changes = labels.effects.steps.iter().map(|step| {
            let slots = (0..=u16::MAX).zip(step.piece.iter().zip(&step.twist)).enumerate();
            let moved = slots.filter(|&(slot, _)| step.changes(slot));
            moved.map(|(_, (slot, (&from, &turn)))| Change { slot, from, turn }).collect()
        });
        let mut made = Self {
            changes: changes.collect(),
            all: LargeOps::first(labels.list().list.len()),
            goals: Vec::new(),
            restricted: labels.definition().rules().restrict_states(),
            kinds: labels.kinds(),
            labels,
        };
        made.goals = made.labels.goals.iter().map(|goal| made.of_contents(goal)).collect();
        Ok(made)
    }

    /// The same domain with every operator replaced by its inverse, for searches from the goals.
    ///
    /// It ignores rules about states, so it reaches at least all states that have a plan.
    #[must_use]
    pub fn backward(&self) -> Self {
        let undone = |change: &Change| {
            let modulus = self.labels.effects.modulus[usize::from(change.slot)];
            let turn = (modulus - change.turn) % modulus;
            Change { slot: change.from, from: change.slot, turn }
        };
        let changes = self.changes.iter().map(|all| all.iter().map(undone).collect()).collect();
        Self { changes, restricted: false, ..self.clone() }
    }

    /// The definition by labels.
    pub fn labels(&self) -> &Arc<PuzzleLabels> {
        &self.labels
    }

    /// The goal states.
    pub fn goals(&self) -> &[LargeState] {
        &self.goals
    }

    /// The shape of a state: for each slot the kind of the piece there. The same operators apply to
    /// states of one shape, and each takes them to one shape. Without rules about states, all have
    /// the same shape.
    pub fn shape(&self, state: &LargeState) -> Box<[u16]> {
        state.codes.iter().map(|&code| self.kinds[usize::from(label(code))]).collect()
    }

    /// Converts a state of the definition to a state of the domain.
    ///
    /// # Panics
    /// If it has pieces that no goal has.
    pub fn state(&self, pattern: &PuzzleState) -> LargeState {
        self.of_contents(&self.labels.contents(pattern))
    }

    fn of_contents(&self, contents: &SlotContents) -> LargeState {
        let pairs = contents.piece.iter().zip(&contents.twist);
        let codes: Box<[u32]> =
            pairs.map(|(&label, &twist)| u32::from(label) << 8 | u32::from(twist)).collect();
        let terms = codes.iter().enumerate().map(|(slot, &code)| term(slot, code));
        LargeState { fingerprint: terms.fold(0, u128::wrapping_add), codes }
    }

    /// The code of a slot after a change of the state `from`.
    #[inline(always)]
    fn changed(&self, from: &LargeState, change: Change) -> u32 {
        let code = from.codes[usize::from(change.from)];
        if change.turn == 0 {
            return code;
        }
        let known = u32::from(self.labels.pieces[(code >> 8) as usize].2);
        let turned = ((code & 0xFF) + u32::from(change.turn)) % known;
        (code & !0xFF) | turned
    }

    /// The fingerprint of the state after an operator.
    pub fn fingerprint_after(&self, from: &LargeState, op: Op) -> u128 {
        self.changes[op.index()].iter().fold(from.fingerprint, |sum, &change| {
            let slot = usize::from(change.slot);
            let (old, new) = (from.codes[slot], self.changed(from, change));
            if old == new { sum } else { replaced(sum, slot, old, new) }
        })
    }

    fn allows(&self, state: &LargeState, op: usize) -> bool {
        let label = |slot: usize| label(state.codes[slot]);
        let slot = |wanted| (0..state.codes.len()).find(|&slot| label(slot) == wanted);
        self.labels.allows(op, label, slot)
    }
}

/// The label in the code of a slot.
fn label(code: u32) -> u16 {
    u16::try_from(code >> 8).unwrap_or(u16::MAX)
}

/// What a slot adds to the fingerprint: a product of two hashes.
#[inline(always)]
fn term(slot: usize, code: u32) -> u128 {
    u128::from(hash(slot as u64 | 1 << 40)) * u128::from(hash(code.into()))
}

/// The fingerprint `sum` after the content of a slot changes from `old` to `new`.
#[inline(always)]
fn replaced(sum: u128, slot: usize, old: u32, new: u32) -> u128 {
    let slot = u128::from(hash(slot as u64 | 1 << 40));
    let (old, new) = (slot * u128::from(hash(old.into())), slot * u128::from(hash(new.into())));
    sum.wrapping_sub(old).wrapping_add(new)
}

/// Two rounds of multiply and fold.
#[inline(always)]
fn hash(word: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
    fn fold(a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    }
    fold(fold(word ^ 0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03) ^ word, 0xa076_1d64_78bd_642f)
}

impl Domain for LargePuzzle {
    type State = LargeState;
    type Ops = LargeOps;

    fn operators(&self) -> usize {
        self.changes.len()
    }
    fn applicable(&self, state: &LargeState) -> LargeOps {
        if !self.restricted {
            return self.all;
        }
        let allowed = self.all.members().filter(|op| self.allows(state, op.index()));
        allowed.fold(LargeOps::NONE, LargeOps::with)
    }
    fn apply_into(&self, from: &LargeState, op: Op, to: &mut LargeState) {
        to.codes.copy_from_slice(&from.codes);
        to.fingerprint = from.fingerprint;
        for &change in &self.changes[op.index()] {
            let slot = usize::from(change.slot);
            let (old, new) = (from.codes[slot], self.changed(from, change));
            if old != new {
                to.codes[slot] = new;
                to.fingerprint = replaced(to.fingerprint, slot, old, new);
            }
        }
    }
    fn is_goal(&self, state: &LargeState) -> bool {
        let Some(ignore) = &self.labels.ignore else { return self.goals.contains(state) };
        self.goals.iter().any(|goal| {
            let mut slots = state.codes.iter().zip(&goal.codes).enumerate();
            slots.all(|(slot, (&code, &wanted))| {
                (ignore.pieces[slot] || code >> 8 == wanted >> 8)
                    && (ignore.orientation[slot] || code & 0xFF == wanted & 0xFF)
            })
        })
    }
    fn cost(&self, op: Op) -> Cost {
        self.labels.effects.costs[op.index()]
    }
}

/// There is one context. Its laws hold only without rules about states, where every operator
/// applies, and if all pieces look different.
impl Contexts for LargePuzzle {
    search::one_context! { |puzzle: &Self| puzzle.goals[0].clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GeneralPuzzle, shipped, testing};
    use search::random::Random;

    /// Walks through puzzles with rules, with identical pieces and with unknown orientations.
    #[test]
    fn states_are_those_of_a_fixed_size() {
        let dials = "Set A 3 6\nSolved\nA\n1 1 2\n0?3 1?3 ?\nEnd\nMove T\nA\n2 3 1\n1 5 0\nEnd\n\
                     Move S\nA\n1 2 3\n2 0 1\nEnd\n";
        let names = ["square-1", "hungarian-rings", "clock", "4x4x4"];
        let texts = names.map(|name| shipped::text(name).expect("shipped"));
        for text in texts.into_iter().chain([dials]) {
            let labels = Arc::new(testing::labels(testing::read(text)));
            let small = GeneralPuzzle::<64, [u64; 16]>::of(Arc::clone(&labels)).unwrap();
            let large = LargePuzzle::of(Arc::clone(&labels)).unwrap();
            let backward = large.backward();
            let mut random = Random::new(7);
            let (mut one, mut other) = (small.goals()[0], large.goals()[0].clone());
            for _ in 0..60 {
                let allowed: Vec<Op> = small.applicable(&one).members().collect();
                assert!(large.applicable(&other).members().eq(allowed.iter().copied()));
                let op = allowed[random.index(allowed.len())];
                let (before, mut next, mut back) = (one, other.clone(), other.clone());
                small.apply_into(&before, op, &mut one);
                large.apply_into(&other, op, &mut next);
                assert_eq!(next.contents(), one.contents(labels.slots()));
                assert_eq!(next, large.of_contents(&next.contents()));
                assert_eq!(next.fingerprint(), large.fingerprint_after(&other, op));
                assert_eq!(large.is_goal(&next), small.is_goal(&one));
                backward.apply_into(&next, op, &mut back);
                assert_eq!(back, other);
                other = next;
            }
        }
    }
}
