//! Does a perimeter help against pattern databases of the same bytes? Nodes and seconds of IDA* on
//! the cube, with tables of corners and six edges, and perimeters around the goal.
//!
//! `cargo bench -p fewest-cube --bench perimeter -- [MOVES [CUBES]]` makes CUBES (12) states by
//! random sequences of MOVES (14) half turns and quarter turns. It solves each on one thread with
//! each heuristic. It prints the bytes, the generated nodes and the seconds of CPU time.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use fewest_cube::cosets::{AxisCoordinates, AxisFamily, AxisViews};
use fewest_cube::patterns::{EdgePattern, korf97};
use fewest_cube::{ByteCube3, Cube, Cube3, CubeMetric, FaceletCube, Facelets};
use pdb::coset::{SymmetryReduced, Views};
use pdb::table::StripeTable;
use pdb::{Abstraction, BuildOptions, PatternDatabase, build};
use search::random::Random;
use search::stored::{Perimeter, schroeppel_shamir};
use search::{
    Domain, Heuristic, Max, Op, OpSet, Options, Pruning, TwoSided, TwoSidedPruning, ida_star, plan,
};
use std::time::Instant;

const METRIC: CubeMetric = CubeMetric::HalfTurn;
/// Seed of the sequences.
const SEED: u64 = 1;

/// No face twice in a row, and of opposite faces only U before D, R before L, F before B. If the
/// flag is set: the other way around, for moves at the end of a plan.
struct FaceOrder(bool);

impl<D: Domain<Ops = u32>> Pruning<D> for FaceOrder {
    /// The last face; 6 before the first move.
    type State = u8;
    fn start(&self, _: &D, _: &D::State) -> u8 {
        6
    }
    fn allowed(&self, _: &D, last: u8) -> u32 {
        let face = |face: u8| 7_u32 << (3 * face);
        let second = last >= if self.0 { 0 } else { 3 } && last < if self.0 { 3 } else { 6 };
        let opposite = face((last + 3) % 6);
        match last {
            6.. => u32::FULL,
            _ if second => u32::FULL.minus(face(last)).minus(opposite),
            _ => u32::FULL.minus(face(last)),
        }
    }
    fn next(&self, _: &D, _: u8, op: Op) -> u8 {
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

fn measure<D: Domain>(
    name: &str,
    bytes: usize,
    (domain, heuristic, pruning): (&D, &impl Heuristic<D>, &impl Pruning<D>),
    cubes: &[Cube],
    state: impl Fn(&Cube) -> D::State,
) {
    let reference = FaceletCube::new(METRIC);
    let (mut nodes, mut moves, started) = (0, 0, seconds());
    for cube in cubes {
        let report = ida_star(domain, heuristic, pruning, &state(cube), &Options::default());
        let found = report.plan().expect("every sequence can be undone");
        assert_eq!(plan::validate(&reference, &Facelets::from(cube), found), Ok(()));
        nodes += report.generated();
        moves += found.len();
    }
    let spent = seconds() - started;
    println!("{name:<36} {bytes:>11} bytes {nodes:>12} nodes {spent:>8.2} s  {moves} moves");
}

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<usize>().ok());
    let (moves, cubes) = (numbers.next().unwrap_or(14), numbers.next().unwrap_or(12));
    let (domain, mut random) = (Cube3::new(METRIC), Random::new(SEED));
    let order = FaceOrder(false);
    let cubes: Vec<Cube> = (0..cubes)
        .map(|_| {
            let (mut cube, mut last) = (Cube::SOLVED, 6);
            for _ in 0..moves {
                let allowed = order.allowed(&domain, last).and(domain.applicable(&cube));
                let allowed: Vec<Op> = allowed.members().collect();
                let (op, from) = (allowed[random.index(allowed.len())], cube);
                domain.apply_into(&from, op, &mut cube);
                last = order.next(&domain, last, op);
            }
            cube
        })
        .collect();

    let (corners, first, second) = korf97(METRIC);
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
    let both = c + 2 * e;
    macro_rules! measure {
        ($name:literal, $bytes:expr, $heuristic:expr) => {
            measure($name, $bytes, (&domain, &$heuristic, &order), &cubes, Cube::clone)
        };
    }
    measure!("corners, six edges", c + e, one);
    measure!("corners, twice six edges (korf97)", both, korf);
    measure!("corners, six edges, perimeter", c + e + small.bytes(), small.with(&one));
    measure!("korf97, perimeter", both + small.bytes(), small.with(&korf));

    // A perimeter of one move more, or as many bytes of other sets of six edges.
    let large = within(8 * e);
    let other = |pieces| database(EdgePattern::new(METRIC, pieces).expect("edges"));
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
    measure!("korf97, six more tables", both + more.len() * e, Max(&korf, &more));
    drop(more);
    measure!("korf97, large perimeter", both + large.bytes(), large.with(&korf));
    measure!("corners, large perimeter", c + large.bytes(), large.with(&corners));

    // A better table of fewer bytes, read for three axes and the inverse.
    let family = AxisFamily::G1;
    let reduced = SymmetryReduced::new(AxisCoordinates::new(METRIC, family));
    let table = StripeTable::build(&reduced, family.base(METRIC), &BuildOptions::default());
    let bytes = ByteCube3::new(domain);
    let views = Views::new(&bytes, AxisViews::new(METRIC, &reduced), table.expect("built"));
    let two = TwoSided(bytes);
    let size = usize::try_from(family.bytes()).expect("37 MB");
    let searched = (
        &two,
        &views.expect("unit costs"),
        &TwoSidedPruning { front: FaceOrder(false), back: FaceOrder(true) },
    );
    measure("cosets (g1), both ends", size, searched, &cubes, |cube| two.state(&cube.into()));

    // No heuristic: lists of a quarter of the depth.
    let started = seconds();
    let report = schroeppel_shamir(&domain, &cubes[0], &options);
    let (nodes, moves) = (report.generated(), report.plan().map_or(0, |plan| plan.len()));
    println!(
        "four lists, the first cube: {nodes} nodes {:.2} s, {moves} moves",
        seconds() - started
    );
}
