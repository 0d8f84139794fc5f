//! The heaviest set of excesses that share no feature: a maximum-weight matching whose edges may
//! have three ends.
//!
//! Features are the vertices of a graph, and excesses are its edges between two or three of them.
//! The cost of an excess is the edge's weight. Each connected component is solved on its own:
//! - up to 16 features by branch and bound;
//! - more features with pairs only, by Jack Edmonds's blossoms ("Paths, trees, and flowers",
//!   Canadian Journal of Mathematics 17, 1965; crate integer-blossom);
//! - more features with triples by the better of the heaviest set of pairs and a greedy choice.
//!   This may miss the heaviest set: with triples the problem is NP-complete.

use super::excess::ActiveExcess;
use smallvec::SmallVec;

/// Components of at most this many features are solved by branch and bound.
const SMALL: u32 = 16;

/// An edge of the graph: an active excess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    /// The cost divided by the number of features, in sixths of a unit of cost.
    worth: u16,
    cost: u16,
    /// The features of the edge, a bit each.
    set: u64,
}

impl Edge {
    #[inline(always)]
    fn new(active: ActiveExcess) -> Self {
        let (set, cost) = (active.set(), u16::from(active.cost()));
        let worth = if set.count_ones() == 2 { 3 * cost } else { 2 * cost };
        Self { worth, cost, set }
    }
}

/// The weight of the heaviest set of edges that share no feature, as far as [the module](self)
/// finds it. If a set above `enough` exists, the result may be the weight of any such set, and may
/// depend on the order of the edges.
pub(super) fn heaviest(active: &[ActiveExcess], enough: u16) -> u16 {
    let mut edges: SmallVec<[Edge; 24]> = active.iter().copied().map(Edge::new).collect();
    let (mut total, mut rest) = (0, &mut edges[..]);
    while let Some(first) = rest.first() {
        let mut set = first.set;
        let mut end = 1;
        // Adds edges that share a feature with the component, until none is left.
        let mut next = end;
        while next < rest.len() {
            let other = rest[next].set;
            if other & set == 0 {
                next += 1;
                continue;
            }
            let grows = other & !set != 0;
            set |= other;
            rest.swap(next, end);
            end += 1;
            // Earlier edges may touch the added features.
            next = if grows { end } else { next + 1 };
        }
        let (component, others) = rest.split_at_mut(end);
        total += match component {
            [edge] => edge.cost,
            [one, two] => one.cost.max(two.cost),
            _ => solve(component, set, enough - total),
        };
        if total > enough {
            break;
        }
        rest = others;
    }
    total
}

/// The weight of the heaviest set of one component, which has the features `set`. Stops early above
/// `enough`, as [`heaviest`] does.
fn solve(component: &mut [Edge], set: u64, enough: u16) -> u16 {
    // Highest worth first.
    component.sort_unstable_by(|one, two| two.cmp(one));
    if set.count_ones() > SMALL {
        return large(component, set);
    }
    let mut best = 0;
    branch(component, 0, 0, &mut best, enough);
    best
}

/// Raises `best` to `have` plus the weight of the heaviest set of disjoint edges that avoid the
/// features `used`. It may stop at any such sum above `enough`. The edges are sorted, highest worth
/// first.
///
/// Bound: a feature outside `used` adds at most the worth of the best edge that contains it and
/// avoids `used`.
fn branch(edges: &[Edge], used: u64, have: u16, best: &mut u16, enough: u16) {
    *best = have.max(*best);
    let (mut covered, mut worth, mut first) = (used, 0, None);
    for (number, edge) in edges.iter().enumerate() {
        if edge.set & used == 0 {
            first = first.or(Some(number));
            worth += (edge.set & !covered).count_ones() * u32::from(edge.worth);
            covered |= edge.set;
        }
    }
    if u32::from(have) + worth / 6 <= u32::from(*best) {
        return;
    }
    let Some(first) = first else { return };
    let edges = &edges[first..];
    let pivot = edges[0].set & edges[0].set.wrapping_neg();
    for edge in edges {
        if edge.set & pivot != 0 && edge.set & used == 0 {
            branch(edges, used | edge.set, have + edge.cost, best, enough);
            if *best > enough {
                return;
            }
        }
    }
    branch(edges, used | pivot, have, best, enough);
}

/// The weight that this module finds for a component too large for [`branch`]. `edges` is sorted,
/// highest worth first.
fn large(edges: &[Edge], set: u64) -> u16 {
    let count = set.count_ones() as usize;
    let mut weights = vec![0_i32; count * count];
    let pairs = edges.iter().filter(|edge| edge.set.count_ones() == 2);
    for edge in pairs.clone() {
        let number = |bit: u64| (set & (bit - 1)).count_ones() as usize;
        let (low, high) =
            (number(edge.set & edge.set.wrapping_neg()), number(1 << edge.set.ilog2()));
        let weight = &mut weights[low * count + high];
        *weight = (*weight).max(edge.cost.into());
    }
    let mates = integer_blossom::max_weight_matching(&weights, count);
    let weight = |(low, mate): (usize, &Option<usize>)| {
        mate.filter(|&high| low < high).map_or(0, |high| weights[low * count + high])
    };
    let matched: i32 = mates.iter().enumerate().map(weight).sum();
    let matched = u16::try_from(matched).unwrap_or(0);
    if pairs.count() == edges.len() { matched } else { matched.max(greedy(edges)) }
}

/// The weight of the greedy choice: takes the edge of highest worth that shares no feature with
/// those taken, until none is left.
fn greedy(edges: &[Edge]) -> u16 {
    let (mut used, mut total) = (0, 0);
    for edge in edges {
        if edge.set & used == 0 {
            used |= edge.set;
            total += edge.cost;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::excess::Excess;
    use search::random::Random;

    /// The oracle: tries every set of edges.
    fn exhaustive(edges: &[ActiveExcess], used: u64) -> u16 {
        let Some((first, rest)) = edges.split_first() else { return 0 };
        let without = exhaustive(rest, used);
        if first.set() & used != 0 {
            return without;
        }
        without.max(u16::from(first.cost()) + exhaustive(rest, used | first.set()))
    }

    fn edges(count: usize, features: u64, triples: bool, random: &mut Random) -> Vec<ActiveExcess> {
        let mut below = |end| u8::try_from(random.below(end)).unwrap();
        let mut out = Vec::new();
        while out.len() < count {
            let mut set: Vec<u8> = (0..2 + u8::from(triples && below(2) == 0))
                .map(|_| below(features) * 5 % 64)
                .collect();
            set.sort_unstable();
            set.dedup();
            if set.len() > 1 {
                out.push(ActiveExcess::new(&Excess::new(&set, &[0; 3], 1 + below(5))));
            }
        }
        out
    }

    #[test]
    fn small_components_are_solved_exactly() {
        let mut random = Random::new(1);
        for round in 0..3000 {
            let (count, features) = (round % 15, 3 + round as u64 % 13);
            let edges = edges(count, features, round % 2 == 0, &mut random);
            let expected = exhaustive(&edges, 0);
            for enough in [0, 3, u16::MAX] {
                let found = heaviest(&edges, enough);
                assert!(found == expected || (enough < found && found < expected), "{edges:?}");
            }
        }
    }

    #[test]
    fn large_components_are_solved_exactly_if_they_are_pairs_and_never_too_high() {
        let mut random = Random::new(2);
        let mut large = 0;
        for round in 0..400 {
            let mut edges = edges(22, 20, round % 2 == 0, &mut random);
            let set = edges.iter().fold(0, |set, edge| set | edge.set());
            large += usize::from(set.count_ones() > SMALL);
            let expected = exhaustive(&edges, 0);
            let found = heaviest(&edges, u16::MAX);
            assert!(found == expected || (round % 2 == 0 && found < expected), "{edges:?}");
            edges.reverse();
            assert_eq!(heaviest(&edges, u16::MAX), found);
        }
        assert!(large > 200, "{large} large graphs");
    }

    #[test]
    fn components_are_found_whatever_the_order() {
        // A path 0 - 1 - 2 - 3 with its middle edge first, and a separate edge.
        let edge = |a, b, cost| ActiveExcess::new(&Excess::new(&[a, b], &[0; 2], cost));
        let path = [edge(1, 2, 5), edge(8, 9, 1), edge(2, 3, 3), edge(0, 1, 3)];
        for turn in 0..4 {
            let mut edges = path;
            edges.rotate_left(turn);
            assert_eq!(heaviest(&edges, u16::MAX), 7);
        }
    }
}
