//! Runs of operators that commute: [`commuting_runs`].

use crate::Generators;
use groups::Permutation;
use rustc_hash::FxHashMap;
use search::Op;
use std::collections::BTreeSet;

/// The most words that are tried for one run, times the points of the group.
const WORK: usize = 50_000_000;

/// The number of operators between two questions whether to stop.
const LOOK: usize = 1 << 10;

/// The most words that are tried for one run.
const MOST_WORDS: usize = 20_000;

/// Orders a word by runs of operators that commute, and replaces each run by a cheapest word for
/// it: [`CommutingRuns::shorten`] of one word.
pub fn commuting_runs(generators: &Generators, word: &[Op], stop: &dyn Fn() -> bool) -> Vec<Op> {
    CommutingRuns::new(generators).shorten(word, stop)
}

/// The cheapest words of runs of operators that commute, found once each.
#[derive(Debug)]
pub struct CommutingRuns<'a> {
    generators: &'a Generators,
    /// Indexed by two operators.
    commute: Vec<bool>,
    known: FxHashMap<Vec<Op>, Vec<Op>>,
}

impl<'a> CommutingRuns<'a> {
    /// No runs so far. Time: that of asking whether each pair of operators commutes.
    pub fn new(generators: &'a Generators) -> Self {
        let all = || (0..generators.len()).map(Op::new);
        let pairs = all().flat_map(|a| all().map(move |b| (a, b)));
        let commute = pairs.map(|(a, b)| generators.commute(a, b)).collect();
        Self { generators, commute, known: FxHashMap::default() }
    }

    /// Orders a word by runs of operators that commute, and replaces each run by a cheapest word
    /// for it, until nothing gets cheaper. The word stays the same element. It never costs more.
    ///
    /// Each operator goes to the earliest run that it commutes with and can reach: the normal form
    /// of Foata (1969). A long run of many operators is only joined pair by pair. `stop` is asked
    /// before each run; if it is true, the word is returned as it is by then.
    pub fn shorten(&mut self, word: &[Op], stop: &dyn Fn() -> bool) -> Vec<Op> {
        let generators = self.generators;
        let mut best = word.to_vec();
        if stop() {
            return best;
        }
        generators.simplify(&mut best);
        loop {
            let mut next = Vec::with_capacity(best.len());
            let runs = self.runs(&best, stop);
            if stop() {
                return best;
            }
            for run in runs {
                if stop() {
                    return best;
                }
                next.extend(self.of(run));
            }
            generators.simplify(&mut next);
            if generators.cost_of(&next) >= generators.cost_of(&best) {
                return best;
            }
            best = next;
        }
    }

    fn commute(&self, a: Op, b: Op) -> bool {
        self.commute[a.index() * self.generators.len() + b.index()]
    }

    /// The word as runs, each sorted. If `stop` is true, those of its first operators.
    fn runs(&self, word: &[Op], stop: &dyn Fn() -> bool) -> Vec<Vec<Op>> {
        // Each run, and its different operators.
        let mut runs: Vec<(Vec<Op>, BTreeSet<Op>)> = Vec::new();
        for (number, &op) in word.iter().enumerate() {
            if number % LOOK == LOOK - 1 && stop() {
                break;
            }
            let commutes =
                |(_, run): &&(Vec<Op>, BTreeSet<Op>)| run.iter().all(|&own| self.commute(op, own));
            let reached = runs.iter().rev().take_while(commutes).count();
            let at = runs.len() - reached;
            if at == runs.len() {
                runs.push(Default::default());
            }
            runs[at].0.push(op);
            runs[at].1.insert(op);
        }
        let sorted = |(mut run, _): (Vec<Op>, _)| {
            run.sort_unstable();
            run
        };
        runs.into_iter().map(sorted).collect()
    }

    /// The cheapest word found for a run: the run itself, if no other is cheaper.
    fn of(&mut self, run: Vec<Op>) -> Vec<Op> {
        if run.len() < 2 {
            return run;
        }
        if let Some(known) = self.known.get(&run) {
            return known.clone();
        }
        let generators = self.generators;
        let mut best = run.clone();
        generators.simplify(&mut best);
        let product = |word: &[Op]| {
            let elements = word.iter().map(|op| &generators.elements()[op.index()]);
            let product = |all: Option<Permutation>, one: &Permutation| match all {
                None => Some(one.clone()),
                Some(all) => Some(all.then(one)),
            };
            elements.fold(None, product)
        };
        let others = (0..generators.len()).map(Op::new);
        let fits = |op: &Op| run.iter().all(|&own| self.commute(*op, own));
        let ops = others.filter(fits).collect();
        let left = MOST_WORDS.min(WORK / generators.points().max(1));
        let target = product(&best);
        if target.as_ref().is_some_and(Permutation::is_identity) {
            best.clear();
        } else if let Some(target) = target {
            let mut words = Words { generators, ops, target, left, word: Vec::new() };
            for cost in 1..generators.cost_of(&best) {
                if words.search(0, cost, None) {
                    best = words.word;
                    break;
                }
            }
        }
        self.known.insert(run, best.clone());
        best
    }
}

/// A search for a word of a given element and cost, whose operators are in ascending order.
struct Words<'a> {
    generators: &'a Generators,
    ops: Vec<Op>,
    target: Permutation,
    /// How many words may still be tried.
    left: usize,
    word: Vec<Op>,
}

impl Words<'_> {
    /// Whether a word goes on with the operators from number `first` on, at exactly `cost`.
    fn search(&mut self, first: usize, cost: u32, so_far: Option<&Permutation>) -> bool {
        if cost == 0 {
            return so_far == Some(&self.target);
        }
        for at in first..self.ops.len() {
            let op = self.ops[at];
            let follows = self.word.last().is_none_or(|&last| self.generators.may_follow(last, op));
            let own = u32::from(self.generators.cost(op));
            if !follows || own > cost {
                continue;
            }
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            let element = &self.generators.elements()[op.index()];
            let product = so_far.map_or_else(|| element.clone(), |all| all.then(element));
            self.word.push(op);
            if self.search(at, cost - own, Some(&product)) {
                return true;
            }
            self.word.pop();
        }
        false
    }
}
