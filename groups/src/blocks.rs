//! Block systems: partitions of an orbit into blocks that the group moves as wholes.

use crate::permutation::Permutation;
use petgraph::unionfind::UnionFind;

/// Orbits of more points are not searched for blocks. The search takes time quadratic in the orbit.
const MOST_POINTS: usize = 512;

/// The minimal block systems of an orbit, without duplicates. For each other point of the orbit,
/// this is the system with the smallest block that holds this point and the orbit's first point.
///
/// A system maps each point of the group to the number of its block. Block 0 holds the first point
/// of the orbit; the others are numbered in the order of the orbit. Entries of points outside the
/// orbit mean nothing. Systems of one block, or with one point in each block, are left out. The
/// list is empty if the orbit has more than [`MOST_POINTS`] points.
///
/// Michael Atkinson, "An algorithm for finding the blocks of a permutation group", Mathematics of
/// Computation 29, 1975. Time: a little more than the square of the orbit's length, times the
/// number of generators.
pub(crate) fn systems(points: usize, generators: &[Permutation], orbit: &[u16]) -> Vec<Vec<u16>> {
    let mut systems = Vec::new();
    if orbit.len() > MOST_POINTS {
        return systems;
    }
    for &point in orbit.iter().skip(1) {
        let system = system(points, generators, orbit, point);
        let blocks = orbit.iter().map(|&point| system[usize::from(point)]).max();
        // The block of `point` has two points or more, so all blocks do. Only systems of one block
        // are left out here.
        if blocks > Some(0) && !systems.contains(&system) {
            systems.push(system);
        }
    }
    systems
}

/// The block system whose blocks are the smallest such that one block holds `point` and the first
/// point of the orbit. See [`systems`] for its form.
fn system(points: usize, generators: &[Permutation], orbit: &[u16], point: u16) -> Vec<u16> {
    let mut joined = UnionFind::<u16>::new(points);
    let mut todo = vec![(orbit[0], point)];
    while let Some((a, b)) = todo.pop() {
        let (a, b) = (joined.find_mut(a), joined.find_mut(b));
        if joined.union(a, b) {
            // If two points share a block, so do their images under each generator.
            todo.extend(generators.iter().map(|g| (g.image(a), g.image(b))));
        }
    }
    let mut numbers = vec![0; points];
    let mut roots = Vec::new();
    for &point in orbit {
        let root = joined.find_mut(point);
        let known = roots.iter().position(|&other| other == root);
        let number = known.unwrap_or_else(|| {
            roots.push(root);
            roots.len() - 1
        });
        numbers[usize::from(point)] = u16::try_from(number).expect("fewer blocks than points");
    }
    numbers
}

/// Whether a permutation acts on the blocks of an orbit as an odd permutation of the blocks.
pub(crate) fn is_odd(permutation: &Permutation, orbit: &[u16], system: &[u16]) -> bool {
    let count = orbit.iter().map(|&point| usize::from(system[usize::from(point)]) + 1).max();
    let mut images = Permutation::fixing(count.unwrap_or(0)).images().to_vec();
    for &point in orbit {
        let block = usize::from(system[usize::from(point)]);
        images[block] = system[usize::from(permutation.image(point))];
    }
    Permutation::trusted(images.into()).is_odd()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_of_twelve_has_all_its_blocks() {
        let turn = Permutation::new((1..12).chain([0]).collect()).expect("a cycle");
        let orbit: Vec<u16> = (0..12).collect();
        let systems = systems(12, std::slice::from_ref(&turn), &orbit);
        let mut blocks: Vec<_> =
            systems.iter().map(|s| s.iter().max().expect("some") + 1).collect();
        blocks.sort_unstable();
        assert_eq!(blocks, [2, 3, 4, 6]);
        for system in systems {
            let blocks = system.iter().max().expect("some") + 1;
            assert!((0..12).all(|point| system[point] == system[point % usize::from(blocks)]));
            assert_eq!(is_odd(&turn, &orbit, &system), blocks % 2 == 0);
        }
    }

    #[test]
    fn two_points_that_swap_with_any_have_no_blocks() {
        let turn = Permutation::new(vec![1, 2, 3, 4, 0, 5]).expect("a cycle");
        let swap = Permutation::new(vec![1, 0, 2, 3, 4, 5]).expect("a swap");
        assert!(systems(6, &[turn, swap], &[0, 1, 2, 3, 4]).is_empty());
    }
}
