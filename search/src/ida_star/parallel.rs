//! The parallel driver: all threads of the rayon pool search below thousands of root tasks of one
//! instance.
//!
//! Each iteration expands the root breadth-first within the bound until there are enough nodes.
//! Each of these nodes is a task. Threads take tasks from one queue. The tasks that were largest in
//! the previous iteration come first, because a plan is likely in a dense part of the tree. If the
//! heuristic is staged, a thread expands several nodes at once. A complete iteration generates
//! every node once, so its counts are the serial ones.

use super::{Below, Expansion, deepen, space};
use crate::Plan;
use crate::control::{LimitCheck, Options, Outcome, Report, Stop, Swept};
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Counts, Expander, Node, OnePhase, Pause, Problem, Staged};
use crate::pruning::Pruning;
use crate::threads;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// The least number of root tasks of an iteration. A smaller tree has fewer tasks.
const TASKS: usize = 2048;
/// The number of children at which no more nodes of a depth are expanded. The nodes that are left
/// become tasks, too. So tasks take little memory where there are hundreds of operators.
const ENOUGH: usize = 4 * TASKS;
/// The nodes that a thread expands at once if the heuristic is staged.
const WIDTH: usize = 16;
/// The most nodes that a thread expands between two checks of the limits.
const FUEL: u64 = 1 << 12;

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
    let space = space(domain, heuristic, pruning, start);
    if const { H::EVALUATION.staged } {
        drive::<Staged<D, H, P, WIDTH>, _, _, _>(space, start, options)
    } else {
        drive::<OnePhase<D, H, P>, _, _, _>(space, start, options)
    }
}

/// The generated nodes below each task of the previous iteration, by the path to the task.
type Sizes = HashMap<Plan, u64>;

fn drive<'a, M, D, H, P>(space: Problem<'a, D, H, P>, start: &D::State, options: &Options) -> Report
where
    M: Expander<'a, D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let mut sizes = Sizes::new();
    let mut report = deepen(space, start, options, &mut |root, check| {
        let mut swept = Swept { counts: Counts::ZERO, plans: Vec::new(), stop: None };
        let mut level = Nodes { space, nodes: vec![root], children: Vec::new() };
        let paths = frontier(&mut level, &mut swept, check);
        if paths.is_empty() {
            return swept;
        }
        let operators = space.domain.operators() as u64;
        let expansion = || Box::new(Below::<M, D, H, P>::new(space, &level.nodes)) as Box<_>;
        sweep((&paths, operators), &expansion, swept, check, &mut sizes)
    });
    if let Outcome::Solved(plans) = &mut report.outcome {
        // Threads find plans in any order. The answer lists them in ascending order.
        plans.sort_unstable();
    }
    report
}

/// The nodes of one depth, and at last of two, with their types erased. So [`frontier`] is compiled
/// once.
trait Level {
    /// Expands the node with this index. Its children become nodes of the next depth, except goals.
    /// Adds an entry to `made` for each child, in operator order: its operator, and whether the
    /// child is a goal.
    fn expand(&mut self, node: usize, counts: &mut Counts, made: &mut Vec<(Op, bool)>);
    /// Replaces the first `expanded` nodes by their children. The children come first.
    fn descend(&mut self, expanded: usize);
    /// The plan for a path of the search, as [`Domain::to_plan`] makes it.
    fn to_plan(&self, path: &[Op]) -> Plan;
}

struct Nodes<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    space: Problem<'a, D, H, P>,
    nodes: Vec<Node<D, H, P>>,
    children: Vec<Node<D, H, P>>,
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Level for Nodes<'_, D, H, P> {
    fn expand(&mut self, node: usize, counts: &mut Counts, made: &mut Vec<(Op, bool)>) {
        self.nodes[node].expand(self.space, counts, made, &mut self.children);
    }
    fn descend(&mut self, expanded: usize) {
        self.nodes.drain(..expanded);
        self.children.append(&mut self.nodes);
        std::mem::swap(&mut self.nodes, &mut self.children);
    }
    fn to_plan(&self, path: &[Op]) -> Plan {
        self.space.domain.to_plan(path)
    }
}

/// Goes down from the root, one depth at a time, until there are enough nodes for tasks. Returns
/// the operators that lead to each of these nodes. Returns none if nothing is left to search, or if
/// enough plans are found.
///
/// Adds the plans found on the way to `swept`.
fn frontier(level: &mut dyn Level, swept: &mut Swept, check: &LimitCheck) -> Vec<Plan> {
    let (mut paths, mut made) = (vec![Plan::new()], Vec::new());
    while !paths.is_empty() && paths.len() < TASKS {
        let mut longer = Vec::with_capacity(4 * paths.len());
        let mut expanded = 0;
        for (node, above) in paths.iter().enumerate() {
            if longer.len() >= ENOUGH {
                break;
            }
            expanded += 1;
            level.expand(node, &mut swept.counts, &mut made);
            for (op, goal) in made.drain(..) {
                let mut path = above.clone();
                path.push(op);
                if !goal {
                    longer.push(path);
                    continue;
                }
                let plan = level.to_plan(&path);
                if check.counts(&plan) {
                    swept.plans.push(plan);
                }
                if swept.plans.len() >= check.options.wanted() {
                    return Vec::new();
                }
            }
        }
        level.descend(expanded);
        longer.extend(paths.drain(expanded..));
        paths = longer;
    }
    paths
}

/// What the threads of an iteration share.
struct SharedWork<'s> {
    /// For each task, the operators that lead to its node.
    paths: &'s [Plan],
    /// How many children a node may have.
    operators: u64,
    /// The tasks in the order in which they are taken.
    order: Vec<usize>,
    next: AtomicUsize,
    done: AtomicUsize,
    generated: AtomicU64,
    enough: AtomicBool,
    stop: Mutex<Option<Stop>>,
    results: Mutex<(Counts, Vec<Plan>, Sizes)>,
}

/// Runs all tasks on all threads. Each thread calls `expansion` for an expander of its own, whose
/// nodes are those of the tasks. `swept` holds the result so far.
fn sweep<'n>(
    (paths, operators): (&[Plan], u64),
    expansion: &(dyn Fn() -> Box<dyn Expansion + 'n> + Sync),
    swept: Swept,
    check: &LimitCheck,
    sizes: &mut Sizes,
) -> Swept {
    // Largest first. A task that is new in this iteration takes the size of its parent. The sort is
    // stable, so equal tasks stay in operator order.
    let size = |&task: &usize| {
        let path = &paths[task];
        let known = (0..=1).find_map(|up| sizes.get(&path[..path.len() - up]));
        std::cmp::Reverse(known.copied().unwrap_or(0))
    };
    let mut order: Vec<usize> = (0..paths.len()).collect();
    order.sort_by_cached_key(size);
    let shared = SharedWork {
        paths,
        operators,
        order,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        generated: AtomicU64::new(swept.counts.generated),
        enough: AtomicBool::new(false),
        stop: Mutex::new(None),
        results: Mutex::new((swept.counts, swept.plans, Sizes::with_capacity(paths.len()))),
    };
    threads::broadcast(&|| work(&mut *expansion(), &shared, check));
    let lock = "no thread panics while it holds this lock";
    let (counts, mut plans, new_sizes) = shared.results.into_inner().expect(lock);
    plans.truncate(check.options.wanted());
    *sizes = new_sizes;
    let stop = shared.stop.into_inner().expect(lock);
    Swept { counts, plans, stop: stop.map(Outcome::from) }
}

/// The expander of a thread, and its current task.
struct Worker<'e> {
    expansion: &'e mut dyn Expansion,
    task: usize,
    /// How many generated nodes of the task are already in the shared count.
    told: u64,
}

/// One thread: runs tasks until the queue is empty or the search is over.
fn work(expansion: &mut dyn Expansion, shared: &SharedWork<'_>, check: &LimitCheck) {
    let mut worker = Worker { expansion, task: 0, told: 0 };
    let mut counts = Counts::ZERO;
    let mut sizes: Vec<(usize, u64)> = Vec::new();
    let mut unwatched = 0;
    while !shared.enough.load(Ordering::Relaxed) && take(&mut worker, shared) {
        let mut pause = Pause::Fuel;
        while pause != Pause::Exhausted && !shared.enough.load(Ordering::Relaxed) {
            let before = worker.expansion.counts().expanded;
            let fuel = fuel(shared, check);
            pause = worker.expansion.run(fuel);
            unwatched += worker.expansion.counts().expanded - before;
            if pause == Pause::Goal {
                found(&worker, shared, check);
            }
            if unwatched >= fuel {
                unwatched = 0;
                look(&mut worker, shared, check);
            }
        }
        let done = worker.expansion.counts();
        counts.add(done);
        if pause == Pause::Exhausted {
            sizes.push((worker.task, done.generated));
            shared.generated.fetch_add(done.generated - worker.told, Ordering::Relaxed);
            shared.done.fetch_add(1, Ordering::Relaxed);
        }
    }
    let mut results = shared.results.lock().expect("no thread panics while it holds this lock");
    results.0.add(counts);
    results.2.extend(sizes.into_iter().map(|(task, size)| (shared.paths[task].clone(), size)));
}

/// The number of nodes that a thread expands before it checks the limits again.
///
/// Near a limit of nodes, several threads check more often. Between two checks, all threads
/// together generate at most half of the nodes that the limit leaves. So they exceed the limit by a
/// few nodes each.
fn fuel(shared: &SharedWork<'_>, check: &LimitCheck) -> u64 {
    let threads = threads::count() as u64;
    match check.options.limits.nodes {
        Some(nodes) if threads > 1 => {
            let generated = check.before + shared.generated.load(Ordering::Relaxed);
            let share = nodes.saturating_sub(generated) / (2 * threads * shared.operators);
            share.clamp(1, FUEL)
        }
        _ => FUEL,
    }
}

/// Loads the next task of the queue into a worker; false if the queue is empty.
fn take(worker: &mut Worker<'_>, shared: &SharedWork<'_>) -> bool {
    let place = shared.next.fetch_add(1, Ordering::Relaxed);
    let Some(&task) = shared.order.get(place) else { return false };
    worker.expansion.load(task);
    (worker.task, worker.told) = (task, 0);
    true
}

/// Adds the plan that a worker found to the results, if the plan filter accepts it. Ends the
/// iteration if there are enough plans.
fn found(worker: &Worker<'_>, shared: &SharedWork<'_>, check: &LimitCheck) {
    let above = shared.paths[worker.task].iter().copied();
    let path: Vec<Op> = above.chain(worker.expansion.path()).collect();
    let plan = worker.expansion.to_plan(&path);
    if !check.counts(&plan) {
        return;
    }
    let mut results = shared.results.lock().expect("no thread panics while it holds this lock");
    results.1.push(plan);
    if results.1.len() >= check.options.wanted() {
        shared.enough.store(true, Ordering::Relaxed);
    }
}

/// Adds the worker's new nodes to the shared count, and checks the limits.
fn look(worker: &mut Worker<'_>, shared: &SharedWork<'_>, check: &LimitCheck) {
    let generated = worker.expansion.counts().generated;
    shared.generated.fetch_add(generated - worker.told, Ordering::Relaxed);
    worker.told = generated;
    let tasks = (shared.done.load(Ordering::Relaxed), shared.paths.len());
    if let Some(stop) = check.look(shared.generated.load(Ordering::Relaxed), tasks) {
        *shared.stop.lock().expect("no thread panics while it holds this lock") = Some(stop);
        shared.enough.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Limits;
    use crate::domain::OpSet;
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

    /// The root has 120 children and 14,400 grandchildren. So the tasks of an iteration are of two
    /// depths.
    #[test]
    fn tasks_of_two_depths_have_the_serial_counts() {
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
