//! The orbits of a puzzle: sets of slots that exchange their pieces.

use crate::error::{Complaint, quoted};
use std::collections::HashMap;
use std::ops::{Index, Range};
use std::sync::Arc;

/// Largest number of slots of all orbits together.
pub const MOST_SLOTS: usize = 1 << 16;
/// Largest number of orientations of a piece.
pub const MOST_ORIENTATIONS: usize = 255;
/// Largest number of bytes of a name.
pub const LONGEST_NAME: usize = 100;

/// Slots `0 .. pieces` that exchange their pieces. A piece lies in its slot in one of `0 ..
/// orientations` orientations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orbit {
    name: String,
    pieces: usize,
    orientations: u8,
}

impl Orbit {
    /// An orbit with this many slots and orientations. One orientation means that pieces cannot
    /// turn.
    ///
    /// # Errors
    /// If a number is 0 or too large, or the name could be mistaken for another word. A name has 1
    /// to 100 bytes, no blanks or control characters, and none of `( ) [ ] , :`. It does not begin
    /// with `#`, does not end with `*`, and is not `End`. Digits and `?` alone make no name.
    pub fn new(name: &str, pieces: usize, orientations: usize) -> Result<Self, Complaint> {
        check_name(name)?;
        if name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?') {
            return Err(Complaint::new(quoted(name), "a name of a set that is no number"));
        }
        if pieces == 0 || pieces > MOST_SLOTS {
            let expected = format!("a number of pieces from 1 to {MOST_SLOTS}");
            return Err(Complaint::new(quoted(&pieces.to_string()), expected));
        }
        let found = || quoted(&orientations.to_string());
        let expected = || format!("a number of orientations from 1 to {MOST_ORIENTATIONS}");
        let fits = u8::try_from(orientations).ok().filter(|&orientations| orientations > 0);
        let orientations = fits.ok_or_else(|| Complaint::new(found(), expected()))?;
        Ok(Self { name: name.to_owned(), pieces, orientations })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of slots, and of pieces.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The number of ways in which a piece can lie in its slot. 1 if it cannot turn.
    pub fn orientations(&self) -> u8 {
        self.orientations
    }
}

/// Checks that the name of a move or a set cannot be mistaken for another word.
pub(crate) fn check_name(name: &str) -> Result<(), Complaint> {
    let expected = if name.len() > LONGEST_NAME {
        "a name of at most 100 bytes"
    } else if name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        "a name without blanks"
    } else if name.contains(['(', ')', '[', ']', ',', ':']) {
        "a name without ( ) [ ] , : which group moves"
    } else if name.is_empty() || name.starts_with('#') || name.ends_with('*') || name == "End" {
        "a name that does not begin with #, does not end with * and is not End"
    } else {
        return Ok(());
    };
    Err(Complaint::new(quoted(name), expected))
}

/// The orbits of a puzzle in the order of its file. Cheap to clone.
///
/// Lists over all slots of a puzzle have the slots orbit after orbit. The slots of orbit `i` have
/// the indices [`Orbits::range`].
#[derive(Clone, Debug)]
pub struct Orbits(Arc<Inner>);

#[derive(PartialEq, Eq, Debug)]
struct Inner {
    list: Vec<Orbit>,
    /// The index of the first slot of each orbit among all slots, and the number of all slots.
    starts: Vec<usize>,
    index: HashMap<String, usize>,
}

impl PartialEq for Orbits {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Orbits {}

impl Orbits {
    /// The orbits in this order.
    ///
    /// # Errors
    /// If there is none, a name occurs twice, or they have more than [`MOST_SLOTS`] slots together.
    pub fn new(list: Vec<Orbit>) -> Result<Self, Complaint> {
        let mut starts = vec![0];
        let mut index = HashMap::new();
        let mut end = 0;
        for (number, orbit) in list.iter().enumerate() {
            end += orbit.pieces;
            if end > MOST_SLOTS {
                let found = format!("{end} slots in all sets up to {}", quoted(&orbit.name));
                return Err(Complaint::new(found, format!("at most {MOST_SLOTS}")));
            }
            if index.insert(orbit.name.clone(), number).is_some() {
                let found = format!("a second set {}", quoted(&orbit.name));
                return Err(Complaint::new(found, "sets of different names"));
            }
            starts.push(end);
        }
        if list.is_empty() {
            return Err(Complaint::new("no set of pieces", "at least one"));
        }
        Ok(Self(Arc::new(Inner { list, starts, index })))
    }

    /// The number of orbits, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one")]
    pub fn len(&self) -> usize {
        self.0.list.len()
    }

    /// The orbits in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Orbit> {
        self.0.list.iter()
    }

    /// The orbit with this number, from 0. `None` if there is no such orbit.
    pub fn get(&self, number: usize) -> Option<&Orbit> {
        self.0.list.get(number)
    }

    /// The number of the orbit with this name, from 0. `None` if there is none.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.index.get(name).copied()
    }

    /// The number of slots of all orbits.
    pub fn slots(&self) -> usize {
        self.0.starts[self.len()]
    }

    /// The indices of an orbit's slots among all slots. Empty if there is no such orbit.
    pub fn range(&self, number: usize) -> Range<usize> {
        match self.get(number) {
            Some(orbit) => self.0.starts[number]..self.0.starts[number] + orbit.pieces,
            None => self.slots()..self.slots(),
        }
    }

    /// Each orbit with the indices of its slots among all slots.
    pub fn ranges(&self) -> impl Iterator<Item = (&Orbit, Range<usize>)> {
        self.iter().zip(self.0.starts.windows(2).map(|pair| pair[0]..pair[1]))
    }
}

/// The index is the number of an orbit, from 0.
impl Index<usize> for Orbits {
    type Output = Orbit;
    fn index(&self, number: usize) -> &Orbit {
        &self.0.list[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orbit(name: &str, pieces: usize, orientations: usize) -> Orbit {
        Orbit::new(name, pieces, orientations).unwrap()
    }

    #[test]
    fn rows_follow_each_other() {
        let orbits = Orbits::new(vec![orbit("CORNERS", 8, 3), orbit("EDGES", 12, 2)]).unwrap();
        assert_eq!((orbits.len(), orbits.slots()), (2, 20));
        assert_eq!((orbits.range(0), orbits.range(1), orbits.range(2)), (0..8, 8..20, 20..20));
        assert_eq!((orbits.find("EDGES"), orbits.find("Edges")), (Some(1), None));
        assert_eq!(orbits.get(1).map(Orbit::orientations), Some(2));
        let again = Orbits::new(vec![orbit("CORNERS", 8, 3), orbit("EDGES", 12, 2)]).unwrap();
        let other = Orbits::new(vec![orbit("CORNERS", 8, 3), orbit("EDGES", 12, 3)]).unwrap();
        assert_eq!(orbits, again);
        assert_ne!(orbits, other);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (name, pieces, orientations, complaint) in [
            ("A", 0, 1, "found `0`, expected a number of pieces from 1 to 65536"),
            ("A", 65537, 1, "found `65537`, expected a number of pieces from 1 to 65536"),
            ("A", 1, 0, "found `0`, expected a number of orientations from 1 to 255"),
            ("A", 1, 256, "found `256`, expected a number of orientations from 1 to 255"),
            ("1", 1, 1, "found `1`, expected a name of a set that is no number"),
            ("a b", 1, 1, "found `a b`, expected a name without blanks"),
            (
                "End",
                1,
                1,
                "found `End`, expected a name that does not begin with #, does not end with * \
                 and is not End",
            ),
        ] {
            assert_eq!(Orbit::new(name, pieces, orientations).unwrap_err().to_string(), complaint);
        }
        let twice = Orbits::new(vec![orbit("A", 1, 1), orbit("A", 2, 1)]).unwrap_err();
        assert_eq!(twice.to_string(), "found a second set `A`, expected sets of different names");
        let large = Orbits::new(vec![orbit("A", 65536, 1), orbit("B", 1, 1)]).unwrap_err();
        assert_eq!(
            large.to_string(),
            "found 65537 slots in all sets up to `B`, expected at most 65536"
        );
        assert!(Orbits::new(Vec::new()).is_err());
    }
}
