//! Lower bounds that a log can prove in few lines: [`Bounds`].

use super::encoding::{Encoding, atom};

/// Most atoms for which distances of pairs are computed. They take a byte for each pair.
const MOST_FOR_PAIRS: usize = 4000;

/// The distance of atoms that no operators bring to the goal.
const NEVER: u8 = u8::MAX;

/// A lower bound on the cost of plans. Admissible: yes, as argued below. Consistent: yes.
#[derive(Debug)]
pub(super) enum Bounds {
    /// The sum of a weight for each atom. No operator lowers it by more than 1, and it is 0 in the
    /// goal (a *potential heuristic*). On sliding tiles this is the Manhattan distance.
    Potential(Vec<u8>),
    /// The greatest distance of any one or two atoms of the state. Such distances ignore all other
    /// atoms.
    Pairs {
        /// By atom: operators that it needs to become an atom of the goal.
        single: Vec<u8>,
        /// The same for each ordered pair of atoms. Empty if there are too many.
        pair: Vec<u8>,
    },
}

impl Bounds {
    /// The potential of single distances if operators lower it by at most 1, else pairs.
    pub(super) fn new(encoding: &Encoding) -> Self {
        let single = singles(encoding);
        match potential(encoding, &single) {
            Some(weights) => Self::Potential(weights),
            None => Self::Pairs { pair: pairs(encoding), single },
        }
    }

    /// Whether the potential proves that a whole state has no plan of at most `left` operators.
    /// False for a part of a state.
    pub(super) fn cuts(&self, encoding: &Encoding, node: &[u16], left: usize) -> bool {
        let Self::Potential(weights) = self else { return false };
        let sum = node.iter().map(|&a| usize::from(weights[usize::from(a)])).sum::<usize>();
        node.len() == encoding.places() && sum > left
    }

    /// One or two atoms that alone rule out a plan of at most `left` operators. If there are none,
    /// all atoms.
    pub(super) fn reduce(&self, encoding: &Encoding, node: Vec<u16>, left: usize) -> Box<[u16]> {
        if left == 0 {
            let away = node.iter().find(|&&atom| !encoding.is_goal(atom));
            return away.map_or(node.clone().into(), |&atom| [atom].into());
        }
        let Self::Pairs { single, pair } = self else { return node.into() };
        let far = |distance: u8| usize::from(distance) > left;
        if let Some(&one) = node.iter().find(|&&atom| far(single[usize::from(atom)])) {
            return [one].into();
        }
        let of = |a: u16, b: u16| usize::from(a) * encoding.atoms() + usize::from(b);
        for (place, &a) in node.iter().enumerate().filter(|_| !pair.is_empty()) {
            if let Some(&b) = node[place + 1..].iter().find(|&&b| far(pair[of(a, b)])) {
                return [a, b].into();
            }
        }
        node.into()
    }
}

/// For each operator and atom: the atoms that it makes this atom of.
fn preimages(encoding: &Encoding) -> Vec<Vec<Vec<u16>>> {
    let of = |operator: usize| {
        let mut list = vec![Vec::new(); encoding.atoms()];
        for before in (0..encoding.atoms()).map(atom) {
            if let Some(after) = encoding.image(operator, before) {
                list[usize::from(after)].push(before);
            }
        }
        list
    };
    (0..encoding.operators.len()).map(of).collect()
}

/// Breadth-first distances to some nodes of a graph of `nodes` nodes.
fn distances(nodes: usize, goals: Vec<usize>, before: impl Fn(usize, &mut Vec<usize>)) -> Vec<u8> {
    let mut distance = vec![NEVER; nodes];
    let (mut layer, mut near) = (goals, Vec::new());
    for depth in 0..NEVER {
        layer.retain(|&node| {
            let new = distance[node] == NEVER;
            distance[node] = distance[node].min(depth);
            new
        });
        let next = layer.iter().flat_map(|&node| {
            near.clear();
            before(node, &mut near);
            near.clone()
        });
        let next: Vec<usize> = next.collect();
        layer = next;
    }
    distance
}

/// By atom: operators that it needs to become an atom of the goal.
fn singles(encoding: &Encoding) -> Vec<u8> {
    let before = preimages(encoding);
    let goals = encoding.goal.iter().map(|&atom| usize::from(atom)).collect();
    distances(encoding.atoms(), goals, |node, near| {
        near.extend(before.iter().flat_map(|of| of[node].iter().map(|&atom| usize::from(atom))));
    })
}

/// The same for each ordered pair of atoms of different places.
fn pairs(encoding: &Encoding) -> Vec<u8> {
    let (n, before) = (encoding.atoms(), preimages(encoding));
    if n > MOST_FOR_PAIRS {
        return Vec::new();
    }
    let goal = || encoding.goal.iter().map(|&atom| usize::from(atom));
    let goals = goal().flat_map(|a| goal().filter(move |&b| b != a).map(move |b| a * n + b));
    distances(n * n, goals.collect(), |node, near| {
        let (a, b) = (node / n, node % n);
        for of in &before {
            let second = || of[b].iter().map(|&b| usize::from(b));
            near.extend(of[a].iter().flat_map(|&a| second().map(move |b| usize::from(a) * n + b)));
        }
    })
}

/// The weights of a potential. Tries the distances of all pieces, then of all but one kind (such as
/// the blank of sliding tiles). `None` if neither is a potential, or all weights are 0.
fn potential(encoding: &Encoding, single: &[u8]) -> Option<Vec<u8>> {
    let (kinds, number) = kinds(encoding);
    let far = single.iter().filter(|&&d| d < NEVER).max().map_or(0, |most| most + 1);
    (0..=number).find_map(|without| {
        let weight = |(&distance, &kind): (&u8, &usize)| match kind + 1 == without {
            true => 0,
            false => distance.min(far),
        };
        let weights: Vec<u8> = single.iter().zip(&kinds).map(weight).collect();
        let falls = |operator| fall(encoding, &weights, operator).iter().sum::<u32>();
        let falls_slowly = (0..encoding.operators.len()).all(|operator| falls(operator) <= 1);
        // Weights of 0 cut nothing, and a sum of no constraints is no line of a proof.
        let cuts = weights.iter().any(|&weight| weight > 0);
        (falls_slowly && cuts).then_some(weights)
    })
}

/// By how much each move of an operator lowers the sum of weights at most.
pub(super) fn fall(encoding: &Encoding, weights: &[u8], operator: usize) -> Vec<u32> {
    let weight = |atom: u16| u32::from(weights[usize::from(atom)]);
    let lowered = |one: &super::ValueMove| {
        let images =
            encoding.atoms_at(one.from).filter_map(|a| Some((a, encoding.image(operator, a)?)));
        images.map(|(a, image)| weight(a).saturating_sub(weight(image))).max().unwrap_or(0)
    };
    encoding.operators[operator].moves.iter().map(lowered).collect()
}

/// The kind of piece of each atom, and the number of kinds: atoms that operators turn into each
/// other are of one kind.
pub(super) fn kinds(encoding: &Encoding) -> (Vec<usize>, usize) {
    let (mut kinds, mut number) = (vec![usize::MAX; encoding.atoms()], 0);
    let before = preimages(encoding);
    for first in 0..encoding.atoms() {
        if kinds[first] < usize::MAX {
            continue;
        }
        let mut open = vec![first];
        while let Some(next) = open.pop() {
            if std::mem::replace(&mut kinds[next], number) < usize::MAX {
                continue;
            }
            for (operator, before) in before.iter().enumerate() {
                let near = before[next].iter().copied();
                let near = near.chain(encoding.image(operator, atom(next)));
                open.extend(near.map(usize::from).filter(|&near| kinds[near] == usize::MAX));
            }
        }
        number += 1;
    }
    (kinds, number)
}
