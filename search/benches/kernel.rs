//! Compares the generic kernel with a hand-written search of the pancake puzzle.
//!
//! `cargo bench -p fewest-search --bench kernel` prints both node counts, which must be equal.
//! It also prints the nanoseconds per generated node of each, and their ratio: medians over
//! alternating runs.

use fewest_search::testing::{GapHeuristic, Pancake};
use fewest_search::{
    Claims, Cost, Domain, Group, Heuristic, InversePruning, Limits, Op, Options, Verdict, ida_star,
};
use std::time::Instant;

/// The number of pancakes in a stack. The state also holds the plate below the last one.
const SIZE: usize = 15;
/// How often each of the two searches is timed. They take turns.
const RUNS: usize = 11;

/// The gap heuristic minus `SLACK`, but at least 0. It is weak, so that iterations without a goal
/// are large.
struct Weak;

/// By how much [`Weak`] is below the gap heuristic.
const SLACK: Cost = 3;

impl Heuristic<Pancake> for Weak {
    type Carry = Cost;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fewest_search::forward_heuristic! { |_this, domain: Pancake| GapHeuristic, domain; root child }
    #[inline(always)]
    fn bound(&self, _: &Pancake, _: &u64, carry: &mut Cost, _: Cost) -> Verdict<u32> {
        Verdict::bound(carry.saturating_sub(SLACK))
    }
}

/// A search for this puzzle alone: a recursion on a word that carries the gap count along. It never
/// makes a flip twice in a row.
struct HandWritten {
    generated: u64,
    goals: u64,
}

impl HandWritten {
    fn flip(state: u64, count: usize) -> u64 {
        let swapped = state.swap_bytes();
        let reversed =
            (swapped >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (swapped & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        let shift = 64 - 4 * count;
        state & !(u64::MAX >> shift) | reversed >> shift
    }

    fn pancake(state: u64, place: usize) -> u64 {
        state >> (4 * place) & 15
    }

    fn gaps(state: u64) -> u8 {
        (0..SIZE)
            .map(|i| u8::from(Self::pancake(state, i).abs_diff(Self::pancake(state, i + 1)) != 1))
            .sum()
    }

    /// Searches below a state. Returns the least excess over the bound among all cuts.
    fn descend(&mut self, state: u64, gaps: u8, last: usize, remaining: u8) -> u8 {
        let mut over = u8::MAX;
        for count in 2..=SIZE {
            if count == last {
                continue;
            }
            self.generated += 1;
            let below = Self::pancake(state, count);
            let gaps = gaps + u8::from((state & 15).abs_diff(below) != 1)
                - u8::from(Self::pancake(state, count - 1).abs_diff(below) != 1);
            let h = gaps.saturating_sub(SLACK);
            if h > remaining - 1 {
                over = over.min(h - (remaining - 1));
                continue;
            }
            let to = Self::flip(state, count);
            if gaps == 0 && to == GOAL {
                self.goals += 1;
            } else if remaining > 1 {
                over = over.min(self.descend(to, gaps, count, remaining - 1));
            }
        }
        over
    }
}

/// The sorted stack.
const GOAL: u64 = 0xfedc_ba98_7654_3210 & u64::MAX >> (60 - 4 * SIZE);

fn instances(domain: &Pancake) -> Vec<u64> {
    let mut seed = 7_u64;
    (0..6)
        .map(|_| {
            (0..60).fold(domain.identity(), |from, _| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let mut to = 0;
                domain.apply_into(&from, Op::new((seed >> 33) as usize % (SIZE - 1)), &mut to);
                to
            })
        })
        .collect()
}

fn main() {
    let domain = Pancake::new(SIZE);
    let pruning = InversePruning;
    // Each task is a start with the bound of its last iteration without a plan.
    let tasks: Vec<(u64, u8)> = instances(&domain)
        .into_iter()
        .map(|start| {
            (
                start,
                ida_star(&domain, &GapHeuristic, &pruning, &start, &Options::default()).lower_bound
                    - 1,
            )
        })
        .collect();
    let mut nanoseconds = [Vec::new(), Vec::new()];
    for run in 0..RUNS {
        let begin = Instant::now();
        let mut hand = HandWritten { generated: 0, goals: 0 };
        let mut over = u8::MAX;
        for &(start, bound) in &tasks {
            over = over.min(hand.descend(start, HandWritten::gaps(start), usize::MAX, bound));
        }
        assert!(over >= 1, "something was cut");
        nanoseconds[0].push(begin.elapsed().as_nanos() as f64 / hand.generated as f64);
        let begin = Instant::now();
        let mut generated = 0;
        for &(start, bound) in &tasks {
            let limits = Limits { bound: Some(bound), ..Limits::default() };
            let options = Options { lower_bound: bound, limits, ..Options::default() };
            generated += ida_star(&domain, &Weak, &pruning, &start, &options).generated();
        }
        nanoseconds[1].push(begin.elapsed().as_nanos() as f64 / generated as f64);
        assert_eq!(generated, hand.generated, "the two searches take up the same nodes");
        if run == 0 {
            eprintln!("{generated} generated nodes, {} goals", hand.goals);
        }
    }
    let [hand, generic] = nanoseconds.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[RUNS / 2]
    });
    eprintln!(
        "hand-written {hand:.2} ns, generic {generic:.2} ns a node: ratio {:.3}",
        generic / hand
    );
}
