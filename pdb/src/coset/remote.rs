//! Coset tables whose values are read elsewhere: [`RemoteCosets`].

use crate::table::StripeTable;
use crate::{EntryReader, EntryTable, TableEntry};
use search::{
    ChildBatch, Claims, Cost, Evaluation, FilterStage, Group, Heuristic, Op, OpSet, Survivors,
    TwoSided, TwoSidedState, Verdict,
};

/// A side of a state that a coset heuristic reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosetSide {
    /// The number of the table.
    pub table: usize,
    /// The number of the side: `2 v` is the position in view `v`, `2 v + 1` its inverse.
    pub side: usize,
    /// The number of the first bit of the side's entry.
    pub place: u64,
}

/// A heuristic of coset tables that can get its values from an [`EntryReader`].
///
/// Contract: [`Heuristic::root`], [`Heuristic::child`] and [`Heuristic::child_batch`] read no
/// value. [`Heuristic::bound`] reads none for a state with no next side.
pub trait CosetTables<D: Group>: Heuristic<TwoSided<D>> {
    /// The tables.
    fn tables(&self) -> Vec<&StripeTable>;
    /// The side that [`Heuristic::bound`] reads next. `None` if it reads no more.
    fn next_side(
        &self,
        state: &TwoSidedState<D::State>,
        carry: &Self::Carry,
        limit: Cost,
    ) -> Option<CosetSide>;
    /// Takes the value of a side.
    fn know(&self, carry: &mut Self::Carry, side: CosetSide, value: Cost);
    /// [`Heuristic::filter_batch`] with values from `reader`.
    fn filter_by(
        &self,
        reader: &dyn EntryReader,
        children: Survivors<'_, TwoSidedState<D::State>, Self::Carry>,
        stage: usize,
    ) -> FilterStage;
}

/// A heuristic of coset tables that gets its values from an [`EntryReader`], for many states at a
/// time.
///
/// It inherits values, reads sides, cuts and excludes operators as the heuristic in memory.
///
/// Admissible: as the heuristic in memory.
pub struct RemoteCosets<'a, H> {
    cosets: &'a H,
    reader: &'a dyn EntryReader,
}

impl<H: std::fmt::Debug> std::fmt::Debug for RemoteCosets<'_, H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteCosets").field("cosets", &self.cosets).finish_non_exhaustive()
    }
}

impl<'a, H> RemoteCosets<'a, H> {
    /// Gives the tables of `cosets` to `reader`.
    pub fn open<D: Group>(cosets: &H, reader: &dyn EntryReader)
    where
        H: CosetTables<D>,
    {
        reader.open(cosets.tables().into_iter().cloned().map(EntryTable::Stripes).collect());
    }

    /// Reads the values of `cosets` by `reader`, which has the tables ([`RemoteCosets::open`]).
    pub fn new(cosets: &'a H, reader: &'a dyn EntryReader) -> Self {
        Self { cosets, reader }
    }

    fn read(&self, sides: &[CosetSide]) -> Vec<Cost> {
        let entry =
            |&CosetSide { table, place, .. }: &CosetSide| TableEntry { table, entry: place };
        let entries: Vec<_> = sides.iter().map(entry).collect();
        let mut values = vec![0; entries.len()];
        self.reader.read(&entries, &mut values);
        values
    }
}

impl<D: Group, H: CosetTables<D>> Heuristic<TwoSided<D>> for RemoteCosets<'_, H> {
    type Carry = H::Carry;
    const CLAIMS: Claims = H::CLAIMS;
    const EVALUATION: Evaluation = Evaluation::REMOTE;

    fn root(&self, domain: &TwoSided<D>, state: &TwoSidedState<D::State>) -> H::Carry {
        self.cosets.root(domain, state)
    }
    fn child(
        &self,
        domain: &TwoSided<D>,
        from: &TwoSidedState<D::State>,
        carry: &H::Carry,
        op: Op,
        to: &TwoSidedState<D::State>,
    ) -> H::Carry {
        self.cosets.child(domain, from, carry, op, to)
    }
    fn child_batch<'b>(
        &self,
        domain: &TwoSided<D>,
        from: impl Fn(usize) -> (&'b TwoSidedState<D::State>, &'b H::Carry),
        made: ChildBatch<'_, TwoSidedState<D::State>, H::Carry>,
    ) {
        self.cosets.child_batch(domain, from, made);
    }
    fn filter_batch(
        &self,
        _: &TwoSided<D>,
        children: Survivors<'_, TwoSidedState<D::State>, H::Carry>,
        stage: usize,
    ) -> FilterStage {
        self.cosets.filter_by(self.reader, children, stage)
    }
    /// Reads one side of each child, in the order of `bound`.
    fn bound_batch(
        &self,
        _: &TwoSided<D>,
        children: Survivors<'_, TwoSidedState<D::State>, H::Carry>,
        _stage: usize,
    ) -> FilterStage {
        let Survivors { left, states, carries, slack, .. } = children;
        let (mut sides, mut asked) = (Vec::new(), Vec::new());
        for child in left.iter().map(|&child| usize::from(child)) {
            let limit = slack[child].limit;
            if let Some(side) = self.cosets.next_side(&states[child], &carries[child], limit) {
                sides.push(side);
                asked.push(child);
            }
        }
        if sides.is_empty() {
            return FilterStage::Done;
        }
        for ((child, &side), value) in asked.into_iter().zip(&sides).zip(self.read(&sides)) {
            self.cosets.know(&mut carries[child], side, value);
            slack[child].proven = slack[child].proven.max(value);
        }
        FilterStage::Cuts
    }
    fn bound(
        &self,
        domain: &TwoSided<D>,
        state: &TwoSidedState<D::State>,
        carry: &mut H::Carry,
        limit: Cost,
    ) -> Verdict<<D::Ops as OpSet>::Double> {
        while let Some(side) = self.cosets.next_side(state, carry, limit) {
            let value = self.read(&[side])[0];
            self.cosets.know(carry, side, value);
            if value > limit {
                return Verdict::bound(value);
            }
        }
        self.cosets.bound(domain, state, carry, limit)
    }
}
