//! Symmetries of generators: permutations of the points that take every generator to a generator.

use super::{GroupError, Permutation, chain, orbits};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A permutation `p` of the points and what it makes of the generators: `p^-1 g p` is generator
/// `operators[g]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The permutation of the points.
    pub points: Permutation,
    /// By generator: its image.
    pub operators: Vec<usize>,
}

/// The ways in which permutations of the points map generators to generators with the same label:
/// at most `most` of them.
///
/// The identity comes first. The others follow in the order of their images of the generators. If
/// several permutations do the same to all generators, one of them is answered. Together the ways
/// are a group, unless there were more than `most`.
///
/// Rotations, reflections, exchanged colours: whatever the generators show. A symmetry may map
/// elements of the group to permutations outside of it.
///
/// The search chooses images for a few generators that have the same orbits as all, and no more
/// permutations that commute with them. It compares the cycles of each product of two of them with
/// those of their images. Then it follows one point of each orbit, which settles all other images.
///
/// Time: points times generators for each way that is left after the comparisons.
///
/// # Errors
/// Too many points, or generators of another number of points.
pub fn symmetries<L: Copy + Eq>(
    points: usize,
    generators: &[(Permutation, L)],
    most: usize,
) -> Result<Vec<Symmetry>, GroupError> {
    let all: Vec<Permutation> = generators.iter().map(|(generator, _)| generator.clone()).collect();
    chain::check_generators(points, &all, &[])?;
    let identity = Symmetry {
        points: Permutation::fixing(points),
        operators: (0..generators.len()).collect(),
    };
    let mut numbers: HashMap<&Permutation, Vec<usize>> = HashMap::new();
    for (number, generator) in all.iter().enumerate() {
        numbers.entry(generator).or_default().push(number);
    }
    // Two names of one permutation would leave open which is the image of which.
    if numbers.values().any(|same| same.len() > 1) {
        return Ok(vec![identity]);
    }
    let orbits = orbits(points, &all);
    let few = spanning(points, &all, &orbits);
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
    };
    search.extend(&mut Vec::new());
    search.found[1..].sort_by(|a, b| a.operators.cmp(&b.operators));
    Ok(search.found)
}

/// Lengths of the cycles, ascending, without fixed points.
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

/// Numbers of a few generators that have the same orbits as all, and as few ways to take these to
/// each other while commuting with them.
fn spanning(points: usize, all: &[Permutation], whole: &[Vec<u16>]) -> Vec<usize> {
    let (mut few, mut chosen, mut parts) = (Vec::new(), Vec::new(), points);
    while parts > whole.len() {
        // The one that leaves the fewest orbits, of equals the first.
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
            let goes = |by: &[usize]| follow(all, by, by, orbit[0], target).is_some();
            if goes(&every) {
                continue;
            }
            // As long as it seems to go with the few, one more of the others.
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
    few
}

/// The images of all points of an orbit if one point goes to `target` and each generator of `by`
/// acts on the images as that of `images` does; `None` if they contradict each other.
fn follow(
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
    /// By generator: what its image has in common with it.
    kinds: Vec<(Vec<u16>, L)>,
    /// Cycles of products of two generators.
    products: HashMap<(usize, usize), Vec<u16>>,
    orbits: Vec<Vec<u16>>,
    found: Vec<Symmetry>,
    most: usize,
}

impl<L: Copy + Eq> Search<'_, L> {
    fn product(&mut self, a: usize, b: usize) -> Vec<u16> {
        let all = self.all;
        self.products.entry((a, b)).or_insert_with(|| cycles(&all[a].then(&all[b]))).clone()
    }

    /// Chooses the image of the next of the few generators in all ways.
    fn extend(&mut self, images: &mut Vec<usize>) {
        let Some(&next) = self.few.get(images.len()) else { return self.draw(images) };
        for image in 0..self.all.len() {
            if self.found.len() >= self.most {
                return;
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
                self.extend(images);
                images.pop();
            }
        }
    }

    /// Finds a permutation that takes the few generators to these images, and sees what it does to
    /// all.
    fn draw(&mut self, images: &[usize]) {
        let mut drawn = vec![u16::MAX; self.points];
        let mut taken = vec![false; self.points];
        for orbit in &self.orbits {
            let targets = self.orbits.iter().filter(|other| other.len() == orbit.len());
            // The point itself first, so that what stays as it is does so point by point.
            let targets = std::iter::once(orbit[0]).chain(targets.flatten().copied());
            let mut targets = targets.filter(|&target| !taken[usize::from(target)]);
            let Some(part) =
                targets.find_map(|target| follow(self.all, &self.few, images, orbit[0], target))
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

    /// All permutations of few points that take generators to generators, by trying all: their
    /// images of the generators.
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
        // A ring that turns both ways and an exchange; the same with a cost; two rings alike;
        // neighbours exchanged.
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
        // Two orbits that are exchanged.
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
