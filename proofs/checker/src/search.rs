//! The search of one bound: nodes, their children, the heuristic, and units.

use crate::certificate::{Certificate, Counts};
use crate::forbidden::Automaton;
use crate::puzzle::Puzzle;
use crate::space::INFINITE;
use crate::table::{Blank, Kind, Table};
use crate::text::Objection;
use crate::view::{self, View};

/// The heuristic's value of a state that cannot be solved.
const UNSOLVABLE: u64 = u64::MAX;

#[derive(Clone)]
pub(crate) struct Node {
    state: Vec<u16>,
    /// What each lookup read. Whole only in nodes that are kept.
    reads: Vec<u8>,
    /// The automaton's state of the path to this node.
    path: u32,
    /// What is left of the bound.
    left: u64,
    /// The next move to try. Only the depth-first search needs it.
    next: usize,
}

/// A lookup of a table. The rest is for boards.
struct Lookup {
    table: usize,
    view: usize,
    /// Where the state has the squares of the values that the table asks for, the blank last.
    values: Vec<usize>,
    /// Where a view sends each square.
    squares: Vec<u8>,
    /// For each tile: whether the lookup reads the same after a move of this tile.
    carried: Vec<bool>,
}

/// What became of a move.
enum Fate {
    /// It does not apply, is forbidden, or was cut.
    Gone,
    Kept,
    Plan,
}

pub(crate) struct Search<'a> {
    puzzle: &'a Puzzle,
    tables: &'a [Table],
    views: &'a [View],
    automaton: Automaton,
    lookups: Vec<Lookup>,
    /// For each sum, its lookups: each is one of the sums before, or the first that is not.
    sums: Vec<Vec<usize>>,
    image: Vec<u16>,
    squares: Vec<u8>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(certificate: &'a Certificate) -> Result<Self, Objection> {
        let Certificate { puzzle, forbidden, views, tables, .. } = certificate;
        let mut lookups: Vec<Lookup> = Vec::new();
        let mut number = |&(table, view): &(usize, usize)| {
            let known = lookups.iter().position(|one| (one.table, one.view) == (table, view));
            known.unwrap_or_else(|| {
                lookups.push(Lookup::new(certificate, table, view));
                lookups.len() - 1
            })
        };
        let sums = certificate.sums.iter();
        let sums = sums.map(|sum| sum.iter().map(&mut number).collect()).collect();
        let automaton = Automaton::new(forbidden, puzzle.moves.len())?;
        let image = vec![0; puzzle.points];
        Ok(Self { puzzle, tables, views, automaton, lookups, sums, image, squares: Vec::new() })
    }

    /// The root of a search, and the heuristic's value of the start.
    pub(crate) fn root(&mut self, start: &[u16], bound: u64) -> (Node, u64) {
        let reads = vec![0; self.lookups.len()];
        let mut root = Node { state: start.to_vec(), reads, path: 0, left: bound, next: 0 };
        let h = self.evaluate(&mut root, None, None);
        (root, h)
    }

    /// The greatest of all sums. A node that is cut may get less, if its cut does not lower `over`
    /// in either case.
    fn evaluate(&mut self, node: &mut Node, parent: Option<&Node>, over: Option<u64>) -> u64 {
        let points = self.puzzle.points;
        // On a board, the tile that moved is where the blank was.
        let board = parent.filter(|_| self.puzzle.is_board());
        let before = board.map(|parent| {
            let tile = node.state[usize::from(parent.state[points])];
            (parent, usize::from(tile))
        });
        let (mut h, mut done, mut shown) = (0, 0, None);
        for sum in 0..self.sums.len() {
            let mut total = 0_u64;
            for at in 0..self.sums[sum].len() {
                let at = self.sums[sum][at];
                if at == done {
                    done += 1;
                    let carried = before.filter(|&(_, tile)| self.lookups[at].carried[tile]);
                    node.reads[at] = match carried {
                        Some((parent, _)) => parent.reads[at],
                        None => self.look_up(at, &node.state, &mut shown),
                    };
                }
                let entry = node.reads[at];
                total =
                    if entry == INFINITE { UNSOLVABLE } else { total.saturating_add(entry.into()) };
            }
            h = h.max(total);
            let cut = h.saturating_sub(node.left);
            if cut > 0 && over.is_some_and(|over| cut >= over) {
                break;
            }
        }
        h
    }

    /// What a lookup reads. `shown` is the view that `image` has.
    fn look_up(&mut self, at: usize, state: &[u16], shown: &mut Option<usize>) -> u8 {
        let lookup = &self.lookups[at];
        let table = &self.tables[lookup.table];
        if self.puzzle.is_board() {
            let square = |&value: &usize| lookup.squares[usize::from(state[value])];
            self.squares.clear();
            self.squares.extend(lookup.values.iter().map(square));
            let blank = self.squares.pop().unwrap_or(0);
            return table.read_tiles(&self.squares, blank);
        }
        if *shown != Some(lookup.view) {
            self.views[lookup.view].image(state, &mut self.image);
            *shown = Some(lookup.view);
        }
        table.read_labels(&self.image)
    }

    /// Makes the child of a node by a move.
    fn child(&mut self, parent: &Node, by: usize, child: &mut Node, counts: &mut Counts) -> Fate {
        let cut = |by: u64, counts: &mut Counts| {
            counts.over = Some(counts.over.map_or(by, |over| over.min(by)));
            Fate::Gone
        };
        let one = &self.puzzle.moves[by];
        let Some(path) = self.automaton.step(parent.path, by) else { return Fate::Gone };
        if !self.puzzle.apply(&parent.state, one, &mut child.state) {
            return Fate::Gone;
        }
        let cost = u64::from(one.cost);
        let Some(left) = parent.left.checked_sub(cost) else {
            return cut(cost - parent.left, counts);
        };
        counts.generated += 1;
        (child.path, child.left, child.next) = (path, left, 0);
        let h = self.evaluate(child, Some(parent), counts.over);
        if h == UNSOLVABLE {
            Fate::Gone
        } else if h > left {
            cut(h - left, counts)
        } else if self.puzzle.is_goal(&child.state) {
            Fate::Plan
        } else if left == 0 {
            cut(1, counts)
        } else {
            Fate::Kept
        }
    }

    /// The units of a bound, and the counts above them. Ends early if there are more than expected.
    pub(crate) fn units(
        &mut self,
        root: Node,
        width: usize,
        expected: &Counts,
    ) -> Result<(Vec<Node>, Counts), String> {
        let (mut level, mut counts) = (vec![root], Counts::default());
        let mut child = level[0].clone();
        while !level.is_empty() && level.len() < width {
            let mut nodes = level.into_iter();
            let mut kept = Vec::new();
            while kept.len() < 4 * width
                && let Some(node) = nodes.next()
            {
                counts.expanded += 1;
                for by in 0..self.puzzle.moves.len() {
                    match self.child(&node, by, &mut child, &mut counts) {
                        Fate::Gone => {}
                        Fate::Kept => kept.push(child.clone()),
                        Fate::Plan => return Err(self.plan(by)),
                    }
                }
                counts.require_at_most(expected)?;
            }
            kept.extend(nodes);
            level = kept;
        }
        Ok((level, counts))
    }

    /// The counts of everything below a node. Ends early if there are more than expected.
    pub(crate) fn below(&mut self, unit: &Node, expected: &Counts) -> Result<Counts, String> {
        let mut counts = Counts { expanded: 1, ..Counts::default() };
        let mut path = vec![unit.clone(), unit.clone()];
        let mut depth = 0;
        loop {
            let (parents, children) = path.split_at_mut(depth + 1);
            let (parent, child) = (&mut parents[depth], &mut children[0]);
            if parent.next == self.puzzle.moves.len() {
                if depth == 0 {
                    return Ok(counts);
                }
                depth -= 1;
                continue;
            }
            let by = parent.next;
            parent.next += 1;
            match self.child(parent, by, child, &mut counts) {
                Fate::Gone => {}
                Fate::Plan => return Err(self.plan(by)),
                Fate::Kept => {
                    counts.expanded += 1;
                    counts.require_at_most(expected)?;
                    depth += 1;
                    if path.len() == depth + 1 {
                        path.push(unit.clone());
                    }
                }
            }
        }
    }

    fn plan(&self, by: usize) -> String {
        format!("a plan within the bound ends with move `{}`", self.puzzle.moves[by].name)
    }
}

impl Counts {
    fn require_at_most(&self, expected: &Self) -> Result<(), String> {
        let holds = self.generated <= expected.generated && self.expanded <= expected.expanded;
        if holds { Ok(()) } else { Err(format!("expected {expected}, but there are more nodes")) }
    }

    /// The same nodes, and nothing was cut by less than is said.
    pub(crate) fn require_match(&self, expected: &Self) -> Result<(), String> {
        let least = |over: Option<u64>| over.unwrap_or(u64::MAX);
        let holds = (self.generated, self.expanded) == (expected.generated, expected.expanded)
            && least(self.over) >= least(expected.over);
        if holds { Ok(()) } else { Err(format!("expected {expected}, found {self}")) }
    }
}

impl Lookup {
    fn new(certificate: &Certificate, table: usize, view: usize) -> Self {
        let Certificate { puzzle, views, tables, .. } = certificate;
        let points = puzzle.points;
        let mut lookup =
            Self { table, view, values: vec![], squares: vec![], carried: vec![false; points] };
        let Kind::Tiles(tiles, blank) = &tables[table].kind else { return lookup };
        // The image has value `w(x)` where the state has `x`: so ask for `x` instead of `w(x)`.
        let mut asked: Vec<usize> = (0..points).collect();
        lookup.squares = (0..).take(points).collect();
        if let view::Kind::Symmetry(squares) = &views[view].kind {
            for (&value, &square) in puzzle.goal.iter().zip(squares) {
                asked[usize::from(puzzle.goal[usize::from(square)])] = value.into();
            }
            lookup.squares = squares.iter().map(|&square| square as u8).collect();
        }
        let values = tiles.tiles.iter().chain([&0]);
        lookup.values = values.map(|&value| points + asked[usize::from(value)]).collect();
        // The value stays where no tile of the table moves: the blank stays in its region.
        let carried = |tile| *blank != Blank::Exact && !lookup.values.contains(&(points + tile));
        lookup.carried = (0..points).map(carried).collect();
        lookup
    }
}
