//! Converts costs of any numeric type to the engine's [`Cost`], and checks them.

use num_traits::{Bounded, NumCast, Zero};
use search::{Cost, MAX_COST};

/// A type of costs and estimates: every primitive integer and float.
///
/// Every other type that implements `num_traits::NumCast` and these traits is one too. So a
/// caller's own number type needs no code of ours.
pub trait Number: NumCast + Zero + Bounded + PartialOrd + Copy {}

impl<C: NumCast + Zero + Bounded + PartialOrd + Copy> Number for C {}

/// The cost of a step; `None` if it is not a whole number from 1 to 250.
#[inline(always)]
pub(super) fn step<C: Number>(cost: C) -> Option<Cost> {
    let whole = cost.to_u8()?;
    ((1..=MAX_COST).contains(&whole) && C::from(whole)? == cost).then_some(whole)
}

/// An estimate as a cost, without its fraction. It becomes 0 if it is negative, 254 if it is above
/// 250, and [`Cost::MAX`] if it is the greatest of its type: then no plan starts there. `None` if
/// it is not a number.
#[inline(always)]
pub(super) fn estimate<C: Number>(h: C) -> Option<Cost> {
    if h >= C::max_value() {
        return Some(Cost::MAX);
    }
    bound(h).map(|h| h.min(Cost::MAX - 1))
}

/// A bound as a cost, without its fraction. It becomes 0 if it is negative, and [`Cost::MAX`] if it
/// is above 250; `None` if it is not a number.
#[inline(always)]
pub(super) fn bound<C: Number>(h: C) -> Option<Cost> {
    match h.to_u8() {
        Some(whole) if whole <= MAX_COST => Some(whole),
        _ if C::from(MAX_COST).is_some_and(|most| h > most) => Some(Cost::MAX),
        _ if C::from(0).is_some_and(|zero| h < zero) => Some(0),
        _ => None,
    }
}

/// The cost of a known plan, rounded up; `None` if it is above 250, which then says nothing.
pub(super) fn upper_bound<C: Number>(cost: C) -> Option<Cost> {
    let whole = bound(cost).filter(|&whole| whole <= MAX_COST)?;
    Some(if C::from(whole)? < cost { whole + 1 } else { whole })
}

/// A proven bound in the type of the closures, or the greatest of that type: 127 of `i8`.
pub(super) fn widen<C: Number>(bound: Cost) -> C {
    C::from(bound).or_else(|| C::from(i8::MAX)).unwrap_or(C::zero())
}

/// The excess of a cut over the bound as a cost. It becomes 254 if it is greater.
#[inline(always)]
pub(super) fn over(over: u16) -> Cost {
    Cost::try_from(over).unwrap_or(Cost::MAX).min(Cost::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_whole_numbers_within_the_range() {
        assert_eq!(
            (step(1u8), step(250u8), step(0u8), step(251u8)),
            (Some(1), Some(250), None, None)
        );
        assert_eq!((step(127i8), step(-1i8)), (Some(127), None));
        assert_eq!((step(250usize), step(256usize), step(u128::MAX)), (Some(250), None, None));
        assert_eq!((step(3.0f64), step(2.5f64), step(0.5f32)), (Some(3), None, None));
        assert_eq!((step(f64::NAN), step(f64::INFINITY), step(-3.0f64)), (None, None, None));
    }

    #[test]
    fn estimates_lose_their_fraction_and_never_grow_within_the_range() {
        assert_eq!((estimate(0u32), estimate(250u32)), (Some(0), Some(250)));
        assert_eq!((estimate(251u8), estimate(u64::MAX - 1)), (Some(254), Some(254)));
        assert_eq!(
            (bound(251u8), bound(u64::MAX), bound(127i8)),
            (Some(255), Some(255), Some(127))
        );
        assert_eq!(
            (estimate(-7i8), estimate(i64::MIN), estimate(126i8)),
            (Some(0), Some(0), Some(126))
        );
        assert_eq!((estimate(5.99f64), estimate(-0.5f64)), (Some(5), Some(0)));
        assert_eq!((estimate(250.5f64), estimate(1e300f64)), (Some(250), Some(254)));
        assert_eq!((estimate(f64::NEG_INFINITY), estimate(f32::NAN)), (Some(0), None));
    }

    #[test]
    fn the_greatest_estimate_of_a_type_is_a_dead_end() {
        let of_integers = (estimate(u8::MAX), estimate(i8::MAX), estimate(u64::MAX));
        assert_eq!(of_integers, (Some(255), Some(255), Some(255)));
        assert_eq!((estimate(f32::MAX), estimate(f64::INFINITY)), (Some(255), Some(255)));
    }

    #[test]
    fn a_cut_is_never_taken_for_none() {
        assert_eq!((over(1), over(254), over(255), over(505)), (1, 254, 254, 254));
    }
}
