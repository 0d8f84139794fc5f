//! Words that bring most pieces home: [`Skeleton`].

use super::problem::{Cycles, UNIT};
use search::Op;
use search::random::Random;

/// The first and the last temperature, in hundredths of the cost of the cheapest operator.
const HOT: i64 = 200;
const COLD: i64 = 30;

/// The numbers that draw whether to accept: `-ln(u)` for so many `u` between 0 and 1.
const DRAWS: usize = 1 << 10;

/// Where operators take each point, and from where they bring it.
type Rest = (Box<[u16]>, Box<[u16]>);

/// A word changed at random, operator by operator, so that few pieces are not home after it and it
/// stays cheap: simulated annealing.
///
/// Energy: the cost, and a weight for each piece that is not home. Parities that cycles of three
/// cannot mend weigh more.
pub(super) struct Skeleton<'a> {
    cycles: &'a Cycles,
    word: Vec<Op>,
    /// For each number of operators done: where the pieces lie.
    images: Vec<Box<[u16]>>,
    /// For each number of operators done: where those left take each point, and back.
    rest: Vec<Rest>,
    cost: u32,
    odd: u64,
    astray: i64,
    random: Random,
}

/// One change of a word: it removes the operator at a place, puts one in there, or both.
#[derive(Clone, Copy)]
struct Edit {
    at: usize,
    goes: bool,
    comes: Option<Op>,
}

impl<'a> Skeleton<'a> {
    /// The empty word for a state.
    pub(super) fn new(cycles: &'a Cycles, images: &[u16], seed: u64) -> Self {
        let identity: Box<[u16]> = cycles.images_of(None).into();
        let mut skeleton = Self {
            cycles,
            word: Vec::new(),
            images: vec![images.into()],
            rest: vec![(identity.clone(), identity)],
            cost: 0,
            odd: cycles.parity_of(images),
            astray: 0,
            random: Random::new(seed),
        };
        skeleton.astray = skeleton.astray_after(|point| point);
        skeleton
    }

    /// Anneals with so many steps. Returns the best word that leaves only what cycles of three can
    /// mend, and the steps that were done. `stop` is asked every 256 steps.
    pub(super) fn anneal(
        &mut self,
        steps: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Option<Vec<Op>>, u64) {
        let logarithms: Vec<i64> = (0..DRAWS)
            .map(|draw| {
                let u = (draw as f64 + 0.5) / DRAWS as f64;
                #[expect(clippy::cast_possible_truncation, reason = "below 8 * 4096")]
                let logarithm = (-u.ln() * 4096.0).round() as i64;
                logarithm
            })
            .collect();
        let ratio = COLD as f64 / HOT as f64;
        let unit = (UNIT * i64::from(self.cycles.generators.least_cost())) as f64;
        let (mut best, mut heat): (Option<(i64, Vec<Op>)>, _) = (None, 0);
        let mut done = 0;
        for step in 0..steps {
            if step % 256 == 0 {
                if stop() {
                    break;
                }
                let part = step as f64 / steps as f64;
                #[expect(clippy::cast_possible_truncation, reason = "a few units")]
                let now = (HOT as f64 * ratio.powf(part) * unit / 100.0).round() as i64;
                heat = now;
            }
            done = step + 1;
            let draw = self.random.below(1 << 60);
            let most = logarithms[(draw >> 50) as usize] * heat / 4096;
            self.step(draw, most);
            let energy = self.energy();
            if best.as_ref().is_none_or(|&(least, _)| energy < least) && self.is_mendable() {
                best = Some((energy, self.word.clone()));
            }
        }
        (best.map(|(_, word)| word), done)
    }

    fn energy(&self) -> i64 {
        UNIT * i64::from(self.cost)
            + self.astray
            + self.cycles.odd_weight * i64::from(self.odd.count_ones())
    }

    /// Whether cycles of three can bring all home.
    fn is_mendable(&self) -> bool {
        self.odd == 0 && self.cycles.hard_are_home(&self.images[self.word.len()])
    }

    /// Tries one change. Takes it if the energy grows by `most` at most.
    fn step(&mut self, draw: u64, most: i64) {
        let (length, operators) = (self.word.len(), self.cycles.generators.len());
        let part = |shift: u32, of: usize| (((draw >> shift) & 0xfff) as usize * of) >> 12;
        let op = Op::new(part(0, operators));
        let (a, b) = (part(12, length + 1), part(24, length + 1));
        let (a, b) = (a.min(b), a.max(b));
        let edit = |at, goes, comes| Edit { at, goes, comes };
        let undo = |op: Op| self.cycles.inverse[op.index()];
        let pair = match (draw >> 36) & 15 {
            0..=3 if a < length => (edit(a, true, Some(op)), None),
            4..=5 => (edit(a, false, Some(op)), None),
            6..=7 if a < length => (edit(a, true, None), None),
            8 if a + 1 < length => {
                let (first, second) = (self.word[a], self.word[a + 1]);
                (edit(a, true, Some(second)), Some(edit(a + 1, true, Some(first))))
            }
            9..=10 if a < b => (edit(a, false, Some(op)), Some(edit(b, false, Some(undo(op))))),
            11 if a < length => {
                let back = undo(self.word[a]);
                let other = (a + 1..length).find(|&at| self.word[at] == back);
                let Some(other) = other else { return };
                (edit(a, true, None), Some(edit(other, true, None)))
            }
            12 if a < b => (edit(a, true, None), Some(edit(b, false, Some(self.word[a])))),
            13 if a < b && b < length => {
                (edit(a, false, Some(self.word[b])), Some(edit(b, true, None)))
            }
            14.. if a < b && b < length => {
                let other = Op::new(part(40, operators));
                (edit(a, true, Some(op)), Some(edit(b, true, Some(other))))
            }
            _ => return,
        };
        self.attempt(pair, most);
    }

    /// The weight of the pieces that are not home after a permutation of where they lie.
    fn astray_after(&self, image: impl Fn(u16) -> u16) -> i64 {
        let start = &self.images[0];
        self.cycles.astray(start.iter().map(|&point| image(point)))
    }

    fn attempt(&mut self, (first, second): (Edit, Option<Edit>), most: i64) {
        let cycles = self.cycles;
        let edits = [Some(first), second];
        let (mut cost, mut odd) = (i64::from(self.cost), self.odd);
        for edit in edits.into_iter().flatten() {
            let goes = edit.goes.then(|| self.word[edit.at]);
            if edit.goes && goes == edit.comes {
                return;
            }
            if let Some(op) = goes {
                cost -= i64::from(cycles.generators.cost(op));
                odd ^= cycles.odd[op.index()];
            }
            if let Some(op) = edit.comes {
                cost += i64::from(cycles.generators.cost(op));
                odd ^= cycles.odd[op.index()];
            }
        }
        let before = self.images[first.at].iter();
        let after = |edit: Edit| &self.rest[edit.at + usize::from(edit.goes)];
        let one = cycles.images_of(first.comes);
        let between = &after(first).0;
        let astray = match second {
            None => {
                let points = before.map(|&p| between[usize::from(one[usize::from(p)])]);
                cycles.astray(points)
            }
            Some(second) => {
                let (back, rest) = (&self.rest[second.at].1, &after(second).0);
                let other = cycles.images_of(second.comes);
                cycles.astray(before.map(|&point| {
                    let point = between[usize::from(one[usize::from(point)])];
                    rest[usize::from(other[usize::from(back[usize::from(point)])])]
                }))
            }
        };
        let energy = UNIT * cost + astray + cycles.odd_weight * i64::from(odd.count_ones());
        if energy - self.energy() > most {
            return;
        }
        let mut word = self.word.clone();
        for edit in edits.into_iter().flatten().rev() {
            let to = edit.at + usize::from(edit.goes);
            word.splice(edit.at..to, edit.comes);
        }
        self.set(word, first.at);
        (self.astray, self.odd) = (astray, odd);
        self.cost = u32::try_from(cost).unwrap_or(0);
    }

    /// Takes a word that is the same before operator `from`.
    fn set(&mut self, word: Vec<Op>, from: usize) {
        let cycles = self.cycles;
        // The operators after the change are the same.
        let same = word.iter().rev().zip(self.word.iter().rev());
        let same = same.take_while(|(a, b)| a == b).count();
        let same = same.min(word.len() - from).min(self.word.len() - from);
        let mut rest = self.rest.split_off(self.word.len() - same);
        self.images.truncate(from + 1);
        for &op in &word[from..] {
            let images = cycles.images_of(Some(op));
            let before = &self.images[self.images.len() - 1];
            let next = before.iter().map(|&point| images[usize::from(point)]).collect();
            self.images.push(next);
        }
        let mut first = Vec::with_capacity(word.len() + 1);
        let mut last = rest[0].clone();
        for at in (0..word.len() - same).rev() {
            let image = cycles.images_of(Some(word[at]));
            let undo = cycles.images_of(Some(cycles.inverse[word[at].index()]));
            let forth = image.iter().map(|&point| last.0[usize::from(point)]).collect();
            let back = last.1.iter().map(|&point| undo[usize::from(point)]).collect();
            last = (forth, back);
            first.push(last.clone());
        }
        first.reverse();
        first.append(&mut rest);
        self.rest = first;
        self.word = word;
    }

    /// Compares what is kept with what the word says.
    #[cfg(test)]
    pub(super) fn check(&self, start: &[u16], name: &str) {
        let cycles = self.cycles;
        let mut images = start.to_vec();
        for (at, &op) in self.word.iter().enumerate() {
            assert_eq!(*self.images[at], images[..], "{name}");
            let moves = cycles.images_of(Some(op));
            images.iter_mut().for_each(|point| *point = moves[usize::from(*point)]);
        }
        assert_eq!(self.images.len(), self.word.len() + 1, "{name}");
        assert_eq!(*self.images[self.word.len()], images[..], "{name}");
        assert_eq!(self.rest.len(), self.word.len() + 1, "{name}");
        for (done, (forth, back)) in self.images.iter().zip(&self.rest) {
            assert!(
                done.iter().zip(&images).all(|(&p, &to)| forth[usize::from(p)] == to),
                "{name}"
            );
            assert!((0..).zip(&**forth).all(|(p, &to)| back[usize::from(to)] == p), "{name}");
        }
        assert_eq!(self.cost, cycles.generators.cost_of(&self.word), "{name}");
        assert_eq!(self.odd, cycles.parity_of(&images), "{name}");
        assert_eq!(self.astray, cycles.astray(images.into_iter()), "{name}");
    }
}
