//! Goal decomposition of toy domains: subgoals that count what is missing, with macros at the end.

use super::*;
use crate::testing::Pebbles;
use crate::{Estimate, WithMacros};

/// The pancakes below a place that are not where they belong. Sorted from below, each subgoal
/// augments the one before.
fn away(from: usize, size: usize) -> impl Fn(&u64) -> Cost + Copy + Sync {
    move |state: &u64| {
        (from..size).map(|place| Cost::from(Pancake::pancake(*state, place) != place)).sum()
    }
}

/// Subgoals that sort the lowest pancakes, and at last all. Macros serve the last one.
fn decomposed(
    domain: &WithMacros<Pancake>,
    start: &u64,
    counts: bool,
    options: &Options<'_>,
) -> StagedReport {
    let size = domain.base().size();
    let stages: Vec<Box<dyn AnyStage<WithMacros<Pancake>>>> = [size - 2, size / 2, 0]
        .into_iter()
        .map(|from| {
            let missing = away(from, size);
            let operators =
                u32::first(if from == 0 { domain.operators() } else { domain.base().operators() });
            let goal = move |state: &u64| missing(state) == 0;
            // One flip moves up to all pancakes home.
            let most = if counts { 1 } else { Cost::try_from(size).unwrap() };
            let heuristic = Estimate(move |state: &u64| missing(state).div_ceil(most));
            let stage = Stage { operators, goal, heuristic, pruning: NoPruning };
            match counts {
                true => Box::new(Inadmissible(stage)) as Box<dyn AnyStage<_>>,
                false => Box::new(stage),
            }
        })
        .collect();
    let chain: Vec<_> = stages.iter().map(|stage| &**stage).collect();
    search_stages(domain, &chain, start, &Limits::default(), options)
}

/// A stage with a count as it is still reaches its goals. Its plan may cost more than the cheapest,
/// and its report claims no more than is true.
#[test]
fn a_count_that_overestimates_proves_nothing() {
    let plain = Pancake::new(7);
    let rotate = [vec![Op(5), Op(4)], vec![Op(2), Op(3), Op(2)]];
    let domain = WithMacros::new(plain, rotate.to_vec()).unwrap();
    let distances = Distances::from_goals(&plain, &[plain.identity()], 20);
    let (mut longer, mut fewer, mut used) = (0, [0, 0], 0);
    let checked = distances.try_for_each(|start, cost, _| {
        if start % 11 != 0 {
            return Ok(());
        }
        let reports =
            [true, false].map(|counts| decomposed(&domain, start, counts, &Options::default()));
        for (report, generated) in reports.iter().zip(&mut fewer) {
            let plan = report.plan.as_ref().ok_or("no plan")?;
            let parts: Vec<Op> =
                report.stages.iter().flat_map(|stage| stage.plan().unwrap()).copied().collect();
            assert_eq!(&parts[..], &plan[..]);
            assert!(plan.iter().all(|op| op.index() < plain.operators()));
            let mut state = *start;
            for &op in plan {
                plain.apply_into(&state.clone(), op, &mut state);
            }
            assert_eq!(state, plain.identity());
            assert_eq!((report.spent as usize, report.cost()), (plan.len(), report.spent));
            assert!(report.spent >= u32::from(cost));
            *generated += report.generated();
        }
        let [counted, admissible] = reports;
        for (loose, tight) in counted.stages.iter().zip(&admissible.stages) {
            assert!(loose.lower_bound <= 1 && loose.optimal == (loose.lower_bound == 0));
            assert!(tight.optimal && tight.plan().unwrap().len() == usize::from(tight.lower_bound));
        }
        // The first stages begin at the same state.
        let lengths = [&counted, &admissible].map(|report| report.stages[0].plan().unwrap().len());
        assert!(lengths[0] >= lengths[1]);
        longer += usize::from(lengths[0] > lengths[1]);
        used += usize::from(counted.stages[2].plan().unwrap().len() > 1);
        Ok::<(), &str>(())
    });
    assert_eq!(checked, Ok(()));
    assert!(longer > 5 && used > 50 && fewer[0] < fewer[1], "{longer} {used} {fewer:?}");
}

/// Each subgoal asks for more pebbles at home, and leaves the choice of pebbles.
#[test]
fn subgoals_may_leave_a_choice() {
    let domain = Pebbles::ladder(2, 3);
    let goal = domain.goal();
    let home = move |state: &u64| {
        let same = |place: &u32| (state ^ goal) >> (4 * place) & 15 == 0;
        Cost::try_from((0..6).filter(same).count()).unwrap()
    };
    let stages: Vec<_> = (1..=6)
        .map(|count: Cost| {
            let missing = move |state: &u64| count.saturating_sub(home(state));
            Inadmissible(Stage {
                operators: u64::FULL,
                goal: move |state: &u64| missing(state) == 0,
                heuristic: Estimate(missing),
                pruning: NoPruning,
            })
        })
        .collect();
    let chain: Vec<_> = stages.iter().map(|stage| stage as &dyn AnyStage<Pebbles>).collect();
    let (mut state, mut to) = (goal, 0);
    for step in 0_usize..60 {
        let ops = domain.applicable(&state);
        let op = ops.members().nth(step * step % ops.len() as usize).unwrap();
        domain.apply_into(&state, op, &mut to);
        state = to;
        let report =
            search_stages(&domain, &chain, &state, &Limits::default(), &Options::default());
        let mut end = state;
        for &op in &report.plan.expect("a plan") {
            assert!(domain.applicable(&end).contains(op));
            domain.apply_into(&end, op, &mut to);
            end = to;
        }
        assert!(domain.is_goal(&end));
    }
}

/// The observer gets no bound that is not proven.
#[test]
fn progress_claims_only_what_is_proven() {
    #[derive(Default)]
    struct Bounds(Mutex<Vec<Cost>>);
    impl Observer for Bounds {
        fn progress(&self, progress: &crate::Progress) {
            self.0.lock().unwrap().push(progress.lower_bound);
        }
    }
    let domain = WithMacros::new(Pancake::new(12), Vec::new()).unwrap();
    let start = domain.base().state(&HARD);
    let bounds = Bounds::default();
    let limits = Limits { nodes: Some(300_000), ..Limits::default() };
    let options = Options { limits, observer: &bounds, ..Options::default() };
    let report = decomposed(&domain, &start, true, &options);
    assert!(report.generated() > 50_000, "{}", report.generated());
    let bounds = bounds.0.into_inner().unwrap();
    assert!(!bounds.is_empty() && bounds.iter().all(|bound| *bound <= 1));
}
