//! The laws of packed states and their keys.

use super::{LawError, law, samples};
use crate::domain::{FlatKey, Packed};

/// Checks [`Packed`]: a key unpacks to its state, whatever state it is written over. So different
/// states have different keys. A key has at most 16 bytes, or no more bytes than the state.
///
/// # Errors
/// Names the law that is broken, with the state.
pub fn check_packed<D: Packed>(domain: &D, starts: &[D::State]) -> Result<(), LawError> {
    let (key, most) = (size_of::<D::Key>(), size_of::<D::State>().max(16));
    law!(key <= most, "a key has {key} bytes; there must be at most {most}");
    let states = samples(domain, starts);
    for (number, state) in states.iter().enumerate() {
        let key = domain.pack(state);
        let mut back = states[number / 2].clone();
        domain.unpack(key, &mut back);
        law!(
            back == *state,
            "{state:?} packs to {key:?}, which unpacks to {back:?} over {:?}",
            states[number / 2]
        );
    }
    Ok(())
}

/// Checks [`FlatKey`]: a key writes all its bytes, whatever they were, and reads back as itself.
///
/// # Errors
/// Names the law that is broken, with the key.
pub fn check_flat_keys<K: FlatKey>(keys: &[K]) -> Result<(), LawError> {
    law!(!keys.is_empty(), "no keys to check");
    for &key in keys {
        let [mut zeros, mut ones] = [vec![0; K::BYTES], vec![0xff; K::BYTES]];
        key.write(&mut zeros);
        key.write(&mut ones);
        law!(zeros == ones, "{key:?} does not write all its bytes: {zeros:?} and {ones:?}");
        let back = K::read(&zeros);
        law!(back == key, "{key:?} writes {zeros:?}, which reads as {back:?}");
    }
    Ok(())
}
