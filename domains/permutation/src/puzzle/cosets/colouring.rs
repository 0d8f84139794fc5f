//! Colourings of the pieces of one component, derived from orbits under powers of the operators.

use crate::puzzle::PuzzleGroup;
use crate::puzzle::relabelling::Relabelling;
use crate::puzzle::slots::slot_number;
use groups::{GroupError, Permutation};
use pdb::rank::{ClassWords, PieceClass};
use search::CancelToken;
use std::collections::{HashMap, HashSet};

/// Most sets of powers of operators to try.
const MOST_SETS: usize = 1 << 13;
/// Most classes of a colouring. Each subset of classes gives a variant that ignores their turns.
const MOST_FORGOTTEN: usize = 4;
/// Most slots of a component.
pub(super) const MOST_SLOTS: usize = 64;

/// A colouring of the points of the pieces in one component. A piece has one point for each
/// orientation.
///
/// Two pieces are in one *class* if their colours are the same up to a turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Colouring {
    /// The slots of the component, ascending.
    pub(super) slots: Vec<usize>,
    /// For each of `slots`: the class of the piece at home there. Classes are numbered by first
    /// occurrence.
    pub(super) class: Vec<u8>,
    /// For each slot: by how much the colours of the piece at home there are turned against those
    /// of its class. Below the number of turns of the class.
    pub(super) reference: Vec<u8>,
    /// For each class: the number of turns that look different.
    pub(super) turns: Vec<u8>,
}

impl Colouring {
    /// The colouring in which each point has the colour `colour(point)`.
    fn new(group: &PuzzleGroup, slots: &[usize], colour: impl Fn(u16) -> u16) -> Self {
        let mut made = Self {
            slots: slots.to_vec(),
            class: Vec::new(),
            reference: Vec::new(),
            turns: Vec::new(),
        };
        let mut known: Vec<Vec<u16>> = Vec::new();
        for &slot in slots {
            let twists = usize::from(group.twists(slot));
            let colours: Vec<u16> = (group.point(slot)..).take(twists).map(&colour).collect();
            let turned = |by: usize| (0..twists).map(move |at| (at + by) % twists);
            let rotation = |by: usize| turned(by).map(|at| colours[at]).collect::<Vec<u16>>();
            let period = (1..=twists).find(|&by| rotation(by) == colours).unwrap_or(twists);
            let least = (0..period).min_by_key(|&by| rotation(by)).unwrap_or(0);
            let colours = rotation(least);
            let class = known.iter().position(|other| *other == colours).unwrap_or_else(|| {
                known.push(colours);
                made.turns.push(u8::try_from(period).expect("at most 128 twists"));
                known.len() - 1
            });
            made.class.push(slot_number(class));
            made.reference.push(u8::try_from(least).expect("at most 128 twists"));
        }
        made
    }

    /// The same colouring, but the turns of class `c` are ignored if bit `c` of `classes` is set.
    fn without_turns(&self, classes: usize) -> Self {
        let mut made = self.clone();
        for (class, turns) in made.turns.iter_mut().enumerate() {
            if classes >> class & 1 == 1 {
                *turns = 1;
            }
        }
        for (reference, &class) in made.reference.iter_mut().zip(&made.class) {
            *reference %= made.turns[usize::from(class)];
        }
        made
    }

    /// The class of the piece at home in slot `home`, and the turn of its colours if it has this
    /// twist. `None` if the slot is not in the component.
    #[inline]
    pub(super) fn shows(&self, home: usize, twist: u8) -> Option<(u8, u8)> {
        let place = self.slots.binary_search(&home).ok()?;
        let class = self.class[place];
        let turns = self.turns[usize::from(class)];
        // Both are below 128.
        Some((class, (twist + self.reference[place]) % turns))
    }

    /// Numbers the ways in which the colours can lie. `None` if there are more than `most`, or too
    /// many to number.
    pub(super) fn arrangements(&self, group: &PuzzleGroup, most: u32) -> Option<ClassWords> {
        let pieces =
            |class: usize| self.class.iter().filter(|&&of| usize::from(of) == class).count();
        let classes: Option<Vec<PieceClass>> = (0..self.turns.len())
            .map(|class| {
                Some(PieceClass {
                    pieces: u8::try_from(pieces(class)).ok()?,
                    turns: self.turns[class],
                })
            })
            .collect();
        ClassWords::new(classes?, self.bound(group), most)
    }

    /// The sum of all turns, if it is always the same: all classes have the same number of turns,
    /// and no operator changes the sum. `None` otherwise.
    fn bound(&self, group: &PuzzleGroup) -> Option<u8> {
        let turns = u32::from(*self.turns.first()?);
        let alike = self.turns.iter().all(|&other| u32::from(other) == turns);
        let sum = |twists: &mut dyn Iterator<Item = u8>| twists.map(u32::from).sum::<u32>() % turns;
        let kept = (0..group.list().list.len()).all(|op| {
            let step = group.step(op);
            sum(&mut self.slots.iter().map(|&slot| step.twist[slot])) == 0
        });
        let bound = sum(&mut self.reference.iter().copied());
        (alike && turns > 1 && kept).then(|| u8::try_from(bound).expect("at most 128 twists"))
    }

    /// The image of this colouring under a symmetry: the image of a piece has the colours of the
    /// piece. Classes keep their numbers.
    fn image(&self, group: &PuzzleGroup, symmetry: &Relabelling) -> Self {
        // The new colour of a point consists of the class of its piece and of its turn.
        let mut paint = vec![u16::MAX; group.points()];
        for (place, &slot) in self.slots.iter().enumerate() {
            let class = self.class[place];
            let turns = self.turns[usize::from(class)];
            let modulus = group.twists(slot);
            for twist in 0..modulus {
                let colour = u16::from(class) << 8
                    | u16::from((twist + modulus - self.reference[place]) % modulus % turns);
                let there = symmetry.point(slot, twist, modulus);
                let point = group.point(there.0) + u16::from(there.1);
                paint[usize::from(point)] = colour;
            }
        }
        let mut slots: Vec<usize> =
            self.slots.iter().map(|&slot| usize::from(symmetry.to[slot])).collect();
        slots.sort_unstable();
        Self::new(group, &slots, |point| paint[usize::from(point)])
    }

    /// Whether the colouring distinguishes nothing: there is one class, without turns.
    fn is_blank(&self) -> bool {
        self.turns == [1]
    }
}

/// The colourings of all components with the numbering of their words, in a fixed order. `None` if
/// cancelled.
///
/// Orbits of points under powers of the operators are the colours. There are also variants that
/// ignore the turns of some classes. Of colourings that symmetries map to each other, only the
/// first is kept. No colouring has more than `most` words.
///
/// # Errors
/// Never for operators of a definition.
pub fn colourings(
    group: &PuzzleGroup,
    most: u32,
    cancel: &CancelToken,
) -> Result<Option<Vec<(Colouring, ClassWords)>>, GroupError> {
    if group.find_symmetries(cancel) == Err(GroupError::Stopped) {
        return Ok(None);
    }
    let components = components(group);
    let (mut seen, mut kept, mut found) = (HashSet::new(), HashSet::new(), Vec::new());
    for powers in power_sets(group)? {
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let orbit = orbits_of(group.points(), &powers);
        for slots in &components {
            let colouring = Colouring::new(group, slots, |point| orbit[usize::from(point)]);
            if colouring.turns.len() > MOST_FORGOTTEN || !seen.insert(colouring.clone()) {
                continue;
            }
            for forgotten in 0..1_usize << colouring.turns.len() {
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                let made = colouring.without_turns(forgotten);
                if forgotten > 0 && !seen.insert(made.clone()) {
                    continue;
                }
                // If a symmetry maps this colouring to a kept one, drop it.
                let mut images = group.relabellings().iter().map(|one| made.image(group, one));
                if made.is_blank() || images.any(|image| kept.contains(&image)) {
                    continue;
                }
                if let Some(words) = made.arrangements(group, most) {
                    kept.insert(made.clone());
                    found.push((made, words));
                }
            }
        }
    }
    Ok(Some(found))
}

/// The slots of each component that has 2 to [`MOST_SLOTS`] slots.
fn components(group: &PuzzleGroup) -> Vec<Vec<usize>> {
    let mut components: Vec<Vec<usize>> = Vec::new();
    for slot in 0..group.slots() {
        let known =
            components.iter_mut().find(|one| group.component(one[0]) == group.component(slot));
        match known {
            Some(known) => known.push(slot),
            None => components.push(vec![slot]),
        }
    }
    components.retain(|slots| (2..=MOST_SLOTS).contains(&slots.len()));
    components
}

/// Sets of powers of operators.
///
/// A set takes at most one power of each operator that is not itself a power of another. Powers
/// that generate the same group count once. If that makes too many sets, operators that are
/// products of powers of others are left out: see [`without_products`].
fn power_sets(group: &PuzzleGroup) -> Result<Vec<Vec<Permutation>>, GroupError> {
    let operators: Vec<Permutation> = group.generators()?;
    let powers = |generator: &Permutation| {
        let mut powers = vec![generator.clone()];
        while let Some(last) = powers.last().filter(|last| !last.is_identity()) {
            let next = last.then(generator);
            powers.push(next);
        }
        powers.pop();
        powers
    };
    let all: Vec<Vec<Permutation>> = operators.iter().map(powers).collect();
    let mut roots: Vec<usize> = Vec::new();
    for (number, own) in all.iter().enumerate() {
        let below = |other: usize| {
            all[other].contains(&operators[number])
                && (all[other].len() > own.len() || other < number)
        };
        if !own.is_empty() && !(0..all.len()).any(|other| other != number && below(other)) {
            roots.push(number);
        }
    }
    // The choices for an operator: the operator itself, then its powers by each proper divisor of
    // its order, then no power.
    let choices = |roots: &[usize]| -> Vec<Vec<Option<&Permutation>>> {
        let choices = roots.iter().map(|&root| {
            let order = all[root].len() + 1;
            let divisors = (1..order).filter(|by| order.is_multiple_of(*by));
            divisors.map(|by| all[root].get(by - 1)).chain([None]).collect()
        });
        choices.collect()
    };
    let fits = |choices: &[Vec<Option<&Permutation>>]| {
        choices
            .iter()
            .try_fold(1_usize, |all, choice| all.checked_mul(choice.len()))
            .is_some_and(|all| all <= MOST_SETS)
    };
    let mut chosen = choices(&roots);
    if !fits(&chosen) {
        let fewer = choices(&without_products(&roots, &all));
        chosen = if fits(&fewer) { fewer } else { chosen };
    }
    if !fits(&chosen) {
        chosen.iter_mut().for_each(|choice| *choice = vec![choice[0], None]);
    }
    let mut sets = vec![Vec::new()];
    for choice in &chosen {
        let longer = |set: &Vec<Permutation>| {
            let set = set.clone();
            choice.iter().map(move |power| set.iter().chain(*power).cloned().collect())
        };
        // Beyond the limit, only the first choice is taken: the operator itself.
        sets = if sets.len() * choice.len() <= MOST_SETS {
            sets.iter().flat_map(longer).collect()
        } else {
            sets.iter().filter_map(|set| longer(set).next()).collect()
        };
    }
    Ok(sets)
}

/// The roots that are no product of powers of two roots which move fewer points: on the cube with
/// turns of slices, the turns of faces. `powers` has all powers of each operator.
fn without_products(roots: &[usize], powers: &[Vec<Permutation>]) -> Vec<usize> {
    let moved = |root: usize| {
        let images = powers[root][0].images();
        (0_u16..).zip(images).filter(|(point, image)| point != *image).count()
    };
    // For each power: the fewest points that an operator moves of which it is one.
    let mut known: HashMap<&Permutation, usize> = HashMap::new();
    for &root in roots {
        let size = moved(root);
        for power in &powers[root] {
            known.entry(power).and_modify(|least| *least = size.min(*least)).or_insert(size);
        }
    }
    let is_product = |root: usize| {
        let (own, size) = (&powers[root][0], moved(root));
        let smaller = |power: &Permutation| known.get(power).is_some_and(|&least| least < size);
        // The inverse of a power is one, too.
        known.iter().any(|(back, &least)| least < size && smaller(&back.then(own)))
    };
    roots.iter().copied().filter(|&root| !is_product(root)).collect()
}

/// For each point: the least point of its orbit.
fn orbits_of(points: usize, generators: &[Permutation]) -> Vec<u16> {
    let mut least = vec![0; points];
    for orbit in groups::orbits(points, generators) {
        orbit.iter().for_each(|&point| least[usize::from(point)] = orbit[0]);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two turns and their products, the turns are left. So is a product of three.
    #[test]
    fn products_of_turns_that_move_less_are_left_out() {
        let cycles = |cycles: &[&[u16]]| Permutation::from_cycles(12, cycles).expect("cycles");
        let (a, b, c) =
            (cycles(&[&[0, 1, 2, 3]]), cycles(&[&[4, 5, 6, 7]]), cycles(&[&[8, 9, 10, 11]]));
        let (both, mixed) = (a.then(&b), a.then(&a).then(&b.inverse()));
        let (three, other) = (both.then(&c), cycles(&[&[0, 4], &[1, 5]]));
        let operators = [&both, &a, &three, &b, &mixed, &other];
        let powers = |turn: &&Permutation| {
            let powers = std::iter::successors(Some((*turn).clone()), |last| Some(last.then(turn)));
            powers.take_while(|power| !power.is_identity()).collect()
        };
        let powers: Vec<Vec<Permutation>> = operators.iter().map(powers).collect();
        // `three` is the product of `both` and `c`, but `c` is no operator.
        assert_eq!(without_products(&[0, 1, 2, 3, 4, 5], &powers), [1, 2, 3, 5]);
    }
}
