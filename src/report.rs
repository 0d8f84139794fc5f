//! Answers as people and programs read them, the same from every program of the project.

use crate::puzzle::{Answer, Ending, Puzzle, PuzzleInfo};
use search::Cost;
use serde_json::{Value, json};

/// The greatest cost of a plan that searches find.
const MOST_COST: usize = 250;

/// The answer as the object that `fewest solve` prints. `plural`: several plans may be wanted.
pub fn answer_object(info: &PuzzleInfo, state: &str, answer: &Answer, plural: bool) -> Value {
    let mut object = json!(answer);
    object["puzzle"] = json!(info.name);
    object["state"] = json!(state);
    object["metric"] = json!(info.metric);
    object["generated"] = json!(answer.generated());
    object["expanded"] = json!(answer.expanded());
    let plan = answer.plans.first();
    if plan.is_some() && plural {
        object["lengths"] = answer.plans.iter().map(Vec::len).collect();
    }
    if let Some(plan) = plan {
        object["plan"] = json!(plan);
        object["length"] = json!(plan.len());
        object["cost"] = json!(answer.upper_bound);
    }
    // Some keys are for answers with plans only.
    let drop: &[&str] = match plan {
        None => &["plans", "costs", "complete", "optimal"],
        Some(_) if !plural => &["plans", "costs", "complete"],
        Some(_) => &[],
    };
    if let Value::Object(keys) = &mut object {
        keys.retain(|key, _| !drop.contains(&key.as_str()));
    }
    object
}

/// What a puzzle is and can do.
pub fn puzzle_object(puzzle: &dyn Puzzle) -> Value {
    let info = puzzle.info();
    json!({
        "puzzle": info.name.lines().next(), "metric": info.metric, "board": info.board,
        "face_stickers": info.face_stickers, "has_costs": info.has_costs, "notes": info.notes,
        "near_optimal": info.has_near_optimal, "scrambles": puzzle.scrambler().is_some(),
        "tables": puzzle.tables().is_some(), "gods_algorithm": puzzle.exhaustive().is_some(),
    })
}

/// The nodes and the seconds of an answer.
pub fn effort_text(answer: &Answer) -> String {
    let nodes = match &answer.near {
        Some(near) if answer.iterations.is_empty() => near.generated,
        _ => answer.generated(),
    };
    let plural = if nodes == 1 { "" } else { "s" };
    format!("{} node{plural}, {:.2} s", grouped(nodes), answer.elapsed.as_secs_f64())
}

/// The answer as text: a line for each plan, and what is proven. `effort`: see [`effort_text`].
/// `min_length`: the least length that was asked for. `costs`: some moves cost other than 1.
pub fn answer_text(answer: &Answer, effort: &str, min_length: Cost, costs: bool) -> String {
    let least = usize::from(answer.lower_bound);
    let at_least = if costs { format!("cost {least}") } else { moves(least) };
    let at_least = format!("at least {at_least} (proven)");
    let length_of =
        |plan: &Vec<String>| moves_at_cost(plan.len(), answer.upper_bound.filter(|_| costs));
    match answer.ending {
        Ending::Solved => {
            let plans: Vec<String> = answer.plans.iter().map(|plan| plan.join(" ")).collect();
            let first = answer.plans.first();
            let mut length = first.map_or_else(|| moves(0), length_of);
            let most = answer.costs.last().filter(|&most| answer.costs.first() < Some(most));
            if let (Some(most), Some(first)) = (most, answer.costs.first()) {
                let (before, after) = if costs { ("cost ", "") } else { ("", " moves") };
                length = format!("{before}{first} to {most}{after}");
            }
            let proof = match (answer.optimal, min_length) {
                (false, _) => "not proven optimal".to_owned(),
                (true, 0) if most.is_some() => "the first optimal".to_owned(),
                (true, 0) => "optimal".to_owned(),
                (true, least) => format!("no shorter one of at least {least}"),
            };
            let number = match (plans.len(), answer.complete) {
                (1, true) => String::new(),
                (n, true) => format!("{n} plans, "),
                (n, false) => {
                    format!("{n} plan{}, not all: cut short, ", if n == 1 { "" } else { "s" })
                }
            };
            let stages: Vec<String> = answer
                .stages
                .iter()
                .map(|stage| format!("{} {}", stage.name, stage.length))
                .collect();
            let length = match stages.is_empty() {
                true => length,
                false => format!("{length}: {}", stages.join(", ")),
            };
            let gap = if first.is_none_or(Vec::is_empty) { "" } else { "  " };
            format!("{}{gap}({number}{length}, {proof}; {effort})", plans.join("\n"))
        }
        Ending::Unsolvable => format!("no plan exists ({effort})"),
        Ending::LimitReached | Ending::Cancelled => {
            let cancelled = answer.ending == Ending::Cancelled;
            match answer.plans.first() {
                Some(plan) => {
                    let why = if cancelled { "cancelled" } else { "limit reached" };
                    let length = length_of(plan);
                    format!(
                        "{}  ({length}, not proven optimal: {why}; {at_least}; {effort})",
                        plan.join(" ")
                    )
                }
                None if cancelled => format!("cancelled: {at_least}; {effort}"),
                // No search goes higher, whatever the limits are.
                None if least > MOST_COST => {
                    format!("no plan of a cost up to {MOST_COST}: {at_least}; {effort}")
                }
                None => format!("no plan within the limits: {at_least}; {effort}"),
            }
        }
        _ => "refused".to_owned(),
    }
}

/// A number with a comma between thousands.
pub fn grouped(number: impl Into<u128>) -> String {
    grouped_digits(&number.into().to_string())
}

/// The digits of a number with a comma between thousands.
pub fn grouped_digits(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 move`, `2 moves`.
pub fn moves(count: usize) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

/// `2 moves`, or `2 moves, cost 7` where some moves cost other than 1.
pub fn moves_at_cost(count: usize, cost: Option<u64>) -> String {
    match cost {
        Some(cost) => format!("{}, cost {cost}", moves(count)),
        None => moves(count),
    }
}
