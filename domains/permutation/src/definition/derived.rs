//! Derived moves: names for sequences of moves, defined in any order.

use super::moves::{DerivedMove, MoveSet};
use super::names::{MoveRef, Turn};
use super::notation::parse;
use super::orbits::{Orbits, check_name};
use super::transformation::Transformation;
use crate::error::{Complaint, quoted};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::BTreeSet;

/// Largest number of turns of a derived move, with its groups written out.
const LONGEST_DERIVED: usize = 10_000;
/// Largest product of slots and turns of all derived moves: the work to multiply them out.
const MOST_WORK: u64 = 1 << 32;

/// A derived move as it stands in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DerivedText<'a> {
    pub(crate) name: &'a str,
    /// The moves that it stands for.
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

/// Why a derived move is refused: its index, the place in its text if there is one, and the
/// complaint.
pub(crate) type Refusal = (usize, Option<usize>, Complaint);

impl MoveSet {
    /// Adds derived moves, all or none.
    ///
    /// `fits` receives the index and the number of turns of each move before its transformation
    /// is made. It says whether that fits the memory.
    pub(crate) fn add_derived(
        &mut self,
        orbits: &Orbits,
        all: &[DerivedText<'_>],
        fits: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<(), Refusal> {
        let first = self.derived.len();
        for (index, one) in all.iter().enumerate() {
            let taken = check_name(one.name)
                .and_then(|()| self.take_name(one.name, MoveRef::Derived(first + index)));
            if let Err(complaint) = taken {
                all[..index].iter().for_each(|one| self.names.remove(one.name));
                return Err((index, None, complaint));
            }
        }
        let made = self.read_all(orbits, all, fits).and_then(|turns| {
            let order = order(&turns, first)?;
            Ok((self.multiply(orbits, &turns, &order), turns))
        });
        let (transformations, turns) = made.inspect_err(|_| {
            all.iter().for_each(|one| self.names.remove(one.name));
        })?;
        for ((one, turns), transformation) in all.iter().zip(turns).zip(transformations) {
            let name = one.name.to_owned();
            self.derived.push(DerivedMove { name, turns, transformation, line: one.line });
        }
        Ok(())
    }

    fn read_all(
        &self,
        orbits: &Orbits,
        all: &[DerivedText<'_>],
        fits: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<Vec<Vec<Turn>>, Refusal> {
        let mut work = 0_u64;
        let mut out = Vec::new();
        for (index, one) in all.iter().enumerate() {
            let turns = parse(&self.names, one.text, LONGEST_DERIVED);
            let turns = turns.map_err(|(at, complaint)| (index, Some(at), complaint))?;
            if turns.is_empty() {
                let found = format!("{} without moves", quoted(one.name));
                return Err((index, Some(0), Complaint::new(found, "at least one move")));
            }
            work = work.saturating_add(turns.len() as u64 * orbits.slots() as u64);
            if work > MOST_WORK || !fits(index, turns.len()) {
                let found = format!("derived moves that turn {work} slots");
                let expected = format!("at most {MOST_WORK}, and what fits the memory allowed");
                return Err((index, Some(0), Complaint::new(found, expected)));
            }
            out.push(turns);
        }
        Ok(out)
    }

    /// The transformations of the new derived moves, made in this order.
    fn multiply(
        &self,
        orbits: &Orbits,
        turns: &[Vec<Turn>],
        order: &[usize],
    ) -> Vec<Transformation> {
        let first = self.derived.len();
        let mut out = vec![Transformation::identity(orbits); turns.len()];
        for &index in order {
            let product = turns[index].iter().fold(out[index].clone(), |product, turn| {
                let one = match turn.of {
                    MoveRef::Derived(i) if i >= first => &out[i - first],
                    of => self.transformation_of(of),
                };
                match turn.amount {
                    1 => product.then(one),
                    amount => product.then(&one.power(amount.into())),
                }
            });
            out[index] = product;
        }
        out
    }
}

/// An order in which every derived move comes after those it stands for.
fn order(turns: &[Vec<Turn>], first: usize) -> Result<Vec<usize>, Refusal> {
    let mut uses = DiGraph::<(), (), usize>::default();
    turns.iter().for_each(|_| _ = uses.add_node(()));
    for (index, turns) in turns.iter().enumerate() {
        let used: BTreeSet<usize> = turns
            .iter()
            .filter_map(|turn| match turn.of {
                MoveRef::Derived(used) => used.checked_sub(first),
                MoveRef::Base(_) => None,
            })
            .collect();
        uses.extend_with_edges(used.into_iter().map(|used| (index, used)));
    }
    let mut order = Vec::new();
    // A component comes after all components that it leads to.
    for component in kosaraju_scc(&uses) {
        let Some(&least) = component.iter().min() else { continue };
        if component.len() > 1 || uses.contains_edge(least, least) {
            let expected = "a move that does not stand for itself in the end";
            let complaint = Complaint::new("a cycle of derived moves", expected);
            return Err((least.index(), None, complaint));
        }
        order.push(least.index());
    }
    Ok(order)
}
