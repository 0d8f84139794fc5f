//! Units drawn from a certificate: [`Certificate::draw`].

use super::{Certificate, merkle, text};
use search::Cost;
use search::random::Random;
use std::collections::BTreeSet;

/// Units that are to be searched again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Bounds and numbers of the units.
    pub units: BTreeSet<(Cost, usize)>,
    /// The number of all units of the certificate.
    pub of: usize,
}

impl Certificate {
    /// Draws units uniformly, each at most once; all if there are no more than that. The draw
    /// depends on the seed and on the Merkle root. So whoever writes a certificate cannot know it
    /// ahead, unless he knows the seed.
    pub fn draw(&self, number: usize, seed: u64) -> Draw {
        let all: Vec<(Cost, usize)> = self
            .bounds
            .iter()
            .flat_map(|one| (0..one.units.len()).map(|unit| (one.bound, unit)))
            .collect();
        let of = all.len();
        if number >= of {
            return Draw { units: all.into_iter().collect(), of };
        }
        let root = merkle::root(&text::leaves(self));
        let mut hasher = blake3::Hasher::new_derive_key("fewest certificate 1 draw");
        hasher.update(&root).update(&seed.to_le_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        let mut random = Random::new(u64::from_le_bytes(first));
        // Floyd's method: each set of this size is equally likely.
        let mut chosen = BTreeSet::new();
        for last in of - number..of {
            let any = random.below(last as u64 + 1);
            let any = usize::try_from(any).unwrap_or(last);
            if !chosen.insert(any) {
                chosen.insert(last);
            }
        }
        Draw { units: chosen.into_iter().map(|at| all[at]).collect(), of }
    }
}

/// The probability that none of `drawn` of `all` units is among `bad` ones. The units are drawn
/// uniformly, each at most once.
pub fn unseen(all: usize, drawn: usize, bad: usize) -> f64 {
    if drawn + bad > all {
        return 0.0;
    }
    let good = (all - bad) as f64;
    (0..drawn).map(|at| at as f64).map(|at| (good - at) / (all as f64 - at)).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_unseen() {
        // Of 4 units, 1 is bad: two draws miss it in 3 of 6 pairs.
        assert!((unseen(4, 2, 1) - 0.5).abs() < 1e-12);
        assert!((unseen(10, 3, 2) - 56.0 / 120.0).abs() < 1e-12);
        assert_eq!((unseen(10, 10, 1), unseen(10, 0, 9), unseen(0, 0, 0)), (0.0, 1.0, 1.0));
    }
}
