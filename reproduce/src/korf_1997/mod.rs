//! Richard Korf, "Finding optimal solutions to Rubik's cube using pattern databases", AAAI 1997:
//! counts and estimates. Searches and tables are in files of their own.

pub(crate) mod searches;
mod solvers;
mod tables;

use crate::fowler_2002::solvers::macros;
use crate::pieces;
use crate::{Experiment, Findings, Lab, Paper, Row};
use fewest::cube::patterns::korf97;
use fewest::cube::{CubeMetric, Parts};
use fewest::pdb::Abstraction;
use fewest::{Failure, PruningChoice};
use searches::{TABLE_2, lengths, splits, table_2};
use solvers::{meeting, perimeter};
use tables::{heuristics, manhattan, seven_edges};

pub(super) const PAPER: Paper = Paper {
    title: "Korf, Finding optimal solutions to Rubik's cube using pattern databases, 1997",
    experiments: &[
        Experiment {
            name: "korf97-table1",
            ids: "K1 K2 K3 K4 K5 K15 K17 K18",
            title: "Table 1: nodes of the search tree by depth, and what follows from them",
            seconds: 5,
            run: table_1,
        },
        Experiment {
            name: "korf97-manhattan",
            ids: "K6",
            title: "the three-dimensional Manhattan distance: means of corners and edges",
            seconds: 1,
            run: manhattan,
        },
        Experiment {
            name: "korf97-heuristics",
            ids: "K7 K8 K10",
            title: "the pattern databases of corners and edges: sizes, means, and their maximum",
            seconds: 15,
            run: heuristics,
        },
        Experiment {
            name: "korf97-seven-edges",
            ids: "K9 F14",
            title: "the pattern database of seven edges: size and mean",
            seconds: 90,
            run: seven_edges,
        },
        Experiment {
            name: "korf97-analysis",
            ids: "K11 K14 K16 K20",
            title: "the analysis of section 5: t = n / m, and the value expected of a table",
            seconds: 1,
            run: analysis,
        },
        Experiment {
            name: "korf97-table2",
            ids: "K12 K13",
            title: "Table 2 by iteration: the ten cubes to bound 13, predictions to bound 17",
            seconds: 25,
            run: table_2,
        },
        Experiment {
            name: "korf97-splits",
            ids: "K10 K12",
            title: "all 19 ways to split the edges into two tables: means and predicted nodes",
            seconds: 180,
            run: splits,
        },
        Experiment {
            name: "korf97-lengths",
            ids: "K11",
            title: "Table 2: lengths of the ten cubes, solved anew",
            seconds: 1200,
            run: lengths,
        },
        Experiment {
            name: "korf97-meeting",
            ids: "K17",
            title: "meeting in the middle with four lists: cubes of 8 to 12 moves",
            seconds: 3,
            run: meeting,
        },
        Experiment {
            name: "korf97-perimeter",
            ids: "K19",
            title: "a perimeter against small tables: nodes on twelve 15-puzzles",
            seconds: 3,
            run: perimeter,
        },
        Experiment {
            name: "korf97-macros",
            ids: "K21 F16",
            title: "macro tables of the 8-puzzle and the cube: sizes and mean lengths",
            seconds: 3,
            run: macros,
        },
    ],
};

/// The nodes of Table 1, for depths 1 to 18.
const TABLE_1: [u128; 18] = [
    18,
    243,
    3_240,
    43_254,
    577_368,
    7_706_988,
    102_876_480,
    1_373_243_544,
    18_330_699_168,
    244_686_773_808,
    3_266_193_870_720,
    43_598_688_377_184,
    581_975_750_199_168,
    7_768_485_393_179_328,
    103_697_388_221_736_960,
    1_384_201_395_738_071_424,
    18_476_969_736_848_122_368,
    246_639_261_965_462_754_048,
];

/// The states of the cube: the order of the group of its turns.
pub(super) fn states(lab: &Lab<'_>) -> Result<u128, Failure> {
    let turns: Vec<Parts> = (0..6).map(|face| pieces::turn(3 * face)).collect();
    let order = pieces::order(&turns, &|| lab.request.cancel.is_cancelled())?;
    Ok(pieces::number(&order))
}

/// The branching factor of the tree in which no face is turned twice in a row, and opposite faces
/// in one order only.
pub(super) fn branching_factor(lab: &Lab<'_>) -> Result<f64, Failure> {
    let puzzle = lab.puzzle("3x3x3", |settings| settings.heuristic("manhattan"))?;
    let learning = puzzle.learning().ok_or_else(|| Failure::refused("nothing is learned"))?;
    Ok(learning.learn(2, false, &lab.request)?.0.branching_factor)
}

/// The number of sequences by depth that a pruning lets through.
fn sequences(lab: &Lab<'_>, pruning: PruningChoice, depth: usize) -> Result<Vec<u128>, Failure> {
    let choose = |settings: fewest::Settings| settings.heuristic("manhattan").pruning(pruning);
    let puzzle = lab.puzzle("3x3x3", choose)?;
    let counting = puzzle.counting().ok_or_else(|| Failure::refused("nothing is counted"))?;
    counting.count_sequences(depth, &lab.request)
}

/// K1 to K5, K15, K17 and K18.
fn table_1(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let states = states(lab)?;
    out.row(Row::exact("K1", "states", 43_252_003_274_489_856_000_u128, states));
    let branching = branching_factor(lab)?;
    out.row(Row::exact("K2", "branching factor", (13.348_47, 5), (branching, 8)));
    let counts = sequences(lab, PruningChoice::Fsm(Some(2)), 18)?;
    for (depth, (&published, &ours)) in (1..).zip(TABLE_1.iter().zip(&counts[1..])) {
        out.row(Row::exact("K3", format!("nodes of depth {depth}"), published, ours));
    }
    let first = counts.iter().position(|&nodes| nodes > states).unwrap_or_default();
    out.row(Row::exact("K4", "first depth with more nodes than states", 18_usize, first));
    let overhead = 100.0 / (branching - 1.0);
    let what = "nodes of all iterations before the last, in per cent of it";
    out.row(Row::exact("K5", what, (8.0, 0), (overhead, 2)));
    let within = counts[1..=8].iter().sum::<u128>() as f64 / 1e9;
    let evidence = "he counts the nodes of depth 8 alone; with those before, there are more";
    out.row(Row::exact(
        "K15",
        "nodes of depth 8, in billions",
        (1.37, 2),
        (counts[8] as f64 / 1e9, 3),
    ));
    out.row(Row::unpublished("K15", "nodes to depth 8, in billions", (within, 3)).remark(evidence));

    let puzzle = lab.puzzle("3x3x3", |settings| settings.heuristic("manhattan"))?;
    let counting = puzzle.counting().ok_or_else(|| Failure::refused("nothing is counted"))?;
    let mut distinct = Vec::new();
    counting.count_states(6, &lab.request, &mut |_, states| distinct.push(states))?;
    let lists = "a list of the meeting search of Fiat and others holds the states of depth 4";
    let listed = Row::unpublished("K17", "states at depth 4", distinct[4]);
    out.row(listed.remark(lists));
    // Each state at depth 9 is reached by a sequence that the automaton of depth 5 lets through.
    let deeper = sequences(lab, PruningChoice::Fsm(Some(5)), 9)?;
    let evidence = format!(
        "18,330,699,168 is the number of nodes in Table 1. States are fewer: even of the sequences \
         without duplicates of up to 5 turns there are only {}, and two of them may end alike. A \
         full count (Rokicki, OEIS A080601) has 17,596,479,795",
        deeper[9]
    );
    let ours = deeper[9] as f64 / 1e9;
    let what = "states at depth 9, in billions: ours is an upper bound";
    out.row(Row::wrong("K18", what, (18.33, 2), (ours, 3), evidence));
    Ok(())
}

/// K11, K14, K16 and K20.
fn analysis(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let (states, branching) = (states(lab)? as f64, branching_factor(lab)?);
    let (corners, first, second) = korf97(CubeMetric::HalfTurn);
    let entries = |(rows, columns): (u64, usize)| rows * columns as u64;
    let entries = [corners.shape(), first.shape(), second.shape()].map(entries);
    let memory: u64 = entries.iter().sum();
    out.row(Row::exact("K14", "m: entries of the three tables", 173_335_680_u64, memory));
    let expected = states / memory as f64;
    out.row(Row::exact("K14", "n / m", (249_527_409_904.0, 0), (expected, 0)));
    let mean = TABLE_2.iter().sum::<u64>() as f64 / TABLE_2.len() as f64;
    let what = "t: mean nodes of Table 2";
    out.row(Row::exact("K11", what, (352_656_042_894.0, 0), (mean, 1)));
    out.row(Row::exact("K14", "t divided by n / m", (1.4, 1), (mean / expected, 4)));
    let estimate = (entries[0] as f64).ln() / branching.ln();
    let what = "expected value of the corners, from the logarithm of their number";
    out.row(Row::exact("K16", what, (7.0, 0), (estimate, 4)).remark("the mean is 8.764: see K7"));
    let what = "how many times slower tables on disk are: 700,000 nodes a second, 10 ms a read";
    out.row(Row::exact("K20", what, 7_000_u64, 700_000_u64 * 10 / 1_000).remark(
        "arithmetic; the thesis of 2002 quotes the disk's rate as 1,000 nodes a second, the paper \
         has 100",
    ));
    Ok(())
}
