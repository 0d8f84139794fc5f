//! Symmetries of generators: permutations of the points that take every generator to a generator.

use super::chain::check_generators;
use super::stop::{Stop, check};
use super::{GroupError, Permutation, orbits};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A permutation `p` of the points that maps every generator `g` to a generator: `p^-1 g p` is
/// generator `operators[g]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The permutation of the points.
    pub points: Permutation,
    /// For each generator, the number of its image.
    pub operators: Vec<usize>,
}

/// The symmetries of a list of generators with labels (costs, say). They are the permutations of
/// the points that map every generator to a generator with the same label. Returns at most `most`
/// of them, but always the identity.
///
/// The identity comes first. The others follow in the order of their images of the generators. If
/// several permutations map the generators alike, one of them is returned. The returned maps of
/// generators form a group, unless `most` cut them off. If two generators are equal permutations,
/// only the identity is returned.
///
/// Examples are rotations, reflections and exchanges of colours. A symmetry need not be in the
/// group that the generators generate, and may map its elements out of it.
///
/// Method: the search chooses a few generators that determine the rest, and tries all images of
/// them. To reject images early, it compares the cycle lengths of products of two of these
/// generators with those of their images. Images that pass determine the image of every point from
/// one point of each orbit.
///
/// Time: the number of points times that of generators, for each choice of images that passes.
///
/// # Errors
/// If there are more than [`Permutation::MOST_POINTS`] points, or a generator has another number of
/// points.
pub fn symmetries<L: Copy + Eq>(
    points: usize,
    generators: &[(Permutation, L)],
    most: usize,
) -> Result<Vec<Symmetry>, GroupError> {
    symmetries_until(points, generators, most, &|| false)
}

/// As [`symmetries`], but ends with an error once `stop` returns true.
///
/// # Errors
/// As [`symmetries`], and [`GroupError::Stopped`].
pub fn symmetries_until<L: Copy + Eq>(
    points: usize,
    generators: &[(Permutation, L)],
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Symmetry>, GroupError> {
    let all: Vec<Permutation> = generators.iter().map(|(generator, _)| generator.clone()).collect();
    check_generators(points, &all, &[])?;
    let identity = Symmetry {
        points: Permutation::fixing(points),
        operators: (0..generators.len()).collect(),
    };
    let mut numbers: HashMap<&Permutation, Vec<usize>> = HashMap::new();
    for (number, generator) in all.iter().enumerate() {
        numbers.entry(generator).or_default().push(number);
    }
    // With two equal generators, the image of each is ambiguous.
    if numbers.values().any(|same| same.len() > 1) {
        return Ok(vec![identity]);
    }
    let orbits = orbits(points, &all);
    let few = spanning(points, &all, &orbits, stop)?;
    let kind = |number: usize| (cycles(&all[number]), generators[number].1);
    let kinds: Vec<_> = (0..all.len()).map(kind).collect();
    let mut search = Search {
        points,
        generators,
        all: &all,
        numbers,
        few,
        kinds,
        products: HashMap::new(),
        orbits,
        found: vec![identity],
        most: most.max(1),
        stop,
    };
    search.extend(&mut Vec::new())?;
    search.found[1..].sort_by(|a, b| a.operators.cmp(&b.operators));
    Ok(search.found)
}

/// The lengths of the cycles, ascending, without fixed points.
fn cycles(permutation: &Permutation) -> Vec<u16> {
    let mut seen = vec![false; permutation.points()];
    let mut lengths = Vec::new();
    for start in (0..u16::MAX).take(permutation.points()) {
        let (mut at, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[usize::from(at)], true) {
            at = permutation.image(at);
            length += 1;
        }
        if length > 1 {
            lengths.push(length);
        }
    }
    lengths.sort_unstable();
    lengths
}

/// Chooses a few generators, and returns their numbers. They have the same orbits as all
/// generators. They also allow no more images: say a map that commutes with the few takes a point
/// `p` to a point `q`. Then some map that commutes with all generators takes `p` to `q`, too.
fn spanning(
    points: usize,
    all: &[Permutation],
    whole: &[Vec<u16>],
    stop: Stop<'_>,
) -> Result<Vec<usize>, GroupError> {
    let (mut few, mut chosen, mut parts) = (Vec::new(), Vec::new(), points);
    while parts > whole.len() {
        check(stop)?;
        // The generator that leaves the fewest orbits; of several, the first.
        let tried = (0..all.len()).filter(|number| !few.contains(number)).map(|number| {
            chosen.push(all[number].clone());
            let left = orbits(points, &chosen).len();
            chosen.pop();
            (left, number)
        });
        let Some((left, number)) = tried.min() else { break };
        few.push(number);
        chosen.push(all[number].clone());
        parts = left;
    }
    let every: Vec<usize> = (0..all.len()).collect();
    for orbit in whole {
        let targets = whole.iter().filter(|other| other.len() == orbit.len()).flatten();
        for &target in targets {
            check(stop)?;
            let goes = |by: &[usize]| extend_map(all, by, by, orbit[0], target).is_some();
            if goes(&every) {
                continue;
            }
            // While the few generators still allow this map, tries to add another one that refuses
            // it.
            let mut others = every.iter().copied();
            while goes(&few)
                && let Some(next) = others.find(|number| !few.contains(number))
            {
                few.push(next);
                if goes(&few) {
                    few.pop();
                }
            }
        }
    }
    Ok(few)
}

/// Extends `from -> target` to the orbit of `from`, if one map does. It has to turn the action of
/// each generator in `by` into the action of the generator at the same index of `images`. Returns
/// pairs of a point and its image, or `None`.
fn extend_map(
    all: &[Permutation],
    by: &[usize],
    images: &[usize],
    from: u16,
    target: u16,
) -> Option<Vec<(u16, u16)>> {
    let mut image = HashMap::from([(from, target)]);
    let mut order = vec![(from, target)];
    let mut at = 0;
    while at < order.len() {
        let (point, to) = order[at];
        at += 1;
        for (&generator, &other) in by.iter().zip(images) {
            let (point, to) = (all[generator].image(point), all[other].image(to));
            match image.entry(point) {
                Entry::Occupied(known) if *known.get() != to => return None,
                Entry::Occupied(_) => {}
                Entry::Vacant(free) => {
                    free.insert(to);
                    order.push((point, to));
                }
            }
        }
    }
    Some(order)
}

struct Search<'a, L> {
    points: usize,
    generators: &'a [(Permutation, L)],
    all: &'a [Permutation],
    numbers: HashMap<&'a Permutation, Vec<usize>>,
    few: Vec<usize>,
    /// For each generator, its cycle lengths and its label. Its image has the same ones.
    kinds: Vec<(Vec<u16>, L)>,
    /// The cycle lengths of products of two generators, computed on demand.
    products: HashMap<(usize, usize), Vec<u16>>,
    orbits: Vec<Vec<u16>>,
    found: Vec<Symmetry>,
    most: usize,
    stop: Stop<'a>,
}

impl<L: Copy + Eq> Search<'_, L> {
    fn product(&mut self, a: usize, b: usize) -> Vec<u16> {
        let all = self.all;
        self.products.entry((a, b)).or_insert_with(|| cycles(&all[a].then(&all[b]))).clone()
    }

    /// Finds all symmetries that take `few[i]` to the generator `images[i]`, for each `i` below the
    /// length of `images`. Tries every image of the next generator of `few`, then calls itself.
    fn extend(&mut self, images: &mut Vec<usize>) -> Result<(), GroupError> {
        check(self.stop)?;
        let Some(&next) = self.few.get(images.len()) else {
            self.draw(images);
            return Ok(());
        };
        for image in 0..self.all.len() {
            if self.found.len() >= self.most {
                break;
            }
            if self.kinds[image] != self.kinds[next] || images.contains(&image) {
                continue;
            }
            let chosen = 0..images.len();
            let same = chosen.into_iter().all(|at| {
                let (from, to) = (self.few[at], images[at]);
                self.product(from, next) == self.product(to, image)
            });
            if same {
                images.push(image);
                self.extend(images)?;
                images.pop();
            }
        }
        Ok(())
    }

    /// Looks for a permutation that takes the few generators to these images. Adds it to the
    /// symmetries if it maps all generators to generators.
    fn draw(&mut self, images: &[usize]) {
        let mut drawn = vec![u16::MAX; self.points];
        let mut taken = vec![false; self.points];
        for orbit in &self.orbits {
            let targets = self.orbits.iter().filter(|other| other.len() == orbit.len());
            // Tries the point itself first, so that an orbit is fixed pointwise if possible.
            let targets = std::iter::once(orbit[0]).chain(targets.flatten().copied());
            let mut targets = targets.filter(|&target| !taken[usize::from(target)]);
            let Some(part) = targets
                .find_map(|target| extend_map(self.all, &self.few, images, orbit[0], target))
            else {
                return;
            };
            for (from, to) in part {
                drawn[usize::from(from)] = to;
                taken[usize::from(to)] = true;
            }
        }
        let Ok(points) = Permutation::new(drawn) else { return };
        let back = points.inverse();
        let image = |number: usize| {
            let (generator, cost) = &self.generators[number];
            let image = *self.numbers.get(&back.then(generator).then(&points))?.first()?;
            (self.generators[image].1 == *cost).then_some(image)
        };
        let operators: Option<Vec<usize>> = (0..self.all.len()).map(image).collect();
        if let Some(operators) = operators
            && self.found.iter().all(|known| known.operators != operators)
        {
            self.found.push(Symmetry { points, operators });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn cycle(points: usize, cycles: &[&[u16]]) -> Permutation {
        Permutation::from_cycles(points, cycles).unwrap()
    }

    /// The oracle: tries all permutations of the points. For each that maps generators to
    /// generators, the images of the generators.
    fn slow(points: u16, generators: &[(Permutation, u8)]) -> HashSet<Vec<usize>> {
        fn all(prefix: &mut Vec<u16>, points: u16, out: &mut Vec<Vec<u16>>) {
            if prefix.len() == usize::from(points) {
                return out.push(prefix.clone());
            }
            for point in (0..points).filter(|&point| !prefix.contains(&point)).collect::<Vec<_>>() {
                prefix.push(point);
                all(prefix, points, out);
                prefix.pop();
            }
        }
        let mut permutations = Vec::new();
        all(&mut Vec::new(), points, &mut permutations);
        let image = |p: &Permutation, (generator, cost): &(Permutation, u8)| {
            let image = p.inverse().then(generator).then(p);
            generators.iter().position(|other| *other == (image.clone(), *cost))
        };
        let images = permutations.into_iter().filter_map(|images| {
            let p = Permutation::new(images).unwrap();
            generators.iter().map(|generator| image(&p, generator)).collect()
        });
        images.collect()
    }

    fn agree(points: u16, generators: &[(Permutation, u8)], count: usize) {
        let found = symmetries(points.into(), generators, 1000).unwrap();
        assert_eq!(found.len(), count);
        assert!(found[0].points.is_identity());
        for symmetry in &found {
            for (number, (generator, cost)) in generators.iter().enumerate() {
                let image = symmetry.points.inverse().then(generator).then(&symmetry.points);
                assert_eq!((image, *cost), generators[symmetry.operators[number]]);
            }
        }
        let found: HashSet<_> = found.into_iter().map(|symmetry| symmetry.operators).collect();
        assert_eq!(found, slow(points, generators));
    }

    #[test]
    fn symmetries_are_those_of_trying_all_permutations() {
        let turn = |cycles: &[&[u16]]| cycle(7, cycles);
        // A ring that turns both ways, and a double swap. Then the same with another cost for one
        // way. Then three 3-cycles in a row. Then swaps of neighbours.
        let ring = turn(&[&[0, 1, 2, 3, 4]]);
        let mut generators =
            vec![(ring.clone(), 1), (ring.inverse(), 1), (turn(&[&[0, 1], &[5, 6]]), 1)];
        agree(7, &generators, 2);
        generators[1].1 = 2;
        agree(7, &generators, 1);
        let two = [turn(&[&[0, 1, 2]]), turn(&[&[2, 3, 4]]), turn(&[&[4, 5, 6]])];
        let both = two.iter().flat_map(|turn| [turn.clone(), turn.inverse()]);
        agree(7, &both.map(|turn| (turn, 1)).collect::<Vec<_>>(), 8);
        let neighbours = [[0_u16, 1], [1, 2], [2, 3], [3, 4]].map(|pair| (cycle(5, &[&pair]), 1));
        agree(5, &neighbours, 2);
        // Two 3-cycles on different points: the symmetry exchanges the two orbits.
        let pairs = [(cycle(6, &[&[0, 1, 2]]), 1), (cycle(6, &[&[3, 4, 5]]), 1)];
        agree(6, &pairs, 2);
    }

    #[test]
    fn a_limit_and_equal_generators_are_kept_to() {
        let swaps: Vec<_> = (0..5).map(|i| (cycle(10, &[&[2 * i, 2 * i + 1]]), 1)).collect();
        assert_eq!(symmetries(10, &swaps, 1000).unwrap().len(), 120);
        assert_eq!(symmetries(10, &swaps, 7).unwrap().len(), 7);
        let twice = [swaps[0].clone(), swaps[0].clone()];
        assert_eq!(symmetries(10, &twice, 1000).unwrap().len(), 1);
        assert!(symmetries(11, &swaps, 1000).is_err());
    }
}
