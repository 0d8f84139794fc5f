//! The lines of a journal: one record each, with a checksum at its end.
//!
//! | line | what it says |
//! |---|---|
//! | `fewest-journal 1 JSON` | the first line: the identity and the command of the run |
//! | `bound B units N above G E O digest HEX` | a bound begins, or goes on after a restart |
//! | `unit B U G E O` | unit U of bound B is searched completely |
//! | `plan B U A.B.C` | a plan of unit U, the numbers of its operators; `-` if it is empty |
//! | `at SECONDS NODES` | seconds of search so far, and nodes in complete units and rounds |
//! | `facts JSON` | facts of the identity that were known after the first line |
//! | `round N BY NODES COST A.B.C` | round N of a search for plans that are not proven |
//!
//! G and E are generated and expanded nodes. O is the least excess over the bound among the nodes
//! that were cut, or `-` if nothing was cut. COST is that of the round's plan, or `-` without one;
//! the plan follows if it is cheaper than all before, else `none`.
//!
//! The checksum is the CRC-32 of the line, in 8 hexadecimal digits, begun with the checksum of the
//! first line. So a line of another journal does not pass.

use crate::hex::{hex, unhex};
use crate::identity::Identity;
use search::{Cost, Op, PlanRound, UnitCounts};
use std::fmt::Write;

/// The first words of a journal.
pub(crate) const MAGIC: &str = "fewest-journal";
/// The version of the format.
pub(crate) const VERSION: u32 = 1;

/// A line behind the first one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    Bound { bound: Cost, units: usize, above: UnitCounts, digest: [u8; 16] },
    Unit { bound: Cost, unit: usize, counts: UnitCounts },
    Plan { bound: Cost, unit: usize, operators: Vec<u16> },
    At { seconds: f64, nodes: u64 },
    Facts(Identity),
    Round { number: usize, round: PlanRound },
}

/// The text of a line with its checksum and its end. `seed` is the checksum of the first line, or 0
/// for the first line.
pub(crate) fn sealed(text: &str, seed: u32) -> String {
    format!("{text} {:08x}\n", checksum(text, seed))
}

/// The text of a line without its checksum. `None` if the checksum is wrong.
pub(crate) fn unsealed(line: &str, seed: u32) -> Option<&str> {
    let (text, sum) = line.rsplit_once(' ')?;
    // Only the form that is written passes: from_str_radix also reads a sign and upper case.
    (sum == format!("{:08x}", checksum(text, seed))).then_some(text)
}

/// The checksum of a text.
pub(crate) fn checksum(text: &str, seed: u32) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(seed);
    hasher.update(text.as_bytes());
    hasher.finalize()
}

impl Line {
    /// The text of the line, without a checksum.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Bound { bound, units, above, digest } => format!(
                "bound {bound} units {units} above {} digest {}",
                counted(above),
                hex(digest)
            ),
            Self::Unit { bound, unit, counts } => {
                format!("unit {bound} {unit} {}", counted(counts))
            }
            Self::Plan { bound, unit, operators } => {
                format!("plan {bound} {unit} {}", joined(operators.iter().copied()))
            }
            Self::At { seconds, nodes } => format!("at {seconds:.3} {nodes}"),
            Self::Facts(facts) => format!("{FACTS}{}", facts.to_json()),
            Self::Round { number, round } => {
                let PlanRound { by, nodes, cost, plan } = round;
                let cost = cost.map_or_else(|| "-".to_owned(), |cost| cost.to_string());
                let plan = plan.as_ref().map(|plan| joined(plan.iter().map(|op| op.0)));
                let plan = plan.as_deref().unwrap_or(NONE);
                format!("round {number} {by} {nodes} {cost} {plan}")
            }
        }
    }

    /// Reads a line without its checksum. `None` if it is none of these.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(json) = text.strip_prefix(FACTS) {
            let facts = Identity::from_json(&serde_json::from_str(json).ok()?)?;
            let line = Self::Facts(facts);
            return (line.text() == text).then_some(line);
        }
        let words: Vec<&str> = text.split(' ').collect();
        let line = match words[..] {
            ["bound", bound, "units", units, "above", g, e, o, "digest", digest] => Self::Bound {
                bound: bound.parse().ok()?,
                units: units.parse().ok()?,
                above: counts(g, e, o)?,
                digest: unhex(digest)?,
            },
            ["unit", bound, unit, g, e, o] => Self::Unit {
                bound: bound.parse().ok()?,
                unit: unit.parse().ok()?,
                counts: counts(g, e, o)?,
            },
            ["plan", bound, unit, operators] => {
                let operators = numbers(operators)?;
                Self::Plan { bound: bound.parse().ok()?, unit: unit.parse().ok()?, operators }
            }
            ["at", seconds, nodes] => {
                Self::At { seconds: seconds.parse().ok()?, nodes: nodes.parse().ok()? }
            }
            ["round", number, by, nodes, cost, plan] if !by.is_empty() => {
                let cost = if cost == "-" { None } else { Some(cost.parse().ok()?) };
                let plan = if plan == NONE { None } else { Some(numbers(plan)?) };
                let plan = plan.map(|plan| plan.into_iter().map(Op).collect());
                let (by, nodes) = (by.to_owned().into(), nodes.parse().ok()?);
                let round = PlanRound { by, nodes, cost, plan };
                Self::Round { number: number.parse().ok()?, round }
            }
            _ => return None,
        };
        // Only the form that is written passes, so that a record has one text.
        (line.text() == text).then_some(line)
    }
}

/// The beginning of a line of facts.
const FACTS: &str = "facts ";
/// What stands for a plan that a line does not have.
const NONE: &str = "none";

/// Numbers of operators with dots between them.
fn joined(operators: impl Iterator<Item = u16>) -> String {
    let mut text = String::new();
    for (place, op) in operators.enumerate() {
        let dot = if place == 0 { "" } else { "." };
        write!(text, "{dot}{op}").expect("a string takes all text");
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

/// The numbers of a text of [`joined`].
fn numbers(text: &str) -> Option<Vec<u16>> {
    match text {
        "-" => Some(Vec::new()),
        some => some.split('.').map(|number| number.parse().ok()).collect(),
    }
}

fn counted(counts: &UnitCounts) -> String {
    let UnitCounts { generated, expanded, over } = counts;
    match over {
        Some(over) => format!("{generated} {expanded} {over}"),
        None => format!("{generated} {expanded} -"),
    }
}

fn counts(generated: &str, expanded: &str, over: &str) -> Option<UnitCounts> {
    let over = match over {
        "-" => None,
        some => Some(some.parse().ok()?),
    };
    Some(UnitCounts { generated: generated.parse().ok()?, expanded: expanded.parse().ok()?, over })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(cost: Option<u32>, plan: Option<&[u16]>) -> PlanRound {
        let plan = plan.map(|plan| plan.iter().map(|&op| Op(op)).collect());
        PlanRound { by: "words".into(), nodes: 12, cost, plan }
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        let counts = UnitCounts { generated: 12, expanded: 3, over: Some(1) };
        let nothing_cut = UnitCounts { over: None, ..counts };
        for line in [
            Line::Bound { bound: 16, units: 2048, above: counts, digest: [0xab; 16] },
            Line::Unit { bound: 16, unit: 7, counts },
            Line::Unit { bound: 0, unit: 0, counts: nothing_cut },
            Line::Plan { bound: 16, unit: 7, operators: vec![0, 300, 17] },
            Line::Plan { bound: 16, unit: 7, operators: Vec::new() },
            Line::At { seconds: 12.5, nodes: 99 },
            Line::Facts(Identity::new().with("a", "b c").with("d", "\n\"")),
            Line::Round { number: 3, round: round(Some(7), Some(&[0, 300])) },
            Line::Round { number: 0, round: round(Some(0), Some(&[])) },
            Line::Round { number: 4, round: round(Some(9), None) },
            Line::Round { number: 5, round: round(None, None) },
        ] {
            let text = line.text();
            assert_eq!(Line::parse(&text), Some(line), "{text}");
            let whole = sealed(&text, 5);
            assert_eq!(unsealed(whole.trim_end(), 5), Some(&*text));
            assert_eq!(unsealed(whole.trim_end(), 6), None);
        }
    }

    #[test]
    fn other_texts_are_no_lines() {
        for text in [
            "",
            "unit",
            "unit 1 2 3 4",
            "unit 1 2 3 4 5 6",
            "unit 1 02 3 4 5",
            "unit 256 2 3 4 5",
            "unit 1 2 3 4 70000",
            "unit 1 -2 3 4 5",
            "unit 1 2 3 4 5 ",
            "plan 1 2 ",
            "plan 1 2 1..2",
            "at 1 2 3",
            "at nan 3",
            "bound 1 units 2 above 1 2 3 digest ab",
            "node 1",
            "facts {}x",
            "facts {\"a\": \"b\"}",
            "facts {\"a\":1}",
            "round 1 words 2 3",
            "round 1  2 3 none",
            "round 01 words 2 3 none",
            "round 1 words 2 3 1.70000",
            "round 1 words 2 -1 none",
            "bound 1 units 2 above 1 2 3 digest zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
        ] {
            assert_eq!(Line::parse(text), None, "{text:?}");
        }
    }
}
