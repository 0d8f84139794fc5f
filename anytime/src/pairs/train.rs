//! How the weights are learned, from random walks and from beams: [`PairBeam::train`].

use super::beam::Candidate;
use super::parts::PairBeam;
use crate::steps::Step;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use search::Op;
use search::random::Random;

/// For so many nodes of the second part, the first has one state of a walk for each rate.
const WALKED: u64 = 25;

/// The rates of the first part: a weight changes by the error, divided by this and by the pairs.
const RATES: [i32; 3] = [3, 10, 33];

/// The rate of the second part.
const RATE: i32 = 20;

/// The walks between two changes of the weights.
const BATCH: u64 = 16;

/// Of so many states of a beam, one is a lesson.
const PART: u64 = 4;

/// The lessons between two questions whether to stop.
const ASKED: usize = 64;

/// The width of a beam of the second part.
const WIDTH: usize = 48;

/// The quarters of a step of the first walks of the second part, and the longest for each step of
/// [`PairBeam::train`]'s depth.
const SHORT: u32 = 8 * 4;
const LONG: u32 = 2 * 4;

/// The walks of a batch that must end in the ball before the next walks are longer.
const ENOUGH: usize = 14;

/// A state, and what its estimate should be.
type Lesson = (Vec<u16>, i32);

/// What a beam from a walk gave.
struct Practice {
    lessons: Vec<Lesson>,
    /// Whether it came to the ball.
    ends: bool,
    nodes: u64,
}

/// A random one of a list.
fn drawn<'a, T>(list: &'a [T], random: &mut Random) -> &'a T {
    let at = random.below(list.len() as u64);
    &list[usize::try_from(at).unwrap_or(0)]
}

impl PairBeam {
    /// A random walk of at most so many steps, without two in turn that are one operator or none.
    /// It draws from kinds of operators first: where most are powers of one, walks would stay near.
    fn walk(&self, steps: u32, random: &mut Random, mut take: impl FnMut(&[u16], u32)) -> Vec<u16> {
        let (mut state, mut next) = (self.contents.goal.clone(), self.contents.goal.clone());
        let (mut last, mut cost): (Option<usize>, u32) = (None, 0);
        for _ in 0..steps {
            let op = drawn::<Op>(drawn::<Vec<Op>>(&self.kinds, random), random).index();
            if last.is_some_and(|last| !self.varies[last][op]) {
                continue;
            }
            self.contents.apply(&state, op, &mut next);
            std::mem::swap(&mut state, &mut next);
            cost += self.contents.moves[op].cost;
            last = Some(op);
            take(&state, cost);
        }
        state
    }

    /// Moves the estimate of a state towards a target.
    fn learn(&mut self, state: &[u16], target: i32, rate: i32) {
        let error = target.saturating_sub(self.tables.estimate(state));
        let parts = rate * i32::try_from(self.tables.len()).unwrap_or(i32::MAX / rate);
        self.tables.add(state, error / parts);
    }

    /// Learns lessons, until `stop` is true.
    fn learn_all(&mut self, lessons: &[Lesson], rate: i32, stop: &dyn Fn() -> bool) {
        for lessons in lessons.chunks(ASKED) {
            if !stop() {
                lessons.iter().for_each(|(state, target)| self.learn(state, *target, rate));
            }
        }
    }

    /// Learns the weights, in about `most` nodes. `depth` is about the number of operators of plans
    /// for random states, or more. `None` if `stop` is true. The same for any number of threads.
    ///
    /// First, the estimate of each state of a random walk becomes the cost of the walk. That is too
    /// much far from the goal, and has valleys without a goal. Then narrow beams begin at random
    /// walks: the estimate of a state becomes the least of its successors', one step dearer. A walk
    /// grows as beams come to the ball from it.
    pub(super) fn train(
        mut self,
        (depth, most): (u32, u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let mut random = Random::new(0);
        for rate in RATES {
            let mut seen = 0;
            while seen < most / WALKED {
                if stop() {
                    return None;
                }
                let mut lessons: Vec<Lesson> = Vec::new();
                self.walk(depth, &mut random, |state, cost| {
                    let exact = self.ball.cost(self.contents.hash(state));
                    lessons.push((state.to_vec(), self.tables.scaled(exact.unwrap_or(cost))));
                });
                seen += lessons.len() as u64;
                self.learn_all(&lessons, rate, stop);
            }
        }
        let (mut length, mut nodes) = (SHORT, 0);
        while nodes < most {
            let seeds: Vec<u64> = (0..BATCH).map(|_| random.below(u64::MAX)).collect();
            let practised = seeds.into_par_iter().map(|seed| {
                let mut random = Random::new(seed);
                let start = self.walk(length / 4, &mut random, |_, _| {});
                self.practise(start, length / 4, &mut random, stop)
            });
            let practised: Vec<Practice> = practised.collect();
            if stop() {
                return None;
            }
            let ends = practised.iter().filter(|practice| practice.ends).count();
            for practice in practised {
                nodes += practice.nodes;
                self.learn_all(&practice.lessons, RATE, stop);
            }
            // Walks keep what is known near the goal.
            let mut lessons: Vec<Lesson> = Vec::new();
            for _ in 0..BATCH {
                self.walk(length / 4, &mut random, |state, _| {
                    if let Some(cost) = self.ball.cost(self.contents.hash(state)) {
                        lessons.push((state.to_vec(), self.tables.scaled(cost)));
                    }
                });
            }
            self.learn_all(&lessons, RATE, stop);
            length += u32::from(ends >= ENOUGH && length < LONG * depth);
        }
        Some(self)
    }

    /// A narrow beam from the end of a walk of so many steps.
    fn practise(
        &self,
        start: Vec<u16>,
        steps: u32,
        random: &mut Random,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Practice {
        let places = self.contents.goal.len();
        let mut practice = Practice { lessons: Vec::new(), ends: false, nodes: 0 };
        let mut layer = self.roots(&[start]);
        let mut seen: FxHashSet<u64> = layer.nodes.iter().map(|node| node.hash).collect();
        let mut room = vec![0; places];
        for _ in 0..2 * steps + SHORT {
            let mut successors = Vec::new();
            for (parent, node) in layer.nodes.iter().enumerate() {
                let state = layer.state(parent, places);
                let mut least = i32::MAX;
                self.successors((state, node), &mut room, |op, cost, hash, estimate| {
                    let known = self.ball.cost(hash);
                    practice.ends |= known.is_some();
                    let scaled = |cost| self.tables.scaled(cost);
                    let own = known.map_or_else(|| self.tables.at_least(estimate), scaled);
                    let through = own.saturating_add(scaled(cost));
                    least = least.min(through);
                    let step = Step { parent: u32::try_from(parent).unwrap_or(u32::MAX), op };
                    let (rank, cost) = (i64::from(through), node.cost + cost);
                    successors.push(Candidate { rank, hash, step, estimate, cost });
                });
                if random.below(PART) == 0 && least < i32::MAX {
                    practice.lessons.push((state.to_vec(), least));
                }
            }
            practice.nodes += successors.len() as u64;
            if practice.ends || stop() {
                break;
            }
            successors.sort_unstable();
            successors.retain(|successor| seen.insert(successor.hash));
            successors.truncate(WIDTH);
            layer = self.below(&layer, &successors);
        }
        practice
    }
}
