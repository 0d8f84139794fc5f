//! Search from closures, against `pathfinding::idastar` and against a `Domain` of the same puzzle.
//!
//! `cargo bench -p fewest --bench closures` solves Korf's instance 12 (Artificial Intelligence 27,
//! 1985) with Manhattan distance from scratch. The board is written in four ways, which decide how
//! much faster the closures are: see docs/FROM_PATHFINDING.md. Prints for each how many lists of
//! successors the search asked for, and the median time of alternating runs.
#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

mod boards;
mod domain;
mod stored;

use boards::{Board, GOAL, Grid, flat, grid, word};
use fewest::closures::idastar;
use std::cell::Cell;
use std::hash::Hash;
use std::time::Instant;

const KORF: &str = include_str!("../../domains/tiles/instances/korf100_15.txt");
/// The instance of Korf's hundred that A\* solves.
const STORED: &str = "47";
/// The number of timed runs of each way of solving. The ways take turns.
const RUNS: usize = 15;

/// One way to solve the instance.
struct Way<'a> {
    name: String,
    /// Solves the instance. Returns the cost of its plan.
    solve: Box<dyn Fn() -> u32 + 'a>,
    lists: u64,
    seconds: Vec<f64>,
}

impl<'a> Way<'a> {
    fn new(name: String, lists: u64, solve: impl Fn() -> u32 + 'a) -> Self {
        Self { name, solve: Box::new(solve), lists, seconds: Vec::new() }
    }

    fn median(&self) -> f64 {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    }
}

/// Two ways to solve with the same closures: by `pathfinding` and by our search. Each runs once
/// here, to count its calls for successors. `main` times them.
fn race<'a, N, I>(
    name: &str,
    [start, goal]: [N; 2],
    successors: impl Fn(&N) -> I + Copy + 'a,
    heuristic: impl Fn(&N) -> u32 + Copy + 'a,
) -> [Way<'a>; 2]
where
    N: Clone + Eq + Hash + 'a,
    I: IntoIterator<Item = (N, u32)>,
{
    let lists = Cell::new(0);
    let counted = |at: &N| {
        lists.set(lists.get() + 1);
        successors(at)
    };
    let cost = |found: Option<(Vec<N>, u32)>| found.map_or(0, |(_, cost)| cost);
    let is_goal = |at: &N| *at == goal;
    cost(pathfinding::prelude::idastar(&start, counted, heuristic, is_goal));
    let theirs = lists.take();
    idastar(&start, counted, heuristic, is_goal).map(cost).unwrap_or(0);
    let ours = lists.take();
    let ends = (start.clone(), goal.clone());
    let rival = move || {
        let (start, goal) = &ends;
        cost(pathfinding::prelude::idastar(start, successors, heuristic, |at| at == goal))
    };
    let closures =
        move || idastar(&start, successors, heuristic, |at| *at == goal).map(cost).unwrap_or(0);
    [
        Way::new(format!("pathfinding, {name}"), theirs, rival),
        Way::new(format!("closures, {name}"), ours, closures),
    ]
}

/// A hand-written recursion on sixteen bytes, with the same closures and no transposition table.
/// Returns the cost and the number of lists of successors.
fn by_hand(start: &Board) -> (u32, u64) {
    fn descend(
        board: &Board,
        before: &Board,
        remaining: u32,
        over: &mut u32,
        lists: &mut u64,
    ) -> bool {
        *lists += 1;
        for (next, cost) in flat::iterator(board) {
            if next == *before {
                continue;
            }
            let f = cost + flat::manhattan(&next);
            if f > remaining {
                *over = (*over).min(f - remaining);
            } else if next == GOAL || descend(&next, board, remaining - cost, over, lists) {
                return true;
            }
        }
        false
    }
    let (mut bound, mut lists) = (flat::manhattan(start), 0);
    loop {
        let mut over = u32::MAX;
        if descend(start, start, bound, &mut over, &mut lists) {
            return (bound, lists);
        }
        bound += over;
    }
}

/// An instance of Korf's hundred, and the cost of its cheapest plans.
fn korf(number: &str) -> (Board, u32) {
    let row = KORF.lines().find(|line| line.split(' ').next() == Some(number)).unwrap_or_default();
    let numbers: Vec<u8> = row.split(' ').filter_map(|number| number.parse().ok()).collect();
    (numbers[1..17].try_into().unwrap_or(GOAL), numbers[17].into())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (stored, _) = korf(STORED);
    if let [_, peak, who, number] = &arguments[..]
        && peak == "peak"
    {
        return stored::run_one(stored, who, number.parse().unwrap_or(usize::MAX));
    }
    deepening();
    stored::compare(stored);
}

fn deepening() {
    let (start, cost) = korf("12");
    let bytes = [start, GOAL];
    let mut ways: Vec<Way> = [
        race("16 bytes, vector", bytes, flat::vector, flat::manhattan),
        race("16 bytes, iterator", bytes, flat::iterator, flat::manhattan),
        race("rows and columns, vector", bytes.map(Grid::new), grid::vector, grid::manhattan),
        race("one word, iterator", bytes.map(word::pack), word::iterator, word::manhattan),
    ]
    .into_iter()
    .flatten()
    .collect();
    let hand = move || by_hand(&start);
    ways.push(Way::new("by hand, 16 bytes, iterator".into(), hand().1, move || hand().0));
    let domain = move || domain::solve(&start);
    ways.push(Way::new("domain".into(), domain().1, move || domain().0));
    for _ in 0..RUNS {
        for way in &mut ways {
            let started = Instant::now();
            assert_eq!((way.solve)(), cost);
            way.seconds.push(started.elapsed().as_secs_f64());
        }
    }
    println!("cost {cost}, {RUNS} alternating runs");
    println!("{:<38} {:>8} {:>8} {:>10} {:>6}", "", "lists", "ms", "ns a list", "times");
    for (place, way) in ways.iter().enumerate() {
        // The last two ways have no counterpart in `pathfinding`. They are compared with its run on
        // 16 bytes.
        let rival = if place < 8 { place & !1 } else { 2 };
        let (seconds, times) = (way.median(), ways[rival].median() / way.median());
        #[expect(clippy::cast_precision_loss, reason = "a few hundred thousand")]
        let each = 1e9 * seconds / way.lists as f64;
        let (name, lists, ms) = (&way.name, way.lists, 1e3 * seconds);
        println!("{name:<38} {lists:>8} {ms:>8.2} {each:>10.1} {times:>6.2}");
    }
}
