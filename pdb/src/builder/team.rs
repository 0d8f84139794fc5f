//! Builds and counts by several processes: [`Team`].

use super::{BuildError, BuildOptions, entries_of};
use crate::abstraction::Abstraction;
use crate::layers::{ExhaustError, ExhaustReport};
use crate::memory::Bytes;
use crate::table::PackedTable;
use search::Cost;

/// Processes that make layers together. Each owns a part of the entries.
///
/// All processes of a team begin the same builds and counts, in the same order. They have the same
/// abstractions and options. One of them leads.
pub trait Team: Sync {
    /// The bytes of a [`PackedTable`] of these distances, on the process that leads.
    ///
    /// The caller has prepared the abstraction, and checked its shape and its goals.
    ///
    /// # Errors
    /// [`BuildError::Elsewhere`] on all other processes, if the table is made. If it is not made,
    /// an error on all processes, as [`build`](crate::build()).
    fn distances(
        &self,
        abstraction: &dyn Abstraction,
        wanted: TeamDistances,
        options: &BuildOptions<'_>,
    ) -> Result<Bytes, BuildError>;

    /// Counts the entries at each distance, as [`exhaust`](crate::layers::exhaust). All processes
    /// get the report.
    ///
    /// # Errors
    /// As [`exhaust`](crate::layers::exhaust), on all processes.
    fn count(
        &self,
        abstraction: &dyn Abstraction,
        antipodes: usize,
        options: &BuildOptions<'_>,
    ) -> Result<ExhaustReport, ExhaustError>;
}

/// Which distances a table of a [`Team`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamDistances {
    /// The bits of an entry, 4 or 8.
    pub bits: u32,
    /// Distances above this, or above what `bits` can hold, count as unreached; each edge must then
    /// cost 1. `None`: a distance that does not fit is an error.
    pub most: Option<Cost>,
}

impl TeamDistances {
    /// All distances, in entries of `bits` bits.
    pub const fn exact(bits: u32) -> Self {
        Self { bits, most: None }
    }

    /// The greatest distance that the table can hold.
    pub fn greatest(self) -> Cost {
        let fits = u8::MAX >> (8 - self.bits);
        self.most.map_or(fits - 1, |most| most.min(fits - 1))
    }
}

/// The table of these distances, made by a team.
pub(crate) fn of_team(
    team: &dyn Team,
    abstraction: &dyn Abstraction,
    wanted: TeamDistances,
    options: &BuildOptions<'_>,
) -> Result<PackedTable, BuildError> {
    let entries = check(abstraction, options)?;
    let bytes = team.distances(abstraction, wanted, options)?;
    let found = bytes.len();
    PackedTable::new(bytes, wanted.bits, entries).ok_or_else(|| {
        let expected = PackedTable::bytes_for(wanted.bits, entries);
        BuildError::Refused(format!("the team made {found} bytes, expected {expected}"))
    })
}

/// Checks shape and goals of an abstraction, and prepares it. Returns the number of entries.
pub(crate) fn check(
    abstraction: &dyn Abstraction,
    options: &BuildOptions<'_>,
) -> Result<u64, BuildError> {
    let entries = entries_of(abstraction)?;
    options.prepare(abstraction)?;
    let mut goals = Vec::new();
    abstraction.goals(&mut goals);
    if goals.is_empty() {
        return Err(BuildError::NoGoal);
    }
    match goals.into_iter().find(|&entry| entry >= entries) {
        Some(entry) => Err(BuildError::Goal { entry, entries }),
        None => Ok(entries),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::build;
    use crate::layers::{ExhaustOptions, exhaust};
    use crate::table::{Modulo3, StripeCode, StripeTable};
    use crate::testing::{DiscPattern, Ring};

    /// A team of one process, which builds what it is asked for.
    struct Alone;

    impl Team for Alone {
        fn distances(
            &self,
            abstraction: &dyn Abstraction,
            TeamDistances { bits, most }: TeamDistances,
            _: &BuildOptions<'_>,
        ) -> Result<Bytes, BuildError> {
            let options = BuildOptions::default();
            let exact = build::<8>(abstraction, &options)?;
            let kept = |entry| match exact.get(entry) {
                value if most.is_some_and(|most| value > most) => Cost::MAX,
                value => value,
            };
            let (mask, in_byte) = (u8::MAX >> (8 - bits), u64::from(8 / bits));
            let byte = |place: u64| {
                let entries = (place * in_byte..(place + 1) * in_byte).rev();
                let value = |entry| if entry < exact.entries() { kept(entry) } else { Cost::MAX };
                entries.fold(0_u8, |byte, entry| {
                    byte.checked_shl(bits).unwrap_or(0) | value(entry).min(mask)
                })
            };
            crate::builder::fill_bytes(PackedTable::bytes_for(bits, exact.entries()), byte)
        }

        fn count(
            &self,
            abstraction: &dyn Abstraction,
            antipodes: usize,
            _: &BuildOptions<'_>,
        ) -> Result<ExhaustReport, ExhaustError> {
            exhaust(abstraction, &ExhaustOptions { antipodes, ..ExhaustOptions::default() })
        }
    }

    #[test]
    fn every_table_of_a_team_is_that_of_one_process() {
        let own = BuildOptions::default();
        let team = BuildOptions { team: Some(&Alone), ..own };
        for discs in [3, 4] {
            let of = &DiscPattern::new(Ring::new(8, 2, 5), discs);
            let alone = build::<4>(of, &own).expect("built");
            assert_eq!(build::<4>(of, &team).expect("built").bytes(), alone.bytes());
            let alone = Modulo3::build(of, &own).expect("built");
            assert_eq!(Modulo3::build(of, &team).expect("built").bytes(), alone.bytes());
            for code in [StripeCode::one(2), StripeCode::two(1), StripeCode::two(3)] {
                let alone = StripeTable::build(of, code, &own).expect("built");
                let found = StripeTable::build(of, code, &team).expect("built");
                assert_eq!(found.bytes(), alone.bytes(), "{}", code.name());
            }
            let options = ExhaustOptions { antipodes: 2, ..ExhaustOptions::default() };
            let found = exhaust(of, &ExhaustOptions { build: team, ..options }).expect("counted");
            assert_eq!(found, exhaust(of, &options).expect("counted"));
        }
    }
}
