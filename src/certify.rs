//! Checks certificates: [`certify`].

use crate::puzzle::{Aim, Ending, Failure, Keeper, Puzzle, Request};
use crate::run_journal::{named_as, run_identity, tables_fact};
use crate::settings::Settings;
use proofs::{BoundRecord, Certificate, Claim, Draw, TableMark};
use search::{Cost, Frontier, KnownUnits, Op, UnitCounts, Units};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a check of a certificate found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CertificateReport {
    /// What does not hold. Empty if everything that was checked holds.
    pub faults: Vec<String>,
    /// The tables of the certificate.
    pub tables: Vec<ProvedTable>,
    /// The number of units that were searched again, with the result that the certificate has.
    pub units: usize,
    /// The number of all units.
    pub all_units: usize,
    /// The number of bounds below the answer. Each is searched again above its units.
    pub bounds: usize,
    /// The generated nodes of the units that were searched again.
    pub generated: u64,
    /// The lower bound that the certificate takes from elsewhere. 0 if it takes none.
    pub assumed: Cost,
}

/// Whether a table is proved admissible.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProvedTable {
    /// The name of the table.
    pub name: String,
    /// The number of edges that the proof walked. `None` if there is no proof for tables of this
    /// kind, so that the table is trusted.
    pub edges: Option<u64>,
}

/// Checks a certificate: its structure, its plan, its tables, and some of its units, at most
/// `number`, drawn by its Merkle root and `seed`.
///
/// `settings` and `puzzle` are those of the certificate's command, with a puzzle that is configured
/// for this check alone.
///
/// # Errors
/// If the puzzle refuses the state, or a table cannot be had. What does not hold is no error: see
/// [`CertificateReport::faults`].
pub fn certify(
    puzzle: &dyn Puzzle,
    settings: &Settings,
    certificate: &Certificate,
    request: &Request<'_>,
    (number, seed): (usize, u64),
) -> Result<CertificateReport, Failure> {
    let identity = &certificate.identity;
    let fact = |name: &str| identity.get(name).unwrap_or_default();
    let draw = certificate.draw(number, seed);
    let assumed = fact("lower-bound").parse().unwrap_or(0);
    let bounds = certificate.bounds.len();
    let mut certified =
        CertificateReport { all_units: draw.of, bounds, assumed, ..CertificateReport::default() };
    if let Err(flaw) = certificate.check() {
        certified.faults.push(flaw.to_string());
    }
    let request =
        Request { plans: 1, slack: 0, min_length: 0, lower_bound: assumed, ..request.clone() };
    // Of the command's state: its other facts make `puzzle` and `settings`.
    let state = certificate.command.get("state").unwrap_or_default();
    let own = named_as(run_identity(puzzle, settings, state, &request)?, identity)
        .with("heuristic", fact("heuristic"))
        .with("tables", fact("tables"));
    if let Some((name, found, expected)) = identity.difference(&own) {
        certified.faults.push(format!("its {name} is {found:?}, expected {expected:?}"));
    }
    if let Claim::Plan(plan, cost) = &certificate.claim {
        certified.faults.extend(replay(puzzle, fact("state"), plan, *cost));
    }
    if certificate.claim == Claim::LowerBound && certificate.lower_bound == 0 {
        certified.faults.push("it claims nothing: its lower bound is 0".to_owned());
    }
    // The empty plan proves itself.
    if certified.faults.is_empty() && certificate.claim != Claim::Plan(Vec::new(), 0) {
        search_again(puzzle, certificate, &request, draw, &mut certified)?;
    }
    Ok(certified)
}

/// Replays a plan. Returns what is wrong with it.
fn replay(puzzle: &dyn Puzzle, state: &str, plan: &[String], cost: u64) -> Option<String> {
    match puzzle.check_plan(state, &plan.join(" ")) {
        Err(error) => Some(format!("the plan cannot be read: {error}")),
        Ok(replay) if replay.fault.is_some() => {
            replay.fault.map(|fault| format!("the plan does not solve the state: {fault}"))
        }
        Ok(replay) if replay.cost != cost => {
            Some(format!("the plan costs {}, expected {cost}", replay.cost))
        }
        Ok(_) => None,
    }
}

/// Runs the search again: with the claimed counts, but for the units that were drawn.
fn search_again(
    puzzle: &dyn Puzzle,
    certificate: &Certificate,
    request: &Request<'_>,
    draw: Draw,
    certified: &mut CertificateReport,
) -> Result<(), Failure> {
    let recheck = Recheck { certificate, draw, found: Mutex::default() };
    let heuristic = certificate.identity.get("heuristic").unwrap_or_default();
    let mut request = request.clone().keeper(&recheck).aim(Aim::OptimalOnly);
    request.rung = heuristic.strip_prefix("best/");
    if certificate.claim != Claim::NoPlan {
        request.limits.bound = certificate.lower_bound.checked_sub(1);
    }
    let answer = puzzle.solve(certificate.identity.get("state").unwrap_or_default(), &request)?;
    let found = recheck.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let faults = &mut certified.faults;
    (certified.units, certified.generated) = (found.searched, found.generated);
    faults.extend(found.faults);
    if answer.ending == Ending::Cancelled {
        return Err(Failure::Cancelled);
    }
    let no_plan = certificate.claim == Claim::NoPlan;
    if faults.is_empty() {
        let missed = certificate.bounds.iter().find(|one| !found.opened.contains(&one.bound));
        if let Some(missed) = missed {
            faults.push(format!("bound {}: the search has no such bound", missed.bound));
        } else if no_plan && answer.ending != Ending::Unsolvable {
            faults.push("the bounds do not prove that there is no plan".to_owned());
        } else if !no_plan && answer.lower_bound < certificate.lower_bound {
            let (own, claimed) = (answer.lower_bound, certificate.lower_bound);
            faults.push(format!("the bounds prove {own}, and the claim is {claimed}"));
        }
    }
    if faults.is_empty() && found.marks != certificate.tables {
        faults.push("the tables have other hashes than those of the certificate".to_owned());
    }
    for table in &certificate.tables {
        let proof = found.proofs.get(&table.name);
        if let Some(Err(why)) = proof {
            faults.push(format!("table {} is not admissible: {why}", table.name));
        }
        let edges = proof.and_then(|proof| proof.as_ref().ok().copied());
        certified.tables.push(ProvedTable { name: table.name.clone(), edges });
    }
    Ok(())
}

/// Compares what a plain search finds with a certificate.
struct Recheck<'a> {
    certificate: &'a Certificate,
    draw: Draw,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    bound: Cost,
    opened: BTreeSet<Cost>,
    searched: usize,
    generated: u64,
    marks: Vec<TableMark>,
    proofs: BTreeMap<String, Result<u64, String>>,
    faults: Vec<String>,
}

impl Recheck<'_> {
    fn lock(&self) -> MutexGuard<'_, Found> {
        // A panic leaves no half-made value.
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, bound: Cost) -> Option<&BoundRecord> {
        self.certificate.bounds.iter().find(|one| one.bound == bound)
    }

    /// What is wrong with a bound of the certificate. `None` if it has the units of the search.
    fn fault(&self, own: &BoundRecord) -> Option<String> {
        let Some(known) = self.known(own.bound) else {
            return Some(format!("bound {}: the certificate has no such bound", own.bound));
        };
        let same = known.above == own.above
            && known.digest == own.digest
            && known.units.len() == own.units.len();
        (!same).then(|| format!("bound {}: its units are not those of the search", own.bound))
    }
}

impl Keeper for Recheck<'_> {
    fn begin(&self, heuristic: &str, tables: &BTreeMap<String, String>) {
        for (name, own) in [("heuristic", heuristic.to_owned()), ("tables", tables_fact(tables))] {
            let claimed = self.certificate.identity.get(name).unwrap_or_default();
            if own != claimed {
                let fault = format!("its {name} is {claimed:?}, expected {own:?}");
                self.lock().faults.push(fault);
            }
        }
    }
    fn hashes_tables(&self) -> bool {
        true
    }
    fn table(&self, table: TableMark) {
        let mut found = self.lock();
        found.marks.push(table);
        found.marks.sort_unstable();
    }
    fn proves_tables(&self) -> bool {
        true
    }
    fn proved(&self, table: &str, proof: Result<u64, String>) {
        self.lock().proofs.insert(table.to_owned(), proof);
    }
}

impl Units for Recheck<'_> {
    fn open(&self, frontier: &Frontier<'_>) -> KnownUnits {
        let own = BoundRecord::new(frontier);
        let fault = self.fault(&own);
        let mut found = self.lock();
        found.bound = own.bound;
        found.opened.insert(own.bound);
        found.faults.extend(fault);
        if !found.faults.is_empty() {
            return KnownUnits { left: (0..own.units.len()).collect(), ..KnownUnits::default() };
        }
        let units = self.known(own.bound).map_or(&[][..], |known| &known.units);
        let known = units.iter().enumerate();
        let known = known.filter(|(unit, _)| !self.draw.units.contains(&(own.bound, *unit)));
        let counts = known.filter_map(|(unit, counts)| Some((unit, (*counts)?)));
        KnownUnits { counts: counts.collect(), ..KnownUnits::default() }
    }
    fn claim(&self) -> usize {
        usize::MAX
    }
    fn searched(&self, unit: usize, counts: UnitCounts) {
        let mut found = self.lock();
        let bound = found.bound;
        let claimed = self.known(bound).and_then(|known| *known.units.get(unit)?);
        found.searched += 1;
        found.generated += counts.generated;
        // The twin may prove more of an excess, but not less.
        let over = |counts: UnitCounts| counts.over.unwrap_or(u16::MAX);
        let holds = claimed.is_some_and(|claimed| {
            (claimed.generated, claimed.expanded) == (counts.generated, counts.expanded)
                && over(claimed) <= over(counts)
        });
        if !holds {
            let claimed = claimed.map_or("nothing".to_owned(), |claimed| claimed.to_string());
            let what = format!("has {counts}; the certificate says {claimed}");
            found.faults.push(format!("unit {unit} of bound {bound} {what}"));
        }
    }
    fn found(&self, unit: usize, plan: &[Op]) {
        let length = plan.len();
        let mut found = self.lock();
        let bound = found.bound;
        found.faults.push(format!("unit {unit} of bound {bound} has a plan of {length} operators"));
    }
    fn is_over(&self) -> bool {
        !self.lock().faults.is_empty()
    }
    fn is_recheck(&self) -> bool {
        true
    }
}
