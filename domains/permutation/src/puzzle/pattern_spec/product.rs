//! The abstraction that keeps all that the goals ask for, as a product of small ones:
//! [`ClassPattern`].

use super::abstraction::SpecPattern;
use super::factors::{NOWHERE, Step};
use super::structure::PuzzleStructure;
use super::walk::OFTEN;
use super::words::PatternSpec;
use crate::puzzle::{GeneralPuzzle, LabelState, SlotContents};
use pdb::layers::{ExhaustOptions, exhaust};
use pdb::{Abstraction, BuildOptions, ColumnMap, Edge, Indexer};
use rustc_hash::FxHashMap;
use search::{CancelToken, Op, OpSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// Rows with at most this many columns stay in the first cache level, with their maps.
const GOOD_COLUMNS: u64 = 1 << 12;

/// The most entries that the search for a path keeps, some 40 bytes each.
const MOST_ON_PATHS: usize = 1 << 24;

/// The states of a puzzle as far as its goals tell them apart: states with the same entry have the
/// same plans.
///
/// Components are sets of slots that exchange no pieces, such as the corners and the edges of a
/// cube. Each has a [`SpecPattern`] of its own, and an entry has one entry of each. One component
/// gives the columns: the largest with 64 to 4,096 entries, or else the arrangements of the one
/// with most of them. The other components give the rows, so an operator moves a whole row.
///
/// Pairs of entries that no moves bring together (for example, because of their parity) are entries
/// that reach no goal.
///
/// Time of a row's edges: one lookup for each operator and component. Memory: that of the patterns
/// of the components, not of their product.
#[derive(Clone, Debug)]
pub struct ClassPattern {
    /// The patterns of the components. The last gives the columns.
    factors: Vec<SpecPattern>,
    /// The patterns of the components with one entry.
    fixed: Vec<SpecPattern>,
    /// For each operator: the entry after each entry of the last factor. Empty if only the
    /// arrangements of the last factor are columns.
    whole: Vec<Vec<u16>>,
    shape: (u64, usize),
    goals: Vec<u64>,
    /// A goal, for the slots that no factor keeps.
    start: Vec<(u8, u8)>,
    apart: bool,
}

impl ClassPattern {
    /// The classes of the states of a puzzle. Besides the table, each component has at most `bytes`
    /// of data.
    ///
    /// `None` if rules restrict the states, operators cannot be undone, a component is too large,
    /// there are 2^64 entries or more, or cancelled. Also if the structure does not keep all that
    /// its goals ask for.
    ///
    /// Time and memory: those of [`SpecPattern::new`], for each component.
    pub fn new(structure: &PuzzleStructure, bytes: u64, cancel: &CancelToken) -> Option<Self> {
        Self::of_columns(structure, bytes, GOOD_COLUMNS, cancel)
    }

    /// [`ClassPattern::new`] with at most `good` columns of a whole component.
    pub(super) fn of_columns(
        structure: &PuzzleStructure,
        bytes: u64,
        good: u64,
        cancel: &CancelToken,
    ) -> Option<Self> {
        let most = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Step>();
        let has_rules = !structure.illegal.is_empty() || !structure.blocks.is_empty();
        if has_rules || !structure.undone || !structure.exact {
            return None;
        }
        let (start, apart) = (structure.goals[0].clone(), structure.apart);
        let components = structure.component.iter().max().map_or(0, |&most| most + 1);
        let (mut factors, mut fixed) = (Vec::new(), Vec::new());
        for component in 0..components {
            let spec = all_of(structure, component)?;
            let factor = SpecPattern::of_steps(structure, &spec, most, cancel)?;
            if factor.entries() > 1 { factors.push(factor) } else { fixed.push(factor) }
        }
        if let Some(at) = columns_of(&factors, good) {
            let last = factors.remove(at);
            factors.push(last);
        }
        let Some(last) = factors.last() else {
            let (whole, shape, goals) = (Vec::new(), (1, 1), vec![0]);
            return Some(Self { factors, fixed, whole, shape, goals, start, apart });
        };
        let sizes = factors.iter().map(SpecPattern::entries);
        let entries = sizes.into_iter().try_fold(1_u64, u64::checked_mul)?;
        let (mut columns, mut whole) = (last.columns(), Vec::new());
        if last.entries() <= good {
            columns = usize::try_from(last.entries()).ok()?;
            whole = (0..structure.steps.len()).map(|op| whole_map(last, op)).collect();
        }
        let shape = (entries / columns as u64, columns);
        let goals = Vec::new();
        let mut made = Self { factors, fixed, whole, shape, goals, start, apart };
        let goals = structure.goals.iter().map(|goal| made.entry_of(goal));
        made.goals = goals.collect::<Option<_>>()?;
        made.goals.sort_unstable();
        made.goals.dedup();
        Some(made)
    }

    /// The entry of a state, given by label and twist in each slot. `None` if no moves bring some
    /// component from a goal to this state.
    pub fn entry(&self, contents: &SlotContents) -> Option<u64> {
        self.entry_of(&contents.pairs())
    }

    /// [`ClassPattern::entry`] of label and twist in each slot.
    fn entry_of(&self, slots: &[(u8, u8)]) -> Option<u64> {
        let (mut all, mut fixed) = (0, self.fixed.iter());
        if fixed.any(|factor| factor.entry_of(slots).is_none()) {
            return None;
        }
        for factor in &self.factors {
            all = all * factor.entries() + factor.entry_of(slots)?;
        }
        Some(all)
    }

    /// The number of entries, reached or not.
    pub fn entries(&self) -> u64 {
        self.shape.0 * self.shape.1 as u64
    }

    /// Size of the data besides the table in bytes, approximately.
    pub fn bytes(&self) -> u64 {
        self.factors.iter().map(SpecPattern::bytes).sum()
    }

    /// A hash that distinguishes the pattern from others with the same definition and operators.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hash = blake3::Hasher::new();
        for factor in &self.factors {
            hash.update(&factor.fingerprint());
        }
        for number in self.goals.iter().chain([&(self.shape.1 as u64)]) {
            hash.update(&number.to_le_bytes());
        }
        *hash.finalize().as_bytes()
    }

    /// The entries of all states that have one of these labels and twists in each slot, ascending.
    /// `None` if there are more than `most`, or if cancelled.
    ///
    /// Time: a look at each layout of each component, and at each entry found.
    pub fn entries_with(
        &self,
        options: &[Vec<(u8, u8)>],
        most: u64,
        cancel: &CancelToken,
    ) -> Option<Vec<u64>> {
        for factor in &self.fixed {
            if factor.entries_with(options, most, cancel)?.is_empty() {
                return Some(Vec::new());
            }
        }
        let mut all = vec![0];
        for factor in &self.factors {
            let own = factor.entries_with(options, most, cancel)?;
            if (all.len() as u64).saturating_mul(own.len() as u64) > most {
                return None;
            }
            let mut next = Vec::with_capacity(all.len() * own.len());
            for &entry in &all {
                next.extend(own.iter().map(|own| entry * factor.entries() + own));
                if cancel.is_cancelled() {
                    return None;
                }
            }
            all = next;
        }
        Some(all)
    }

    /// Whether each component reaches all its entries from the goals. Uses the current rayon thread
    /// pool. `None` if cancelled, or memory is short.
    pub fn reaches_all_of_components(&self, cancel: &CancelToken) -> Option<bool> {
        let build = BuildOptions { cancel: Some(cancel), ..BuildOptions::default() };
        let options = ExhaustOptions { build, ..ExhaustOptions::default() };
        for factor in &self.factors {
            if exhaust(factor, &options).ok()?.unreached > 0 {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether each entry is one state.
    pub fn has_single_states(&self) -> bool {
        self.apart
    }

    /// One of the states with an entry. Unless it is the only one, it may be a state that moves do
    /// not reach.
    pub fn contents(&self, entry: u64) -> SlotContents {
        let mut slots = self.start.clone();
        let mut left = entry;
        for factor in self.factors.iter().rev() {
            factor.read(left % factor.entries(), &self.start, &mut slots);
            left /= factor.entries();
        }
        SlotContents {
            piece: slots.iter().map(|&(piece, _)| piece.into()).collect(),
            twist: slots.iter().map(|&(_, twist)| twist).collect(),
        }
    }

    /// The entry after an operator.
    #[inline(always)]
    fn entry_after(&self, entry: u64, op: usize) -> u64 {
        let (mut left, mut to, mut scale) = (entry, 0, 1);
        for factor in self.factors.iter().rev() {
            to += scale * factor.entry_after(left % factor.entries(), op);
            left /= factor.entries();
            scale *= factor.entries();
        }
        to
    }

    /// Operators that lead from an entry to one of `ends`, with the end. They need not be the
    /// fewest. `None` if there are none, if more than 2^24 entries are looked at, or if cancelled.
    ///
    /// Two breadth-first searches meet, of which the smaller one goes on. Each keeps its entries.
    pub fn path(&self, from: u64, ends: &[u64], cancel: &CancelToken) -> Option<(Vec<Op>, u64)> {
        // For each entry found: the one before it, and the operator between them. Starts have
        // themselves.
        let mut found = [FxHashMap::default(), FxHashMap::default()];
        let mut layers = [vec![from], ends.to_vec()];
        for (found, layer) in found.iter_mut().zip(&layers) {
            found.extend(layer.iter().map(|&entry| (entry, (entry, 0))));
        }
        let operators = self.factors.last().map_or(0, SpecPattern::operators);
        let mut met = ends.contains(&from).then_some(from);
        while met.is_none() {
            let side = usize::from(layers[0].len() > layers[1].len());
            let mut next = Vec::new();
            for (number, &entry) in layers[side].iter().enumerate() {
                let is_full = found[0].len() + found[1].len() > MOST_ON_PATHS;
                if is_full || number.is_multiple_of(OFTEN) && cancel.is_cancelled() {
                    return None;
                }
                for op in 0..operators {
                    let to = self.entry_after(entry, op);
                    if let Entry::Vacant(free) = found[side].entry(to) {
                        free.insert((entry, op));
                        next.push(to);
                    }
                    met = met.or(found[1 - side].contains_key(&to).then_some(to));
                }
            }
            if next.is_empty() {
                return None;
            }
            layers[side] = next;
        }
        let met = met?;
        let way = |side: usize| {
            let before = |&(at, _): &(u64, usize)| {
                let (before, op) = found[side][&at];
                (before != at).then_some((before, op))
            };
            std::iter::successors(Some((met, 0)), before).skip(1).collect::<Vec<_>>()
        };
        let mut path: Vec<Op> = way(0).iter().rev().map(|&(_, op)| Op::new(op)).collect();
        // On the other side, an operator led from each entry to the one before it.
        let mut at = met;
        for (next, _) in way(1) {
            let op = (0..operators).find(|&op| self.entry_after(at, op) == next)?;
            path.push(Op::new(op));
            at = next;
        }
        Some((path, at))
    }

    /// The number of low digits of a row that belong to the last factor: its layouts, unless the
    /// columns hold all of it.
    fn layouts(&self) -> u64 {
        let last = self.factors.last().filter(|_| self.whole.is_empty());
        last.map_or(1, Abstraction::rows)
    }
}

/// Which pieces of a component look alike in its layouts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// A class with no piece in the component.
    Elsewhere,
    /// Classes with one piece.
    Alone,
    /// A class with several pieces.
    Several(usize),
}

/// The number of the factor that gives the columns. `None` if there are no factors.
fn columns_of(factors: &[SpecPattern], good: u64) -> Option<usize> {
    let fits = |factor: &SpecPattern| factor.entries() <= good;
    let key = |(_, factor): &(usize, &SpecPattern)| match fits(factor) {
        true => factor.entries(),
        false => factor.columns() as u64,
    };
    let good = factors.iter().enumerate().filter(|(_, factor)| fits(factor)).max_by_key(key);
    let best = factors.iter().enumerate().max_by_key(key);
    // A few columns are no gain over the arrangements of a large factor.
    let many = good.filter(|(_, factor)| factor.entries() >= 64).or(best);
    many.map(|(at, _)| at)
}

/// Keeps all classes of a component, with all their turns. `None` if there are more than 256
/// groups.
///
/// Classes of one piece are colours of one group if they have the same number of turns: the layouts
/// show where such pieces are. Each class of several pieces is a group.
fn all_of(structure: &PuzzleStructure, component: usize) -> Option<PatternSpec> {
    let slots =
        (0..structure.component.len()).filter(|&slot| structure.component[slot] == component);
    let slots: Vec<usize> = slots.collect();
    let class = |label: usize| usize::from(structure.class[label]);
    let mut pieces = vec![0_usize; structure.class.len()];
    slots.iter().for_each(|&slot| pieces[class(structure.goals[0][slot].0.into())] += 1);
    let mut spec = PatternSpec {
        slots,
        group: vec![0; structure.class.len()],
        turns: structure.turns.clone(),
        colour: vec![0; structure.class.len()],
    };
    // Pieces of other components share a group for each number of turns.
    let key = |label: usize| match pieces[class(label)] {
        0 => (structure.turns[label], Likeness::Elsewhere),
        1 => (structure.turns[label], Likeness::Alone),
        _ => (structure.turns[label], Likeness::Several(class(label))),
    };
    let mut groups: BTreeMap<(u8, Likeness), (u8, Vec<usize>)> = BTreeMap::new();
    for label in 0..structure.class.len() {
        let next = u8::try_from(groups.len()).ok()?;
        let (group, colours) = groups.entry(key(label)).or_insert((next, Vec::new()));
        spec.group[label] = *group;
        if key(label).1 == Likeness::Alone {
            let known = colours.iter().position(|&other| other == class(label));
            let colour = known.unwrap_or_else(|| {
                colours.push(class(label));
                colours.len() - 1
            });
            spec.colour[label] = u8::try_from(colour).ok()?;
        }
    }
    Some(spec)
}

/// For each entry of a factor: the entry after an operator.
fn whole_map(factor: &SpecPattern, op: usize) -> Vec<u16> {
    let short = |entry| u16::try_from(entry).expect("at most 4,096 entries");
    (0..factor.entries()).map(|entry| short(factor.entry_after(entry, op))).collect()
}

/// The index of a state is its entry. Some states that moves do not reach have none: ask
/// [`ClassPattern::entry`] before.
impl<const N: usize, O: OpSet> Indexer<GeneralPuzzle<N, O>> for ClassPattern {
    type Index = u64;

    /// # Panics
    /// If the state has no entry.
    fn index(&self, puzzle: &GeneralPuzzle<N, O>, state: &LabelState<N>) -> u64 {
        let entry = self.entry(&state.contents(puzzle.labels().slots()));
        entry.expect("the caller knows that the state has an entry")
    }
    #[inline(always)]
    fn advance(
        &self,
        _: &GeneralPuzzle<N, O>,
        _: &LabelState<N>,
        at: u64,
        op: Op,
        _: &LabelState<N>,
    ) -> u64 {
        self.entry_after(at, op.index())
    }
    #[inline(always)]
    fn entry(&self, at: u64) -> u64 {
        at
    }
}

impl Abstraction for ClassPattern {
    fn shape(&self) -> (u64, usize) {
        self.shape
    }

    fn goals(&self, out: &mut Vec<u64>) {
        out.extend(&self.goals);
    }

    /// Operators are undone by operators, so their edges lead back, too.
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let Some((last, others)) = self.factors.split_last() else { return };
        let layouts = self.layouts();
        let (layout, mut left) = (row % layouts, row / layouts);
        let mut digits: SmallVec<[u64; 4]> = SmallVec::new();
        for factor in others.iter().rev() {
            digits.push(left % factor.entries());
            left /= factor.entries();
        }
        for op in 0..last.operators() {
            let mut to = 0;
            for (factor, &digit) in others.iter().zip(digits.iter().rev()) {
                to = to * factor.entries() + factor.entry_after(digit, op);
            }
            let (map, is_still) = match self.whole.get(op) {
                Some(_) => (op, false),
                None => {
                    let step = last.step(layout, op);
                    debug_assert_ne!(step.row, NOWHERE, "without rules, operators lead to layouts");
                    to = to * layouts + u64::from(step.row);
                    (step.order as usize, step.order == 0)
                }
            };
            if !(is_still && to == row) {
                let map = u32::try_from(map).expect("few maps");
                out.push(Edge { row: to, map, cost: last.cost(op) });
            }
        }
    }

    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        match (self.whole.get(map as usize), self.factors.last()) {
            (Some(map), _) => ColumnMap::by(map),
            (None, Some(last)) => last.column_map(map),
            (None, None) => ColumnMap::IDENTITY,
        }
    }

    fn undirected(&self) -> bool {
        true
    }
}
