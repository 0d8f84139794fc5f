//! One step of a search from a state to its child: [`Step`].

use crate::domain::{Domain, Op};

/// An operator that a search takes from a state. The child is made when [`Step::child`] is first
/// called, so a heuristic that cuts without it saves its making.
#[derive(Debug)]
pub struct Step<'a, D: Domain> {
    domain: &'a D,
    from: &'a D::State,
    op: Op,
    child: &'a mut D::State,
    made: bool,
}

impl<'a, D: Domain> Step<'a, D> {
    /// The step by `op`, which is applicable in `from`. `child` is a place for the child, which may
    /// hold anything before.
    #[inline(always)]
    pub fn new(domain: &'a D, from: &'a D::State, op: Op, child: &'a mut D::State) -> Self {
        Self { domain, from, op, child, made: false }
    }

    /// The step by `op` from `from` to `child`, which is made already.
    #[inline(always)]
    pub fn made(domain: &'a D, from: &'a D::State, op: Op, child: &'a mut D::State) -> Self {
        Self { domain, from, op, child, made: true }
    }

    /// The domain.
    #[inline(always)]
    pub fn domain(&self) -> &'a D {
        self.domain
    }

    /// The state before the operator.
    #[inline(always)]
    pub fn from(&self) -> &'a D::State {
        self.from
    }

    /// The operator.
    #[inline(always)]
    pub fn op(&self) -> Op {
        self.op
    }

    /// The state after the operator.
    #[inline(always)]
    pub fn child(&mut self) -> &mut D::State {
        if !self.made {
            self.domain.apply_into(self.from, self.op, self.child);
            self.made = true;
        }
        self.child
    }
}
