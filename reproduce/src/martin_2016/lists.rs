//! The decompositions of Martin (2016), and ours.

use crate::lab::instances;
use crate::{Findings, Lab, Row, Sample, pieces};
use fewest::Failure;
use fewest::cube::decomposition::{MACROS, Martin, MartinList, PieceCount};
use fewest::cube::notation::parse_state;
use fewest::cube::{Cube, Cube3, CubeMetric, Facelets, Parts};
use fewest::search::{Domain, Limits, Options};

const LISTS: [(&str, MartinList); 4] = [
    ("beginner", MartinList::Beginner),
    ("random", MartinList::Random(1)),
    ("parallel", MartinList::Parallel),
    ("improved", MartinList::Improved),
];

/// J1, J2 and J4.
pub(super) fn lists(_: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let stickers = Facelets::from(&Cube::SOLVED).to_string().chars().count();
    out.row(Row::exact("J1", "characters of a cube", 54_usize, stickers));
    let beginner = MartinList::Beginner.subgoals().len();
    out.row(Row::exact("J2", "goals of the beginner's method", 14_usize, beginner));
    for (name, list) in LISTS {
        let goals = list.subgoals();
        let names: Vec<&str> =
            goals.iter().map(fewest::cube::decomposition::Subgoal::name).collect();
        let row = Row::unpublished("J2", format!("goals of the list {name}"), goals.len());
        out.row(row.remark(names.join("; ")));
        let ends = goals.last().is_some_and(|last| {
            let turned =
                |turn: Parts| Cube::from_parts(&turn).is_ok_and(|cube| last.missing(&cube) > 0);
            last.missing(&Cube::SOLVED) == 0 && (0..18).map(pieces::turn).all(turned)
        });
        out.row(Row::holds("J2", format!("{name}: it ends solved, and not a turn before"), ends));
    }
    let turns = Cube3::default().operators() / 6 * 5;
    out.row(Row::exact("J4", "operators after a turn", 15_usize, turns));
    let with_macros = turns + MACROS.len();
    let remark = "his macros are not given; these are ours";
    let what = "operators after a turn in the last subgoal";
    out.row(Row::exact("J4", what, 24_usize, with_macros).remark(remark));
    Ok(())
}

/// J5: our decomposition on random cubes.
pub(super) fn ours(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let puzzle = lab.puzzle("3x3x3", |settings| settings.solver("decomposition"))?;
    let (mut lengths, mut nodes, mut failed) = (Sample::default(), Sample::default(), 0_u64);
    for (name, cube) in instances("random-cubes", &*puzzle)? {
        lab.begin(&format!("cube {name}"))?;
        let answer = puzzle.solve(&cube, &lab.exact_request())?;
        lab.check()?;
        nodes.add(answer.generated() as f64);
        match answer.plans.first() {
            Some(plan) => lengths.add(plan.len() as f64),
            None => failed += 1,
        }
    }
    let remark = "his best list, improved, on ten cubes of his own, beside ours with tables";
    let what = "mean length, with four subgoals and their tables";
    out.row(Row::sampled("J5", what, (72.5, 1), &lengths, 2).remark(remark));
    let what = "mean nodes, with four subgoals and their tables";
    out.row(Row::sampled("J5", what, 427_366_068_u64, &nodes, 0).remark(remark));
    out.row(Row::exact("J5", "cubes that fail: improved list, and ours", 0_u64, failed));
    Ok(())
}

/// His figures: moves and nodes of the solved cubes, and the cubes of ten that fail.
type Figures = (f64, u64, u64);

/// J3 and J5: the lists of the paper, with at most `cap` nodes from subgoal to subgoal.
pub(super) fn measured(
    lab: &Lab<'_>,
    out: &mut dyn Findings,
    (cap, count): (u64, usize),
) -> Result<(), Failure> {
    let puzzle = lab.puzzle("3x3x3", |settings| settings.heuristic("manhattan"))?;
    let cubes: Vec<_> = instances("random-cubes", &*puzzle)?.into_iter().take(count).collect();
    let by_pieces = "unsolved pieces";
    let by_eighths = "an eighth of them";
    let published: [(usize, PieceCount, Figures); 5] = [
        (0, PieceCount::Slots, (117.9, 61_604_062, 0)),
        (0, PieceCount::Eighths, (70.0, 229_732_057, 7)),
        (2, PieceCount::Slots, (111.3, 196_747_724, 0)),
        (2, PieceCount::Eighths, (77.83, 478_536_322, 4)),
        (3, PieceCount::Slots, (72.5, 427_366_068, 0)),
    ];
    for (list, counting, (moves, nodes, failures)) in published {
        let (name, list) = LISTS[list];
        let counted = if counting == PieceCount::Slots { by_pieces } else { by_eighths };
        let martin = Martin::new(CubeMetric::HalfTurn, list, counting).cap(cap);
        let (mut lengths, mut work, mut reach) =
            (Sample::default(), Sample::default(), Sample::default());
        for (number, cube) in &cubes {
            lab.begin(&format!("{name} by {counted}: cube {number}"))?;
            let cube = parse_state(cube).map_err(Failure::refused)?;
            let limits = Limits { nodes: None, ..lab.request.limits.clone() };
            let cancel = lab.request.cancel.clone();
            let options = Options { limits, cancel, ..Options::default() };
            let report = martin.search(&cube, &options);
            lab.check()?;
            work.add(report.generated() as f64);
            if let Some((_, stage)) = report.failed() {
                if let Some(last) = stage.iterations.last() {
                    reach.add(f64::from(last.bound));
                }
            } else {
                lengths.add(f64::from(report.spent));
            }
        }
        let remark = format!(
            "other cubes, at most {cap} nodes from goal to goal, and our macros: magnitudes only"
        );
        let what = format!("{name} by {counted}");
        let length = format!("{what}: mean length");
        let row = if lengths.count() == 0 {
            Row::other("J5", length, (moves, 2), "none solved")
        } else {
            Row::sampled("J5", length, (moves, 2), &lengths, 2)
        };
        out.row(row.remark(&remark));
        let row = Row::sampled("J5", format!("{what}: mean nodes"), nodes, &work, 0);
        out.row(row.remark(&remark));
        let failed = cubes.len() as u64 - lengths.count();
        let ours = format!("{failed} of {}", cubes.len());
        let row = Row::other("J5", format!("{what}: failures"), format!("{failures} of 10"), ours);
        out.row(row.remark(&remark));
        let depth = if counting == PieceCount::Slots { 12_u64 } else { 8 };
        let what = format!("{what}: bound where a search ends at the cap");
        if reach.count() > 0 {
            out.row(Row::sampled("J3", what, depth, &reach, 1).remark(&remark));
        }
    }
    Ok(())
}
