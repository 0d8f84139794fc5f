//! `fewest goals`: the goals of a puzzle by name, each with a picture.

use super::options::Parts;
use super::verbs::Goals;
use fewest::NamedGoal;
use fewest_terminal::{Error, Exit, Output};
use serde_json::json;

pub(super) fn run(verb: &Goals) -> Result<Exit, Error> {
    let puzzle = Parts::default().configure(&verb.puzzle)?;
    let name = &puzzle.info().name;
    let mut output =
        Output::new(verb.output.format, "goals", "puzzle goal usual means ways picture");
    for goal in puzzle.goals() {
        let object = || {
            let mut object = json!(goal);
            object["puzzle"] = json!(name);
            object
        };
        output.line(object, || text(&goal))?;
    }
    Ok(Exit::Done)
}

fn text(goal: &NamedGoal) -> String {
    let NamedGoal { name, usual, means, ways, picture, .. } = goal;
    let colon = if usual.is_empty() { "" } else { ":" };
    let ways = if *ways == 1 { String::new() } else { format!(" ({ways} ways)") };
    let picture = picture.iter().map(|picture| format!("\n  {picture}"));
    format!("{name}{colon}{usual}: {means}{ways}{}", picture.collect::<String>())
}
