//! Searches of a toy domain.

use super::on_ranks;
use fewest::Keeper;
use fewest::proofs::{Identity, Journal, Record, Share};
use fewest::search::testing::Pancake;
use fewest::search::{
    Domain, Frontier, InversePruning, KnownUnits, Limit, Limits, Op, Options, Outcome, Report,
    UnitCounts, Units, Zero, ida_star, ida_star_parallel,
};
use fewest_cluster::{ClusterUnits, RankResult, RankSearch, RunOptions, run};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Nine pancakes whose plans have 9 flips. Without a heuristic, bounds 5 to 9 are shared below.
const NINE_FLIPS: [usize; 9] = [4, 8, 1, 6, 3, 0, 7, 5, 2];
/// A bound is shared from so many nodes on.
const SHARED_FROM: u64 = 2000;

/// A journal of a toy. It is full after some results, and then ends the search.
struct Kept {
    journal: Journal,
    taken: AtomicUsize,
    most: usize,
}

impl Kept {
    fn new(most: usize) -> Self {
        let journal = Journal::in_memory(&Identity::new(), Share::ALL);
        Self { journal, taken: AtomicUsize::new(0), most }
    }
}

impl Keeper for Kept {
    fn begin(&self, _: &str, _: &BTreeMap<String, String>) {}
}

impl Units for Kept {
    fn open(&self, frontier: &Frontier<'_>) -> KnownUnits {
        self.journal.open(frontier)
    }
    fn claim(&self) -> usize {
        self.journal.claim()
    }
    fn searched(&self, unit: usize, counts: UnitCounts) {
        self.taken.fetch_add(1, Relaxed);
        self.journal.searched(unit, counts);
    }
    fn found(&self, unit: usize, plan: &[Op]) {
        self.journal.found(unit, plan);
    }
    fn is_over(&self) -> bool {
        self.taken.load(Relaxed) >= self.most
    }
    fn close(&self, complete: bool) -> KnownUnits {
        self.journal.close(complete)
    }
}

fn start() -> (Pancake, u64) {
    let domain = Pancake::new(NINE_FLIPS.len());
    (domain, domain.state(&NINE_FLIPS))
}

/// The slow twin: one thread, no ranks.
fn serial(options: &Options<'_>) -> Report {
    let (domain, start) = start();
    ida_star(&domain, &Zero, &InversePruning, &start, options)
}

/// What a rank searches.
#[derive(Clone, Default)]
struct Task {
    plans: usize,
    limits: Limits,
}

impl Task {
    fn plans(plans: usize) -> Self {
        Self { plans, ..Self::default() }
    }

    fn options<'a>(&self) -> Options<'a> {
        Options { plans: self.plans, limits: self.limits.clone(), ..Options::default() }
    }

    fn search(&self, units: &ClusterUnits<'_>, heuristic: &str) -> RankSearch<Report> {
        let (domain, start) = start();
        units.begin(heuristic, &BTreeMap::new());
        let cancel = units.cancel_token();
        let options = Options { cancel, units: Some(units), ..self.options() };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let search = || ida_star_parallel(&domain, &Zero, &InversePruning, &start, &options);
        RankSearch { value: pool.install(search), cpu: Duration::from_secs(1), error: None }
    }

    /// Searches with so many ranks. Returns what each rank found.
    fn run(&self, ranks: usize, kept: Option<&Kept>) -> Vec<RankResult<Report>> {
        on_ranks(ranks, |comm| {
            let keeper = kept.map(|kept| kept as _);
            let options =
                RunOptions { keeper, threads: 2, shared_from: SHARED_FROM, ..<_>::default() };
            run(comm, &options, |units, _| self.search(units, "none"))
        })
    }
}

fn report(ran: &RankResult<Report>) -> &Report {
    ran.value.as_ref().expect("the search began")
}

fn is_plan(plan: &[Op]) -> bool {
    let (domain, mut state) = start();
    for &op in plan {
        let from = state;
        domain.apply_into(&from, op, &mut state);
    }
    domain.is_goal(&state)
}

#[test]
fn ranks_count_what_one_search_counts() {
    let serial = serial(&Task::plans(1).options());
    let complete = serial.iterations.len() - 1;
    for ranks in [1, 2, 4, 7] {
        let found = Task::plans(1).run(ranks, None);
        for ran in &found {
            let report = report(ran);
            assert_eq!(report.iterations[..complete], serial.iterations[..complete], "{ranks}");
            let Outcome::Solved(plans) = &report.outcome else { panic!("{:?}", report.outcome) };
            assert_eq!((plans.len(), plans[0].len()), (1, 9));
            assert!(is_plan(&plans[0]));
        }
        assert_eq!(found[0].ends.len(), ranks);
        let units: Vec<u64> = found[0].ends.iter().map(|end| end.units).collect();
        assert_eq!(ranks == 1, units.iter().all(|&units| units == 0), "{units:?}");
    }
}

#[test]
fn all_plans_are_found_once() {
    let serial = serial(&Task::plans(usize::MAX).options());
    for ranks in [1, 2, 4] {
        for ran in Task::plans(usize::MAX).run(ranks, None) {
            let report = report(&ran);
            assert_eq!(report.iterations, serial.iterations);
            let (Outcome::Solved(mut expected), Outcome::Solved(mut plans)) =
                (serial.outcome.clone(), report.outcome.clone())
            else {
                panic!("{:?}", report.outcome)
            };
            expected.sort_unstable();
            plans.sort_unstable();
            assert_eq!(plans, expected);
        }
    }
}

#[test]
fn every_rank_searches() {
    // The last bound alone has 2,048 units and some hundred milliseconds of work.
    let found = Task::plans(usize::MAX).run(2, None);
    let units: Vec<u64> = found[0].ends.iter().map(|end| end.units).collect();
    assert!(units.iter().all(|&units| units > 0), "{units:?}");
    assert!(found[0].ends.iter().all(|end| end.messages > 0 && end.bytes > end.messages));
}

/// Searches until the journal has taken so many results, then on with another number of ranks.
fn stopped_and_resumed(most: usize, before: usize, after: usize) -> Record {
    let mut kept = Kept::new(most);
    for ran in Task::plans(usize::MAX).run(before, Some(&kept)) {
        let outcome = &report(&ran).outcome;
        let stopped = matches!(outcome, Outcome::LimitReached(Limit::Units) | Outcome::Cancelled);
        // Plans that are known when the journal takes no more are an answer, too.
        assert!(stopped || matches!(outcome, Outcome::Solved(_)), "{outcome:?}");
    }
    let taken = kept.taken.swap(0, Relaxed);
    assert!(taken >= most, "{taken}");
    kept.most = usize::MAX;
    let serial = serial(&Task::plans(usize::MAX).options());
    for ran in Task::plans(usize::MAX).run(after, Some(&kept)) {
        assert_eq!(report(&ran).iterations, serial.iterations);
    }
    let record = kept.journal.record();
    let units: usize = record.bounds.iter().map(|bound| bound.done()).sum();
    // No unit is searched again.
    assert_eq!(taken + kept.taken.load(Relaxed), units);
    record
}

#[test]
fn a_journal_resumes_with_any_number_of_ranks() {
    let once = stopped_and_resumed(1, 1, 1);
    for (most, before, after) in [(5000, 4, 2), (9000, 1, 3), (7000, 2, 1)] {
        assert_eq!(stopped_and_resumed(most, before, after).bounds, once.bounds);
    }
}

#[test]
fn a_limit_of_one_rank_ends_all() {
    for (ranks, limited) in [(2, 0), (2, 1), (4, 3)] {
        let found = on_ranks(ranks, |comm| {
            use fewest_cluster::Comm;
            let nodes = (comm.rank() == limited).then_some(3_000_000);
            let limits = Limits { nodes, ..Limits::default() };
            let task = Task { plans: usize::MAX, limits };
            let options = RunOptions { shared_from: SHARED_FROM, ..RunOptions::default() };
            run(comm, &options, |units, _| task.search(units, "none"))
        });
        for ran in &found {
            let report = report(ran);
            assert!(report.lower_bound <= 9 && !report.complete, "{report:?}");
        }
    }
}

#[test]
fn an_error_of_one_rank_ends_all_and_is_told() {
    let found = on_ranks(3, |comm| {
        use fewest_cluster::Comm;
        let failing = comm.rank() == 2;
        run(comm, &RunOptions::default(), |units, _| match failing {
            true => RankSearch { value: None, cpu: Duration::ZERO, error: Some("no disk".into()) },
            false => {
                let RankSearch { value, cpu, error } = Task::plans(1).search(units, "none");
                RankSearch { value: Some(value), cpu, error }
            }
        })
    });
    let errors: Vec<_> = found[0].ends.iter().map(|end| end.error.as_deref()).collect();
    assert_eq!(errors, [None, None, Some("no disk")]);
}

#[test]
fn ranks_with_other_heuristics_are_refused() {
    let found = on_ranks(2, |comm| {
        use fewest_cluster::Comm;
        let heuristic = ["one", "other"][comm.rank()];
        let options = RunOptions { shared_from: SHARED_FROM, ..RunOptions::default() };
        run(comm, &options, |units, _| Task::plans(1).search(units, heuristic))
    });
    let error = found[0].ends[1].error.as_deref().expect("an error");
    assert!(error.contains("one") && error.contains("other"), "{error}");
}

#[test]
fn no_search_begins_if_rank_0_ends_at_once() {
    let found = on_ranks(3, |comm| {
        use fewest_cluster::Comm;
        let rank = comm.rank();
        run(comm, &RunOptions::default(), |_, _| RankSearch {
            value: rank,
            cpu: Duration::ZERO,
            error: None,
        })
    });
    let values: Vec<_> = found.iter().map(|ran| ran.value).collect();
    assert_eq!(values, [Some(0), None, None]);
}
