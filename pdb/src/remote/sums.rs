//! Sums of values that stand in tables: [`TableMembers`].

use super::{EntryTable, Lookups, Source, TableEntry};
use search::{Cost, MaxOfSums, Members, Op, Partitioned, Verdict};

/// Members of sums whose values stand in tables, so that they may be read elsewhere.
///
/// Contract: the bound of [`Members::root`] is [`TableMembers::value_of`] the entry.
pub trait TableMembers<D: Partitioned>: Members<D> {
    /// The tables.
    fn tables(&self) -> Vec<EntryTable>;
    /// The number of tables.
    fn table_count(&self) -> usize;
    /// Where the value of a member stands.
    fn entry(&self, index: &Self::Index, member: usize) -> TableEntry;
    /// The value of a member, from the value of its entry.
    fn value_of(&self, index: &Self::Index, member: usize, entry: Cost) -> Cost;
}

/// A child has the values of its parent, but for the members that charge the moved feature. Its
/// bound reads these.
impl<D, M, const REGISTERS: usize, const MEMBERS: usize> Lookups<D>
    for MaxOfSums<M, M::Lookup, REGISTERS, MEMBERS>
where
    D: Partitioned,
    M: TableMembers<D>,
{
    fn tables(&self) -> Vec<EntryTable> {
        self.members().tables()
    }
    fn table_count(&self) -> usize {
        self.members().table_count()
    }
    fn root_from(&self, domain: &D, state: &D::State) -> Self::Carry {
        self.unread_root(domain, state)
    }
    fn child_from(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        _: &D::State,
    ) -> Self::Carry {
        self.unread_child(domain, from, carry, op)
    }
    /// Takes one member after another if it may cut early, else all together.
    fn bound_from(
        &self,
        _: &D,
        _: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<D::Ops>> {
        let (members, early) = (self.members(), source.is_early());
        let read = |index: &M::Index, member| {
            let entry = source.take(&mut || members.entry(index, member))?;
            Some(members.value_of(index, member, entry))
        };
        MaxOfSums::bound_from(self, carry, limit, early, read).map(Verdict::bound)
    }
}
