//! The search of one bound: nodes, their children, the heuristic, and units.

use crate::certificate::{Certificate, Counts};
use crate::puzzle::Puzzle;
use crate::rules::Automaton;
use crate::space::INFINITE;
use crate::text::{Checked, require};

/// The heuristic's value of a state that cannot be solved.
pub(crate) const UNSOLVABLE: usize = usize::MAX;

#[derive(Clone, Default)]
pub(crate) struct Node {
    state: Vec<usize>,
    /// What each lookup reads. Not filled in for nodes that are cut.
    reads: Vec<u8>,
    /// The automaton's state of the path to this node.
    path: usize,
    /// What is left of the bound.
    left: usize,
}

pub(crate) struct Search<'a> {
    puzzle: &'a Puzzle,
    certificate: &'a Certificate,
    automaton: Automaton,
    /// Whether paths are dropped that cannot cost all that is left.
    pub(crate) dead_ends: bool,
    /// Room for the image of a state.
    image: Vec<usize>,
    /// The counts of the last search.
    pub(crate) counts: Counts,
}

impl<'a> Search<'a> {
    pub(crate) fn new(puzzle: &'a Puzzle, certificate: &'a Certificate) -> Self {
        let automaton = Automaton::new(&certificate.forbidden, &puzzle.moves);
        let (image, counts, dead_ends) = (certificate.start.clone(), [0; 3], false);
        Self { puzzle, certificate, automaton, dead_ends, image, counts }
    }

    /// The root of a search, and the heuristic's value of the start.
    pub(crate) fn root(&mut self, bound: usize) -> (Node, usize) {
        let state = self.certificate.start.clone();
        let reads = vec![0; self.certificate.lookups.len()];
        let mut root = Node { state, reads, left: bound, ..Node::default() };
        self.counts = [0, 0, UNSOLVABLE];
        let h = self.evaluate(&mut root, None);
        (root, h)
    }

    /// The greatest of all sums. It may be less if the node is cut by no less than another before.
    fn evaluate(&mut self, node: &mut Node, parent: Option<&Node>) -> usize {
        let Certificate { views, tables, lookups, sums, .. } = self.certificate;
        let (mut h, mut known, mut shown) = (0, 0, None);
        for sum in sums {
            let mut total = 0_usize;
            for &at in sum {
                let ((_, table), (_, view)) = (&tables[lookups[at].0], &views[lookups[at].1]);
                // On a board, the tile that moved is where the blank was.
                let moved = |parent: &&Node| {
                    let tile = node.state[parent.state[self.puzzle.points]];
                    table.space.is_blind(view.values[tile])
                };
                if let Some(parent) = parent.filter(|_| self.puzzle.is_board()).filter(moved) {
                    node.reads[at] = parent.reads[at];
                } else if at == known {
                    if shown != Some(lookups[at].1) {
                        view.image(&node.state, &mut self.image);
                        shown = Some(lookups[at].1);
                    }
                    node.reads[at] = table.look_up(&self.image);
                }
                known = known.max(at + 1);
                let entry = node.reads[at];
                let entry = if entry == INFINITE { UNSOLVABLE } else { entry.into() };
                total = total.saturating_add(entry);
            }
            h = h.max(total);
            if h > node.left && h - node.left >= self.counts[2] {
                break;
            }
        }
        h
    }

    /// The children of a node that are kept. Refuses plans, and more nodes than expected.
    fn expand(&mut self, node: &Node, most: &Counts) -> Checked<Vec<Node>> {
        let (mut kept, mut child) = (Vec::new(), node.clone());
        self.counts[1] += 1;
        let puzzle = self.puzzle;
        for (by, one) in puzzle.moves.iter().enumerate() {
            let Some(path) = self.automaton.next[node.path][by] else { continue };
            if !puzzle.apply(&node.state, one, &mut child.state) {
                continue;
            }
            let mut cut = one.cost.saturating_sub(node.left);
            if cut == 0 {
                (child.path, child.left) = (path, node.left - one.cost);
                if self.dead_ends && self.automaton.longest[path] < child.left {
                    continue;
                }
                self.counts[0] += 1;
                let h = self.evaluate(&mut child, Some(node));
                let plan = h <= child.left && puzzle.is_goal(&child.state);
                require(!plan, format_args!("a plan within the bound ends with `{}`", one.name))?;
                cut = if h > child.left { h - child.left } else { usize::from(child.left == 0) };
                // A cut by infinity counts no more than none.
                cut = if h == UNSOLVABLE { UNSOLVABLE } else { cut };
            }
            if cut > 0 {
                self.counts[2] = cut.min(self.counts[2]);
            } else {
                kept.push(child.clone());
            }
        }
        let fits = self.counts[0] <= most[0] && self.counts[1] <= most[1];
        require(fits, format_args!("expected the counts {most:?}, but there are more nodes"))?;
        Ok(kept)
    }

    /// The units of a bound. Refuses more nodes above them than expected.
    pub(crate) fn units(&mut self, root: Node, width: usize, most: &Counts) -> Checked<Vec<Node>> {
        let mut level = vec![root];
        while !level.is_empty() && level.len() < width {
            let (mut nodes, mut kept) = (level.into_iter(), Vec::new());
            while kept.len() < 4 * width
                && let Some(node) = nodes.next()
            {
                kept.extend(self.expand(&node, most)?);
            }
            level = kept.into_iter().chain(nodes).collect();
        }
        Ok(level)
    }

    /// Searches everything below a node. Refuses more nodes than expected.
    pub(crate) fn below(&mut self, node: Node, most: &Counts) -> Checked {
        self.counts = [0, 0, UNSOLVABLE];
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            open.extend(self.expand(&node, most)?);
        }
        Ok(())
    }

    /// Requires as many nodes as the file says, and that nothing was cut by less.
    pub(crate) fn require_counts(&self, said: &Counts) -> Checked {
        let holds = self.counts[..2] == said[..2] && self.counts[2] >= said[2];
        require(holds, format_args!("expected the counts {:?}, not {said:?}", self.counts))
    }
}
