//! The loop of greedy search: look ahead, take the best operator, never visit a state twice.

use crate::Plan;
use crate::control::{Limit, Options, Outcome, Report, raise_to_parity};
use crate::domain::{Cost, Key, MAX_COST, Op, OpSet, Packed};
use crate::stored::{BestFirstState, Halt, Store};

/// How far a greedy search looks ahead at each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookAhead {
    /// At the successors.
    #[default]
    One,
    /// At the states two operators away that are no successors. There are 243 of them from each
    /// state of the 3x3x3 cube in the half-turn metric.
    Two,
}

/// Tells a greedy search which states are better.
pub(super) trait Scorer<D: Packed> {
    /// What the search knows about a state on its path.
    type Node: Clone;
    /// What it computes once for all successors of a state.
    type Parent;
    fn start(&self, state: &D::State) -> Self::Node;
    fn parent(&self, node: &Self::Node) -> Self::Parent;
    /// The node of a successor that is no goal, and its score. Less is better.
    fn child(&self, parent: &Self::Parent, state: &D::State) -> (f64, Self::Node);
}

/// A greedy search.
pub(super) struct Greedy<'a, D: Packed, G: Scorer<D>> {
    domain: &'a D,
    scorer: &'a G,
    look_ahead: LookAhead,
    visited: Store<D::Key>,
    state: BestFirstState<'a>,
}

/// A successor that is not visited.
struct Child<D: Packed, N> {
    key: D::Key,
    op: Op,
    state: D::State,
    node: N,
    score: f64,
}

/// The next step of the path.
enum Next<S, N> {
    /// These operators lead to a goal.
    Goal([Option<Op>; 2]),
    /// This operator is the best.
    Step(Op, S, N),
    /// Every string leads to a visited state.
    Nowhere,
}

impl<'a, D: Packed, G: Scorer<D>> Greedy<'a, D, G> {
    pub(super) fn new(
        domain: &'a D,
        scorer: &'a G,
        look_ahead: LookAhead,
        options: &'a Options<'a>,
    ) -> Self {
        Self {
            domain,
            scorer,
            look_ahead,
            visited: Store::new(),
            state: BestFirstState::new(options, 0, MAX_COST),
        }
    }

    pub(super) fn run(mut self, start: &D::State) -> Report {
        self.state.bound = self.state.most;
        if self.domain.is_goal(start) {
            self.state.lower_bound = 0;
            return self.state.report(Outcome::Solved(vec![Plan::new()]), Some(0));
        }
        let least = self.state.lower_bound.max(1);
        self.state.lower_bound = raise_to_parity(self.domain, start, least);
        let outcome = match self.state.most {
            None => Outcome::LimitReached(Limit::Bound),
            Some(most) => self.walk(start, most).unwrap_or_else(Outcome::from),
        };
        let cost = match &outcome {
            Outcome::Solved(plans) => Cost::try_from(self.cost(&plans[0])).ok(),
            _ => None,
        };
        self.state.report(outcome, cost)
    }

    fn cost(&self, plan: &[Op]) -> usize {
        plan.iter().map(|&op| usize::from(self.domain.cost(op))).sum()
    }

    /// Walks until it finds a goal, the path would cost more than `most`, or no state is left.
    fn walk(&mut self, start: &D::State, most: Cost) -> Result<Outcome, Halt> {
        let mut path = Plan::new();
        self.visit(start)?;
        let mut trail = vec![(start.clone(), self.scorer.start(start))];
        while let Some((state, node)) = trail.last() {
            self.look()?;
            let (state, node) = (state.clone(), node.clone());
            let next = self.next(&state, &node);
            match &next {
                Next::Goal(ops) => path.extend(ops.iter().copied().flatten()),
                Next::Step(op, ..) => path.push(*op),
                Next::Nowhere => {}
            }
            if self.cost(&path) > usize::from(most) {
                return Ok(Outcome::LimitReached(Limit::Bound));
            }
            match next {
                Next::Goal(_) => return Ok(Outcome::Solved(vec![self.domain.to_plan(&path)])),
                Next::Step(_, state, node) => {
                    self.visit(&state)?;
                    trail.push((state, node));
                }
                Next::Nowhere => {
                    trail.pop();
                    path.pop();
                }
            }
        }
        Ok(Outcome::Unsolvable)
    }

    fn visit(&mut self, state: &D::State) -> Result<(), Halt> {
        let key = self.domain.pack(state);
        let stored = self.visited.insert(key, key.hash(), &self.state.budget);
        stored.map(|_| ()).map_err(Halt::from)
    }

    fn is_visited(&self, key: D::Key) -> bool {
        self.visited.find(&key, key.hash()).is_some()
    }

    /// Checks the limits when it is time.
    fn look(&mut self) -> Result<(), Halt> {
        if self.state.is_due() { self.state.look(None) } else { Ok(()) }
    }

    /// The step to take from a state.
    fn next(&mut self, state: &D::State, node: &G::Node) -> Next<D::State, G::Node> {
        let mut children = Vec::new();
        if let Some(op) = self.children(state, node, &mut children) {
            return Next::Goal([Some(op), None]);
        }
        if self.look_ahead == LookAhead::Two {
            let mut grandchildren = Vec::new();
            for number in 0..children.len() {
                grandchildren.clear();
                let child = &children[number];
                if let Some(op) = self.children(&child.state, &child.node, &mut grandchildren) {
                    return Next::Goal([Some(child.op), Some(op)]);
                }
                let far = grandchildren
                    .iter()
                    .filter(|far| children.iter().all(|near| near.key != far.key));
                children[number].score =
                    far.map(|far| far.score).min_by(f64::total_cmp).unwrap_or(f64::NAN);
            }
            // Nothing lies behind such a child.
            children.retain(|child| !child.score.is_nan());
        }
        // The first of equals.
        match children.into_iter().min_by(|a, b| a.score.total_cmp(&b.score)) {
            Some(child) => Next::Step(child.op, child.state, child.node),
            None => Next::Nowhere,
        }
    }

    /// Appends the successors of a state that are not visited. Returns the operator to a goal if
    /// there is one.
    fn children(
        &mut self,
        state: &D::State,
        node: &G::Node,
        out: &mut Vec<Child<D, G::Node>>,
    ) -> Option<Op> {
        let parent = self.scorer.parent(node);
        let mut to = state.clone();
        self.state.expanded += 1;
        for op in self.domain.applicable(state).members() {
            self.domain.apply_into(state, op, &mut to);
            self.state.generated += 1;
            if self.domain.is_goal(&to) {
                return Some(op);
            }
            let key = self.domain.pack(&to);
            if !self.is_visited(key) {
                let (score, node) = self.scorer.child(&parent, &to);
                out.push(Child { key, op, state: to.clone(), node, score });
            }
        }
        None
    }
}
