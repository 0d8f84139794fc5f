//! A plan that was made cheaper: [`Shortened`].

use serde::Serialize;

/// The answer of [`Puzzle::shorten`](super::Puzzle::shorten): a plan of the same state that costs
/// no more than the given ones.
///
/// As JSON it has these keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Shortened {
    /// The names of the operators.
    pub plan: Vec<String>,
    /// The number of operators.
    pub length: usize,
    /// What the operators cost together.
    pub cost: u64,
    /// The number of operators of the given plan, or of the cheapest of several.
    pub length_before: usize,
    /// What the operators of this given plan cost together.
    pub cost_before: u64,
    /// What each pass gained, over all its rounds, in the order of their first rounds.
    pub passes: Vec<PassGain>,
    /// Whether every pass was tried on this plan without a gain. False if a limit or the caller
    /// ended the work.
    pub complete: bool,
}

/// What a pass of [`Puzzle::shorten`](super::Puzzle::shorten) gained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PassGain {
    /// The name of the pass: `together` if several plans were given, `commuting`, `nearby` or
    /// `solve`.
    pub name: &'static str,
    /// By how much the plan costs less.
    pub saved: u64,
}

impl Shortened {
    /// One line about the gains, such as `12 moves instead of 20: commuting 3, nearby 5`.
    pub fn summary(&self, has_costs: bool) -> String {
        let gains = self.passes.iter().filter(|pass| pass.saved > 0);
        let gains: Vec<String> =
            gains.map(|pass| format!("{} {}", pass.name, pass.saved)).collect();
        let (cost, before) = (self.cost, self.cost_before);
        let gains = if gains.is_empty() { "nothing gained".to_owned() } else { gains.join(", ") };
        let ended = if self.complete { "" } else { "; ended early" };
        match has_costs {
            true => format!("cost {cost} instead of {before}: {gains}{ended}"),
            false => format!("{cost} moves instead of {before}: {gains}{ended}"),
        }
    }
}
