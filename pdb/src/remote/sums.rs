//! Sums of values that stand in tables: [`EntrySums`].

use super::{EntryTable, Lookups, Source, TableEntry};
use search::{
    Claims, Cost, Evaluation, Heuristic, MaxOfSums, Members, Op, Partitioned, SumValues, Verdict,
};
use smallvec::SmallVec;
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

/// A [`MaxOfSums`] whose members name their entries, for [`Remote`](super::Remote).
///
/// A child has the values of its parent, but for the members that charge the moved feature. Its
/// bound reads these. In memory [`MaxOfSums`] with [`search::AdditiveBounds`] is far faster.
///
/// Admissible: as [`MaxOfSums`].
pub struct EntrySums<M: Members, const REGISTERS: usize, const MEMBERS: usize> {
    sums: MaxOfSums<M, REGISTERS, MEMBERS>,
    tables: Vec<EntryTable>,
}

impl<M: Members, const REGISTERS: usize, const MEMBERS: usize> Debug
    for EntrySums<M, REGISTERS, MEMBERS>
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EntrySums").field("members", &self.sums.count()).finish_non_exhaustive()
    }
}

/// The members whose values are not those of the state yet.
#[derive(Clone, Copy, Debug)]
enum Unread {
    All,
    /// The members that charge a feature.
    Charging(usize),
    None,
}

/// The data that a search carries for a node.
#[derive(Clone, Debug)]
pub struct EntrySumsCarry<I, const REGISTERS: usize, const MEMBERS: usize> {
    index: I,
    sums: SumValues<REGISTERS, MEMBERS>,
    unread: Unread,
}

impl<M: Members, const REGISTERS: usize, const MEMBERS: usize> EntrySums<M, REGISTERS, MEMBERS> {
    /// The sums, with the tables of their members.
    pub fn new<D: Partitioned>(_: &D, sums: MaxOfSums<M, REGISTERS, MEMBERS>) -> Self
    where
        M: RemoteMembers<D>,
    {
        let tables = sums.members().tables();
        Self { sums, tables }
    }
}

impl<D, M, const REGISTERS: usize, const MEMBERS: usize> Heuristic<D>
    for EntrySums<M, REGISTERS, MEMBERS>
where
    D: Partitioned,
    M: RemoteMembers<D>,
{
    type Carry = EntrySumsCarry<M::Index, REGISTERS, MEMBERS>;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    const EVALUATION: Evaluation = Evaluation::STAGED;

    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        let index = self.sums.members().index(domain, state);
        EntrySumsCarry { index, sums: self.sums.sums(&[]), unread: Unread::All }
    }
    fn child(
        &self,
        domain: &D,
        from: &D::State,
        carry: &Self::Carry,
        op: Op,
        to: &D::State,
    ) -> Self::Carry {
        let index = self.sums.members().index(domain, to);
        let unread = match carry.unread {
            Unread::None => Unread::Charging(domain.mover(from, op)),
            _ => Unread::All,
        };
        EntrySumsCarry { index, sums: carry.sums.clone(), unread }
    }
    fn bound(
        &self,
        domain: &D,
        state: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
    ) -> Verdict<D::Ops> {
        let verdict = self.bound_from(domain, state, carry, limit, &mut &self.tables[..]);
        verdict.unwrap_or(Verdict::bound(0))
    }
}

impl<D, M, const REGISTERS: usize, const MEMBERS: usize> Lookups<D>
    for EntrySums<M, REGISTERS, MEMBERS>
where
    D: Partitioned,
    M: RemoteMembers<D>,
{
    fn tables(&self) -> Vec<EntryTable> {
        self.tables.clone()
    }
    fn table_count(&self) -> usize {
        self.tables.len()
    }
    /// Takes one member after another if it may cut early, else all at once.
    fn bound_from(
        &self,
        _: &D,
        _: &D::State,
        carry: &mut Self::Carry,
        limit: Cost,
        source: &mut dyn Source,
    ) -> Option<Verdict<D::Ops>> {
        let members = self.sums.members();
        let EntrySumsCarry { index, sums, unread } = carry;
        let unread_members: SmallVec<[usize; 64]> = match *unread {
            Unread::All => (0..self.sums.count()).collect(),
            Unread::Charging(mover) => {
                (0..).map_while(|place| self.sums.charging(mover, place)).collect()
            }
            Unread::None => SmallVec::new(),
        };
        let entry = |&member: &usize| members.entry(index, member);
        let early = source.is_early() && matches!(unread, Unread::Charging(_));
        if !early {
            let entries: SmallVec<[TableEntry; 64]> = unread_members.iter().map(entry).collect();
            source.take_all(&entries)?;
        }
        for member in &unread_members {
            let value = members.bound_of(index, *member, source.take(entry(member))?);
            let limit = if early { limit } else { Cost::MAX };
            if let Some(bound) = self.sums.change(sums, *member, value, limit) {
                return Some(Verdict::bound(bound));
            }
        }
        *unread = Unread::None;
        Some(Verdict::bound(sums.most()))
    }
}
