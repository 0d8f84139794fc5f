//! Which open state a best-first search takes next.

use crate::domain::{Cost, MAX_COST};

/// A greater weight changes nothing: with this one, `h` alone decides already, and `g` only breaks
/// ties.
const GREATEST_WEIGHT: f64 = MAX_COST as f64 + 1.0;

/// Which open state is taken next.
pub(super) enum Order {
    /// A state with the least `g` plus weighted `h`, and among these with the least `h`. The list
    /// is indexed by `h` and has its weighted value.
    Weighted(Vec<u16>),
    /// A state with the least `h`, and among these with the least `g`.
    Nearest,
}

impl Order {
    /// The order by `g` plus `weight * h`, rounded down. A weight that is no number, or below 1,
    /// counts as 1.
    pub(super) fn weighted(weight: f64) -> Self {
        let weight = if weight >= 1.0 { weight.min(GREATEST_WEIGHT) } else { 1.0 };
        #[expect(clippy::cast_possible_truncation, reason = "at most 255 * 251")]
        #[expect(clippy::cast_sign_loss, reason = "a product of positive numbers")]
        let rounded = |h: Cost| (f64::from(h) * weight) as u16;
        Self::Weighted((0..=Cost::MAX).map(rounded).collect())
    }

    /// Both priorities of a state.
    #[inline(always)]
    pub(super) fn priorities(&self, g: Cost, h: Cost) -> (usize, usize) {
        let second = usize::from(h);
        match self {
            Self::Weighted(weighted) => (usize::from(g) + usize::from(weighted[second]), second),
            Self::Nearest => (second, usize::from(g)),
        }
    }

    /// The `g` of a state with these priorities.
    #[inline(always)]
    pub(super) fn g(&self, first: usize, second: usize) -> usize {
        match self {
            Self::Weighted(weighted) => first - usize::from(weighted[second]),
            Self::Nearest => second,
        }
    }

    /// Whether a state is opened again when it is reached more cheaply.
    #[inline(always)]
    pub(super) fn reopens(&self) -> bool {
        matches!(self, Self::Weighted(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_round_down_and_stay_within_their_range() {
        assert_eq!(Order::weighted(1.5).priorities(3, 5), (10, 5));
        assert_eq!(Order::weighted(1.5).g(10, 5), 3);
        for weight in [1.0, 0.5, -7.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(Order::weighted(weight).priorities(3, 5), (8, 5), "{weight}");
        }
        for weight in [251.0, 1e300, f64::INFINITY] {
            assert_eq!(Order::weighted(weight).priorities(250, 255), (64_255, 255), "{weight}");
        }
    }
}
