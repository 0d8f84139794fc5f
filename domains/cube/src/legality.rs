//! Which cubes face turns can reach: three laws that solvable cubes obey.

use crate::cube::{Cube, Parts};
use std::fmt;

/// The laws of solvable cubes that a cube breaks: at least one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegalityError {
    /// The sum of the corners' twists modulo 3. It is 0 on solvable cubes.
    pub twist: u8,
    /// Whether the sum of the edges' flips is odd. It is even on solvable cubes.
    pub flip: bool,
    /// Whether the permutations of corners and edges have different parities. They are equal on
    /// solvable cubes.
    pub parity: bool,
}

impl fmt::Display for LegalityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let twist = match self.twist {
            1 => Some("one corner is twisted clockwise: twists sum to 1 modulo 3, expected 0"),
            2 => {
                Some("one corner is twisted counterclockwise: twists sum to 2 modulo 3, expected 0")
            }
            _ => None,
        };
        let flip = self.flip.then_some("one edge is flipped: flips sum to 1 modulo 2, expected 0");
        let parity = self.parity.then_some(
            "two pieces are swapped: the permutations of corners and edges have different parities, \
             expected the same",
        );
        let broken: Vec<_> = [twist, flip, parity].into_iter().flatten().collect();
        f.write_str(&broken.join("; "))
    }
}

impl std::error::Error for LegalityError {}

/// Why some [`Parts`] are not a cube.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: found {found}, expected {expected}")]
pub struct PartsError {
    place: String,
    found: u8,
    expected: &'static str,
}

impl Cube {
    /// The cube with these parts. It may be unsolvable: see [`Cube::check`].
    ///
    /// # Errors
    /// If a piece is missing or unknown, or an orientation is out of range.
    pub fn from_parts(parts: &Parts) -> Result<Self, PartsError> {
        check_pieces("corner", &parts.corners, "each piece from 0 to 7 once")?;
        check_pieces("edge", &parts.edges, "each piece from 0 to 11 once")?;
        check_range("twist", &parts.twists, 3, "a twist from 0 to 2")?;
        check_range("flip", &parts.flips, 2, "a flip of 0 or 1")?;
        Ok(parts.pack())
    }

    /// Checks that face turns can solve this cube.
    ///
    /// That is the case if and only if three laws hold:
    ///
    /// - both permutations have the same parity;
    /// - twists sum to 0 modulo 3;
    /// - flips sum to 0 modulo 2.
    ///
    /// (Joe Fowler, "Algorithmic approaches to solving the Rubik's cube", 2002, section 1.3.)
    ///
    /// # Errors
    /// If a law is broken. The error names each broken law.
    pub fn check(&self) -> Result<(), LegalityError> {
        let parts = self.parts();
        let broken = LegalityError {
            twist: parts.twists.iter().sum::<u8>() % 3,
            flip: parts.flips.iter().sum::<u8>() % 2 == 1,
            parity: self.corners_odd() != self.edges_odd(),
        };
        if broken.twist == 0 && !broken.flip && !broken.parity { Ok(()) } else { Err(broken) }
    }
}

fn check_pieces(kind: &str, pieces: &[u8], expected: &'static str) -> Result<(), PartsError> {
    let mut seen = 0_u32;
    for (slot, &found) in pieces.iter().enumerate() {
        let known = usize::from(found) < pieces.len();
        if !known || seen >> found & 1 == 1 {
            return Err(PartsError { place: format!("{kind} slot {slot}"), found, expected });
        }
        seen |= 1 << found;
    }
    Ok(())
}

fn check_range(
    kind: &str,
    values: &[u8],
    end: u8,
    expected: &'static str,
) -> Result<(), PartsError> {
    match values.iter().enumerate().find(|&(_, &value)| value >= end) {
        None => Ok(()),
        Some((slot, &found)) => {
            Err(PartsError { place: format!("{kind} in slot {slot}"), found, expected })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(change: impl Fn(&mut Parts)) -> String {
        let mut parts = Parts::SOLVED;
        change(&mut parts);
        Cube::from_parts(&parts).unwrap().check().unwrap_err().to_string()
    }

    #[test]
    fn each_law_is_named_when_it_is_broken() {
        assert!(broken(|parts| parts.twists[3] = 1).starts_with("one corner is twisted clockwise"));
        assert!(broken(|parts| parts.twists[3] = 2).contains("counterclockwise: twists sum to 2"));
        assert!(broken(|parts| parts.flips[7] = 1).starts_with("one edge is flipped"));
        assert!(broken(|parts| parts.edges.swap(1, 2)).starts_with("two pieces are swapped"));
        assert!(broken(|parts| parts.corners.swap(1, 2)).starts_with("two pieces are swapped"));
        let all = broken(|parts| {
            (parts.twists[0], parts.flips[0]) = (1, 1);
            parts.corners.swap(0, 1);
        });
        assert_eq!(all.matches("; ").count(), 2, "{all}");
    }

    #[test]
    fn two_wrongs_make_a_legal_cube() {
        let mut parts = Parts::SOLVED;
        (parts.twists[0], parts.twists[5]) = (1, 2);
        (parts.flips[0], parts.flips[11]) = (1, 1);
        parts.corners.swap(1, 2);
        parts.edges.swap(6, 8);
        assert_eq!(Cube::from_parts(&parts).unwrap().check(), Ok(()));
    }

    #[test]
    fn parts_that_are_no_cube_are_refused() {
        let refused = |change: &dyn Fn(&mut Parts)| {
            let mut parts = Parts::SOLVED;
            change(&mut parts);
            Cube::from_parts(&parts).unwrap_err().to_string()
        };
        assert_eq!(
            refused(&|parts| parts.corners[4] = 0),
            "corner slot 4: found 0, expected each piece from 0 to 7 once"
        );
        assert!(refused(&|parts| parts.edges[11] = 12).starts_with("edge slot 11: found 12"));
        assert!(refused(&|parts| parts.twists[2] = 3).starts_with("twist in slot 2: found 3"));
        assert!(refused(&|parts| parts.flips[2] = 2).starts_with("flip in slot 2: found 2"));
    }
}
