//! The space of a table `labels`: words of labels, and their ranks.

use crate::puzzle::{Block, Move, Puzzle, least_rotation};
use crate::space::{Edge, MOST, Space};
use crate::text::Checked;
use std::iter;

/// More classes than this have more than `MOST` arrangements.
const MOST_CLASSES: usize = 13;
/// The most targets of moves that are kept for a block.
const MOST_TARGETS: usize = 1 << 28;

/// Words of all blocks. The rank of one is the sum of the ranks of its blocks' words, each times
/// the number of words of all blocks behind.
pub(crate) struct Words(Vec<Part>);

/// The words of one block. One has a *letter* for each place: the class of the piece there, and a
/// digit for its rotation.
struct Part {
    block: Block,
    /// For each sticker: the letter of its place, if it is at the first point there.
    letters: Vec<(usize, usize)>,
    /// For each class: how many rotations differ, and how many pieces there are.
    classes: Vec<(usize, usize)>,
    /// If the last digit is left out: the sum of all digits, modulo the number of rotations.
    sum: Option<usize>,
    arrangements: usize,
    rotations: usize,
    /// What the moves do to the places, and where they lead from each word, if that is kept.
    steps: Vec<Vec<(usize, usize)>>,
    kept: Vec<u32>,
}

impl Words {
    /// `None`: there are too many words.
    pub(crate) fn new(puzzle: &Puzzle, labels: &[usize]) -> Option<Self> {
        let parts = puzzle.blocks.iter().map(|block| Part::new(*block, labels, &puzzle.moves));
        let parts: Vec<Part> = parts.collect::<Option<_>>()?;
        let product =
            |size: u128, part: &Part| Some(size * part.size() as u128).filter(|&size| size <= MOST);
        parts.iter().try_fold(1, product)?;
        Some(Self(parts))
    }
}

impl Part {
    fn new(block: Block, labels: &[usize], moves: &[Move]) -> Option<Self> {
        let turns = block.rotations;
        let (mut letters, mut words, mut classes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut arrangements, mut rotations) = (1, 1);
        for (place, piece) in block.of(labels).chunks(turns).enumerate() {
            let least = least_rotation(piece);
            let rotated = |by: &usize| [&least[*by..], &least[..*by]].concat();
            let base = (1..turns).find(|by| rotated(by) == least).unwrap_or(turns);
            let start = (0..turns).find(|by| rotated(by) == piece).unwrap_or(0);
            let class = words.iter().position(|other| *other == least).unwrap_or(words.len());
            if class == words.len() {
                words.push(least);
                classes.push((base, 0));
            }
            classes[class].1 += 1;
            letters.extend((start..start + turns).map(|digit| (class, digit % base)));
            arrangements = arrangements * (place as u128 + 1) / classes[class].1 as u128;
            rotations *= base as u128;
            if arrangements * rotations > MOST * turns as u128 || class >= MOST_CLASSES {
                return None;
            }
        }
        let rotated = |one: &Move| block.step(&one.map).iter().map(|from| from.1).sum::<usize>();
        let follows = classes.iter().all(|class| class.0 == turns)
            && moves.iter().all(|one| rotated(one) % turns == 0);
        let sum = letters.iter().step_by(turns).map(|letter| letter.1).sum::<usize>() % turns;
        let sum = follows.then_some(sum);
        let rotations = rotations as usize / if follows { turns } else { 1 };
        let (arrangements, steps, kept) = (arrangements as usize, Vec::new(), Vec::new());
        Some(Self { block, letters, classes, sum, arrangements, rotations, steps, kept })
    }

    fn size(&self) -> usize {
        self.arrangements * self.rotations
    }

    /// The rank of a word. `None`: its digits do not have the goal's sum.
    fn rank(&self, word: impl Iterator<Item = (usize, usize)>) -> Option<usize> {
        let mut left = [0; MOST_CLASSES];
        iter::zip(&mut left, &self.classes).for_each(|(left, class)| *left = class.1);
        let (mut rank, mut arrangements, mut rotated, mut sum) = (0, self.arrangements, 0, 0);
        for ((class, digit), places) in word.zip((1..=self.block.places).rev()) {
            if arrangements > 1 {
                rank += arrangements * left[..class].iter().sum::<usize>() / places;
                arrangements = arrangements * left[class] / places;
                left[class] -= 1;
            }
            sum += digit;
            if places > 1 || self.sum.is_none() {
                rotated = rotated * self.classes[class].0 + digit;
            }
        }
        let fits = self.sum.is_none_or(|all| sum % self.block.rotations == all);
        fits.then_some(rank * self.rotations + rotated)
    }

    /// The word with this rank.
    fn unrank(&self, rank: usize) -> Vec<(usize, usize)> {
        let (mut rank, mut rest) = (rank / self.rotations, rank % self.rotations);
        let mut left: Vec<_> = self.classes.iter().map(|class| class.1).collect();
        let (mut arrangements, turns) = (self.arrangements, self.block.rotations);
        let mut word = Vec::with_capacity(self.block.places);
        for places in (1..=self.block.places).rev() {
            // How many arrangements go on with this class.
            let (mut class, mut these) = (0, arrangements * left[0] / places);
            while rank >= these {
                (rank, class) = (rank - these, class + 1);
                these = arrangements * left[class] / places;
            }
            arrangements = these;
            left[class] -= 1;
            word.push((class, 0));
        }
        let mut missing = self.sum.unwrap_or(0);
        let ranked = word.len() - usize::from(self.sum.is_some());
        for (class, digit) in word[..ranked].iter_mut().rev() {
            let base = self.classes[*class].0;
            (*digit, rest) = (rest % base, rest / base);
            missing += turns - *digit;
        }
        word[ranked..].iter_mut().for_each(|letter| letter.1 = missing % turns);
        word
    }

    /// Where the moves lead from a word.
    fn targets(&self, rank: usize) -> Vec<u32> {
        let word = self.unrank(rank);
        let turned = |&(from, by): &(usize, usize)| {
            let (class, digit) = word[from];
            (class, (digit + by) % self.classes[class].0)
        };
        let target = |step: &Vec<_>| self.rank(step.iter().map(turned)).unwrap_or(0) as u32;
        self.steps.iter().map(target).collect()
    }
}

impl Space for Words {
    fn size(&self) -> usize {
        self.0.iter().map(Part::size).product()
    }

    fn rank(&self, state: &[usize]) -> Option<usize> {
        self.0.iter().try_fold(0, |rank, part| {
            let places = part.block.of(state).iter().step_by(part.block.rotations);
            let word = places.map(|sticker| part.letters[sticker - part.block.first]);
            Some(rank * part.size() + part.rank(word)?)
        })
    }

    fn prepare(&mut self, moves: &[Move]) {
        for part in &mut self.0 {
            part.steps = moves.iter().map(|one| part.block.step(&one.map)).collect();
            let few = part.size() * moves.len() <= MOST_TARGETS;
            let ranks = 0..if few { part.size() } else { 0 };
            part.kept = ranks.flat_map(|rank| part.targets(rank)).collect();
        }
    }

    fn edges(&self, from: usize, moves: &[Move], edges: &mut Vec<Edge>) -> Checked {
        edges.extend(moves.iter().map(|one| Edge { to: 0, cost: one.cost }));
        let (mut rest, mut weight) = (from, 1);
        for part in self.0.iter().rev() {
            let rank = rest % part.size();
            let computed = if part.kept.is_empty() { part.targets(rank) } else { Vec::new() };
            let kept = part.kept.get(rank * moves.len()..).unwrap_or(&computed);
            let pairs = iter::zip(&mut *edges, kept);
            pairs.for_each(|(edge, &target)| edge.to += target as usize * weight);
            (rest, weight) = (rest / part.size(), weight * part.size());
        }
        Ok(())
    }
}
