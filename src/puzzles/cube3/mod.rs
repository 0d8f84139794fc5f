//! The 3x3x3 cube as a configured puzzle: what each heuristic name means, and text in and out.

mod cosets;
mod ladder;
mod near;
mod solve;
mod stats;
mod tables;

use crate::configure::{ConfigureError, Settings, check_memory, cube_metric};
use crate::prunings;
use crate::puzzle::{
    Answer, Explained, Failure, Job, LearnedSummary, Prediction, Puzzle, Refused, Replayed,
    TableHistogram,
};
use crate::runs;
use crate::tables::TableSource;
use cube::notation::{NAMED, named, parse_moves, parse_state};
use cube::{Cube3, CubeMetric, Cycles, FaceletCube, Facelets};
use fsm::{Automaton, ForbiddenStrings, Keep};
use search::random::Random;
use search::{Cost, Op, plan};
use tables::Tables;

/// The heuristics by name. All but `Best` are published configurations, which never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// Sums of the single distances of corners and edges (Korf 1997, section 3).
    Manhattan,
    /// All corners and two sets of six edges (Korf 1997, section 4).
    Korf97,
    /// The coset tables that fit the memory.
    Best,
}

/// A configured cube.
pub(crate) struct Cube {
    domain: Cube3,
    choice: Choice,
    settings: Settings,
    tables: Tables,
}

impl Cube {
    pub(crate) fn new(settings: &Settings) -> Result<Self, ConfigureError> {
        let metric = cube_metric("3x3x3", settings)?;
        let choice = match settings.heuristic.as_str() {
            "manhattan" => Choice::Manhattan,
            "korf97" => Choice::Korf97,
            "best" => Choice::Best,
            other => {
                let message = format!(
                    "unknown heuristic {other:?} for 3x3x3: expected best, korf97 or manhattan"
                );
                return Err(ConfigureError(message));
            }
        };
        let domain = Cube3::new(metric);
        let stock = TableSource::new(settings.tables.clone(), settings.loading);
        let tables = Tables::new(domain, stock);
        check_memory(settings, Tables::bytes_needed(choice))?;
        Ok(Self { domain, choice, settings: settings.clone(), tables })
    }

    /// Depth of the learned automaton: with it, sequence counts are Korf's.
    fn depth(&self) -> usize {
        match self.domain.metric() {
            CubeMetric::HalfTurn => 2,
            CubeMetric::QuarterTurn => 3,
        }
    }

    fn strings(&self, keep: Keep, job: &Job<'_>) -> Result<ForbiddenStrings, Failure> {
        prunings::strings(&self.domain, self.settings.pruning, self.depth(), keep, &job.cancel)
    }

    fn automaton(&self, keep: Keep, job: &Job<'_>) -> Result<Automaton<u32>, Failure> {
        prunings::automaton::<Cube3>(&self.strings(keep, job)?)
    }

    fn parse(state: &str) -> Result<cube::Cube, Refused> {
        parse_state(state).map_err(|error| Refused(error.to_string()))
    }

    /// Replays a plan on the stickers.
    fn replay(&self, state: &cube::Cube, plan: &[Op]) -> Result<(), plan::Invalid> {
        plan::validate(&FaceletCube::new(self.domain.metric()), &Facelets::from(state), plan)
    }

    fn names(&self, plan: &[Op]) -> Vec<String> {
        plan.iter().map(|&op| self.domain.name(op)).collect()
    }
}

impl Puzzle for Cube {
    fn name(&self) -> &str {
        "3x3x3"
    }

    fn metric(&self) -> Option<&'static str> {
        Some(self.domain.metric().name())
    }

    fn read(&self, state: &str) -> Result<String, Refused> {
        Ok(Facelets::from(&Self::parse(state)?).to_string())
    }

    fn describe(&self, state: &str) -> Result<Vec<(&'static str, String)>, Refused> {
        let state = Self::parse(state)?;
        let name = NAMED.into_iter().find(|(name, _)| named(name) == Some(state));
        let mut facts = vec![
            ("facelets", Facelets::from(&state).to_string()),
            ("cycles", Cycles(&state).to_string()),
        ];
        facts.extend(name.map(|(name, _)| ("name", name.to_owned())));
        Ok(facts)
    }

    fn solve(&self, state: &str, job: &Job<'_>) -> Result<Answer, Failure> {
        let state = Self::parse(state)?;
        self.solve_cube(&state, job)
    }

    fn has_near_optimal(&self) -> bool {
        self.choice == Choice::Best && self.near_bytes().is_some()
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
            Facelets::from(&cube::Cube::random(&mut random)).to_string()
        }))
    }

    fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<(), Failure> {
        runs::count_states(&self.domain, cube::Cube::SOLVED, depth, job, tell)
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
        self.table_histograms(job)
    }

    fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        self.predict_nodes(bound, job)
    }

    fn explain_tables(&self, _: &Job<'_>) -> Result<Vec<Explained>, Failure> {
        self.explain()
    }

    fn build_tables(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        self.tables.build(self.choice, self.rung_memory(), job)
    }
}
