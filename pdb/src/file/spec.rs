//! The specification of a table file, [`TableSpec`], and its fingerprint.

use super::error::TableErrorKind;
use serde_json::Value;

/// Bytes in the header of a file for the name of the encoding.
pub(super) const ENCODING_BYTES: usize = 32;
/// Bytes in the header of a file for the description.
pub(super) const DESCRIPTION_BYTES: usize = 3956;

/// What a table contains, and how it is encoded. Two specifications mean the same table if and only
/// if their fingerprints are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSpec {
    /// Name of the file without its ending: 1 to 100 ASCII letters, digits, `-`, `_` or `.`, not
    /// beginning with `.`. It is not part of the fingerprint.
    pub name: String,
    /// Describes the domain and the abstraction. It must contain everything that changes an entry.
    /// At most about 3,900 bytes of JSON.
    pub description: Value,
    /// Name of the encoding of the payload, at most 32 bytes, see [`Payload`].
    pub encoding: String,
    /// Number of entries of the table.
    pub entries: u64,
    /// Length of the payload in bytes, at least 1.
    pub payload_bytes: u64,
}

/// Encoding and size of a payload. Each type of table has a function that returns its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// Name of the encoding.
    pub encoding: String,
    /// Number of entries of the table.
    pub entries: u64,
    /// Length of the payload in bytes.
    pub bytes: u64,
}

impl TableSpec {
    /// The specification of a table with a name, a description and a payload.
    pub fn new(name: impl Into<String>, description: Value, payload: Payload) -> Self {
        let Payload { encoding, entries, bytes } = payload;
        Self { name: name.into(), description, encoding, entries, payload_bytes: bytes }
    }

    /// BLAKE3 hash of the canonical JSON (sorted keys, no white space) of everything but the name.
    pub fn fingerprint(&self) -> [u8; 32] {
        let whole = serde_json::json!({
            "description": self.description,
            "encoding": self.encoding,
            "entries": self.entries,
            "payload_bytes": self.payload_bytes,
        });
        *blake3::hash(canonical(&whole).as_bytes()).as_bytes()
    }

    /// Whether a table may have this name. A valid name cannot lead out of a folder.
    pub(super) fn is_name(name: &str) -> bool {
        let ok = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        (1..=100).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(ok)
    }

    /// Returns an error if no table may have this name.
    pub(super) fn check_name(name: &str) -> Result<(), TableErrorKind> {
        if Self::is_name(name) {
            return Ok(());
        }
        Err(TableErrorKind::Spec(format!(
            "the table name {name:?} is not 1 to 100 ASCII letters, digits, -, _ or ., the first one not a ."
        )))
    }

    /// Returns an error if a file cannot hold the specification.
    pub(super) fn check(&self) -> Result<(), TableErrorKind> {
        Self::check_name(&self.name)?;
        let encoding = self.encoding.len();
        if encoding == 0 || encoding > ENCODING_BYTES || self.encoding.contains('\0') {
            return Err(TableErrorKind::Spec(format!(
                "the encoding name {:?} has not 1 to {ENCODING_BYTES} bytes",
                self.encoding
            )));
        }
        let description = canonical(&self.description).len();
        if description > DESCRIPTION_BYTES {
            return Err(TableErrorKind::Spec(format!(
                "the description takes {description} bytes of JSON, at most {DESCRIPTION_BYTES} fit the header"
            )));
        }
        if self.payload_bytes == 0 || i64::try_from(self.payload_bytes).is_err() {
            return Err(TableErrorKind::Spec(format!(
                "a payload of {} bytes, expected 1 to 2^63 - 1",
                self.payload_bytes
            )));
        }
        Ok(())
    }
}

/// JSON with sorted keys and no white space.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<_> = map.iter().collect();
            pairs.sort_by_key(|&(key, _)| key);
            let pairs: Vec<String> = pairs
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", pairs.join(","))
        }
        Value::Array(values) => {
            format!("[{}]", values.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}

/// Lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::PackedTable;
    use serde_json::json;

    #[test]
    fn the_fingerprint_sees_the_content_only() {
        let spec = TableSpec::new(
            "a",
            json!({"x": [1, {"b": 2, "a": "é\n"}], "w": null}),
            PackedTable::payload(4, 10),
        );
        assert_eq!(canonical(&spec.description), r#"{"w":null,"x":[1,{"a":"é\n","b":2}]}"#);
        let renamed = TableSpec { name: "b".into(), ..spec.clone() };
        assert_eq!(spec.fingerprint(), renamed.fingerprint());
        for other in [
            TableSpec { entries: 9, ..spec.clone() },
            TableSpec { encoding: "other".into(), ..spec.clone() },
            TableSpec { payload_bytes: 6, ..spec.clone() },
            TableSpec { description: json!({"w": null}), ..spec.clone() },
        ] {
            assert_ne!(spec.fingerprint(), other.fingerprint());
        }
    }

    #[test]
    fn what_no_file_can_hold_is_refused() {
        let spec = TableSpec::new("ok-1_2.x", json!("short"), PackedTable::payload(4, 10));
        assert!(spec.check().is_ok());
        for other in [
            TableSpec { name: "../up".into(), ..spec.clone() },
            TableSpec { name: ".hidden".into(), ..spec.clone() },
            TableSpec { name: String::new(), ..spec.clone() },
            TableSpec { encoding: "x".repeat(33), ..spec.clone() },
            TableSpec { description: json!("x".repeat(4000)), ..spec.clone() },
            TableSpec { payload_bytes: 0, ..spec.clone() },
        ] {
            assert!(matches!(other.check(), Err(TableErrorKind::Spec(_))), "{other:?}");
        }
    }
}
