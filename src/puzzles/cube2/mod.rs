//! The 2x2x2 cube as a configured puzzle: what each heuristic name means, and text in and out.

mod solve;
mod stats;

use crate::configure::{ConfigureError, Settings, check_memory, cube_metric};
use crate::prunings;
use crate::puzzle::{
    Answer, Explained, Failure, Job, LearnedSummary, Prediction, Puzzle, Refused, Replayed,
    TableHistogram,
};
use crate::runs;
use crate::tables::TableSource;
use cube::cube2::{Cube2, FaceletPocket, Pocket, PocketAbstraction, PocketFacelets, parse_state};
use cube::notation::parse_moves;
use cube::{CubeMetric, Cycles};
use fsm::{Automaton, Keep};
use pdb::file::TableSpec;
use pdb::{Abstraction, DescentWalk, Modulo3};
use search::random::Random;
use search::{Cost, Op, plan};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The heuristics by name. All but `Best` are published configurations, which never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// The sum of the single distances of the corners.
    Manhattan,
    /// All distances modulo 3, walked (Fowler 2002).
    Table,
    /// The same: nothing is faster.
    Best,
}

/// A configured 2x2x2.
pub(crate) struct TwoByTwo {
    domain: Cube2,
    choice: Choice,
    settings: Settings,
    stock: TableSource,
    walk: OnceLock<DescentWalk<PocketAbstraction>>,
    /// Held while the table is obtained, so that no two threads build it.
    busy: Mutex<()>,
}

impl TwoByTwo {
    pub(crate) fn new(settings: &Settings) -> Result<Self, ConfigureError> {
        let metric = cube_metric("2x2x2", settings)?;
        let (choice, needed) = match settings.heuristic.as_str() {
            "manhattan" => (Choice::Manhattan, 0),
            "table" => (Choice::Table, Modulo3::bytes_for(Pocket::COUNT.into())),
            "best" => (Choice::Best, Modulo3::bytes_for(Pocket::COUNT.into())),
            other => {
                let message = format!(
                    "unknown heuristic {other:?} for 2x2x2: expected best, table or manhattan"
                );
                return Err(ConfigureError(message));
            }
        };
        check_memory(settings, needed)?;
        Ok(Self {
            domain: Cube2::new(metric),
            choice,
            settings: settings.clone(),
            stock: TableSource::new(settings.tables.clone(), settings.loading),
            walk: OnceLock::new(),
            busy: Mutex::new(()),
        })
    }

    /// Depth of the learned automaton, as for the 3x3x3.
    fn depth(&self) -> usize {
        match self.domain.metric() {
            CubeMetric::HalfTurn => 2,
            CubeMetric::QuarterTurn => 3,
        }
    }

    fn automaton(&self, keep: Keep, job: &Job<'_>) -> Result<Automaton<u32>, Failure> {
        let (pruning, cancel) = (self.settings.pruning, &job.cancel);
        let strings = prunings::strings(&self.domain, pruning, self.depth(), keep, cancel)?;
        prunings::automaton::<Cube2>(&strings)
    }

    /// What the file of the table says.
    fn spec(whole: &PocketAbstraction) -> TableSpec {
        let description = whole.description();
        let name = format!("2x2x2-{}-modulo-3", description.metric.name());
        let description = serde_json::to_value(description).unwrap_or_default();
        let entries = whole.rows() * whole.columns() as u64;
        TableSpec::new(name, description, Modulo3::payload(entries))
    }

    /// The table, built or loaded once.
    fn walk(&self, job: &Job<'_>) -> Result<&DescentWalk<PocketAbstraction>, Failure> {
        // The lock guards no data, so a panic of another thread leaves nothing wrong behind.
        let _busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(walk) = self.walk.get() {
            return Ok(walk);
        }
        let whole = PocketAbstraction::new(self.domain.metric());
        let spec = Self::spec(&whole);
        let bytes = self
            .stock
            .obtain(&spec, job, |options| Ok(Modulo3::build(&whole, options)?.into_bytes()))?;
        let table = Modulo3::new(bytes, spec.entries)
            .unwrap_or_else(|| unreachable!("the store checks the length of a payload"));
        let walk = DescentWalk::new(&self.domain, whole, table).expect("turns of the 2x2x2 cost 1");
        Ok(self.walk.get_or_init(|| walk))
    }

    fn parse(state: &str) -> Result<Pocket, Refused> {
        parse_state(state).map_err(|error| Refused(error.to_string()))
    }

    /// Replays a plan on the stickers of the puzzle as it is held.
    fn replay(&self, state: &Pocket, plan: &[Op]) -> Result<(), plan::Invalid> {
        plan::validate(
            &FaceletPocket::new(self.domain.metric()),
            &PocketFacelets::from(state),
            plan,
        )
    }
}

impl Puzzle for TwoByTwo {
    fn name(&self) -> &str {
        "2x2x2"
    }

    fn metric(&self) -> Option<&'static str> {
        Some(self.domain.metric().name())
    }

    fn read(&self, state: &str) -> Result<String, Refused> {
        Ok(PocketFacelets::from(&Self::parse(state)?).to_string())
    }

    fn describe(&self, state: &str) -> Result<Vec<(&'static str, String)>, Refused> {
        let state = Self::parse(state)?;
        let facelets = PocketFacelets::from(&state).to_string();
        Ok(vec![("facelets", facelets), ("cycles", Cycles(&state.cube()).to_string())])
    }

    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure> {
        let state = Self::parse(state)?;
        self.solve_pocket(&state, job)
    }

    fn check_plan(&self, state: &str, plan: &str) -> Result<Replayed, Refused> {
        let state = Self::parse(state)?;
        let moves = parse_moves(plan).map_err(|error| Refused(format!("plan: {error}")))?;
        let plan = self.domain.plan(&moves);
        Ok(runs::replayed(&plan, self.replay(&state, &plan).err()))
    }

    fn scrambles(&self, seed: u64) -> Box<dyn Iterator<Item = String> + '_> {
        let mut random = Random::new(seed);
        Box::new(std::iter::repeat_with(move || {
            PocketFacelets::from(&Pocket::random(&mut random)).to_string()
        }))
    }

    fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<(), Failure> {
        runs::count_states(&self.domain, Pocket::SOLVED, depth, job, tell)
    }

    fn count_sequences(&self, depth: usize, job: &Job<'_>) -> Result<Vec<u128>, Failure> {
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        Ok(fsm::sequence_counts(&self.domain, &automaton, 0, depth))
    }

    fn learn(
        &self,
        depth: usize,
        dot: bool,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        let name = |op: Op| self.domain.name(op);
        prunings::summary(&self.domain, depth, dot.then_some(&name as &dyn Fn(Op) -> String), job)
    }

    fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        self.table_histogram(job).map(|table| vec![table])
    }

    fn gods_algorithm(
        &self,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<Vec<String>, Failure> {
        let histogram = self.table_histogram(job)?;
        let counts = histogram.counts.iter().enumerate();
        counts.for_each(|(depth, &count)| tell(depth, count.into()));
        let walk = self.walk(job)?;
        let entries = walk.table().at_distance(walk.indexer(), histogram.max.into());
        // Ranks fit 32 bits: there are 3,674,160.
        let states = entries.take(antipodes).filter_map(|entry| u32::try_from(entry).ok());
        Ok(states.map(|rank| PocketFacelets::from(&Pocket::unrank(rank)).to_string()).collect())
    }

    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        self.predict_nodes(bound, job).map(Prediction::from)
    }

    fn explain_tables(&self, _: &Job<'_>) -> Result<Vec<Explained>, Failure> {
        if self.choice == Choice::Manhattan {
            return Err(stats::without_tables());
        }
        Ok(vec![Explained::whole(Self::spec(&PocketAbstraction::new(self.domain.metric())))])
    }

    fn build_tables(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        if self.choice == Choice::Manhattan {
            return Ok(Vec::new());
        }
        let spec = Self::spec(self.walk(job)?.indexer());
        Ok(vec![(spec.name, spec.payload_bytes)])
    }
}
