//! Derived moves: names for other moves one after another, in any order of definition.

use super::names::{MoveRef, Turn};
use super::notation::parse;
use super::orbits::check_name;
use super::transformation::Transformation;
use super::{Definition, DerivedMove};
use crate::error::{Complaint, quoted};

/// Turns of a derived move, at the most, when groups are written out.
pub(crate) const LONGEST_DERIVED: usize = 10_000;
/// Turns of all derived moves times slots, at the most: what it takes to multiply them out.
const MOST_WORK: u64 = 1 << 32;

/// A derived move as it stands in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    pub(crate) name: &'a str,
    /// The moves that it stands for.
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

/// What is wrong with a derived move: which one, where in its text if it is in there, and what.
pub(crate) type Wrong = (usize, Option<usize>, Complaint);

impl Definition {
    /// Adds derived moves, each a name and the moves it stands for, which may be others of these. All or none are added.
    ///
    /// # Errors
    /// If a name is taken, moves cannot be read, or a move stands for itself in the end.
    pub fn add_derived(&mut self, all: &[(&str, &str)]) -> Result<(), Complaint> {
        let all: Vec<_> = all.iter().map(|&(name, text)| Written { name, text, line: 0 }).collect();
        self.add_written(&all, &mut |_, _| true).map_err(|(_, _, complaint)| complaint)
    }

    /// As [`Definition::add_derived`]. `fits` is told of each move how many turns it has, before its transformation is made.
    pub(crate) fn add_written(
        &mut self,
        all: &[Written<'_>],
        fits: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<(), Wrong> {
        let first = self.derived.len();
        for (index, written) in all.iter().enumerate() {
            let taken = check_name(written.name)
                .and_then(|()| self.take_name(written.name, MoveRef::Derived(first + index)));
            if let Err(complaint) = taken {
                all[..index].iter().for_each(|written| self.names.remove(written.name));
                return Err((index, None, complaint));
            }
        }
        let made = self.read_all(all, fits).and_then(|turns| {
            let order = order(&turns, first)?;
            Ok((self.multiply(&turns, &order, first), turns))
        });
        let (transformations, turns) = made.inspect_err(|_| {
            all.iter().for_each(|written| self.names.remove(written.name));
        })?;
        for ((written, turns), transformation) in all.iter().zip(turns).zip(transformations) {
            let name = written.name.to_owned();
            self.derived.push(DerivedMove { name, turns, transformation, line: written.line });
        }
        Ok(())
    }

    fn read_all(
        &self,
        all: &[Written<'_>],
        fits: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<Vec<Vec<Turn>>, Wrong> {
        let mut work = 0_u64;
        let mut out = Vec::new();
        for (index, written) in all.iter().enumerate() {
            let turns = parse(&self.names, written.text, LONGEST_DERIVED);
            let turns = turns.map_err(|(at, complaint)| (index, Some(at), complaint))?;
            if turns.is_empty() {
                let found = format!("{} without moves", quoted(written.name));
                return Err((index, Some(0), Complaint::new(found, "at least one move")));
            }
            work = work.saturating_add(turns.len() as u64 * self.orbits.slots() as u64);
            if work > MOST_WORK || !fits(index, turns.len()) {
                let found = format!("derived moves of {work} turns of slots");
                let expected = format!("at most {MOST_WORK}, and what fits the memory allowed");
                return Err((index, Some(0), Complaint::new(found, expected)));
            }
            out.push(turns);
        }
        Ok(out)
    }

    /// The transformations of all, made in this order.
    fn multiply(&self, turns: &[Vec<Turn>], order: &[usize], first: usize) -> Vec<Transformation> {
        let identity = Transformation::identity(&self.orbits);
        let mut out = vec![None; turns.len()];
        for &index in order {
            let product = turns[index].iter().fold(identity.clone(), |product, turn| {
                let made = match turn.of {
                    MoveRef::Derived(i) if i >= first => {
                        out[i - first].as_ref().unwrap_or(&identity)
                    }
                    of => self.transformation_of(of),
                };
                match turn.amount {
                    1 => product.then(made),
                    amount => product.then(&made.power(amount.into())),
                }
            });
            out[index] = Some(product);
        }
        out.into_iter().map(|made| made.unwrap_or_else(|| identity.clone())).collect()
    }
}

/// An order in which every derived move comes after those it stands for.
fn order(turns: &[Vec<Turn>], first: usize) -> Result<Vec<usize>, Wrong> {
    let inner = |index: usize| {
        turns[index].iter().filter_map(move |turn| match turn.of {
            MoveRef::Derived(i) => i.checked_sub(first),
            MoveRef::Base(_) => None,
        })
    };
    let mut waits: Vec<usize> = (0..turns.len()).map(|index| inner(index).count()).collect();
    let mut users = vec![Vec::new(); turns.len()];
    for index in 0..turns.len() {
        inner(index).for_each(|used| users[used].push(index));
    }
    let mut order: Vec<usize> = (0..turns.len()).filter(|&index| waits[index] == 0).collect();
    let mut done = 0;
    while let Some(&index) = order.get(done) {
        done += 1;
        for &user in &users[index] {
            waits[user] -= 1;
            if waits[user] == 0 {
                order.push(user);
            }
        }
    }
    match waits.iter().position(|&waits| waits > 0) {
        None => Ok(order),
        Some(index) => {
            let expected = "a move that does not stand for itself in the end";
            Err((index, None, Complaint::new("a cycle of derived moves", expected)))
        }
    }
}
