//! What the readers of both formats share.

use crate::definition::{Definition, DerivedText, MoveRef, Orbit, rotation_note};
use crate::error::{Complaint, DefinitionError, Hint, quoted};
use crate::format::input::Source;

/// A sequence with a name, with its places in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DerivedSource<'a> {
    pub(crate) derived: DerivedText<'a>,
    /// Where the name is.
    pub(crate) name_at: usize,
    /// Where the moves are.
    pub(crate) text_at: usize,
    /// Whether a place in the moves is that place in the source: not where JSON escapes.
    pub(crate) literal: bool,
}

/// Adds sequences and checks all names. `moves_at` are the places of the moves of the file.
pub(crate) fn finish(
    definition: &mut Definition,
    all: &[DerivedSource<'_>],
    moves_at: &[usize],
    end: usize,
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
    // Each kind is numbered on its own.
    let places = |is_move: bool| {
        let of_kind = all.iter().filter(move |one| one.derived.is_move == is_move);
        of_kind.map(|one| one.name_at)
    };
    let moves_at: Vec<usize> = moves_at.iter().copied().chain(places(true)).collect();
    let derived_at: Vec<usize> = places(false).collect();
    definition.moves.check().map_err(|(of, complaint)| {
        let at = match of {
            Some(MoveRef::Base(index)) => moves_at[index],
            Some(MoveRef::Derived(index)) => derived_at[index],
            None => end,
        };
        source.error(at, complaint)
    })
}

/// The complaint about a number out of its range. A number that is off by one gets a hint that
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

/// A number that a check of its range keeps below the limit of its type.
pub(crate) fn narrow<A, B>(number: A) -> B
where
    B: TryFrom<A>,
    B::Error: std::fmt::Debug,
{
    B::try_from(number).expect("the range was checked")
}
