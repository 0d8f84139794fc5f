//! Distances modulo 3 in two bits an entry: [`Modulo3`].
//!
//! If every edge costs 1 and has its reverse, the distances of neighbours differ by at most one. So
//! their remainders modulo 3 tell which neighbour is nearer to the goal. A walk to nearer
//! neighbours ends at a goal, and its length is the distance.
//!
//! Gene Cooperman and Larry Finkelstein, "New methods for using Cayley graphs in interconnection
//! networks", Discrete Applied Mathematics 37/38, 1992.

use super::PackedTable;
use crate::abstraction::{Abstraction, Edge};
use crate::builder::{BuildError, BuildOptions, TeamDistances, entries_of, fill_bytes, of_team};
use crate::file::Payload;
use crate::layers::{ExhaustError, ExhaustOptions, ExhaustReport, exhaust_codes};
use crate::memory::Bytes;
use crate::prove::{Unproved, prove_layers};
use search::{CancelToken, Cost};

/// A read-only table of distances modulo 3: a [`PackedTable`] of 2 bits.
///
/// The value 3 means that no goal is reached. It also fills the unused bits after the last entry.
#[derive(Clone, Debug)]
pub struct Modulo3(PackedTable);

impl Modulo3 {
    /// The value of an entry that reaches no goal.
    pub const UNREACHED: u8 = 3;

    /// Size of a table in bytes.
    pub const fn bytes_for(entries: u64) -> u64 {
        PackedTable::bytes_for(2, entries)
    }

    /// Encoding and size of a table in its file.
    pub fn payload(entries: u64) -> Payload {
        Payload { encoding: "modulo-3".to_owned(), entries, bytes: Self::bytes_for(entries) }
    }

    /// A table over bytes in the layout of this type, such as a loaded payload. `None` if their
    /// number is not [`Modulo3::bytes_for`].
    pub fn new(bytes: Bytes, entries: u64) -> Option<Self> {
        PackedTable::new(bytes, 2, entries).map(Self)
    }

    /// Prefetches the cache line of an entry.
    #[inline(always)]
    pub fn prefetch(&self, entry: u64) {
        self.0.prefetch(entry);
    }

    /// Builds the table. The abstraction must be [undirected](Abstraction::undirected), and its
    /// edges must all cost 1. Memory: [`bytes_needed`](crate::layers::bytes_needed), little more
    /// than the table.
    ///
    /// [`residues`] does the same, and also returns the number of entries at each distance.
    ///
    /// # Errors
    /// If the abstraction is directed, or an edge does not cost 1. Otherwise as [`residues`].
    pub fn build(
        abstraction: &dyn Abstraction,
        options: &BuildOptions,
    ) -> Result<Self, BuildError> {
        if let Some(team) = options.team {
            let exact = of_team(team, abstraction, TeamDistances::exact(8), options)?;
            return Self::from_exact(abstraction, &exact);
        }
        let options = ExhaustOptions { build: *options, ..ExhaustOptions::default() };
        match residues(abstraction, &options) {
            Ok((_, table)) => Ok(table),
            Err(ExhaustError::Build(error)) => Err(error),
            Err(ExhaustError::Weighted { .. }) => Err(BuildError::Costs),
            Err(error) => Err(BuildError::Refused(error.to_string())),
        }
    }

    /// The remainders of a table of exact distances, as [`Modulo3::build`] makes them. Time: one
    /// pass over the table, and the edges of every row.
    ///
    /// # Errors
    /// If the abstraction is directed, an edge does not cost 1, or the table has another number of
    /// entries. Also if memory is short.
    pub fn from_exact(
        abstraction: &dyn Abstraction,
        exact: &PackedTable,
    ) -> Result<Self, BuildError> {
        let entries = entries_of(abstraction)?;
        if entries != exact.entries() {
            let found = exact.entries();
            let text = format!("the table has {found} entries, its abstraction has {entries}");
            return Err(BuildError::Refused(text));
        }
        Self::check_undirected(abstraction)?;
        let mut edges = Vec::new();
        for row in 0..abstraction.rows() {
            edges.clear();
            abstraction.edges(row, &mut edges);
            if edges.iter().any(|edge| edge.cost != 1) {
                return Err(BuildError::Costs);
            }
        }
        let bytes = fill_bytes(Self::bytes_for(entries), |place| {
            Self::byte_of([0, 1, 2, 3].map(|slot| {
                let entry = 4 * place + slot;
                if entry < entries { exact.get(entry) } else { Cost::MAX }
            }))
        })?;
        Ok(Self::new(bytes, entries).expect("made to fit"))
    }

    pub(crate) fn check_undirected(abstraction: &dyn Abstraction) -> Result<(), BuildError> {
        let directed = || BuildError::Refused(ExhaustError::Directed.to_string());
        abstraction.undirected().then_some(()).ok_or_else(directed)
    }

    /// The byte of four entries with these distances. Entries without a goal, and entries that
    /// do not exist, have [`Cost::MAX`].
    pub(crate) fn byte_of(distances: [Cost; 4]) -> u8 {
        distances.iter().rev().fold(0, |byte, &distance| {
            byte << 2 | if distance == Cost::MAX { Self::UNREACHED } else { distance % 3 }
        })
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.0.entries()
    }

    /// The packed bytes.
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// The packed bytes, taken out of the table.
    pub fn into_bytes(self) -> Bytes {
        self.0.into_bytes()
    }

    /// The distance of an entry modulo 3, or [`Modulo3::UNREACHED`].
    ///
    /// # Panics
    /// If the entry's byte is outside the table.
    #[inline(always)]
    pub fn get(&self, entry: u64) -> u8 {
        self.0.raw(entry)
    }

    /// Proves that each remainder is that of the distance, by [`prove_layers`]. Then walks to
    /// nearer neighbours have the length of the distance.
    ///
    /// # Errors
    /// As [`prove_layers`].
    pub fn prove(
        &self,
        abstraction: &dyn Abstraction,
        cancel: &CancelToken,
    ) -> Result<u64, Unproved> {
        let fault = |entry, depth: Option<u64>| {
            let found = self.get(entry);
            let expected = depth.map_or(u64::from(Self::UNREACHED), |depth| depth % 3);
            (u64::from(found) != expected).then_some(found)
        };
        prove_layers(abstraction, &fault, u64::MAX - 1, cancel)
    }

    /// For each distance from 0 to the greatest, at most 254: the number of entries. Walks all
    /// edges of the abstraction from the goals. Memory: one byte for each entry.
    pub fn counts(&self, abstraction: &dyn Abstraction) -> Vec<u64> {
        let columns = abstraction.columns();
        let place = |entry: u64| usize::try_from(entry).expect("an entry in memory");
        let mut distances = vec![Cost::MAX; place(self.entries())];
        goals(abstraction).iter().for_each(|&goal| distances[place(goal)] = 0);
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
                    let map = abstraction.map_of(edge);
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

    /// The distance of an entry, found by a walk to nearer neighbours. `None` if the entry reaches
    /// no goal, or the walk fails because the table belongs to another abstraction.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn distance(&self, abstraction: &dyn Abstraction, entry: u64) -> Option<u64> {
        self.walk(abstraction, &goals(abstraction), (entry, self.entries()), &mut Vec::new())
    }

    /// The entries at a distance, ascending. Time: a walk for each entry with the same remainder
    /// modulo 3.
    pub fn at_distance(
        &self,
        abstraction: &dyn Abstraction,
        distance: u64,
    ) -> impl Iterator<Item = u64> {
        let (goals, mut edges) = (goals(abstraction), Vec::new());
        (0..self.entries()).filter(move |&entry| {
            u64::from(self.get(entry)) == distance % 3
                && self.walk(abstraction, &goals, (entry, distance), &mut edges) == Some(distance)
        })
    }

    /// The number of steps of a walk from an entry down to a goal. `None` if there is no such walk
    /// of at most `most` steps.
    fn walk(
        &self,
        abstraction: &dyn Abstraction,
        goals: &[u64],
        (mut entry, most): (u64, u64),
        edges: &mut Vec<Edge>,
    ) -> Option<u64> {
        let columns = abstraction.columns() as u64;
        let mut code = self.get(entry);
        if code == Self::UNREACHED {
            return None;
        }
        for steps in 0..=most {
            if goals.binary_search(&entry).is_ok() {
                return Some(steps);
            }
            code = (code + 2) % 3;
            let column = usize::try_from(entry % columns).expect("below the number of columns");
            edges.clear();
            abstraction.edges(entry / columns, edges);
            let target =
                |edge: &Edge| edge.row * columns + abstraction.map_of(edge).to(column) as u64;
            entry = edges.iter().map(target).find(|&next| self.get(next) == code)?;
        }
        None
    }
}

/// As [`exhaust`](crate::layers::exhaust), and also returns the table of distances modulo 3, which
/// gives plans without search.
///
/// # Errors
/// As [`exhaust`](crate::layers::exhaust). Also if the abstraction is not undirected.
///
/// # Panics
/// As [`exhaust`](crate::layers::exhaust).
pub fn residues(
    abstraction: &dyn Abstraction,
    options: &ExhaustOptions<'_>,
) -> Result<(ExhaustReport, Modulo3), ExhaustError> {
    if !abstraction.undirected() {
        return Err(ExhaustError::Directed);
    }
    let (mut exhausted, memory) = exhaust_codes(abstraction, options, true)?;
    let entries = exhausted.layers.iter().sum::<u64>() + exhausted.unreached;
    let bytes = usize::try_from(Modulo3::bytes_for(entries)).expect("bytes in memory");
    let table = Modulo3::new(memory.freeze().prefix(bytes), entries)
        .expect("the codes come first in the memory");
    // Some entries of earlier layers have the same code, so walks find the deepest layer.
    let deepest = exhausted.layers.len() as u64 - 1;
    exhausted.antipodes = table.at_distance(abstraction, deepest).take(options.antipodes).collect();
    Ok((exhausted, table))
}

fn goals(abstraction: &dyn Abstraction) -> Vec<u64> {
    let mut goals = Vec::new();
    abstraction.goals(&mut goals);
    goals.sort_unstable();
    goals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::build;
    use crate::testing::{DiscPattern, Ring};

    #[test]
    fn remainders_are_those_of_exact_distances() {
        for tracked in
            [DiscPattern::new(Ring::new(5, 2, 2), 5), DiscPattern::new(Ring::new(9, 3, 4), 3)]
        {
            let exact = build::<4>(&tracked, &BuildOptions::default()).expect("built");
            let table = Modulo3::build(&tracked, &BuildOptions::default()).expect("built");
            assert_eq!(table.entries(), exact.entries());
            for entry in 0..table.bytes().len() as u64 * 4 {
                let distance = (entry < exact.entries()).then(|| exact.get(entry));
                let distance = distance.filter(|&distance| distance != Cost::MAX);
                let remainder = distance.map_or(Modulo3::UNREACHED, |distance| distance % 3);
                assert_eq!(table.get(entry), remainder, "entry {entry}");
                if entry < exact.entries() {
                    assert_eq!(table.distance(&tracked, entry), distance.map(u64::from));
                }
            }
            assert_eq!(table.counts(&tracked), exact.histogram().counts);
            let converted = Modulo3::from_exact(&tracked, &exact).expect("undirected");
            assert_eq!(converted.bytes(), table.bytes());
            assert!(Modulo3::new(table.clone().into_bytes(), exact.entries() + 4).is_none());
        }
    }

    /// A path of entries in one column. Nobody asks for a map of columns.
    struct Path(u64);

    impl Abstraction for Path {
        fn shape(&self) -> (u64, usize) {
            (self.0, 1)
        }
        fn goals(&self, out: &mut Vec<u64>) {
            out.push(0);
        }
        fn edges(&self, row: u64, out: &mut Vec<Edge>) {
            let near = [row.checked_sub(1), Some(row + 1).filter(|&next| next < self.0)];
            out.extend(near.into_iter().flatten().map(|row| Edge { row, map: 7, cost: 1 }));
        }
        fn column_map(&self, map: u32) -> crate::abstraction::ColumnMap<'_> {
            unreachable!("map {map} of one column")
        }
        fn undirected(&self) -> bool {
            true
        }
    }

    #[test]
    fn one_column_needs_no_maps() {
        let table = Modulo3::build(&Path(7), &BuildOptions::default()).expect("built");
        assert_eq!(table.counts(&Path(7)), [1; 7]);
        assert!((0..7).all(|entry| table.distance(&Path(7), entry) == Some(entry)));
        assert_eq!(table.prove(&Path(7), &CancelToken::new()).expect("proved"), 12);
        assert!(crate::testing::slow_distances(&Path(7)).into_iter().eq(0..7));
    }

    /// A pattern that claims to be directed, or whose edges cost 2.
    struct Other(DiscPattern, bool);

    impl Abstraction for Other {
        fn shape(&self) -> (u64, usize) {
            self.0.shape()
        }
        fn goals(&self, out: &mut Vec<u64>) {
            self.0.goals(out);
        }
        fn edges(&self, row: u64, out: &mut Vec<Edge>) {
            self.0.edges(row, out);
            if !self.1 {
                out.iter_mut().for_each(|edge| edge.cost = 2);
            }
        }
        fn column_map(&self, map: u32) -> crate::abstraction::ColumnMap<'_> {
            self.0.column_map(map)
        }
        fn undirected(&self) -> bool {
            !self.1
        }
    }

    #[test]
    fn only_undirected_edges_of_cost_1_are_converted() {
        let pattern = || DiscPattern::new(Ring::new(9, 3, 4), 3);
        let exact = build::<8>(&pattern(), &BuildOptions::default()).expect("built");
        let directed = Modulo3::from_exact(&Other(pattern(), true), &exact);
        assert!(matches!(directed, Err(BuildError::Refused(_))));
        let weighted = Modulo3::from_exact(&Other(pattern(), false), &exact);
        assert!(matches!(weighted, Err(BuildError::Costs)));
        let smaller = DiscPattern::new(Ring::new(9, 3, 4), 2);
        assert!(matches!(Modulo3::from_exact(&smaller, &exact), Err(BuildError::Refused(_))));
    }
}
