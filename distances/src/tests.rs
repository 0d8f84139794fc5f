//! Compares learned distances with a slow oracle, and the heuristic with true distances.

use super::graph::MoveGraph;
use super::zero_one::Workspace;
use super::*;
use search::random::Random;
use search::testing::{Distances, Pebbles, Way, check_heuristic, check_placed};
use search::{CancelToken, Contexts, Cost, Domain, Heuristic, Op, OpSet, Partitioned, Placed};
use std::collections::HashMap;

/// Four domains of pebbles:
/// - two rows of three places, where every step costs 1;
/// - two rows of three places, where a step from row to row costs 3;
/// - a graph with one-way edges;
/// - a ring with a chord.
fn toys() -> Vec<Pebbles> {
    let ways = |list: &[(usize, usize, u8)]| -> Vec<Way> {
        list.iter().map(|&(from, to, cost)| Way { from, to, cost }).collect()
    };
    let one_way = [
        (0, 1, 1),
        (1, 2, 1),
        (2, 3, 2),
        (3, 4, 1),
        (4, 0, 3),
        (2, 0, 1),
        (5, 4, 1),
        (4, 5, 1),
        (1, 3, 2),
        (3, 1, 1),
    ];
    // The way from 0 to 1 occurs twice, at two costs.
    let chord = [
        (0, 1, 2),
        (0, 1, 1),
        (1, 0, 1),
        (1, 2, 1),
        (2, 1, 1),
        (2, 3, 1),
        (3, 2, 1),
        (3, 4, 1),
        (4, 3, 1),
        (4, 0, 1),
        (0, 4, 1),
        (4, 2, 2),
        (2, 4, 2),
    ];
    vec![
        Pebbles::ladder(2, 1),
        Pebbles::ladder(2, 3),
        Pebbles::new(6, &ways(&one_way)),
        Pebbles::new(5, &ways(&chord)),
    ]
}

/// The oracle: the least cost for each placement of the features. It relaxes all moves between
/// whole states until nothing changes. Moves of other features are free.
///
/// It uses real states, so it may know fewer ways than the small search, which does not distinguish
/// the other features. On these domains both agree.
fn slow(domain: &Pebbles, features: &[usize]) -> HashMap<Vec<u8>, u8> {
    let places = |state: u64| -> Vec<u8> {
        features.iter().map(|&f| u8::try_from(domain.place(&state, f).unwrap()).unwrap()).collect()
    };
    // All states, reachable or not: the pebbles in every order.
    let mut states = vec![Vec::new()];
    for _ in 0..domain.places() {
        states = states
            .into_iter()
            .flat_map(|state: Vec<u64>| {
                let pebbles = (0..domain.features() as u64).chain([15]);
                let left: Vec<u64> = pebbles.filter(|pebble| !state.contains(pebble)).collect();
                left.into_iter().map(move |pebble| [&state[..], &[pebble]].concat())
            })
            .collect();
    }
    let mut known = HashMap::from([((places(domain.goal()), domain.places() - 1), 0_u8)]);
    let mut changed = true;
    while changed {
        changed = false;
        for state in states.iter().map(|state| domain.state(state)) {
            let free =
                |state: &u64| (0..domain.places()).find(|&p| domain.feature_at(state, p).is_none());
            for op in domain.applicable(&state).members() {
                let mut to = 0;
                domain.apply_into(&state, op, &mut to);
                let Some(&rest) = known.get(&(places(to), free(&to).unwrap())) else { continue };
                let charged = features.contains(&domain.mover(&state, op));
                let total = rest + if charged { domain.cost(op) } else { 0 };
                let entry = known.entry((places(state), free(&state).unwrap())).or_insert(255);
                changed |= total < *entry;
                *entry = total.min(*entry);
            }
        }
    }
    let mut least = HashMap::new();
    for ((places, _), cost) in known {
        let entry = least.entry(places).or_insert(cost);
        *entry = cost.min(*entry);
    }
    least
}

#[test]
fn distances_are_those_of_the_slow_oracle() {
    for (number, domain) in toys().into_iter().enumerate() {
        check_placed(&domain, &[domain.goal()]).unwrap();
        let graph = MoveGraph::new(&domain).unwrap();
        let mut workspace = Workspace::new();
        let goal: Vec<u8> = (0..15).take(domain.features()).collect();
        let context = u16::try_from(domain.places() - 1).unwrap();
        for features in [&[0_u8][..], &[2], &[0, 1], &[3, 1], &[0, 2, 3], &[1, 2, 3]] {
            let at: Vec<u8> = features.iter().map(|&f| goal[usize::from(f)]).collect();
            workspace.search(&graph, &[(&at, context)]);
            let all: Vec<usize> = features.iter().map(|&f| f.into()).collect();
            let slow = slow(&domain, &all);
            assert!(slow.len() > 3);
            for (index, &least) in workspace.least.iter().enumerate() {
                let mut rest = index;
                let mut places = vec![0; features.len()];
                for place in places.iter_mut().rev() {
                    *place = u8::try_from(rest % domain.places()).unwrap();
                    rest /= domain.places();
                }
                let expected = slow.get(&places).copied().unwrap_or(NONE);
                assert_eq!(least, expected, "toy {number}: {features:?} at {places:?}");
            }
        }
    }
}

#[test]
fn learned_heuristics_keep_the_laws() {
    for domain in toys() {
        let goals = [domain.goal()];
        // On a graph with one-way edges, only states on round trips from the goal count.
        let near = Distances::from_starts(&domain, &goals, 60);
        let singles = LearnedDistances::singles(&domain, &goals).unwrap();
        let pairs = LearnedDistances::pairs(&domain, &goals, None).unwrap();
        let triples = LearnedDistances::triples(&domain, &goals, None).unwrap();
        check_heuristic(&domain, &singles, &near).unwrap();
        check_heuristic(&domain, &pairs, &near).unwrap();
        check_heuristic(&domain, &triples, &near).unwrap();
        assert_eq!(singles.excesses().len(), 0);
        near.try_for_each(|state, _, _| {
            let [one, two, three] =
                [&singles, &pairs, &triples].map(|h| h.estimate(&domain, state));
            assert!(one <= two && two <= three, "{state:x}: {one} {two} {three}");
            Ok::<(), DistancesError>(())
        })
        .unwrap();
    }
}

/// On a long random walk, the inherited bound equals the bound computed from scratch, whether or
/// not the bounds of the states before were computed.
#[test]
fn an_inherited_bound_is_that_from_scratch() {
    let domain = Pebbles::ladder(6, 1);
    let heuristic = LearnedDistances::triples(&domain, &[domain.goal()], None).unwrap();
    assert!(heuristic.excesses().len() > 100);
    let singles = LearnedDistances::singles(&domain, &[domain.goal()]).unwrap();
    let mut state = domain.goal();
    let mut carry = heuristic.root(&domain, &state);
    let mut random = Random::new(1);
    let mut positive = 0;
    for step in 0..20_000 {
        let ops: Vec<Op> = domain.applicable(&state).members().collect();
        let op = ops[random.index(ops.len())];
        let from = state;
        domain.apply_into(&from, op, &mut state);
        carry = heuristic.child(&domain, &from, &carry, op, &state);
        if random.below(4) > 0 {
            let alone = heuristic.estimate(&domain, &state);
            let limit = if random.below(2) == 0 { alone } else { Cost::MAX };
            let h = heuristic.bound(&domain, &state, &mut carry, limit).h;
            assert_eq!(h, alone, "step {step}");
            positive += usize::from(h > singles.estimate(&domain, &state));
        }
    }
    assert!(positive > 1000, "{positive}");
}

#[test]
fn several_goals_give_the_lesser_distance() {
    let domain = Pebbles::ladder(2, 1);
    let other = domain.state(&[15, 0, 1, 3, 4, 2]);
    let both = LearnedDistances::pairs(&domain, &[domain.goal(), other], None).unwrap();
    let one = LearnedDistances::pairs(&domain, &[domain.goal()], None).unwrap();
    assert_eq!(both.estimate(&domain, &other), 0);
    assert!(one.estimate(&domain, &other) > 0);
    assert_eq!(
        (both.distance(0, 0), both.distance(0, 1), both.distance(2, 4)),
        (Some(0), Some(0), Some(1))
    );
    assert_eq!((one.distance(0, 1), one.distance(0, 6), one.distance(9, 0)), (Some(1), None, None));
}

#[test]
fn learning_can_be_refused_and_stopped() {
    let domain = Pebbles::ladder(2, 1);
    assert_eq!(LearnedDistances::pairs(&domain, &[], None).unwrap_err(), DistancesError::NoGoal);
    let cancel = CancelToken::cancelled();
    let stopped = LearnedDistances::triples(&domain, &[domain.goal()], Some(&cancel));
    assert_eq!(stopped.unwrap_err(), DistancesError::Cancelled);
}

/// Pebbles whose contexts are numbered in steps of 20, so that a set of contexts needs several
/// words.
struct Sparse(Pebbles);

impl Domain for Sparse {
    type State = u64;
    type Ops = u64;
    search::forward_domain! { 0: operators applicable apply_into is_goal cost }
}

impl Partitioned for Sparse {
    search::forward_domain! { 0: features mover }
}

impl Contexts for Sparse {
    fn contexts(&self) -> usize {
        20 * self.0.contexts()
    }
    fn context(&self, state: &u64) -> usize {
        20 * self.0.context(state)
    }
    fn representative(&self, context: usize) -> u64 {
        self.0.representative(context / 20)
    }
}

impl Placed for Sparse {
    search::forward_domain! { 0: places feature_at }
}

#[test]
fn many_contexts_give_the_same_distances() {
    for domain in toys() {
        let goals = [domain.goal()];
        let few = LearnedDistances::triples(&domain, &goals, None).unwrap();
        let many = LearnedDistances::triples(&Sparse(domain.clone()), &goals, None).unwrap();
        assert_eq!((few.excesses(), few.entries()), (many.excesses(), many.entries()));
        for (feature, place) in (0..4).flat_map(|feature| (0..5).map(move |at| (feature, at))) {
            assert_eq!(few.distance(feature, place), many.distance(feature, place));
        }
    }
}
