//! The loop of greedy search: look ahead, take the best operator, never visit a state twice.

use crate::Plan;
use crate::control::{
    Iteration, Limit, LimitCheck, Options, Outcome, Report, Stop, raise_to_parity,
};
use crate::domain::{Cost, Key, MAX_COST, Op, OpSet, Packed};
use crate::stored::{Budget, Full, Store};
use web_time::Instant;

/// The search reports progress when it has expanded this many more states.
const REPORT: u64 = 1 << 12;

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
pub(super) trait Guide<D: Packed> {
    /// What the search knows about a state on its path.
    type Node: Clone;
    /// What it computes once for all successors of a state.
    type Parent;
    fn start(&self, state: &D::State) -> Self::Node;
    fn parent(&self, node: &Self::Node) -> Self::Parent;
    /// The node of a successor that is no goal, and its score. Less is better.
    fn child(&self, parent: &Self::Parent, state: &D::State) -> (f64, Self::Node);
}

/// Why a search ends without an answer.
enum Halt {
    Stop(Stop),
    Full,
}

/// A greedy search.
pub(super) struct Greedy<'a, D: Packed, G: Guide<D>> {
    domain: &'a D,
    guide: &'a G,
    look_ahead: LookAhead,
    options: &'a Options<'a>,
    started: Instant,
    visited: Store<D::Key>,
    budget: Budget,
    generated: u64,
    expanded: u64,
    /// The number of expanded states at the last report.
    reported: u64,
    lower_bound: Cost,
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

impl<'a, D: Packed, G: Guide<D>> Greedy<'a, D, G> {
    pub(super) fn new(
        domain: &'a D,
        guide: &'a G,
        look_ahead: LookAhead,
        options: &'a Options<'a>,
    ) -> Self {
        Self {
            domain,
            guide,
            look_ahead,
            options,
            started: Instant::now(),
            visited: Store::new(),
            budget: Budget::new(options.limits.bytes),
            generated: 0,
            expanded: 0,
            reported: 0,
            lower_bound: options.lower_bound,
        }
    }

    pub(super) fn run(mut self, start: &D::State) -> Report {
        let most = self.options.most(1).map(|most| most.min(MAX_COST));
        let solved = self.domain.is_goal(start);
        if !solved {
            self.lower_bound = raise_to_parity(self.domain, start, self.lower_bound.max(1));
        }
        let outcome = match most {
            _ if solved => Outcome::Solved(vec![Plan::new()]),
            None => Outcome::LimitReached(Limit::Bound),
            Some(most) => match self.walk(start, most) {
                Ok(outcome) => outcome,
                Err(Halt::Stop(stop)) => stop.into(),
                Err(Halt::Full) => Outcome::LimitReached(Limit::Bytes),
            },
        };
        let iteration = Iteration {
            bound: most.unwrap_or(0),
            generated: self.generated,
            expanded: self.expanded,
            complete: outcome == Outcome::Unsolvable,
        };
        self.options.observer.iteration(&iteration);
        let optimal = match &outcome {
            Outcome::Solved(plans) => self.cost(&plans[0]) <= usize::from(self.lower_bound),
            _ => false,
        };
        Report {
            complete: matches!(outcome, Outcome::Solved(_) | Outcome::Unsolvable),
            outcome,
            lower_bound: self.lower_bound,
            optimal,
            iterations: vec![iteration],
            elapsed: self.started.elapsed(),
        }
    }

    fn cost(&self, plan: &[Op]) -> usize {
        plan.iter().map(|&op| usize::from(self.domain.cost(op))).sum()
    }

    /// Walks until it finds a goal, the path would cost more than `most`, or no state is left.
    fn walk(&mut self, start: &D::State, most: Cost) -> Result<Outcome, Halt> {
        let mut path = Plan::new();
        self.visit(start)?;
        let mut trail = vec![(start.clone(), self.guide.start(start))];
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
        let stored = self.visited.insert(key, key.hash(), &self.budget);
        stored.map(|_| ()).map_err(|Full| Halt::Full)
    }

    fn is_visited(&self, key: D::Key) -> bool {
        self.visited.find(&key, key.hash()).is_some()
    }

    /// Reports progress from time to time, and checks the limits.
    fn look(&mut self) -> Result<(), Halt> {
        let check = LimitCheck {
            options: self.options,
            started: self.started,
            before: 0,
            bound: self.lower_bound,
            lower_bound: self.lower_bound,
            upper_bound: self.options.upper_bound,
        };
        let stop = if self.expanded >= self.reported + REPORT {
            self.reported = self.expanded;
            check.look(self.generated, (0, 1))
        } else {
            check.stop(self.generated)
        };
        stop.map_or(Ok(()), |stop| Err(Halt::Stop(stop)))
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
        let parent = self.guide.parent(node);
        let mut to = state.clone();
        self.expanded += 1;
        for op in self.domain.applicable(state).members() {
            self.domain.apply_into(state, op, &mut to);
            self.generated += 1;
            if self.domain.is_goal(&to) {
                return Some(op);
            }
            let key = self.domain.pack(&to);
            if !self.is_visited(key) {
                let (score, node) = self.guide.child(&parent, &to);
                out.push(Child { key, op, state: to.clone(), node, score });
            }
        }
        None
    }
}
