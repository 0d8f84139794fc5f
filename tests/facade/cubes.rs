//! Every configuration solves cubes with the optimal length. The length is known, or a
//! breadth-first search finds it.

use cube::notation::parse_state;
use cube::{Cube, Cube3, CubeMetric, Facelets};
use fewest::{Answer, Ending, PruningChoice, Puzzle, Request, Settings};
use search::testing::Distances;
use search::{Cost, Limits};

/// Ten scrambles of 11 to 14 moves: facelets, and their optimal lengths.
const SCRAMBLES: &str = include_str!("../instances/cube_11_to_14.txt");

/// Uniformly random cubes: facelets, and their optimal lengths.
const RANDOM: &str = include_str!("../instances/cube_random.txt");

fn puzzle(heuristic: &str, metric: &str, pruning: PruningChoice, memory: u64) -> Box<dyn Puzzle> {
    let metric = metric.parse().expect("a metric");
    let settings = Settings::default().metric(metric).heuristic(heuristic).pruning(pruning);
    crate::configured("3x3x3", &settings.memory(memory))
}

pub(crate) fn solve(puzzle: &dyn Puzzle, state: &str) -> Answer {
    let answer = puzzle.solve(state, &Request::default()).expect("a cube");
    assert_eq!((answer.ending, answer.optimal), (Ending::Solved, true));
    assert_eq!(answer.plans[0].len(), usize::from(answer.lower_bound));
    answer
}

#[test]
fn scrambles_have_one_length_under_every_configuration() {
    let fsm = PruningChoice::Fsm(None);
    let configurations = [
        puzzle("korf97", "htm", fsm, 1 << 30),
        puzzle("best", "htm", fsm, 8 << 20),
        puzzle("best", "htm", fsm, 64 << 20),
        puzzle("best", "htm", PruningChoice::None, 64 << 20),
    ];
    for line in SCRAMBLES.lines().filter(|line| !line.starts_with('#')) {
        let (state, length) = line.split_once(' ').expect("facelets and length");
        for puzzle in &configurations {
            assert_eq!(solve(&**puzzle, state).plans[0].len().to_string(), length, "{state}");
        }
    }
}

/// The large table finds the length. The small one proves that no plan is shorter, except for a
/// length of 19, where it would need an hour.
#[test]
#[ignore = "slow: ten random cubes with tables of 794 and of 37 MB, 15 min"]
fn random_cubes_have_one_length_at_two_table_sizes() {
    let [large, small] =
        [1100, 64].map(|size| puzzle("best", "htm", PruningChoice::Fsm(None), size << 20));
    let cubes = RANDOM.lines().filter(|line| !line.starts_with('#'));
    for (state, length) in cubes.filter_map(|line| line.split_once(' ')) {
        let length: Cost = length.parse().expect("a length");
        assert_eq!(solve(&*large, state).lower_bound, length, "{state}");
        if length < 19 {
            let limits = Limits { bound: Some(length - 1), ..Limits::default() };
            let answer = small.solve(state, &Request::default().limits(limits)).expect("a cube");
            assert_eq!((answer.ending, answer.lower_bound), (Ending::LimitReached, length));
        }
    }
}

/// About `count` states with their distances, the same number for each distance up to `reach`.
fn near(metric: CubeMetric, reach: Cost, count: usize) -> Vec<(Cube, Cost)> {
    let domain = Cube3::new(metric);
    let options = search::Options::default();
    let mut layers = search::stored::Layers::new(&domain, &[Cube::SOLVED], &options);
    let mut states = vec![(Cube::SOLVED, 0)];
    let each = count.div_ceil(usize::from(reach));
    for depth in 1..=reach {
        let size = usize::try_from(layers.advance().expect("memory")).expect("small");
        let (step, mut place) = ((size / each).max(1), 0);
        layers.for_each(usize::from(depth), |state| {
            if place % step == 0 && place / step < each {
                states.push((*state, depth));
            }
            place += 1;
        });
    }
    states
}

#[test]
fn near_states_are_solved_as_breadth_first_search_says() {
    for (metric, name) in [(CubeMetric::HalfTurn, "htm"), (CubeMetric::QuarterTurn, "qtm")] {
        let states = near(metric, 6, 300);
        assert!(states.len() >= 200, "{} states", states.len());
        for pruning in [PruningChoice::Fsm(None), PruningChoice::Inverse] {
            for puzzle in
                [puzzle("manhattan", name, pruning, 0), puzzle("best", name, pruning, 8 << 20)]
            {
                for (state, distance) in &states {
                    let answer = solve(&*puzzle, &Facelets::from(state).to_string());
                    assert_eq!(answer.lower_bound, *distance);
                }
            }
        }
    }
}

/// Both published sequences of the superflip (by Dik Winter and by Michael Reid, in Fowler 2002)
/// make the superflip.
#[test]
fn both_macros_are_the_superflip() {
    let named = parse_state("superflip").expect("a name");
    for moves in [
        "F B U2 R F2 R2 B2 U' D F U2 R' L' U B2 D R2 U B2 U",
        "R' U2 B L' F U' B D F U D' L D2 F' R B' D F' U' B' U D'",
    ] {
        assert_eq!(parse_state(moves).expect("moves"), named);
    }
}

#[test]
fn the_views_of_a_coset_table_obey_the_laws() {
    use search::TwoSided;
    use search::testing::check_heuristic;
    let (metric, family) = (CubeMetric::HalfTurn, cube::cosets::AxisFamily::G256);
    let reduced =
        pdb::coset::SymmetryReduced::new(cube::cosets::AxisCoordinates::new(metric, family));
    let options = pdb::BuildOptions::default();
    let table = pdb::StripeTable::build(&reduced, family.base(metric), &options);
    let table = table.expect("built");
    let domain = cube::ByteCube3::new(Cube3::new(metric));
    let axes = cube::cosets::AxisViews::new(metric, &reduced);
    let views = pdb::coset::Views::new(&domain, axes, table).expect("unit costs");
    let both = TwoSided(domain);
    let distances = Distances::from_goals(&both, &[both.state(&(&Cube::SOLVED).into())], 3);
    check_heuristic(&both, &views, &distances).expect("admissible, and exclusions are right");
}

fn korf97_is_admissible(metric: CubeMetric, name: &str, count: usize) {
    let puzzle = puzzle("korf97", name, PruningChoice::Fsm(None), 1 << 30);
    for (state, distance) in near(metric, 6, count) {
        assert_eq!(solve(&*puzzle, &Facelets::from(&state).to_string()).lower_bound, distance);
    }
}

#[test]
fn korf97_is_admissible_near_the_goal() {
    korf97_is_admissible(CubeMetric::HalfTurn, "htm", 100);
}

#[test]
#[ignore = "slow: Korf's tables for quarter turns, 30 s"]
fn korf97_is_admissible_near_the_goal_in_both_metrics() {
    korf97_is_admissible(CubeMetric::HalfTurn, "htm", 300);
    korf97_is_admissible(CubeMetric::QuarterTurn, "qtm", 300);
}

#[test]
#[ignore = "slow: 1,000 complete iterations with bound 12, 30 s"]
fn complete_iterations_are_as_predicted() {
    let puzzle = puzzle("korf97", "htm", PruningChoice::Fsm(None), 1 << 30);
    let predicted = puzzle
        .predicting()
        .expect("nodes")
        .predict(12, &Request::default())
        .expect("tables")
        .generated[11];
    let counts: Vec<f64> = puzzle
        .scrambler()
        .expect("random states")
        .scrambles(17)
        .take(1000)
        .map(|state| {
            let limits = Limits { bound: Some(12), ..Limits::default() };
            let answer = puzzle.solve(&state, &Request::default().limits(limits)).expect("a cube");
            let last = answer.iterations.iter().find(|iteration| iteration.bound == 12);
            last.filter(|iteration| iteration.complete)
                .map_or(0.0, |iteration| iteration.generated as f64)
        })
        .collect();
    let n = counts.len() as f64;
    let mean = counts.iter().sum::<f64>() / n;
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    eprintln!("bound 12: mean {mean:.0}, standard error {error:.0}, predicted {predicted:.0}");
    assert!((mean / predicted - 1.0).abs() < 0.03, "mean {mean}, predicted {predicted}");
}
