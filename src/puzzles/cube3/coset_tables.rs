//! The coset tables of `best`: names, sizes, and searches that read one of them or two.

use crate::automata::Automata;
use crate::ladder::climb::BoundSource;
use crate::tables::described;
use cube::cosets::{AxisFamily, AxisViews, HalfTurnFamily, HalfTurnView};
use cube::{ByteCube, ByteCube3, CubeMetric};
use pdb::EntryReader;
use pdb::coset::{Cosets, Views};
use pdb::file::TableSpec;
use pdb::table::{StripeCode, StripeTable};
use search::{Cost, Max, Options, Report, TwoSided, TwoSidedState};

/// A coset table of the cube. Its lookups bound a state by the distance of the state's coset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coset {
    /// Looked up once for each of the three axes of the cube. A search reads no other table.
    Axes(AxisFamily),
    /// A half-turn table: cosets of a group of half turns. It is looked up once for each state. If
    /// it does not cut the state, the table [`BEHIND`] is read too. The number is its bits for each
    /// entry, 1 or 2.
    Halves(HalfTurnFamily, u32),
}

/// The table that is read after a half-turn table, for states that this one does not cut.
pub(super) const BEHIND: AxisFamily = AxisFamily::G1;

impl Coset {
    /// All coset tables, smallest first.
    pub(super) const ALL: [Self; 10] = [
        Self::Axes(AxisFamily::G256),
        Self::Axes(AxisFamily::G1),
        Self::Halves(HalfTurnFamily::Htr200, 1),
        Self::Halves(HalfTurnFamily::Htr200, 2),
        Self::Halves(HalfTurnFamily::Htr204, 1),
        Self::Halves(HalfTurnFamily::Htr204, 2),
        Self::Axes(AxisFamily::Htr108),
        Self::Axes(AxisFamily::Tet112),
        Self::Axes(AxisFamily::Htr110),
        Self::Axes(AxisFamily::Htr111),
    ];

    /// The table that is read after this one, if there is any.
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

    /// Number of cosets, before symmetric ones are merged.
    pub(super) const fn cosets(self) -> u64 {
        match self {
            Self::Axes(family) => family.cosets(),
            Self::Halves(halving, _) => halving.cosets(),
        }
    }

    /// The number of symmetries that merge cosets, and the number of views: lookups for one state.
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

    /// The specification of the table's file.
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
        let description = described(description);
        TableSpec::new(name, description, StripeTable::payload(shape.0, shape.1, self.code(metric)))
    }

    /// How the table encodes its values in one bit or two.
    pub(super) fn code(self, metric: CubeMetric) -> StripeCode {
        match self {
            Self::Axes(family) => StripeCode::two(family.base(metric)),
            Self::Halves(halving, bits) => halving.code(metric, bits),
        }
    }
}

/// The table or tables of a rung, ready to be searched with.
pub(super) enum CosetReader<'a> {
    Axes(&'a Views<ByteCube3, AxisViews>),
    Both(Max<&'a Views<ByteCube3, HalfTurnView>, &'a Views<ByteCube3, AxisViews>>),
}

impl BoundSource<ByteCube3> for CosetReader<'_> {
    fn estimate(&self, domain: &TwoSided<ByteCube3>, state: &TwoSidedState<ByteCube>) -> Cost {
        match self {
            Self::Axes(views) => BoundSource::estimate(views, domain, state),
            Self::Both(both) => BoundSource::estimate(&both, domain, state),
        }
    }

    fn open(&self, reader: &dyn EntryReader) {
        match self {
            Self::Axes(views) => views.open(reader),
            Self::Both(both) => BoundSource::open(&both, reader),
        }
    }

    fn search(
        &self,
        domain: &TwoSided<ByteCube3>,
        automata: &Automata<ByteCube3>,
        start: &TwoSidedState<ByteCube>,
        options: &Options<'_>,
        reader: Option<&dyn EntryReader>,
    ) -> Report {
        match self {
            Self::Axes(views) => views.search(domain, automata, start, options, reader),
            Self::Both(both) => {
                BoundSource::search(&both, domain, automata, start, options, reader)
            }
        }
    }
}
