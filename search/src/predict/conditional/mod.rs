//! Prediction for inconsistent heuristics: [`ConditionalDistribution`].
//!
//! Uzi Zahavi, Ariel Felner, Neil Burch and Robert Holte, "Predicting the performance of IDA* using
//! conditional distributions", Journal of Artificial Intelligence Research 37, 2010, sections 4 and
//! 5.
//!
//! A search generates a node only if it expanded the parent. So the value of a node depends on that
//! of its parent, and the distribution over all states is not that of the nodes. An inconsistent
//! heuristic cuts many parents whose children would be within the bound. The formula of
//! [`predict`](super::predict()) counts these children, this one does not.
//!
//! *Type* of a node: its context and last operator, its value, and the value of its parent (the
//! "two-step" model of the paper). Random states tell how many children of each type a node of each
//! type has. The prediction counts the nodes of each type layer by layer.
//!
//! We differ from the paper: the context and the last operator belong to the type, so prunings that
//! depend on the last operator are exact. Operators may have any cost.

mod sampler;
#[cfg(test)]
mod tests;

pub use sampler::ConditionalSampler;

use crate::domain::{Contexts, Cost, Op, OpSet};
use crate::heuristic::Heuristic;
use crate::pruning::Pruning;
use std::collections::BTreeMap;

/// The predicted nodes of a complete iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PredictedNodes {
    /// Generated nodes, without the root.
    pub generated: f64,
    /// Expanded nodes, with the root.
    pub expanded: f64,
}

/// The type of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NodeType {
    context: usize,
    op: usize,
    h: Cost,
    /// The value of the parent.
    parent: Cost,
}

/// The children of sampled nodes of one type.
#[derive(Clone, Debug, Default)]
struct Children {
    /// Number of sampled nodes.
    nodes: u64,
    /// Number of their children of each type.
    counts: BTreeMap<NodeType, u64>,
}

impl Children {
    /// The mean number of children of each type.
    #[expect(clippy::cast_precision_loss, reason = "counts of samples are below 2^53")]
    fn means(&self) -> impl Iterator<Item = (NodeType, f64)> {
        self.counts.iter().map(|(&kind, &count)| (kind, count as f64 / self.nodes as f64))
    }

    fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        other
            .counts
            .iter()
            .for_each(|(&kind, &count)| *self.counts.entry(kind).or_default() += count);
    }
}

/// How many children of each type the nodes of each type have, from samples.
///
/// A [`ConditionalSampler`] makes it. Predictions hold for iterations that find no plan, or go past
/// all plans. They do not know operators that a heuristic excludes. Values that no sample has count
/// as having no children, so add states with small values if these matter.
#[derive(Clone, Debug)]
pub struct ConditionalDistribution {
    /// Start states by context and value.
    starts: BTreeMap<(usize, Cost), Children>,
    types: BTreeMap<NodeType, Children>,
    /// The children of all types with this context, operator and value.
    merged: BTreeMap<(usize, usize, Cost), Children>,
    /// The cost of each operator.
    costs: Vec<Cost>,
}

impl ConditionalDistribution {
    /// The mean number of nodes in an iteration with this bound, over random start states of a
    /// context. 0 if no start of the context was sampled.
    ///
    /// If all plans from a state have the parity of the context, the searches from it have no
    /// iteration for bounds of the other parity.
    #[expect(clippy::cast_precision_loss, reason = "counts of samples are below 2^53")]
    pub fn predict(&self, context: usize, bound: Cost) -> PredictedNodes {
        let starts = || self.starts.range((context, 0)..=(context, Cost::MAX));
        let all: u64 = starts().map(|(_, children)| children.nodes).sum();
        let (mut first, mut expanded) = (BTreeMap::new(), 0.0);
        for (_, children) in starts().filter(|((_, h), _)| (*h).max(1) <= bound) {
            let share = children.nodes as f64 / all as f64;
            expanded += share;
            for (kind, mean) in children.means() {
                *first.entry(kind).or_insert(0.0) += share * mean;
            }
        }
        self.grow(first, expanded, bound)
    }

    /// The nodes of an iteration with this bound from one start state. The children of the start
    /// are exact, all others predicted.
    pub fn predict_from<D: Contexts, H: Heuristic<D>, P: Pruning<D>>(
        &self,
        (domain, heuristic, pruning): (&D, &H, &P),
        start: &D::State,
        bound: Cost,
    ) -> PredictedNodes {
        let mut carry = heuristic.root(domain, start);
        let h = heuristic.bound(domain, start, &mut carry, Cost::MAX).h;
        if h.max(1) > bound {
            return PredictedNodes::default();
        }
        let (mut first, mut child) = (BTreeMap::new(), start.clone());
        let allowed = pruning.allowed(domain, pruning.start(domain, start));
        for op in allowed.and(domain.applicable(start)).members() {
            domain.apply_into(start, op, &mut child);
            let mut carry = heuristic.child(domain, start, &carry, op, &child);
            let value = heuristic.bound(domain, &child, &mut carry, Cost::MAX).h;
            let kind = node_type(domain, &child, op, [h, value]);
            *first.entry(kind).or_insert(0.0) += 1.0;
        }
        self.grow(first, 1.0, bound)
    }

    /// Counts nodes layer by layer. `first` are the children of the root by type.
    fn grow(&self, first: BTreeMap<NodeType, f64>, roots: f64, bound: Cost) -> PredictedNodes {
        let bound = usize::from(bound);
        let mut growth = Growth { source: self, index: BTreeMap::new(), kinds: Vec::new() };
        let mut layers: Vec<Vec<f64>> = Vec::new();
        for (kind, nodes) in first {
            let cost = usize::from(self.costs[kind.op]);
            if cost <= bound {
                add(&mut layers, cost, growth.number(kind), nodes);
            }
        }
        let mut predicted = PredictedNodes { generated: 0.0, expanded: roots };
        let mut cost = 0;
        while cost < layers.len() {
            for (number, nodes) in std::mem::take(&mut layers[cost]).into_iter().enumerate() {
                predicted.generated += nodes;
                let kind = growth.kinds[number].0;
                // With nothing left to spend, only a goal stays, and it has no children.
                if nodes == 0.0 || cost + usize::from(kind.h.max(1)) > bound {
                    continue;
                }
                predicted.expanded += nodes;
                for (child, op, mean) in growth.children(number) {
                    if cost + op <= bound {
                        add(&mut layers, cost + op, child, nodes * mean);
                    }
                }
            }
            cost += 1;
        }
        predicted
    }

    /// The mean number of children of each type. A type without samples takes those of all types
    /// that differ in the parent alone. If there is none, it has no children.
    fn means(&self, kind: NodeType) -> impl Iterator<Item = (NodeType, f64)> {
        let merged = || self.merged.get(&(kind.context, kind.op, kind.h));
        self.types.get(&kind).or_else(merged).into_iter().flat_map(Children::means)
    }
}

fn node_type<D: Contexts>(
    domain: &D,
    state: &D::State,
    op: Op,
    [parent, h]: [Cost; 2],
) -> NodeType {
    NodeType { context: domain.context(state), op: op.index(), h, parent }
}

/// Adds to the count of a type in a layer.
fn add(layers: &mut Vec<Vec<f64>>, cost: usize, number: usize, nodes: f64) {
    if layers.len() <= cost {
        layers.resize_with(cost + 1, Vec::new);
    }
    let layer = &mut layers[cost];
    if layer.len() <= number {
        layer.resize(number + 1, 0.0);
    }
    layer[number] += nodes;
}

/// The types that a prediction has met, numbered.
struct Growth<'a> {
    source: &'a ConditionalDistribution,
    index: BTreeMap<NodeType, usize>,
    /// For each number: the type, and its children once they are known, as number, cost of the
    /// operator, and mean count.
    kinds: Vec<(NodeType, Option<Means>)>,
}

type Means = std::rc::Rc<[(usize, usize, f64)]>;

impl Growth<'_> {
    fn number(&mut self, kind: NodeType) -> usize {
        *self.index.entry(kind).or_insert_with(|| {
            self.kinds.push((kind, None));
            self.kinds.len() - 1
        })
    }

    fn children(&mut self, number: usize) -> impl Iterator<Item = (usize, usize, f64)> + use<> {
        let (kind, known) = self.kinds[number].clone();
        let means = known.unwrap_or_else(|| {
            let means = self.source.means(kind).map(|(child, mean)| {
                (self.number(child), usize::from(self.source.costs[child.op]), mean)
            });
            let means: Means = means.collect();
            self.kinds[number].1 = Some(means.clone());
            means
        });
        (0..means.len()).map(move |at| means[at])
    }
}
