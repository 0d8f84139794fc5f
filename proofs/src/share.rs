//! A fixed share of the units of a run: [`Share`].

use std::fmt;
use std::str::FromStr;

/// Share K of N of the units of each long bound: the units whose numbers are K - 1, K - 1 + N, ..
///
/// All shares together have every unit, and no unit is in two shares. A share searches short
/// bounds whole, so that shares agree without exchanging them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    number: usize,
    of: usize,
}

impl Share {
    /// Least number of nodes of a bound after which the next bound is shared. Others take a second.
    pub const SHARED_FROM: u64 = 1 << 20;

    /// The whole.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// Share `number` of `of`, counted from 1. `None` if there is no such share.
    pub fn new(number: usize, of: usize) -> Option<Self> {
        (1..=of).contains(&number).then_some(Self { number, of })
    }

    /// Whether the share has a unit of a bound. `before` is the number of nodes that the bound
    /// before generated.
    pub fn has(self, unit: usize, before: u64) -> bool {
        before < Self::SHARED_FROM || unit % self.of == self.number - 1
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Share {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no share: expected K/N with K from 1 to N, as in 2/7");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let (number, of) = (number.parse(), of.parse());
        let (Ok(number), Ok(of)) = (number, of) else { return Err(wrong()) };
        Self::new(number, of).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_a_partition() {
        for of in 1..=7 {
            let shares: Vec<Share> = (1..=of).filter_map(|k| Share::new(k, of)).collect();
            for unit in 0..100 {
                let owners = |before| shares.iter().filter(|one| one.has(unit, before)).count();
                assert_eq!(owners(Share::SHARED_FROM), 1);
                assert_eq!(owners(Share::SHARED_FROM - 1), of);
            }
        }
    }

    #[test]
    fn texts_of_shares() {
        assert_eq!("2/7".parse(), Ok(Share { number: 2, of: 7 }));
        assert_eq!("2/7".parse::<Share>().unwrap().to_string(), "2/7");
        for wrong in ["0/7", "8/7", "2", "a/7", "2/", "-1/7", "1/0", ""] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
