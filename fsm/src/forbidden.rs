//! The learner's result: forbidden operator strings, which can be stored, loaded and reversed.

use crate::error::AutomatonError;
use search::{Cost, Op};
use std::fmt;

/// Stands for the dead state in tables of next states.
pub(crate) const DEAD: u32 = u32::MAX;

/// Which plans survive the pruning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Keep {
    /// At least one optimal plan from every state to every state. Prunes most.
    #[default]
    OneOptimal,
    /// Every optimal plan, up to swaps of neighbours that commute (U and D on the cube).
    ///
    /// Of optimal plans that differ only by such swaps, the lexicographically first survives. Other
    /// plans also survive if only strings longer than the learned depth would prune them.
    AllOptimal,
    /// Every optimal plan, in every order of neighbours that commute. Prunes least.
    AllOrders,
}

/// The forbidden strings of a domain, such as [`learn`](crate::learn) returns. Learned strings are
/// minimal: no proper part of a forbidden string is forbidden.
///
/// Learned strings are sorted by cost, then by length, then lexicographically.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "StoredStrings", into = "StoredStrings")
)]
pub struct ForbiddenStrings {
    depth: usize,
    keep: Keep,
    /// The cost of each operator.
    costs: Box<[Cost]>,
    /// The operators of all strings, one string after the other.
    letters: Vec<Op>,
    /// For each string, its end in `letters`. It starts at the end of the string before.
    ends: Vec<usize>,
}

impl ForbiddenStrings {
    /// Forbidden strings that the caller gives, over operators of these costs.
    ///
    /// The caller must know that a search may forbid them without losing its plan. A string may
    /// contain another one of the list. Such a string has no effect.
    ///
    /// # Errors
    /// If there is no operator, there are more than 65,535, or one costs 0. Also if a string is
    /// empty, is longer than `depth`, or names an operator that does not exist.
    pub fn from_strings<'s>(
        costs: &[Cost],
        depth: usize,
        keep: Keep,
        strings: impl IntoIterator<Item = &'s [Op]>,
    ) -> Result<Self, AutomatonError> {
        let (operators, most) = (costs.len(), usize::from(u16::MAX));
        if operators == 0 || operators > most {
            return Err(AutomatonError::Operators { found: operators, most });
        }
        if let Some(op) = costs.iter().position(|&cost| cost == 0) {
            return Err(AutomatonError::FreeOperator { op });
        }
        let mut forbidden = Self::empty(costs.into(), depth, keep);
        for (number, string) in strings.into_iter().enumerate() {
            let length = string.len();
            if length == 0 || length > depth {
                return Err(AutomatonError::Length { string: number, length, depth });
            }
            if let Some(&Op(op)) = string.iter().find(|op| op.index() >= operators) {
                return Err(AutomatonError::UnknownOperator { string: number, op, operators });
            }
            forbidden.push(string.iter().copied());
        }
        Ok(forbidden)
    }

    pub(crate) fn empty(costs: Box<[Cost]>, depth: usize, keep: Keep) -> Self {
        Self { depth, keep, costs, letters: Vec::new(), ends: Vec::new() }
    }

    pub(crate) fn push(&mut self, string: impl Iterator<Item = Op>) {
        self.letters.extend(string);
        self.ends.push(self.letters.len());
    }

    /// The greatest length of the strings that the learner tried.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The number of operators of the domain.
    pub fn operators(&self) -> usize {
        self.costs.len()
    }

    /// The cost of each operator.
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// Which plans survive the pruning.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// The number of forbidden strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing is forbidden.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The forbidden strings, each with its first operator first.
    pub fn strings(&self) -> impl ExactSizeIterator<Item = &[Op]> {
        (0..self.len()).map(|place| {
            let start = if place == 0 { 0 } else { self.ends[place - 1] };
            &self.letters[start..self.ends[place]]
        })
    }

    /// The strings that the back end of a two-sided search must avoid: `w1 w2 .. wn` becomes
    /// `inv(wn) .. inv(w2) inv(w1)`.
    ///
    /// The back end builds a plan from its last operator on, and carries out the inverses of its
    /// operators. The front end avoids the original strings, so the front part of a plan contains
    /// none of them. The back end avoids the reversed strings, so the back part contains none of
    /// the original strings.
    ///
    /// # Panics
    /// If `inverse` is not a permutation of the operators.
    pub fn reversed(&self, inverse: impl Fn(Op) -> Op) -> Self {
        let mut costs = vec![0; self.operators()];
        for (op, &cost) in self.costs.iter().enumerate() {
            costs[inverse(Op::new(op)).index()] = cost;
        }
        assert!(costs.iter().all(|&cost| cost > 0), "the inverse must permute the operators");
        let mut reversed = Self::empty(costs.into(), self.depth, self.keep);
        for string in self.strings() {
            reversed.push(string.iter().rev().map(|&op| inverse(op)));
        }
        reversed
    }
}

impl fmt::Display for ForbiddenStrings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} forbidden strings of up to {} operators", self.len(), self.depth)
    }
}

/// The stored form of [`ForbiddenStrings`].
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Learned")]
struct StoredStrings {
    depth: usize,
    keep: Keep,
    costs: Vec<Cost>,
    forbidden: Vec<Vec<Op>>,
}

#[cfg(feature = "serde")]
impl From<ForbiddenStrings> for StoredStrings {
    fn from(strings: ForbiddenStrings) -> Self {
        Self {
            depth: strings.depth(),
            keep: strings.keep(),
            costs: strings.costs().to_vec(),
            forbidden: strings.strings().map(<[Op]>::to_vec).collect(),
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<StoredStrings> for ForbiddenStrings {
    type Error = AutomatonError;
    fn try_from(stored: StoredStrings) -> Result<Self, AutomatonError> {
        let strings = stored.forbidden.iter().map(Vec::as_slice);
        Self::from_strings(&stored.costs, stored.depth, stored.keep, strings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forbidden() -> ForbiddenStrings {
        let strings: [&[Op]; 2] = [&[Op(1), Op(0)], &[Op(0), Op(2), Op(2)]];
        ForbiddenStrings::from_strings(&[1, 2, 3], 3, Keep::OneOptimal, strings).unwrap()
    }

    #[test]
    fn reversal_turns_strings_round_and_is_its_own_inverse() {
        let inverse = |op: Op| Op([1, 0, 2][op.index()]);
        let reversed = forbidden().reversed(inverse);
        let strings: Vec<&[Op]> = reversed.strings().collect();
        assert_eq!(strings, [&[Op(1), Op(0)][..], &[Op(2), Op(2), Op(1)]]);
        assert_eq!(reversed.costs(), [2, 1, 3]);
        assert_eq!(reversed.reversed(inverse), forbidden());
    }
}
