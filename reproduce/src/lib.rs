//! The tables and figures of the papers that this project follows, computed anew.
//!
//! An [`Experiment`] is one table or figure of a paper. It tells a [`Row`] for each figure: what
//! the paper says, what we find, and why the two differ. No figure of ours is written down here:
//! each is computed by the crates of this workspace when the experiment runs.
//!
//! ```
//! use fewest::{Request, Settings};
//! use fewest_reproduce::{Lab, Row, Agreement, experiments};
//!
//! let lab = Lab::new(Request::default(), Settings::default());
//! let mut rows: Vec<Row> = Vec::new();
//! let experiment = experiments().find(|one| one.name == "fowler02-symmetries").unwrap();
//! (experiment.run)(&lab, &mut rows)?;
//! assert!(rows.iter().all(|row| row.verdict == Agreement::Agrees));
//! # Ok::<(), fewest::Failure>(())
//! ```
//!
//! Each paper has a file or a folder, with its experiments in one list. An experiment more is a
//! function and a line of that list.

mod fowler_2002;
mod grid;
mod korf_1985;
mod korf_1997;
mod korf_felner_2002;
mod korf_taylor_1996;
mod lab;
mod martin_2016;
mod pieces;
mod quantity;
mod row;
mod symmetries;

pub use lab::{Findings, Lab};
pub use quantity::{Quantity, Sample};
pub use row::{Agreement, Kind, Row};

use fewest::Failure;

/// A table or figure of a paper.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Experiment {
    /// Its name.
    pub name: &'static str,
    /// The claims that it checks, with blanks between them. See [`Row::id`].
    pub ids: &'static str,
    /// A description of one line.
    pub title: &'static str,
    /// About how many seconds it takes on two cores, tables included.
    pub seconds: u32,
    /// Runs it.
    ///
    /// # Errors
    /// If the caller cancels, memory is short, or a table file is damaged. Rows that are known by
    /// then are told.
    pub run: fn(&Lab<'_>, &mut dyn Findings) -> Result<(), Failure>,
}

impl Experiment {
    /// The longest time of an experiment that is run without being asked for by name, in seconds.
    pub const QUICK: u32 = 60;

    /// Whether it takes less than a minute.
    pub fn is_quick(&self) -> bool {
        self.seconds < Self::QUICK
    }

    /// Whether this name means it: its own name, its paper's, or one of its claims. Capital letters
    /// are like small ones.
    pub fn is_meant_by(&self, name: &str) -> bool {
        let paper = self.name.split('-').next().unwrap_or_default();
        let ids = self.ids.split(' ');
        ids.chain([self.name, paper]).any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// A paper, and its tables and figures.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Paper {
    /// Authors, title, place and year.
    pub title: &'static str,
    /// Its tables and figures.
    pub experiments: &'static [Experiment],
}

/// All papers, by year of their subject.
pub const PAPERS: &[Paper] = &[
    korf_1985::PAPER,
    korf_taylor_1996::PAPER,
    korf_1997::PAPER,
    fowler_2002::PAPER,
    korf_felner_2002::PAPER,
    martin_2016::PAPER,
];

/// The experiments of all papers.
pub fn experiments() -> impl Iterator<Item = &'static Experiment> {
    PAPERS.iter().flat_map(|paper| paper.experiments)
}
