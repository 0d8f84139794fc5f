//! Sliding tiles, several crates together: all heuristics with the learned duplicate automaton, and
//! Korf's hundred instances.

use fewest::{Aim, Ending, PruningChoice, Puzzle, Request, Settings};
use search::testing::Distances;
use search::{Cost, Limits};
use std::time::Duration;
use tiles::Tiles;

/// Korf's instances of the 15-puzzle (1985): number, board, optimal length.
const KORF: &str = include_str!("../../domains/tiles/instances/korf100_15.txt");

fn puzzle(name: &str, heuristic: &str, pruning: PruningChoice, memory: u64) -> Box<dyn Puzzle> {
    let settings = Settings::default().heuristic(heuristic).pruning(pruning);
    crate::configured(name, &settings.memory(memory))
}

fn length(puzzle: &dyn Puzzle, state: &str) -> usize {
    crate::cubes::solve(puzzle, state).plans[0].len()
}

const HEURISTICS: [&str; 6] =
    ["manhattan", "linear-conflict", "korf-taylor", "pairs", "triples", "best"];

/// Solves every `step`th board with each heuristic and the automaton. The operators that the
/// automaton cuts must leave an optimal plan.
fn compare<const R: usize, const C: usize>(name: &str, step: usize)
where
    Tiles<u64, R, C>: search::Packed<State = tiles::Board<u64>>,
{
    let domain = Tiles::<u64, R, C>::new();
    let distances = Distances::from_goals(&domain, &[domain.goal()], 60);
    let mut boards = Vec::new();
    let visit = |board: &tiles::Board<u64>, cost: Cost, exact: bool| {
        assert!(exact);
        boards.push((domain.text(board), usize::from(cost)));
        Ok::<_, ()>(())
    };
    distances.try_for_each(visit).expect("no visit fails");
    boards.sort_unstable();
    for heuristic in HEURISTICS {
        for depth in [8, 14] {
            // The memory is too small for a table of the whole board, so that a search is tested.
            let puzzle = puzzle(name, heuristic, PruningChoice::Fsm(Some(depth)), 1000);
            for (board, cost) in boards.iter().step_by(step) {
                assert_eq!(length(&*puzzle, board), *cost, "{heuristic}, depth {depth}: {board}");
            }
        }
    }
}

#[test]
fn the_automaton_is_harmless_with_every_heuristic() {
    compare::<2, 3>("2x3-tiles", 1);
    compare::<2, 4>("2x4-tiles", 97);
    compare::<3, 3>("8-puzzle", 1009);
}

#[test]
#[ignore = "slow: all boards of 2x4 and 3x3 with six heuristics and two automata, 5 min"]
fn the_automaton_is_harmless_with_every_heuristic_on_all_boards() {
    compare::<2, 4>("2x4-tiles", 1);
    compare::<3, 3>("8-puzzle", 1);
}

fn korf(step: usize, puzzle: &dyn Puzzle) {
    for line in KORF.lines().filter(|line| !line.starts_with('#')).step_by(step) {
        let (_, rest) = line.split_once(' ').expect("a number");
        let (board, expected) = rest.rsplit_once(' ').expect("a board and a length");
        assert_eq!(length(puzzle, board).to_string(), expected, "{board}");
    }
}

#[test]
fn some_of_korfs_instances_have_their_lengths() {
    korf(9, &*puzzle("15-puzzle", "best", PruningChoice::Fsm(None), 16 << 20));
    korf(33, &*puzzle("15-puzzle", "triples", PruningChoice::Fsm(None), 0));
}

#[test]
#[ignore = "slow: builds tables of 577 MB, 1 min"]
fn all_of_korfs_instances_have_their_lengths() {
    korf(1, &*puzzle("15-puzzle", "best", PruningChoice::Fsm(None), 1 << 30));
}

/// Plans are looked for with linear conflicts until the tables of the heuristic are there.
#[test]
fn tables_at_hand_shorten_plans_that_are_not_proven() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let near = Request::default().aim(Aim::NearOptimal).limits(limits);
    let settings = Settings::default().heuristic("pdb:5-5-5").tables(folder.path());
    // The sum of the lengths, and that of the fewest moves.
    let lengths = |heuristic: &str| {
        let puzzle = fewest::configure("15-puzzle", &settings).expect("a puzzle");
        let boards = KORF.lines().filter(|line| !line.starts_with('#')).step_by(10).map(|line| {
            let (_, rest) = line.split_once(' ').expect("a number");
            let (board, least) = rest.rsplit_once(' ').expect("a board and a length");
            let answer = puzzle.solve(board, &near).expect("a plan");
            assert_eq!(answer.heuristic, heuristic);
            let least: usize = least.parse().expect("a length");
            assert!(answer.plans[0].len() >= least, "{board}");
            (answer.plans[0].len(), least)
        });
        boards.fold((0, 0), |sum, (found, least)| (sum.0 + found, sum.1 + least))
    };
    let (without, _) = lengths("linear-conflict");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let puzzle = fewest::configure("15-puzzle", &settings).expect("a puzzle");
    let near_the_goal = "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    puzzle.solve(near_the_goal, &Request::default()).expect("tables");
    let (with, least) = lengths("pdb:5-5-5");
    assert!(least <= with && with < without, "{with} moves, {without} without, {least} least");
}

/// The tables of `best` have 577 MB. Small ones solve these boards sooner than those are built.
#[test]
fn no_board_waits_for_tables_that_take_longer_than_its_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings::default().memory(1 << 30).tables(folder.path());
    let puzzle = fewest::configure("15-puzzle", &settings).expect("a puzzle");
    let mut with_small = 0;
    for line in KORF.lines().filter(|line| !line.starts_with('#')).step_by(12) {
        let (_, rest) = line.split_once(' ').expect("a number");
        let (board, least) = rest.rsplit_once(' ').expect("a board and a length");
        let answer = puzzle.solve(board, &Request::default()).expect("a plan");
        assert_eq!((answer.plans[0].len().to_string(), answer.optimal), (least.to_owned(), true));
        assert!(["linear-conflict", "best/5-5-5"].contains(&&*answer.heuristic), "{board}");
        with_small += usize::from(answer.heuristic == "best/5-5-5");
    }
    assert!(with_small > 3, "{with_small}");
    // Nor where time is limited.
    let limits = Limits { time: Some(Duration::from_secs(20)), ..Limits::default() };
    let board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let answer = puzzle.solve(board, &Request::default().limits(limits)).expect("a plan");
    assert_eq!((&*answer.heuristic, answer.optimal), ("best/5-5-5", true));
    let files = std::fs::read_dir(folder.path()).expect("a folder");
    let bytes = files.map(|file| file.expect("a file").metadata().expect("its bytes").len());
    assert!((3_000_000..4_000_000).contains(&bytes.sum::<u64>()));
    // Damaged files cost no plan.
    let with_tables = Settings::default().heuristic("pdb:5-5-5").tables(folder.path());
    let near = Request::default().aim(Aim::NearOptimal);
    for file in std::fs::read_dir(folder.path()).expect("a folder") {
        std::fs::write(file.expect("a file").path(), "no table").expect("written");
    }
    let puzzle = fewest::configure("15-puzzle", &with_tables).expect("a puzzle");
    let answer = puzzle.solve("4 1 2 3 5 0 6 7 8 9 10 11 12 13 14 15", &near);
    assert_eq!(answer.expect("a plan without tables").heuristic, "linear-conflict");
}

/// The seed in the file gives these boards. The easiest ones are also solved with other tables.
#[test]
fn the_random_boards_of_the_19_puzzle_are_what_they_are_said_to_be() {
    let puzzle = puzzle("19-puzzle", "best", PruningChoice::Fsm(None), 32 << 20);
    let boards: Vec<String> =
        puzzle.scrambler().expect("random states").scrambles(19).take(100).collect();
    let lines = tiles::instances::RANDOM_19.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.clone().count(), 100);
    let mut solved = 0;
    for line in lines {
        let (number, rest) = line.split_once(' ').expect("a number");
        let (rest, nodes) = rest.rsplit_once(' ').expect("nodes");
        let (board, expected) = rest.rsplit_once(' ').expect("a board and a length");
        let number: usize = number.parse().expect("a number");
        assert_eq!(boards[number - 1], board);
        if nodes.parse::<u64>().expect("nodes") < 100_000 {
            assert_eq!(length(&*puzzle, board).to_string(), expected, "{board}");
            solved += 1;
        }
    }
    assert_eq!(solved, 4);
}

/// The sum of nodes for every `step`th of Korf's instances, without an automaton, on one thread.
fn korf_nodes(puzzle: &dyn Puzzle, step: usize) -> u64 {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let boards = KORF.lines().filter(|line| !line.starts_with('#')).step_by(step).map(|line| {
        let (_, rest) = line.split_once(' ').expect("a number");
        rest.rsplit_once(' ').expect("a board and a length").0
    });
    let nodes = |board| {
        one.install(|| puzzle.solve(board, &Request::default())).expect("a board").generated()
    };
    boards.map(nodes).sum()
}

/// A request brings threads of its own. On one thread the nodes are Korf's, but for the root.
#[test]
fn a_job_has_threads_and_a_deadline() {
    let puzzle = puzzle("15-puzzle", "manhattan", PruningChoice::Inverse, 0);
    let board = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";
    let answer = puzzle.solve(board, &Request::default().threads(1)).expect("a board");
    assert_eq!(answer.generated(), 540_860 - 1);
    let late = Request::default().threads(3).deadline(std::time::Duration::ZERO);
    let answer = puzzle.solve(board, &late).expect("a board");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
}

/// Small tables are tested in place of the published large ones below. Their nodes must never
/// change.
#[test]
fn tables_of_five_need_their_nodes() {
    let puzzle = puzzle("15-puzzle", "pdb:5-5-5", PruningChoice::Inverse, 1 << 30);
    assert_eq!(korf_nodes(&*puzzle, 10), 21_528_182);
}

/// The published 7-8 tables, which ignore the blank, with the maximum of a board and its
/// reflection. They need 38,325 nodes on average.
#[test]
#[ignore = "slow: builds tables of 577 MB, 1 min"]
fn the_published_tables_need_their_nodes() {
    let puzzle = puzzle("15-puzzle", "pdb:7-8", PruningChoice::Inverse, 1 << 30);
    assert_eq!(korf_nodes(&*puzzle, 1), 3_832_499);
}

/// A plan that is not proven comes between two bounds, so no bound is searched twice.
#[test]
fn plans_beside_a_proof_cost_no_bound() {
    let puzzle = puzzle("3x6-tiles", "best", PruningChoice::Fsm(None), 1 << 26);
    let board = "5 17 4 0 13 12 2 14 6 11 10 9 7 15 3 1 16 8";
    // The first search may have to build the tables.
    let [_, answer] = [(); 2].map(|()| crate::cubes::solve(&*puzzle, board));
    assert_eq!((answer.plans[0].len(), answer.optimal), (73, true));
    assert!(answer.near.is_some_and(|near| near.generated > 0));
    let bounds: Vec<_> = answer.iterations.iter().map(|iteration| iteration.bound).collect();
    assert!(bounds.len() > 4 && bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
}
