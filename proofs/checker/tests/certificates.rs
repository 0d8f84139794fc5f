//! Certificates of small puzzles hold, and say what is true.

mod maker;

use fewest_check::{Checks, Objection, check};
use maker::{Maker, samples};

fn checked(text: &str, checks: &Checks) -> Result<String, Objection> {
    check(text.into(), checks)
}

fn holds(text: &str) -> String {
    checked(text, &Checks::default()).unwrap_or_else(|why| panic!("{}", why.text))
}

#[test]
fn samples_hold() {
    for (name, maker) in samples::all() {
        let weak = name == "weak board";
        let (cost, text) = if weak { samples::units().clone() } else { maker.certificate() };
        let claim =
            format!("holds: the plan solves the start, and no plan costs less than {cost}\n");
        assert!(holds(&text).contains(&claim), "{name}");
        assert_eq!(maker.game.true_distances()[&maker.start], cost, "{name}");
        // The same without a plan: then parity does not count.
        let plan = text.lines().find(|line| line.starts_with("plan ")).expect("a plan");
        let claim = text.replace(plan, &format!("least {cost}"));
        assert!(
            holds(&claim).contains(&format!("holds: no plan costs less than {cost}\n")),
            "{name}"
        );
    }
}

#[test]
fn the_heuristic_of_the_maker_is_admissible() {
    for (name, maker) in samples::all() {
        for (state, distance) in maker.game.true_distances() {
            let h = maker.h(&state).expect("a solvable state");
            assert!(h <= distance, "{name}: {state:?} {h} {distance}");
        }
    }
}

#[test]
fn drawn_units_are_the_same_for_a_seed() {
    let (_, text) = samples::units();
    let units = |units, seed| {
        let checks = Checks { units: Some(units), seed, ..Checks::default() };
        checked(text, &checks).unwrap()
    };
    assert!(units(100, 1).contains("units: 100 searched again, the others trusted"));
    assert_eq!(units(100, 1), units(100, 1));
    assert!(units(1 << 40, 1).contains("with probability 0"));
    assert!(units(0, 1).contains("with probability 1"));
    // A unit with a node less is found by some draws, and by all units together.
    let (number, line) = nth_unit(text, 5000);
    let wrong = text.replacen(&format!("\nunit {line}\n"), "\nunit 0 1 2\n", 1);
    assert!(wrong != *text && number >= 5000);
    let refused = |units, seed| {
        let checks = Checks { units, seed, ..Checks::default() };
        checked(&wrong, &checks).is_err()
    };
    assert!(refused(None, 0));
    assert_eq!((0..4).map(|seed| refused(Some(10), seed)).filter(|&found| found).count(), 0);
}

/// A unit with more than one node from some line on, and its line.
fn nth_unit(text: &str, from: usize) -> (usize, &str) {
    let units = text.lines().enumerate().skip(from);
    let units = units.filter_map(|(at, line)| Some((at, line.strip_prefix("unit ")?)));
    units.into_iter().find(|(_, counts)| !counts.contains(" 1 ")).expect("a large unit")
}

#[test]
fn a_bound_without_counts_is_searched_whole() {
    let mut maker = samples::symmetric_ring();
    maker.sums.truncate(1);
    let (cost, text) = maker.certificate();
    let plan = text.lines().find(|line| line.starts_with("plan ")).expect("a plan");
    let head = format!("{}{plan}\n", maker.head());
    let least = cost - 1;
    holds(&format!("{head}bound {least}\nend\n"));
    let why = checked(&format!("{head}bound 1\nend\n"), &Checks::default());
    assert!(why.unwrap_err().text.contains("is proven"));
    let why = checked(&format!("{head}bound {cost}\nend\n"), &Checks::default());
    assert!(why.unwrap_err().text.contains("a plan within the bound ends with"));
}

#[test]
fn a_solved_start_needs_no_bound() {
    let mut maker = samples::symmetric_ring();
    maker.start = maker.game.solved();
    let head = maker.head();
    holds(&format!("{head}plan 0\nend\n"));
    holds(&format!("{head}least 0\nend\n"));
    let refused = |rest: &str| checked(&format!("{head}{rest}\nend\n"), &Checks::default());
    assert!(refused("least 1").unwrap_err().text.contains("only 0 is proven"));
    assert!(refused("least 1\nbound 0").unwrap_err().text.contains("the start is a goal"));
}

/// An unsolvable start, which tables know: no cost is too high to claim.
#[test]
fn an_unsolvable_start_has_no_plan() {
    let mut maker: Maker = samples::symmetric_ring();
    maker.start[..3].rotate_left(1);
    assert!(maker.h(&maker.start).is_none());
    holds(&format!("{}least 1000\nend\n", maker.head()));
}
