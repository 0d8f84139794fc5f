//! Journals under stops, damage, threads and shares. The oracle is a search without a journal.

mod damage;
mod golden;
mod rounds;
mod stops;
mod twin;

use crate::{Identity, Journal, Share};
use search::random::Random;
use search::testing::Pancake;
use search::{
    InversePruning, Iteration, Limits, Options, Outcome, Report, Units, Zero, ida_star,
    ida_star_parallel,
};
use std::path::Path;

/// Nine pancakes whose plans have 9 flips. Without a heuristic, bound 9 is long enough to share.
const NINE_FLIPS: [usize; 9] = [4, 8, 1, 6, 3, 0, 7, 5, 2];
/// Nine pancakes whose plans have 10 flips, the most that nine need. Bounds 9 and 10 are shared.
const TEN_FLIPS: [usize; 9] = [3, 1, 2, 0, 4, 6, 8, 5, 7];

/// A search without a heuristic.
pub(crate) struct Search {
    start: [usize; 9],
    threads: usize,
    plans: usize,
}

impl Search {
    pub(crate) const USUAL: Self = Self { start: NINE_FLIPS, threads: 2, plans: 1 };

    fn start(&self) -> (Pancake, u64) {
        let domain = Pancake::new(self.start.len());
        (domain, domain.state(&self.start))
    }

    fn options<'a>(&self, units: Option<&'a dyn Units>, nodes: Option<u64>) -> Options<'a> {
        let limits = Limits { nodes, ..Limits::default() };
        Options { limits, plans: self.plans, units, ..Options::default() }
    }

    /// Searches with a keeper of units, until a limit of nodes.
    pub(crate) fn run(&self, units: Option<&dyn Units>, nodes: Option<u64>) -> Report {
        let (domain, start) = self.start();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().unwrap();
        let options = self.options(units, nodes);
        pool.install(|| ida_star_parallel(&domain, &Zero, &InversePruning, &start, &options))
    }

    /// The slow twin: one thread, no units.
    fn serial(&self) -> Report {
        let (domain, start) = self.start();
        ida_star(&domain, &Zero, &InversePruning, &start, &self.options(None, None))
    }
}

/// A change of one line of a file, at random.
#[derive(Clone, Copy)]
pub(crate) enum Edit {
    /// One bit is another one.
    Flip,
    /// The line is removed.
    Remove,
    /// The line stands in another place as well.
    Double,
    /// The line changes places with another one.
    Swap,
    /// The file ends before the line.
    End,
    /// The line ends early.
    Cut,
}

impl Edit {
    pub(crate) fn apply(self, lines: &mut Vec<Vec<u8>>, random: &mut Random) {
        let line = random.index(lines.len());
        match self {
            Self::Flip => {
                let place = random.index(lines[line].len());
                lines[line][place] ^= 1 << random.index(8);
            }
            Self::Remove => _ = lines.remove(line),
            Self::Double => {
                let copy = lines[line].clone();
                lines.insert(random.index(lines.len()), copy);
            }
            Self::Swap => {
                let other = random.index(lines.len());
                lines.swap(line, other);
            }
            Self::End => lines.truncate(line),
            Self::Cut => {
                let place = random.index(lines[line].len());
                lines[line].truncate(place);
            }
        }
    }
}

fn identity() -> Identity {
    Identity::new().with("puzzle", "pancakes").with("state", "4 8 1 6 3 0 7 5 2")
}

fn open(path: &Path, share: Share) -> Journal {
    Journal::open(path, &identity(), &Identity::new(), share).unwrap()
}

/// The complete iterations of a report.
fn complete(report: &Report) -> Vec<Iteration> {
    report.iterations.iter().copied().filter(|iteration| iteration.complete).collect()
}

/// Fails unless two searches agree in the cost of their plans, the bound, and all complete
/// iterations.
#[track_caller]
fn agree(found: &Report, expected: &Report) {
    let lengths = |report: &Report| match &report.outcome {
        Outcome::Solved(plans) => plans.iter().map(|plan| plan.len()).collect(),
        other => panic!("{other:?}"),
    };
    let [found_lengths, expected_lengths]: [Vec<usize>; 2] = [lengths(found), lengths(expected)];
    assert_eq!(found_lengths, expected_lengths);
    assert_eq!(found.lower_bound, expected.lower_bound);
    assert_eq!(complete(found), complete(expected));
}
