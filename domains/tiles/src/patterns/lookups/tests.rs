//! Sums whose entries are read elsewhere have the counts of those in memory.

use super::*;
use crate::{Placements, Puzzle8, TableLayout, TilePattern};
use pdb::testing::NearReader;
use pdb::{BuildOptions, EntryReader, Remote, TableMembers};
use search::random::Random;
use search::{Heuristic, InversePruning, Limits, MaxOfSums, Options, ida_star_parallel};

/// Two partitions of the 8-puzzle, which share no pattern.
fn tables(layout: TableLayout) -> Vec<Arc<PatternTable>> {
    let patterns = [vec![1, 2, 3], vec![4, 5, 6, 7, 8], vec![1, 4, 7, 8], vec![2, 3, 5, 6]];
    let table = |goals| {
        let pattern = TilePattern { rows: 3, columns: 3, goals, blank: 0 };
        let placements = Placements::new(pattern.clone()).unwrap();
        let bytes = PatternTable::build(&placements, layout, &BuildOptions::default()).unwrap();
        Arc::new(PatternTable::new(pattern, layout, bytes).unwrap())
    };
    patterns.into_iter().map(table).collect()
}

/// Leaves all values as they are, as in a search that was cancelled.
struct Nobody;

impl EntryReader for Nobody {
    fn open(&self, _: Vec<EntryTable>) {}
    fn read(&self, _: &[TableEntry], _: &mut [Cost]) {}
}

fn check<M: TableMembers<Puzzle8>>(near: M, reflected: bool) {
    let domain = Puzzle8::new();
    let mut sums = vec![vec![0, 1], vec![2, 3]];
    if reflected {
        sums.extend([vec![4, 5], vec![6, 7]]);
    }
    let near = MaxOfSums::<M, M::Lookup, 1, 16>::new(&domain, near, &sums).unwrap();
    let reader = NearReader::default();
    Remote::open(&domain, &near, &reader);
    let (unread, far) = (Remote::new(&near, &Nobody), Remote::new(&near, &reader));
    let (mut random, mut nodes) = (Random::new(5), 0);
    for _ in 0..40 {
        let board = domain.random(&mut random);
        let bound = near.estimate(&domain, &board);
        assert_eq!(bound, far.estimate(&domain, &board));
        // What nobody reads proves nothing.
        assert!(unread.estimate(&domain, &board) <= bound);
        let limits = Limits { bound: Some(28), ..Limits::default() };
        let options = Options { limits, plans: usize::MAX, ..Options::default() };
        let here = ida_star_parallel(&domain, &near, &InversePruning, &board, &options);
        reader.counts();
        let there = ida_star_parallel(&domain, &far, &InversePruning, &board, &options);
        assert_eq!(here.iterations, there.iterations);
        assert_eq!(here.outcome, there.outcome);
        nodes += here.generated();
        // A child needs the tables of the tile that moved: at most one of each sum.
        let [calls, entries, _] = reader.counts();
        assert!(entries <= sums.len() as u64 * (here.generated() + 8 * 20), "{entries}");
        assert!(calls < entries / 4 || entries < 1000, "{calls} calls for {entries}");
    }
    assert!(nodes > 5000, "{nodes}");
}

#[test]
fn searches_by_a_reader_have_the_counts_of_those_in_memory() {
    let domain = Puzzle8::new();
    for layout in [TableLayout::Direct, TableLayout::Ranked, TableLayout::Packed] {
        let tables = tables(layout);
        for blank in [BlankRegion::Known, BlankRegion::Forgotten] {
            for reflected in [false, true] {
                if layout == TableLayout::Direct {
                    let near = DirectTables::<16>::new(&domain, &tables, reflected, blank);
                    check(near.unwrap(), reflected);
                } else {
                    let near = RankedTables::new(&domain, &tables, reflected, blank);
                    check(near.unwrap(), reflected);
                }
            }
        }
    }
}
