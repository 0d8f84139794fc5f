//! Orbits of points: [`orbits`].

use crate::permutation::Permutation;
use petgraph::unionfind::UnionFind;

/// The orbits of all points under these generators, single points included. Each orbit is
/// ascending, and the orbits are ordered by their first points.
///
/// # Panics
/// If there are more than [`Permutation::MOST_POINTS`] points, or a generator has another number of
/// points.
pub fn orbits(points: usize, generators: &[Permutation]) -> Vec<Vec<u16>> {
    let mut joined = UnionFind::<u16>::new(points);
    for generator in generators {
        for (point, &image) in (0..).zip(generator.images()) {
            joined.union(point, image);
        }
    }
    let mut orbits: Vec<Vec<u16>> = Vec::new();
    let mut numbers = vec![None; points];
    for (point, root) in (0..).zip(joined.into_labeling()) {
        let number = *numbers[usize::from(root)].get_or_insert_with(|| {
            orbits.push(Vec::new());
            orbits.len() - 1
        });
        orbits[number].push(point);
    }
    orbits
}
