//! The formula "all claims hold after an operator, and one does not hold before": [`Formula`].

use super::claims::Claims;
use super::encoding::{Encoding, atom};
use std::io::{self, Write};

/// The number of a constraint.
pub(super) type Id = u64;

/// The formula of a log: its variables, and the number of each of its constraints.
///
/// It speaks of one state, the operator that a plan applies to it, and the state after that. It
/// also speaks of the units that the rest of the plan costs, from both states on. The variables:
///
/// | variable | is 1 if |
/// |---|---|
/// | `xP_V`, `yP_V` | place `P` has value `V` in the state, or after the operator |
/// | `oO` | operator `O` is applied |
/// | `zG` | the state is goal `G`, and the plan ends |
/// | `mO_P_V` | operator `O` is applied, and it moves the value `V` of place `P` |
/// | `sP_V` | place `P` has value `V`, and no operator moves it |
/// | `rI_K`, `qI_K` | the plan from there costs at least `K` units in part `I`, before and after |
/// | `vJ` | claim `J` does not hold for the state |
///
/// If there are several parts, the part after the last is their sum. An equation counts as two
/// constraints: first "at least", then "at most".
pub(super) struct Formula<'a> {
    pub(super) encoding: &'a Encoding,
    budget: usize,
    /// The parts, and their sum if there are several.
    numbers: usize,
    /// `P_V` of each atom.
    labels: Vec<String>,
    /// For each operator: the number of all moves of the operators before it.
    first_move: Vec<usize>,
    /// For each atom: the moves, as operator and atom before, that make it.
    pub(super) into: Vec<Vec<(usize, u16)>>,
    /// For each place: the operators that move its value, with the number of the move among theirs.
    pub(super) movers: Vec<Vec<(usize, usize)>>,
    /// The first constraint of each section.
    sections: [usize; 10],
    claims: usize,
}

impl<'a> Formula<'a> {
    pub(super) fn new(claims: &Claims<'a>) -> Self {
        let encoding = claims.encoding;
        let value = |number: usize| number - encoding.first[encoding.place[number]];
        let label = |number: usize| format!("{}_{}", encoding.place[number], value(number));
        let labels = (0..encoding.atoms()).map(label).collect();
        let (mut first_move, mut moves) = (Vec::new(), 0);
        let mut into = vec![Vec::new(); encoding.atoms()];
        let mut movers = vec![Vec::new(); encoding.places()];
        for (number, operator) in encoding.operators.iter().enumerate() {
            first_move.push(moves);
            moves += operator.moves.len();
            for (index, one) in operator.moves.iter().enumerate() {
                movers[one.from].push((number, index));
                for before in encoding.atoms_at(one.from) {
                    if let Some(after) = encoding.image(number, before) {
                        into[usize::from(after)].push((number, before));
                    }
                }
            }
        }
        let (parts, budget) = (claims.costs.parts.len(), claims.costs.budget);
        let numbers = if parts > 1 { parts + 1 } else { 1 };
        let (places, atoms) = (encoding.places(), encoding.atoms());
        let sizes = [
            2 * places,
            2 * encoding.kinds.len(),
            2,
            places * encoding.goals.len(),
            4 * atoms,
            2 * moves,
            2 * numbers * budget.saturating_sub(1),
            2 * parts,
            if parts > 1 { 4 } else { 0 },
        ];
        let mut sections = [1; 10];
        (0..9).for_each(|at| sections[at + 1] = sections[at] + sizes[at]);
        let claims = claims.count();
        Self { encoding, budget, numbers, labels, first_move, into, movers, sections, claims }
    }

    // Variables.

    pub(super) fn x(&self, atom: u16) -> String {
        format!("x{}", self.labels[usize::from(atom)])
    }
    pub(super) fn y(&self, atom: u16) -> String {
        format!("y{}", self.labels[usize::from(atom)])
    }
    pub(super) fn moved(&self, operator: usize, atom: u16) -> String {
        format!("m{operator}_{}", self.labels[usize::from(atom)])
    }
    fn stays(&self, atom: u16) -> String {
        format!("s{}", self.labels[usize::from(atom)])
    }

    // Numbers of constraints. Of an equation, the number of "at least"; "at most" is the next one.

    /// Each place has one value: the sum of `x` is 1.
    pub(super) fn one_value(&self, place: usize) -> Id {
        id(self.sections[0] + 2 * place)
    }
    /// The atoms of each kind are as many as in the start.
    pub(super) fn of_kind(&self, kind: usize) -> Id {
        id(self.sections[1] + 2 * kind)
    }
    /// One operator or an end: the sum of `o` and `z` is 1.
    pub(super) fn one_operator(&self) -> Id {
        id(self.sections[2])
    }
    /// A plan that ends has the goal's value at a place.
    pub(super) fn end_at_goal(&self, goal: usize, place: usize) -> Id {
        id(self.sections[3] + goal * self.encoding.places() + place)
    }
    /// A value stays or is moved: `x` is `s` and the sum of `m` from here.
    pub(super) fn leaves(&self, atom: u16) -> Id {
        id(self.sections[4] + 2 * usize::from(atom))
    }
    /// A value stayed or was moved here: `y` is `s` and the sum of `m` to here.
    pub(super) fn arrives(&self, atom: u16) -> Id {
        self.leaves(atom) + id(2 * self.encoding.atoms())
    }
    /// An operator moves one value of each of its places: `o` is the sum of its `m` at a place.
    pub(super) fn moves(&self, operator: usize, index: usize) -> Id {
        id(self.sections[5] + 2 * (self.first_move[operator] + index))
    }
    /// At least `units` + 1 units are at least `units`: before the operator, or after it.
    pub(super) fn order(&self, is_after: bool, part: usize, units: usize) -> Id {
        let number = 2 * part + usize::from(is_after);
        id(self.sections[6] + number * (self.budget - 1) + units - 1)
    }
    /// The units before are those after, and those of the operator.
    pub(super) fn step(&self, part: usize) -> Id {
        id(self.sections[7] + 2 * part)
    }
    /// The units of all parts are those of the sum: before the operator, or after it.
    pub(super) fn sum(&self, is_after: bool) -> Id {
        id(self.sections[8] + 2 * usize::from(is_after))
    }
    /// A claim holds after the operator.
    pub(super) fn holds(&self, claim: usize) -> Id {
        id(self.sections[9] + 2 * claim)
    }
    /// If `v` is 1, the claim does not hold before.
    pub(super) fn fails(&self, claim: usize) -> Id {
        self.holds(claim) + 1
    }
    /// A claim does not hold before.
    pub(super) fn one_fails(&self) -> Id {
        self.holds(self.claims)
    }
    /// The number of all constraints.
    pub(super) fn constraints(&self) -> Id {
        self.one_fails()
    }
    fn variables(&self) -> usize {
        let moved: usize = self.into.iter().map(Vec::len).sum();
        let (operators, goals) = (self.encoding.operators.len(), self.encoding.goals.len());
        let units = 2 * self.numbers * self.budget;
        3 * self.encoding.atoms() + operators + goals + moved + units + self.claims
    }

    /// Writes the formula in the OPB format. Returns the bytes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self, claims: &Claims<'_>, out: &mut dyn Write) -> io::Result<u64> {
        let mut out = Counted { out, bytes: 0 };
        let (costs, start) = (claims.costs, &self.encoding.start);
        writeln!(out, "* #variable= {} #constraint= {}", self.variables(), self.constraints())?;
        let least: usize = start.iter().map(|&atom| costs.weights[usize::from(atom)]).sum();
        writeln!(out, "* a plan that costs {least} and N times {} has N units", costs.unit)?;
        writeln!(out, "* claim 0: no plan from the start has at most {} units", costs.budget)?;
        for (number, operator) in self.encoding.operators.iter().enumerate() {
            writeln!(out, "* operator {number}: {}", operator.name)?;
        }
        self.write_states(&mut out)?;
        self.write_step(&mut out)?;
        self.write_units(claims, &mut out)?;
        self.write_claims(claims, &mut out)?;
        Ok(out.bytes)
    }

    /// Writes what states are.
    fn write_states(&self, out: &mut dyn Write) -> io::Result<()> {
        let encoding = self.encoding;
        writeln!(out, "* one value for each place")?;
        for place in 0..encoding.places() {
            let values = encoding.atoms_at(place).map(|atom| self.x(atom));
            writeln!(out, "{} = 1 ;", sum(1, values))?;
        }
        writeln!(out, "* as many values of each kind as in the start")?;
        for (kind, atoms) in encoding.kinds.iter().enumerate() {
            let values = atoms.iter().map(|&atom| self.x(atom));
            let count = encoding.start.iter().filter(|&&atom| encoding.kind_of(atom) == kind);
            writeln!(out, "{} = {} ;", sum(1, values), count.count())?;
        }
        writeln!(out, "* an operator, or the end at a goal")?;
        let operators = (0..encoding.operators.len()).map(|one| format!("o{one}"));
        let ends = (0..encoding.goals.len()).map(|goal| format!("z{goal}"));
        writeln!(out, "{} = 1 ;", sum(1, operators.chain(ends)))?;
        for (number, goal) in encoding.goals.iter().enumerate() {
            for &atom in goal {
                writeln!(out, "1 ~z{number} 1 {} >= 1 ;", self.x(atom))?;
            }
        }
        Ok(())
    }

    /// Writes what the operator changes.
    fn write_step(&self, out: &mut dyn Write) -> io::Result<()> {
        let (encoding, atoms) = (self.encoding, (0..self.encoding.atoms()).map(atom));
        writeln!(out, "* what the operator moves")?;
        for atom in atoms.clone() {
            let movers = self.movers[encoding.place_of(atom)].iter();
            let moved = movers.filter(|(operator, _)| encoding.image(*operator, atom).is_some());
            let moved = moved.map(|&(operator, _)| self.moved(operator, atom));
            let stays = sum(-1, [self.stays(atom)].into_iter().chain(moved));
            writeln!(out, "1 {} {stays} = 0 ;", self.x(atom))?;
        }
        for atom in atoms {
            let into = self.into[usize::from(atom)].iter();
            let moved = into.map(|&(operator, before)| self.moved(operator, before));
            let stays = sum(-1, [self.stays(atom)].into_iter().chain(moved));
            writeln!(out, "1 {} {stays} = 0 ;", self.y(atom))?;
        }
        for (number, operator) in encoding.operators.iter().enumerate() {
            for one in &operator.moves {
                let values = encoding.atoms_at(one.from);
                let moved = values.filter(|&atom| encoding.image(number, atom).is_some());
                let moved = sum(-1, moved.map(|atom| self.moved(number, atom)));
                writeln!(out, "1 o{number} {moved} = 0 ;")?;
            }
        }
        Ok(())
    }

    /// Writes what the operator costs.
    fn write_units(&self, claims: &Claims<'_>, out: &mut dyn Write) -> io::Result<()> {
        let (encoding, costs) = (self.encoding, claims.costs);
        writeln!(out, "* what the rest of the plan costs")?;
        for (part, name) in (0..self.numbers).flat_map(|part| [(part, 'r'), (part, 'q')]) {
            for units in 1..self.budget {
                let more = units + 1;
                writeln!(out, "1 {name}{part}_{units} 1 ~{name}{part}_{more} >= 1 ;")?;
            }
        }
        let all = |name: char, part: usize| {
            (1..=self.budget).map(move |units| format!("{name}{part}_{units}"))
        };
        for part in 0..costs.parts.len() {
            let terms = sum(1, all('r', part)) + " " + &sum(-1, all('q', part));
            write!(out, "{terms}")?;
            for (operator, one) in encoding.operators.iter().enumerate() {
                if costs.base[operator] > 0 {
                    write!(out, " -{} o{operator}", costs.base[operator])?;
                }
                for atom in one.moves.iter().flat_map(|one| encoding.atoms_at(one.from)) {
                    let extra = costs.extra(operator, atom);
                    let is_own = costs.part_of(encoding, atom) == part;
                    if extra > 0 && is_own && encoding.image(operator, atom).is_some() {
                        write!(out, " -{extra} {}", self.moved(operator, atom))?;
                    }
                }
            }
            writeln!(out, " = 0 ;")?;
        }
        if self.numbers > 1 {
            for name in ['r', 'q'] {
                let parts = (0..costs.parts.len()).flat_map(|part| all(name, part));
                writeln!(out, "{} {} = 0 ;", sum(1, parts), sum(-1, all(name, costs.total())))?;
            }
        }
        Ok(())
    }

    /// Writes the claims.
    fn write_claims(&self, claims: &Claims<'_>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "* claims: each holds after the operator, one does not hold before")?;
        for (number, state) in claims.states.states.iter().enumerate() {
            let units = (claims.costs.total(), claims.units(number));
            self.write_claim(number, (state, &[]), units, out)?;
        }
        for (number, claim) in claims.partial.iter().enumerate() {
            let (number, units) = (claims.states.states.len() + number, (claim.part, claim.units));
            self.write_claim(number, (&claim.known(), &claim.without), units, out)?;
        }
        writeln!(out, "{} >= 1 ;", sum(1, (0..self.claims).map(|claim| format!("v{claim}"))))
    }

    /// Writes the two constraints of a claim.
    fn write_claim(
        &self,
        number: usize,
        (known, without): (&[u16], &[u16]),
        (part, units): (usize, usize),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let name = |atom: &u16| &self.labels[usize::from(*atom)];
        let is_named = units <= self.budget;
        let all = known.len() + without.len() + usize::from(is_named);
        (0..self.encoding.goals.len()).try_for_each(|goal| write!(out, "1 z{goal} "))?;
        known.iter().try_for_each(|atom| write!(out, "1 ~y{} ", name(atom)))?;
        without.iter().try_for_each(|atom| write!(out, "1 y{} ", name(atom)))?;
        if is_named {
            write!(out, "1 q{part}_{units} ")?;
        }
        write!(out, ">= 1 ;\n{all} ~v{number} ")?;
        known.iter().try_for_each(|atom| write!(out, "1 x{} ", name(atom)))?;
        without.iter().try_for_each(|atom| write!(out, "1 ~x{} ", name(atom)))?;
        if is_named {
            write!(out, "1 ~r{part}_{units} ")?;
        }
        writeln!(out, ">= {all} ;")
    }
}

/// Counts the bytes that it passes on.
struct Counted<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The sum of variables with one coefficient.
fn sum(coefficient: i32, variables: impl Iterator<Item = String>) -> String {
    let terms: Vec<String> = variables.map(|name| format!("{coefficient} {name}")).collect();
    terms.join(" ")
}

/// A number of a constraint.
fn id(number: usize) -> Id {
    number as Id
}
