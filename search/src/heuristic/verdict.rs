//! What a heuristic says of a state, and what that proves: [`Verdict`] and [`Claims`].

use crate::domain::{Cost, OpSet};

/// The answer of a heuristic for a state and a limit. The limit is the cost that may still be spent
/// from the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<O> {
    /// A lower bound on the cost to a goal. If the bound exceeds the limit, this may be any proven
    /// lower bound above the limit.
    pub h: Cost,
    /// If `h <= limit`: operators that start *no* plan of cost `<= limit` from this state. May be
    /// empty.
    pub excluded: O,
}

impl<O: OpSet> Verdict<O> {
    /// A bound that excludes no operator.
    #[inline(always)]
    pub fn bound(h: Cost) -> Self {
        Self { h, excluded: O::NONE }
    }
}

/// What the bounds of a heuristic prove: the constant
/// [`Heuristic::CLAIMS`](super::Heuristic::CLAIMS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Whether no bound is above the true cost. A search that proves does not compile with a
    /// heuristic that says false.
    pub admissible: bool,
    /// Whether the bound [`Cost::MAX`] says that no plan starts at a state, and not only that every
    /// plan costs at least 255. Then a search can prove that there is no plan: if it cut all other
    /// states, it ends with [`Outcome::Unsolvable`](crate::Outcome::Unsolvable).
    pub dead_ends: bool,
    /// Whether the bound never falls by more than the cost of an operator. False claims nothing.
    pub consistent: bool,
}

impl Claims {
    /// The bounds are admissible. They know no dead ends.
    pub const ADMISSIBLE: Self = Self { admissible: true, dead_ends: false, consistent: false };
    /// The bounds are admissible, and [`Cost::MAX`] is a dead end.
    pub const DEAD_ENDS: Self = Self { dead_ends: true, ..Self::ADMISSIBLE };

    /// The same claims for bounds that are also consistent.
    #[must_use]
    pub const fn and_consistent(self) -> Self {
        Self { consistent: true, ..self }
    }

    /// The same claims for a heuristic that changed some bounds: they may be inconsistent.
    #[must_use]
    pub const fn changed(self) -> Self {
        Self { consistent: false, ..self }
    }

    /// What holds for both of two heuristics.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            admissible: self.admissible && other.admissible,
            dead_ends: self.dead_ends && other.dead_ends,
            consistent: self.consistent && other.consistent,
        }
    }

    /// The claims of a heuristic whose bounds were raised without proof.
    #[must_use]
    pub const fn unproven(self) -> Self {
        Self { admissible: false, ..self.changed() }
    }

    /// Whether this bound proves that no plan starts at the state.
    #[inline(always)]
    pub const fn is_dead_end(self, h: Cost) -> bool {
        self.dead_ends && h == Cost::MAX
    }

    /// Does not compile in a `const` unless the heuristic is admissible: for searches that prove.
    pub(crate) const fn assert_admissible(self) {
        assert!(self.admissible, "this search proves, and the heuristic is not admissible");
    }
}
