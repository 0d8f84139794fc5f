//! The names of moves, the names that mean rotations, and how a move is written with its amount.

use super::orbits::LONGEST_NAME;
use std::collections::HashMap;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveRef {
    /// A move of [`MoveSet::base`](crate::MoveSet::base), by its index.
    Base(usize),
    /// A move of [`MoveSet::derived`](crate::MoveSet::derived), by its index.
    Derived(usize),
}

/// A move, and how often it is made. Negative amounts go backward.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn {
    /// The move.
    pub of: MoveRef,
    /// How often the move is made, not 0.
    pub amount: i32,
}

impl Turn {
    /// A move made once.
    pub fn once(of: MoveRef) -> Self {
        Self { of, amount: 1 }
    }

    /// The turn that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { amount: -self.amount, ..self }
    }
}

/// Characters that mark a backward move.
pub(crate) const PRIMES: [char; 5] = ['\'', '’', '′', '´', '`'];
/// The largest amount in a text.
pub(crate) const LARGEST_AMOUNT: i32 = 1_000_000_000;

/// The names of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Names {
    map: HashMap<String, MoveRef>,
    /// Bytes of the longest name.
    longest: usize,
}

impl Names {
    /// Adds a name. Returns false if it is taken.
    pub(crate) fn insert(&mut self, name: &str, of: MoveRef) -> bool {
        self.longest = self.longest.max(name.len().min(LONGEST_NAME));
        let new = !self.map.contains_key(name);
        if new {
            self.map.insert(name.to_owned(), of);
        }
        new
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.map.remove(name);
    }

    /// Gives each name another meaning.
    pub(super) fn renumber(&mut self, renamed: impl Fn(MoveRef) -> MoveRef) {
        self.map.values_mut().for_each(|of| *of = renamed(*of));
    }

    pub(crate) fn get(&self, name: &str) -> Option<MoveRef> {
        self.map.get(name).copied()
    }

    /// A name that differs from the text only by upper and lower case. If there are several, the
    /// smallest.
    pub(crate) fn like(&self, text: &str) -> Option<&str> {
        let alike = self.map.keys().filter(|name| name.eq_ignore_ascii_case(text));
        alike.min().map(String::as_str)
    }

    /// The longest name at the beginning of a text, and its length.
    ///
    /// A name that ends with a digit does not fit before a digit.
    pub(crate) fn longest_in(&self, text: &str) -> Option<(MoveRef, usize)> {
        let most = self.longest.min(text.len());
        let ends = (1..=most).rev().filter(|&end| text.is_char_boundary(end));
        let cuts_number = |end: usize| {
            let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
            digit(text[..end].chars().next_back()) && digit(text[end..].chars().next())
        };
        ends.filter(|&end| !cuts_number(end)).find_map(|end| Some((self.get(&text[..end])?, end)))
    }

    /// A name with an amount, as text that can be read back: `R`, `R2`, `R'`, `R2'`.
    ///
    /// If the short form would be another name, the text is `(y2)2`.
    pub(crate) fn with_amount(&self, name: &str, amount: i32) -> String {
        if amount == 1 {
            return name.to_owned();
        }
        let times = if amount.unsigned_abs() == 1 {
            String::new()
        } else {
            amount.unsigned_abs().to_string()
        };
        let prime = if amount < 0 { "'" } else { "" };
        let ends = |c: char| c.is_ascii_digit() || PRIMES.contains(&c);
        let short = format!("{name}{times}{prime}");
        let boundaries = (name.len() + 1..=short.len()).filter(|&end| short.is_char_boundary(end));
        let longer = boundaries.into_iter().any(|end| self.get(&short[..end]).is_some());
        if name.ends_with(ends) && !times.is_empty() || longer {
            format!("({name}){times}{prime}")
        } else {
            short
        }
    }
}

/// Whether a move with this name turns the whole puzzle.
///
/// Such names are `x`, `y` and `z`, also with `2` or `'`. So are capitals (and `_`) with a `v` at
/// the end, such as `Uv`.
pub fn is_rotation_name(name: &str) -> bool {
    let axis = name.strip_suffix(['2', '\'']).unwrap_or(name);
    let whole = name.strip_suffix('v').unwrap_or_default();
    matches!(axis, "x" | "y" | "z")
        || !whole.is_empty() && whole.bytes().all(|c| c.is_ascii_uppercase() || c == b'_')
}

/// The names of which this name would be a power, each with the amount.
///
/// `R2'` is `R` with the amount -2 and `R2` with -1. `R12` is no power of `R1`, because no number
/// may follow a name that ends with a digit.
pub(crate) fn powers_of(name: &str) -> Vec<(&str, i32)> {
    let mut out = Vec::new();
    let (rest, sign) = match name.strip_suffix(PRIMES) {
        Some(rest) => (rest, -1),
        None => (name, 1),
    };
    if sign < 0 {
        out.push((rest, -1));
    }
    let stem = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let amount = rest[stem.len()..].parse::<i32>();
    if let Some(amount) = amount.ok().filter(|n| (1..=LARGEST_AMOUNT).contains(n)) {
        out.push((stem, sign * amount));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_known_by_name() {
        for name in ["x", "y2", "z'", "Uv", "FRBv", "U_Dv"] {
            assert!(is_rotation_name(name), "{name}");
        }
        for name in ["X", "xy", "x3", "x2'", "v", "uv", "Uw", "2Uv", ""] {
            assert!(!is_rotation_name(name), "{name}");
        }
    }

    #[test]
    fn powers_are_seen_in_names() {
        assert_eq!(powers_of("R2'"), [("R2", -1), ("R", -2)]);
        assert_eq!(powers_of("R12"), [("R", 12)]);
        assert_eq!(powers_of("U’"), [("U", -1)]);
        assert_eq!(powers_of("Rw"), []);
        assert_eq!(powers_of("R0"), []);
        assert_eq!(powers_of("R99999999999"), []);
    }

    #[test]
    fn the_longest_name_is_found() {
        let mut names = Names::default();
        for (i, name) in ["R", "BR", "B", "y2", "y", "3-4r", "é"].into_iter().enumerate() {
            assert!(names.insert(name, MoveRef::Base(i)));
        }
        assert!(!names.insert("R", MoveRef::Base(9)));
        let found =
            |text: &str| names.longest_in(text).map(|(_, length)| text[..length].to_owned());
        let is = |text: &str, name: &str| assert_eq!(found(text).as_deref(), Some(name), "{text}");
        is("BR2", "BR");
        is("BU", "B");
        is("y2'", "y2");
        is("y22", "y");
        is("3-4r'", "3-4r");
        is("éé", "é");
        assert_eq!((found("Q"), found("")), (None, None));
    }

    #[test]
    fn amounts_are_written_so_that_they_are_read_again() {
        let mut names = Names::default();
        for (i, name) in ["R", "y2", "U", "U2", "D'", "D"].into_iter().enumerate() {
            names.insert(name, MoveRef::Base(i));
        }
        let written: Vec<String> =
            [("R", -2), ("R", -1), ("y2", 2), ("y2", -1), ("U", 2), ("U", 3), ("U", -2), ("D", -1)]
                .map(|(name, amount)| names.with_amount(name, amount))
                .to_vec();
        assert_eq!(written, ["R2'", "R'", "(y2)2", "y2'", "(U)2", "U3", "(U)2'", "(D)'"]);
    }
}
