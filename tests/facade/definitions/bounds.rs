//! No bound is above an optimum, and no plan below it, by a slow search of all states.

use super::oracle::Oracle;
use super::{puzzle, whole_distributions};
use fewest::{Aim, Puzzle, Request, Settings, configure};
use permutation::MoveMetric;
use search::Limits;
use std::fs;

/// A ring of coins with two sides that turns, and two neighbours that are exchanged, one of them
/// turned over.
const COINS: &str = "Set COINS 6 2\nSolved\nCOINS\n1 2 3 4 5 6\nEnd\n\
    Move R\nCOINS\n6 1 2 3 4 5\n0 0 1 0 0 1\nEnd\nMove S\nCOINS\n2 1 3 4 5 6\n1 0 0 0 0 0\nEnd\n";

/// Definitions with costs, pieces that look alike, ignored pieces, several goals, and rules.
fn made_up() -> Vec<String> {
    let alike = COINS.replace("1 2 3 4 5 6\nEnd\nMove R", "1 1 2 2 3 3\nEnd\nMove R");
    let flat = COINS.replace("1 2 3 4 5 6\nEnd\nMove R", "1 1 1 2 3 3\n? ? ? 1 0 0\nEnd\nMove R");
    let turned = alike.replace("3 3\nEnd\nMove R", "3 3\n0 1 0 0 1 1\nEnd\nMove R");
    let costs = "MoveCost R 2\nMoveCost S 3\n";
    let ignore = "Ignore\nCOINS\n0 0 0 1 1 1\n0 0 1 1 1 0\nEnd\n";
    let goal = "Goal\nCOINS\n2 1 3 4 5 6\n0 0 0 0 1 1\nEnd\n";
    let rules = "ForbiddenPairs\nR S\nEnd\nMoveLimits\nS 4\nEnd\n";
    let illegal = "Illegal COINS 1 3 4\n";
    let block = "Block\nCOINS\n3 4\nEnd\n";
    let mut all = vec![COINS.to_owned(), alike.clone(), flat.clone(), turned];
    all.extend([costs, ignore, goal, illegal, block].map(|more| format!("{COINS}{more}")));
    all.extend([costs, ignore].map(|more| format!("{alike}{more}")));
    all.push(format!("{COINS}{ignore}{costs}"));
    // The slow search has one search for each state under rules.
    let few = "Set COINS 4 2\nSolved\nEnd\nMove R\nCOINS\n4 1 2 3\n0 0 1 0\nEnd\n\
        Move S\nCOINS\n2 1 3 4\n1 0 0 0\nEnd\n";
    all.push(format!("{few}{rules}"));
    all
}

/// Solves every `step`-th state three times: without a proof, with few nodes, and with all.
/// Returns the states and how many had a plan without a proof.
fn check(puzzle: &dyn Puzzle, oracle: &Oracle, most: usize, name: &str) -> (usize, usize) {
    let (costs, mut found, mut count) = (oracle.costs(), 0, 0);
    let step = oracle.states.len().div_ceil(most);
    for state in (0..oracle.states.len()).step_by(step) {
        let Some(optimum) = costs[state] else { continue };
        let text = oracle.definition.compact(&oracle.states[state]).expect("a state");
        let solve = |aim, nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let request = Request::default().aim(aim).limits(limits);
            let text = format!("CPOS {text}");
            puzzle.solve(&text, &request).unwrap_or_else(|error| panic!("{name}: {text}: {error}"))
        };
        for (aim, nodes) in [(Aim::NearOptimal, 5_000), (Aim::Optimal, 30), (Aim::Optimal, 1 << 30)]
        {
            let answer = solve(aim, nodes);
            assert!(u64::from(answer.lower_bound) <= optimum, "{name}: {text}: {answer:?}");
            assert!(answer.upper_bound.is_none_or(|cost| cost >= optimum), "{name}: {text}");
            for plan in &answer.plans {
                let cost = oracle.replay(state, plan).expect("a plan");
                assert_eq!(answer.upper_bound, Some(cost), "{name}: {text}");
                assert!(!answer.optimal || cost == optimum, "{name}: {text}");
            }
            let is_near = aim == Aim::NearOptimal;
            found += usize::from(is_near && !answer.plans.is_empty());
            assert!(nodes < 1 << 30 || answer.optimal, "{name}: {text}");
        }
        count += 1;
    }
    (count, found)
}

fn check_all(most_states: u64, most: usize) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings::default().tables(folder.path().join("tables"));
    let mut all = 0;
    for (number, text) in made_up().iter().enumerate() {
        let path = folder.path().join(format!("small{number}.tws"));
        fs::write(&path, text).expect("a file");
        let puzzle = configure(path.to_str().expect("a path"), &settings).expect(text);
        let (count, found) = check(&*puzzle, &Oracle::new(text, MoveMetric::Turn), most, text);
        assert_eq!(found, count, "{text}");
        all += count;
    }
    for whole in whole_distributions(0..=most_states) {
        let (puzzle, file) = (puzzle(&whole.file, &whole.metric, 1 << 26), &whole.file);
        let (count, found) = check(&*puzzle, &whole.oracle(), most, file);
        assert_eq!(found, count, "{file}");
        all += count;
    }
    all
}

#[test]
fn bounds_and_plans_of_small_puzzles_are_right() {
    assert!(check_all(800, 10) > 150);
}

#[test]
#[ignore = "slow: 1,000 states of each puzzle, 30 min"]
fn bounds_and_plans_of_puzzles_to_a_million_states_are_right() {
    assert!(check_all(1_000_000, 1_000) > 10_000);
}
