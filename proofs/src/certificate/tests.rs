//! Certificates that are edited, truncated or forged.

use super::{Certificate, Claim, Flaw, TableMark};
use crate::tests::{Edit, Search};
use crate::{Identity, Journal, Share};
use search::random::Random;

/// The certificate of a search without a heuristic.
fn certificate() -> Certificate {
    let identity = Identity::new()
        .with("puzzle", "pancakes")
        .with("plans", "1")
        .with("slack", "0")
        .with("min-length", "0");
    let journal = Journal::in_memory(&identity, Share::ALL);
    let report = Search::USUAL.run(Some(&journal), None);
    let plan = report.plan().expect("a plan").iter().map(|op| format!("F{}", op.0)).collect();
    let table =
        |name: &str| TableMark { name: name.to_owned(), fingerprint: [1; 32], payload: [2; 32] };
    let claim = Claim::Plan(plan, u64::from(report.lower_bound));
    Certificate::new(&journal.record(), claim, report.lower_bound, vec![table("b"), table("a")])
}

#[test]
fn a_certificate_is_read_as_it_is_written() {
    let own = certificate();
    own.check().unwrap();
    assert_eq!(own.bounds.last().map(|last| last.bound), Some(8));
    let read = Certificate::read(own.text().as_bytes()).unwrap();
    assert_eq!(read, own);
    for claim in [Claim::NoPlan, Claim::LowerBound, Claim::Plan(Vec::new(), 0)] {
        let other = Certificate { claim, ..own.clone() };
        assert_eq!(Certificate::read(other.text().as_bytes()).unwrap(), other);
    }
}

/// Changes of bytes and lines: every one is refused.
#[test]
fn a_thousand_edits_are_refused() {
    let text = certificate().text();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut random = Random::new(1);
    for round in 0..1000 {
        let mut lines: Vec<Vec<u8>> = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
        let edits = [Edit::Flip, Edit::Remove, Edit::Double, Edit::End, Edit::Cut];
        edits[round % edits.len()].apply(&mut lines, &mut random);
        let edited = lines.concat();
        if edited != text.as_bytes() {
            assert!(Certificate::read(&edited).is_err(), "round {round}");
        }
    }
}

/// Edits by someone who also writes new hashes: read, but without the same root, or not a proof.
#[test]
fn forged_counts_change_the_root() {
    let own = certificate();
    let root = own.root();
    let mut random = Random::new(2);
    for _ in 0..300 {
        let mut forged = own.clone();
        let bound = forged.bounds.iter_mut().filter(|bound| !bound.units.is_empty());
        let mut bounds: Vec<_> = bound.collect();
        let bound = random.index(bounds.len());
        let units = &mut bounds[bound].units;
        let unit = random.index(units.len());
        let counts = units[unit].as_mut().expect("whole");
        match random.below(3) {
            0 => counts.generated += 1 + random.below(9),
            1 => counts.expanded += 1 + random.below(9),
            _ => counts.over = counts.over.map_or(Some(9), |over| Some(over + 1)),
        }
        let read = Certificate::read(forged.text().as_bytes()).unwrap();
        assert_ne!(read.root(), root);
    }
}

#[test]
fn what_proves_nothing_is_refused() {
    let own = certificate();
    let flaw = |edit: &dyn Fn(&mut Certificate)| {
        let mut forged = own.clone();
        edit(&mut forged);
        let read = Certificate::read(forged.text().as_bytes()).unwrap();
        read.check().expect_err("a flaw")
    };
    assert!(matches!(flaw(&|it| it.claim = Claim::NoPlan), Flaw::Cut));
    assert!(matches!(flaw(&|it| it.claim = Claim::Plan(Vec::new(), 10)), Flaw::NotOptimal { .. }));
    assert!(matches!(flaw(&|it| it.lower_bound = 12), Flaw::Gap { bound: 8, .. }));
    assert!(matches!(flaw(&|it| _ = it.bounds.drain(4..6)), Flaw::Gap { .. }));
    // Bounds of both parities stand in the text, so none follows two steps above.
    assert!(matches!(flaw(&|it| _ = it.bounds.remove(4)), Flaw::Gap { bound: 3, next: 5, .. }));
    assert!(matches!(flaw(&|it| it.bounds.swap(4, 5)), Flaw::Gap { .. } | Flaw::Order { .. }));
    assert!(matches!(
        flaw(&|it| it.identity.set("plans", "2")),
        Flaw::OtherSearch { fact: "plans", .. }
    ));
    let mut short = own.clone();
    short.bounds.last_mut().expect("bounds").units[0] = None;
    assert!(matches!(short.check(), Err(Flaw::Missing { bound: 8, .. })));
    assert!(Certificate::read(short.text().as_bytes()).is_err());
}

#[test]
fn a_draw_depends_on_root_and_seed() {
    let own = certificate();
    let draw = own.draw(50, 1);
    assert_eq!((draw.units.len(), draw.of), (50, own.units()));
    assert_eq!(own.draw(50, 1), draw);
    assert_ne!(own.draw(50, 2), draw);
    let mut other = own.clone();
    other.bounds.last_mut().expect("bounds").above.generated += 1;
    assert_ne!(other.draw(50, 1), draw);
    assert_eq!(own.draw(usize::MAX, 1).units.len(), own.units());
}
