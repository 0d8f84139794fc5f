//! The cheapest known path to each stored state: [`Paths`].

use crate::stored::store::{Arena, Budget, Full};
use num_traits::PrimInt;

/// The end of the cheapest known path to a state. Its operators are found again when there is a
/// plan.
///
/// Packed: 5 bytes with a cost of one byte, 6 with two, 8 with four and 12 with eight.
#[derive(Clone, Copy)]
#[repr(C, packed)]
pub(super) struct PathEnd<C> {
    /// The index of the state before the last step. Of the first state, its own.
    parent: u32,
    g: C,
}

/// A path to each state, numbered as the states are. Costs have 16 bits as long as these hold them.
pub(super) enum Paths<C> {
    Short(Arena<PathEnd<u16>>),
    Long(Arena<PathEnd<C>>),
}

impl<C: PrimInt> Paths<C> {
    pub(super) const fn new() -> Self {
        if size_of::<C>() > size_of::<u16>() {
            Self::Short(Arena::new())
        } else {
            Self::Long(Arena::new())
        }
    }

    /// The state before the last step of a path. Of the first state, itself.
    #[inline(always)]
    pub(super) fn parent(&self, index: u32) -> u32 {
        match self {
            Self::Short(ends) => ends.get(index as usize).parent,
            Self::Long(ends) => ends.get(index as usize).parent,
        }
    }

    /// The cost of a path.
    #[inline(always)]
    pub(super) fn g(&self, index: u32) -> C {
        match self {
            Self::Short(ends) => {
                let g = ends.get(index as usize).g;
                C::from(g).unwrap_or(C::max_value())
            }
            Self::Long(ends) => ends.get(index as usize).g,
        }
    }

    /// Appends the path to a new state.
    #[inline(always)]
    pub(super) fn push(&mut self, parent: u32, g: C, budget: &Budget) -> Result<(), Full> {
        if let (Self::Short(ends), Some(g)) = (&mut *self, g.to_u16()) {
            return ends.push(PathEnd { parent, g }, budget);
        }
        self.long(budget)?.push(PathEnd { parent, g }, budget)
    }

    /// Replaces the path to a state.
    #[inline(always)]
    pub(super) fn set(
        &mut self,
        index: u32,
        parent: u32,
        g: C,
        budget: &Budget,
    ) -> Result<(), Full> {
        if let (Self::Short(ends), Some(g)) = (&mut *self, g.to_u16()) {
            *ends.get_mut(index as usize) = PathEnd { parent, g };
        } else {
            *self.long(budget)?.get_mut(index as usize) = PathEnd { parent, g };
        }
        Ok(())
    }

    /// The paths with costs of full size. After an error they are as they were.
    fn long(&mut self, budget: &Budget) -> Result<&mut Arena<PathEnd<C>>, Full> {
        if let Self::Short(ends) = self {
            let entries = ends.capacity();
            budget.take(entries * size_of::<PathEnd<C>>())?;
            let (mut long, unlimited) = (Arena::new(), Budget::new(None));
            for chunk in ends.take_chunks() {
                for PathEnd { parent, g } in chunk {
                    let g = C::from(g).unwrap_or(C::max_value());
                    long.push(PathEnd { parent, g }, &unlimited)?;
                }
            }
            budget.give(entries * size_of::<PathEnd<u16>>());
            *self = Self::Long(long);
        }
        match self {
            Self::Long(ends) => Ok(ends),
            Self::Short(_) => unreachable!("widened above"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_widen_once_and_stay_as_they_are() {
        let budget = Budget::new(None);
        let mut paths = Paths::<u64>::new();
        let g = |index: u32| u64::from(index) * 7;
        for index in 0..9000 {
            paths.push(index / 2, g(index), &budget).unwrap();
        }
        let short = budget.used();
        assert!(matches!(paths, Paths::Short(_)) && (9000 * 6..12_288 * 6 + 1).contains(&short));
        let check = |paths: &Paths<u64>, from: u32| {
            for index in from..9000 {
                assert_eq!((paths.parent(index), paths.g(index)), (index / 2, g(index)));
            }
        };
        check(&paths, 0);
        paths.set(0, 5, 1 << 40, &budget).unwrap();
        assert!(matches!(paths, Paths::Long(_)));
        assert_eq!((budget.used(), paths.parent(0), paths.g(0)), (2 * short, 5, 1 << 40));
        check(&paths, 1);
        paths.push(3, 4, &budget).unwrap();
        assert_eq!((paths.parent(9000), paths.g(9000)), (3, 4));
    }

    #[test]
    fn without_bytes_to_widen_the_paths_stay() {
        let budget = Budget::new(Some(10_000));
        let mut paths = Paths::<u32>::new();
        (0..1000).for_each(|index| paths.push(index, index, &budget).unwrap());
        assert_eq!(paths.push(0, 1 << 20, &budget), Err(Full));
        assert_eq!((paths.g(999), paths.parent(999)), (999, 999));
    }

    #[test]
    fn small_costs_are_stored_as_they_are() {
        assert!(matches!(Paths::<u8>::new(), Paths::Long(_)));
        assert_eq!((size_of::<PathEnd<u8>>(), size_of::<PathEnd<u64>>()), (5, 12));
    }
}
