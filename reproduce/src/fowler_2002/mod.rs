//! Joe Fowler, "Algorithmic approaches to solving the Rubik's cube", master's thesis, University of
//! Colorado at Denver, 2002: groups, boards and estimates. Moves, tables of states and solvers are
//! in files of their own.

mod moves;
pub(crate) mod solvers;
mod tables;

use crate::korf_1997::searches::TABLE_2;
use crate::korf_1997::{branching_factor, states};
use crate::lab::length;
use crate::{Experiment, Findings, Lab, Paper, Quantity, Row, pieces};
use fewest::cube::Parts;
use fewest::search::{Contexts, Domain, OpSet};
use fewest::{Failure, PruningChoice};
use moves::{legality, superflip};
use solvers::{bayes, fridrich, phase_1, two_phase};
use tables::{figure_half, figure_quarter, joint, modulo_3, stages};

pub(super) const PAPER: Paper = Paper {
    title: "Fowler, Algorithmic approaches to solving the Rubik's cube, 2002",
    experiments: &[
        Experiment {
            name: "fowler02-legality",
            ids: "F1 F2",
            title: "notation and the laws of solvable cubes",
            seconds: 1,
            run: legality,
        },
        Experiment {
            name: "fowler02-orders",
            ids: "F3 F8",
            title: "orders of the groups by Schreier and Sims, and the Cayley graph",
            seconds: 1,
            run: orders,
        },
        Experiment {
            name: "fowler02-table1-1",
            ids: "F4",
            title: "Table 1-1: the 2x2x2 by half turns and quarter turns",
            seconds: 2,
            run: joint,
        },
        Experiment {
            name: "fowler02-table1-2",
            ids: "F5",
            title: "Table 1-2 and figure 1-3: distances of the 2x2x2 in half turns",
            seconds: 2,
            run: figure_half,
        },
        Experiment {
            name: "fowler02-figure1-4",
            ids: "F5",
            title: "Table 1-2 and figure 1-4: distances of the 2x2x2 in quarter turns",
            seconds: 2,
            run: figure_quarter,
        },
        Experiment {
            name: "fowler02-superflip",
            ids: "F6 F7",
            title: "the macros of the superflip, and the bounds of 2002",
            seconds: 1,
            run: superflip,
        },
        Experiment {
            name: "fowler02-boards",
            ids: "F9",
            title: "branching and sizes of the 15-puzzle and the 24-puzzle",
            seconds: 1,
            run: boards,
        },
        Experiment {
            name: "fowler02-diameter",
            ids: "F9",
            title: "the diameter of the 15-puzzle: one of the farthest boards",
            seconds: 120,
            run: diameter,
        },
        Experiment {
            name: "fowler02-modulo3",
            ids: "F10",
            title: "God's algorithm of the 2x2x2 in two bits a state",
            seconds: 5,
            run: modulo_3,
        },
        Experiment {
            name: "fowler02-table2-1",
            ids: "F11 F12 F13",
            title: "Table 2-1: Korf's cubes weighted, and estimates of searches",
            seconds: 1,
            run: estimates,
        },
        Experiment {
            name: "fowler02-table3-1",
            ids: "F18",
            title: "Table 3-1: Thistlethwaite's chain of subgroups",
            seconds: 1,
            run: subgroups,
        },
        Experiment {
            name: "fowler02-table3-2",
            ids: "F19",
            title: "Table 3-2: the most moves of Thistlethwaite's stages",
            seconds: 10,
            run: stages,
        },
        Experiment {
            name: "fowler02-fridrich",
            ids: "F17",
            title: "Fridrich's four steps: a hundred random cubes",
            seconds: 150,
            run: fridrich,
        },
        Experiment {
            name: "fowler02-two-phase",
            ids: "F20",
            title: "Kociemba's two phases: lengths on twenty random cubes",
            seconds: 5,
            run: two_phase,
        },
        Experiment {
            name: "fowler02-phase1",
            ids: "F20 F21",
            title: "Reid's table: all cosets of phase 1 by distance, in both metrics",
            seconds: 10,
            run: phase_1,
        },
        Experiment {
            name: "fowler02-bayes",
            ids: "F23",
            title: "chapter 4: Bayesian greedy search on two hundred random 2x2x2",
            seconds: 3,
            run: bayes,
        },
        Experiment {
            name: "fowler02-symmetries",
            ids: "F24",
            title: "Appendix B: axes, planes and the 48 symmetries of the cube",
            seconds: 1,
            run: crate::symmetries::run,
        },
    ],
};

/// F3 and F8.
fn orders(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let stop = || lab.request.cancel.is_cancelled();
    let order =
        |generators: &[Parts]| pieces::order(generators, &stop).map(|order| pieces::number(&order));
    let solvable = states(lab)?;
    out.row(Row::exact("F3", "order of C3", 43_252_003_274_489_856_000_u128, solvable));
    // Two neighbours that change places, all in a ring, and one that turns make any assembly.
    let mut generators = vec![Parts::SOLVED; 6];
    generators[0].corners.swap(0, 1);
    generators[1].corners.rotate_left(1);
    generators[2].twists[0] = 1;
    generators[3].edges.swap(0, 1);
    generators[4].edges.rotate_left(1);
    generators[5].flips[0] = 1;
    let assembled = order(&generators)?;
    out.row(Row::exact(
        "F3",
        "order of G3: all assemblies",
        519_024_039_293_878_272_000_u128,
        assembled,
    ));
    out.row(Row::exact("F3", "G3 divided by C3", 12_u128, assembled / solvable));
    // The 2x2x2 with corner DBL held still.
    let held =
        |turn: usize| Parts { edges: Parts::SOLVED.edges, flips: [0; 12], ..pieces::turn(turn) };
    let small = order(&[held(0), held(3), held(6)])?;
    out.row(Row::exact("F3", "order of C2", 3_674_160_u128, small));
    let mut generators = vec![Parts::SOLVED; 3];
    generators[0].corners.swap(0, 1);
    generators[1].corners = [1, 2, 3, 4, 5, 7, 6, 0];
    generators[2].twists[0] = 1;
    let all = order(&generators)?;
    out.row(Row::exact("F3", "order of G2: its assemblies", 11_022_480_u128, all));
    out.row(Row::exact("F3", "C3 divided by C2", 11_771_943_321_600_u128, solvable / small));

    let puzzle = lab.puzzle("3x3x3", |settings| settings.heuristic("manhattan"))?;
    let counting = puzzle.counting().ok_or_else(|| Failure::refused("nothing is counted"))?;
    let mut distinct = Vec::new();
    counting.count_states(2, &lab.request, &mut |_, count| distinct.push(count))?;
    let degree = distinct[1];
    out.row(Row::exact("F8", "degree of the Cayley graph", 18_u128, degree));
    let edges = solvable / 2 * degree;
    out.row(Row::exact("F8", "edges of the Cayley graph", 389_268_029_470_408_704_000_u128, edges));
    // After a turn, 15 turns are of another face.
    let twice = degree * 15 - distinct[2];
    out.row(Row::exact("F8", "duplicates after two moves", 27_u128, twice));
    let branching = distinct[2] as f64 / degree as f64;
    out.row(Row::exact("F8", "branching from depth 1 to 2", (13.5, 1), (branching, 4)));
    Ok(())
}

/// F9.
fn boards(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let domain = fewest::tiles::Puzzle15::new();
    // The blank is on every square equally often among all boards.
    let moves: usize = (0..16)
        .map(|square| {
            let board = domain.representative(square);
            domain.applicable(&board).members().count()
        })
        .sum();
    let mean = moves as f64 / 16.0;
    out.row(Row::exact("F9", "moves of a board, mean", (3.0, 0), (mean, 4)));
    out.row(Row::exact("F9", "moves that do not go back, mean", (2.0, 0), (mean - 1.0, 4)));
    let puzzle = lab.puzzle("15-puzzle", |settings| {
        settings.heuristic("manhattan").pruning(PruningChoice::Inverse)
    })?;
    let learning = puzzle.learning().ok_or_else(|| Failure::refused("nothing is learned"))?;
    let branching = learning.learn(2, false, &lab.request)?.0.branching_factor;
    out.row(Row::exact("F9", "branching factor", (2.13, 2), (branching, 6)));
    let half = |last: u32| (1..=last).map(f64::from).product::<f64>() / 2.0;
    out.row(Row::exact(
        "F9",
        "boards of the 15-puzzle: 16!/2, in 10^13",
        (1.0, 0),
        (half(16) / 1e13, 4),
    ));
    out.row(Row::exact(
        "F9",
        "boards of the 24-puzzle: 25!/2, in 10^24",
        (7.7, 1),
        (half(25) / 1e24, 4),
    ));
    Ok(())
}

/// A board of the 15-puzzle, its blank last in the goal, that is farthest from it.
const FARTHEST: &str = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1";

/// F9: no board is farther than the one that is solved here.
fn diameter(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let last = lab.puzzle("15-puzzle", |settings| settings.goal("last"))?;
    let answer = last.solve(FARTHEST, &lab.request)?;
    lab.check()?;
    let what = "diameter of the 15-puzzle";
    out.row(match length(&answer) {
        Ok(length) => {
            let evidence = "a full count finds 17 boards at distance 80 and none beyond \
                (Bruengger, Marzetta, Fukuda and Nievergelt 1999; Korf and Schultze 2005); \
                ours is the length of one of them";
            Row::wrong("F9", what, 87_usize, length, evidence)
        }
        Err(far) => Row::unfinished("F9", what, 87_usize, far),
    });
    Ok(())
}

/// F11, F12 and F13.
fn estimates(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let depths = [16_u64, 17, 17, 17, 18, 18, 18, 18, 18, 18];
    let total: u64 = TABLE_2.iter().sum();
    let weighted: u64 = TABLE_2.iter().zip(depths).map(|(nodes, depth)| nodes * depth).sum();
    out.row(Row::exact("F12", "nodes of all ten cubes", 3_526_560_428_937_u64, total));
    out.row(Row::exact("F12", "nodes times depth, of all ten", 63_268_317_917_150_u64, weighted));
    let plain = depths.iter().sum::<u64>() as f64 / 10.0;
    out.row(Row::exact("F12", "mean depth", (17.50, 2), (plain, 2)));
    let depth = weighted as f64 / total as f64;
    out.row(Row::exact("F12", "mean depth, weighted by nodes", (17.941, 3), (depth, 6)));
    let mean = total as f64 / 10.0;
    out.row(Row::exact("F12", "mean nodes", (352_656_042_894.0, 0), (mean, 0)));
    let brute = 13.35_f64.powf(17.941);
    let years = brute / 1e9 / (365.25 * 86_400.0);
    let what = "thousands of years for 13.35^17.941 nodes of a nanosecond";
    out.row(Row::exact("F11", what, (5.0, 0), (years / 1e3, 3)));
    let evidence = "the exponent is misprinted in the copy that we read: the 5,000 years beside it \
        are those of 1.56 * 10^20 nodes";
    let what = "13.35^17.941, the nodes without a heuristic, in 10^19";
    out.row(Row::wrong("F11", what, (1.56, 2), (brute / 1e19, 4), evidence));
    let remark = "with his depth 17.940 and Korf's 8.878, which is wrong (korf97-heuristics)";
    let estimate = 13.35_f64.powf(17.940 - 8.878 + 1.0);
    let what = "13.35^(d - e + 1), in 10^9";
    out.row(Row::exact("F13", what, (211.150, 3), (estimate / 1e9, 3)).remark(remark));
    out.row(Row::exact("F13", "mean nodes divided by it", (1.67, 2), (mean / estimate, 4)));
    let better = branching_factor(lab)?.powf(depth - 8.897_83 + 1.0);
    let what = "the same with the exact branching factor, depth and mean 8.89783";
    out.row(Row::unpublished("F13", what, Quantity::Real(mean / better, 4)));
    Ok(())
}

/// F18.
fn subgroups(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    // Quarter turns of these faces, in the order U R F D L B; half turns of the others.
    let chain = ["URFDLB", "RFLB", "RL", ""].map(|quarters| {
        let faces = fewest::cube::FACES.into_iter().enumerate();
        faces
            .map(|(face, letter)| pieces::turn(3 * face + usize::from(!quarters.contains(letter))))
            .collect::<Vec<_>>()
    });
    let stop = || lab.request.cancel.is_cancelled();
    let mut orders = Vec::new();
    for generators in &chain {
        orders.push(pieces::number(&pieces::order(generators, &stop)?));
    }
    let published: [(u128, u128); 3] =
        [(21_119_142_223_872_000, 2_048), (19_508_428_800, 1_082_565), (663_552, 29_400)];
    for (number, (order, index)) in (1..).zip(published) {
        out.row(Row::exact("F18", format!("order of G{number}"), order, orders[number]));
        let ours = orders[number - 1] / orders[number];
        let what = format!("index of G{number} in G{}", number - 1);
        out.row(Row::exact("F18", what, index, ours));
    }
    Ok(())
}
