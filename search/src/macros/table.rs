//! A macro table, and how it solves states.

use super::order::SerialOrder;
use crate::Plan;
use crate::domain::{Domain, Op, OpSet};

/// A plan that brings one feature to its goal value and keeps the features before it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Macro {
    /// The operators, first one first.
    pub plan: Plan,
    /// The cost of the operators.
    pub cost: u32,
    /// Whether no cheaper plan does this. Proven.
    pub cheapest: bool,
}

/// A macro for each feature and each value that the feature can take when the features before it
/// have their goal values. [`learn_macros`](super::learn_macros) makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MacroTable {
    /// The goal's value of each feature.
    pub(super) goal: Vec<usize>,
    /// Indexed by feature, then value. The goal's value has no macro.
    pub(super) columns: Vec<Vec<Option<Macro>>>,
    /// Whether no macro is missing. Proven.
    pub(super) complete: bool,
}

/// A plan from a macro table, with the macros that it consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroPlan {
    /// The operators of all macros.
    pub plan: Plan,
    /// The macros, in the order of their features.
    pub macros: Vec<UsedMacro>,
}

/// A macro in a [`MacroPlan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedMacro {
    /// The feature that the macro brings to its goal value.
    pub feature: usize,
    /// The value that the feature had before.
    pub value: usize,
    /// The number of operators of the macro.
    pub operators: usize,
}

/// Why a macro table has no plan for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MacroError {
    /// The table has no macro for this value. If the table is complete, no plan leads from the
    /// state to the goal ([`MacroTable::is_complete`]).
    #[error("the macro table has no macro for value {value} of feature {feature}")]
    Missing {
        /// The feature that is not at its goal value.
        feature: usize,
        /// Its value.
        value: usize,
    },
    /// A macro does not do what it should. The table is that of another domain, order or goal.
    #[error("the macro of value {value} of feature {feature} is of another domain or order")]
    Foreign {
        /// The feature that the macro is for.
        feature: usize,
        /// The value that the macro is for.
        value: usize,
    },
    /// Every feature has its goal value, but the state is no goal.
    #[error("all features have their goal values, but the state is no goal")]
    NotSolved,
}

impl MacroTable {
    /// The number of features.
    pub fn features(&self) -> usize {
        self.columns.len()
    }

    /// The goal's value of a feature.
    pub fn goal(&self, feature: usize) -> usize {
        self.goal[feature]
    }

    /// Whether the table has a macro for every value that can occur. Proven. Then a state without
    /// a macro has no plan.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The macro of a value. `None` if the table has none, or if it is the goal's value.
    pub fn get(&self, feature: usize, value: usize) -> Option<&Macro> {
        self.columns.get(feature)?.get(value)?.as_ref()
    }

    /// All macros with their feature and value, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, &Macro)> {
        self.columns.iter().enumerate().flat_map(|(feature, column)| {
            let macros = column.iter().enumerate();
            macros.filter_map(move |(value, entry)| Some((feature, value, entry.as_ref()?)))
        })
    }

    /// Solves a state by one macro for each feature that is not at its goal value, in serial order.
    /// `domain` and `order` are those from which the table was learned.
    ///
    /// The plan is the macros one after another. Operators at a joint may undo each other; the
    /// figures of [`statistics`](Self::statistics) count them. Time: the operators of the plan and
    /// one value for each feature.
    ///
    /// # Errors
    /// If a macro is missing, or the table does not fit the domain and the order.
    pub fn solve<D: Domain, S: SerialOrder<D>>(
        &self,
        domain: &D,
        order: &S,
        start: &D::State,
    ) -> Result<MacroPlan, MacroError> {
        let (mut state, mut next) = (start.clone(), start.clone());
        let mut out = MacroPlan { plan: Plan::new(), macros: Vec::new() };
        for feature in 0..self.features().min(order.features()) {
            let value = order.value(domain, &state, feature);
            if self.goal.get(feature) == Some(&value) {
                continue;
            }
            let entry = self.get(feature, value).ok_or(MacroError::Missing { feature, value })?;
            for &op in &entry.plan {
                let exists = op.index() < domain.operators();
                if !exists || !domain.applicable(&state).contains(op) {
                    return Err(MacroError::Foreign { feature, value });
                }
                domain.apply_into(&state, op, &mut next);
                std::mem::swap(&mut state, &mut next);
            }
            if self.first_unsolved(domain, order, &state, 0).is_some_and(|(at, _)| at <= feature) {
                return Err(MacroError::Foreign { feature, value });
            }
            out.plan.extend_from_slice(&entry.plan);
            out.macros.push(UsedMacro { feature, value, operators: entry.plan.len() });
        }
        if domain.is_goal(&state) { Ok(out) } else { Err(MacroError::NotSolved) }
    }

    /// The first feature from `from` on that is not at its goal value, and its value.
    pub(super) fn first_unsolved<D: Domain, S: SerialOrder<D>>(
        &self,
        domain: &D,
        order: &S,
        state: &D::State,
        from: usize,
    ) -> Option<(usize, usize)> {
        let features = from..self.features().min(order.features());
        let mut values = features.map(|i| (i, order.value(domain, state, i)));
        values.find(|&(feature, value)| self.goal.get(feature) != Some(&value))
    }
}

/// Appends operators to a plan. An operator that undoes the last one removes it instead.
pub(super) fn append(plan: &mut Plan, ops: impl IntoIterator<Item = Op>, inverse: &[Op]) {
    for op in ops {
        if plan.last() == Some(&inverse[op.index()]) {
            plan.pop();
        } else {
            plan.push(op);
        }
    }
}
