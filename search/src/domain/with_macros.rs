//! Strings of operators as operators of their own: [`WithMacros`].

use super::{Contexts, Cost, Domain, MAX_COST, Op, OpSet};
use crate::Plan;

/// A domain with *macros*: strings of its operators that a search applies like one operator.
///
/// A macro costs as much as its operators together. So the costs of cheapest plans stay the same,
/// but a search reaches the end of a macro without the nodes between. This helps a search whose
/// heuristic is weak there. It has more operators for each node in return. To apply a macro takes a
/// second state, a clone of the first: so states should own no heap memory.
///
/// Macros are numbered after the operators of the domain, in their order. Plans
/// ([`Domain::to_plan`]) have the operators of the domain only.
///
/// Macro operators: Richard Korf, "Macro-operators: a weak method for learning", Artificial
/// Intelligence 26, 1985.
///
/// ```
/// use fewest_search::testing::Pancake;
/// use fewest_search::{Domain, Group, NoPruning, Op, Options, WithMacros, Zero, ida_star};
///
/// let domain = Pancake::new(5);
/// let turn = vec![Op(3), Op(2), Op(1), Op(0)];
/// let domain = WithMacros::new(domain, vec![turn])?;
/// assert_eq!((domain.operators(), domain.cost(Op(4))), (5, 4));
/// let mut start = domain.base().identity();
/// for op in [0, 1, 2, 3] {
///     domain.base().apply_into(&start.clone(), Op(op), &mut start);
/// }
/// let report = ida_star(&domain, &Zero, &NoPruning, &start, &Options::default());
/// assert_eq!(report.lower_bound, 4);
/// # Ok::<(), fewest_search::WithMacrosError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WithMacros<D: Domain> {
    base: D,
    /// Each macro with its cost.
    macros: Vec<(Vec<Op>, Cost)>,
    /// For each context: the macros that apply there, by their numbers as operators.
    applicable: Vec<D::Ops>,
}

/// Why strings of operators are no macros of a domain. Macros are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WithMacrosError {
    /// The set type of the domain has no room for all operators.
    #[error("{found} operators with the macros, expected at most {most}")]
    TooMany {
        /// The number of operators and macros.
        found: usize,
        /// The most that fit.
        most: usize,
    },
    /// A macro has no operators.
    #[error("macro {number} has no operators")]
    Empty {
        /// The number of the macro.
        number: usize,
    },
    /// A macro names an operator that the domain does not have.
    #[error("macro {number} has the operator {op}, expected one below {operators}")]
    Operator {
        /// The number of the macro.
        number: usize,
        /// The operator.
        op: Op,
        /// The number of operators of the domain.
        operators: usize,
    },
    /// A macro costs more than a plan may cost.
    #[error("macro {number} costs {cost}, expected at most {MAX_COST}")]
    Cost {
        /// The number of the macro.
        number: usize,
        /// The cost of its operators together.
        cost: u64,
    },
}

impl<D: Contexts> WithMacros<D> {
    /// Adds macros to a domain. A macro applies where its operators apply one after the other.
    ///
    /// # Errors
    /// If the operators and macros are too many for [`Domain::Ops`]. Also if a macro is empty,
    /// costs more than [`MAX_COST`], or names an operator that does not exist.
    pub fn new(base: D, macros: Vec<Vec<Op>>) -> Result<Self, WithMacrosError> {
        let operators = base.operators();
        let (found, most) = (operators + macros.len(), D::Ops::CAPACITY);
        if found > most {
            return Err(WithMacrosError::TooMany { found, most });
        }
        let priced = |(number, ops): (usize, Vec<Op>)| {
            if ops.is_empty() {
                return Err(WithMacrosError::Empty { number });
            }
            if let Some(&op) = ops.iter().find(|op| op.index() >= operators) {
                return Err(WithMacrosError::Operator { number, op, operators });
            }
            let cost = ops.iter().map(|&op| u64::from(base.cost(op))).sum();
            match Cost::try_from(cost).ok().filter(|&cost| cost <= MAX_COST) {
                Some(cost) => Ok((ops, cost)),
                None => Err(WithMacrosError::Cost { number, cost }),
            }
        };
        let macros: Vec<_> =
            macros.into_iter().enumerate().map(priced).collect::<Result<_, _>>()?;
        let of_context = |context| {
            let start = base.representative(context);
            let applies = |(_, (ops, _)): &(usize, &(Vec<Op>, Cost))| {
                let (mut state, mut spare) = (start.clone(), start.clone());
                ops.iter().all(|&op| {
                    let applies = base.applicable(&state).contains(op);
                    if applies {
                        base.apply_into(&state, op, &mut spare);
                        std::mem::swap(&mut state, &mut spare);
                    }
                    applies
                })
            };
            let numbered = (operators..).zip(&macros).filter(applies);
            numbered.fold(D::Ops::NONE, |all, (number, _)| all.with(Op::new(number)))
        };
        let applicable = (0..base.contexts()).map(of_context).collect();
        Ok(Self { base, macros, applicable })
    }

    /// The domain without macros.
    pub fn base(&self) -> &D {
        &self.base
    }

    /// The operators of a macro. `None` for an operator of the domain.
    pub fn macro_of(&self, op: Op) -> Option<&[Op]> {
        let number = op.index().checked_sub(self.base.operators())?;
        self.macros.get(number).map(|(ops, _)| &ops[..])
    }
}

impl<D: Contexts> Domain for WithMacros<D> {
    type State = D::State;
    type Ops = D::Ops;

    fn operators(&self) -> usize {
        self.base.operators() + self.macros.len()
    }
    #[inline(always)]
    fn applicable(&self, state: &D::State) -> D::Ops {
        self.base.applicable(state).or(self.applicable[self.base.context(state)])
    }
    #[inline(always)]
    fn apply_into(&self, from: &D::State, op: Op, to: &mut D::State) {
        let Some(ops) = self.macro_of(op) else { return self.base.apply_into(from, op, to) };
        to.clone_from(from);
        let mut spare = from.clone();
        for &op in ops {
            self.base.apply_into(to, op, &mut spare);
            std::mem::swap(to, &mut spare);
        }
    }
    crate::forward_domain! { base: is_goal }
    #[inline(always)]
    fn cost(&self, op: Op) -> Cost {
        match op.index().checked_sub(self.base.operators()) {
            Some(number) => self.macros[number].1,
            None => self.base.cost(op),
        }
    }
    fn parity(&self, state: &D::State) -> Option<bool> {
        self.base.parity(state)
    }
    fn to_plan(&self, path: &[Op]) -> Plan {
        let single = |op: &Op| self.macro_of(*op).map_or_else(|| vec![*op], <[Op]>::to_vec);
        let path: Vec<Op> = path.iter().flat_map(single).collect();
        self.base.to_plan(&path)
    }
}

impl<D: Contexts> Contexts for WithMacros<D> {
    crate::forward_domain! { base: contexts context representative }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Distances, Pancake, Pebbles, check_domain};
    use crate::{Group, NoPruning, Options, Zero, ida_star};

    fn with(macros: &[&[u16]]) -> Result<WithMacros<Pancake>, WithMacrosError> {
        let ops = |ops: &&[u16]| ops.iter().map(|&op| Op(op)).collect();
        WithMacros::new(Pancake::new(6), macros.iter().map(ops).collect())
    }

    /// The state after some operators.
    fn after<D: Domain<State = u64>>(domain: &D, state: u64, ops: &[Op]) -> u64 {
        let (mut state, mut to) = (state, 0);
        for &op in ops {
            assert!(domain.applicable(&state).contains(op));
            domain.apply_into(&state, op, &mut to);
            state = to;
        }
        state
    }

    /// Plans with macros cost what plans without cost, and are plans of the domain.
    #[test]
    fn costs_are_those_of_the_domain() {
        let plain = Pancake::new(6);
        let domain = with(&[&[0, 1, 2], &[4, 0], &[3, 1, 3, 1]]).unwrap();
        let distances = Distances::from_goals(&plain, &[plain.identity()], 20);
        assert_eq!(distances.len(), 720);
        let checked = distances.try_for_each(|state, cost, _| {
            let report = ida_star(&domain, &Zero, &NoPruning, state, &Options::default());
            let plan = report.plan().ok_or("no plan")?;
            assert_eq!((report.lower_bound, plan.len()), (cost, cost.into()));
            assert_eq!(after(&plain, *state, plan), plain.identity());
            Ok::<(), &str>(())
        });
        assert_eq!(checked, Ok(()));
        check_domain(&domain, &[plain.identity(), plain.state(&[5, 2, 1, 3, 4, 0])]).unwrap();
        for (path, ops) in [([5, 6], vec![0, 1, 2, 4, 0]), ([7, 1], vec![3, 1, 3, 1, 1])] {
            let (path, start) = (path.map(Op), plain.identity());
            let expanded = domain.to_plan(&path);
            assert!(expanded.iter().map(|op| op.0).eq(ops));
            assert_eq!(after(&plain, start, &expanded), after(&domain, start, &path));
        }
    }

    #[test]
    fn macros_apply_where_their_operators_do() {
        let plain = Pebbles::ladder(2, 3);
        let goal = plain.goal();
        let first = plain.applicable(&goal).members().next().unwrap();
        let mut moved = goal;
        plain.apply_into(&goal, first, &mut moved);
        let second = plain.applicable(&moved).members().last().unwrap();
        let domain = WithMacros::new(plain, vec![vec![first, second], vec![first, first]]).unwrap();
        check_domain(&domain, &[goal]).unwrap();
        let own = domain.operators() - 2;
        assert!(domain.applicable(&goal).contains(Op::new(own)));
        let applies = |state: &u64, ops: &[Op]| {
            let (mut state, mut to) = (*state, 0);
            ops.iter().all(|&op| {
                let applies = domain.base().applicable(&state).contains(op);
                if applies {
                    domain.base().apply_into(&state, op, &mut to);
                    state = to;
                }
                applies
            })
        };
        for state in [goal, moved] {
            for op in [Op::new(own), Op::new(own + 1)] {
                let ops = domain.macro_of(op).unwrap();
                assert_eq!(domain.applicable(&state).contains(op), applies(&state, ops));
            }
        }
    }

    #[test]
    fn what_is_no_macro_is_told() {
        let told = |macros: &[&[u16]]| with(macros).unwrap_err().to_string();
        assert_eq!(told(&[&[0], &[]]), "macro 1 has no operators");
        assert_eq!(told(&[&[0, 5]]), "macro 0 has the operator 5, expected one below 5");
        assert_eq!(told(&[&[0; 251]]), "macro 0 costs 251, expected at most 250");
        assert_eq!(told(&[&[0, 1][..]; 28]), "33 operators with the macros, expected at most 32");
    }
}
