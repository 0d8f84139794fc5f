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
//!   acts on from the right. If it does not cut, all the others are asked for at once, of many states side by side, and then read without a branch between them.
//!
//! All of these hold for a group in any metric: nothing else is asked of the operators than that each costs 1 and is a generator.
//!
//! The views and the inverse, the last two rules and going on from the side with fewer operators ([`TwoSided`]) are Tomas
//! Rokicki's (nxopt, in cube20src); here they hold for any group and any conjugates of a subgroup.

use super::few_bits::{FewBits, Place};
use super::sides::Cosets;
use search::{
    Batch, Both, Cost, Group, Heuristic, Op, OpSet, Screened, Screening, TwoSided, Verdict,
};

/// Stages of a screening that do something.
pub(super) const STAGES: usize = 4;
/// Most sides: four views of the position and of the inverse. Side `2 v` is the position in view v, `2 v + 1` the inverse.
const SIDES: usize = 8;
/// A byte for each side.
type Bytes = [u8; SIDES];
/// A 1 in the byte of each side.
const ONES: u64 = 0x0101_0101_0101_0101;
/// 7 for side 0 to 0 for side 7.
const RANKS: Bytes = [7, 6, 5, 4, 3, 2, 1, 0];
/// By end, the front or the back: where sides are equal the greater of these is read first. 8 for a side that the end's operators act on from
/// the right, and 7 to 0 by the number of the side.
const ORDERS: [Bytes; 2] = [[15, 6, 13, 4, 11, 2, 9, 0], [7, 14, 5, 12, 3, 10, 1, 8]];

/// What an operator of one end does to the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moves {
    /// 255 for the sides that it leaves as they are.
    kept: Bytes,
    /// Its end: 0 for a front operator, 1 for a back operator.
    end: u8,
}

/// The heuristic of a coset table and its views.
///
/// Admissible: yes (see the module). Consistent: no (a stripe's minimum may rise by more than one from one stripe to the next, and
/// the rule of equal views adds one at once). Unit costs only.
pub struct Views<D: Group, C> {
    cosets: C,
    table: FewBits,
    /// By view: the operators inside, in the set of both ends: as front operators and as back operators.
    front: [<D::Ops as OpSet>::Double; SIDES / 2],
    back: [<D::Ops as OpSet>::Double; SIDES / 2],
    /// By operator of both ends: what it does to the sides.
    moves: Box<[Moves]>,
    /// Whether every operator is inside some view's subgroup.
    covered: bool,
    /// How many views there are.
    count: usize,
}

/// What a node carries: the values of its sides. 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carry {
    /// By side: 1 more than the value; of a side that is not known, than that of the parent.
    pub(super) values: [u8; SIDES],
    /// By side: 255 if its value is known, inherited or read.
    known: [u8; SIDES],
}

impl Carry {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self { values: [1; SIDES], known: [0; SIDES] };
}

/// What children carry, by number of the child.
pub(super) trait Carries {
    /// What a child carries.
    fn of(&mut self, child: usize) -> &mut Carry;
}

impl Carries for [Carry] {
    #[inline(always)]
    fn of(&mut self, child: usize) -> &mut Carry {
        &mut self[child]
    }
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
    pub fn new(domain: &D, cosets: C, table: FewBits) -> Result<Self, NotUnitCost> {
        let count = cosets.views();
        assert!((1..=SIDES / 2).contains(&count), "{count} views, not 1 to {}", SIDES / 2);
        assert!(
            count == C::VIEWS || !C::FIXED && count < C::VIEWS,
            "{count} of {} views",
            C::VIEWS
        );
        let n = domain.operators();
        let all = D::Ops::first(n);
        if let Some(op) = all.members().find(|&op| domain.cost(op) != 1) {
            return Err(NotUnitCost(op));
        }
        let end = |end: u8| vec![Moves { kept: [0; SIDES], end }; n];
        let mut moves: Vec<Moves> = [end(0), end(1)].concat();
        let mut views = Self {
            table,
            front: [OpSet::NONE; SIDES / 2],
            back: [OpSet::NONE; SIDES / 2],
            moves: Box::default(),
            covered: false,
            count,
            cosets,
        };
        let mut covered = D::Ops::NONE;
        for view in 0..count {
            let inside = views.inside(domain, view);
            covered = covered.or(inside);
            views.front[view] = OpSet::double(inside, D::Ops::NONE, n);
            views.back[view] = OpSet::double(D::Ops::NONE, inside, n);
            for op in inside.members() {
                // A front operator keeps the inverse side, a back operator the position side.
                moves[op.index()].kept[2 * view + 1] = 255;
                moves[n + op.index()].kept[2 * view] = 255;
            }
        }
        views.covered = covered == all;
        views.moves = moves.into();
        Ok(views)
    }

    /// The operators inside the subgroup of a view: those whose generator is in the coset of the identity.
    pub fn inside(&self, domain: &D, view: usize) -> D::Ops {
        let locate = |state: &D::State| self.cosets.locate(view, state);
        let (identity, mut generator) = (domain.identity(), domain.identity());
        let inside = |op: &Op| {
            domain.apply_into(&identity, *op, &mut generator);
            locate(&generator) == locate(&identity)
        };
        D::Ops::first(domain.operators()).members().filter(inside).fold(D::Ops::NONE, OpSet::with)
    }

    /// The table.
    pub fn table(&self) -> &FewBits {
        &self.table
    }

    /// How states find their entries.
    pub fn cosets(&self) -> &C {
        &self.cosets
    }
}

/// Something of the bytes of two, side by side.
#[inline(always)]
fn zip(a: Bytes, b: Bytes, each: impl Fn(u8, u8) -> u8) -> Bytes {
    std::array::from_fn(|side| each(a[side], b[side]))
}

/// The greatest byte.
#[inline(always)]
fn greatest(bytes: u64) -> u8 {
    // Two bytes a lane at first: bit 8 of a difference says which is greater.
    let (a, b) = (bytes & 0x00ff_00ff_00ff_00ff, bytes >> 8 & 0x00ff_00ff_00ff_00ff);
    let greater = ((a | 0x0100_0100_0100_0100) - b) >> 8 & 0x0001_0001_0001_0001;
    let lanes = b ^ (a ^ b) & (greater * 255);
    let lanes = lanes.to_le_bytes();
    lanes[0].max(lanes[2]).max(lanes[4].max(lanes[6]))
}

impl<D: Group, C: Cosets<D>> Views<D, C> {
    /// How many views there are.
    #[inline(always)]
    fn count(&self) -> usize {
        if C::FIXED { C::VIEWS } else { self.count.min(SIDES / 2) }
    }

    /// 255 for all sides.
    #[inline(always)]
    fn all(&self) -> Bytes {
        std::array::from_fn(|side| if side < 2 * self.count() { 255 } else { 0 })
    }

    /// The sides that are not known, 255 for each.
    #[inline(always)]
    fn unknown(&self, known: Bytes) -> Bytes {
        zip(self.all(), known, |all, known| all & !known)
    }

    /// The side to read first, and whether there is one: of those whose bytes are 255 the one with the greatest value (of the parent), of equals that with the
    /// greatest byte in `order`.
    #[inline(always)]
    fn first(values: Bytes, order: Bytes, sides: Bytes) -> (u8, bool) {
        // Four bits of the value (at most 14, stored as 15); one of the operator; three of the side. No value is stored as 0.
        let [values, order, sides] = [values, order, sides].map(u64::from_le_bytes);
        let key = greatest((values << 4 | order) & sides);
        (7 - (key & 7), key > 0)
    }

    /// Reads the value of a side of a state.
    fn read(&self, state: &Both<D::State>, carry: &mut Carry, side: usize) {
        let of = if side.is_multiple_of(2) { &state.position } else { &state.inverse };
        let (row, column) = self.cosets.locate(side / 2, of);
        carry.values[side] = self.table.read(self.table.locate(row, column)) + 1;
        carry.known[side] = 255;
    }

    /// Locates what is asked for, and asks for its lines.
    #[inline(always)]
    fn ask(&self, states: &[Both<D::State>], batch: &mut Batch) {
        let lines = self.table.lines();
        let (asked, places) = batch.all();
        let place = |row, column| lines.locate(row, column).bit();
        let ask = |place| lines.prefetch(Place::new(place));
        self.cosets.locate_all(states, asked, places, place, ask);
    }

    /// What a child carries before anything is read, if the operator keeps some sides: only what is known of the parent can be inherited.
    #[inline(always)]
    fn inherited(carry: &Carry, kept: Bytes) -> Carry {
        Carry { values: carry.values, known: zip(carry.known, kept, |known, kept| known & kept) }
    }

    /// The bound of a state whose sides are all known; without the rule of equal views where the values alone are above the limit.
    #[inline(always)]
    fn most(&self, values: [u8; SIDES], limit: Cost) -> Cost {
        // By end, the values that occur, a bit each; they are 1 more than the bounds.
        let mut occur = [0_u32; 2];
        for side in 0..2 * self.count() {
            occur[side % 2] |= 1 << (values[side] & 31);
        }
        let most = |occur: u32| (occur | 1).ilog2();
        // All views equal, and not 0: one more.
        let equal = |occur: u32| self.covered && occur.is_power_of_two() && occur > 2;
        let more = |occur: u32| most(occur) + u32::from(equal(occur));
        let (h, more) = (most(occur[0] | occur[1]) - 1, more(occur[0]).max(more(occur[1])) - 1);
        #[expect(clippy::cast_possible_truncation, reason = "at most 15")]
        let h = if h > u32::from(limit) { h as u8 } else { more as u8 };
        h
    }

    /// What a child carries before anything is read, and the end of the operator that made it.
    #[inline(always)]
    pub(super) fn child_of(&self, carry: &Carry, op: Op) -> (Carry, u8) {
        let Moves { kept, end } = self.moves[op.index()];
        (Self::inherited(carry, kept), end)
    }

    /// Asks for the side of a child that is read first, if there is one. An operator of an end made the child.
    #[inline(always)]
    pub(super) fn ask_first(&self, child: u16, carry: &Carry, end: u8, batch: &mut Batch) {
        let order = ORDERS[usize::from(end & 1)];
        let (side, wanted) = Self::first(carry.values, order, self.unknown(carry.known));
        batch.add(child, side.into(), wanted);
    }

    /// [`Heuristic::screens`], whatever else children carry.
    #[inline(always)]
    pub(super) fn screen(
        &self,
        children: Screened<'_, Both<D::State>, impl Sized>,
        carries: &mut (impl Carries + ?Sized),
        stage: usize,
    ) -> Screening {
        let Screened { left, states, judged, batch, .. } = children;
        match stage {
            0 => {
                self.ask(states, batch);
                return Screening::Asked;
            }
            // The first side of each child.
            1 => {
                let ((asked, places), lines) = (batch.all(), self.table.lines());
                for (asked, &mut place) in asked.iter().zip(places) {
                    let value = lines.read(Place::new(place));
                    let (carry, side) = (carries.of(asked.child()), asked.what() % SIDES);
                    (carry.values[side], carry.known[side]) = (value + 1, 255);
                    judged[asked.child()].above = value;
                }
                return Screening::Cut;
            }
            2 => {
                batch.clear();
                batch.reserve(2 * left.len() * self.count());
                for &child in left {
                    let unknown = self.unknown(carries.of(usize::from(child)).known);
                    // A bit of each byte, side by side.
                    let set = (u64::from_le_bytes(unknown) & ONES)
                        .wrapping_mul(0x0102_0408_1020_4080)
                        >> 56;
                    batch.add_set(child, set as u8);
                }
                self.ask(states, batch);
                return Screening::Asked;
            }
            3 => {}
            _ => return Screening::Done,
        }
        // All other sides.
        let ((asked, places), lines) = (batch.all(), self.table.lines());
        for (asked, &mut place) in asked.iter().zip(places) {
            let value = lines.read(Place::new(place));
            carries.of(asked.child()).values[asked.what() % SIDES] = value + 1;
        }
        for &child in left {
            let child = usize::from(child);
            let (carry, judged) = (carries.of(child), &mut judged[child]);
            carry.known = [255; SIDES];
            judged.above = self.most(carry.values, judged.limit);
        }
        Screening::Cut
    }

    /// [`Heuristic::bound`], whatever else the state carries.
    #[inline(always)]
    pub(super) fn read_all(
        &self,
        state: &Both<D::State>,
        carry: &mut Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        while let (side, true) = Self::first(carry.values, RANKS, self.unknown(carry.known)) {
            let side = usize::from(side);
            self.read(state, carry, side);
            if carry.values[side] - 1 > limit {
                return Verdict::bound(carry.values[side] - 1);
            }
        }
        self.verdict(carry.values, limit)
    }

    /// The bound of a state whose sides are all known, and what it excludes.
    #[inline(always)]
    fn verdict(&self, values: [u8; SIDES], limit: Cost) -> Verdict<<D::Ops as OpSet>::Double> {
        let h = self.most(values, limit);
        let mut verdict = Verdict::bound(h);
        if h > limit {
            return verdict;
        }
        let at_limit = |side: usize, inside: <D::Ops as OpSet>::Double| {
            if values[side] - 1 == limit { inside } else { OpSet::NONE }
        };
        for view in 0..self.count() {
            let front = at_limit(2 * view + 1, self.front[view]);
            let back = at_limit(2 * view, self.back[view]);
            verdict.excluded = verdict.excluded.or(front).or(back);
        }
        verdict
    }
}

impl<D: Group, C: Cosets<D>> Heuristic<TwoSided<D>> for Views<D, C> {
    type Carry = Carry;
    const PREFETCHES: bool = true;
    const SCREENS: bool = true;

    fn root(&self, _: &TwoSided<D>, _: &Both<D::State>) -> Carry {
        Carry::UNKNOWN
    }

    #[inline(always)]
    fn child(
        &self,
        _: &TwoSided<D>,
        _: &Both<D::State>,
        carry: &Carry,
        op: Op,
        _: &Both<D::State>,
    ) -> Carry {
        self.child_of(carry, op).0
    }

    #[inline(always)]
    fn children(
        &self,
        _: &TwoSided<D>,
        _: &Both<D::State>,
        carry: &Carry,
        ops: &[Op],
        _: &[Both<D::State>],
        carries: &mut [Carry],
        first: u16,
        batch: &mut Batch,
    ) {
        batch.reserve(ops.len());
        for (child, (&op, out)) in (first..).zip(ops.iter().zip(carries)) {
            let end;
            (*out, end) = self.child_of(carry, op);
            self.ask_first(child, out, end, batch);
        }
    }

    #[inline(always)]
    fn screens(
        &self,
        _: &TwoSided<D>,
        children: Screened<'_, Both<D::State>, Carry>,
        stage: usize,
    ) -> Screening {
        let Screened { left, states, carries, judged, batch } = children;
        let others: &mut [()] = &mut [];
        let children = Screened { left, states, carries: others, judged, batch };
        self.screen(children, carries, stage)
    }

    #[inline(always)]
    fn bound(
        &self,
        _: &TwoSided<D>,
        state: &Both<D::State>,
        carry: &mut Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        self.read_all(state, carry, limit)
    }
}

#[cfg(test)]
mod tests;
