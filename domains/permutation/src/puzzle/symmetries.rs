//! The symmetries of a puzzle whose states form a group, derived from its operators.

use super::group::PuzzleGroup;
use super::group_puzzle::GroupPuzzle;
use super::relabelling::Relabelling;
use super::slots::GroupElement;
use groups::{GroupError, symmetries_until};
use search::{CancelToken, Op, OpSet, Symmetric};
use std::cell::Cell;
use std::collections::HashSet;

/// Most symmetries. Tables number them by a byte.
const MOST: usize = 256;

/// Most steps of the search for symmetries, a few seconds. Where moves are many and look alike, it
/// would go on for hours. Then the identity is the only symmetry.
const MOST_STEPS: u32 = 1 << 15;

impl PuzzleGroup {
    /// The symmetries, computed on first use. The identity is the first.
    pub(crate) fn relabellings(&self) -> &[Relabelling] {
        self.relabelled
            .get_or_init(|| self.find_relabellings(&CancelToken::new()).expect("nobody cancels"))
    }

    /// Finds the symmetries, unless they are known. Without this call they are found on first use.
    ///
    /// # Errors
    /// [`GroupError::Stopped`] if cancelled. Then nothing is kept.
    pub fn find_symmetries(&self, cancel: &CancelToken) -> Result<(), GroupError> {
        if self.relabelled.get().is_none() {
            let found = self.find_relabellings(cancel)?;
            // Another thread may have found the same.
            let _ = self.relabelled.set(found);
        }
        Ok(())
    }

    /// The number of symmetries, including the identity.
    pub fn symmetries(&self) -> usize {
        self.relabellings().len()
    }

    fn find_relabellings(&self, cancel: &CancelToken) -> Result<Vec<Relabelling>, GroupError> {
        let generators = self.generators_with_costs().expect("operators permute the points");
        let steps = Cell::new(0);
        let stop = || {
            steps.set(steps.get() + 1);
            steps.get() > MOST_STEPS || cancel.is_cancelled()
        };
        let found = match symmetries_until(self.points(), &generators, MOST, &stop) {
            Err(GroupError::Stopped) if cancel.is_cancelled() => return Err(GroupError::Stopped),
            // If there are too many points or steps, the identity is the only symmetry.
            found => found.unwrap_or_default(),
        };
        let mut relabellings: Vec<Relabelling> =
            found.iter().filter_map(|symmetry| self.relabelling(symmetry)).collect();
        if !are_a_group(&relabellings) {
            relabellings.clear();
            relabellings.push(Relabelling {
                to: (0..=u8::MAX).take(self.slots()).collect(),
                shift: vec![0; self.slots()],
                mirrored: vec![false; self.slots()],
                operators: (0..self.list().list.len()).map(Op::new).collect(),
            });
        }
        Ok(relabellings)
    }

    /// The effect on slots of a symmetry of the points. `None` if it separates the points of a
    /// slot, or does not keep or reverse the order of their twists.
    fn relabelling(&self, symmetry: &groups::Symmetry) -> Option<Relabelling> {
        let (mut to, mut shift, mut mirrored) = (Vec::new(), Vec::new(), Vec::new());
        for slot in 0..self.slots() {
            let modulus = self.twists(slot);
            let image = |twist: u8| {
                self.slot_of(symmetry.points.image(self.point(slot) + u16::from(twist)))
            };
            let (there, first) = image(0);
            if self.twists(there) != modulus {
                return None;
            }
            let turned = |twist: u8, back: bool| {
                let twist = if back { modulus - twist } else { twist };
                let sum = u16::from(first) + u16::from(twist);
                u8::try_from(sum % u16::from(modulus)).expect("below a byte")
            };
            let way =
                |back: bool| (0..modulus).all(|twist| image(twist) == (there, turned(twist, back)));
            let back = !way(false);
            if back && !way(true) {
                return None;
            }
            to.push(u8::try_from(there).ok()?);
            shift.push(first);
            mirrored.push(back);
        }
        // A symmetry mirrors twists in all slots that a piece can reach, or in none of them.
        let alike =
            |pair: (usize, usize)| self.twists(pair.0) < 3 || mirrored[pair.0] == mirrored[pair.1];
        let together = |slot: usize| self.component(slot);
        let lawful = (0..self.slots()).all(|slot| alike((slot, together(slot))));
        lawful.then(|| Relabelling {
            to,
            shift,
            mirrored,
            operators: symmetry.operators.iter().copied().map(Op::new).collect(),
        })
    }
}

/// Whether the list begins with the identity and is closed under composition.
///
/// Two symmetries count as equal if they have the same effect on the operators.
fn are_a_group(relabellings: &[Relabelling]) -> bool {
    let known: HashSet<&[Op]> = relabellings.iter().map(|one| &one.operators[..]).collect();
    let all = || relabellings.iter().map(|one| &one.operators[..]);
    let after = |a: &[Op], b: &[Op]| a.iter().map(|op| b[op.index()]).collect::<Vec<Op>>();
    relabellings.first().is_some_and(|first| first.operators.is_sorted())
        && all().all(|a| all().all(|b| known.contains(&after(a, b)[..])))
}

impl<const N: usize, O: OpSet> Symmetric for GroupPuzzle<N, O> {
    fn symmetries(&self) -> usize {
        self.group().relabellings().len()
    }

    fn conjugate(&self, symmetry: usize, state: &GroupElement<N>, out: &mut GroupElement<N>) {
        let relabelling = &self.group().relabellings()[symmetry];
        *out = GroupElement::EMPTY;
        let group = self.group();
        for slot in 0..group.slots() {
            let there = usize::from(relabelling.to[slot]);
            let image =
                relabelling.image(slot, state.piece[slot], state.twist[slot], group.twists(slot));
            (out.piece[there], out.twist[there]) = image;
        }
    }

    fn relabel(&self, symmetry: usize, op: Op) -> Op {
        self.group().relabellings()[symmetry].operator(op)
    }
}
