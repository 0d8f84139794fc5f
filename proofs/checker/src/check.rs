//! Checks a file from its first line to its claim.

use crate::certificate::{Bound, Certificate, Counts};
use crate::distances::Distances;
use crate::puzzle::Puzzle;
use crate::search::Search;
use crate::table::Checks;
use crate::text::{Checked, Lines, Objection, at, require};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Checks a file, and says what was checked and what was trusted.
///
/// # Errors
///
/// [`Objection`] if the file is refused, or could not be checked.
pub fn check(mut file: Vec<u8>, checks: &Checks) -> Result<String, Objection> {
    let mut lines = Lines { rest: &file, number: 1 };
    let plain = !file.starts_with(b"fewest-distances ");
    let first = if plain { "fewest-plain" } else { "fewest-distances" };
    lines.need(first, |words| require(words == ["1"], "expected version 1"))?;
    lines.each("about", |_| Ok(()))?;
    let puzzle = Puzzle::read(&mut lines)?;
    let checked = if plain {
        check_certificate(Certificate::read(&mut lines, &puzzle)?, &puzzle, &file, checks)?
    } else {
        let distances = Distances::read(&mut lines, &puzzle)?;
        let start = file.len() - lines.rest.len();
        distances.check(&puzzle, &mut file[start..])?
    };
    Ok(checked
        + "trusted: this program, its compiler, the machine; that the puzzle is the one meant\n")
}

fn check_certificate(
    mut certificate: Certificate,
    puzzle: &Puzzle,
    file: &[u8],
    checks: &Checks,
) -> Checked<String> {
    let tell = |text: &str| checks.progress.unwrap_or(|_| ())(text);
    let used: BTreeSet<_> = certificate.lookups.iter().map(|lookup| lookup.0).collect();
    let (mut computed, mut read) = (0, 0);
    for &table in &used {
        let (name, table) = &mut certificate.tables[table];
        let place = format!("table {name}");
        tell(&place);
        let filled =
            if at(place, table.fill(name, puzzle, checks))? { &mut read } else { &mut computed };
        *filled += 1;
    }
    let Certificate { bounds, cost, has_plan, .. } = &certificate;
    let mut search = Search::new(puzzle, &certificate);
    let (all, parity) = (bounds.iter().map(|one| one.units.len()).sum(), puzzle.has_parity());
    let drawn = draw(file, checks.seed, checks.units.unwrap_or(all).min(all), all);
    let (mut proven, mut before, mut first) = (search.root(0).1, 0, 0);
    for one in bounds {
        let place = format!("bound {}", one.bound);
        tell(&place);
        search.dead_ends = one.above.is_some();
        let early = search.dead_ends && one.bound > proven;
        require(!early, format_args!("{place}: only {proven} is proven before it"))?;
        let is_drawn = |unit| drawn.contains(&(first + unit));
        let counts = at(place, check_bound(&mut search, one, before, is_drawn))?;
        let sum = one.bound.saturating_add(counts[2]);
        let other = *has_plan && parity && sum % 2 != cost % 2;
        proven = proven.max(sum.saturating_add(other.into()));
        (before, first) = (counts[0], first + one.units.len());
    }
    require(*cost <= proven, format_args!("the claim is {cost}, but only {proven} is proven"))?;
    // The chance that no draw is among the wrong units, if these are a hundredth.
    let right = |i: usize| (all - i).saturating_sub(all.div_ceil(100)) as f64 / (all - i) as f64;
    let missed: f64 = (0..drawn.len()).map(right).product();
    let plan = if *has_plan { "the plan solves the start, and " } else { "" };
    Ok(format!(
        "tables: {computed} computed, {read} read and checked edge by edge\n\
         bounds: {}, searched down to {all} units\n\
         units: {} searched again, the others trusted; if a hundredth of all were wrong, this \
         would not be noticed with probability {missed:.1e}\n\
         holds: {plan}no plan costs less than {cost}\n",
        bounds.len(),
        drawn.len(),
    ))
}

/// Searches a bound down to its units, and those that were drawn. Gives the counts that the file
/// says, and for a bound without counts those that were found.
fn check_bound(
    search: &mut Search,
    bound: &Bound,
    before: usize,
    is_drawn: impl Fn(usize) -> bool,
) -> Checked<Counts> {
    let (root, _) = search.root(bound.bound);
    let Some(mut counts) = bound.above else {
        search.below(root, &[usize::MAX; 3])?;
        return Ok([0, 0, search.counts[2]]);
    };
    let units = search.units(root, (before / 131_072).clamp(2048, 32_768), &counts)?;
    search.require_counts(&counts)?;
    let (many, found) = (bound.units.len(), units.len());
    require(many == found, format_args!("expected {found} units, not {many}"))?;
    for (number, (unit, said)) in units.into_iter().zip(&bound.units).enumerate() {
        if is_drawn(number) {
            let matches = search.below(unit, said).and_then(|()| search.require_counts(said));
            at(format_args!("unit {number}"), matches)?;
        }
        counts[0] = counts[0].saturating_add(said[0]);
        counts[2] = counts[2].min(said[2]);
    }
    Ok(counts)
}

/// The numbers of the units that are searched again: `many` of `all`.
fn draw(file: &[u8], seed: u64, many: usize, all: usize) -> BTreeSet<usize> {
    if many == all {
        return (0..all).collect();
    }
    let (root, mut drawn, mut i) = (Sha256::digest(file), BTreeSet::new(), 0_u64);
    while drawn.len() < many {
        let hash = Sha256::new().chain_update(root).chain_update(seed.to_le_bytes());
        let first = hash.chain_update(i.to_le_bytes()).finalize().into_iter().take(8).rev();
        drawn.insert(first.fold(0, |number, byte| number << 8 | usize::from(byte)) % all);
        i += 1;
    }
    drawn
}
