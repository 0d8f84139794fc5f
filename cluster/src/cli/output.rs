//! The answer on standard output, with the keys of `fewest solve --format json`.

use super::Error;
use fewest::Ending;
use fewest_cluster::{ClusterAnswer, Request};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::Write;

/// Writes a line to standard output.
pub(super) fn print(line: &impl Display) -> Result<(), Error> {
    let written = writeln!(std::io::stdout(), "{line}");
    written.map_err(|error| Error::refused(format_args!("standard output: {error}")))
}

/// The answer as one object. Beside the keys of `fewest solve`, it has `ranks`: what each rank did.
pub(super) fn as_json(found: &ClusterAnswer, request: &Request) -> Value {
    let answer = &found.answer;
    let mut object = json!(answer);
    object["type"] = json!("solve");
    object["version"] = json!(1);
    object["puzzle"] = json!(found.puzzle);
    object["state"] = json!(request.state);
    object["metric"] = json!(found.metric);
    object["threads"] = json!(request.threads);
    object["generated"] = json!(answer.generated());
    object["expanded"] = json!(answer.expanded());
    object["request"] = json!(1);
    object["ranks"] = json!(found.ranks);
    if let Some(plan) = answer.plans.first() {
        object["plan"] = json!(plan);
        object["length"] = json!(plan.len());
        object["cost"] = json!(answer.upper_bound);
    }
    let drop: &[&str] = match answer.plans.first() {
        None => &["plans", "costs", "complete", "optimal"],
        Some(_) if request.plans == 1 => &["plans", "costs", "complete"],
        Some(_) => &[],
    };
    if let Value::Object(keys) = &mut object {
        keys.retain(|key, _| !drop.contains(&key.as_str()));
    }
    object
}

/// The answer as text: a line for each plan, and what is proven.
pub(super) fn as_text(found: &ClusterAnswer) -> String {
    let answer = &found.answer;
    let (nodes, seconds) = (answer.generated(), answer.elapsed.as_secs_f64());
    let ranks = found.ranks.len();
    let plural = if ranks == 1 { "" } else { "s" };
    let effort = format!("{nodes} nodes, {seconds:.2} s, {ranks} rank{plural}");
    let least = answer.lower_bound;
    match answer.ending {
        Ending::Solved => {
            let plans: Vec<String> = answer.plans.iter().map(|plan| plan.join(" ")).collect();
            let moves = answer.plans.first().map_or(0, Vec::len);
            let all = if answer.complete { "" } else { ", not all" };
            format!("{}  ({moves} moves, optimal{all}; {effort})", plans.join("\n"))
        }
        Ending::Unsolvable => format!("no plan exists ({effort})"),
        Ending::Cancelled => format!("cancelled: at least {least} moves (proven); {effort}"),
        _ => format!("no plan within the limits: at least {least} moves (proven); {effort}"),
    }
}
