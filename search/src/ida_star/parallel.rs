//! The parallel driver: all threads of the rayon pool on one instance, over a frontier of thousands of root tasks.
//!
//! Every iteration expands the root breadth-first, with the bound in force, until there are enough nodes; each is a task.
//! Threads take tasks from one queue, the largest of the previous iteration first (a dense part of the tree is where a plan
//! is likely), and where the heuristic prefetches a thread expands several nodes at once. Within a complete iteration
//! every node is taken up exactly once, so its counts are those of the serial driver.

use super::{deepen, space};
use crate::Plan;
use crate::control::{Options, Outcome, Report, Stop, Swept, Watch};
use crate::domain::{Domain, Op};
use crate::heuristic::{Heuristic, InPlace};
use crate::ida_star::expansion::{
    Counts, Expander, InPlaceExpander, OnePhase, Pause, Problem, Root, Staged,
};
use crate::pruning::Pruning;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Root tasks that an iteration is cut into at the least, if it has so many nodes.
const TASKS: usize = 2048;
/// Nodes that a thread expands at once where the heuristic prefetches.
const WIDTH: usize = 16;
/// Expanded nodes between two looks at the limits.
const FUEL: u64 = 1 << 12;

/// Iterative-deepening A* on all threads of the current rayon pool.
///
/// Finds plans of the same cost as [`ida_star`](super::ida_star) and proves the same lower bound. Counts of completed iterations are equal to the
/// serial ones; those of the last iteration depend on who finds a plan first, and so does which optimal plan is found when there
/// is more than one thread.
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
    let space = space(domain, heuristic, pruning, start);
    if H::PREFETCHES {
        drive::<Staged<D, H, P, WIDTH>, _, _, _>(space, start, options)
    } else {
        drive::<OnePhase<D, H, P>, _, _, _>(space, start, options)
    }
}

/// [`ida_star_parallel`] with a working copy of the state on each thread: see [`InPlace`].
pub fn ida_star_parallel_in_place<D, H, P>(
    domain: &D,
    heuristic: &H,
    pruning: &P,
    start: &D::State,
    options: &Options,
) -> Report
where
    D: Domain,
    H: InPlace<D>,
    P: Pruning<D>,
{
    let space = space(domain, heuristic, pruning, start);
    drive::<InPlaceExpander<D, H, P>, _, _, _>(space, start, options)
}

/// A root task: a node and the operators that lead there.
struct Task<N> {
    node: N,
    path: Plan,
}

/// Generated nodes below each task of the previous iteration.
type Sizes = HashMap<Plan, u64>;

fn drive<'a, M, D, H, P>(space: Problem<'a, D, H, P>, start: &D::State, options: &Options) -> Report
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let mut sizes = Sizes::new();
    let mut report = deepen::<M, D, H, P>(space, start, options, |root, watch| {
        sweep::<M, D, H, P>(space, root, watch, &mut sizes)
    });
    if let Outcome::Solved(plans) = &mut report.outcome {
        // Threads find plans in any order; an answer has one.
        plans.sort_unstable();
    }
    report
}

/// Expands the root in operator order, a depth at a time, until there are enough tasks; plans found on the way are kept.
fn frontier<'a, M, D, H, P>(
    space: Problem<'a, D, H, P>,
    root: M::Node,
    swept: &mut Swept,
    plans: usize,
) -> Vec<Task<M::Node>>
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let mut tasks = vec![Task { node: root, path: Plan::new() }];
    while !tasks.is_empty() && tasks.len() < TASKS {
        let mut next = Vec::with_capacity(4 * tasks.len());
        for task in &tasks {
            for (op, node, goal) in task.node.children(space, &mut swept.counts) {
                let mut path = task.path.clone();
                path.push(op);
                if !goal {
                    next.push(Task { node, path });
                    continue;
                }
                swept.plans.push(space.domain.to_plan(&path));
                if swept.plans.len() >= plans {
                    return Vec::new();
                }
            }
        }
        tasks = next;
    }
    tasks
}

/// What the threads of an iteration share.
struct Shared<'s, N> {
    tasks: &'s [Task<N>],
    next: AtomicUsize,
    done: AtomicUsize,
    generated: AtomicU64,
    enough: AtomicBool,
    stop: Mutex<Option<Stop>>,
    results: Mutex<(Counts, Vec<Plan>, Sizes)>,
}

fn sweep<'a, M, D, H, P>(
    space: Problem<'a, D, H, P>,
    root: M::Node,
    watch: &Watch,
    sizes: &mut Sizes,
) -> Swept
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let mut swept = Swept { counts: Counts::ZERO, plans: Vec::new(), stop: None };
    let mut tasks = frontier::<M, D, H, P>(space, root, &mut swept, watch.options.wanted());
    if tasks.is_empty() {
        return swept;
    }
    // Largest first; a task that the previous iteration did not have takes the size of its parent. The sort is stable, so equal
    // ones stay in operator order.
    let size = |task: &Task<M::Node>| {
        let known = (0..=1).find_map(|up| sizes.get(&task.path[..task.path.len() - up]));
        std::cmp::Reverse(known.copied().unwrap_or(0))
    };
    tasks.sort_by_cached_key(size);
    let shared = Shared {
        tasks: &tasks,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        generated: AtomicU64::new(swept.counts.generated),
        enough: AtomicBool::new(false),
        stop: Mutex::new(None),
        results: Mutex::new((swept.counts, swept.plans, Sizes::with_capacity(tasks.len()))),
    };
    rayon::broadcast(|_| work::<M, D, H, P>(space, &shared, watch));
    let lock = "no thread panics while it holds this lock";
    let (counts, mut plans, new_sizes) = shared.results.into_inner().expect(lock);
    plans.truncate(watch.options.wanted());
    *sizes = new_sizes;
    Swept { counts, plans, stop: shared.stop.into_inner().expect(lock) }
}

/// The search of a thread, and the task that it is at.
struct Worker<M> {
    machine: M,
    task: usize,
    /// Generated nodes of the task already added to the shared count.
    told: u64,
}

/// One thread: works off tasks until the queue is empty or the search is over.
fn work<'a, M, D, H, P>(space: Problem<'a, D, H, P>, shared: &Shared<M::Node>, watch: &Watch)
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let mut worker = Worker { machine: M::new(space), task: 0, told: 0 };
    let mut counts = Counts::ZERO;
    let mut sizes: Vec<(usize, u64)> = Vec::new();
    let mut unwatched = 0;
    while !shared.enough.load(Ordering::Relaxed) && take(&mut worker, shared) {
        let mut pause = Pause::Fuel;
        while pause != Pause::Exhausted && !shared.enough.load(Ordering::Relaxed) {
            let before = worker.machine.counts().expanded;
            pause = worker.machine.run(FUEL);
            unwatched += worker.machine.counts().expanded - before;
            if pause == Pause::Goal {
                found(&worker, space.domain, shared, watch.options.wanted());
            }
            if unwatched >= FUEL {
                unwatched = 0;
                look(&mut worker, shared, watch);
            }
        }
        let done = worker.machine.counts();
        counts.add(done);
        if pause == Pause::Exhausted {
            sizes.push((worker.task, done.generated));
            shared.generated.fetch_add(done.generated - worker.told, Ordering::Relaxed);
            shared.done.fetch_add(1, Ordering::Relaxed);
        }
    }
    let mut results = shared.results.lock().expect("no thread panics while it holds this lock");
    results.0.add(counts);
    results.2.extend(sizes.into_iter().map(|(task, size)| (shared.tasks[task].path.clone(), size)));
}

/// Gives a worker the next task of the queue; false if there is none.
fn take<'a, M, D, H, P>(worker: &mut Worker<M>, shared: &Shared<M::Node>) -> bool
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let index = shared.next.fetch_add(1, Ordering::Relaxed);
    let Some(task) = shared.tasks.get(index) else { return false };
    worker.machine.load(task.node.clone());
    (worker.task, worker.told) = (index, 0);
    true
}

/// Keeps the plan that a worker found, and ends the iteration if there are enough.
fn found<'a, M, D, H, P>(worker: &Worker<M>, domain: &D, shared: &Shared<M::Node>, wanted: usize)
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let path: Vec<Op> =
        shared.tasks[worker.task].path.iter().copied().chain(worker.machine.path()).collect();
    let plan = domain.to_plan(&path);
    let mut results = shared.results.lock().expect("no thread panics while it holds this lock");
    results.1.push(plan);
    if results.1.len() >= wanted {
        shared.enough.store(true, Ordering::Relaxed);
    }
}

/// Adds what the worker generated and looks at the limits.
fn look<'a, M, D, H, P>(worker: &mut Worker<M>, shared: &Shared<M::Node>, watch: &Watch)
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let generated = worker.machine.counts().generated;
    shared.generated.fetch_add(generated - worker.told, Ordering::Relaxed);
    worker.told = generated;
    let tasks = (shared.done.load(Ordering::Relaxed), shared.tasks.len());
    if let Some(stop) = watch.look(shared.generated.load(Ordering::Relaxed), tasks) {
        *shared.stop.lock().expect("no thread panics while it holds this lock") = Some(stop);
        shared.enough.store(true, Ordering::Relaxed);
    }
}
