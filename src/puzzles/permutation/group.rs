//! Puzzles whose states form a group: membership, random states, learned strings, tables.

use super::engine::{choice_of, depth};
use super::ladder::{Around, Ladder};
use super::marks::Marks;
use crate::cache::{AutomatonCache, Once};
use crate::ladder::outlook::{self, Source, formula, sampled};
use crate::prunings::{self, Automata};
use crate::puzzle::{Explained, Failure, Job, LearnedSummary, Prediction, TableHistogram, Tell};
use crate::runs::{self, Found};
use crate::settings::{PruningChoice, Settings};
use crate::tables::TableSource;
use crate::timing::Stopwatch;
use fsm::{Automaton, ForbiddenStrings, Keep};
use groups::{GroupError, Permutation, StabilizerChain};
use pdb::file::TableSpec;
use pdb::layers::{ClassesWanted, ExhaustError, ExhaustOptions, exhaust};
use pdb::{BuildError, BuildObserver, BuildOptions, GroupPattern, PackedTable};
use permutation::{
    Definition, GeneralPuzzle, GroupElement, GroupPuzzle, MoveMetric, NotAGroup, Operators,
    PieceSet, PieceTable, PieceTables, PuzzleState,
};
use search::random::Random;
use search::{CancelToken, Cost, Group, Heuristic, Op, OpSet, TwoSided, self_symmetries};
use std::sync::Arc;

/// A table has at most two to this power entries: larger ones would take minutes to build.
const MOST_POWER: u32 = 26;

/// Uniformly random states of a sampled distribution.
const SAMPLES: usize = 100_000;

/// A group puzzle with its chain and, once they are needed, its tables.
pub(super) struct Grouped<const N: usize, O: OpSet> {
    domain: TwoSided<GroupPuzzle<N, O>>,
    metric: MoveMetric,
    pruning: PruningChoice,
    automata: AutomatonCache<O>,
    chain: Once<StabilizerChain>,
    definition: String,
    marks: Marks,
    memory: u64,
    source: TableSource,
    tables: Once<PieceTables>,
    ladder: Once<Option<Ladder<N, O>>>,
}

fn broken(error: GroupError) -> Failure {
    Failure::Limit(format!("the group of the moves: {error}"))
}

impl<const N: usize, O: OpSet> Grouped<N, O> {
    pub(super) fn new(
        definition: &Definition,
        operators: Operators,
        metric: MoveMetric,
        settings: &Settings,
    ) -> Result<Self, NotAGroup> {
        Ok(Self {
            domain: TwoSided(GroupPuzzle::new(definition, operators)?),
            metric,
            pruning: settings.pruning,
            automata: AutomatonCache::default(),
            chain: Once::default(),
            definition: definition.name().to_owned(),
            marks: Marks::new(definition, choice_of(metric).name()),
            memory: settings.memory,
            source: TableSource::new(settings),
            tables: Once::default(),
            ladder: Once::default(),
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
        self.chain.get_or_make(|| {
            let generators = self.puzzle().generators()?;
            let generators: Vec<Permutation> = generators.into_iter().map(|(p, _)| p).collect();
            StabilizerChain::new(self.puzzle().points(), &generators, &[])
        })
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

    /// The automaton of the strings that are cut, learned once.
    pub(super) fn automaton(&self, keep: Keep, job: &Job<'_>) -> Result<&Automaton<O>, Failure> {
        self.automata.automaton(keep, || self.learn_strings(keep, &job.cancel))
    }

    fn learn_strings(&self, keep: Keep, cancel: &CancelToken) -> Result<ForbiddenStrings, Failure> {
        prunings::strings(self.puzzle(), self.pruning, depth(self.metric), keep, cancel)
    }

    /// The automata of both ends. Of plans that `symmetries` take to each other one is kept.
    fn ends(
        &self,
        keep: Keep,
        symmetries: &[Vec<Op>],
        job: &Job<'_>,
    ) -> Result<Arc<Automata<GroupPuzzle<N, O>>>, Failure> {
        let learn = || self.learn_strings(keep, &job.cancel);
        self.automata.ends(self.puzzle(), keep, symmetries, learn)
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

    /// The sets of pieces whose tables fit the memory together.
    ///
    /// A table has at most so many entries, the greatest power of two with which they fit.
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
        self.tables.get_or_make(|| {
            let table = |set: PieceSet| {
                let pattern = self.puzzle().pattern(&set).map_err(broken)?;
                let distances = self.distances(&pattern, job)?;
                Ok(PieceTable::new(self.puzzle(), pattern, distances))
            };
            self.sets()?.into_iter().map(table).collect::<Result<_, _>>().map(PieceTables)
        })
    }

    /// The distances of a pattern: four bits an entry, or eight if a distance is above 14.
    fn distances(&self, pattern: &GroupPattern, job: &Job<'_>) -> Result<PackedTable, Failure> {
        let (four, eight) = self.specs(pattern);
        if !self.source.has(&eight.name) {
            match self.source.exact::<4>(&four, pattern, job) {
                Err(Failure::Build { error: BuildError::TooDeep { .. }, .. }) => {}
                built => return built,
            }
        }
        self.source.exact::<8>(&eight, pattern, job)
    }

    /// The two forms in which the table of a pattern may be kept.
    fn specs(&self, pattern: &GroupPattern) -> (TableSpec, TableSpec) {
        self.marks.specs("pieces", &pattern.fingerprint(), pattern.entries())
    }

    /// The name of a table's file.
    fn file_name(&self, table: &PieceTable) -> String {
        self.marks.named("pieces", &table.pattern().fingerprint(), table.distances())
    }

    /// The name of a set of pieces, by the slots where they are at home.
    fn table_name(&self, set: &PieceSet) -> String {
        let slots: Vec<String> = set.slots.iter().map(usize::to_string).collect();
        format!("{}-{}", self.definition, slots.join("."))
    }

    pub(super) fn count_states(
        &self,
        depth: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        runs::count_states(self.puzzle(), self.puzzle().identity(), depth, job, tell)
    }

    /// Counts all layers; answers some elements of the last.
    ///
    /// Keeps two bits a state or, where these do not fit the memory, classes of states.
    pub(super) fn exhaust(
        &self,
        antipodes: usize,
        job: &Job<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Vec<GroupElement<N>>, Failure> {
        let by_class = |tell: &mut Tell<'_>| {
            let (solved, options) =
                ([self.puzzle().identity()], runs::within(job, Some(self.memory)));
            let (name, description) = self.marks.of("classes");
            let checkpoint = self.source.checkpoint(format!("{name}-classes"), &description);
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
        let checkpoint = self.source.checkpoint(format!("{}-layers", spec.name), &spec.description);
        let options = ExhaustOptions {
            build: BuildOptions {
                cancel: Some(&job.cancel),
                observer: Some(job.watch),
                checkpoint: checkpoint.as_ref(),
            },
            limit: Some(self.memory),
            antipodes,
        };
        let found = match exhaust(&pattern, &options) {
            Ok(found) => found,
            Err(ExhaustError::Limit { .. }) => return by_class(tell),
            Err(ExhaustError::Build(error)) => {
                return Err(Failure::Build { table: spec.name, error });
            }
            Err(other) => return Err(Failure::refused(other)),
        };
        found.layers.iter().enumerate().for_each(|(depth, &count)| tell(depth, count.into()));
        super::antipodes::elements(self.puzzle(), &pattern, &found.antipodes).map_err(broken)
    }

    /// GroupElement of the largest states that coset tables are read for.
    const MOST_SLOTS: usize = 64;

    /// The ladder of coset tables.
    ///
    /// `None` where a table of all states fits, or pieces tell more states apart.
    fn ladder(&self, job: &Job<'_>) -> Result<Option<&Ladder<N, O>>, Failure> {
        self.ladder.get_or_make(|| self.make_ladder(job)).map(Option::as_ref)
    }

    fn make_ladder(&self, job: &Job<'_>) -> Result<Option<Ladder<N, O>>, Failure> {
        // Four bits a state.
        let most = (1 << MOST_POWER).min(self.memory.saturating_mul(2));
        let small = self.chain().map_err(broken)?.order() <= most.into();
        if small || N > Self::MOST_SLOTS {
            return Ok(None);
        }
        let (pruning, keep) = (PruningChoice::Fsm(None), Keep::OneOptimal);
        let learned = prunings::strings(self.puzzle(), pruning, 2, keep, &job.cancel)?;
        let automaton = Automaton::<O>::new(&learned).map_err(Failure::limit)?;
        let branching = fsm::branching_factor(self.puzzle(), &automaton);
        let ladder = Ladder::new(self.puzzle(), self.memory, branching, &job.cancel);
        let ladder = ladder.map_err(broken)?;
        if job.cancel.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        match ladder {
            Some(ladder) if ladder.cosets() <= 1 << MOST_POWER => {
                let pieces = self.sets()?.iter().map(|set| set.entries).max();
                Ok((Some(ladder.cosets()) > pieces).then_some(ladder))
            }
            other => Ok(other),
        }
    }

    /// What the ladder needs of this puzzle.
    fn around(&self) -> Around<'_, N, O> {
        let (name, description) = self.marks.of("cosets");
        Around { domain: &self.domain, source: &self.source, name, description }
    }

    /// The coset tables that the ladder may take; where there is none, the tables of pieces.
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

    /// Nodes of complete iterations: what each coset table promises or, for piece tables, what the
    /// formula says.
    pub(super) fn predict(&self, bound: Cost, job: &Job<'_>) -> Result<Prediction, Failure> {
        if !self.puzzle().list().all_cost_one() {
            return Err(Failure::refused(
                "nothing is predicted where moves cost other than 1: \
                 the formula counts moves, not their costs",
            ));
        }
        let chain = self.chain().map_err(broken)?;
        let source = || -> Box<dyn Iterator<Item = GroupElement<N>> + '_> {
            let mut random = Random::new(outlook::SEED);
            let element = move || self.puzzle().element_of(&chain.random(|end| random.below(end)));
            Box::new(std::iter::repeat_with(element).flatten())
        };
        let automaton = self.automaton(Keep::OneOptimal, job)?;
        let counts = self.sequences(automaton, usize::from(bound) + 1);
        if const { N <= Self::MOST_SLOTS }
            && let Some(ladder) = self.ladder(job)?
        {
            let states: (Source<'_, _>, _) = (&source, SAMPLES);
            let automata = self.ends(Keep::OneOptimal, &[], job)?;
            return ladder.predict(&self.around(), &automata, &counts, states, job);
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
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let start = self.puzzle().element(pattern).unwrap_or(self.puzzle().identity());
        let stopwatch = Stopwatch::start();
        // Searches with coset tables are compiled for states of the usual sizes only.
        if const { N <= Self::MOST_SLOTS }
            && let Some(ladder) = self.ladder(job)?
        {
            found.tables = stopwatch.wall();
            // Of plans that the start's symmetries take to each other one is enough.
            let one = job.plans == 1;
            let symmetries = if one { self_symmetries(self.puzzle(), &start) } else { Vec::new() };
            let automata = self.ends(job.keep(), &symmetries, job)?;
            return ladder.climb(&self.around(), &start, &automata, job, found);
        }
        let tables = self.tables(job);
        found.tables = stopwatch.wall();
        let tables = tables?;
        found.table_bytes = tables.0.iter().map(PieceTable::bytes).sum();
        let automata = self.ends(job.keep(), &[], job)?;
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
