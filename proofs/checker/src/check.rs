//! Checks a file from its first line to its claim.

use crate::certificate::{Bound, Certificate, Counts};
use crate::distances::Distances;
use crate::puzzle::Puzzle;
use crate::search::{ANY, Search, UNSOLVABLE};
use crate::table::Checks;
use crate::text::{Checked, Lines, Objection, at, require};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Checks a file, and says what was checked and what was trusted. `progress` gets a text before
/// each step that may take long.
///
/// # Errors
///
/// [`Objection`] if the file is refused, or could not be checked.
pub fn check(
    mut file: Vec<u8>,
    checks: &Checks,
    progress: &mut dyn FnMut(&str),
) -> Result<String, Objection> {
    let mut lines = Lines { rest: &file, number: 1 };
    let plain = !file.starts_with(b"fewest-distances ");
    let first = if plain { "fewest-plain" } else { "fewest-distances" };
    lines.need(first, |words| require(words == ["1"], "expected version 1"))?;
    lines.each("about", |_| Ok(()))?;
    let puzzle = Puzzle::read(&mut lines)?;
    let checked = if plain {
        let certificate = Certificate::read(&mut lines, &puzzle)?;
        check_certificate(certificate, &puzzle, &file, checks, progress)?
    } else {
        let distances = Distances::read(&mut lines, &puzzle)?;
        let start = file.len() - lines.rest.len();
        distances.check(&puzzle, &mut file[start..])?
    };
    Ok(format!(
        "{checked}trusted: this program, its compiler and the machine; that the puzzle in the file \
         is the one meant\n"
    ))
}

fn check_certificate(
    mut certificate: Certificate,
    puzzle: &Puzzle,
    file: &[u8],
    checks: &Checks,
    progress: &mut dyn FnMut(&str),
) -> Checked<String> {
    let used: BTreeSet<_> = certificate.lookups.iter().map(|lookup| lookup.0).collect();
    let mut read = 0;
    for &table in &used {
        let (name, table) = &mut certificate.tables[table];
        progress(&format!("table {name}"));
        let filled = table.fill(name, puzzle, checks);
        read += usize::from(at(format_args!("table {name}"), filled)?);
    }
    let mut search = Search::new(puzzle, &certificate);
    let (_, h) = search.root(0);
    let Certificate { bounds, cost, has_plan, .. } = &certificate;
    let all = bounds.iter().map(|bound| bound.units.len()).sum();
    let drawn = checks.units.filter(|&many| many < all);
    let drawn = drawn.map(|many| draw(file, checks.seed, many, all));
    let (mut proven, mut before, mut first) = (h, 0, 0);
    for bound in bounds {
        progress(&format!("bound {}", bound.bound));
        let is_drawn = |unit| drawn.as_ref().is_none_or(|drawn| drawn.contains(&(first + unit)));
        search.dead_ends = bound.above.is_some();
        let early = search.dead_ends && bound.bound > proven;
        require(!early, format_args!("bound {}: only {proven} is proven before it", bound.bound))?;
        let total = check_bound(&mut search, bound, before, is_drawn);
        let total = at(format_args!("bound {}", bound.bound), total)?;
        let sum = total.over.map_or(UNSOLVABLE, |over| over.saturating_add(bound.bound));
        let other = *has_plan && puzzle.has_parity() && sum % 2 != cost % 2;
        proven = proven.max(sum.saturating_add(other.into()));
        (before, first) = (total.generated, first + bound.units.len());
    }
    require(*cost <= proven, format_args!("the claim is {cost}, but only {proven} is proven"))?;
    let units = match drawn {
        None => "all were searched again".to_owned(),
        Some(drawn) => {
            // The chance that no draw is among the wrong units, a hundredth of all.
            let (drawn, wrong) = (drawn.len(), all.div_ceil(100));
            let miss = |i: usize| (all - i).saturating_sub(wrong) as f64 / (all - i) as f64;
            let missed: f64 = (0..drawn).map(miss).product();
            format!(
                "{drawn} were drawn and searched again; if a hundredth were wrong, they would not \
                 show it with probability {missed:.1e}"
            )
        }
    };
    Ok(format!(
        "forbidden strings: {}, each with a smaller twin that leads to the same state\n\
         heuristic: {} sums, {} tables computed, {read} read and checked edge by edge\n\
         bounds: {}, searched down to {all} units; {units}\n\
         holds: {}no plan costs less than {cost}\n",
        certificate.forbidden.len(),
        certificate.sums.len(),
        used.len() - read,
        bounds.len(),
        if *has_plan { "the plan solves the start, and " } else { "" },
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
    let Some(mut total) = bound.above.clone() else {
        search.below(&root, &ANY)?;
        return Ok(Counts { generated: 0, ..search.counts.clone() });
    };
    let width = (before / 131_072).clamp(2048, 32_768);
    let units = search.units(root, width, &total)?;
    search.require_counts(&total)?;
    let (many, found) = (bound.units.len(), units.len());
    require(many == found, format_args!("expected {found} units, not {many}"))?;
    for (number, (unit, said)) in units.iter().zip(&bound.units).enumerate() {
        if is_drawn(number) {
            let matches = search.below(unit, said).and_then(|()| search.require_counts(said));
            at(format_args!("unit {number}"), matches)?;
        }
        total.generated = total.generated.saturating_add(said.generated);
        total.over = total.over.into_iter().chain(said.over).min();
    }
    Ok(total)
}

/// The numbers of the units that are searched again: `many` of `all`.
fn draw(file: &[u8], seed: u64, many: usize, all: usize) -> BTreeSet<usize> {
    let (root, mut drawn, mut i) = (Sha256::digest(file), BTreeSet::new(), 0_u64);
    while drawn.len() < many {
        let hash = Sha256::new().chain_update(root).chain_update(seed.to_le_bytes());
        let first = hash.chain_update(i.to_le_bytes()).finalize().into_iter().take(8).rev();
        drawn.insert(first.fold(0, |number, byte| number << 8 | usize::from(byte)) % all);
        i += 1;
    }
    drawn
}
