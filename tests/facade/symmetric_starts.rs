//! Starts with symmetries: the search keeps one plan of each class of symmetric plans, and finds
//! the optimal length.

use cube::{Cube, Cube3, CubeManhattan, CubeMetric};
use fsm::{Automaton, Keep, learn};
use search::stored::Layers;
use search::{
    Cost, Op, Options, Outcome, Reversible, TwoSided, TwoSidedPruning, ida_star, self_symmetries,
};

/// States with symmetries from every layer up to a depth, each with its distance and its optimal
/// plans.
fn symmetric(domain: &Cube3, reach: Cost) -> Vec<(Cube, Cost, Vec<Vec<Op>>)> {
    let options = Options::default();
    let mut layers = Layers::new(domain, &[Cube::SOLVED], &options);
    let mut found = Vec::new();
    for depth in 1..=reach {
        layers.advance().expect("memory");
        layers.for_each(usize::from(depth), |state| {
            let symmetries = self_symmetries(domain, state);
            if !symmetries.is_empty() {
                found.push((*state, depth, symmetries));
            }
        });
    }
    found
}

#[test]
fn symmetric_starts_have_their_lengths() {
    for (metric, depth, reach) in [(CubeMetric::HalfTurn, 2, 4), (CubeMetric::QuarterTurn, 3, 5)] {
        let domain = Cube3::new(metric);
        let learned = learn(&domain, depth, Keep::OneOptimal);
        let plain = Automaton::<u32>::new(&learned).expect("small").minimized();
        let back = Automaton::reversed(&learned, |op| domain.inverse_op(op)).expect("small");
        let heuristic = CubeManhattan::new(metric);
        let (mut states, mut all, mut first) = (0, 0, 0);
        for (start, length, symmetries) in symmetric(&domain, reach) {
            let front = plain.lex_leaders(&symmetries).expect("small");
            let lengths = [&plain, &front].map(|front| {
                let report = ida_star(&domain, &heuristic, front, &start, &Options::default());
                let Outcome::Solved(plans) = &report.outcome else { panic!("{report:?}") };
                (Cost::try_from(plans[0].len()).expect("short"), report.generated())
            });
            assert_eq!([lengths[0].0, lengths[1].0], [length; 2], "{start:?}");
            (states, all, first) = (states + 1, all + lengths[0].1, first + lengths[1].1);
            let both = TwoSided(domain);
            let pruning = TwoSidedPruning { front: &front, back: &back };
            let report =
                ida_star(&both, &search::Zero, &pruning, &both.state(&start), &Options::default());
            assert_eq!(report.lower_bound, length, "{start:?} from both ends");
        }
        assert!(states > 100 && first < all, "{states} states, {first} and {all} nodes");
    }
}
