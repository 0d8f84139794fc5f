//! Histograms of tables and predictions of nodes.

use super::{Choice, Cube};
use crate::puzzle::{Failure, Job, Refused, TableHistogram};
use cube::Manhattan;
use fsm::Keep;
use search::{Cost, Distribution, Heuristic, TwoSided, predict};

/// Uniformly random states of a sampled distribution, and their seed.
const SAMPLES: usize = 1_000_000;
const SEED: u64 = 2001;

impl Cube {
    pub(super) fn table_histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        match self.choice {
            Choice::Manhattan => Err(Failure::Refused(Refused(
                "manhattan has no tables: expected the heuristic korf97 or best".to_owned(),
            ))),
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
                let Some(family) = self.rung_at_hand() else {
                    return Ok(Vec::new());
                };
                let counts = self.tables.views(family, job)?.table().counts();
                let name = self.tables.coset_spec(family).name;
                Ok(vec![TableHistogram::new(name, family.bytes(), counts)])
            }
        }
    }

    /// Korf, Reid and Edelkamp's formula. For korf97 the distribution is that of the maximum of the three tables, as if they were
    /// independent; for the others it is sampled. Operators that `best` excludes are not in the formula: it predicts too much there.
    pub(super) fn predict_nodes(&self, bound: Cost, job: &Job<'_>) -> Result<Vec<f64>, Failure> {
        let distribution = match self.choice {
            Choice::Korf97 => {
                let tables = self.table_histograms(job)?;
                let members: Vec<_> =
                    tables.iter().map(|table| Distribution::from_counts(&table.counts)).collect();
                Distribution::max_of(&members)
            }
            Choice::Manhattan => {
                let heuristic = Manhattan::new(self.domain.metric());
                sampled(|state| heuristic.estimate(&self.domain, state))
            }
            Choice::Best => {
                let Some(family) = self.rung_at_hand() else {
                    return Ok(Vec::new());
                };
                let views = self.tables.views(family, job)?;
                let domain = TwoSided(cube::ByteCube3::new(self.domain));
                sampled(|state| views.estimate(&domain, &domain.state(&state.into())))
            }
        };
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        let depth = usize::from(bound) + 1;
        let counts = fsm::sequence_counts(&self.domain, &automaton, 0, depth);
        // A prediction needs the sequences of one operator more than its bound.
        let within = counts.len().saturating_sub(2);
        let sequences: Vec<Vec<f64>> = counts.into_iter().map(|count| vec![count as f64]).collect();
        let distributions = [distribution];
        Ok((1..=within).map(|bound| predict(&sequences, &distributions, bound)).collect())
    }
}

/// The distribution over uniformly random states; the same in every run.
fn sampled(estimate: impl Fn(&cube::Cube) -> Cost) -> Distribution {
    let mut random = cube::Random::new(SEED);
    let mut counts = vec![0; 256];
    for _ in 0..SAMPLES {
        counts[usize::from(estimate(&random.cube()))] += 1;
    }
    let most = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    Distribution::from_counts(&counts[..=most])
}
