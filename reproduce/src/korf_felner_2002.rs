//! Richard Korf and Ariel Felner, "Disjoint pattern database heuristics", Artificial Intelligence
//! 134, 2002.

use super::lab::{instances, length, numbers};
use super::{Experiment, Findings, Lab, Paper, Row, Sample};
use fewest::{Failure, PruningChoice};

pub(super) const PAPER: Paper = Paper {
    title: "Korf and Felner, Disjoint pattern database heuristics, 2002",
    experiments: &[
        Experiment {
            name: "kf02-15",
            ids: "KF",
            title: "7-8 tables and their reflection on a hundred 15-puzzles",
            seconds: 120,
            run: fifteen,
        },
        Experiment {
            name: "kf02-24-quick",
            ids: "KF",
            title: "6-6-6-6 tables: the two 24-puzzles of less than a hundred million nodes",
            seconds: 120,
            run: |lab, out| twenty_four(lab, out, 100_000_000),
        },
        Experiment {
            name: "kf02-24-twelve",
            ids: "KF",
            title: "6-6-6-6 tables: the twelve 24-puzzles of less than three billion nodes",
            seconds: 1800,
            run: |lab, out| twenty_four(lab, out, 3_000_000_000),
        },
        Experiment {
            name: "kf02-24-all",
            ids: "KF",
            title: "6-6-6-6 tables: all fifty 24-puzzles (weeks)",
            seconds: 1_800_000,
            run: |lab, out| twenty_four(lab, out, u64::MAX),
        },
    ],
};

/// Memory of the 7-8 tables, a byte for each entry, and what a build needs beside them.
const MEMORY_7_8: u64 = 1 << 30;

/// The mean nodes with 7-8 tables. His thousand boards are not public, so these are Korf's hundred.
fn fifteen(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let puzzle = lab.puzzle("15-puzzle", |settings| {
        let memory = settings.memory.max(MEMORY_7_8);
        settings.memory(memory).heuristic("pdb:7-8").pruning(PruningChoice::Inverse)
    })?;
    let (mut nodes, mut lengths) = (Sample::default(), Sample::default());
    let mut stopped = 0;
    for (name, board) in instances("korf100", &*puzzle)? {
        lab.begin(&format!("board {name}"))?;
        let answer = puzzle.solve(&board, &lab.exact_request())?;
        lab.check()?;
        match length(&answer) {
            Ok(length) => {
                nodes.add(answer.generated() as f64);
                lengths.add(length as f64);
            }
            Err(_) => stopped += 1,
        }
    }
    let boards = "their thousand boards are not public; ours are Korf's hundred of 1985, the rule \
        is the same: maximum with the reflection, only the inverse move cut";
    let boards = match stopped {
        0 => boards.to_owned(),
        stopped => format!("{boards}; {stopped} boards were not solved within the limits"),
    };
    let what = "15-puzzle, 7-8 with reflection: generated nodes, mean";
    out.row(Row::sampled("KF", what, 36_710_u64, &nodes, 0).remark(boards));
    let mean = Row::unpublished("KF", "length, mean", (lengths.mean(), 2));
    out.row(mean.with_sample(&lengths));
    Ok(())
}

/// Solves the boards of at most `most` published nodes with 6-6-6-6 tables and their reflection.
fn twenty_four(lab: &Lab<'_>, out: &mut dyn Findings, most: u64) -> Result<(), Failure> {
    let puzzle = lab.puzzle("24-puzzle", |settings| {
        settings.heuristic("pdb:6-6-6-6").pruning(PruningChoice::Inverse)
    })?;
    let published = numbers(fewest::tiles::instances::KORF_FELNER_50_NODES);
    let boards = instances("korf-felner50", &*puzzle)?;
    for ((name, board), figures) in boards.iter().zip(&published) {
        let &[_, moves, nodes, _] = &figures[..] else { continue };
        if nodes > most {
            continue;
        }
        let what = |figure| format!("board {name}: {figure}");
        lab.begin(&format!("board {name}"))?;
        let answer = puzzle.solve(board, &lab.exact_request())?;
        match length(&answer) {
            Ok(found) => {
                out.row(Row::exact("KF", what("length"), moves, found as u64));
                out.row(Row::exact("KF", what("generated nodes"), nodes, answer.generated()));
            }
            Err(far) => out.row(Row::unfinished("KF", what("generated nodes"), nodes, far)),
        }
        lab.check()?;
    }
    Ok(())
}
