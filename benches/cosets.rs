//! Bare searches with each coset table of the cube: nodes, reads and nanoseconds. `cargo bench -p fewest --bench cosets -- [BOUND [MIB]]`
//!
//! Five random cubes (tests/instances/cube_five.txt), all bounds up to BOUND (14), half turns, one thread; with every table of at most so many MIB (40), built in
//! memory. No near-optimal search and no climbing: what a node costs.
#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

use fewest::cube::cosets::{Axes, Coordinates, Family};
use fewest::cube::notation::parse_state;
use fewest::cube::{ByteCube, ByteCube3, Cube3, Metric};
use fewest::fsm::{Automaton, Keep, learn};
use fewest::pdb::BuildOptions;
use fewest::pdb::coset::{Cosets, Reduced, TwoBit, Views};
use fewest::search::{
    Asked, Both, CancelToken, Ends, Limits, Options, Reversible, TwoSided, ida_star_parallel,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

const CUBES: &str = include_str!("../tests/instances/cube_five.txt");
const METRIC: Metric = Metric::HalfTurn;

/// The axes, and how many sides were looked up.
struct Counted {
    axes: Axes,
    reads: AtomicU64,
}

impl Cosets<ByteCube3> for &Counted {
    const VIEWS: usize = <Axes as Cosets<ByteCube3>>::VIEWS;

    #[inline(always)]
    fn locate(&self, view: usize, state: &ByteCube) -> (u32, u32) {
        self.reads.fetch_add(1, Relaxed);
        self.axes.locate(view, state)
    }

    #[inline(always)]
    fn locate_all(
        &self,
        states: &[Both<ByteCube>],
        asked: &[Asked],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
    ) {
        self.reads.fetch_add(asked.len() as u64, Relaxed);
        self.axes.locate_all(states, asked, places, place);
    }
}

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<u64>().ok());
    let bound = numbers.next().and_then(|bound| bound.try_into().ok()).unwrap_or(14);
    let most = numbers.next().unwrap_or(40) << 20;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for family in Family::ALL.into_iter().filter(|family| family.bytes() <= most) {
        let reduced = Reduced::new(Coordinates::new(METRIC, family));
        let table = TwoBit::build(&reduced, family.base(METRIC), &BuildOptions::default());
        one.install(|| measure(family, bound, &reduced, table.expect("built")));
    }
}

fn measure(family: Family, bound: u8, reduced: &Reduced<Coordinates>, table: TwoBit) {
    let plain = Cube3::new(METRIC);
    let cube = ByteCube3::new(plain);
    let counted = Counted { axes: Axes::new(METRIC, reduced), reads: AtomicU64::new(0) };
    let views = Views::new(&cube, &counted, table).expect("unit costs");
    let learned = learn(&plain, 2, Keep::OneOptimal, &CancelToken::new()).expect("learned");
    let automaton = |made: Result<Automaton<u32>, _>| made.expect("small").minimized();
    let ends = Ends {
        front: automaton(Automaton::new(&learned)),
        back: automaton(Automaton::reversed(&learned, |op| plain.inverse_op(op))),
    };
    let two = TwoSided(cube);
    let limits = Limits { bound: Some(bound), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let (mut nodes, started) = (0, Instant::now());
    for line in CUBES.lines().filter(|line| !line.starts_with('#')) {
        let start = two.state(&(&parse_state(line).expect("a cube")).into());
        nodes += ida_star_parallel(&two, &views, &ends, &start, &options).generated();
    }
    let (nanos, reads) = (started.elapsed().as_secs_f64() * 1e9, counted.reads.load(Relaxed));
    println!(
        "{family:?}, {} bytes, bound {bound}: {nodes} generated nodes, {:.2} reads a node; {:.2} s a cube, {:.1} ns a node, {:.1} ns a read",
        family.bytes(),
        reads as f64 / nodes as f64,
        nanos / 5e9,
        nanos / nodes as f64,
        nanos / reads as f64,
    );
}
