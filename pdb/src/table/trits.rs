//! Distances modulo 3 in 1.6 bits an entry: [`Trits`].

use super::{Modulo3, Remainders};
use crate::builder::{BuildError, fill_bytes};
use crate::file::Payload;
use crate::memory::Bytes;

/// Number of entries of a byte.
const IN_BYTE: u64 = 5;
/// The values of a byte: 3 to the power of [`IN_BYTE`].
const VALUES: u8 = 243;

/// For each byte: its five digits of base 3, two bits each, the lowest digit in the lowest bits.
static DIGITS: [u16; VALUES as usize] = {
    let mut digits = [0; VALUES as usize];
    let mut byte = 0;
    while byte < digits.len() {
        let (mut rest, mut shift) = (byte, 0);
        while rest > 0 {
            digits[byte] |= [0, 1, 2][rest % 3] << shift;
            (rest, shift) = (rest / 3, shift + 2);
        }
        byte += 1;
    }
    digits
};

/// A read-only table of distances modulo 3 with five entries in a byte. Every entry must reach a
/// goal, because a byte has no value to spare for the others.
///
/// It takes 0.8 times the bytes of a [`Modulo3`]. A read costs a multiplication and a second
/// lookup, in a table of 486 bytes, more.
///
/// Layout: byte `e / 5` has the remainder of entry `e` as digit `e % 5` of base 3, the lowest digit
/// first. Digits after the last entry are 0.
#[derive(Clone, Debug)]
pub struct Trits {
    bytes: Bytes,
    entries: u64,
}

/// Why there is no table of five entries in a byte.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TritsError {
    /// An entry reaches no goal.
    #[error("entry {entry} reaches no goal, and a remainder modulo 3 cannot say so")]
    Unreached {
        /// The first such entry.
        entry: u64,
    },
    /// Memory is short.
    #[error(transparent)]
    Memory(#[from] BuildError),
}

impl Trits {
    /// Size of a table in bytes.
    pub const fn bytes_for(entries: u64) -> u64 {
        entries.div_ceil(IN_BYTE)
    }

    /// Encoding and size of a table in its file.
    pub fn payload(entries: u64) -> Payload {
        Payload { encoding: "trits".to_owned(), entries, bytes: Self::bytes_for(entries) }
    }

    /// A table over bytes in the layout of this type, such as a loaded payload. `None` if their
    /// number is not [`Trits::bytes_for`], or a byte is above 242.
    pub fn new(bytes: Bytes, entries: u64) -> Option<Self> {
        let fits = bytes.len() as u64 == Self::bytes_for(entries);
        (fits && bytes.iter().all(|&byte| byte < VALUES)).then_some(Self { bytes, entries })
    }

    /// The same remainders with five entries in a byte.
    ///
    /// # Errors
    /// If an entry reaches no goal, or memory is short.
    pub fn from_modulo3(table: &Modulo3) -> Result<Self, TritsError> {
        let entries = table.entries();
        let unreached = |&entry: &u64| table.get(entry) == Modulo3::UNREACHED;
        if let Some(entry) = (0..entries).find(unreached) {
            return Err(TritsError::Unreached { entry });
        }
        let bytes = fill_bytes(Self::bytes_for(entries), |place| {
            let first = place * IN_BYTE;
            let last = entries.min(first + IN_BYTE);
            (first..last).rev().fold(0, |byte, entry| 3 * byte + table.get(entry))
        })?;
        Ok(Self { bytes, entries })
    }

    /// The packed bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The packed bytes, taken out of the table.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The index of an entry's byte. It is out of range if the table has no such byte.
    #[inline(always)]
    fn byte_of(entry: u64) -> usize {
        usize::try_from(entry / IN_BYTE).unwrap_or(usize::MAX)
    }
}

impl Remainders for Trits {
    fn entries(&self) -> u64 {
        self.entries
    }
    #[inline(always)]
    fn get(&self, entry: u64) -> u8 {
        let digits = DIGITS[usize::from(self.bytes[Self::byte_of(entry)])];
        let [low, _] = (digits >> (2 * (entry % IN_BYTE))).to_le_bytes();
        low & 3
    }
    #[inline(always)]
    fn prefetch(&self, entry: u64) {
        search::prefetch(&self.bytes, Self::byte_of(entry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::BuildOptions;
    use crate::memory::BytesMut;
    use crate::testing::{DiscPattern, Ring};

    fn two_bits(codes: &[u8]) -> Modulo3 {
        let entries = codes.len() as u64;
        let byte =
            |codes: &[u8]| (0..4).fold(0, |byte, i| byte | codes.get(i).unwrap_or(&3) << (2 * i));
        let packed: Vec<u8> = codes.chunks(4).map(byte).collect();
        let mut bytes = BytesMut::zeroed(packed.len()).expect("memory");
        bytes.as_mut_slice().copy_from_slice(&packed);
        Modulo3::new(bytes.freeze(), entries).expect("fits")
    }

    #[test]
    fn a_byte_has_five_digits() {
        let trits = Trits::from_modulo3(&two_bits(&[0, 1, 2, 2, 1, 2, 1])).expect("reached");
        assert_eq!(trits.bytes(), [3 + 2 * 9 + 2 * 27 + 81, 2 + 3]);
        assert!(Trits::new(trits.clone().into_bytes(), 7).is_some());
        assert!(Trits::new(trits.into_bytes(), 11).is_none());
        assert!(
            Trits::new(two_bits(&[3; 4]).into_bytes(), 5).is_none(),
            "255 is no byte of digits"
        );
    }

    #[test]
    fn entries_without_a_goal_are_refused() {
        let refused = Trits::from_modulo3(&two_bits(&[0, 1, 2, 0, 1, 3, 3]));
        assert!(matches!(refused, Err(TritsError::Unreached { entry: 5 })));
    }

    #[test]
    fn remainders_are_those_of_two_bits() {
        let pattern = DiscPattern::new(Ring::new(9, 3, 4), 3);
        let two = Modulo3::build(&pattern, &BuildOptions::default()).expect("built");
        let trits = Trits::from_modulo3(&two).expect("reached");
        assert_eq!(trits.entries(), two.entries());
        assert!((0..two.entries()).all(|entry| trits.get(entry) == two.get(entry)));
        assert_eq!(trits.bytes().len() as u64, two.entries().div_ceil(5));
        trits.prefetch(u64::MAX);
    }
}
