//! Macros from pairs of stored states that agree in their first features.

use super::learner::MacroLearner;
use super::order::SerialOrder;
use crate::Plan;
use crate::control::Stop;
use crate::domain::{Cost, Packed, Reversible};
use smallvec::SmallVec;

/// A stored state of a group: the value of the group's feature, the cost from the goal, and the
/// index.
type Row = (u32, Cost, u32);
type Rows = SmallVec<[Row; 8]>;

/// A group of at most this many states is sorted by comparisons.
const FEW: usize = 512;

impl<D: Reversible + Packed, S: SerialOrder<D>> MacroLearner<'_, D, S> {
    /// Makes the macros of all pairs of stored states that may be cheaper than known ones.
    ///
    /// Let states `s` and `t` agree in the features before `i`, and differ in feature `i`. The path
    /// of `t` back to the goal takes `s` to a state with these features at their goal values. The
    /// path back from there to `s`, and then to the goal, is a macro of feature `i`. The value
    /// depends on `s` only by its feature `i`, but on all of `t`. So each `t` goes with one `s` for
    /// each value: the cheapest.
    pub(super) fn make_pairs(&mut self) -> Result<(), Stop> {
        let mut all: Vec<u32> = (0..u32::MAX).take(self.states).collect();
        self.split(&mut all, 0)
    }

    /// Makes the pairs of states that agree in the features before `feature`.
    fn split(&mut self, group: &mut [u32], mut feature: usize) -> Result<(), Stop> {
        while group.len() > 1 && feature < self.order.features() {
            let rows = self.rows(group, feature)?;
            let lengths: SmallVec<[usize; 8]> = runs(&rows).map(<[Row]>::len).collect();
            for (to, row) in group.iter_mut().zip(&rows) {
                *to = row.2;
            }
            if lengths.len() > 1 {
                self.match_group(&rows, feature)?;
                drop(rows);
                let mut rest = group;
                for length in lengths {
                    let (run, others) = rest.split_at_mut(length);
                    self.split(run, feature + 1)?;
                    rest = others;
                }
                return Ok(());
            }
            feature += 1;
        }
        Ok(())
    }

    /// The states of a group in the order of their values, then costs, then indices.
    ///
    /// The order is made by counting the values, so that a large group can be cancelled at any
    /// time.
    fn rows(&mut self, group: &[u32], feature: usize) -> Result<Rows, Stop> {
        let mut state = self.goal.clone();
        let mut rows = Rows::with_capacity(group.len());
        for &index in group {
            self.spend(8)?;
            self.domain.unpack(*self.reached.key(index), &mut state);
            let value = self.order.value(self.domain, &state, feature);
            let value = u32::try_from(value).expect("a feature has at most 2^32 values");
            rows.push((value, self.reached.record(index).g, index));
        }
        if group.len() <= FEW {
            rows.sort_unstable();
            return Ok(rows);
        }
        let mut next = vec![0; self.order.values(feature) + 1];
        for row in &rows {
            next[row.0 as usize + 1] += 1;
        }
        for value in 1..next.len() {
            next[value] += next[value - 1];
        }
        let mut sorted: Rows = SmallVec::from_elem((0, 0, 0), rows.len());
        for row in rows {
            self.spend(1)?;
            let place: &mut usize = &mut next[row.0 as usize];
            sorted[*place] = row;
            *place += 1;
        }
        // With unit costs, states are stored in the order of their costs.
        for run in sorted.chunk_by_mut(|a, b| a.0 == b.0) {
            self.spend(run.len())?;
            if !run.is_sorted() {
                run.sort_unstable();
            }
        }
        Ok(sorted)
    }

    /// Makes the pairs of a group whose rows are sorted.
    fn match_group(&mut self, rows: &[Row], feature: usize) -> Result<(), Stop> {
        let mut cheapest: SmallVec<[Row; 8]> = runs(rows).map(|run| run[0]).collect();
        sort_by_cost(&mut cheapest);
        for run in runs(rows) {
            let others = cheapest.iter().copied().filter(|other| other.0 != run[0].0);
            let others: SmallVec<[Row; 8]> = others.collect();
            for &(_, back, t) in run {
                let mut cheap = false;
                for &(_, g, s) in &others {
                    let cost = u32::from(g) + u32::from(back);
                    if cost >= self.worst(feature..feature + 1) {
                        break;
                    }
                    cheap = true;
                    self.try_pair(s, t, feature, cost)?;
                }
                if !cheap {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Takes the way back from the stored state `s` by the path of `t` as a macro, if it is cheaper
    /// than the known one. It costs `cost`.
    fn try_pair(&mut self, s: u32, t: u32, feature: usize, cost: u32) -> Result<(), Stop> {
        let (mut state, mut spare) = (self.goal.clone(), self.goal.clone());
        self.domain.unpack(*self.reached.key(s), &mut state);
        let back: Plan = self.reached.steps_back(t).map(|op| self.inverse[op.index()]).collect();
        self.count(back.len())?;
        if !self.apply(&mut state, &mut spare, back.iter().copied()) {
            return Ok(());
        }
        let value = self.order.value(self.domain, &state, feature);
        if self.table.get(feature, value).is_none_or(|known| cost < known.cost) {
            let mut word: Plan = self.reached.steps_back(s).collect();
            word.reverse();
            word.extend(back);
            let plan: Plan = self.undone(&word).collect();
            self.enter(&state, plan);
        }
        Ok(())
    }
}

/// Sorts rows by their costs, then indices.
fn sort_by_cost(rows: &mut [Row]) {
    rows.sort_unstable_by_key(|&(_, g, index)| (g, index));
}

/// The runs of equal values of sorted rows.
fn runs(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunk_by(|a, b| a.0 == b.0)
}
