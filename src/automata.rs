//! Makes the prunings: automata that forbid operator strings. The pruning `inverse` is one too.

use crate::memory::room_beside;
use crate::puzzle::{Failure, LearnedSummary, Result};
pub(crate) use crate::run::Automata;
use crate::run::Run;
use crate::settings::PruningChoice;
use fsm::{Automaton, ForbiddenStrings, Keep, LearnError, Twins};
use search::{CancelToken, Contexts, Cost, Op, OpSet, Packed, Plan, Reversible, TwoSidedPruning};

/// The parameters of [`strings`].
#[derive(Clone, Copy)]
pub(crate) struct PruningRequest<'a> {
    pub(crate) pruning: PruningChoice,
    /// The greatest number of operators of a learned string. `fsm:D` overrides it.
    pub(crate) depth: usize,
    pub(crate) keep: Keep,
    pub(crate) cancel: &'a CancelToken,
    /// The memory limit of the settings, in bytes.
    pub(crate) memory: u64,
}

/// The strings that a pruning forbids.
///
/// # Errors
/// If the caller cancels, or the strings need too much memory.
pub(crate) fn strings<D: Contexts + Packed + Reversible>(
    domain: &D,
    request: PruningRequest<'_>,
) -> Result<ForbiddenStrings> {
    let PruningRequest { pruning, keep, cancel, .. } = request;
    if let PruningChoice::Fsm(own) = pruning {
        let (depth, bytes) = request.learning(own);
        let learned = fsm::learn_until(domain, depth, keep, cancel, bytes);
        return learned.map_err(not_learned);
    }
    let cost = |op| domain.cost(op);
    let inverse = (pruning == PruningChoice::Inverse).then_some(|op| domain.inverse_op(op));
    let inverse = inverse.as_ref().map(|inverse| inverse as &dyn Fn(Op) -> Op);
    pairs(domain.operators(), &cost, inverse, keep)
}

/// The strings that a pruning forbids so that one optimal plan stays, each with a smaller string
/// that can replace it everywhere.
///
/// # Errors
/// As [`strings`].
pub(crate) fn twins<D: Contexts + Packed + Reversible>(
    domain: &D,
    request: PruningRequest<'_>,
) -> Result<Vec<Twins>> {
    match request.pruning {
        PruningChoice::Fsm(own) => {
            let (depth, bytes) = request.learning(own);
            fsm::learn_twins(domain, depth, request.cancel, bytes).map_err(not_learned)
        }
        _ => {
            let forbidden = strings(domain, request)?;
            Ok(forbidden.strings().map(|pair| (Plan::from_slice(pair), Plan::new())).collect())
        }
    }
}

fn not_learned(error: LearnError) -> Failure {
    match error {
        LearnError::Cancelled => Failure::Cancelled,
        error => Failure::refused(error),
    }
}

impl PruningRequest<'_> {
    /// The greatest length of a learned string, and the bytes that learning may take. `own` is the
    /// depth that the settings name.
    fn learning(&self, own: Option<u8>) -> (usize, usize) {
        // Tables are loaded after the strings are learned.
        let bytes = self.memory.saturating_add(room_beside(self.memory));
        (own.map_or(self.depth, usize::from), usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

/// Forbids each operator followed by its inverse. Without `inverse`, forbids nothing.
fn pairs(
    operators: usize,
    cost: &dyn Fn(Op) -> Cost,
    inverse: Option<&dyn Fn(Op) -> Op>,
    keep: Keep,
) -> Result<ForbiddenStrings> {
    let operators = (0..operators).map(Op::new);
    let costs: Vec<_> = operators.clone().map(cost).collect();
    let pairs: Vec<[Op; 2]> = match inverse {
        None => Vec::new(),
        Some(inverse) => operators.map(|op| [op, inverse(op)]).collect(),
    };
    ForbiddenStrings::from_strings(&costs, 2, keep, pairs.iter().map(|pair| &pair[..]))
        .map_err(Failure::limit)
}

/// The minimized automaton that forbids the strings.
pub(crate) fn automaton<O: OpSet>(learned: &ForbiddenStrings) -> Result<Automaton<O>> {
    Automaton::new(learned).map(|automaton| automaton.minimized()).map_err(Failure::limit)
}

/// The minimized automata of a two-sided search, for the front and for the back of a plan.
///
/// A relabelling maps each operator to its image under a symmetry of the start. Of all plans that
/// relabellings map to each other, the front automaton allows one. To find all plans, give no
/// relabellings.
pub(crate) fn ends<D: Reversible>(
    domain: &D,
    learned: &ForbiddenStrings,
    relabellings: &[Vec<Op>],
) -> Result<Automata<D>> {
    let mut front = automaton(learned)?;
    if !relabellings.is_empty() {
        front = front.lex_leaders(relabellings).map_err(Failure::limit)?.minimized();
    }
    let inverse = |op| domain.inverse_op(op);
    let back = Automaton::reversed(learned, inverse).map_err(Failure::limit)?.minimized();
    Ok(TwoSidedPruning { front, back })
}

/// Learns the duplicate strings of at most `depth` operators, and returns their figures. With
/// `name`, also returns the minimized automaton as a Graphviz graph.
pub(crate) fn summary<D: Contexts + Packed + Reversible>(
    domain: &D,
    depth: usize,
    name: Option<&dyn Fn(Op) -> String>,
    (run, memory): (&Run<'_>, u64),
) -> Result<(LearnedSummary, Option<String>)> {
    let learned = run.prepare("the forbidden strings", |cancel| {
        let (pruning, keep) = (PruningChoice::Fsm(None), Keep::OneOptimal);
        strings(domain, PruningRequest { pruning, depth, keep, cancel, memory })
    })?;
    summary_of(domain, &learned, depth, name, &run.request.cancel)
}

/// The figures of learned strings. With `name`, also returns the minimized automaton as a Graphviz
/// graph.
///
/// # Errors
/// If the automaton has too many states, or the caller cancels.
pub(crate) fn summary_of<D: Contexts>(
    domain: &D,
    learned: &ForbiddenStrings,
    depth: usize,
    name: Option<&dyn Fn(Op) -> String>,
    cancel: &CancelToken,
) -> Result<(LearnedSummary, Option<String>)> {
    let check = || if cancel.is_cancelled() { Err(Failure::Cancelled) } else { Ok(()) };
    check()?;
    let whole = Automaton::<D::Ops>::new(learned).map_err(Failure::limit)?;
    let least = whole.minimized_until(cancel).ok_or(Failure::Cancelled)?;
    let summary = LearnedSummary {
        depth,
        strings: learned.len(),
        states: whole.states(),
        minimized_states: least.states(),
        branching_factor: fsm::branching_factor_until(domain, &least, cancel)
            .ok_or(Failure::Cancelled)?,
    };
    Ok((summary, name.map(|name| least.to_dot(name))))
}
