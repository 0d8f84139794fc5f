//! A schedule of beams over words, of cycles, of beams by gaps and by pairs, of searches that meet,
//! and of searches near known plans: [`Planner`].

mod rounds;

pub(crate) use rounds::WIDTHS;

use crate::cycles::Round;
use crate::shorten::Shorten;
use crate::{ChainBeam, WordChain};
use search::{Op, PlanRound};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The rounds of beams before cycles are tried.
const FIRST: u32 = 2;

/// A plan must cost so many times as much as the cheapest cycle of three places before cycles are
/// tried.
const DEAR: u32 = 4;

/// Rounds of cycles without a plan after which there are no more.
const IDLE: u32 = 2;

/// The technique with the worse plan gets one node for so many of the other.
const HANDICAP: u64 = 8;

/// While there are beams by gaps or pairs, a technique whose plan costs `FAR / (FAR - 1)` times as
/// much gets no nodes.
const FAR: u32 = 5;

/// A technique to find plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Beams over the words of a chain.
    Words,
    /// Cycles of three places in an annealed word.
    Cycles,
    /// Beams by gaps between neighbours.
    Gaps,
    /// Beams by learned estimates for pairs of places.
    Pairs,
    /// Searches from both ends that meet: the plan is proven.
    Meet,
    /// Searches among the states near the plans that are known.
    Shorten,
}

impl Technique {
    /// All techniques.
    pub const ALL: [Self; 6] =
        [Self::Words, Self::Cycles, Self::Gaps, Self::Pairs, Self::Meet, Self::Shorten];

    /// Its name in [`PlanRound::by`]: `words`, `cycles`, `gaps`, `pairs`, `meet` or `shorten`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Cycles => "cycles",
            Self::Gaps => "gaps",
            Self::Pairs => "pairs",
            Self::Meet => "meet",
            Self::Shorten => "shorten",
        }
    }
}

/// The nodes of other techniques before beams by pairs begin. So first plans need not wait until
/// estimates are learned.
const BEFORE_PAIRS: u64 = 3_000_000;

/// Searches that meet begin when the other techniques have spent a quarter of the nodes that the
/// searches are expected to need.
const MEETING: u64 = 4;

/// From then on, searches that meet get up to two nodes for one of the other techniques.
const MEETING_SHARE: u64 = 2;

/// The nodes of other techniques before known plans are shortened.
const BEFORE_SHORTEN: u64 = 20_000_000;

/// Shortening gets one node for so many of the other techniques.
const SHORTEN_SHARE: u64 = 8;

/// Looks for plans by six techniques. Wider and wider beams over words come first. Cycles of three
/// places follow where these are cheap, and gaps between neighbours where each operator separates
/// few. Learned estimates need some time. Two searches that meet need memory for the root of the
/// number of states. Known plans are shortened now and then. The technique that has the best plan
/// gets most of the nodes.
pub struct Planner<'a> {
    chain: &'a WordChain,
    beam: ChainBeam<'a>,
    bytes: u64,
    seed: u64,
    only: Option<Technique>,
    may_learn: &'a (dyn Fn() -> bool + Sync),
    /// What searches that meet have proven: no plan costs less.
    proven: AtomicU32,
}

impl std::fmt::Debug for Planner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Planner").field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// What one technique has spent and found.
#[derive(Clone, Copy)]
struct Side {
    rounds: u32,
    nodes: u64,
    least: u32,
    is_over: bool,
}

impl Side {
    /// A technique that has not begun.
    const NEW: Self = Self { rounds: 0, nodes: 0, least: u32::MAX, is_over: false };

    /// Counts a round.
    fn take(&mut self, round: &PlanRound) {
        self.rounds += 1;
        self.nodes = self.nodes.saturating_add(round.nodes);
        self.least = round.cost.map_or(self.least, |cost| self.least.min(cost));
        // Where cycles mend nothing, they never will.
        let idle = round.by == Technique::Cycles.name() && self.rounds >= IDLE;
        self.is_over |= idle && self.least == u32::MAX;
    }
}

/// The plans that were found, each cheaper than those before.
#[derive(Default)]
struct KnownPlans {
    plans: Vec<Vec<Op>>,
    /// How many there were when they were shortened.
    shortened: usize,
}

impl KnownPlans {
    fn take(&mut self, round: &PlanRound) {
        self.plans.extend(round.plan.as_ref().map(|plan| plan.to_vec()));
        if round.by == Technique::Shorten.name() {
            self.shortened = self.plans.len();
        }
    }

    /// Whether to shorten them may give a cheaper one: there is a new one, or the next round looks
    /// further.
    fn are_new(&self, sides: &[Side; Technique::ALL.len()]) -> bool {
        let rounds = sides[Technique::Shorten as usize].rounds;
        self.plans.len() > self.shortened || !Shorten::is_widest(rounds)
    }
}

/// Whether one technique plans before another, of which some round was made or may be.
fn comes_first(one: Technique, other: Technique, sides: &[Side; Technique::ALL.len()]) -> bool {
    let best = sides.iter().map(|side| side.least).min();
    let weight = |side: &Side| match Some(side.least) > best {
        true => side.nodes.saturating_mul(HANDICAP),
        false => side.nodes,
    };
    let (one, other) = (&sides[one as usize], &sides[other as usize]);
    let is_far = one.least / FAR > other.least / (FAR - 1);
    !is_far && weight(one) < weight(other)
}

impl<'a> Planner<'a> {
    /// The planner that uses the words of a chain, with beams of about `bytes` bytes at most. The
    /// narrowest takes 100 KB for a puzzle of 100 pieces. Searches that meet take twice as many.
    pub fn new(chain: &'a WordChain, bytes: u64) -> Self {
        Self {
            chain,
            beam: ChainBeam::new(chain),
            bytes,
            seed: 0,
            only: None,
            may_learn: &|| true,
            proven: AtomicU32::new(0),
        }
    }

    /// The planner with a seed, which draws the changes of words. [default: 0]
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The planner that asks before it learns estimates for pairs of places, which takes up to half
    /// a minute. Estimates that are at hand are used in any case. [default: always true]
    #[must_use]
    pub fn with_learning(self, may_learn: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { may_learn, ..self }
    }

    /// The planner with this technique alone, or with all. [default: `None`, all]
    #[must_use]
    pub fn with_only(self, only: Option<Technique>) -> Self {
        Self { only, ..self }
    }

    /// Looks for plans until about `nodes` nodes were generated, all rounds are over, or `stop` is
    /// true. It also ends with a plan that is proven, by gaps or by searches from both ends. Calls
    /// `tell` with each plan that is cheaper than those before, and with what found it: see
    /// [`Technique::name`]. Returns the nodes.
    ///
    /// `images` are the points where the pieces lie. The plans are the same for any number of
    /// threads and the same seed, unless `stop` ends the work or estimates may not be learned.
    /// Nodes are counted after each round, which may exceed them.
    pub fn improve(
        &self,
        images: &[u16],
        nodes: u64,
        stop: &(dyn Fn() -> bool + Sync),
        tell: &mut dyn FnMut(&str, &[Op]),
    ) -> u64 {
        self.resume(images, (&[], nodes), stop, &mut |round, _| {
            if let Some(plan) = &round.plan {
                tell(&round.by, plan);
            }
        })
    }

    /// As [`Planner::improve`], after the rounds that are `known` from earlier runs for the same
    /// state, chain and seed. Their plans and nodes count as those of this run.
    ///
    /// Calls `tell` after each further round, and says whether the next run may know it: not if a
    /// limit or `stop` cut it short, or one before.
    pub fn resume(
        &self,
        images: &[u16],
        (known, nodes): (&[PlanRound], u64),
        stop: &(dyn Fn() -> bool + Sync),
        tell: &mut dyn FnMut(&PlanRound, bool),
    ) -> u64 {
        let side = |way| Side { is_over: self.only.is_some_and(|only| only != way), ..Side::NEW };
        let mut sides = Technique::ALL.map(side);
        let mut is_whole = true;
        let mut known_plans = KnownPlans::default();
        for round in known {
            let Some(way) = Technique::ALL.iter().find(|way| way.name() == round.by) else { break };
            sides[*way as usize].take(round);
            known_plans.take(round);
        }
        let spent =
            |sides: &[Side]| sides.iter().fold(0, |sum: u64, side| sum.saturating_add(side.nodes));
        self.proven.store(0, Relaxed);
        let (met, mut meeting, mut lower) = (sides[Technique::Meet as usize].rounds, None, 0);
        let mut other = None;
        if met > 0 && spent(&sides) < nodes {
            meeting = self.meeting(images, met, stop);
            sides[Technique::Meet as usize].is_over |= meeting.is_none();
        }
        while spent(&sides) < nodes && !stop() {
            let is_new = known_plans.are_new(&sides);
            let Some(way) = self.turn(&sides, is_new, stop) else { break };
            let best = sides.iter().map(|side| side.least).min().unwrap_or(u32::MAX);
            if lower == 0 && (way == Technique::Gaps || sides[Technique::Gaps as usize].rounds > 0)
            {
                lower = self.gap_bound(images, stop);
            }
            if best <= lower.max(self.proven.load(Relaxed)) {
                break;
            }
            let (rounds, left) = (sides[way as usize].rounds, nodes - spent(&sides));
            let round = match way {
                Technique::Words => self.beam_round(images, (rounds, &mut other), stop),
                Technique::Cycles => self.cycle_round(images, (rounds, left), stop),
                Technique::Gaps => self.gap_round(images, (rounds, best), stop),
                Technique::Pairs => self.pair_round(images, (rounds, best), stop),
                Technique::Meet => {
                    meeting = meeting.or_else(|| self.meeting(images, 0, stop));
                    meeting.as_mut().and_then(|meeting| self.meet_round(meeting, stop))
                }
                Technique::Shorten => {
                    self.shorten_round(images, (rounds, &known_plans.plans, left), stop)
                }
            };
            let Some(Round { plan, nodes, is_cut }) = round else {
                sides[way as usize].is_over = true;
                // Gives the memory back to the other techniques.
                meeting = meeting.filter(|_| way != Technique::Meet);
                continue;
            };
            let cost = plan.as_ref().map(|plan| self.chain.generators().cost_of(plan));
            let plan = plan.filter(|_| cost < Some(best));
            let plan = plan.map(|plan| plan.into_iter().collect());
            let round = PlanRound { by: way.name().into(), nodes, cost, plan };
            sides[way as usize].take(&round);
            known_plans.take(&round);
            is_whole &= !is_cut && !stop();
            tell(&round, is_whole);
        }
        spent(&sides)
    }

    /// The technique that plans next: the one with the fewest nodes, where those of one with a
    /// worse plan count more. Words begin, for they have a plan at once. `is_new`: whether
    /// plans that are shortened may get cheaper.
    fn turn(
        &self,
        sides: &[Side; Technique::ALL.len()],
        is_new: bool,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Technique> {
        let [words, cycles, gaps, pairs, meet, shorten] = sides;
        let other = self.turn_without_gaps(words, cycles, stop);
        if words.rounds == 0 && !words.is_over {
            return other;
        }
        let first = |other: Option<Technique>, own: Technique| {
            let is_first = |other: &Technique| comes_first(*other, own, sides);
            Some(other.filter(is_first).unwrap_or(own))
        };
        let mut turn = other;
        if !gaps.is_over && self.chain.gaps(stop).is_some() {
            turn = first(turn, Technique::Gaps);
        }
        let others = words.nodes.saturating_add(cycles.nodes).saturating_add(gaps.nodes);
        let is_time = turn.is_none() || others >= BEFORE_PAIRS;
        if !pairs.is_over && is_time && self.chain.pairs(self.may_learn, stop).is_some() {
            turn = first(turn, Technique::Pairs);
        }
        let others = others.saturating_add(pairs.nodes);
        let is_time = |nodes: u64| {
            let is_due = others >= nodes / MEETING && meet.nodes / MEETING_SHARE <= others;
            turn.is_none() || is_due
        };
        if !meet.is_over && self.chain.meet().is_some_and(|meet| is_time(meet.nodes())) {
            turn = Some(Technique::Meet);
        }
        let others = others.saturating_add(meet.nodes);
        let is_due = others >= BEFORE_SHORTEN && shorten.nodes <= others / SHORTEN_SHARE;
        if !shorten.is_over && is_new && (turn.is_none() || is_due) {
            turn = Some(Technique::Shorten);
        }
        turn
    }

    /// The side that plans next, of beams and cycles.
    fn turn_without_gaps(
        &self,
        beams: &Side,
        cycles: &Side,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Technique> {
        let is_dear = |cycle: u32| beams.least > DEAR.saturating_mul(cycle);
        // A commutator has four operators at least.
        let are_of_use = || {
            is_dear(4 * self.chain.generators().least_cost())
                && self.chain.cycles(stop).is_some_and(|cycles| is_dear(cycles.least()))
        };
        if cycles.is_over || !beams.is_over && beams.rounds < FIRST || !are_of_use() {
            return (!beams.is_over).then_some(Technique::Words);
        }
        let weight = |side: &Side, other: &Side| match side.least > other.least {
            true => side.nodes.saturating_mul(HANDICAP),
            false => side.nodes,
        };
        let is_first = weight(beams, cycles) < weight(cycles, beams);
        Some(if beams.is_over || !is_first { Technique::Cycles } else { Technique::Words })
    }

    /// The bound on the cost of every plan: that of gaps (see [`groups::Adjacency`]), or what the
    /// last search for plans has proven, which must have been for these `images`. 0 if both say
    /// nothing; only the second if `stop` is true.
    pub fn bound(&self, images: &[u16], stop: &dyn Fn() -> bool) -> u32 {
        self.gap_bound(images, stop).max(self.proven.load(Relaxed))
    }

    /// The bound of gaps. 0 if gaps say nothing, or `stop` is true.
    fn gap_bound(&self, images: &[u16], stop: &dyn Fn() -> bool) -> u32 {
        let element = || self.chain.pieces().element(images);
        let gaps = self.chain.gaps(stop).and_then(|gaps| Some((gaps, element()?)));
        gaps.map_or(0, |(gaps, element)| gaps.bound(&element))
    }
}
