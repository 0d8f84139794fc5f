//! [`Any`]: all heuristics in one type, so that one compiled search serves them all. There is one
//! such search for each type of word that holds a board.

use distances::LearnedDistances;
use search::{Claims, Cost, Evaluation, Heuristic, MaxOfSums, Op, Step, Verdict};
use std::sync::Arc;
use tiles::{
    AnyTiles, Board, BoardWord, DirectTables, KorfTaylor, LinearConflict, RankedTables,
    TilesManhattan,
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
    FewDirect(Box<MaxOfSums<DirectTables<16>, 1, 16>>),
    MoreDirect(Box<MaxOfSums<DirectTables<32>, 1, 32>>),
    ManyDirect(Box<MaxOfSums<DirectTables<64>, 2, 64>>),
    FewRanked(Box<MaxOfSums<RankedTables, 1, 16>>),
    ManyRanked(Box<MaxOfSums<RankedTables, 2, 64>>),
}
