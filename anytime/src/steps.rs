//! How the nodes of a beam over operators came: [`Step`].

use search::Op;

/// How a node came from its parent in the layer before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Step {
    pub(crate) parent: u32,
    pub(crate) op: Op,
}

/// The number of a start, and the operators from there to the node that came by `last`. `history`
/// has the steps of each layer behind the starts.
pub(crate) fn path(history: &[Vec<Step>], last: Step) -> (usize, Vec<Op>) {
    let (mut ops, mut at) = (vec![last.op], last.parent);
    for layer in history.iter().rev() {
        let step = layer[at as usize];
        ops.push(step.op);
        at = step.parent;
    }
    ops.reverse();
    (at as usize, ops)
}
