//! Tables of directly numbered entries: larger, and an entry changes by a sum when a tile moves.

use super::{Blank, Members, Tray, of_tray};
use crate::domain::{Board, Tiles};
use crate::pattern_table::{Layout, PatternTable};
use crate::word::Word;
use search::{Cost, Op};
use std::sync::Arc;

/// At most `MEMBERS` members with [`Layout::Direct`] tables: every table, and after them every table again for the reflected board if that
/// is wanted.
#[derive(Clone, Debug)]
pub struct DirectTables<const MEMBERS: usize> {
    members: Members,
    /// By label, then operator: what a move adds to the entry of each member, modulo 2^32.
    steps: Vec<[[u32; MEMBERS]; 4]>,
    squares: u32,
}

/// The entries of all members, where the blank is, and which members have odd values.
#[derive(Clone, Copy, Debug)]
pub struct Entries<const MEMBERS: usize> {
    entries: [u32; MEMBERS],
    odd: u64,
    blank: u8,
}

impl<const MEMBERS: usize> DirectTables<MEMBERS> {
    /// The tables as members 0, 1, .. in their order; with `reflected`, and if the puzzle reflects, the tables on the reflected board follow as
    /// as many members more. `None` if there are too many members (64 at the most) or a table has another layout, or 2^32 entries and more.
    pub fn new<W: Word, const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        tables: &[Arc<PatternTable>],
        reflected: bool,
        blank: Blank,
    ) -> Option<Self> {
        let fits = |table: &Arc<PatternTable>| {
            table.layout() == Layout::Direct && u32::try_from(table.bytes().len()).is_ok()
        };
        let members = Members::new(domain, tables, reflected, blank);
        if members.list.len() > MEMBERS.min(64) || !tables.iter().all(fits) {
            return None;
        }
        let mut steps = vec![[[0; MEMBERS]; 4]; 64];
        for (number, member) in members.list.iter().enumerate() {
            for (&label, weight) in member.labels.iter().zip(member.table.weights()) {
                // The tile goes against the way of the blank.
                let (row, column) = if member.reflected { (1, COLS) } else { (COLS, 1) };
                let ways = [row as i64, column as i64, -(column as i64), -(row as i64)];
                for (step, way) in steps[usize::from(label)].iter_mut().zip(ways) {
                    step[number] = (weight as i64 * way) as u32;
                }
            }
        }
        Some(Self { members, steps, squares: (ROWS * COLS) as u32 })
    }

    #[inline(always)]
    fn value(&self, number: usize, entry: u32, blank: u8, odd: u64) -> Cost {
        let code = self.members.list[number].bytes[entry as usize];
        let half = self.members.half(code, || self.taken(number, entry), blank);
        2 * half + (odd >> (number & 63) & 1) as u8
    }

    /// The squares of the tiles of a member.
    #[cold]
    fn taken(&self, number: usize, entry: u32) -> u64 {
        let member = &self.members.list[number];
        let (mut rest, mut set) = (entry, 0);
        for _ in &member.labels {
            let square = (rest % self.squares) as usize & 63;
            rest /= self.squares;
            set |= 1 << if member.reflected { self.members.image[square] } else { square as u8 };
        }
        set
    }
}

impl<W: Word, const ROWS: usize, const COLS: usize, const MEMBERS: usize>
    search::Members<Tiles<W, ROWS, COLS>> for DirectTables<MEMBERS>
{
    type View = Entries<MEMBERS>;

    fn count(&self) -> usize {
        self.members.list.len()
    }
    fn features(&self, member: usize) -> &[u64] {
        &self.members.list[member].features
    }
    fn view(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::View {
        let mut view = Entries { entries: [0; MEMBERS], odd: 0, blank: board.blank() as u8 };
        for square in 0..ROWS * COLS {
            let label = board.label(square);
            for (entry, member) in view.entries.iter_mut().zip(&self.members.list) {
                let tile = member.labels.iter().position(|&own| usize::from(own) == label);
                let at = if member.reflected { self.members.image[square].into() } else { square };
                let weight = tile.map_or(0, |tile| member.table.weights()[tile]);
                *entry += (weight * at as u64) as u32;
            }
            if domain.distance_home(label, square) % 2 == 1 {
                view.odd ^= self.members.charged[label & 63];
            }
        }
        view
    }
    #[inline(always)]
    fn advance(
        &self,
        _: &Tiles<W, ROWS, COLS>,
        from: &Board<W>,
        view: &Self::View,
        op: Op,
        to: &Board<W>,
    ) -> Self::View {
        let label = from.label(to.blank());
        let steps = &self.steps[label & 63][op.index() & 3];
        let entries =
            std::array::from_fn(|member| view.entries[member].wrapping_add(steps[member]));
        Entries {
            entries,
            odd: view.odd ^ self.members.charged[label & 63],
            blank: to.blank() as u8,
        }
    }
    #[inline(always)]
    fn read(&self, number: usize, view: &Self::View) -> Cost {
        self.value(number, view.entries[number % MEMBERS], view.blank, view.odd)
    }
    /// With the blank known, but for boards that the tables cannot tell apart: three regions, and differences that do not fit.
    fn steady(&self) -> bool {
        self.members.blank == Blank::Known
    }
}

impl<W: Word, const ROWS: usize, const COLS: usize, const MEMBERS: usize>
    search::MembersInPlace<Tiles<W, ROWS, COLS>> for DirectTables<MEMBERS>
{
    type Work = Tray<[u32; MEMBERS]>;

    fn work(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::Work {
        let view = search::Members::view(self, domain, board);
        Tray::new(domain, board, view.odd, view.entries)
    }
    of_tray!();
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
        let (from, to) = (Tiles::<W, ROWS, COLS>::target(work.blank(), op), work.blank());
        let taken = || self.members.taken(number, work) ^ (1 << (from & 63) | 1 << (to & 63));
        let half = self.members.half(code, taken, from as u8);
        // The tile moves by one square, and so what it adds to the sum of distances is odd where it was even.
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
        let target = Tiles::<W, ROWS, COLS>::target(work.blank(), op);
        work.step(target, mover, self.members.charged[mover & 63]);
    }
    #[inline(always)]
    fn undo(&self, work: &mut Self::Work, op: Op) {
        let target = Tiles::<W, ROWS, COLS>::target(work.blank(), Op(3 - op.0));
        let mover = work.label(target);
        let steps = &self.steps[mover & 63][op.index() & 3];
        for (entry, step) in work.entries.iter_mut().zip(steps) {
            *entry = entry.wrapping_sub(*step);
        }
        work.step(target, mover, self.members.charged[mover & 63]);
    }
}
