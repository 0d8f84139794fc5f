//! Distances modulo 3, two bits an entry: [`Residues`].

use crate::abstraction::{Abstraction, Edge};
use crate::memory::Bytes;

/// For each entry its distance to the nearest goal modulo 3, of an undirected abstraction whose edges cost 1.
///
/// Entry `e` in bits `2 (e % 4)` and up of byte `e / 4`; 3 where no goal is reached from. A quarter of a byte an entry, rounded up. The
/// distances of neighbours differ by one at most, so residues tell which neighbour is nearer the goal.
#[derive(Clone, Debug)]
pub struct Residues {
    /// At least the bytes of the entries.
    bytes: Bytes,
    entries: u64,
}

impl Residues {
    /// Name of the encoding, for table files.
    pub const ENCODING: &str = "distance modulo 3, 2 bits";

    /// The table of `entries` entries in these bytes; none if there are not as many bytes as that takes.
    pub fn new(bytes: Bytes, entries: u64) -> Option<Self> {
        (bytes.len() as u64 == entries.div_ceil(4)).then_some(Self { bytes, entries })
    }

    /// The table in the first of these bytes.
    pub(super) fn made(bytes: Bytes, entries: u64) -> Self {
        Self { bytes, entries }
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The bytes of the entries.
    pub fn bytes(&self) -> &[u8] {
        // They are in memory, so their number fits.
        &self.bytes[..usize::try_from(self.entries.div_ceil(4)).unwrap_or(usize::MAX)]
    }

    /// The distance of an entry modulo 3; none if no goal is reached from it.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline]
    pub fn get(&self, entry: u64) -> Option<u8> {
        let byte = self.bytes()[usize::try_from(entry / 4).unwrap_or(usize::MAX)];
        let code = byte >> (2 * (entry % 4)) & 3;
        (code < 3).then_some(code)
    }

    /// The distance of an entry, by a walk from neighbour to nearer neighbour; none if no goal is reached from it, or the table is not that of the abstraction.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn distance(&self, abstraction: &impl Abstraction, entry: u64) -> Option<u64> {
        self.walk(abstraction, &goals(abstraction), entry, &mut Vec::new())
    }

    /// The entries at a distance, ascending.
    pub(super) fn at_distance(
        &self,
        abstraction: &impl Abstraction,
        distance: u64,
    ) -> impl Iterator<Item = u64> {
        let (goals, mut edges) = (goals(abstraction), Vec::new());
        (0..self.entries).filter(move |&entry| {
            self.get(entry).is_some_and(|code| u64::from(code) == distance % 3)
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
        let mut code = self.get(entry)?;
        for steps in 0..self.entries {
            if goals.binary_search(&entry).is_ok() {
                return Some(steps);
            }
            code = (code + 2) % 3;
            let column = usize::try_from(entry % columns).ok()?;
            edges.clear();
            abstraction.edges(entry / columns, edges);
            let target = |edge: &Edge| {
                let map = abstraction.column_map(edge.map);
                let column = map.get(column).map_or(column, |&to| usize::from(to));
                edge.row * columns + column as u64
            };
            entry = edges.iter().map(target).find(|&next| self.get(next) == Some(code))?;
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
