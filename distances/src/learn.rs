//! The learner: runs a small search for every feature, pair and triple, in parallel.

use super::excess::Excess;
use super::graph::MoveGraph;
use super::zero_one::Workspace;
use super::{DistancesError, FARTHEST, MOST_STATES, NONE};
use rayon::prelude::*;
use search::{CancelToken, Cost, Placed};

/// The results of the learner.
#[derive(Clone, Debug)]
pub(super) struct Distances {
    /// For each feature and place, the single distance: the least cost of the feature's moves to a
    /// goal. It is 0 for a feature that lies nowhere, and [`NONE`] if the feature reaches no goal.
    pub(super) single: Vec<u8>,
    /// The excesses of pairs, then of triples, each ordered by features and then by places. A
    /// triple is here only if its excess is greater than that of each pair in it.
    pub(super) excesses: Vec<Excess>,
    /// The numbers of placements of one, two and three features that reach a goal.
    pub(super) entries: [u64; 3],
}

/// The input of all small searches.
struct Learning<'a> {
    graph: &'a MoveGraph,
    /// For every goal, the place of each feature ([`NONE`] for a feature that lies nowhere), and
    /// the number of its context: see [`search::Contexts`].
    goals: Vec<(Vec<u8>, u16)>,
    cancel: Option<&'a CancelToken>,
}

/// Learns the single distances, and the excesses of up to `together` features (1 to 3).
pub(super) fn learn<D: Placed>(
    domain: &D,
    graph: &MoveGraph,
    goals: &[D::State],
    together: usize,
    cancel: Option<&CancelToken>,
) -> Result<Distances, DistancesError> {
    let byte = |place: Option<usize>| place.and_then(|at| u8::try_from(at).ok()).unwrap_or(NONE);
    let places = |goal: &D::State| {
        let all = (0..domain.features()).map(|feature| byte(domain.place(goal, feature)));
        (all.collect(), u16::try_from(domain.context(goal)).unwrap_or(u16::MAX))
    };
    let goals: Vec<(Vec<u8>, u16)> = goals.iter().map(places).collect();
    let Some((first, _)) = goals.first() else { return Err(DistancesError::NoGoal) };
    let placed: Vec<u8> =
        (0..).zip(first).filter(|&(_, &place)| place != NONE).map(|(feature, _)| feature).collect();
    let together = together.min(placed.len());
    let states = u32::try_from(together).ok().and_then(|count| graph.places.checked_pow(count));
    let states = states.and_then(|states| states.checked_mul(graph.contexts));
    if states.is_none_or(|states| states > MOST_STATES) {
        let found = states.unwrap_or(usize::MAX);
        let what = "states of a small search";
        return Err(DistancesError::TooMany { what, found, most: MOST_STATES });
    }
    let learning = Learning { graph, goals, cancel };
    let mut distances = learning.singles(&placed, domain.features())?;
    if together >= 2 {
        let pairs = learning.pairs(&placed, &mut distances)?;
        if together >= 3 {
            learning.triples(&placed, &pairs, &mut distances)?;
        }
    }
    Ok(distances)
}

/// The excess of every pair, indexed by the pair, the place of its lesser feature, and the place of
/// its greater feature. Pairs are ordered by the greater feature, then by the lesser.
struct Pairs {
    places: usize,
    excess: Vec<Cost>,
}

impl Pairs {
    fn index(&self, (a, p): (u8, usize), (b, q): (u8, usize)) -> usize {
        let (a, b) = (usize::from(a), usize::from(b));
        ((b * (b.max(1) - 1) / 2 + a) * self.places + p) * self.places + q
    }
}

impl Learning<'_> {
    /// Runs the small search of every set of features. Calls `keep` with the set and its least
    /// costs by places, and returns the results in the order of the sets.
    fn each<T: Send>(
        &self,
        sets: &[Vec<u8>],
        keep: impl Fn(&[u8], &[u8]) -> T + Sync,
    ) -> Result<Vec<T>, DistancesError> {
        let one = |workspace: &mut Workspace, set: &Vec<u8>| {
            if self.cancel.is_some_and(CancelToken::is_cancelled) {
                return Err(DistancesError::Cancelled);
            }
            let at = |goal: &[u8]| set.iter().map(|&feature| goal[usize::from(feature)]).collect();
            let goals: Vec<(Vec<u8>, u16)> =
                self.goals.iter().map(|(goal, context)| (at(goal), *context)).collect();
            let sources: Vec<_> =
                goals.iter().map(|(goal, context)| (&goal[..], *context)).collect();
            workspace.search(self.graph, &sources);
            Ok(keep(set, &workspace.least))
        };
        sets.par_iter().map_init(Workspace::new, one).collect()
    }

    fn singles(&self, placed: &[u8], features: usize) -> Result<Distances, DistancesError> {
        let places = self.graph.places;
        let sets: Vec<Vec<u8>> = placed.iter().map(|&feature| vec![feature]).collect();
        let mut single = vec![0; features * places];
        let found = self.each(&sets, |_, least| least.to_vec())?;
        for (&feature, least) in placed.iter().zip(&found) {
            single[usize::from(feature) * places..][..places].copy_from_slice(least);
        }
        let entries = found.iter().map(|least| reached(least)).sum();
        Ok(Distances { single, excesses: Vec::new(), entries: [entries, 0, 0] })
    }

    fn pairs(&self, placed: &[u8], distances: &mut Distances) -> Result<Pairs, DistancesError> {
        let places = self.graph.places;
        let mut sets = Vec::new();
        for (number, &b) in placed.iter().enumerate() {
            sets.extend(placed[..number].iter().map(|&a| vec![a, b]));
        }
        let found = self.each(&sets, |set, least| {
            let [a, b] =
                [0, 1].map(|i| &distances.single[usize::from(set[i]) * places..][..places]);
            let beyond = |(index, &least): (usize, &u8)| {
                excess(least, &[a[index / places], b[index % places]])
            };
            (reached(least), least.iter().enumerate().map(beyond).collect::<Vec<Cost>>())
        })?;
        let size = usize::from(placed.last().copied().unwrap_or(0)) + 1;
        let mut pairs = Pairs { places, excess: vec![0; size * (size - 1) / 2 * places * places] };
        for (set, (entries, excess)) in sets.iter().zip(found) {
            distances.entries[1] += entries;
            for (index, &cost) in excess.iter().enumerate().filter(|(_, cost)| **cost > 0) {
                let at = [index / places, index % places];
                distances.excesses.push(Excess::new(set, &at.map(to_byte), cost));
            }
            let start = pairs.index((set[0], 0), (set[1], 0));
            pairs.excess[start..][..excess.len()].copy_from_slice(&excess);
        }
        Ok(pairs)
    }

    fn triples(
        &self,
        placed: &[u8],
        pairs: &Pairs,
        distances: &mut Distances,
    ) -> Result<(), DistancesError> {
        let mut sets = Vec::new();
        for (third, &c) in placed.iter().enumerate() {
            for (second, &b) in placed[..third].iter().enumerate() {
                sets.extend(placed[..second].iter().map(|&a| vec![a, b, c]));
            }
        }
        let single = &distances.single;
        let found = self.each(&sets, |set, least| {
            let mut kept = Vec::new();
            self.keep_triples(set, least, single, pairs, &mut kept);
            (reached(least), kept)
        })?;
        for (entries, kept) in found {
            distances.entries[2] += entries;
            distances.excesses.extend(kept);
        }
        Ok(())
    }

    /// For each placement of these three features, adds their excess to `kept`. Leaves it out
    /// unless it is greater than the excess of each pair among them.
    fn keep_triples(
        &self,
        set: &[u8],
        least: &[u8],
        single: &[u8],
        pairs: &Pairs,
        kept: &mut Vec<Excess>,
    ) {
        let places = self.graph.places;
        let [a, b, c] = [set[0], set[1], set[2]];
        let of = |feature: u8, place: usize| single[usize::from(feature) * places + place];
        for (row, least) in least.chunks_exact(places).enumerate() {
            let (p, q) = (row / places, row % places);
            let ab = pairs.excess[pairs.index((a, p), (b, q))];
            for (r, &least) in least.iter().enumerate() {
                let cost = excess(least, &[of(a, p), of(b, q), of(c, r)]);
                if cost > ab
                    && cost > pairs.excess[pairs.index((a, p), (c, r))]
                    && cost > pairs.excess[pairs.index((b, q), (c, r))]
                {
                    kept.push(Excess::new(set, &[p, q, r].map(to_byte), cost));
                }
            }
        }
    }
}

/// The excess: by how much `together` is above the sum of the single distances. It is 0 if the
/// features reach no goal, or if a cost is above [`FARTHEST`].
fn excess(together: u8, singles: &[u8]) -> Cost {
    let sum: u16 = singles.iter().map(|&single| u16::from(single)).sum();
    if together > FARTHEST || sum > FARTHEST.into() {
        return 0;
    }
    let beyond = u16::from(together).saturating_sub(sum);
    Cost::try_from(beyond).unwrap_or(0)
}

fn reached(least: &[u8]) -> u64 {
    least.iter().filter(|&&cost| cost != NONE).count() as u64
}

/// A place as a byte. [`MoveGraph::new`] has checked that it fits.
fn to_byte(place: usize) -> u8 {
    u8::try_from(place).unwrap_or(NONE)
}
