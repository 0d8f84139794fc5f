//! Writes JSON values as rows of CSV (RFC 4180).

use serde_json::Value;

/// A row of these values, without its line end.
pub(super) fn row<'a>(values: impl Iterator<Item = &'a Value>) -> String {
    values.map(|value| quoted(text(value))).collect::<Vec<_>>().join(",")
}

/// The text of a value: words of a list with blanks between them, lists with bars.
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let values = [
            (json!(null), ""),
            (json!(7), "7"),
            (json!(true), "true"),
            (json!("R U"), "R U"),
            (json!("a,b"), "\"a,b\""),
            (json!("say \"x\""), "\"say \"\"x\"\"\""),
            (json!("two\nlines"), "\"two\nlines\""),
            (json!(["R", "U'"]), "R U'"),
            (json!([["R"], ["U", "F"]]), "R | U F"),
            (json!([]), ""),
            (json!({"a": 1, "b": 2}), "\"{\"\"a\"\":1,\"\"b\"\":2}\""),
        ];
        let (cells, texts): (Vec<_>, Vec<_>) = values.into_iter().unzip();
        assert_eq!(row(cells.iter()), texts.join(","));
    }
}
