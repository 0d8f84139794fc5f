//! From a text to a plan that replays on the cube of stickers.

use fewest_cube::notation::{named, parse_moves, parse_state};
use fewest_cube::{Cube, Cube3, CubeManhattan, CubeMetric, FaceletCube, Facelets, patterns};
use pdb::{BuildOptions, PatternDatabase, build};
use search::plan::validate;
use search::stored::{Perimeter, schroeppel_shamir};
use search::{Heuristic, InversePruning, Limits, Max, Options, Report, ida_star};

/// Optimal sequences to the superflip, in half turns and (the next constant) in quarter turns.
/// Every beginning of an optimal sequence is optimal, too.
const HALF_TURNS: &str = "F B U2 R F2 R2 B2 U' D F U2 R' L' U B2 D R2 U B2 U";
const QUARTER_TURNS: &str = "R' U2 B L' F U' B D F U D' L D2 F' R B' D F' U' B' U D'";

/// Solves the position after the first `moves` moves of an optimal sequence, and checks the plan.
fn solve<H: Heuristic<Cube3>>(metric: CubeMetric, heuristic: &H, sequence: &str, moves: usize) {
    solve_by(metric, sequence, moves, |domain, start| {
        ida_star(domain, heuristic, &InversePruning, start, &Options::default())
    });
}

fn solve_by(
    metric: CubeMetric,
    sequence: &str,
    moves: usize,
    search: impl Fn(&Cube3, &Cube) -> Report,
) {
    let (domain, reference) = (Cube3::new(metric), FaceletCube::new(metric));
    let plan = domain.plan(&parse_moves(sequence).unwrap());
    let scramble = domain.plan_text(&plan[..moves]);
    let start = parse_state(&scramble).unwrap();
    let report = search(&domain, &start);
    let plan = report.plan().expect("every scramble can be solved");
    assert_eq!((plan.len(), report.optimal), (moves, true), "{scramble}");
    assert_eq!(validate(&reference, &Facelets::from(&start), plan), Ok(()));
    let after = parse_moves(&domain.plan_text(plan)).unwrap();
    assert_eq!(start.moved(&after), Cube::SOLVED);
}

#[test]
fn the_named_superflip_is_that_of_the_sequences() {
    for sequence in [HALF_TURNS, QUARTER_TURNS] {
        assert_eq!(
            Cube::SOLVED.moved(&parse_moves(sequence).unwrap()),
            named("superflip").unwrap()
        );
    }
    let length = |metric, text| Cube3::new(metric).plan(&parse_moves(text).unwrap()).len();
    assert_eq!(length(CubeMetric::HalfTurn, HALF_TURNS), 20);
    assert_eq!(length(CubeMetric::QuarterTurn, QUARTER_TURNS), 24);
}

#[test]
fn manhattan_solves_what_is_near() {
    solve(CubeMetric::HalfTurn, &CubeManhattan::new(CubeMetric::HalfTurn), HALF_TURNS, 5);
    solve(CubeMetric::QuarterTurn, &CubeManhattan::new(CubeMetric::QuarterTurn), QUARTER_TURNS, 6);
}

/// Four lists of positions at up to three moves, of 3,502 positions together, within 4 MiB. Half of
/// twelve moves leads to 8.2 million positions.
#[test]
fn lists_of_three_moves_solve_twelve() {
    let limits = Limits { bytes: Some(4 << 20), ..Limits::default() };
    let options = &Options { limits, ..Options::default() };
    for moves in [5, 10, 12] {
        solve_by(CubeMetric::HalfTurn, HALF_TURNS, moves, |domain, start| {
            schroeppel_shamir(domain, start, options)
        });
    }
    solve_by(CubeMetric::QuarterTurn, QUARTER_TURNS, 11, |domain, start| {
        schroeppel_shamir(domain, start, options)
    });
}

#[test]
fn a_perimeter_of_four_moves_solves_eight() {
    for (metric, sequence) in
        [(CubeMetric::HalfTurn, HALF_TURNS), (CubeMetric::QuarterTurn, QUARTER_TURNS)]
    {
        let (domain, manhattan) = (Cube3::new(metric), CubeManhattan::new(metric));
        let options = Options::default();
        let perimeter = Perimeter::new(&domain, &[Cube::SOLVED], manhattan, 4, &options).unwrap();
        for moves in [3, 4, 8] {
            solve(metric, &perimeter, sequence, moves);
        }
    }
}

#[test]
#[ignore = "slow: builds 86 MB of tables twice, 20 s"]
fn korfs_databases_solve_twelve_moves() {
    for (metric, sequence) in
        [(CubeMetric::HalfTurn, HALF_TURNS), (CubeMetric::QuarterTurn, QUARTER_TURNS)]
    {
        let (corners, first, second) = patterns::korf97(metric);
        let options = BuildOptions::default();
        let tables = (
            build::<4>(&corners, &options).unwrap(),
            build::<4>(&first, &options).unwrap(),
            build::<4>(&second, &options).unwrap(),
        );
        let korf97 = Max(
            PatternDatabase::new(corners, tables.0),
            Max(PatternDatabase::new(first, tables.1), PatternDatabase::new(second, tables.2)),
        );
        for moves in [1, 7, 12] {
            solve(metric, &korf97, sequence, moves);
        }
    }
}
