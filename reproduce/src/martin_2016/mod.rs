//! Jon Martin (2016): solving the cube through a list of goals.

mod lists;

use crate::lab::length;
use crate::{Experiment, Findings, Lab, Paper, Row, Sample};
use fewest::cube::decomposition::Martin;
use fewest::cube::symmetry::{COUNT, conjugate};
use fewest::cube::{CORNER_NAMES, Cube, Facelets, Parts};
use fewest::{Failure, MetricChoice};
use lists::{lists, measured, ours};

pub(super) const PAPER: Paper = Paper {
    title: "Martin, decompositions of Rubik's cube, 2016",
    experiments: &[
        Experiment {
            name: "martin16-tables",
            ids: "J5 J6",
            title: "the tables of results: means and deviations",
            seconds: 1,
            run: tables,
        },
        Experiment {
            name: "martin16-corners",
            ids: "J7",
            title: "the last two corners: the most moves that they can need",
            seconds: 40,
            run: corners,
        },
        Experiment {
            name: "martin16-lists",
            ids: "J1 J2 J4",
            title: "the four decompositions: subgoals and operators",
            seconds: 1,
            run: lists,
        },
        Experiment {
            name: "martin16-ours",
            ids: "J5",
            title: "our decomposition with tables: a hundred random cubes",
            seconds: 30,
            run: ours,
        },
        Experiment {
            name: "martin16-small",
            ids: "J3 J5",
            title: "his decompositions with a cap of 10^7 nodes: four random cubes",
            seconds: 10,
            run: |lab, out| measured(lab, out, (10_000_000, 4)),
        },
        Experiment {
            name: "martin16-all",
            ids: "J3 J5",
            title: "his decompositions with his cap of 10^9 nodes: ten random cubes",
            seconds: 1800,
            run: |lab, out| measured(lab, out, (Martin::CAP, 10)),
        },
    ],
};

/// J5 and J6.
fn tables(_: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    // The three cubes that the beginner's method solves with the admissible heuristic.
    let solved: Sample = [72.0, 78.0, 60.0].into_iter().collect();
    out.row(Row::exact(
        "J5",
        "beginner's method, admissible: mean length",
        (70.0, 0),
        (solved.mean(), 3),
    ));
    let absolute = [72.0, 78.0, 60.0_f64].iter().map(|length| (length - solved.mean()).abs());
    let absolute = absolute.sum::<f64>() / 3.0;
    let evidence = format!(
        "6.67 is the mean of the absolute deviations, {absolute:.2}; the standard deviation of 72, \
         78 and 60 is another one"
    );
    let what = "its standard deviation";
    out.row(Row::wrong("J6", what, (6.67, 2), (solved.deviation(), 4), evidence));
    let what = "cubes of ten that it fails to solve";
    out.row(Row::exact("J5", what, 7_u64, 10 - solved.count()));
    let evidence = "107 in the text, 108.90 in the table of the same experiment";
    let what = "length of a human's solutions, mean, by the text";
    out.row(Row::wrong("J6", what, 107_u64, "108.90 in the table", evidence));
    Ok(())
}

/// The cubes on which all pieces but two corners are solved, one of each class under the symmetries
/// and the inverse.
///
/// Two corners alone cannot change places, so they are twisted, in opposite ways.
fn two_corners() -> Result<Vec<Cube>, Failure> {
    let mut classes: Vec<(Cube, Vec<Cube>)> = Vec::new();
    for one in 0..8 {
        for other in (0..8).filter(|&other| other != one) {
            let mut parts = Parts::SOLVED;
            (parts.twists[one], parts.twists[other]) = (1, 2);
            let cube = Cube::from_parts(&parts).map_err(Failure::refused)?;
            if classes.iter().all(|(_, images)| !images.contains(&cube)) {
                let images = [cube, cube.inverse()].into_iter();
                let images = images.flat_map(|of| (0..COUNT).map(move |one| conjugate(one, &of)));
                classes.push((cube, images.collect()));
            }
        }
    }
    Ok(classes.into_iter().map(|(cube, _)| cube).collect())
}

/// The most moves that two corners need, in a metric. `None` if a search was ended.
fn most_moves(
    lab: &Lab<'_>,
    metric: MetricChoice,
    out: &mut dyn Findings,
) -> Result<Option<usize>, Failure> {
    let puzzle = lab.puzzle("3x3x3", |settings| settings.metric(metric))?;
    let mut most = Some(0);
    for cube in two_corners()? {
        let names = (0..8).filter(|&slot| cube.twist(slot) > 0).map(|slot| CORNER_NAMES[slot]);
        let names = names.collect::<Vec<_>>().join(" and ");
        let what = format!("{names} twisted: fewest moves, {metric}");
        let answer = puzzle.solve(&Facelets::from(&cube).to_string(), &lab.request)?;
        match length(&answer) {
            Ok(length) => {
                most = most.map(|most: usize| most.max(length));
                out.row(Row::unpublished("J7", what, length));
            }
            Err(far) => {
                most = None;
                out.row(Row::unfinished("J7", what, "at most 16", far));
            }
        }
        lab.check()?;
    }
    Ok(most)
}

/// J7.
fn corners(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let half = most_moves(lab, MetricChoice::HalfTurn, out)?;
    let quarter = most_moves(lab, MetricChoice::QuarterTurn, out)?;
    if let (Some(half), Some(quarter)) = (half, quarter) {
        let evidence = format!(
            "two corners alone are twisted in opposite ways, and all such cubes are solved above, \
             one of each class under the symmetries; in quarter turns {quarter} is the most"
        );
        let what = "most moves that the last two corners need";
        out.row(Row::wrong("J7", what, 16_usize, half, evidence));
    }
    Ok(())
}
