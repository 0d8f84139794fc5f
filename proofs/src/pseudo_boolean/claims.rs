//! The claims of a log: lower bounds for all states that have some atoms: [`Claims`].

use super::chooser::Chooser;
use super::costs::Costs;
use super::encoding::Encoding;
use super::search::{States, image};
use super::tables::{Tables, UNKNOWN, View};
use std::collections::HashMap;

/// "From a state with these atoms, the rest of the plan costs at least so much."
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Claim {
    /// By position of a sorted state: the atom that the state has there, or [`UNKNOWN`].
    pub(super) atoms: Box<[u16]>,
    /// Atoms of the key piece that the state does not have.
    pub(super) without: Box<[u16]>,
    /// The part whose units are counted, or [`Costs::total`].
    pub(super) part: usize,
    /// The units. One more than the budget stands for: there is no plan.
    pub(super) units: usize,
}

impl Claim {
    /// The atoms that the claim names.
    pub(super) fn known(&self) -> Vec<u16> {
        self.atoms.iter().copied().filter(|&atom| atom != UNKNOWN).collect()
    }

    /// Whether a sorted state has the atoms.
    pub(super) fn holds_for(&self, state: &[u16]) -> bool {
        let mut pairs = self.atoms.iter().zip(state);
        pairs.all(|(&own, &atom)| own == UNKNOWN || own == atom)
            && !state.iter().any(|atom| self.without.contains(atom))
    }
}

/// Why the units of one child are enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The claim of this number about the child.
    State(usize),
    /// Claims about parts of the child.
    Parts(Vec<PartReason>),
}

/// Why one part has so many units, with those of the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PartReason {
    pub(super) part: usize,
    /// A claim about the child, unless those of the operator are enough.
    pub(super) claim: Option<usize>,
    pub(super) units: usize,
}

/// All claims of a log: those about states, then those about parts of states.
pub(super) struct Claims<'a> {
    pub(super) encoding: &'a Encoding,
    pub(super) costs: &'a Costs,
    pub(super) chooser: &'a Chooser,
    tables: &'a Tables<'a>,
    pub(super) states: &'a States,
    /// The claims about parts.
    pub(super) partial: Vec<Claim>,
    numbers: HashMap<Claim, usize>,
}

impl<'a> Claims<'a> {
    /// The claims about the states of a search, and all others that these need.
    pub(super) fn new(
        (encoding, costs, chooser): (&'a Encoding, &'a Costs, &'a Chooser),
        tables: &'a Tables<'a>,
        states: &'a States,
    ) -> Self {
        let (partial, numbers) = (Vec::new(), HashMap::new());
        let mut claims = Self { encoding, costs, chooser, tables, states, partial, numbers };
        let expanded = if claims.start_reason().is_some() { 0 } else { states.states.len() };
        for number in 0..expanded {
            for &operator in chooser.choose(&states.states[number]).0 {
                claims.reason(number, operator);
            }
        }
        let mut at = 0;
        while at < claims.partial.len() {
            for operator in claims.touching(at) {
                claims.partial_reason(at, operator);
            }
            at += 1;
        }
        claims
    }

    /// The number of claims.
    pub(super) fn count(&self) -> usize {
        self.states.states.len() + self.partial.len()
    }

    /// The units that the claim about a state names.
    pub(super) fn units(&self, number: usize) -> usize {
        self.costs.budget + 1 - usize::from(self.states.units[number])
    }

    /// Why the child of a state costs enough. `None` if the operator does not apply.
    pub(super) fn reason(&mut self, number: usize, operator: usize) -> Option<Reason> {
        let (encoding, costs) = (self.encoding, self.costs);
        let state = &self.states.states[number];
        let child = image(encoding, operator, state)?;
        let own = |part: usize| costs.units(encoding, (operator, part), state);
        let parts = self.parts(&child, own, self.units(number));
        parts.map(Reason::Parts).or_else(|| self.states.number(&child).map(Reason::State))
    }

    /// Why the start costs enough, if its distances say so.
    pub(super) fn start_reason(&mut self) -> Option<Vec<PartReason>> {
        let start = &self.states.states[0];
        self.parts(start, |_| 0, self.units(0))
    }

    /// Claims about parts of a state that give it `least` units, if each part has `own` more.
    fn parts(
        &mut self,
        state: &[u16],
        own: impl Fn(usize) -> usize,
        least: usize,
    ) -> Option<Vec<PartReason>> {
        let far = self.tables.by_part(state).into_iter().enumerate();
        let mut far: Vec<(usize, usize)> = far.map(|(part, far)| (part, far + own(part))).collect();
        if far.iter().map(|(_, far)| far).sum::<usize>() < least {
            return None;
        }
        far.sort_by_key(|&(part, far)| (std::cmp::Reverse(far), part));
        let (mut rest, mut parts) = (least, Vec::new());
        for (part, far) in far {
            let units = far.min(rest);
            if units > 0 {
                let needed = units.saturating_sub(own(part));
                let claim = (needed > 0).then(|| self.about(part, state, needed));
                parts.push(PartReason { part, claim, units });
                rest -= units;
            }
        }
        Some(parts)
    }

    /// The operators that change an atom of a claim about a part of a state, and others that such
    /// an operator shares its place with.
    pub(super) fn touching(&self, partial: usize) -> Vec<usize> {
        let (encoding, claim) = (self.encoding, &self.partial[partial]);
        let known = claim.known();
        let moves = |&operator: &usize| {
            known.iter().any(|&atom| {
                let place = encoding.place_of(atom);
                let mut moves = encoding.operators[operator].moves.iter();
                moves.any(|one| one.from == place) && encoding.image(operator, atom).is_some()
            })
        };
        (0..encoding.operators.len()).filter(moves).collect()
    }

    /// The claim that gives a child of a part of a state enough units, if one is needed. `None` if
    /// the operator does not apply to states with this part.
    pub(super) fn partial_reason(
        &mut self,
        partial: usize,
        operator: usize,
    ) -> Option<Option<usize>> {
        let (encoding, claim) = (self.encoding, self.partial[partial].clone());
        let needed = self.chooser.needed[operator];
        if needed.is_some_and(|needed| claim.without.contains(&needed)) {
            return None;
        }
        let images = encoding.step(operator, &claim.known())?;
        let own = self.costs.units(encoding, (operator, claim.part), &claim.known());
        if claim.units <= own {
            return Some(None);
        }
        let mut child = vec![UNKNOWN; claim.atoms.len()];
        let places = (0..child.len()).filter(|&at| claim.atoms[at] != UNKNOWN);
        places.zip(images).for_each(|(at, image)| child[at] = image);
        if let (Some(key), Some(needed)) = (self.tables.key, needed) {
            child[key] = encoding.image(operator, needed).unwrap_or(UNKNOWN);
        }
        Some(Some(self.about(claim.part, &child, claim.units - own)))
    }

    /// The number of a claim that gives a state, or a part of one, at least so many units in a
    /// part. A distance that is large enough must exist.
    fn about(&mut self, part: usize, state: &[u16], units: usize) -> usize {
        let reason = self.tables.reason(part, state, units);
        let Some((view, units)) = reason else {
            unreachable!("distances of parts fall by at most the cost of an operator")
        };
        let claim = self.of_view(view, state, units);
        let next = self.count();
        let number = *self.numbers.entry(claim.clone()).or_insert(next);
        if number == next {
            self.partial.push(claim);
        }
        number
    }

    /// The claim that the atoms of a view have these units.
    fn of_view(&self, view: &View, state: &[u16], units: usize) -> Claim {
        let mut atoms: Box<[u16]> = vec![UNKNOWN; state.len()].into();
        let key = self.tables.key;
        let positions = view.positions.iter().filter(|&&at| Some(at) != key);
        positions.for_each(|&at| atoms[at] = state[at]);
        let claim = Claim { atoms, without: Box::default(), part: view.part, units };
        let Some(key) = key else { return claim };
        let (known, mut region) = (claim.known(), vec![state[key]]);
        let mut at = 0;
        while at < region.len() {
            for &operator in self.chooser.needing(region[at]) {
                let stay = |&atom: &u16| self.encoding.image(operator, atom) == Some(atom);
                let next = self.encoding.image(operator, region[at]);
                let next = next.filter(|next| known.iter().all(stay) && !region.contains(next));
                region.extend(next);
            }
            at += 1;
        }
        let places: Vec<usize> = known.iter().map(|&atom| self.encoding.place_of(atom)).collect();
        let outside = self.chooser.kind.iter().copied().filter(|atom| {
            !region.contains(atom) && !places.contains(&self.encoding.place_of(*atom))
        });
        Claim { without: outside.collect(), ..claim }
    }
}
