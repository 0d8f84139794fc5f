//! An automaton as a graph: its strongly connected components, and a drawing of it.

use crate::automaton::{Automaton, AutomatonState};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use search::{Op, OpSet};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The sizes of an automaton's strongly connected components. A string that leaves a component
/// never returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The number of states of each component with a cycle, largest first.
    pub cyclic: Vec<usize>,
    /// The number of states that lie on no cycle. A string passes each at most once.
    pub transient: usize,
    /// The number of transient states that lead to no cycle: every string from there ends.
    pub dead_ends: usize,
}

impl<O: OpSet> Automaton<O> {
    /// The automaton as a graph. Node `i` is state `i`, so node 0 is the start. Edges are the
    /// operators that do not lead to the dead state.
    pub(crate) fn graph(&self) -> DiGraph<AutomatonState, Op> {
        let mut graph =
            DiGraph::with_capacity(self.states(), self.states().saturating_mul(self.operators()));
        let nodes: Vec<NodeIndex> =
            self.all_states().into_iter().map(|state| graph.add_node(state)).collect();
        for &node in &nodes {
            let at = graph[node];
            for op in self.live(at).members() {
                if let Some(to) = self.step(at, op) {
                    graph.add_edge(node, nodes[to.index()], op);
                }
            }
        }
        graph
    }

    /// Computes the strongly connected components. Time and memory: O(states x operators).
    pub fn components(&self) -> Components {
        let graph = self.graph();
        let mut components = Components { cyclic: Vec::new(), transient: 0, dead_ends: 0 };
        let mut endless = vec![false; self.states()];
        // Components come in postorder: the successors of a component come before it.
        for component in kosaraju_scc(&graph) {
            let first = component[0];
            let cyclic = component.len() > 1 || graph.contains_edge(first, first);
            if cyclic {
                components.cyclic.push(component.len());
            } else {
                components.transient += 1;
            }
            let goes_on = cyclic || graph.neighbors(first).any(|to| endless[to.index()]);
            components.dead_ends += usize::from(!goes_on);
            for node in component {
                endless[node.index()] = goes_on;
            }
        }
        components.cyclic.sort_unstable_by(|a, b| b.cmp(a));
        components
    }

    /// Draws the automaton in the language of Graphviz.
    ///
    /// Transitions from one state to another share one arrow, which names all their operators. The
    /// start is bold. The dead state is left out: an operator on no arrow is forbidden.
    pub fn to_dot(&self, name: impl Fn(Op) -> String) -> String {
        let mut dot = String::from(
            "digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n  0 [style=bold];\n",
        );
        let graph = self.graph();
        for node in graph.node_indices() {
            let mut arrows: BTreeMap<usize, Vec<Op>> = BTreeMap::new();
            for op in self.live(graph[node]).members() {
                if let Some(to) = self.step(graph[node], op) {
                    arrows.entry(to.index()).or_default().push(op);
                }
            }
            for (to, ops) in arrows {
                let names: Vec<String> = ops.into_iter().map(&name).collect();
                let label = names.join(", ").replace('\\', "\\\\").replace('"', "\\\"");
                // Writing to a string cannot fail.
                let _ = writeln!(dot, "  {} -> {to} [label=\"{label}\"];", node.index());
            }
        }
        dot.push_str("}\n");
        dot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ForbiddenStrings, Keep};

    fn automaton(strings: &[&[Op]]) -> Automaton<u32> {
        let strings = strings.iter().copied();
        let learned =
            ForbiddenStrings::from_strings(&[1; 2], 3, Keep::OneOptimal, strings).unwrap();
        Automaton::new(&learned).unwrap()
    }

    const A: Op = Op(0);
    const B: Op = Op(1);

    #[test]
    fn components_tell_cycles_from_dead_ends() {
        // B after A is a dead end: nothing may follow "a b", and only A may follow "a" without end.
        let components = automaton(&[&[A, B, A], &[A, B, B]]).components();
        assert_eq!(components, Components { cyclic: vec![1, 1], transient: 1, dead_ends: 1 });
        assert_eq!(automaton(&[]).components().cyclic, [1]);
    }

    #[test]
    fn parallel_arrows_are_drawn_as_one() {
        let dot = automaton(&[&[A, A, A]]).to_dot(|op| ["x", "\"y\""][op.index()].to_string());
        assert_eq!(
            dot.lines().skip(4).collect::<Vec<_>>().join("\n"),
            r#"  0 -> 0 [label="\"y\""];
  0 -> 1 [label="x"];
  1 -> 0 [label="\"y\""];
  1 -> 2 [label="x"];
  2 -> 0 [label="\"y\""];
}"#
        );
        assert!(automaton(&[]).to_dot(|op| op.0.to_string()).contains("0 -> 0 [label=\"0, 1\"]"));
    }
}
