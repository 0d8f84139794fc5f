//! The slow twin searches units again: its counts are those of the parallel search.

use super::{Search, TEN_FLIPS, identity};
use crate::{Journal, Record, Share};
use search::{Frontier, KnownUnits, Op, UnitCounts, Units};
use std::sync::Mutex;

/// Compares everything that the twin finds with a record.
struct Compare<'a> {
    record: &'a Record,
    bound: Mutex<(u8, usize)>,
}

impl Units for Compare<'_> {
    fn open(&self, frontier: &Frontier<'_>) -> KnownUnits {
        let own = crate::BoundRecord::new(frontier);
        let known = self.record.bound(own.bound).expect("the same bounds");
        assert_eq!((own.above, own.digest), (known.above, known.digest));
        assert_eq!(own.units.len(), known.units.len());
        self.bound.lock().unwrap().0 = own.bound;
        let enough = known.plans.len() >= frontier.wanted;
        let plans = known.plans.iter().filter(|_| enough);
        let plans = plans.map(|(_, plan)| plan.iter().map(|&op| Op(op)).collect());
        KnownUnits { plans: plans.collect(), ..KnownUnits::default() }
    }
    fn claim(&self) -> usize {
        unreachable!("the twin claims nothing")
    }
    fn searched(&self, unit: usize, counts: UnitCounts) {
        let mut bound = self.bound.lock().unwrap();
        bound.1 += 1;
        assert_eq!(self.record.bound(bound.0).unwrap().units[unit], Some(counts));
    }
    fn found(&self, _: usize, _: &[Op]) {}
    fn is_recheck(&self) -> bool {
        true
    }
}

#[test]
fn the_twin_counts_as_the_search_does() {
    for search in [Search::USUAL, Search { start: TEN_FLIPS, ..Search::USUAL }] {
        let journal = Journal::in_memory(&identity(), Share::ALL);
        let report = search.run(Some(&journal), None);
        let record = journal.record();
        let compare = Compare { record: &record, bound: Mutex::default() };
        let again = search.run(Some(&compare), None);
        super::agree(&again, &report);
        let searched = compare.bound.into_inner().unwrap().1;
        assert!(searched > 4000, "{searched} units");
    }
}
