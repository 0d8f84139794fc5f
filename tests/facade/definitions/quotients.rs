//! States count as one if they have the same plans. Each layer has the size that a slow search
//! finds, and each farthest state is solved at the stated depth.

use super::oracle::{Oracle, key};
use super::{puzzle, whole_distributions};
use fewest::{Puzzle, Request, Settings, configure};
use permutation::{Definition, MoveMetric, ReadLimits};
use std::collections::HashSet;
use std::fs;

/// Compares both ways to count layers with the slow search, and solves some farthest states.
/// Returns the layers.
fn check(puzzle: &dyn Puzzle, oracle: &Oracle, name: &str) -> Vec<u128> {
    let (request, known) = (Request::default(), oracle.layers());
    let mut told = Vec::new();
    let exhaustive = puzzle.exhaustive().expect("few states");
    let farthest = exhaustive.count_all(5, &request, &mut |_, count| told.push(count)).expect(name);
    assert_eq!(told, known, "{name}");
    let mut told = Vec::new();
    let counting = puzzle.counting().expect("counts");
    let depth = known.len() + 1;
    counting.count_states(depth, &request, &mut |_, count| told.push(count)).expect(name);
    assert_eq!((&told[..known.len()], &told[known.len()..]), (&known[..], &[0, 0][..]), "{name}");
    let last = known.last().expect("the goal");
    assert_eq!(farthest.len() as u128, (*last).min(5), "{name}");
    let (classes, mut found) = (oracle.classes(), HashSet::new());
    for state in &farthest {
        let answer = puzzle.solve(state, &request).expect("a state");
        assert_eq!(answer.plans[0].len(), known.len() - 1, "{name}: {state}");
        // Moves lead to each state, and no two states are alike.
        let read = oracle.definition.scrambles(state, &ReadLimits::default()).expect("a state");
        let permutation::ScrambleState::Given(state) = &read.scrambles[0].state else {
            panic!("a random state")
        };
        let place = oracle.states.iter().position(|other| key(other) == key(state));
        assert!(found.insert(classes[place.expect("a state that moves lead to")]), "{name}");
    }
    known
}

fn check_text(text: &str) -> Vec<u128> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.tws");
    fs::write(&path, text).expect("a file");
    let settings = Settings::default().tables(folder.path().join("tables"));
    let puzzle = configure(path.to_str().expect("a path"), &settings).expect(text);
    check(&*puzzle, &Oracle::new(text, MoveMetric::Turn), text)
}

/// Five beads in a ring: one move turns the ring, one swaps two beads.
const RING: &str = "Set BEADS 5 1\nStartState\nBEADS\n0 1 2 3 4\nEnd\n\
    MoveTransformation R\nBEADS\n4 0 1 2 3\nEnd\nMoveTransformation S\nBEADS\n1 0 2 3 4\nEnd\n";

/// Four coins with two sides: one move turns a ring of three, one swaps two neighbours and turns
/// them over.
const COINS: &str = "Set COINS 4 2\nStartState\nCOINS\n0 1 2 3\nEnd\n\
    MoveTransformation R\nCOINS\n0 3 1 2\n0 0 1 1\nEnd\n\
    MoveTransformation S\nCOINS\n1 0 2 3\n1 0 0 0\nEnd\n";

#[test]
fn a_ring_with_three_ignored_beads_has_twenty_states() {
    let text = format!("{RING}Ignore\nBEADS\n0 0 1 1 1\nEnd\n");
    assert_eq!(check_text(&text), [1, 5, 6, 5, 3]);
}

/// Made-up puzzles with every feature that can give two states the same plans, alone and combined.
#[test]
fn states_of_made_up_puzzles_are_counted_as_plans_tell_them_apart() {
    let coins = |start: &str| COINS.replace("0 1 2 3\nEnd\nMoveT", &format!("{start}\nEnd\nMoveT"));
    // The last two coins have a ring of their own.
    let rings = "Set COINS 5 2\nStartState\nCOINS\n0 1 2 3 4\nEnd\n\
        MoveTransformation R\nCOINS\n1 2 0 3 4\n1 0 1 0 1\nEnd\n\
        MoveTransformation S\nCOINS\n0 1 2 4 3\n1 0 0 0 1\nEnd\n";
    let ignore = |pieces: &str, turns: &str| format!("Ignore\nCOINS\n{pieces}\n{turns}\nEnd\n");
    let rules = "ForbiddenPairs\nR S\nS R'\nEnd\nMoveLimits\nS 3\nEnd\n";
    for text in [
        COINS.to_owned(),
        coins("0 1 1 2"),
        coins("0 1 2 3\n0 ? 0 1"),
        coins("0 1 1 2\n0 ? ? 1"),
        // The goals ignore pieces, orientations, both, and some of each.
        format!("{COINS}{}", ignore("0 1 1 0", "0 0 0 0")),
        format!("{COINS}{}", ignore("1 1 1 1", "0 0 0 0")),
        format!("{COINS}{}", ignore("0 0 0 0", "0 1 1 0")),
        format!("{COINS}{}", ignore("0 0 0 0", "1 1 1 1")),
        format!("{COINS}{}", ignore("0 1 1 0", "0 1 1 0")),
        format!("{COINS}{}", ignore("0 1 1 1", "0 0 1 0")),
        format!("{COINS}{}", ignore("1 1 0 0", "1 0 1 0")),
        format!("{COINS}{}", ignore("1 1 1 1", "1 1 1 1")),
        // Some of the pieces that look alike are ignored.
        format!("{}{}", coins("0 1 1 2"), ignore("0 0 1 0", "0 0 0 0")),
        format!("{}{}", coins("0 1 1 2"), ignore("1 0 1 0", "0 0 1 0")),
        format!("{}{}", coins("0 1 1 1"), ignore("0 0 1 1", "0 0 1 1")),
        format!("{}{}", coins("0 1 1 1"), ignore("0 0 0 0", "0 0 1 1")),
        format!("{}{}", coins("0 1 2 3\n0 ? 0 1"), ignore("0 1 1 0", "0 0 1 0")),
        format!("{}{}", coins("0 1 2 3\n0 ? ? 1"), ignore("1 1 0 0", "1 0 0 0")),
        // Several goals, two of them alike.
        format!("{COINS}GoalState\nCOINS\n1 0 2 3\n0 1 0 0\nEnd\n"),
        format!(
            "{COINS}GoalState\nCOINS\n1 0 2 3\n1 0 0 0\nEnd\nGoalState\nCOINS\n1 0 3 2\n1 0 0 0\nEnd\n{}",
            ignore("0 0 1 1", "0 0 0 1")
        ),
        format!("{COINS}GoalState\nCOINS\n2 1 0 3\nEnd\n{}", ignore("1 0 0 1", "1 0 0 1")),
        // Pieces that cannot take each other's places, and goals that differ in that.
        format!("{rings}{}", ignore("0 0 1 1 1", "0 0 1 1 0")),
        format!("{rings}{}", ignore("0 1 1 1 1", "0 0 0 1 1")),
        format!("{rings}GoalState\nCOINS\n3 1 2 0 4\nEnd\n{}", ignore("0 1 1 0 1", "0 1 1 0 1")),
        // There are rules about states and about moves.
        format!("{COINS}Illegal COINS 1 3 4\n{}", ignore("0 1 1 1", "0 1 1 1")),
        format!("{COINS}Illegal COINS 4 1\n{}", ignore("1 1 1 0", "0 1 0 0")),
        format!("{COINS}Block\nCOINS\n3 4\nEnd\n{}", ignore("0 0 1 1", "0 0 1 1")),
        format!("{COINS}{rules}{}", ignore("0 0 1 1", "0 0 1 1")),
        format!("{COINS}{rules}{}", ignore("0 0 1 1", "0 0 0 1")),
        format!("{RING}{rules}Ignore\nBEADS\n0 0 1 1 1\nEnd\n"),
        // The goals have different pieces in a slot that no move changes.
        "Set CARDS 4 1\nStartState\nCARDS\n0 1 2 3\nEnd\nMove R\nCARDS\n1 3 4 2\nEnd\n\
         Move S\nCARDS\n1 3 2 4\nEnd\nGoalState\nCARDS\n3 1 0 2\nEnd\n\
         Ignore\nCARDS\n0 1 1 1\nEnd\n"
            .to_owned(),
        // No move turns a piece, so pieces with one turn or with two are alike.
        "Set CARDS 3 2\nStartState\nCARDS\n0 1 2\n1 ? 1\nEnd\nMove R\nCARDS\n2 3 1\nEnd\n\
         Ignore\nCARDS\n1 1 1\n1 1 0\nEnd\n"
            .to_owned(),
    ] {
        check_text(&text);
    }
    // An orientation has three values, and the goal does not distinguish two of them.
    let thirds = "Set COINS 3 4\nStartState\nCOINS\n0 1 2\n0 1?2 0?2\nEnd\n\
        MoveTransformation R\nCOINS\n1 2 0\n1 0 1\nEnd\nMoveTransformation S\nCOINS\n1 0 2\n3 0 0\nEnd\n";
    check_text(thirds);
    check_text(&format!("{thirds}Ignore\nCOINS\n0 1 1\n0 0 1\nEnd\n"));
}

/// The shipped puzzles as they are, and with a part of their slots ignored.
#[test]
fn states_of_shipped_puzzles_are_counted_as_plans_tell_them_apart() {
    let (mut whole, mut parts) = (0, 0);
    for known in whole_distributions(0..=50_000) {
        let (text, file) = (known.text(), &known.file);
        check(&*puzzle(file, &known.metric, 1 << 26), &known.oracle(), file);
        whole += 1;
        if known.metric != "htm" || known.states() > 6000 {
            continue;
        }
        for (every, turned) in [(2, 3), (3, 1), (1, 2)] {
            let definition = Definition::from_tws(&text, &ReadLimits::default());
            let definition = definition.expect("a definition");
            let row = |pieces: usize, every: usize| {
                let flags =
                    (0..pieces).map(|slot| if slot % every == 1 % every { "1" } else { "0" });
                flags.collect::<Vec<_>>().join(" ")
            };
            let rows = definition.orbits().iter().map(|orbit| {
                let n = orbit.pieces();
                format!("{}\n{}\n{}\n", orbit.name(), row(n, every), row(n, turned))
            });
            let rows: String = rows.collect();
            check_text(&format!("{text}\nIgnore\n{rows}End\n"));
            parts += 1;
        }
    }
    assert!(whole >= 18 && parts >= 20, "{whole} {parts}");
}
