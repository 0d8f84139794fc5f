//! Metrics of the 2x2x2 for Bayesian greedy search, and what they say of all its states.

use super::distances::PocketAbstraction;
use super::domain::Cube2;
use super::facelets::PocketFacelets;
use super::pocket::Pocket;
use pdb::{BuildError, BuildOptions, build};
use search::bayes::{Metrics, Observations};
use search::{Domain, Op, threads};
use std::sync::Mutex;

/// States that one thread observes at a time.
const BLOCK: usize = 729 * 20;

/// Metrics of a normalised [`Pocket`]: Joe Fowler's (master's thesis, 2002, chapter 4), and two
/// subgroups.
///
/// | name | values | meaning |
/// |---|---|---|
/// | `home` | 0 to 7 | corners at home with the right twist, without the one that is held |
/// | `colours` | 0 to 36 | squared colours, less 24 and halved |
/// | `twists` | from 0 | distance to the subgroup of states without twists |
/// | `order` | from 0 | distance to the subgroup of states with every corner at home |
///
/// Squared colours are the sum over faces and colours of the squared number of facelets. Both
/// distances are lower bounds. Time: breadth-first searches over 729 and 5,040 cosets.
pub fn pocket_metrics(domain: &Cube2) -> Metrics<Pocket> {
    let twists = spread(domain, 729, u32::from, |pocket| pocket.twists());
    let order = spread(domain, 5040, |order| 729 * u32::from(order), |pocket| pocket.order());
    let most = |distances: &[u8]| 1 + usize::from(distances.iter().copied().max().unwrap_or(0));
    let sizes = [most(&twists), most(&order)];
    Metrics::new()
        .with("home", 8, home)
        .with("colours", 37, colours)
        .with("twists", sizes[0], move |pocket: &Pocket| twists[usize::from(pocket.twists())])
        .with("order", sizes[1], move |pocket: &Pocket| order[usize::from(pocket.order())])
}

/// Observes all 3,674,160 states and their steps, with true distances. Uses the threads of the
/// current pool.
///
/// Time: 33 million steps in the half-turn metric. Memory: a byte for each state and metric, and
/// 1.8 MB for the distances.
///
/// # Errors
/// If memory is short, or the caller cancels.
pub fn observe_all(
    domain: &Cube2,
    metrics: &Metrics<Pocket>,
    options: &BuildOptions<'_>,
) -> Result<Observations, BuildError> {
    let table = build::<4>(&PocketAbstraction::new(domain.metric()), options)?;
    let distance = |rank: u32| usize::from(table.get(rank.into()));
    let farthest = table.histogram().counts.len();
    let count = metrics.sizes().len();
    let cancelled = || options.cancel.is_some_and(search::CancelToken::is_cancelled);
    let mut values = vec![0; Pocket::COUNT as usize * count];
    let blocks: Vec<Mutex<&mut [u8]>> = values.chunks_mut(BLOCK * count).map(Mutex::new).collect();
    let ranks = |block: usize| (0..Pocket::COUNT).skip(block * BLOCK).take(BLOCK);
    threads::each(blocks.len(), &|block| {
        let mut values = blocks[block].lock().expect("no thread panics");
        for (rank, values) in ranks(block).zip(values.chunks_mut(count.max(1))) {
            if rank % 729 == 0 && cancelled() {
                return;
            }
            values.copy_from_slice(&metrics.read(&Pocket::unrank(rank)));
        }
    });
    drop(blocks);
    let of = |rank: u32| &values[rank as usize * count..][..count];
    let all = Mutex::new(Observations::new(metrics, farthest));
    threads::each((Pocket::COUNT as usize).div_ceil(BLOCK), &|block| {
        let mut seen = Observations::new(metrics, farthest);
        for rank in ranks(block) {
            if rank % 729 == 0 && cancelled() {
                return;
            }
            let (state, from) = (Pocket::unrank(rank), (distance(rank), of(rank)));
            seen.state(from.0, from.1);
            for op in (0..domain.operators()).map(Op::new) {
                let to = state.turned(domain.turn(op)).rank();
                seen.step(from, (distance(to), of(to))).expect("turns cost 1");
            }
        }
        all.lock().expect("no thread panics").merge(&seen);
    });
    if cancelled() {
        return Err(BuildError::Cancelled);
    }
    Ok(all.into_inner().expect("no thread panics"))
}

/// The corners at home with the right twist, without the one that is held.
fn home(pocket: &Pocket) -> u8 {
    let right =
        |slot: &usize| usize::from(pocket.corner(*slot)) == *slot && pocket.twist(*slot) == 0;
    (0..8).filter(right).map(|_| 1).sum::<u8>() - 1
}

/// Squared colours of each face.
fn colours(pocket: &Pocket) -> u8 {
    let facelets = PocketFacelets::from(pocket);
    let squares = facelets.0.chunks_exact(4).map(|face| {
        let mut counts = [0_u8; 6];
        face.iter().for_each(|&colour| counts[usize::from(colour)] += 1);
        counts.iter().map(|count| count * count).sum::<u8>()
    });
    (squares.sum::<u8>() - 24) / 2
}

/// The distance of every coset from that of the solved puzzle. `state` gives a state of a coset,
/// `coset` the coset of a state.
fn spread(
    domain: &Cube2,
    cosets: u16,
    state: impl Fn(u16) -> u32,
    coset: impl Fn(&Pocket) -> u16,
) -> Vec<u8> {
    let mut distances = vec![u8::MAX; usize::from(cosets)];
    let mut layer = vec![coset(&Pocket::SOLVED)];
    distances[usize::from(layer[0])] = 0;
    for distance in 1.. {
        let mut next = Vec::new();
        for &from in &layer {
            let from = Pocket::unrank(state(from));
            for op in (0..domain.operators()).map(Op::new) {
                let to = coset(&from.turned(domain.turn(op)));
                let known = &mut distances[usize::from(to)];
                if *known == u8::MAX {
                    *known = distance;
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CubeMetric;
    use search::bayes::{BayesSettings, LookAhead, bayes_greedy};
    use search::{CancelToken, Limits, Options};

    const METRICS: [CubeMetric; 2] = [CubeMetric::HalfTurn, CubeMetric::QuarterTurn];

    #[test]
    fn metrics_of_some_states() {
        let domain = Cube2::new(CubeMetric::HalfTurn);
        let metrics = pocket_metrics(&domain);
        assert_eq!(metrics.names(), ["home", "colours", "twists", "order"]);
        assert_eq!(metrics.read(&Pocket::SOLVED)[..], [7, 36, 0, 0]);
        // U moves four corners and keeps twists. Each face at its side has two colours twice.
        assert_eq!(metrics.read(&Pocket::SOLVED.turned(0))[..], [3, 20, 0, 1]);
        // R twists four corners; here, four faces have two colours twice, too.
        assert_eq!(metrics.read(&Pocket::SOLVED.turned(3))[..], [3, 20, 1, 1]);
        // A half turn of R keeps twists.
        assert_eq!(metrics.read(&Pocket::SOLVED.turned(4))[2..], [0, 1]);
    }

    #[test]
    fn values_are_in_range_and_distances_are_lower_bounds() {
        for metric in METRICS {
            let domain = Cube2::new(metric);
            let metrics = pocket_metrics(&domain);
            let table = build::<4>(&PocketAbstraction::new(metric), &BuildOptions::default());
            let table = table.unwrap();
            for rank in (0..Pocket::COUNT).step_by(97) {
                let state = Pocket::unrank(rank);
                let values = metrics.read(&state);
                let distance = table.get(rank.into());
                assert!(values[2] <= distance && values[3] <= distance, "{rank}");
                assert!(values[0] < 8 && values[1] < 37 && (values[0] < 7 || values[1] == 36));
                let colours = u32::from(colours(&state));
                let facelets = PocketFacelets::from(&state).to_string();
                let squares = |face: usize| {
                    let face = &facelets[4 * face..][..4];
                    let count = |c| face.matches(c).count();
                    face.chars().map(count).sum::<usize>()
                };
                let sum: usize = (0..6).map(squares).sum();
                assert_eq!(u32::try_from(sum).unwrap(), 24 + 2 * colours, "{rank}");
            }
        }
    }

    /// The observations are all states and all steps. Steps between neighbouring distances balance:
    /// as many rise from d to d + 1 as fall back.
    #[test]
    fn all_states_are_observed() {
        let cancel = CancelToken::cancelled();
        let stopped = BuildOptions { cancel: Some(&cancel), ..BuildOptions::default() };
        for (metric, farthest) in METRICS.into_iter().zip([11, 14]) {
            let domain = Cube2::new(metric);
            let metrics = pocket_metrics(&domain);
            let error = observe_all(&domain, &metrics, &stopped);
            assert!(matches!(error, Err(BuildError::Cancelled)));
            let seen = observe_all(&domain, &metrics, &BuildOptions::default()).unwrap();
            assert_eq!(seen.states().len(), farthest + 1);
            assert_eq!(seen.states().iter().sum::<u64>(), u64::from(Pocket::COUNT));
            let beliefs = seen.beliefs(0.0);
            let steps = |d: usize, x: usize| seen.states()[d] as f64 * beliefs.steps()[d][x];
            for d in 0..farthest {
                assert!((steps(d, 2) - steps(d + 1, 0)).abs() < 1e-6, "{d}");
            }
            if metric == CubeMetric::HalfTurn {
                assert_eq!(seen.states()[..4], [1, 9, 54, 321]);
            }
        }
    }

    /// Two operators ahead, half the weight for each metric: most states are solved.
    #[test]
    fn greedy_search_solves_most_states() {
        let domain = Cube2::new(CubeMetric::HalfTurn);
        let metrics = pocket_metrics(&domain);
        let seen = observe_all(&domain, &metrics, &BuildOptions::default()).unwrap();
        let beliefs = seen.beliefs(1e-3).with_weights(&[0.5; 4]);
        let options = Options::from(Limits { bound: Some(100), ..Limits::default() });
        let settings = BayesSettings { look_ahead: LookAhead::Two, ..BayesSettings::default() };
        let ranks = (0..Pocket::COUNT).step_by(36_000);
        let solved = ranks.clone().filter(|&rank| {
            let mut state = Pocket::unrank(rank);
            let report = bayes_greedy(&domain, &metrics, &beliefs, &state, &settings, &options);
            let Some(plan) = report.plan() else { return false };
            plan.iter().for_each(|&op| state = state.turned(domain.turn(op)));
            assert!(domain.is_goal(&state));
            true
        });
        assert!(solved.count() * 100 >= ranks.len() * 95);
    }
}
