//! Combines two or three colourings, reduced by the symmetries that keep them.

use super::colouring::Colouring;
use super::coordinate::{SlotCoordinate, conjugation_of};
use crate::puzzle::PuzzleGroup;
use pdb::coset::{Coordinate, Product, Single};
use pdb::rank::ClassWords;
use search::Op;
use std::collections::HashSet;

/// A coordinate, or a coordinate with a single value if there is none.
#[derive(Clone, Debug)]
pub(super) struct Maybe(pub(super) Option<SlotCoordinate>);

/// The colourings that distinguish the cosets of a table.
#[derive(Clone, Debug)]
pub struct CosetPattern {
    pub(super) first: SlotCoordinate,
    pub(super) middle: Maybe,
    pub(super) last: SlotCoordinate,
    operators: usize,
    /// The numbers of the symmetries of the puzzle that keep all colourings.
    pub(super) symmetries: Vec<usize>,
}

impl CosetPattern {
    /// The pattern of two or three colourings, each with the numbering of its words. The words of
    /// `first` and `middle` number the rows, and the words of `last` number the columns.
    pub fn new(
        group: &PuzzleGroup,
        first: &(Colouring, ClassWords),
        middle: Option<&(Colouring, ClassWords)>,
        last: &(Colouring, ClassWords),
    ) -> Self {
        let all = [Some(first), middle, Some(last)];
        let symmetries = stabilizer(group, all.into_iter().flatten());
        let made = |(colouring, words): &(Colouring, ClassWords)| {
            SlotCoordinate::new(group, colouring.clone(), words.clone(), &symmetries)
                .unwrap_or_else(|| unreachable!("these symmetries keep it"))
        };
        let (first, middle, last) = (made(first), Maybe(middle.map(made)), made(last));
        Self { first, middle, last, operators: group.list().list.len(), symmetries }
    }

    /// The number of cosets, without reduction by symmetries.
    pub fn cosets(&self) -> u64 {
        u64::from(self.first.size()) * u64::from(self.middle.size()) * u64::from(self.last.size())
    }

    /// The first, the middle and the last coordinate.
    pub(super) fn parts(&self) -> [Option<&SlotCoordinate>; 3] {
        [Some(&self.first), self.middle.0.as_ref(), Some(&self.last)]
    }

    /// The coordinates in their order.
    pub(super) fn coordinates(&self) -> impl Iterator<Item = &SlotCoordinate> {
        self.parts().into_iter().flatten()
    }

    /// A hash that distinguishes the pattern from others with the same operators.
    pub fn fingerprint(&self) -> [u8; 32] {
        Self::fingerprint_of(&self.description())
    }

    /// The fingerprint of the pattern that has this [description](Self::description).
    pub fn fingerprint_of(description: &str) -> [u8; 32] {
        *blake3::hash(description.as_bytes()).as_bytes()
    }

    /// The pattern in words: for each colouring its slots by class, and the turns of each class.
    pub fn explained(&self) -> String {
        let told = |coordinate: &SlotCoordinate| {
            let Colouring { slots, class, turns, .. } = &coordinate.colouring;
            let of = |number: usize| {
                let here = slots.iter().zip(class).filter(|(_, of)| usize::from(**of) == number);
                let slots: Vec<String> = here.map(|(slot, _)| slot.to_string()).collect();
                match turns[number] {
                    1 => slots.join(" "),
                    turns => format!("{} in {turns} turns", slots.join(" ")),
                }
            };
            let classes: Vec<String> = (0..turns.len()).map(of).collect();
            format!("{{{}}}", classes.join(" | "))
        };
        self.coordinates().map(told).collect::<Vec<String>>().join(" x ")
    }

    /// A text that distinguishes the pattern from others with the same operators. Fingerprints and
    /// table files depend on it, so it must never change.
    ///
    /// For each coordinate it lists four things:
    /// - the slots
    /// - the class of each slot
    /// - by how much the colours of each slot are turned
    /// - how many turns of each class look different
    pub fn description(&self) -> String {
        let told = |coordinate: &SlotCoordinate| {
            let Colouring { slots, class, reference, turns } = &coordinate.colouring;
            format!("{slots:?} {class:?} {reference:?} {turns:?}")
        };
        self.coordinates().map(told).collect::<Vec<String>>().join("; ")
    }
}

/// The numbers of the symmetries that keep some colourings.
pub(super) fn stabilizer<'a>(
    group: &PuzzleGroup,
    colourings: impl Iterator<Item = &'a (Colouring, ClassWords)> + Clone,
) -> Vec<usize> {
    let all = group.relabellings().iter().enumerate();
    let kept = all.filter(|(_, symmetry)| {
        colourings
            .clone()
            .all(|(colouring, words)| conjugation_of(group, colouring, words, symmetry))
    });
    let kept: Vec<usize> = kept.map(|(number, _)| number).collect();
    closed(group, &kept)
}

/// The largest subset of some symmetries that is closed under composition.
///
/// Two symmetries with the same effect on operators may differ on colourings. So the symmetries
/// that keep a colouring need not form a group.
fn closed(group: &PuzzleGroup, kept: &[usize]) -> Vec<usize> {
    let all = group.relabellings();
    let known: HashSet<Vec<Op>> = kept.iter().map(|&one| all[one].operators().to_vec()).collect();
    let after = |a: usize, b: usize| {
        let ops = all[a].operators().iter();
        ops.map(|&op| all[b].operator(op)).collect::<Vec<Op>>()
    };
    let stays = |&one: &usize| kept.iter().all(|&other| known.contains(&after(other, one)));
    kept.iter().copied().filter(stays).collect()
}

impl Coordinate for Maybe {
    fn size(&self) -> u32 {
        self.0.as_ref().map_or(1, Coordinate::size)
    }
    fn solved(&self) -> u32 {
        self.0.as_ref().map_or(0, Coordinate::solved)
    }
    fn moved(&self, value: u32, op: Op) -> u32 {
        self.0.as_ref().map_or(0, |coordinate| coordinate.moved(value, op))
    }
    fn conjugate(&self, value: u32, symmetry: usize) -> u32 {
        match &self.0 {
            Some(coordinate) => coordinate.conjugate(value, symmetry),
            None => Single.conjugate(value, symmetry),
        }
    }
}

impl Product for CosetPattern {
    fn first(&self) -> &dyn Coordinate {
        &self.first
    }
    fn middle(&self) -> &dyn Coordinate {
        &self.middle
    }
    fn last(&self) -> &dyn Coordinate {
        &self.last
    }
    fn operators(&self) -> usize {
        self.operators
    }
    fn symmetries(&self) -> usize {
        self.symmetries.len()
    }
}
