//! The slots of a puzzle as points that its operators permute: [`PuzzlePoints`].

use super::compiled::Effects;
use super::labels::PuzzleLabels;
use super::slots::{SlotContents, any_slot};
use crate::definition::PuzzleState;
use groups::{BigUint, GroupError, Permutation, StabilizerChain};
use search::Cost;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A piece as a point. Pieces that look alike may be told apart or not: see
/// [`HomePoint::class`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HomePoint {
    /// The point of the piece in the goal.
    pub point: u16,
    /// Pieces with the same number may lie in each other's slots.
    pub class: u16,
    /// The piece may be turned by multiples of this number in its slot. 0: not at all.
    pub step: u16,
}

/// The points of a puzzle: one for each slot and each twist of a piece there. For puzzles of any
/// size whose pieces may look alike.
///
/// If pieces look alike, one state is several permutations of the points.
#[derive(Clone, Debug)]
pub struct PuzzlePoints {
    labels: Arc<PuzzleLabels>,
    /// For each slot: its first point. Then the number of points.
    first: Vec<u16>,
    /// For each slot: the class of the pieces that may lie there in the goal.
    classes: Vec<u16>,
}

/// The permutation of the points that an element stands for. `first` has the first point of each
/// slot.
pub(super) fn permutation_of(
    effects: &Effects,
    first: &[u16],
    element: &SlotContents,
) -> Result<Permutation, GroupError> {
    let (inverse, mut images) = (effects.invert(element), Vec::new());
    for slot in 0..effects.slots() {
        // The piece at home in the slot lies in slot `to`.
        let to = usize::from(inverse.piece[slot]);
        let (modulus, turned) = (u16::from(effects.modulus[to]), u16::from(inverse.twist[slot]));
        images.extend((0..modulus).map(|twist| first[to] + (twist + modulus - turned) % modulus));
    }
    Permutation::new(images)
}

impl PuzzlePoints {
    /// The points of a puzzle.
    ///
    /// `None` if it depends on the state which operators apply, or there are several goals or too
    /// many points. Also if the goal ignores some pieces, and others that look alike not, or the
    /// piece of a slot and not its twist.
    pub fn new(labels: &Arc<PuzzleLabels>) -> Option<Self> {
        let restricted = !labels.illegal.is_empty() || !labels.blocks.is_empty();
        if restricted { None } else { Self::without_rules(labels) }
    }

    /// As [`PuzzlePoints::new`], also if it depends on the state which operators apply.
    pub fn without_rules(labels: &Arc<PuzzleLabels>) -> Option<Self> {
        let [goal] = &labels.goals[..] else { return None };
        let points: usize = labels.effects.modulus.iter().map(|&twists| usize::from(twists)).sum();
        if points > Permutation::MOST_POINTS {
            return None;
        }
        let mut first = vec![0];
        for &twists in &labels.effects.modulus {
            first.push(first[first.len() - 1] + u16::from(twists));
        }
        // The pieces of each component that the goal ignores are a class of their own.
        let mut classes = goal.piece.clone();
        if let Some(ignore) = &labels.ignore {
            let components = labels.effects.components();
            for slot in (0..goal.piece.len()).filter(|&slot| ignore.pieces[slot]) {
                if !ignore.orientation[slot] && labels.effects.modulus[slot] > 1 {
                    return None;
                }
                let counts =
                    |other: usize| goal.piece[other] == goal.piece[slot] && !ignore.pieces[other];
                if (0..goal.piece.len()).any(counts) {
                    return None;
                }
                let same =
                    |&other: &usize| ignore.pieces[other] && components[other] == components[slot];
                let least = (0..goal.piece.len()).find(same).unwrap_or(slot);
                classes[slot] = goal.piece[least];
            }
        }
        Some(Self { labels: Arc::clone(labels), first, classes })
    }

    /// The logarithm of the number of states, as if every order and every twist of the pieces could
    /// be reached: a bit too much.
    pub fn log_states(&self) -> f64 {
        let components = self.labels.effects.components();
        let (mut slots, mut pieces) = (BTreeMap::new(), BTreeMap::new());
        let mut states = 0.0;
        for (home, &component) in self.homes().iter().zip(&components) {
            let turns = self.labels.effects.modulus[component];
            let known = if home.step == 0 { turns.into() } else { home.step };
            let slot = slots.entry(component).or_insert(0_u32);
            let piece = pieces.entry((component, home.class)).or_insert(0_u32);
            (*slot, *piece) = (*slot + 1, *piece + 1);
            states += f64::from(*slot).ln() - f64::from(*piece).ln() + f64::from(known).ln();
        }
        states
    }

    /// The number of pairs of a level and a point of its orbit, if each piece can reach all slots
    /// of its component that earlier pieces left: a bit too much.
    pub fn orbit_points(&self) -> u64 {
        let mut slots = BTreeMap::new();
        let components = self.labels.effects.components();
        let places = components.iter().map(|&component| {
            let slots = slots.entry(component).or_insert(0_u64);
            *slots += 1;
            *slots * u64::from(self.labels.effects.modulus[component])
        });
        places.sum()
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.first.last().copied().unwrap_or(0).into()
    }

    /// The number of twists of each slot: how many points it has.
    pub fn twists(&self) -> Vec<u16> {
        self.labels.effects.modulus.iter().map(|&twists| twists.into()).collect()
    }

    /// The operators as permutations of the points, with their costs.
    ///
    /// # Errors
    /// Never for operators of a definition.
    pub fn generators(&self) -> Result<Vec<(Permutation, Cost)>, GroupError> {
        let effects = &self.labels.effects;
        // Each slot counts twists from that of its own piece in the goal.
        let slots = 0..self.labels.slots();
        let of_slot = |slot: usize| {
            (0..u16::from(effects.modulus[slot])).map(move |twist| self.point(slot, twist))
        };
        let turned = Permutation::new(slots.flat_map(of_slot).collect())?;
        let back = turned.inverse();
        let generator = |(step, &cost): (&SlotContents, &Cost)| {
            Ok((back.then(&permutation_of(effects, &self.first, step)?).then(&turned), cost))
        };
        effects.steps.iter().zip(&effects.costs).map(generator).collect()
    }

    /// How many times more elements the group would have if components moved independently of each
    /// other. Components are sets of slots that exchange no pieces.
    ///
    /// # Errors
    /// [`GroupError::Stopped`].
    pub fn coupling(&self, stop: &dyn Fn() -> bool) -> Result<BigUint, GroupError> {
        let generators = self.generators()?.into_iter().map(|(generator, _)| generator);
        let generators: Vec<Permutation> = generators.collect();
        let order = StabilizerChain::new_until(self.points(), &generators, &[], stop)?.order();
        let components = self.labels.effects.components();
        let mut product = BigUint::from(1_u32);
        for first in (0..components.len()).filter(|&slot| components[slot] == slot) {
            let of = |slot: usize| self.first[slot]..self.first[slot + 1];
            let slots = (0..components.len()).filter(|&slot| components[slot] == first);
            let points: Vec<u16> = slots.flat_map(of).collect();
            let number = |point: u16| any_slot(points.partition_point(|&other| other < point));
            let alone = |generator: &Permutation| {
                Permutation::new(points.iter().map(|&at| number(generator.image(at))).collect())
            };
            let alone: Vec<Permutation> = generators.iter().map(alone).collect::<Result<_, _>>()?;
            product *= StabilizerChain::new_until(points.len(), &alone, &[], stop)?.order();
        }
        Ok(product / order)
    }

    /// The point of a slot where a piece has this twist.
    fn point(&self, slot: usize, twist: u16) -> u16 {
        let modulus = u16::from(self.labels.effects.modulus[slot]);
        let goal = u16::from(self.labels.goals[0].twist[slot]);
        self.first[slot] + (twist + modulus - goal) % modulus
    }

    /// The points of the pieces in the goal, slot after slot.
    pub fn homes(&self) -> Vec<HomePoint> {
        let labels = &*self.labels;
        let home = |slot: usize| {
            let (_, _, known) = labels.pieces[usize::from(labels.goals[0].piece[slot])];
            let ignored = labels
                .ignore
                .as_ref()
                .is_some_and(|ignore| ignore.pieces[slot] || ignore.orientation[slot]);
            let known = if ignored { 1 } else { known };
            let step = if known == labels.effects.modulus[slot] { 0 } else { known.into() };
            HomePoint { point: self.first[slot], class: self.classes[slot], step }
        };
        (0..labels.slots()).map(home).collect()
    }

    /// Where the pieces of [`PuzzlePoints::homes`] lie in a state, in their order. Of pieces that
    /// look alike, the first home gets the first that is found. `None` if the goal has other
    /// pieces.
    pub fn images(&self, state: &PuzzleState) -> Option<Vec<u16>> {
        let (labels, goal) = (&*self.labels, &self.labels.goals[0]);
        let contents = labels.contents(state);
        let components = labels.effects.components();
        let class_of = |slot: usize| {
            let home = (0..labels.slots()).find(|&home| {
                goal.piece[home] == contents.piece[slot] && components[home] == components[slot]
            })?;
            Some(self.classes[home])
        };
        let classes: Vec<u16> = (0..labels.slots()).map(class_of).collect::<Option<_>>()?;
        let mut taken = vec![false; labels.slots()];
        let image = |home: usize| {
            let fits = |&slot: &usize| {
                !taken[slot]
                    && classes[slot] == self.classes[home]
                    && components[slot] == components[home]
            };
            let slot = (0..labels.slots()).find(fits)?;
            taken[slot] = true;
            Some(self.point(slot, contents.twist[slot].into()))
        };
        (0..labels.slots()).map(image).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{labels, read};
    use crate::{definition::Definition, shipped};
    use search::random::Random;

    fn points(definition: Definition) -> PuzzlePoints {
        PuzzlePoints::new(&Arc::new(labels(definition))).expect("points")
    }

    /// Where pieces lie after moves is where the product of the moves takes them: at the same
    /// point if all differ, else at a place where another of the class may be expected.
    #[test]
    fn pieces_go_where_the_permutations_take_them() {
        for name in ["2x2x2", "kilominx", "pyraminx", "clock", "fto", "4x4x4"] {
            let points = points(read(shipped::text(name).expect("a shipped puzzle")));
            let (definition, operators) = (points.labels.definition(), points.labels.list());
            let (generators, homes) = (points.generators().expect("operators"), points.homes());
            let alike =
                (0..homes.len()).any(|i| homes[..i].iter().any(|p| p.class == homes[i].class));
            assert_eq!(alike, !definition.start().is_distinct(), "{name}");
            let mut random = Random::new(1);
            let mut state = definition.start().clone();
            let mut at: Vec<u16> = homes.iter().map(|home| home.point).collect();
            assert_eq!(points.images(&state), Some(at.clone()), "{name}");
            for _ in 0..50 {
                let op = random.index(generators.len());
                state = state.apply(&operators.list[op].transformation);
                at.iter_mut().for_each(|point| *point = generators[op].0.image(*point));
                let images = points.images(&state).expect("pieces of the goal");
                let sorted = |points: &[u16]| {
                    let classes = homes.iter().map(|home| home.class);
                    let mut pairs: Vec<_> = classes.zip(points.iter().copied()).collect();
                    pairs.sort_unstable();
                    pairs
                };
                assert_eq!(sorted(&images), sorted(&at), "{name}");
            }
        }
    }

    /// A puzzle where moves depend on the state has no points.
    #[test]
    fn shapes_have_no_points() {
        let definition = read(shipped::text("square-1").expect("a shipped puzzle"));
        assert!(PuzzlePoints::new(&Arc::new(labels(definition))).is_none());
    }

    /// The logarithm of the number of states, if every arrangement counts: 8! 3^8 for the corners.
    #[test]
    fn arrangements_are_counted() {
        let points = points(read(shipped::text("2x2x2").expect("a shipped puzzle")));
        let arrangements = 40_320.0_f64 * 6_561.0;
        assert!(points.log_states() <= arrangements.ln() + 1e-9);
        assert!(points.log_states() >= (arrangements / 24.0).ln() - 1e-9);
    }
}
