//! Richard Korf and Larry Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996:
//! duplicate strings. Heuristics and searches are in files of their own.

mod heuristics;
mod searches;

use crate::grid::Grid;
use crate::{Experiment, Findings, Lab, Paper, Row};
use fewest::fsm::{Automaton, Keep, learn_until, sequence_counts};
use fewest::search::stored::layer_counts;
use fewest::{Failure, PruningChoice};
use heuristics::{heuristics, pairs};
use searches::{averages, conflicts, factors, solve, table_1};

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

/// T9: with two automata of a grid, and with none.
fn grid(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    const DEPTH: usize = 12;
    let points = layer_counts(&Grid, &Grid::ORIGIN, DEPTH, &lab.options());
    let points = points?;
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

    let learned = learn_until(&Grid, 2, Keep::OneOptimal, &lab.request.cancel, usize::MAX);
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
        let inverse = learning.learn(2, false, &lab.request)?.0.branching_factor;
        out.row(Row::exact("T10", "branching factor, inverse moves cut", (2.368, 3), (inverse, 6)));
        let strings = counting.count_sequences(8, &lab.request)?;
        let mut states = Vec::new();
        counting.count_states(8, &lab.request, &mut |_, count| states.push(count))?;
        let first = strings.iter().zip(&states).position(|(strings, states)| strings > states);
        let cycle = 2 * first.unwrap_or_default();
        let why = "two strings of half this length from the goal lead to one board";
        out.row(Row::exact("T11", "length of the shortest cycle", 12_usize, cycle).remark(why));
    }
    let learned = learning.learn(depth, false, &lab.request)?.0;
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
