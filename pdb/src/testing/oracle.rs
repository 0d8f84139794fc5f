//! A slow and simple builder, to compare with: it handles one entry at a time, in plain integers.

use crate::abstraction::Abstraction;

/// For each entry: the distance that [`build`](crate::build()) packs, or [`u32::MAX`] if the entry
/// reaches no goal. Uses buckets of single entries as in Robert Dial's "Algorithm 360" (CACM
/// 12(11), 1969). Memory: 4 bytes for each entry, and 8 more for each open one.
///
/// # Panics
/// If an edge leads to an entry that does not exist, or a distance does not fit in 32 bits.
pub fn slow_distances(abstraction: &dyn Abstraction) -> Vec<u32> {
    let columns = abstraction.columns() as u64;
    let entries = abstraction.rows() * columns;
    let mut distances = vec![u32::MAX; usize::try_from(entries).expect("a table in memory")];
    let mut goals = Vec::new();
    abstraction.goals(&mut goals);
    let mut buckets = vec![goals];
    let mut edges = Vec::new();
    let mut depth = 0;
    while depth < buckets.len() {
        while let Some(entry) = buckets[depth].pop() {
            let at = usize::try_from(entry).expect("an entry inside");
            if distances[at] != u32::MAX {
                continue;
            }
            distances[at] = u32::try_from(depth).expect("a distance");
            edges.clear();
            abstraction.edges(entry / columns, &mut edges);
            for edge in &edges {
                let column = usize::try_from(entry % columns).expect("a column");
                let column = abstraction.map_of(edge).to(column);
                let next = depth + usize::from(edge.cost);
                if buckets.len() <= next {
                    buckets.resize(next + 1, Vec::new());
                }
                buckets[next].push(edge.row * columns + column as u64);
            }
        }
        depth += 1;
    }
    distances
}
