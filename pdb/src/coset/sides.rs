//! How states find their entries in a coset table: [`Cosets`].
//!
//! A *side* is a state or its inverse, read in one view. Sides are located one after another
//! ([`locate_each`]) or several at once ([`locate_some`]).

use search::{Group, Lookup, TwoSidedState};

/// Computes the entries of states in a coset table, for each of its views. A view is a conjugate of
/// the table's subgroup.
pub trait Cosets<D: Group>: Sync {
    /// Number of views: 1 to 4. If [`Cosets::FIXED`] is false, the maximum number.
    const VIEWS: usize;
    /// Whether there are always [`Cosets::VIEWS`] views. [default: true]
    const FIXED: bool = true;
    /// Number of views. [default: [`Cosets::VIEWS`]]
    fn views(&self) -> usize {
        Self::VIEWS
    }
    /// Row and column of a state in a view.
    ///
    /// Exactly the states in the view's subgroup have the row and column of the identity. So this
    /// function also tells which operators are in the subgroup.
    fn locate(&self, view: usize, state: &D::State) -> (u32, u32);
    /// [`Cosets::locate`] for several sides of several states. `asked[i]` names a state and one of
    /// its sides. Side `2 v` is the position in view `v`, side `2 v + 1` its inverse.
    ///
    /// Sets `places[i]` to the place of `asked[i]` in the table, which `place` computes from row
    /// and column. Calls `ask` once with each place, to prefetch its cache line. [default: locates
    /// one side after another]
    #[inline(always)]
    fn locate_all(
        &self,
        states: &[TwoSidedState<D::State>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        locate_each(states, asked, places, place, ask, |view, state| self.locate(view, state));
    }
}

/// Implements [`Cosets::locate_all`] by a function that locates one state in one view.
#[inline(always)]
pub fn locate_each<S>(
    states: &[TwoSidedState<S>],
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
    locate: impl Fn(usize, &S) -> (u32, u32),
) {
    for (&asked, out) in asked.iter().zip(places) {
        let (state, view) = side(states, asked);
        let (row, column) = locate(view, state);
        *out = place(row, column);
        ask(*out);
    }
}

/// Implements [`Cosets::locate_all`] by `locate`, a function that returns the rows and columns of
/// `N` sides at once.
///
/// `locate` also receives the places of the `N` sides before. It should prefetch them between its
/// own steps, so that the CPU does both at once. The places of the last `N` sides are prefetched at
/// the end. If `N` is 1, each place is prefetched at once, and `locate` receives none.
///
/// # Panics
/// If the numbers of sides and places differ, or are not multiples of `N`.
#[inline(always)]
pub fn locate_some<const N: usize>(
    asked: &[Lookup],
    places: &mut [u64],
    place: impl Fn(u32, u32) -> u64,
    ask: impl Fn(u64),
    locate: impl Fn(&[Lookup; N], &[u64]) -> ([u32; N], [u32; N]),
) {
    assert!(
        asked.len().is_multiple_of(N) && asked.len() == places.len(),
        "{} places of {} by {N}",
        places.len(),
        asked.len()
    );
    let (asked, (places, _)) = (asked.as_chunks().0, places.as_chunks_mut::<N>());
    let mut before: &[u64] = &[];
    for (asked, places) in asked.iter().zip(places) {
        let (rows, columns) = locate(asked, before);
        *places = std::array::from_fn(|i| place(rows[i], columns[i]));
        if N == 1 {
            ask(places[0]);
        } else {
            before = places;
        }
    }
    before.iter().for_each(|&place| ask(place));
}

/// The state and the view of a requested side.
#[inline(always)]
pub fn side<S>(states: &[TwoSidedState<S>], asked: Lookup) -> (&S, usize) {
    let (both, side) = (&states[asked.child()], asked.what());
    (both.end(side % 2 == 1), side / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// Locating several sides at once gives the same places, and prefetches each line once, in
    /// order.
    #[test]
    fn several_at_once_are_those_one_after_another() {
        let states: Vec<TwoSidedState<u32>> =
            (0..40).map(|n| TwoSidedState { position: n, inverse: 1000 + n }).collect();
        let asked: Vec<Lookup> = (0..96_u16).map(|n| Lookup::new(n * 7 % 40, n * 5 % 6)).collect();
        let place = |row, column| u64::from(row) << 32 | u64::from(column);
        let locate = |view: usize, state: &u32| (*state, u32::try_from(view).unwrap());
        let (mut one, asks) = (vec![0; 96], RefCell::new(Vec::new()));
        let ask = |place| asks.borrow_mut().push(place);
        locate_each(&states, &asked, &mut one, place, ask, locate);
        assert_eq!(asks.take(), one);
        assert_eq!(one[1], place(1007, 2), "child 7 is seen in view 2, its inverse");
        some::<1>(&states, &asked, &one);
        some::<8>(&states, &asked, &one);
        some::<32>(&states, &asked, &one);
    }

    fn some<const N: usize>(states: &[TwoSidedState<u32>], asked: &[Lookup], one: &[u64]) {
        let place = |row, column| u64::from(row) << 32 | u64::from(column);
        let (mut places, asks) = (vec![0; asked.len()], RefCell::new(Vec::new()));
        let ask = |place| asks.borrow_mut().push(place);
        locate_some::<N>(asked, &mut places, place, ask, |asked, before| {
            before.iter().for_each(|&place| ask(place));
            let sides = asked.map(|asked| side(states, asked));
            (sides.map(|(&state, _)| state), sides.map(|(_, view)| u32::try_from(view).unwrap()))
        });
        assert_eq!(places, one);
        assert_eq!(asks.take(), one);
    }
}
