//! Predicts nodes and seconds of searches: the formula of Korf, Reid and Edelkamp, corrected by a
//! small search.

use super::climb::{BoundSource, Rungs};
use super::payoff::Rung;
use crate::automata::Automata;
use crate::puzzle::{Failure, Prediction, Result, TablePrediction};
use crate::run::Run;
use crate::timing::Stopwatch;
use search::predict::{Distribution, predict};
use search::{Cost, Group, Limits, Options, TwoSided};

/// The seed of all random states, so that predictions are the same in every run.
pub(crate) const SEED: u64 = 2001;
/// Number of states of a small search.
const STATES: usize = 16;
/// Most nodes that the formula predicts for a small search from one state.
const ENOUGH: f64 = 1e6;
/// Seconds that a prediction may spend on a table.
const QUICK: f64 = 8.0;

/// Makes an iterator over uniformly random states. Each call starts again at the first state of
/// [`SEED`].
pub(crate) type Source<'a, S> = &'a dyn Fn() -> Box<dyn Iterator<Item = S> + 'a>;

/// The distribution of these estimates.
pub(crate) fn sampled(estimates: impl Iterator<Item = Cost>) -> Distribution {
    let mut counts = vec![0; 256];
    estimates.for_each(|estimate| counts[usize::from(estimate)] += 1);
    let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    Distribution::from_counts(&counts[..=most])
}

/// The generated nodes of complete iterations with bounds 1, 2, .., as the formula predicts.
///
/// `counts`: the number of operator sequences of length 0, 1, .. The prediction for bound `b` needs
/// the counts of lengths 0 to `b + 1`.
pub(crate) fn formula(counts: &[u128], distribution: Distribution) -> Vec<f64> {
    let sequences: Vec<Vec<f64>> = counts.iter().map(|&count| vec![count as f64]).collect();
    let (distributions, within) = ([distribution], counts.len().saturating_sub(2));
    (1..=within).map(|bound| predict(&sequences, &distributions, bound)).collect()
}

/// The highest rung at hand (in memory or on disk). If there is none, the highest whose table is
/// built in less than [`QUICK`] seconds. `None` if there is none either.
pub(crate) fn rung_at_hand<D: Group>(ladder: &impl Rungs<D>) -> Option<usize> {
    let rungs = || (0..ladder.count()).rev();
    let quick = |&rung: &usize| ladder.rung(rung).build < QUICK;
    rungs().find(|&rung| ladder.at_hand(rung)).or_else(|| rungs().find(quick))
}

/// Predicts nodes and seconds for every rung. The prediction is empty if no table is at hand or
/// quick to build.
///
/// The formula predicts the nodes of one rung. It does not know which operators the heuristic
/// excludes, so it predicts too many. A small search with that rung measures by how much. The
/// factors of the other rungs give their nodes and the seconds of each.
pub(crate) fn outlook<'a, D: Group>(
    ladder: &impl Rungs<D>,
    domain: &TwoSided<D>,
    automata: &Automata<D>,
    counts: &[u128],
    (source, samples): (Source<'a, D::State>, usize),
    run: &Run<'_>,
) -> Result<Prediction> {
    let Some(from) = rung_at_hand(ladder) else {
        return Ok(Prediction { generated: Vec::new(), tables: Vec::new() });
    };
    let table = ladder.table(from, run)?;
    let states = source().take(samples);
    let estimates = states.map(|state| table.estimate(domain, &domain.state(&state)));
    let told = formula(counts, sampled(estimates));
    let (share, pace) = small_search(&table, domain, automata, &told, source, run)?;
    let generated: Vec<f64> = told.iter().map(|nodes| nodes * share).collect();
    // All rungs. The factors of each are against the same rung, the one below the lowest.
    let rungs = (0..ladder.count()).scan(None, |below, rung| {
        let own = ladder.rung(rung);
        *below = Some(below.map_or(own, |below| own.across(below)));
        *below
    });
    let rungs: Vec<Rung> = rungs.collect();
    let from = rungs[from];
    let tables = rungs.iter().enumerate().map(|(number, rung)| {
        let generated: Vec<f64> =
            generated.iter().map(|nodes| nodes * from.gain / rung.gain).collect();
        let pace = pace * rung.slower / from.slower;
        let (table, bytes) = ladder.named(number);
        TablePrediction {
            table,
            bytes,
            build_seconds: rung.build,
            seconds: generated.iter().map(|nodes| nodes * pace).collect(),
            generated,
        }
    });
    Ok(Prediction { tables: tables.collect(), generated })
}

/// Measures (0) the fraction of the formula's nodes that a search generates, and (1) wall seconds
/// for each node.
///
/// Searches random states with the highest bound for which the formula predicts at most [`ENOUGH`]
/// nodes.
fn small_search<'a, D: Group>(
    table: &impl BoundSource<D>,
    domain: &TwoSided<D>,
    automata: &Automata<D>,
    told: &[f64],
    source: Source<'a, D::State>,
    run: &Run<'_>,
) -> Result<(f64, f64)> {
    let small = told.iter().take_while(|&&nodes| nodes <= ENOUGH).count();
    let Some(&expected) = small.checked_sub(1).and_then(|at| told.get(at)) else {
        return Ok((1.0, 0.0));
    };
    let bound = Cost::try_from(small).unwrap_or(Cost::MAX);
    let (mut searched, mut nodes, mut seconds) = (0_u32, 0, 0.0);
    for start in source().take(STATES) {
        let options = Options {
            limits: Limits { bound: Some(bound), ..Limits::default() },
            cancel: run.request.cancel.clone(),
            lower_bound: bound,
            ..Options::default()
        };
        let both = domain.state(&start);
        let stopwatch = Stopwatch::start();
        let report = table.search(domain, automata, &both, &options, None);
        let elapsed = stopwatch.wall();
        if run.request.cancel.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        // A state with a plan within the bound has no complete iteration.
        for iteration in report.iterations.iter().filter(|iteration| iteration.complete) {
            searched += 1;
            nodes += iteration.generated;
            seconds += elapsed.as_secs_f64();
        }
    }
    if nodes == 0 {
        return Ok((1.0, 0.0));
    }
    let nodes = nodes as f64;
    Ok((nodes / f64::from(searched) / expected, seconds / nodes))
}
