//! Figures: [`Quantity`], and the mean of a [`Sample`].

use serde::{Serialize, Serializer};

/// A figure or a text, of a paper or ours.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Quantity {
    /// A whole number.
    Whole(u128),
    /// A number with this many decimals.
    Real(f64, usize),
    /// Anything else.
    Text(String),
}

impl From<u128> for Quantity {
    fn from(number: u128) -> Self {
        Self::Whole(number)
    }
}

impl From<u64> for Quantity {
    fn from(number: u64) -> Self {
        Self::Whole(number.into())
    }
}

impl From<usize> for Quantity {
    fn from(number: usize) -> Self {
        Self::Whole(number as u128)
    }
}

impl From<(f64, usize)> for Quantity {
    fn from((number, decimals): (f64, usize)) -> Self {
        Self::Real(number, decimals)
    }
}

impl From<&str> for Quantity {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Quantity {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number, decimals) => write!(f, "{number:.decimals$}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Serialize for Quantity {
    /// Numbers are numbers of any size. A real number has its own decimals.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole(number) => serializer.serialize_u128(*number),
            Self::Real(..) => match self.to_string().parse::<serde_json::Number>() {
                Ok(number) => number.serialize(serializer),
                Err(_) => serializer.serialize_none(),
            },
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl Quantity {
    /// The number. `None` for a text.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "a deviation needs few digits")]
            Self::Whole(number) => Some(*number as f64),
            Self::Real(number, _) => Some(*number),
            Self::Text(_) => None,
        }
    }

    /// Whether `ours` is this published quantity. A published real number was rounded, or its last
    /// digits were cut off.
    pub(super) fn is_met_by(&self, ours: &Self) -> bool {
        match (self, ours) {
            (Self::Real(published, decimals), ours) => ours.number().is_some_and(|ours| {
                let unit = 10_f64.powi(-i32::try_from(*decimals).unwrap_or(i32::MAX));
                (-0.500_001 * unit..unit * 0.999_999).contains(&(ours - published))
            }),
            (published, ours) => published == ours,
        }
    }
}

/// Mean and standard error of values, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Sample {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean. 0 without values.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The standard deviation of the values, estimated from the sample.
    pub fn deviation(&self) -> f64 {
        let (count, mean) = (self.count as f64, self.mean());
        ((self.squares - count * mean * mean).max(0.0) / (count - 1.0).max(1.0)).sqrt()
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        self.deviation() / (self.count.max(1) as f64).sqrt()
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sample = Self::default();
        values.into_iter().for_each(|value| sample.add(value));
        sample
    }
}
