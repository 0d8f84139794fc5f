//! The form of automata that serde writes and reads.

use crate::Automaton;
use crate::forbidden::DEAD;
use search::{Cost, OpSet};

/// The stored form of an [`Automaton`]: the cost of each operator, and the next states, indexed by
/// `state * operators + op`. `None` stands for the dead state.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Automaton")]
struct Table {
    costs: Vec<Cost>,
    next: Vec<Option<u32>>,
}

impl<O: OpSet> serde::Serialize for Automaton<O> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let next = self.table().into_iter().map(|to| (to != DEAD).then_some(to)).collect();
        Table { costs: self.costs().to_vec(), next }.serialize(serializer)
    }
}

impl<'de, O: OpSet> serde::Deserialize<'de> for Automaton<O> {
    fn deserialize<S: serde::Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        let Table { costs, next } = Table::deserialize(deserializer)?;
        if let Some(place) = next.iter().position(|&to| to == Some(DEAD)) {
            let message = format!("entry {place} names next state {DEAD}, out of range");
            return Err(serde::de::Error::custom(message));
        }
        let next: Vec<u32> = next.into_iter().map(|to| to.unwrap_or(DEAD)).collect();
        Self::from_table(costs.into(), &next).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ForbiddenStrings, Keep};
    use search::Op;

    fn forbidden() -> ForbiddenStrings {
        let strings: [&[Op]; 2] = [&[Op(1), Op(0)], &[Op(0), Op(2), Op(2)]];
        ForbiddenStrings::from_strings(&[1, 2, 3], 3, Keep::OneOptimal, strings).unwrap()
    }

    #[test]
    fn stored_strings_come_back_and_damaged_ones_do_not() {
        let text = serde_json::to_string(&forbidden()).unwrap();
        assert_eq!(serde_json::from_str::<ForbiddenStrings>(&text).unwrap(), forbidden());
        for (from, to, message) in [
            ("[1,0]", "[1,3]", "string 0 names operator 3, there are 3"),
            ("[1,0]", "[]", "string 0 has length 0, not 1 to 3"),
            ("[0,2,2]", "[0,2,2,1]", "string 1 has length 4, not 1 to 3"),
            ("[1,2,3]", "[1,0,3]", "operator 1 costs 0; the least cost is 1"),
            ("[1,2,3]", "[]", "0 operators; there must be 1 to 65535"),
        ] {
            let error =
                serde_json::from_str::<ForbiddenStrings>(&text.replace(from, to)).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
    }

    #[test]
    fn damaged_tables_are_refused() {
        let strings: [&[Op]; 2] = [&[Op(0), Op(0)], &[Op(1), Op(0)]];
        let strings = ForbiddenStrings::from_strings(&[1, 1], 9, Keep::OneOptimal, strings);
        let good = Automaton::<u32>::new(&strings.unwrap()).unwrap();
        let text = serde_json::to_string(&good).unwrap();
        assert_eq!(text, r#"{"costs":[1,1],"next":[1,2,null,2,null,2]}"#);
        assert_eq!(serde_json::from_str::<Automaton<u32>>(&text).unwrap(), good);
        for (from, to, message) in [
            ("[1,2,null", "[1,3,null", "state 0, operator 1: next state 3, there are 3"),
            ("[1,2,null", "[1,4294967295,null", "entry 1 names next state 4294967295"),
            ("[1,2,null,", "[2,null,", "5 entries are not rows of 2"),
            ("[1,1]", "[1,0]", "operator 1 costs 0"),
            ("[1,1]", "[]", "0 operators; there must be 1 to 32"),
        ] {
            let error =
                serde_json::from_str::<Automaton<u32>>(&text.replacen(from, to, 1)).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}
