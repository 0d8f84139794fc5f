//! All heuristics in one type, for boards whose search is compiled once.

use distances::LearnedDistances;
use search::{Cost, Domain, Heuristic, MaxOfSums, Op, Verdict};
use std::sync::Arc;
use tiles::{Board, BoardWord, KorfTaylor, LinearConflict, RankedTables, Tiles, TilesManhattan};

/// Few partitions and their reflections: see [`super::choice::Sums::are_few`].
pub(crate) type Sums<W> = MaxOfSums<RankedTables<W>, 8, 32>;
/// As many as there may be.
pub(crate) type ManySums<W> = MaxOfSums<RankedTables<W>, 24, 64>;

/// Any of the heuristics.
#[derive(Debug)]
pub(crate) enum Any<W> {
    Manhattan(Box<TilesManhattan>),
    LinearConflict(Box<LinearConflict>),
    KorfTaylor(Box<KorfTaylor>),
    Learned(Arc<LearnedDistances>),
    Tables(Box<Sums<W>>),
    ManyTables(Box<ManySums<W>>),
}

/// What a heuristic on a domain carries.
type Of<H, D> = <H as Heuristic<D>>::Carry;

/// What the heuristic at hand carries.
#[derive(Debug)]
pub(crate) enum Carry<D, W>
where
    D: Domain,
    LinearConflict: Heuristic<D>,
    KorfTaylor: Heuristic<D>,
    LearnedDistances: Heuristic<D>,
    Sums<W>: Heuristic<D>,
    ManySums<W>: Heuristic<D>,
{
    Manhattan(Cost),
    LinearConflict(Of<LinearConflict, D>),
    KorfTaylor(Of<KorfTaylor, D>),
    Learned(Of<LearnedDistances, D>),
    Tables(Of<Sums<W>, D>),
    ManyTables(Of<ManySums<W>, D>),
}

impl<D, W> Clone for Carry<D, W>
where
    D: Domain,
    LinearConflict: Heuristic<D>,
    KorfTaylor: Heuristic<D>,
    LearnedDistances: Heuristic<D>,
    Sums<W>: Heuristic<D>,
    ManySums<W>: Heuristic<D>,
{
    fn clone(&self) -> Self {
        match self {
            Self::Manhattan(carry) => Self::Manhattan(*carry),
            Self::LinearConflict(carry) => Self::LinearConflict(carry.clone()),
            Self::KorfTaylor(carry) => Self::KorfTaylor(carry.clone()),
            Self::Learned(carry) => Self::Learned(carry.clone()),
            Self::Tables(carry) => Self::Tables(carry.clone()),
            Self::ManyTables(carry) => Self::ManyTables(carry.clone()),
        }
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> Heuristic<Tiles<W, ROWS, COLS>>
    for Any<W>
{
    type Carry = Carry<Tiles<W, ROWS, COLS>, W>;
    const OUTLINED: bool = true;

    fn root(&self, domain: &Tiles<W, ROWS, COLS>, board: &Board<W>) -> Self::Carry {
        match self {
            Self::Manhattan(h) => Carry::Manhattan(h.root(domain, board)),
            Self::LinearConflict(h) => Carry::LinearConflict(h.root(domain, board)),
            Self::KorfTaylor(h) => Carry::KorfTaylor(h.root(domain, board)),
            Self::Learned(h) => Carry::Learned(h.root(domain, board)),
            Self::Tables(h) => Carry::Tables(h.root(domain, board)),
            Self::ManyTables(h) => Carry::ManyTables(h.root(domain, board)),
        }
    }
    fn child(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        from: &Board<W>,
        carry: &Self::Carry,
        op: Op,
        to: &Board<W>,
    ) -> Self::Carry {
        match (self, carry) {
            (Self::Manhattan(h), Carry::Manhattan(c)) => {
                Carry::Manhattan(h.child(domain, from, c, op, to))
            }
            (Self::LinearConflict(h), Carry::LinearConflict(c)) => {
                Carry::LinearConflict(h.child(domain, from, c, op, to))
            }
            (Self::KorfTaylor(h), Carry::KorfTaylor(c)) => {
                Carry::KorfTaylor(h.child(domain, from, c, op, to))
            }
            (Self::Learned(h), Carry::Learned(c)) => {
                Carry::Learned(h.child(domain, from, c, op, to))
            }
            (Self::ManyTables(h), Carry::ManyTables(c)) => {
                Carry::ManyTables(h.child(domain, from, c, op, to))
            }
            (Self::Tables(h), Carry::Tables(c)) => Carry::Tables(h.child(domain, from, c, op, to)),
            _ => self.root(domain, to),
        }
    }
    fn bound(
        &self,
        domain: &Tiles<W, ROWS, COLS>,
        board: &Board<W>,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<u32> {
        match (self, carry) {
            (Self::Manhattan(h), Carry::Manhattan(c)) => h.bound(domain, board, c, limit),
            (Self::LinearConflict(h), Carry::LinearConflict(c)) => h.bound(domain, board, c, limit),
            (Self::KorfTaylor(h), Carry::KorfTaylor(c)) => h.bound(domain, board, c, limit),
            (Self::Learned(h), Carry::Learned(c)) => h.bound(domain, board, c, limit),
            (Self::ManyTables(h), Carry::ManyTables(c)) => h.bound(domain, board, c, limit),
            (Self::Tables(h), Carry::Tables(c)) => h.bound(domain, board, c, limit),
            // A heuristic gets only what it made itself.
            _ => Verdict::bound(0),
        }
    }
}
