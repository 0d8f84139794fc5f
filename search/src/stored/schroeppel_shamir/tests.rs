//! Compares the meet in the middle with breadth-first search on whole groups, and tests limits.

use super::*;
use crate::control::{CancelToken, Limits};
use crate::domain::{Domain, Group, Reversible};
use crate::plan::{self, Reference};
use crate::random::Random;
use crate::testing::{CostlyPancake, Pancake, check_permutation_group};

/// A permutation group with some generators and their inverses, on up to 16 points. An element is
/// the images of its points as nibbles.
#[derive(Debug)]
struct Generated {
    points: usize,
    /// Operator `2 i + 1` undoes operator `2 i`.
    generators: Vec<u64>,
    /// Adds this to the number of points that the search sees: they are never moved.
    more: usize,
}

fn nibbles(images: impl DoubleEndedIterator<Item = u64>) -> u64 {
    images.rev().fold(0, |element, image| element << 4 | image)
}

fn at(element: u64, point: u64) -> u64 {
    element >> (4 * point) & 15
}

impl Generated {
    fn new(points: usize, generators: &[&[u64]]) -> Self {
        let mut group = Self { points, generators: Vec::new(), more: 0 };
        for generator in generators {
            let (generator, mut inverse) = (nibbles(generator.iter().copied()), 0);
            group.invert(&generator, &mut inverse);
            group.generators.extend([generator, inverse]);
        }
        group
    }

    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let points = 5 + random.index(3);
        let generators: Vec<Vec<u64>> = (0..2 + random.index(2))
            .map(|_| {
                let mut generator: Vec<u64> = (0..points as u64).collect();
                random.shuffle(&mut generator);
                generator
            })
            .collect();
        Self::new(points, &generators.iter().map(|images| &images[..]).collect::<Vec<_>>())
    }
}

impl Domain for Generated {
    type State = u64;
    type Ops = u8;
    fn operators(&self) -> usize {
        self.generators.len()
    }
    fn applicable(&self, _: &u64) -> u8 {
        u8::first(self.generators.len())
    }
    fn apply_into(&self, from: &u64, op: Op, to: &mut u64) {
        self.compose(from, &self.generators[op.index()], to);
    }
    fn is_goal(&self, state: &u64) -> bool {
        *state == self.identity()
    }
}

impl Reversible for Generated {
    fn inverse_op(&self, op: Op) -> Op {
        Op(op.0 ^ 1)
    }
}

impl Group for Generated {
    fn identity(&self) -> u64 {
        nibbles(0..self.points as u64)
    }
    fn compose(&self, a: &u64, b: &u64, out: &mut u64) {
        *out = nibbles((0..self.points as u64).map(|point| at(*a, at(*b, point))));
    }
    fn invert(&self, a: &u64, out: &mut u64) {
        let of = |image| (0..self.points as u64).find(|&point| at(*a, point) == image).unwrap();
        *out = nibbles((0..self.points as u64).map(of));
    }
}

impl PermutationGroup for Generated {
    fn points(&self) -> usize {
        self.points + self.more
    }
    fn image(&self, element: &u64, point: usize) -> usize {
        if point < self.points {
            usize::try_from(at(*element, point as u64)).unwrap()
        } else {
            point
        }
    }
}

impl Packed for Generated {
    type Key = u64;
    crate::state_is_key! {}
}

/// Replays plans: the images as a list.
impl Reference for Generated {
    type State = Vec<usize>;
    fn successor(&self, state: &Vec<usize>, op: Op) -> Option<Vec<usize>> {
        let generator = self.generators.get(op.index())?;
        let image = |point| state[usize::try_from(at(*generator, point)).unwrap()];
        Some((0..self.points as u64).map(image).collect())
    }
    fn is_solved(&self, state: &Vec<usize>) -> bool {
        state.is_sorted()
    }
}

fn list(group: &Generated, element: u64) -> Vec<usize> {
    (0..group.points).map(|point| group.image(&element, point)).collect()
}

/// Compares the depth of every element with its layer in a breadth-first search.
fn compare_all(group: &Generated) -> u64 {
    let options = Options::default();
    let mut layers = Layers::new(group, &[group.identity()], &options);
    while layers.advance().unwrap() > 0 {}
    for layer in 0..layers.sizes().len() {
        layers.for_each(layer, |start| {
            let report = schroeppel_shamir(group, start, &options);
            let plan = report.plan().unwrap();
            plan::validate(group, &list(group, *start), plan).unwrap();
            assert_eq!((plan.len(), usize::from(report.lower_bound)), (layer, layer), "{start:x}");
            assert!(report.optimal && report.complete);
        });
    }
    layers.sizes().iter().sum()
}

#[test]
fn every_distance_in_random_groups_is_that_of_breadth_first_search() {
    let mut elements = 0;
    for seed in 0..10 {
        let group = Generated::random(seed);
        check_permutation_group(&group, &[group.identity()]).unwrap();
        elements += compare_all(&group);
    }
    assert!(elements > 3_000, "{elements}");
}

/// With more than 256 points, images take two bytes.
#[test]
fn points_that_never_move_change_nothing() {
    let group = Generated { more: 300, ..Generated::random(3) };
    check_permutation_group(&group, &[group.identity()]).unwrap();
    assert!(compare_all(&group) > 100);
}

/// A long cycle: plans of up to 7 operators with only two operators, so layers stay small.
#[test]
fn a_cyclic_group_is_met_at_every_depth() {
    let turn: Vec<u64> = (0..15).map(|point| (point + 1) % 15).collect();
    assert_eq!(compare_all(&Generated::new(15, &[&turn])), 15);
}

#[test]
fn every_stack_of_pancakes_is_sorted_in_the_fewest_flips() {
    let (domain, options) = (Pancake::new(6), Options::default());
    let goal = domain.identity();
    check_permutation_group(&domain, &[goal]).unwrap();
    let mut layers = Layers::new(&domain, &[goal], &options);
    while layers.advance().unwrap() > 0 {}
    for layer in 0..layers.sizes().len() {
        layers.for_each(layer, |start| {
            let report = schroeppel_shamir(&domain, start, &options);
            assert_eq!(report.plan().map(|plan| plan.len()), Some(layer));
        });
    }
}

#[test]
fn an_element_outside_the_group_has_no_plan() {
    // Both generators are even.
    let group = Generated::new(5, &[&[1, 2, 0, 3, 4], &[0, 1, 3, 4, 2]]);
    let report =
        schroeppel_shamir(&group, &nibbles([1, 0, 2, 3, 4].into_iter()), &Options::default());
    assert_eq!(report.outcome, Outcome::Unsolvable);
    assert!(report.complete);
}

#[test]
#[should_panic(expected = "costs more than 1")]
fn costs_are_refused() {
    let cost = |op: Op| 1 + u8::from(op.0 == 3);
    let domain = CostlyPancake { pancake: Pancake::new(6), cost };
    let _ = schroeppel_shamir(&domain, &domain.identity(), &Options::default());
}

#[test]
fn limits_leave_the_proven_depth_and_little_memory() {
    let domain = Pancake::new(12);
    let start = domain.state(&[4, 9, 0, 7, 2, 11, 8, 1, 5, 10, 3, 6]);
    let run = |limits: Limits| {
        let report = schroeppel_shamir(&domain, &start, &Options { limits, ..Options::default() });
        (report.outcome.clone(), report.lower_bound, report)
    };
    let (_, least, whole) = run(Limits::default());
    assert!(whole.optimal && whole.complete);
    let mut bounds = Vec::new();
    for nodes in [0, 10_000, 1_000_000] {
        let (outcome, bound, _) = run(Limits { nodes: Some(nodes), ..Limits::default() });
        assert_eq!(outcome, Outcome::LimitReached(Limit::Nodes));
        bounds.push(bound);
    }
    assert!(bounds[0] == 1 && bounds.is_sorted() && bounds[2] <= least, "{bounds:?}");
    let (outcome, bound, _) = run(Limits { bound: Some(5), ..Limits::default() });
    assert_eq!((outcome, bound), (Outcome::LimitReached(Limit::Bound), 6));
    let time = Some(std::time::Duration::ZERO);
    assert_eq!(run(Limits { time, ..Limits::default() }).0, Outcome::LimitReached(Limit::Time));
    // The stacks within a quarter of the depth take few bytes.
    let (outcome, ..) = run(Limits { bytes: Some(1 << 16), ..Limits::default() });
    assert_eq!(outcome, Outcome::LimitReached(Limit::Bytes));
    let (_, bound, few) = run(Limits { bytes: Some(8 << 20), ..Limits::default() });
    assert_eq!((bound, few.outcome), (least, whole.outcome));
    let cancel = CancelToken::cancelled();
    let report = schroeppel_shamir(&domain, &start, &Options { cancel, ..Options::default() });
    assert_eq!(report.outcome, Outcome::Cancelled);
}
