//! The space of a table `labels`: words of labels, and their ranks.

use crate::puzzle::{Block, Move, Puzzle, least_rotation};
use crate::space::{Edge, MOST, Space, Visit};
use crate::text::Objection;

/// More classes than this have more than `MOST` arrangements.
const MOST_CLASSES: usize = 13;

/// The words that moves can make of the word of the goal, and more.
#[derive(Debug)]
pub(crate) struct Words {
    blocks: Vec<Part>,
    size: usize,
}

/// The words of one block: the classes of its places, and their rotations.
#[derive(Debug)]
struct Part {
    block: Block,
    /// For each sticker: the class of its piece.
    class: Vec<u8>,
    /// For each sticker: the rotation of its piece if it is at the first point of a place.
    digit: Vec<u32>,
    /// For each class: how many rotations differ, and how many pieces there are.
    base: Vec<u32>,
    pieces: Vec<u64>,
    /// If the last digit is left out: the sum of all digits, modulo the number of rotations.
    sum: Option<u32>,
    arrangements: u64,
    rotations: u64,
    /// The number of words of all blocks behind this one.
    weight: u64,
}

/// For each place: the place whose piece comes here, and by how much it is rotated.
type Step = Vec<(usize, u32)>;

impl Words {
    /// `None`: there are too many words.
    pub(crate) fn new(puzzle: &Puzzle, labels: &[u16]) -> Option<Self> {
        let parts = puzzle.blocks.iter().map(|block| Part::new(block, labels, &puzzle.moves));
        let mut blocks = parts.collect::<Option<Vec<_>>>()?;
        let mut size = 1_u64;
        for part in blocks.iter_mut().rev() {
            part.weight = size;
            let larger = u128::from(size) * u128::from(part.arrangements * part.rotations);
            size = u64::try_from(larger).ok().filter(|_| larger <= MOST)?;
        }
        Some(Self { blocks, size: size as usize })
    }

    /// The rank of a state's word. `None`: its rotations do not have the sum of the goal's, so no
    /// plan leads from it to the goal.
    pub(crate) fn rank(&self, state: &[u16]) -> Option<usize> {
        self.blocks
            .iter()
            .try_fold(0, |rank, part| Some(rank + part.rank(state)?))
            .map(|rank: u64| rank as usize)
    }
}

impl Part {
    fn new(block: &Block, labels: &[u16], moves: &[Move]) -> Option<Self> {
        let turns = block.rotations;
        let mut classes: Vec<Vec<u16>> = Vec::new();
        let (mut class, mut digit, mut base, mut pieces) = (vec![], vec![], vec![], vec![]);
        for piece in labels[block.first..block.end()].chunks(turns) {
            let least = least_rotation(piece);
            let rotated = |by: usize| [&least[by..], &least[..by]].concat();
            let repeats = (1..turns).find(|&by| rotated(by) == least).unwrap_or(turns);
            let start = (0..turns).find(|&by| rotated(by) == piece).unwrap_or(0);
            let number = classes.iter().position(|other| *other == least).unwrap_or_else(|| {
                classes.push(least);
                base.push(repeats as u32);
                pieces.push(0);
                classes.len() - 1
            });
            pieces[number] += 1;
            class.extend(vec![u8::try_from(number).ok().filter(|_| number < MOST_CLASSES)?; turns]);
            digit.extend((0..turns).map(|k| ((start + k) % repeats) as u32));
        }
        let whole = base.iter().all(|&base| base as usize == turns);
        let keeps_sum = |by: &Move| {
            let rotated = step(block, by).iter().map(|&(_, by)| by as usize).sum::<usize>();
            rotated % turns == 0
        };
        let sum = (whole && moves.iter().all(keeps_sum))
            .then(|| digit.iter().step_by(turns).sum::<u32>() % turns as u32);
        let mut part = Self {
            block: block.clone(),
            class,
            digit,
            base,
            pieces,
            sum,
            arrangements: 1,
            rotations: 1,
            weight: 1,
        };
        part.count()?;
        Some(part)
    }

    /// Counts arrangements and rotations. `None`: there are too many.
    fn count(&mut self) -> Option<()> {
        let (mut arrangements, mut rotations, mut place) = (1_u128, 1_u128, 0);
        for (&pieces, &base) in self.pieces.iter().zip(&self.base) {
            for i in 1..=pieces {
                place += 1;
                arrangements = arrangements * place / u128::from(i);
                let last = place == self.block.places as u128 && self.sum.is_some();
                rotations *= if last { 1 } else { base.into() };
                if arrangements * rotations > MOST {
                    return None;
                }
            }
        }
        (self.arrangements, self.rotations) = (arrangements as u64, rotations as u64);
        Some(())
    }

    fn rank(&self, state: &[u16]) -> Option<u64> {
        let Block { first, rotations, .. } = self.block;
        let stickers = state[first..self.block.end()].iter().step_by(rotations);
        let stickers = stickers.map(|&sticker| usize::from(sticker) - first);
        let (mut turned, mut sum, last) = (0, 0, self.block.places - 1);
        for (place, sticker) in stickers.clone().enumerate() {
            let digit = self.digit[sticker];
            sum += digit;
            if place < last || self.sum.is_none() {
                let base = self.base[usize::from(self.class[sticker])];
                turned = turned * u64::from(base) + u64::from(digit);
            }
        }
        if self.sum.is_some_and(|expected| sum % rotations as u32 != expected) {
            return None;
        }
        let arranged = self.rank_classes(stickers.map(|sticker| self.class[sticker]));
        Some((arranged * self.rotations + turned) * self.weight)
    }

    /// How many arrangements of the same classes are lexicographically smaller.
    fn rank_classes(&self, classes: impl Iterator<Item = u8>) -> u64 {
        let mut left = [0; MOST_CLASSES];
        left[..self.pieces.len()].copy_from_slice(&self.pieces);
        let (mut rank, mut arrangements) = (0, self.arrangements);
        let mut places = self.block.places as u64;
        for class in classes.map(usize::from) {
            if arrangements == 1 {
                break;
            }
            rank += arrangements * left[..class].iter().sum::<u64>() / places;
            arrangements = arrangements * left[class] / places;
            left[class] -= 1;
            places -= 1;
        }
        rank
    }

    /// The arrangement of this rank.
    fn unrank_classes(&self, mut rank: u64, classes: &mut Vec<u8>) {
        let mut left = self.pieces.clone();
        let mut arrangements = self.arrangements;
        classes.clear();
        for places in (1..=self.block.places as u64).rev() {
            let mut class = 0;
            // The arrangements that go on with this class.
            let mut these = arrangements * left[0] / places;
            while rank >= these {
                rank -= these;
                class += 1;
                these = arrangements * left[class] / places;
            }
            arrangements = these;
            left[class] -= 1;
            classes.push(class as u8);
        }
    }

    /// The ranks after a move of all words with this arrangement, in the order of their ranks. The
    /// second number is the sum of the digits so far.
    fn targets(&self, classes: &[u8], step: &Step, out: &mut Vec<(u32, u32)>) {
        let places = self.block.places;
        let base = |place: usize| self.base[usize::from(classes[place])];
        let arranged = self.rank_classes(step.iter().map(|&(from, _)| classes[from]));
        // For each place before the move, what its digit is worth after it, and its rotation.
        let mut worth = vec![(0, 0); places];
        let mut next = self.weight;
        for (place, &(from, by)) in step.iter().enumerate().rev() {
            let left_out = self.sum.is_some() && place == places - 1;
            worth[from] = (if left_out { 0 } else { next }, by);
            next *= if left_out { 1 } else { u64::from(base(from)) };
        }
        out.clear();
        out.push(((arranged * self.rotations * self.weight) as u32, 0));
        for (place, &(worth, by)) in worth.iter().enumerate() {
            let base = base(place);
            let add = |(rank, sum): (u32, u32), digit: u32| {
                (rank + ((digit + by) % base) * worth as u32, sum + digit)
            };
            match self.sum.filter(|_| place == places - 1) {
                // The last digit follows from the others.
                Some(sum) => {
                    for one in &mut *out {
                        let digit = (sum + base - one.1 % base) % base;
                        *one = add(*one, digit);
                    }
                }
                None if base > 1 => {
                    // Each word becomes `base` words, from the last to the first.
                    let many = out.len();
                    out.resize(many * base as usize, (0, 0));
                    for i in (0..many).rev() {
                        let one = out[i];
                        for digit in (0..base).rev() {
                            out[i * base as usize + digit as usize] = add(one, digit);
                        }
                    }
                }
                None => {}
            }
        }
    }
}

/// What a move does to the places of a block.
fn step(block: &Block, by: &Move) -> Step {
    let points = by.map[block.first..block.end()].iter().step_by(block.rotations);
    points.map(|&point| block.split(point)).map(|(place, by)| (place, by as u32)).collect()
}

impl Space for Words {
    fn size(&self) -> usize {
        self.size
    }

    /// A row is all words with the same arrangements. Its numbers are sums: one of the rotations
    /// of all blocks but the last, and one of those of the last, which are neighbours.
    fn walk<V: Visit>(
        &self,
        moves: &[Move],
        entries: &mut [u8],
        wanted: Option<u8>,
        mut visit: V,
    ) -> Result<(), Objection> {
        let Some((last, others)) = self.blocks.split_last() else { return Ok(()) };
        let steps: Vec<Vec<Step>> = self
            .blocks
            .iter()
            .map(|part| moves.iter().map(|by| step(&part.block, by)).collect())
            .collect();
        let mut high = vec![0];
        for part in others {
            let turned =
                |start: u64| (0..part.rotations).map(move |turn| start + turn * part.weight);
            high = high.into_iter().flat_map(turned).collect();
        }
        let width = last.rotations as usize;
        let is_wanted = |entry: &u8| wanted.is_none_or(|wanted| *entry == wanted);
        let mut classes = vec![Vec::new(); self.blocks.len()];
        let mut targets = vec![Vec::new(); moves.len()];
        let (mut highs, mut edges, mut part_targets) =
            (vec![Vec::new(); moves.len()], Vec::new(), Vec::new());
        let rows = self.blocks.iter().map(|part| part.arrangements).product();
        for row in 0..rows {
            let (mut start, mut rest) = (0, row);
            for (part, classes) in self.blocks.iter().zip(&mut classes).rev() {
                start += rest % part.arrangements * part.rotations * part.weight;
                part.unrank_classes(rest % part.arrangements, classes);
                rest /= part.arrangements;
            }
            let slice = |high: u64| (start + high) as usize..(start + high) as usize + width;
            if !high.iter().any(|&high| entries[slice(high)].iter().any(is_wanted)) {
                continue;
            }
            for by in 0..moves.len() {
                highs[by].clear();
                highs[by].push(0);
                for (at, part) in others.iter().enumerate() {
                    part.targets(&classes[at], &steps[at][by], &mut part_targets);
                    let sums = |&high: &u32| part_targets.iter().map(move |&(low, _)| high + low);
                    highs[by] = highs[by].iter().flat_map(sums).collect();
                }
                last.targets(&classes[others.len()], &steps[others.len()][by], &mut targets[by]);
            }
            for (at, &offset) in high.iter().enumerate() {
                for (low, from) in slice(offset).enumerate() {
                    if is_wanted(&entries[from]) {
                        edges.clear();
                        edges.extend(moves.iter().enumerate().map(|(by, one)| {
                            let to = highs[by][at] + targets[by][low].0;
                            Edge { to, cost: one.cost, by: by as u16 }
                        }));
                        visit(entries, from, &edges)?;
                    }
                }
            }
        }
        Ok(())
    }
}
