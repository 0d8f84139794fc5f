//! How often each distance occurs in a table: [`Histogram`].

/// How often each value occurs in a table.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Histogram {
    /// For each distance from 0 to the greatest that occurs: the number of entries that have it.
    pub counts: Vec<u64>,
    /// Number of entries that reach no goal.
    pub unreached: u64,
    /// Number of all entries.
    pub entries: u64,
}

impl Histogram {
    /// The mean distance of the entries that reach a goal; 0 if there are none.
    pub fn mean(&self) -> f64 {
        let (mut sum, mut reached) = (0_u64, 0_u64);
        for (value, &count) in (0_u64..).zip(&self.counts) {
            sum += value * count;
            reached += count;
        }
        if reached == 0 { 0.0 } else { sum as f64 / reached as f64 }
    }

    /// The greatest distance; 0 if no entry reaches a goal.
    pub fn max(&self) -> u16 {
        let most = self.counts.len().saturating_sub(1);
        u16::try_from(most).expect("distances of at most 65,534")
    }
}
