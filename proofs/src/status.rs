//! How far a run is, and when it may end: [`RunStatus`].

use crate::record::{Record, RunEnd};
use search::Cost;

/// How far a run is, from its record.
#[derive(Clone, Debug, PartialEq)]
pub struct RunStatus {
    /// No plan costs less than this.
    pub lower_bound: Cost,
    /// The first bound with a plan. The plan is taken as it is recorded, and not replayed. `None`
    /// if there is none.
    pub plan_within: Option<Cost>,
    /// How the run ended. `None` if it did not, or the record does not show it: [`Record::end`].
    pub end: Option<RunEnd>,
    /// The bounds in ascending order.
    pub bounds: Vec<BoundStatus>,
    /// The nodes of all complete units and of all rounds.
    pub generated: u64,
    /// The number of rounds of a search for plans that are not proven.
    pub rounds: usize,
    /// The cost of their cheapest plan, which is not replayed. `None` without one.
    pub planned: Option<u32>,
    /// Seconds of search so far. 0 if the record does not say.
    pub seconds: f64,
    /// Nodes a second, over the last minutes. `None` if the record does not say.
    pub rate: Option<f64>,
    /// Seconds until the last bound is complete, by its predicted nodes. `None` if nothing is
    /// predicted, the bound is complete, or there are rounds: their nodes take another time.
    pub seconds_left: Option<f64>,
    /// The mean factor by which predictions of earlier bounds were wrong, at least 1. `None` if
    /// there were none.
    pub error: Option<f64>,
}

/// How far one bound is.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundStatus {
    /// The bound.
    pub bound: Cost,
    /// The number of its units that are searched completely.
    pub done: usize,
    /// The number of its units.
    pub units: usize,
    /// Generated nodes of the complete units and of the search above the units.
    pub generated: u64,
    /// Expanded nodes of the same.
    pub expanded: u64,
    /// Generated nodes of the whole bound, predicted from the bounds before it. `None` if there are
    /// fewer than two, or one of them is empty.
    pub predicted: Option<f64>,
    /// Whether every unit is searched completely.
    pub complete: bool,
}

/// Seconds over which the rate is taken.
const LATELY: f64 = 300.0;

impl RunStatus {
    /// The status of a record.
    pub fn new(record: &Record) -> Self {
        let mut bounds: Vec<BoundStatus> = Vec::new();
        for one in &record.bounds {
            let ((generated, expanded), (done, units)) =
                (one.counts(), (one.done(), one.units.len()));
            let predicted = predicted(&bounds);
            let (bound, complete) = (one.bound, one.is_complete());
            bounds.push(BoundStatus {
                bound,
                done,
                units,
                generated,
                expanded,
                predicted,
                complete,
            });
        }
        let errors: Vec<f64> = bounds
            .iter()
            .filter(|one| one.complete)
            .filter_map(|one| Some((one.predicted? / one.generated.max(1) as f64).ln().abs()))
            .collect();
        let error =
            (!errors.is_empty()).then(|| (errors.iter().sum::<f64>() / errors.len() as f64).exp());
        let rate = rate(&record.times);
        let seconds_left = bounds.last().filter(|last| !last.complete).and_then(|last| {
            let left = last.predicted? - last.generated as f64;
            Some(left.max(0.0) / rate.filter(|&rate| rate > 0.0)?)
        });
        let plan_within = record.bounds.iter().find(|one| !one.plans.is_empty());
        Self {
            lower_bound: record.lower_bound(),
            plan_within: plan_within.map(|one| one.bound),
            end: record.end(),
            generated: record.generated(),
            rounds: record.rounds.len(),
            planned: record.planned(),
            seconds: record.times.last().map_or(0.0, |&(seconds, _)| seconds),
            rate,
            seconds_left: seconds_left
                .filter(|_| plan_within.is_none() && record.rounds.is_empty()),
            error,
            bounds,
        }
    }
}

/// The predicted nodes of the next bound: the last one times the growth from the one before it,
/// where bounds rise equally.
fn predicted(bounds: &[BoundStatus]) -> Option<f64> {
    let [.., before, last] = bounds else { return None };
    let growth = last.generated as f64 / before.generated as f64;
    (before.generated > 0 && last.complete && growth.is_finite())
        .then_some(last.generated as f64 * growth)
}

/// Nodes a second over the last minutes.
fn rate(times: &[(f64, u64)]) -> Option<f64> {
    let &(end, nodes) = times.last()?;
    let since = times.iter().find(|&&(seconds, _)| end - seconds <= LATELY);
    let (begin, before) = since.filter(|&&(seconds, _)| seconds < end).copied().unwrap_or((0.0, 0));
    (end > begin).then(|| nodes.saturating_sub(before) as f64 / (end - begin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Identity;
    use crate::record::BoundRecord;
    use search::UnitCounts;
    use std::collections::BTreeSet;

    fn bound(bound: Cost, nodes: u64, units: &[Option<u64>]) -> BoundRecord {
        let counts = |generated| UnitCounts { generated, expanded: generated, over: Some(1) };
        let units = units.iter().map(|unit| unit.map(counts)).collect();
        let plans = BTreeSet::new();
        BoundRecord { bound, above: counts(nodes), digest: [0; 16], units, plans }
    }

    #[test]
    fn the_growth_of_bounds_predicts_the_end() {
        let bounds = vec![
            bound(3, 10, &[Some(0)]),
            bound(4, 100, &[Some(0)]),
            bound(5, 500, &[Some(500)]),
            bound(6, 0, &[Some(4000), None]),
        ];
        let times = vec![(0.0, 0), (10.0, 1000), (20.0, 3000), (400.0, 41_000)];
        let record = Record { bounds, times, ..Record::default() };
        let status = RunStatus::new(&record);
        assert_eq!(status.lower_bound, 6);
        assert_eq!(status.bounds[2].predicted, Some(1000.0));
        assert_eq!(status.bounds[3].predicted, Some(10_000.0));
        // Only the last moment is within five minutes, so the rate is that of the whole run.
        assert_eq!(status.rate, Some(41_000.0 / 400.0));
        assert_eq!(status.seconds_left, Some(6000.0 / (41_000.0 / 400.0)));
        assert_eq!(status.error, Some(1.0));
        assert_eq!((status.bounds[3].done, status.bounds[3].units), (1, 2));
        let round = search::PlanRound { nodes: 9_000, ..search::PlanRound::default() };
        let status = RunStatus::new(&Record { rounds: vec![round], ..record });
        assert_eq!((status.seconds_left, status.generated), (None, 14_110));
    }

    /// Several plans may lie above the units, where no record keeps them.
    #[test]
    fn a_complete_bound_without_a_plan_proves_more() {
        let whole = || vec![bound(5, 500, &[Some(500), Some(7)])];
        let status = |plans: Option<&str>, bounds: Vec<BoundRecord>| {
            let mut identity = Identity::new();
            plans.into_iter().for_each(|plans| identity.set("plans", plans));
            let status = RunStatus::new(&Record { identity, bounds, ..Record::default() });
            (status.lower_bound, status.end)
        };
        assert_eq!(status(Some("1"), whole()), (6, None));
        assert_eq!(status(Some("1"), vec![bound(5, 500, &[Some(500), None])]), (5, None));
        assert_eq!(status(Some("2"), whole()), (5, None));
        assert_eq!(status(None, whole()), (5, None));
        let mut last = whole();
        last[0].plans.insert((1, vec![3]));
        for plans in ["1", "2"] {
            assert_eq!(status(Some(plans), last.clone()), (5, Some(RunEnd::Plan(5))));
        }
        last[0].units[0] = None;
        assert_eq!(status(Some("1"), last.clone()), (5, Some(RunEnd::Plan(5))));
        assert_eq!(status(Some("2"), last), (5, None));
        let mut none = whole();
        none[0].above.over = None;
        none[0].units.iter_mut().flatten().for_each(|counts| counts.over = None);
        assert_eq!(status(Some("1"), none.clone()), (5, Some(RunEnd::NoPlan)));
        assert_eq!(status(Some("2"), none), (5, None));
    }

    #[test]
    fn an_empty_record_predicts_nothing() {
        let status = RunStatus::new(&Record::default());
        assert_eq!((status.lower_bound, status.rate, status.seconds_left), (0, None, None));
    }
}
