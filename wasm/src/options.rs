//! Settings of a puzzle, as the page gives them.

use fewest::{Settings, SolverChoice};
use serde_json::{Map, Value};

/// Bytes of tables that a page takes unless it says otherwise: 256 MiB.
const MEMORY: u64 = 256 << 20;

/// Reads the settings of a puzzle from JSON. With stages, the solver is `stages`.
pub(crate) fn settings(json: &str) -> Result<Settings, serde_json::Error> {
    let mut options: Map<String, Value> = serde_json::from_str(json)?;
    options.entry("memory").or_insert_with(|| MEMORY.into());
    let settings: Settings = serde_json::from_value(options.into())?;
    Ok(match (&settings.stages, &settings.solver) {
        (Some(_), SolverChoice::Optimal) => settings.solver("stages"),
        _ => settings,
    })
}
