//! Learned distances: the time and memory of learning, and the nodes that the heuristics save on
//! ten instances of the 15-puzzle.
//!
//! `cargo bench -p fewest-tiles --bench learned` learns for four boards. Then it solves, on one
//! thread, the ten instances of Richard Korf (1985) that take the fewest nodes with Manhattan
//! distance. Node counts are the same in every run.

#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use distances::LearnedDistances;
use fewest_tiles::{
    BoardWord, KorfTaylor, LinearConflict, Puzzle8, Puzzle15, Puzzle19, Puzzle24, Tiles,
    TilesManhattan,
};
use search::{Heuristic, InversePruning, Options, ida_star};
use std::time::Instant;

/// Number of instances to solve.
const INSTANCES: usize = 10;

fn learn<W: BoardWord, const R: usize, const C: usize>(domain: &Tiles<W, R, C>) {
    let goals = [domain.goal()];
    let started = Instant::now();
    let Ok(pairs) = LearnedDistances::pairs(domain, &goals, None) else { return };
    let middle = Instant::now();
    let Ok(triples) = LearnedDistances::triples(domain, &goals, None) else { return };
    let seconds = [middle - started, middle.elapsed()].map(|time| time.as_secs_f64());
    for (name, learned, seconds) in [("pairs", pairs, seconds[0]), ("triples", triples, seconds[1])]
    {
        let excesses = learned.excesses().len();
        println!(
            "{R}x{C} {name}: {:?} entries, {excesses} excesses, {} bytes, {seconds:.4} s",
            learned.entries(),
            learned.bytes()
        );
    }
}

/// The boards of the [`INSTANCES`] instances with the fewest nodes, as numbers row by row.
fn instances() -> Vec<Vec<u8>> {
    let rows = |text: &str| -> Vec<Vec<u64>> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let numbers = lines.map(|line| line.split_whitespace().flat_map(str::parse).collect());
        numbers.filter(|row: &Vec<u64>| !row.is_empty()).collect()
    };
    let boards = rows(include_str!("../instances/korf100_15.txt"));
    let nodes = rows(include_str!("../instances/korf100_15_nodes.txt"));
    let mut both: Vec<_> = nodes.iter().map(|row| row[4]).zip(boards).collect();
    both.sort();
    let board = |row: Vec<u64>| row[1..17].iter().flat_map(|&tile| u8::try_from(tile)).collect();
    both.into_iter().take(INSTANCES).map(|(_, row)| board(row)).collect()
}

fn solve<H: Heuristic<Puzzle15>>(name: &str, domain: &Puzzle15, heuristic: &H) {
    let pruning = InversePruning;
    let started = Instant::now();
    let reports =
        instances().into_iter().filter_map(|board| domain.board(&board).ok()).map(|start| {
            let report = ida_star(domain, heuristic, &pruning, &start, &Options::default());
            (report.generated(), report.plan().map_or(0, |plan| plan.len()))
        });
    let (nodes, moves) = reports.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let seconds = started.elapsed().as_secs_f64();
    let rate = nodes as f64 / seconds / 1e6;
    println!("{name}: {moves} moves, {nodes} nodes, {seconds:.3} s, {rate:.1} million a second");
}

fn main() {
    let domain = Puzzle15::new();
    solve("manhattan", &domain, &TilesManhattan::new(&domain));
    solve("linear conflict", &domain, &LinearConflict::new(&domain));
    if let Ok(heuristic) = KorfTaylor::new(&domain) {
        solve("korf-taylor", &domain, &heuristic);
    }
    let goals = [domain.goal()];
    if let Ok(heuristic) = LearnedDistances::singles(&domain, &goals) {
        solve("learned singles", &domain, &heuristic);
    }
    if let Ok(heuristic) = LearnedDistances::pairs(&domain, &goals, None) {
        solve("learned pairs", &domain, &heuristic);
    }
    if let Ok(heuristic) = LearnedDistances::triples(&domain, &goals, None) {
        solve("learned triples", &domain, &heuristic);
    }
    learn(&Puzzle8::new());
    learn(&domain);
    learn(&Puzzle19::new());
    learn(&Puzzle24::new());
}
