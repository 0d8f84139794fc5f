//! Certificates of small puzzles hold.

mod maker;

use fewest_check::{Checks, check};
use maker::samples;

fn holds(text: &str) -> String {
    check(text.into(), &Checks::default(), &mut |_| {}).unwrap_or_else(|why| panic!("{}", why.text))
}

#[test]
fn samples_hold() {
    for (name, maker) in samples::all() {
        let (cost, text) = maker.certificate();
        let claim =
            format!("holds: the plan solves the start, and no plan costs less than {cost}\n");
        assert!(holds(&text).contains(&claim), "{name}");
        assert_eq!(maker.game.true_distances()[&maker.start], cost, "{name}");
    }
}
