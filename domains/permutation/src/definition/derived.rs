//! Moves that stand for sequences of other moves, defined in any order.
//!
//! A *derived move* is a name that users may type for a sequence of moves. Searches do not make it.
//! A sequence can also define a move of its own, which searches make as if the file gave its
//! permutation.

use super::moves::{BaseMove, DerivedMove, MoveKind, MoveSet, check_effect};
use super::names::{MoveRef, Turn};
use super::notation::parse;
use super::orbits::{Orbits, check_name};
use super::transformation::Transformation;
use crate::error::{Complaint, quoted};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeSet, HashMap};

/// Most turns of a derived move, once its groups are expanded.
const LONGEST_DERIVED: usize = 10_000;
/// Limit on the work to multiply out all derived moves: the sum of slots times turns.
const MOST_WORK: u64 = 1 << 32;

/// A sequence of moves with a name, as it stands in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DerivedText<'a> {
    pub(crate) name: &'a str,
    /// The text of the moves that it stands for.
    pub(crate) text: &'a str,
    pub(crate) line: usize,
    /// Whether it is a move of its own, which searches make.
    pub(crate) is_move: bool,
}

/// Why a derived move is refused: its index, the byte in its text (if there is one), and the
/// complaint.
pub(crate) type Refusal = (usize, Option<usize>, Complaint);

impl MoveSet {
    /// Adds derived moves, and moves that are defined by sequences. Adds all or none.
    ///
    /// `fits` is called for each move before its transformation is computed. It receives the index
    /// and the number of turns, and returns whether the transformation fits in the memory allowed.
    pub(crate) fn add_derived(
        &mut self,
        orbits: &Orbits,
        all: &[DerivedText<'_>],
        fits: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<(), Refusal> {
        let new = self.references(all);
        for (index, one) in all.iter().enumerate() {
            let taken = check_name(one.name).and_then(|()| self.take_name(one.name, new[index]));
            if let Err(complaint) = taken {
                all[..index].iter().for_each(|one| self.names.remove(one.name));
                return Err((index, None, complaint));
            }
        }
        let made = self.read_all(orbits, all, fits).and_then(|turns| {
            let order = order(&turns, &new)?;
            let made = self.multiply(orbits, &turns, &new, &order);
            for (index, one) in all.iter().enumerate().filter(|(_, one)| one.is_move) {
                check_effect(one.name, MoveKind::of_name(one.name), &made[index])
                    .map_err(|complaint| (index, None, complaint))?;
            }
            Ok((made, turns))
        });
        let (transformations, turns) = made.inspect_err(|_| {
            all.iter().for_each(|one| self.names.remove(one.name));
        })?;
        for ((one, turns), transformation) in all.iter().zip(turns).zip(transformations) {
            let (name, line) = (one.name.to_owned(), one.line);
            if one.is_move {
                self.base.push(BaseMove::new(name, transformation, line));
            } else {
                self.derived.push(DerivedMove { name, turns, transformation, line });
            }
        }
        Ok(())
    }

    /// What the names of new moves will stand for.
    fn references(&self, all: &[DerivedText<'_>]) -> Vec<MoveRef> {
        let (mut base, mut derived) = (self.base.len().., self.derived.len()..);
        let mut next = |is_move: bool| match is_move {
            true => base.next().map(MoveRef::Base),
            false => derived.next().map(MoveRef::Derived),
        };
        all.iter().map(|one| next(one.is_move).expect("a range without an end")).collect()
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

    /// The transformations of the new moves, computed in the given order.
    fn multiply(
        &self,
        orbits: &Orbits,
        turns: &[Vec<Turn>],
        new: &[MoveRef],
        order: &[usize],
    ) -> Vec<Transformation> {
        let places = places(new);
        let mut out = vec![Transformation::identity(orbits); turns.len()];
        for &index in order {
            let product = turns[index].iter().fold(out[index].clone(), |product, turn| {
                let one = match places.get(&turn.of) {
                    Some(&place) => &out[place],
                    None => self.transformation_of(turn.of),
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

/// For each new move: its index in the list.
fn places(new: &[MoveRef]) -> HashMap<MoveRef, usize> {
    new.iter().enumerate().map(|(place, &of)| (of, place)).collect()
}

/// An order in which every new move comes after the moves that it stands for.
fn order(turns: &[Vec<Turn>], new: &[MoveRef]) -> Result<Vec<usize>, Refusal> {
    let places = places(new);
    let mut uses = DiGraph::<(), (), usize>::default();
    turns.iter().for_each(|_| _ = uses.add_node(()));
    for (index, turns) in turns.iter().enumerate() {
        let used: BTreeSet<usize> =
            turns.iter().filter_map(|turn| places.get(&turn.of).copied()).collect();
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
