//! Applies spilled steps to the codes of a bucket.

use super::spill::each_record;
use crate::abstraction::{Abstraction, ColumnMap, Edge};
use crate::builder::{PackedRow, Row, Store, Table, Wide, map_of, through};

/// Words of a bitmap of the longest row that [`Wide`] takes.
const WIDE_WORDS: usize = 64;
/// If a record has at least one source column for so many of a row, all its targets are given their
/// code at once.
const DENSE: usize = 16;

/// Gives a code to the unseen targets of spilled steps.
pub(super) struct Steps<'a> {
    abstraction: &'a dyn Abstraction,
    table: Table<'a, 2>,
    columns: usize,
    code: u64,
    wide: Option<Wide>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(
        abstraction: &'a dyn Abstraction,
        table: Table<'a, 2>,
        columns: usize,
        code: u64,
    ) -> Self {
        Self { abstraction, table, columns, code, wide: Wide::of(columns) }
    }

    /// Applies the records of a frame.
    pub(super) fn apply(&self, records: &[u8]) {
        let mut unseen = Vec::new();
        each_record(records, self.columns, &mut |row, map, sources| {
            let edge = Edge { row: row.into(), map, cost: 1 };
            let target = self.table.row(edge.row, self.columns);
            let map = map_of(self.abstraction, &edge, self.columns);
            match self.wide.filter(|_| sources.len() >= self.columns / DENSE) {
                Some(wide) => self.give(wide, target, map, sources, &mut unseen),
                None => {
                    through(map, self.columns, sources, |column| target.mark(column, self.code));
                }
            }
        });
    }

    /// Collects all targets first, which takes no branch and no atomic step for each.
    #[inline]
    fn give(
        &self,
        wide: Wide,
        target: PackedRow<'_, 2>,
        map: ColumnMap<'_>,
        sources: &[u16],
        unseen: &mut Vec<u64>,
    ) {
        let Some(row) = target.wide() else { return };
        let mut targets = [0_u64; WIDE_WORDS];
        let mut add = |column: usize| targets[column / 64] |= 1 << (column % 64);
        match (map.first, map.second) {
            (map, []) | ([], map) if !map.is_empty() => {
                let map = &map[..self.columns];
                sources.iter().for_each(|&column| add(map[usize::from(column)].into()));
            }
            _ => sources.iter().for_each(|&column| add(map.to(column.into()))),
        }
        wide.select(row, <Table<'_, 2> as Store>::UNSEEN, unseen);
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
