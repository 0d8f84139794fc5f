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

/// The nodes of a new solution in the first rounds.
const SOLUTION_NODES: u64 = 1_000_000;

/// By how much the nodes of a new solution grow after a round without a gain.
const GROWTH: u64 = 4;

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

/// Solves the state behind these operators of a plan anew.
type SolveFrom<'a> = dyn Fn(&[Op], Means<'_>, &mut Run<'_>) -> Result<Solution> + 'a;

/// What was found behind some operators of a plan.
pub(crate) struct Solution {
    pub(crate) plan: Option<Plan>,
    /// Whether more nodes might find a cheaper one.
    pub(crate) is_cut: bool,
}

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
    /// If there is a limit of time or nodes, the nodes of new solutions grow after a round without
    /// a gain, as long as that may help.
    ///
    /// # Errors
    /// If a pass gives a plan that does not solve the state.
    pub(crate) fn shorten(&self, given: &Plan, run: &mut Run<'_>) -> Result<Shortened> {
        let cancel = run.request.cancel.child_within(time_left(run));
        let limit = run.request.limits.nodes;
        let near = Means { nodes: limit.unwrap_or(NEARBY_NODES), cancel: &cancel };
        // Without any limit, these do not grow.
        let most = limit.unwrap_or(if time_left(run).is_some() { u64::MAX } else { 0 });
        let mut anew = Means { nodes: SOLUTION_NODES.min(limit.unwrap_or(u64::MAX)), ..near };
        let all = if given.len() > LONG { PASSES_OF_LONG } else { PASSES };
        let mut passes = all.map(|pass| PassGain { name: pass.name(), saved: 0 });
        let mut best = given.clone();
        // The passes that gained nothing, one after the other, and whether more nodes may help.
        let (mut idle, mut is_cut) = (0, false);
        for (pass, gain) in all.into_iter().zip(0..all.len()).cycle() {
            if cancel.is_cancelled() {
                break;
            }
            if idle >= all.len() {
                if !is_cut || anew.nodes >= most {
                    break;
                }
                if pass != Pass::Solve {
                    continue;
                }
                anew.nodes = anew.nodes.saturating_mul(GROWTH).min(most);
            }
            let next = match pass {
                Pass::Commuting | Pass::Nearby => (self.shorter)(pass, &best, near)?,
                Pass::Solve => {
                    let next = self.solve_anew(&best, anew, run)?;
                    is_cut = next.is_cut;
                    next.plan.unwrap_or_else(|| best.clone())
                }
            };
            let (cost, before) = ((self.cost)(&next), (self.cost)(&best));
            // A pass that was stopped may have missed a gain.
            idle += usize::from(!cancel.is_cancelled());
            if cost >= before {
                continue;
            }
            let words = (self.names)(&next);
            if let Err(error) = (self.replay)(&next) {
                return Err(Failure::Defect { plan: words.join(" "), error });
            }
            run.tell(&Event::plan(&words, cost, 0));
            passes[gain].saved += before - cost;
            (best, idle) = (next, 0);
        }
        Ok(Shortened {
            plan: (self.names)(&best),
            length: best.len(),
            cost: (self.cost)(&best),
            length_before: given.len(),
            cost_before: (self.cost)(given),
            passes: passes.to_vec(),
            complete: idle >= all.len(),
        })
    }

    /// The plan with its rest solved anew where that is cheapest, if that is cheaper.
    fn solve_anew(&self, plan: &[Op], means: Means<'_>, run: &mut Run<'_>) -> Result<Solution> {
        let (mut best, mut least, mut is_cut) = (None, (self.cost)(plan), true);
        let mut starts: Vec<usize> =
            (0..SOLUTIONS).map(|part| plan.len() * part / SOLUTIONS).collect();
        starts.dedup();
        for at in starts {
            if means.cancel.is_cancelled() {
                break;
            }
            let rest = (self.solve_from)(&plan[..at], means, run)?;
            let whole = rest.plan.map(|rest| plan[..at].iter().chain(&rest).copied().collect());
            if let Some(whole) = whole.filter(|whole: &Plan| (self.cost)(whole) < least) {
                least = (self.cost)(&whole);
                best = Some(whole);
            }
            if at == 0 && !rest.is_cut {
                is_cut = false;
                break;
            }
        }
        Ok(Solution { plan: best, is_cut })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Request;
    use search::Limits;
    use std::sync::Mutex;
    use std::time::Duration;

    /// Shortens a plan of ten operators. A new solution of its state has five, from so many nodes
    /// on. Returns the cost, and the nodes of the new solutions of the whole state.
    fn shortened(limits: Limits, least: u64, proven: bool) -> (u64, Vec<u64>) {
        let asked = Mutex::new(Vec::new());
        let request = Request::default().limits(limits);
        let shorten = |run: &mut Run<'_>| {
            let solve_from = |made: &[Op], means: Means<'_>, _: &mut Run<'_>| {
                if !made.is_empty() {
                    return Ok(Solution { plan: None, is_cut: true });
                }
                asked.lock().expect("nodes").push(means.nodes);
                let plan = (means.nodes >= least).then(|| Plan::from_vec(vec![Op(0); 5]));
                Ok(Solution { is_cut: !proven || plan.is_none(), plan })
            };
            let shortening = Shortening {
                names: &|plan| vec!["R".to_owned(); plan.len()],
                cost: &|plan| plan.len() as u64,
                replay: &|_| Ok(()),
                shorter: &|_, plan, _| Ok(plan.iter().copied().collect()),
                solve_from: &solve_from,
            };
            shortening.shorten(&Plan::from_vec(vec![Op(0); 10]), run)
        };
        let answer = Run::on_threads(&request, shorten).expect("an answer");
        assert!(answer.complete);
        (answer.cost, asked.into_inner().expect("nodes"))
    }

    #[test]
    fn new_solutions_get_more_nodes_where_a_limit_allows_it() {
        let timed = Limits { time: Some(Duration::from_secs(3600)), ..Limits::default() };
        assert_eq!(shortened(Limits::default(), 10_000_000, true), (10, vec![1_000_000]));
        let (cost, asked) = shortened(timed, 10_000_000, true);
        assert_eq!((cost, &asked[..3]), (5, &[1_000_000, 4_000_000, 16_000_000][..]));
        // Proven: no more nodes help.
        assert_eq!(asked.last(), Some(&16_000_000));
        let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
        assert_eq!(shortened(nodes(1000), 10_000_000, true), (10, vec![1000]));
        let (cost, asked) = shortened(nodes(9_000_000), 8_000_000, false);
        assert_eq!((cost, asked.last()), (5, Some(&9_000_000)));
    }
}
