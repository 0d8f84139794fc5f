//! Which operators need to be looked at: [`Chooser`].

use super::encoding::Encoding;

/// The operators that a state is expanded with, and the atom that excludes all others.
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
    /// By operator: the atom that it needs.
    pub(super) needed: Vec<Option<u16>>,
    /// All atoms of the piece that decides which operators apply. Empty if there is none.
    pub(super) kind: Vec<u16>,
}

impl Chooser {
    pub(super) fn new(encoding: &Encoding) -> Self {
        let all: Vec<usize> = (0..encoding.operators.len()).collect();
        let needed = |&operator: &usize| {
            encoding.operators[operator].moves.iter().find_map(|one| {
                let mut atoms = encoding.atoms_at(one.from);
                let mut applies = atoms.by_ref().filter(|&a| encoding.image(operator, a).is_some());
                let needed = applies.next()?;
                applies.next().is_none().then_some(needed)
            })
        };
        let mut needed: Vec<Option<u16>> = all.iter().map(needed).collect();
        let kind = needed.first().copied().flatten().map(|atom| encoding.kind_of(atom));
        let alone = encoding.start.iter().filter(|&&a| Some(encoding.kind_of(a)) == kind);
        let same = |atom: &Option<u16>| atom.map(|atom| encoding.kind_of(atom)) == kind;
        let Some(kind) = kind.filter(|_| alone.count() == 1 && needed.iter().all(same)) else {
            needed.fill(None);
            return Self { all, by_atom: None, needed, kind: Vec::new() };
        };
        let mut by_atom = vec![Vec::new(); encoding.atoms()];
        for (operator, atom) in needed.iter().enumerate() {
            atom.iter().for_each(|&atom| by_atom[usize::from(atom)].push(operator));
        }
        Self { all, by_atom: Some(by_atom), needed, kind: encoding.kinds[kind].clone() }
    }

    /// The operators that need an atom.
    pub(super) fn needing(&self, atom: u16) -> &[usize] {
        self.by_atom.as_ref().map_or(&[], |by_atom| &by_atom[usize::from(atom)])
    }

    /// The operators to expand a state with.
    pub(super) fn choose(&self, state: &[u16]) -> Choice<'_> {
        match state.iter().copied().find(|atom| self.kind.contains(atom)) {
            Some(atom) => (self.needing(atom), Some(atom)),
            None => (&self.all, None),
        }
    }
}
