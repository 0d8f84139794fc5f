//! Grows sets of pairs of places that generators keep together: [`PairMaps`].

use crate::Permutation;
use petgraph::unionfind::UnionFind;

/// The places of two pieces.
pub type PlacePair = [u16; 2];

/// What a generator does to the pairs of neighbours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeighbourChange {
    /// Neighbours that are none afterwards.
    pub lost: Vec<PlacePair>,
    /// Other pairs, which are neighbours afterwards.
    pub gained: Vec<PlacePair>,
}

/// The images of all pairs of places under the generators. 8 bytes for each.
pub(super) struct PairMaps {
    /// The places of each pair, ascending. Those with the end are among them.
    places: Vec<PlacePair>,
    costs: Vec<u64>,
    /// For each generator and pair: the pair to which it goes.
    images: Vec<Vec<u32>>,
    /// For each generator and pair: the pair that comes here.
    origins: Vec<Vec<u32>>,
    /// For each pair: the number of generators that move it.
    moved: Vec<u64>,
    /// For each pair: the number of pairs that it can become.
    orbit: Vec<usize>,
}

/// A set of pairs. A generator of cost `cost` separates at most `separated` of them, and others in
/// proportion.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) pairs: Vec<u32>,
    /// No state has more gaps.
    most: u64,
    pub(super) separated: u64,
    pub(super) cost: u64,
}

impl Relation {
    /// Whether the bound of a state with the most gaps is greater than that of another relation.
    fn is_better(&self, other: &Self) -> bool {
        let worth = |one: &Self, other: &Self| one.most * one.cost * other.separated;
        worth(self, other) > worth(other, self)
    }

    /// Whether the bound of a state with the most gaps is at least a share of the points.
    pub(super) fn is_at_least(&self, points: u64, share: u64) -> bool {
        self.most * self.cost * share >= points * self.separated
    }
}

/// A set of pairs that grows.
struct Growth<'a> {
    maps: &'a PairMaps,
    pairs: Vec<u32>,
    is_in: Vec<bool>,
    /// For each pair: the generators that link it to a pair of the set, in both directions.
    links: Vec<u64>,
    /// The pairs that are linked to the set.
    linked: Vec<u32>,
    /// For each generator: the pairs of the set that it takes out of it.
    separated: Vec<u64>,
}

fn index(pair: u32) -> usize {
    pair as usize
}

impl PairMaps {
    pub(super) fn new(points: usize, generators: &[(Permutation, u8)]) -> Self {
        let end = u16::try_from(points).unwrap_or(u16::MAX);
        let places: Vec<PlacePair> = (0..=end).flat_map(|b| (0..b).map(move |a| [a, b])).collect();
        let number = |a: u16, b: u16| {
            let (a, b) = (u32::from(a.min(b)), u32::from(a.max(b)));
            b * (b.saturating_sub(1)) / 2 + a
        };
        let images = generators.iter().map(|(generator, _)| {
            let image = |place: u16| if place == end { end } else { generator.image(place) };
            places.iter().map(|&[a, b]| number(image(a), image(b))).collect::<Vec<u32>>()
        });
        let images: Vec<Vec<u32>> = images.collect();
        let inverse = |images: &Vec<u32>| {
            let mut origins = vec![0; images.len()];
            (0..).zip(images).for_each(|(pair, &image)| origins[index(image)] = pair);
            origins
        };
        let origins = images.iter().map(inverse).collect();
        let (mut moved, mut sets) = (vec![0; places.len()], UnionFind::<u32>::new(places.len()));
        for (pair, &image) in images.iter().flat_map(|images| (0..).zip(images)) {
            moved[index(pair)] += u64::from(pair != image);
            sets.union(pair, image);
        }
        let (labels, mut sizes) = (sets.into_labeling(), vec![0; places.len()]);
        labels.iter().for_each(|&label| sizes[index(label)] += 1);
        let orbit = labels.iter().map(|&label| sizes[index(label)]).collect();
        let costs = generators.iter().map(|&(_, cost)| cost.into()).collect();
        Self { places, costs, images, origins, moved, orbit }
    }

    pub(super) fn places(&self, pair: u32) -> PlacePair {
        self.places[index(pair)]
    }

    /// The best set that grows from a pair of the place that the most generators move. `None` if
    /// there is none, or `stop` is true.
    pub(super) fn best(&self, stop: &dyn Fn() -> bool) -> Option<Relation> {
        let end = self.places.last()?[1];
        let moved = |place: u16| {
            let with_end = (0..).zip(&self.places).find(|(_, pair)| **pair == [place, end]);
            with_end.map_or(0, |(pair, _): (u32, _)| self.moved[index(pair)])
        };
        let seed = (0..end).max_by_key(|&place| (moved(place), std::cmp::Reverse(place)))?;
        let mut best: Option<Relation> = None;
        for (pair, places) in (0..).zip(&self.places) {
            if !places.contains(&seed) || places[1] == end {
                continue;
            }
            if stop() {
                return None;
            }
            let found = Growth::new(self).grow(pair, 2 * usize::from(end));
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.is_better(best))
            {
                best = Some(found);
            }
        }
        best
    }

    /// The set with those pairs of the end that cost nothing: no generator separates more for its
    /// cost. Pairs that few generators move come first.
    pub(super) fn with_end(&self, relation: Relation) -> Relation {
        let mut growth = Growth::new(self);
        relation.pairs.iter().for_each(|&pair| growth.add(pair));
        let end = self.places.last().map_or(0, |places| places[1]);
        let mut others: Vec<u32> =
            (0..).zip(&self.places).filter(|(_, pair)| pair[1] == end).map(|(i, _)| i).collect();
        others.sort_by_key(|&pair| (self.moved[index(pair)], pair));
        let mut best = relation;
        for (added, pair) in others.into_iter().enumerate() {
            // Of most of an orbit, most pairs are never gaps.
            if 2 * added >= self.orbit[index(pair)] {
                continue;
            }
            let mut tried = growth.separated.clone();
            for (generator, separated) in tried.iter_mut().enumerate() {
                *separated += growth.adds(generator, pair);
            }
            let fits =
                |(&separated, &cost): (&u64, &u64)| separated * best.cost <= best.separated * cost;
            if tried.iter().zip(&self.costs).all(fits) {
                growth.add(pair);
                best.pairs.push(pair);
            }
        }
        best
    }

    /// What each generator does to the pairs of a relation.
    pub(super) fn changes(&self, relation: &Relation) -> Vec<NeighbourChange> {
        let mut is_in = vec![false; self.places.len()];
        relation.pairs.iter().for_each(|&pair| is_in[index(pair)] = true);
        let leaving = |images: &[u32]| {
            let pairs = relation.pairs.iter().filter(|&&pair| !is_in[index(images[index(pair)])]);
            pairs.copied().collect::<Vec<u32>>()
        };
        let change = |(images, origins): (&Vec<u32>, &Vec<u32>)| NeighbourChange {
            lost: leaving(images).iter().map(|&pair| self.places(pair)).collect(),
            gained: leaving(origins)
                .iter()
                .map(|&pair| self.places(origins[index(pair)]))
                .collect(),
        };
        self.images.iter().zip(&self.origins).map(change).collect()
    }
}

impl<'a> Growth<'a> {
    fn new(maps: &'a PairMaps) -> Self {
        let pairs = maps.places.len();
        Self {
            maps,
            pairs: Vec::new(),
            is_in: vec![false; pairs],
            links: vec![0; pairs],
            linked: Vec::new(),
            separated: vec![0; maps.images.len()],
        }
    }

    /// Whether the generator takes a pair that is added out of the set.
    fn adds(&self, generator: usize, pair: u32) -> u64 {
        let image = self.maps.images[generator][index(pair)];
        u64::from(image != pair && !self.is_in[index(image)])
    }

    fn add(&mut self, pair: u32) {
        self.is_in[index(pair)] = true;
        self.pairs.push(pair);
        for generator in 0..self.separated.len() {
            let image = self.maps.images[generator][index(pair)];
            let origin = self.maps.origins[generator][index(pair)];
            if image == pair {
                continue;
            }
            self.separated[generator] += self.adds(generator, pair);
            self.separated[generator] -= u64::from(self.is_in[index(origin)]);
            for other in [image, origin] {
                if self.links[index(other)] == 0 {
                    self.linked.push(other);
                }
                self.links[index(other)] += 1;
            }
        }
    }

    /// Grows the set from a pair to at most so many. Returns the best set on the way.
    fn grow(mut self, seed: u32, most: usize) -> Option<Relation> {
        let mut best: Option<Relation> = None;
        let mut next = Some(seed);
        while let Some(pair) = next.filter(|_| self.pairs.len() < most) {
            self.add(pair);
            if let Some(relation) = self.relation()
                && best.as_ref().is_none_or(|best| relation.is_better(best))
            {
                best = Some(relation);
            }
            self.linked.retain(|&pair| !self.is_in[index(pair)]);
            // What a pair adds to the separations, in both directions.
            let added = |pair: u32| 2 * self.maps.moved[index(pair)] - self.links[index(pair)];
            next = self.linked.iter().copied().min_by_key(|&pair| (added(pair), pair));
        }
        best
    }

    /// The set as a relation. All its pairs are of one orbit. `None` if no generator separates a
    /// pair: there never is a gap. Also if a separation costs nothing.
    fn relation(&self) -> Option<Relation> {
        let orbit = self.maps.orbit[index(*self.pairs.first()?)];
        let most = self.pairs.len().min(orbit - self.pairs.len()) as u64;
        let all = self.separated.iter().zip(&self.maps.costs);
        let (separated, cost) = all.fold((0, 1), |(most, of), (&separated, &cost)| {
            match separated * of > most * cost {
                true => (separated, cost),
                false => (most, of),
            }
        });
        (separated > 0 && cost > 0).then(|| Relation {
            pairs: self.pairs.clone(),
            most,
            separated,
            cost,
        })
    }
}
