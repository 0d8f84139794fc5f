//! Does a perimeter help against pattern databases of the same bytes? Nodes and seconds of IDA* on
//! the cube, with tables of corners and six edges, and perimeters around the goal.
//!
//! `cargo bench -p fewest-cube --bench perimeter -- [MOVES [CUBES]]` makes CUBES (12) states by
//! random sequences of MOVES (14) half turns and quarter turns, solves each on one thread with each
//! heuristic, and prints the bytes, the generated nodes and the seconds of CPU time.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use fewest_cube::patterns::{EdgePattern, korf97};
use fewest_cube::{Cube, Cube3, CubeMetric, FaceletCube, Facelets};
use pdb::{Abstraction, BuildOptions, PatternDatabase, build};
use search::random::Random;
use search::{
    Domain, Heuristic, Max, Op, OpSet, Options, Perimeter, Pruning, ida_star, plan,
    schroeppel_shamir,
};
use std::time::Instant;

/// Seed of the sequences.
const SEED: u64 = 1;

/// No face twice in a row, and of opposite faces only U before D, R before L, F before B.
struct FaceOrder;

impl Pruning<Cube3> for FaceOrder {
    /// The last face; 6 before the first move.
    type State = u8;
    fn start(&self, _: &Cube3, _: &Cube) -> u8 {
        6
    }
    fn allowed(&self, _: &Cube3, last: u8) -> u32 {
        let face = |face: u8| 7_u32 << (3 * face);
        match last {
            0..3 => u32::FULL.minus(face(last)),
            3..6 => u32::FULL.minus(face(last)).minus(face(last - 3)),
            _ => u32::FULL,
        }
    }
    fn next(&self, _: &Cube3, _: u8, op: Op) -> u8 {
        u8::try_from(op.index() / 3).unwrap_or(6)
    }
}

/// Seconds of CPU time of this thread, if the operating system reports them. Otherwise, seconds
/// since [`EPOCH`].
fn seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    run.map_or_else(|| EPOCH.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The first call of [`seconds`], from which wall time counts.
static EPOCH: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

fn database<A: Abstraction>(pattern: A) -> PatternDatabase<A> {
    let table = build::<4>(&pattern, &BuildOptions::default()).expect("built");
    PatternDatabase::new(pattern, table)
}

fn measure<H: Heuristic<Cube3>>(name: &str, bytes: usize, heuristic: &H, starts: &[Cube]) {
    let (domain, reference) =
        (Cube3::new(CubeMetric::HalfTurn), FaceletCube::new(CubeMetric::HalfTurn));
    let (mut nodes, mut moves, started) = (0, 0, seconds());
    for start in starts {
        let report = ida_star(&domain, heuristic, &FaceOrder, start, &Options::default());
        let found = report.plan().expect("every sequence can be undone");
        assert_eq!(plan::validate(&reference, &Facelets::from(start), found), Ok(()));
        nodes += report.generated();
        moves += found.len();
    }
    let spent = seconds() - started;
    println!("{name:<44} {bytes:>11} bytes {nodes:>12} nodes {spent:>8.2} s  {moves} moves");
}

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<usize>().ok());
    let (moves, cubes) = (numbers.next().unwrap_or(14), numbers.next().unwrap_or(12));
    let (domain, mut random) = (Cube3::new(CubeMetric::HalfTurn), Random::new(SEED));
    let starts: Vec<Cube> = (0..cubes)
        .map(|_| {
            let (mut cube, mut last) = (Cube::SOLVED, 6);
            for _ in 0..moves {
                let allowed: Vec<Op> =
                    FaceOrder.allowed(&domain, last).and(u32::first(18)).members().collect();
                let op = allowed[random.index(allowed.len())];
                let from = cube;
                domain.apply_into(&from, op, &mut cube);
                last = FaceOrder.next(&domain, last, op);
            }
            cube
        })
        .collect();

    let (corners, first, second) = korf97(CubeMetric::HalfTurn);
    let (corners, first, second) = (database(corners), database(first), database(second));
    let bytes = |table: &[u8]| table.len();
    let (c, e) = (bytes(corners.table().bytes()), bytes(first.table().bytes()));
    let options = Options::default();
    let within = |bytes: usize| {
        let (goals, bytes) = ([Cube::SOLVED], bytes as u64);
        let started = seconds();
        let perimeter = Perimeter::within_bytes(&domain, &goals, search::Zero, bytes, &options);
        let perimeter = perimeter.expect("no limits");
        let took = seconds() - started;
        println!("radius {}: {} bytes, {took:.1} s", perimeter.radius(), perimeter.bytes());
        perimeter
    };
    let small = within(e);
    let one = Max(&corners, &first);
    let korf = Max(&corners, Max(&first, &second));
    measure("corners, six edges", c + e, &one, &starts);
    measure("corners, twice six edges (korf97)", c + 2 * e, &korf, &starts);
    measure("corners, six edges, perimeter", c + e + small.bytes(), &small.with(&one), &starts);
    measure("korf97, perimeter", c + 2 * e + small.bytes(), &small.with(&korf), &starts);

    // A perimeter of one move more, or as many bytes of other sets of six edges.
    let large = within(8 * e);
    let other = |pieces| database(EdgePattern::new(CubeMetric::HalfTurn, pieces).expect("edges"));
    let more: Vec<_> = [
        [0, 1, 4, 5, 8, 9],
        [2, 3, 6, 7, 10, 11],
        [0, 2, 4, 6, 8, 10],
        [1, 3, 5, 7, 9, 11],
        [0, 3, 4, 7, 8, 11],
        [1, 2, 5, 6, 9, 10],
    ]
    .map(other)
    .into();
    let tables = more.len() * e;
    measure("korf97, six more tables", c + 2 * e + tables, &Max(&korf, &more), &starts);
    measure("korf97, large perimeter", c + 2 * e + large.bytes(), &large.with(&korf), &starts);
    measure("corners, large perimeter", c + large.bytes(), &large.with(&corners), &starts);

    // No heuristic: lists of a quarter of the depth.
    let started = seconds();
    let (mut nodes, mut all) = (0, 0);
    for start in starts.iter().take(1) {
        let report = schroeppel_shamir(&domain, start, &options);
        nodes += report.generated();
        all += report.plan().map_or(0, |plan| plan.len());
    }
    let spent = seconds() - started;
    println!("four lists, the first cube: {nodes} nodes {spent:.2} s  {all} moves");
}
