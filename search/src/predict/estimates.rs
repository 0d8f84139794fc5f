//! Estimates of nodes from a few numbers, without a distribution.
//!
//! Richard Korf, "Finding optimal solutions to Rubik's cube using pattern databases", AAAI 1997,
//! section 6.

/// The nodes of a search for a plan of `depth` operators, as a tree of the depth less the mean
/// value of the heuristic: `branching^(depth - mean)`.
///
/// It predicts too few, because small values of the heuristic weigh more than large ones.
/// [`Distribution::saved_depth`](super::Distribution::saved_depth) in place of the mean weighs
/// them.
pub fn predict_by_mean(branching: f64, depth: f64, mean: f64) -> f64 {
    branching.powf(depth - mean)
}

/// The nodes of a search with a table of `entries` distances, in a space of `states`: `states /
/// entries`. Nodes times memory is the number of states.
///
/// It follows from [`predict_by_mean`] and [`predict_mean`], if the depth is the logarithm of the
/// states.
///
/// # Panics
/// If `entries` is 0.
#[expect(clippy::cast_precision_loss, reason = "an estimate needs no more than 53 bits")]
pub fn predict_by_entries(states: u128, entries: u128) -> f64 {
    let whole = states / entries;
    whole as f64 + (states % entries) as f64 / entries as f64
}

/// The mean value of a table of `entries` distances, if the entries grow by the factor `branching`
/// with each distance: the logarithm of the entries.
///
/// The true mean of a table is greater, because some operators lead to the same entries.
pub fn predict_mean(branching: f64, entries: f64) -> f64 {
    entries.log(branching)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_agree_where_the_depth_is_the_logarithm_of_the_states() {
        let (states, entries) = (3_u128.pow(20), 3_u128.pow(8));
        let mean = predict_mean(3.0, 6561.0);
        assert!((mean - 8.0).abs() < 1e-12);
        let by_mean = predict_by_mean(3.0, 20.0, mean);
        assert!((by_mean / predict_by_entries(states, entries) - 1.0).abs() < 1e-9);
        assert_eq!(predict_by_entries(7, 2), 3.5);
    }
}
