//! Code that the readers of both formats share.

use crate::definition::{Definition, DerivedText, MoveRef, Orbit, rotation_note};
use crate::error::{Complaint, DefinitionError, Hint, quoted};
use crate::format::input::Source;

/// A named sequence of moves, and the places of name and moves in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DerivedSource<'a> {
    pub(crate) derived: DerivedText<'a>,
    /// The byte at which the name begins.
    pub(crate) name_at: usize,
    /// The byte at which the moves begin.
    pub(crate) text_at: usize,
    /// Whether the text of the moves is a part of the source, so that errors can point into it.
    /// False if JSON escapes a character.
    pub(crate) literal: bool,
}

/// Adds named sequences to the definition, as derived moves or as moves of their own.
pub(crate) fn add_sequences(
    definition: &mut Definition,
    all: &[DerivedSource<'_>],
    source: &Source<'_>,
) -> Result<(), DefinitionError> {
    let texts: Vec<DerivedText<'_>> = all.iter().map(|one| one.derived).collect();
    let orbits = definition.orbits.clone();
    let mut charged = Ok(());
    let added = definition.moves.add_derived(&orbits, &texts, &mut |index, turns| {
        charged = source.charge(3 * orbits.slots() + 16 * turns + 256, all[index].text_at);
        charged.is_ok()
    });
    charged?;
    added.map_err(|(index, at, complaint)| {
        let one = &all[index];
        let at = match at {
            Some(at) if one.literal => one.text_at + at,
            Some(_) => one.text_at,
            None => one.name_at,
        };
        source.error(at, complaint)
    })?;
    for one in texts.iter().filter(|one| one.is_move) {
        if let Some(note) = rotation_note(one.name) {
            definition.note(one.line, note);
        }
    }
    Ok(())
}

/// Checks all moves and their names. `moves_at` has the byte of each move of the file. These are
/// the first base moves. Errors without a place are at byte `end`.
pub(crate) fn check_names(
    definition: &Definition,
    all: &[DerivedSource<'_>],
    moves_at: &[usize],
    end: usize,
    source: &Source<'_>,
) -> Result<(), DefinitionError> {
    let place = |of: MoveRef| match of {
        MoveRef::Base(index) if index < moves_at.len() => moves_at[index],
        _ => {
            let name = definition.moves().name_of(of);
            all.iter().find(|one| one.derived.name == name).map_or(end, |one| one.name_at)
        }
    };
    let checked = definition.moves.check();
    checked.map_err(|(of, complaint)| source.error(of.map_or(end, place), complaint))
}

/// The complaint that a number is out of range. If the number is off by one, it has the hint that
/// some words count from 0 and others from 1.
pub(crate) fn out_of_range(found: &str, what: &str, least: u32, most: u32) -> Complaint {
    let complaint = Complaint::new(quoted(found), format!("{what} from {least} to {most}"));
    let counted = least <= 1 && !what.contains("orientation");
    let off = |number: u32| counted && (number < least || number == most.saturating_add(1));
    match found.parse() {
        Ok(number) if off(number) => complaint.hint(Hint::CountsFrom),
        _ => complaint,
    }
}

/// The least and the largest orientation of a piece.
pub(crate) fn orientation_range(orbit: &Orbit) -> (u32, u32) {
    (0, u32::from(orbit.orientations()) - 1)
}

/// Converts a number to a smaller type. It must fit, because its range was checked before.
pub(crate) fn narrow<A, B>(number: A) -> B
where
    B: TryFrom<A>,
    B::Error: std::fmt::Debug,
{
    B::try_from(number).expect("the range was checked")
}
