//! Figures as data ([`Chart`]). Who draws them is another matter.

use serde::Serialize;

/// A bar chart: how high each value is, in one or several distributions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Chart {
    /// The title.
    pub title: String,
    /// What the values are: the horizontal axis.
    pub values: String,
    /// What is counted: the vertical axis.
    pub counts: String,
    /// Whether the vertical axis is logarithmic. Then heights of 0 are not drawn.
    pub logarithmic: bool,
    /// The names of the values. If empty, the values are the numbers from 0.
    pub names: Vec<String>,
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
        Self { title, values, counts, ..Self::default() }
    }

    /// The same chart with a logarithmic vertical axis.
    #[must_use]
    pub fn logarithmic(self) -> Self {
        Self { logarithmic: true, ..self }
    }

    /// The same chart with names for the values.
    #[must_use]
    pub fn named(self, names: impl IntoIterator<Item = String>) -> Self {
        Self { names: names.into_iter().collect(), ..self }
    }

    /// The chart with one more distribution.
    #[must_use]
    pub fn with_heights(
        mut self,
        name: impl Into<String>,
        heights: impl IntoIterator<Item = f64>,
    ) -> Self {
        self.series.push((name.into(), heights.into_iter().collect()));
        self
    }

    /// The chart with one more distribution, of counts.
    #[must_use]
    pub fn with(self, name: impl Into<String>, counts: &[u64]) -> Self {
        self.with_heights(name, counts.iter().map(|&count| count as f64))
    }

    /// The chart with one more distribution, of shares in per cent.
    #[must_use]
    pub fn with_shares(self, name: impl Into<String>, counts: &[u64]) -> Self {
        let total = counts.iter().sum::<u64>().max(1) as f64;
        let end = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        self.with_heights(name, counts[..end].iter().map(|&count| 100.0 * count as f64 / total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_and_end_with_the_last_count() {
        let chart = Chart::new("a", "b", "c").with_shares("d", &[1, 0, 3, 0]);
        assert_eq!(chart.series, [("d".to_owned(), vec![25.0, 0.0, 75.0])]);
        assert!(Chart::default().with_shares("none", &[0, 0]).series[0].1.is_empty());
    }
}
