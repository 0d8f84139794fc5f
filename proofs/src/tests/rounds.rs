//! The rounds of a search for plans: what a journal keeps of them, wherever the file ends.

use super::{Edit, identity, open};
use crate::{Identity, Journal, JournalErrorKind, RunStatus, Share, merge, read, read_text, write};
use search::random::Random;
use search::{Op, PlanRound, Units};
use std::path::Path;

/// Seven rounds: three with a better plan, two with a worse one, two without any.
fn rounds() -> Vec<PlanRound> {
    let round = |(at, cost): (u16, Option<u32>)| {
        let plan = (at % 3 == 0).then(|| [Op(at), Op(300)].into_iter().collect());
        let by = if at % 2 == 0 { "words" } else { "cycles" };
        PlanRound { by: by.into(), nodes: 1_000 + u64::from(at), cost, plan }
    };
    let costs = [Some(90), None, Some(91), Some(70), Some(80), None, Some(60)];
    (0..).zip(costs).map(round).collect()
}

/// Keeps the rounds, with facts before them and behind.
fn keep(path: &Path, rounds: &[PlanRound]) {
    let journal = open(path, Share::ALL);
    journal.settle(&Identity::new().with("planner", "a b"));
    rounds.iter().for_each(|round| journal.round(round));
    journal.settle(&Identity::new().with("heuristic", "h"));
    assert!(journal.fault().is_none());
}

/// A file that ends at any byte has the rounds of its whole lines, and takes the others.
#[test]
fn rounds_are_kept_wherever_the_file_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    keep(&path, &rounds());
    let bytes = std::fs::read(&path).unwrap();
    let record = read_text(&bytes).unwrap().record;
    assert_eq!(record.rounds, rounds());
    assert_eq!((record.planned(), record.generated()), (Some(60), 7_021));
    assert_eq!(
        (record.identity.get("planner"), record.identity.get("heuristic")),
        (Some("a b"), Some("h"))
    );
    let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in first..bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let known = read(&path).unwrap().record.rounds;
        assert_eq!(known, rounds()[..known.len()]);
        keep(&path, &rounds()[known.len()..]);
        let again = read(&path).unwrap().record;
        assert_eq!((again.rounds, again.identity), (rounds(), record.identity.clone()));
    }
    let status = RunStatus::new(&record);
    assert_eq!((status.rounds, status.planned, status.lower_bound), (7, Some(60), 0));
}

/// Lines that are changed, removed, doubled or exchanged: refused, or fewer rounds are known.
#[test]
fn mutations_change_no_round() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    keep(&path, &rounds());
    let bytes = std::fs::read(&path).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let (mut random, mut refused) = (Random::new(3), 0);
    for round in 0..1000 {
        let mut lines: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
        let edits = [Edit::Flip, Edit::Remove, Edit::Double, Edit::Swap];
        edits[round % edits.len()].apply(&mut lines, &mut random);
        match read_text(&lines.concat()) {
            Ok(reading) => {
                let known = reading.record.rounds;
                assert_eq!(known, rounds()[..known.len()], "mutation {round}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 200, "{refused} refused");
}

/// Facts that come late are compared with those of the file. A plan that is none is a fault.
#[test]
fn other_facts_and_wrong_plans_are_faults() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    keep(&path, &rounds());
    let journal = open(&path, Share::ALL);
    journal.settle(&Identity::new().with("planner", "a b"));
    assert!(journal.fault().is_none());
    journal.settle(&Identity::new().with("planner", "c"));
    let fault = journal.fault().unwrap();
    let told = "it is of another run: its planner is \"a b\", this run's is \"c\"";
    assert_eq!(fault.kind().to_string(), told);
    drop(journal);
    let other = identity().with("heuristic", "another");
    let error = Journal::open(&path, &other, &Identity::new(), Share::ALL).unwrap_err();
    assert!(matches!(error.kind(), JournalErrorKind::OtherRun { .. }), "{error}");
    let journal = open(&path, Share::ALL);
    journal.refused(&[Op(3), Op(300)]);
    let fault = journal.fault().unwrap();
    assert_eq!(
        fault.kind().to_string(),
        "round 3 has a plan that does not solve the state at its cost"
    );
    assert!(fault.is_damage() && journal.is_over());
}

/// Of two journals of one run, the joined one has the rounds of the longer.
#[test]
fn rounds_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    keep(&path("whole"), &rounds());
    keep(&path("part"), &rounds()[..3]);
    keep(&path("other"), &rounds()[1..]);
    let (joined, _) = merge(&[path("part"), path("whole")]).unwrap();
    assert_eq!(joined.rounds, rounds());
    write(&joined, &path("joined")).unwrap();
    let written = read(&path("joined")).unwrap().record;
    assert_eq!(
        (&written.rounds, written.identity.hash()),
        (&joined.rounds, joined.identity.hash())
    );
    let error = merge(&[path("part"), path("other")]).unwrap_err().to_string();
    assert!(error.contains("its round 0 is"), "{error}");
}
