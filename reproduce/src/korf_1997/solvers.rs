//! Other searches that Korf (1997) speaks of: meeting in the middle, and a perimeter.

use crate::lab::{instances, length, numbers};
use crate::{Findings, Lab, Quantity, Row, Sample};
use fewest::{Failure, PruningChoice};

/// A walk of twelve moves. Its ends solve with fewer.
const WALK: &str = "R U F' L2 D B R' U2 L F D2 B'";

/// K17.
pub(super) fn meeting(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let puzzle = lab.puzzle("3x3x3", |settings| settings.solver("schroeppel-shamir"))?;
    let optimal = lab.puzzle("3x3x3", |settings| settings)?;
    let counting = optimal.counting().ok_or_else(|| Failure::refused("nothing is counted"))?;
    let mut listed = Vec::new();
    counting.count_states(3, &lab.request, &mut |_, states| listed.push(states))?;
    let moves: Vec<&str> = WALK.split(' ').collect();
    let (mut same, mut rate) = (true, Sample::default());
    for count in [8, 10, 12] {
        let cube = moves[..count].join(" ");
        lab.begin(&format!("a cube of {count} moves"))?;
        let answer = puzzle.solve(&cube, &lab.exact_request())?;
        lab.check()?;
        let best = optimal.solve(&cube, &lab.exact_request())?;
        lab.check()?;
        let what = format!("cube after {count} moves: generated products");
        match (length(&answer), length(&best)) {
            (Ok(length), Ok(best)) => {
                same &= length == best;
                let seconds = answer.elapsed.as_secs_f64().max(1e-9);
                rate.add(answer.generated() as f64 / seconds);
                let lists = length.div_ceil(4);
                let states: u128 = listed.iter().take(lists + 1).sum();
                let remark = format!(
                    "solved in {length} moves with lists of at most {lists} moves: {states} states"
                );
                out.row(Row::unpublished("K17", what, answer.generated()).remark(remark));
            }
            (Err(far), _) | (_, Err(far)) => out.row(Row::unfinished("K17", what, "none", far)),
        }
    }
    out.row(Row::holds("K17", "plans are as short as those of the optimal search", same));
    let today = Some(Quantity::Real(rate.mean(), 0));
    out.row(Row::history("K17", "products a second", 10_000_u64, today));
    Ok(())
}

/// K19: a perimeter against small tables, on boards of Korf (1985) of at most two million nodes.
pub(super) fn perimeter(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let configured = |heuristic: &str| {
        lab.puzzle("15-puzzle", |settings| {
            settings.heuristic(heuristic).pruning(PruningChoice::Inverse)
        })
    };
    let (plain, table) = (configured("manhattan")?, configured("pdb:5-5-5")?);
    // The solver gives its perimeter a 32nd of the memory.
    let memory = lab.settings.memory.min(8 << 26);
    let near = lab.puzzle("15-puzzle", |settings| settings.solver("perimeter").memory(memory))?;
    let published = numbers(fewest::tiles::instances::KORF_100_NODES);
    let boards = instances("korf100", &*plain)?;
    let easy = boards.iter().zip(&published);
    let easy: Vec<_> = easy
        .filter(|(_, figures)| figures.get(3).is_some_and(|&nodes| nodes <= 2_000_000))
        .collect();
    let (mut nodes, mut bytes, mut same) = ([0_u64; 3], [0_u64; 3], true);
    for ((name, board), figures) in easy {
        lab.begin(&format!("board {name}"))?;
        for (way, puzzle) in [&plain, &near, &table].into_iter().enumerate() {
            let answer = puzzle.solve(board, &lab.exact_request())?;
            lab.check()?;
            match length(&answer) {
                Ok(length) => same &= figures.get(2) == Some(&(length as u64)),
                Err(far) => {
                    out.row(Row::unfinished("K19", format!("board {name}"), "none", far));
                    return Ok(());
                }
            }
            nodes[way] += answer.generated();
            bytes[way] = answer.table_bytes;
        }
    }
    let names = ["manhattan", "manhattan and a perimeter", "pdb:5-5-5"];
    for ((name, nodes), bytes) in names.iter().zip(nodes).zip(bytes) {
        let what = format!("{name}: generated nodes of the boards");
        out.row(Row::unpublished("K19", what, nodes).remark(format!("{bytes} bytes")));
    }
    out.row(Row::holds("K19", "all three find plans of the published lengths", same));
    let helps = if nodes[1] < nodes[2] { "yes" } else { "no" };
    let what = "does a perimeter save more nodes than pdb:5-5-5?";
    let remark = format!(
        "{} bytes of perimeter, {} of tables; docs/MEASUREMENTS.md has the cube and larger tables",
        bytes[1], bytes[2]
    );
    out.row(Row::other("K19", what, "remains to be seen", helps).remark(remark));
    Ok(())
}
