//! Makes plans cheaper: [`Shortening`].

use super::approach::time_left;
use crate::puzzle::{Event, Failure, PassGain, Result, Shortened};
use crate::run::Run;
use anytime::{near_plan, plan_among};
use search::{CancelToken, Domain, Op, Plan, plan};
use std::cmp::Reverse;
use std::hash::Hash;

/// A way to make a plan cheaper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pass {
    /// The states near all known plans are searched for a cheaper way, from plan to plan.
    Together,
    /// Runs of operators that commute are replaced by cheapest ones.
    Commuting,
    /// The states near the plan are searched for a cheaper way.
    Nearby,
    /// The rest of the plan is solved anew from some of its states.
    Solve,
}

/// The passes. The first is for several plans.
const PASSES: [Pass; 4] = [Pass::Together, Pass::Commuting, Pass::Nearby, Pass::Solve];

/// The passes for a plan of more than [`LONG`] operators: a new solution gains most there.
const PASSES_OF_LONG: [Pass; 4] = [Pass::Together, Pass::Commuting, Pass::Solve, Pass::Nearby];

const LONG: usize = 60;

/// The most nodes of the states near plans, if the request has no limit.
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

/// The nodes of a new solution, and of the states near several plans, in the first rounds.
const FIRST_NODES: u64 = 1_000_000;

/// By how much these nodes grow after a round without a gain.
const GROWTH: u64 = 4;

/// Nodes that grow.
struct Growing {
    now: u64,
    most: u64,
}

impl Growing {
    fn grow(&mut self) {
        self.now = self.now.saturating_mul(GROWTH).min(self.most);
    }
}

impl Pass {
    fn name(self) -> &'static str {
        match self {
            Self::Together => "together",
            Self::Commuting => "commuting",
            Self::Nearby => "nearby",
            Self::Solve => "solve",
        }
    }

    /// The nodes of the pass under a limit of nodes, and perhaps one of time.
    fn nodes(self, limit: Option<u64>, timed: bool) -> Growing {
        let near = limit.unwrap_or(NEARBY_NODES);
        let first = FIRST_NODES.min(near);
        match self {
            Self::Commuting | Self::Nearby => Growing { now: near, most: near },
            Self::Together => Growing { now: first, most: near },
            // Without any limit, these do not grow.
            Self::Solve if limit.is_none() && !timed => Growing { now: first, most: first },
            Self::Solve => Growing { now: first, most: limit.unwrap_or(u64::MAX) },
        }
    }
}

/// Plans of one state.
pub(crate) struct Known {
    /// The first of the cheapest.
    pub(crate) best: Plan,
    /// The others, the cheapest last.
    others: Vec<Plan>,
}

impl Known {
    /// `None` if there is no plan.
    fn new(plans: &[Plan], cost: &dyn Fn(&[Op]) -> u64) -> Option<Self> {
        let mut others: Vec<Plan> = plans.iter().rev().cloned().collect();
        others.sort_by_key(|plan| Reverse(cost(plan)));
        Some(Self { best: others.pop()?, others })
    }

    /// Adds a plan that costs less than the best.
    fn improve(&mut self, plan: Plan) {
        self.others.push(std::mem::replace(&mut self.best, plan));
    }

    /// A plan that costs no more than the best, from a pass that searches the states near plans.
    pub(crate) fn near<D: Domain<State: Hash>>(
        &self,
        pass: Pass,
        (domain, start): (&D, &D::State),
        (means, states): (Means<'_>, usize),
    ) -> Plan {
        let limits = (means.nodes, states);
        let stop = || means.cancel.is_cancelled();
        match pass {
            Pass::Together => {
                let plans: Vec<&Plan> = self.others.iter().chain([&self.best]).collect();
                let (plan, _) = plan_among(domain, start, &plans, limits, &stop);
                plan.unwrap_or_else(|| self.best.clone())
            }
            Pass::Nearby => near_plan(domain, start, &self.best, limits, &stop).0,
            Pass::Commuting | Pass::Solve => self.best.clone(),
        }
    }
}

/// A pass of a puzzle: a plan of the same state that costs no more than the best known one.
type Shorter<'a> = dyn Fn(Pass, &Known, Means<'_>) -> Result<Plan> + 'a;

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
    /// Makes the cheapest of these plans of the state cheaper by all passes, round by round, until
    /// a round gains nothing, or a limit ends the work. Every new plan is replayed.
    ///
    /// The nodes of the states near several plans grow after a round without a gain. So do those of
    /// new solutions if there is a limit of time or nodes, as long as that may help.
    ///
    /// # Errors
    /// If there is no plan, or a pass gives one that does not solve the state.
    pub(crate) fn shorten(&self, plans: &[Plan], run: &mut Run<'_>) -> Result<Shortened> {
        let known = Known::new(plans, self.cost);
        let mut known = known.ok_or_else(|| Failure::refused("no plan: expected one or more"))?;
        let (length_before, cost_before) = (known.best.len(), (self.cost)(&known.best));
        let cancel = run.request.cancel.child_within(time_left(run));
        let (limit, timed) = (run.request.limits.nodes, time_left(run).is_some());
        let all = if length_before > LONG { &PASSES_OF_LONG } else { &PASSES };
        let all = if plans.len() == 1 { &all[1..] } else { &all[..] };
        let mut nodes: Vec<Growing> = all.iter().map(|pass| pass.nodes(limit, timed)).collect();
        let gain = |pass: &Pass| PassGain { name: pass.name(), saved: 0 };
        let mut passes: Vec<PassGain> = all.iter().map(gain).collect();
        // The passes that gained nothing, one after the other, and whether more nodes may help new
        // solutions.
        let (mut idle, mut is_cut) = (0, false);
        for (number, &pass) in all.iter().enumerate().cycle() {
            if cancel.is_cancelled() {
                break;
            }
            if idle >= all.len() {
                let may_grow = |(pass, nodes): (&Pass, &Growing)| {
                    nodes.now < nodes.most && (*pass != Pass::Solve || is_cut)
                };
                if !all.iter().zip(&nodes).any(may_grow) {
                    break;
                }
                if !may_grow((&pass, &nodes[number])) {
                    continue;
                }
                nodes[number].grow();
            }
            let means = Means { nodes: nodes[number].now, cancel: &cancel };
            let next = if pass == Pass::Solve {
                let next = self.solve_anew(&known.best, means, run)?;
                is_cut = next.is_cut;
                next.plan.unwrap_or_else(|| known.best.clone())
            } else {
                (self.shorter)(pass, &known, means)?
            };
            let (cost, before) = ((self.cost)(&next), (self.cost)(&known.best));
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
            passes[number].saved += before - cost;
            known.improve(next);
            idle = 0;
        }
        let best = &known.best;
        Ok(Shortened {
            plan: (self.names)(best),
            length: best.len(),
            cost: (self.cost)(best),
            length_before,
            cost_before,
            passes,
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
                shorter: &|_, known, _| Ok(known.best.clone()),
                solve_from: &solve_from,
            };
            shortening.shorten(&[Plan::from_vec(vec![Op(0); 10])], run)
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

    #[test]
    fn states_near_several_plans_get_more_nodes() {
        let asked = Mutex::new(Vec::new());
        let request = Request::default();
        let plans = [12, 10, 11].map(|length| Plan::from_vec(vec![Op(0); length]));
        let shorten = |run: &mut Run<'_>| {
            let shorter = |pass, known: &Known, means: Means<'_>| {
                if pass == Pass::Together {
                    asked.lock().expect("nodes").push(means.nodes);
                }
                Ok(known.best.clone())
            };
            let shortening = Shortening {
                names: &|plan| vec!["R".to_owned(); plan.len()],
                cost: &|plan| plan.len() as u64,
                replay: &|_| Ok(()),
                shorter: &shorter,
                solve_from: &|_, _, _| Ok(Solution { plan: None, is_cut: false }),
            };
            shortening.shorten(&plans, run)
        };
        let answer = Run::on_threads(&request, shorten).expect("an answer");
        assert_eq!((answer.cost, answer.cost_before, answer.complete), (10, 10, true));
        let asked = asked.into_inner().expect("nodes");
        assert_eq!(asked, [1_000_000, 4_000_000, 16_000_000, NEARBY_NODES]);
    }
}
