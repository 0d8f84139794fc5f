//! The loop of the best-first searches.

use super::graph::{Graph, GraphAnswer, GraphError};
use super::order::Order;
use super::paths::Paths;
use super::queue::Queue;
use crate::Plan;
use crate::control::{Limit, Options, Outcome};
use crate::domain::Op;
use crate::stored::best_first_state::{BestFirstState, Halt};
use crate::stored::store::{StateKey, Store, StoreKey};
use num_traits::{PrimInt, Saturating, Zero};

/// Why a search ended without an answer.
enum GraphHalt<E> {
    Halt(Halt),
    Error(GraphError<E>),
}

impl<E, H: Into<Halt>> From<H> for GraphHalt<E> {
    fn from(halt: H) -> Self {
        Self::Halt(halt.into())
    }
}

/// What a search of a graph returns.
pub type GraphResult<G> =
    Result<GraphAnswer<<G as Graph>::State, <G as Graph>::Cost>, GraphError<<G as Graph>::Error>>;

/// Finds a plan by a best-first search that stores every generated state, with costs of any integer
/// type.
///
/// The cost 0 is allowed. A plan may cost at most [`Graph::most`]. [`Report::lower_bound`] is
/// proven however the search ends, and [`Report::optimal`] says whether the plan costs as much. The
/// search returns one plan, and ignores [`Options::plans`] and [`Options::filter`]. See
/// [`a_star`](crate::stored::a_star) for time and for what [`Limits::bytes`](crate::Limits::bytes)
/// covers.
///
/// Memory for each state, besides what a state owns on the heap:
/// - the state;
/// - 6 bytes for the way to it while no path costs more than 65,535, then 8 (costs of 32 bits) or
///   12 (64); 5 for costs of one byte;
/// - 6 to 12 bytes of table;
/// - 4 to 8 bytes on the open list if `f` is below 1024, else 16 (32 bits) or 24.
///
/// # Errors
/// If the graph returns an error, or lists other successors of a state than before.
///
/// [`Report::lower_bound`]: crate::Report::lower_bound
/// [`Report::optimal`]: crate::Report::optimal
pub fn best_first<G: Graph>(
    mut graph: G,
    start: &G::State,
    order: Order,
    options: &Options<'_, G::Cost>,
) -> GraphResult<G> {
    let of_start = |error| GraphError { depth: 0, cause: Some(error) };
    let h = graph.estimate(start).map_err(of_start)?;
    // An estimate that may be too high proves nothing, and cuts nothing.
    let known = h.filter(|_| graph.is_admissible()).unwrap_or(G::Cost::zero());
    BestFirst {
        order: order.checked(graph.most()),
        store: Store::new(),
        paths: Paths::new(),
        open: Queue::new(),
        current: None,
        cut: None,
        run: BestFirstState::new(options, known, graph.most()),
        graph,
    }
    .run(start, h)
}

struct BestFirst<'a, G: Graph> {
    graph: G,
    order: Order,
    store: Store<StateKey<G::State>>,
    paths: Paths<G::Cost>,
    open: Queue<G::Cost>,
    /// The `f` of the state that was taken from the open list and is not yet expanded completely.
    current: Option<G::Cost>,
    /// The least `f` of a state that was cut because its `f` exceeds the most that a plan may cost;
    /// `None` if no state was cut.
    cut: Option<G::Cost>,
    run: BestFirstState<'a, G::Cost>,
}

impl<G: Graph> BestFirst<'_, G> {
    fn run(mut self, start: &G::State, h: Option<G::Cost>) -> GraphResult<G> {
        let end = self.search(start, h);
        self.prove();
        self.run.lower_bound = self.graph.raise(self.run.lower_bound);
        let mut answer = (Vec::new(), None);
        let outcome = match end {
            Ok(Some(index)) => {
                let (states, plan, cost) = self.plan(index)?;
                answer = (states, Some(cost));
                Outcome::Solved(vec![plan])
            }
            Ok(None) if self.cut.is_some() => Outcome::LimitReached(Limit::Bound),
            Ok(None) => Outcome::Unsolvable,
            Err(GraphHalt::Halt(halt)) => halt.into(),
            Err(GraphHalt::Error(error)) => return Err(error),
        };
        let (states, cost) = answer;
        let report = self.run.report(outcome, cost);
        Ok(GraphAnswer { report, states, cost: cost.unwrap_or(G::Cost::zero()) })
    }

    /// Expands states until it takes a goal, whose index it returns, or no state is left.
    fn search(
        &mut self,
        start: &G::State,
        h: Option<G::Cost>,
    ) -> Result<Option<u32>, GraphHalt<G::Error>> {
        let Some(h) = h else { return Ok(None) };
        if self.run.most.is_none() && !self.graph.is_goal(start) {
            self.cut = Some(G::Cost::zero());
            return Ok(None);
        }
        self.insert(start.clone(), 0, G::Cost::zero(), h)?;
        while let Some((first, second, index)) = self.open.pop() {
            let g = self.order.g(first, second);
            // This entry is outdated: the search has reached the state more cheaply since then.
            // Each push of a state has a smaller `g`, so only one entry has the current `g`. So no
            // state is expanded twice at one `g`.
            if self.paths.g(index) != g {
                continue;
            }
            self.current = Some(self.f(first, second));
            let state = &self.store.key(index as usize).0;
            if self.graph.is_goal(state) {
                return Ok(Some(index));
            }
            self.look()?;
            if let Err(error) = self.graph.expand(&self.store.key(index as usize).0) {
                return Err(self.refused(index, error));
            }
            if let Some(goal) = self.successors(index, g)? {
                return Ok(Some(goal));
            }
            self.current = None;
        }
        Ok(None)
    }

    /// Looks at the limits when it is time.
    #[inline(always)]
    fn look(&mut self) -> Result<(), Halt> {
        if self.run.is_due() {
            self.prove_in_passing();
            self.run.look(None)?;
        }
        Ok(())
    }

    /// Generates the successors of the expanded state. Returns a goal if the first one ends the
    /// search.
    #[inline(always)]
    fn successors(
        &mut self,
        parent: u32,
        before: G::Cost,
    ) -> Result<Option<u32>, GraphHalt<G::Error>> {
        self.run.expanded += 1;
        loop {
            let (state, cost) = match self.graph.next() {
                Ok(Some((state, _, cost))) => (state, cost),
                Ok(None) => return Ok(None),
                Err(error) => return Err(self.refused(parent, error)),
            };
            self.run.generated += 1;
            self.look()?;
            // A sum beyond the type is too costly for every plan.
            let g = before.saturating_add(cost);
            let state = StateKey(state);
            if let Some(known) = self.find(&state) {
                if self.order.reopens() && g < self.paths.g(known) {
                    let Some(h) = self.estimate(&state.0, parent)? else { continue };
                    self.paths.set(known, parent, g, &self.run.budget)?;
                    self.push(known, g, h)?;
                }
                continue;
            }
            let Some(h) = self.estimate(&state.0, parent)? else { continue };
            let f = if self.graph.is_admissible() { g.saturating_add(h) } else { g };
            if self.run.most.is_none_or(|most| f > most) {
                self.cut(f);
                continue;
            }
            let goal = self.order == Order::FewestSteps && self.graph.is_goal(&state.0);
            let index = self.insert(state.0, parent, g, h)?;
            if goal {
                // All states nearer to the start were no goals.
                self.current = None;
                self.run.lower_bound = self.run.lower_bound.max(g);
                return Ok(Some(index));
            }
        }
    }

    #[inline(always)]
    fn estimate(
        &mut self,
        state: &G::State,
        parent: u32,
    ) -> Result<Option<G::Cost>, GraphHalt<G::Error>> {
        match self.graph.estimate(state) {
            Ok(h) => Ok(h),
            Err(error) => Err(self.refused(parent, error)),
        }
    }

    /// The error of a graph at this state.
    #[cold]
    fn refused(&self, index: u32, error: G::Error) -> GraphHalt<G::Error> {
        GraphHalt::Error(GraphError { depth: self.path_to(index).len() - 1, cause: Some(error) })
    }

    /// The index of a state, if it is stored.
    #[inline(always)]
    fn find(&self, state: &StateKey<G::State>) -> Option<u32> {
        #[expect(clippy::cast_possible_truncation, reason = "the store has 32-bit indices")]
        self.store.find(state, state.hash()).map(|index| index as u32)
    }

    /// Stores a new state and opens it. Returns its index.
    #[inline(always)]
    fn insert(
        &mut self,
        state: G::State,
        parent: u32,
        g: G::Cost,
        h: G::Cost,
    ) -> Result<u32, GraphHalt<G::Error>> {
        let state = StateKey(state);
        let hash = state.hash();
        let (index, _) = self.store.insert(state, hash, &self.run.budget)?;
        self.paths.push(parent, g, &self.run.budget)?;
        #[expect(clippy::cast_possible_truncation, reason = "the store has 32-bit indices")]
        let index = index as u32;
        self.push(index, g, h)?;
        Ok(index)
    }

    #[inline(always)]
    fn push(&mut self, index: u32, g: G::Cost, h: G::Cost) -> Result<(), GraphHalt<G::Error>> {
        match self.order.priorities(g, h) {
            Some((first, second)) => self.open.push(first, second, index, &self.run.budget)?,
            None => self.cut(g.saturating_add(h)),
        }
        Ok(())
    }

    /// Notes the `f` of a state that is not opened, because it is too costly.
    fn cut(&mut self, f: G::Cost) {
        self.cut = Some(self.cut.map_or(f, |cut| cut.min(f)));
    }

    /// The `f` of a state with these priorities.
    #[inline(always)]
    fn f(&self, first: u64, second: G::Cost) -> G::Cost {
        match self.order {
            Order::Nearest => second.saturating_add(cast(first)),
            order => order.g(first, second).saturating_add(second),
        }
    }

    /// Raises the proven lower bound to the least `f` of the states whose children are not all
    /// generated: the open states, the current one, and those that were cut.
    fn prove(&mut self) {
        if !(self.order.reopens() && self.graph.is_admissible()) {
            return;
        }
        let mut least = self.current.into_iter().chain(self.cut).min();
        for (first, second, bucket) in self.open.groups() {
            let (g, f) = (self.order.g(first, second), self.f(first, second));
            let fresh = |&index: &u32| self.paths.g(index) == g;
            if least.is_none_or(|least| f < least) && bucket.iter().any(fresh) {
                least = Some(f);
            }
        }
        if let Some(least) = least {
            self.run.lower_bound = self.run.lower_bound.max(least);
        }
    }

    /// Raises the proven lower bound during the search, in little time: a list that is not in
    /// buckets is read only when the number of expanded states has doubled.
    fn prove_in_passing(&mut self) {
        if self.open.is_near() || self.run.expanded.is_power_of_two() {
            self.prove();
        } else if let (Order::LeastTotal, Some(least)) = (self.order, self.current) {
            self.run.lower_bound = self.run.lower_bound.max(least);
        }
    }

    /// The indices of the states on the known path to a state, from the start.
    fn path_to(&self, index: u32) -> Vec<u32> {
        let parent = |&index: &u32| (index != 0).then(|| self.paths.parent(index));
        let mut path: Vec<u32> = std::iter::successors(Some(index), parent).collect();
        path.reverse();
        path
    }

    /// The states of the known path to a goal, the operators of its steps, and its cost. The graph
    /// lists the successors of these states once more to find the operators.
    #[expect(clippy::type_complexity, reason = "states, operators and cost")]
    fn plan(&mut self, goal: u32) -> Result<(Vec<G::State>, Plan, G::Cost), GraphError<G::Error>> {
        let path = self.path_to(goal);
        let states: Vec<_> =
            path.iter().map(|&index| self.store.key(index as usize).0.clone()).collect();
        let (mut plan, mut total) = (Plan::new(), G::Cost::zero());
        for (depth, (step, states)) in path.windows(2).zip(states.windows(2)).enumerate() {
            let failed = |cause| GraphError { depth, cause };
            let cost = self.paths.g(step[1]) - self.paths.g(step[0]);
            self.graph.is_goal(&states[0]);
            self.graph.expand(&states[0]).map_err(|error| failed(Some(error)))?;
            // The first of the cheapest steps. It may cost less than the record says if the search
            // has reached the state before it more cheaply since then.
            let mut best: Option<(G::Cost, Op)> = None;
            while let Some((state, op, step)) =
                self.graph.next().map_err(|error| failed(Some(error)))?
            {
                if state == states[1] && step <= cost && best.is_none_or(|best| step < best.0) {
                    best = Some((step, op));
                }
            }
            let (step, op) = best.ok_or(failed(None))?;
            plan.push(op);
            total = total + step;
        }
        Ok((states, plan, total))
    }
}

/// The first priority of greedy search as a cost, which it was.
fn cast<C: PrimInt>(first: u64) -> C {
    C::from(first).unwrap_or(C::max_value())
}
