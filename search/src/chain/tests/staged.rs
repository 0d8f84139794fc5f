//! Stages one after the other, against distances by exhaustive relaxation.

use super::*;
use crate::ida_star::expansion::tests::Filtered;
use crate::testing::Pebbles;
use crate::{Estimate, Packed};
use std::collections::BTreeMap;

/// The least cost from each state to a goal, by these operators; `None` if there is no plan.
type Costs = BTreeMap<u64, Option<Cost>>;

fn costs<D>(domain: &D, operators: D::Ops, states: &[u64], goal: &dyn Fn(&u64) -> bool) -> Costs
where
    D: Domain<State = u64>,
{
    let at_goal = |state: &u64| (*state, goal(state).then_some(0));
    let mut costs: Costs = states.iter().map(at_goal).collect();
    let mut to = 0;
    loop {
        let mut changed = false;
        for from in states {
            for op in domain.applicable(from).and(operators).members() {
                domain.apply_into(from, op, &mut to);
                let Some(new) = costs[&to].map(|cost| cost + domain.cost(op)) else { continue };
                if costs[from].is_none_or(|cost| new < cost) {
                    costs.insert(*from, Some(new));
                    changed = true;
                }
            }
        }
        if !changed {
            return costs;
        }
    }
}

/// All states that can be reached from one.
fn reachable<D: Packed<State = u64>>(domain: &D, start: u64) -> Vec<u64> {
    let near = Distances::from_starts(domain, &[start], 125);
    near.all().into_iter().map(|(state, _)| state).collect()
}

/// Solves every state in stages. Each stage costs exactly its distance from where it begins, and
/// the whole plan is replayed.
fn check_stages<D: Domain<State = u64>>(
    domain: &D,
    stages: &[&dyn AnyStage<D>],
    states: &[u64],
    tables: &[Costs],
) {
    assert_eq!(stages.len(), tables.len());
    for start in states {
        let options = Options::default();
        let report = search_stages(domain, stages, start, &Limits::default(), &options);
        let (mut state, mut to) = (*start, 0);
        let plan = report.plan.as_ref().expect("a plan");
        let mut rest = &plan[..];
        assert_eq!(report.stages.len(), stages.len());
        for (stage, table) in report.stages.iter().zip(tables) {
            assert_eq!(Some(stage.lower_bound), table[&state]);
            assert!(stage.optimal && stage.complete);
            let (own, later) = rest.split_at(stage.plan().expect("a plan").len());
            assert_eq!(own, &stage.plan().unwrap()[..]);
            for &op in own {
                assert!(domain.applicable(&state).contains(op));
                domain.apply_into(&state, op, &mut to);
                state = to;
            }
            assert_eq!(table[&state], Some(0), "the stage ends at its goal");
            rest = later;
        }
        assert!(rest.is_empty() && domain.is_goal(&state));
        let cost: u32 = plan.iter().map(|&op| u32::from(domain.cost(op))).sum();
        assert_eq!((report.cost(), report.failed()), (cost, None));
    }
}

#[test]
fn each_stage_costs_its_distance() {
    for domain in [unit(6), dear(6)] {
        let states = reachable(&domain, domain.identity());
        assert_eq!(states.len(), 720);
        let table = |operators, from| costs(&domain, operators, &states, &sorted_from(from));
        for from in [3, 4] {
            let tables = [table(u32::FULL, from), table(u32::first(from - 1), 0)];
            check_stages(&domain, &chain(&two_stages(from)), &states, &tables);
        }
        let tables = [table(u32::FULL, 4), table(u32::first(3), 3), table(u32::first(2), 0)];
        check_stages(&domain, &chain(&three_stages(4, 3)), &states, &tables);
    }
}

/// Subgoals of a domain that is no group: one more pebble at home each. All stages have all
/// operators, and a table of distances guides each.
#[test]
fn subgoals_may_be_any_sets_of_states() {
    let domain = Pebbles::ladder(2, 3);
    let states = reachable(&domain, domain.goal());
    assert_eq!(states.len(), 360);
    let home = |pebbles: usize| {
        let mask = (1 << (4 * pebbles)) - 1;
        let goal = domain.goal();
        move |state: &u64| (state ^ goal) & mask == 0
    };
    let counts = [1, 3, 4, 6];
    let tables: Vec<Costs> =
        counts.iter().map(|&count| costs(&domain, u64::FULL, &states, &home(count))).collect();
    let goals: Vec<usize> = tables
        .iter()
        .map(|table| table.values().filter(|cost| **cost == Some(0)).count())
        .collect();
    assert_eq!(goals, [60, 3, 2, 1]);
    let stages: Vec<Box<dyn AnyStage<Pebbles>>> = counts
        .iter()
        .zip(tables.clone())
        .map(|(&count, table)| {
            let bound = move |state: &u64| {
                let cost = table[state].expect("a plan");
                cost - cost / 4
            };
            let (heuristic, pruning) = (Estimate(bound), NoPruning);
            Box::new(Stage { operators: u64::FULL, goal: home(count), heuristic, pruning }) as _
        })
        .collect();
    let chain: Vec<_> = stages.iter().map(|stage| &**stage).collect();
    check_stages(&domain, &chain, &states, &tables);
}

/// A stage with all operators searches exactly as IDA* does, with a heuristic that reads batches.
#[test]
fn a_stage_expands_as_the_whole_search_does() {
    let domain = Pancake::new(9);
    let goal = domain.identity();
    let stage = Stage {
        operators: u32::FULL,
        goal: |state: &u64| *state == goal,
        heuristic: Filtered::<false>,
        pruning: InversePruning,
    };
    let (each, options) = (Limits::default(), Options::default());
    for pancakes in [[3, 1, 4, 0, 5, 8, 2, 6, 7], [8, 0, 7, 1, 6, 2, 5, 3, 4]] {
        let start = domain.state(&pancakes);
        let staged = search_stages(&domain, &[&stage], &start, &each, &options);
        let whole = crate::ida_star(&domain, &Filtered::<false>, &InversePruning, &start, &options);
        assert_eq!(staged.plan.as_ref(), whole.plan());
        assert_eq!(staged.stages[0].iterations, whole.iterations);
        assert_eq!((staged.generated(), staged.expanded()), (whole.generated(), whole.expanded()));
    }
}

/// The plan of the stages is the first bound of a search that improves it to the optimum.
#[test]
fn a_staged_plan_can_be_improved() {
    let domain = unit(7);
    let stages = two_stages(4);
    let distances = Distances::from_goals(&domain, &[domain.identity()], 20);
    let mut improved = 0;
    for start in reachable(&domain, domain.identity()).into_iter().step_by(17) {
        let options = Options::default();
        let staged = search_stages(&domain, &chain(&stages), &start, &Limits::default(), &options);
        let optimum = distances.cost(&start).unwrap();
        assert!(u32::from(optimum) <= staged.cost());
        assert!(staged.stages[0].lower_bound <= optimum);
        let upper_bound = Some(Cost::try_from(staged.cost()).unwrap());
        let options = Options { upper_bound, ..options };
        let images = [Image::plain(start)];
        let better = search_chain(&domain, &chain(&stages), &images, Cost::MAX, &options);
        let best = better.plan().map_or(staged.cost(), |plan| plan.len().try_into().unwrap());
        assert_eq!(best, u32::from(optimum));
        improved += usize::from(better.plan().is_some_and(|_| optimum > 0));
    }
    assert!(improved > 50, "{improved}");
}

/// Three subgoals of a large stack: the middle one is hard.
fn large(each: &Limits, options: &Options) -> StagedReport {
    let stage = |from, operators| Stage {
        operators,
        goal: sorted_from(from),
        heuristic: Zero,
        pruning: InversePruning,
    };
    let stages = [stage(11, u32::FULL), stage(4, u32::first(10)), stage(0, u32::first(3))];
    let chain: Vec<_> = stages.iter().map(|stage| stage as &dyn AnyStage<CostlyPancake>).collect();
    let domain = unit(12);
    search_stages(&domain, &chain, &domain.pancake.state(&HARD), each, options)
}

#[test]
fn a_stage_that_fails_is_told() {
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let report = large(&nodes(20_000), &Options::default());
    let (number, failed) = report.failed().expect("the cap is too small");
    assert_eq!((number, report.stages.len(), &report.plan), (1, 2, &None));
    assert_eq!(failed.outcome, Outcome::LimitReached(Limit::Nodes));
    assert!(failed.lower_bound >= 4 && failed.iterations.iter().any(|last| !last.complete));
    assert!(report.stages[0].plan().is_some());
    // The limit of the whole search leaves less for later stages.
    let first = report.stages[0].generated();
    let whole = |limits| large(&Limits::default(), &Options { limits, ..Options::default() });
    let both = whole(nodes(first + 5000));
    assert!(both.failed().is_some_and(|(number, _)| number == 1));
    assert!((first + 5000..first + 50_000).contains(&both.generated()));
    let none = whole(nodes(0));
    assert_eq!((none.failed().map(|(number, _)| number), none.generated()), (Some(0), 0));
    let bounded = whole(Limits { bound: Some(5), ..Limits::default() });
    let (_, failed) = bounded.failed().expect("more than five flips");
    assert_eq!(failed.outcome, Outcome::LimitReached(Limit::Bound));
    assert!(bounded.cost() == 6 && failed.lower_bound + bounded.stages[0].lower_bound == 6);
    let timed = whole(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert_eq!(timed.failed().unwrap().1.outcome, Outcome::LimitReached(Limit::Time));
    let cancel = CancelToken::cancelled();
    let cancelled = large(&Limits::default(), &Options { cancel, ..Options::default() });
    assert_eq!(cancelled.failed().unwrap().1.outcome, Outcome::Cancelled);
}

/// Of a known plan, only cheaper ones are looked for, and the stages share what may be spent.
#[test]
fn a_known_plan_bounds_all_stages() {
    let (domain, stages) = (unit(7), two_stages(4));
    let start = domain.pancake.state(&[3, 0, 6, 1, 5, 2, 4]);
    let run = |upper_bound| {
        let options = Options { upper_bound, ..Options::default() };
        search_stages(&domain, &chain(&stages), &start, &Limits::default(), &options)
    };
    let cost = Cost::try_from(run(None).cost()).unwrap();
    assert!(run(Some(cost + 1)).plan.is_some());
    for known in 0..=cost {
        let report = run(Some(known));
        let (_, failed) = report.failed().expect("no cheaper plan of these stages");
        assert_eq!(failed.outcome, Outcome::LimitReached(Limit::Bound));
        assert!(report.cost() >= u32::from(known));
    }
}

#[test]
fn a_stage_without_plans_is_unsolvable() {
    let domain = unit(4);
    let stage = |operators, from| Stage {
        operators,
        goal: sorted_from(from),
        heuristic: Zero,
        pruning: NoPruning,
    };
    let stages = [stage(u32::FULL, 3), stage(0, 0)];
    let chain: Vec<_> = stages.iter().map(|stage| stage as &dyn AnyStage<CostlyPancake>).collect();
    let start = domain.pancake.state(&[1, 3, 0, 2]);
    let report = search_stages(&domain, &chain, &start, &Limits::default(), &Options::default());
    let (number, failed) = report.failed().expect("no operators");
    assert_eq!((number, &failed.outcome), (1, &Outcome::Unsolvable));
    let goal = domain.identity();
    let report = search_stages(&domain, &chain, &goal, &Limits::default(), &Options::default());
    assert_eq!((report.plan, report.stages.len()), (Some(Plan::new()), 2));
    let nothing = search_stages(&domain, &[], &start, &Limits::default(), &Options::default());
    assert!(nothing.failed().is_none() && nothing.plan == Some(Plan::new()));
}

/// Without its dead ends, the stage would search deeper and deeper.
#[test]
fn dead_ends_prove_that_a_stage_has_no_plan() {
    let domain = unit(4);
    let start = domain.pancake.state(&[1, 3, 0, 2]);
    let stage = Stage {
        operators: u32::FULL,
        goal: |_: &u64| false,
        heuristic: Estimate(move |state: &u64| if *state == start { 1 } else { Cost::MAX }),
        pruning: NoPruning,
    };
    let report = search_stages(&domain, &[&stage], &start, &Limits::default(), &Options::default());
    assert_eq!(report.failed().map(|(_, stage)| &stage.outcome), Some(&Outcome::Unsolvable));
}

/// Records the nodes of all progress, and the stages that ended.
#[derive(Default)]
struct Events {
    generated: Mutex<Vec<u64>>,
    stages: Mutex<Vec<(usize, Cost, u64)>>,
}

impl Observer for Events {
    fn progress(&self, progress: &crate::Progress) {
        self.generated.lock().unwrap().push(progress.generated);
    }
    fn stage(&self, number: usize, report: &Report) {
        self.stages.lock().unwrap().push((number, report.lower_bound, report.generated()));
    }
}

#[test]
fn the_observer_is_told_of_each_stage() {
    let events = Events::default();
    let nodes = Limits { nodes: Some(20_000), ..Limits::default() };
    let report = large(&nodes, &Options { observer: &events, ..Options::default() });
    let told: Vec<_> = (0..)
        .zip(&report.stages)
        .map(|(number, stage)| (number, stage.lower_bound, stage.generated()))
        .collect();
    assert_eq!(events.stages.into_inner().unwrap(), told);
    let generated = events.generated.into_inner().unwrap();
    assert!(!generated.is_empty() && generated.is_sorted());
    assert!(generated.last().is_some_and(|last| *last <= report.generated()));
}
