//! Counts the states of a puzzle as far as its goals tell them apart, with two bits for each.

use super::model::PuzzleModel;
use crate::cache::Once;
use crate::puzzle::{Failure, Result, Tell};
use crate::run::Run;
use crate::settings::Settings;
use crate::tables::TableSource;
use crate::words::hex;
use crate::{TooLittleMemory, grouped};
use pdb::file::TableSpec;
use pdb::{Modulo3, layers};
use permutation::pattern_spec::ClassPattern;
use permutation::{PuzzlePoints, PuzzleState, SlotContents};
use std::sync::OnceLock;

/// What kind of table it is, as its description and its name say.
const KIND: &str = "goal-states";

/// With fewer classes, the tables of patterns tell all of them apart.
const FEWEST_CLASSES: u64 = 1 << 27;

/// With fewer states to be solved, no table of all classes is built.
const FEWEST_STATES: u64 = 1000;

/// A table of so many classes takes as long to build as it saves with one state: a millisecond.
const CLASSES_FOR_STATE: u64 = 50_000;

/// Bytes of memory for each state that is counted apart: three times its number.
const BYTES_OF_WATCHED: u64 = 24;

/// For each orbit and slot: the pieces and orientations that may lie there.
pub(in crate::puzzles) type SlotOptions = Vec<Vec<Vec<(u16, u8)>>>;

/// Counts the classes of states at each distance from the goals: in memory, or else in files of the
/// folder [`Settings::disk`](crate::Settings::disk). Returns states in at most `antipodes` classes
/// of the last layer.
///
/// `None` if there is no [`pattern`], or if it exceeds the memory and so few of its entries are
/// reached that states may fit one by one.
///
/// # Errors
/// If the count is cancelled, or two bits for each class exceed the memory and there is no folder.
pub(super) fn count(
    model: &PuzzleModel,
    antipodes: usize,
    run: &Run<'_>,
    tell: &mut Tell<'_>,
) -> Result<Option<Vec<SlotContents>>> {
    let Some(pattern) = pattern(model, run)? else { return Ok(None) };
    let fits = bytes_needed(&pattern) <= model.settings.memory || run.request.team.is_some();
    if !fits && !is_reached(model, &pattern, run)? {
        return Ok(None);
    }
    let spec = spec(model, &pattern);
    let (source, of) = (source(model, &pattern), (&*spec.name, &spec.description));
    let found = source.exhaust(&pattern, of, antipodes, run)?;
    let found = found.ok_or_else(|| too_large(model, &pattern))?;
    (0..).zip(&found.layers).for_each(|(depth, &count)| tell(depth, count.into()));
    members(model, &pattern, &found.antipodes, run).map(Some)
}

/// Counts those classes of states at each distance from the goals whose slots hold what one of
/// `sets` allows. Stops when all have been counted.
///
/// # Errors
/// If there is no [`pattern`], two bits for each class exceed the memory, or cancelled.
pub(super) fn count_from(
    model: &PuzzleModel,
    sets: &[SlotOptions],
    run: &Run<'_>,
    tell: &mut Tell<'_>,
) -> Result<()> {
    let pattern = pattern(model, run)?.ok_or_else(|| {
        Failure::refused("states are not numbered under rules, with costs, or for such a goal")
    })?;
    let left = model.settings.memory.checked_sub(bytes_needed(&pattern));
    let left = left.ok_or_else(|| too_large(model, &pattern))?;
    let mut entries = Vec::new();
    for set in sets {
        let options = model.labels.options(set);
        let most = (left / BYTES_OF_WATCHED).saturating_sub(entries.len() as u64);
        entries.extend(run.prepare("the states to count", |cancel| {
            let own = pattern.entries_with(&options, most, cancel);
            own.ok_or_else(|| match cancel.is_cancelled() {
                true => Failure::Cancelled,
                false => Failure::limit(format!(
                    "more than {} states to count do not fit into {left} bytes: expected more \
                     memory, or a goal to count from that asks for more",
                    grouped(most)
                )),
            })
        })?);
    }
    entries.sort_unstable();
    entries.dedup();
    let source = source(model, &pattern);
    let found = source.reach(&pattern, &entries, run)?;
    let found = found.ok_or_else(|| too_large(model, &pattern))?;
    if found.watched.iter().all(|&count| count == 0) {
        return Err(Failure::refused("moves reach no state of the set to count from"));
    }
    (0..).zip(&found.watched).for_each(|(depth, &count)| tell(depth, count.into()));
    Ok(())
}

/// The exact distances of all classes of states, as a heuristic `W`. Loaded or built once there are
/// so many states to solve that it is worth it.
pub(super) struct ClassTable<W> {
    walk: Once<W>,
    /// Whether there was a file of such a table, or of its layers, when the first state was solved.
    is_there: OnceLock<bool>,
    /// The number of classes, and whether their table has a file. `None` if they have no numbers,
    /// or too many for the memory.
    classes: Once<Option<(u64, bool)>>,
}

impl<W> Default for ClassTable<W> {
    fn default() -> Self {
        Self { walk: Once::default(), is_there: OnceLock::new(), classes: Once::default() }
    }
}

impl<W> ClassTable<W> {
    /// The heuristic, which `make` makes of the numbers of the classes and their distances modulo
    /// 3. `None` if the tables of patterns do as well, or so few states are still to be solved that
    /// the table is not worth building.
    ///
    /// # Errors
    /// If the table cannot be loaded or built, or cancelled.
    pub(super) fn walk(
        &self,
        model: &PuzzleModel,
        run: &mut Run<'_>,
        make: impl FnOnce(ClassPattern, Modulo3) -> Result<W>,
    ) -> Result<Option<&W>> {
        if let Some(walk) = self.walk.get() {
            return Ok(Some(walk));
        }
        let states = run.request.backlog.states() as u64;
        let is_there = *self.is_there.get_or_init(|| {
            let beginning = format!("{}-{KIND}-", model.patterns.names().of_kind(KIND).0);
            TableSource::new(&model.settings).has_any(|name| name.starts_with(&beginning))
        });
        if !is_there && states < FEWEST_STATES {
            return Ok(None);
        }
        let classes = *self.classes.get_or_make(run, || {
            let fits = |pattern: &ClassPattern| bytes_needed(pattern) <= model.settings.memory;
            let has_file =
                |pattern: &ClassPattern| source(model, pattern).has(&spec(model, pattern).name);
            let found = pattern(model, run)?.filter(fits);
            Ok(found.map(|pattern| (pattern.entries(), has_file(&pattern))))
        })?;
        let is_worth = |classes: u64| states.saturating_mul(CLASSES_FOR_STATE) >= classes;
        let wanted = |&(classes, has_file): &(u64, bool)| {
            classes >= FEWEST_CLASSES && (has_file || is_worth(classes))
        };
        if classes.filter(wanted).is_none() {
            return Ok(None);
        }
        let walk = run.tables(|run| {
            self.walk.get_or_make(run, || {
                let pattern = pattern(model, run)?.ok_or(Failure::Cancelled)?;
                let (spec, source) = (spec(model, &pattern), source(model, &pattern));
                let table = source.remainders(&spec, &pattern, run)?;
                make(pattern, table)
            })
        })?;
        Ok(Some(walk))
    }
}

/// The file of the distances of all classes modulo 3.
fn spec(model: &PuzzleModel, pattern: &ClassPattern) -> TableSpec {
    let (name, mut description) = model.patterns.names().of_kind(KIND);
    let mark = hex(&pattern.fingerprint());
    let name = format!("{name}-{KIND}-{}", &mark[..8]);
    description["pattern"] = mark.into();
    TableSpec::new(name, description, Modulo3::payload(pattern.entries()))
}

/// Numbers the states as far as the goals tell them apart.
///
/// `None` if such classes have no dense numbers (see [`ClassPattern::new`]), or moves have costs or
/// rules.
fn pattern(model: &PuzzleModel, run: &Run<'_>) -> Result<Option<ClassPattern>> {
    if !model.rules.is_empty() || !model.operators().all_cost_one() {
        return Ok(None);
    }
    let Ok(structure) = model.structure() else { return Ok(None) };
    run.prepare("the classes of states", |cancel| {
        let pattern = ClassPattern::new(&structure, model.settings.memory / 4, cancel);
        if cancel.is_cancelled() { Err(Failure::Cancelled) } else { Ok(pattern) }
    })
}

/// Where the table is made, in the memory that the pattern leaves.
fn source(model: &PuzzleModel, pattern: &ClassPattern) -> TableSource {
    let memory = model.settings.memory.saturating_sub(pattern.bytes());
    TableSource::new(&Settings { memory, ..model.settings.clone() })
}

/// The bytes of a count, with those of the pattern.
fn bytes_needed(pattern: &ClassPattern) -> u64 {
    layers::bytes_needed(pattern).unwrap_or(u64::MAX).saturating_add(pattern.bytes())
}

fn too_large(model: &PuzzleModel, pattern: &ClassPattern) -> Failure {
    let what = format!("the count of {} classes", grouped(pattern.entries()));
    TooLittleMemory::new(&what, bytes_needed(pattern), model.settings.memory).into()
}

/// One of the states with each of these entries.
///
/// Where an entry has several states, moves may not reach some of them. There a path from the entry
/// to a goal leads back to one that they reach; a class without a short path is left out.
fn members(
    model: &PuzzleModel,
    pattern: &ClassPattern,
    entries: &[u64],
    run: &Run<'_>,
) -> Result<Vec<SlotContents>> {
    if pattern.has_single_states() {
        return Ok(entries.iter().map(|&entry| pattern.contents(entry)).collect());
    }
    let entry_of = |goal: &PuzzleState| pattern.entry(&model.labels.contents(goal));
    let goals = model.definition().goals();
    let ends: Vec<u64> = goals.iter().filter_map(entry_of).collect();
    let member = |&entry: &u64| {
        let (path, end) = pattern.path(entry, &ends, &run.request.cancel)?;
        let goal = goals.iter().find(|goal| entry_of(goal) == Some(end))?.clone();
        Some(model.labels.contents(&model.before(goal, &path)))
    };
    let members = entries.iter().filter_map(member).collect();
    if run.request.cancel.is_cancelled() { Err(Failure::Cancelled) } else { Ok(members) }
}

/// Whether at least half of the entries are reached. A state that is stored takes more than four
/// bits, so states do not fit the memory one by one either.
fn is_reached(model: &PuzzleModel, pattern: &ClassPattern, run: &Run<'_>) -> Result<bool> {
    let Some(points) = PuzzlePoints::new(&model.labels) else { return Ok(false) };
    let is_free = run.prepare("the group of the moves", |cancel| {
        let coupling = points.coupling(&|| cancel.is_cancelled()).map_err(Failure::of_group)?;
        Ok(coupling <= 2_u32.into())
    })?;
    Ok(is_free
        && run.prepare("the states of each set", |cancel| {
            let all = pattern.reaches_all_of_components(cancel);
            if cancel.is_cancelled() { Err(Failure::Cancelled) } else { Ok(all == Some(true)) }
        })?)
}
