//! The sum of heuristics that charge for different features: [`Additive`].

use crate::domain::{Cost, Op, Partitioned};
use crate::heuristic::{Claims, Evaluation, Heuristic, Verdict};
use smallvec::SmallVec;

/// A heuristic that charges only for the moves of some features of a [`Partitioned`] domain.
pub trait Charged {
    /// The features whose moves are charged: a bit set with feature `f` in bit `f % 64` of word
    /// `f / 64`.
    fn features(&self) -> &[u64];
}

/// The sum of bounds that charge disjoint features.
///
/// Admissible: yes, if every member counts only moves of its own features. Every transition moves
/// exactly one feature ([`Partitioned`]) and so is counted once. Consistent: yes, if all members
/// are (only the member whose feature moved changes).
#[derive(Clone, Debug)]
pub struct Additive<H>(Vec<H>);

/// The error that two members of a sum charge the same feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The feature that both charge.
    pub feature: usize,
    /// The first member that charges it.
    pub first: usize,
    /// The second member that charges it.
    pub second: usize,
}

impl std::fmt::Display for Overlap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { feature, first, second } = self;
        write!(
            f,
            "members {first} and {second} of a sum both charge feature {feature}: their sum would not \
             be admissible"
        )
    }
}

impl std::error::Error for Overlap {}

impl<H: Charged> Additive<H> {
    /// The sum of these members.
    ///
    /// # Errors
    /// If two members share a feature.
    pub fn new<D: Partitioned>(_domain: &D, members: Vec<H>) -> Result<Self, Overlap> {
        for (second, b) in members.iter().enumerate() {
            for (first, a) in members[..second].iter().enumerate() {
                for (word, (x, y)) in a.features().iter().zip(b.features()).enumerate() {
                    if x & y != 0 {
                        return Err(Overlap {
                            feature: 64 * word + (x & y).trailing_zeros() as usize,
                            first,
                            second,
                        });
                    }
                }
            }
        }
        Ok(Self(members))
    }

    /// The members of the sum.
    pub fn members(&self) -> &[H] {
        &self.0
    }
}

impl<D: Partitioned, H: Heuristic<D> + Charged> Heuristic<D> for Additive<H> {
    type Carry = SmallVec<[H::Carry; 4]>;
    const CLAIMS: Claims = H::CLAIMS;
    const EVALUATION: Evaluation = H::EVALUATION;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        self.0.iter().map(|member| member.root(domain, state)).collect()
    }
    #[inline]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        self.0
            .iter()
            .zip(carry)
            .map(|(member, carry)| member.child(domain, from, carry, op, to))
            .collect()
    }
    #[inline]
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        let mut sum: Cost = 0;
        for (member, carry) in self.0.iter().zip(carry) {
            // An exclusion holds for the limit of one member only, so a sum excludes nothing.
            let h = member.bound(domain, state, carry, limit - sum).h;
            if H::CLAIMS.is_dead_end(h) {
                return Verdict::bound(h);
            }
            // A great sum is no dead end.
            let most = if const { H::CLAIMS.dead_ends } { Cost::MAX - 1 } else { Cost::MAX };
            sum = sum.saturating_add(h).min(most);
            if sum > limit {
                break;
            }
        }
        Verdict::bound(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_wrapper;
    use crate::{Domain, NoPruning, OpSet, Options, Zero, ida_star};

    /// Three dials of ten positions. Operator `2 d` turns dial `d` up, `2 d + 1` turns it down.
    struct Dials;

    impl Domain for Dials {
        type State = [u8; 3];
        type Ops = u32;
        fn operators(&self) -> usize {
            6
        }
        fn applicable(&self, _: &[u8; 3]) -> u32 {
            u32::first(6)
        }
        fn apply_into(&self, from: &[u8; 3], op: Op, to: &mut [u8; 3]) {
            *to = *from;
            let dial = &mut to[op.index() / 2];
            *dial = (*dial + if op.0.is_multiple_of(2) { 1 } else { 9 }) % 10;
        }
        fn is_goal(&self, state: &[u8; 3]) -> bool {
            *state == [0; 3]
        }
    }

    impl Partitioned for Dials {
        fn features(&self) -> usize {
            3
        }
        fn mover(&self, _: &[u8; 3], op: Op) -> usize {
            op.index() / 2
        }
    }

    /// A bound: the turns that the dials of a bit set need.
    #[derive(Debug)]
    struct Turns([u64; 1]);

    impl Charged for Turns {
        fn features(&self) -> &[u64] {
            &self.0
        }
    }

    impl Heuristic<Dials> for Turns {
        crate::carry_nothing! { Dials }
        const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
        fn bound(&self, _: &Dials, state: &[u8; 3], (): &mut (), _: Cost) -> Verdict<u32> {
            let turns = (0..3)
                .filter(|dial| self.0[0] >> dial & 1 == 1)
                .map(|dial| state[dial].min(10 - state[dial]));
            Verdict::bound(turns.sum())
        }
    }

    #[test]
    fn a_sum_is_exact_here_and_goes_straight_to_the_goal() {
        let sum = Additive::new(&Dials, vec![Turns([0b101]), Turns([0b010])]).expect("disjoint");
        assert_eq!(sum.members().len(), 2);
        let start = [3, 8, 5];
        check_wrapper(&Dials, &sum, Claims::ADMISSIBLE.and_consistent(), &[start]).unwrap();
        let report = ida_star(&Dials, &sum, &NoPruning, &start, &Options::default());
        let blind = ida_star(&Dials, &Zero, &NoPruning, &[1, 9, 1], &Options::default());
        assert_eq!((report.lower_bound, report.iterations.len(), report.expanded()), (10, 1, 10));
        assert_eq!(blind.lower_bound, 3);
    }

    /// The same bound for every state.
    struct Constant([u64; 1], Cost);

    impl Charged for Constant {
        fn features(&self) -> &[u64] {
            &self.0
        }
    }

    impl Heuristic<Dials> for Constant {
        crate::carry_nothing! { Dials }
        const CLAIMS: Claims = Claims::DEAD_ENDS;
        fn bound(&self, _: &Dials, _: &[u8; 3], (): &mut (), _: Cost) -> Verdict<u32> {
            Verdict::bound(self.1)
        }
    }

    #[test]
    fn only_a_member_makes_a_sum_a_dead_end() {
        let sum = |a, b| {
            let members = vec![Constant([1], a), Constant([2], b)];
            Additive::new(&Dials, members).expect("disjoint").estimate(&Dials, &[0; 3])
        };
        assert_eq!((sum(100, 54), sum(200, 55), sum(254, 254)), (154, 254, 254));
        assert_eq!((sum(1, Cost::MAX), sum(Cost::MAX, 1)), (Cost::MAX, Cost::MAX));
    }

    #[test]
    fn a_feature_charged_twice_is_refused() {
        let overlap = Additive::new(&Dials, vec![Turns([0b001]), Turns([0b110]), Turns([0b010])])
            .expect_err("overlap");
        assert_eq!(overlap, Overlap { feature: 1, first: 1, second: 2 });
        assert!(overlap.to_string().contains("members 1 and 2"));
    }
}
