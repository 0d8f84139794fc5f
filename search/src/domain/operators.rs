//! Operators, costs, and sets of operators in a few machine words.

use std::fmt::Debug;
use std::hash::Hash;

/// Cost of an operator, a plan, a bound or a heuristic value.
///
/// As a limit, 255 ([`Cost::MAX`]) means "no limit". Plans may cost at most [`MAX_COST`].
pub type Cost = u8;

/// The greatest cost of a plan that the searches handle.
pub const MAX_COST: Cost = 250;

/// An operator: an index below [`Domain::operators`](crate::Domain::operators). Every search tries
/// operators in the order of their indices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Op(pub u16);

impl Op {
    /// The operator with this index.
    ///
    /// # Panics
    /// If the index does not fit 16 bits.
    #[inline(always)]
    pub fn new(index: usize) -> Self {
        match u16::try_from(index) {
            Ok(index) => Op(index),
            Err(_) => panic!("operator index {index} does not fit 16 bits"),
        }
    }

    /// The index as a `usize`.
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Shows the index.
impl std::fmt::Display for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0, f)
    }
}

/// A set of operators: a word (`u8` to `u128`) or an array of `u64`.
///
/// Two methods are required. The others work operator by operator; words and arrays override them
/// with faster ones.
pub trait OpSet: Copy + PartialEq + Eq + Send + Sync + Debug + 'static {
    /// A set type with room for twice as many operators. [`TwoSided`](crate::TwoSided) needs it for
    /// the operators of both ends.
    type Double: OpSet;
    /// The number of operators that fit.
    const CAPACITY: usize;
    /// The set without operators.
    const NONE: Self;
    /// The set of all operators `0 ..` [`OpSet::CAPACITY`].
    const FULL: Self;
    /// This set and one more operator.
    #[must_use]
    fn with(self, op: Op) -> Self;
    /// Removes the lowest operator and returns it; `None` if the set is empty.
    fn pop(&mut self) -> Option<Op>;
    /// The set of the operators `0 .. n`; `n` is at most [`OpSet::CAPACITY`].
    fn first(n: usize) -> Self {
        (0..n).map(Op::new).fold(Self::NONE, Self::with)
    }
    /// Removes the lowest `N` operators, or all if there are fewer, and returns them in ascending
    /// order. Unused slots of the result hold arbitrary operators that were not in the set. For
    /// words the code has no branch.
    #[inline(always)]
    fn pop_some<const N: usize>(&mut self) -> [Op; N] {
        std::array::from_fn(|_| self.pop().unwrap_or(Op(u16::MAX)))
    }
    /// The operators in both sets.
    #[must_use]
    fn and(self, other: Self) -> Self {
        self.members().filter(|&op| other.contains(op)).fold(Self::NONE, Self::with)
    }
    /// The operators in either set.
    #[must_use]
    fn or(self, other: Self) -> Self {
        other.members().fold(self, Self::with)
    }
    /// The operators of this set that are not in the other.
    #[must_use]
    fn minus(self, other: Self) -> Self {
        self.members().filter(|&op| !other.contains(op)).fold(Self::NONE, Self::with)
    }
    /// The number of operators in the set.
    fn len(self) -> u32 {
        self.members().fold(0, |count, _| count + 1)
    }
    /// Whether the set holds no operator.
    fn is_empty(self) -> bool {
        self == Self::NONE
    }
    /// Whether the set holds this operator.
    fn contains(self, op: Op) -> bool {
        self.members().any(|member| member == op)
    }
    /// Joins the operators of both ends of a two-sided search. The result holds `front` as it is,
    /// and `back` moved up by `n`. Both sets hold only operators below `n`.
    fn double(front: Self, back: Self, n: usize) -> Self::Double {
        let most = Self::Double::CAPACITY;
        assert!(2 * n <= most, "both ends of {n} operators do not fit {most}");
        let moved = back.members().map(|op| Op::new(op.index() + n));
        front.members().chain(moved).fold(Self::Double::NONE, Self::Double::with)
    }
    /// Undoes [`OpSet::double`]: returns the operators below `n`, and the others moved down by `n`.
    fn split(double: Self::Double, n: usize) -> (Self, Self) {
        double.members().fold((Self::NONE, Self::NONE), |(front, back), op| {
            match op.index().checked_sub(n) {
                None => (front.with(op), back),
                Some(moved) => (front, back.with(Op::new(moved))),
            }
        })
    }
    /// The operators of the set, lowest first.
    fn members(self) -> Iter<Self> {
        Iter(self)
    }
}

/// Iterator over a set of operators, lowest first; see [`OpSet::members`].
#[derive(Clone, Debug)]
pub struct Iter<O>(O);

impl<O: OpSet> Iterator for Iter<O> {
    type Item = Op;
    fn next(&mut self) -> Option<Op> {
        self.0.pop()
    }
}

/// Makes a word a set: bit `i` is operator `i`.
macro_rules! word {
    ($word:ty, $double:ty, $($double_and_split:tt)*) => {
        impl OpSet for $word {
            type Double = $double;
            const CAPACITY: usize = 8 * size_of::<Self>();
            const NONE: Self = 0;
            const FULL: Self = Self::MAX;
            #[inline(always)]
            fn first(n: usize) -> Self {
                assert!(n <= Self::CAPACITY, "{n} operators do not fit a set of {}", Self::CAPACITY);
                if n == Self::CAPACITY { Self::MAX } else { (1 << n) - 1 }
            }
            #[inline(always)]
            fn with(self, op: Op) -> Self {
                self | 1 << op.index()
            }
            #[inline(always)]
            fn pop(&mut self) -> Option<Op> {
                if *self == 0 {
                    return None;
                }
                #[expect(clippy::cast_possible_truncation, reason = "at most 128 trailing zeros")]
                let op = Op(self.trailing_zeros() as u16);
                *self &= *self - 1;
                Some(op)
            }
            #[inline(always)]
            fn pop_some<const N: usize>(&mut self) -> [Op; N] {
                std::array::from_fn(|_| {
                    #[expect(clippy::cast_possible_truncation, reason = "at most 128 zeros")]
                    let op = Op(self.trailing_zeros() as u16);
                    *self &= self.wrapping_sub(1);
                    op
                })
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self & !other
            }
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn contains(self, op: Op) -> bool {
                self >> op.index() & 1 != 0
            }
            $($double_and_split)*
        }
    };
    ($word:ty, $double:ty) => {
        word! { $word, $double,
            #[inline(always)]
            fn double(front: Self, back: Self, n: usize) -> $double {
                <$double>::from(back) << n | <$double>::from(front)
            }
            #[inline(always)]
            #[expect(clippy::cast_possible_truncation, reason = "masked after")]
            fn split(double: $double, n: usize) -> (Self, Self) {
                let all = <Self as OpSet>::first(n);
                (double as Self & all, (double >> n) as Self & all)
            }
        }
    };
}

word!(u8, u16);
word!(u16, u32);
word!(u32, u64);
word!(u64, u128);
word!(u128, [u64; 4],);

impl<const W: usize> OpSet for [u64; W] {
    /// The same type: each end of a two-sided search may use half of the capacity.
    type Double = Self;
    const CAPACITY: usize = 64 * W;
    const NONE: Self = [0; W];
    const FULL: Self = [u64::MAX; W];
    fn first(n: usize) -> Self {
        assert!(n <= Self::CAPACITY, "{n} operators do not fit a set of {}", Self::CAPACITY);
        std::array::from_fn(|word| u64::first(n.saturating_sub(64 * word).min(64)))
    }
    #[inline(always)]
    fn with(mut self, op: Op) -> Self {
        self[op.index() / 64] |= 1 << (op.index() % 64);
        self
    }
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "such a loop compiles sooner")]
    fn pop(&mut self) -> Option<Op> {
        for word in 0..W {
            if let Some(op) = self[word].pop() {
                return Some(Op::new(op.index() + 64 * word));
            }
        }
        None
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        merged(self, other, |this, other| this & other)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        merged(self, other, |this, other| this | other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        merged(self, other, |this, other| this & !other)
    }
    #[inline(always)]
    fn len(self) -> u32 {
        let mut len = 0;
        for word in self {
            len += word.count_ones();
        }
        len
    }
    #[inline(always)]
    fn contains(self, op: Op) -> bool {
        self[op.index() / 64] >> (op.index() % 64) & 1 == 1
    }
}

/// Merges two arrays word by word.
#[inline(always)]
fn merged<const W: usize>(
    mut this: [u64; W],
    other: [u64; W],
    merge: impl Fn(u64, u64) -> u64,
) -> [u64; W] {
    for word in 0..W {
        this[word] = merge(this[word], other[word]);
    }
    this
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<O: OpSet>(n: usize) {
        let all = O::first(n);
        assert_eq!(all.len() as usize, n);
        let odd = all.members().filter(|op| op.0 % 2 == 1).fold(O::NONE, |set, op| set.with(op));
        assert!(odd.members().map(|op| op.index()).eq((0..n).filter(|i| i % 2 == 1)));
        assert_eq!(all.minus(odd).or(odd), all);
        assert!(all.minus(odd).and(odd).is_empty());
        assert!(n < 2 || odd.contains(Op(1)) && !odd.contains(Op(0)));
        let (mut rest, mut popped) = (odd, Vec::new());
        for _ in 0..=n / 5 {
            let some = rest.pop_some::<5>();
            assert!(some.iter().all(|&op| op.index() >= O::CAPACITY || odd.contains(op)));
            popped.extend(some.into_iter().filter(|op| op.index() < n));
        }
        assert!(rest.is_empty() && odd.members().eq(popped));
        if 2 * n <= O::Double::CAPACITY {
            let both = O::double(odd, all, n);
            assert_eq!(both.len(), odd.len() + all.len());
            assert_eq!(O::split(both, n), (odd, all));
        }
    }

    /// A set with only the required methods, so that the provided ones are tested too.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Plain([bool; 64]);

    impl OpSet for Plain {
        type Double = Self;
        const CAPACITY: usize = 64;
        const NONE: Self = Self([false; 64]);
        const FULL: Self = Self([true; 64]);
        fn with(mut self, op: Op) -> Self {
            self.0[op.index()] = true;
            self
        }
        fn pop(&mut self) -> Option<Op> {
            let lowest = self.0.iter().position(|&member| member)?;
            self.0[lowest] = false;
            Some(Op::new(lowest))
        }
    }

    #[test]
    fn sets_of_every_width_agree() {
        for n in [0, 1, 2, 18, 32, 64] {
            check::<Plain>(n);
        }
        for n in [0, 1, 2, 18, 31, 32] {
            check::<u32>(n);
            check::<u64>(n);
            check::<u128>(n);
            check::<[u64; 4]>(n);
            check::<[u64; 8]>(n);
        }
        for n in [0, 1, 5, 8] {
            check::<u8>(n);
            check::<u16>(2 * n);
        }
        check::<u64>(64);
        check::<u128>(100);
        check::<u128>(128);
        check::<[u64; 4]>(128);
        check::<[u64; 4]>(256);
        check::<[u64; 8]>(512);
    }
}
