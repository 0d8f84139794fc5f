//! [`Any`]: all heuristics in one type, so that one compiled search serves them all. There is one
//! such search for each type of word that holds a board.

use distances::LearnedDistances;
use pdb::{EntryTable, Lookups, Source};
use search::{Claims, Cost, Evaluation, Heuristic, Op, Step, Verdict};
use std::sync::Arc;
use tiles::{
    AnyTiles, Board, BoardWord, DirectSums, KorfTaylor, LinearConflict, RankedSums, TilesManhattan,
};

/// What a search carries for a node on behalf of a heuristic, if boards are words of type `W`.
type CarryOf<H, W> = <H as Heuristic<AnyTiles<W>>>::Carry;

/// Declares [`Any`] with a variant for each heuristic. Each method calls that of the heuristic in
/// the variant.
macro_rules! any_of {
    ($($kind:ident($heuristic:ty),)*) => {
        /// One of the heuristics of sliding tiles.
        #[derive(Debug)]
        pub(crate) enum Any {
            $($kind($heuristic),)*
        }

        /// What a search carries for a node: the variant has the name of the heuristic.
        #[derive(Clone, Debug)]
        pub(crate) enum Carry<W: BoardWord> {
            $($kind(CarryOf<$heuristic, W>),)*
        }

        impl<W: BoardWord> Heuristic<AnyTiles<W>> for Any {
            type Carry = Carry<W>;
            const CLAIMS: Claims = Claims::ADMISSIBLE;
            const EVALUATION: Evaluation = Evaluation::OUT_OF_LINE;

            fn root(&self, domain: &AnyTiles<W>, board: &Board<W>) -> Carry<W> {
                match self {
                    $(Self::$kind(h) => Carry::$kind(h.root(domain, board)),)*
                }
            }
            fn child(
                &self,
                domain: &AnyTiles<W>,
                from: &Board<W>,
                carry: &Carry<W>,
                op: Op,
                to: &Board<W>,
            ) -> Carry<W> {
                match (self, carry) {
                    $((Self::$kind(h), Carry::$kind(c)) => {
                        Carry::$kind(h.child(domain, from, c, op, to))
                    })*
                    _ => self.root(domain, to),
                }
            }
            fn bound(
                &self,
                domain: &AnyTiles<W>,
                board: &Board<W>,
                carry: &mut Carry<W>,
                limit: Cost,
            ) -> Verdict<u32> {
                match (self, carry) {
                    $((Self::$kind(h), Carry::$kind(c)) => h.bound(domain, board, c, limit),)*
                    // Never reached: a search passes a heuristic only the carries that it made
                    // itself.
                    _ => Verdict::bound(0),
                }
            }
            fn within(
                &self,
                step: &mut Step<'_, AnyTiles<W>>,
                carry: &Carry<W>,
                child: &mut Carry<W>,
                limit: Cost,
            ) -> Result<Verdict<u32>, Cost> {
                match (self, carry, child) {
                    $((Self::$kind(h), Carry::$kind(c), Carry::$kind(child)) => {
                        h.within(step, c, child, limit)
                    })*
                    (_, _, child) => {
                        *child = self.root(step.domain(), step.child());
                        Ok(Verdict::bound(0))
                    }
                }
            }
        }
    };
}

any_of! {
    Manhattan(Box<TilesManhattan>),
    LinearConflict(Box<LinearConflict>),
    KorfTaylor(Box<KorfTaylor>),
    Learned(Arc<LearnedDistances>),
    // The numbers are upper limits of sums and of tables. Each child copies space for all of them,
    // so small limits are faster.
    FewDirect(Box<DirectSums<1, 16>>),
    MoreDirect(Box<DirectSums<1, 32>>),
    ManyDirect(Box<DirectSums<2, 64>>),
    FewRanked(Box<RankedSums<1, 16>>),
    ManyRanked(Box<RankedSums<2, 64>>),
}

/// The heuristics whose entries may be read elsewhere. The others are computed.
macro_rules! with_tables {
    ($($kind:ident)*) => {
        impl<W: BoardWord> Lookups<AnyTiles<W>> for Any {
            fn tables(&self) -> Vec<EntryTable> {
                match self {
                    $(Self::$kind(h) => Lookups::<AnyTiles<W>>::tables(&**h),)*
                    _ => Vec::new(),
                }
            }
            fn table_count(&self) -> usize {
                match self {
                    $(Self::$kind(h) => Lookups::<AnyTiles<W>>::table_count(&**h),)*
                    _ => 0,
                }
            }
            fn root_from(&self, domain: &AnyTiles<W>, board: &Board<W>) -> Carry<W> {
                match self {
                    $(Self::$kind(h) => Carry::$kind(h.root_from(domain, board)),)*
                    _ => self.root(domain, board),
                }
            }
            fn child_from(
                &self,
                domain: &AnyTiles<W>,
                from: &Board<W>,
                carry: &Carry<W>,
                op: Op,
                to: &Board<W>,
            ) -> Carry<W> {
                match (self, carry) {
                    $((Self::$kind(h), Carry::$kind(c)) => {
                        Carry::$kind(h.child_from(domain, from, c, op, to))
                    })*
                    _ => self.child(domain, from, carry, op, to),
                }
            }
            fn bound_from(
                &self,
                domain: &AnyTiles<W>,
                board: &Board<W>,
                carry: &mut Carry<W>,
                limit: Cost,
                source: &mut dyn Source,
            ) -> Option<Verdict<u32>> {
                match (self, carry) {
                    $((Self::$kind(h), Carry::$kind(c)) => {
                        Lookups::bound_from(&**h, domain, board, c, limit, source)
                    })*
                    (computed, carry) => Some(computed.bound(domain, board, carry, limit)),
                }
            }
        }
    };
}

with_tables! { FewDirect MoreDirect ManyDirect FewRanked ManyRanked }
