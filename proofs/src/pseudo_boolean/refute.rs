//! Refutes the nodes of a search one by one, the last time first: [`Refutation`].

use super::LogError;
use super::bounds::{Bounds, fall};
use super::encoding::{Encoding, Step};
use super::facts::{Context, Facts, not};
use super::formula::{Formula, Id};
use super::lines::{Lines, Sum};
use super::search::{Chooser, NodeLayers, SearchNode, child};
use search::CancelToken;
use std::collections::HashMap;
use std::io;

/// A clause: at the time of the node, the state does not have all of these atoms.
struct Clause {
    id: Id,
    /// Some atoms of the node, in ascending order.
    atoms: Box<[u16]>,
}

/// A proof on the way: what each line needs.
pub(super) struct Refutation<'a, 'b> {
    pub(super) formula: &'a Formula<'a>,
    pub(super) bounds: &'a Bounds,
    pub(super) chooser: &'a Chooser,
    pub(super) lines: Lines<'b>,
    /// By time: "the potential is at most the operators that are left". Empty without a potential.
    potentials: Vec<Id>,
    /// By time: "the state has at most one of the atoms that decide which operators apply".
    alone: Vec<Id>,
    /// The clauses of the nodes of the next time.
    next: HashMap<SearchNode, Clause>,
}

impl<'a, 'b> Refutation<'a, 'b> {
    pub(super) fn new(
        formula: &'a Formula<'a>,
        (bounds, chooser): (&'a Bounds, &'a Chooser),
        lines: Lines<'b>,
    ) -> Self {
        let (potentials, alone, next) = (Vec::new(), Vec::new(), HashMap::new());
        Self { formula, bounds, chooser, lines, potentials, alone, next }
    }

    /// Writes the whole proof.
    ///
    /// # Errors
    /// If a line cannot be written, or the caller cancels.
    pub(super) fn write(
        mut self,
        layers: &NodeLayers,
        cancel: &CancelToken,
    ) -> Result<u64, LogError> {
        self.bound_potentials()?;
        self.keep_alone()?;
        let (mut from, mut last) = (self.lines.next, self.lines.next);
        for (time, nodes) in layers.nodes.iter().enumerate().rev() {
            let (mut clauses, mut facts) = (HashMap::new(), Facts::default());
            for (number, node) in nodes.iter().enumerate() {
                if number.is_multiple_of(1024) && cancel.is_cancelled() {
                    return Err(LogError::Cancelled);
                }
                clauses.insert(node.clone(), self.refute(node, time, &mut facts)?);
            }
            self.lines.drop(from, last)?;
            (from, last) = (last, self.lines.next);
            self.next = clauses;
        }
        let root = self.next.values().next().map(|clause| clause.id);
        let starts = (0..self.encoding().places()).map(|place| self.formula.start(place));
        let hints: Vec<Id> = starts.chain(root).collect();
        let end = self.lines.rup(&[], 1, &hints)?;
        self.lines.end(end)?;
        Ok(self.lines.bytes)
    }

    fn encoding(&self) -> &'a Encoding {
        self.formula.encoding
    }

    /// Derives the clause of a node.
    fn refute(&mut self, node: &SearchNode, time: usize, facts: &mut Facts) -> io::Result<Clause> {
        let left = self.formula.bound - time;
        if left == 0 {
            let place = self.encoding().place[usize::from(node[0])];
            let hints = [self.formula.goal(place), self.formula.one_value(time, place) + 1];
            let id = self.lines.rup(&[not(self.formula.x(time, node[0]))], 1, &hints)?;
            return Ok(Clause { id, atoms: [node[0]].into() });
        }
        if let Bounds::Potential(weights) = self.bounds
            && self.bounds.cuts(self.encoding(), node, left)
        {
            let atoms = heaviest(weights, node, left);
            let literals: Vec<String> =
                atoms.iter().map(|&atom| not(self.formula.x(time, atom))).collect();
            let id = self.lines.rup(&literals, 1, &[self.potentials[time]])?;
            return Ok(Clause { id, atoms });
        }
        self.expand(node, time, facts)
    }

    /// Derives the clause of a node from those of its children.
    fn expand(&mut self, node: &SearchNode, time: usize, facts: &mut Facts) -> io::Result<Clause> {
        let (encoding, left) = (self.encoding(), self.formula.bound - time - 1);
        let (operators, key) = self.chooser.choose(node);
        let context = &mut Context { formula: self.formula, time, lines: &mut self.lines };
        let (mut sum, mut used) = (Sum::default(), vec![false; node.len()]);
        let place_of = |atom: u16| node.binary_search(&atom).unwrap_or_default();
        for &operator in operators {
            let images = match encoding.step(operator, node) {
                Step::Refused(atom) => {
                    used[place_of(atom)] = true;
                    sum.add(facts.link(context, operator, atom)?);
                    continue;
                }
                Step::Atoms(images) => images,
            };
            let child = child(encoding, self.bounds, images.clone(), left);
            let clause = &self.next[&child];
            let mut of_child = Sum::default();
            of_child.add(clause.id);
            for (number, image) in images.iter().enumerate() {
                if clause.atoms.binary_search(image).is_ok() {
                    used[number] = true;
                    of_child.add(facts.link(context, operator, node[number])?);
                }
            }
            if clause.atoms.len() > 1 {
                of_child.saturate();
            }
            sum.add_sum(&of_child);
        }
        let choice = match key {
            None => self.formula.one_operator(time),
            Some(atom) => {
                used[place_of(atom)] = true;
                facts.choice(context, (self.chooser, self.alone[time]), atom)?
            }
        };
        sum.add(choice);
        let away = |&number: &usize| !encoding.is_goal(node[number]);
        let known = (0..node.len()).filter(away).find(|&number| used[number]);
        // The search refuses goals.
        let away = known.or_else(|| (0..node.len()).find(away)).unwrap_or_default();
        used[away] = true;
        sum.add(facts.stop(context, node[away])?);
        sum.saturate();
        let id = self.lines.sum(&sum)?;
        let atoms = node.iter().zip(&used).filter(|(_, used)| **used).map(|(&atom, _)| atom);
        Ok(Clause { id, atoms: atoms.collect() })
    }

    /// Derives for each time, the last one first, that the potential of the state is at most the
    /// number of operators that are left.
    fn bound_potentials(&mut self) -> io::Result<()> {
        let Bounds::Potential(weights) = self.bounds else { return Ok(()) };
        let bound = self.formula.bound;
        let mut last = self.lines.sum(&self.potential_of_goal(weights))?;
        self.potentials = vec![last];
        for time in (0..bound).rev() {
            last = self.lines.sum(&self.potential_before(weights, time, last))?;
            self.potentials.push(last);
        }
        self.potentials.reverse();
        Ok(())
    }

    /// "The potential is 0 at the end."
    fn potential_of_goal(&self, weights: &[u8]) -> Sum {
        let (encoding, time) = (self.encoding(), self.formula.bound);
        let weight = |atom: u16| u32::from(weights[usize::from(atom)]);
        let mut sum = Sum::default();
        for place in 0..encoding.places() {
            let most = encoding.atoms_at(place).map(weight).max().unwrap_or(0);
            sum.term(self.formula.one_value(time, place) + 1, most);
            sum.term(self.formula.goal(place), most);
            let others = encoding.atoms_at(place).filter(|&atom| !encoding.is_goal(atom));
            others.for_each(|atom| sum.term(self.formula.x(time, atom), most - weight(atom)));
        }
        sum
    }

    /// "The potential is at most as many as operators are left", if `next` says so for the next
    /// time: no operator lowers it by more than 1.
    fn potential_before(&self, weights: &[u8], time: usize, next: Id) -> Sum {
        let (formula, encoding) = (self.formula, self.encoding());
        let weight = |atom: u16| u32::from(weights[usize::from(atom)]);
        let mut sum = Sum::default();
        sum.add(next);
        for atom in (0..encoding.places()).flat_map(|place| encoding.atoms_at(place)) {
            sum.term(formula.leaves(time, atom) + 1, weight(atom));
            sum.term(formula.arrives(time, atom), weight(atom));
        }
        for (operator, one) in encoding.operators.iter().enumerate() {
            let falls = fall(encoding, weights, operator);
            for (index, (one, fall)) in one.moves.iter().zip(&falls).enumerate() {
                sum.term(formula.moves(time, operator, index), *fall);
                for atom in encoding.atoms_at(one.from) {
                    if let Some(image) = encoding.image(operator, atom) {
                        let slack = fall + weight(image) - weight(atom);
                        sum.term(formula.moved(time, operator, atom), slack);
                    }
                }
            }
            sum.term(formula.operator(time, operator), 1 - falls.iter().sum::<u32>());
        }
        sum.add(formula.one_operator(time) + 1);
        sum.term(formula.stop(time), 1);
        sum
    }

    /// Derives for each time that a state has at most one of the atoms that decide which operators
    /// apply. Operators permute places, so it holds at a time if it holds before.
    fn keep_alone(&mut self) -> io::Result<()> {
        let (formula, kind) = (self.formula, &self.chooser.kind);
        if kind.is_empty() {
            return Ok(());
        }
        let literals: Vec<String> = kind.iter().map(|&atom| not(formula.x(0, atom))).collect();
        let places = 0..self.encoding().places();
        let hints: Vec<Id> = places.clone().map(|place| formula.start(place)).collect();
        let ones = places.map(|place| formula.one_value(0, place) + 1);
        let hints: Vec<Id> = hints.into_iter().chain(ones).collect();
        let mut last = self.lines.rup(&literals, kind.len() - 1, &hints)?;
        self.alone.push(last);
        for time in 1..formula.bound {
            let mut sum = Sum::default();
            sum.add(last);
            for &atom in kind {
                sum.add(formula.leaves(time - 1, atom));
                sum.add(formula.arrives(time - 1, atom) + 1);
            }
            last = self.lines.sum(&sum)?;
            self.alone.push(last);
        }
        Ok(())
    }
}

/// The atoms of greatest weight whose sum is above `left`.
fn heaviest(weights: &[u8], node: &[u16], left: usize) -> Box<[u16]> {
    let mut atoms = node.to_vec();
    atoms.sort_by_key(|&atom| (std::cmp::Reverse(weights[usize::from(atom)]), atom));
    let mut sum = 0;
    atoms.retain(|&atom| {
        let needed = sum <= left;
        sum += usize::from(weights[usize::from(atom)]);
        needed
    });
    atoms.sort_unstable();
    atoms.into()
}
