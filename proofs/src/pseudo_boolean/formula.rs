//! The formula "there is a plan of at most `bound` operators": [`Formula`].

use super::encoding::{Encoding, atom};
use std::io::{self, Write};

/// The number of a constraint.
pub(super) type Id = u64;

/// The formula of a search: its variables, and the number of each of its constraints.
///
/// Each number of operators so far is a time, from 0 to `bound`. One operator is applied between
/// two times, or the plan stops there, which only the goal allows. The variables of a time `t`:
///
/// | variable | is 1 if |
/// |---|---|
/// | `xT_P_V` | place `P` has value `V` |
/// | `oT_O` | operator `O` is applied |
/// | `zT` | the plan stops, so that nothing changes |
/// | `mT_O_P_V` | operator `O` is applied, and it moves the value `V` of place `P` |
/// | `sT_P_V` | place `P` has value `V`, and no operator moves it |
///
/// An equation counts as two constraints: first "at least", then "at most".
pub(super) struct Formula<'a> {
    pub(super) encoding: &'a Encoding,
    pub(super) bound: usize,
    /// `P_V` of each atom.
    labels: Vec<String>,
    /// For each operator: the number of all moves of the operators before it.
    first_move: Vec<usize>,
    /// For each atom: the moves, as operator and atom before, that make it.
    into: Vec<Vec<(usize, u16)>>,
    /// For each place: the operators that move its value, with the number of the move among theirs.
    pub(super) movers: Vec<Vec<(usize, usize)>>,
}

impl<'a> Formula<'a> {
    pub(super) fn new(encoding: &'a Encoding, bound: usize) -> Self {
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
        first_move.push(moves);
        Self { encoding, bound, labels, first_move, into, movers }
    }

    // Variables.

    pub(super) fn x(&self, time: usize, atom: u16) -> String {
        format!("x{time}_{}", self.labels[usize::from(atom)])
    }
    pub(super) fn operator(&self, time: usize, operator: usize) -> String {
        format!("o{time}_{operator}")
    }
    pub(super) fn stop(&self, time: usize) -> String {
        format!("z{time}")
    }
    pub(super) fn moved(&self, time: usize, operator: usize, atom: u16) -> String {
        format!("m{time}_{operator}_{}", self.labels[usize::from(atom)])
    }
    fn stays(&self, time: usize, atom: u16) -> String {
        format!("s{time}_{}", self.labels[usize::from(atom)])
    }

    // Numbers of constraints. Of an equation, the number of "at least"; "at most" is the next one.

    /// `x0` of the start, at a place.
    pub(super) fn start(&self, place: usize) -> Id {
        id(1 + place)
    }
    /// Each place has one value: the sum of `x` is 1.
    pub(super) fn one_value(&self, time: usize, place: usize) -> Id {
        let n = self.encoding.places();
        id(1 + n + 2 * (time * n + place))
    }
    /// The constraints before those of the operators at a time, plus 1.
    fn step(&self, time: usize) -> usize {
        let (n, atoms) = (self.encoding.places(), self.encoding.atoms());
        let each = 2 + n + 4 * atoms + 2 * self.first_move[self.encoding.operators.len()];
        1 + n + 2 * n * (self.bound + 1) + time * each
    }
    /// One operator or a stop: the sum of `o` and `z` is 1.
    pub(super) fn one_operator(&self, time: usize) -> Id {
        id(self.step(time))
    }
    /// A stop needs the goal's value at a place.
    pub(super) fn stop_at_goal(&self, time: usize, place: usize) -> Id {
        id(self.step(time) + 2 + place)
    }
    /// A value stays or is moved: `x` is `s` and the sum of `m` from here.
    pub(super) fn leaves(&self, time: usize, atom: u16) -> Id {
        id(self.step(time) + 2 + self.encoding.places() + 2 * usize::from(atom))
    }
    /// A value stayed or was moved here: the next `x` is `s` and the sum of `m` to here.
    pub(super) fn arrives(&self, time: usize, atom: u16) -> Id {
        self.leaves(time, atom) + id(2 * self.encoding.atoms())
    }
    /// An operator moves one value of each of its places: `o` is the sum of its `m` at a place.
    pub(super) fn moves(&self, time: usize, operator: usize, index: usize) -> Id {
        let before = 2 + self.encoding.places() + 4 * self.encoding.atoms();
        id(self.step(time) + before + 2 * (self.first_move[operator] + index))
    }
    /// The last `x` of the goal, at a place.
    pub(super) fn goal(&self, place: usize) -> Id {
        id(self.step(self.bound) + place)
    }
    /// The number of all constraints.
    pub(super) fn constraints(&self) -> Id {
        self.goal(self.encoding.places()) - 1
    }
    pub(super) fn variables(&self) -> usize {
        let moved: usize = self.into.iter().map(Vec::len).sum();
        let atoms = self.encoding.atoms();
        let step = 1 + self.encoding.operators.len() + moved + atoms;
        (self.bound + 1) * atoms + self.bound * step
    }

    /// Writes the formula in the OPB format.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (encoding, places) = (self.encoding, 0..self.encoding.places());
        writeln!(out, "* #variable= {} #constraint= {}", self.variables(), self.constraints())?;
        writeln!(out, "* a plan of at most {} operators", self.bound)?;
        for (number, operator) in encoding.operators.iter().enumerate() {
            writeln!(out, "* operator {number}: {}", operator.name)?;
        }
        writeln!(out, "* the start")?;
        for &atom in &encoding.start {
            writeln!(out, "1 {} >= 1 ;", self.x(0, atom))?;
        }
        writeln!(out, "* one value for each place")?;
        for time in 0..=self.bound {
            for place in places.clone() {
                let values = encoding.atoms_at(place).map(|atom| self.x(time, atom));
                writeln!(out, "{} = 1 ;", sum(1, values))?;
            }
        }
        (0..self.bound).try_for_each(|time| self.write_step(time, out))?;
        writeln!(out, "* the goal")?;
        for &atom in &encoding.goal {
            writeln!(out, "1 {} >= 1 ;", self.x(self.bound, atom))?;
        }
        Ok(())
    }

    /// Writes what the operator at a time changes.
    fn write_step(&self, time: usize, out: &mut dyn Write) -> io::Result<()> {
        let (encoding, atoms) = (self.encoding, (0..self.encoding.atoms()).map(atom));
        writeln!(out, "* the operator at time {time}")?;
        let operators = (0..encoding.operators.len()).map(|one| self.operator(time, one));
        writeln!(out, "{} = 1 ;", sum(1, operators.chain([self.stop(time)])))?;
        for &atom in &encoding.goal {
            writeln!(out, "1 ~{} 1 {} >= 1 ;", self.stop(time), self.x(time, atom))?;
        }
        for atom in atoms.clone() {
            let place = encoding.place[usize::from(atom)];
            let movers = self.movers[place].iter();
            let moved = movers.filter(|(operator, _)| encoding.image(*operator, atom).is_some());
            let moved = moved.map(|&(operator, _)| self.moved(time, operator, atom));
            let stays = sum(-1, [self.stays(time, atom)].into_iter().chain(moved));
            writeln!(out, "1 {} {stays} = 0 ;", self.x(time, atom))?;
        }
        for atom in atoms {
            let into = self.into[usize::from(atom)].iter();
            let moved = into.map(|&(operator, before)| self.moved(time, operator, before));
            let stays = sum(-1, [self.stays(time, atom)].into_iter().chain(moved));
            writeln!(out, "1 {} {stays} = 0 ;", self.x(time + 1, atom))?;
        }
        for (number, operator) in encoding.operators.iter().enumerate() {
            for one in &operator.moves {
                let values = encoding.atoms_at(one.from);
                let moved = values.filter(|&atom| encoding.image(number, atom).is_some());
                let moved = sum(-1, moved.map(|atom| self.moved(time, number, atom)));
                writeln!(out, "1 {} {moved} = 0 ;", self.operator(time, number))?;
            }
        }
        Ok(())
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
