//! A set of hashes in ten bits each, which may also hold others.

/// The number of bits for each hash that the set has room for.
const BITS: u64 = 10;
/// The number of bits of a block.
const BLOCK_BITS: u64 = 256;

/// Half a cache line: each hash sets one bit of each word.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Block([u32; 8]);

/// Odd multipliers, one for each word of a block.
const MULTIPLIERS: [u32; 8] = [
    0xd837_115f,
    0xea8f_f5f9,
    0x026f_4c85,
    0x50a7_4cff,
    0x73e1_d037,
    0x8f8d_e0e9,
    0x3eb4_59c9,
    0xf11f_c8df,
];

/// A set of hashes. It holds every hash that was inserted, and of all others about one in seventy.
/// A question reads one cache line.
///
/// A Bloom filter in blocks: Felix Putze, Peter Sanders and Johannes Singler, "Cache-, hash- and
/// space-efficient Bloom filters", WEA 2007.
pub(super) struct Filter {
    blocks: Vec<Block>,
}

impl Filter {
    /// The bytes of a set with room for this many hashes.
    pub(super) fn bytes_for(hashes: u64) -> u64 {
        size_of::<Block>() as u64 * Self::blocks_for(hashes)
    }

    fn blocks_for(hashes: u64) -> u64 {
        hashes.saturating_mul(BITS).div_ceil(BLOCK_BITS).max(1)
    }

    /// An empty set with room for this many hashes. `None` if it has too many blocks.
    pub(super) fn with_room(hashes: u64) -> Option<Self> {
        let blocks = u32::try_from(Self::blocks_for(hashes)).ok()?;
        Some(Self { blocks: vec![Block([0; 8]); blocks as usize] })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..])
    }

    /// The block of a hash, by its upper half.
    #[inline(always)]
    fn block(&self, hash: u64) -> usize {
        (((hash >> 32) * self.blocks.len() as u64) >> 32) as usize
    }

    pub(super) fn insert(&mut self, hash: u64) {
        let block = self.block(hash);
        for (word, bit) in self.blocks[block].0.iter_mut().zip(bits(hash)) {
            *word |= bit;
        }
    }

    /// False only if the hash was not inserted.
    #[inline(always)]
    pub(super) fn may_hold(&self, hash: u64) -> bool {
        let words = self.blocks[self.block(hash)].0;
        words.iter().zip(bits(hash)).all(|(&word, bit)| word & bit != 0)
    }
}

/// The bit of each word, by the lower half of a hash.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is taken")]
fn bits(hash: u64) -> [u32; 8] {
    MULTIPLIERS.map(|multiplier| 1 << ((hash as u32).wrapping_mul(multiplier) >> 27))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Key;

    #[test]
    fn a_filter_holds_what_was_inserted_and_few_others() {
        let mut filter = Filter::with_room(100_000).unwrap();
        assert_eq!(filter.bytes() as u64, Filter::bytes_for(100_000));
        assert!((125_000..125_100).contains(&filter.bytes()));
        let hash = |key: u64| key.hash();
        (0..100_000).map(hash).for_each(|hash| filter.insert(hash));
        assert!((0..100_000).map(hash).all(|hash| filter.may_hold(hash)));
        let others = (100_000..300_000).filter(|&key| filter.may_hold(hash(key))).count();
        assert!((1_000..4_000).contains(&others), "{others} of 200,000 others");
        assert!(!Filter::with_room(0).unwrap().may_hold(hash(1)));
    }
}
