//! Solvers that Fowler (2002) describes or proposes: macro tables, two phases, Bayes' rule.

use crate::lab::{Findings, build_failure, instances};
use crate::{Lab, Quantity, Row, Sample};
use fewest::cube::cosets::{AxisCoordinates, AxisFamily};
use fewest::cube::macros::CubeOrder;
use fewest::cube::notation::parse_state;
use fewest::cube::two_phase::TwoPhase;
use fewest::cube::{Cube, Cube3, CubeMetric};
use fewest::pdb::coset::SymmetryReduced;
use fewest::pdb::{Abstraction, PackedTable};
use fewest::search::macros::{LearningEnd, MacroStatistics, SerialOrder};
use fewest::search::{Cost, Limits, Options, Packed, Reversible};
use fewest::{Answer, Failure, TooLittleMemory};

/// The most states that a macro table is learned from.
const STATES: usize = 1 << 20;

/// The figures of a complete macro table.
fn table<D: Reversible + Packed>(
    lab: &Lab<'_>,
    domain: &D,
    order: &impl SerialOrder<D>,
    goal: &D::State,
) -> Result<MacroStatistics, Failure> {
    let memory = usize::try_from(lab.settings.memory).ok();
    let limits =
        Limits { bytes: lab.request.limits.bytes.or(memory), ..lab.request.limits.clone() };
    let cancel = lab.request.cancel.clone();
    let options = Options { limits, cancel, observer: &lab.events, ..Options::default() };
    let learned = fewest::search::macros::learn_macros(domain, order, goal, STATES, &options);
    match learned.end {
        LearningEnd::Complete => Ok(learned.table.statistics()),
        LearningEnd::Cancelled => Err(Failure::Cancelled),
        LearningEnd::LimitReached(limit) => {
            Err(Failure::limit(format!("the macro table is incomplete: limit of {limit:?}")))
        }
    }
}

/// K21 and F16.
pub(crate) fn macros(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let eight = fewest::tiles::Puzzle8::new();
    let goal = eight.goal();
    let small = table(lab, &eight, &fewest::tiles::TileOrder::new(&eight), &goal)?;
    out.row(Row::exact("K21", "macros of the 8-puzzle", 35_usize, small.macros));
    lab.check()?;
    let domain = Cube3::new(CubeMetric::HalfTurn);
    let cube = table(lab, &domain, &CubeOrder::default(), &Cube::SOLVED)?;
    out.row(Row::exact("K21", "macros of the cube", 238_usize, cube.macros));
    let remark = format!(
        "the mean over all cubes is exact, but depends on the order of the pieces and on the \
         states stored, here {STATES}; {} macros are proven to be the shortest, and no plan is \
         longer than {}",
        cube.cheapest, cube.longest_plan
    );
    let what = "mean length of the plans of the cube's table";
    out.row(Row::exact("K21", what, (86.0, 0), (cube.mean_plan, 2)).remark(remark));
    let evidence = "Korf's own mean is 86 (1985, quoted in 1997); no plan of our table is as long";
    let ours = (cube.mean_plan, 2);
    out.row(if cube.longest_plan < 200 {
        Row::wrong("F16", "mean length of Korf's macro solutions", 200_u64, ours, evidence)
    } else {
        Row::exact("F16", "mean length of Korf's macro solutions", 200_u64, ours)
    });
    Ok(())
}

/// The cosets of phase 1 by distance. An entry counts once for each first coordinate of its class.
fn cosets(lab: &Lab<'_>, metric: CubeMetric) -> Result<Vec<u64>, Failure> {
    let name = "cosets of phase 1";
    let reduced = SymmetryReduced::new(AxisCoordinates::new(metric, AxisFamily::G1));
    let (rows, columns) = reduced.shape();
    let columns = columns as u64;
    // The build holds the table twice.
    let (needed, limit) = (2 * PackedTable::bytes_for(4, rows * columns), lab.settings.memory);
    if needed > limit {
        return Err(TooLittleMemory::new(name, needed, limit).into());
    }
    lab.begin(name)?;
    let table = fewest::pdb::build::<4>(&reduced, &lab.build()).map_err(build_failure(name))?;
    let mut counts = vec![0; 16];
    for (row, size) in (0..).zip(reduced.class_sizes()) {
        lab.check()?;
        for column in 0..columns {
            counts[usize::from(table.get(row * columns + column))] += u64::from(size);
        }
    }
    let most = counts.iter().rposition(|&count| count > 0).unwrap_or_default();
    counts.truncate(most + 1);
    Ok(counts)
}

/// Cosets of phase 1 by distance in half turns (Reid; sums checked).
const HALF: [u64; 13] = [
    1,
    4,
    50,
    592,
    7_156,
    87_236,
    1_043_817,
    12_070_278,
    124_946_368,
    821_605_960,
    1_199_128_738,
    58_202_444,
    476,
];
/// The same in quarter turns.
const QUARTER: [u64; 14] = [
    1,
    4,
    34,
    312,
    2_772,
    24_996,
    225_949,
    2_017_078,
    17_554_890,
    139_132_730,
    758_147_361,
    1_182_378_518,
    117_594_403,
    14_072,
];

/// F20 and F21: the table of phase 1, which is Reid's.
pub(crate) fn phase_1(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let halves = (CubeMetric::HalfTurn, "half turns", &HALF[..]);
    for (metric, unit, published) in [halves, (CubeMetric::QuarterTurn, "quarter turns", &QUARTER)]
    {
        let counts = cosets(lab, metric)?;
        for (distance, &count) in published.iter().enumerate() {
            let ours = counts.get(distance).copied().unwrap_or_default();
            let what = format!("cosets at {distance} {unit}");
            out.row(Row::exact("F21", what, count, ours));
        }
        let sum = counts.iter().sum::<u64>();
        out.row(Row::exact("F21", format!("cosets, {unit}"), 2_217_093_120_u64, sum));
        let total = (0_u64..).zip(&counts).map(|(distance, count)| distance * count).sum::<u64>();
        let mean = Quantity::Real(total as f64 / sum.max(1) as f64, 5);
        out.row(Row::unpublished("F21", format!("mean distance, {unit}"), mean));
        if metric == CubeMetric::HalfTurn {
            let most = counts.len() - 1;
            out.row(Row::exact("F20", "most moves of phase 1", 12_usize, most));
        }
    }
    Ok(())
}

/// The length of a plan that need not be optimal. `None` if there is none.
fn found(answer: &Answer) -> Option<usize> {
    answer.plans.first().map(Vec::len)
}

/// F17: Fridrich's steps on random cubes.
pub(crate) fn fridrich(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let puzzle = lab.puzzle("3x3x3", |settings| settings.solver("fridrich"))?;
    let (mut lengths, mut failed) = (Sample::default(), 0_u64);
    let mut steps: Vec<(String, Sample)> = Vec::new();
    for (name, cube) in instances("random-cubes", &*puzzle)? {
        lab.begin(&format!("cube {name}"))?;
        let answer = puzzle.solve(&cube, &lab.exact_request())?;
        lab.check()?;
        let Some(length) = found(&answer) else {
            failed += 1;
            continue;
        };
        lengths.add(length as f64);
        for (number, stage) in answer.stages.iter().enumerate() {
            if steps.len() == number {
                steps.push((stage.name.clone(), Sample::default()));
            }
            steps[number].1.add(stage.length as f64);
        }
    }
    let remark = "people know the moves of the last layer by heart and choose pairs by sight; here \
                  each subgoal is reached in the fewest moves";
    let what = "mean length of Fridrich's four steps";
    out.row(Row::sampled("F17", what, (56.0, 0), &lengths, 2).remark(remark));
    for (name, lengths) in &steps {
        let mean = Quantity::Real(lengths.mean(), 2);
        out.row(Row::unpublished("F17", format!("mean length: {name}"), mean));
    }
    out.row(Row::unpublished("F17", "cubes that fail", failed));
    Ok(())
}

/// F20: lengths on random cubes.
pub(crate) fn two_phase(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    lab.begin("two-phase")?;
    let tables = TwoPhase::build(CubeMetric::HalfTurn, &lab.build());
    let tables = tables.map_err(build_failure("two-phase"))?;
    let puzzle = lab.puzzle("3x3x3", |settings| settings.heuristic("manhattan"))?;
    let later = [1_000_000_u64, 4_000_000];
    let (mut first, mut lengths) = (Sample::default(), [Sample::default(); 2]);
    let (mut within, mut most) = ([0_u64; 2], [0; 2]);
    for (name, cube) in instances("random-cubes", &*puzzle)?.iter().take(20) {
        lab.begin(&format!("cube {name}"))?;
        let cube = parse_state(cube).map_err(Failure::refused)?;
        let options = Options { cancel: lab.request.cancel.clone(), ..Options::default() };
        let phases = tables.phases(&cube, &options);
        lab.check()?;
        let Some(plan) = &phases.plan else { continue };
        first.add(plan.len() as f64);
        for (most, phase) in most.iter_mut().zip(&phases.stages) {
            *most = phase.plan().map_or(0, |plan| plan.len()).max(*most);
        }
        for ((lengths, within), nodes) in lengths.iter_mut().zip(&mut within).zip(later) {
            let limits = Limits { nodes: Some(nodes), ..lab.request.limits.clone() };
            let upper_bound = Cost::try_from(plan.len()).ok();
            let better =
                tables.lengthen(&cube, &Options { limits, upper_bound, ..options.clone() });
            lab.check()?;
            let length = better.plan().unwrap_or(plan).len();
            lengths.add(length as f64);
            *within += u64::from(length <= 20);
        }
    }
    let mean = |sample: &Sample| Quantity::Real(sample.mean(), 2);
    let what = "mean length of the first plans, each phase in the fewest moves";
    let remark = format!("longest phases: {} and {} moves", most[0], most[1]);
    out.row(Row::unpublished("F20", what, mean(&first)).with_sample(&first).remark(remark));
    for ((lengths, within), nodes) in lengths.iter().zip(within).zip(later) {
        let what = format!("mean length after {nodes} nodes of longer first phases");
        let remark = format!("{within} of {} cubes in at most 20 moves", lengths.count());
        out.row(Row::unpublished("F20", what, mean(lengths)).with_sample(lengths).remark(remark));
    }
    let what = "phases of at most 12 and 18 moves, in the sample";
    out.row(Row::holds("F20", what, most[0] <= 12 && most[1] <= 18));
    Ok(())
}

/// F23: the test on the 2x2x2 that the thesis proposes.
pub(crate) fn bayes(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let puzzle = lab.puzzle("2x2x2", |settings| settings.solver("bayes"))?;
    let optimal = lab.puzzle("2x2x2", |settings| settings)?;
    let random = puzzle.scrambler().ok_or_else(|| Failure::refused("no random states"))?;
    let (mut solved, mut lengths, mut fewest) =
        (Sample::default(), Sample::default(), Sample::default());
    for state in random.scrambles(23).take(200) {
        lab.begin("Bayesian greedy search")?;
        let length = found(&puzzle.solve(&state, &lab.exact_request())?);
        lab.check()?;
        solved.add(if length.is_some() { 100.0 } else { 0.0 });
        if let Some(length) = length {
            lengths.add(length as f64);
            let best = optimal.solve(&state, &lab.exact_request())?;
            lab.check()?;
            if let Some(best) = found(&best) {
                fewest.add(best as f64);
            }
        }
    }
    let never = "the thesis proposes the 2x2x2 as its test, and did not run it";
    for (what, sample) in [
        ("random 2x2x2 that Bayesian greedy search solves, per cent", &solved),
        ("their mean length", &lengths),
        ("their fewest moves, mean", &fewest),
    ] {
        let ours = Quantity::Real(sample.mean(), 2);
        out.row(Row::unpublished("F23", what, ours).with_sample(sample).remark(never));
    }
    Ok(())
}
