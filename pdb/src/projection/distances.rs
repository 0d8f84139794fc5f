//! The distances of images, in one or two bytes each: [`Distances`].

use crate::table::Histogram;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The value of an image that reaches no goal.
pub(super) const UNREACHED: u16 = u16::MAX;

/// The distance of each image, in as many bits as the greatest distance needs.
#[derive(Clone)]
pub(super) enum Distances<S> {
    /// Distances up to 254. 255 stands for [`UNREACHED`].
    Eight(FxHashMap<S, u8>),
    /// Distances up to 65,534, and [`UNREACHED`].
    Sixteen(FxHashMap<S, u16>),
}

impl<S: Eq + Hash> Distances<S> {
    /// The bits that hold these distances: 8 or 16.
    pub(super) fn bits_for(distances: &[u16]) -> u32 {
        let long = |&distance: &u16| distance >= u16::from(u8::MAX) && distance != UNREACHED;
        if distances.iter().any(long) { 16 } else { 8 }
    }

    /// Stores these images and their distances, which must fit `bits` bits each.
    pub(super) fn new(bits: u32, images: impl Iterator<Item = (S, u16)>) -> Self {
        if bits == 16 {
            return Self::Sixteen(images.collect());
        }
        let short = |(image, distance)| (image, u8::try_from(distance).unwrap_or(u8::MAX));
        Self::Eight(images.map(short).collect())
    }

    /// The bits of an entry.
    pub(super) fn bits(&self) -> u32 {
        match self {
            Self::Eight(_) => 8,
            Self::Sixteen(_) => 16,
        }
    }

    /// The number of images.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Eight(map) => map.len(),
            Self::Sixteen(map) => map.len(),
        }
    }

    /// The distance of an image, or [`UNREACHED`]; `None` if it is not stored.
    #[inline(always)]
    pub(super) fn get(&self, image: &S) -> Option<u16> {
        match self {
            Self::Eight(map) => map.get(image).map(widen),
            Self::Sixteen(map) => map.get(image).copied(),
        }
    }

    /// All images with their distances, in no order.
    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = (&S, u16)> + '_> {
        match self {
            Self::Eight(map) => Box::new(map.iter().map(|(image, value)| (image, widen(value)))),
            Self::Sixteen(map) => Box::new(map.iter().map(|(image, &value)| (image, value))),
        }
    }

    /// How many images have each distance.
    pub(super) fn histogram(&self) -> Histogram {
        let (mut counts, mut unreached) = (Vec::new(), 0);
        for (_, distance) in self.iter() {
            let place = usize::from(distance);
            if distance == UNREACHED {
                unreached += 1;
            } else {
                counts.resize(counts.len().max(place + 1), 0);
                counts[place] += 1;
            }
        }
        Histogram { counts, unreached, entries: self.len() as u64 }
    }
}

/// The distance of a byte, or [`UNREACHED`].
#[inline(always)]
fn widen(&value: &u8) -> u16 {
    if value == u8::MAX { UNREACHED } else { value.into() }
}
