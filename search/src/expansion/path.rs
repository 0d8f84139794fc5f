//! The operators on the way to a node that waits.

use crate::operators::Op;

/// Operators of a short path, which with its length takes 48 bytes.
const SHORT: usize = 22;

/// Operators from the loaded node on. A short path is copied whole, without a loop.
#[derive(Clone, Debug)]
pub(super) enum Path {
    Short([Op; SHORT], u8),
    Long(Vec<Op>),
}

impl Path {
    pub(super) const EMPTY: Self = Self::Short([Op(0); SHORT], 0);

    pub(super) fn ops(&self) -> &[Op] {
        match self {
            Self::Short(ops, len) => &ops[..usize::from(*len)],
            Self::Long(ops) => ops,
        }
    }

    /// The path and an operator behind it.
    #[inline(always)]
    pub(super) fn with(&self, op: Op) -> Self {
        match self {
            Self::Short(ops, len) if usize::from(*len) < SHORT => {
                let mut ops = *ops;
                ops[usize::from(*len)] = op;
                Self::Short(ops, len + 1)
            }
            _ => self.longer(op),
        }
    }

    #[cold]
    fn longer(&self, op: Op) -> Self {
        Self::Long(self.ops().iter().copied().chain([op]).collect())
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
            path = path.with(op);
            expected.push(op);
        }
        assert_eq!(path.ops(), expected);
    }
}
