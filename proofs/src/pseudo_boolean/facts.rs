//! Short clauses from which the lines of claims are put together, each derived when it is first
//! needed: [`Facts`].

use super::chooser::Chooser;
use super::costs::Costs;
use super::formula::{Formula, Id};
use super::lines::{Lines, Sum};
use std::collections::HashMap;
use std::io;

/// What a fact says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Fact {
    Link(usize, u16),
    Frame(u16),
    End(usize, u16),
    Choice(u16),
    Needs(usize),
    NotKey(usize, u16),
    Comes(u16),
    Excludes(u16, u16),
    Units(UnitsFact),
    Adds(Vec<(usize, usize)>, usize),
    Step,
}

/// "If the rest of the plan costs `after` units after the operator, it costs `before` units."
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnitsFact {
    pub(super) part: usize,
    pub(super) before: usize,
    pub(super) after: usize,
    /// The operator and the atoms for which it costs the difference. `None` if it is 0.
    pub(super) operator: Option<(usize, Vec<u16>)>,
}

/// The facts that were derived so far, and where the lines go.
pub(super) struct Facts<'a, 'b> {
    pub(super) formula: &'a Formula<'a>,
    pub(super) costs: &'a Costs,
    pub(super) chooser: &'a Chooser,
    pub(super) lines: Lines<'b>,
    known: HashMap<Fact, Id>,
}

impl<'a, 'b> Facts<'a, 'b> {
    pub(super) fn new(
        formula: &'a Formula<'a>,
        (costs, chooser): (&'a Costs, &'a Chooser),
        lines: Lines<'b>,
    ) -> Self {
        Self { formula, costs, chooser, lines, known: HashMap::new() }
    }

    /// Derives a clause that follows by unit propagation of the hints, unless it is known.
    fn clause(&mut self, fact: Fact, literals: &[String], hints: &[Id]) -> io::Result<Id> {
        let id = self.lines.rup(literals, 1, hints)?;
        self.known.insert(fact, id);
        Ok(id)
    }

    /// What shows that an operator that is applied moves the value of `atom`, if the state has it.
    fn applied(&self, operator: usize, index: usize, atom: u16) -> Vec<Id> {
        let (formula, place) = (self.formula, self.formula.encoding.place_of(atom));
        let others = formula.encoding.atoms_at(place).filter(|&other| other != atom);
        let others = others.filter(|&other| formula.encoding.image(operator, other).is_some());
        let mut hints = vec![formula.one_value(place) + 1];
        hints.extend(others.map(|other| formula.leaves(other)));
        hints.push(formula.moves(operator, index) + 1);
        hints
    }

    /// The number of the move by which an operator moves the value of a place.
    fn mover(&self, operator: usize, atom: u16) -> Option<usize> {
        let mut movers = self.formula.movers[self.formula.encoding.place_of(atom)].iter();
        movers.find(|mover| mover.0 == operator).map(|&(_, index)| index)
    }

    /// "If the state has the atom and the operator is applied, the next state has its image", or
    /// "then the operator is not applied".
    pub(super) fn link(&mut self, operator: usize, atom: u16) -> io::Result<Id> {
        let fact = Fact::Link(operator, atom);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let (formula, mover) = (self.formula, self.mover(operator, atom));
        let image = formula.encoding.image(operator, atom);
        let mut hints = match mover {
            Some(index) => self.applied(operator, index, atom),
            None => vec![formula.one_operator() + 1, self.frame(atom)?],
        };
        let mut literals = vec![format!("~o{operator}"), not(formula.x(atom))];
        if let Some(image) = image {
            literals.push(formula.y(image));
            hints.extend(mover.map(|_| formula.arrives(image)));
        }
        self.clause(fact, &literals, &hints)
    }

    /// "If the state has the atom and no operator moves it, the next state has it, too."
    pub(super) fn frame(&mut self, atom: u16) -> io::Result<Id> {
        let fact = Fact::Frame(atom);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let formula = self.formula;
        let movers = formula.movers[formula.encoding.place_of(atom)].iter();
        let movers = movers.filter(|mover| formula.encoding.image(mover.0, atom).is_some());
        let mut literals = vec![not(formula.x(atom)), formula.y(atom)];
        literals.extend(movers.clone().map(|&(operator, _)| format!("o{operator}")));
        let moves = |&(operator, index): &(usize, usize)| formula.moves(operator, index);
        let mut hints: Vec<Id> = movers.map(moves).collect();
        hints.extend([formula.leaves(atom) + 1, formula.arrives(atom)]);
        self.clause(fact, &literals, &hints)
    }

    /// "If the state has the atom, which is none of the goal, the plan does not end there."
    pub(super) fn end(&mut self, goal: usize, atom: u16) -> io::Result<Id> {
        let fact = Fact::End(goal, atom);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let (formula, place) = (self.formula, self.formula.encoding.place_of(atom));
        let literals = [format!("~z{goal}"), not(formula.x(atom))];
        let hints = [formula.end_at_goal(goal, place), formula.one_value(place) + 1];
        self.clause(fact, &literals, &hints)
    }

    /// "If the key piece is there, the plan ends or applies an operator that needs it there."
    pub(super) fn choice(&mut self, atom: u16) -> io::Result<Id> {
        let fact = Fact::Choice(atom);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let (formula, chooser) = (self.formula, self.chooser);
        let mut literals = vec![not(formula.x(atom))];
        literals.extend((0..formula.encoding.goals.len()).map(|goal| format!("z{goal}")));
        literals.extend(chooser.needing(atom).iter().map(|operator| format!("o{operator}")));
        let mut hints = vec![formula.of_kind(formula.encoding.kind_of(atom)) + 1];
        for other in chooser.kind.iter().copied().filter(|&other| other != atom) {
            hints.push(formula.leaves(other));
            let movers = chooser.needing(other).iter();
            let moves = movers.filter_map(|&one| Some((one, self.mover(one, other)?)));
            hints.extend(moves.map(|(operator, index)| formula.moves(operator, index) + 1));
        }
        hints.push(formula.one_operator());
        self.clause(fact, &literals, &hints)
    }

    /// "If the operator is applied, the key piece is where it needs it."
    pub(super) fn needs(&mut self, operator: usize, atom: u16) -> io::Result<Id> {
        let fact = Fact::Needs(operator);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let literals = [format!("~o{operator}"), self.formula.x(atom)];
        let index = self.mover(operator, atom).unwrap_or_default();
        let hints = [self.formula.moves(operator, index) + 1, self.formula.leaves(atom)];
        self.clause(fact, &literals, &hints)
    }

    /// "If the operator is applied, the key piece is not there after it", as it is elsewhere.
    pub(super) fn not_key(&mut self, operator: usize, atom: u16) -> io::Result<Id> {
        let fact = Fact::NotKey(operator, atom);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let formula = self.formula;
        let literals = [format!("~o{operator}"), not(formula.y(atom))];
        let mut hints = Vec::new();
        if let Some(needed) = self.chooser.needed[operator] {
            let index = self.mover(operator, needed).unwrap_or_default();
            hints.extend([formula.moves(operator, index) + 1, formula.leaves(needed)]);
            hints.push(formula.of_kind(formula.encoding.kind_of(needed)) + 1);
        }
        hints.extend(self.sources(atom).into_iter().map(|source| formula.leaves(source)));
        hints.push(formula.arrives(atom) + 1);
        self.clause(fact, &literals, &hints)
    }

    /// The atoms that may become this one. An operator moves them here, or it stays.
    pub(super) fn sources(&self, atom: u16) -> Vec<u16> {
        let into = self.formula.into[usize::from(atom)].iter();
        let mut sources: Vec<u16> = into.map(|&(_, before)| before).chain([atom]).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// "If the next state has the atom, the state has one of its sources."
    pub(super) fn comes(&mut self, atom: u16) -> io::Result<Id> {
        let fact = Fact::Comes(atom);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let (formula, sources) = (self.formula, self.sources(atom));
        let mut literals = vec![not(formula.y(atom))];
        literals.extend(sources.iter().map(|&source| formula.x(source)));
        let mut hints: Vec<Id> = sources.iter().map(|&source| formula.leaves(source)).collect();
        hints.push(formula.arrives(atom) + 1);
        self.clause(fact, &literals, &hints)
    }

    /// "The state does not have both atoms", which are values of one place or of the key piece.
    pub(super) fn excludes(&mut self, one: u16, other: u16) -> io::Result<Id> {
        let fact = Fact::Excludes(one, other);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let literals = [one, other].map(|atom| not(self.formula.x(atom)));
        let encoding = self.formula.encoding;
        let (place, kind) = (encoding.place_of(one), encoding.kind_of(one));
        let hint = match place == encoding.place_of(other) {
            true => self.formula.one_value(place) + 1,
            false => self.formula.of_kind(kind) + 1,
        };
        self.clause(fact, &literals, &[hint])
    }

    /// What shows that more units are as many as fewer, one by one. `is_after`: after the operator.
    fn fewer(&self, is_after: bool, part: usize, from: usize, to: usize) -> Vec<Id> {
        (to..from).rev().map(|units| self.formula.order(is_after, part, units)).collect()
    }

    /// What shows that less than some units are less than all greater ones.
    fn greater(&self, is_after: bool, part: usize, from: usize) -> Vec<Id> {
        let all = from..self.costs.budget;
        all.map(|units| self.formula.order(is_after, part, units)).collect()
    }

    /// A fact about the units of an operator.
    pub(super) fn units(&mut self, units: UnitsFact) -> io::Result<Id> {
        let fact = Fact::Units(units.clone());
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let UnitsFact { part, before, after, operator } = units;
        let (budget, step) = (self.costs.budget, self.step(part)?);
        let (mut literals, mut hints) = (Vec::new(), Vec::new());
        if after > 0 {
            literals.push(format!("~q{part}_{after}"));
            hints.extend(self.fewer(true, part, after, 1));
        }
        if before <= budget {
            literals.push(format!("r{part}_{before}"));
            hints.extend(self.greater(false, part, before));
        }
        if let Some((operator, atoms)) = operator {
            literals.push(format!("~o{operator}"));
            for atom in atoms {
                literals.push(not(self.formula.x(atom)));
                let index = self.mover(operator, atom).unwrap_or_default();
                hints.extend(self.applied(operator, index, atom));
            }
        }
        hints.push(step);
        self.clause(fact, &literals, &hints)
    }

    /// "The units before are at least those after, and those of the operator."
    fn step(&mut self, part: usize) -> io::Result<Id> {
        if self.costs.parts.len() == 1 || part < self.costs.total() {
            return Ok(self.formula.step(part));
        }
        if let Some(&known) = self.known.get(&Fact::Step) {
            return Ok(known);
        }
        let mut sum = Sum::default();
        sum.add(self.formula.sum(false) + 1);
        sum.add(self.formula.sum(true));
        (0..self.costs.parts.len()).for_each(|part| sum.add(self.formula.step(part)));
        let id = self.lines.sum(&sum)?;
        self.known.insert(Fact::Step, id);
        Ok(id)
    }

    /// "If each of these parts has so many units, all together have `total`."
    pub(super) fn adds(&mut self, parts: Vec<(usize, usize)>, total: usize) -> io::Result<Id> {
        let fact = Fact::Adds(parts.clone(), total);
        if let Some(&known) = self.known.get(&fact) {
            return Ok(known);
        }
        let (mut literals, mut hints) = (Vec::new(), Vec::new());
        for &(part, units) in &parts {
            literals.push(format!("~r{part}_{units}"));
            hints.extend(self.fewer(false, part, units, 1));
        }
        let all = self.costs.total();
        if total <= self.costs.budget {
            literals.push(format!("r{all}_{total}"));
            hints.extend(self.greater(false, all, total));
        }
        hints.push(self.formula.sum(false) + 1);
        self.clause(fact, &literals, &hints)
    }
}

/// The negation of a variable.
pub(super) fn not(variable: String) -> String {
    format!("~{variable}")
}
