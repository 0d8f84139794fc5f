//! Which of several tables a search is soonest done with, when each must first be built.

/// A table that a search may go on with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// Seconds until it is there.
    pub build: f64,
    /// How many times fewer nodes it needs than the rung below.
    pub gain: f64,
}

/// The rung, counted from the first, with which a search that takes so many seconds with the first is soonest done, its build included. Linear.
pub fn soonest(rungs: &[Rung], seconds: f64) -> usize {
    let (mut best, mut least, mut gained) = (0, seconds, 1.0);
    for (up, &Rung { build, gain }) in rungs.iter().enumerate().skip(1) {
        gained *= gain;
        let all = build + seconds / gained;
        if all < least {
            (best, least) = (up, all);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNGS: [Rung; 4] = [
        Rung { build: 0.8, gain: 1.0 },
        Rung { build: 6.3, gain: 6.0 },
        Rung { build: 57.0, gain: 2.0 },
        Rung { build: 440.0, gain: 6.0 },
    ];

    /// The longer the search, the higher the rung; and none is passed by for one that costs more and saves less.
    #[test]
    fn the_longer_the_search_the_higher_the_rung() {
        let rungs = (0..24).map(|power| soonest(&RUNGS, f64::from(1 << power) / 16.0));
        let rungs: Vec<usize> = rungs.collect();
        assert!(rungs.is_sorted(), "{rungs:?}");
        assert_eq!((rungs[0], rungs[23]), (0, RUNGS.len() - 1));
        assert_eq!(soonest(&RUNGS[3..], 1e9), 0);
    }
}
