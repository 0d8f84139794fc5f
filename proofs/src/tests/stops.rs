//! Searches that are stopped, resumed, shared and joined.

use super::{Search, TEN_FLIPS, agree, complete, identity, open};
use crate::{
    Identity, Journal, JournalErrorKind, MissingUnits, RunStatus, Share, merge, read, write,
};
use search::{Limit, Outcome};
use std::path::PathBuf;

/// The twin without units finds the same with any number of threads and plans.
#[test]
fn a_journal_changes_no_count() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (threads, plans)) in [(1, 1), (2, 1), (16, 1), (2, 3)].into_iter().enumerate() {
        let search = Search { threads, plans, ..Search::USUAL };
        let journal = open(&folder.path().join(number.to_string()), Share::ALL);
        let report = search.run(Some(&journal), None);
        agree(&report, &search.serial());
        let record = journal.record();
        for (bound, iteration) in record.bounds.iter().zip(complete(&report)) {
            assert_eq!((bound.bound, bound.is_complete()), (iteration.bound, true));
            assert_eq!(bound.counts(), (iteration.generated, iteration.expanded));
        }
        drop(journal);
        let read = read(&folder.path().join(number.to_string())).unwrap().record;
        assert_eq!(read, record);
        assert_eq!(RunStatus::new(&read).lower_bound, report.lower_bound);
    }
}

/// Stopped after some nodes again and again, with other numbers of threads each time.
#[test]
fn a_stopped_search_goes_on() {
    let expected = Search::USUAL.serial();
    for step in [1000, 50_000, 1_000_003] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut stops = 0;
        let report = loop {
            let journal = open(&path, Share::ALL);
            let threads = [1, 2, 16][stops % 3];
            // The limit counts known nodes, too, so it rises from run to run.
            let nodes = journal.record().generated() + step * (1 + stops as u64);
            let report = Search { threads, ..Search::USUAL }.run(Some(&journal), Some(nodes));
            if report.outcome != Outcome::LimitReached(Limit::Nodes) {
                break report;
            }
            stops += 1;
        };
        assert!(stops > 2, "{stops} stops");
        agree(&report, &expected);
        // A finished journal answers without a search.
        let journal = open(&path, Share::ALL);
        agree(&Search::USUAL.run(Some(&journal), None), &expected);
    }
}

/// Several plans: those of units that are not complete are found again, and none twice.
#[test]
fn plans_of_a_stopped_search_are_found_once() {
    let search = Search { plans: usize::MAX, ..Search::USUAL };
    let expected = search.serial();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let mut nodes = 0;
    let report = loop {
        nodes += 30_000_000;
        let report = search.run(Some(&open(&path, Share::ALL)), Some(nodes));
        // After a limit the plans found so far are the outcome, and are not all.
        if report.complete {
            break report;
        }
    };
    agree(&report, &expected);
    assert_eq!(report.outcome, {
        let Outcome::Solved(mut plans) = expected.outcome else { panic!("no plan") };
        plans.sort_unstable();
        Outcome::Solved(plans)
    });
}

#[test]
fn shares_are_joined_bound_by_bound() {
    const SHARES: usize = 7;
    let search = Search { start: TEN_FLIPS, threads: 2, plans: usize::MAX };
    let expected = search.serial();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: String| folder.path().join(name);
    let mut whole: Option<PathBuf> = None;
    for round in 0.. {
        let shares: Vec<PathBuf> = (1..=SHARES).map(|k| path(format!("{round}-{k}"))).collect();
        for (number, share) in shares.iter().enumerate() {
            whole.iter().for_each(|whole| _ = std::fs::copy(whole, share).unwrap());
            let journal = open(share, Share::new(number + 1, SHARES).unwrap());
            let report = search.run(Some(&journal), None);
            // Plans of one share are not all plans.
            assert!(report.outcome == Outcome::LimitReached(Limit::Units) || !report.complete);
        }
        // Without one of them, its units are missing.
        let (part, missing) = merge(&shares[1..]).unwrap();
        if let Some(MissingUnits { units, of, .. }) = missing {
            assert_eq!(units, (0..of).step_by(SHARES).collect::<Vec<_>>());
        } else {
            assert!(part.bounds.last().is_some_and(|last| !last.plans.is_empty()));
        }
        let (record, missing) = merge(&shares).unwrap();
        assert_eq!(missing, None);
        let joined = path(format!("{round}-joined"));
        write(&record, &joined).unwrap();
        assert_eq!(read(&joined).unwrap().record, record);
        if record.bounds.last().is_some_and(|last| !last.plans.is_empty()) {
            agree(&search.run(Some(&open(&joined, Share::ALL)), None), &expected);
            assert!(round > 0, "more than one bound is shared");
            break;
        }
        whole = Some(joined);
    }
}

#[test]
fn other_runs_are_refused_with_their_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    Search::USUAL.run(Some(&open(&path, Share::ALL)), Some(10_000));
    let other = identity().with("state", "8 4 1 6 3 0 7 5 2");
    let error = Journal::open(&path, &other, &Identity::new(), Share::ALL).unwrap_err();
    assert_eq!(
        error.kind().to_string(),
        "it is of another run: its state is \"4 8 1 6 3 0 7 5 2\", this run's is \"8 4 1 6 3 0 7 5 2\""
    );
    // The same identity, but another search: the units show it.
    let journal = open(&path, Share::ALL);
    let (domain, _) = Search::USUAL.start();
    let start = domain.state(&[8, 4, 1, 6, 3, 0, 7, 5, 2]);
    let options = Search::USUAL.options(Some(&journal), None);
    let report =
        search::ida_star_parallel(&domain, &search::Zero, &search::NoPruning, &start, &options);
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Units));
    let fault = journal.fault().unwrap();
    assert!(matches!(fault.kind(), JournalErrorKind::OtherUnits { .. }), "{fault}");
    // One process at a time.
    let error = Journal::open(&path, &identity(), &Identity::new(), Share::ALL).unwrap_err();
    assert!(matches!(error.kind(), JournalErrorKind::Locked), "{error}");
}
