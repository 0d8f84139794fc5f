//! A\* from closures against `pathfinding::astar` on the same closures: time, and peak memory.

use super::boards::{Board, GOAL, Grid, flat, grid, word};
use fewest::closures::ClosureSearch;
use std::cell::Cell;
use std::hash::Hash;
use std::time::Instant;

/// The number of timed runs of each search. The two take turns.
const RUNS: usize = 7;

/// The result of one search: the cost of the plan, and the number of lists of successors.
type Found = (u32, u64);

/// A problem for both searches.
struct Race<'a> {
    name: &'static str,
    ours: Box<dyn Fn() -> Found + 'a>,
    theirs: Box<dyn Fn() -> Found + 'a>,
}

impl<'a> Race<'a> {
    fn new<N, I>(
        name: &'static str,
        [start, goal]: [N; 2],
        successors: impl Fn(&N) -> I + Copy + 'a,
        heuristic: impl Fn(&N) -> u32 + Copy + 'a,
    ) -> Self
    where
        N: Clone + Eq + Hash + 'a,
        I: IntoIterator<Item = (N, u32)>,
    {
        let ends = (start.clone(), goal.clone());
        let ours = move || {
            let lists = Cell::new(0);
            let counted = |at: &N| {
                lists.set(lists.get() + 1);
                successors(at)
            };
            let search = ClosureSearch::new(&ends.0, counted, heuristic, |at| *at == ends.1);
            let answer = search.a_star();
            let cost = answer.ok().and_then(|answer| Some(answer.path()?.cost));
            (cost.unwrap_or(0), lists.get())
        };
        let theirs = move || {
            let lists = Cell::new(0);
            let counted = |at: &N| {
                lists.set(lists.get() + 1);
                successors(at)
            };
            let is_goal = |at: &N| *at == goal;
            let found = pathfinding::prelude::astar(&start, counted, heuristic, is_goal);
            (found.map_or(0, |(_, cost)| cost), lists.get())
        };
        Self { name, ours: Box::new(ours), theirs: Box::new(theirs) }
    }
}

/// Side of a square map with walls.
const SIDE: i32 = 1500;

/// Whether a place of the map is open: about three of four are.
fn open((x, y): (i32, i32)) -> bool {
    let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
    let mixed = (x.wrapping_mul(0x9e37) ^ y.wrapping_mul(0x79b9)).wrapping_mul(0x045d_9f3b);
    inside && (mixed >> 16 & 3 != 0 || x == y)
}

/// Steps in eight directions, which cost 1000 and 1414.
fn neighbours(&(x, y): &(i32, i32)) -> impl Iterator<Item = ((i32, i32), u32)> + use<> {
    let all = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
    let steps = all.filter(|&step| step != (0, 0));
    steps
        .map(move |(dx, dy)| ((x + dx, y + dy), if dx == 0 || dy == 0 { 1000 } else { 1414 }))
        .filter(|&(to, _)| open(to))
}

fn octile(&(x, y): &(i32, i32)) -> u32 {
    let (x, y) = (x.abs_diff(SIDE - 1), y.abs_diff(SIDE / 2));
    1000 * x.max(y) + 414 * x.min(y)
}

fn races<'a>(start: Board) -> Vec<Race<'a>> {
    let bytes = [start, GOAL];
    vec![
        Race::new("16 bytes, vector", bytes, flat::vector, flat::manhattan),
        Race::new("16 bytes, iterator", bytes, flat::iterator, flat::manhattan),
        Race::new("rows and columns, vector", bytes.map(Grid::new), grid::vector, grid::manhattan),
        Race::new("one word, iterator", bytes.map(word::pack), word::iterator, word::manhattan),
        Race::new("map, costs 1000 and 1414", [(0, 0), (SIDE - 1, SIDE / 2)], neighbours, octile),
    ]
}

/// Runs one search, for a process of its own: `ours NUMBER` or `theirs NUMBER`.
pub(crate) fn run_one(start: Board, who: &str, number: usize) {
    if let Some(race) = races(start).get(number) {
        let found = if who == "ours" { (race.ours)() } else { (race.theirs)() };
        assert!(found.0 > 0);
    }
    println!("{}", peak().unwrap_or(0));
}

/// The peak of the resident memory of this process in KiB, where Linux tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The peak of one search in a process of its own in KiB, without that of an idle process.
fn peak_of(who: &str, number: usize) -> Option<u64> {
    let run = |number: usize| {
        let program = std::env::current_exe().ok()?;
        let output = std::process::Command::new(program)
            .args(["peak", who, &number.to_string()])
            .output()
            .ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<u64>().ok()
    };
    run(number)?.checked_sub(run(usize::MAX)?)
}

/// Times both searches on all problems, and prints a row for each.
pub(crate) fn compare(start: Board) {
    println!("\nA*, {RUNS} alternating runs; peaks of processes of their own");
    println!(
        "{:<26} {:>9} {:>9} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6}",
        "", "lists", "theirs", "ms", "theirs", "ratio", "MiB", "theirs", "ratio"
    );
    for (number, race) in races(start).iter().enumerate() {
        let (ours, theirs) = ((race.ours)(), (race.theirs)());
        assert_eq!(ours.0, theirs.0, "{}", race.name);
        let mut seconds = [Vec::new(), Vec::new()];
        for _ in 0..RUNS {
            for (search, seconds) in [&race.ours, &race.theirs].into_iter().zip(&mut seconds) {
                let started = Instant::now();
                search();
                seconds.push(started.elapsed().as_secs_f64());
            }
        }
        let [a, b] = seconds.map(|mut seconds| {
            seconds.sort_by(f64::total_cmp);
            1e3 * seconds[seconds.len() / 2]
        });
        #[expect(clippy::cast_precision_loss, reason = "kibibytes of this machine")]
        let [p, q] =
            ["ours", "theirs"].map(|who| peak_of(who, number).unwrap_or(0) as f64 / 1024.0);
        println!(
            "{:<26} {:>9} {:>9} {a:>8.1} {b:>8.1} {:>6.2} {p:>8.1} {q:>8.1} {:>6.2}",
            race.name,
            ours.1,
            theirs.1,
            a / b,
            p / q
        );
    }
}
