//! Writes JSON values as rows of CSV (RFC 4180): [`csv_row`].

use serde_json::Value;

/// One row of CSV (RFC 4180), without its line end: the values that `object` has for the keys
/// `columns`.
///
/// The items of a list are separated by blanks, the lists in a list by ` | `. A missing key gives
/// an empty field.
///
/// ```
/// use fewest::{Request, Settings, configure, csv_row};
///
/// let cube = configure("3x3x3", &Settings::default().heuristic("manhattan"))?;
/// let answer = cube.solve("R U", &Request::default())?;
/// let row = csv_row(&serde_json::to_value(&answer)?, ["outcome", "lower_bound", "plans"]);
/// assert_eq!(row, "solved,2,U' R'");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn csv_row<'a>(object: &Value, columns: impl IntoIterator<Item = &'a str>) -> String {
    let values = columns.into_iter().map(|key| object.get(key).unwrap_or(&Value::Null));
    values.map(|value| quoted(text(value))).collect::<Vec<_>>().join(",")
}

/// The text of a value. Items of a list are separated by blanks, lists in a list by ` | `.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let between = if values.iter().any(Value::is_array) { " | " } else { " " };
            values.iter().map(text).collect::<Vec<_>>().join(between)
        }
        other => other.to_string(),
    }
}

/// The text, in quotes if it has a comma, a quote or a line end.
fn quoted(text: String) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}
