//! What the results of a run depend on: [`Identity`].

use serde_json::{Map, Value};

/// Everything that the results of a run depend on, as pairs of a name and a value.
///
/// Two runs with equal identities have the same units with the same counts, whatever the machine
/// and the number of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity(Vec<(String, String)>);

impl Identity {
    /// An identity without facts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a fact, or replaces the fact of this name.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// The same identity with one more fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.set(name, value);
        self
    }

    /// The value of a fact.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All facts, in the order in which they were added.
    pub fn facts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// BLAKE3 hash of all facts, sorted by name.
    pub fn hash(&self) -> [u8; 32] {
        let mut facts: Vec<_> = self.facts().collect();
        facts.sort_unstable();
        let mut hasher = blake3::Hasher::new();
        for text in facts.into_iter().flat_map(|(name, value)| [name, value]) {
            // The length in front keeps "ab" "c" apart from "a" "bc".
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        *hasher.finalize().as_bytes()
    }

    /// The first fact in which another identity differs, with both values. `None` if they are
    /// equal. An absent value is the empty text.
    pub fn difference<'a>(&'a self, other: &'a Self) -> Option<(&'a str, &'a str, &'a str)> {
        self.difference_beside(&[], other)
    }

    /// As [`Identity::difference`]. Of the `late` facts, only those count that both have.
    pub(crate) fn difference_beside<'a>(
        &'a self,
        late: &[&str],
        other: &'a Self,
    ) -> Option<(&'a str, &'a str, &'a str)> {
        let counts = |name: &str| {
            !late.contains(&name) || self.get(name).is_some() && other.get(name).is_some()
        };
        let names = self.facts().chain(other.facts()).map(|(name, _)| name);
        names
            .filter(|name| counts(name))
            .map(|name| {
                (name, self.get(name).unwrap_or_default(), other.get(name).unwrap_or_default())
            })
            .find(|(_, own, others)| own != others)
    }

    /// The same facts in the order of their names.
    pub(crate) fn sorted(&self) -> Self {
        let mut facts = self.0.clone();
        facts.sort_unstable();
        Self(facts)
    }

    /// The facts as a JSON object.
    pub fn to_json(&self) -> Value {
        let pairs = self.facts().map(|(name, value)| (name.to_owned(), Value::from(value)));
        Value::Object(pairs.collect::<Map<_, _>>())
    }

    /// The identity of a JSON object whose values are texts. `None` for other JSON.
    pub fn from_json(value: &Value) -> Option<Self> {
        let mut identity = Self::new();
        for (name, value) in value.as_object()? {
            identity.set(name, value.as_str()?);
        }
        Some(identity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_sees_every_fact_and_no_order() {
        let one = Identity::new().with("puzzle", "a").with("state", "bc");
        let other = Identity::new().with("state", "bc").with("puzzle", "a");
        assert_eq!(one.hash(), other.hash());
        assert_ne!(one.hash(), one.clone().with("state", "b").hash());
        assert_ne!(one.hash(), one.clone().with("more", "").hash());
        let [ab, a] = [("ab", "c"), ("a", "bc")]
            .map(|(name, value)| Identity::new().with(name, value).hash());
        assert_ne!(ab, a);
    }

    #[test]
    fn a_difference_is_named() {
        let one = Identity::new().with("puzzle", "a").with("state", "b");
        assert_eq!(one.difference(&one), None);
        let other = one.clone().with("state", "c");
        assert_eq!(one.difference(&other), Some(("state", "b", "c")));
        let more = one.clone().with("metric", "qtm");
        assert_eq!(one.difference(&more), Some(("metric", "", "qtm")));
        assert_eq!(Identity::from_json(&more.to_json()).unwrap().hash(), more.hash());
    }
}
