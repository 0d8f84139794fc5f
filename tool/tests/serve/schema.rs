//! Checks JSON against the schemas of the interface's own description.

use serde_json::{Map, Value};

/// The description that the server ships.
pub(crate) struct Description(Value);

/// What this checker knows. A schema with another key fails its test.
const KEYS: [&str; 10] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "oneOf",
    "$ref",
    "minimum",
    "description",
];

impl Description {
    pub(crate) fn new() -> Self {
        let text = include_str!("../../src/serve/openapi.json");
        Self(serde_json::from_str(text).expect("JSON"))
    }

    /// All operations, as method and path.
    pub(crate) fn operations(&self) -> Vec<(String, String)> {
        let paths = self.0["paths"].as_object().expect("paths");
        let operations = paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods").keys();
            methods.map(move |method| (method.to_uppercase(), path.clone()))
        });
        operations.collect()
    }

    /// The path of the description that a request's path matches.
    pub(crate) fn path(&self, asked: &str) -> Option<&str> {
        let matches = |path: &str| {
            let (mut own, mut words) = (path.split('/'), asked.split('/'));
            let same = own.by_ref().zip(words.by_ref()).all(|(a, b)| a == b || a.starts_with('{'));
            same && path.split('/').count() == asked.split('/').count()
        };
        let paths = self.0["paths"].as_object().expect("paths");
        paths.keys().map(String::as_str).find(|path| matches(path))
    }

    /// Checks the body of a request.
    pub(crate) fn check_request(&self, method: &str, path: &str, body: &Value) {
        let path = self.path(path).unwrap_or_else(|| panic!("{path} is not described"));
        let operation = &self.0["paths"][path][method.to_lowercase()];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        self.check(schema, body, &format!("{method} {path}, request"));
    }

    /// Checks an answer. Every status that is not described must be an error.
    pub(crate) fn check_answer(&self, method: &str, path: &str, status: u16, body: &Value) {
        let path = self.path(path).unwrap_or_else(|| panic!("{path} is not described"));
        let answers = &self.0["paths"][path][method.to_lowercase()]["responses"];
        let place = format!("{method} {path}, status {status}");
        let answer = match &answers[status.to_string()] {
            Value::Null if status >= 400 => &answers["default"],
            answer => answer,
        };
        assert!(answer.is_object(), "{place}: not described");
        match &answer["content"]["application/json"]["schema"] {
            Value::Null => assert!(body.is_null(), "{place}: a body where none is described"),
            schema => self.check(schema, body, &place),
        }
    }

    /// Checks a value against a schema of this name.
    pub(crate) fn check_named(&self, name: &str, value: &Value) {
        self.check(&self.0["components"]["schemas"][name], value, name);
    }

    fn check(&self, schema: &Value, value: &Value, place: &str) {
        if let Err(wrong) = self.wrong(schema, value, place) {
            panic!("{wrong}: {value}");
        }
    }

    fn wrong(&self, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
        let keys = schema.as_object().ok_or_else(|| format!("{place}: no schema"))?;
        if let Some(key) = keys.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(format!("{place}: the checker does not know {key}"));
        }
        if let Some(name) = keys.get("$ref") {
            let name = name.as_str().and_then(|name| name.strip_prefix("#/components/schemas/"));
            let name = name.ok_or_else(|| format!("{place}: a strange reference"))?;
            return self.wrong(&self.0["components"]["schemas"][name], value, place);
        }
        if let Some(Value::Array(several)) = keys.get("oneOf") {
            let fit = several.iter().filter(|one| self.wrong(one, value, place).is_ok()).count();
            return if fit == 1 { Ok(()) } else { Err(format!("{place}: {fit} schemas fit")) };
        }
        let types = match keys.get("type") {
            Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(one)) => vec![one.as_str()],
            _ => Vec::new(),
        };
        if !types.is_empty() && !types.iter().any(|kind| is(kind, value)) {
            return Err(format!("{place}: expected {types:?}"));
        }
        if let Some(Value::Array(allowed)) = keys.get("enum")
            && !allowed.contains(value)
        {
            return Err(format!("{place}: expected one of {allowed:?}"));
        }
        if let (Some(least), Some(number)) = (keys.get("minimum"), value.as_f64())
            && least.as_f64().is_some_and(|least| number < least)
        {
            return Err(format!("{place}: expected at least {least}"));
        }
        if let (Some(items), Value::Array(values)) = (keys.get("items"), value) {
            values.iter().try_for_each(|one| self.wrong(items, one, &format!("{place}[]")))?;
        }
        match value {
            Value::Object(object) => self.wrong_object(keys, object, place),
            _ => Ok(()),
        }
    }

    fn wrong_object(
        &self,
        schema: &Map<String, Value>,
        object: &Map<String, Value>,
        place: &str,
    ) -> Result<(), String> {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        for key in required.filter_map(Value::as_str) {
            if !object.contains_key(key) {
                return Err(format!("{place}: no key {key}"));
            }
        }
        for (key, value) in object {
            let own = schema.get("properties").and_then(|properties| properties.get(key));
            let place = format!("{place}.{key}");
            match (own, schema.get("additionalProperties")) {
                (Some(own), _) => self.wrong(own, value, &place)?,
                (None, Some(Value::Bool(false))) => return Err(format!("{place}: unknown key")),
                (None, Some(other @ Value::Object(_))) => self.wrong(other, value, &place)?,
                (None, _) => {}
            }
        }
        Ok(())
    }
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        // Counts of states may be larger than 64 bits.
        "integer" => value.is_number() && value.to_string().bytes().all(|c| c.is_ascii_digit()),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// A checker that lets everything pass would make the other tests worthless.
#[test]
fn wrong_values_are_found() {
    let description = Description::new();
    let schema = |name: &str| description.0["components"]["schemas"][name].clone();
    let wrong = |name: &str, text: &str| {
        let value = serde_json::from_str(text).expect("JSON");
        description.wrong(&schema(name), &value, "test").is_err()
    };
    assert!(!wrong("Place", r#"{"column": 3}"#));
    assert!(!wrong("Check", r#"{"solves":true,"plan_length":0,"plan_cost":0,"error":null}"#));
    for (name, text) in [
        ("Place", r#"{"column": "3"}"#),
        ("Place", r#"{"column": -3}"#),
        ("Place", r#"{"columns": 3}"#),
        ("Place", r#"{"facelets": [1, null]}"#),
        ("Check", r#"{"solves":true,"plan_length":0,"plan_cost":0}"#),
        ("Check", r#"{"solves":true,"plan_length":0,"plan_cost":0,"error":1}"#),
        ("PuzzleChoice", r#"{"name":"a","metric":"ftm"}"#),
        ("Place", "[]"),
    ] {
        assert!(wrong(name, text), "{name} {text}");
    }
}
