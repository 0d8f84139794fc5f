//! Makes plans cheaper: [`Shortening`].

use super::approach::time_left;
use crate::puzzle::{Event, Failure, PassGain, Result, Shortened};
use crate::run::Run;
use search::{CancelToken, Op, Plan, plan};

/// A way to make a plan cheaper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pass {
    /// Runs of operators that commute are replaced by cheapest ones.
    Commuting,
    /// The states near the plan are searched for a cheaper way.
    Nearby,
    /// The rest of the plan is solved anew from some of its states.
    Solve,
}

const PASSES: [Pass; 3] = [Pass::Commuting, Pass::Nearby, Pass::Solve];

/// The passes for a plan of more than [`LONG`] operators: a new solution gains most there.
const PASSES_OF_LONG: [Pass; 3] = [Pass::Commuting, Pass::Solve, Pass::Nearby];

const LONG: usize = 60;

/// The nodes of the states near a plan, if the request has no limit.
const NEARBY_NODES: u64 = 30_000_000;

/// What a pass may spend.
#[derive(Clone, Copy)]
pub(crate) struct Means<'a> {
    pub(crate) nodes: u64,
    pub(crate) cancel: &'a CancelToken,
}

/// The states that may be held at once if they may take this part of the memory: one eighth. Each
/// is held up to four times, in layers, queues and nodes.
pub(crate) fn most_states(memory: u64, bytes_of_state: usize) -> usize {
    usize::try_from(memory / 32 / bytes_of_state.max(1) as u64).unwrap_or(usize::MAX)
}

/// The states of a plan from which its rest is solved anew in a round.
const SOLUTIONS: usize = 4;

impl Pass {
    fn name(self) -> &'static str {
        match self {
            Self::Commuting => "commuting",
            Self::Nearby => "nearby",
            Self::Solve => "solve",
        }
    }
}

/// A pass of a puzzle: a plan of the same state that costs no more.
type Shorter<'a> = dyn Fn(Pass, &[Op], Means<'_>) -> Result<Plan> + 'a;

/// Solves the state behind so many operators of a plan anew. `None` without a plan.
type SolveFrom<'a> = dyn Fn(&[Op], &CancelToken, &mut Run<'_>) -> Result<Option<Plan>> + 'a;

/// What is needed of the puzzle to make plans of a state cheaper.
pub(crate) struct Shortening<'a> {
    pub(crate) names: &'a dyn Fn(&[Op]) -> Vec<String>,
    pub(crate) cost: &'a dyn Fn(&[Op]) -> u64,
    pub(crate) replay: &'a dyn Fn(&[Op]) -> Result<(), plan::Invalid>,
    pub(crate) shorter: &'a Shorter<'a>,
    pub(crate) solve_from: &'a SolveFrom<'a>,
}

impl Shortening<'_> {
    /// Makes a plan of the state cheaper by all passes, round by round, until a round gains
    /// nothing, or a limit ends the work. Every new plan is replayed.
    ///
    /// # Errors
    /// If a pass gives a plan that does not solve the state.
    pub(crate) fn shorten(&self, given: &Plan, run: &mut Run<'_>) -> Result<Shortened> {
        let cancel = run.request.cancel.child_within(time_left(run));
        let nodes = run.request.limits.nodes.unwrap_or(NEARBY_NODES);
        let means = Means { nodes, cancel: &cancel };
        let all = if given.len() > LONG { PASSES_OF_LONG } else { PASSES };
        let mut passes = all.map(|pass| PassGain { name: pass.name(), saved: 0 });
        let (mut best, mut gained) = (given.clone(), true);
        while gained && !cancel.is_cancelled() {
            gained = false;
            for (pass, gain) in all.into_iter().zip(&mut passes) {
                let next = match pass {
                    Pass::Commuting | Pass::Nearby => (self.shorter)(pass, &best, means)?,
                    Pass::Solve => self.solve_anew(&best, &cancel, run)?,
                };
                let (cost, before) = ((self.cost)(&next), (self.cost)(&best));
                if cost >= before {
                    continue;
                }
                let words = (self.names)(&next);
                if let Err(error) = (self.replay)(&next) {
                    return Err(Failure::Defect { plan: words.join(" "), error });
                }
                run.tell(&Event::plan(&words, cost, 0));
                gain.saved += before - cost;
                (best, gained) = (next, true);
            }
        }
        Ok(Shortened {
            plan: (self.names)(&best),
            length: best.len(),
            cost: (self.cost)(&best),
            length_before: given.len(),
            cost_before: (self.cost)(given),
            passes: passes.to_vec(),
            complete: !gained && !cancel.is_cancelled(),
        })
    }

    /// The plan with its rest solved anew where that is cheapest.
    fn solve_anew(&self, plan: &[Op], cancel: &CancelToken, run: &mut Run<'_>) -> Result<Plan> {
        let mut best: Plan = plan.iter().copied().collect();
        let mut starts: Vec<usize> =
            (0..SOLUTIONS).map(|part| plan.len() * part / SOLUTIONS).collect();
        starts.dedup();
        for at in starts {
            if cancel.is_cancelled() {
                break;
            }
            if let Some(rest) = (self.solve_from)(&plan[..at], cancel, run)? {
                let whole: Plan = plan[..at].iter().chain(&rest).copied().collect();
                if (self.cost)(&whole) < (self.cost)(&best) {
                    best = whole;
                }
            }
        }
        Ok(best)
    }
}
