//! Sums of values that stand in tables: [`RemoteSums`].

use super::{EntryReader, EntryTable, TableEntry};
use search::{
    ChildBatch, Claims, Cost, Evaluation, FilterStage, Heuristic, MaxOfSums, Members, Op,
    Partitioned, SumValues, Survivors, Verdict,
};
use std::fmt::Debug;

/// Members of sums whose bounds stand in tables.
///
/// Contract: the bounds are those of the members in memory ([`search::AdditiveBounds`]).
pub trait RemoteMembers<D: Partitioned>: Members {
    /// What says where the values of a state stand.
    type Index: Clone + Send + Sync + Debug + 'static;
    /// The tables.
    fn tables(&self) -> Vec<EntryTable>;
    /// The index of a state.
    fn index(&self, domain: &D, state: &D::State) -> Self::Index;
    /// Where the value of a member stands.
    fn entry(&self, index: &Self::Index, member: usize) -> TableEntry;
    /// The bound of a member, from the value of its entry.
    fn bound_of(&self, index: &Self::Index, member: usize, value: Cost) -> Cost;
}

/// A [`MaxOfSums`] that gets its values from an [`EntryReader`], for many states at a time.
///
/// A child has the values of its parent, but for the members that charge the moved feature. These
/// are read one after another, as in memory, each for all children that the ones before did not
/// cut.
///
/// Admissible: as [`MaxOfSums`].
pub struct RemoteSums<'a, M: Members, const REGISTERS: usize, const MEMBERS: usize> {
    sums: &'a MaxOfSums<M, REGISTERS, MEMBERS>,
    reader: &'a dyn EntryReader,
}

impl<M: Members, const REGISTERS: usize, const MEMBERS: usize> Debug
    for RemoteSums<'_, M, REGISTERS, MEMBERS>
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteSums").field("members", &self.sums.count()).finish_non_exhaustive()
    }
}

/// The data that a search carries for a node.
#[derive(Clone, Debug)]
pub struct RemoteSumsCarry<I, const REGISTERS: usize, const MEMBERS: usize> {
    index: I,
    /// All values, as far as they are read.
    sums: SumValues<REGISTERS, MEMBERS>,
    /// The feature that moved.
    mover: usize,
}

impl<'a, M: Members, const REGISTERS: usize, const MEMBERS: usize>
    RemoteSums<'a, M, REGISTERS, MEMBERS>
{
    /// Reads the values of `sums` by `reader`, which gets the tables here.
    pub fn new<D: Partitioned>(
        _: &D,
        sums: &'a MaxOfSums<M, REGISTERS, MEMBERS>,
        reader: &'a dyn EntryReader,
    ) -> Self
    where
        M: RemoteMembers<D>,
    {
        reader.open(sums.members().tables());
        Self { sums, reader }
    }

    fn read(&self, entries: &[TableEntry]) -> Vec<Cost> {
        let mut values = vec![0; entries.len()];
        self.reader.read(entries, &mut values);
        values
    }

    /// Reads the next member of each child. `limit` says what a child may cost.
    fn stage<D: Partitioned>(
        &self,
        children: Survivors<'_, D::State, RemoteSumsCarry<M::Index, REGISTERS, MEMBERS>>,
        stage: usize,
        limit: impl Fn(Cost) -> Cost,
    ) -> FilterStage
    where
        M: RemoteMembers<D>,
    {
        let Survivors { left, carries, slack, .. } = children;
        let (mut entries, mut asked) = (Vec::new(), Vec::new());
        for child in left.iter().map(|&child| usize::from(child)) {
            let RemoteSumsCarry { index, mover, .. } = &carries[child];
            if let Some(member) = self.sums.charging(*mover, stage) {
                entries.push(self.sums.members().entry(index, member));
                asked.push((child, member));
            }
        }
        if entries.is_empty() {
            return FilterStage::Done;
        }
        for ((child, member), value) in asked.into_iter().zip(self.read(&entries)) {
            let RemoteSumsCarry { index, sums, .. } = &mut carries[child];
            let value = self.sums.members().bound_of(index, member, value);
            let limit = limit(slack[child].limit);
            if let Some(bound) = self.sums.change(sums, member, value, limit) {
                slack[child].proven = bound;
            }
        }
        FilterStage::Cuts
    }
}

impl<D, M, const REGISTERS: usize, const MEMBERS: usize> Heuristic<D>
    for RemoteSums<'_, M, REGISTERS, MEMBERS>
where
    D: Partitioned,
    M: RemoteMembers<D>,
{
    type Carry = RemoteSumsCarry<M::Index, REGISTERS, MEMBERS>;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::REMOTE;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        let (members, count) = (self.sums.members(), self.sums.count());
        let index = members.index(domain, state);
        let entries: Vec<_> = (0..count).map(|member| members.entry(&index, member)).collect();
        let values = self.read(&entries).into_iter().enumerate();
        let values: Vec<Cost> =
            values.map(|(member, value)| members.bound_of(&index, member, value)).collect();
        RemoteSumsCarry { index, sums: self.sums.sums(&values), mover: 0 }
    }
    fn child(
        &self,
        domain: &D,
        _: &D::State,
        _: &Self::Carry,
        _: Op,
        to: &D::State,
    ) -> Self::Carry {
        self.root(domain, to)
    }
    fn child_batch<'a>(
        &self,
        domain: &D,
        from: impl Fn(usize) -> (&'a D::State, &'a Self::Carry),
        made: ChildBatch<'_, D::State, Self::Carry>,
    ) {
        let children = made.ops.iter().zip(made.states).zip(made.carries);
        for (child, ((&op, to), carry)) in children.enumerate() {
            let (state, RemoteSumsCarry { sums, .. }) = from(child);
            let (index, sums) = (self.sums.members().index(domain, to), sums.clone());
            *carry = RemoteSumsCarry { index, sums, mover: domain.mover(state, op) };
        }
    }
    fn filter_batch(
        &self,
        _: &D,
        children: Survivors<'_, D::State, Self::Carry>,
        stage: usize,
    ) -> FilterStage {
        self.stage::<D>(children, stage, |limit| limit)
    }
    /// Cuts nothing before all members are read, for `bound` gives the greatest sum.
    fn bound_batch(
        &self,
        _: &D,
        children: Survivors<'_, D::State, Self::Carry>,
        stage: usize,
    ) -> FilterStage {
        self.stage::<D>(children, stage, |_| Cost::MAX)
    }
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, _: Cost) -> Verdict<D::Ops> {
        Verdict::bound(carry.sums.most())
    }
}
