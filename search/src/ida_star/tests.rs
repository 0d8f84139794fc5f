//! Every driver and expansion gives the same answers and, in complete iterations, the same counts.

use super::*;
use crate::control::{Limit, Limits, Outcome, PlanFilter};
use crate::domain::{Cost, Op, OpSet};
use crate::ida_star::expansion::{Expander, Node, OnePhase, Pause, Staged};
use crate::random::Random;
use crate::testing::{GapHeuristic, Line, Pancake};
use crate::{
    Claims, Estimate, Evaluation, Group, InversePruning, Max, NoPruning, Step, Verdict, Zero,
};

/// A heuristic that asks for the staged expansion.
pub(crate) struct Prefetching<H>(pub(crate) H);

impl<D: Domain, H: Heuristic<D>> Heuristic<D> for Prefetching<H> {
    type Carry = H::Carry;
    const CLAIMS: Claims = H::CLAIMS;
    const EVALUATION: Evaluation = Evaluation::STAGED;
    crate::forward_heuristic! { |this, domain: D| this.0, domain; root child bound }
}

/// Shuffled stacks, the same in every run.
fn stacks(size: usize, count: usize) -> Vec<u64> {
    let mut random = Random::new(1);
    let domain = Pancake::new(size);
    let shuffled = |_| {
        let mut pancakes: Vec<usize> = (0..size).collect();
        random.shuffle(&mut pancakes);
        domain.state(&pancakes)
    };
    (0..count).map(shuffled).collect()
}

/// A heuristic that is evaluated out of line, so children share one place for their data. It spoils
/// the place whenever it cuts a child.
struct Spoiling<H>(H);

impl<D: Domain, H: Heuristic<D, Carry = Cost>> Heuristic<D> for Spoiling<H> {
    type Carry = Cost;
    const CLAIMS: Claims = H::CLAIMS;
    const EVALUATION: Evaluation = Evaluation::OUT_OF_LINE;
    crate::forward_heuristic! { |this, domain: D| this.0, domain; root child bound }
    fn within(
        &self,
        step: &mut Step<'_, D>,
        carry: &Cost,
        child: &mut Cost,
        limit: Cost,
    ) -> Result<Verdict<D::Ops>, Cost> {
        let verdict = self.0.within(step, carry, child, limit);
        if verdict.is_err() {
            *child = 200;
        }
        verdict
    }
}

/// A child that a stage proves to be a dead end leads to no plan with any bound.
#[test]
fn dead_ends_of_a_stage_are_no_cuts() {
    let (domain, start) = (Pancake::new(5), stacks(5, 1)[0]);
    let dead = Estimate(move |&state: &u64| if state == start { 1 } else { Cost::MAX });
    let staged = Max(Prefetching(dead), Prefetching(Zero));
    let options = Options::default();
    for report in [
        ida_star(&domain, &staged, &NoPruning, &start, &options),
        ida_star_parallel(&domain, &staged, &NoPruning, &start, &options),
    ] {
        assert_eq!(report.outcome, Outcome::Unsolvable);
    }
}

fn replay(domain: &Pancake, start: u64, plan: &[Op]) -> bool {
    let mut state = start;
    for &op in plan {
        let from = state;
        domain.apply_into(&from, op, &mut state);
    }
    domain.is_goal(&state)
}

/// Optimal plans counted by brute force: all strings of the optimal length.
fn brute_force(domain: &Pancake, start: u64) -> (usize, usize) {
    let mut layer = vec![start];
    for depth in 0.. {
        let goals = layer.iter().filter(|state| domain.is_goal(state)).count();
        if goals > 0 {
            return (depth, goals);
        }
        let ops = domain.applicable(&start);
        let mut children = Vec::new();
        for (from, op) in layer.iter().flat_map(|from| ops.members().map(move |op| (from, op))) {
            let mut to = 0;
            domain.apply_into(from, op, &mut to);
            children.push(to);
        }
        layer = children;
    }
    unreachable!()
}

#[test]
fn all_drivers_agree() {
    let domain = Pancake::new(11);
    let pruning = InversePruning;
    for start in stacks(11, 12) {
        let options = Options::default();
        let serial = ida_star(&domain, &GapHeuristic, &pruning, &start, &options);
        let staged = ida_star(&domain, &Prefetching(GapHeuristic), &pruning, &start, &options);
        let parallel = ida_star_parallel(&domain, &GapHeuristic, &pruning, &start, &options);
        let wide =
            ida_star_parallel(&domain, &Prefetching(GapHeuristic), &pruning, &start, &options);
        let weak = ida_star_parallel(&domain, &Zero, &NoPruning, &domain.identity(), &options);
        assert_eq!(weak.plan().map(|plan| plan.len()), Some(0));
        let spoiling = ida_star(&domain, &Spoiling(GapHeuristic), &pruning, &start, &options);
        assert_eq!(serial.iterations, spoiling.iterations);
        // The staged expansion counts in operator order, also up to the goal.
        assert_eq!(serial.iterations, staged.iterations);
        for report in [&serial, &staged, &parallel, &wide] {
            let plan = report.plan().expect("solvable");
            assert!(replay(&domain, start, plan));
            assert_eq!(plan.len(), usize::from(serial.lower_bound));
            let complete = |report: &Report| {
                report.iterations.iter().filter(|i| i.complete).copied().collect::<Vec<_>>()
            };
            assert_eq!(complete(report), complete(&serial));
        }
    }
}

#[test]
fn every_optimal_plan_is_found_once() {
    let domain = Pancake::new(6);
    for start in stacks(6, 10) {
        let (length, count) = brute_force(&domain, start);
        let options = Options { plans: usize::MAX, ..Options::default() };
        for report in [
            ida_star(&domain, &GapHeuristic, &NoPruning, &start, &options),
            ida_star(&domain, &Prefetching(GapHeuristic), &NoPruning, &start, &options),
            ida_star(&domain, &Zero, &NoPruning, &start, &options),
            ida_star_parallel(&domain, &Prefetching(GapHeuristic), &NoPruning, &start, &options),
        ] {
            let Outcome::Solved(mut plans) = report.outcome else { panic!("solvable") };
            plans.sort_unstable();
            plans.dedup();
            assert_eq!((plans.len(), plans[0].len()), (count, length));
            assert!(plans.iter().all(|plan| replay(&domain, start, plan)));
            assert!(report.complete);
            assert!(length == 0 || report.iterations.iter().all(|iteration| iteration.complete));
        }
    }
}

/// All strings of a length that reach the goal at their end and not before.
fn strings_to_goal(domain: &Pancake, at: u64, length: usize) -> usize {
    let ops = domain.applicable(&at);
    let below = ops.members().map(|op| {
        let mut to = 0;
        domain.apply_into(&at, op, &mut to);
        match (length, domain.is_goal(&to)) {
            (1, goal) => usize::from(goal),
            (_, true) => 0,
            (_, false) => strings_to_goal(domain, to, length - 1),
        }
    });
    below.sum()
}

/// A filter asks for plans of exactly the bound. The start may be a goal.
#[test]
fn plans_above_the_least_cost_are_found_with_a_filter() {
    let domain = Pancake::new(5);
    let exact = |bound: Cost, plan: &[Op]| plan.len() == usize::from(bound);
    for start in stacks(5, 4).into_iter().chain([domain.identity()]) {
        for lower_bound in 1..=5 {
            let (plans, filter) = (usize::MAX, Some(&exact as &PlanFilter<'_>));
            let options = Options { plans, lower_bound, filter, ..Options::default() };
            for report in [
                ida_star(&domain, &GapHeuristic, &NoPruning, &start, &options),
                ida_star(&domain, &Prefetching(GapHeuristic), &NoPruning, &start, &options),
                ida_star_parallel(&domain, &GapHeuristic, &NoPruning, &start, &options),
            ] {
                let Outcome::Solved(plans) = report.outcome else { panic!("solvable") };
                let length = usize::from(report.lower_bound);
                assert_eq!(plans.len(), strings_to_goal(&domain, start, length));
                assert!(plans.iter().all(|plan| replay(&domain, start, plan)));
                let shorter = usize::from(lower_bound)..length;
                assert!(shorter.into_iter().all(|n| strings_to_goal(&domain, start, n) == 0));
            }
        }
    }
}

/// However often an expander is paused, it has the same counts and finds the same plans.
#[test]
fn a_paused_search_goes_on_where_it_was() {
    fn sweep<'a, M: Expander<Pancake, H, InversePruning>, H: Heuristic<Pancake>>(
        new: fn(Problem<'a, Pancake, H, InversePruning>) -> M,
        space: Problem<'a, Pancake, H, InversePruning>,
        start: u64,
        bound: Cost,
        fuel: u64,
    ) -> (u64, u64, Vec<Vec<Op>>) {
        let mut machine = new(space);
        machine.load(Node::root(space, &start, bound));
        let mut plans = Vec::new();
        loop {
            match machine.run(fuel) {
                Pause::Exhausted => break,
                Pause::Goal => plans.push(machine.path()),
                Pause::Fuel => {}
            }
        }
        (machine.counts().generated, machine.counts().expanded, plans)
    }
    let domain = Pancake::new(9);
    let pruning = InversePruning;
    for start in stacks(9, 6) {
        let bound =
            ida_star(&domain, &GapHeuristic, &pruning, &start, &Options::default()).lower_bound;
        let one = Problem { domain: &domain, heuristic: &GapHeuristic, pruning: &pruning, step: 1 };
        let two = Problem {
            domain: &domain,
            heuristic: &Prefetching(GapHeuristic),
            pruning: &pruning,
            step: 1,
        };
        let heuristic = Spoiling(GapHeuristic);
        let shared = Problem { domain: &domain, heuristic: &heuristic, pruning: &pruning, step: 1 };
        for bound in [bound, bound + 1] {
            let whole = sweep(OnePhase::new, one, start, bound, u64::MAX);
            for fuel in [1, 2, 3, 17, 1000] {
                assert_eq!(sweep(OnePhase::new, shared, start, bound, fuel), whole);
                assert_eq!(sweep(OnePhase::new, one, start, bound, fuel), whole);
            }
            for fuel in [1, 5, 1000] {
                assert_eq!(sweep(Staged::<_, _, _, 1>::new, two, start, bound, fuel), whole);
                let wide = sweep(Staged::<_, _, _, 4>::new, two, start, bound, fuel);
                assert_eq!((wide.0, wide.1, wide.2.len()), (whole.0, whole.1, whole.2.len()));
            }
        }
    }
}

#[test]
fn limits_and_cancellation_end_a_search() {
    let domain = Pancake::new(12);
    let start = stacks(12, 3)[2];
    let run = |limits: Limits, cancel: bool| {
        let options = Options { limits, ..Options::default() };
        if cancel {
            options.cancel.cancel();
        }
        [
            ida_star(&domain, &Zero, &NoPruning, &start, &options),
            ida_star_parallel(&domain, &Prefetching(Zero), &NoPruning, &start, &options),
        ]
    };
    for report in run(Limits { nodes: Some(200_000), ..Limits::default() }, false) {
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes));
        assert!(report.generated() >= 200_000 && report.lower_bound > 2);
        assert!(!report.iterations.last().expect("one began").complete);
    }
    for report in run(Limits { bound: Some(3), ..Limits::default() }, false) {
        assert_eq!((report.outcome, report.lower_bound), (Outcome::LimitReached(Limit::Bound), 4));
    }
    for report in run(Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() }, false)
    {
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Time));
    }
    for report in run(Limits::default(), true) {
        assert_eq!(report.outcome, Outcome::Cancelled);
    }
}

/// Limits also end a search whose iterations are too small to check them.
#[test]
fn limits_hold_between_iterations() {
    let domain = Pancake::new(8);
    let start = stacks(8, 1)[0];
    let run = |limits: Limits| {
        let options = Options { limits, ..Options::default() };
        [
            ida_star(&domain, &Zero, &NoPruning, &start, &options),
            ida_star(&domain, &Prefetching(Zero), &NoPruning, &start, &options),
            ida_star_parallel(&domain, &Zero, &NoPruning, &start, &options),
            ida_star_parallel(&domain, &Prefetching(Zero), &NoPruning, &start, &options),
        ]
    };
    // Without a heuristic, bound 0 generates no node, bound 1 seven nodes, and bound 2 those and 49
    // more.
    for (nodes, bound) in [(0, 0), (1, 2), (7, 2), (8, 3), (63, 3)] {
        for report in run(Limits { nodes: Some(nodes), ..Limits::default() }) {
            assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes), "{nodes} nodes");
            assert_eq!((report.lower_bound, report.iterations.len()), (bound, bound.into()));
            assert!(report.iterations.iter().all(|iteration| iteration.complete));
        }
    }
    for report in run(Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() }) {
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Time));
        assert!(report.iterations.is_empty() && !report.complete);
    }
}

/// If a limit ends a search for all plans, the plans found are optimal, but the report is not
/// complete.
#[test]
fn plans_that_were_cut_short_are_not_said_to_be_all() {
    let domain = Pancake::new(9);
    let search = |start: &u64, plans, nodes| {
        let limits = Limits { nodes, ..Limits::default() };
        let options = Options { plans, limits, ..Options::default() };
        ida_star(&domain, &Zero, &NoPruning, start, &options)
    };
    let count = |report: &Report| match &report.outcome {
        Outcome::Solved(plans) => plans.len(),
        _ => 0,
    };
    let many = |start: &u64| count(&search(start, usize::MAX, None)) > 5;
    let start = stacks(9, 30).into_iter().find(many).expect("a stack with many plans");
    let run = |plans, nodes| search(&start, plans, nodes);
    let all = run(usize::MAX, None);
    assert!(all.complete);
    let short = run(usize::MAX, Some(all.generated() - 200_000));
    assert!((1..=count(&all)).contains(&count(&short)), "{:?}", short.outcome);
    assert_eq!((short.complete, short.lower_bound), (false, all.lower_bound));
    let two = run(2, None);
    assert_eq!((two.complete, count(&two)), (true, 2));
    assert!(!run(1, Some(1)).complete);
}

/// With a bound proven elsewhere, the search omits the iterations below it, and nothing else
/// changes.
#[test]
fn a_proven_bound_is_taken_over() {
    let domain = Pancake::new(10);
    let pruning = InversePruning;
    for start in stacks(10, 5) {
        let whole = ida_star(
            &domain,
            &Zero,
            &pruning,
            &start,
            &Options {
                limits: Limits { bound: Some(5), ..Limits::default() },
                ..Options::default()
            },
        );
        let proven = whole.lower_bound;
        let a = ida_star(&domain, &GapHeuristic, &pruning, &start, &Options::default());
        let b = ida_star(
            &domain,
            &GapHeuristic,
            &pruning,
            &start,
            &Options { lower_bound: proven, ..Options::default() },
        );
        assert_eq!(a.lower_bound, b.lower_bound);
        assert!(b.iterations.iter().all(|iteration| iteration.bound >= proven));
        assert_eq!(a.iterations.last(), b.iterations.last());
    }
}

/// The bound 4 for state 11, and 0 for all others: admissible. With bound 2, the cut at 11 exceeds
/// the bound by 3, which is odd.
const UNEVEN: Estimate<fn(&u32) -> Cost> = Estimate(|&state| if state == 11 { 4 } else { 0 });

#[test]
fn bounds_keep_the_parity() {
    let start = 12;
    for report in [
        ida_star(&Line::<1>, &UNEVEN, &NoPruning, &start, &Options::default()),
        ida_star(&Line::<1>, &Prefetching(UNEVEN), &NoPruning, &start, &Options::default()),
    ] {
        assert_eq!((report.lower_bound, report.plan().map(|plan| plan.len())), (12, Some(12)));
        assert!(report.iterations.iter().all(|i| i.bound % 2 == 0), "{:?}", report.iterations);
    }
}

/// A repeated operator undoes itself. This pruning calls that a dead end, unless it ends the plan.
struct UnlessLast;

impl Pruning<Pancake> for UnlessLast {
    /// The last operator, and whether it undid the one before it.
    type State = (Option<Op>, bool);
    const DEAD_ENDS: bool = true;
    fn start(&self, _: &Pancake, _: &u64) -> Self::State {
        (None, false)
    }
    fn allowed(&self, _: &Pancake, _: Self::State) -> u32 {
        u32::FULL
    }
    fn next(&self, _: &Pancake, (last, _): Self::State, op: Op) -> Self::State {
        (Some(op), last == Some(op))
    }
    fn dead_end(&self, _: &Pancake, (_, undone): Self::State, remaining: Cost) -> bool {
        undone && remaining > 0
    }
}

#[test]
fn dead_ends_are_cut_in_every_expansion() {
    let domain = Pancake::new(9);
    for start in stacks(9, 20) {
        let options = Options::default();
        let reports = [
            ida_star(&domain, &GapHeuristic, &UnlessLast, &start, &options),
            ida_star(&domain, &Prefetching(GapHeuristic), &UnlessLast, &start, &options),
            ida_star_parallel(&domain, &Prefetching(GapHeuristic), &UnlessLast, &start, &options),
        ];
        let complete = |report: &Report| {
            let all = report.iterations.iter().filter(|iteration| iteration.complete);
            all.map(|iteration| iteration.generated).collect::<Vec<u64>>()
        };
        for report in &reports {
            assert!(replay(&domain, start, report.plan().unwrap()));
            assert_eq!(report.plan().unwrap().len(), reports[0].plan().unwrap().len());
            assert_eq!(complete(report), complete(&reports[0]));
        }
    }
}

/// Threads check the limits more often near a limit of nodes.
#[cfg(feature = "rayon")]
#[test]
fn many_threads_pass_a_limit_of_nodes_by_little() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(64).build().unwrap();
    let domain = Pancake::new(13);
    let start = domain.state(&[3, 9, 1, 7, 12, 5, 0, 10, 2, 8, 4, 11, 6]);
    for nodes in [100_000, 1_000_000] {
        let options = Options::from(Limits { nodes: Some(nodes), ..Limits::default() });
        for report in pool.install(|| {
            [
                ida_star_parallel(&domain, &Zero, &NoPruning, &start, &options),
                ida_star_parallel(&domain, &Prefetching(Zero), &NoPruning, &start, &options),
            ]
        }) {
            assert_eq!(report.outcome, Outcome::LimitReached(Limit::Nodes));
            // No limit is checked while the root tasks are found: 2,048 nodes of twelve children
            // each.
            let over = report.generated() - nodes;
            assert!(over < 30_000, "{over} past {nodes}");
        }
    }
}
