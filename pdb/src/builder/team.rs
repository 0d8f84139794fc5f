//! Builds by several processes: [`of_team`].

use super::entries::check;
use super::error::BuildError;
use super::options::{BuildOptions, Team, TeamDistances};
use crate::abstraction::Abstraction;
use crate::table::PackedTable;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::build;
    use crate::layers::{ExhaustError, ExhaustOptions, ExhaustReport, exhaust};
    use crate::memory::Bytes;
    use crate::table::{Modulo3, StripeCode, StripeTable};
    use crate::testing::{DiscPattern, Ring};
    use search::Cost;

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
