//! An upper bound on the order of a group, computed orbit by orbit. A chain whose order equals the
//! bound is complete, without the longer proof by Schreier's lemma.

use super::level::NONE;
use crate::stop::{Stop, check};
use crate::{GroupError, Permutation, blocks, orbits};
use num_bigint::BigUint;
use std::collections::HashMap;

/// Tells the order of the transitive group that permutations generate.
type TransitiveOrder<'a> = &'a dyn Fn(&[Permutation]) -> Result<BigUint, GroupError>;

/// An upper bound on the order of the group that `generators` generate.
///
/// It is the product of the orders of the group's actions on its independent orbits (see
/// [`independent`]). Every dependence among the signs of different orbits halves it. The signs of a
/// generator on an orbit are its parities as a permutation of the orbit's points and of its blocks.
/// The bound is exact if the orbits depend on each other in no other way.
///
/// Proof. The group lies in the direct product P of its actions on the independent orbits. The
/// signs of orbit `i` map its action onto a space over GF(2) of some dimension `s(i)`, spanned by
/// the generators. Elements of P are free in each orbit. So the signs of all orbits map P onto a
/// space of dimension `s`, the sum of the `s(i)`. They map the group onto a space of dimension `r`,
/// the rank of the generators. So the index of the group in P is at least `2^(s - r)`.
///
/// If only one orbit has more than one point, the bound is the order of its symmetric or
/// alternating group. It is the alternating group if all generators are even. A chain of a smaller
/// group then needs the proof by Schreier's lemma.
pub(crate) fn upper(
    points: usize,
    generators: &[Permutation],
    transitive_order: TransitiveOrder<'_>,
    stop: Stop<'_>,
) -> Result<BigUint, GroupError> {
    let odd = |orbit: &[u16]| generators.iter().any(|g| g.is_odd_on(orbit));
    let mut moved = orbits(points, generators);
    moved.retain(|orbit| orbit.len() > 1);
    if let [only] = &moved[..] {
        return Ok(giant(only.len(), odd(only)));
    }
    let orbits = independent(points, generators, moved, stop)?;
    let mut known: HashMap<Vec<Permutation>, BigUint> = HashMap::new();
    let mut product = BigUint::from(1_u32);
    for orbit in &orbits {
        let action = restrict(points, generators, orbit);
        if !known.contains_key(&action) {
            known.insert(action.clone(), transitive_order(&action)?);
        }
        product *= &known[&action];
    }
    let mut signs: Vec<Vec<Vec<bool>>> = Vec::new();
    for orbit in &orbits {
        check(stop)?;
        let systems = blocks::systems(points, generators, orbit);
        let sign = |g: &Permutation| {
            let on_blocks = systems.iter().map(|system| blocks::is_odd(g, orbit, system));
            on_blocks.chain([g.is_odd_on(orbit)]).collect()
        };
        signs.push(generators.iter().map(sign).collect());
    }
    let free: usize = signs.iter().map(|rows| rank(rows.clone())).sum();
    let all_signs = |g: usize| signs.iter().flat_map(|rows| &rows[g]).copied().collect();
    Ok(product >> (free - rank((0..generators.len()).map(all_signs).collect())))
}

/// The independent orbits: an orbit is left out if a map that commutes with the group takes a kept
/// orbit onto it. An element that fixes all points of the kept orbit also fixes those of its image.
/// So the image adds nothing to the order.
fn independent(
    points: usize,
    generators: &[Permutation],
    mut orbits: Vec<Vec<u16>>,
    stop: Stop<'_>,
) -> Result<Vec<Vec<u16>>, GroupError> {
    orbits.sort_by_key(|orbit| std::cmp::Reverse(orbit.len()));
    let mut kept: Vec<Vec<u16>> = Vec::new();
    for orbit in orbits {
        check(stop)?;
        let is_image = |from: &Vec<u16>| {
            from.len().is_multiple_of(orbit.len())
                && orbit.iter().any(|&to| maps_onto(points, generators, from[0], to))
        };
        if !kept.iter().any(is_image) {
            kept.push(orbit);
        }
    }
    Ok(kept)
}

/// Whether a map takes point `from` to point `to`, is defined on the orbit of `from`, and commutes
/// with all generators.
fn maps_onto(points: usize, generators: &[Permutation], from: u16, to: u16) -> bool {
    let mut image = vec![NONE; points];
    image[usize::from(from)] = to;
    let mut todo = vec![from];
    while let Some(point) = todo.pop() {
        for generator in generators {
            let wanted = generator.image(image[usize::from(point)]);
            let next = generator.image(point);
            match &mut image[usize::from(next)] {
                free if *free == NONE => {
                    *free = wanted;
                    todo.push(next);
                }
                found if *found != wanted => return false,
                _ => {}
            }
        }
    }
    true
}

/// The order of the symmetric group of `points` points if `odd`, else that of the alternating
/// group.
pub(crate) fn giant(points: usize, odd: bool) -> BigUint {
    let all: BigUint = (1..=points).map(BigUint::from).product();
    if odd || points < 2 { all } else { all >> 1_u32 }
}

/// The actions of the generators on an orbit, as permutations of indices into `orbit`: sorted,
/// without duplicates and without the identity.
fn restrict(points: usize, generators: &[Permutation], orbit: &[u16]) -> Vec<Permutation> {
    let mut number = vec![0; points];
    for (i, &point) in (0..).zip(orbit) {
        number[usize::from(point)] = i;
    }
    let image = |g: &Permutation, point| number[usize::from(g.image(point))];
    let action = |g| Permutation::trusted(orbit.iter().map(|&point| image(g, point)).collect());
    let mut actions: Vec<_> = generators.iter().map(action).collect();
    actions.retain(|action| !action.is_identity());
    actions.sort();
    actions.dedup();
    actions
}

/// The rank of a matrix over GF(2).
fn rank(mut rows: Vec<Vec<bool>>) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|&row| rows[row][column]) else { continue };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        for row in rest.iter_mut().filter(|row| row[column]) {
            row.iter_mut().zip(&done[rank]).for_each(|(bit, pivot)| *bit ^= pivot);
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StabilizerChain;

    #[test]
    fn ranks_over_two_elements() {
        let rows = |bits: &[&[u8]]| {
            rank(bits.iter().map(|r| r.iter().map(|&b| b > 0).collect()).collect())
        };
        assert_eq!(rows(&[]), 0);
        assert_eq!(rows(&[&[0, 0], &[0, 0]]), 0);
        assert_eq!(rows(&[&[0, 1, 1], &[1, 0, 1], &[1, 1, 0]]), 2);
        assert_eq!(rows(&[&[0, 1], &[1, 1], &[1, 0]]), 2);
    }

    #[test]
    fn signs_that_depend_on_each_other_halve_the_bound() {
        let order = |points, generators: &[Permutation]| {
            let transitive = &|action: &[Permutation]| {
                let points = action.first().map_or(0, Permutation::points);
                Ok(StabilizerChain::new(points, action, &[])?.order())
            };
            upper(points, generators, transitive, &|| false).expect("nobody stops")
        };
        // Three orbits of three points, and two generators that each swap points in two orbits at
        // once.
        let cycles = |cycles: &[&[u16]]| Permutation::from_cycles(9, cycles).expect("cycles");
        let mut generators =
            vec![cycles(&[&[0, 1, 2]]), cycles(&[&[3, 4, 5]]), cycles(&[&[6, 7, 8]])];
        generators.extend([cycles(&[&[0, 1], &[3, 4]]), cycles(&[&[3, 4], &[6, 7]])]);
        assert_eq!(order(9, &generators), BigUint::from(108_u32));
        assert_eq!(order(9, &generators[..3]), BigUint::from(27_u32));
        assert_eq!(order(9, &[]), BigUint::from(1_u32));
        // Copies of orbits, and blocks of their points, add nothing.
        let copies = |cycles: &[&[u16]]| Permutation::from_cycles(8, cycles).expect("cycles");
        let turn = copies(&[&[0, 1, 2, 3], &[4, 5], &[6, 7]]);
        let flip = copies(&[&[0, 2], &[6, 7]]);
        let count = |generators: &[Permutation]| {
            let all = independent(8, generators, orbits(8, generators), &|| false);
            all.expect("nobody stops").len()
        };
        assert_eq!((count(std::slice::from_ref(&turn)), count(&[turn, flip])), (1, 2));
        assert_eq!((giant(4, true), giant(4, false)), (24_u32.into(), 12_u32.into()));
    }
}
