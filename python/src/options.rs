//! Settings of a puzzle and wishes of one call: JSON of the caller, with the names of the command
//! line.

use crate::errors;
use bytesize::ByteSize;
use fewest::search::Cost;
use fewest::{Request, Settings};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use std::time::Duration;

/// Reads JSON of the caller.
fn read<T: DeserializeOwned>(py: Python<'_>, json: &str) -> PyResult<T> {
    let value: serde_json::Result<serde_json::Value> = serde_json::from_str(json);
    // A value that is read knows no line and column of the JSON, which the user never sees.
    let read = value.and_then(serde_json::from_value);
    read.map_err(|error| errors::invalid(py, error))
}

/// The settings in JSON, with a number of bytes as text and the folder of tables.
pub(crate) fn settings(
    py: Python<'_>,
    json: &str,
    memory: &str,
    tables: Option<PathBuf>,
) -> PyResult<Settings> {
    let bytes = memory.parse::<ByteSize>().map_err(|error| {
        let expected = "expected a size such as 512MiB or 2GiB";
        errors::invalid(py, format_args!("memory {memory:?}: {error}; {expected}"))
    })?;
    let mut settings: Settings = read(py, json)?;
    settings.tables = tables;
    Ok(settings.memory(bytes.as_u64()))
}

/// The request in JSON.
pub(crate) fn request(py: Python<'_>, json: &str) -> PyResult<Request<'static>> {
    read(py, json)
}

/// A result as JSON.
pub(crate) fn json(py: Python<'_>, result: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(result).map_err(|error| errors::of_panic(py, &error.to_string()))
}

/// A number as a cost.
pub(crate) fn cost(py: Python<'_>, name: &str, number: i64) -> PyResult<Cost> {
    let wrong =
        |_| errors::invalid(py, format_args!("{name}: {number}, expected 0 to {}", Cost::MAX));
    Cost::try_from(number).map_err(wrong)
}

/// A time in seconds. An infinite one is no limit.
pub(crate) fn duration(
    py: Python<'_>,
    name: &str,
    seconds: Option<f64>,
) -> PyResult<Option<Duration>> {
    let Some(seconds) = seconds.filter(|&seconds| seconds != f64::INFINITY) else {
        return Ok(None);
    };
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| {
        let expected = "expected seconds, 0 or more";
        errors::invalid(py, format_args!("{name}: {seconds}, {expected}"))
    })
}
