//! The nodes of the units of a bound: [`frontier`].

use crate::Plan;
use crate::control::{BoundResult, Counts, SearchState};
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Expanded, Expander, Node, Problem, expand, expand_some};
use crate::ida_star::{ErasedExpander, Expansion};
use crate::pruning::Pruning;

/// The nodes above the units that are expanded at once, if the heuristic is remote. Fewer if 16
/// bits could not number their children.
const AHEAD: usize = 1 << 8;

/// The expanded nodes above the units between two checks of time and cancellation.
const LOOK: usize = 16;

/// The nodes of one depth, and at last of two, with their types erased. So [`frontier`] and the
/// parallel driver are compiled once.
pub(super) trait Level: Sync {
    /// Expands the node with this index. Its children become nodes of the next depth, except goals.
    /// Adds an entry to `made` for each child, in operator order: its operator, and whether the
    /// child is a goal.
    fn expand(&mut self, node: usize, counts: &mut Counts, made: &mut Vec<(Op, bool)>);
    /// Replaces the first `expanded` nodes by their children. The children come first.
    fn descend(&mut self, expanded: usize);
    /// The plan for a path of the search, as [`Domain::to_plan`] makes it.
    fn to_plan(&self, path: &[Op]) -> Plan;
    /// An expander, to be loaded with these nodes.
    fn expansion(&self) -> Box<dyn Expansion + '_>;
}

pub(super) struct Nodes<'a, M, D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    space: Problem<'a, D, H, P>,
    new: fn(Problem<'a, D, H, P>) -> M,
    nodes: Vec<Node<D, H, P>>,
    children: Vec<Node<D, H, P>>,
    /// What the next nodes have become, the next one last. Empty unless the heuristic is remote.
    ahead: Vec<Expanded<D, H, P>>,
}

impl<'a, M, D: Domain, H: Heuristic<D>, P: Pruning<D>> Nodes<'a, M, D, H, P> {
    /// The root. `new` makes an expander.
    pub(super) fn new(
        space: Problem<'a, D, H, P>,
        new: fn(Problem<'a, D, H, P>) -> M,
        root: Node<D, H, P>,
    ) -> Self {
        Self { space, new, nodes: vec![root], children: Vec::new(), ahead: Vec::new() }
    }

    /// Expands a node, and the nodes after it together with it.
    fn expand_ahead(&mut self, node: usize) -> Expanded<D, H, P> {
        if self.ahead.is_empty() {
            let numbered = usize::from(u16::MAX) / self.space.domain.operators().max(1);
            let end = self.nodes.len().min(node + AHEAD.min(numbered).max(1));
            self.ahead = expand_some(self.space, &self.nodes[node..end]);
            self.ahead.reverse();
        }
        self.ahead.pop().unwrap_or_else(Expanded::new)
    }
}

impl<M, D, H, P> Level for Nodes<'_, M, D, H, P>
where
    M: Expander<D, H, P>,
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    fn expand(&mut self, node: usize, counts: &mut Counts, made: &mut Vec<(Op, bool)>) {
        let expanded = if const { H::EVALUATION.remote } {
            self.expand_ahead(node)
        } else {
            expand(self.space, &self.nodes[node])
        };
        counts.add(expanded.counts);
        made.extend_from_slice(&expanded.made);
        self.children.extend(expanded.children);
    }
    fn descend(&mut self, expanded: usize) {
        self.ahead.clear();
        self.nodes.drain(..expanded);
        self.children.append(&mut self.nodes);
        std::mem::swap(&mut self.nodes, &mut self.children);
    }
    fn to_plan(&self, path: &[Op]) -> Plan {
        self.space.domain.to_plan(path)
    }
    fn expansion(&self) -> Box<dyn Expansion + '_> {
        let expander = (self.new)(self.space);
        Box::new(ErasedExpander { expander, nodes: &self.nodes, domain: self.space.domain })
    }
}

/// Goes down from the root, one depth at a time, until there are at least `units` nodes. Returns
/// the operators that lead to each of these nodes; none if nothing is left to search. Ends as soon
/// as enough plans are found, or the search has to stop.
///
/// If a depth has far more nodes than that, no more of them are expanded. The nodes that are left
/// become units, too. So units take little memory where there are hundreds of operators.
///
/// Adds the plans found on the way to `swept`.
pub(super) fn frontier(
    level: &mut dyn Level,
    units: usize,
    swept: &mut BoundResult,
    state: &SearchState,
) -> Vec<Plan> {
    let (mut paths, mut made) = (vec![Plan::new()], Vec::new());
    while !paths.is_empty() && paths.len() < units {
        let mut longer = Vec::with_capacity(4 * paths.len());
        let mut expanded = 0;
        for (node, above) in paths.iter().enumerate() {
            if longer.len() >= 4 * units {
                break;
            }
            // The nodes are few, but each may wait for a table that is not in memory.
            if expanded % LOOK == 0
                && let Some(stop) = state.stop(state.before)
            {
                swept.stop = Some(stop.into());
                return Vec::new();
            }
            expanded += 1;
            level.expand(node, &mut swept.counts, &mut made);
            for (op, goal) in made.drain(..) {
                let mut path = above.clone();
                path.push(op);
                if !goal {
                    longer.push(path);
                    continue;
                }
                let plan = level.to_plan(&path);
                if state.accept_plan(&plan) {
                    swept.plans.push(plan);
                }
                if swept.plans.len() >= state.options.wanted() {
                    return Vec::new();
                }
            }
        }
        level.descend(expanded);
        longer.extend(paths.drain(expanded..));
        paths = longer;
    }
    paths
}
