//! Histograms of tables and predictions of nodes.

use super::{Choice, Cube};
use crate::puzzle::{Failure, Job, Prediction, Refused, TableHistogram, TablePrediction};
use crate::runs::Found;
use cube::Manhattan;
use cube::cosets::Family;
use fsm::Keep;
use search::{Cost, Distribution, Heuristic, Limits, TwoSided, predict};

/// Uniformly random states of a sampled distribution, and their seed.
const SAMPLES: usize = 1_000_000;
const SEED: u64 = 2001;
/// A small search: so many cubes, and nodes of each.
const CUBES: usize = 4;
const ENOUGH: f64 = 3e6;

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
    /// independent; for the others it is sampled. Operators that `best` excludes are not in the formula: there a small search tells by how much it
    /// predicts too much.
    pub(super) fn predict_nodes(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        let none = Prediction { generated: Vec::new(), tables: Vec::new() };
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
                    return Ok(none);
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
        let generated: Vec<f64> =
            (1..=within).map(|bound| predict(&sequences, &distributions, bound)).collect();
        match (self.choice, self.rung_at_hand()) {
            (Choice::Best, Some(family)) => self.predict_tables(family, &generated, job),
            _ => Ok(Prediction { generated, ..none }),
        }
    }

    /// What every rung promises, from the formula for one of them, a small search with that one, and what the rungs gain.
    fn predict_tables(
        &self,
        family: Family,
        formula: &[f64],
        job: &Job<'_>,
    ) -> Result<Prediction, Failure> {
        let (share, pace) = self.small_search(family, formula, job)?;
        let generated: Vec<f64> = formula.iter().map(|nodes| nodes * share).collect();
        let tables = self.outlook(family).map(|(rung, build_seconds, gain)| {
            let generated: Vec<f64> = generated.iter().map(|nodes| nodes / gain).collect();
            TablePrediction {
                table: self.tables.coset_spec(rung).name,
                bytes: rung.bytes(),
                build_seconds,
                seconds: generated.iter().map(|nodes| nodes * pace).collect(),
                generated,
            }
        });
        Ok(Prediction { tables: tables.collect(), generated })
    }

    /// Iterations of some random cubes with a bound that promises [`ENOUGH`] nodes: the share of the formula's nodes that is
    /// generated, and wall seconds for each.
    fn small_search(
        &self,
        family: Family,
        formula: &[f64],
        job: &Job<'_>,
    ) -> Result<(f64, f64), Failure> {
        let small = formula.iter().take_while(|&&nodes| nodes <= ENOUGH).count();
        let Some(&expected) = small.checked_sub(1).and_then(|at| formula.get(at)) else {
            return Ok((1.0, 0.0));
        };
        let bound = Cost::try_from(small).unwrap_or(Cost::MAX);
        let (mut searched, mut nodes, mut seconds) = (0_u32, 0, 0.0);
        let mut random = cube::Random::new(SEED);
        for start in std::iter::repeat_with(|| random.cube()).take(CUBES) {
            let limits = Limits { bound: Some(bound), ..Limits::default() };
            let quiet = Job { limits, cancel: job.cancel.clone(), ..Job::default() };
            let mut found = Found { lower_bound: bound, ..Found::default() };
            self.search_on(family, &start, &quiet, &mut found)?;
            if job.cancel.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            // A cube with a plan within the bound has no complete iteration.
            for iteration in found.iterations.iter().filter(|iteration| iteration.complete) {
                searched += 1;
                nodes += iteration.generated;
                seconds += found.elapsed.as_secs_f64();
            }
        }
        if nodes == 0 {
            return Ok((1.0, 0.0));
        }
        let nodes = nodes as f64;
        Ok((nodes / f64::from(searched) / expected, seconds / nodes))
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
