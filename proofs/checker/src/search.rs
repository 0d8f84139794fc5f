//! The search of one bound: nodes, their children, the heuristic, and units.

use crate::certificate::{Certificate, Counts};
use crate::puzzle::Puzzle;
use crate::rules::Automaton;
use crate::space::INFINITE;
use crate::table::Kind;
use crate::text::{Checked, require};

/// The heuristic's value of a state that cannot be solved.
pub(crate) const UNSOLVABLE: usize = usize::MAX;
/// Any number of nodes.
pub(crate) const ANY: Counts = Counts { generated: usize::MAX, expanded: usize::MAX, over: None };

#[derive(Clone)]
pub(crate) struct Node {
    state: Vec<usize>,
    /// What each lookup reads. Not filled in for nodes that are cut.
    reads: Vec<u8>,
    /// The automaton's state of the path to this node.
    path: usize,
    /// What is left of the bound.
    left: usize,
    /// The next move to try. Only the depth-first search needs it.
    next: usize,
}

pub(crate) struct Search<'a> {
    puzzle: &'a Puzzle,
    certificate: &'a Certificate,
    automaton: Automaton,
    /// Whether paths are dropped that cannot cost all that is left.
    pub(crate) dead_ends: bool,
    /// Boards: for each lookup and tile, whether it reads the same after a move of this tile.
    kept: Vec<Vec<bool>>,
    /// Room for the image of a state.
    image: Vec<usize>,
    /// The counts of the last search.
    pub(crate) counts: Counts,
}

impl<'a> Search<'a> {
    pub(crate) fn new(puzzle: &'a Puzzle, certificate: &'a Certificate) -> Self {
        let kept = |&(table, view): &(usize, usize)| {
            let values = certificate.views[view].1.values.iter();
            match &certificate.tables[table].1.kind {
                Kind::Labels(_) => Vec::new(),
                Kind::Tiles(tiles) => values.map(|&tile| tiles.keeps(tile)).collect(),
            }
        };
        let kept = certificate.lookups.iter().map(kept).collect();
        let automaton = Automaton::new(&certificate.forbidden, &puzzle.moves);
        let (image, counts) = (certificate.start.clone(), Counts::default());
        Self { puzzle, certificate, automaton, dead_ends: false, kept, image, counts }
    }

    /// The root of a search, and the heuristic's value of the start.
    pub(crate) fn root(&mut self, bound: usize) -> (Node, usize) {
        let state = self.certificate.start.clone();
        let reads = vec![0; self.certificate.lookups.len()];
        let mut root = Node { state, reads, path: 0, left: bound, next: 0 };
        self.counts = Counts::default();
        let h = self.evaluate(&mut root, None);
        (root, h)
    }

    /// The greatest of all sums. It may be less if the node is cut by no less than another before.
    fn evaluate(&mut self, node: &mut Node, parent: Option<&Node>) -> usize {
        let Certificate { views, tables, lookups, sums, .. } = self.certificate;
        // On a board, the tile that moved is where the blank was.
        let parent = parent.filter(|_| self.puzzle.is_board());
        let moved = parent.map(|parent| node.state[parent.state[self.puzzle.points]]);
        let (mut h, mut known, mut shown) = (0, 0, None);
        for sum in sums {
            let mut total = 0;
            for &at in sum {
                let (table, view) = lookups[at];
                if let Some(parent) =
                    parent.filter(|_| moved.is_some_and(|tile| self.kept[at][tile]))
                {
                    node.reads[at] = parent.reads[at];
                } else if at == known {
                    if shown != Some(view) {
                        views[view].1.image(&node.state, &mut self.image);
                        shown = Some(view);
                    }
                    node.reads[at] = tables[table].1.look_up(&self.image);
                }
                known = known.max(at + 1);
                let entry = node.reads[at];
                let sum = usize::from(entry).saturating_add(total);
                total = if entry == INFINITE { UNSOLVABLE } else { sum };
            }
            h = h.max(total);
            if h > node.left && self.counts.over.is_some_and(|over| h - node.left >= over) {
                break;
            }
        }
        h
    }

    /// Makes the child of a node by a move. Says whether it is kept. Refuses a plan.
    fn child(&mut self, parent: &Node, by: usize, child: &mut Node) -> Checked<bool> {
        let one = &self.puzzle.moves[by];
        let Some(path) = self.automaton.next[parent.path][by] else { return Ok(false) };
        if !self.puzzle.apply(&parent.state, one, &mut child.state) {
            return Ok(false);
        }
        let cut = if one.cost > parent.left {
            one.cost - parent.left
        } else {
            (child.path, child.left, child.next) = (path, parent.left - one.cost, 0);
            if self.dead_ends && self.automaton.longest[path] < child.left {
                return Ok(false);
            }
            self.counts.generated += 1;
            let h = self.evaluate(child, Some(parent));
            if h == UNSOLVABLE {
                return Ok(false);
            }
            let plan = h <= child.left && self.puzzle.is_goal(&child.state);
            require(!plan, format_args!("a plan within the bound ends with `{}`", one.name))?;
            if h > child.left { h - child.left } else { usize::from(child.left == 0) }
        };
        if cut > 0 {
            self.counts.over = self.counts.over.into_iter().chain([cut]).min();
        }
        Ok(cut == 0)
    }

    /// The units of a bound. Refuses more nodes above them than expected.
    pub(crate) fn units(&mut self, root: Node, width: usize, most: &Counts) -> Checked<Vec<Node>> {
        let (mut child, mut level) = (root.clone(), vec![root]);
        while !level.is_empty() && level.len() < width {
            let (mut nodes, mut kept) = (level.into_iter(), Vec::new());
            while kept.len() < 4 * width
                && let Some(node) = nodes.next()
            {
                self.counts.expanded += 1;
                for by in 0..self.puzzle.moves.len() {
                    if self.child(&node, by, &mut child)? {
                        kept.push(child.clone());
                    }
                }
                self.require_at_most(most)?;
            }
            kept.extend(nodes);
            level = kept;
        }
        Ok(level)
    }

    /// Searches everything below a node. Refuses more nodes than expected.
    pub(crate) fn below(&mut self, node: &Node, most: &Counts) -> Checked {
        self.counts = Counts { expanded: 1, ..Counts::default() };
        // The path from the node, and room for a child.
        let (mut path, mut depth) = (vec![node.clone(); 2], 0);
        loop {
            let (parents, children) = path.split_at_mut(depth + 1);
            let (parent, child) = (&mut parents[depth], &mut children[0]);
            parent.next += 1;
            if parent.next > self.puzzle.moves.len() {
                if depth == 0 {
                    return Ok(());
                }
                depth -= 1;
            } else if self.child(parent, parent.next - 1, child)? {
                self.counts.expanded += 1;
                self.require_at_most(most)?;
                depth += 1;
                path.resize(path.len().max(depth + 2), node.clone());
            }
        }
    }

    fn require_at_most(&self, most: &Counts) -> Checked {
        let Counts { generated, expanded, .. } = self.counts;
        let fits = generated <= most.generated && expanded <= most.expanded;
        require(fits, format_args!("expected {most:?}, but there are more nodes"))
    }

    /// Requires as many nodes as the file says, and that nothing was cut by less.
    pub(crate) fn require_counts(&self, said: &Counts) -> Checked {
        let (Counts { generated, expanded, over }, all) = (&self.counts, usize::MAX);
        let same = (generated, expanded) == (&said.generated, &said.expanded);
        let holds = same && over.unwrap_or(all) >= said.over.unwrap_or(all);
        require(holds, format_args!("expected {:?}, not {said:?}", self.counts))
    }
}
