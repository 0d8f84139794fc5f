//! Observations of the 3x3x3 in half turns: states labelled by optimal search.

use super::Failure;
use super::states::{METRIC, metrics, random_cubes, walk};
use fewest::cube::cosets::{AxisCoordinates, AxisFamily, AxisViews};
use fewest::cube::{ByteCube3, Cube, Cube3};
use fewest::fsm::{Automaton, Keep, learn};
use fewest::pdb::BuildOptions;
use fewest::pdb::coset::{SymmetryReduced, Views};
use fewest::pdb::table::StripeTable;
use fewest::search::bayes::Observations;
use fewest::search::random::Random;
use fewest::search::{
    Domain, Limits, Op, Options, Outcome, Reversible, TwoSided, TwoSidedPruning, ida_star,
};
use rayon::prelude::*;

/// The distances 0 to 17, and 18 for all that are farther.
pub(super) const DISTANCES: usize = 19;
/// For each length of a walk: how many walks, and how many steps from the end of each.
const WALKS: [(usize, usize); 16] = [
    (1, 18),
    (54, 18),
    (1000, 6),
    (2000, 2),
    (2000, 2),
    (2000, 2),
    (2000, 2),
    (2000, 2),
    (2000, 2),
    (2000, 2),
    (2000, 2),
    (2000, 2),
    (1000, 1),
    (300, 1),
    (100, 1),
    (20, 1),
];

pub(super) fn observations() -> Result<Observations, Failure> {
    let metrics = metrics()?;
    let plain = Cube3::new(METRIC);
    let reduced = SymmetryReduced::new(AxisCoordinates::new(METRIC, AxisFamily::G1));
    let base = AxisFamily::G1.base(METRIC);
    let table = StripeTable::build(&reduced, base, &BuildOptions::default())?;
    let bytes = ByteCube3::new(plain);
    let views = Views::new(&bytes, AxisViews::new(METRIC, &reduced), table)?;
    let learned = learn(&plain, 2, Keep::OneOptimal);
    let ends = TwoSidedPruning {
        front: Automaton::<u32>::new(&learned)?.minimized(),
        back: Automaton::reversed(&learned, |op| plain.inverse_op(op))?.minimized(),
    };
    let two = TwoSided(bytes);
    // The distance of a cube from `from` on; `None` if it is above `most`.
    let distance = |cube: &Cube, from: u8, most: u8| {
        let limits = Limits { bound: Some(most), ..Limits::default() };
        let options = Options { limits, lower_bound: from, ..Options::default() };
        let report = ida_star(&two, &views, &ends, &two.state(&cube.into()), &options);
        match report.outcome {
            Outcome::Solved(_) => Some(report.lower_bound),
            _ => None,
        }
    };
    // Observes a cube of a known distance, and random steps from it.
    let observe = |cube: &Cube, d: u8, steps: usize, random: &mut Random| {
        let mut seen = Observations::new(&metrics, DISTANCES);
        let values = metrics.read(cube);
        seen.state(d.into(), &values);
        let mut ops: Vec<usize> = (0..plain.operators()).collect();
        random.shuffle(&mut ops);
        let mut to = *cube;
        for op in ops.into_iter().take(steps) {
            plain.apply_into(cube, Op::new(op), &mut to);
            let after = distance(&to, d.saturating_sub(1), d).unwrap_or(d + 1);
            seen.step((d.into(), &values), (after.into(), &metrics.read(&to)))?;
        }
        Ok::<_, fewest::search::bayes::StepError>(seen)
    };
    let near = WALKS.iter().enumerate();
    let mut tasks: Vec<(Cube, Option<u8>, usize, u64)> = Vec::new();
    for (length, &(walks, steps)) in near {
        for _ in 0..walks {
            let seed = tasks.len() as u64;
            tasks.push((walk(length, &mut Random::new(seed)), None, steps, seed));
        }
    }
    // Each step of these would take half a minute.
    let far = random_cubes().into_iter().map(|(cube, d)| (cube, Some(d.min(18)), 0, 0));
    tasks.extend(far);
    // The longest tasks first.
    tasks.reverse();
    let seen = tasks.into_par_iter().with_max_len(1).map(|(cube, known, steps, seed)| {
        let d = known.or_else(|| distance(&cube, 0, 20)).expect("no cube is farther than 20");
        observe(&cube, d, steps, &mut Random::new(!seed)).map_err(|error| error.to_string())
    });
    let seen: Vec<Observations> = seen.collect::<Result<_, _>>()?;
    let mut all = Observations::new(&metrics, DISTANCES);
    seen.iter().for_each(|seen| all.merge(seen));
    Ok(all)
}
