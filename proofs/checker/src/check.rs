//! Checks a certificate from its first line to its claim.

use crate::certificate::{Bound, Certificate, Counts};
use crate::distances;
use crate::search::Search;
use crate::table::Folders;
use crate::text::{Lines, Objection, require};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// How much is checked, and where the entries of tables are.
#[derive(Debug, Default, Clone)]
pub struct Checks {
    /// How many units are searched again. `None`: all.
    pub units: Option<u64>,
    /// Draws other units.
    pub seed: u64,
    /// A folder with files `NAME.entries`, which are read and checked instead of computed.
    pub tables: Option<PathBuf>,
    /// A folder for the entries of tables that were computed.
    pub write_tables: Option<PathBuf>,
}

/// Checks a file, and says what was checked and what was trusted. `progress` gets a line for each
/// step that may take long.
///
/// # Errors
///
/// [`Objection::Refused`] with the place if the file is wrong, [`Objection::NotDone`] if it could not
/// be checked.
pub fn check(
    file: &[u8],
    checks: &Checks,
    progress: &mut dyn FnMut(&str),
) -> Result<String, Objection> {
    let mut lines = Lines::new(file);
    if let Some(line) = lines.take("fewest-distances")? {
        line.require(line.words == ["1"], "expected `fewest-distances 1`")?;
        return distances::check(lines, progress);
    }
    let line = lines.expect("fewest-plain")?;
    line.require(line.words == ["1"], "expected `fewest-plain 1`")?;
    let mut certificate = Certificate::read(&mut lines)?;
    let mut report = describe(&certificate);
    fill_tables(&mut certificate, checks, progress, &mut report)?;
    let mut search = Search::new(&certificate)?;
    let (_, h) = search.root(&certificate.start, 0);
    let drawn = draw(file, &certificate.bounds, checks);
    let mut before = Counts::default();
    let mut first = 0;
    for bound in &certificate.bounds {
        progress(&format!("bound {}: {} units", bound.bound, bound.units.len()));
        let width = (before.generated / 131_072).clamp(2048, 32_768);
        check_bound(&mut search, &certificate.start, bound, width as usize, |unit| {
            drawn.as_ref().is_none_or(|drawn| drawn.contains(&(first + unit)))
        })?;
        before = total(bound)?;
        first += bound.units.len() as u64;
    }
    check_claim(&certificate, h)?;
    conclude(&certificate, first, drawn.map(|drawn| drawn.len() as u64), h, &mut report);
    Ok(report)
}

fn fill_tables(
    certificate: &mut Certificate,
    checks: &Checks,
    progress: &mut dyn FnMut(&str),
    report: &mut String,
) -> Result<(), Objection> {
    let folders = Folders { read: checks.tables.as_deref(), write: checks.write_tables.as_deref() };
    let (mut computed, mut read) = (0, 0);
    for table in &mut certificate.tables {
        progress(&format!("table {}: {} states", table.name, table.size()));
        let count =
            if table.fill(&certificate.puzzle, &folders)? { &mut read } else { &mut computed };
        *count += 1;
    }
    _ = writeln!(report, "tables: {computed} computed, {read} read and checked edge by edge");
    Ok(())
}

/// Searches a bound down to its units, and those that were drawn.
fn check_bound(
    search: &mut Search,
    start: &[u16],
    bound: &Bound,
    width: usize,
    is_drawn: impl Fn(u64) -> bool,
) -> Result<(), Objection> {
    let place =
        |text| Objection::Refused(format!("line {}: bound {}: {text}", bound.line, bound.bound));
    let (root, _) = search.root(start, bound.bound);
    let (units, counts) = search.units(root, width, &bound.above).map_err(place)?;
    counts.require_match(&bound.above).map_err(place)?;
    let (many, found) = (bound.units.len(), units.len());
    require(many == found, || {
        format!("line {}: bound {}: expected {found} units, not {many}", bound.line, bound.bound)
    })?;
    for (number, (unit, expected)) in (0..).zip(units.iter().zip(&bound.units)) {
        if is_drawn(number) {
            let counts = search.below(unit, expected);
            let matches = counts.and_then(|counts| counts.require_match(expected));
            let line = bound.line + 1 + number as usize;
            let place =
                |text| format!("line {line}: unit {number} of bound {}: {text}", bound.bound);
            matches.map_err(|text| Objection::Refused(place(text)))?;
        }
    }
    Ok(())
}

/// All counts of a bound, as the file says.
fn total(bound: &Bound) -> Result<Counts, Objection> {
    let sum = |sum: Counts, one: &Counts| {
        let generated = sum.generated.checked_add(one.generated)?;
        let expanded = sum.expanded.checked_add(one.expanded)?;
        let over = sum.over.into_iter().chain(one.over).min();
        Some(Counts { generated, expanded, over })
    };
    let total = [&bound.above].into_iter().chain(&bound.units).try_fold(Counts::default(), sum);
    total.ok_or_else(|| Objection::Refused(format!("line {}: more than 2^64 nodes", bound.line)))
}

/// Checks that the bounds, or the heuristic's value `h` of the start, prove the claim.
fn check_claim(certificate: &Certificate, h: u64) -> Result<(), Objection> {
    let Certificate { puzzle, claim, .. } = certificate;
    let mut proven = h;
    for bound in &certificate.bounds {
        let over = total(bound)?.over;
        proven = proven.max(over.map_or(u64::MAX, |over| bound.bound.saturating_add(over)));
    }
    if puzzle.is_goal(&certificate.start) {
        proven = 0;
    }
    let parity = claim.plan.is_some() && puzzle.has_parity() && proven % 2 != claim.cost % 2;
    let proven = proven.saturating_add(u64::from(parity));
    require(claim.cost <= proven, || {
        format!("line {}: the claim is {}, but the bounds prove {proven}", claim.line, claim.cost)
    })
}

/// The numbers of the units that are searched again. `None`: all.
fn draw(file: &[u8], bounds: &[Bound], checks: &Checks) -> Option<BTreeSet<u64>> {
    let all: u64 = bounds.iter().map(|bound| bound.units.len() as u64).sum();
    let many = checks.units.filter(|&many| many < all)?;
    let root = Sha256::digest(file);
    let mut drawn = BTreeSet::new();
    for i in 0_u64.. {
        if drawn.len() as u64 == many {
            break;
        }
        let hash = Sha256::new().chain_update(root).chain_update(checks.seed.to_le_bytes());
        let hash = hash.chain_update(i.to_le_bytes()).finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&hash[..8]);
        drawn.insert(u64::from_le_bytes(first) % all);
    }
    Some(drawn)
}

fn describe(certificate: &Certificate) -> String {
    let Certificate { puzzle, forbidden, views, sums, claim, .. } = certificate;
    let mut text = String::new();
    let kind = if puzzle.is_board() { "squares" } else { "points" };
    _ = writeln!(text, "puzzle: {} {kind}, {} moves", puzzle.points, puzzle.moves.len());
    _ = writeln!(text, "forbidden strings: {}, each with a smaller twin", forbidden.len());
    _ = writeln!(
        text,
        "heuristic: {} sums, {} views that keep distances",
        sums.len(),
        views.len() - 1
    );
    if let Some(plan) = &claim.plan {
        _ = writeln!(text, "plan: {} moves, cost {}, ends at a goal", plan.len(), claim.cost);
    }
    text
}

fn conclude(certificate: &Certificate, units: u64, drawn: Option<u64>, h: u64, text: &mut String) {
    let Certificate { bounds, claim, .. } = certificate;
    let value = if h == u64::MAX { "infinite".to_owned() } else { h.to_string() };
    _ = writeln!(text, "start: the heuristic's value is {value}");
    _ = writeln!(text, "bounds: {}, searched down to {units} units", bounds.len());
    match drawn {
        None => _ = writeln!(text, "units: all searched again"),
        Some(drawn) => {
            // The chance that no draw is among the wrong ones, the hundredth part of all units.
            let wrong = units.div_ceil(100);
            let missed: f64 = (0..drawn)
                .map(|i| 1.0 - wrong as f64 / (units - i) as f64)
                .map(|factor| factor.max(0.0))
                .product();
            _ = writeln!(text, "units: {drawn} drawn and searched again, the others trusted");
            _ = writeln!(
                text,
                "if one unit in a hundred were wrong, all draws would miss it with probability {missed:.1e}"
            );
        }
    }
    let claim = match claim.plan {
        Some(_) => format!("the plan costs {}, and no plan costs less", claim.cost),
        None => format!("no plan costs less than {}", claim.cost),
    };
    _ = writeln!(
        text,
        "trusted: this program, its compiler, the machine; that the puzzle is the one meant"
    );
    _ = writeln!(text, "holds: {claim}");
}
