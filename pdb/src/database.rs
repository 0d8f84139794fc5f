//! Pattern databases as heuristics: [`PatternDatabase`].

use crate::abstraction::Indexer;
use crate::table::PackedTable;
use search::{Charged, Claims, Cost, Domain, Evaluation, Heuristic, Op, Verdict};

/// The heuristic of an indexer and its table: the bound of a state is the value of its entry.
///
/// Admissible: yes. The table holds exact distances of an abstraction, and they never exceed those
/// of the domain. Consistent: yes. An operator from `s` to `t` is an edge from `t`'s entry to `s`'s
/// entry that costs no more. An entry that reaches no goal proves a dead end: its bound is
/// [`Cost::MAX`].
///
/// Each state costs one lookup, in the cache line that [`Heuristic::child`] has prefetched.
#[derive(Clone, Debug)]
pub struct PatternDatabase<I> {
    indexer: I,
    table: PackedTable,
}

impl<I> PatternDatabase<I> {
    /// Combines an indexer with the table built for its abstraction.
    pub fn new(indexer: I, table: PackedTable) -> Self {
        Self { indexer, table }
    }

    /// The indexer.
    pub fn indexer(&self) -> &I {
        &self.indexer
    }

    /// The table.
    pub fn table(&self) -> &PackedTable {
        &self.table
    }
}

impl<D: Domain, I: Indexer<D>> Heuristic<D> for PatternDatabase<I> {
    type Carry = I::Index;
    const CLAIMS: Claims = Claims::DEAD_ENDS.and_consistent();
    const EVALUATION: Evaluation = Evaluation::STAGED;
    #[inline(always)]
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        self.indexer.index(domain, state)
    }
    #[inline(always)]
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        let index = self.indexer.advance(domain, from, *carry, op, to);
        self.table.prefetch(self.indexer.entry(index));
        index
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(self.table.get(self.indexer.entry(*carry)))
    }
}

/// The charged features are those of the indexer's pattern.
impl<I: Charged> Charged for PatternDatabase<I> {
    fn features(&self) -> &[u64] {
        self.indexer.features()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::{Abstraction, ColumnMap, Edge};
    use crate::builder::{BuildOptions, build};
    use crate::memory::BytesMut;
    use crate::rank::Arrangements;
    use crate::testing::{DiscPattern, Ring, check_abstraction};
    use search::testing::{GapHeuristic, Pancake};
    use search::{Max, NoPruning, Options, Outcome, Zero, ida_star};

    /// A test abstraction with one column: the places of the first few pancakes of a stack.
    #[derive(Clone, Copy, Debug)]
    struct Places {
        size: u32,
        kept: u32,
    }

    impl Places {
        fn rank(self) -> Arrangements {
            Arrangements::new(self.size, self.kept)
        }
    }

    impl Abstraction for Places {
        fn shape(&self) -> (u64, usize) {
            (self.rank().size(), 1)
        }
        fn goals(&self, out: &mut Vec<u64>) {
            out.push(0);
        }
        fn edges(&self, row: u64, out: &mut Vec<Edge>) {
            let from = self.rank().unrank(row);
            for count in 2..=u64::from(self.size) {
                let to = (0..self.kept).fold(0, |to, i| {
                    let place = from >> (4 * i) & 15;
                    to | (if place < count { count - 1 - place } else { place }) << (4 * i)
                });
                out.push(Edge { row: self.rank().rank(to), map: 0, cost: 1 });
            }
        }
        fn column_map(&self, _: u32) -> ColumnMap<'_> {
            ColumnMap::IDENTITY
        }
        fn undirected(&self) -> bool {
            true
        }
    }

    impl Indexer<Pancake> for Places {
        type Index = u64;
        fn index(&self, domain: &Pancake, state: &u64) -> u64 {
            let mut places = 0;
            for place in 0..domain.size() {
                let pancake = Pancake::pancake(*state, place);
                if pancake < self.kept as usize {
                    places |= (place as u64) << (4 * pancake);
                }
            }
            self.rank().rank(places)
        }
        fn entry(&self, at: u64) -> u64 {
            at
        }
    }

    #[test]
    fn searches_with_a_database_find_the_same_costs_with_fewer_nodes() {
        let domain = Pancake::new(9);
        let places = Places { size: 9, kept: 5 };
        let table = build::<4>(&places, &BuildOptions::default()).expect("built");
        let read = |entry| table.get(entry);
        check_abstraction(&domain, &places, &places, &read, &[0x8_7654_3210], 5000)
            .expect("lawful");
        let database = PatternDatabase::new(places, table.clone());
        for pancakes in [[3, 1, 4, 0, 5, 8, 2, 6, 7], [8, 0, 7, 1, 6, 2, 5, 3, 4]] {
            let start = domain.state(&pancakes);
            let options = Options::default();
            let blind = ida_star(&domain, &Zero, &NoPruning, &start, &options);
            let eager = ida_star(&domain, &database, &NoPruning, &start, &options);
            let both = Max(GapHeuristic, &database);
            let both = ida_star(&domain, &both, &NoPruning, &start, &options);
            assert_eq!(eager.lower_bound, blind.lower_bound);
            assert_eq!(both.lower_bound, blind.lower_bound);
            assert!(10 * eager.generated() < blind.generated());
        }
    }

    #[test]
    fn patterns_of_the_ring_are_lawful() {
        for (ring, discs) in [(Ring::new(8, 3, 5), 3), (Ring::new(12, 2, 6), 2)] {
            let pattern = DiscPattern::new(ring, discs);
            let table = build::<4>(&pattern, &BuildOptions::default()).expect("built");
            let database = PatternDatabase::new(pattern, table);
            let read = |entry| database.table.get(entry);
            let pattern = database.indexer();
            check_abstraction(&ring, pattern, pattern, &read, &[ring.sorted()], 30_000)
                .expect("lawful");
        }
    }

    #[test]
    fn an_unreached_entry_is_a_dead_end() {
        let mut bytes = BytesMut::zeroed(15_120 / 2).expect("memory");
        bytes.as_mut_slice().fill(0xff);
        let table = PackedTable::new(bytes.freeze(), 4, 15_120).expect("fits");
        let database = PatternDatabase::new(Places { size: 9, kept: 5 }, table);
        let (domain, start) = (Pancake::new(9), 0x8_7654_3201);
        assert_eq!(database.estimate(&domain, &start), Cost::MAX);
        let report = ida_star(&domain, &database, &NoPruning, &start, &Options::default());
        assert_eq!(report.outcome, Outcome::Unsolvable);
    }
}
