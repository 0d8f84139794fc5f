//! The operators that lead to a waiting node.

use crate::domain::Op;

/// The most operators of a short path. A path then takes 56 bytes.
const SHORT: usize = 22;

/// Operators from the loaded node on. A short path is copied whole, without a loop.
#[derive(Clone, Debug)]
pub(super) struct Path {
    short: [Op; SHORT],
    /// The number of operators in `short`.
    len: u16,
    /// All operators of a longer path.
    #[expect(clippy::box_collection, reason = "8 bytes instead of 24 in each short path")]
    long: Option<Box<Vec<Op>>>,
}

impl Path {
    pub(super) const EMPTY: Self = Self { short: [Op(0); SHORT], len: 0, long: None };

    pub(super) fn ops(&self) -> &[Op] {
        match &self.long {
            Some(ops) => ops,
            None => &self.short[..usize::from(self.len)],
        }
    }

    /// Adds an operator.
    #[inline(always)]
    pub(super) fn push(&mut self, op: Op) {
        if let Some(to) = self.short.get_mut(usize::from(self.len)) {
            *to = op;
            self.len += 1;
        } else {
            self.push_long(op);
        }
    }

    #[cold]
    fn push_long(&mut self, op: Op) {
        let short = &self.short;
        self.long.get_or_insert_with(|| Box::new(short.to_vec())).push(op);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_any_length_holds_its_operators() {
        let (mut path, mut expected) = (Path::EMPTY, Vec::new());
        for op in (0..250).map(|number| Op(number * 7)) {
            assert_eq!(path.ops(), expected);
            let before = path.clone();
            path.push(op);
            assert_eq!(before.ops(), expected, "a copy is its own");
            expected.push(op);
        }
        assert_eq!(path.ops(), expected);
    }
}
