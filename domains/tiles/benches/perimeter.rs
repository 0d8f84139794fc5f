//! Does a perimeter help against pattern databases of the same bytes? Nodes and seconds of IDA* on
//! the 15-puzzle, with hand-written heuristics and additive tables, and perimeters around the goal.
//!
//! `cargo bench -p fewest-tiles --bench perimeter -- [MOVES [BOARDS]]` solves the first BOARDS (12)
//! of Korf's hundred boards (1985) with plans of at most MOVES (56) on one thread with each
//! heuristic. It prints the bytes, the generated nodes and the seconds of CPU time.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use fewest_tiles::instances::KORF_100;
use fewest_tiles::{
    BlankRegion, Board, LinearConflict, PatternTable, Placements, Puzzle15, RankedSums,
    RankedTables, TableLayout, TilesManhattan, known_partition, patterns,
};
use pdb::BuildOptions;
use search::stored::{FrontToPerimeter, Perimeter};
use search::{Cost, Heuristic, InversePruning, MaxOfSums, Options, Zero, ida_star};
use std::sync::Arc;
use std::time::Instant;

/// Seconds of CPU time of this thread, if the operating system reports them. Otherwise, seconds
/// since [`EPOCH`].
fn seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let run = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    run.map_or_else(|| EPOCH.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The first call of [`seconds`], from which wall time counts.
static EPOCH: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

fn measure<H: Heuristic<Puzzle15>>(
    name: &str,
    bytes: usize,
    heuristic: &H,
    starts: &[(Board<u64>, usize)],
) {
    let domain = Puzzle15::new();
    let (mut nodes, started) = (0, seconds());
    for (start, moves) in starts {
        let report = ida_star(&domain, heuristic, &InversePruning, start, &Options::default());
        assert_eq!(report.plan().map(|plan| plan.len()), Some(*moves));
        nodes += report.generated();
    }
    let spent = seconds() - started;
    println!("{name:<42} {bytes:>10} bytes {nodes:>12} nodes {spent:>8.2} s");
}

/// The additive tables of a known partition, read for the board and its reflection.
fn tables(domain: &Puzzle15, sizes: &[usize]) -> (RankedSums<1, 16>, usize) {
    let partition = known_partition(4, 4, sizes).expect("a known partition");
    let build = |pattern: fewest_tiles::TilePattern| {
        let placements = Placements::new(pattern.clone()).expect("a pattern");
        let (layout, options) = (TableLayout::Ranked, BuildOptions::default());
        let bytes = PatternTable::build(&placements, layout, &options).expect("built");
        Arc::new(PatternTable::new(pattern, layout, bytes).expect("its bytes"))
    };
    let tables: Vec<_> =
        patterns(domain.grid(), &partition).expect("patterns").into_iter().map(build).collect();
    let bytes = tables.iter().map(|table| table.bytes().len()).sum();
    let members =
        RankedTables::new(domain, &tables, true, BlankRegion::Forgotten).expect("members");
    // Each pattern on the board, then each on the reflected board.
    let all: Vec<usize> = (0..2 * tables.len()).collect();
    let sums: Vec<Vec<usize>> = all.chunks(sizes.len()).map(<[_]>::to_vec).collect();
    (MaxOfSums::new(domain, members, &sums).expect("sums"), bytes)
}

/// Manhattan distance between two boards.
fn between(domain: &Puzzle15, from: &Board<u64>, to: &Board<u64>) -> Cost {
    let mut places = [0; 16];
    (0..16).for_each(|square| places[to.label(square)] = square);
    let tiles = (0..16).filter(|&square| from.label(square) != 0);
    tiles.map(|square| domain.distance(square, places[from.label(square)])).sum()
}

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<usize>().ok());
    let (most, boards) = (numbers.next().unwrap_or(56), numbers.next().unwrap_or(12));
    let domain = Puzzle15::new();
    let starts: Vec<(Board<u64>, usize)> = KORF_100
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let numbers: Vec<usize> =
                line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let [_, tiles @ .., moves] = &numbers[..] else { return None };
            let tiles: Vec<u8> = tiles.iter().filter_map(|&tile| tile.try_into().ok()).collect();
            Some((domain.board(&tiles).ok()?, *moves)).filter(|(_, moves)| *moves <= most)
        })
        .take(boards)
        .collect();
    println!("{} boards", starts.len());
    let options = Options::default();
    let within = |bytes: usize| {
        let (goals, bytes, started) = ([domain.goal()], bytes as u64, seconds());
        let perimeter = Perimeter::within_bytes(&domain, &goals, Zero, bytes, &options);
        let perimeter = perimeter.expect("no limits");
        let took = seconds() - started;
        println!("radius {}: {} bytes, {took:.1} s", perimeter.radius(), perimeter.bytes());
        perimeter
    };
    let ((fives, five), (sixes, six)) = (tables(&domain, &[5, 5, 5]), tables(&domain, &[6, 6, 3]));
    let [small, middle, large] = [five, six - five, 5 * six].map(within);
    let (manhattan, conflict) = (TilesManhattan::new(&domain), LinearConflict::new(&domain));
    let (s, m, l) = (small.bytes(), middle.bytes(), large.bytes());
    measure("manhattan", 0, &manhattan, &starts);
    measure("manhattan, small perimeter", s, &small.with(&manhattan), &starts);
    measure("manhattan, middle perimeter", m, &middle.with(&manhattan), &starts);
    measure("manhattan, large perimeter", l, &large.with(&manhattan), &starts);
    for radius in [4, 8, 12] {
        let between = |from: &_, to: &_| between(&domain, from, to);
        let goals = [domain.goal()];
        let front = FrontToPerimeter::new(&domain, &goals, between, radius, &options);
        let front = front.expect("no limits");
        // A key for each state inside, and the board and its number at the border.
        let name = format!("manhattan to the {} boards at {radius}", front.border());
        measure(&name, 0, &front, &starts);
    }
    measure("linear conflict", 0, &conflict, &starts);
    measure("linear conflict, small perimeter", s, &small.with(&conflict), &starts);
    measure("linear conflict, middle perimeter", m, &middle.with(&conflict), &starts);
    measure("linear conflict, large perimeter", l, &large.with(&conflict), &starts);
    measure("5-5-5", five, &fives, &starts);
    measure("5-5-5, middle perimeter", five + m, &middle.with(&fives), &starts);
    measure("6-6-3", six, &sixes, &starts);
    measure("6-6-3, middle perimeter", six + m, &middle.with(&sixes), &starts);
    measure("6-6-3, large perimeter", six + l, &large.with(&sixes), &starts);
}
