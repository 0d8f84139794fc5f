//! Histograms of tables and predictions of nodes.

use super::coset_tables::Coset;
use super::heuristic::CubeHeuristic;
use super::tables::CubeTables;
use super::{Cube, KIND};
use crate::ladder::outlook::{SEED, Source, formula, outlook, rung_at_hand, sampled};
use crate::puzzle::{Failure, Prediction, Result, TableCandidate, TableHistogram};
use crate::puzzles::configured::{GameStates, GameTables};
use crate::puzzles::derived_cube::is_for_goal;
use crate::run::Run;
use cube::{ByteCube3, CubeManhattan};
use fsm::Keep;
use search::predict::Distribution;
use search::random::Random;
use search::{Cost, Heuristic, TwoSided};

/// Number of random states from which a distribution of heuristic values is sampled.
const SAMPLES: usize = 1_000_000;

/// The error of the heuristic without tables.
fn without_tables() -> Failure {
    Failure::refused("manhattan has no tables: expected the heuristic korf97 or best")
}

impl GameTables for Cube {
    fn owns(&self, table: &str) -> bool {
        CubeTables::all_specs().any(|spec| spec.name == table) || is_for_goal(KIND.names[0], table)
    }

    fn build(&self, run: &Run<'_>) -> Result<Vec<(String, u64)>> {
        self.game.tables.build(self.game.heuristic, &self.rungs(), run)
    }

    fn histograms(&self, run: &Run<'_>) -> Result<Vec<TableHistogram>> {
        let tables = &self.game.tables;
        match self.game.heuristic {
            CubeHeuristic::Manhattan => Err(without_tables()),
            CubeHeuristic::Korf97 => {
                let histograms = tables.korf97_tables(run)?.map(|(name, table)| {
                    let bytes = table.bytes().len() as u64;
                    TableHistogram::new(name, bytes, table.histogram().counts)
                });
                Ok(histograms.into())
            }
            CubeHeuristic::Best => {
                let ladder = self.ladder(&cube::Cube::SOLVED);
                let Some(rung) = rung_at_hand(&ladder) else {
                    return Ok(Vec::new());
                };
                let coset = ladder.rungs[rung].0;
                let histogram = |coset: Coset| {
                    let counts = tables.counts(coset, run)?;
                    let name = coset.spec(self.game.domain.metric()).name;
                    Ok(TableHistogram::new(name, coset.bytes(), counts))
                };
                coset.behind().into_iter().chain([coset]).map(histogram).collect()
            }
        }
    }

    /// The tables of the heuristic. `best` also lists the tables that do not fit the memory.
    fn explain(&self, _: &Run<'_>) -> Result<Vec<TableCandidate>> {
        let metric = self.game.domain.metric();
        match self.game.heuristic {
            CubeHeuristic::Manhattan => Err(without_tables()),
            CubeHeuristic::Korf97 => {
                Ok(self.game.tables.korf97_specs().map(TableCandidate::whole).into())
            }
            CubeHeuristic::Best => {
                let rungs = self.rungs();
                let explained = Coset::ALL.map(|coset| {
                    let (symmetries, views) = coset.symmetries_and_views(metric);
                    TableCandidate {
                        bytes: coset.bytes(),
                        states: coset.cosets(),
                        symmetries,
                        views,
                        worth: None,
                        in_use: rungs.iter().any(|&(taken, _)| taken == coset),
                        pattern: coset.spec(metric).name,
                    }
                });
                Ok(explained.into())
            }
        }
    }
}

impl GameStates for Cube {
    /// Predicts by the formula of Korf, Reid and Edelkamp. For `best`, predicts for each table of
    /// the ladder.
    ///
    /// The formula needs the distribution of the heuristic's values. That of `korf97` is the
    /// maximum of three independent tables. The others are sampled.
    fn predict(&self, bound: Cost, run: &Run<'_>) -> Result<Prediction> {
        let domain = &self.game.domain;
        let automaton = self.automaton(Keep::OneOptimal, run)?;
        let depth = usize::from(bound) + 1;
        let counts = fsm::sequence_counts(domain, automaton, 0, depth);
        let distribution = match self.game.heuristic {
            CubeHeuristic::Korf97 => {
                let tables = self.histograms(run)?;
                let members: Vec<_> =
                    tables.iter().map(|table| Distribution::from_counts(&table.counts)).collect();
                Distribution::max_of(&members)
            }
            CubeHeuristic::Manhattan => {
                let heuristic = CubeManhattan::new(domain.metric());
                let states = random().take(SAMPLES);
                sampled(states.map(|state| heuristic.estimate(domain, &state)))
            }
            CubeHeuristic::Best => {
                let solved = cube::Cube::SOLVED;
                let both = TwoSided(ByteCube3::new(*domain));
                // Hardly any state has a symmetry of its own.
                let automata = self.ends(&both.0, Keep::OneOptimal, &[], run)?;
                let source = || -> Box<dyn Iterator<Item = _>> {
                    Box::new(random().map(|state| (&state).into()))
                };
                let states: (Source<'_, _>, _) = (&source, SAMPLES);
                return outlook(&self.ladder(&solved), &both, &automata, &counts, states, run);
            }
        };
        Ok(formula(&counts, distribution).into())
    }
}

/// Uniformly random cubes, the same in every run.
fn random() -> impl Iterator<Item = cube::Cube> {
    let mut random = Random::new(SEED);
    std::iter::repeat_with(move || cube::Cube::random(&mut random))
}
