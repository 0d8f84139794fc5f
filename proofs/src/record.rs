//! What a journal holds, in memory: [`Record`].

use crate::Identity;
use crate::error::JournalErrorKind;
use crate::hex::hex;
use search::{Cost, Frontier, PlanRound, UnitCounts};
use std::collections::BTreeSet;

/// A plan that a unit has: the number of the unit, and the numbers of the operators.
pub type UnitPlan = (usize, Vec<u16>);

/// The results of a run so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// What the results depend on.
    pub identity: Identity,
    /// What a later run needs beside the identity, such as the memory for tables.
    pub command: Identity,
    /// The bounds in ascending order. All but the last are complete.
    pub bounds: Vec<BoundRecord>,
    /// Seconds of search at some moments of the run, with the number of nodes in units and rounds
    /// by then.
    pub times: Vec<(f64, u64)>,
    /// The rounds of the search for plans that are not proven, in their order.
    pub rounds: Vec<PlanRound>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// With a plan of this cost.
    Plan(Cost),
    /// There is no plan.
    NoPlan,
}

/// The results of one bound so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundRecord {
    /// The bound.
    pub bound: Cost,
    /// What the search above the units counted.
    pub above: UnitCounts,
    /// The first 16 bytes of the BLAKE3 hash of what the units are.
    pub digest: [u8; 16],
    /// The counts of each unit; `None` if it is not searched completely.
    pub units: Vec<Option<UnitCounts>>,
    /// Plans found in units.
    pub plans: BTreeSet<UnitPlan>,
}

impl BoundRecord {
    /// A bound of which no unit is searched.
    pub fn new(frontier: &Frontier<'_>) -> Self {
        let Frontier { bound, paths, above, .. } = *frontier;
        let mut hasher = blake3::Hasher::new();
        let mut add = |number: u64| _ = hasher.update(&number.to_le_bytes());
        let over = above.over.map_or(u64::MAX, u64::from);
        [bound.into(), above.generated, above.expanded, over].into_iter().for_each(&mut add);
        for path in paths {
            add(path.len() as u64);
            path.iter().for_each(|op| add(op.0.into()));
        }
        let mut digest = [0; 16];
        digest.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        let (units, plans) = (vec![None; paths.len()], BTreeSet::new());
        Self { bound, above, digest, units, plans }
    }

    /// The number of units that are searched completely.
    pub fn done(&self) -> usize {
        self.units.iter().flatten().count()
    }

    /// Whether every unit is searched completely.
    pub fn is_complete(&self) -> bool {
        self.units.iter().all(Option::is_some)
    }

    /// The generated and expanded nodes of the units that are searched completely, and of the
    /// search above them.
    pub fn counts(&self) -> (u64, u64) {
        let all = self.units.iter().flatten().chain([&self.above]);
        all.fold((0, 0), |(generated, expanded), unit| {
            (generated + unit.generated, expanded + unit.expanded)
        })
    }

    /// The least excess over the bound of all nodes that were cut. `None` if nothing was cut.
    pub(crate) fn least_cut(&self) -> Option<u16> {
        self.units.iter().flatten().chain([&self.above]).filter_map(|counts| counts.over).min()
    }

    /// Checks that `other` has the same bound, divided into the same units. It compares the bounds,
    /// the counts of the search above the units, the digests and the numbers of units. It does not
    /// compare the results of the units.
    ///
    /// # Errors
    /// [`JournalErrorKind::OtherUnits`] if anything compared differs.
    pub(crate) fn is_same(&self, other: &Self) -> Result<(), JournalErrorKind> {
        let told = |one: &Self| format!("{} units, {}", one.units.len(), hex(&one.digest));
        let same = self.bound == other.bound
            && self.above == other.above
            && self.digest == other.digest
            && self.units.len() == other.units.len();
        match same {
            true => Ok(()),
            false => Err(JournalErrorKind::OtherUnits {
                bound: self.bound,
                expected: told(self),
                found: told(other),
            }),
        }
    }

    /// Adds the result of a unit.
    ///
    /// # Errors
    /// If there is no such unit, or it has another result already.
    pub(crate) fn add(&mut self, unit: usize, counts: UnitCounts) -> Result<(), JournalErrorKind> {
        let bound = self.bound;
        let told = |counts: UnitCounts| counts.to_string();
        let contradiction =
            |first, second| JournalErrorKind::Contradiction { bound, unit, first, second };
        let Some(known) = self.units.get_mut(unit) else {
            let first = format!("no such unit, as there are {}", self.units.len());
            return Err(contradiction(first, told(counts)));
        };
        match *known {
            Some(old) if old != counts => Err(contradiction(told(old), told(counts))),
            _ => {
                *known = Some(counts);
                Ok(())
            }
        }
    }
}

impl Record {
    /// The record of a bound, if there is one.
    pub fn bound(&self, bound: Cost) -> Option<&BoundRecord> {
        self.bounds.iter().find(|one| one.bound == bound)
    }

    pub(crate) fn bound_mut(&mut self, bound: Cost) -> Option<&mut BoundRecord> {
        self.bounds.iter_mut().find(|one| one.bound == bound)
    }

    /// The lower bound that the record proves: no plan is cheaper. 0 if it proves none.
    ///
    /// It is the last bound, which was opened only when the one before was complete. If a run for
    /// one plan completed the last bound without a plan, it is that bound plus the least cut. A run
    /// that passes over plans ([`Record::is_whole`]) proves none.
    pub fn lower_bound(&self) -> Cost {
        let Some(last) = self.bounds.last().filter(|_| self.is_whole()) else { return 0 };
        let over = last.least_cut().filter(|_| self.excludes(last)).map_or(0, |over| over.max(1));
        Cost::try_from(u16::from(last.bound).saturating_add(over)).unwrap_or(Cost::MAX)
    }

    /// Whether the record shows that each plan costs more than a bound: all units are complete, and
    /// there is no plan. The facts must say that the run is for one plan. A run for several may
    /// have plans above the units, which are not kept.
    fn excludes(&self, one: &BoundRecord) -> bool {
        let for_one = self.is_whole() && self.identity.get("plans") == Some("1");
        for_one && one.is_complete() && one.plans.is_empty()
    }

    /// How the run ended. `None` if it did not, or the record does not show it: a run that is not
    /// whole ([`Record::is_whole`]), or one for several plans that ended within a bound.
    ///
    /// Plans are taken as they are recorded, and not replayed.
    pub fn end(&self) -> Option<RunEnd> {
        let last = self.bounds.last().filter(|_| self.is_whole())?;
        let enough = last.is_complete() || self.wanted() == 1;
        match last.plans.is_empty() {
            false => enough.then_some(RunEnd::Plan(last.bound)),
            true => (self.excludes(last) && last.least_cut().is_none()).then_some(RunEnd::NoPlan),
        }
    }

    /// Whether the run ends at the first bound with a plan. Not if its facts `slack` or
    /// `min-length` are other than 0: then it passes over cheaper plans, or goes on to dearer ones.
    pub fn is_whole(&self) -> bool {
        ["slack", "min-length"]
            .iter()
            .all(|fact| self.identity.get(fact).is_none_or(|it| it == "0"))
    }

    /// How many plans the run looks for: `usize::MAX` for all. 1 if the identity does not say.
    pub fn wanted(&self) -> usize {
        self.identity.get("plans").and_then(|plans| plans.parse().ok()).unwrap_or(1)
    }

    /// The generated nodes of all bounds: those above the units, and those of units that are
    /// searched completely. And those of all rounds.
    pub fn generated(&self) -> u64 {
        let bounds: u64 = self.bounds.iter().map(|bound| bound.counts().0).sum();
        let rounds = self.rounds.iter().map(|round| round.nodes);
        rounds.fold(bounds, u64::saturating_add)
    }

    /// The cost of the cheapest plan of a round, as it is recorded. `None` without one.
    pub fn planned(&self) -> Option<u32> {
        self.rounds.iter().filter_map(|round| round.cost).min()
    }

    /// Adds facts that were not known at first. Returns the new ones.
    ///
    /// # Errors
    /// If a fact is known with another value.
    pub(crate) fn settle(&mut self, facts: &Identity) -> Result<Identity, JournalErrorKind> {
        let mut new = Identity::new();
        for (fact, value) in facts.facts() {
            match self.identity.get(fact) {
                Some(known) if known == value => {}
                Some(known) => {
                    let (fact, found) = (fact.to_owned(), known.to_owned());
                    let expected = value.to_owned();
                    return Err(JournalErrorKind::OtherRun { fact, found, expected });
                }
                None => new.set(fact, value),
            }
        }
        new.facts().for_each(|(fact, value)| self.identity.set(fact, value));
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two results of one unit are told in words.
    #[test]
    fn a_unit_has_one_result() {
        let counts = |generated, over| UnitCounts { generated, expanded: 2, over };
        let (above, plans) = (counts(1, None), BTreeSet::new());
        let mut one = BoundRecord { bound: 7, above, digest: [0; 16], units: vec![None], plans };
        assert!(one.add(0, counts(5, Some(1))).is_ok() && one.add(0, counts(5, Some(1))).is_ok());
        let told = one.add(0, counts(6, None)).expect_err("another result").to_string();
        assert_eq!(
            told,
            "unit 0 of bound 7 has two different results: (5 generated and 2 expanded nodes, \
             the least cut 1 above the bound) and (6 generated and 2 expanded nodes, none cut)"
        );
        let told = one.add(1, counts(6, None)).expect_err("no such unit").to_string();
        assert!(told.contains("no such unit, as there are 1"), "{told}");
    }
}
