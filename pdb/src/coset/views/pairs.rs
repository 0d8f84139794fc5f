//! Pairs of operators that lead to one coset: one read gives the value of both children.
//!
//! Front operators m and n turn the inverse q into m^-1 q and n^-1 q. If m^-1 n is in H, these are
//! in one coset. So the inverse side of both children has one value, for every position. The same
//! holds for the position side of back operators.
//!
//! On the cube, R and R' are a pair in each view whose subgroup contains R2. Operators inside H
//! need no pair: they keep the side.

use super::carry;
use crate::coset::sides::Cosets;
use search::{Group, Op};

/// The partner of an operator, and the sides that both share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The partner, or the operator itself if it has none.
    pub(super) other: Op,
    /// The flags of the shared sides; 0 without a partner.
    pub(super) shared: u64,
}

/// Pairs operators that keep the same sides and share others. Pairs with the most shared sides are
/// made first, then those with the nearest numbers. `kept` has, for each operator of both ends, the
/// sides that it keeps. `share` tells whether two operators share a view. Returns the partner of
/// each operator of both ends.
pub(super) fn pairs(
    kept: &[u64],
    views: usize,
    share: &dyn Fn(usize, Op, Op) -> bool,
) -> Vec<Pair> {
    let n = kept.len() / 2;
    let mut pairs: Vec<Pair> =
        (0..2 * n).map(|op| Pair { other: Op::new(op), shared: 0 }).collect();
    let mut found = Vec::new();
    for m in 0..n {
        for other in (m + 1..n).filter(|&other| kept[other] == kept[m]) {
            let (m, other) = (Op::new(m), Op::new(other));
            let shared: Vec<usize> = (0..views).filter(|&view| share(view, m, other)).collect();
            if !shared.is_empty() {
                found.push((views - shared.len(), other.0 - m.0, m, other, shared));
            }
        }
    }
    found.sort();
    for (_, _, m, other, shared) in found {
        if pairs[m.index()].shared | pairs[other.index()].shared != 0 {
            continue;
        }
        for end in 0..2 {
            // The inverse sides of front operators, the position sides of back operators.
            let sides = shared.iter().map(|view| 2 * view + 1 - end);
            let shared = sides.fold(0, |shared, side| shared | carry::flag(side));
            let [m, other] = [m, other].map(|op| Op::new(op.index() + end * n));
            pairs[m.index()] = Pair { other, shared };
            pairs[other.index()] = Pair { other: m, shared };
        }
    }
    pairs
}

/// Whether the inverses of two generators are in one coset of a view, and not in the subgroup.
pub(super) fn share<D: Group, C: Cosets<D>>(
    domain: &D,
    cosets: &C,
    view: usize,
    m: Op,
    other: Op,
) -> bool {
    let identity = domain.identity();
    let (mut inverse, mut product) = (identity.clone(), identity.clone());
    domain.apply_into(&identity, domain.inverse_op(m), &mut inverse);
    domain.apply_into(&inverse, other, &mut product);
    let [identity, inverse, product] =
        [identity, inverse, product].map(|state| cosets.locate(view, &state));
    inverse != identity && product == identity
}

/// The last two children, among which [`Before::partner`] looks for the partner of the next child:
/// the parent and the operator of each, and its number.
#[derive(Debug)]
pub(super) struct Before([(u32, u16); 2]);

impl Before {
    /// The value before the first child.
    #[inline(always)]
    pub(super) fn none() -> Self {
        // No operator has this number.
        Self([(u32::MAX, 0); 2])
    }

    /// How many children before this one its partner is: 1 to 3. 0 if it is farther away, or not
    /// among the last two. Then remembers this child as the last one.
    #[inline(always)]
    pub(super) fn partner(&mut self, number: u16, parent: u16, op: Op, other: Op) -> u8 {
        let child = |op: Op| u32::from(parent) << 16 | u32::from(op.0);
        let [last, second] = self.0;
        self.0 = [(child(op), number), last];
        let distance = |(before, at): (u32, u16)| u16::from(before == child(other)) * (number - at);
        let distance = distance(last) + distance(second);
        #[expect(clippy::cast_possible_truncation, reason = "below 4")]
        let near = (distance * u16::from(distance < 4)) as u8;
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coset::Views;
    use crate::testing::stripe_table;
    use search::testing::{Distances, check_group, check_heuristic, evaluate_together};
    use search::{Cost, Domain, Lookup, Max, OpSet, Packed, Reversible, TwoSided, TwoSidedState};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    const HOURS: u32 = 64;
    /// For each operator: how many hours it advances the clock. Every second operator undoes the
    /// one before. 1 and 33 differ by 32, so they share both views (modulo 32 and 16). 3 and 19
    /// differ by 16, so they share only the second view. The operator 5 has no partner.
    const STEPS: [u32; 10] = [1, 63, 33, 31, 3, 61, 19, 45, 5, 59];

    /// A toy domain: a clock of 64 hours.
    #[derive(Clone, Copy, Debug)]
    struct Clock;

    impl Domain for Clock {
        type State = u32;
        type Ops = u32;
        const UNIT_COSTS: bool = true;
        fn operators(&self) -> usize {
            STEPS.len()
        }
        fn applicable(&self, _: &u32) -> u32 {
            u32::first(self.operators())
        }
        fn apply_into(&self, from: &u32, op: Op, to: &mut u32) {
            *to = (from + STEPS[op.index()]) % HOURS;
        }
        fn is_goal(&self, state: &u32) -> bool {
            *state == 0
        }
    }

    impl Reversible for Clock {
        fn inverse_op(&self, op: Op) -> Op {
            Op(op.0 ^ 1)
        }
    }

    impl Group for Clock {
        fn identity(&self) -> u32 {
            0
        }
        fn compose(&self, a: &u32, b: &u32, out: &mut u32) {
            *out = (a + b) % HOURS;
        }
        fn invert(&self, a: &u32, out: &mut u32) {
            *out = (HOURS - a) % HOURS;
        }
    }

    impl Packed for Clock {
        type Key = u32;
        search::state_is_key! {}
    }

    /// Two views of the clock: the hour modulo 32 (view 0) and modulo 16 (view 1). Counts how many
    /// sides were located in batches.
    struct Hours(AtomicUsize);

    impl Cosets<Clock> for Hours {
        const VIEWS: usize = 2;
        fn locate(&self, view: usize, state: &u32) -> (u32, u32) {
            (u32::try_from(view).unwrap(), state % [32, 16][view])
        }
        fn locate_all(
            &self,
            states: &[TwoSidedState<u32>],
            asked: &[Lookup],
            places: &mut [u64],
            place: impl Fn(u32, u32) -> u64,
            ask: impl Fn(u64),
        ) {
            self.0.fetch_add(asked.len(), Relaxed);
            let locate = |view, state: &u32| self.locate(view, state);
            crate::coset::locate_each(states, asked, places, place, ask, locate);
        }
    }

    fn views() -> Views<Clock, Hours> {
        let mut clock = [0; HOURS as usize];
        let distances = Distances::from_goals(&Clock, &[0], 9);
        let note = |&hour: &u32, cost, _| {
            clock[hour as usize] = cost;
            Ok::<(), ()>(())
        };
        distances.try_for_each(note).unwrap();
        let exact = |entry: u64| {
            let (view, column) = (entry / 32, u32::try_from(entry % 32).unwrap());
            let modulus = if view == 0 { 32 } else { 16 };
            let coset = (0..HOURS).filter(|hour| hour % modulus == column % modulus);
            coset.map(|hour| clock[hour as usize]).min().unwrap()
        };
        Views::new(&Clock, Hours(AtomicUsize::new(0)), stripe_table(2, 32, 0, exact)).unwrap()
    }

    /// The pairs of all operators in the two views. The operators keep no side.
    fn found(hours: &Hours) -> Vec<Pair> {
        pairs(&[0; 2 * STEPS.len()], 2, &|view, m, other| share(&Clock, hours, view, m, other))
    }

    #[test]
    fn those_that_share_most_are_paired_and_then_the_nearest() {
        check_group(&Clock, &[0, 5, 17]).unwrap();
        let pairs = found(&Hours(AtomicUsize::new(0)));
        let flags = |sides: [usize; 2]| carry::flag(sides[0]) | carry::flag(sides[1]);
        for (m, other) in [(0, 2), (1, 3), (4, 6), (5, 7)] {
            for (m, other) in [(m, other), (other, m)] {
                let shared = if m < 4 { flags([1, 3]) } else { carry::flag(3) };
                assert_eq!(pairs[m], Pair { other: Op::new(other), shared }, "{m}");
                let shared = if m < 4 { flags([0, 2]) } else { carry::flag(2) };
                assert_eq!(pairs[m + 10], Pair { other: Op::new(other + 10), shared }, "{m}");
            }
        }
        assert_eq!(pairs[8], Pair { other: Op(8), shared: 0 });
        assert_eq!(pairs[19], Pair { other: Op(19), shared: 0 });
    }

    #[test]
    fn sides_are_the_same_for_both_of_a_pair() {
        let two = TwoSided(Clock);
        let hours = Hours(AtomicUsize::new(0));
        let pairs = found(&hours);
        for (op, pair) in pairs.iter().enumerate() {
            for hour in 0..HOURS {
                let from = two.state(&hour);
                let (mut a, mut b) = (from, from);
                two.apply_into(&from, Op::new(op), &mut a);
                two.apply_into(&from, pair.other, &mut b);
                for side in (0..4).filter(|&side| pair.shared & carry::flag(side) != 0) {
                    let at = |state: &TwoSidedState<u32>| *state.end(side % 2 == 1);
                    assert_eq!(hours.locate(side / 2, &at(&a)), hours.locate(side / 2, &at(&b)));
                }
            }
        }
    }

    /// Expands a state by all operators. Returns the children that are not cut, each with its
    /// carry, and the number of sides that were located for them.
    fn left(views: &Views<Clock, Hours>, hour: u32, limit: Cost) -> (Vec<(Op, u64)>, usize) {
        let (two, before) = (TwoSided(Clock), views.cosets().0.load(Relaxed));
        let mut children = evaluate_together(&two, views, &two.state(&hour), limit + 1);
        children.retain(|child| child.slack.proven <= limit);
        let left = children.iter().map(|child| (child.op, child.carry.word())).collect();
        (left, views.cosets().0.load(Relaxed) - before)
    }

    /// Sharing sides changes no value and no surviving child, but fewer sides are located.
    #[test]
    fn fewer_sides_are_located_and_bounds_stay() {
        let (two, views) = (TwoSided(Clock), views());
        let distances = Distances::from_goals(&two, &[two.state(&0)], 9);
        assert_eq!(distances.len(), 64);
        check_heuristic(&two, &views, &distances).unwrap();
        check_heuristic(&two, &Max(&views, &views), &distances).unwrap();
        let alone = Views { moves: views.moves.alone(), ..self::views() };
        let (mut shared, mut each, mut some) = (0, 0, 0);
        for (hour, limit) in (0..HOURS).flat_map(|hour| (0..6).map(move |limit| (hour, limit))) {
            let (a, b) = (left(&views, hour, limit), left(&alone, hour, limit));
            assert_eq!(a.0, b.0, "{hour} {limit}");
            (shared, each) = (shared + a.1, each + b.1);
            some += usize::from(!a.0.is_empty() && a.0.len() < 20);
        }
        assert!(some > 50 && shared * 10 < each * 9, "{shared} {each} {some}");
    }
}
