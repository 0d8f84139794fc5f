//! Lower bounds on the cost to a goal: the [`Heuristic`] trait and the zero heuristic.

use crate::domain::Domain;
use crate::operators::{Cost, Op, OpSet};

/// What a heuristic says of a state, asked with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<O> {
    /// A lower bound on the cost to a goal; where it is above the limit, any proven value above the limit (reading stops there).
    pub h: Cost,
    /// If `h <= limit`: operators that start *no* plan of cost `<= limit` from here. Empty where nothing is known.
    pub excluded: O,
}

impl<O: OpSet> Verdict<O> {
    /// A bound that excludes no operator.
    #[inline(always)]
    pub fn bound(h: Cost) -> Self {
        Self { h, excluded: O::NONE }
    }
}

/// Something to be read for one of several children: what it is and where it stands are the heuristic's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Number of the child.
    pub child: u16,
    /// What is read.
    pub what: u16,
    /// Where it stands.
    pub place: u64,
}

/// By set of bits: the numbers of those that are set, lowest first, a byte each.
static NUMBERS: [u64; 256] = {
    let mut numbers = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut bit, mut place) = (0, 0);
        while bit < 8 {
            if set >> bit & 1 == 1 {
                numbers[set] |= bit << (8 * place);
                place += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    numbers
};

/// What is asked for of several children.
#[derive(Clone, Debug)]
pub struct Batch {
    asked: Vec<Asked>,
    count: usize,
}

impl Batch {
    /// Nothing.
    pub fn new() -> Self {
        Self { asked: vec![Asked::default(); 8], count: 0 }
    }
    /// Asks for nothing more.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }
    /// Makes room for so many more.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize) {
        if self.count + more + 8 > self.asked.len() {
            self.asked.resize(self.count + more + 8, Asked::default());
        }
    }
    /// Adds something if it is wanted, without a branch; its place is any.
    ///
    /// # Panics
    /// Without room.
    #[inline(always)]
    pub fn add(&mut self, child: u16, what: u16, wanted: bool) {
        let asked = &mut self.asked[self.count];
        (asked.child, asked.what) = (child, what);
        self.count += usize::from(wanted);
    }
    /// Adds the things whose bits are set in `wanted`, lowest first, without a branch.
    ///
    /// # Panics
    /// Without room for eight.
    #[inline(always)]
    pub fn add_set(&mut self, child: u16, wanted: u8) {
        let numbers = NUMBERS[usize::from(wanted)];
        for (place, asked) in self.asked[self.count..][..8].iter_mut().enumerate() {
            (asked.child, asked.what) = (child, (numbers >> (8 * place) & 255) as u16);
        }
        self.count += wanted.count_ones() as usize;
    }
    /// All that is asked for.
    #[inline(always)]
    pub fn all(&mut self) -> &mut [Asked] {
        &mut self.asked[..self.count]
    }
    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}

/// Several children that are screened together: all slices are by number of the child.
#[derive(Debug)]
pub struct Screened<'a, S, C> {
    /// The children that are not cut yet, ascending.
    pub left: &'a [u16],
    /// The states.
    pub states: &'a [S],
    /// What they carry.
    pub carries: &'a mut [C],
    /// The limits.
    pub limits: &'a [Cost],
    /// Of a child that is cut a proven value above the limit; 0 at first.
    pub above: &'a mut [Cost],
    /// What was asked for, to be read; and then what is asked for next.
    pub batch: &'a mut Batch,
}

/// A lower bound on the cost to a goal, in two steps: [`Heuristic::child`] computes what a child carries and prefetches;
/// [`Heuristic::bound`] reads later.
///
/// Contract: never above the true cost (admissible). A smaller value keeps the answer right and makes the search do
/// more work. The laws are in [`testing::check_heuristic`](crate::testing::check_heuristic).
pub trait Heuristic<D: Domain>: Sync {
    /// What a node carries for the heuristic: partial indices, inherited values; `()` if nothing.
    type Carry: Clone + Send + Sync + std::fmt::Debug;

    /// True: [`Heuristic::child`] prefetches, so the staged expansion makes all children of a node before it reads
    /// any. [default: no]
    const PREFETCHES: bool = false;

    /// True: a child may be cut before all its reads, so the staged expansion calls [`Heuristic::screen`] between
    /// [`Heuristic::child`] and [`Heuristic::bound`]. [default: no]
    const SCREENS: bool = false;

    /// True: [`Heuristic::within`] is long, and is compiled in one place instead of once for each operator and operator before. [default: no]
    const LONG: bool = false;

    /// What the start state carries.
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry;

    /// What a child carries: arithmetic and prefetching only. `to` is already the successor of `from` by `op`.
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry;

    /// Reads the bound. Called once a child, in operator order, never for a child that the search did not reach.
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops>;

    /// [`Heuristic::child`] and [`Heuristic::bound`] in one: what the child carries and its bound, or, if that is above the limit, a proven value
    /// above it. A heuristic that can cut a child before it has made all that the child would carry does so here. The one-phase expansion
    /// calls nothing else. [default: one after the other]
    ///
    /// # Errors
    /// The value above the limit.
    #[inline(always)]
    fn within(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
        limit: Cost,
    ) -> Result<(Self::Carry, Verdict<D::Ops>), Cost> {
        let mut carry = self.child(domain, from, carry, op, to);
        let verdict = self.bound(domain, to, &mut carry, limit);
        if verdict.h > limit { Err(verdict.h) } else { Ok((carry, verdict)) }
    }

    /// Reads what [`Heuristic::child`] asked for: a proven value above the limit if that is enough to cut, else `None`, and then asks for
    /// what [`Heuristic::bound`] will read. The bound is the same with and without this call. [default: `None`]
    #[inline(always)]
    fn screen(&self, _: &D, _: &D::State, _: &mut Self::Carry, _limit: Cost) -> Option<Cost> {
        None
    }

    /// [`Heuristic::child`] for several children of one node, side by side: overwrites `carries[i]` with what `to[i]`, the successor by `ops[i]`,
    /// carries. All are of one length, and operators ascend. What [`Heuristic::screens`] is to read first may be added to `batch`, where these
    /// children are numbered from `first` on. [default: one after another]
    #[expect(
        clippy::too_many_arguments,
        reason = "those of `child`, and where to note what is asked for"
    )]
    #[inline(always)]
    fn children(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        ops: &[Op],
        to: &[D::State],
        carries: &mut [Self::Carry],
        first: u16,
        batch: &mut Batch,
    ) {
        let _ = (first, batch);
        for ((&op, to), child) in ops.iter().zip(to).zip(carries) {
            *child = self.child(domain, from, carry, op, to);
        }
    }

    /// [`Heuristic::screen`] for several children, side by side, in stages, as often as it says that there is more. Children are numbered as in
    /// [`Heuristic::children`]; where `above[i]` becomes greater than `limits[i]`, child `i` is cut and no longer among those that are left.
    /// [default: one after another, once]
    #[inline(always)]
    fn screens(
        &self,
        domain: &D,
        children: Screened<'_, D::State, Self::Carry>,
        stage: usize,
    ) -> bool {
        if !Self::SCREENS || stage > 0 {
            return false;
        }
        for child in children.left.iter().map(|&child| usize::from(child)) {
            let (state, carry) = (&children.states[child], &mut children.carries[child]);
            let above = self.screen(domain, state, carry, children.limits[child]);
            children.above[child] = above.unwrap_or(0);
        }
        true
    }

    /// True: the bound never falls by more than the cost of an operator. [default: not claimed]
    fn consistent(&self) -> bool {
        false
    }

    /// The bound of one state on its own.
    fn estimate(&self, domain: &D, state: &D::State) -> Cost {
        let mut carry = self.root(domain, state);
        self.bound(domain, state, &mut carry, Cost::MAX).h
    }
}

impl<D: Domain, H: Heuristic<D>> Heuristic<D> for &H {
    type Carry = H::Carry;
    const PREFETCHES: bool = H::PREFETCHES;
    const SCREENS: bool = H::SCREENS;
    const LONG: bool = H::LONG;
    #[inline(always)]
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        (**self).root(domain, state)
    }
    #[inline(always)]
    fn screen(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Option<Cost> {
        (**self).screen(domain, state, carry, limit)
    }
    #[inline(always)]
    fn children(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        ops: &[Op],
        to: &[D::State],
        carries: &mut [Self::Carry],
        first: u16,
        batch: &mut Batch,
    ) {
        (**self).children(domain, from, carry, ops, to, carries, first, batch);
    }
    #[inline(always)]
    fn screens(
        &self,
        domain: &D,
        children: Screened<'_, D::State, Self::Carry>,
        stage: usize,
    ) -> bool {
        (**self).screens(domain, children, stage)
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
        (**self).child(domain, from, carry, op, to)
    }
    #[inline(always)]
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        (**self).bound(domain, state, carry, limit)
    }
    #[inline(always)]
    fn within(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
        limit: Cost,
    ) -> Result<(Self::Carry, Verdict<D::Ops>), Cost> {
        (**self).within(domain, from, carry, op, to, limit)
    }
    fn consistent(&self) -> bool {
        (**self).consistent()
    }
}

/// Knows nothing. Admissible: yes (zero is below every cost). Consistent: yes (it never changes).
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<D: Domain> Heuristic<D> for Zero {
    type Carry = ();
    #[inline(always)]
    fn root(&self, _: &D, _: &D::State) {}
    #[inline(always)]
    fn child(&self, _: &D, _: &D::State, (): &(), _: Op, _: &D::State) {}
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, (): &mut (), _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(0)
    }
    fn consistent(&self) -> bool {
        true
    }
}
