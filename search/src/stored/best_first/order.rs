//! Which open state a best-first search takes next.

use num_traits::PrimInt;

/// Which open state [`best_first`](crate::stored::best_first()) takes next. Of equal states, it
/// takes one with the least `h` (of those nearest to a goal: with the least `g`), and then the one
/// opened last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// The least `g + h`: A\*. The plan has the least cost if no estimate is above the true cost.
    LeastTotal,
    /// The least `g + weight * h`, rounded down: weighted A\*. A weight that is no number, or below
    /// 1, counts as 1. See [`weighted_a_star`](crate::stored::weighted_a_star).
    Weighted(f64),
    /// The least `h`: greedy best-first search. A state keeps the first path that reaches it.
    Nearest,
    /// The fewest steps: breadth-first search. Ends when a goal is generated. All estimates must be
    /// 0, and all costs 1.
    FewestSteps,
}

impl Order {
    /// This order with a weight in its range. A weight above the greatest cost changes nothing:
    /// then `h` alone decides already, and `g` only breaks ties.
    pub(super) fn checked<C: PrimInt>(self, most: C) -> Self {
        let greatest = most.to_f64().unwrap_or(f64::MAX) + 1.0;
        match self {
            Self::Weighted(weight) if weight > 1.0 => Self::Weighted(weight.min(greatest)),
            Self::Weighted(_) => Self::LeastTotal,
            order => order,
        }
    }

    /// Both priorities of a state; `None` if the first is too great for a word.
    #[inline(always)]
    pub(super) fn priorities<C: PrimInt>(self, g: C, h: C) -> Option<(u64, C)> {
        match self {
            Self::LeastTotal | Self::FewestSteps => {
                Some((g.to_u64()?.checked_add(h.to_u64()?)?, h))
            }
            Self::Weighted(weight) => Some((g.to_u64()?.checked_add(weighted(h, weight)?)?, h)),
            Self::Nearest => Some((h.to_u64()?, g)),
        }
    }

    /// The `g` of a state with these priorities.
    #[inline(always)]
    pub(super) fn g<C: PrimInt>(self, first: u64, second: C) -> C {
        let g = match self {
            Self::LeastTotal | Self::FewestSteps => second.to_u64().map(|h| first - h),
            Self::Weighted(weight) => weighted(second, weight).map(|h| first - h),
            Self::Nearest => return second,
        };
        g.and_then(C::from).unwrap_or(C::max_value())
    }

    /// Whether a state is opened again when it is reached more cheaply.
    #[inline(always)]
    pub(super) fn reopens(self) -> bool {
        self != Self::Nearest
    }
}

/// The weighted estimate, rounded down; `None` if it is too great for a word.
#[inline(always)]
fn weighted<C: PrimInt>(h: C, weight: f64) -> Option<u64> {
    let product = h.to_f64()? * weight;
    #[expect(clippy::cast_possible_truncation, reason = "checked")]
    #[expect(clippy::cast_sign_loss, reason = "a product of positive numbers")]
    (product < u64::MAX as f64).then_some(product as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::MAX_COST;

    #[test]
    fn weights_round_down_and_stay_within_their_range() {
        let of = |weight, g: u8, h: u8| Order::Weighted(weight).checked(MAX_COST).priorities(g, h);
        assert_eq!(of(1.5, 3, 5), Some((10, 5)));
        assert_eq!(Order::Weighted(1.5).g(10, 5u8), 3);
        for weight in [1.0, 0.5, -7.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(of(weight, 3, 5), Some((8, 5)), "{weight}");
        }
        for weight in [251.0, 1e300, f64::INFINITY] {
            assert_eq!(of(weight, 250, 255), Some((64_255, 255)), "{weight}");
        }
        let wide = Order::Weighted(1e300).checked(u64::MAX - 1);
        assert_eq!(wide.priorities(1u64, 1 << 40), None);
        assert_eq!(wide.priorities(7u64, 0), Some((7, 0)));
    }
}
