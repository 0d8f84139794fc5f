//! Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996:
//! the theory of heuristics and of duplicate strings. The searches are in the next file.

use super::grid::Grid;
use super::korf_taylor_1996_searches::{averages, conflicts, factors, solve, table_1};
use super::{Experiment, Findings, Lab, Paper, Row, Sample};
use crate::puzzle::Failure;
use crate::runs::{stopped, within};
use crate::settings::PruningChoice;
use distances::{DistancesError, LearnedDistances};
use fsm::{Automaton, Keep, learn_until, sequence_counts};
use search::random::Random;
use search::{Heuristic, layer_counts};
use tiles::{AnyTiles, BoardWord, CornerTiles, Puzzle24, WideWord};

pub(super) const PAPER: Paper = Paper {
    title: "Korf and Taylor, Finding optimal solutions to the twenty-four puzzle, 1996",
    experiments: &[
        Experiment {
            name: "kt96-heuristics",
            ids: "T1 T3 T4 T5 T8",
            title: "Manhattan distance, last moves and corner tiles: how often they apply",
            seconds: 3,
            run: heuristics,
        },
        Experiment {
            name: "kt96-pairs",
            ids: "T6 T7",
            title: "pairwise distances of four boards: how many exceed, and conflicts of three",
            seconds: 5,
            run: pairs,
        },
        Experiment {
            name: "kt96-grid",
            ids: "T9",
            title: "duplicate strings of a grid: all paths, no way back, one path for each point",
            seconds: 1,
            run: grid,
        },
        Experiment {
            name: "kt96-automaton",
            ids: "T10 T11",
            title: "the automaton of the 24-puzzle: branching factors, the shortest cycle",
            seconds: 20,
            run: |lab, out| automaton(lab, out, 14),
        },
        Experiment {
            name: "kt96-automaton-16",
            ids: "T10",
            title: "an automaton of the 24-puzzle that beats theirs with fewer states",
            seconds: 120,
            run: |lab, out| automaton(lab, out, 16),
        },
        Experiment {
            name: "kt96-factors",
            ids: "T10",
            title: "what the automaton saves on the two easiest 24-puzzles",
            seconds: 15,
            run: factors,
        },
        Experiment {
            name: "kt96-conflicts",
            ids: "T2",
            title: "linear conflict beside Manhattan distance, 15-puzzle",
            seconds: 10,
            run: conflicts,
        },
        Experiment {
            name: "kt96-averages",
            ids: "T12 T13",
            title: "mean lengths of the 15-puzzle and the 19-puzzle",
            seconds: 50,
            run: averages,
        },
        Experiment {
            name: "kt96-table1",
            ids: "T14 T15 T16",
            title: "Table 1: the boards, and their recorded lengths",
            seconds: 1,
            run: table_1,
        },
        Experiment {
            name: "kt96-solve-quick",
            ids: "T14",
            title: "Table 1: the two easiest boards solved anew",
            seconds: 300,
            run: |lab, out| solve(lab, out, 20_000_000_000),
        },
        Experiment {
            name: "kt96-solve",
            ids: "T14 T15",
            title: "Table 1: all ten boards solved anew (hours)",
            seconds: 60_000,
            run: |lab, out| solve(lab, out, u64::MAX),
        },
    ],
};

/// T1, T3, T5 and T8.
fn heuristics(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    for (rows, columns) in [(3, 3), (4, 4), (4, 5), (5, 5)] {
        let board = board::<WideWord>(rows, columns)?;
        let (sum, squares) = board.expected_manhattan();
        let mean = f64::from(sum) / f64::from(squares);
        let what = format!("mean Manhattan distance, {rows} x {columns}");
        out.row(Row::unpublished("T1", what, (mean, 3)));
        let singles = LearnedDistances::singles(&board, &[board.goal()]).map_err(learned)?;
        let places =
            || (0..board.squares()).flat_map(|to| (1..board.squares()).map(move |t| (t, to)));
        let alike = places().filter(|&(tile, square)| {
            singles.distance(tile, square) == Some(board.distance_home(tile, square))
        });
        let what = format!("single-tile searches that find Manhattan distance, {rows} x {columns}");
        out.row(Row::exact("T8", what, places().count(), alike.count()));
    }
    let puzzle = Puzzle24::new();
    let (apply, all) = puzzle.last_move_fraction().map_err(Failure::refused)?;
    let percent = 100.0 * apply as f64 / all as f64;
    out.row(Row::exact(
        "T3",
        "placements with a last move to add, in per cent",
        (64.0, 0),
        (percent, 4),
    ));
    out.row(Row::unpublished("T3", "the same, as a fraction", format!("{apply}/{all}")));

    // At least one of the six tiles beside the three corners is at home, by inclusion and exclusion
    // over all 25! boards.
    let mut share = 0.0;
    let mut term = 1.0;
    for k in 1..=6_u32 {
        // C(6, k) (25 - k)! / 25!
        term *= f64::from(7 - k) / f64::from(k) / f64::from(26 - k);
        share += if k % 2 == 1 { term } else { -term };
    }
    out.row(Row::exact(
        "T5",
        "boards with one of the six tiles at home, in per cent",
        (22.0, 0),
        (100.0 * share, 4),
    ));
    let (corners, mut fires) = (CornerTiles::new(&puzzle), Sample::default());
    let mut random = Random::new(1996);
    for done in 0..200_000 {
        if done % 5_000 == 0 {
            lab.check()?;
        }
        let board = puzzle.random(&mut random);
        let added = corners.estimate(&puzzle, &board) > puzzle.manhattan(&board);
        fires.add(if added { 100.0 } else { 0.0 });
    }
    let what = "boards with a corner tile to add, in per cent";
    let why =
        "a tile at home beside a corner adds moves only if the corner's own tile is not in it";
    let row = Row::unpublished("T5", what, (fires.mean(), 2));
    out.row(row.with_sample(&fires).remark(why));
    let wrong_corners = every_corner_tile();
    let board = puzzle.board(&wrong_corners).map_err(Failure::refused)?;
    let added = corners.estimate(&puzzle, &board) - puzzle.manhattan(&board);
    out.row(Row::exact("T5", "most moves that corner tiles add", 12_usize, usize::from(added)));
    Ok(())
}

/// A board of the 24-puzzle with the tiles beside three corners at home, and none in its corner.
fn every_corner_tile() -> Vec<u8> {
    let mut numbers: Vec<u8> = (0..25).collect();
    // The corner tiles 4, 20 and 24 go round with tile 12; two others change places.
    numbers.swap(4, 12);
    numbers.swap(20, 12);
    numbers.swap(24, 12);
    numbers.swap(1, 5);
    numbers
}

/// A board of any size.
fn board<W: BoardWord>(rows: usize, columns: usize) -> Result<AnyTiles<W>, Failure> {
    let no = || Failure::refused(format_args!("no board has {rows} rows of {columns}"));
    AnyTiles::of_size(rows, columns).ok_or_else(no)
}

fn learned(error: DistancesError) -> Failure {
    match error {
        DistancesError::Cancelled => Failure::Cancelled,
        error => Failure::refused(error),
    }
}

/// T6 and T7.
fn pairs(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let cancel = Some(&lab.job.cancel);
    for (rows, columns) in [(3, 3), (4, 4), (4, 5), (5, 5)] {
        let board = board::<WideWord>(rows, columns)?;
        let learned_pairs = LearnedDistances::pairs(&board, &[board.goal()], cancel);
        let learned_pairs = learned_pairs.map_err(learned)?;
        let excesses = learned_pairs.excesses();
        let count = excesses.len() as u64;
        let name = format!("{rows} x {columns}");
        let all = learned_pairs.entries()[1];
        let equal = 100.0 * (1.0 - count as f64 / all as f64);
        let what = format!("{name}: pairs whose distance is Manhattan distance, in per cent");
        let remark = format!("{count} of {all} pairs exceed; the paper says \"almost all pairs\"");
        out.row(Row::unpublished("T6", what, (equal, 2)).remark(remark));
        let two = excesses.iter().filter(|excess| excess.cost() == 2).count();
        let what = format!("{name}: pairs that exceed by two moves, of all that exceed");
        out.row(Row::exact("T6", what, count, two as u64));
    }
    let puzzle = board::<u64>(4, 4)?;
    let triples = LearnedDistances::triples(&puzzle, &[puzzle.goal()], cancel).map_err(learned)?;
    let found = |tiles: &[u8], squares: &[u8]| {
        let mut all = triples.excesses().iter();
        let one = all.find(|one| one.features() == tiles && one.places() == squares);
        one.map_or(0, |one| usize::from(one.cost()))
    };
    // The tiles 3 2 1 stand in this order in their row.
    let of_pairs =
        [(&[1, 2], &[3, 2]), (&[1, 3], &[3, 1]), (&[2, 3], &[2, 1])].map(|(t, s)| found(t, s));
    // Any two of the pairs share a tile, so a matching takes one.
    let matched = of_pairs.into_iter().max().unwrap_or(0);
    out.row(Row::exact(
        "T7",
        "3 2 1 in their row: moves that a matching of pairs adds",
        2_usize,
        matched,
    ));
    let three = found(&[1, 2, 3], &[3, 2, 1]);
    out.row(Row::exact("T7", "3 2 1 in their row: moves that the triple adds", 4_usize, three));
    Ok(())
}

/// T9: with two automata of a grid, and with none.
fn grid(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    const DEPTH: usize = 12;
    let points = layer_counts(&Grid, &Grid::ORIGIN, DEPTH, &within(&lab.job, None));
    let points = points.map_err(stopped)?;
    let points: u64 = points.iter().sum();
    let formula = 2 * DEPTH as u64 * DEPTH as u64 + 2 * DEPTH as u64 + 1;
    out.row(Row::exact(
        "T9",
        format!("points within {DEPTH} steps: 2 d^2 + 2 d + 1"),
        formula,
        points,
    ));
    let strings = |automaton: &Automaton<u64>| sequence_counts(&Grid, automaton, 0, DEPTH);
    let free = Grid::automaton(&[])?;
    let what = format!("paths of {DEPTH} steps: 4^d");
    out.row(Row::exact("T9", what, 4_u128.pow(12), strings(&free)[DEPTH]));
    let no_return = Grid::automaton(&Grid::ways_back())?;
    let what = format!("paths of {DEPTH} steps without a step back: 4 * 3^(d - 1)");
    out.row(Row::exact("T9", what, 4 * 3_u128.pow(11), strings(&no_return)[DEPTH]));
    out.row(Row::exact(
        "T9",
        "states of the automaton without steps back",
        5_usize,
        no_return.states(),
    ));

    let learned = learn_until(&Grid, 2, Keep::OneOptimal, &lab.job.cancel, usize::MAX);
    let learned = learned.map_err(|_| Failure::Cancelled)?;
    let one_path = Automaton::new(&learned).map_err(Failure::refused)?.minimized();
    let what = "states of the automaton learned from all paths of two steps";
    out.row(Row::exact("T9", what, 5_usize, one_path.states()));
    let paths: u128 = strings(&one_path).iter().sum();
    let what = format!("paths within {DEPTH} steps that it allows: one for each point");
    out.row(Row::exact("T9", what, u128::from(points), paths));
    Ok(())
}

/// T10 and T11.
fn automaton(lab: &Lab<'_>, out: &mut dyn Findings, depth: usize) -> Result<(), Failure> {
    let puzzle = lab.puzzle("24-puzzle", |settings| {
        settings.heuristic("manhattan").pruning(PruningChoice::Inverse)
    })?;
    let missing = || Failure::refused("nothing is learned or counted");
    let learning = puzzle.learning().ok_or_else(missing)?;
    if depth < 16 {
        let counting = puzzle.counting().ok_or_else(missing)?;
        // Strings of two operators are duplicates only if the second undoes the first.
        let inverse = learning.learn(2, false, &lab.job)?.0.branching_factor;
        out.row(Row::exact("T10", "branching factor, inverse moves cut", (2.368, 3), (inverse, 6)));
        let strings = counting.count_sequences(8, &lab.job)?;
        let mut states = Vec::new();
        counting.count_states(8, &lab.job, &mut |_, count| states.push(count))?;
        let first = strings.iter().zip(&states).position(|(strings, states)| strings > states);
        let cycle = 2 * first.unwrap_or_default();
        let why = "two strings of half this length from the goal lead to one board";
        out.row(Row::exact("T11", "length of the shortest cycle", 12_usize, cycle).remark(why));
    }
    let learned = learning.learn(depth, false, &lab.job)?.0;
    let ours = format!(
        "depth {depth}: {} strings, {} states ({} after minimising)",
        learned.strings, learned.states, learned.minimized_states
    );
    let what = format!("branching factor of the automaton of depth {depth}");
    let row = Row::other("T10", what, (2.235, 3), (learned.branching_factor, 6));
    out.row(
        row.remark(format!("theirs is of another depth, which the paper does not give; {ours}")),
    );
    let what = format!("states of the automaton of depth {depth}");
    out.row(Row::other("T10", what, 619_000_u64, learned.states as u64));
    if depth >= 16 {
        let better = learned.branching_factor <= 2.235 && learned.states <= 619_000;
        out.row(Row::holds("T10", "no more states and no greater branching factor", better));
    }
    Ok(())
}
