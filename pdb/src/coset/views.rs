//! One coset table read from several sides: conjugates of the subgroup, of the position and of its inverse.
//!
//! Let w = w1 .. wn be a plan of the position p, and q = p^-1. Views v = 1 .. k are conjugates H_v of one subgroup; the position side of a
//! view is d_v(p) = the least number of operators that take p into H_v, the inverse side is d_v(q). All rules below are stated with
//! lower bounds in place of exact distances, for these are what the table holds.
//!
//! * **Bound.** w takes p into every H_v (to the identity), and w^-1 takes q there, so every d_v(p), d_v(q) is at most n.
//! * **Inheritance.** The distance of p to H is that of the coset H p. A front operator m turns q into m^-1 q; if m is in H, H m^-1 q = H q,
//!   so the inverse side keeps its value and is not read again. Likewise a back operator in H keeps the position side.
//! * **Exclusion.** If d_v(q) = n, no plan of length n begins with w1 in H_v: q wn^-1 .. w2^-1 = w1 would be in H_v after n - 1 operators. So an
//!   inverse side at the limit excludes the *front* operators inside H_v; a position side at the limit the *back* ones. If the value
//!   read is a lower bound only and the true one is larger, there is no plan within the limit at all, so excluding is right too.
//! * **All views equal.** If d_v(p) = x >= 1 for all v, and every operator is in some H_v, then n >= x + 1: in a plan of length x the last
//!   operator wx is in some H_v, and w1 .. w(x-1) takes p into H_v already. If some true distance is above x, n >= x + 1 anyway.
//! * **Order.** The side with the greatest value in the parent is read first, for values change slowly; of equals the one that the operator
//!   acts on from the right. If it does not cut, all the others are asked for at once and read a turn later, each time without a branch between them.
//!
//! All of these hold for a group in any metric: nothing else is asked of the operators than that each costs 1 and is a generator.
//!
//! The views and the inverse, the last two rules and going on from the side with fewer operators ([`TwoSided`]) are Tomas
//! Rokicki's (nxopt, in cube20src); here they hold for any group and any conjugates of a subgroup.

use super::two_bit::{Place, TwoBit};
use search::{Both, Cost, Group, Heuristic, Op, OpSet, TwoSided, Verdict};

/// How states find their entries in a coset table, from each of its views.
pub trait Cosets<D: Group>: Sync {
    /// How many conjugates of the subgroup are read, 1 to 4.
    const VIEWS: usize;
    /// What all views of one state share, computed once.
    type Planes: Copy;
    /// See [`Cosets::Planes`].
    fn planes(&self, state: &D::State) -> Self::Planes;
    /// Row and column of a state in a view. The same ones as the identity's for no state outside the view's subgroup, and for all of its
    /// operators: from this follows which operators are inside.
    fn locate(&self, view: usize, planes: &Self::Planes) -> (u32, u32);
}

/// Most sides: four views of the position and of the inverse. Side `2 v` is the position in view v, `2 v + 1` the inverse.
const SIDES: usize = 8;
/// A 1 in the byte of each side.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The bytes of the position sides.
const POSITIONS: u64 = 0x00ff_00ff_00ff_00ff;
/// 7 for side 0 to 0 for side 7, in the byte of each.
const RANKS: u64 = 0x0001_0203_0405_0607;

/// The heuristic of a coset table and its views.
///
/// Admissible: yes (see the module). Consistent: no (a stripe's minimum may rise by more than one from one stripe to the next, and
/// the rule of equal views adds one at once). Unit costs only.
pub struct Views<D: Group, C> {
    cosets: C,
    table: TwoBit,
    /// By view: the operators inside, in the set of both ends: as front operators and as back operators.
    front: [<D::Ops as OpSet>::Double; SIDES / 2],
    back: [<D::Ops as OpSet>::Double; SIDES / 2],
    /// By operator of both ends: 255 in the bytes of the sides that it leaves as they are, 8 in those that it acts on from the right.
    operators: Box<[(u64, u64)]>,
    /// Whether every operator is inside some view's subgroup.
    covered: bool,
}

/// What a node carries: the values of its sides, and the places of those that are not read yet. 88 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Carry {
    /// A byte a side: 1 more than the value; of a side that is not known, than that of the parent.
    values: u64,
    /// A byte a side: 255 if its value is known, inherited or read.
    known: u64,
    /// A byte a side: 255 if its place is located and asked for.
    asked: u64,
    /// Where the sides that are asked for stand.
    places: [Place; SIDES],
}

/// An operator whose cost is not 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("coset tables count operators: operator {} does not cost 1", .0.0)]
pub struct NotUnitCost(pub Op);

impl<D: Group, C> std::fmt::Debug for Views<D, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Views").field("table", &self.table).finish_non_exhaustive()
    }
}

impl<D: Group, C: Cosets<D>> Views<D, C> {
    /// The views of a table.
    ///
    /// # Errors
    /// If an operator does not cost 1.
    ///
    /// # Panics
    /// If there are no views or more than four.
    pub fn new(domain: &D, cosets: C, table: TwoBit) -> Result<Self, NotUnitCost> {
        assert!((1..=SIDES / 2).contains(&C::VIEWS), "{} views, not 1 to {}", C::VIEWS, SIDES / 2);
        let n = domain.operators();
        let all = D::Ops::first(n);
        if let Some(op) = all.members().find(|&op| domain.cost(op) != 1) {
            return Err(NotUnitCost(op));
        }
        let mut operators = vec![(0, POSITIONS & (8 * ONES)); n];
        operators.resize(2 * n, (0, !POSITIONS & (8 * ONES)));
        let mut views = Self {
            table,
            front: [OpSet::NONE; SIDES / 2],
            back: [OpSet::NONE; SIDES / 2],
            operators: operators.into(),
            covered: false,
            cosets,
        };
        let mut covered = D::Ops::NONE;
        for view in 0..C::VIEWS {
            let inside = views.inside(domain, view);
            covered = covered.or(inside);
            views.front[view] = OpSet::double(inside, D::Ops::NONE, n);
            views.back[view] = OpSet::double(D::Ops::NONE, inside, n);
            for op in inside.members() {
                // A front operator keeps the inverse side, a back operator the position side.
                views.operators[op.index()].0 |= byte(2 * view + 1, 255);
                views.operators[n + op.index()].0 |= byte(2 * view, 255);
            }
        }
        views.covered = covered == all;
        Ok(views)
    }

    /// The operators inside the subgroup of a view: those whose generator is in the coset of the identity.
    pub fn inside(&self, domain: &D, view: usize) -> D::Ops {
        let locate = |state: &D::State| self.cosets.locate(view, &self.cosets.planes(state));
        let (identity, mut generator) = (domain.identity(), domain.identity());
        let inside = |op: &Op| {
            domain.apply_into(&identity, *op, &mut generator);
            locate(&generator) == locate(&identity)
        };
        D::Ops::first(domain.operators()).members().filter(inside).fold(D::Ops::NONE, OpSet::with)
    }

    /// The table.
    pub fn table(&self) -> &TwoBit {
        &self.table
    }

    /// How states find their entries.
    pub fn cosets(&self) -> &C {
        &self.cosets
    }
}

/// A value in the byte of a side.
#[inline(always)]
const fn byte(side: usize, value: u8) -> u64 {
    (value as u64) << (8 * side)
}

/// The sides whose bytes are 255, the others 0, lowest first.
#[inline(always)]
fn bytes(mut sides: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if sides == 0 {
            return None;
        }
        let side = sides.trailing_zeros() as usize / 8;
        sides &= !byte(side, 255);
        Some(side)
    })
}

/// The greatest byte.
#[inline(always)]
fn greatest(bytes: u64) -> u8 {
    bytes.to_le_bytes().into_iter().fold(0, u8::max)
}

impl<D: Group, C: Cosets<D>> Views<D, C> {
    const SIDES: usize = 2 * C::VIEWS;
    /// The bytes of all sides.
    const ALL: u64 = u64::MAX >> (64 - 8 * Self::SIDES);

    /// The side to read first: of those whose bytes are 255 the one with the greatest value (of the parent), of equals the one that the
    /// operator acts on from the right, then the lowest.
    #[inline(always)]
    fn first(values: u64, moved: u64, sides: u64) -> Option<usize> {
        // Four bits of the value (at most 14, stored as 15); one of the operator; three of the side.
        let key = greatest((values << 4 | moved | RANKS) & sides);
        (sides != 0).then_some(7 - usize::from(key & 7))
    }

    /// Locates some sides and asks for them.
    #[inline(always)]
    fn ask(&self, state: &Both<D::State>, carry: &mut Carry, sides: u64) {
        let planes = [self.cosets.planes(&state.position), self.cosets.planes(&state.inverse)];
        for side in bytes(sides) {
            let (row, column) = self.cosets.locate(side / 2, &planes[side % 2]);
            carry.places[side % SIDES] = self.table.locate(row, column);
            self.table.prefetch(carry.places[side % SIDES]);
        }
        carry.asked |= sides;
    }

    /// Reads the sides that are asked for: the greatest value if it is above the limit. All of them, in any order: their lines are
    /// there already, and a branch for each would cost more.
    #[inline(always)]
    fn read(&self, carry: &mut Carry, limit: Cost) -> Option<Cost> {
        let sides = carry.asked & !carry.known;
        let mut read = 0;
        for side in bytes(sides) {
            read |= byte(side, self.table.read(carry.places[side % SIDES]) + 1);
        }
        carry.values = carry.values & !sides | read;
        carry.known |= sides;
        let most = greatest(read);
        (most > limit.saturating_add(1)).then_some(most.wrapping_sub(1))
    }
}

impl<D: Group, C: Cosets<D>> Heuristic<TwoSided<D>> for Views<D, C> {
    type Carry = Carry;
    const PREFETCHES: bool = true;
    const SCREENS: bool = true;

    fn root(&self, _: &TwoSided<D>, _: &Both<D::State>) -> Carry {
        Carry { values: ONES, known: 0, asked: 0, places: [Place::NOWHERE; SIDES] }
    }

    #[inline(always)]
    fn child(
        &self,
        _: &TwoSided<D>,
        _: &Both<D::State>,
        carry: &Carry,
        op: Op,
        to: &Both<D::State>,
    ) -> Carry {
        let (kept, moved) = self.operators[op.index()];
        // Only what is known of the parent can be inherited.
        let known = kept & carry.known;
        let mut child =
            Carry { values: carry.values, known, asked: 0, places: [Place::NOWHERE; SIDES] };
        if let Some(side) = Self::first(carry.values, moved, Self::ALL & !known) {
            let of = if side.is_multiple_of(2) { &to.position } else { &to.inverse };
            let (row, column) = self.cosets.locate(side / 2, &self.cosets.planes(of));
            child.places[side] = self.table.locate(row, column);
            child.asked = byte(side, 255);
            self.table.prefetch(child.places[side]);
        }
        child
    }

    #[inline(always)]
    fn screen(
        &self,
        _: &TwoSided<D>,
        state: &Both<D::State>,
        carry: &mut Carry,
        limit: Cost,
    ) -> Option<Cost> {
        let above = self.read(carry, limit);
        if above.is_none() {
            self.ask(state, carry, Self::ALL & !carry.known);
        }
        above
    }

    #[inline(always)]
    fn bound(
        &self,
        domain: &TwoSided<D>,
        state: &Both<D::State>,
        carry: &mut Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        if (carry.known | carry.asked) & Self::ALL != Self::ALL
            && let Some(above) = self.screen(domain, state, carry, limit)
        {
            return Verdict::bound(above);
        }
        if let Some(above) = self.read(carry, limit) {
            return Verdict::bound(above);
        }
        let mut verdict: Verdict<<D::Ops as OpSet>::Double> = Verdict::bound(0);
        let values = carry.values.to_le_bytes();
        for end in 0..2 {
            let (mut equal, first) = (true, values[end]);
            for view in 0..C::VIEWS {
                let value = values[2 * view + end];
                equal &= value == first;
                verdict.h = verdict.h.max(value - 1);
                if value - 1 == limit {
                    let inside = if end == 1 { self.front[view] } else { self.back[view] };
                    verdict.excluded = verdict.excluded.or(inside);
                }
            }
            if self.covered && equal && first > 1 {
                verdict.h = verdict.h.max(first);
            }
        }
        verdict
    }
}

#[cfg(test)]
mod tests;
