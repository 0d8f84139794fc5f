//! What the learner found: the forbidden operator strings of a domain, which can be stored, read back and reversed.

use search::{Cost, Op};
use std::fmt;

/// Which plans must survive the pruning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Keep {
    /// At least one optimal plan from every state to every state. Cuts most.
    #[default]
    OneOptimal,
    /// Every optimal plan, but of plans that differ only by swapping commuting neighbours the one that comes first in
    /// the operators' order. (Of a class whose forbidden pattern is longer than the learned depth, more than one.)
    AllOptimal,
}

/// The minimal forbidden strings of a domain: no proper part of a forbidden string is forbidden.
///
/// Strings are kept in the order of the learner: by cost, then length, then lexicographically.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Learned {
    depth: usize,
    keep: Keep,
    /// By operator.
    costs: Box<[Cost]>,
    /// All strings, one after the other.
    letters: Vec<Op>,
    /// By string: where it ends in `letters`; it starts where the one before it ends.
    ends: Vec<usize>,
}

/// The stored form.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Learned")]
struct Raw {
    depth: usize,
    keep: Keep,
    costs: Vec<Cost>,
    forbidden: Vec<Vec<Op>>,
}

/// Why strings or tables from outside are refused: names the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub(crate) String);

impl Learned {
    /// Forbidden strings from elsewhere, over operators of these costs. That forbidding them is sound is the caller's claim.
    /// Strings that hold another forbidden string are allowed and add nothing.
    ///
    /// # Errors
    /// If there is no operator, more than 65,535, or one of cost 0; or a string is empty, longer than `depth` or names an operator that
    /// does not exist.
    pub fn from_strings<'s>(
        costs: &[Cost],
        depth: usize,
        keep: Keep,
        strings: impl IntoIterator<Item = &'s [Op]>,
    ) -> Result<Self, Malformed> {
        let malformed = |message: String| Err(Malformed(message));
        if costs.is_empty() || costs.len() > usize::from(u16::MAX) {
            return malformed(format!("{} operators; there must be 1 to 65535", costs.len()));
        }
        if let Some(op) = costs.iter().position(|&cost| cost == 0) {
            return malformed(format!("operator {op} costs 0; the least cost is 1"));
        }
        let mut learned = Self::empty(costs.into(), depth, keep);
        for (place, string) in strings.into_iter().enumerate() {
            if string.is_empty() || string.len() > depth {
                let length = string.len();
                return malformed(format!("string {place} has length {length}, not 1 to {depth}"));
            }
            if let Some(op) = string.iter().find(|op| op.index() >= costs.len()) {
                return malformed(format!(
                    "string {place} names operator {}, there are {}",
                    op.0,
                    costs.len()
                ));
            }
            learned.push(string.iter().copied());
        }
        Ok(learned)
    }

    pub(crate) fn empty(costs: Box<[Cost]>, depth: usize, keep: Keep) -> Self {
        Self { depth, keep, costs, letters: Vec::new(), ends: Vec::new() }
    }

    pub(crate) fn push(&mut self, string: impl Iterator<Item = Op>) {
        self.letters.extend(string);
        self.ends.push(self.letters.len());
    }

    /// The length in operators up to which strings were looked at.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How many operators the domain has.
    pub fn operators(&self) -> usize {
        self.costs.len()
    }

    /// The cost of each operator.
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// Which plans survive.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// How many strings are forbidden.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing is forbidden.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The forbidden strings, first operator first.
    pub fn forbidden(&self) -> impl ExactSizeIterator<Item = &[Op]> {
        (0..self.len()).map(|place| {
            let start = if place == 0 { 0 } else { self.ends[place - 1] };
            &self.letters[start..self.ends[place]]
        })
    }

    /// The strings as the back end of a two-sided search meets them: `w1 w2 .. wn` becomes `inv(wn) .. inv(w2) inv(w1)`.
    ///
    /// The back end builds a plan's suffix from its last operator and carries out inverses, so a plan is free of forbidden
    /// strings exactly if its front part is free of these and its back part, as carried out, of the reversed ones.
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
        for string in self.forbidden() {
            reversed.push(string.iter().rev().map(|&op| inverse(op)));
        }
        reversed
    }
}

impl From<Learned> for Raw {
    fn from(learned: Learned) -> Self {
        Raw {
            depth: learned.depth,
            keep: learned.keep,
            costs: learned.costs.to_vec(),
            forbidden: learned.forbidden().map(<[Op]>::to_vec).collect(),
        }
    }
}

impl TryFrom<Raw> for Learned {
    type Error = Malformed;
    fn try_from(raw: Raw) -> Result<Self, Malformed> {
        let strings = raw.forbidden.iter().map(Vec::as_slice);
        Self::from_strings(&raw.costs, raw.depth, raw.keep, strings)
    }
}

impl fmt::Display for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} forbidden strings of up to {} operators", self.len(), self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned() -> Learned {
        let strings: [&[Op]; 2] = [&[Op(1), Op(0)], &[Op(0), Op(2), Op(2)]];
        Learned::from_strings(&[1, 2, 3], 3, Keep::OneOptimal, strings).unwrap()
    }

    #[test]
    fn reversal_turns_strings_round_and_is_its_own_inverse() {
        let inverse = |op: Op| Op([1, 0, 2][op.index()]);
        let reversed = learned().reversed(inverse);
        let strings: Vec<&[Op]> = reversed.forbidden().collect();
        assert_eq!(strings, [&[Op(1), Op(0)][..], &[Op(2), Op(2), Op(1)]]);
        assert_eq!(reversed.costs(), [2, 1, 3]);
        assert_eq!(reversed.reversed(inverse), learned());
    }

    #[test]
    fn stored_strings_come_back_and_damaged_ones_do_not() {
        let text = serde_json::to_string(&learned()).unwrap();
        assert_eq!(serde_json::from_str::<Learned>(&text).unwrap(), learned());
        for (from, to, message) in [
            ("[1,0]", "[1,3]", "string 0 names operator 3, there are 3"),
            ("[1,0]", "[]", "string 0 has length 0, not 1 to 3"),
            ("[0,2,2]", "[0,2,2,1]", "string 1 has length 4, not 1 to 3"),
            ("[1,2,3]", "[1,0,3]", "operator 1 costs 0; the least cost is 1"),
            ("[1,2,3]", "[]", "0 operators; there must be 1 to 65535"),
        ] {
            let error = serde_json::from_str::<Learned>(&text.replace(from, to)).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
