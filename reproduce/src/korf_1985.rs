//! Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
//! Intelligence 27, 1985.

use super::lab::{instances, length, numbers};
use super::{Experiment, Findings, Lab, Paper, Row, Sample};
use fewest::{Failure, PruningChoice};

pub(super) const PAPER: Paper = Paper {
    title: "Korf, Depth-first iterative-deepening, 1985",
    experiments: &[
        Experiment {
            name: "korf85-quick",
            ids: "K85",
            title: "the 15-puzzles of section 5.5 with at most two million nodes",
            seconds: 1,
            run: |lab, out| search(lab, out, 2_000_000),
        },
        Experiment {
            name: "korf85-all",
            ids: "K85",
            title: "all hundred 15-puzzles of section 5.5, with their mean length and total",
            seconds: 1200,
            run: |lab, out| search(lab, out, u64::MAX),
        },
    ],
};

const MISPRINT: &str = "a misprint: a few digits differ, and the rule that finds the other 96 \
    counts to their last digit finds this one";

/// Searches the boards of at most `most` published nodes, with Manhattan distance. The blank is
/// moved up, left, right, down, and never back. His counts include the root.
fn search(lab: &Lab<'_>, out: &mut dyn Findings, most: u64) -> Result<(), Failure> {
    let puzzle = lab.puzzle("15-puzzle", |settings| {
        settings.heuristic("manhattan").pruning(PruningChoice::Inverse)
    })?;
    let boards = instances("korf100", &*puzzle)?;
    let published = numbers(fewest::tiles::instances::KORF_100_NODES);
    let (mut total, mut lengths, mut right, mut printed) = (0_u64, Sample::default(), 0_u64, 0.0);
    let mut cut = false;
    for ((name, board), figures) in boards.iter().zip(&published) {
        let &[_, _, moves, nodes, recomputed] = &figures[..] else { continue };
        if nodes > most {
            continue;
        }
        let what = format!("board {name}: generated nodes and the root");
        lab.begin(&format!("board {name}"))?;
        let answer = puzzle.solve(board, &lab.exact_request())?;
        let found = match length(&answer) {
            Ok(found) => found,
            Err(far) => {
                out.row(Row::unfinished("K85", what, nodes, far));
                cut = true;
                lab.check()?;
                continue;
            }
        };
        let ours = answer.generated() + 1;
        out.row(if nodes != recomputed && ours == recomputed {
            Row::wrong("K85", what, nodes, ours, MISPRINT)
        } else {
            Row::exact("K85", what, nodes, ours)
        });
        right += u64::from(found as u64 == moves);
        total += ours;
        printed += moves as f64;
        lengths.add(found as f64);
    }
    if cut {
        // Figures of all boards need all boards.
        return Ok(());
    }
    let count = lengths.count();
    out.row(Row::exact("K85", "boards whose length is the published one", count, right));
    let mean = (printed / count.max(1) as f64, 2);
    out.row(Row::exact("K85", "their mean length", mean, (lengths.mean(), 2)));
    out.row(Row::unpublished("K85", "their nodes, all together", total));
    Ok(())
}
