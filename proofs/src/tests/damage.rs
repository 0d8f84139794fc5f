//! Journals with torn tails, wrong bytes, and lines of elsewhere.

use super::{Edit, Search, agree, identity, open};
use crate::line::{Line, checksum, sealed};
use crate::read::first_text;
use crate::{
    Identity, Journal, JournalErrorKind, JournalFile, Record, Share, read, read_text, write,
};
use search::random::Random;
use search::{Limit, Outcome, UnitCounts};

/// The bytes of the journal of a search that was stopped.
fn bytes() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    Search::USUAL.run(Some(&open(&path, Share::ALL)), Some(3_000_000));
    std::fs::read(path).unwrap()
}

/// Whether everything that a record has is in another one, too.
fn is_part(part: &Record, whole: &Record) -> bool {
    part.identity == whole.identity
        && part.bounds.iter().all(|bound| {
            whole.bound(bound.bound).is_some_and(|other| {
                let units = || bound.units.iter().zip(&other.units);
                bound.digest == other.digest
                    && units().all(|(unit, known)| unit.is_none() || unit == known)
                    && bound.plans.is_subset(&other.plans)
            })
        })
}

/// A write that ended anywhere: the whole lines are kept, and the search goes on from them.
#[test]
fn a_torn_tail_is_cut() {
    let bytes = bytes();
    let whole = read_text(&bytes).unwrap().record;
    let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let mut random = Random::new(1);
    for round in 0..300 {
        let length = first + random.index(bytes.len() - first);
        let reading = read_text(&bytes[..length]).unwrap();
        assert!(reading.whole <= length as u64 && is_part(&reading.record, &whole));
        if round % 100 == 0 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("journal");
            // Zeros at the end, as after a loss of power.
            let zeros = [0; 100];
            std::fs::write(&path, [&bytes[..length], &zeros].concat()).unwrap();
            let report = Search::USUAL.run(Some(&open(&path, Share::ALL)), None);
            agree(&report, &Search::USUAL.serial());
        }
    }
}

/// Wrong bytes, and lines that are removed, doubled or exchanged, never change a result: they are
/// refused, or less is known.
#[test]
fn a_thousand_mutations_change_no_result() {
    let bytes = bytes();
    let whole = read_text(&bytes).unwrap().record;
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let (mut random, mut refused) = (Random::new(2), 0);
    for round in 0..1000 {
        let mut lines: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
        let edits = [Edit::Flip, Edit::Remove, Edit::Double, Edit::Swap];
        edits[round % edits.len()].apply(&mut lines, &mut random);
        match read_text(&lines.concat()) {
            Ok(reading) => assert!(is_part(&reading.record, &whole), "round {round}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 200, "{refused} refused");
}

#[test]
fn other_files_are_no_journals() {
    let bytes = bytes();
    for (text, expected) in [
        (&b""[..], "it holds nothing"),
        (b"hello\n", "expected a journal"),
        (b"fewest-journal 1 {}", "it holds nothing"),
        (b"fewest-journal 1 {}\0\0\n\0", "expected a journal"),
        (b"fewest-journal 2 {}", "expected a journal"),
        (b"fewest-journal 1 {} 00000000\n", "expected a journal"),
        // A right checksum of nothing else.
        (b"fewest-journal 1 d4137b7e\n", "expected a journal"),
        (b"fewest-journal 2 {} 00000000\n", "format version 2, this program reads version 1"),
        (&bytes[..20], "it holds nothing"),
    ] {
        let error = read_text(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let mut damaged = bytes.clone();
    let third = damaged.len() / 3;
    damaged[third] ^= 1;
    let error = read_text(&damaged).unwrap_err();
    assert!(matches!(error, JournalErrorKind::Damaged { .. }), "{error}");
}

/// A first line that was not written whole: nothing is lost, so the journal begins anew.
#[test]
fn a_torn_first_line_begins_anew() {
    let bytes = bytes();
    let first = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    for length in [0, 1, 14, 17, first / 2, first] {
        for zeros in [0, 100] {
            std::fs::write(&path, [&bytes[..length], &[0; 100][..zeros]].concat()).unwrap();
            let file = JournalFile::open(&path).unwrap();
            assert!(file.record().is_none());
            drop(Journal::begin(file, &identity(), &Identity::new(), Share::ALL).unwrap());
            assert_eq!(std::fs::read(&path).unwrap(), bytes[..=first], "{length} and {zeros}");
        }
    }
    // A file of another kind is left as it is.
    std::fs::write(&path, "fewest-jour?").unwrap();
    assert!(JournalFile::open(&path).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"fewest-jour?");
}

/// Forgers compute checksums. Their plans are replayed, and their faults are those of the journal.
#[test]
fn a_forged_plan_is_a_fault_of_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let report = Search::USUAL.run(Some(&open(&path, Share::ALL)), None);
    let own = report.plan().unwrap().iter().map(|op| op.0).collect::<Vec<_>>();
    let whole = read(&path).unwrap().record;
    let [flip, ..] = own[..] else { panic!("no plan") };
    let forge = |plan: Vec<u16>| {
        let mut record = whole.clone();
        let last = record.bounds.last_mut().unwrap();
        let (unit, _) = last.plans.pop_first().unwrap();
        last.plans = [(unit, plan)].into();
        let forged = folder.path().join("forged");
        let _ = std::fs::remove_file(&forged);
        write(&record, &forged).unwrap();
        let journal = open(&forged, Share::ALL);
        (Search::USUAL.run(Some(&journal), None), journal.fault())
    };
    let (found, fault) = forge(own.clone());
    assert_eq!((found.plan(), fault.is_none()), (report.plan(), true));
    for plan in [
        vec![],
        vec![300],
        own[1..].to_vec(),
        // It solves the state, two flips above the bound.
        [&[flip, flip], &own[..]].concat(),
    ] {
        let (found, fault) = forge(plan);
        assert_eq!(found.outcome, Outcome::LimitReached(Limit::Units));
        let fault = fault.expect("a fault");
        assert!(matches!(fault.kind(), JournalErrorKind::WrongPlan { bound: 9, .. }), "{fault}");
        assert!(fault.is_damage());
    }
}

/// A short file does not ask for the memory of many units.
#[test]
fn units_of_all_bounds_are_limited() {
    let first = first_text(&identity(), &Identity::new());
    let (seed, mut text) = (checksum(&first, 0), sealed(&first, 0));
    let above = UnitCounts { generated: 0, expanded: 0, over: None };
    for (bound, units) in [(1, 1000), (2, (1 << 24) - 999), (3, 1)] {
        text += &sealed(&Line::Bound { bound, units, above, digest: [0; 16] }.text(), seed);
    }
    let refused = read_text(text.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("16776217 units behind 1000, more than 16777216"), "{refused}");
}
