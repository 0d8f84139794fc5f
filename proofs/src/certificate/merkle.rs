//! The Merkle root of a list of texts.
//!
//! Leaves, nodes and the root are hashed with different keys. So no node passes as a leaf, and a
//! list has another root than any part of it.

/// The root of a list: the hash of its length and of the topmost node.
pub(super) fn root(leaves: &[String]) -> [u8; 32] {
    let leaf = |text: &String| hash("fewest certificate 1 leaf", &[text.as_bytes()]);
    let mut level: Vec<[u8; 32]> = leaves.iter().map(leaf).collect();
    while level.len() > 1 {
        let pair = |pair: &[[u8; 32]]| match pair {
            [left, right] => hash("fewest certificate 1 node", &[left, right]),
            // A node without a neighbour goes up as it is.
            _ => pair[0],
        };
        level = level.chunks(2).map(pair).collect();
    }
    let top = level.first().copied().unwrap_or_default();
    hash("fewest certificate 1 root", &[&(leaves.len() as u64).to_le_bytes(), &top])
}

fn hash(key: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(key);
    parts.iter().for_each(|part| _ = hasher.update(part));
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn other_lists_have_other_roots() {
        let leaves: Vec<String> = (0..20).map(|leaf| leaf.to_string()).collect();
        let mut roots = BTreeSet::new();
        for length in 0..=leaves.len() {
            roots.insert(root(&leaves[..length]));
            for at in 0..length {
                let mut other = leaves[..length].to_vec();
                other[at].push('x');
                roots.insert(root(&other));
            }
        }
        assert_eq!(roots.len(), 21 + 210);
        assert_ne!(root(&leaves[..2]), root(&[leaves[1].clone(), leaves[0].clone()]));
    }
}
