//! The configuration of a puzzle: [`Settings`], and the types of its fields.

use crate::puzzle::{Failure, InvalidInput, Place, TooLittleMemory};
use crate::setters::setters;
use crate::words::or;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The configuration of a puzzle: metric, goal, heuristic, pruning and tables. The defaults suit
/// every puzzle.
///
/// ```
/// use fewest::{MetricChoice, Settings};
///
/// let settings = Settings::default().heuristic("manhattan").metric(MetricChoice::QuarterTurn);
/// ```
///
/// A text reads as settings with the names of the command line, which are those of the fields, but
/// for `load`. It names no folders of this machine. With `stages`, the solver is `stages`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Settings {
    /// What counts as one move. [default: the puzzle's own]
    pub metric: Option<MetricChoice>,
    /// The state to reach. [default: the solved state]
    pub goal: GoalChoice,
    /// The moves that plans may make, by their names. [default: all]
    ///
    /// Names have blanks or commas between them (`U,R2`). For cubes and definitions, a name allows
    /// all powers of its move: `U` allows U, U2 and U', `U2` allows U2 alone.
    pub moves: Option<String>,
    /// What moves cost, such as `R=2,R2=3`. [default: what the puzzle says, usually 1]
    ///
    /// `R=2` is for every power of R that counts as one move, `R2=3` for that turn alone. So with
    /// `R=2` a half turn costs 2 in `htm`, and 4 in `qtm`.
    pub cost: Option<String>,
    /// How a state is solved. [default: `optimal`]
    pub solver: SolverChoice,
    /// The text of a stages file (docs/STATES.md), for the solver `stages`. [default: none]
    pub stages: Option<String>,
    /// The lower bound that guides the search. [default: `best`]
    pub heuristic: HeuristicChoice,
    /// Which operator sequences the search cuts because another one leads to the same state.
    /// [default: `fsm`]
    pub pruning: PruningChoice,
    /// Limit on the total bytes of tables in memory. [default: 1 GiB]
    ///
    /// The whole process takes at most 1.1 times this limit plus 64 MB. Work that does not fit is
    /// refused before it starts.
    pub memory: u64,
    /// Folder of the table files. [default: none, tables live in memory only]
    #[serde(skip)]
    pub tables: Option<PathBuf>,
    /// Folder where layers go that exceed the memory: those of [`Exhaustive`](crate::Exhaustive),
    /// two bits a state, and those of tables that are built. Only for states that form a group, and
    /// for tables. Such a table is then read from its file, and does not count against the memory.
    /// [default: none, and states are kept by classes of symmetry in memory]
    #[serde(skip)]
    pub disk: Option<PathBuf>,
    /// How table files get into memory. [default: `auto`]
    #[serde(rename = "load")]
    pub loading: Loading,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            metric: None,
            goal: GoalChoice::Solved,
            moves: None,
            cost: None,
            solver: SolverChoice::Optimal,
            stages: None,
            heuristic: HeuristicChoice::Best,
            pruning: PruningChoice::Fsm(None),
            memory: 1 << 30,
            tables: None,
            disk: None,
            loading: Loading::Auto,
        }
    }
}

impl Settings {
    setters! {
        metric: MetricChoice = Some(metric);
        goal: impl Into<GoalChoice> = goal.into();
        moves: impl Into<String> = Some(moves.into());
        cost: impl Into<String> = Some(cost.into());
        solver: impl Into<SolverChoice> = solver.into();
        heuristic: impl Into<HeuristicChoice> = heuristic.into();
        pruning: PruningChoice = pruning;
        memory: u64 = memory;
        tables: impl Into<PathBuf> = Some(tables.into());
        disk: impl Into<PathBuf> = Some(disk.into());
        loading: Loading = loading;
    }

    /// Sets [`Settings::stages`], and the solver `stages`.
    pub fn stages(self, text: impl Into<String>) -> Self {
        Self { stages: Some(text.into()), solver: "stages".into(), ..self }
    }

    /// The settings with the solver `stages`, if they have stages and name no solver.
    pub(crate) fn staged(&self) -> Cow<'_, Self> {
        match (&self.stages, &self.solver) {
            (Some(_), SolverChoice::Optimal) => Cow::Owned(self.clone().solver("stages")),
            _ => Cow::Borrowed(self),
        }
    }

    /// The metric of a puzzle that turns faces. [default: half turns]
    pub(crate) fn turn_metric(&self) -> MetricChoice {
        self.metric.unwrap_or(MetricChoice::HalfTurn)
    }
}

/// What counts as one move, if the puzzle offers a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetricChoice {
    /// `htm`: any turn of a face is one move.
    HalfTurn,
    /// `qtm`: a quarter turn of a face is one move.
    QuarterTurn,
    /// `stm`: any turn of a face or slice of the 3x3x3 is one move.
    SliceTurn,
    /// `atm`: turns of both faces of an axis of the 3x3x3 are one move, if they follow each other.
    Axial,
    /// `mtm`: a slide of one or more tiles in a row or column is one move (sliding tiles).
    MultiTile,
}

impl MetricChoice {
    /// All metrics.
    pub const ALL: [Self; 5] =
        [Self::HalfTurn, Self::QuarterTurn, Self::SliceTurn, Self::Axial, Self::MultiTile];

    /// Its name, such as `htm`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HalfTurn => "htm",
            Self::QuarterTurn => "qtm",
            Self::SliceTurn => "stm",
            Self::Axial => "atm",
            Self::MultiTile => "mtm",
        }
    }

    /// The error of a puzzle that turns its pieces, and does not have this metric.
    pub(crate) fn refused(self) -> ConfigureError {
        ConfigureError::invalid(match self {
            Self::MultiTile => format!("the metric {self} is for sliding tiles"),
            _ => format!("the metric {self} is for the built-in 3x3x3: expected htm or qtm"),
        })
    }
}

impl fmt::Display for MetricChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MetricChoice {
    type Err = ConfigureError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|metric| metric.name() == text).ok_or_else(|| {
            ConfigureError::invalid(format!(
                "unknown metric {text:?}: expected htm or qtm, for the 3x3x3 also stm or atm, for \
                 sliding tiles mtm"
            ))
        })
    }
}

impl serde::Serialize for MetricChoice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The state to reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GoalChoice {
    /// The puzzle's solved state.
    #[default]
    Solved,
    /// The state that this text describes, in the puzzle's own notation. The text is never taken
    /// for the path of a file.
    State(String),
}

impl From<&str> for GoalChoice {
    fn from(state: &str) -> Self {
        Self::State(state.to_owned())
    }
}

/// A way to solve a state, by name. [`crate::PUZZLES`] lists the names for each puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolverChoice {
    /// `optimal`: the fewest moves, and a proof that no plan is cheaper.
    #[default]
    Optimal,
    /// Another algorithm, such as `bidirectional`.
    Named(String),
}

impl SolverChoice {
    /// The name of the solver, as in the command line.
    pub fn name(&self) -> &str {
        match self {
            Self::Optimal => "optimal",
            Self::Named(name) => name,
        }
    }

    /// The error of a puzzle that does not have this solver. `names` lists those that it has beside
    /// `optimal`.
    pub(crate) fn unknown(&self, puzzle: &str, names: &[&str]) -> ConfigureError {
        let all: Vec<&str> = std::iter::once("optimal").chain(names.iter().copied()).collect();
        ConfigureError::invalid(format!(
            "unknown solver {:?} for {puzzle}: expected {}",
            self.name(),
            or(&all)
        ))
    }

    /// The error of a puzzle that does not have this solver beside another setting.
    pub(crate) fn refused_with(&self, setting: &str) -> ConfigureError {
        ConfigureError::invalid(format!(
            "the solver {self} takes no {setting}: expected the solver optimal with {setting}"
        ))
    }
}

impl From<&str> for SolverChoice {
    fn from(name: &str) -> Self {
        match name {
            "optimal" => Self::Optimal,
            name => Self::Named(name.to_owned()),
        }
    }
}

impl fmt::Display for SolverChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A heuristic by name. [`crate::PUZZLES`] lists the names for each puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeuristicChoice {
    /// `best`: the strongest heuristic that fits in the memory. It may change with every release.
    #[default]
    Best,
    /// `none`: no heuristic.
    None,
    /// A published configuration, such as `manhattan` or `pdb:7-8`. It never changes.
    Named(String),
}

impl HeuristicChoice {
    /// The name of the heuristic, as in the command line.
    pub fn name(&self) -> &str {
        match self {
            Self::Best => "best",
            Self::None => "none",
            Self::Named(name) => name,
        }
    }

    /// The error of a puzzle that does not have this heuristic. `expected` lists the names that it
    /// has.
    pub(crate) fn unknown(&self, puzzle: &str, expected: &str) -> ConfigureError {
        ConfigureError::invalid(format!(
            "unknown heuristic {:?} for {puzzle}: expected {expected}",
            self.name()
        ))
    }
}

impl From<&str> for HeuristicChoice {
    fn from(name: &str) -> Self {
        match name {
            "best" => Self::Best,
            "none" => Self::None,
            name => Self::Named(name.to_owned()),
        }
    }
}

impl fmt::Display for HeuristicChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which duplicate strings a search cuts: operator sequences that another one can replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PruningChoice {
    /// `none`: cuts nothing.
    None,
    /// `inverse`: cuts an operator right after the operator that it undoes.
    Inverse,
    /// `fsm` or `fsm:D`: cuts the strings that a learned automaton forbids.
    ///
    /// The automaton is learned from all strings of at most `D` operators. `None` takes the depth
    /// that suits the puzzle.
    Fsm(Option<u8>),
}

impl PruningChoice {
    /// The name with the depth written out (`fsm:D`). `depth` is used if the pruning names none.
    pub(crate) fn name(self, depth: usize) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Inverse => "inverse".to_owned(),
            Self::Fsm(own) => format!("fsm:{}", own.map_or(depth, usize::from)),
        }
    }
}

impl fmt::Display for PruningChoice {
    /// The text that reads as this choice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fsm(None) => f.write_str("fsm"),
            own => f.write_str(&own.name(0)),
        }
    }
}

impl FromStr for PruningChoice {
    type Err = ConfigureError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "none" => return Ok(Self::None),
            None if text == "inverse" => return Ok(Self::Inverse),
            None if text == "fsm" => return Ok(Self::Fsm(None)),
            Some(("fsm", depth)) => {
                if let Ok(depth @ 1..=32) = depth.parse() {
                    return Ok(Self::Fsm(Some(depth)));
                }
            }
            _ => {}
        }
        Err(ConfigureError::invalid(format!(
            "{text:?} is no pruning: \
             expected none, inverse, fsm or fsm:D with a depth D from 1 to 32"
        )))
    }
}

/// How table files get into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loading {
    /// `auto`: maps the file. Maps all its pages ahead of the search: at once if many states wait
    /// ([`crate::Request::backlog`]), otherwise soon after. Not if the table is larger than the
    /// available memory.
    ///
    /// A quick search reads few pages and starts at once. A long one takes no page faults.
    /// Processes share the memory. It is on huge pages where the file system has large folios.
    Auto,
    /// `mmap`: maps the file, and each page when it is first read. Processes share the memory.
    Mmap,
    /// `ram`: reads the file into huge pages, on every file system. The start is slower.
    Ram,
}

impl FromStr for Loading {
    type Err = ConfigureError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "mmap" => Ok(Self::Mmap),
            "ram" => Ok(Self::Ram),
            _ => {
                let message = format!("{text:?} is no way of loading: expected auto, mmap or ram");
                Err(ConfigureError::invalid(message))
            }
        }
    }
}

/// Reads a choice from its name, as in the command line.
macro_rules! read_from_name {
    ($($choice:ty: $read:expr),*) => {$(
        impl<'de> Deserialize<'de> for $choice {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                let read: fn(&str) -> Result<Self, ConfigureError> = $read;
                read(&name).map_err(serde::de::Error::custom)
            }
        }
    )*};
}

read_from_name!(
    MetricChoice: str::parse,
    PruningChoice: str::parse,
    Loading: str::parse,
    GoalChoice: |name| Ok(name.into()),
    SolverChoice: |name| Ok(name.into()),
    HeuristicChoice: |name| Ok(name.into())
);

/// Why [`crate::configure`] refuses the settings or the name of the puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigureError {
    /// A setting, or the definition of the puzzle, is invalid. The text says what is wrong, and
    /// what was expected.
    #[error(transparent)]
    Invalid(#[from] InvalidInput),
    /// The tables of the heuristic need more memory than the settings allow.
    #[error(transparent)]
    Memory(#[from] TooLittleMemory),
}

impl From<ConfigureError> for Failure {
    fn from(error: ConfigureError) -> Self {
        match error {
            ConfigureError::Invalid(refused) => Self::Refused(refused),
            ConfigureError::Memory(memory) => Self::Memory(memory),
        }
    }
}

impl ConfigureError {
    pub(crate) fn invalid(message: impl fmt::Display) -> Self {
        Self::Invalid(InvalidInput::new(message))
    }

    /// The place in a definition or goal that is refused. `None` if there is none.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Invalid(refused) => refused.place(),
            Self::Memory(_) => None,
        }
    }
}
