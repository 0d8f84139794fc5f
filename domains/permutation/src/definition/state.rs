//! States of a puzzle: the piece in each slot, its orientation, and how much of that is known.

use super::orbits::{Orbit, Orbits};
use super::transformation::{Transformation, add, slot_of};
use crate::error::{Complaint, Hint, counted, quoted};
use std::collections::HashMap;

/// The largest number of a piece.
pub const LARGEST_PIECE: u16 = u16::MAX - 1;

/// The contents of the slots of one orbit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OrbitState {
    /// The number of the piece in each slot, from 0. Pieces that look alike have the same number.
    pub pieces: Vec<u16>,
    /// The orientation of the piece in each slot, below the modulus if that is not 0.
    pub orientation: Vec<u8>,
    /// How much of the orientation of the piece in each slot is known. 0: all of it. 1: nothing. A
    /// divisor `d` of the number of orientations: the remainder modulo `d`.
    pub modulus: Vec<u8>,
}

/// A state: the contents of all slots. 4 bytes for each slot.
///
/// Lists have one item for each slot, orbit after orbit. Pieces of an orbit with the same number
/// have the same modulus, which moves with them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleState {
    orbits: Orbits,
    pieces: Vec<u16>,
    orientation: Vec<u8>,
    modulus: Vec<u8>,
}

impl PuzzleState {
    /// The state in which every piece is in the slot of its number, with orientation 0.
    pub fn ordered(orbits: &Orbits) -> Self {
        let pieces = orbits.iter().flat_map(|orbit| (0..=u16::MAX).take(orbit.pieces()));
        Self {
            orbits: orbits.clone(),
            pieces: pieces.collect(),
            orientation: vec![0; orbits.slots()],
            modulus: vec![0; orbits.slots()],
        }
    }

    /// The state with these contents, one [`OrbitState`] for each orbit. A modulus that equals the
    /// number of orientations is changed to 0.
    ///
    /// # Errors
    /// - An orbit's contents are missing or have a wrong length.
    /// - The number of a piece is too large.
    /// - A modulus does not divide the number of orientations.
    /// - Pieces of the same number differ in their modulus.
    pub fn new(orbits: &Orbits, rows: Vec<OrbitState>) -> Result<Self, Complaint> {
        if rows.len() != orbits.len() {
            let found = format!("rows for {} sets", rows.len());
            return Err(Complaint::new(found, format!("rows for {}", orbits.len())));
        }
        let (mut pieces, mut orientation, mut modulus) = (Vec::new(), Vec::new(), Vec::new());
        for (orbit, mut row) in orbits.iter().zip(rows) {
            for modulus in &mut row.modulus {
                *modulus = if *modulus == orbit.orientations() { 0 } else { *modulus };
            }
            check(orbit, &row).map_err(|(_, _, complaint)| complaint)?;
            pieces.append(&mut row.pieces);
            orientation.append(&mut row.orientation);
            modulus.append(&mut row.modulus);
        }
        Ok(Self { orbits: orbits.clone(), pieces, orientation, modulus })
    }

    /// The orbits of the puzzle.
    pub fn orbits(&self) -> &Orbits {
        &self.orbits
    }

    /// The number of the piece in each slot of an orbit.
    pub fn pieces(&self, orbit: usize) -> &[u16] {
        &self.pieces[self.orbits.range(orbit)]
    }

    /// The orientation of the piece in each slot of an orbit.
    pub fn orientation(&self, orbit: usize) -> &[u8] {
        &self.orientation[self.orbits.range(orbit)]
    }

    /// How much of the orientation is known, for each slot of an orbit. See
    /// [`OrbitState::modulus`].
    pub fn modulus(&self, orbit: usize) -> &[u8] {
        &self.modulus[self.orbits.range(orbit)]
    }

    /// The pieces of all slots, and the orientations of all slots.
    pub(crate) fn rows(&self) -> (&[u16], &[u8]) {
        (&self.pieces, &self.orientation)
    }

    /// The state after a transformation.
    ///
    /// # Panics
    /// If the transformation belongs to another puzzle.
    #[must_use]
    pub fn apply(&self, transformation: &Transformation) -> Self {
        assert!(self.orbits == *transformation.orbits(), "a transformation of another puzzle");
        let mut out = self.clone();
        let (permutation, delta) = transformation.rows();
        for (orbit, range) in self.orbits.ranges() {
            for i in range.clone() {
                let from = slot_of(&range, permutation[i]);
                let modulus = self.modulus[from];
                let n = if modulus == 0 { orbit.orientations() } else { modulus };
                out.pieces[i] = self.pieces[from];
                out.modulus[i] = modulus;
                out.orientation[i] = add(self.orientation[from], delta[i] % n, n);
            }
        }
        out
    }

    /// The transformation that takes another state to this one. `None` unless [`is_distinct`] holds
    /// for the other state, and both have the same pieces.
    ///
    /// [`is_distinct`]: PuzzleState::is_distinct
    pub fn transformation_from(&self, from: &Self) -> Option<Transformation> {
        if !from.is_distinct() || from.same_pieces(self).is_err() {
            return None;
        }
        let row = |(number, orbit): (usize, &Orbit)| {
            let slot_of: HashMap<u16, u16> = from.pieces(number).iter().copied().zip(0..).collect();
            let slots: Vec<u16> = self.pieces(number).iter().map(|piece| slot_of[piece]).collect();
            let turn = |(&to, &slot): (&u8, &u16)| {
                let before = from.orientation(number)[usize::from(slot)];
                add(to, orbit.orientations() - before, orbit.orientations())
            };
            let turns = self.orientation(number).iter().zip(&slots).map(turn).collect();
            Some((slots, turns))
        };
        let rows = self.orbits.iter().enumerate().map(row).collect();
        Transformation::new(&self.orbits, rows).ok()
    }

    /// Whether all pieces of an orbit look different and all orientations are known.
    pub fn is_distinct(&self) -> bool {
        let distinct = |orbit| super::transformation::first_repeated(self.pieces(orbit)).is_none();
        self.modulus.iter().all(|&modulus| modulus == 0) && (0..self.orbits.len()).all(distinct)
    }

    /// Checks that another state has the same pieces, with the same knowledge of their
    /// orientations.
    ///
    /// # Errors
    /// With the orbit and the first slot that differs. Its piece is not one of these, occurs too
    /// often, or has another modulus.
    pub fn same_pieces(&self, other: &Self) -> Result<(), (usize, usize, Complaint)> {
        for (number, orbit) in self.orbits.iter().enumerate() {
            let mut left: HashMap<u16, (usize, u8)> = HashMap::new();
            for (&piece, &modulus) in self.pieces(number).iter().zip(self.modulus(number)) {
                left.entry(piece).or_insert((0, modulus)).0 += 1;
            }
            for (slot, piece) in other.pieces(number).iter().enumerate() {
                let among =
                    format!("the pieces of the solved state in set {}", quoted(orbit.name()));
                let shown = format!("piece {} (counted from 0: {piece})", u32::from(*piece) + 1);
                let complaint = match left.get_mut(piece) {
                    None => Complaint::new(shown, format!("one of {among}")).hint(Hint::SamePieces),
                    Some((0, _)) => {
                        let found = format!("{shown} once more");
                        Complaint::new(found, among).hint(Hint::SamePieces)
                    }
                    Some((_, modulus)) if *modulus != other.modulus(number)[slot] => {
                        let found = format!("another knowledge of the orientation of {shown}");
                        Complaint::new(found, format!("that of {among}"))
                            .hint(Hint::UnknownTogether)
                    }
                    Some((rest, _)) => {
                        *rest -= 1;
                        continue;
                    }
                };
                return Err((number, slot, complaint));
            }
        }
        Ok(())
    }
}

/// The field of an [`OrbitState`] that is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StateRow {
    Pieces,
    Orientation,
    Modulus,
}

/// Checks the contents of an orbit.
///
/// # Errors
/// With the field and the slot that are wrong.
pub(crate) fn check(orbit: &Orbit, rows: &OrbitState) -> Result<(), (StateRow, usize, Complaint)> {
    let (n, orientations) = (orbit.pieces(), orbit.orientations());
    let name = quoted(orbit.name());
    for (row, what, length) in [
        (StateRow::Pieces, "piece", rows.pieces.len()),
        (StateRow::Orientation, "orientation", rows.orientation.len()),
        (StateRow::Modulus, "modulo value", rows.modulus.len()),
    ] {
        if length != n {
            let complaint = Complaint::new(counted(length, what), format!("{n} in set {name}"));
            return Err((row, length.min(n), complaint));
        }
    }
    let mut known: HashMap<u16, u8> = HashMap::new();
    for slot in 0..n {
        let (piece, turn, modulus) =
            (rows.pieces[slot], rows.orientation[slot], rows.modulus[slot]);
        let turns = if modulus == 0 { orientations } else { modulus };
        let (row, complaint) = if piece > LARGEST_PIECE {
            let expected = format!("pieces from 0 to {LARGEST_PIECE}");
            (StateRow::Pieces, Complaint::new(format!("piece {piece}"), expected))
        } else if modulus >= orientations || modulus > 0 && orientations % modulus != 0 {
            let expected = format!("0 or a divisor of {orientations} in set {name}");
            let found = format!("an orientation modulo {modulus}");
            (StateRow::Modulus, Complaint::new(found, expected))
        } else if turn >= turns {
            let expected = format!("an orientation from 0 to {} in set {name}", turns - 1);
            (StateRow::Orientation, Complaint::new(format!("`{turn}`"), expected))
        } else if *known.entry(piece).or_insert(modulus) != modulus {
            let found = "identical pieces of which not the same is known";
            let expected = format!("the same known of both in set {name}");
            let complaint = Complaint::new(found, expected);
            (StateRow::Modulus, complaint.hint(Hint::UnknownTogether))
        } else {
            continue;
        };
        return Err((row, slot, complaint));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn orbits() -> Orbits {
        Orbits::new(vec![Orbit::new("A", 4, 6).unwrap(), Orbit::new("B", 2, 1).unwrap()]).unwrap()
    }

    fn row(pieces: &[u16], orientation: &[u8], modulus: &[u8]) -> OrbitState {
        OrbitState {
            pieces: pieces.to_vec(),
            orientation: orientation.to_vec(),
            modulus: modulus.to_vec(),
        }
    }

    fn any_pattern() -> impl Strategy<Value = PuzzleState> {
        let moduli = [0_u8, 0, 2, 1];
        let pieces = Just((0_u16..4).collect::<Vec<u16>>()).prop_shuffle();
        (pieces, proptest::collection::vec(0_u8..6, 4)).prop_map(move |(pieces, turns)| {
            let modulus: Vec<u8> = pieces.iter().map(|&piece| moduli[usize::from(piece)]).collect();
            let turn =
                |(turn, &modulus): (u8, &u8)| if modulus == 0 { turn } else { turn % modulus };
            let orientation: Vec<u8> = turns.into_iter().zip(&modulus).map(turn).collect();
            let first = row(&pieces, &orientation, &modulus);
            PuzzleState::new(&orbits(), vec![first, row(&[0, 0], &[0, 0], &[0, 1])]).unwrap()
        })
    }

    fn any_transformation() -> impl Strategy<Value = Transformation> {
        let permutation = Just((0..4).collect::<Vec<u16>>()).prop_shuffle();
        (permutation, proptest::collection::vec(0_u8..6, 4))
            .prop_map(|rows| Transformation::new(&orbits(), vec![Some(rows), None]).unwrap())
    }

    proptest! {
        #[test]
        fn transformations_act(
            p in any_pattern(), a in any_transformation(), b in any_transformation(),
        ) {
            prop_assert_eq!(p.apply(&a).apply(&b), p.apply(&a.then(&b)));
            prop_assert_eq!(&p.apply(&a).apply(&a.inverse()), &p);
            prop_assert!(p.same_pieces(&p.apply(&a)).is_ok());
        }
    }

    #[test]
    fn knowledge_travels_with_its_piece() {
        let first = row(&[0, 1, 2, 3], &[5, 0, 1, 0], &[0, 6, 2, 1]);
        let state =
            PuzzleState::new(&orbits(), vec![first, row(&[7, 7], &[0, 0], &[0, 0])]).unwrap();
        assert_eq!(state.modulus(0), [0, 0, 2, 1]);
        let turn = Some((vec![3, 2, 1, 0], vec![4, 3, 2, 1]));
        let after = state.apply(&Transformation::new(&orbits(), vec![turn, None]).unwrap());
        assert_eq!(after.pieces(0), [3, 2, 1, 0]);
        assert_eq!(after.orientation(0), [0, 0, 2, 0]);
        assert_eq!(after.modulus(0), [1, 2, 0, 0]);
        assert!(!state.is_distinct() && PuzzleState::ordered(&orbits()).is_distinct());
    }

    #[test]
    fn what_is_no_state_is_refused() {
        let orbits = orbits();
        let second = row(&[0, 1], &[0, 0], &[0, 0]);
        let refused = |first: OrbitState| {
            PuzzleState::new(&orbits, vec![first, second.clone()]).unwrap_err().to_string()
        };
        assert_eq!(
            refused(row(&[0, 1, 2], &[0; 4], &[0; 4])),
            "found 3 pieces, expected 4 in set `A`"
        );
        assert_eq!(
            refused(row(&[0, 1, 2, 65535], &[0; 4], &[0; 4])),
            "found piece 65535, expected pieces from 0 to 65534"
        );
        assert_eq!(
            refused(row(&[0, 1, 2, 3], &[0, 0, 0, 6], &[0; 4])),
            "found `6`, expected an orientation from 0 to 5 in set `A`"
        );
        assert_eq!(
            refused(row(&[0, 1, 2, 3], &[0, 0, 0, 3], &[0, 0, 0, 3])),
            "found `3`, expected an orientation from 0 to 2 in set `A`"
        );
        assert_eq!(
            refused(row(&[0, 1, 2, 3], &[0; 4], &[0, 4, 0, 0])),
            "found an orientation modulo 4, expected 0 or a divisor of 6 in set `A`"
        );
        assert!(
            refused(row(&[0, 1, 0, 3], &[0; 4], &[1, 0, 0, 0]))
                .starts_with("found identical pieces")
        );
        assert!(PuzzleState::new(&orbits, vec![second]).is_err());
    }
}
