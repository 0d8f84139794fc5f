//! Distances modulo 3 in two bits an entry, [`Modulo3`], and the walk that makes exact distances and plans of them, [`DescentWalk`].
//!
//! Where every edge costs 1 and has its reverse, the distances of neighbours differ by at most one, so their remainders modulo 3 tell
//! which one is nearer. A walk that always goes nearer ends at a goal, and its length is the distance; from there on a search knows the
//! distance of every neighbour by one read. After Gene Cooperman and Larry Finkelstein, "New methods for using Cayley graphs in
//! interconnection networks", Discrete Applied Mathematics 37/38 (1992).

use crate::abstraction::{Abstraction, ColumnMap, Edge, Indexer};
use crate::builder::{BuildError, BuildOptions};
use crate::file::TableSpec;
use crate::layers::{ExhaustError, ExhaustOptions, residues};
use crate::memory::Bytes;
use search::{Cost, Domain, Heuristic, Op, OpSet, Plan, Verdict};

/// A read-only table of distances modulo 3.
///
/// Entry `e` in bits `2 (e % 4)` and up of byte `e / 4`: 0 to 2 are remainders, 3 means that no goal is reached. `entries` rounded up to a
/// multiple of four, a quarter of it, bytes; what is beyond the last entry is 3. Clones share the bytes.
#[derive(Clone, Debug)]
pub struct Modulo3 {
    bytes: Bytes,
    entries: u64,
}

impl Modulo3 {
    /// The name of this encoding in table files.
    pub const ENCODING: &'static str = "modulo-3";
    /// What stands for an entry that no goal is reached from.
    pub const UNREACHED: u8 = 3;

    /// Bytes that a table of this many entries takes.
    pub const fn bytes_for(entries: u64) -> u64 {
        entries.div_ceil(4)
    }

    /// What the file of such a table holds.
    pub fn spec(
        name: impl Into<String>,
        description: serde_json::Value,
        entries: u64,
    ) -> TableSpec {
        TableSpec {
            name: name.into(),
            description,
            encoding: Self::ENCODING.to_owned(),
            entries,
            payload_bytes: Self::bytes_for(entries),
        }
    }

    /// A table over bytes that are laid out as described at the type, such as a loaded payload. `None` if they are not
    /// [`Modulo3::bytes_for`] many.
    pub fn new(bytes: Bytes, entries: u64) -> Option<Self> {
        (bytes.len() as u64 == Self::bytes_for(entries)).then_some(Self { bytes, entries })
    }

    /// Builds the table of an undirected abstraction of unit costs, in its own memory: [`residues`], which also counts.
    ///
    /// # Errors
    /// No memory, cancelled, an impossible shape, a cost that is not 1, or an abstraction that is not
    /// [undirected](Abstraction::undirected).
    pub fn build<A: Abstraction>(
        abstraction: &A,
        options: &BuildOptions,
    ) -> Result<Self, BuildError> {
        let options = ExhaustOptions { build: *options, ..ExhaustOptions::default() };
        match residues(abstraction, &options) {
            Ok((_, table)) => Ok(table),
            Err(ExhaustError::Build(error)) => Err(error),
            Err(ExhaustError::Weighted { .. }) => Err(BuildError::Costs),
            Err(error) => Err(BuildError::Refused(error.to_string())),
        }
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The packed bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of the table, to keep.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The distance of an entry modulo 3, or [`Modulo3::UNREACHED`].
    ///
    /// # Panics
    /// If the entry's byte is outside the table.
    #[inline(always)]
    pub fn get(&self, entry: u64) -> u8 {
        let byte = usize::try_from(entry / 4).unwrap_or(usize::MAX);
        self.bytes[byte] >> (2 * (entry % 4)) & 3
    }

    /// How many entries have each distance, from 0 to the greatest, as the remainders say: a flood from the goals along the edges of the
    /// abstraction that the table was built for. A byte an entry while it lasts.
    pub fn counts<A: Abstraction>(&self, abstraction: &A) -> Vec<u64> {
        let columns = abstraction.columns();
        let size = usize::try_from(self.entries).unwrap_or(usize::MAX);
        let place = |entry| usize::try_from(entry).unwrap_or(usize::MAX);
        let (mut distances, mut goals) = (vec![Cost::MAX; size], Vec::new());
        abstraction.goals(&mut goals);
        goals.iter().for_each(|&goal| distances[place(goal)] = 0);
        let (mut counts, mut edges) = (Vec::new(), Vec::new());
        for depth in 0..Cost::MAX {
            let wanted = (depth + 1) % 3;
            for row in 0..abstraction.rows() {
                let from = place(row) * columns;
                let here = |column: &usize| distances[from + column] == depth;
                let at: Vec<usize> = (0..columns).filter(here).collect();
                edges.clear();
                if !at.is_empty() {
                    abstraction.edges(row, &mut edges);
                }
                for edge in &edges {
                    let map = ColumnMap::of(abstraction, edge.map);
                    for &column in &at {
                        let to = place(edge.row) * columns + map.to(column);
                        if distances[to] == Cost::MAX && self.get(to as u64) == wanted {
                            distances[to] = depth + 1;
                        }
                    }
                }
            }
            match distances.iter().filter(|&&distance| distance == depth).count() {
                0 => break,
                count => counts.push(count as u64),
            }
        }
        counts
    }

    /// The distance of an entry of the abstraction that the table was built for, by a walk from neighbour to nearer neighbour. None if no goal is
    /// reached from it, or the table is that of another abstraction.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn distance(&self, abstraction: &impl Abstraction, entry: u64) -> Option<u64> {
        self.walk(abstraction, &goals(abstraction), entry, &mut Vec::new())
    }

    /// The entries at a distance, ascending, each by a walk as for [`Modulo3::distance`].
    pub fn at_distance(
        &self,
        abstraction: &impl Abstraction,
        distance: u64,
    ) -> impl Iterator<Item = u64> {
        let (goals, mut edges) = (goals(abstraction), Vec::new());
        (0..self.entries).filter(move |&entry| {
            u64::from(self.get(entry)) == distance % 3
                && self.walk(abstraction, &goals, entry, &mut edges) == Some(distance)
        })
    }

    fn walk(
        &self,
        abstraction: &impl Abstraction,
        goals: &[u64],
        mut entry: u64,
        edges: &mut Vec<Edge>,
    ) -> Option<u64> {
        let columns = abstraction.columns() as u64;
        let mut code = self.get(entry);
        if code == Self::UNREACHED {
            return None;
        }
        for steps in 0..self.entries {
            if goals.binary_search(&entry).is_ok() {
                return Some(steps);
            }
            code = (code + 2) % 3;
            let column = usize::try_from(entry % columns).ok()?;
            edges.clear();
            abstraction.edges(entry / columns, edges);
            let target = |edge: &Edge| {
                edge.row * columns + ColumnMap::of(abstraction, edge.map).to(column) as u64
            };
            entry = edges.iter().map(target).find(|&next| self.get(next) == code)?;
        }
        None
    }
}

fn goals(abstraction: &impl Abstraction) -> Vec<u64> {
    let mut goals = Vec::new();
    abstraction.goals(&mut goals);
    goals.sort_unstable();
    goals
}

/// An indexer and a table of remainders: exact distances of the abstraction, by a walk at the root and one read a child.
///
/// For domains whose operators all cost 1 and have one that undoes them, and an abstraction whose edges are the images of all
/// operators. Admissible: yes (the distances of an abstraction never exceed those of the domain). Consistent: yes (both ways by 1 at the most).
/// Where the abstraction tells all states apart the bound is the true cost, and a search with it goes straight to a goal.
#[derive(Clone, Debug)]
pub struct DescentWalk<I> {
    indexer: I,
    table: Modulo3,
}

/// Where a walk is: the index of a state, and the distance of it or, before [`Heuristic::bound`] read it, of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescentPosition<T> {
    index: T,
    /// [`Cost::MAX`] where no goal is reached.
    distance: Cost,
}

impl<I> DescentWalk<I> {
    /// The heuristic of an indexer and the table built for its abstraction.
    pub fn new(indexer: I, table: Modulo3) -> Self {
        Self { indexer, table }
    }

    /// The indexer.
    pub fn indexer(&self) -> &I {
        &self.indexer
    }

    /// The table.
    pub fn table(&self) -> &Modulo3 {
        &self.table
    }

    /// The first plan in operator order that always goes nearer: a plan of the domain if the abstraction tells all states apart, and then
    /// an optimal one. `None` if no goal is reached. Reads one entry an operator and step.
    pub fn plan<D: Domain>(&self, domain: &D, state: &D::State) -> Option<Plan>
    where
        I: Indexer<D>,
    {
        let mut index = self.indexer.index(domain, state);
        let (mut state, mut next) = (state.clone(), state.clone());
        let mut code = self.table.get(self.indexer.entry(index));
        if code == Modulo3::UNREACHED {
            return None;
        }
        let mut plan = Plan::new();
        loop {
            let nearer = (code + 2) % 3;
            let step = domain.applicable(&state).members().find_map(|op| {
                domain.apply_into(&state, op, &mut next);
                let at = self.indexer.advance(domain, &state, index, op, &next);
                (self.table.get(self.indexer.entry(at)) == nearer).then_some((op, at))
            });
            // Only a goal has no neighbour that is nearer: those at distance 1 have the remainder 1, and it looks for 2.
            let Some((op, at)) = step else { return Some(plan) };
            plan.push(op);
            std::mem::swap(&mut state, &mut next);
            (index, code) = (at, nearer);
        }
    }
}

impl<D: Domain, I: Indexer<D>> Heuristic<D> for DescentWalk<I> {
    type Carry = DescentPosition<I::Index>;
    fn root(&self, domain: &D, state: &D::State) -> Self::Carry {
        let plan = self.plan(domain, state);
        let distance = plan.and_then(|plan| Cost::try_from(plan.len()).ok()).unwrap_or(Cost::MAX);
        DescentPosition { index: self.indexer.index(domain, state), distance }
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
        DescentPosition { index: self.indexer.advance(domain, from, carry.index, op, to), ..*carry }
    }
    #[inline(always)]
    fn bound(&self, _: &D, _: &D::State, carry: &mut Self::Carry, _: Cost) -> Verdict<D::Ops> {
        if carry.distance != Cost::MAX {
            let code = self.table.get(self.indexer.entry(carry.index));
            // The remainder that the parent has, one more, or one less: its distance too.
            match (code + 3 - carry.distance % 3) % 3 {
                0 => {}
                1 => carry.distance += 1,
                _ => carry.distance -= 1,
            }
        }
        Verdict::bound(carry.distance)
    }
    fn consistent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::build;
    use crate::memory::BytesMut;
    use crate::nibbles::{Nibbles, UNREACHED};
    use crate::testing::{Ring, Tracked, check_abstraction};
    use search::testing::{Distances, check_heuristic};
    use search::{NoPruning, Options, Zero, ida_star};

    /// Every state of this ring, which has no disc that is not tracked.
    fn all() -> (Ring, Tracked, Nibbles, Modulo3) {
        let ring = Ring::new(5, 2, 2);
        let tracked = Tracked::new(ring, 5);
        let exact = build(&tracked, &BuildOptions::default()).expect("built");
        let table = Modulo3::build(&tracked, &BuildOptions::default()).expect("built");
        (ring, tracked, exact, table)
    }

    #[test]
    fn remainders_are_those_of_exact_distances() {
        for tracked in [all().1, Tracked::new(Ring::new(9, 3, 4), 3)] {
            let exact = build(&tracked, &BuildOptions::default()).expect("built");
            let table = Modulo3::build(&tracked, &BuildOptions::default()).expect("built");
            assert_eq!(table.entries(), exact.entries());
            for entry in 0..table.bytes().len() as u64 * 4 {
                let distance = (entry < exact.entries()).then(|| exact.get(entry));
                let distance = distance.filter(|&distance| distance != UNREACHED);
                let remainder = distance.map_or(Modulo3::UNREACHED, |distance| distance % 3);
                assert_eq!(table.get(entry), remainder, "entry {entry}");
                if entry < exact.entries() {
                    assert_eq!(table.distance(&tracked, entry), distance.map(u64::from));
                }
            }
            assert_eq!(table.counts(&tracked), exact.histogram().counts);
        }
    }

    #[test]
    fn a_walk_is_as_long_as_the_distance() {
        let (ring, tracked, exact, table) = all();
        let walk = DescentWalk::new(tracked, table);
        let distances = Distances::from_goals(&ring, &[ring.sorted()], 20);
        check_heuristic(&ring, &walk, &distances).expect("lawful");
        let read = |entry| if exact.get(entry) == UNREACHED { Cost::MAX } else { exact.get(entry) };
        check_abstraction(&ring, walk.indexer(), walk.indexer(), &read, &[ring.sorted()], 10_000)
            .expect("lawful");
        for ops in [[0, 4, 1, 5, 2, 3, 0], [3, 0, 3, 1, 4, 2, 5], [5, 5, 2, 2, 4, 0, 4]] {
            let (mut state, mut next) = (ring.sorted(), ring.sorted());
            for op in ops {
                ring.apply_into(&state, Op(op), &mut next);
                state = next;
            }
            let options = Options::default();
            let blind = ida_star(&ring, &Zero, &NoPruning, &state, &options);
            let plan = walk.plan(&ring, &state).expect("reached");
            assert_eq!(plan.len(), usize::from(blind.lower_bound));
            let walked = ida_star(&ring, &walk, &NoPruning, &state, &options);
            assert_eq!(walked.plan(), Some(&plan));
            assert_eq!(walked.iterations.len(), 1, "the first bound is right");
            let end = plan.iter().fold(state, |state, &op| {
                let mut next = state;
                ring.apply_into(&state, op, &mut next);
                next
            });
            assert!(ring.is_goal(&end));
        }
    }

    #[test]
    fn what_reaches_no_goal_is_a_dead_end() {
        let (ring, tracked, exact, table) = all();
        let mut bytes = BytesMut::zeroed(table.bytes().len()).expect("memory");
        bytes.as_mut_slice().fill(0xff);
        let table = Modulo3::new(bytes.freeze(), exact.entries()).expect("fits");
        let walk = DescentWalk::new(tracked, table);
        assert_eq!(walk.plan(&ring, &ring.sorted()), None);
        assert_eq!(walk.estimate(&ring, &ring.sorted()), Cost::MAX);
        let bytes = walk.table().clone().into_bytes();
        assert!(Modulo3::new(bytes, exact.entries() + 4).is_none());
    }
}
