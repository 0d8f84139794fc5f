//! The text of a plain certificate: [`PlainProof::certificate`].

use super::heuristic::PlainHeuristic;
use super::puzzle::{PlainPuzzle, line};
use crate::certificate::{Certificate, Claim};
use search::{Plan, UnitCounts};
use std::fmt::Write;

/// A search as an independent program can repeat it.
///
/// `docs/CERTIFICATES.md` specifies what a proof is, and what each part of it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainProof {
    /// The puzzle.
    pub puzzle: PlainPuzzle,
    /// The state that the plan solves.
    pub start: Vec<u16>,
    /// Forbidden strings, each with a smaller one that can replace it everywhere.
    pub twins: Vec<(Plan, Plan)>,
    /// The lower bounds.
    pub heuristic: PlainHeuristic,
    /// Whether strings and bounds are those of the search, so that nodes and units are, too.
    pub is_searched: bool,
}

impl PlainProof {
    /// The text of the plain certificate that proves what a certificate claims. `about` is for
    /// readers. `name` gives the names of operators.
    ///
    /// `None` if the claim is that there is no plan.
    pub fn certificate(&self, proved: &Certificate, about: &[String]) -> Option<String> {
        let mut text = "fewest-plain 1\n".to_owned();
        // A text takes all lines.
        about.iter().for_each(|about| text += &format!("about {about}\n"));
        let _ = write!(text, "{}", self.puzzle);
        text += &line("start", &self.start);
        for (string, twin) in &self.twins {
            let [string, twin] = [string, twin].map(|string| self.names(string));
            let _ = writeln!(text, "forbid{string} ={twin}");
        }
        self.heuristic.write(&mut text);
        match &proved.claim {
            Claim::Plan(plan, cost) => {
                let plan: String = plan.iter().map(|name| format!(" {name}")).collect();
                let _ = writeln!(text, "plan {cost}{plan}");
            }
            Claim::LowerBound => {
                let _ = writeln!(text, "least {}", proved.lower_bound);
            }
            Claim::NoPlan => return None,
        }
        match self.is_searched {
            true => self.write_bounds(proved, &mut text),
            false => {
                if let Some(bound) = proved.lower_bound.checked_sub(1) {
                    let _ = writeln!(text, "bound {bound}");
                }
            }
        }
        Some(text + "end\n")
    }

    /// The names of a string's operators, each behind a blank.
    fn names(&self, string: &Plan) -> String {
        string.iter().map(|op| format!(" {}", self.puzzle.move_name(op.index()))).collect()
    }

    fn write_bounds(&self, proved: &Certificate, text: &mut String) {
        // With parity, the search cuts by 2 where a program that knows nothing of it cuts by 1.
        let is_piecewise = matches!(self.puzzle, PlainPuzzle::Blocks { .. });
        let most = if is_piecewise && self.puzzle.has_parity() { 1 } else { u16::MAX };
        let words = |UnitCounts { generated, expanded, over }: UnitCounts| {
            let over = over.map_or("-".to_owned(), |over| over.min(most).to_string());
            format!("{generated} {expanded} {over}")
        };
        for one in &proved.bounds {
            let (bound, units) = (one.bound, one.units.len());
            let _ = writeln!(text, "bound {bound} {units} {}", words(one.above));
            for &counts in one.units.iter().flatten() {
                let _ = writeln!(text, "unit {}", words(counts));
            }
        }
    }
}
