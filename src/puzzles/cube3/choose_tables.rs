//! Chooses the coset tables of `best`: those that fit the memory.

use super::Cube;
use super::coset_tables::Coset;
use cube::CubeMetric;
use cube::cosets::HalfTurnFamily;

/// For each table of [`Coset::ALL`]: the factor by which a search needs fewer nodes than with the
/// table before. In quarter turns, those of the four largest tables are estimates.
const fn gains(metric: CubeMetric) -> [f64; Coset::ALL.len()] {
    match metric {
        CubeMetric::HalfTurn => [1.0, 6.0, 1.82, 1.17, 1.7, 1.26, 2.2, 1.3, 3.3, 1.55],
        CubeMetric::QuarterTurn => [1.0, 6.0, 1.87, 1.0, 1.5, 1.42, 2.2, 1.7, 3.3, 1.55],
    }
}

/// A table of one bit an entry. It is built in half of the time of its two-bit table. So a search
/// may climb to it where that one is not worth building.
const SOON: Coset = Coset::Halves(HalfTurnFamily::Htr204, 1);

impl Cube {
    /// The rungs that fit the memory, smallest first, each with its gain over the rung before.
    ///
    /// Tables stay in memory, so all rungs together fit in it. The two smallest tables are chosen
    /// first, then the others, largest first, as far as they fit. A half-turn table is chosen with
    /// two bits for each entry or with one. Last comes [`SOON`].
    pub(super) fn rungs(&self) -> Vec<(Coset, f64)> {
        let (near, metric) = (self.near_bytes().unwrap_or(0), self.game.domain.metric());
        let memory = self.settings.chosen_memory() - near;
        let (mut taken, mut bytes): (Vec<Coset>, u64) = (Vec::new(), 0);
        let (small, large) = Coset::ALL.split_at(2);
        for &coset in small.iter().chain(large.iter().rev()) {
            let missing = coset.behind().is_some_and(|behind| !taken.contains(&behind));
            let known = taken.iter().any(|taken| taken.cosets() == coset.cosets());
            if !missing && !known && bytes + coset.bytes() <= memory {
                bytes += coset.bytes();
                taken.push(coset);
            }
        }
        if !taken.contains(&SOON) && bytes + SOON.bytes() <= memory {
            taken.push(SOON);
        }
        let mut gained = 1.0;
        let mut rungs = Vec::new();
        for (coset, gain) in Coset::ALL.into_iter().zip(gains(metric)) {
            gained *= gain;
            if taken.contains(&coset) {
                rungs.push((coset, std::mem::replace(&mut gained, 1.0)));
            }
        }
        rungs
    }
}
