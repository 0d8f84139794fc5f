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
    /// Row and column of a state in a view.
    fn locate(&self, view: usize, planes: &Self::Planes) -> (u32, u32);
    /// The operators inside the subgroup of a view.
    fn inside(&self, view: usize) -> D::Ops;
}

/// Most sides: four views of the position and of the inverse. Side `2 v` is the position in view v, `2 v + 1` the inverse.
const SIDES: usize = 8;
/// No side.
const NONE: u8 = 8;

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
    /// By operator of both ends: the sides that it leaves as they are.
    kept: Box<[u8]>,
    /// Whether every operator is inside some view's subgroup.
    covered: bool,
}

/// What a node carries: the values of its sides, and the places of those that are not read yet.
#[derive(Clone, Copy, Debug)]
pub struct Carry {
    values: [Cost; SIDES],
    /// Where the sides that are not known stand, once located.
    places: [Place; SIDES],
    /// Sides whose value is known: inherited or read.
    known: u8,
    /// The side that the child asked for, or [`NONE`].
    pending: u8,
    /// Whether all other sides were asked for.
    asked: bool,
}

/// An operator of cost other than 1, or too many views.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("coset tables count operators: operator {} does not cost 1", .0.0)]
pub struct Uncovered(pub Op);

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
    pub fn new(domain: &D, cosets: C, table: TwoBit) -> Result<Self, Uncovered> {
        assert!((1..=SIDES / 2).contains(&C::VIEWS), "{} views, not 1 to {}", C::VIEWS, SIDES / 2);
        let n = domain.operators();
        let all = D::Ops::first(n);
        if let Some(op) = all.members().find(|&op| domain.cost(op) != 1) {
            return Err(Uncovered(op));
        }
        let mut views = Self {
            table,
            front: [OpSet::NONE; SIDES / 2],
            back: [OpSet::NONE; SIDES / 2],
            kept: vec![0; 2 * n].into(),
            covered: false,
            cosets,
        };
        let mut covered = D::Ops::NONE;
        for view in 0..C::VIEWS {
            let inside = views.cosets.inside(view);
            covered = covered.or(inside);
            views.front[view] = OpSet::double(inside, D::Ops::NONE, n);
            views.back[view] = OpSet::double(D::Ops::NONE, inside, n);
            for op in inside.members() {
                // A front operator keeps the inverse side, a back operator the position side.
                views.kept[op.index()] |= 1 << (2 * view + 1);
                views.kept[n + op.index()] |= 1 << (2 * view);
            }
        }
        views.covered = covered == all;
        Ok(views)
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

/// The side to read next: of those not known the one with the greatest value in the parent, the lowest of equals, but one of
/// `moved` before the others.
#[inline(always)]
fn next_side(known: u8, values: &[Cost; SIDES], sides: usize, moved: u8) -> usize {
    let mut best = (0, SIDES);
    for (side, value) in values.iter().enumerate().take(sides) {
        // Twice the value, one more on the side that moved, and one so that any unknown side beats none.
        let weight = 2 * value + (moved >> side & 1) + 1;
        if known >> side & 1 == 0 && weight > best.0 {
            best = (weight, side);
        }
    }
    best.1
}

/// Position sides: even; inverse sides: odd.
const POSITIONS: u8 = 0b0101_0101;

impl<D: Group, C: Cosets<D>> Views<D, C> {
    const SIDES: usize = 2 * C::VIEWS;
    const ALL: u8 = u8::MAX >> (SIDES - Self::SIDES);

    #[inline(always)]
    fn place(&self, state: &Both<D::State>, side: usize) -> Place {
        let of = if side.is_multiple_of(2) { &state.position } else { &state.inverse };
        let (row, column) = self.cosets.locate(side / 2, &self.cosets.planes(of));
        self.table.locate(row, column)
    }

    /// Reads the side that was asked for when the child was made: its value if that is above the limit.
    #[inline(always)]
    fn read_first(&self, carry: &mut Carry, limit: Cost) -> Option<Cost> {
        if carry.pending == NONE {
            return None;
        }
        let side = usize::from(carry.pending);
        let value = self.table.read(carry.places[side]);
        (carry.values[side], carry.pending) = (value, NONE);
        carry.known |= 1 << side;
        (value > limit).then_some(value)
    }

    /// Locates the sides that are not known and asks for them, side by side.
    #[inline(always)]
    fn ask_rest(&self, state: &Both<D::State>, carry: &mut Carry) {
        let planes = [self.cosets.planes(&state.position), self.cosets.planes(&state.inverse)];
        for side in (0..Self::SIDES).filter(|side| carry.known >> side & 1 == 0) {
            let (row, column) = self.cosets.locate(side / 2, &planes[side % 2]);
            carry.places[side] = self.table.locate(row, column);
            self.table.prefetch(carry.places[side]);
        }
        carry.asked = true;
    }

    /// Reads the sides that are not known, the most promising first: the first value above the limit.
    #[inline(always)]
    fn read_rest(&self, carry: &mut Carry, limit: Cost) -> Option<Cost> {
        let parent = carry.values;
        while carry.known != Self::ALL {
            let side = next_side(carry.known, &parent, Self::SIDES, 0);
            let value = self.table.read(carry.places[side]);
            carry.values[side] = value;
            carry.known |= 1 << side;
            if value > limit {
                return Some(value);
            }
        }
        None
    }

    /// A known value above the limit.
    #[inline(always)]
    fn known_above(carry: &Carry, limit: Cost) -> Option<Cost> {
        let known = (0..Self::SIDES).filter(|side| carry.known >> side & 1 == 1);
        known.map(|side| carry.values[side]).find(|&value| value > limit)
    }
}

impl<D: Group, C: Cosets<D>> Heuristic<TwoSided<D>> for Views<D, C> {
    type Carry = Carry;
    const PREFETCHES: bool = true;
    const SCREENS: bool = true;

    fn root(&self, _: &TwoSided<D>, _: &Both<D::State>) -> Carry {
        Carry {
            values: [0; SIDES],
            places: [Place::NOWHERE; SIDES],
            known: 0,
            pending: NONE,
            asked: false,
        }
    }

    #[inline(always)]
    fn child(
        &self,
        domain: &TwoSided<D>,
        _: &Both<D::State>,
        carry: &Carry,
        op: Op,
        to: &Both<D::State>,
    ) -> Carry {
        let known = self.kept[op.index()];
        let moved = if domain.end(op).1 { !POSITIONS } else { POSITIONS };
        let places = [Place::NOWHERE; SIDES];
        let mut child = Carry { values: carry.values, places, known, pending: NONE, asked: false };
        let side = next_side(known, &carry.values, Self::SIDES, moved);
        if side < SIDES {
            child.places[side] = self.place(to, side);
            child.pending = u8::try_from(side).unwrap_or(NONE);
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
        let above = Self::known_above(carry, limit).or_else(|| self.read_first(carry, limit));
        if above.is_none() && carry.known != Self::ALL {
            self.ask_rest(state, carry);
        }
        above
    }

    #[inline(always)]
    fn bound(
        &self,
        _: &TwoSided<D>,
        state: &Both<D::State>,
        carry: &mut Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        if let Some(above) =
            Self::known_above(carry, limit).or_else(|| self.read_first(carry, limit))
        {
            return Verdict::bound(above);
        }
        if carry.known != Self::ALL && !carry.asked {
            self.ask_rest(state, carry);
        }
        if let Some(above) = self.read_rest(carry, limit) {
            return Verdict::bound(above);
        }
        let mut verdict: Verdict<<D::Ops as OpSet>::Double> = Verdict::bound(0);
        let (mut equal, first) = ([true; 2], [carry.values[0], carry.values[1]]);
        for side in 0..Self::SIDES {
            let value = carry.values[side];
            verdict.h = verdict.h.max(value);
            equal[side % 2] &= value == first[side % 2];
            if value == limit {
                let inside = if side % 2 == 1 { self.front[side / 2] } else { self.back[side / 2] };
                verdict.excluded = verdict.excluded.or(inside);
            }
        }
        for (equal, value) in equal.into_iter().zip(first) {
            if self.covered && equal && value >= 1 {
                verdict.h = verdict.h.max(value + 1);
            }
        }
        verdict
    }
}
