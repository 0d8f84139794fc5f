//! Tables of states of Fowler (2002): the 2x2x2 in both metrics, and Thistlethwaite's stages.

use crate::lab::build_failure;
use crate::pieces;
use crate::{Findings, Lab, Row};
use fewest::cube::cube2::{Cube2, Pocket, PocketAbstraction, joint_counts};
use fewest::cube::{Cube, CubeMetric};
use fewest::pdb::{DescentWalk, Modulo3};
use fewest::search::random::Random;
use fewest::{Chart, Failure};
use std::collections::HashSet;
use std::hash::Hash;

/// Table 1-1: for each number of quarter turns, the states by half turns, from the first number
/// that is not 0.
const TABLE_1_1: [&str; 15] = [
    "h0 1",
    "h1 6",
    "h1 3, h2 24",
    "h2 24, h3 96",
    "h2 6, h3 144, h4 384",
    "h3 72, h4 768, h5 1416",
    "h3 9, h4 564, h5 3608, h6 4788",
    "h4 126, h5 3600, h6 15072, h7 14260",
    "h4 5, h5 1248, h6 18996, h7 57120, h8 36780",
    "h5 120, h6 9480, h7 85548, h8 195400, h9 69960",
    "h6 1728, h7 55548, h8 341604, h9 487724, h10 43984",
    "h6 72, h7 14016, h8 238920, h9 841500, h10 256248, h11 96",
    "h7 1032, h8 56440, h9 455588, h10 268532, h11 944",
    "h7 12, h8 928, h9 32968, h10 54876, h11 1496",
    "h9 8, h10 160, h11 108",
];

fn pairs(lab: &Lab<'_>) -> Result<Vec<Vec<u64>>, Failure> {
    joint_counts(&lab.build()).map_err(build_failure("2x2x2"))
}

/// F4.
pub(super) fn joint(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let pairs = pairs(lab)?;
    for (quarter, (published, row)) in TABLE_1_1.iter().zip(&pairs).enumerate() {
        let cells = row.iter().enumerate().filter(|(_, states)| **states > 0);
        let ours: Vec<String> = cells.map(|(half, states)| format!("h{half} {states}")).collect();
        let what = format!("states at {quarter} quarter turns, by half turns");
        out.row(Row::exact("F4", what, *published, ours.join(", ")));
    }
    let [quarter, half] = [pairs.len() - 1, pairs.first().map_or(0, Vec::len) - 1];
    out.row(Row::exact("F4", "diameter in half turns", 11_usize, half));
    out.row(Row::exact("F4", "diameter in quarter turns", 14_usize, quarter));
    Ok(())
}

/// Totals by distance in half turns.
const HALF: [u64; 12] =
    [1, 9, 54, 321, 1_847, 9_992, 50_136, 227_536, 870_072, 1_887_748, 623_800, 2_644];
/// Totals by distance in quarter turns.
const QUARTER: [u64; 15] = [
    1, 6, 27, 120, 534, 2_256, 8_969, 33_058, 114_149, 360_508, 930_588, 1_350_852, 782_536,
    90_280, 276,
];

/// F5 and figure 1-3.
pub(super) fn figure_half(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let pairs = pairs(lab)?;
    let columns = 0..pairs.first().map_or(0, Vec::len);
    let counts: Vec<u64> = columns.map(|half| pairs.iter().map(|row| row[half]).sum()).collect();
    totals(&counts, &HALF, ("half turns", 32_169_388, 8.7556, 9), out);
    let (most, last) = (counts.iter().max().copied().unwrap_or(0), counts[counts.len() - 1]);
    let ratio = most as f64 / last as f64;
    let what = "states at the most frequent distance, divided by those at the greatest";
    out.row(Row::exact("F5", what, (714.0, 0), (ratio, 2)));
    let title = "Figure 1-3: the 2x2x2 in half turns";
    out.chart(Chart::new(title, "distance from solved", "states").with("half turns", &counts));
    Ok(())
}

/// F5 and figure 1-4.
pub(super) fn figure_quarter(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let counts: Vec<u64> = pairs(lab)?.iter().map(|row| row.iter().sum()).collect();
    totals(&counts, &QUARTER, ("quarter turns", 39_190_008, 10.6664, 11), out);
    let title = "Figure 1-4: the 2x2x2 in quarter turns";
    out.chart(Chart::new(title, "distance from solved", "states").with("quarter turns", &counts));
    Ok(())
}

/// Rows of a column of Table 1-2: states by distance, their sum, mean and mode.
fn totals(
    counts: &[u64],
    published: &[u64],
    (name, sum, mean, mode): (&str, u64, f64, usize),
    out: &mut dyn Findings,
) {
    for (distance, (published, &ours)) in published.iter().zip(counts).enumerate() {
        out.row(Row::exact("F5", format!("states at {distance} {name}"), *published, ours));
    }
    let weighted: u64 = (0..).zip(counts).map(|(distance, count): (u64, _)| distance * count).sum();
    out.row(Row::exact("F5", format!("sum of all distances, {name}"), sum, weighted));
    let all = counts.iter().sum::<u64>() as f64;
    let what = format!("expected distance, {name}");
    out.row(Row::exact("F5", what, (mean, 4), (weighted as f64 / all, 6)));
    let most = (0..counts.len()).max_by_key(|&distance| counts[distance]).unwrap_or(0);
    out.row(Row::exact("F5", format!("most frequent distance, {name}"), mode, most));
}

/// F10: a table of remainders, from which any state walks home in the fewest moves.
pub(super) fn modulo_3(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let whole = PocketAbstraction::new(CubeMetric::HalfTurn);
    let table = Modulo3::build(&whole, &lab.build()).map_err(build_failure("2x2x2"))?;
    out.row(Row::exact("F10", "bytes of the table", 918_540_usize, table.bytes().len()));
    let counts = table.counts(&whole);
    let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
    let published = HALF.map(|count| count.to_string()).join(" ");
    let what = "states by distance, from the remainders alone";
    out.row(Row::exact("F10", what, published, counts.join(" ")));
    let distances =
        fewest::pdb::build::<4>(&whole, &lab.build()).map_err(build_failure("2x2x2"))?;
    let domain = Cube2::new(CubeMetric::HalfTurn);
    let walk = DescentWalk::new(&domain, whole, table).map_err(Failure::refused)?;
    let (mut random, mut right, walks) = (Random::new(2002), 0, 10_000_u64);
    for done in 0..walks {
        if done % 500 == 0 {
            lab.check()?;
        }
        let pocket = Pocket::random(&mut random).normalised();
        let distance = distances.get(pocket.rank().into());
        let plan = walk.plan(&domain, &pocket);
        right += u64::from(plan.is_some_and(|plan| plan.len() == usize::from(distance)));
    }
    out.row(Row::exact("F10", "walks of random states that take the fewest moves", walks, right));
    Ok(())
}

/// For each number of moves: how many keys are first reached from the solved cube with it.
///
/// Cubes with the same key need the same moves to reach the goal of a stage.
fn layers<K: Hash + Eq>(
    lab: &Lab<'_>,
    turns: &[usize],
    key: impl Fn(&Cube) -> K,
) -> Result<Vec<u64>, Failure> {
    let mut seen = HashSet::from([key(&Cube::SOLVED)]);
    let mut layer = vec![Cube::SOLVED];
    let mut counts = Vec::new();
    while !layer.is_empty() {
        counts.push(layer.len() as u64);
        let mut next = Vec::new();
        for (number, cube) in layer.iter().enumerate() {
            if number % 1_000 == 0 {
                lab.check()?;
            }
            let children = turns.iter().map(|&turn| cube.turned(turn));
            next.extend(children.filter(|child| seen.insert(key(child))));
        }
        layer = next;
    }
    Ok(counts)
}

/// The arrangements of the corners that half turns make.
fn half_turn_corners(halves: &[usize]) -> Vec<[u8; 8]> {
    let steps: Vec<_> = halves.iter().map(|&turn| pieces::turn(turn).corners).collect();
    let mut all = vec![[0, 1, 2, 3, 4, 5, 6, 7]];
    let mut done = 0;
    while let Some(&corners) = all.get(done) {
        for step in &steps {
            let next = step.map(|from| corners[usize::from(from)]);
            if !all.contains(&next) {
                all.push(next);
            }
        }
        done += 1;
    }
    all
}

/// F19. Stages end with edges flipped right, then with corners twisted right and the middle edges
/// in the middle, then in the group of the half turns, then solved.
pub(super) fn stages(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    // The turns of the faces U R F D L B: by a quarter forward, by half, by a quarter back.
    let turns = |quarters: &[usize]| {
        let allowed = |turn: &usize| turn % 3 == 1 || quarters.contains(&(turn / 3));
        (0..18).filter(allowed).collect::<Vec<usize>>()
    };
    let flips =
        |cube: &Cube| (0..12).fold(0_u32, |key, slot| key << 1 | u32::from(cube.flip(slot)));
    let twists = |cube: &Cube| {
        let twists = (0..8).fold(0_u32, |key, slot| key << 2 | u32::from(cube.twist(slot)));
        (0..12).fold(twists, |key, slot| key << 1 | u32::from(cube.edge(slot) > 7))
    };
    let halves = turns(&[]);
    let images = half_turn_corners(&halves);
    let squares = |cube: &Cube| {
        // Half turns that come before rename the corners, so the least of the renamed stands for
        // all. They also keep edges with even numbers among themselves.
        let corners = cube.parts().corners;
        let renamed = images.iter().map(|image| corners.map(|piece| image[usize::from(piece)]));
        let edges = (0..8).fold(0_u8, |key, slot| key << 1 | cube.edge(slot) & 1);
        (renamed.min(), edges)
    };
    let found = [
        layers(lab, &turns(&[0, 1, 2, 3, 4, 5]), flips)?,
        layers(lab, &turns(&[0, 1, 3, 4]), twists)?,
        layers(lab, &turns(&[0, 3]), squares)?,
        layers(lab, &halves, |cube| *cube)?,
    ];
    let sizes = [2_048_u64, 1_082_565, 29_400, 663_552];
    let best = [7_usize, 10, 13, 15];
    for (stage, counts) in found.iter().enumerate() {
        let what = format!("stage {}: most moves", stage + 1);
        let list: Vec<String> = counts.iter().map(u64::to_string).collect();
        let row = Row::exact("F19", what, best[stage], counts.len() - 1);
        out.row(row.remark(format!("states by moves: {}", list.join(" "))));
        let what = format!("stage {}: states", stage + 1);
        out.row(Row::exact("F19", what, sizes[stage], counts.iter().sum::<u64>()));
    }
    let sum: usize = found.iter().map(|counts| counts.len() - 1).sum();
    out.row(Row::exact("F19", "most moves of all four stages, at best", 45_usize, sum));
    for (what, published) in [
        ("most moves of the stages, as first published", "7 + 13 + 15 + 17 = 52"),
        ("most moves of the stages, improved by hand", "7 + 13 + 15 + 15 = 50"),
    ] {
        let ours = found.each_ref().map(|counts| (counts.len() - 1).to_string()).join(" + ");
        out.row(Row::history("F19", what, published, Some(format!("{ours} = {sum}").into())));
    }
    Ok(())
}
