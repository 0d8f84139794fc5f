//! The laws accept correct code, and catch every fault put in on purpose.

mod claims;
mod ring;
mod wrappers;

use super::*;
use crate::domain::{Cost, Domain, FlatKey, Group, Key, Reversible, TwoSided, TwoSidedPruning};
use crate::heuristic::{Batch, Carries, Claims, Evaluation, Heuristic, Step, Verdict, Zero};
use crate::pruning::{InversePruning, NoPruning, Pruning};
use crate::testing::{GapHeuristic, Pancake};
use ring::{Fault, Ring};

/// A key of two bytes. With `FAULT` 1 it writes 0 as the second byte, and with 2 it writes no
/// second byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct TwoBytes<const FAULT: u8>(u8, u8);

impl<const FAULT: u8> Key for TwoBytes<FAULT> {
    fn hash(self) -> u64 {
        (u64::from(self.0) << 8 | u64::from(self.1)).hash()
    }
}

impl<const FAULT: u8> FlatKey for TwoBytes<FAULT> {
    const BYTES: usize = 2;
    fn write(self, bytes: &mut [u8]) {
        bytes[0] = self.0;
        if FAULT != 2 {
            bytes[1] = if FAULT == 1 { 0 } else { self.1 };
        }
    }
    fn read(bytes: &[u8]) -> Self {
        Self(bytes[0], bytes[1])
    }
}

#[test]
fn flat_keys_are_read_as_they_were_written_or_caught() {
    check_flat_keys(&[0, 1, 0x0102_0304, u32::MAX]).unwrap();
    check_flat_keys(&[0, 1, 0x0102_0304_0506_0708, u64::MAX]).unwrap();
    check_flat_keys(&[0, 1, u128::MAX - 7, 1 << 77]).unwrap();
    check_flat_keys(&[TwoBytes::<0>(3, 4), TwoBytes(0, 9)]).unwrap();
    assert!(check_flat_keys(&[TwoBytes::<1>(3, 4)]).is_err());
    assert!(check_flat_keys(&[TwoBytes::<2>(3, 4)]).is_err());
    assert!(check_flat_keys::<u64>(&[]).is_err());
}

type Law = fn(&Ring) -> Result<(), LawError>;

/// Every law on a ring, with the faults that it must catch.
const LAWS: [(Law, &[Fault]); 8] = [
    (
        |ring| check_domain(ring, &[0, 5]),
        &[
            Fault::FreeOperator,
            Fault::UnknownOperator,
            Fault::KeepsOldState,
            Fault::WrongTogether,
            Fault::ChoosesMore,
            Fault::ChoosesNothing,
        ],
    ),
    (|ring| check_reversible(ring, &[0]), &[Fault::WrongInverse, Fault::InverseDoesNotApply]),
    (
        |ring| check_group(ring, &[0, 6]),
        &[
            Fault::WrongProduct,
            Fault::WrongInversion,
            Fault::WrongLeftProduct,
            Fault::WrongTogether,
            Fault::SecondGoal,
            Fault::InverseDoesNotApply,
        ],
    ),
    (
        |ring| check_symmetric(ring, &[0]),
        &[
            Fault::FirstSymmetryMoves,
            Fault::WrongRelabelling,
            Fault::RelabelsToOne,
            Fault::SecondGoal,
            Fault::InverseDoesNotApply,
        ],
    ),
    (|ring| check_packed(ring, &[0]), &[Fault::PacksTwoAlike, Fault::UnpacksOver]),
    (
        |ring| check_parity(ring, &[0]),
        &[Fault::ConstantParity, Fault::OddGoal, Fault::FreeOperator],
    ),
    (|ring| check_contexts(ring, &[0], 4), &[Fault::OneContext, Fault::WrongRepresentative]),
    (|ring| check_two_sided(&TwoSided(*ring), 6), &[Fault::WrongLeftProduct, Fault::ChoosesMore]),
];

#[test]
fn a_ring_keeps_every_law_and_each_fault_is_caught() {
    for (number, (law, faults)) in LAWS.iter().enumerate() {
        assert_eq!(law(&Ring(Fault::None)), Ok(()), "law {number}");
        for &fault in *faults {
            assert!(law(&Ring(fault)).is_err(), "law {number} does not catch {fault:?}");
        }
    }
}

#[test]
fn an_error_says_what_broke_where() {
    let error = check_reversible(&Ring(Fault::InverseDoesNotApply), &[0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "operator 1 leads from 0 to 11, where its inverse 0 does not apply"
    );
}

#[test]
fn pancakes_keep_every_law() {
    let domain = Pancake::new(7);
    let starts = [domain.identity(), domain.state(&[3, 0, 6, 1, 4, 2, 5])];
    check_domain(&domain, &starts).unwrap();
    check_reversible(&domain, &starts).unwrap();
    check_group(&domain, &starts).unwrap();
    check_packed(&domain, &starts).unwrap();
    check_parity(&domain, &starts).unwrap();
    check_contexts(&domain, &starts, 4).unwrap();
    check_two_sided(&TwoSided(Pancake::new(6)), 7).unwrap();
    let two = TwoSided(domain);
    let starts = [two.state(&starts[0]), two.state(&starts[1])];
    check_domain(&two, &starts).unwrap();
    check_reversible(&two, &starts).unwrap();
    check_packed(&two, &starts).unwrap();
}

/// Faults of a heuristic.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bad {
    TooHigh,
    TooHighOnlyAboveTheLimit,
    NotConsistent,
    ChildKeepsTheValue,
    LowUnderALimit,
    AboveTheLimitUnproven,
    ExcludesTheFirst,
    KeepsTheValueTogether,
    FiltersAll,
    WithinCutsMore,
    WithinFindsMore,
    WithinCutsUnproven,
    WithinKeepsTheValue,
}

struct BadGap(Bad);

impl Heuristic<Pancake> for BadGap {
    type Carry = Cost;
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
    const EVALUATION: Evaluation = Evaluation::staged(2);
    fn root(&self, domain: &Pancake, state: &u64) -> Cost {
        GapHeuristic.root(domain, state)
    }
    fn child(&self, domain: &Pancake, from: &u64, carry: &Cost, op: Op, to: &u64) -> Cost {
        if self.0 == Bad::ChildKeepsTheValue {
            *carry
        } else {
            GapHeuristic.child(domain, from, carry, op, to)
        }
    }
    fn ask<C>(&self, domain: &Pancake, batch: &mut Batch<'_, C>, _: usize)
    where
        C: Carries<State = u64, Carry = Cost>,
    {
        for (number, &op) in batch.ops.iter().enumerate() {
            let (state, carry) = batch.carries.parent(number);
            let child = match self.0 {
                Bad::KeepsTheValueTogether => *carry,
                _ => self.child(domain, state, carry, op, &batch.states[number]),
            };
            *batch.carries.child(number) = child;
        }
    }
    fn take<C>(&self, _: &Pancake, batch: &mut Batch<'_, C>, _: usize)
    where
        C: Carries<State = u64, Carry = Cost>,
    {
        if self.0 == Bad::FiltersAll {
            batch.slack.iter_mut().for_each(|slack| slack.proven = Cost::MAX);
        }
    }
    fn within(
        &self,
        step: &mut Step<'_, Pancake>,
        carry: &Cost,
        child: &mut Cost,
        limit: Cost,
    ) -> Result<Verdict<u32>, Cost> {
        let (domain, from, op) = (step.domain(), step.from(), step.op());
        let to = step.child();
        *child = self.child(domain, from, carry, op, to);
        let mut verdict = self.bound(domain, to, child, limit);
        let cut = verdict.h > limit || self.0 == Bad::WithinCutsMore && verdict.h == limit;
        if cut {
            return Err(if self.0 == Bad::WithinCutsUnproven { Cost::MAX } else { verdict.h });
        }
        verdict.h += Cost::from(self.0 == Bad::WithinFindsMore && verdict.h < limit);
        if self.0 == Bad::WithinKeepsTheValue {
            *child = *carry;
        }
        Ok(verdict)
    }
    fn bound(&self, _: &Pancake, state: &u64, carry: &mut Cost, limit: Cost) -> Verdict<u32> {
        let h = *carry;
        let mut verdict = Verdict::bound(h);
        match self.0 {
            Bad::TooHigh if h > 3 => verdict.h += 2,
            Bad::TooHighOnlyAboveTheLimit if h > limit => verdict.h = Cost::MAX,
            Bad::NotConsistent if state.is_multiple_of(7) => verdict.h = 0,
            Bad::LowUnderALimit if limit == h => verdict.h = h.saturating_sub(1),
            Bad::AboveTheLimitUnproven if limit == h && h > 0 => verdict.h += 1,
            Bad::ExcludesTheFirst => verdict.excluded = 1,
            _ => {}
        }
        verdict
    }
}

/// The true distance. Excludes every operator that starts no plan within the limit.
struct Perfect<'a>(Distances<'a, Pancake>);

impl Heuristic<Pancake> for Perfect<'_> {
    crate::carry_nothing! { Pancake }
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
    fn bound(&self, domain: &Pancake, state: &u64, (): &mut (), limit: Cost) -> Verdict<u32> {
        let h = self.0.exact(state).unwrap();
        let far = |op: &Op| self.0.exact(&successor(domain, state, *op)).unwrap() >= limit;
        let excluded = u32::first(domain.operators()).members().filter(far);
        Verdict { h, excluded: excluded.fold(0, |set, op| set.with(op)) }
    }
}

#[test]
fn right_heuristics_pass_and_each_fault_is_caught() {
    let domain = Pancake::new(6);
    let goals = [domain.identity()];
    let distances = Distances::from_goals(&domain, &goals, 20);
    assert_eq!(distances.len(), 720);
    check_heuristic(&domain, &GapHeuristic, &distances).unwrap();
    check_heuristic(&domain, &Zero, &distances).unwrap();
    let perfect = Perfect(Distances::from_goals(&domain, &goals, 20));
    check_heuristic(&domain, &perfect, &distances).unwrap();
    for bad in [
        Bad::TooHigh,
        Bad::TooHighOnlyAboveTheLimit,
        Bad::NotConsistent,
        Bad::ChildKeepsTheValue,
        Bad::LowUnderALimit,
        Bad::AboveTheLimitUnproven,
        Bad::ExcludesTheFirst,
        Bad::KeepsTheValueTogether,
        Bad::FiltersAll,
        Bad::WithinCutsMore,
        Bad::WithinFindsMore,
        Bad::WithinCutsUnproven,
        Bad::WithinKeepsTheValue,
    ] {
        assert!(check_heuristic(&domain, &BadGap(bad), &distances).is_err(), "{bad:?}");
    }
    let nothing = Distances::from_goals(&domain, &[], 20);
    assert!(check_heuristic(&domain, &GapHeuristic, &nothing).is_err());
}

#[test]
fn distances_agree_from_both_directions() {
    let domain = Pancake::new(6);
    let back = Distances::from_goals(&domain, &[domain.identity()], 20);
    let start = domain.state(&[2, 5, 0, 4, 1, 3]);
    let forth = Distances::from_starts(&domain, &[start], 9);
    let mut exact = 0;
    forth
        .try_for_each(|state, cost, sure| {
            assert!(cost >= back.cost(state).unwrap());
            assert!(!sure || Some(cost) == back.exact(state));
            exact += usize::from(sure);
            Ok::<(), LawError>(())
        })
        .unwrap();
    assert!((100..720).contains(&exact), "{exact}");
    check_heuristic(&domain, &GapHeuristic, &forth).unwrap();
}

/// Faults of a pruning.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    OneOperatorForEver,
    OneAfterAnother,
    DeadEndTooEarly,
    AllowedTooFew,
}

impl<D: Domain> Pruning<D> for Cut {
    /// The last operator and the one before.
    type State = [u16; 2];
    const DEAD_ENDS: bool = true;
    fn start(&self, _: &D, _: &D::State) -> [u16; 2] {
        [99; 2]
    }
    fn allowed(&self, domain: &D, [last, _]: [u16; 2]) -> D::Ops {
        let all = D::Ops::first(domain.operators());
        let cut = match (self, last) {
            (Cut::OneOperatorForEver, _) => Op(2),
            (Cut::OneAfterAnother, 1) => Op(3),
            (Cut::AllowedTooFew, 1) => Op(0),
            _ => return all,
        };
        all.minus(D::Ops::NONE.with(cut))
    }
    fn next(&self, _: &D, [last, _]: [u16; 2], op: Op) -> [u16; 2] {
        [op.0, last]
    }
    fn dead_end(&self, _: &D, at: [u16; 2], remaining: Cost) -> bool {
        *self == Cut::DeadEndTooEarly && at == [2, 0] && remaining == 1
    }
}

/// A pruning with dead ends that it does not claim.
struct UnclaimedDeadEnds;

impl<D: Domain> Pruning<D> for UnclaimedDeadEnds {
    type State = ();
    fn start(&self, _: &D, _: &D::State) {}
    fn allowed(&self, _: &D, (): ()) -> D::Ops {
        D::Ops::FULL
    }
    fn next(&self, _: &D, (): (), _: Op) {}
    fn dead_end(&self, _: &D, (): (), remaining: Cost) -> bool {
        remaining == 1
    }
}

#[test]
fn right_prunings_pass_and_each_fault_is_caught() {
    let domain = Pancake::new(6);
    let starts = [domain.identity(), domain.state(&[4, 2, 0, 1, 5, 3])];
    let distances = Distances::from_goals(&domain, &starts[..1], 20);
    check_pruning(&domain, &NoPruning, &starts, 5).unwrap();
    let inverse = InversePruning;
    check_pruning(&domain, &inverse, &starts, 5).unwrap();
    check_plans(&domain, &inverse, &distances).unwrap();
    for cut in
        [Cut::OneOperatorForEver, Cut::OneAfterAnother, Cut::DeadEndTooEarly, Cut::AllowedTooFew]
    {
        assert!(check_pruning(&domain, &cut, &starts, 5).is_err(), "{cut:?}");
        assert!(check_plans(&domain, &cut, &distances).is_err(), "{cut:?}");
    }
    let unclaimed = check_pruning(&domain, &UnclaimedDeadEnds, &starts, 5).unwrap_err();
    assert!(unclaimed.to_string().contains("DEAD_ENDS is false"), "{unclaimed}");
}

#[test]
fn two_sided_prunings_keep_a_plan_or_are_caught() {
    let two = TwoSided(Pancake::new(5));
    let solved = two.state(&two.0.identity());
    let distances = Distances::from_goals(&two, &[solved], 20);
    assert_eq!(distances.len(), 120);
    let inverse = InversePruning;
    check_plans(&two, &TwoSidedPruning { front: &inverse, back: &inverse }, &distances).unwrap();
    // `NoPruning` allows operators that do not exist. They must not become operators of the other
    // end.
    let ends = TwoSidedPruning { front: NoPruning, back: &inverse };
    check_plans(&two, &ends, &distances).unwrap();
    let n = two.0.operators();
    let start = ends.start(&two, &two.state(&two.0.identity()));
    for op in n..2 * n {
        let at = ends.next(&two, start, Op::new(op));
        let undone = n + two.0.inverse_op(Op::new(op - n)).index();
        let all = (0..2 * n).filter(|&other| other != undone).map(Op::new);
        assert!(ends.allowed(&two, at).members().eq(all));
    }
    // The search expands the end with fewer operators, so a lossy pruning of the back loses plans.
    let lossy = TwoSidedPruning { front: NoPruning, back: Cut::OneOperatorForEver };
    assert!(check_plans(&two, &lossy, &distances).is_err());
    let lossy = TwoSidedPruning { front: Cut::OneOperatorForEver, back: Cut::OneOperatorForEver };
    assert!(check_plans(&two, &lossy, &distances).is_err());
}
