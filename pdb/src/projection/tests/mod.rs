//! Projections of toy domains against exhaustive search and against hand-written abstractions.

mod files;
mod great;
mod toys;

use super::*;
use crate::builder::{BuildObserver, build};
use crate::file::{Checkpoint, TableStore};
use crate::testing::{DiscPattern, Ring, check_projection};
use crate::{Abstraction, Indexer};
use search::testing::{Distances, PairedPebbles, Pancake, Pebbles, Way, check_heuristic};
use search::{Additive, CancelToken, Heuristic, Max, NoPruning, Options, Zero, ida_star};
use toys::{Counters, Line, each_step, keep, least_charges, reached};

const NO_OPTIONS: BuildOptions<'static> =
    BuildOptions { cancel: None, observer: None, checkpoint: None, team: None };

/// The image of a stack of `size` pancakes: all others become number 15.
fn pancakes(size: usize, kept: std::ops::Range<usize>) -> impl Fn(&u64) -> u64 + Clone + Sync {
    move |&state| {
        let others = (0..size).filter(|&place| !kept.contains(&Pancake::pancake(state, place)));
        others.fold(state, |image, place| image | 15 << (4 * place))
    }
}

/// Six places in two rows. Ways cost 1 to 3, and most cost more back than there.
fn rows() -> (PairedPebbles, [u64; 1]) {
    let ways = [
        (0, 1, 1, 2),
        (1, 2, 1, 1),
        (3, 4, 3, 1),
        (4, 5, 2, 2),
        (0, 3, 1, 3),
        (2, 5, 1, 2),
        (1, 4, 2, 1),
    ];
    let domain = PairedPebbles::new(6, &ways);
    let goal = domain.pebbles().goal();
    (domain, [goal])
}

#[test]
fn a_table_equals_that_of_the_pattern_entry_by_entry() {
    let (ring, discs) = (Ring::new(8, 2, 5), 3);
    let image = |state: &[u8; 12]| {
        let mut image = *state;
        let forgotten = image[..8].iter_mut().filter(|byte| usize::from(**byte % 16) >= discs);
        forgotten.for_each(|byte| *byte = 15);
        image
    };
    let goals = [ring.sorted()];
    let projection = Projection::new(&ring, image);
    check_projection(&projection, &goals, &goals, 20_000).expect("lawful");
    let images = reached(image(&goals[0]), |state, found| {
        each_step(&ring, state, |_, to| found(image(&to)));
    });
    let database = projection.backward(&goals, &NO_OPTIONS).expect("built");
    let pattern = DiscPattern::new(ring, discs);
    let table = build::<4>(&pattern, &NO_OPTIONS).expect("built");
    assert_eq!(images.len() as u64, pattern.rows() * pattern.columns() as u64);
    for image in &images {
        let entry = pattern.entry(pattern.index(&ring, image));
        assert_eq!(database.get(image), Some(table.get(entry).into()), "{image:?}");
    }
    assert_eq!(database.histogram(), table.histogram());
}

#[test]
fn distances_are_exact_and_searches_find_the_same_costs() {
    let (domain, goals) = (Pancake::new(7), [0x7654_3210]);
    let (small, large) = (pancakes(7, 0..4), pancakes(7, 3..7));
    let backward = Projection::new(&domain, small.clone()).backward(&goals, &NO_OPTIONS);
    let (backward, other) = (
        backward.expect("built"),
        Projection::new(&domain, large).backward(&goals, &NO_OPTIONS).expect("built"),
    );
    let forward = Projection::new(&domain, small.clone()).forward(&goals, &goals, &NO_OPTIONS);
    let forward = forward.expect("built");
    let least = least_charges(&domain, goals[0], &small, |_, _| 1);
    assert_eq!((least.len(), backward.histogram().entries), (840, 840));
    for (image, &least) in &least {
        assert_eq!(
            (backward.get(image).map(u32::from), backward.get(image)),
            (Some(least), forward.get(image))
        );
    }
    let distances = Distances::from_goals(&domain, &goals, 20);
    assert_eq!(distances.len(), 5040);
    let both = Max(&backward, &other);
    check_heuristic(&domain, &backward, &distances).expect("lawful");
    check_heuristic(&domain, &both, &distances).expect("lawful");
    let start = domain.state(&[3, 1, 6, 4, 0, 5, 2]);
    let blind = ida_star(&domain, &Zero, &NoPruning, &start, &Options::default());
    let alone = ida_star(&domain, &backward, &NoPruning, &start, &Options::default());
    let report = ida_star(&domain, &both, &NoPruning, &start, &Options::default());
    assert_eq!((blind.lower_bound, report.lower_bound), (alone.lower_bound, alone.lower_bound));
    assert!(report.generated() < alone.generated() && alone.generated() < blind.generated());
}

#[test]
fn unequal_costs_and_both_directions_agree_with_exhaustive_search() {
    let (domain, goals) = rows();
    let image = keep(6, 1..3);
    let projection = Projection::new(&domain, image.clone());
    check_projection(&projection, &goals, &goals, 1000).expect("lawful");
    let backward = projection.backward(&goals, &NO_OPTIONS).expect("built");
    let forward = projection.forward(&goals, &goals, &NO_OPTIONS).expect("built");
    let least = least_charges(&domain, goals[0], &image, |_, op| u32::from(domain.cost(op)));
    assert_eq!((least.len(), backward.histogram().entries), (120, 120));
    assert_eq!(backward.histogram(), forward.histogram());
    for (image, &least) in &least {
        assert_eq!(
            (backward.get(image).map(u32::from), backward.get(image)),
            (Some(least), forward.get(image))
        );
    }
    let distances = Distances::from_goals(&domain, &goals, 60);
    check_heuristic(&domain, &backward, &distances).expect("lawful");
}

#[test]
fn charged_features_add_up() {
    let (domain, goals) = rows();
    let member = |kept: std::ops::Range<u64>| {
        let (first, end) = (usize::try_from(kept.start), usize::try_from(kept.end));
        let features = first.expect("few")..end.expect("few");
        let projection = Projection::new(&domain, keep(6, kept)).charging(features.clone());
        check_projection(&projection, &goals, &goals, 1000).expect("lawful");
        let forward = projection.forward(&goals, &goals, &NO_OPTIONS).expect("built");
        let backward = projection.backward(&goals, &NO_OPTIONS).expect("built");
        let charge = |state: &u64, op| {
            let moved = domain.mover(state, op);
            if features.contains(&moved) { u32::from(domain.cost(op)) } else { 0 }
        };
        let least = least_charges(&domain, goals[0], |state| projection.image(state), charge);
        assert_eq!(backward.histogram(), forward.histogram());
        for (image, &least) in &least {
            let found = [backward.get(image), forward.get(image)];
            assert_eq!(found.map(|h| h.map(u32::from)), [Some(least); 2], "{image:x}");
        }
        backward
    };
    let (low, high) = (member(0..2), member(2..5));
    let distances = Distances::from_goals(&domain, &goals, 60);
    let sum = Additive::new(&domain, vec![low.clone(), high.clone()]).expect("disjoint");
    check_heuristic(&domain, &sum, &distances).expect("lawful");
    let start = domain.pebbles().state(&[4, 3, 2, 1, 0, 15]);
    let bounds = (low.estimate(&domain, &start), high.estimate(&domain, &start));
    assert!(bounds.0 > 0 && bounds.1 > 0);
    assert_eq!(sum.estimate(&domain, &start), bounds.0 + bounds.1);
    let overlap = Additive::new(&domain, vec![low, member(1..4)]).expect_err("overlap");
    assert_eq!(overlap.feature, 1);
}

#[test]
fn an_operator_that_changes_no_image_need_not_apply_to_it() {
    let projection = Projection::new(&Counters, |state: &[u8; 2]| [state[0], 0]);
    let (starts, goals) = ([[7, 9]], [[0, 0]]);
    check_projection(&projection, &goals, &starts, 1000).expect("lawful");
    let database = projection.forward(&starts, &goals, &NO_OPTIONS).expect("built");
    for first in 0..=7 {
        assert_eq!(database.estimate(&Counters, &[first, 5]), first);
    }
    // No start leads there, so nothing is known of it.
    assert_eq!(database.estimate(&Counters, &[8, 0]), 0);
}

/// A search from a dead end proves at once that there is no plan.
fn assert_dead<D: Domain>(domain: &D, heuristic: &impl Heuristic<D>, state: &D::State) {
    assert_eq!(heuristic.estimate(domain, state), Cost::MAX);
    let report = ida_star(domain, heuristic, &NoPruning, state, &Options::default());
    assert_eq!(report.outcome, search::Outcome::Unsolvable);
    assert!(report.generated() <= 2, "{report:?}");
}

#[test]
fn images_that_reach_no_goal_are_dead_ends() {
    // A pebble that leaves the first place never returns.
    let ways = [(2, 1), (0, 1)].map(|(from, to)| Way { from, to, cost: 1 });
    let domain = Pebbles::new(3, &ways);
    let (start, lost) = (domain.state(&[0, 15, 1]), domain.state(&[15, 0, 1]));
    let projection = Projection::new(&domain, keep(3, 0..1));
    let forward = projection.forward(&[start], &[domain.goal()], &NO_OPTIONS).expect("built");
    assert_eq!(forward.estimate(&domain, &start), 1);
    assert_eq!(forward.histogram().counts, [1, 1]);
    assert_eq!((forward.histogram().unreached, forward.histogram().entries), (1, 3));
    assert_dead(&domain, &forward, &lost);
    // Pebbles in a row cannot pass each other.
    let row = PairedPebbles::new(3, &[(0, 1, 1, 1), (1, 2, 1, 1)]);
    let projection = Projection::new(&row, keep(3, 0..1));
    let backward = projection.backward(&[row.pebbles().goal()], &NO_OPTIONS).expect("built");
    assert_eq!((backward.histogram().counts, backward.histogram().unreached), (vec![1, 1, 1], 0));
    assert_dead(&row, &backward, &row.pebbles().state(&[1, 0, 15]));
}

/// Cancels a build after a layer.
struct CancelAfter(Cost, CancelToken);

impl BuildObserver for CancelAfter {
    fn layer(&self, depth: Cost, entries: u64, seen: u64, total: u64) {
        assert!(depth <= self.0 && entries <= seen && seen <= total);
        if depth == self.0 {
            self.1.cancel();
        }
    }
}

#[test]
fn limits_and_cancellation_end_both_builds() {
    let (domain, goals) = (Pancake::new(7), [0x7654_3210]);
    let cancel = CancelToken::default();
    let observer = CancelAfter(3, cancel.clone());
    let cancelled = BuildOptions { cancel: Some(&cancel), observer: Some(&observer), ..NO_OPTIONS };
    let both = |limit, goals: &[u64], options: &BuildOptions<'_>| {
        let projection = Projection::new(&domain, pancakes(7, 0..4)).limit(limit);
        [projection.backward(goals, options), projection.forward(goals, goals, options)]
    };
    assert!(both(840, &goals, &NO_OPTIONS).iter().all(Result::is_ok));
    for failed in both(839, &goals, &NO_OPTIONS) {
        assert!(matches!(failed, Err(BuildError::TooManyImages { limit: 839 })), "{failed:?}");
    }
    for failed in both(840, &[], &NO_OPTIONS) {
        assert!(matches!(failed, Err(BuildError::NoGoal)), "{failed:?}");
    }
    let checkpoint = Checkpoint {
        store: TableStore::new(std::path::Path::new("nowhere")),
        name: String::new(),
        description: serde_json::Value::Null,
        every: std::time::Duration::ZERO,
    };
    for failed in both(840, &goals, &BuildOptions { checkpoint: Some(&checkpoint), ..NO_OPTIONS }) {
        assert!(matches!(failed, Err(BuildError::Refused(_))), "{failed:?}");
    }
    // The first build is cancelled after its layer, the second before it begins.
    for failed in both(840, &goals, &cancelled) {
        assert!(matches!(failed, Err(BuildError::Cancelled)), "{failed:?}");
    }
}

#[test]
fn the_law_finds_what_is_no_projection() {
    let (stack, sorted) = (Pancake::new(5), [0x54_3210]);
    let of_stack = |image: fn(&u64) -> u64| {
        check_projection(&Projection::new(&stack, image), &sorted, &sorted, 200)
    };
    assert_eq!(of_stack(|state| *state), Ok(()));
    // Which pancakes lie on top says nothing of those below.
    let error = of_stack(|state| state & 0xff).expect_err("no homomorphism");
    let named = [sorted[0], 0x10].iter().all(|state| error.contains(&format!(" {state:?}")));
    assert!(named && error.contains("operator 1 leads from"), "{error}");

    let (domain, goals) = rows();
    let start = [domain.pebbles().state(&[0, 1, 2, 3, 15, 4])];
    // The free place of the image is the last one, whatever that of the state.
    let moved = Projection::new(&domain, |state: &u64| {
        (0..6)
            .filter(|place| state >> (4 * place) & 15 != 15)
            .fold(0xff_ffff, |image, place| image << 4 | state >> (4 * place) & 15)
            & 0xff_ffff
    });
    let error = check_projection(&moved, &goals, &start, 100).expect_err("not applicable");
    assert!(error.contains("does not apply to the image"), "{error}");
    // The forgotten pebbles become pebble 1, which is charged.
    let charged = Projection::new(&domain, |state: &u64| {
        let kept = keep(6, 0..1)(state);
        (0..6).fold(0, |image, place| {
            let pebble = kept >> (4 * place) & 15;
            image | (if pebble == 14 { 1 } else { pebble }) << (4 * place)
        })
    });
    let lawful = check_projection(&charged, &goals, &goals, 1000);
    assert_eq!(lawful, Ok(()));
    let error = check_projection(&charged.charging([0, 1]), &goals, &goals, 1000);
    assert!(error.expect_err("charged").contains("for 0, but from the image"));
    let projection = Projection::new(&domain, keep(6, 0..2));
    let error = check_projection(&projection, &start, &goals, 100).expect_err("another goal");
    assert!(error.contains("which is no goal"), "{error}");
}
