//! Numbers for states whose pieces may look alike: [`WordRanks`].

use super::ranks::Ranks;
use crate::plain::{PlainBlock, PlainMove};

/// States by the words of labels that they show.
///
/// Of each block, the number has the rank of its classes and then its rotations. The class of a
/// place is the least rotation of its labels. `docs/CERTIFICATES.md` has all rules.
pub(super) struct WordRanks {
    blocks: Vec<WordBlock>,
    moves: Vec<WordMove>,
    goal: usize,
}

/// What is at a place: the number of the class in its block, and the rotation.
type Shown = (usize, usize);

struct WordBlock {
    /// The number of points of a place.
    rotations: usize,
    /// For each class: the number of pieces, and that of its different rotations.
    classes: Vec<(usize, usize)>,
    /// What is at each place in the goal.
    goal: Vec<Shown>,
    /// The number of arrangements of the classes, and of all rotations.
    arrangements: usize,
    turns: usize,
    /// Whether the last rotation follows from the others.
    follows: bool,
}

struct WordMove {
    cost: u16,
    /// For each block that changes: its number, and for each place where its piece comes from and
    /// by how much it is turned.
    changes: Vec<(usize, Vec<(usize, usize)>)>,
}

/// A state: for each block the number and what is at its places. And the places of a block after
/// a move, with the pieces of each class that are left.
pub(super) struct Word {
    numbers: Vec<usize>,
    blocks: Vec<Vec<Shown>>,
    after: Vec<Shown>,
    left: Vec<usize>,
}

impl WordRanks {
    /// `None` if the number of words does not fit an index.
    pub(super) fn new(
        blocks: &[PlainBlock],
        moves: &[PlainMove<Vec<u16>>],
        goal: &[u16],
    ) -> Option<(Self, usize)> {
        let (mut first, mut made) = (0, Vec::new());
        let mut steps: Vec<WordMove> =
            moves.iter().map(|one| WordMove { cost: one.cost, changes: Vec::new() }).collect();
        for (number, block) in blocks.iter().enumerate() {
            let points = first..first + block.pieces * block.rotations;
            let mut follows = true;
            for (one, step) in moves.iter().zip(&mut steps) {
                let places = one.effect[points.clone()].iter().step_by(block.rotations);
                let at = places.map(|&at| usize::from(at) - first);
                let change: Vec<_> =
                    at.map(|at| (at / block.rotations, at % block.rotations)).collect();
                let turns: usize = change.iter().map(|&(_, turn)| turn).sum();
                follows &= turns.is_multiple_of(block.rotations);
                if (0..).zip(&change).any(|(place, &(from, turn))| (place, 0) != (from, turn)) {
                    step.changes.push((number, change));
                }
            }
            made.push(WordBlock::new(block.rotations, &goal[points.clone()], follows)?);
            first = points.end;
        }
        let sizes = made.iter().map(WordBlock::entries);
        // A product of a count and a number of places fits, too.
        let entries =
            sizes.clone().try_fold(1, |product: usize, size| product.checked_mul(size?))?;
        let mut ranks = Self { blocks: made, moves: steps, goal: 0 };
        let mut left = Vec::new();
        ranks.goal = ranks
            .blocks
            .iter()
            .fold(0, |rank, block| rank * block.size() + block.rank(&block.goal, &mut left));
        (entries < usize::MAX >> 16).then_some((ranks, entries))
    }
}

impl WordBlock {
    fn new(rotations: usize, goal: &[u16], follows: bool) -> Option<Self> {
        let (mut words, mut classes, mut shown) = (Vec::new(), Vec::new(), Vec::new());
        for labels in goal.chunks(rotations) {
            let turned = |by: usize| -> Vec<u16> {
                (0..rotations).map(|i| labels[(i + by) % rotations]).collect()
            };
            let class = (0..rotations).map(turned).min()?;
            let rotation =
                |k: &usize| (0..rotations).all(|i| labels[i] == class[(i + k) % rotations]);
            let rotation = (0..rotations).find(rotation)?;
            let known = words.iter().position(|word| *word == class);
            let number = known.unwrap_or(words.len());
            if known.is_none() {
                let same =
                    |k: &usize| (0..rotations).all(|i| class[i] == class[(i + k) % rotations]);
                classes.push((0, (1..=rotations).find(same)?));
                words.push(class);
            }
            classes[number].0 += 1;
            shown.push((number, rotation));
        }
        let follows = follows && classes.iter().all(|&(_, different)| different == rotations);
        let mut block =
            Self { rotations, classes, goal: shown, arrangements: 1, turns: 1, follows };
        let mut places = 0;
        for &(pieces, _) in &block.classes {
            for piece in 1..=pieces {
                places += 1;
                block.arrangements = block.arrangements.checked_mul(places)? / piece;
            }
        }
        let free = block.goal.len() - usize::from(follows);
        let different = |&(class, _): &Shown| block.classes[class].1;
        block.turns =
            block.goal.iter().take(free).map(different).try_fold(1, usize::checked_mul)?;
        Some(block)
    }

    /// The number of words. `None` if it does not fit an index.
    fn entries(&self) -> Option<usize> {
        self.arrangements.checked_mul(self.turns)
    }

    fn size(&self) -> usize {
        self.arrangements * self.turns
    }

    /// The rotation of the last place, if it follows from the others.
    fn last(&self, others: &[Shown]) -> usize {
        let sum = |shown: &[Shown]| shown.iter().map(|&(_, turn)| turn).sum::<usize>();
        let turned = sum(others) % self.rotations;
        (sum(&self.goal) + self.rotations - turned) % self.rotations
    }

    /// The number of a word. Uses `left` as memory.
    fn rank(&self, shown: &[Shown], left: &mut Vec<usize>) -> usize {
        left.clear();
        left.extend(self.classes.iter().map(|&(pieces, _)| pieces));
        let (mut rank, mut arrangements) = (0, self.arrangements);
        for (places, &(class, _)) in (1..=shown.len()).rev().zip(shown) {
            let below: usize = left[..class].iter().sum();
            rank += arrangements * below / places;
            arrangements = arrangements * left[class] / places;
            left[class] -= 1;
        }
        let free = shown.len() - usize::from(self.follows);
        shown[..free].iter().fold(rank, |rank, &(class, turn)| rank * self.classes[class].1 + turn)
    }

    /// The word with a number.
    fn unrank(&self, number: usize, shown: &mut [Shown], left: &mut Vec<usize>) {
        left.clear();
        left.extend(self.classes.iter().map(|&(pieces, _)| pieces));
        let (mut rank, mut arrangements) = (number / self.turns, self.arrangements);
        for (places, at) in (1..=shown.len()).rev().zip(&mut *shown) {
            for (class, left) in left.iter_mut().enumerate() {
                let with = arrangements * *left / places;
                if rank < with {
                    (at.0, arrangements) = (class, with);
                    *left -= 1;
                    break;
                }
                rank -= with;
            }
        }
        let mut turns = number % self.turns;
        let free = shown.len() - usize::from(self.follows);
        for (class, turn) in shown[..free].iter_mut().rev() {
            let different = self.classes[*class].1;
            (*turn, turns) = (turns % different, turns / different);
        }
        if self.follows && free < shown.len() {
            shown[free].1 = self.last(&shown[..free]);
        }
    }
}

impl Ranks for WordRanks {
    type Scratch = Word;

    fn goal(&self) -> usize {
        self.goal
    }

    fn scratch(&self) -> Word {
        let blocks = self.blocks.iter().map(|block| block.goal.clone()).collect();
        let numbers = vec![usize::MAX; self.blocks.len()];
        Word { numbers, blocks, after: Vec::new(), left: Vec::new() }
    }

    fn before(&self, rank: usize, word: &mut Word, mut tell: impl FnMut(usize, u16)) -> bool {
        let mut rest = rank;
        for (number, block) in self.blocks.iter().enumerate().rev() {
            let own = rest % block.size();
            rest /= block.size();
            if word.numbers[number] != own {
                word.numbers[number] = own;
                block.unrank(own, &mut word.blocks[number], &mut word.left);
            }
        }
        for one in &self.moves {
            let (mut to, mut changes) = (0, one.changes.iter().peekable());
            for (number, block) in self.blocks.iter().enumerate() {
                to *= block.size();
                let Some((_, change)) = changes.next_if(|(changed, _)| *changed == number) else {
                    to += word.numbers[number];
                    continue;
                };
                let shown = &word.blocks[number];
                word.after.clone_from(shown);
                for (&(from, turn), &(class, rotation)) in change.iter().zip(shown) {
                    let different = block.classes[class].1;
                    let back = (rotation + block.rotations - turn) % different;
                    word.after[from] = (class, back);
                }
                to += block.rank(&word.after, &mut word.left);
            }
            tell(to, one.cost);
        }
        true
    }
}
