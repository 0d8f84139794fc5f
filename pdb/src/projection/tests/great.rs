//! Distances above 254, in 16 bits.

use super::*;
use crate::testing::check_projected_database;

/// The database of all places, by both builds.
fn both(line: Line) -> [Result<Database, BuildError>; 2] {
    let projection = Projection::new(&line, same as fn(&u32) -> u32);
    let backward = (!line.pit).then(|| projection.backward(&[0], &NO_OPTIONS));
    let forward = || projection.forward(&[line.places - 1], &[0], &NO_OPTIONS);
    [backward.unwrap_or_else(forward), forward()]
}

type Database = ProjectedDatabase<u32, fn(&u32) -> u32>;

fn same(place: &u32) -> u32 {
    *place
}

#[test]
fn an_entry_has_as_many_bits_as_the_greatest_distance_needs() {
    for (places, cost, bits) in
        [(255, 1, 8), (256, 1, 16), (2, 250, 8), (3, 127, 8), (3, 128, 16), (200, 250, 16)]
    {
        for database in both(Line { places, cost, pit: false }) {
            let database = database.expect("built");
            assert_eq!(database.bits(), bits, "{places} places, {cost} a step");
            for place in 0..places {
                let distance = u32::from(database.get(&place).expect("reaches the goal"));
                assert_eq!(distance, place * u32::from(cost));
            }
            let histogram = database.histogram();
            assert_eq!((histogram.entries, histogram.unreached), (places.into(), 0));
            assert_eq!(u32::from(histogram.max()), (places - 1) * u32::from(cost));
        }
    }
}

#[test]
fn as_a_heuristic_a_great_distance_is_no_dead_end() {
    let line = Line { places: 100, cost: 100, pit: true };
    for database in both(line) {
        let database = database.expect("built");
        let projection = Projection::new(&line, same as fn(&u32) -> u32);
        check_projected_database(&projection, &database, &[0]).expect("exact");
        assert_eq!((database.bits(), database.get(&99)), (16, Some(9900)));
        let estimates = [0, 1, 2, 3, 99].map(|place| database.estimate(&line, &place));
        assert_eq!(estimates, [0, 100, 200, 254, 254]);
        assert_eq!((database.get(&100), database.distance(&100)), (None, None));
        assert_eq!(database.histogram().unreached, 1);
        assert_dead(&line, &database, &100);
        // The search of a domain finds no plan above 250, and says so.
        let report = ida_star(&line, &database, &NoPruning, &3, &Options::default());
        assert_eq!(report.outcome, search::Outcome::LimitReached(search::Limit::Bound));
        assert!((254..=255).contains(&report.lower_bound));
    }
}

#[test]
fn distances_above_65_534_are_refused() {
    for built in both(Line { places: 263, cost: 250, pit: false }) {
        assert_eq!(built.expect("built").get(&262), Some(65_500));
    }
    for failed in both(Line { places: 264, cost: 250, pit: false }) {
        let error = failed.expect_err("too deep");
        assert!(matches!(error, BuildError::TooDeep { depth: 65_750, bits: 16 }), "{error}");
        let text = "an entry has the distance 65750; 16 bits hold distances up to 65534";
        assert_eq!(error.to_string(), text);
    }
}
