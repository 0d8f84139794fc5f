//! Clauses about single atoms, each derived when it is first needed: [`Facts`].

use super::formula::{Formula, Id};
use super::lines::Lines;
use super::search::Chooser;
use std::collections::HashMap;
use std::io;

/// The clauses of one time that were derived so far.
#[derive(Debug, Default)]
pub(super) struct Facts {
    links: HashMap<(usize, u16), Id>,
    frames: HashMap<u16, Id>,
    stops: HashMap<u16, Id>,
    choices: HashMap<u16, Id>,
}

/// What facts are derived with: the formula, the time, and where the lines go.
pub(super) struct Context<'a, 'b> {
    pub(super) formula: &'a Formula<'a>,
    pub(super) time: usize,
    pub(super) lines: &'a mut Lines<'b>,
}

impl Context<'_, '_> {
    /// What shows that an operator that is applied moves the value of `atom`, if the state has it.
    fn applied(&self, operator: usize, index: usize, atom: u16) -> Vec<Id> {
        let (formula, time) = (self.formula, self.time);
        let place = formula.encoding.place[usize::from(atom)];
        let others = formula.encoding.atoms_at(place).filter(|&other| other != atom);
        let others = others.filter(|&other| formula.encoding.image(operator, other).is_some());
        let mut hints = vec![formula.one_value(time, place) + 1];
        hints.extend(others.map(|other| formula.leaves(time, other)));
        hints.push(formula.moves(time, operator, index) + 1);
        hints
    }
}

impl Facts {
    /// "If the state has the atom and the operator is applied, the next state has its image", or
    /// "then the operator is not applied".
    pub(super) fn link(
        &mut self,
        context: &mut Context<'_, '_>,
        operator: usize,
        atom: u16,
    ) -> io::Result<Id> {
        if let Some(&known) = self.links.get(&(operator, atom)) {
            return Ok(known);
        }
        let (formula, time) = (context.formula, context.time);
        let place = formula.encoding.place[usize::from(atom)];
        let mover = formula.movers[place].iter().find(|mover| mover.0 == operator);
        let image = formula.encoding.image(operator, atom);
        let mut hints = match mover {
            Some(&(_, index)) => context.applied(operator, index, atom),
            None => vec![formula.one_operator(time) + 1, self.frame(context, atom)?],
        };
        let mut literals =
            vec![format!("~{}", formula.operator(time, operator)), not(formula.x(time, atom))];
        if let Some(image) = image {
            literals.push(formula.x(time + 1, image));
            hints.extend(mover.map(|_| formula.arrives(time, image)));
        }
        let id = context.lines.rup(&literals, 1, &hints)?;
        self.links.insert((operator, atom), id);
        Ok(id)
    }

    /// "If the state has the atom and no operator moves its place, the next state has it, too."
    fn frame(&mut self, context: &mut Context<'_, '_>, atom: u16) -> io::Result<Id> {
        if let Some(&known) = self.frames.get(&atom) {
            return Ok(known);
        }
        let (formula, time) = (context.formula, context.time);
        let movers = &formula.movers[formula.encoding.place[usize::from(atom)]];
        let mut literals = vec![not(formula.x(time, atom)), formula.x(time + 1, atom)];
        literals.extend(movers.iter().map(|&(operator, _)| formula.operator(time, operator)));
        let moves = |&(operator, index): &(usize, usize)| formula.moves(time, operator, index);
        let mut hints: Vec<Id> = movers.iter().map(moves).collect();
        hints.extend([formula.leaves(time, atom) + 1, formula.arrives(time, atom)]);
        let id = context.lines.rup(&literals, 1, &hints)?;
        self.frames.insert(atom, id);
        Ok(id)
    }

    /// "If the state has the atom, which is none of the goal, the plan does not stop."
    pub(super) fn stop(&mut self, context: &mut Context<'_, '_>, atom: u16) -> io::Result<Id> {
        if let Some(&known) = self.stops.get(&atom) {
            return Ok(known);
        }
        let (formula, time) = (context.formula, context.time);
        let place = formula.encoding.place[usize::from(atom)];
        let literals = [not(formula.stop(time)), not(formula.x(time, atom))];
        let hints = [formula.stop_at_goal(time, place), formula.one_value(time, place) + 1];
        let id = context.lines.rup(&literals, 1, &hints)?;
        self.stops.insert(atom, id);
        Ok(id)
    }

    /// The fact: if the state has the atom, the plan stops or applies an operator that needs the
    /// atom. `alone` says that the state has only one atom of this kind.
    pub(super) fn choice(
        &mut self,
        context: &mut Context<'_, '_>,
        (chooser, alone): (&Chooser, Id),
        atom: u16,
    ) -> io::Result<Id> {
        if let Some(&known) = self.choices.get(&atom) {
            return Ok(known);
        }
        let (formula, time) = (context.formula, context.time);
        let mut literals = vec![not(formula.x(time, atom)), formula.stop(time)];
        let needing = chooser.needing(atom).iter();
        literals.extend(needing.map(|&operator| formula.operator(time, operator)));
        let mut hints = vec![alone];
        for other in chooser.kind.iter().copied().filter(|&other| other != atom) {
            let operators = chooser.needing(other);
            if operators.is_empty() {
                continue;
            }
            hints.push(formula.leaves(time, other));
            let place = formula.encoding.place[usize::from(other)];
            let movers = formula.movers[place].iter();
            let movers = movers.filter(|(operator, _)| operators.contains(operator));
            hints.extend(movers.map(|&(operator, index)| formula.moves(time, operator, index) + 1));
        }
        hints.push(formula.one_operator(time));
        let id = context.lines.rup(&literals, 1, &hints)?;
        self.choices.insert(atom, id);
        Ok(id)
    }
}

/// The negation of a variable.
pub(super) fn not(variable: String) -> String {
    format!("~{variable}")
}
