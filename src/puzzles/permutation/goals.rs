//! The goals of a definition: its own, those of files beside it, and any state.

use super::is_text;
use super::texts::{is_json, read_state};
use crate::puzzle::{InvalidInput, NamedGoal};
use crate::puzzles::names::{did_you_mean, near};
use crate::settings::ConfigureError;
use permutation::{Definition, GoalMask, PuzzleState, ReadLimits, TextFormat};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The folder beside a definition file that has goals in JSON, each in a file `NAME.json`.
const GOALS: &str = "goals";

/// The file with the goal of this name. `None` if the definition has no file, or the name is no
/// file name.
fn goal_file(definition: &str, goal: &str) -> Option<PathBuf> {
    let plain = |c: char| c.is_alphanumeric() || "-_+ ".contains(c);
    let is_name = !goal.is_empty() && goal.chars().all(plain);
    let path = Path::new(definition).parent().filter(|_| is_name && !is_text(definition))?;
    TextFormat::of_file_name(definition)?;
    Some(path.join(GOALS).join(format!("{goal}.json")))
}

/// The text of a file, or its beginning: a byte more than the limit, so that it is refused.
fn read(file: &Path, limits: &ReadLimits) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(file)?.take(limits.file_bytes.saturating_add(1)).read_to_string(&mut text)?;
    Ok(text)
}

/// The goals that a definition names, and those of files beside it. `name` is its path or its own
/// name.
pub(super) fn named(name: &str, definition: &Definition) -> Vec<NamedGoal> {
    let own =
        |(name, _): &(String, PuzzleState)| NamedGoal::new(name, "a goal of the definition", None);
    let mut all: Vec<NamedGoal> = definition.named_goals().iter().map(own).collect();
    let folder = goal_file(name, "any").and_then(|file| file.parent()?.read_dir().ok());
    let mut names: Vec<String> = folder
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let file = entry.ok()?.file_name().into_string().ok()?;
            Some(file.strip_suffix(".json")?.to_owned())
        })
        .filter(|goal| goal_file(name, goal).is_some_and(|file| file.is_file()))
        .collect();
    names.sort_unstable();
    let of_file = |name: &String| NamedGoal::new(name, "a file of the folder `goals`", None);
    all.extend(names.iter().map(of_file));
    all
}

/// The definition with another goal, and the mask that turns states of the first definition into
/// states for that goal.
///
/// `goal` is the name of a goal of the definition, that of a file in the folder `goals` beside it,
/// a JSON object, or a state: moves or `CPOS` and the compact form.
pub(super) fn with_goal(
    name: &str,
    definition: &Definition,
    goal: &str,
) -> Result<(Definition, GoalMask), ConfigureError> {
    let what = if is_json(goal) { "the goal" } else { goal };
    let wrong = |error: InvalidInput| error.within(what).into();
    let limits = ReadLimits::default();
    if let Some((_, goal)) = definition.named_goals().iter().find(|(own, _)| own == goal.trim()) {
        let made = definition.with_goal(goal.clone());
        return made.map_err(|error| wrong(InvalidInput::new(error)));
    }
    if let Some(file) = goal_file(name, goal.trim()).filter(|file| file.is_file()) {
        let wrong = |error: InvalidInput| error.within(file.display()).into();
        let text = read(&file, &limits).map_err(|error| wrong(InvalidInput::new(error)))?;
        return definition.with_pattern(&text, &limits).map_err(|error| wrong(error.into()));
    }
    if is_json(goal) {
        return definition.with_pattern(goal, &limits).map_err(|error| wrong(error.into()));
    }
    let state = read_state(definition, goal);
    let state = state.map_err(|error| {
        let all = named(name, definition);
        let near = near(goal.trim(), all.iter().map(|own| (&*own.name, vec![&*own.name])));
        let meant = did_you_mean(&near);
        error.reworded(|error| format!("{what}: {meant}{error}, or a state in JSON"))
    })?;
    definition.with_goal(state).map_err(|error| wrong(InvalidInput::new(error)))
}
