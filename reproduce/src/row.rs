//! A row of an experiment ([`Row`]): a published figure beside ours.

use super::{Quantity, Sample};
use serde::Serialize;

/// What kind of claim a row checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// Everyone who computes the same thing gets the same figure.
    Exact,
    /// A mean over instances that the paper does not give, or over random states.
    Sampled,
    /// A fact of its time: hours, machines, what was known.
    History,
}

/// What a row says about the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Agreement {
    /// Our figure is the published one, to its last digit.
    Agrees,
    /// The published figure is wrong. The remark has the evidence.
    WrongAsPrinted,
    /// Our figure is another one, as it has to be: other instances, another method, another time.
    /// The remark says why.
    Other,
    /// Our figure is another one, and should not be.
    Differs,
    /// A limit ended the work first.
    Unfinished,
}

/// A published figure beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The claim of the paper: its letter (K, T, F, J; KF and K85 for those of 2002 and 1985) and
    /// number.
    pub id: &'static str,
    /// What the figure is.
    pub what: String,
    /// The figure of the paper. `None` if it gives none.
    pub published: Option<Quantity>,
    /// Our figure. `None` if the work was not finished, or nothing can be computed.
    pub ours: Option<Quantity>,
    /// Our figure divided by that of the paper, minus 1. `None` if one of them is no number.
    pub deviation: Option<f64>,
    /// The standard error of our figure, if it is a mean of samples.
    pub standard_error: Option<f64>,
    /// The number of samples of our figure.
    pub samples: Option<u64>,
    /// What kind of claim it is.
    pub kind: Kind,
    /// What the row says about the paper.
    pub verdict: Agreement,
    /// Why the figures differ, or what to know about them.
    pub remark: String,
}

impl Row {
    fn new(
        id: &'static str,
        what: impl Into<String>,
        published: Option<Quantity>,
        ours: Option<Quantity>,
    ) -> Self {
        let number = |quantity: &Option<Quantity>| quantity.as_ref().and_then(Quantity::number);
        let deviation = number(&published).zip(number(&ours)).and_then(|(published, ours)| {
            (published != 0.0).then_some(ours / published - 1.0).filter(|ratio| ratio.is_finite())
        });
        Self {
            id,
            what: what.into(),
            published,
            ours,
            deviation,
            standard_error: None,
            samples: None,
            kind: Kind::Exact,
            verdict: Agreement::Other,
            remark: String::new(),
        }
    }

    /// A row of an exact figure: both must be equal.
    pub fn exact(
        id: &'static str,
        what: impl Into<String>,
        published: impl Into<Quantity>,
        ours: impl Into<Quantity>,
    ) -> Self {
        let (published, ours) = (published.into(), ours.into());
        let met = published.is_met_by(&ours);
        let verdict = if met { Agreement::Agrees } else { Agreement::Differs };
        Self { verdict, ..Self::new(id, what, Some(published), Some(ours)) }
    }

    /// A row of a published figure that is wrong. `evidence` says why.
    pub fn wrong(
        id: &'static str,
        what: impl Into<String>,
        published: impl Into<Quantity>,
        ours: impl Into<Quantity>,
        evidence: impl Into<String>,
    ) -> Self {
        let (published, ours) = (published.into(), ours.into());
        // A figure that is right after all makes the evidence false.
        let right = published.is_met_by(&ours);
        let verdict = if right { Agreement::Differs } else { Agreement::WrongAsPrinted };
        let row = Self::new(id, what, Some(published), Some(ours));
        Self { verdict, remark: evidence.into(), ..row }
    }

    /// A row of a figure that cannot be equal. [`Row::remark`] says why.
    pub fn other(
        id: &'static str,
        what: impl Into<String>,
        published: impl Into<Quantity>,
        ours: impl Into<Quantity>,
    ) -> Self {
        Self::new(id, what, Some(published.into()), Some(ours.into()))
    }

    /// A row of a statement of the paper: `yes` is published, and `holds` is ours.
    pub fn holds(id: &'static str, what: impl Into<String>, holds: bool) -> Self {
        Self::exact(id, what, "yes", if holds { "yes" } else { "no" })
    }

    /// A row of a figure that the paper does not give.
    pub fn unpublished(
        id: &'static str,
        what: impl Into<String>,
        ours: impl Into<Quantity>,
    ) -> Self {
        Self::new(id, what, None, Some(ours.into()))
    }

    /// A row of a mean. `decimals` are those of our figure.
    pub fn sampled(
        id: &'static str,
        what: impl Into<String>,
        published: impl Into<Quantity>,
        sample: &Sample,
        decimals: usize,
    ) -> Self {
        let ours = Quantity::Real(sample.mean(), decimals);
        Self::new(id, what, Some(published.into()), Some(ours)).with_sample(sample)
    }

    /// A row of a fact of its time. `ours` is what is known or measured today.
    pub fn history(
        id: &'static str,
        what: impl Into<String>,
        published: impl Into<Quantity>,
        ours: Option<Quantity>,
    ) -> Self {
        Self { kind: Kind::History, ..Self::new(id, what, Some(published.into()), ours) }
    }

    /// A row of work that a limit ended. `found` says how far it came.
    pub fn unfinished(
        id: &'static str,
        what: impl Into<String>,
        published: impl Into<Quantity>,
        found: impl Into<String>,
    ) -> Self {
        let row = Self::new(id, what, Some(published.into()), None);
        Self { verdict: Agreement::Unfinished, remark: found.into(), ..row }
    }

    /// The row with the standard error and size of a sample.
    pub fn with_sample(self, sample: &Sample) -> Self {
        let (error, samples) = (Some(sample.standard_error()), Some(sample.count()));
        Self { standard_error: error, samples, kind: Kind::Sampled, ..self }
    }

    /// The row with a remark.
    pub fn remark(self, remark: impl Into<String>) -> Self {
        Self { remark: remark.into(), ..self }
    }
}
