//! The numbered images of a projection, and their distances.

use super::distances::{Distances, UNREACHED};
use crate::builder::{BuildError, BuildOptions};
use rustc_hash::FxHashMap;
use search::{CancelToken, Cost};
use std::hash::Hash;

/// Numbers images from 0 on, in the order in which they are found.
pub(super) struct ImageNodes<S> {
    numbers: FxHashMap<S, u32>,
    states: Vec<S>,
    limit: u32,
}

impl<S: Clone + Eq + Hash> ImageNodes<S> {
    /// No images yet, and at most `limit` later.
    pub(super) fn new(limit: u32) -> Self {
        Self { numbers: FxHashMap::default(), states: Vec::new(), limit }
    }

    /// The number of an image. A new image gets the next number.
    ///
    /// # Errors
    /// If there are more images than the limit.
    pub(super) fn number(&mut self, image: S) -> Result<u32, BuildError> {
        if let Some(&number) = self.numbers.get(&image) {
            return Ok(number);
        }
        let limit = self.limit;
        let number = u32::try_from(self.states.len()).ok().filter(|&number| number < limit);
        let number = number.ok_or(BuildError::TooManyImages { limit })?;
        self.states.push(image.clone());
        self.numbers.insert(image, number);
        Ok(number)
    }

    /// The number of an image, if it has one.
    pub(super) fn find(&self, image: &S) -> Option<u32> {
        self.numbers.get(image).copied()
    }

    /// The image with this number.
    pub(super) fn state(&self, number: u32) -> &S {
        &self.states[number as usize]
    }

    /// The number of images.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The table of all images. `distances` is indexed by their numbers.
    pub(super) fn with_distances(self, distances: &[u16]) -> Distances<S> {
        drop(self.states);
        let numbers = self.numbers.into_iter();
        let of_images = numbers.map(|(image, number)| (image, distances[number as usize]));
        Distances::new(Distances::<S>::bits_for(distances), of_images)
    }
}

/// # Errors
/// If the caller cancels.
pub(super) fn check_cancelled(options: &BuildOptions<'_>) -> Result<(), BuildError> {
    match options.cancel.is_some_and(CancelToken::is_cancelled) {
        true => Err(BuildError::Cancelled),
        false => Ok(()),
    }
}

/// The distance of each node to the nearest of `goals`; [`UNREACHED`] if it reaches none. `edges`
/// appends the edges *into* a node: the charge and the start of each. It may find new nodes beyond
/// the first `nodes`.
///
/// Uses buckets as in Robert Dial's "Algorithm 360" (CACM 12(11), 1969). A node gets its value
/// when it leaves the bucket, so no value is tentative.
///
/// # Errors
/// If a distance is above 65,534, the caller cancels, or `edges` fails.
pub(super) fn uniform_cost(
    goals: Vec<u32>,
    nodes: usize,
    options: &BuildOptions<'_>,
    mut edges: impl FnMut(u32, &mut Vec<(Cost, u32)>) -> Result<(), BuildError>,
) -> Result<Vec<u16>, BuildError> {
    let mut distances = vec![UNREACHED; nodes];
    let (mut buckets, mut into, mut seen) = (vec![goals], Vec::new(), 0);
    for depth in 0_usize.. {
        let Some(bucket) = buckets.get(depth) else { break };
        if bucket.iter().all(|&node| distances[node as usize] != UNREACHED) {
            buckets[depth] = Vec::new();
            continue;
        }
        let distance = u16::try_from(depth).ok().filter(|&distance| distance != UNREACHED);
        let too_deep =
            || BuildError::TooDeep { depth: u32::try_from(depth).unwrap_or(u32::MAX), bits: 16 };
        let distance = distance.ok_or_else(too_deep)?;
        let mut entries = 0;
        // Uncharged edges add to the bucket.
        while let Some(node) = buckets[depth].pop() {
            if distances[node as usize] != UNREACHED {
                continue;
            }
            check_cancelled(options)?;
            distances[node as usize] = distance;
            entries += 1;
            edges(node, &mut into)?;
            for (charge, from) in into.drain(..) {
                let most = distances.len().max(from as usize + 1);
                distances.resize(most, UNREACHED);
                if distances[from as usize] == UNREACHED {
                    let bucket = depth + usize::from(charge);
                    buckets.resize_with(buckets.len().max(bucket + 1), Vec::new);
                    buckets[bucket].push(from);
                }
            }
        }
        buckets[depth] = Vec::new();
        seen += entries;
        if let Some(observer) = options.observer {
            let layer = Cost::try_from(distance).unwrap_or(Cost::MAX);
            observer.layer(layer, entries, seen, distances.len() as u64);
        }
    }
    Ok(distances)
}
