//! Applies spilled steps to the codes of a bucket.

use super::spill::{SpillRecord, SpillRecords, rows};
use crate::abstraction::{Abstraction, ColumnMap, Edge};
use crate::builder::{BuildTable, PackedLayout, Row, Table, Wide, map_of, through};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Words of a bitmap of the longest row that [`Wide`] takes.
const WIDE_WORDS: usize = 64;
/// A record covering at least 1/16 of a row is applied as one vector step.
const DENSE: usize = 16;

/// Gives a code to the unseen targets of spilled steps.
pub(super) struct StepApplier<'a, const BITS: usize> {
    abstraction: &'a dyn Abstraction,
    table: Table<'a, BITS>,
    columns: usize,
    code: u64,
    wide: Option<Wide>,
    /// Whether a step has found an unseen entry. Not set where targets get their code at once.
    pub(super) found: AtomicBool,
}

/// The buffers of one frame.
#[derive(Default)]
struct Sets {
    /// The source columns, as a bitmap and as a list.
    sources: Vec<u64>,
    listed: Vec<u16>,
    /// Two sets of the target row's columns: the unseen ones before a step, and after it.
    unseen: Vec<u64>,
    left: Vec<u64>,
}

impl<'a, const BITS: usize> StepApplier<'a, BITS> {
    pub(super) fn new(
        abstraction: &'a dyn Abstraction,
        table: Table<'a, BITS>,
        columns: usize,
        code: u64,
    ) -> Self {
        let wide = Wide::of(columns).filter(|_| BITS == 2);
        Self { abstraction, table, columns, code, wide, found: AtomicBool::new(false) }
    }

    /// Applies the records of a frame.
    pub(super) fn apply(&self, frame: &[u8]) {
        if self.columns == 1 {
            let mark = |row: u32| self.table.row(row.into(), 1).mark(0, self.code);
            let found = rows(frame).fold(false, |found, row| mark(row) | found);
            return self.record_found(found);
        }
        let (mut records, mut sets) = (SpillRecords(frame), Sets::default());
        let mut next = records.next();
        while let Some(record) = next {
            next = records.next();
            for (row, _) in next.iter().flat_map(SpillRecord::targets) {
                self.table.prefetch(row.into(), self.columns);
                self.table.row(row.into(), self.columns).prefetch_rest();
            }
            self.apply_record(&record, &mut sets);
        }
    }

    fn record_found(&self, found: bool) {
        if found {
            self.found.store(true, Relaxed);
        }
    }

    fn apply_record(&self, record: &SpillRecord<'_>, sets: &mut Sets) {
        record.bitmap(self.columns, &mut sets.sources);
        let count: u32 = sets.sources.iter().map(|word| word.count_ones()).sum();
        let wide = self.wide.filter(|_| count as usize >= self.columns / DENSE);
        sets.listed.clear();
        for (row, map) in record.targets() {
            let target = self.table.row(row.into(), self.columns);
            let back = wide.and_then(|_| self.abstraction.inverse_map(map));
            match (wide, back) {
                (Some(wide), Some(back)) => self.take(wide, target, back, sets),
                _ => {
                    if sets.listed.is_empty() {
                        list(&sets.sources, &mut sets.listed);
                    }
                    let edge = Edge { row: row.into(), map, cost: 1 };
                    let map = map_of(self.abstraction, &edge, self.columns);
                    self.give(wide, target, map, sets);
                }
            }
        }
    }

    /// Looks up the source of each unseen target column, 32 at a time.
    #[inline]
    fn take(&self, wide: Wide, target: Row<'_, PackedLayout<BITS>>, back: u32, sets: &mut Sets) {
        let Some(row) = target.wide() else { return };
        let Sets { sources, unseen, left, .. } = sets;
        wide.select(row, <Table<'_, BITS> as BuildTable>::UNSEEN, unseen);
        left.clone_from(unseen);
        let map = self.abstraction.column_map(back);
        match (map.first, map.second) {
            (map, []) | ([], map) if !map.is_empty() => wide.remove_set(sources, map, left),
            _ => {
                for column in 0..self.columns {
                    let source = map.to(column);
                    let hit = sources[source / 64] >> (source % 64) & 1;
                    left[column / 64] &= !(hit << (column % 64));
                }
            }
        }
        let mut any = 0;
        for (unseen, left) in unseen.iter_mut().zip(left) {
            *unseen &= !*left;
            any |= *unseen;
        }
        if any != 0 {
            wide.give(row, self.code, unseen);
        }
    }

    /// Takes each source column to its target. With `wide`, collects all targets first, which takes
    /// no branch and no atomic step for each.
    #[inline]
    fn give(
        &self,
        wide: Option<Wide>,
        target: Row<'_, PackedLayout<BITS>>,
        map: ColumnMap<'_>,
        sets: &mut Sets,
    ) {
        let Sets { listed, unseen, .. } = sets;
        let (Some(wide), Some(row)) = (wide, target.wide()) else {
            let mark = |column| target.mark(column, self.code);
            return self.record_found(through(map, self.columns, listed, mark) > 0);
        };
        let mut targets = [0_u64; WIDE_WORDS];
        let mut add = |column: usize| targets[column / 64] |= 1 << (column % 64);
        match (map.first, map.second) {
            (map, []) | ([], map) if !map.is_empty() => {
                let map = &map[..self.columns];
                listed.iter().for_each(|&column| add(map[usize::from(column)].into()));
            }
            _ => listed.iter().for_each(|&column| add(map.to(column.into()))),
        }
        wide.select(row, <Table<'_, BITS> as BuildTable>::UNSEEN, unseen);
        let mut any = 0;
        for (unseen, targets) in unseen.iter_mut().zip(targets) {
            *unseen &= targets;
            any |= *unseen;
        }
        if any != 0 {
            wide.give(row, self.code, unseen);
        }
    }
}

/// Appends the columns of a bitmap, ascending.
fn list(bits: &[u64], out: &mut Vec<u16>) {
    for (word, &bits) in bits.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            let column = 64 * word + bits.trailing_zeros() as usize;
            out.push(u16::try_from(column).expect("at most 65,536 columns"));
            bits &= bits - 1;
        }
    }
}
