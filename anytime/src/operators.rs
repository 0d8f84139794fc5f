//! Beam search over the operators of any domain: [`BeamSearch`].

use crate::hash::hash_of;
use crate::planner::WIDTHS;
use crate::steps::{Step, path};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use search::{Cost, Domain, Heuristic, Op, OpSet, Plan, PlanRound};
use std::hash::Hash;

/// The most layers of a beam, for each unit of the start's bound and [`MORE`] more. If no beam
/// finds a plan in so few, all may have the second number.
const LAYERS: [usize; 2] = [4, 64];

/// Added to the start's bound, which may be 0.
const MORE: usize = 8;

/// The bytes of a node of an earlier layer: how it came, and its hash in a set that is half full.
const BYTES_OF_KEPT: u64 = (size_of::<Step>() + 2 * size_of::<u64>()) as u64;

/// The bytes that a search may take, whatever it is given.
const LEAST_BYTES: u64 = 1 << 22;

/// The layers before and behind a node whose bytes are counted for it.
const HISTORY: u64 = 200;

/// The name of a [`BeamSearch`] in [`PlanRound::by`].
pub const BEAM: &str = "beam";

/// Looks for plans with wider and wider beams over single operators.
///
/// For domains whose operators do not generate a group, or apply in some states only. A node is a
/// state. A layer has the best successors of the layer before: those for which the cost so far and
/// twice the bound are least.
///
/// Time: for each layer, the width times the operators. Memory: see [`BeamSearch::new`].
#[derive(Debug)]
pub struct BeamSearch<'a, D, H> {
    domain: &'a D,
    heuristic: &'a H,
    bytes: u64,
}

/// A state of a layer.
struct Node<D: Domain, H: Heuristic<D>> {
    state: D::State,
    carry: H::Carry,
    cost: u32,
}

/// A successor that may become a node.
#[derive(Clone, Copy)]
struct Candidate {
    rank: u32,
    hash: u64,
    step: Step,
    cost: u32,
    /// No plan through this state costs less.
    bound: u32,
    is_goal: bool,
}

impl Candidate {
    fn key(&self) -> (u32, u64, u32, Op) {
        (self.rank, self.hash, self.step.parent, self.step.op)
    }
}

/// What a beam may have: nodes in a layer, layers, and about so many nodes in all.
#[derive(Clone, Copy)]
struct Shape {
    width: usize,
    layers: usize,
    nodes: u64,
}

/// How a beam ended.
struct Beam {
    plan: Option<Vec<Op>>,
    generated: u64,
}

impl<'a, D, H> BeamSearch<'a, D, H>
where
    D: Domain<State: Hash>,
    H: Heuristic<D>,
{
    /// A search with beams of about `bytes` bytes at most. The narrowest has 30 nodes, which it has
    /// whatever `bytes` is.
    pub fn new(domain: &'a D, heuristic: &'a H, bytes: u64) -> Self {
        Self { domain, heuristic, bytes }
    }

    /// The bytes of a node, with its successors and the nodes from which it came.
    fn bytes_of_node(&self) -> u64 {
        let successors = self.domain.operators() * size_of::<Candidate>();
        let history = HISTORY * BYTES_OF_KEPT;
        (2 * size_of::<Node<D, H>>() + 2 * successors) as u64 + history
    }

    /// Looks for plans until about `nodes` nodes were generated, the widest beam is over, a plan
    /// meets the bound of the start, or `stop` is true. Calls `tell` with each plan that is cheaper
    /// than those before. Returns the nodes.
    ///
    /// The plans are the same for any number of threads, unless `stop` ends the work. They are not
    /// replayed: two states of one hash count as one, so a plan has operators of the domain, and
    /// solves the start, but a shorter one may be missed. Nodes are counted after each layer.
    pub fn improve(
        &self,
        start: &D::State,
        nodes: u64,
        stop: &(dyn Fn() -> bool + Sync),
        tell: &mut dyn FnMut(&[Op]),
    ) -> u64 {
        self.resume(start, (&[], nodes), stop, &mut |round, _| {
            if let Some(plan) = &round.plan {
                tell(plan);
            }
        })
    }

    /// As [`BeamSearch::improve`], after the rounds that are `known` from earlier runs for the same
    /// start and heuristic. Each beam is a round. Their plans and nodes count as those of this run.
    ///
    /// Calls `tell` after each further round, and says whether the next run may know it: not if a
    /// limit or `stop` cut it short.
    pub fn resume(
        &self,
        start: &D::State,
        (known, nodes): (&[PlanRound], u64),
        stop: &(dyn Fn() -> bool + Sync),
        tell: &mut dyn FnMut(&PlanRound, bool),
    ) -> u64 {
        let (mut spent, mut least, mut known) = (0_u64, u32::MAX, known.iter());
        if self.domain.is_goal(start) {
            tell(
                &PlanRound { by: BEAM.into(), cost: Some(0), plan: Some(Plan::new()), nodes: 0 },
                false,
            );
            return 0;
        }
        let lower = u32::from(self.heuristic.estimate(self.domain, start));
        let fits = |width: &usize| {
            *width == WIDTHS[0] || *width as u64 * self.bytes_of_node() <= self.bytes
        };
        for layers in LAYERS {
            for width in WIDTHS.into_iter().filter(fits) {
                if let Some(round) = known.next() {
                    spent = spent.saturating_add(round.nodes);
                    least = round.cost.map_or(least, |cost| least.min(cost));
                    continue;
                }
                if stop() || spent >= nodes || least <= lower {
                    return spent;
                }
                let most = layers * (lower as usize + MORE);
                let shape = Shape { width, layers: most, nodes: nodes - spent };
                let Beam { plan, generated } = self.beam(start, shape, least, stop);
                spent = spent.saturating_add(generated);
                let cost = |plan: &Vec<Op>| {
                    plan.iter().map(|&op| u32::from(self.domain.cost(op))).sum::<u32>()
                };
                let cost = plan.as_ref().map(cost);
                least = cost.unwrap_or(least);
                let plan = plan.map(|plan| self.domain.to_plan(&plan));
                let is_whole = generated < shape.nodes && !stop();
                tell(&PlanRound { by: BEAM.into(), nodes: generated, cost, plan }, is_whole);
            }
            if least < u32::MAX {
                break;
            }
        }
        spent
    }

    /// Runs one beam. Its plan costs less than `least`.
    fn beam(
        &self,
        start: &D::State,
        shape: Shape,
        mut least: u32,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Beam {
        let mut beam = Beam { plan: None, generated: 0 };
        let carry = self.heuristic.root(self.domain, start);
        let mut layer = vec![Node { state: start.clone(), carry, cost: 0 }];
        let mut seen = FxHashSet::from_iter([hash_of(start)]);
        let mut history: Vec<Vec<Step>> = Vec::new();
        let mut kept = 0;
        let fits = |kept: u64| kept * BYTES_OF_KEPT <= self.bytes.max(LEAST_BYTES) / 2;
        while history.len() < shape.layers && beam.generated < shape.nodes && fits(kept) {
            let Some(mut made) = self.successors(&layer, (least, &seen), stop) else { break };
            beam.generated += made.len() as u64;
            let goals = made.iter().filter(|child| child.is_goal);
            if let Some(goal) = goals.min_by_key(|child| (child.cost, child.key())) {
                least = goal.cost;
                beam.plan = Some(path(&history, goal.step).1);
                made.retain(|child| child.bound < least);
            }
            choose(&mut made, shape.width, &mut seen);
            if made.is_empty() {
                break;
            }
            kept += made.len() as u64;
            layer = made.par_iter().map(|child| self.node(&layer, child)).collect();
            history.push(made.iter().map(|child| child.step).collect());
        }
        beam
    }

    /// The successors of a layer through which a plan may cost less than `least`, without the seen.
    /// `None` if `stop` is true; it is asked before each node.
    fn successors(
        &self,
        layer: &[Node<D, H>],
        (least, seen): (u32, &FxHashSet<u64>),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Candidate>> {
        let nodes = layer.par_iter().enumerate().with_min_len(16);
        let made: Vec<Candidate> = nodes
            .flat_map_iter(|(parent, node)| {
                let mut made = Vec::new();
                if !stop() {
                    self.expand(node, u32::try_from(parent).unwrap_or(u32::MAX), least, &mut made);
                    made.retain(|child: &Candidate| child.is_goal || !seen.contains(&child.hash));
                }
                made
            })
            .collect();
        (!stop()).then_some(made)
    }

    fn expand(&self, node: &Node<D, H>, parent: u32, least: u32, made: &mut Vec<Candidate>) {
        let (domain, heuristic) = (self.domain, self.heuristic);
        let mut state = node.state.clone();
        for op in domain.restrict(domain.applicable(&node.state)).members() {
            domain.apply_into(&node.state, op, &mut state);
            let mut carry = heuristic.child(domain, &node.state, &node.carry, op, &state);
            let h = heuristic.bound(domain, &state, &mut carry, Cost::MAX).h;
            let cost = node.cost + u32::from(domain.cost(op));
            let bound = cost + u32::from(h);
            if H::CLAIMS.is_dead_end(h) || bound >= least {
                continue;
            }
            let is_goal = h == 0 && domain.is_goal(&state);
            let (rank, step) = (bound + u32::from(h), Step { parent, op });
            made.push(Candidate { rank, hash: hash_of(&state), step, cost, bound, is_goal });
        }
    }

    /// The node of a successor.
    fn node(&self, layer: &[Node<D, H>], child: &Candidate) -> Node<D, H> {
        let from = &layer[child.step.parent as usize];
        let mut state = from.state.clone();
        self.domain.apply_into(&from.state, child.step.op, &mut state);
        let carry =
            self.heuristic.child(self.domain, &from.state, &from.carry, child.step.op, &state);
        Node { state, carry, cost: child.cost }
    }
}

/// Keeps the best successors whose states no layer had before, best first.
fn choose(made: &mut Vec<Candidate>, width: usize, seen: &mut FxHashSet<u64>) {
    made.retain(|child| !child.is_goal);
    // Some are the same state.
    let most = width.saturating_mul(3);
    if made.len() > most {
        made.select_nth_unstable_by_key(most, Candidate::key);
        made.truncate(most);
    }
    made.par_sort_unstable_by_key(Candidate::key);
    let mut kept = 0;
    made.retain(|child| {
        let keep = kept < width && seen.insert(child.hash);
        kept += usize::from(keep);
        keep
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::on_threads;
    use search::testing::{GapHeuristic, Pancake, Pebbles};
    use search::{Estimate, NoPruning, Options, Zero, ida_star};

    /// All plans that a search tells.
    fn plans<D: Domain<State: Hash>>(
        domain: &D,
        heuristic: &impl Heuristic<D>,
        start: &D::State,
        nodes: u64,
    ) -> Vec<Vec<Op>> {
        let mut plans = Vec::new();
        let search = BeamSearch::new(domain, heuristic, 1 << 24);
        search.improve(start, nodes, &|| false, &mut |plan| plans.push(plan.to_vec()));
        plans
    }

    fn cost_of<D: Domain>(domain: &D, plan: &[Op]) -> u32 {
        plan.iter().map(|&op| u32::from(domain.cost(op))).sum()
    }

    /// Whether a plan leads from the start to a goal.
    fn solves<D: Domain>(domain: &D, start: &D::State, plan: &[Op]) -> bool {
        let mut state = start.clone();
        for &op in plan {
            let from = state.clone();
            if !domain.applicable(&from).contains(op) {
                return false;
            }
            domain.apply_into(&from, op, &mut state);
        }
        domain.is_goal(&state)
    }

    /// Each plan is cheaper than the one before, none costs less than the least, and the last is
    /// the same on any number of threads. With a good bound it is an optimal one.
    #[test]
    fn plans_get_cheaper_and_none_costs_less_than_the_least() {
        let domain = Pancake::new(9);
        let gap = GapHeuristic;
        for seed in 0..30 {
            let mut random = search::random::Random::new(seed);
            let mut pancakes: Vec<usize> = (0..9).collect();
            for i in (1..9).rev() {
                pancakes.swap(i, random.index(i + 1));
            }
            let start = domain.state(&pancakes);
            let least = ida_star(&domain, &gap, &NoPruning, &start, &Options::default());
            let least = least.plan().expect("a plan").len();
            let found = plans(&domain, &gap, &start, 100_000);
            assert!(found.windows(2).all(|pair| pair[1].len() < pair[0].len()), "{pancakes:?}");
            assert!(found.iter().all(|plan| solves(&domain, &start, plan)), "{pancakes:?}");
            assert_eq!(found.last().map(Vec::len), Some(least), "{pancakes:?}");
            for again in on_threads(|| plans(&domain, &gap, &start, 20_000)) {
                assert!(found.starts_with(&again), "{pancakes:?}");
            }
        }
    }

    /// A run that knows the rounds of earlier runs goes on as one that was never stopped.
    #[test]
    fn a_run_goes_on_after_any_round() {
        let domain = Pancake::new(9);
        let start = domain.state(&[4, 8, 1, 6, 3, 0, 7, 5, 2]);
        let run = |known: &[PlanRound], nodes| {
            let (mut rounds, mut whole) = (Vec::new(), 0);
            let tell = &mut |round: &PlanRound, is_whole| {
                rounds.push(round.clone());
                whole += usize::from(is_whole);
            };
            let search = BeamSearch::new(&domain, &Zero, 1 << 26);
            let spent = search.resume(&start, (known, nodes), &|| false, tell);
            (rounds, whole, spent)
        };
        let (all, whole, spent) = run(&[], 600_000);
        assert!(all.len() > 3 && whole + 1 >= all.len(), "{whole} of {}", all.len());
        for known in 0..=whole {
            let (more, _, again) = run(&all[..known], 600_000);
            assert_eq!((&more[..], again), (&all[known..], spent), "after {known}");
        }
        // A journal may tell any number of nodes.
        let round = PlanRound { by: BEAM.into(), nodes: u64::MAX, ..PlanRound::default() };
        assert_eq!(run(&[round.clone(), round], 600_000), (Vec::new(), 0, u64::MAX));
        for nodes in [1, 5_000, 100_000] {
            let (some, kept, _) = run(&[], nodes);
            assert_eq!(some[..kept], all[..kept], "{nodes} nodes");
        }
    }

    /// Where operators have costs and do not apply everywhere, and without any bound.
    #[test]
    fn costs_count_and_a_state_without_a_plan_gets_none() {
        let domain = Pebbles::ladder(2, 3);
        // Two pebbles exchanged, and the goal after three moves.
        let boards = [([1, 0, 2, 3, 4, 15], false), ([15, 0, 2, 3, 1, 4], true)];
        for (pebbles, solvable) in boards {
            let start = domain.state(&pebbles);
            let found = plans(&domain, &Zero, &start, 1_000_000);
            assert_eq!(!found.is_empty(), solvable, "{pebbles:?}");
            if let Some(last) = found.last() {
                let least = ida_star(&domain, &Zero, &NoPruning, &start, &Options::default());
                assert!(solves(&domain, &start, last), "{pebbles:?}");
                let plan = least.plan().expect("a plan");
                assert!(cost_of(&domain, last) >= cost_of(&domain, plan), "{pebbles:?}");
            }
        }
        let dead = Estimate(|_: &u64| Cost::MAX);
        assert!(plans(&domain, &dead, &domain.state(&boards[1].0), 1_000).is_empty());
    }

    /// The solved state has the empty plan, and work that is stopped has none.
    #[test]
    fn a_solved_state_and_stopped_work() {
        let domain = Pancake::new(5);
        let goal = domain.state(&[0, 1, 2, 3, 4]);
        assert_eq!(plans(&domain, &GapHeuristic, &goal, 100), [Vec::new()]);
        let start = domain.state(&[4, 0, 3, 1, 2]);
        let mut told = 0;
        let search = BeamSearch::new(&domain, &GapHeuristic, 0);
        search.improve(&start, 1_000, &|| true, &mut |_| told += 1);
        assert_eq!(told, 0);
    }
}
