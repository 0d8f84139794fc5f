//! The states of a search by time: [`layers`].

use super::LogError;
use super::bounds::Bounds;
use super::encoding::{Encoding, Step};
use search::CancelToken;
use std::collections::HashSet;

/// A state, or a part of one that shows by itself that no plan is left: its atoms in ascending
/// order.
pub(super) type SearchNode = Box<[u16]>;

/// What a log refutes, by time.
#[derive(Debug)]
pub(super) struct NodeLayers {
    /// For each number of operators so far: the nodes, each once, in the order in which the search
    /// reaches them.
    pub(super) nodes: Vec<Vec<SearchNode>>,
    /// The number of children that were generated.
    pub(super) generated: u64,
}

/// The operators that a node is expanded with, and the atom that excludes all others.
pub(super) type Choice<'a> = (&'a [usize], Option<u16>);

/// Selects the applicable operators by one atom of a state (on sliding tiles: the square of the
/// blank).
///
/// If each operator needs one certain atom (on sliding tiles: the blank, on a certain square), and
/// a state has only one of these atoms, then all other operators need not be looked at.
#[derive(Debug)]
pub(super) struct Chooser {
    all: Vec<usize>,
    /// By atom: the operators that need it. `None` if there are no such atoms.
    by_atom: Option<Vec<Vec<usize>>>,
    /// All atoms of the piece that decides which operators apply. Empty if there is none.
    pub(super) kind: Vec<u16>,
}

impl Chooser {
    pub(super) fn new(encoding: &Encoding) -> Self {
        let all: Vec<usize> = (0..encoding.operators.len()).collect();
        let (kinds, _) = super::bounds::kinds(encoding);
        let needed = |&operator: &usize| {
            encoding.operators[operator].moves.iter().find_map(|one| {
                let mut values = one.values.iter().enumerate().filter(|(_, image)| image.is_some());
                let (value, _) = values.next()?;
                values.next().is_none().then_some(encoding.first[one.from] + value)
            })
        };
        let needed: Option<Vec<usize>> = all.iter().map(needed).collect();
        let needed = needed.filter(|atoms| {
            let kind = |&atom: &usize| kinds[atom];
            let of = atoms.first().map(kind);
            let alone = encoding.start.iter().filter(|&&a| Some(kinds[usize::from(a)]) == of);
            atoms.iter().all(|atom| Some(kind(atom)) == of) && alone.count() == 1
        });
        let mut chooser = Self { all, by_atom: None, kind: Vec::new() };
        if let Some(needed) = needed {
            let mut by_atom = vec![Vec::new(); encoding.atoms()];
            needed.iter().enumerate().for_each(|(operator, &atom)| by_atom[atom].push(operator));
            let kind = needed.first().map(|&atom| kinds[atom]);
            let atoms = (0..encoding.atoms()).filter(|&atom| Some(kinds[atom]) == kind);
            chooser.kind = atoms.map(super::encoding::atom).collect();
            chooser.by_atom = Some(by_atom);
        }
        chooser
    }

    /// The operators that need an atom.
    pub(super) fn needing(&self, atom: u16) -> &[usize] {
        self.by_atom.as_ref().map_or(&[], |by_atom| &by_atom[usize::from(atom)])
    }

    /// The operators to expand a node with.
    pub(super) fn choose(&self, node: &[u16]) -> Choice<'_> {
        let key = node.iter().copied().find(|atom| self.kind.contains(atom));
        match key {
            Some(atom) => (self.needing(atom), Some(atom)),
            None => (&self.all, None),
        }
    }
}

/// Searches all plans of at most `bound` operators, breadth first. Keeps each node once a time.
///
/// # Errors
/// If there is a plan, if more than `most` children are generated, or if the caller cancels.
pub(super) fn layers(
    encoding: &Encoding,
    (bounds, chooser): (&Bounds, &Chooser),
    bound: usize,
    most: u64,
    cancel: &CancelToken,
) -> Result<NodeLayers, LogError> {
    let root = bounds.reduce(encoding, encoding.start.clone(), bound);
    let mut layers = NodeLayers { nodes: vec![vec![root]], generated: 0 };
    for left in (0..bound).rev() {
        if cancel.is_cancelled() {
            return Err(LogError::Cancelled);
        }
        let (mut seen, mut next) = (HashSet::new(), Vec::new());
        for node in layers.nodes.last().into_iter().flatten() {
            if bounds.cuts(encoding, node, left + 1) {
                continue;
            }
            if is_goal(encoding, node) {
                return Err(LogError::Plan);
            }
            for &operator in chooser.choose(node).0 {
                layers.generated += 1;
                if layers.generated > most {
                    return Err(LogError::TooMany { most });
                }
                if layers.generated.is_multiple_of(4096) && cancel.is_cancelled() {
                    return Err(LogError::Cancelled);
                }
                let Step::Atoms(atoms) = encoding.step(operator, node) else { continue };
                let child = child(encoding, bounds, atoms, left);
                if seen.insert(child.clone()) {
                    next.push(child);
                }
            }
        }
        layers.nodes.push(next);
    }
    let mut last = layers.nodes.last().into_iter().flatten();
    if last.any(|node| is_goal(encoding, node)) { Err(LogError::Plan) } else { Ok(layers) }
}

/// The node of a child with these atoms, with `left` operators left.
pub(super) fn child(
    encoding: &Encoding,
    bounds: &Bounds,
    mut atoms: Vec<u16>,
    left: usize,
) -> SearchNode {
    atoms.sort_unstable();
    bounds.reduce(encoding, atoms, left)
}

/// Whether all atoms are those of the goal.
fn is_goal(encoding: &Encoding, node: &[u16]) -> bool {
    node.iter().all(|&atom| encoding.is_goal(atom))
}
