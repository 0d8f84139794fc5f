//! Directly numbered tables: larger, but a move only adds a number to an entry's number.

use super::{BlankRegion, Members, WorkingBoard, of_working_board};
use crate::domain::{Board, Tiles};
use crate::pattern_table::{PatternTable, TableLayout};
use crate::word::BoardWord;
use search::{Cost, Op};
use std::sync::Arc;

/// At most `MEMBERS` members with [`TableLayout::Direct`] tables: every table in order, then every
/// table again on the reflected board if that is asked for.
#[derive(Clone, Debug)]
pub struct DirectTables<const MEMBERS: usize> {
    members: Members,
    /// By label, then operator: what a move adds to the entry of each member, modulo 2^32.
    steps: Vec<[[u32; MEMBERS]; 4]>,
}

impl<const MEMBERS: usize> DirectTables<MEMBERS> {
    /// The members of some tables; with `reflected` also on the reflected board, if there is one.
    /// `None` if there are more than `MEMBERS` or 64 members, or a table has another layout or 2^32
    /// entries.
    pub fn new<W: BoardWord, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        tables: &[Arc<PatternTable>],
        reflected: bool,
        blank: BlankRegion,
    ) -> Option<Self> {
        let fits = |table: &Arc<PatternTable>| {
            table.layout() == TableLayout::Direct && u32::try_from(table.bytes().len()).is_ok()
        };
        let members = Members::new(domain, tables, reflected, blank);
        if members.list.len() > MEMBERS.min(64) || !tables.iter().all(fits) {
            return None;
        }
        let mut steps = vec![[[0; MEMBERS]; 4]; 64];
        let columns = domain.columns();
        for (number, member) in members.list.iter().enumerate() {
            for (&label, weight) in member.labels.iter().zip(member.table.weights()) {
                // The tile moves against the blank.
                let (row, column) = if member.reflected { (1, columns) } else { (columns, 1) };
                let ways = [row as i64, column as i64, -(column as i64), -(row as i64)];
                for (step, way) in steps[usize::from(label)].iter_mut().zip(ways) {
                    step[number] = (weight as i64 * way) as u32;
                }
            }
        }
        Some(Self { members, steps })
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize, const MEMBERS: usize>
    search::AdditiveBounds<Tiles<W, ROWS, COLS>> for DirectTables<MEMBERS>
{
    type Work = WorkingBoard<[u32; MEMBERS]>;

    fn count(&self) -> usize {
        self.members.list.len()
    }
    fn features(&self, member: usize) -> &[u64] {
        &self.members.list[member].features
    }
    fn work(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::Work {
        let mut tray = self.members.tray(domain, board, [0; MEMBERS]);
        for (number, member) in self.members.list.iter().enumerate() {
            let weights = member.labels.iter().zip(member.table.weights());
            for (&label, weight) in weights {
                let square = tray.square(label.into());
                let at = if member.reflected { self.members.image[square].into() } else { square };
                tray.entries[number] += (weight * at as u64) as u32;
            }
        }
        tray
    }
    of_working_board!();
    #[inline(always)]
    fn read_still(&self, number: usize, work: &Self::Work) -> Cost {
        let code = self.members.list[number].bytes[work.entries[number % MEMBERS] as usize];
        let half = self.members.half(code, || self.members.taken(number, work), work.blank() as u8);
        2 * half + (work.odd() >> (number & 63) & 1) as u8
    }
    #[inline(always)]
    fn read_moved(&self, number: usize, work: &Self::Work, op: Op, mover: usize) -> Cost {
        let step = self.steps[mover & 63][op.index() & 3][number % MEMBERS];
        let entry = work.entries[number % MEMBERS].wrapping_add(step);
        let code = self.members.list[number].bytes[entry as usize];
        let (from, to) = (self.members.shape.target::<COLS>(work.blank(), op), work.blank());
        let taken = || self.members.taken(number, work) ^ (1 << (from & 63) | 1 << (to & 63));
        let half = self.members.half(code, taken, from as u8);
        // A tile moves by one square, so the sum of distances changes its parity.
        2 * half + (!work.odd() >> (number & 63) & 1) as u8
    }
    #[inline(always)]
    fn prefetch(&self, number: usize, work: &Self::Work, op: Op, mover: usize) {
        let step = self.steps[mover & 63][op.index() & 3][number % MEMBERS];
        let entry = work.entries[number % MEMBERS].wrapping_add(step);
        pdb::memory::prefetch(&self.members.list[number].bytes, entry as usize);
    }
    #[inline(always)]
    fn step(&self, work: &mut Self::Work, op: Op, mover: usize) {
        let steps = &self.steps[mover & 63][op.index() & 3];
        for (entry, step) in work.entries.iter_mut().zip(steps) {
            *entry = entry.wrapping_add(*step);
        }
        let target = self.members.shape.target::<COLS>(work.blank(), op);
        work.step(target, mover, self.members.charged[mover & 63]);
    }
    #[inline(always)]
    fn undo(&self, work: &mut Self::Work, op: Op) {
        let target = self.members.shape.target::<COLS>(work.blank(), Op(3 - op.0));
        let mover = work.label(target);
        let steps = &self.steps[mover & 63][op.index() & 3];
        for (entry, step) in work.entries.iter_mut().zip(steps) {
            *entry = entry.wrapping_sub(*step);
        }
        work.step(target, mover, self.members.charged[mover & 63]);
    }
    /// Not steady where tables cannot tell boards apart: with three regions, or clipped
    /// differences.
    fn steady(&self) -> bool {
        self.members.blank == BlankRegion::Known
    }
}
