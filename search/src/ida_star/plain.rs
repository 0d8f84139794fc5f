//! The slow twin of the parallel driver: one thread, plain recursion, no batches.
//!
//! It shares with the other drivers the domain, the heuristic ([`Heuristic::root`],
//! [`Heuristic::child`] and [`Heuristic::bound`] alone), the pruning, and the loop over the bounds.
//! It shares no expansion, no frontier, no queue and no way of counting. So it finds the errors of
//! all of these: of stages, of stacks, of filters, of vector units, of threads.

use super::{deepen, space};
use crate::Plan;
use crate::control::{
    BoundResult, Counts, Frontier, LOOK, Limit, Options, Outcome, Report, SearchState, UnitCounts,
};
use crate::domain::{Cost, Domain, Op, OpSet};
use crate::heuristic::Heuristic;
use crate::ida_star::expansion::{Node, Problem};
use crate::pruning::Pruning;

/// [`ida_star_parallel`](super::ida_star_parallel) for a keeper that asks for the slow twin
/// ([`Units::is_recheck`](crate::Units::is_recheck)).
///
/// It searches the units that [`Units::open`](crate::Units::open) leaves to it in ascending order,
/// and calls neither `claim` nor `close`.
pub(super) fn search<D, H, P>(
    domain: &D,
    heuristic: &H,
    pruning: &P,
    start: &D::State,
    options: &Options,
) -> Report
where
    D: Domain,
    H: Heuristic<D>,
    P: Pruning<D>,
{
    let space = space(domain, heuristic, pruning, start);
    let mut before = 0;
    deepen(space, start, options, &mut |root, state| {
        let tree = &mut Nodes { space, nodes: vec![root] };
        let (tally, stop, all) = (Tally::default(), None, Tally::default());
        let swept = Twin { tree, state, tally, stop, all }.bound(before);
        before = swept.counts.generated;
        swept
    })
}

/// What a part of the search counted.
#[derive(Default)]
struct Tally {
    generated: u64,
    expanded: u64,
    over: Option<u16>,
}

impl Tally {
    fn cut(&mut self, over: u16) {
        self.over = Some(self.over.map_or(over, |least| least.min(over)));
    }

    fn counts(&self) -> UnitCounts {
        UnitCounts { generated: self.generated, expanded: self.expanded, over: self.over }
    }
}

/// A child that is not cut.
struct Child {
    op: Op,
    /// Where [`Tree`] has its node.
    node: usize,
    goal: bool,
}

/// A list of nodes that grows, with their types erased. So the twin is compiled once, but for the
/// expansion of a node.
trait Tree {
    /// Expands a node: counts its children, cuts some, and returns the others in operator order.
    /// Their nodes are now the last of the list.
    ///
    /// Other searches may cut a child by the first bound that is high enough, and record the excess
    /// of that. `most`: record the excess of the highest bound of the child.
    fn children(&mut self, node: usize, most: bool, tally: &mut Tally) -> Vec<Child>;
    /// Drops the nodes from this one on.
    fn drop_from(&mut self, node: usize);
    /// The plan for a path of the search, as [`Domain::to_plan`] makes it.
    fn to_plan(&self, path: &[Op]) -> Plan;
}

struct Nodes<'a, D: Domain, H: Heuristic<D>, P: Pruning<D>> {
    space: Problem<'a, D, H, P>,
    nodes: Vec<Node<D, H, P>>,
}

impl<D: Domain, H: Heuristic<D>, P: Pruning<D>> Tree for Nodes<'_, D, H, P> {
    fn children(&mut self, node: usize, most: bool, tally: &mut Tally) -> Vec<Child> {
        let Problem { domain, pruning, step, .. } = self.space;
        let node = self.nodes[node].clone();
        tally.expanded += 1;
        if !node.excluded.is_empty() {
            tally.cut(step.into());
        }
        let mut made = Vec::new();
        let allowed = domain.applicable(&node.state).and(pruning.allowed(domain, node.at));
        for op in domain.restrict(allowed.minus(node.excluded)).members() {
            let cost = domain.cost(op);
            if cost > node.remaining {
                tally.cut(u16::from(cost - node.remaining));
                continue;
            }
            let remaining = node.remaining - cost;
            let at = pruning.next(domain, node.at, op);
            if pruning.dead_end(domain, at, remaining) {
                continue;
            }
            tally.generated += 1;
            let (mut child, mut h) = self.space.child(&node, op, (remaining, at));
            if h > remaining {
                if most {
                    h = h.max(self.space.bound(&child.state, &mut child.carry, Cost::MAX).h);
                }
                if !H::CLAIMS.is_dead_end(h) {
                    tally.cut(u16::from(h - remaining));
                }
                continue;
            }
            let goal = h == 0 && domain.is_goal(&child.state);
            if remaining == 0 && !goal {
                tally.cut(step.into());
                continue;
            }
            made.push(Child { op, node: self.nodes.len(), goal });
            self.nodes.push(child);
        }
        made
    }

    fn drop_from(&mut self, node: usize) {
        self.nodes.truncate(node);
    }

    fn to_plan(&self, path: &[Op]) -> Plan {
        self.space.domain.to_plan(path)
    }
}

struct Twin<'t> {
    tree: &'t mut dyn Tree,
    state: &'t SearchState<'t>,
    /// The counts of the present unit, or of the search above the units.
    tally: Tally,
    stop: Option<Outcome>,
    /// The counts of all units and of the search above them.
    all: Tally,
}

impl Twin<'_> {
    /// Searches one bound. `before` is the number of nodes that the bound before generated.
    fn bound(&mut self, before: u64) -> BoundResult {
        let mut plans = Vec::new();
        let (paths, nodes) = self.frontier(before, &mut plans);
        let above = std::mem::take(&mut self.tally).counts();
        let stop = self.stop.take();
        let (bound, wanted) = (self.state.bound, self.state.options.wanted());
        let frontier = Frontier { bound, paths: &paths, above, before, wanted };
        all_units(self.state, &frontier, (plans, stop), &mut |unit, plans| {
            let mut path: Vec<Op> = paths[unit].to_vec();
            self.below(nodes[unit], &mut path, plans);
            (std::mem::take(&mut self.tally).counts(), self.stop.take())
        })
    }

    /// The paths and nodes of the units of the bound, in the order of the parallel driver: level by
    /// level, until a level has enough nodes. Nodes of a level are expanded until the next level
    /// has four times as many nodes as needed; the others stay, behind those of the next level.
    fn frontier(&mut self, before: u64, plans: &mut Vec<Plan>) -> (Vec<Plan>, Vec<usize>) {
        // One unit for each 131,072 nodes of the bound before, but 2,048 to 32,768 of them.
        let enough = usize::try_from((before / 131_072).clamp(2048, 32_768)).unwrap_or(32_768);
        let (mut paths, mut nodes) = (vec![Plan::new()], vec![0]);
        while !nodes.is_empty() && nodes.len() < enough {
            let (mut next_paths, mut next) = (Vec::new(), Vec::new());
            let mut expanded = 0;
            while next.len() < 4 * enough && expanded < nodes.len() {
                for child in self.children(nodes[expanded], false) {
                    let mut path = paths[expanded].clone();
                    path.push(child.op);
                    if !child.goal {
                        next_paths.push(path);
                        next.push(child.node);
                        continue;
                    }
                    self.goal(&path, plans);
                    if plans.len() >= self.state.options.wanted() {
                        return (Vec::new(), Vec::new());
                    }
                }
                if self.stop.is_some() {
                    return (Vec::new(), Vec::new());
                }
                expanded += 1;
            }
            next_paths.extend_from_slice(&paths[expanded..]);
            next.extend_from_slice(&nodes[expanded..]);
            (paths, nodes) = (next_paths, next);
        }
        (paths, nodes)
    }

    /// Searches everything below a node.
    fn below(&mut self, node: usize, path: &mut Vec<Op>, plans: &mut Vec<Plan>) {
        let children = self.children(node, true);
        let first = children.first().map(|child| child.node);
        for child in children {
            if self.stop.is_some() || plans.len() >= self.state.options.wanted() {
                break;
            }
            path.push(child.op);
            if child.goal {
                self.goal(path, plans);
            } else {
                self.below(child.node, path, plans);
            }
            path.pop();
        }
        if let Some(first) = first {
            self.tree.drop_from(first);
        }
    }

    /// Adds the plan of a path that leads to a goal, if it counts.
    fn goal(&self, path: &[Op], plans: &mut Vec<Plan>) {
        let plan = self.tree.to_plan(path);
        if self.state.accept_plan(&plan) {
            plans.push(plan);
        }
    }

    /// Expands a node. Looks at the limits now and then.
    fn children(&mut self, node: usize, most: bool) -> Vec<Child> {
        self.all.expanded += 1;
        if self.all.expanded.is_multiple_of(LOOK) && self.stop.is_none() {
            self.stop = self.state.look(self.all.generated, (0, 1)).map(Outcome::from);
        }
        let before = self.tally.generated;
        let children = self.tree.children(node, most, &mut self.tally);
        self.all.generated += self.tally.generated - before;
        children
    }
}

/// Adds the plans of a unit, and returns its counts and why it stopped.
type SearchUnit<'s> = dyn FnMut(usize, &mut Vec<Plan>) -> (UnitCounts, Option<Outcome>) + 's;

/// Searches the units of a bound in ascending order. The keeper may know the results of some, and
/// leave others to another process.
///
/// `found` has the plans above the units, and why the search above them stopped.
fn all_units(
    state: &SearchState<'_>,
    frontier: &Frontier<'_>,
    (mut plans, mut stop): (Vec<Plan>, Option<Outcome>),
    search: &mut SearchUnit<'_>,
) -> BoundResult {
    let (wanted, units) = (frontier.wanted, frontier.paths.len());
    let mut counts = Counts::from(frontier.above);
    if plans.len() >= wanted || stop.is_some() {
        return BoundResult { counts, plans, stop };
    }
    let mut known: Vec<Option<UnitCounts>> = vec![None; units];
    let mut left = vec![false; units];
    if let Some(keeper) = state.options.units {
        let kept = keeper.open(frontier);
        kept.counts.into_iter().for_each(|(unit, counts)| known[unit] = Some(counts));
        kept.left.into_iter().for_each(|unit| left[unit] = true);
        plans.extend(kept.plans);
    }
    for unit in 0..units {
        if let Some(known) = known[unit] {
            counts.add(known.into());
            continue;
        }
        if left[unit] || stop.is_some() || plans.len() >= wanted {
            continue;
        }
        let found;
        (found, stop) = search(unit, &mut plans);
        counts.add(found.into());
        if let Some(keeper) = state.options.units
            && stop.is_none()
            && plans.len() < wanted
        {
            keeper.searched(unit, found);
        }
    }
    let unsearched = left.iter().zip(&known).any(|(&left, known)| left && known.is_none());
    if stop.is_none() && plans.len() < wanted && unsearched {
        stop = Some(Outcome::LimitReached(Limit::Units));
    }
    BoundResult { counts, plans, stop }
}
