//! Rules about operators: which may not follow which, and how often each may be used
//! ([`ConstrainedDomain`]).

mod ignore;
#[cfg(test)]
mod tests;

pub use ignore::IgnoreRules;

use crate::Plan;
use crate::domain::{Domain, Key, Op, OpSet, Packed};

/// Rules about the operators of a plan.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OperatorRules {
    /// Pairs of operators of which the second must not directly follow the first.
    pub forbidden: Vec<[Op; 2]>,
    /// Sets of operators, each with a number of uses. A plan may use the operators of a set
    /// together at most so often. Example: the turns of one face of the cube at most three times.
    pub limits: Vec<(Vec<Op>, u32)>,
}

impl OperatorRules {
    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.forbidden.is_empty() && self.limits.is_empty()
    }

    /// The same rules for plans that are read from the last operator to the first.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let forbidden = self.forbidden.iter().map(|&[first, second]| [second, first]).collect();
        Self { forbidden, limits: self.limits.clone() }
    }
}

/// Why rules do not fit a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// A rule names an operator that the domain does not have.
    #[error("a rule names operator {}, but there are {operators}", op.0)]
    Operator {
        /// The operator.
        op: Op,
        /// The number of operators of the domain.
        operators: usize,
    },
    /// The counters of the limits do not fit 128 bits.
    #[error("the limits of operators need {bits} bits; a state has 128")]
    Limits {
        /// The bits of all counters.
        bits: u32,
    },
}

/// The counter of one limit, as a field of the word of all counters. `mask` has the bits of the
/// field. Each use of an operator in `operators` lowers the counter.
#[derive(Clone, Copy, Debug)]
struct Field<O> {
    mask: u128,
    operators: O,
}

/// A domain under [`OperatorRules`]: its plans are the plans of the original domain that obey the
/// rules.
///
/// A state also records which operators may follow, and how many uses each limit has left. A fact
/// about *all* plans of the original domain also holds under rules (parity; lower bounds, by
/// [`IgnoreRules`]). A fact about *some* plan does not:
///
/// - [`Domain::restrict`] of the original domain is not used, because it may keep only plans that
///   break the rules. In a [`TwoSided`](crate::TwoSided) domain this means that both ends are
///   searched. To search one end only, limit the operators of the other end to 0.
/// - An automaton learned without the rules may cut every plan that obeys them. It cuts a string in
///   favour of a smaller string, which may be forbidden or use a limited operator more often. Cut a
///   string only if a smaller string has the same effect and uses no limited set more often. The
///   smaller string must also be allowed wherever the cut string is.
/// - A symmetry or inversion of the domain applies only if it maps the rules to themselves.
///
/// Two states are equal exactly if they agree in three parts: the state of the domain, the
/// operators that may follow, and the uses left. A state takes 18 bytes more than that of the
/// domain, plus padding.
#[derive(Debug)]
pub struct ConstrainedDomain<'d, D: Domain> {
    domain: &'d D,
    /// The operators that may follow, for each *class* of last operators. Operators of one class
    /// allow the same operators after them. Class 0 is that of the start, before any operator.
    after: Vec<D::Ops>,
    /// For each operator, its class.
    class: Vec<u16>,
    /// For each operator, what one use subtracts from the word of counters.
    taken: Vec<u128>,
    fields: Vec<Field<D::Ops>>,
    /// The word of counters at the start: the uses that each limit allows.
    uses: u128,
}

/// A state under rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConstrainedState<S> {
    /// The state of the domain.
    pub state: S,
    /// The class of the last operator, which says what may follow.
    class: u16,
    /// The word of counters: how many uses of each limit are left.
    left: u128,
}

impl<'d, D: Domain> ConstrainedDomain<'d, D> {
    /// The domain under the given rules.
    ///
    /// # Errors
    /// If a rule names an operator that the domain does not have, or the counters need more than
    /// 128 bits.
    pub fn new(domain: &'d D, rules: &OperatorRules) -> Result<Self, RulesError> {
        let operators = domain.operators();
        let pairs = rules.forbidden.iter().flatten();
        let limited = rules.limits.iter().flat_map(|(set, _)| set);
        if let Some(&op) = pairs.chain(limited).find(|op| op.index() >= operators) {
            return Err(RulesError::Operator { op, operators });
        }
        let set = |of: &[Op]| of.iter().fold(D::Ops::NONE, |set, &op| set.with(op));
        let never = rules.limits.iter().filter(|(_, most)| *most == 0);
        let usable = never.fold(D::Ops::first(operators), |all, (of, _)| all.minus(set(of)));
        let mut ruled = Self {
            domain,
            after: vec![usable],
            class: vec![0; operators],
            taken: vec![0; operators],
            fields: Vec::new(),
            uses: 0,
        };
        let mut follow = vec![usable; operators];
        for [first, second] in &rules.forbidden {
            let follow = &mut follow[first.index()];
            *follow = follow.minus(set(&[*second]));
        }
        for (class, follow) in ruled.class.iter_mut().zip(follow) {
            let known = ruled.after.iter().position(|other| *other == follow);
            let place = known.unwrap_or(ruled.after.len());
            if known.is_none() {
                ruled.after.push(follow);
            }
            // There is at most one class for each operator, and one for the start.
            *class = Op::new(place).0;
        }
        let mut shift = 0;
        for (of, most) in rules.limits.iter().filter(|(_, most)| *most > 0) {
            let width = width_of(*most);
            if shift + width > u128::BITS {
                let bits = rules.limits.iter().map(|&(_, most)| width_of(most)).sum();
                return Err(RulesError::Limits { bits });
            }
            ruled.uses |= u128::from(*most) << shift;
            let operators = set(of);
            operators.members().for_each(|op| ruled.taken[op.index()] += 1 << shift);
            let mask = ((1_u128 << width) - 1) << shift;
            ruled.fields.push(Field { mask, operators });
            shift += width;
        }
        Ok(ruled)
    }

    /// The original domain, without rules.
    pub fn domain(&self) -> &'d D {
        self.domain
    }

    /// The state to start from: no operator came before it, and all uses are left.
    pub fn start(&self, state: D::State) -> ConstrainedState<D::State> {
        ConstrainedState { state, class: 0, left: self.uses }
    }
}

/// The number of bits of a counter that begins at `most`.
fn width_of(most: u32) -> u32 {
    u32::BITS - most.leading_zeros()
}

impl<D: Domain> Domain for ConstrainedDomain<'_, D> {
    type State = ConstrainedState<D::State>;
    type Ops = D::Ops;

    crate::forward_domain! { domain: operators cost }
    #[inline(always)]
    fn applicable(&self, from: &Self::State) -> D::Ops {
        let follow = self.after[usize::from(from.class)];
        let spent = self.fields.iter().filter(|field| from.left & field.mask == 0);
        let follow = spent.fold(follow, |follow, field| follow.minus(field.operators));
        self.domain.applicable(&from.state).and(follow)
    }
    #[inline(always)]
    fn apply_into(&self, from: &Self::State, op: Op, to: &mut Self::State) {
        self.domain.apply_into(&from.state, op, &mut to.state);
        to.class = self.class[op.index()];
        to.left = from.left - self.taken[op.index()];
    }
    #[inline(always)]
    fn is_goal(&self, state: &Self::State) -> bool {
        self.domain.is_goal(&state.state)
    }
    #[inline(always)]
    fn parity(&self, state: &Self::State) -> Option<bool> {
        self.domain.parity(&state.state)
    }
    fn to_plan(&self, path: &[Op]) -> Plan {
        self.domain.to_plan(path)
    }
}

/// A packed state under rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct ConstrainedKey<K> {
    state: K,
    class: u16,
    left: u128,
}

impl<K: Key> Key for ConstrainedKey<K> {
    #[inline(always)]
    fn hash(self) -> u64 {
        let (state, left) = (self.state.hash(), Key::hash(self.left));
        let rest = left.wrapping_add(u64::from(self.class).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Key::hash(u128::from(state) << 64 | u128::from(rest))
    }
}

impl<D: Packed> Packed for ConstrainedDomain<'_, D> {
    type Key = ConstrainedKey<D::Key>;
    fn pack(&self, state: &Self::State) -> Self::Key {
        ConstrainedKey {
            state: self.domain.pack(&state.state),
            class: state.class,
            left: state.left,
        }
    }
    fn unpack(&self, key: Self::Key, out: &mut Self::State) {
        self.domain.unpack(key.state, &mut out.state);
        (out.class, out.left) = (key.class, key.left);
    }
}
