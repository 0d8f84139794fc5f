//! All states of the 2x2x2: the table of distances modulo 3, a breadth-first search, IDA* and the
//! cube of stickers agree.

use fewest_cube::CubeMetric;
use fewest_cube::cube2::{Cube2, FaceletPocket, Pocket, PocketAbstraction, PocketFacelets};
use pdb::{BuildOptions, DescentWalk, Modulo3, PatternDatabase, build};
use search::plan::validate;
use search::random::Random;
use search::{
    Claims, Cost, Domain, Heuristic, InversePruning, Op, OpSet, Options, Verdict, ida_star,
};
use std::sync::LazyLock;

/// A metric, and the data that both tests use.
struct Exact {
    metric: CubeMetric,
    /// For each rank of a state: its distance.
    distances: Vec<Cost>,
    walk: DescentWalk<PocketAbstraction>,
}

static EXACT: LazyLock<[Exact; 2]> = LazyLock::new(|| {
    [CubeMetric::HalfTurn, CubeMetric::QuarterTurn].map(|metric| Exact {
        metric,
        distances: all_distances(Cube2::new(metric)),
        walk: walk(metric),
    })
});

/// For each rank of a state: its distance, by a breadth-first search that shares no code with the
/// table builder.
pub(crate) fn all_distances(domain: Cube2) -> Vec<Cost> {
    let mut distances = vec![Cost::MAX; Pocket::COUNT as usize];
    let mut layer = vec![Pocket::SOLVED];
    distances[Pocket::SOLVED.rank() as usize] = 0;
    for distance in 1.. {
        let mut next = Vec::new();
        for pocket in &layer {
            for op in (0..domain.operators()).map(Op::new) {
                let to = pocket.turned(domain.turn(op));
                let entry = &mut distances[to.rank() as usize];
                if *entry == Cost::MAX {
                    *entry = distance;
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

fn walk(metric: CubeMetric) -> DescentWalk<PocketAbstraction> {
    let whole = PocketAbstraction::new(metric);
    let table = Modulo3::build(&whole, &BuildOptions::default()).expect("built");
    assert_eq!(table.bytes().len(), 918_540);
    DescentWalk::new(&Cube2::new(metric), whole, table).expect("unit costs")
}

/// Every entry is the distance modulo 3. Every state has a neighbour that is one move nearer. So a
/// walk that always steps to the remainder below is an optimal plan. Plans are replayed for one
/// state in 97 and for all farthest states.
#[test]
fn every_state_is_walked_home_in_the_fewest_moves() {
    for Exact { metric, distances, walk } in &*EXACT {
        let (domain, reference) = (Cube2::new(*metric), FaceletPocket::new(*metric));
        let most = *distances.iter().max().expect("states");
        let mut counts = vec![0; usize::from(most) + 1];
        for (rank, &distance) in (0..).zip(distances) {
            assert_eq!(Cost::from(walk.table().get(rank.into())), distance % 3, "state {rank}");
            counts[usize::from(distance)] += 1;
            if rank % 97 != 0 && distance < most {
                continue;
            }
            let pocket = Pocket::unrank(rank);
            let plan = walk.plan(&domain, &pocket).expect("every state can be solved");
            assert_eq!(plan.len(), usize::from(distance), "state {rank}");
            let stickers = PocketFacelets::from(&pocket);
            assert_eq!(validate(&reference, &stickers, &plan), Ok(()), "state {rank}");
        }
        assert!(most < Cost::MAX, "every state is reached");
        assert_eq!(walk.table().counts(walk.indexer()), counts);
    }
}

/// For every state: the walk to the goal from a root, and the step from a parent to each child,
/// give the distance.
#[test]
fn all_states_have_the_values_of_the_exact_table() {
    let Exact { metric, distances, walk } = &EXACT[0];
    let (domain, whole) = (Cube2::new(*metric), PocketAbstraction::new(*metric));
    let exact = build::<4>(&whole, &BuildOptions::default()).expect("built");
    assert_eq!(exact.bytes().len(), 1_837_080);
    let two = Modulo3::from_exact(&whole, &exact).expect("undirected");
    assert_eq!(two.bytes(), walk.table().bytes());
    check_values(&domain, walk, distances);
    let exact = PatternDatabase::new(whole, exact);
    let (mut random, options) = (Random::new(11), Options::default());
    for _ in 0..200 {
        let start = Pocket::random(&mut random).normalised();
        let report = ida_star(&domain, &exact, &InversePruning, &start, &options);
        let two = ida_star(&domain, walk, &InversePruning, &start, &options);
        assert_eq!(two.iterations, report.iterations);
        assert_eq!(two.plan(), report.plan());
    }
}

fn check_values(domain: &Cube2, walk: &DescentWalk<PocketAbstraction>, distances: &[Cost]) {
    let mut child = Pocket::SOLVED;
    for (rank, &distance) in (0..).zip(distances) {
        let state = Pocket::unrank(rank);
        let parent = walk.root(domain, &state);
        assert_eq!(walk.bound(domain, &state, &mut parent.clone(), 0).h, distance, "{rank}");
        for op in domain.applicable(&state).members() {
            domain.apply_into(&state, op, &mut child);
            let mut carry = walk.child(domain, &state, &parent, op, &child);
            let h = walk.bound(domain, &child, &mut carry, 0).h;
            assert_eq!(h, distances[child.rank() as usize], "{rank} and then {op:?}");
        }
    }
}

/// The larger bound of two pattern databases of four corners each, which share one corner. Each is
/// indexed by the places of its corners, and has the least distance of all states with these
/// places.
struct Fours([Vec<Cost>; 2]);

/// For each of both sets: the number of each corner within the set, `None` for corners outside.
const SETS: [[Option<u32>; 8]; 2] = [
    [Some(0), Some(1), Some(2), Some(3), None, None, None, None],
    [None, None, None, Some(0), Some(1), Some(2), None, Some(3)],
];

/// The index of a state in the database of a set: the places of the set's corners as digits of base
/// 24.
fn places(set: &[Option<u32>; 8], pocket: &Pocket) -> usize {
    let digit = |slot: usize| {
        let place = 3 * slot + usize::from(pocket.twist(slot));
        set[usize::from(pocket.corner(slot))].map_or(0, |number| place * 24_usize.pow(number))
    };
    (0..8).map(digit).sum()
}

impl Fours {
    fn new(exact: &[Cost]) -> Self {
        Self(SETS.map(|set| {
            let mut least = vec![Cost::MAX; 24_usize.pow(4)];
            for (rank, &distance) in (0..).zip(exact) {
                let entry = &mut least[places(&set, &Pocket::unrank(rank))];
                *entry = distance.min(*entry);
            }
            least
        }))
    }
}

impl Heuristic<Cube2> for Fours {
    search::carry_nothing! { Cube2 }
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fn bound(&self, _: &Cube2, state: &Pocket, (): &mut (), _: Cost) -> Verdict<u32> {
        let [first, second] = [0, 1].map(|set| self.0[set][places(&SETS[set], state)]);
        Verdict::bound(first.max(second))
    }
}

#[test]
fn a_thousand_random_states_have_the_length_of_the_walk() {
    for Exact { metric, distances, walk } in &*EXACT {
        let (domain, reference) = (Cube2::new(*metric), FaceletPocket::new(*metric));
        let fours = Fours::new(distances);
        let pruning = InversePruning;
        let mut random = Random::new(10_000);
        for _ in 0..1000 {
            let held = Pocket::random(&mut random);
            let start = held.normalised();
            let report = ida_star(&domain, &fours, &pruning, &start, &Options::default());
            let plan = report.plan().expect("every state can be solved");
            assert_eq!(Some(plan.len()), walk.plan(&domain, &start).map(|plan| plan.len()));
            // The plan applies to the puzzle as it is held.
            assert_eq!(validate(&reference, &PocketFacelets::from(&held), plan), Ok(()));
        }
    }
}
