//! The heuristic that reads one coset table from several sides: in conjugates of its subgroup, for
//! the position and for its inverse.
//!
//! Let w = w1 .. wn be a plan of the position p, and q its inverse. Views v = 1 .. k are conjugates
//! H_v of one subgroup (the three axes of the cube). The position side of a view is d_v(p), the
//! least number of operators that take p into H_v. The inverse side is d_v(q). The table holds
//! lower bounds of these, and all rules hold for lower bounds.
//!
//! * **Bound.** w takes p into every H_v, and its inverse takes q there. So every d_v(p) and d_v(q)
//!   is at most n.
//! * **Inheritance.** A front operator m turns q into m^-1 q. If m is in H, then H m^-1 q = H q, so
//!   the inverse side keeps its value and is not read again. Likewise a back operator in H keeps
//!   the position side.
//! * **Exclusion.** If d_v(q) = n, no plan of length n begins with an operator in H_v. Otherwise
//!   the other n - 1 operators would take q into H_v. So an inverse side at the limit excludes the
//!   *front* operators inside H_v. A position side at the limit excludes the *back* ones. If the
//!   value read is less than the distance, there is no plan within the limit, so excluding is right
//!   too.
//! * **All views equal.** Let d_v(p) = x >= 1 for all v, and every operator be in some H_v. Then
//!   every plan has at least x + 1 operators. In a plan of length x, the last operator would be in
//!   some H_v. So the x - 1 operators before it would already take p into H_v, against d_v(p) = x.
//!   If some distance is above x, the claim holds anyway.
//! * **Pairs.** Let m^-1 n be in H_v for front operators m and n (R and R' on the cube). Then both
//!   operators lead to one inverse side in view v. One of the two children then reads the side for
//!   both. The same holds for back operators and the position side.
//! * **Order.** The sides that pairs share are read first, for both children at once. A child
//!   without a pair reads one side first. It prefers a side that was at the limit in the parent,
//!   then one that was one below. Such a side is likely to cut, because values change slowly. If
//!   this does not cut, all other sides are prefetched for many states, and then read without a
//!   branch between them. Where sides are read one by one, the side with the greatest value in the
//!   parent comes first.
//!
//! The rules hold for a group in any metric: every operator is a generator and costs 1.
//!
//! Views, inverse, exclusion, the rule of equal views, and going on from the side with fewer
//! operators ([`TwoSided`]) are Tomas Rokicki's (nxopt, in cube20src). Here they hold for any group
//! and any conjugates of a subgroup.

use super::sides::Cosets;
use crate::NotUnitCost;
use crate::remote::{EntryTable, Lookups, Source, TableEntry};
use crate::table::{StripePlace, StripeTable};
pub(super) use carry::Carry;
use carry::SIDES;
use moves::{Move, Moves};
use pairs::Before;
use search::{
    Batch, Carries, Claims, Cost, Evaluation, Group, Heuristic, LookupBatch, Op, OpSet, TwoSided,
    TwoSidedState, Verdict,
};
use std::hint::select_unpredictable;

/// The heuristic of a coset table and its views.
///
/// Admissible: yes (see the module). Consistent: no, for two reasons. The minimum of a stripe may
/// rise by more than one from one stripe to the next. The rule of equal views adds one at once. All
/// operators must cost 1.
pub struct Views<D: Group, C> {
    cosets: C,
    table: StripeTable,
    /// Indexed by the set of sides at the limit, one bit each: the operators that are excluded.
    excluded: Box<[<D::Ops as OpSet>::Double; 256]>,
    moves: Moves,
    /// Whether every operator is in some view's subgroup.
    covered: bool,
    /// Number of views.
    count: usize,
}

impl<D: Group, C> std::fmt::Debug for Views<D, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Views").field("table", &self.table).finish_non_exhaustive()
    }
}

impl<D: Group, C: Cosets<D>> Views<D, C> {
    /// The heuristic that reads a table in the views of `cosets`.
    ///
    /// # Errors
    /// If an operator does not cost 1.
    ///
    /// # Panics
    /// If there are no views or more than four.
    pub fn new(domain: &D, cosets: C, table: StripeTable) -> Result<Self, NotUnitCost> {
        let count = cosets.views();
        assert!((1..=SIDES / 2).contains(&count), "{count} views, not 1 to {}", SIDES / 2);
        assert!(
            count == C::VIEWS || !C::FIXED && count < C::VIEWS,
            "{count} of {} views",
            C::VIEWS
        );
        let n = domain.operators();
        let all = D::Ops::first(n);
        NotUnitCost::check(domain)?;
        let inside: Vec<D::Ops> = (0..count).map(|view| inside(domain, &cosets, view)).collect();
        let mut excluded = Box::new([<D::Ops as OpSet>::Double::NONE; 256]);
        for (set, excluded) in excluded.iter_mut().enumerate() {
            for (view, &inside) in inside.iter().enumerate() {
                // An inverse side excludes front operators, a position side those of the back.
                let of = |side: usize| if set >> side & 1 == 1 { inside } else { D::Ops::NONE };
                *excluded = (*excluded).or(OpSet::double(of(2 * view + 1), of(2 * view), n));
            }
        }
        let covered =
            inside.iter().fold(D::Ops::NONE, |covered, &inside| covered.or(inside)) == all;
        let moves = Moves::new(domain, &cosets, &inside);
        Ok(Self { cosets, table, excluded, moves, covered, count })
    }

    /// The operators in the subgroup of a view.
    pub fn inside(&self, domain: &D, view: usize) -> D::Ops {
        inside(domain, &self.cosets, view)
    }

    /// The table.
    pub fn table(&self) -> &StripeTable {
        &self.table
    }

    /// How states find their entries in the table.
    pub fn cosets(&self) -> &C {
        &self.cosets
    }
}

/// The operators in the subgroup of a view.
fn inside<D: Group, C: Cosets<D>>(domain: &D, cosets: &C, view: usize) -> D::Ops {
    let (identity, mut generator) = (domain.identity(), domain.identity());
    let inside = |op: &Op| {
        domain.apply_into(&identity, *op, &mut generator);
        cosets.locate(view, &generator) == cosets.locate(view, &identity)
    };
    D::Ops::first(domain.operators()).members().filter(inside).fold(D::Ops::NONE, OpSet::with)
}

impl<D: Group, C: Cosets<D>> Views<D, C> {
    /// Number of views.
    #[inline(always)]
    fn count(&self) -> usize {
        if C::FIXED { C::VIEWS } else { self.count.min(SIDES / 2) }
    }

    /// The flags of all sides of the existing views.
    #[inline(always)]
    fn all(&self) -> u64 {
        carry::FLAGS & (!0 >> (64 - 16 * self.count()))
    }

    /// The place of a side of a state.
    #[inline(always)]
    fn place(&self, state: &TwoSidedState<D::State>, side: usize) -> StripePlace {
        let (row, column) = self.cosets.locate(side / 2, state.end(side % 2 == 1));
        self.table.locate(row, column)
    }

    /// Computes the places of the sides in `lookups`, and prefetches their values.
    #[inline(always)]
    fn locate(&self, states: &[TwoSidedState<D::State>], lookups: &mut LookupBatch) {
        let (asked, places) = lookups.all();
        let lines = self.table.lines();
        let place = |row, column| lines.locate(row, column).bit();
        let ask = |place| lines.prefetch(StripePlace::new(place));
        self.cosets.locate_all(states, asked, places, place, ask);
    }

    /// The bound of a state whose sides are all known. Does not apply the rule of equal views if
    /// the values alone exceed the limit.
    #[inline(always)]
    fn most(&self, carry: &Carry, limit: Cost) -> Cost {
        let (most, equal) = carry.most(self.all());
        if self.covered & (most <= limit) { most.max(equal) } else { most }
    }

    /// Makes the carries of the children that are left, and lists the sides that are read first. Of
    /// a pair of children, only the first one reads the sides that both share.
    #[inline(always)]
    fn make(&self, batch: &mut Batch<'_, impl Carries<Carry = Carry>>) {
        let Batch { left, parents, ops, lookups, carries, .. } = batch;
        lookups.clear();
        lookups.reserve(SIDES * left.len());
        let (mut before, all) = (Before::none(), self.all());
        lookups.add_each(left.iter().map(|&number| {
            let child = usize::from(number);
            let Move { kept, shared, other } = *self.moves.of(ops[child]);
            let distance = before.partner(number, parents[child], ops[child], other);
            let carry = carries.parent(child).1.child(kept, shared);
            *carries.child(child) = carry;
            carries.child(child - usize::from(distance)).note_after(distance);
            // The CPU cannot predict which child of a pair comes first.
            (number, carry::bits(select_unpredictable(distance > 0, 0, carry.first(all))))
        }));
    }

    /// Reads the unknown sides one after another, until one is above the limit. `None` if `read`
    /// has no value.
    #[inline(always)]
    fn one_by_one(
        &self,
        carry: &mut Carry,
        limit: Cost,
        mut read: impl FnMut(usize) -> Option<Cost>,
    ) -> Option<Verdict<<D::Ops as OpSet>::Double>> {
        let all = self.all();
        while let (side, true) = carry.greatest(all) {
            carry.know(side, read(side)?);
            if carry.value(side) > limit {
                return Some(Verdict::bound(carry.value(side)));
            }
        }
        Some(self.verdict(carry, limit))
    }

    /// The bound of a state whose sides are all known, and the operators that it excludes.
    #[inline(always)]
    fn verdict(&self, carry: &mut Carry, limit: Cost) -> Verdict<<D::Ops as OpSet>::Double> {
        let h = self.most(carry, limit);
        let mut verdict = Verdict::bound(h);
        if h > limit {
            return verdict;
        }
        let at = carry.at(limit, self.all());
        carry.note_limit(at, carry.at(limit.wrapping_sub(1), self.all()));
        verdict.excluded = self.excluded[usize::from(carry::bits(at))];
        verdict
    }
}

impl<D: Group, C: Cosets<D>> Heuristic<TwoSided<D>> for Views<D, C> {
    type Carry = Carry;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::staged(3);

    fn root(&self, _: &TwoSided<D>, _: &TwoSidedState<D::State>) -> Carry {
        Carry::UNKNOWN
    }

    #[inline(always)]
    fn child(
        &self,
        _: &TwoSided<D>,
        _: &TwoSidedState<D::State>,
        carry: &Carry,
        op: Op,
        _: &TwoSidedState<D::State>,
    ) -> Carry {
        let Move { kept, shared, .. } = *self.moves.of(op);
        carry.child(kept, shared)
    }

    #[inline(always)]
    fn bound(
        &self,
        _: &TwoSided<D>,
        state: &TwoSidedState<D::State>,
        carry: &mut Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        let read = |side| Some(self.table.read(self.place(state, side)));
        self.one_by_one(carry, limit, read).unwrap_or(Verdict::bound(0))
    }

    /// The first sides, then all others, and then nothing more.
    #[inline(always)]
    fn ask<B>(&self, _: &TwoSided<D>, batch: &mut Batch<'_, B>, stage: usize)
    where
        B: Carries<State = TwoSidedState<D::State>, Carry = Carry>,
    {
        match stage {
            0 => self.make(batch),
            1 => {
                let Batch { left, lookups, carries, .. } = batch;
                lookups.clear();
                lookups.reserve(SIDES * left.len());
                let all = self.all();
                lookups.add_each(left.iter().map(|&child| {
                    (child, carry::bits(carries.child(usize::from(child)).unknown(all)))
                }));
            }
            _ => return,
        }
        self.locate(batch.states, batch.lookups);
    }

    #[inline(always)]
    fn take<B>(&self, _: &TwoSided<D>, batch: &mut Batch<'_, B>, stage: usize)
    where
        B: Carries<State = TwoSidedState<D::State>, Carry = Carry>,
    {
        let Batch { left, slack, lookups, carries, .. } = batch;
        let ((asked, places), lines) = (lookups.all(), self.table.lines());
        let reads = asked.iter().zip(places).map(|(asked, &mut place)| {
            (asked.child(), asked.what() % SIDES, lines.read(StripePlace::new(place)))
        });
        match stage {
            0 => {
                for (child, side, value) in reads {
                    let carry = carries.child(child);
                    carry.know(side, value);
                    slack[child].proven = slack[child].proven.max(value);
                    // A child with a partner reads their shared sides first.
                    let partner = child + carry.after();
                    carries.child(partner).know(side, value);
                    slack[partner].proven = slack[partner].proven.max(value);
                }
            }
            1 => {
                reads.for_each(|(child, side, value)| carries.child(child).know(side, value));
                for child in left.iter().map(|&child| usize::from(child)) {
                    slack[child].proven = self.most(carries.child(child), slack[child].limit);
                }
            }
            _ => {}
        }
    }
}

impl<D: Group, C: Cosets<D>> Lookups<TwoSided<D>> for Views<D, C> {
    fn tables(&self) -> Vec<EntryTable> {
        vec![EntryTable::Stripes(self.table.clone())]
    }
    fn table_count(&self) -> usize {
        1
    }
    /// If the source may cut early, takes the sides in the stages of [`Heuristic::ask`].
    fn bound_from(
        &self,
        _: &TwoSided<D>,
        state: &TwoSidedState<D::State>,
        carry: &mut Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<<D::Ops as OpSet>::Double>> {
        let entry = |side| TableEntry { table: 0, entry: self.place(state, side).bit() };
        if !source.is_early() {
            return self.one_by_one(carry, limit, |side| source.take(&mut || entry(side)));
        }
        let mut together = |carry: &mut Carry, sides: u8| {
            let (mut most, mut missing) = (0, false);
            for side in (0..SIDES).filter(|side| sides >> side & 1 == 1) {
                let Some(value) = source.take(&mut || entry(side)) else {
                    missing = true;
                    continue;
                };
                carry.know(side, value);
                most = most.max(value);
            }
            (!missing).then_some(most)
        };
        let first = together(carry, carry::bits(carry.first(self.all())))?;
        if first > limit {
            return Some(Verdict::bound(first));
        }
        together(carry, carry::bits(carry.unknown(self.all())))?;
        Some(self.verdict(carry, limit))
    }
}

mod carry;
mod moves;
mod pairs;
#[cfg(test)]
mod tests;
