//! Reads what moves cost: `R=2,R2=3`.

use crate::settings::{ConfigureError, Settings};

/// The names of moves, with the costs that the settings give them.
///
/// # Errors
/// If a part is not a name, `=` and a cost from 1 to 250, or a name is there twice.
pub(super) fn read(settings: &Settings) -> Result<Vec<(&str, u64)>, ConfigureError> {
    let Some(text) = &settings.cost else { return Ok(Vec::new()) };
    let mut all: Vec<(&str, u64)> = Vec::new();
    for part in text.split(',') {
        let wrong = |twice: &str| {
            ConfigureError::invalid(format!(
                "the costs {text:?}: found {part:?}{twice}, expected moves and costs from 1 to \
                 250, such as R=2,R2=3"
            ))
        };
        let (name, cost) = part.split_once('=').ok_or_else(|| wrong(""))?;
        let cost = cost.trim().parse().ok().filter(|cost| (1..=250).contains(cost));
        let (name, cost) = (name.trim(), cost.ok_or_else(|| wrong(""))?);
        if name.is_empty() {
            return Err(wrong(""));
        }
        if all.iter().any(|(other, _)| *other == name) {
            return Err(wrong(", another cost of this move"));
        }
        all.push((name, cost));
    }
    Ok(all)
}
