//! The abstraction of a [`PatternSpec`]: layouts are its rows, arrangements its columns.

use super::factors::NOWHERE;
use super::layouts::{Layouts, goals};
use super::structure::PuzzleStructure;
use super::walk::OFTEN;
use super::words::PatternSpec;
use crate::puzzle::LabelState;
use pdb::rank::{ClassWords, PieceClass};
use pdb::{Abstraction, ColumnMap, Edge};
use rustc_hash::FxHashMap;
use search::{CancelToken, Cost, Op};

/// The greatest number of steps: there is one for each layout and operator, and it has 8 bytes.
pub(super) const MOST_STEPS: usize = 1 << 24;
/// The greatest number of arrangements (columns) of a layout.
pub(super) const MOST_COLUMNS: u64 = 1 << 16;
/// The greatest number of entries of all column maps together, 2 bytes each.
const MOST_MAPPED: usize = 1 << 23;

/// The row of a state from which no goal is reached.
const DEAD: u32 = NOWHERE;
/// The row of an illegal state. It has no value, and the entry of its successor is computed from
/// scratch.
const UNKNOWN: u32 = NOWHERE - 1;

/// The table entry of a state, as row and column: see [`SpecPattern`]. 8 bytes.
///
/// The row is the layout: which group of pieces lies in which slot, and how they are turned. The
/// column is the arrangement: how the colours lie within each group of several colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecPlace {
    row: u32,
    column: u32,
}

impl SpecPlace {
    /// The entry of a state from which no goal is reached.
    pub(super) const DEAD: Self = Self { row: DEAD, column: 0 };

    /// Whether no goal is reached from the state.
    pub(super) fn is_dead(self) -> bool {
        self.row == DEAD
    }

    /// Whether the table has an entry for the state.
    pub(super) fn is_known(self) -> bool {
        self.row < UNKNOWN
    }
}

/// The abstraction of a [`PatternSpec`], built for one puzzle.
///
/// The number of an entry is its layout times the number of arrangements, plus its arrangement. The
/// arrangement consists of a word of colours for each mixed group (a group with several colours).
/// The last group varies fastest.
///
/// The cost of an edge is the cost of its operator in whole multiples of `unit`, so that large
/// costs fit in a byte. If several operators do the same, the cheapest counts.
#[derive(Clone, Debug)]
pub struct SpecPattern {
    pub(super) layouts: Layouts,
    pub(super) spec: PatternSpec,
    pub(super) arrangements: Vec<ClassWords>,
    pub(super) columns: usize,
    /// For each order in which an operator may rearrange pieces (see [`Layouts`]): the new column
    /// of each column. Empty if nothing changes.
    pub(super) maps: Vec<Vec<u16>>,
    /// First, for each row the index of its first backward edge, which leads from the row to a
    /// predecessor. Second, all backward edges. `None` if the pattern is undirected.
    back: Option<(Vec<usize>, Vec<Edge>)>,
    goals: Vec<u64>,
    pub(super) unit: Cost,
    illegal: Vec<(usize, Vec<u8>)>,
}

impl SpecPattern {
    /// The abstraction of a spec. `None` if it is too large, or if cancelled.
    ///
    /// It is too large if it has more than 2^24 steps of layouts, 2^16 arrangements, or 2^23
    /// entries of column maps.
    ///
    /// Time: a hash for each layout and operator. Memory: 8 bytes for each layout and operator, and
    /// a byte for each slot of each layout.
    pub fn new(
        structure: &PuzzleStructure,
        spec: &PatternSpec,
        cancel: &CancelToken,
    ) -> Option<Self> {
        Self::of_steps(structure, spec, MOST_STEPS, cancel)
    }

    /// [`SpecPattern::new`] with at most `most` steps of layouts.
    pub(super) fn of_steps(
        structure: &PuzzleStructure,
        spec: &PatternSpec,
        most: usize,
        cancel: &CancelToken,
    ) -> Option<Self> {
        let layouts = Layouts::new(structure, spec, most, cancel)?;
        let arrangements = arrangements(structure, spec, &layouts)?;
        let sizes = arrangements.iter().map(|one| u64::from(one.words()));
        let columns = sizes.product::<u64>();
        let columns = usize::try_from(columns).ok().filter(|&n| n as u64 <= MOST_COLUMNS)?;
        if columns > 1 && columns.checked_mul(layouts.orders.len())? > MOST_MAPPED {
            return None;
        }
        let mut made = Self {
            maps: Vec::new(),
            back: None,
            goals: Vec::new(),
            unit: 1,
            illegal: structure.illegal.clone(),
            spec: spec.clone(),
            layouts,
            arrangements,
            columns,
        };
        let words = made.arrangements.iter().map(all_words).collect::<Vec<_>>();
        let map = |order: &Vec<u8>| (!cancel.is_cancelled()).then(|| made.map(order, &words));
        made.maps = made.layouts.orders.iter().map(map).collect::<Option<_>>()?;
        made.goals = structure.goals.iter().filter_map(|goal| made.entry_of(goal)).collect();
        made.goals.sort_unstable();
        made.goals.dedup();
        debug_assert!(made.goals.len() >= goals(structure, &made.layouts.words).len());
        if made.layouts.words.directed() || !structure.undone {
            made.back = Some(made.find_back(cancel)?);
        }
        Some(made)
    }

    /// The same pattern with costs in multiples of `unit`, at least 1. `None` if cancelled.
    #[must_use]
    pub fn in_units(mut self, unit: Cost, cancel: &CancelToken) -> Option<Self> {
        let unit = unit.max(1);
        if self.back.is_some() && self.unit != unit {
            self.unit = unit;
            self.back = Some(self.find_back(cancel)?);
        }
        self.unit = unit;
        Some(self)
    }

    /// The spec: what the pattern keeps of a state.
    pub fn spec(&self) -> &PatternSpec {
        &self.spec
    }

    /// The cost that a distance of 1 stands for.
    pub fn unit(&self) -> Cost {
        self.unit
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.rows() * self.columns as u64
    }

    /// Size of the data besides the table in bytes, approximately.
    pub fn bytes(&self) -> u64 {
        let maps: usize = self.maps.iter().map(Vec::len).sum();
        let back = self.back.as_ref().map_or(0, |(_, edges)| size_of::<Edge>() * edges.len());
        (self.layouts.bytes() + 2 * maps + back) as u64
    }

    /// For each column: the column after `order` rearranges the pieces of the mixed groups. Empty
    /// for the identity. For each place, `order` has the place before. `words` has the words of
    /// each arrangement, as [`all_words`] lists them.
    fn map(&self, order: &[u8], words: &[Vec<u8>]) -> Vec<u16> {
        if *order == self.layouts.orders[0] {
            return Vec::new();
        }
        let (mut columns, mut start) = (vec![0_u32], 0);
        for (arrangement, words) in self.arrangements.iter().zip(words) {
            let (pieces, scales) = (arrangement.slots(), arrangement.scales());
            let order = &order[start..start + pieces];
            start += pieces;
            let after = |old: &[u8]| {
                arrangement.rank(|place| old[usize::from(order[place])] * scales[place])
            };
            let after: Vec<u32> = words.chunks(pieces).map(after).collect();
            let with = |&column: &u32| {
                let first = column * arrangement.words();
                after.iter().map(move |&after| first + after)
            };
            columns = columns.iter().flat_map(with).collect();
        }
        let short = |column| u16::try_from(column).expect("at most 2^16 columns");
        columns.into_iter().map(short).collect()
    }

    /// First, for each row the index of its first backward edge, which leads from the row to a
    /// predecessor. Second, all backward edges, sorted by the row that they leave. `None` if
    /// cancelled.
    fn find_back(&mut self, cancel: &CancelToken) -> Option<(Vec<usize>, Vec<Edge>)> {
        let (rows, ops) = (self.layouts.len(), self.layouts.words.costs.len());
        let goes_on = |row: usize| !row.is_multiple_of(OFTEN) || !cancel.is_cancelled();
        let mut starts = vec![0; rows + 1];
        for row in 0..rows {
            let steps = (0..ops).map(|op| self.layouts.step(row, op));
            steps.filter(|to| to.row != NOWHERE).for_each(|to| starts[to.row as usize + 1] += 1);
            goes_on(row).then_some(())?;
        }
        (1..starts.len()).for_each(|row| starts[row] += starts[row - 1]);
        // For each row: the index at which its next edge is stored.
        let mut ends = starts.clone();
        let mut edges = vec![Edge { row: 0, map: 0, cost: 0 }; starts[rows]];
        let mut inverse: FxHashMap<u32, u32> = FxHashMap::default();
        for row in 0..rows {
            goes_on(row).then_some(())?;
            for op in 0..ops {
                let step = self.layouts.step(row, op);
                if step.row == NOWHERE {
                    continue;
                }
                let map = match inverse.get(&step.order) {
                    Some(&map) => map,
                    None if cancel.is_cancelled() => return None,
                    None => {
                        let map = self.inverse_map(step.order);
                        inverse.insert(step.order, map);
                        map
                    }
                };
                let cost = self.layouts.words.costs[op] / self.unit;
                let end = &mut ends[step.row as usize];
                edges[*end] = Edge { row: row as u64, map, cost };
                *end += 1;
            }
        }
        // Of equal edges, the cheapest stays.
        let (mut kept, mut first) = (0, 0);
        for row in 0..rows {
            goes_on(row).then_some(())?;
            let last = starts[row + 1];
            edges[first..last].sort_unstable_by_key(|edge| (edge.row, edge.map, edge.cost));
            for at in std::mem::replace(&mut first, last)..last {
                let edge = edges[at];
                let same = |before: &Edge| (before.row, before.map) == (edge.row, edge.map);
                if kept == starts[row] || !same(&edges[kept - 1]) {
                    edges[kept] = edge;
                    kept += 1;
                }
            }
            starts[row + 1] = kept;
        }
        edges.truncate(kept);
        edges.shrink_to_fit();
        Some((starts, edges))
    }

    /// The index in `maps` of the inverse of map number `map`, which permutes the columns. Appends
    /// the inverse if it is not there yet.
    fn inverse_map(&mut self, map: u32) -> u32 {
        let forward = &self.maps[map as usize];
        let mut back = vec![0; forward.len()];
        for (from, &to) in (0..=u16::MAX).zip(forward) {
            back[usize::from(to)] = from;
        }
        let there = self.maps.iter().position(|other| *other == back);
        let number = there.unwrap_or(self.maps.len());
        if there.is_none() {
            self.maps.push(back);
        }
        u32::try_from(number).expect("at most 2^24 maps")
    }

    /// The entry of a state. `at` gives the label and twist in each slot. `None` if the state's
    /// layout does not occur.
    fn find(&self, at: &dyn Fn(usize) -> (u8, u8)) -> Option<SpecPlace> {
        let mut word = Vec::new();
        self.layouts.words.of(&mut word, at);
        let row = self.layouts.find(&word)?;
        let mut column = 0;
        for (arrangement, &(group, pieces)) in self.arrangements.iter().zip(&self.layouts.mixed) {
            let mut colours = Vec::with_capacity(pieces);
            for &slot in &self.layouts.words.slots {
                let label = usize::from(at(slot).0);
                if self.spec.group[label] == group {
                    colours.push(self.spec.colour[label]);
                }
            }
            let scales = arrangement.scales();
            let rank = arrangement.rank(|place| colours[place] * scales[place]);
            // Other pieces than those of the goals may lie in these slots. Their colours are no
            // word of the group, so any number will do.
            let rank = rank.min(arrangement.words() - 1);
            column = column * u64::from(arrangement.words()) + u64::from(rank);
        }
        Some(SpecPlace { row, column: u32::try_from(column).expect("at most 2^16 columns") })
    }

    /// The entry of a state, given by label and twist in each slot. `None` if the state's layout
    /// does not occur.
    pub(super) fn entry_of(&self, goal: &[(u8, u8)]) -> Option<u64> {
        self.find(&|slot| goal[slot]).map(|place| self.number(place))
    }

    #[inline(always)]
    pub(super) fn number(&self, at: SpecPlace) -> u64 {
        u64::from(at.row) * self.columns as u64 + u64::from(at.column)
    }

    /// The entry of a state.
    pub(super) fn place<const N: usize>(&self, state: &LabelState<N>) -> SpecPlace {
        let found = self.find(&|slot| (state.piece[slot], state.twist[slot]));
        let legal = || self.illegal.iter().all(|(slot, bad)| !bad.contains(&state.piece[*slot]));
        found.unwrap_or_else(|| {
            if legal() { SpecPlace::DEAD } else { SpecPlace { row: UNKNOWN, column: 0 } }
        })
    }

    /// The entry of `to`, the successor of a state by `op`. `at` is the entry of that state.
    #[inline(always)]
    pub(super) fn after<const N: usize>(
        &self,
        at: SpecPlace,
        op: Op,
        to: &LabelState<N>,
    ) -> SpecPlace {
        if at.row >= UNKNOWN {
            return if at.row == DEAD { at } else { self.place(to) };
        }
        let step = self.layouts.step(at.row as usize, op.index());
        let map = &self.maps[step.order as usize];
        let column = map.get(at.column as usize).map_or(at.column, |&column| column.into());
        SpecPlace { row: step.row, column }
    }

    /// A hash that distinguishes the pattern from others with the same definition and operators.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint_in(self.unit)
    }

    /// The fingerprint that the pattern would have with another unit.
    pub fn fingerprint_in(&self, unit: Cost) -> [u8; 32] {
        let PatternSpec { slots, group, turns, colour } = &self.spec;
        let text = format!("{slots:?} {group:?} {turns:?} {colour:?} {unit}");
        *blake3::hash(text.as_bytes()).as_bytes()
    }
}

/// All words of an arrangement, one after another.
fn all_words(arrangement: &ClassWords) -> Vec<u8> {
    let pieces = arrangement.slots();
    let mut words = vec![0; arrangement.words() as usize * pieces];
    (0..).zip(words.chunks_mut(pieces)).for_each(|(number, word)| arrangement.unrank(number, word));
    words
}

/// The words of colours of the mixed groups. `None` if a group has more than 2^16.
fn arrangements(
    structure: &PuzzleStructure,
    spec: &PatternSpec,
    layouts: &Layouts,
) -> Option<Vec<ClassWords>> {
    let of = |&(group, _): &(u8, usize)| {
        let mut pieces = Vec::new();
        for &slot in &spec.slots {
            let label = usize::from(structure.goals[0][slot].0);
            if spec.group[label] == group {
                let colour = usize::from(spec.colour[label]);
                pieces.resize(pieces.len().max(colour + 1), 0_u8);
                pieces[colour] += 1;
            }
        }
        let class = |pieces: u8| PieceClass { pieces, turns: 1 };
        ClassWords::new(pieces.into_iter().map(class).collect(), None, 1 << 16)
    };
    layouts.mixed.iter().map(of).collect()
}

impl Abstraction for SpecPattern {
    fn shape(&self) -> (u64, usize) {
        (self.layouts.len() as u64, self.columns)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.extend(&self.goals);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let row = usize::try_from(row).expect("rows are below 2^32");
        if let Some((starts, edges)) = &self.back {
            out.extend(&edges[starts[row]..starts[row + 1]]);
            return;
        }
        // Undirected: an operator that leads here is undone by one of the same cost.
        for (op, &cost) in self.layouts.words.costs.iter().enumerate() {
            let step = self.layouts.step(row, op);
            let edge = Edge { row: step.row.into(), map: step.order, cost: cost / self.unit };
            let same = |other: &Edge| (other.row, other.map) == (edge.row, edge.map);
            let still = step.order == 0 && step.row as usize == row;
            if step.row == NOWHERE || still {
                continue;
            }
            match out.iter_mut().find(|other| same(other)) {
                Some(other) => other.cost = other.cost.min(edge.cost),
                None => out.push(edge),
            }
        }
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize])
    }
    fn undirected(&self) -> bool {
        self.back.is_none()
    }
}
