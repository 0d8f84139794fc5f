//! Figures of a macro table: how many macros it has, and how long plans are.

use super::table::MacroTable;

/// Figures of a macro table. Lengths are costs, which are numbers of operators if each costs 1.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MacroStatistics {
    /// The figures of each feature, in serial order.
    pub columns: Vec<ColumnStatistics>,
    /// The number of macros.
    pub macros: usize,
    /// The number of macros that are proven to be the cheapest.
    pub cheapest: usize,
    /// The length of all macros together.
    pub total: u64,
    /// The length of the longest macro.
    pub longest: u32,
    /// The mean length of a plan of the table over all states. It is exact if every combination of
    /// values that the table lists occurs equally often. That is so if the states are a group.
    pub mean_plan: f64,
    /// A plan of the table is never longer than this.
    pub longest_plan: u64,
}

/// Figures of one feature of a macro table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ColumnStatistics {
    /// The number of macros.
    pub macros: usize,
    /// The length of all macros together.
    pub total: u64,
    /// The length of the longest macro.
    pub longest: u32,
}

impl ColumnStatistics {
    /// The mean length, where the goal's value counts with length 0.
    pub fn mean(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a total is far below 2^53")]
        let mean = self.total as f64 / (self.macros + 1) as f64;
        mean
    }
}

impl MacroTable {
    /// The figures of the table.
    pub fn statistics(&self) -> MacroStatistics {
        let of_column = |feature: usize| {
            let costs = || self.columns[feature].iter().flatten().map(|entry| entry.cost);
            ColumnStatistics {
                macros: costs().count(),
                total: costs().map(u64::from).sum(),
                longest: costs().max().unwrap_or(0),
            }
        };
        let columns: Vec<ColumnStatistics> = (0..self.features()).map(of_column).collect();
        MacroStatistics {
            macros: columns.iter().map(|column| column.macros).sum(),
            cheapest: self.iter().filter(|(.., entry)| entry.cheapest).count(),
            total: columns.iter().map(|column| column.total).sum(),
            longest: columns.iter().map(|column| column.longest).max().unwrap_or(0),
            mean_plan: columns.iter().map(ColumnStatistics::mean).sum(),
            longest_plan: columns.iter().map(|column| u64::from(column.longest)).sum(),
            columns,
        }
    }
}
