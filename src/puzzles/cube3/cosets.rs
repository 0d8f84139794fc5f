//! The coset tables of `best`: names, sizes, and searches that read one of them or two.

use crate::ladder::climb::BoundSource;
use crate::prunings::Automata;
use cube::cosets::{AxisFamily, AxisViews, HalfTurnFamily, HalfTurnView};
use cube::{ByteCube, ByteCube3, CubeMetric};
use pdb::coset::{Cosets, TwoTables, Views};
use pdb::file::TableSpec;
use pdb::table::{StripeCode, StripeTable};
use search::{Cost, Options, Report, TwoSided, TwoSidedState};

/// A coset table of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coset {
    /// Read from three axes, on its own.
    Axes(AxisFamily),
    /// Read from one view, in front of [`BEHIND`]; at one bit or two an entry.
    Halves(HalfTurnFamily, u32),
}

/// What is read behind a table of half turns.
pub(super) const BEHIND: AxisFamily = AxisFamily::G1;

impl Coset {
    /// All, in the order of their size.
    pub(super) const ALL: [Self; 7] = [
        Self::Axes(AxisFamily::G256),
        Self::Axes(AxisFamily::G1),
        Self::Halves(HalfTurnFamily::Htr200, 1),
        Self::Halves(HalfTurnFamily::Htr200, 2),
        Self::Halves(HalfTurnFamily::Htr204, 1),
        Self::Halves(HalfTurnFamily::Htr204, 2),
        Self::Axes(AxisFamily::Tet112),
    ];

    /// The table that is read behind it.
    pub(super) fn behind(self) -> Option<Self> {
        matches!(self, Self::Halves(..)).then_some(Self::Axes(BEHIND))
    }

    /// Bytes of the table.
    pub(super) const fn bytes(self) -> u64 {
        match self {
            Self::Axes(family) => family.bytes(),
            Self::Halves(halving, bits) => halving.bytes(bits),
        }
    }

    /// Entries of the table.
    pub(super) const fn entries(self) -> u64 {
        match self {
            Self::Axes(family) => family.entries(),
            Self::Halves(halving, _) => halving.entries(),
        }
    }

    /// Cosets, before symmetric ones are put together.
    pub(super) const fn cosets(self) -> u64 {
        match self {
            Self::Axes(family) => family.cosets(),
            Self::Halves(halving, _) => halving.cosets(),
        }
    }

    /// How many symmetries the table is reduced by, and how many views there are.
    pub(super) fn symmetries_and_views(self, metric: CubeMetric) -> (usize, usize) {
        let (symmetries, views) = match self {
            Self::Axes(family) => {
                let axes = <AxisViews as Cosets<ByteCube3>>::VIEWS;
                (AxisViews::description(metric, family).symmetries, axes)
            }
            Self::Halves(halving, bits) => {
                let halves = <HalfTurnView as Cosets<ByteCube3>>::VIEWS;
                (HalfTurnView::description(metric, halving, bits).symmetries, halves)
            }
        };
        (symmetries as usize, views)
    }

    /// What the file of the table says, its name among it.
    pub(super) fn spec(self, metric: CubeMetric) -> TableSpec {
        let (description, shape) = match self {
            Self::Axes(family) => {
                (AxisViews::description(metric, family), (family.rows(), AxisFamily::COLUMNS))
            }
            Self::Halves(halving, bits) => {
                let shape = (halving.rows(), HalfTurnFamily::COLUMNS);
                (HalfTurnView::description(metric, halving, bits), shape)
            }
        };
        let name = format!("3x3x3-{}-{}", metric.name(), description.family);
        let description = serde_json::to_value(description).unwrap_or_default();
        TableSpec::new(name, description, StripeTable::payload(shape.0, shape.1, self.code(metric)))
    }

    /// How the table's values are coded.
    pub(super) fn code(self, metric: CubeMetric) -> StripeCode {
        match self {
            Self::Axes(family) => StripeCode::two(family.base(metric)),
            Self::Halves(halving, bits) => halving.code(metric, bits),
        }
    }
}

/// What a rung is searched with.
pub(super) enum Reading<'a> {
    Axes(&'a Views<ByteCube3, AxisViews>),
    Both(TwoTables<'a, ByteCube3, HalfTurnView, AxisViews>),
}

impl BoundSource<ByteCube3> for Reading<'_> {
    fn estimate(&self, domain: &TwoSided<ByteCube3>, state: &TwoSidedState<ByteCube>) -> Cost {
        match self {
            Self::Axes(views) => BoundSource::estimate(views, domain, state),
            Self::Both(both) => BoundSource::estimate(&both, domain, state),
        }
    }

    fn search(
        &self,
        domain: &TwoSided<ByteCube3>,
        automata: &Automata<ByteCube3>,
        start: &TwoSidedState<ByteCube>,
        options: &Options<'_>,
    ) -> Report {
        match self {
            Self::Axes(views) => views.search(domain, automata, start, options),
            Self::Both(both) => BoundSource::search(&both, domain, automata, start, options),
        }
    }
}
