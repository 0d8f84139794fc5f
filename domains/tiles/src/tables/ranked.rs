//! Ranked tables of a byte or four bits an entry: small, but each read ranks the tiles anew.

use super::{BlankRegion, Members, WorkingBoard, of_working_board};
use crate::domain::{Board, Tiles};
use crate::pattern_table::{Excess, PatternTable, TableLayout};
use crate::word::BoardWord;
use search::{Cost, Op};
use std::sync::Arc;

/// Members with [`TableLayout::Ranked`] or [`TableLayout::Packed`] tables: every table in order,
/// then every table again on the reflected board if that is asked for.
#[derive(Clone, Debug)]
pub struct RankedTables<W> {
    members: Members,
    /// By member and tile: the weight of a digit of the rank.
    radices: Vec<[u64; 8]>,
    /// By label, then square: the distance from home. Empty unless entries exceed distances.
    distances: Vec<[u8; 64]>,
    word: std::marker::PhantomData<W>,
}

impl<W: BoardWord> RankedTables<W> {
    /// The members of some tables; with `reflected` also on the reflected board, if there is one.
    /// `None` if there are more than 64 members, or the tables do not share one of both layouts.
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

    /// The value of a member. `square` gives the square of a label.
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
    /// Not steady where tables cannot tell boards apart: with three regions, or clipped
    /// differences.
    fn steady(&self) -> bool {
        self.members.blank == BlankRegion::Known && self.distances.is_empty()
    }
}
