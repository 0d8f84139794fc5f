//! The table of all distances modulo 3.

use crate::cache::Once;
use crate::puzzle::{Result, TableHistogram};
use crate::run::Run;
use crate::solvers::BayesModel;
use crate::tables::{TableSource, described};
use cube::CubeMetric;
use cube::cube2::{Cube2, Pocket, PocketAbstraction, observe_all, pocket_metrics};
use pdb::file::TableSpec;
use pdb::{Abstraction, DescentWalk, Modulo3};
use search::bayes::{BayesSettings, Evidence, LookAhead, Score};

/// The table, built or loaded when it is first needed.
pub(super) struct DistanceTable {
    domain: Cube2,
    source: TableSource,
    walk: Once<DescentWalk<PocketAbstraction>>,
}

/// The specification of the table's file.
pub(super) fn spec(metric: CubeMetric) -> TableSpec {
    let whole = PocketAbstraction::new(metric);
    let description = whole.description();
    let name = format!("2x2x2-{}-modulo-3", description.metric.name());
    let description = described(description);
    let entries = whole.rows() * whole.columns() as u64;
    TableSpec::new(name, description, Modulo3::payload(entries))
}

impl DistanceTable {
    pub(super) fn new(domain: Cube2, source: TableSource) -> Self {
        Self { domain, source, walk: Once::default() }
    }

    /// The specification of the table's file.
    pub(super) fn spec(&self) -> TableSpec {
        spec(self.domain.metric())
    }

    /// The table as a heuristic: it finds a distance by walking down to the goal. Loaded or built
    /// at the first call.
    pub(super) fn walk(&self, run: &Run<'_>) -> Result<&DescentWalk<PocketAbstraction>> {
        self.walk.get_or_make(run, || {
            let (whole, spec) = (PocketAbstraction::new(self.domain.metric()), self.spec());
            let table = self.source.remainders(&spec, &whole, run)?;
            let walk = DescentWalk::new(&self.domain, whole, table);
            Ok(walk.expect("turns of the 2x2x2 cost 1"))
        })
    }

    pub(super) fn histogram(&self, run: &Run<'_>) -> Result<TableHistogram> {
        let walk = self.walk(run)?;
        let bytes = walk.table().bytes().len() as u64;
        Ok(TableHistogram::new(self.spec().name, bytes, walk.table().counts(walk.indexer())))
    }
}

/// What solves most states: see docs/MEASUREMENTS.md.
pub(super) fn bayes_settings(domain: &Cube2) -> BayesSettings {
    let evidence = match domain.metric() {
        CubeMetric::HalfTurn => Evidence::State,
        CubeMetric::QuarterTurn => Evidence::Path,
    };
    BayesSettings { evidence, score: Score::Fall, look_ahead: LookAhead::Two }
}

/// What the metrics say about the distance: exact probabilities, learned from all states.
pub(super) fn beliefs(domain: &Cube2, run: &Run<'_>) -> Result<BayesModel<Pocket>> {
    let metrics = pocket_metrics(domain);
    let seen = run.build("bayes", |options| observe_all(domain, &metrics, options))?;
    // The metrics depend on each other, so each counts half.
    let weights = vec![0.5; metrics.sizes().len()];
    let beliefs = seen.beliefs(1e-3).with_weights(&weights);
    Ok((metrics, beliefs))
}
