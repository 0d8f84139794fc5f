//! Histograms of tables and predictions of nodes.

use super::cosets::Coset;
use super::{Choice, Cube};
use crate::ladder::outlook::{SEED, Source, formula, outlook, rung_at_hand, sampled};
use crate::prunings;
use crate::puzzle::{Explained, Failure, Job, Prediction, Refused, TableHistogram};
use cube::{Cube3, CubeManhattan};
use fsm::Keep;
use search::random::Random;
use search::{Cost, Distribution, Heuristic, TwoSided};

/// Uniformly random states of a sampled distribution.
const SAMPLES: usize = 1_000_000;

/// Why no table is told of.
fn without_tables() -> Failure {
    Refused("manhattan has no tables: expected the heuristic korf97 or best".to_owned()).into()
}

impl Cube {
    pub(super) fn table_histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        match self.choice {
            Choice::Manhattan => Err(without_tables()),
            Choice::Korf97 => Ok(self
                .tables
                .korf97_tables(job)?
                .into_iter()
                .map(|(table, nibbles)| {
                    let bytes = nibbles.bytes().len() as u64;
                    TableHistogram::new(table, bytes, nibbles.histogram().counts)
                })
                .collect()),
            Choice::Best => {
                let ladder = self.ladder(&cube::Cube::SOLVED);
                let Some(rung) = rung_at_hand(&ladder) else {
                    return Ok(Vec::new());
                };
                let coset = ladder.rungs[rung].0;
                let histogram = |coset: Coset| {
                    let counts = self.tables.counts(coset, job)?;
                    let name = coset.spec(self.domain.metric()).name;
                    Ok(TableHistogram::new(name, coset.bytes(), counts))
                };
                coset.behind().into_iter().chain([coset]).map(histogram).collect()
            }
        }
    }

    /// The tables of the heuristic, and of `best` those that the memory leaves out, too.
    pub(super) fn explain(&self) -> Result<Vec<Explained>, Failure> {
        match self.choice {
            Choice::Manhattan => Err(without_tables()),
            Choice::Korf97 => Ok(self.tables.korf97_specs().map(Explained::whole).into()),
            Choice::Best => {
                let (metric, rungs) =
                    (self.domain.metric(), Self::rungs(self.rung_memory(), self.domain.metric()));
                let explained = Coset::ALL.map(|coset| {
                    let (symmetries, views) = coset.symmetries_and_views(metric);
                    Explained {
                        bytes: coset.bytes(),
                        states: coset.cosets(),
                        symmetries,
                        views,
                        worth: None,
                        taken: rungs.iter().any(|&(taken, _)| taken == coset),
                        pattern: coset.spec(metric).name,
                    }
                });
                Ok(explained.into())
            }
        }
    }

    /// Korf, Reid and Edelkamp's formula. For korf97 the distribution is that of the maximum of the three tables, as if they were
    /// independent; for the others it is sampled. For `best`, what each table promises.
    pub(super) fn predict_nodes(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        let learned = self.strings(Keep::OneOptimal, job)?;
        let automaton = prunings::automaton::<Cube3>(&learned)?;
        let depth = usize::from(bound) + 1;
        let counts = fsm::sequence_counts(&self.domain, &automaton, 0, depth);
        let distribution = match self.choice {
            Choice::Korf97 => {
                let tables = self.table_histograms(job)?;
                let members: Vec<_> =
                    tables.iter().map(|table| Distribution::from_counts(&table.counts)).collect();
                Distribution::max_of(&members)
            }
            Choice::Manhattan => {
                let heuristic = CubeManhattan::new(self.domain.metric());
                let states = random().take(SAMPLES);
                sampled(states.map(|state| heuristic.estimate(&self.domain, &state)))
            }
            Choice::Best => {
                let solved = cube::Cube::SOLVED;
                let domain = TwoSided(cube::ByteCube3::new(self.domain));
                // Hardly any state has a symmetry of its own.
                let automata = prunings::ends(&domain.0, &learned, &[])?;
                let source = || -> Box<dyn Iterator<Item = _>> {
                    Box::new(random().map(|state| (&state).into()))
                };
                let states: (Source<'_, _>, _) = (&source, SAMPLES);
                return outlook(&self.ladder(&solved), &domain, &automata, &counts, states, job);
            }
        };
        Ok(Prediction::from(formula(&counts, distribution)))
    }
}

/// Uniformly random cubes, the same in every run.
fn random() -> impl Iterator<Item = cube::Cube> {
    let mut random = Random::new(SEED);
    std::iter::repeat_with(move || cube::Cube::random(&mut random))
}
