//! Journals with torn tails, wrong bytes, and lines of elsewhere.

use super::{Edit, Search, agree, open};
use crate::{JournalErrorKind, Record, Share, read_text};
use search::random::Random;

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
        (&b""[..], "expected a journal"),
        (b"hello\n", "expected a journal"),
        (b"fewest-journal 1 {}", "expected a journal"),
        (b"fewest-journal 1 {} 00000000\n", "expected a journal"),
        (b"fewest-journal 2 {} 00000000\n", "format version 2, this program reads version 1"),
        (&bytes[..20], "expected a journal"),
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
