//! The generic search on the 15-puzzle with Manhattan distance: generated nodes per second.
//!
//! `cargo bench -p fewest-tiles --bench manhattan` solves six instances of Richard Korf (1985),
//! which take 97.8 million nodes together. It runs each configuration several times and prints the
//! nodes, and the best and the median rate per second of CPU time. The nodes must be the published
//! ones without the root.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use fewest_tiles::{KorfTaylor, LinearConflict, Puzzle15, TilesManhattan};
use search::{Heuristic, InversePruning, Options, ida_star};
use std::time::Instant;

/// Numbers 2, 35, 73, 74, 77 and 78 of the hundred instances.
const INSTANCES: [&str; 6] = [
    "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6",
    "1 6 12 14 3 2 15 8 4 5 13 9 0 7 11 10",
    "6 14 10 5 15 8 7 1 3 4 2 0 12 9 11 13",
    "14 13 4 11 15 8 6 9 0 7 3 1 2 10 12 5",
    "0 13 2 4 12 14 6 9 15 1 10 3 11 5 8 7",
    "3 14 13 6 4 15 8 9 5 12 10 0 2 7 1 11",
];
/// Runs of each configuration.
const RUNS: usize = 7;

/// Seconds of CPU time of this thread, if the operating system reports them. Otherwise, seconds
/// since [`EPOCH`].
fn seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    run.map_or_else(|| EPOCH.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The first call of [`seconds`], from which wall time counts.
static EPOCH: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

fn measure<H: Heuristic<Puzzle15>>(name: &str, domain: &Puzzle15, heuristic: &H) {
    let pruning = InversePruning;
    let mut rates: Vec<f64> = Vec::new();
    let mut nodes = 0;
    for _ in 0..RUNS {
        let started = seconds();
        nodes = INSTANCES
            .iter()
            .filter_map(|text| domain.parse(text).ok())
            .map(|start| {
                ida_star(domain, heuristic, &pruning, &start, &Options::default()).generated()
            })
            .sum();
        rates.push(nodes as f64 / (seconds() - started) / 1e6);
    }
    rates.sort_by(f64::total_cmp);
    println!(
        "{name}: {nodes} nodes; best {:.1}, median {:.1} million a second",
        rates[RUNS - 1],
        rates[RUNS / 2]
    );
}

/// A search written for the 15-puzzle alone, to compare with the generic one. It recurses on a
/// packed board, with one copy of the function for each last move.
struct HandWritten {
    /// Indexed by the square that the tile leaves, then operator, then tile: the change of its
    /// Manhattan distance, modulo 256.
    delta: [u8; 1024],
    generated: u64,
}

impl HandWritten {
    fn new() -> Self {
        let apart = |a: usize, b: usize| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4);
        let mut delta = [0; 1024];
        for (place, delta) in delta.iter_mut().enumerate() {
            let (from, op, tile) = (place >> 6, place >> 4 & 3, place & 15);
            // The tile moves to the blank's square, so in the opposite direction.
            let to = from.wrapping_add([4, 1, 15, 12][op]) & 15;
            *delta = u8::from(apart(tile, to) > apart(tile, from)).wrapping_mul(2).wrapping_sub(1);
        }
        Self { delta, generated: 0 }
    }

    fn descend<const LAST: usize>(&mut self, board: u64, blank: usize, h: u8, left: u8) -> bool {
        macro_rules! child {
            ($op:literal, $applies:expr, $target:expr) => {
                if $op != 3_usize.wrapping_sub(LAST) && $applies {
                    let target = $target & 15;
                    let tile = board >> (4 * target) & 15;
                    let h = h.wrapping_add(self.delta[target << 6 | $op << 4 | tile as usize]);
                    self.generated += 1;
                    if h == 0 {
                        return true;
                    }
                    if h < left {
                        let board = board ^ (tile << (4 * target) | tile << (4 * blank));
                        if self.descend::<$op>(board, target, h, left - 1) {
                            return true;
                        }
                    }
                }
            };
        }
        child!(0, blank > 3, blank.wrapping_sub(4));
        child!(1, blank & 3 > 0, blank.wrapping_sub(1));
        child!(2, blank & 3 < 3, blank + 1);
        child!(3, blank < 12, blank + 4);
        false
    }

    /// Number of nodes that a whole search generates. `h` is the root's Manhattan distance.
    fn search(&mut self, board: u64, blank: usize, h: u8) -> u64 {
        self.generated = 0;
        for bound in (h..).step_by(2) {
            if self.descend::<7>(board, blank, h, bound) {
                break;
            }
        }
        self.generated
    }
}

fn hand_written(domain: &Puzzle15) {
    let mut search = HandWritten::new();
    let mut rates: Vec<f64> = Vec::new();
    let mut nodes = 0;
    for _ in 0..RUNS {
        let started = seconds();
        nodes = 0;
        for board in INSTANCES.iter().filter_map(|text| domain.parse(text).ok()) {
            let word =
                (0..16).fold(0, |word, square| word | (board.label(square) as u64) << (4 * square));
            nodes += search.search(word, board.blank(), domain.manhattan(&board));
        }
        rates.push(nodes as f64 / (seconds() - started) / 1e6);
    }
    rates.sort_by(f64::total_cmp);
    println!(
        "manhattan, written by hand: {nodes} nodes; best {:.1}, median {:.1} million a second",
        rates[RUNS - 1],
        rates[RUNS / 2]
    );
}

fn main() {
    let domain = Puzzle15::new();
    hand_written(&domain);
    measure("manhattan", &domain, &TilesManhattan::new(&domain));
    measure("linear conflict", &domain, &LinearConflict::new(&domain));
    if let Ok(heuristic) = KorfTaylor::new(&domain) {
        measure("korf-taylor", &domain, &heuristic);
    }
}
