//! The views of a coset table, for byte cubes: the frame of both families' indices.

use crate::bytes::{ByteCube, ByteCube3, Locator, Units};
use pdb::coset::Cosets;
use search::{Lookup, TwoSidedState, VectorUnit};

/// The views of a coset table. `I` computes the entry of a cube in each view.
#[derive(Clone, Debug)]
pub struct CosetViews<I> {
    pub(super) index: I,
    /// The vector instructions that compute table places.
    units: Units,
}

impl<I: Locator> CosetViews<I> {
    pub(super) fn of_index(index: I) -> Self {
        Self { index, units: Units::up_to(VectorUnit::best()) }
    }

    /// The same views, restricted to vector units up to `unit`.
    #[must_use]
    pub fn on(self, unit: VectorUnit) -> Self {
        Self { units: Units::up_to(unit), ..self }
    }
}

impl<I: Locator> Cosets<ByteCube3> for CosetViews<I> {
    const VIEWS: usize = I::VIEWS;
    #[inline(always)]
    fn locate(&self, view: usize, cube: &ByteCube) -> (u32, u32) {
        let both = [TwoSidedState { position: *cube, inverse: *cube }];
        let (asked, mut places) = ([Lookup::new(0, 2 * view as u16)], [0]);
        let place = |row: u32, column: u32| u64::from(row) << 32 | u64::from(column);
        self.locate_all(&both, &asked, &mut places, place, |_| ());
        ((places[0] >> 32) as u32, places[0] as u32)
    }
    #[inline(always)]
    fn locate_all(
        &self,
        states: &[TwoSidedState<ByteCube>],
        asked: &[Lookup],
        places: &mut [u64],
        place: impl Fn(u32, u32) -> u64,
        ask: impl Fn(u64),
    ) {
        self.units.locate_all(&self.index, states, asked, places, place, ask);
    }
}
