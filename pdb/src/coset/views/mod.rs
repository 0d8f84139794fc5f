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
    ChildBatch, Claims, Cost, Evaluation, FilterStage, Group, Heuristic, LookupBatch, Op, OpSet,
    Slack, Survivors, TwoSided, TwoSidedState, Verdict,
};
use smallvec::SmallVec;
use std::hint::select_unpredictable;

/// Number of stages of [`Heuristic::filter_batch`] that do something.
pub(super) const STAGES: usize = 4;

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

/// Access to the [`Carry`] of each child, also where children carry more than that.
pub(super) trait Carries {
    /// The carry of a child.
    fn of(&mut self, child: usize) -> &mut Carry;
}

impl Carries for [Carry] {
    #[inline(always)]
    fn of(&mut self, child: usize) -> &mut Carry {
        &mut self[child]
    }
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

    /// Computes the places of the sides in `batch`, and prefetches their values.
    #[inline(always)]
    fn ask(&self, states: &[TwoSidedState<D::State>], batch: &mut LookupBatch) {
        let (asked, places) = batch.all();
        let lines = self.table.lines();
        let place = |row, column| lines.locate(row, column).bit();
        let ask = |place| lines.prefetch(StripePlace::new(place));
        self.cosets.locate_all(states, asked, places, place, ask);
    }

    /// The bound of a state whose sides are all known. Does not apply the rule of equal views if
    /// the values alone exceed the limit.
    #[inline(always)]
    pub(super) fn most(&self, carry: &Carry, limit: Cost) -> Cost {
        let (most, equal) = carry.most(self.all());
        if self.covered & (most <= limit) { most.max(equal) } else { most }
    }

    /// Creates the carries of several children, before any lookup. `from(i)` is the carry of the
    /// parent of child `i`. If `ASK`, also prefetches the sides that are read first. For a pair of
    /// children, only the first one prefetches.
    #[inline(always)]
    pub(super) fn make<'a, const ASK: bool>(
        &self,
        from: impl Fn(usize) -> &'a Carry,
        (parents, ops): (&[u16], &[Op]),
        carries: &mut (impl Carries + ?Sized),
        batch: &mut LookupBatch,
    ) {
        let mut before = Before::none();
        let made = parents.iter().zip(ops).enumerate();
        let children = (0..).zip(made).map(|(child, (number, (&parent, &op)))| {
            let Move { kept, shared, other } = *self.moves.of(op);
            let distance = before.partner(parent, op, other);
            let carry = from(number).child(kept, shared | u64::from(distance));
            *carries.of(number) = carry;
            carries.of(number - usize::from(distance)).note_after(distance);
            (child, if ASK { self.first(&carry, distance > 0) } else { 0 })
        });
        if ASK {
            batch.reserve(SIDES * ops.len());
            batch.add_each(children);
        } else {
            children.for_each(|_| ());
        }
    }

    /// The carry of a child before any lookup.
    #[inline(always)]
    pub(super) fn child_of(&self, carry: &Carry, op: Op) -> Carry {
        let moves = self.moves.of(op);
        carry.child(moves.kept, moves.shared)
    }

    /// The sides that are read first for a child, one bit each. None if its partner reads them.
    #[inline(always)]
    pub(super) fn first(&self, carry: &Carry, partner: bool) -> u8 {
        // The CPU cannot predict which child of a pair comes first.
        carry::bits(select_unpredictable(partner, 0, carry.first(self.all())))
    }

    /// Whether a child has a partner before it that is not cut yet.
    #[inline(always)]
    pub(super) fn partner(child: u16, carry: &Carry, slack: &[Slack]) -> bool {
        let Slack { limit, proven } = slack[usize::from(child) - carry.before()];
        (carry.before() > 0) & (proven <= limit)
    }

    /// Implements [`Heuristic::filter_batch`], for children that may carry more than a [`Carry`].
    #[inline(always)]
    pub(super) fn screen(
        &self,
        children: Survivors<'_, TwoSidedState<D::State>, impl Sized>,
        carries: &mut (impl Carries + ?Sized),
        stage: usize,
    ) -> FilterStage {
        let Survivors { left, states, slack, batch, .. } = children;
        let lines = self.table.lines();
        match stage {
            0 => {
                self.ask(states, batch);
                return FilterStage::Lookups;
            }
            // The first sides.
            1 => {
                let (asked, places) = batch.all();
                for (asked, &mut place) in asked.iter().zip(places) {
                    let value = lines.read(StripePlace::new(place));
                    let (child, side) = (asked.child(), asked.what() % SIDES);
                    let carry = carries.of(child);
                    carry.know(side, value);
                    // A child that a table in front cut stays cut.
                    slack[child].proven = slack[child].proven.max(value);
                    // A child with a partner reads their shared sides first.
                    let partner = child + carry.after();
                    carries.of(partner).know(side, value);
                    slack[partner].proven = slack[partner].proven.max(value);
                }
                return FilterStage::Cuts;
            }
            2 => {
                batch.clear();
                batch.reserve(SIDES * left.len());
                let all = self.all();
                batch.add_each(left.iter().map(|&child| {
                    (child, carry::bits(carries.of(usize::from(child)).unknown(all)))
                }));
                self.ask(states, batch);
                return FilterStage::Lookups;
            }
            3 => {}
            _ => return FilterStage::Done,
        }
        // All other sides.
        let (asked, places) = batch.all();
        for (asked, &mut place) in asked.iter().zip(places) {
            let value = lines.read(StripePlace::new(place));
            carries.of(asked.child()).know(asked.what(), value);
        }
        for &child in left {
            let child = usize::from(child);
            let carry = carries.of(child);
            slack[child].proven = self.most(carry, slack[child].limit);
        }
        FilterStage::Cuts
    }

    /// Implements [`Heuristic::bound`], for a state that may carry more than a [`Carry`].
    #[inline(always)]
    pub(super) fn read_all(
        &self,
        state: &TwoSidedState<D::State>,
        carry: &mut Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        let read = |side| Some(self.table.read(self.place(state, side)));
        self.one_by_one(carry, limit, read).unwrap_or(Verdict::bound(0))
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

    /// Implements [`Lookups::bound_from`], for a state that may carry more than a [`Carry`]. If the
    /// source may cut early, it takes the sides in the order of [`Views::screen`].
    pub(super) fn take_all(
        &self,
        state: &TwoSidedState<D::State>,
        carry: &mut Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<<D::Ops as OpSet>::Double>> {
        let entry = |side| TableEntry { table: 0, entry: self.place(state, side).bit() };
        if !source.is_early() {
            return self.one_by_one(carry, limit, |side| source.take(entry(side)));
        }
        let mut together = |carry: &mut Carry, sides: u8| {
            let sides: SmallVec<[usize; SIDES]> =
                (0..SIDES).filter(|side| sides >> side & 1 == 1).collect();
            let entries: SmallVec<[_; SIDES]> = sides.iter().map(|&side| entry(side)).collect();
            let values = source.take_all(&entries)?;
            sides.iter().zip(&values).for_each(|(&side, &value)| carry.know(side, value));
            Some(values.into_iter().max().unwrap_or(0))
        };
        let first = together(carry, self.first(carry, false))?;
        if first > limit {
            return Some(Verdict::bound(first));
        }
        together(carry, carry::bits(carry.unknown(self.all())))?;
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
    const EVALUATION: Evaluation = Evaluation::STAGED.or(Evaluation::SCREENED);

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
        self.child_of(carry, op)
    }

    #[inline(always)]
    fn child_batch<'a>(
        &self,
        _: &TwoSided<D>,
        from: impl Fn(usize) -> (&'a TwoSidedState<D::State>, &'a Carry),
        made: ChildBatch<'_, TwoSidedState<D::State>, Carry>,
    ) {
        let ChildBatch { parents, ops, carries, batch, .. } = made;
        self.make::<true>(|child| from(child).1, (parents, ops), carries, batch);
    }

    #[inline(always)]
    fn filter_batch(
        &self,
        _: &TwoSided<D>,
        children: Survivors<'_, TwoSidedState<D::State>, Carry>,
        stage: usize,
    ) -> FilterStage {
        let Survivors { left, states, carries, slack, batch } = children;
        let others: &mut [()] = &mut [];
        let children = Survivors { left, states, carries: others, slack, batch };
        self.screen(children, carries, stage)
    }

    #[inline(always)]
    fn bound(
        &self,
        _: &TwoSided<D>,
        state: &TwoSidedState<D::State>,
        carry: &mut Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        self.read_all(state, carry, limit)
    }
}

impl<D: Group, C: Cosets<D>> Lookups<TwoSided<D>> for Views<D, C> {
    fn tables(&self) -> Vec<EntryTable> {
        vec![EntryTable::Stripes(self.table.clone())]
    }
    fn table_count(&self) -> usize {
        1
    }
    fn bound_from(
        &self,
        _: &TwoSided<D>,
        state: &TwoSidedState<D::State>,
        carry: &mut Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<<D::Ops as OpSet>::Double>> {
        self.take_all(state, carry, limit, source)
    }
}

mod carry;
mod moves;
mod pairs;
#[cfg(test)]
mod tests;
