//! The domains of two examples, by every search and against breadth-first search.

#[path = "../../examples/sokoban/main.rs"]
#[expect(dead_code, reason = "an example has a main function")]
mod sokoban;
#[path = "../../examples/weighted_pancakes.rs"]
#[expect(dead_code, reason = "an example has a main function")]
mod weighted_pancakes;

use fewest::closures::{ClosureAnswer, ClosureSearch, Outcome, domain_successors};
use fewest::pdb::file::TableStore;
use fewest::pdb::{BuildOptions, Projection, ProjectionFile};
use fewest::search::random::Random;
use fewest::search::stored::{a_star, breadth_first, uniform_cost, weighted_a_star};
use fewest::search::{
    Cost, Domain, Heuristic, InversePruning, Limit, Op, Options, Packed, Report, Reversible,
    ida_star, plan,
};
use sokoban::{Room, State};
use std::collections::{HashMap, HashSet};
use weighted_pancakes::{Pancakes, heuristic};

/// Replays flips on a list of pancakes.
struct ByHand;

impl plan::Reference for ByHand {
    type State = Vec<u8>;
    fn successor(&self, state: &Vec<u8>, op: fewest::search::Op) -> Option<Vec<u8>> {
        let (top, rest) = state.split_at_checked(op.index() + 2)?;
        Some(top.iter().rev().chain(rest).copied().collect())
    }
    fn is_solved(&self, state: &Vec<u8>) -> bool {
        state.is_sorted()
    }
}

/// The least cost, by weight, of a random stack is that of uniform-cost search.
#[test]
fn pancakes_by_weight_cost_the_least() {
    let (mut random, options) = (Random::new(7), Options::default());
    let bound = heuristic().unwrap();
    for _ in 0..12 {
        let mut start = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        random.shuffle(&mut start);
        let blind = uniform_cost(&Pancakes, &start, &options);
        let least = blind.lower_bound;
        assert!(bound.estimate(&Pancakes, &start) <= least);
        let reports: [(Report, Cost); 5] = [
            (blind, least),
            (a_star(&Pancakes, &bound, &start, &options), least),
            (ida_star(&Pancakes, &bound, &InversePruning, &start, &options), least),
            (weighted_a_star(&Pancakes, &bound, 1.5, &start, &options), least + least / 2),
            (breadth_first(&Pancakes, &start, &options), Cost::MAX),
        ];
        for (report, most) in reports {
            let flips = report.plan().unwrap();
            plan::validate(&ByHand, &start.to_vec(), flips).unwrap();
            let cost: Cost = flips.iter().map(|&op| Pancakes.cost(op)).sum();
            assert!((least..=most).contains(&cost), "{cost}");
        }
    }
}

/// [`Pancakes`] whose flips cost 25 times as much.
struct Heavy;

impl Domain for Heavy {
    type State = [u8; 9];
    type Ops = u16;
    fn operators(&self) -> usize {
        Pancakes.operators()
    }
    fn applicable(&self, state: &[u8; 9]) -> u16 {
        Pancakes.applicable(state)
    }
    fn apply_into(&self, from: &[u8; 9], op: Op, to: &mut [u8; 9]) {
        Pancakes.apply_into(from, op, to);
    }
    fn is_goal(&self, state: &[u8; 9]) -> bool {
        Pancakes.is_goal(state)
    }
    fn cost(&self, op: Op) -> Cost {
        25 * Pancakes.cost(op)
    }
}

impl Reversible for Heavy {
    fn inverse_op(&self, op: Op) -> Op {
        op
    }
}

impl Packed for Heavy {
    type Key = u64;
    fn pack(&self, state: &[u8; 9]) -> u64 {
        Pancakes.pack(state)
    }
    fn unpack(&self, key: u64, out: &mut [u8; 9]) {
        Pancakes.unpack(key, out);
    }
}

/// Plans above 250, from closures of a domain, with two databases of 16 bits that were saved and
/// loaded. The least cost is 25 times that of the light pancakes.
#[test]
fn great_costs_are_searched_from_closures_with_loaded_databases() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = [0..5_u8, 4..9].map(|kept| {
        let file = ProjectionFile {
            store: TableStore::new(folder.path()),
            name: format!("heavy-{}", kept.start),
            description: "pancakes that cost 25 times as much".into(),
        };
        let forget = move |state: &[u8; 9]| state.map(|p| if kept.contains(&p) { p } else { 15 });
        let (projection, goals) = (Projection::new(&Heavy, forget), [[0, 1, 2, 3, 4, 5, 6, 7, 8]]);
        let built = projection.backward(&goals, &BuildOptions::default()).unwrap();
        projection.save(&built, &goals, &file).unwrap();
        let loaded = projection.load(&goals, &file).unwrap();
        assert_eq!((loaded.bits(), loaded.histogram()), (16, built.histogram()));
        loaded
    });
    let estimate = |state: &[u8; 9]| {
        let of = loaded.each_ref().map(|one| one.distance(state).map_or(u32::MAX, u32::from));
        of[0].max(of[1])
    };
    let options = Options::default();
    for start in [[4, 7, 0, 5, 2, 8, 1, 6, 3], [8, 1, 2, 3, 4, 0, 5, 7, 6]] {
        let least = 25 * u32::from(uniform_cost(&Pancakes, &start, &options).lower_bound);
        assert!(least > 250 && estimate(&start) <= least);
        let limited = a_star(&Heavy, &loaded[0], &start, &options);
        assert_eq!(limited.outcome, Outcome::LimitReached(Limit::Bound));
        let search = || {
            let steps = domain_successors::<_, u32>(&Heavy);
            ClosureSearch::new(&start, steps, estimate, |state| Heavy.is_goal(state))
        };
        for (answer, most) in [
            (search().a_star(), least),
            (search().ida_star_wide(), least),
            (search().uniform_cost(), least),
            (search().weighted_a_star(1.5), least + least / 2),
        ] {
            let ClosureAnswer { paths, report, .. } = answer.unwrap();
            let flips: Vec<Op> = report.plan().unwrap().iter().copied().collect();
            plan::validate(&ByHand, &start.to_vec(), &flips).unwrap();
            let cost: u32 = flips.iter().map(|&op| u32::from(Heavy.cost(op))).sum();
            assert!((least..=most).contains(&cost) && report.lower_bound <= least, "{cost}");
            assert_eq!((paths[0].cost, paths[0].states.len()), (cost, flips.len() + 1));
            assert!(most > least || report.lower_bound == least);
        }
    }
}

/// The fewest steps from the start to a solved state, layer by layer; `None` if there is none.
fn layers(room: &Room, start: &State) -> Option<usize> {
    let (mut seen, mut layer) = (HashSet::from([start.clone()]), vec![start.clone()]);
    for depth in 0.. {
        if layer.is_empty() {
            return None;
        }
        if layer.iter().any(|state| room.is_solved(state)) {
            return Some(depth);
        }
        let next = layer.iter().flat_map(|state| room.steps(state)).map(|(state, _)| state);
        layer = next.filter(|state| seen.insert(state.clone())).collect();
    }
    None
}

fn answers(room: &Room, start: &State) -> [ClosureAnswer<State, u32>; 4] {
    let search = || {
        let (steps, estimate) = (|at: &State| room.steps(at), |at: &State| room.estimate(at));
        ClosureSearch::new(start, steps, estimate, |at| room.is_solved(at))
    };
    let found =
        [search().a_star(), search().uniform_cost(), search().breadth_first(), search().ida_star()];
    found.map(Result::unwrap)
}

#[test]
fn rooms_take_the_fewest_steps() {
    let rooms = [
        sokoban::ROOM,
        "#####\n#@$.#\n#####",
        "######\n#    #\n# $@.#\n#  $.#\n######",
        "#######\n#@ $ .#\n#  #  #\n#  $ .#\n#######",
        "######\n#.@ $#\n######",
        "######\n#@ $.#\n#    #\n#  $.#\n#    #\n######",
    ];
    let mut unsolvable = 0;
    for (number, text) in rooms.into_iter().enumerate() {
        let room = Room::new(text);
        let steps = layers(&room, &room.start);
        for (search, answer) in answers(&room, &room.start).into_iter().enumerate() {
            let path = answer.path();
            assert_eq!(path.map(|path| path.cost as usize), steps, "{number} {search}");
            let Some(path) = path else {
                assert_eq!(answer.report.outcome, Outcome::Unsolvable, "{number} {search}");
                continue;
            };
            assert_eq!((answer.report.lower_bound, answer.report.optimal), (path.cost, true));
            for step in path.states.windows(2) {
                assert!(room.steps(&step[0]).contains(&(step[1].clone(), 1)));
            }
            assert!(room.is_solved(&path.states[path.states.len() - 1]));
        }
        unsolvable += usize::from(steps.is_none());
    }
    assert!(unsolvable >= 1);
}

/// The estimate never exceeds the true distance, and a lost box is lost: by a search from all
/// solved states back over all steps of a small room.
#[test]
fn estimates_of_a_room_are_lower_bounds() {
    let room = Room::new("######\n#  . #\n# $# #\n# @$.#\n#    #\n######");
    let (mut before, mut all) = (HashMap::<State, Vec<State>>::new(), vec![room.start.clone()]);
    let mut seen = HashSet::from([room.start.clone()]);
    while let Some(state) = all.pop() {
        for (to, _) in room.steps(&state) {
            before.entry(to.clone()).or_default().push(state.clone());
            if seen.insert(to.clone()) {
                all.push(to);
            }
        }
    }
    let mut distances: HashMap<State, u32> = HashMap::new();
    let mut layer: Vec<State> =
        seen.iter().filter(|state| room.is_solved(state)).cloned().collect();
    for distance in 0.. {
        layer.retain(|state| !distances.contains_key(state));
        if layer.is_empty() {
            break;
        }
        distances.extend(layer.iter().map(|state| (state.clone(), distance)));
        let earlier = layer.iter().filter_map(|state| before.get(state)).flatten();
        layer = earlier.cloned().collect();
    }
    let (mut lost, mut exact) = (0, 0);
    for state in &seen {
        match (room.estimate(state), distances.get(state)) {
            (u32::MAX, truth) => {
                assert_eq!(truth, None, "{state:?}");
                lost += 1;
            }
            (bound, Some(&truth)) => {
                assert!(bound <= truth, "{state:?}");
                exact += u32::from(bound == truth);
            }
            (_, None) => {}
        }
    }
    assert!(lost > 100 && exact > 0, "{lost} {exact} {}", seen.len());
}
