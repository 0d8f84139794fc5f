//! Which rank owns an entry of a table: [`Ranges`].

/// The entries that share an owner.
pub(crate) const BLOCK: u64 = 64;

/// The blocks of each rank: about as many for each, in the order of the ranks.
#[derive(Debug)]
pub(crate) struct Ranges {
    starts: Vec<u64>,
}

impl Ranges {
    pub(crate) fn new(entries: u64, ranks: usize) -> Self {
        let blocks = u128::from(entries.div_ceil(BLOCK));
        let first = |rank| {
            u64::try_from(blocks * rank as u128 / ranks as u128).expect("at most all blocks")
        };
        Self { starts: (0..=ranks).map(first).collect() }
    }

    pub(crate) fn ranks(&self) -> usize {
        self.starts.len() - 1
    }

    /// The first block of each rank, then the number of blocks.
    pub(crate) fn starts(&self) -> &[u64] {
        &self.starts
    }

    /// The blocks of a rank.
    pub(crate) fn blocks(&self, rank: usize) -> std::ops::Range<u64> {
        self.starts[rank]..self.starts[rank + 1]
    }

    /// The rank that owns an entry.
    pub(crate) fn owner(&self, entry: u64) -> usize {
        let block = entry / BLOCK;
        self.starts[1..].partition_point(|&end| end <= block)
    }
}
