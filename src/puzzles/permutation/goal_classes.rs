//! Counts the states of a puzzle as far as its goals tell them apart, with two bits for each.

use super::model::PuzzleModel;
use crate::puzzle::{Failure, Result, Tell};
use crate::run::Run;
use crate::settings::Settings;
use crate::tables::TableSource;
use crate::words::hex;
use crate::{TooLittleMemory, grouped};
use pdb::layers;
use permutation::pattern_spec::ClassPattern;
use permutation::{PuzzlePoints, PuzzleState, SlotContents};
use search::Op;

/// For each orbit and slot: the pieces and orientations that may lie there.
pub(in crate::puzzles) type SlotOptions = Vec<Vec<Vec<(u16, u8)>>>;

/// Counts the classes of states at each distance from the goals: in memory, or else in files of the
/// folder [`Settings::disk`](crate::Settings::disk). Returns states in at most `antipodes` classes
/// of the last layer.
///
/// `None` if there is no [`pattern`], or if so few of its entries are reached that states may fit
/// the memory one by one.
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
    let (name, mut description) = model.patterns.names().of_kind("classes");
    let mark = hex(&pattern.fingerprint());
    let name = format!("{name}-{}", &mark[..8]);
    description["pattern"] = mark.into();
    let source = source(model, &pattern);
    let Some(found) = source.exhaust(&pattern, (&name, &description), antipodes, run)? else {
        return if is_reached(model, run)? { Err(too_large(model, &pattern)) } else { Ok(None) };
    };
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
    let mut entries = Vec::new();
    for set in sets {
        let options = model.labels.options(set);
        let own = run.prepare("the states to count", |cancel| {
            pattern.entries_with(&options, cancel).ok_or(Failure::Cancelled)
        });
        entries.extend(own?);
    }
    entries.sort_unstable();
    entries.dedup();
    if entries.is_empty() {
        return Err(Failure::refused("no state is in the set to count from"));
    }
    let source = source(model, &pattern);
    let found = source.reach(&pattern, &entries, run)?;
    let found = found.ok_or_else(|| too_large(model, &pattern))?;
    (0..).zip(&found.watched).for_each(|(depth, &count)| tell(depth, count.into()));
    Ok(())
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

fn too_large(model: &PuzzleModel, pattern: &ClassPattern) -> Failure {
    let what = format!("the count of {} classes", grouped(pattern.entries()));
    let table = layers::bytes_needed(pattern).unwrap_or(u64::MAX);
    let needed = table.saturating_add(pattern.bytes());
    TooLittleMemory::new(&what, needed, model.settings.memory).into()
}

/// One of the states with each of these entries.
///
/// Where an entry has several states, moves may not reach some of them. There a path from the entry
/// to a goal leads back to one that they reach.
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
        let back = |state: PuzzleState, op: &Op| {
            state.apply(&model.operators().list[op.index()].transformation.inverse())
        };
        Some(model.labels.contents(&path.iter().rev().fold(goal, back)))
    };
    entries.iter().map(|entry| member(entry).ok_or(Failure::Cancelled)).collect()
}

/// Whether at least half of the entries are reached. A state that is stored takes more than four
/// bits, so states do not fit the memory one by one either.
fn is_reached(model: &PuzzleModel, run: &Run<'_>) -> Result<bool> {
    let Some(points) = PuzzlePoints::new(&model.labels) else { return Ok(false) };
    run.prepare("the group of the moves", |cancel| {
        let coupling = points.coupling(&|| cancel.is_cancelled()).map_err(Failure::of_group)?;
        Ok(coupling <= 2_u32.into())
    })
}
