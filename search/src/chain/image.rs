//! Images of a start state: other states whose plans are plans of it.

use crate::Plan;
use crate::domain::{Group, Op, Symmetric};

/// A state, and how its plans become those of the state that it is an image of, at the same cost.
#[derive(Clone, Debug)]
pub struct Image<S> {
    /// The state to search from.
    pub state: S,
    /// By operator of a plan: the operator to carry out instead. Empty: the same.
    instead: Vec<Op>,
    /// Whether plans are carried out from their end.
    reversed: bool,
}

impl<S: Clone> Image<S> {
    /// The state itself.
    pub fn plain(state: S) -> Self {
        Self { state, instead: Vec::new(), reversed: false }
    }

    /// The state, or with `inverse` its inverse, conjugated by a symmetry.
    pub fn new<D>(domain: &D, state: &S, symmetry: usize, inverse: bool) -> Self
    where
        D: Group + Symmetric<State = S>,
    {
        let (mut start, mut image) = (state.clone(), state.clone());
        if inverse {
            domain.invert(state, &mut start);
        }
        domain.conjugate(symmetry, &start, &mut image);
        let mut instead = vec![Op(0); domain.operators()];
        for op in (0..domain.operators()).map(Op::new) {
            let undone = if inverse { domain.inverse_op(op) } else { op };
            instead[domain.relabel(symmetry, op).index()] = undone;
        }
        Self { state: image, instead, reversed: inverse }
    }

    /// The plan of the state that this is an image of.
    pub fn plan(&self, plan: &[Op]) -> Plan {
        let instead = |op: &Op| self.instead.get(op.index()).copied().unwrap_or(*op);
        let mut plan: Plan = plan.iter().map(instead).collect();
        if self.reversed {
            plan.reverse();
        }
        plan
    }
}
