//! Tables of ranked entries, of a byte or of four bits: small, ranked anew for each read.

use super::{BlankRegion, Members, WorkingBoard, of_working_board};
use crate::domain::{Board, Tiles};
use crate::pattern_table::{Excess, PatternTable, TableLayout};
use crate::word::BoardWord;
use search::{Cost, Op};
use std::sync::Arc;

/// Members with [`TableLayout::Ranked`] or [`TableLayout::Packed`] tables: every table, and after
/// them every table again for the reflected board if that is wanted.
#[derive(Clone, Debug)]
pub struct RankedTables<W> {
    members: Members,
    /// By member and tile: what a digit of the rank counts.
    radices: Vec<[u64; 8]>,
    /// By label, then square: the distance from home. Empty unless entries are above these.
    distances: Vec<[u8; 64]>,
    word: std::marker::PhantomData<W>,
}

impl<W: BoardWord> RankedTables<W> {
    /// The tables as members 0, 1, .. in their order; with `reflected`, and if the puzzle reflects,
    /// the tables on the reflected board follow as as many members more. `None` if there are more
    /// than 64 members or a table has another layout than the first or is [`TableLayout::Direct`].
    pub fn new<const ROWS: usize, const COLS: usize>(
        domain: &Tiles<W, ROWS, COLS>,
        tables: &[Arc<PatternTable>],
        reflected: bool,
        blank: BlankRegion,
    ) -> Option<Self> {
        let members = Members::new(domain, tables, reflected, blank);
        let layout = tables.first().map_or(TableLayout::Ranked, |table| table.layout());
        let alike = tables.iter().all(|table| table.layout() == layout);
        let distances = |label| {
            std::array::from_fn(|square| match square {
                _ if square < domain.squares() => domain.distance_home(label, square),
                _ => 0,
            })
        };
        let labels = if layout == TableLayout::Packed { domain.squares() } else { 0 };
        let distances = (0..labels).map(distances).collect();
        let radices = members.list.iter().map(|member| {
            let mut radices = [0; 8];
            radices
                .iter_mut()
                .zip(member.table.weights())
                .for_each(|(radix, weight)| *radix = weight);
            radices
        });
        let radices = radices.collect();
        let fits = alike && layout != TableLayout::Direct && members.list.len() <= 64;
        fits.then_some(Self { members, radices, distances, word: std::marker::PhantomData })
    }

    /// Half of the value of a member of `K` tiles.
    #[inline(always)]
    fn half_of<const K: usize>(
        &self,
        number: usize,
        square: impl Fn(usize) -> u8,
        blank: u8,
    ) -> u8 {
        let member = &self.members.list[number];
        let squares: [u8; K] = std::array::from_fn(|i| square(member.labels[i].into()) & 63);
        let ranked = if member.reflected {
            squares.map(|square| self.members.image[usize::from(square)])
        } else {
            squares
        };
        let digits = pdb::rank::digits(ranked);
        let entry: u64 = digits
            .iter()
            .zip(&self.radices[number])
            .map(|(&digit, radix)| u64::from(digit) * radix)
            .sum();
        if !self.distances.is_empty() {
            let tiles = member.labels.iter().zip(&squares);
            let distance = |(&label, &square): (&u8, &u8)| {
                self.distances[usize::from(label)][usize::from(square & 63)]
            };
            let excess = Excess::of(member.bytes[(entry / 2) as usize], entry);
            return tiles.map(distance).sum::<u8>() / 2 + excess.half();
        }
        let taken = || squares.iter().fold(0, |set, square| set | 1 << square);
        self.members.half(member.bytes[entry as usize], taken, blank)
    }

    /// The value of a member; `square` says where a label is.
    #[inline(always)]
    fn value(&self, number: usize, square: impl Fn(usize) -> u8, blank: u8, odd: u64) -> Cost {
        let half = match self.members.list[number].labels.len() {
            1 => self.half_of::<1>(number, square, blank),
            2 => self.half_of::<2>(number, square, blank),
            3 => self.half_of::<3>(number, square, blank),
            4 => self.half_of::<4>(number, square, blank),
            5 => self.half_of::<5>(number, square, blank),
            6 => self.half_of::<6>(number, square, blank),
            7 => self.half_of::<7>(number, square, blank),
            _ => self.half_of::<8>(number, square, blank),
        };
        2 * half + (odd >> (number & 63) & 1) as u8
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize>
    search::AdditiveBounds<Tiles<W, ROWS, COLS>> for RankedTables<W>
{
    type Work = WorkingBoard<()>;

    fn count(&self) -> usize {
        self.members.list.len()
    }
    fn features(&self, member: usize) -> &[u64] {
        &self.members.list[member].features
    }
    fn work(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::Work {
        self.members.tray(domain, board, ())
    }
    of_working_board!();
    #[inline(always)]
    fn read_still(&self, number: usize, work: &Self::Work) -> Cost {
        let square = |label| work.square(label) as u8;
        self.value(number, square, work.blank() as u8, work.odd())
    }
    #[inline(always)]
    fn read_moved(&self, number: usize, work: &Self::Work, op: Op, mover: usize) -> Cost {
        let (from, to) = (self.members.shape.target::<COLS>(work.blank(), op), work.blank());
        let square = |label| if label == mover { to as u8 } else { work.square(label) as u8 };
        self.value(number, square, from as u8, work.odd() ^ self.members.charged[mover & 63])
    }
    #[inline(always)]
    fn step(&self, work: &mut Self::Work, op: Op, mover: usize) {
        let target = self.members.shape.target::<COLS>(work.blank(), op);
        work.step(target, mover, self.members.charged[mover & 63]);
    }
    #[inline(always)]
    fn undo(&self, work: &mut Self::Work, op: Op) {
        let target = self.members.shape.target::<COLS>(work.blank(), Op(3 - op.0));
        let mover = work.label(target);
        work.step(target, mover, self.members.charged[mover & 63]);
    }
    /// With the blank known, but for boards that the tables cannot tell apart: three regions, and
    /// differences that do not fit.
    fn steady(&self) -> bool {
        self.members.blank == BlankRegion::Known && self.distances.is_empty()
    }
}
