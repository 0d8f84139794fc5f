//! Searches with each coset table of the cube: nodes, lookups and nanoseconds.
//!
//! `cargo bench -p fewest --bench cosets -- [BOUND [MIB]]` searches the five random cubes of
//! tests/instances/cube_five.txt in half turns on one thread. It searches all bounds up to BOUND
//! (14). It builds in memory every table of at most MIB (40) mebibytes, and every two tables that
//! are read together. It runs no near-optimal search and does not climb, so it measures the cost of
//! a node.
#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

use fewest::cube::cosets::{
    AxisCoordinates, AxisFamily, AxisViews, HalfTurnCoordinates, HalfTurnFamily, HalfTurnView,
};
use fewest::cube::notation::parse_state;
use fewest::cube::{ByteCube, ByteCube3, Cube3, CubeMetric};
use fewest::fsm::{Automaton, Keep, learn};
use fewest::pdb::BuildOptions;
use fewest::pdb::coset::{Cosets, SymmetryReduced, Views};
use fewest::pdb::table::StripeTable;
use fewest::search::{
    Heuristic, Limits, Lookup, Max, Options, Reversible, TwoSided, TwoSidedPruning, TwoSidedState,
    ida_star_parallel,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

const CUBES: &str = include_str!("../tests/instances/cube_five.txt");
const METRIC: CubeMetric = CubeMetric::HalfTurn;

/// Counts the lookups of cosets: one for each state or inverse that is located in one view.
struct Counted<C> {
    cosets: C,
    reads: AtomicU64,
}

impl<C> Counted<C> {
    fn new(cosets: C) -> Self {
        Self { cosets, reads: AtomicU64::new(0) }
    }
}

impl<C: Cosets<ByteCube3>> Cosets<ByteCube3> for &Counted<C> {
    const VIEWS: usize = C::VIEWS;

    #[inline(always)]
    fn locate(&self, view: usize, state: &ByteCube) -> (u32, u32) {
        self.reads.fetch_add(1, Relaxed);
        self.cosets.locate(view, state)
    }

    #[inline(always)]
    fn locate_all(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        self.reads.fetch_add(asked.len() as u64, Relaxed);
        self.cosets.locate_all(states, asked, places, place, ask);
    }
}

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<u64>().ok());
    let bound = numbers.next().and_then(|bound| bound.try_into().ok()).unwrap_or(14);
    let most = numbers.next().unwrap_or(40) << 20;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let (cube, options) = (ByteCube3::new(Cube3::new(METRIC)), BuildOptions::default());
    let axes = |family: AxisFamily| {
        let reduced = SymmetryReduced::new(AxisCoordinates::new(METRIC, family));
        let table = StripeTable::build(&reduced, family.base(METRIC), &options).expect("built");
        (Counted::new(AxisViews::new(METRIC, &reduced)), table)
    };
    for family in AxisFamily::ALL.into_iter().filter(|family| family.bytes() <= most) {
        let (counted, table) = axes(family);
        let views = Views::new(&cube, &counted, table).expect("unit costs");
        let measured = one.install(|| measure(&views, bound));
        told(family.name(), family.bytes(), bound, measured, &[&counted.reads]);
    }
    let all = HalfTurnFamily::ALL.into_iter().flat_map(|halving| [(halving, 1), (halving, 2)]);
    for (halving, bits) in all {
        let bytes = halving.bytes(bits) + AxisFamily::G1.bytes();
        if bytes > most {
            continue;
        }
        let (behind, table) = axes(AxisFamily::G1);
        let small = Views::new(&cube, &behind, table).expect("unit costs");
        let reduced = SymmetryReduced::new(HalfTurnCoordinates::new(METRIC, halving));
        let table =
            StripeTable::build(&reduced, halving.code(METRIC, bits), &options).expect("built");
        let front = Counted::new(HalfTurnView::new(&reduced));
        let large = Views::new(&cube, &front, table).expect("unit costs");
        let measured = one.install(|| measure(&Max(&large, &small), bound));
        let name = format!("{} and g1", halving.name(bits));
        told(&name, bytes, bound, measured, &[&front.reads, &behind.reads]);
    }
}

/// Generated nodes and nanoseconds of the searches of all cubes.
fn measure(heuristic: &impl Heuristic<TwoSided<ByteCube3>>, bound: u8) -> (u64, f64) {
    let plain = Cube3::new(METRIC);
    let learned = learn(&plain, 2, Keep::OneOptimal);
    let automaton = |made: Result<Automaton<u32>, _>| made.expect("small").minimized();
    let ends = TwoSidedPruning {
        front: automaton(Automaton::new(&learned)),
        back: automaton(Automaton::reversed(&learned, |op| plain.inverse_op(op))),
    };
    let two = TwoSided(ByteCube3::new(plain));
    let limits = Limits { bound: Some(bound), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let (mut nodes, started) = (0, Instant::now());
    for line in CUBES.lines().filter(|line| !line.starts_with('#')) {
        let start = two.state(&(&parse_state(line).expect("a cube")).into());
        nodes += ida_star_parallel(&two, heuristic, &ends, &start, &options).generated();
    }
    (nodes, started.elapsed().as_secs_f64() * 1e9)
}

fn told(name: &str, bytes: u64, bound: u8, (nodes, nanos): (u64, f64), reads: &[&AtomicU64]) {
    let each = reads.iter().map(|reads| reads.load(Relaxed) as f64 / nodes as f64);
    let each = each.map(|reads| format!("{reads:.2}")).collect::<Vec<_>>().join(" and ");
    println!(
        "{name}, {bytes} bytes, bound {bound}: {nodes} generated nodes, {each} reads a node; \
         {:.2} s a cube, {:.1} ns a node",
        nanos / 5e9,
        nanos / nodes as f64,
    );
}
