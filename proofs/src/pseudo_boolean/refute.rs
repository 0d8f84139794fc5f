//! Shows claim by claim that it does not fail: [`Refutation`].

use super::claims::{Claim, Claims, PartReason, Reason};
use super::encoding::Encoding;
use super::error::LogError;
use super::facts::{Facts, UnitsFact};
use super::formula::{Formula, Id};
use super::lines::{Lines, Sum};
use search::CancelToken;
use std::collections::HashMap;
use std::io;

/// Atoms of a state whose links are added up in one line, at most. There are not many placements of
/// four pieces, so many states share such lines.
const BLOCK: usize = 4;

/// A proof on the way.
pub(super) struct Refutation<'a, 'b, 'c> {
    claims: &'c mut Claims<'a>,
    facts: Facts<'c, 'b>,
    /// By some atoms of a state and the operator that is applied to it: the sum of the links.
    blocks: HashMap<(Box<[u16]>, usize), Id>,
    /// By claim about a part, operator and units: what the claim says before the operator.
    before: HashMap<(usize, usize, Option<UnitsFact>), Id>,
    /// By claim about a part and atom of the key piece: what the claim says of states with both.
    at_key: HashMap<(usize, u16), Id>,
    /// By key piece, atoms that are not those of the goals, and a number: see [`Self::choice`].
    choices: HashMap<(Option<u16>, Vec<u16>, usize), Id>,
    /// For each claim about a part: the constraint that it holds before the operator.
    partial: Vec<Id>,
}

impl<'a, 'b, 'c> Refutation<'a, 'b, 'c>
where
    'a: 'c,
{
    pub(super) fn new(
        formula: &'c Formula<'c>,
        claims: &'c mut Claims<'a>,
        lines: Lines<'b>,
    ) -> Self {
        let facts = Facts::new(formula, (claims.costs, claims.chooser), lines);
        Self {
            claims,
            facts,
            blocks: HashMap::new(),
            before: HashMap::new(),
            at_key: HashMap::new(),
            choices: HashMap::new(),
            partial: Vec::new(),
        }
    }

    /// Writes the whole proof. Returns the bytes of the claims about parts, and of all lines.
    ///
    /// # Errors
    /// If a line cannot be written, or the caller cancels.
    pub(super) fn write(mut self, cancel: &CancelToken) -> Result<(u64, u64), LogError> {
        let states = self.claims.states.states.len();
        let mut hints = vec![self.facts.formula.one_fails()];
        for partial in 0..self.claims.partial.len() {
            if partial.is_multiple_of(1024) && cancel.is_cancelled() {
                return Err(LogError::Cancelled);
            }
            let holds = self.partial(partial)?;
            self.partial.push(holds);
            let mut sum = Sum::default();
            sum.add(holds);
            sum.add(self.facts.formula.fails(states + partial));
            sum.saturate();
            hints.push(self.facts.lines.sum(&sum)?);
        }
        let lemmas = self.facts.lines.bytes;
        for state in 0..states {
            if state.is_multiple_of(1024) && cancel.is_cancelled() {
                return Err(LogError::Cancelled);
            }
            hints.push(self.state(state)?);
        }
        hints.rotate_left(1);
        let end = self.facts.lines.rup(&[], 1, &hints)?;
        self.facts.lines.end(end)?;
        Ok((lemmas, self.facts.lines.bytes))
    }

    fn encoding(&self) -> &'a Encoding {
        self.claims.encoding
    }

    /// Derives that the claim about a state does not fail.
    fn state(&mut self, number: usize) -> io::Result<Id> {
        let state = &self.claims.states.states[number];
        let mut sum = Sum::default();
        let start_reason = if number == 0 { self.claims.start_reason() } else { None };
        match start_reason {
            // No operator is looked at.
            Some(reasons) => {
                self.add_parts(&mut sum, (state, 0), reasons, self.claims.units(0))?;
            }
            None => self.expand(&mut sum, number)?,
        }
        sum.add(self.facts.formula.fails(number));
        self.facts.lines.sum(&sum)
    }

    /// Adds what the children of a state say about it, as a clause.
    fn expand(&mut self, sum: &mut Sum, number: usize) -> io::Result<()> {
        let (encoding, chooser) = (self.encoding(), self.claims.chooser);
        let state = &self.claims.states.states[number];
        let (operators, key) = chooser.choose(state);
        let mut ends = 0;
        for &operator in operators {
            match self.claims.reason(number, operator) {
                None => {
                    let refused = state.iter().find(|&&a| encoding.image(operator, a).is_none());
                    sum.add(self.facts.link(operator, refused.copied().unwrap_or_default())?);
                }
                Some(Reason::State(child)) => {
                    let units = (self.claims.units(child), self.claims.units(number));
                    self.add_child(sum, (state, operator), child, units)?;
                    ends += 1;
                }
                Some(Reason::Parts(reasons)) => {
                    let least = self.claims.units(number);
                    ends += self.add_parts(sum, (state, operator), reasons, least)?;
                }
            }
        }
        let choice = self.choice(key, state, ends)?;
        sum.add(choice);
        sum.saturate();
        Ok(())
    }

    /// "One of the operators is applied" to a state that is no goal. Cancels that the plan ends in
    /// so many clauses.
    fn choice(&mut self, key: Option<u16>, state: &[u16], ends: usize) -> io::Result<Id> {
        let away = |goal: &Vec<u16>| {
            let is_away = |atom: &&u16| goal[self.encoding().place_of(**atom)] != **atom;
            state.iter().find(is_away).copied().unwrap_or_default()
        };
        let away: Vec<u16> = self.encoding().goals.iter().map(away).collect();
        let key = (key, away, ends);
        if let Some(&known) = self.choices.get(&key) {
            return Ok(known);
        }
        let mut sum = Sum::default();
        sum.add(match key.0 {
            None => self.facts.formula.one_operator(),
            Some(atom) => self.facts.choice(atom)?,
        });
        for (goal, &atom) in key.1.iter().enumerate() {
            sum.term(self.facts.end(goal, atom)?, narrow(ends + 1));
        }
        let id = self.facts.lines.sum(&sum)?;
        self.choices.insert(key, id);
        Ok(id)
    }

    /// Adds the claim about a child that is a state, as a clause about the state before.
    fn add_child(
        &mut self,
        sum: &mut Sum,
        (state, operator): (&[u16], usize),
        child: usize,
        (after, before): (usize, usize),
    ) -> io::Result<()> {
        let mut clause = Sum::default();
        clause.add(self.facts.formula.holds(child));
        for block in state.chunks(BLOCK) {
            clause.add(self.block(block, operator)?);
        }
        let part = self.claims.costs.total();
        if let Some(units) = self.units_fact((part, after, before), operator, state) {
            clause.add(self.facts.units(units)?);
        }
        clause.saturate();
        sum.add_sum(&clause);
        Ok(())
    }

    /// The sum of the links of some atoms.
    fn block(&mut self, atoms: &[u16], operator: usize) -> io::Result<Id> {
        let key = (atoms.into(), operator);
        if let Some(&known) = self.blocks.get(&key) {
            return Ok(known);
        }
        let mut sum = Sum::default();
        for &atom in atoms {
            sum.add(self.facts.link(operator, atom)?);
        }
        let id = self.facts.lines.sum(&sum)?;
        self.blocks.insert(key, id);
        Ok(id)
    }

    /// The fact that so many units after an operator are so many before it. `None` if no claim
    /// names the units after it.
    fn units_fact(
        &self,
        (part, after, before): (usize, usize, usize),
        operator: usize,
        atoms: &[u16],
    ) -> Option<UnitsFact> {
        let costs = self.claims.costs;
        if after > costs.budget || (after == before && after == 0) {
            return None;
        }
        let charged = costs.charged(self.claims.encoding, (operator, part), atoms);
        let operator = (before > after).then_some((operator, charged));
        Some(UnitsFact { part, before, after, operator })
    }

    /// Adds what the claims about parts of a child say, as a clause about the state before. Returns
    /// 1 if the clause allows that the plan ends, else 0.
    fn add_parts(
        &mut self,
        sum: &mut Sum,
        (state, operator): (&[u16], usize),
        reasons: Vec<PartReason>,
        least: usize,
    ) -> io::Result<usize> {
        let (mut clause, mut named, mut ends) = (Sum::default(), Vec::new(), 0);
        let (budget, count) = (self.claims.costs.budget, self.claims.states.states.len());
        for PartReason { part, claim, units } in reasons {
            let own = claim.map(|claim| self.claims.partial[claim - count].clone());
            let after = own.as_ref().map_or(0, |own| own.units);
            let holds_before = own.as_ref().is_some_and(|own| own.holds_for(state));
            match claim {
                Some(claim) if holds_before && after >= units => {
                    clause.add(self.at_key(claim - count, state)?);
                    named.extend((after <= budget).then_some((part, after)));
                }
                Some(claim) => {
                    clause.add(self.before((claim, units), operator, state)?);
                    ends = 1;
                    named.extend((units <= budget && after <= budget).then_some((part, units)));
                }
                None => {
                    let fact = self.units_fact((part, 0, units), operator, state);
                    clause.add(self.facts.units(fact.unwrap_or_else(|| unreachable!("units")))?);
                    named.extend((units <= budget).then_some((part, units)));
                }
            }
        }
        if self.claims.costs.parts.len() > 1 && !named.is_empty() {
            clause.add(self.facts.adds(named, least)?);
        }
        clause.saturate();
        sum.add_sum(&clause);
        Ok(ends)
    }

    /// What a claim about a part says of states whose key piece is where this state has it.
    fn at_key(&mut self, partial: usize, state: &[u16]) -> io::Result<Id> {
        let without = self.claims.partial[partial].without.clone();
        let key = state.iter().copied().find(|atom| self.claims.chooser.kind.contains(atom));
        let Some(key) = key.filter(|_| !without.is_empty()) else {
            return Ok(self.partial[partial]);
        };
        if let Some(&known) = self.at_key.get(&(partial, key)) {
            return Ok(known);
        }
        let mut sum = Sum::default();
        sum.add(self.partial[partial]);
        for &atom in &without {
            sum.add(self.facts.excludes(key, atom)?);
        }
        let id = self.facts.lines.sum(&sum)?;
        self.at_key.insert((partial, key), id);
        Ok(id)
    }

    /// What the claim about a part says before an operator: "if the state has the atoms that become
    /// those of the claim, and the operator is applied, the rest costs so many units".
    fn before(
        &mut self,
        (claim, units): (usize, usize),
        operator: usize,
        state: &[u16],
    ) -> io::Result<Id> {
        let states = self.claims.states.states.len();
        let (encoding, own) = (self.encoding(), self.claims.partial[claim - states].clone());
        let atoms: Vec<u16> =
            own.known().iter().filter_map(|&atom| encoding.preimage(operator, atom)).collect();
        let fact = self.units_fact((own.part, own.units, units), operator, state);
        let key = (claim, operator, fact);
        if let Some(&known) = self.before.get(&key) {
            return Ok(known);
        }
        let mut sum = Sum::default();
        sum.add(self.facts.formula.holds(claim));
        for atom in atoms {
            sum.add(self.facts.link(operator, atom)?);
        }
        for &atom in &own.without {
            sum.add(self.facts.not_key(operator, atom)?);
        }
        if let Some(fact) = key.2.clone() {
            sum.add(self.facts.units(fact)?);
        }
        sum.saturate();
        let id = self.facts.lines.sum(&sum)?;
        self.before.insert(key, id);
        Ok(id)
    }

    /// Derives that a claim about a part of a state holds before the operator.
    fn partial(&mut self, partial: usize) -> io::Result<Id> {
        let claim = self.claims.partial[partial].clone();
        let (encoding, known) = (self.encoding(), claim.known());
        let mut sum = self.untouched(partial, &claim)?;
        for operator in self.claims.touching(partial) {
            match self.claims.partial_reason(partial, operator) {
                Some(Some(child)) => {
                    sum.add(self.before((child, claim.units), operator, &known)?);
                }
                Some(None) => {
                    let fact = self.units_fact((claim.part, 0, claim.units), operator, &known);
                    sum.add(self.facts.units(fact.unwrap_or_else(|| unreachable!("units")))?);
                }
                None => {
                    let refused = known.iter().find(|&&a| encoding.image(operator, a).is_none());
                    sum.add(match (refused, self.claims.chooser.needed[operator]) {
                        (Some(&refused), _) => self.facts.link(operator, refused)?,
                        (None, Some(needed)) => self.facts.needs(operator, needed)?,
                        (None, None) => unreachable!("an operator that applies has a child"),
                    });
                }
            }
        }
        self.finish(&mut sum, &known, &claim.without)?;
        self.facts.lines.sum(&sum)
    }

    /// The clause of a claim about a part, or one of the operators that change an atom of it is
    /// applied: the claim is true for the state after all other operators.
    fn untouched(&mut self, partial: usize, claim: &Claim) -> io::Result<Sum> {
        let (encoding, states) = (self.encoding(), self.claims.states.states.len());
        let mut sum = Sum::default();
        sum.add(self.facts.formula.holds(states + partial));
        for &atom in &claim.known() {
            sum.add(self.facts.frame(atom)?);
        }
        for &atom in &claim.without {
            sum.add(self.facts.comes(atom)?);
            for source in self.facts.sources(atom) {
                let place = encoding.place_of(source);
                let other = claim.known().into_iter().find(|&own| encoding.place_of(own) == place);
                if let Some(other) = other {
                    sum.add(self.facts.excludes(source, other)?);
                }
            }
        }
        if claim.units <= self.claims.costs.budget {
            let (part, units) = (claim.part, claim.units);
            let fact = UnitsFact { part, before: units, after: units, operator: None };
            sum.add(self.facts.units(fact)?);
        }
        sum.saturate();
        Ok(sum)
    }

    /// Adds that the plan does not end at a state with some atoms, and makes the sum a clause.
    fn finish(&mut self, sum: &mut Sum, known: &[u16], without: &[u16]) -> io::Result<()> {
        sum.saturate();
        for (number, goal) in self.encoding().goals.iter().enumerate() {
            let away = known.iter().find(|&&atom| goal[self.encoding().place_of(atom)] != atom);
            let there = goal.iter().find(|atom| without.contains(atom));
            sum.add(match (away, there) {
                (Some(&atom), _) => self.facts.end(number, atom)?,
                (None, Some(&atom)) => {
                    self.facts.formula.end_at_goal(number, self.encoding().place_of(atom))
                }
                (None, None) => unreachable!("claims about a goal have no units"),
            });
        }
        sum.saturate();
        Ok(())
    }
}

/// A factor of a constraint. It is small.
fn narrow(factor: usize) -> u32 {
    u32::try_from(factor).unwrap_or(u32::MAX)
}
