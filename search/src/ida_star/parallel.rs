//! The parallel driver: all threads of the rayon pool search below thousands of units of one
//! instance.
//!
//! Each iteration expands the root breadth-first within the bound until there are enough nodes.
//! Each of these nodes is a unit. Threads take units from one queue. The units that were largest in
//! the previous iteration come first, because a plan is likely in a dense part of the tree. If the
//! heuristic is staged, a thread expands several nodes at once. A complete iteration generates
//! every node once, so its counts are the serial ones.
//!
//! The units of a bound do not depend on threads or time. So their results can be kept for a later
//! run, and shared with other processes ([`Units`](crate::Units)).

use super::frontier::{Level, Nodes, frontier};
use super::{Expansion, deepen, space};
use crate::Plan;
use crate::control::{
    BoundResult, Counts, Frontier, KnownUnits, LEAST_UNITS, LOOK, Limit, MOST_UNITS, Options,
    Outcome, Report, SearchState, UnitCounts, Units,
};
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Expander, OnePhase, Pause, Problem, Staged};
use crate::pruning::Pruning;
use crate::threads;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Target nodes of a unit when a keeper stores results, estimated from the iteration before. So a
/// unit of a long search takes about as long as a unit of a short one.
const NODES_OF_A_UNIT: u64 = 1 << 17;
/// Nodes of a unit in the iteration before, if the heuristic is remote and no results of units are
/// kept. A smaller unit has few children at a time, so that a search would wait for thousands of
/// answers about a dozen entries.
const NODES_OF_A_REMOTE_UNIT: u64 = 1 << 14;
/// The nodes that a thread expands at once if the heuristic is staged.
const WIDTH: usize = 16;
/// The nodes that a thread expands at once if the heuristic is remote.
const REMOTE_WIDTH: usize = 1 << 11;
/// Finds a cheapest plan by iterative-deepening A* on all threads of the current rayon pool.
///
/// Plans cost the same as those of [`ida_star`](super::ida_star), and complete iterations have the
/// same counts. With several threads the last iteration depends on which thread finds a plan first,
/// and so does the plan.
pub fn ida_star_parallel<D, H, P>(
    domain: &D,
    heuristic: &H,
    pruning: &P,
    start: &D::State,
    options: &Options,
) -> Report
where
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    const { H::CLAIMS.assert_admissible() };
    if options.units.is_some_and(Units::is_recheck) {
        return super::plain::search(domain, heuristic, pruning, start, options);
    }
    let space = space(domain, heuristic, pruning, start);
    if const { H::EVALUATION.remote } {
        drive(space, Staged::<D, H, P, REMOTE_WIDTH>::new, start, options)
    } else if const { H::EVALUATION.is_staged() } {
        drive(space, Staged::<D, H, P, WIDTH>::new, start, options)
    } else {
        drive(space, OnePhase::new, start, options)
    }
}

/// Whether a plan of a keeper leads from the start to a goal within the bound.
///
/// The operators of a plan are the first ones of the domain, also where a path of the search has
/// others ([`Domain::to_plan`]).
fn solves<D: Domain>(domain: &D, start: &D::State, plan: &[Op], bound: Cost) -> bool {
    let (mut state, mut cost) = (start.clone(), 0_u64);
    for &op in plan {
        let exists = op.index() < domain.operators();
        if !exists || !domain.applicable(&state).contains(op) {
            return false;
        }
        let from = state.clone();
        domain.apply_into(&from, op, &mut state);
        cost += u64::from(domain.cost(op));
    }
    domain.is_goal(&state) && cost <= bound.into()
}

/// What the next iteration knows of the iteration before.
#[derive(Default)]
struct Previous {
    /// The generated nodes below each unit, by the path to the unit.
    sizes: HashMap<Plan, u64>,
    generated: u64,
}

impl Previous {
    /// The number of units that the next iteration makes at least, if its tree has as many.
    /// `remote`: they wait for answers of other processes.
    fn units(&self, units: Option<&dyn Units>, remote: bool) -> usize {
        let of = |nodes| usize::try_from(self.generated / nodes).unwrap_or(MOST_UNITS);
        if remote && !units.is_some_and(Units::are_kept) {
            return of(NODES_OF_A_REMOTE_UNIT).clamp(1, MOST_UNITS);
        }
        let many = if units.is_some() { of(NODES_OF_A_UNIT) } else { 0 };
        many.clamp(LEAST_UNITS, MOST_UNITS)
    }

    /// The expected size of a unit: that of the nearest node above it that was a unit. 0 if there
    /// is none.
    fn size(&self, path: &[Op]) -> u64 {
        let known = (0..=path.len()).find_map(|up| self.sizes.get(&path[..path.len() - up]));
        known.copied().unwrap_or(0)
    }
}

fn drive<'a, M, D, H, P>(
    space: Problem<'a, D, H, P>,
    new: fn(Problem<'a, D, H, P>) -> M,
    start: &D::State,
    options: &Options,
) -> Report
where
    M: Expander<D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let mut previous = Previous::default();
    let mut report = deepen(space, start, options, &mut |root, state| {
        let level = &mut Nodes::new(space, new, root);
        let solves = |plan: &Plan| solves(space.domain, start, plan, state.bound);
        let units = previous.units(options.units, H::EVALUATION.remote);
        search_bound((level, units), (space.domain.operators(), &solves), state, &mut previous)
    });
    sort_plans(&mut report);
    report
}

/// Threads find plans in any order. The answer lists them in ascending order.
fn sort_plans(report: &mut Report) {
    if let Outcome::Solved(plans) = &mut report.outcome {
        plans.sort_unstable();
    }
}

/// Searches one bound, from a level with its root, in at least as many units if its tree has them.
/// `operators`: how many children a node may have. `solves`: whether a plan holds.
fn search_bound(
    (level, units): (&mut dyn Level, usize),
    (operators, solves): (usize, &dyn Fn(&Plan) -> bool),
    state: &SearchState,
    previous: &mut Previous,
) -> BoundResult {
    let (mut swept, options) = (BoundResult::NOTHING, state.options);
    let paths = frontier(level, units, &mut swept, state);
    if swept.plans.len() >= options.wanted() || swept.stop.is_some() {
        return swept;
    }
    let level = &*level;
    let (paths, operators) = (&paths[..], operators as u64);
    let units = UnitSearch { paths, operators, expansion: &|| level.expansion(), solves };
    sweep(units, swept, state, previous)
}

/// The results of an iteration so far.
struct Tally {
    counts: Counts,
    plans: Vec<Plan>,
    /// For each unit that is searched completely, its counts.
    units: Vec<Option<UnitCounts>>,
}

impl Tally {
    /// Adds what is known without a search here.
    fn learn(&mut self, known: KnownUnits) {
        for (unit, counts) in known.counts {
            if self.units[unit].replace(counts).is_none() {
                self.counts.add(counts.into());
            }
        }
        self.plans.extend(known.plans);
    }

    fn is_complete(&self) -> bool {
        self.units.iter().all(Option::is_some)
    }
}

/// What the threads of an iteration share.
struct SharedWork<'s> {
    /// For each unit, the operators that lead to its node.
    paths: &'s [Plan],
    /// How many children a node may have.
    operators: u64,
    /// The units to search, in the order in which they are taken.
    order: Vec<usize>,
    next: AtomicUsize,
    done: AtomicUsize,
    generated: AtomicU64,
    enough: AtomicBool,
    stop: Mutex<Option<Outcome>>,
    tally: Mutex<Tally>,
}

const LOCK: &str = "no thread panics while it holds this lock";

/// Makes an expander for a thread.
type MakeExpansion<'e, 'n> = dyn Fn() -> Box<dyn Expansion + 'n> + Sync + 'e;

/// The units of a bound, and how to search them.
struct UnitSearch<'e, 'n> {
    /// For each unit, the operators that lead to its node.
    paths: &'e [Plan],
    /// How many children a node may have.
    operators: u64,
    /// Each thread calls it for an expander of its own, whose nodes are those of the units.
    expansion: &'e MakeExpansion<'e, 'n>,
    /// Whether a plan holds.
    solves: &'e dyn Fn(&Plan) -> bool,
}

/// Searches all units on all threads. `swept` is the result so far.
fn sweep(
    units: UnitSearch<'_, '_>,
    swept: BoundResult,
    state: &SearchState,
    previous: &mut Previous,
) -> BoundResult {
    let UnitSearch { paths, operators, expansion, solves } = units;
    let (keeper, wanted) = (state.options.units, state.options.wanted());
    let above = UnitCounts::from(swept.counts);
    let mut tally =
        Tally { counts: swept.counts, plans: swept.plans, units: vec![None; paths.len()] };
    let mut here = vec![true; paths.len()];
    if let Some(keeper) = keeper {
        let (bound, before) = (state.bound, previous.generated);
        let known = keeper.open(&Frontier { bound, paths, above, before, wanted });
        if let Some(wrong) = known.plans.iter().find(|plan| !solves(plan)) {
            keeper.refused(wrong);
            let stop = Some(Outcome::LimitReached(Limit::Units));
            return BoundResult { counts: tally.counts, plans: Vec::new(), stop };
        }
        known.left.iter().for_each(|&unit| here[unit] = false);
        tally.learn(known);
    }
    // Largest first. A unit that is new in this iteration takes the size of a node above it. The
    // sort is stable, so equal units stay in operator order.
    let mut order: Vec<usize> =
        (0..paths.len()).filter(|&unit| here[unit] && tally.units[unit].is_none()).collect();
    order.sort_by_cached_key(|&unit| std::cmp::Reverse(previous.size(&paths[unit])));
    let shared = SharedWork {
        paths,
        operators,
        order,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(tally.units.iter().flatten().count()),
        generated: AtomicU64::new(tally.counts.generated),
        enough: AtomicBool::new(tally.plans.len() >= wanted),
        stop: Mutex::new(None),
        tally: Mutex::new(tally),
    };
    if !shared.order.is_empty() {
        threads::broadcast(&|| work(&mut *expansion(), &shared, state));
    }
    let mut tally = shared.tally.into_inner().expect(LOCK);
    let mut stop = shared.stop.into_inner().expect(LOCK);
    if let Some(keeper) = keeper {
        let mut known = keeper.close(stop.is_none());
        if let Some(wrong) = known.plans.iter().find(|plan| !solves(plan)) {
            keeper.refused(wrong);
            known = KnownUnits::default();
            stop = Some(Outcome::LimitReached(Limit::Units));
        }
        tally.learn(known);
        if stop.is_none() && tally.plans.len() < wanted && !tally.is_complete() {
            stop = Some(Outcome::LimitReached(Limit::Units));
        }
    }
    let Tally { counts, mut plans, units } = tally;
    plans.truncate(wanted);
    let sizes = paths.iter().zip(units).filter_map(|(path, unit)| Some((path, unit?.generated)));
    let sizes = sizes.map(|(path, size)| (path.clone(), size)).collect();
    *previous = Previous { sizes, generated: counts.generated };
    BoundResult { counts, plans, stop }
}

/// The expander of a thread, and its current unit.
struct Worker<'e> {
    expansion: &'e mut dyn Expansion,
    unit: usize,
    /// How many generated nodes of the unit are already in the shared count.
    counted: u64,
}

/// One thread: searches units until the queue is empty or the search is over.
fn work(expansion: &mut dyn Expansion, shared: &SharedWork<'_>, state: &SearchState) {
    let mut worker = Worker { expansion, unit: 0, counted: 0 };
    let mut unfinished = Counts::ZERO;
    let mut searched: Vec<(usize, UnitCounts)> = Vec::new();
    let mut unwatched = 0;
    while !shared.enough.load(Ordering::Relaxed) && take(&mut worker, shared, state) {
        let mut pause = Pause::Fuel;
        while pause != Pause::Exhausted && !shared.enough.load(Ordering::Relaxed) {
            let before = worker.expansion.counts().expanded;
            let fuel = fuel(shared, state);
            pause = worker.expansion.run(fuel);
            unwatched += worker.expansion.counts().expanded - before;
            if pause == Pause::Goal {
                found(&worker, shared, state);
            }
            if unwatched >= fuel {
                unwatched = 0;
                look(&mut worker, shared, state);
            }
        }
        let done = worker.expansion.counts();
        if pause != Pause::Exhausted {
            unfinished.add(done);
            continue;
        }
        if let Some(keeper) = state.options.units {
            keeper.searched(worker.unit, done.into());
        }
        searched.push((worker.unit, done.into()));
        shared.generated.fetch_add(done.generated - worker.counted, Ordering::Relaxed);
        shared.done.fetch_add(1, Ordering::Relaxed);
    }
    let mut tally = shared.tally.lock().expect(LOCK);
    tally.counts.add(unfinished);
    tally.learn(KnownUnits { counts: searched, ..KnownUnits::default() });
}

/// The number of nodes that a thread expands before it checks the limits again.
///
/// Near a limit of nodes, several threads check more often. Between two checks, all threads
/// together generate at most half of the nodes that the limit leaves. So they exceed the limit by a
/// few nodes each, or by the children of as many nodes as they expand at once.
fn fuel(shared: &SharedWork<'_>, state: &SearchState) -> u64 {
    let threads = threads::count() as u64;
    match state.options.limits.nodes {
        Some(nodes) if threads > 1 => {
            let generated = state.before + shared.generated.load(Ordering::Relaxed);
            let share = nodes.saturating_sub(generated) / (2 * threads * shared.operators);
            share.clamp(1, LOOK)
        }
        _ => LOOK,
    }
}

/// Loads the next unit of the queue into a worker; false if the queue is empty.
fn take(worker: &mut Worker<'_>, shared: &SharedWork<'_>, state: &SearchState) -> bool {
    let own = || shared.next.fetch_add(1, Ordering::Relaxed);
    let place = state.options.units.map_or_else(own, |keeper| keeper.claim());
    let Some(&unit) = shared.order.get(place) else { return false };
    worker.expansion.load(unit);
    (worker.unit, worker.counted) = (unit, 0);
    true
}

/// Adds the plan that a worker found to the results, if the plan filter accepts it. Ends the
/// iteration if there are enough plans.
fn found(worker: &Worker<'_>, shared: &SharedWork<'_>, state: &SearchState) {
    let plan = worker.expansion.plan(&shared.paths[worker.unit]);
    if !state.accept_plan(&plan) {
        return;
    }
    if let Some(keeper) = state.options.units {
        keeper.found(worker.unit, &plan);
    }
    let mut tally = shared.tally.lock().expect(LOCK);
    tally.plans.push(plan);
    if tally.plans.len() >= state.options.wanted() {
        shared.enough.store(true, Ordering::Relaxed);
    }
}

/// Adds the worker's new nodes to the shared count, and checks the limits.
fn look(worker: &mut Worker<'_>, shared: &SharedWork<'_>, state: &SearchState) {
    let generated = worker.expansion.counts().generated;
    shared.generated.fetch_add(generated - worker.counted, Ordering::Relaxed);
    worker.counted = generated;
    let tasks = (shared.done.load(Ordering::Relaxed), shared.paths.len());
    let limited = state.look(shared.generated.load(Ordering::Relaxed), tasks).map(Outcome::from);
    let is_over = || state.options.units.is_some_and(Units::is_over);
    let stop = limited.or_else(|| is_over().then_some(Outcome::LimitReached(Limit::Units)));
    if stop.is_some() {
        *shared.stop.lock().expect(LOCK) = stop;
        shared.enough.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Limits;
    use crate::ida_star::ida_star;
    use crate::{NoPruning, Zero};

    /// Three numbers. An operator adds 1 to 20 to one of them, or subtracts as much.
    struct Numbers;

    impl Domain for Numbers {
        type State = [i32; 3];
        type Ops = u128;
        fn operators(&self) -> usize {
            120
        }
        fn applicable(&self, _: &[i32; 3]) -> u128 {
            u128::first(120)
        }
        fn apply_into(&self, from: &[i32; 3], op: Op, to: &mut [i32; 3]) {
            *to = *from;
            let by = i32::from(op.0 % 20) + 1;
            let number = &mut to[op.index() / 40];
            *number += if op.index() % 40 < 20 { by } else { -by };
        }
        fn is_goal(&self, state: &[i32; 3]) -> bool {
            *state == [0; 3]
        }
    }

    /// The root has 120 children and 14,400 grandchildren. So the units of an iteration are of two
    /// depths.
    #[test]
    fn units_of_two_depths_have_the_serial_counts() {
        // The first start has a plan of two operators. The second one is too far away.
        for (start, bound) in [([40, 0, 0], 3), ([50, 20, 0], 3)] {
            let limits = Limits { bound: Some(bound), ..Limits::default() };
            let options = Options { limits, plans: usize::MAX, ..Options::default() };
            let serial = ida_star(&Numbers, &Zero, &NoPruning, &start, &options);
            let parallel = ida_star_parallel(&Numbers, &Zero, &NoPruning, &start, &options);
            assert_eq!(serial.iterations, parallel.iterations);
            assert_eq!(serial.lower_bound, parallel.lower_bound);
            assert_eq!(serial.outcome, parallel.outcome);
        }
    }
}
