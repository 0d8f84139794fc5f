//! What operators cost the rest of a plan: [`Costs`].

use super::encoding::{Encoding, ValueMove};
use super::parts::parts;

/// The distance of atoms that no operators bring to a goal.
const NEVER: usize = usize::MAX;

/// The costs that a log counts.
///
/// A *potential* is a sum of weights of atoms that is 0 in each goal, and that no operator lowers
/// by more than its cost. On sliding tiles it is the Manhattan distance. A log counts what an
/// operator costs beyond the potential that it takes away. On sliding tiles a move towards the
/// tile's home costs 0, and a move away costs 2. The *unit* is the greatest common divisor of these
/// costs. A plan from a state costs the potential of the state, plus the units of its operators.
///
/// With a potential, each unit is charged to one atom, and each kind of atom to one *part*. The
/// lower bounds of all parts add up. Without one there is one part.
#[derive(Debug)]
pub(super) struct Costs {
    /// The weight of each atom in the potential.
    pub(super) weights: Vec<usize>,
    /// What one unit costs.
    pub(super) unit: usize,
    /// The units that a plan within the bound can have.
    pub(super) budget: usize,
    /// For each part: the kinds of its atoms.
    pub(super) parts: Vec<Vec<usize>>,
    /// The part of each kind, if there are several parts.
    part: Vec<usize>,
    /// Whether the lower bounds of parts add up, as there is a potential.
    pub(super) is_additive: bool,
    /// By operator: the units that it costs in any state.
    pub(super) base: Vec<usize>,
    /// By operator and atom: the units that it costs besides if the state has the atom.
    extra: Vec<Vec<usize>>,
}

impl Costs {
    /// The costs of plans that cost at most `bound`.
    pub(super) fn new(encoding: &Encoding, bound: usize) -> Self {
        let single = singles(encoding);
        let weights = potential(encoding, &single).map(|weights| at_most(encoding, weights, bound));
        let is_additive = weights.is_some();
        let weights = weights.unwrap_or_else(|| vec![0; encoding.atoms()]);
        let operators = 0..encoding.operators.len();
        let raw = |operator: usize| raw_costs(encoding, &weights, operator);
        let mut extra: Vec<Vec<usize>> = operators.clone().map(raw).collect();
        let mut base = vec![0; extra.len()];
        if !is_additive {
            base = encoding.operators.iter().map(|one| one.cost).collect();
            extra = vec![vec![0; encoding.atoms()]; extra.len()];
        }
        let all = base.iter().chain(extra.iter().flatten());
        let unit = all.fold(0, |unit, &cost| greatest_divisor(unit, cost)).max(1);
        base.iter_mut().chain(extra.iter_mut().flatten()).for_each(|cost| *cost /= unit);
        let sum: usize = encoding.start.iter().map(|&a| weights[usize::from(a)]).sum();
        let budget = (bound - sum) / unit;
        let charged = |kind: &usize| {
            let mut atoms = encoding.kinds[*kind].iter().map(|&atom| usize::from(atom));
            atoms.any(|atom| extra.iter().any(|of| of[atom] > 0))
        };
        let charged: Vec<usize> = (0..encoding.kinds.len()).filter(charged).collect();
        let all_kinds = || vec![(0..encoding.kinds.len()).collect()];
        let parts = if is_additive { parts(encoding, &charged) } else { all_kinds() };
        let mut part = vec![0; encoding.kinds.len()];
        for (number, kinds) in parts.iter().enumerate() {
            kinds.iter().for_each(|&kind| part[kind] = number);
        }
        Self { weights, unit, budget, parts, part, is_additive, base, extra }
    }

    /// The number that stands for all parts together.
    pub(super) fn total(&self) -> usize {
        if self.parts.len() > 1 { self.parts.len() } else { 0 }
    }

    /// The atoms among `atoms` for which an operator charges units to a part.
    pub(super) fn charged(
        &self,
        encoding: &Encoding,
        at: (usize, usize),
        atoms: &[u16],
    ) -> Vec<u16> {
        let (operator, part) = at;
        let is_charged = |atom: &u16| {
            let own = part == self.total() || self.part[encoding.kind_of(*atom)] == part;
            own && self.extra(operator, *atom) > 0
        };
        atoms.iter().copied().filter(is_charged).collect()
    }

    /// What an operator costs for an atom that a state has.
    pub(super) fn extra(&self, operator: usize, atom: u16) -> usize {
        self.extra[operator][usize::from(atom)]
    }

    /// The units that an operator costs at least in states with these atoms, in one part.
    pub(super) fn units(&self, encoding: &Encoding, at: (usize, usize), atoms: &[u16]) -> usize {
        let charged = self.charged(encoding, at, atoms);
        self.base[at.0] + charged.iter().map(|&atom| self.extra(at.0, atom)).sum::<usize>()
    }

    /// The part of an atom.
    pub(super) fn part_of(&self, encoding: &Encoding, atom: u16) -> usize {
        self.part[encoding.kind_of(atom)]
    }
}

/// The greatest common divisor.
fn greatest_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

/// By atom: what operators cost at least to make it an atom of a goal.
fn singles(encoding: &Encoding) -> Vec<usize> {
    let mut distance = vec![NEVER; encoding.atoms()];
    let goals = encoding.goals.iter().flatten();
    let mut open: Vec<u16> = goals.copied().collect();
    open.iter().for_each(|&atom| distance[usize::from(atom)] = 0);
    // Costs are small, and so are the numbers of atoms: what falls is looked at again.
    while let Some(after) = open.pop() {
        for (operator, one) in encoding.operators.iter().enumerate() {
            let Some(before) = encoding.preimage(operator, after) else { continue };
            let cost = distance[usize::from(after)] + one.cost;
            if before != after && cost < distance[usize::from(before)] {
                distance[usize::from(before)] = cost;
                open.push(before);
            }
        }
    }
    distance
}

/// The weights of a potential. Tries the distances of all pieces, then of all but one kind (such as
/// the blank of sliding tiles). `None` if neither is a potential, or all weights are 0.
fn potential(encoding: &Encoding, single: &[usize]) -> Option<Vec<usize>> {
    let far = single.iter().filter(|&&d| d < NEVER).max().map_or(0, |most| most + 1);
    (0..=encoding.kinds.len()).find_map(|without| {
        let weight = |(&distance, &kind): (&usize, &usize)| match kind + 1 == without {
            true => 0,
            false => distance.min(far),
        };
        let weights: Vec<usize> = single.iter().zip(&encoding.kind).map(weight).collect();
        let is_potential = (0..encoding.operators.len()).all(|operator| {
            let falls = falls(encoding, &weights, operator);
            let falling = falls.iter().filter(|&&fall| fall > 0);
            falling.clone().count() <= 1
                && falling.sum::<usize>() <= encoding.operators[operator].cost
        });
        (is_potential && weights.iter().any(|&weight| weight > 0)).then_some(weights)
    })
}

/// The weights without those of some kinds, so that the start's potential is at most `most`.
fn at_most(encoding: &Encoding, mut weights: Vec<usize>, most: usize) -> Vec<usize> {
    loop {
        let weight = |atom: u16| weights[usize::from(atom)];
        let sum: usize = encoding.start.iter().map(|&atom| weight(atom)).sum();
        let heaviest = encoding.start.iter().copied().max_by_key(|&atom| weight(atom));
        let Some(heaviest) = heaviest.filter(|_| sum > most) else { return weights };
        let kind = &encoding.kinds[encoding.kind_of(heaviest)];
        kind.iter().for_each(|&atom| weights[usize::from(atom)] = 0);
    }
}

/// By how much each move of an operator lowers the potential at most.
fn falls(encoding: &Encoding, weights: &[usize], operator: usize) -> Vec<usize> {
    let weight = |atom: u16| weights[usize::from(atom)];
    let lowered = |one: &ValueMove| {
        let images =
            encoding.atoms_at(one.from).filter_map(|a| Some((a, encoding.image(operator, a)?)));
        images.map(|(a, image)| weight(a).saturating_sub(weight(image))).max().unwrap_or(0)
    };
    encoding.operators[operator].moves.iter().map(lowered).collect()
}

/// By atom: what an operator costs for it, beyond the potential that it takes away. The cost of the
/// operator is charged to the move that lowers the potential, or else to the first.
fn raw_costs(encoding: &Encoding, weights: &[usize], operator: usize) -> Vec<usize> {
    let (mut costs, one) = (vec![0; encoding.atoms()], &encoding.operators[operator]);
    let falls = falls(encoding, weights, operator);
    let carrier = falls.iter().position(|&fall| fall > 0).unwrap_or(0);
    for (index, moved) in one.moves.iter().enumerate() {
        for atom in encoding.atoms_at(moved.from) {
            let Some(image) = encoding.image(operator, atom) else { continue };
            let cost = if index == carrier { one.cost } else { 0 };
            let cost = cost + weights[usize::from(image)];
            // Without a potential, the caller takes the cost of the operator.
            costs[usize::from(atom)] = cost.saturating_sub(weights[usize::from(atom)]);
        }
    }
    costs
}
