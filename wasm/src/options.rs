//! Settings of a puzzle, as the page gives them.

use fewest::Settings;
use serde_json::{Map, Value};

/// Bytes of tables that a page takes unless it says otherwise: 256 MiB.
const MEMORY: u64 = 256 << 20;

/// Reads the settings of a puzzle from JSON.
pub(crate) fn settings(json: &str) -> Result<Settings, serde_json::Error> {
    let mut options: Map<String, Value> = serde_json::from_str(json)?;
    options.entry("memory").or_insert_with(|| MEMORY.into());
    serde_json::from_value(options.into())
}
