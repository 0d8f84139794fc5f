//! Pieces whose lower bounds add up to those of others: [`parts`].

use super::encoding::Encoding;

/// Most entries of a table of an additive pattern.
/// Tests have small tables, so that bounds are not exact.
const MOST_ENTRIES: usize = if cfg!(test) { 300 } else { 1 << 25 };

/// Most pieces of a pattern. There is a table for each set of its pieces.
pub(super) const MOST_PIECES: usize = 8;

/// The kinds of the parts of additive tables. Each pattern of the encoding is a part, if a table
/// has room for it. The other charged kinds follow in their order, as many for each part as fit.
pub(super) fn parts(encoding: &Encoding, charged: &[usize]) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let is_new = |parts: &[Vec<usize>], kind: &usize| {
        charged.contains(kind) && !parts.iter().any(|part| part.contains(kind))
    };
    let fits = |kinds: &[usize]| {
        // The key piece takes part, and is about as large.
        let sizes = kinds.iter().chain(kinds.first()).map(|&kind| encoding.kinds[kind].len());
        kinds.len() <= MOST_PIECES && sizes.fold(1, usize::saturating_mul) <= MOST_ENTRIES
    };
    for pattern in &encoding.patterns {
        let atoms = pattern.iter().filter_map(|&place| encoding.goals[0].get(place));
        let mut kinds: Vec<usize> = atoms.map(|&atom| encoding.kind_of(atom)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.retain(|kind| is_new(&parts, kind));
        parts.extend(Some(kinds).filter(|kinds| fits(kinds)));
    }
    let rest: Vec<usize> = charged.iter().copied().filter(|kind| is_new(&parts, kind)).collect();
    let mut last: Vec<usize> = Vec::new();
    for kind in rest {
        last.push(kind);
        if !fits(&last) {
            last.pop();
            parts.push(std::mem::replace(&mut last, vec![kind]));
        }
    }
    parts.push(last);
    parts.retain(|part| !part.is_empty());
    parts
}
