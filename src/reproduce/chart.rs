//! A figure of a paper as data ([`Chart`]). Who draws it is another matter.

use serde::Serialize;

/// A bar chart: how often each value occurs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Chart {
    /// The title.
    pub title: String,
    /// What the values are: the horizontal axis.
    pub values: String,
    /// What is counted: the vertical axis.
    pub counts: String,
    /// The distributions, each with its name. Entry `v` of the list is the height at value `v`.
    pub series: Vec<(String, Vec<f64>)>,
}

impl Chart {
    /// A chart without distributions.
    pub fn new(
        title: impl Into<String>,
        values: impl Into<String>,
        counts: impl Into<String>,
    ) -> Self {
        let (title, values, counts) = (title.into(), values.into(), counts.into());
        Self { title, values, counts, series: Vec::new() }
    }

    /// The chart with one more distribution, of counts.
    pub fn with(mut self, name: impl Into<String>, counts: &[u64]) -> Self {
        self.series.push((name.into(), counts.iter().map(|&count| count as f64).collect()));
        self
    }

    /// The chart with one more distribution, of shares in per cent.
    pub fn with_shares(mut self, name: impl Into<String>, counts: &[u64]) -> Self {
        let total = counts.iter().sum::<u64>().max(1) as f64;
        let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        let shares = counts[..end].iter().map(|&count| 100.0 * count as f64 / total);
        self.series.push((name.into(), shares.collect()));
        self
    }
}
