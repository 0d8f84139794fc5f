//! Prediction of the nodes of an iteration from the distribution of the heuristic's values.
//!
//! Richard Korf, Michael Reid and Stefan Edelkamp, "Time complexity of iterative-deepening-A*",
//! Artificial Intelligence 129, 2001.
//!
//! On average over start states, a complete iteration with bound d expands the sum over i of `N_i
//! P(d - i)` nodes. `N_i` counts the operator strings of length i that the pruning allows. `P(x)`
//! is the share of nodes with `h <= x`. If strings depend on a context (the free square of sliding
//! tiles), each context has its own `N_i` and `P`. All operators cost 1.
//!
//! The formula is exact for large depths, a consistent heuristic and its *equilibrium*
//! distribution: the shares among nodes deep in the brute-force tree. In a domain with one context
//! these are the shares among all states.
//!
//! [`Distribution::max_of`] and [`Distribution::sum_of`] assume *independent* members. Pattern
//! databases of one puzzle are not quite independent. So the predicted maximum is too high, and the
//! predicted nodes are too few.
//!
//! Time: d times the number of contexts.
//!
//! | prediction | needs | for |
//! |---|---|---|
//! | [`predict_by_entries`], [`predict_by_mean`] | a few numbers | a first guess |
//! | [`Distribution::quality`] | the distribution | which of two heuristics is better |
//! | [`predict`], [`predict_expanded`] | the distribution, counts of strings | consistent ones |
//! | [`ConditionalDistribution`] | pairs of parent and child | inconsistent ones |

mod conditional;
mod distribution;
mod estimates;

pub use conditional::{ConditionalDistribution, ConditionalSampler, PredictedNodes};
pub use distribution::Distribution;
pub use estimates::{predict_by_entries, predict_by_mean, predict_mean};

/// The predicted number of expanded nodes of a complete iteration: the sum over i = 0 .. bound of
/// `N_i P(bound - i)`.
///
/// `sequences[i][c]` counts the strings of length i that end in context c. `N_0` is 1 in the
/// context of the start. For an average over start states, average these counts. `distributions[c]`
/// is the distribution of context c. Lengths beyond the end of `sequences` count as zero.
///
/// # Panics
/// If an entry of `sequences` has more contexts than there are distributions.
pub fn predict_expanded(
    sequences: &[Vec<f64>],
    distributions: &[Distribution],
    bound: usize,
) -> f64 {
    weighed(sequences, distributions, bound)
}

/// The predicted number of generated nodes of a complete iteration: the sum over i = 0 .. bound + 1
/// and all contexts c of
///
/// `sequences[i][c] * P(bound + 1 - i)`.
///
/// `P(x)` is the share of nodes with `h <= x`, by `distributions[c]`.
///
/// For i >= 1, `sequences[i][c]` counts the operator strings of length i whose last operator is
/// applied *in* context c. Such a string generates a node if the state before its last operator is
/// expanded. That state has depth i - 1, so it is expanded if its h is at most `bound + 1 - i`. So
/// c is the context of that state, and not of the generated one.
///
/// The term of i = 0 stands for the root. Our searches do not count the root as generated, so their
/// counts are less by one. Lengths beyond the end of `sequences` count as zero.
///
/// # Panics
/// If an entry of `sequences` has more contexts than there are distributions.
pub fn predict(sequences: &[Vec<f64>], distributions: &[Distribution], bound: usize) -> f64 {
    weighed(sequences, distributions, bound + 1)
}

fn weighed(sequences: &[Vec<f64>], distributions: &[Distribution], reach: usize) -> f64 {
    let depths = sequences.iter().take(reach + 1).enumerate();
    depths
        .flat_map(|(i, contexts)| contexts.iter().enumerate().map(move |(c, n)| (i, c, n)))
        .map(|(i, c, n)| n * distributions[c].share_up_to(reach - i))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published histograms of three pattern databases (Korf, Reid & Edelkamp 2001). The second and
    /// third are equal.
    const FIRST: [u64; 12] = [
        1, 18, 243, 2_874, 28_000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616,
        15_139_616, 64_736,
    ];
    const SECOND: [u64; 11] =
        [1, 15, 182, 2_208, 25_329, 258_827, 2_165_560, 12_222_708, 24_596_752, 3_305_973, 365];

    #[test]
    fn published_predictions_are_met() {
        let first = Distribution::from_counts(&FIRST);
        let second = Distribution::from_counts(&SECOND);
        let max = Distribution::max_of(&[first, second.clone(), second]);
        assert!((max.mean() - 8.89783).abs() < 5e-6, "{}", max.mean());
        let mut n = vec![1.0, 18.0, 243.0];
        while n.len() < 20 {
            n.push(12.0 * n[n.len() - 1] + 18.0 * n[n.len() - 2]);
        }
        let sequences: Vec<Vec<f64>> = n.into_iter().map(|n| vec![n]).collect();
        let published: [f64; 8] = [
            1_510.0,
            20_169.0,
            269_229.0,
            3_593_800.0,
            47_971_732.0,
            640_349_193.0,
            8_547_681_506.0,
            114_098_463_567.0,
        ];
        for (bound, published) in (10..).zip(published) {
            let predicted = predict(&sequences, std::slice::from_ref(&max), bound);
            assert!((predicted - published).abs() < 0.51, "{bound}: {predicted} not {published}");
        }
    }

    #[test]
    fn means_maxima_and_sums_are_those_of_small_cases() {
        let die = Distribution::from_counts(&[0, 1, 1, 1, 1, 1, 1]);
        assert!((die.mean() - 3.5).abs() < 1e-12);
        let sum = Distribution::sum_of(&[die.clone(), die.clone()]);
        assert_eq!(sum.largest(), 12);
        assert!((sum.mean() - 7.0).abs() < 1e-12);
        assert!((sum.shares()[7] - 6.0 / 36.0).abs() < 1e-12);
        let max = Distribution::max_of(&[die.clone(), die.clone()]);
        assert!((max.at_most(2) - 4.0 / 36.0).abs() < 1e-12);
        assert!((die.at_most(-1), die.at_most(99)) == (0.0, 1.0));
        assert_eq!(Distribution::max_of(&[]).mean(), 0.0);
        assert_eq!(Distribution::sum_of(&[]).mean(), 0.0);
    }

    #[test]
    fn without_a_heuristic_every_string_is_generated() {
        let nothing = [Distribution::from_counts(&[1])];
        let binary: Vec<Vec<f64>> = (0..8).map(|i| vec![f64::from(1 << i)]).collect();
        assert_eq!(predict(&binary, &nothing, 3), 31.0);
        assert_eq!(predict_expanded(&binary, &nothing, 3), 15.0);
    }

    #[test]
    fn contexts_have_their_own_distributions() {
        // One operator swaps two contexts; one has the value 0, the other 3.
        let distributions =
            [Distribution::from_counts(&[1]), Distribution::from_counts(&[0, 0, 0, 1])];
        let ends: Vec<Vec<f64>> =
            (0..9).map(|i| if i % 2 == 0 { vec![1.0, 0.0] } else { vec![0.0, 1.0] }).collect();
        // Strings of length 0, 2 and 4 end in the first context, all within the bound. Of those in
        // the second context, only length 1 is.
        assert_eq!(predict_expanded(&ends, &distributions, 4), 4.0);
    }
}
