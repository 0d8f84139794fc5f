//! Images of a start: other states whose plans become plans of the start.

use crate::Plan;
use crate::domain::{Group, Op, Symmetric};

/// A state, and a map from its plans to plans of the original state at the same cost.
#[derive(Clone, Debug)]
pub struct Image<S> {
    /// The state to search from.
    pub state: S,
    /// For each operator in a plan of the image, the operator in the plan of the original state.
    /// Empty if all operators stay the same.
    instead: Vec<Op>,
    /// Whether the plan of the original state is the reversed plan of the image.
    reversed: bool,
}

impl<S: Clone> Image<S> {
    /// The state itself as an image, with the same plans.
    pub fn plain(state: S) -> Self {
        Self { state, instead: Vec::new(), reversed: false }
    }

    /// The image of `state` under a symmetry. If `inverse` is true: the image of its inverse.
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

    /// The plan of the original state for a plan of the image.
    pub fn plan(&self, plan: &[Op]) -> Plan {
        let instead = |op: &Op| self.instead.get(op.index()).copied().unwrap_or(*op);
        let mut plan: Plan = plan.iter().map(instead).collect();
        if self.reversed {
            plan.reverse();
        }
        plan
    }
}
