//! Puzzles whose states form a group: membership, random states, learned strings, and the tables that `best` takes.

use super::ladder::{Around, Ladder};
use super::marks::Marks;
use crate::configure::{Pruning, Settings};
use crate::ladder::outlook::{self, Source, formula, sampled};
use crate::prunings;
use crate::puzzle::{Explained, Failure, Job, LearnedSummary, Prediction, Refused, TableHistogram};
use crate::runs::{self, Found};
use crate::tables::TableSource;
use crate::timing::Stopwatch;
use fsm::{Automaton, ForbiddenStrings, Keep};
use groups::{GroupError, Permutation, StabilizerChain};
use pdb::file::TableSpec;
use pdb::layers::{ClassesWanted, ExhaustError, ExhaustOptions, exhaust};
use pdb::{BuildError, BuildObserver, BuildOptions, GroupPattern, PackedTable};
use permutation::{
    Definition, GeneralPuzzle, GroupElement, GroupPuzzle, NotAGroup, Operators, PieceSet,
    PieceTable, PieceTables, PuzzleState,
};
use search::random::Random;
use search::{CancelToken, Cost, Group, Heuristic, Op, OpSet, TwoSided};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A table has at most two to this power entries: larger ones would take minutes to build.
const MOST_POWER: u32 = 26;

/// Uniformly random states of a sampled distribution.
const SAMPLES: usize = 100_000;

/// A group puzzle with its chain and, once they are needed, its tables.
pub(super) struct Grouped<const N: usize, O: OpSet> {
    domain: TwoSided<GroupPuzzle<N, O>>,
    chain: OnceLock<Result<StabilizerChain, GroupError>>,
    definition: String,
    marks: Marks,
    memory: u64,
    stock: TableSource,
    tables: OnceLock<PieceTables>,
    ladder: OnceLock<Option<Ladder<N, O>>>,
    /// Held while tables are built, so that no two threads build the same.
    busy: Mutex<()>,
}

fn broken(error: GroupError) -> Failure {
    Failure::Limit(format!("the group of the moves: {error}"))
}

impl<const N: usize, O: OpSet> Grouped<N, O> {
    pub(super) fn new(
        definition: &Definition,
        operators: Operators,
        metric: &'static str,
        settings: &Settings,
    ) -> Result<Self, NotAGroup> {
        Ok(Self {
            domain: TwoSided(GroupPuzzle::new(definition, operators)?),
            chain: OnceLock::new(),
            definition: definition.name().to_owned(),
            marks: Marks::new(definition, metric),
            memory: settings.memory,
            stock: TableSource::new(settings.tables.clone(), settings.loading),
            tables: OnceLock::new(),
            ladder: OnceLock::new(),
            busy: Mutex::new(()),
        })
    }

    /// The group, searched from both ends.
    pub(super) fn domain(&self) -> &TwoSided<GroupPuzzle<N, O>> {
        &self.domain
    }

    pub(super) fn puzzle(&self) -> &GroupPuzzle<N, O> {
        &self.domain.0
    }

    /// The stabilizer chain of the moves, found once.
    pub(super) fn chain(&self) -> Result<&StabilizerChain, GroupError> {
        let chain = self.chain.get_or_init(|| {
            let generators = self.puzzle().generators()?;
            let generators: Vec<Permutation> = generators.into_iter().map(|(p, _)| p).collect();
            StabilizerChain::new(self.puzzle().points(), &generators, &[])
        });
        chain.as_ref().map_err(Clone::clone)
    }

    /// How many states there are.
    pub(super) fn order(&self) -> String {
        self.chain().map_or_else(|error| error.to_string(), |chain| chain.order().to_string())
    }

    /// A uniformly random state.
    pub(super) fn random(&self, puzzle: &GeneralPuzzle<N, O>, random: &mut Random) -> PuzzleState {
        let start = puzzle.definition().start().clone();
        let element = self.chain().ok().map(|chain| chain.random(|end| random.below(end)));
        let element = element.and_then(|element| self.puzzle().element_of(&element));
        let state = element.and_then(|e| self.puzzle().pattern_of(puzzle.definition(), &e).ok());
        state.unwrap_or(start)
    }

    pub(super) fn strings(
        &self,
        pruning: Pruning,
        depth: usize,
        keep: Keep,
        cancel: &CancelToken,
    ) -> Result<ForbiddenStrings, Failure> {
        prunings::strings(self.puzzle(), pruning, depth, keep, cancel)
    }

    pub(super) fn sequences(&self, automaton: &Automaton<O>, depth: usize) -> Vec<u128> {
        fsm::sequence_counts(self.puzzle(), automaton, 0, depth)
    }

    pub(super) fn learn(
        &self,
        depth: usize,
        name: Option<&dyn Fn(Op) -> String>,
        job: &Job<'_>,
    ) -> Result<(LearnedSummary, Option<String>), Failure> {
        prunings::summary(self.puzzle(), depth, name, job)
    }

    /// The sets of pieces whose tables fit the memory together: of all limits to the entries of one, powers of two, the greatest with which
    /// they do.
    fn sets(&self) -> Result<Vec<PieceSet>, Failure> {
        let mut sets = Vec::new();
        for power in 8..=MOST_POWER {
            let tried = self.puzzle().piece_sets(1 << power).map_err(broken)?;
            // Four bits an entry; eight where distances turn out to be great.
            let bytes: u64 = tried.iter().map(|set| set.entries.div_ceil(2)).sum();
            if bytes > self.memory {
                break;
            }
            let done = tried.len() == 1;
            sets = tried;
            if done {
                break;
            }
        }
        Ok(sets)
    }

    /// The tables, built when they are first needed.
    pub(super) fn tables(&self, job: &Job<'_>) -> Result<&PieceTables, Failure> {
        let _busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = self.tables.get() {
            return Ok(tables);
        }
        let mut tables = Vec::new();
        for set in self.sets()? {
            let pattern = self.puzzle().pattern(&set).map_err(broken)?;
            let distances = self.distances(&pattern, job)?;
            tables.push(PieceTable::new(self.puzzle(), pattern, distances));
        }
        Ok(self.tables.get_or_init(|| PieceTables(tables)))
    }

    /// The distances of a pattern: four bits an entry or, where one turns out to be above 14, eight.
    fn distances(&self, pattern: &GroupPattern, job: &Job<'_>) -> Result<PackedTable, Failure> {
        let (four, eight) = self.specs(pattern);
        if !self.stock.has(&eight.name) {
            match self.stock.exact::<4>(&four, pattern, job) {
                Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => {}
                built => return built,
            }
        }
        self.stock.exact::<8>(&eight, pattern, job)
    }

    /// The two forms in which the table of a pattern may be kept.
    fn specs(&self, pattern: &GroupPattern) -> (TableSpec, TableSpec) {
        self.marks.specs("pieces", &pattern.fingerprint(), pattern.entries())
    }

    /// The name of a table's file.
    fn file_name(&self, table: &PieceTable) -> String {
        self.marks.named("pieces", &table.pattern().fingerprint(), table.distances())
    }

    /// The name of a set of pieces: the slots where they are at home, counted over all sets of the definition.
    fn table_name(&self, set: &PieceSet) -> String {
        let slots: Vec<String> = set.slots.iter().map(usize::to_string).collect();
        format!("{}-{}", self.definition, slots.join("."))
    }

    pub(super) fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<(), Failure> {
        runs::count_states(self.puzzle(), self.puzzle().identity(), depth, job, tell)
    }

    /// Counts all layers, at two bits a state or, where these do not fit the memory, by classes; answers some elements of the last.
    pub(super) fn exhaust(
        &self,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut dyn FnMut(usize, u128),
    ) -> Result<Vec<GroupElement<N>>, Failure> {
        let by_class = |tell: &mut dyn FnMut(usize, u128)| {
            let (solved, options) =
                ([self.puzzle().identity()], runs::within(job, Some(self.memory)));
            let (name, description) = self.marks.of("classes");
            let checkpoint = self.stock.checkpoint(format!("{name}-classes"), &description);
            let checkpoint = checkpoint.as_ref();
            let (depth, observer) = (usize::MAX, Some::<&dyn BuildObserver>(job.watch));
            let wanted = ClassesWanted { depth, farthest: antipodes, checkpoint, observer };
            runs::tell_classes(self.puzzle(), &solved, &wanted, &options, tell)
        };
        // Two bits a state.
        if self.chain().map_err(broken)?.order() > self.memory.saturating_mul(4).into() {
            return by_class(tell);
        }
        let generators = self.puzzle().generators().map_err(broken)?;
        let pattern = GroupPattern::of_group(self.puzzle().points(), &generators, &[]);
        let pattern = pattern.map_err(broken)?;
        let spec = self.specs(&pattern).0;
        let checkpoint = self.stock.checkpoint(format!("{}-layers", spec.name), &spec.description);
        let options = ExhaustOptions {
            build: BuildOptions {
                cancel: Some(&job.cancel),
                observer: Some(job.watch),
                ..BuildOptions::default()
            },
            limit: Some(self.memory),
            antipodes,
            checkpoint: checkpoint.as_ref(),
        };
        let found = match exhaust(&pattern, &options) {
            Ok(found) => found,
            Err(ExhaustError::Limit { .. }) => return by_class(tell),
            Err(ExhaustError::Build(error)) => {
                return Err(Failure::Build { table: spec.name, error });
            }
            Err(ExhaustError::Checkpoint(error)) => return Err(Failure::File(error)),
            Err(other) => return Err(Refused(other.to_string()).into()),
        };
        found.layers.iter().enumerate().for_each(|(depth, &count)| tell(depth, count.into()));
        super::antipodes::elements(self.puzzle(), &pattern, &found.antipodes).map_err(broken)
    }

    /// Slots of the largest states that coset tables are read for.
    const MOST_SLOTS: usize = 64;

    /// The ladder of coset tables: none where a table of all states fits, or pieces tell more states apart.
    fn ladder(&self, job: &Job<'_>) -> Result<Option<&Ladder<N, O>>, Failure> {
        if let Some(ladder) = self.ladder.get() {
            return Ok(ladder.as_ref());
        }
        // Four bits a state.
        let most = (1 << MOST_POWER).min(self.memory.saturating_mul(2));
        let small = self.chain().map_err(broken)?.order() <= most.into();
        let made = if small || N > Self::MOST_SLOTS {
            None
        } else {
            let learned = self.strings(Pruning::Fsm(None), 2, Keep::OneOptimal, &job.cancel)?;
            let automaton = Automaton::<O>::new(&learned).map_err(prunings::malformed)?;
            let branching = fsm::branching_factor(self.puzzle(), &automaton);
            let ladder = Ladder::new(self.puzzle(), self.memory, branching, &job.cancel);
            let ladder = ladder.map_err(broken)?;
            if job.cancel.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            match ladder {
                Some(ladder) if ladder.cosets() <= 1 << MOST_POWER => {
                    let pieces = self.sets()?.iter().map(|set| set.entries).max();
                    (Some(ladder.cosets()) > pieces).then_some(ladder)
                }
                other => other,
            }
        };
        Ok(self.ladder.get_or_init(|| made).as_ref())
    }

    /// What the ladder needs of this puzzle.
    fn around(&self) -> Around<'_, N, O> {
        let (name, description) = self.marks.of("cosets");
        Around { domain: &self.domain, stock: &self.stock, name, description }
    }

    /// The coset tables that there are to choose from or, where there are none, the tables of pieces.
    pub(super) fn explain(&self, job: &Job<'_>) -> Result<Vec<Explained>, Failure> {
        let Some(ladder) = self.ladder(job)? else {
            let explained = |set: &PieceSet| Explained {
                bytes: set.entries.div_ceil(2),
                states: set.entries,
                symmetries: 1,
                // The state and its inverse.
                views: 2,
                worth: None,
                taken: true,
                pattern: self.table_name(set),
            };
            return Ok(self.sets()?.iter().map(explained).collect());
        };
        let around = self.around();
        let told = ladder.explained(&around).map(|(candidate, cosets, taken)| Explained {
            bytes: candidate.bytes,
            states: candidate.cosets,
            symmetries: candidate.symmetries,
            views: candidate.views,
            worth: Some(candidate.worth),
            taken,
            pattern: cosets,
        });
        Ok(told.collect())
    }

    /// Nodes of complete iterations: what each coset table promises or, for piece tables, what the formula says. Strings are learned to `depth`.
    pub(super) fn predict(
        &self,
        pruning: Pruning,
        depth: usize,
        bound: Cost,
        job: &Job<'_>,
    ) -> Result<Prediction, Failure> {
        if !self.puzzle().list().all_cost_one() {
            let message = "nothing is predicted where moves cost other than 1: the formula counts moves, not their costs";
            return Err(Refused(message.to_owned()).into());
        }
        let chain = self.chain().map_err(broken)?;
        let source = || -> Box<dyn Iterator<Item = GroupElement<N>> + '_> {
            let mut random = Random::new(outlook::SEED);
            let element = move || self.puzzle().element_of(&chain.random(|end| random.below(end)));
            Box::new(std::iter::repeat_with(element).flatten())
        };
        let learned = self.strings(pruning, depth, Keep::OneOptimal, &job.cancel)?;
        let automaton = prunings::automaton::<GroupPuzzle<N, O>>(&learned)?;
        let counts = self.sequences(&automaton, usize::from(bound) + 1);
        if const { N <= Self::MOST_SLOTS }
            && let Some(ladder) = self.ladder(job)?
        {
            let states: (Source<'_, _>, _) = (&source, SAMPLES);
            return ladder.predict(&self.around(), &learned, &counts, states, job);
        }
        let tables = self.tables(job)?;
        let states = source().take(SAMPLES).map(|state| self.domain.state(&state));
        let distribution = sampled(states.map(|state| tables.estimate(&self.domain, &state)));
        Ok(Prediction::from(formula(&counts, distribution)))
    }

    /// Searches from both ends with the tables.
    pub(super) fn search(
        &self,
        pattern: &PuzzleState,
        learned: &ForbiddenStrings,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let stopwatch = Stopwatch::start();
        // Searches with coset tables are compiled for states of the usual sizes only.
        if const { N <= Self::MOST_SLOTS }
            && let Some(ladder) = self.ladder(job)?
        {
            found.tables = stopwatch.wall();
            let start = self.puzzle().element(pattern).unwrap_or(self.puzzle().identity());
            return ladder.climb(&self.around(), &start, learned, job, found);
        }
        let tables = self.tables(job);
        found.tables = stopwatch.wall();
        let tables = tables?;
        found.table_bytes = tables.0.iter().map(PieceTable::bytes).sum();
        let automata = prunings::ends(self.puzzle(), learned, &[])?;
        let start = self.puzzle().element(pattern).unwrap_or(self.puzzle().identity());
        found.search_ends(&self.domain, tables, &automata, &self.domain.state(&start), job);
        Ok(())
    }

    pub(super) fn histograms(&self, job: &Job<'_>) -> Result<Vec<TableHistogram>, Failure> {
        if let Some(ladder) = self.ladder(job)? {
            let (name, bytes, counts) = ladder.counts(&self.around(), job)?;
            return Ok(vec![TableHistogram::new(name, bytes, counts)]);
        }
        let told = |table: &PieceTable| {
            TableHistogram::new(self.file_name(table), table.bytes(), table.counts())
        };
        Ok(self.tables(job)?.0.iter().map(told).collect())
    }

    pub(super) fn build(&self, job: &Job<'_>) -> Result<Vec<(String, u64)>, Failure> {
        if let Some(ladder) = self.ladder(job)? {
            return ladder.build(&self.around(), job);
        }
        let told = |table: &PieceTable| (self.file_name(table), table.bytes());
        Ok(self.tables(job)?.0.iter().map(told).collect())
    }
}
