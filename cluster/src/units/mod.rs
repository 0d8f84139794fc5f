//! Units of a bound that ranks share: [`ClusterUnits`].

mod coordinator;
mod messages;
mod owners;
mod run;

pub use messages::RankEnd;
pub use run::{RankResult, RankSearch, RunOptions, run};

use fewest::Keeper;
use fewest::pdb::EntryReader;
use fewest::proofs::BoundRecord;
use fewest::search::{CancelToken, Frontier, KnownUnits, Op, UnitCounts, Units};
use messages::{Down, HeuristicMark, Opening, Results, SendCommand, Up};
use owners::Owners;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The units of a search that all ranks make together. Give it to the search of each rank, as
/// [`fewest::Request::keeper`] or as [`fewest::search::Options::units`].
///
/// Every rank has the same units in the same order, because every rank knows all results of the
/// bound before. So a place in that order names a unit. Rank 0 hands out places on request, and
/// collects results. At the end of a bound it tells all results to all ranks.
///
/// Each rank searches a short bound whole, without a message: that is sooner.
pub struct ClusterUnits<'k> {
    rank: usize,
    ranks: usize,
    /// Places that a rank keeps ahead, so that its threads need not wait.
    ahead: usize,
    shared_from: u64,
    kept: bool,
    /// The journal, on rank 0.
    keeper: Option<&'k dyn Keeper>,
    out: Sender<SendCommand>,
    /// Reads the tables, if ranks own their entries by range.
    owners: Option<Owners>,
    cancel: CancelToken,
    state: Mutex<State>,
    changed: Condvar,
    /// Whether the rank searches the current bound whole.
    whole: AtomicBool,
    /// The next place of a bound that the rank searches whole.
    next: AtomicUsize,
    enough: AtomicBool,
    stopped: AtomicBool,
    /// Whether the search of this rank has begun, with the tables of rank 0.
    agreed: AtomicBool,
}

#[derive(Default)]
struct State {
    /// What rank 0 searches with.
    mark: Option<HeuristicMark>,
    /// The number of the current shared bound, counted from 1.
    bound: u32,
    /// Whether the current bound was opened here.
    open: bool,
    opening: Option<(u32, Opening)>,
    closing: Option<(u32, Results)>,
    places: VecDeque<usize>,
    /// Whether places were asked for that have not come.
    asked: bool,
    /// Whether no more places will come.
    dry: bool,
    /// Results that rank 0 does not know.
    results: Results,
    /// Units whose plans were found here.
    own: HashSet<usize>,
    searched: u64,
    fault: Option<String>,
}

impl std::fmt::Debug for ClusterUnits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClusterUnits").field("ranks", &self.ranks).finish_non_exhaustive()
    }
}

impl<'k> ClusterUnits<'k> {
    fn new(
        (rank, ranks): (usize, usize),
        options: &RunOptions<'k>,
        keeper: Option<&'k dyn Keeper>,
        out: Sender<SendCommand>,
    ) -> Self {
        let owners = options.spread.then(|| Owners::new((rank, ranks), out.clone()));
        Self {
            rank,
            ranks,
            ahead: 2 * options.threads + 4,
            shared_from: options.shared_from,
            kept: options.units_kept,
            keeper,
            out,
            owners,
            cancel: options.cancel.child(),
            state: Mutex::default(),
            changed: Condvar::new(),
            whole: AtomicBool::new(false),
            next: AtomicUsize::new(0),
            enough: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            agreed: AtomicBool::new(false),
        }
    }

    /// The token by which the search of this rank is ended, because another rank failed or rank 0
    /// has its answer.
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// Reads the entries of tables that ranks own by range, for [`fewest::Request::reader`].
    /// `None` if each rank reads all entries itself.
    pub fn reader(&self) -> Option<&dyn EntryReader> {
        self.owners.as_ref().map(|owners| owners as _)
    }

    /// Why this rank left the search: it has other units or other tables than rank 0. `None` if it
    /// did not.
    pub fn fault(&self) -> Option<String> {
        self.lock().fault.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic of another thread leaves no half-made state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, message: Up) {
        // The other end is gone only after a panic of the rank.
        let _ = self.out.send(SendCommand::Up(message));
    }

    /// Waits until `ready` returns something, or no more shared bound is searched.
    fn wait<T>(&self, mut ready: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(value) = ready(&mut state) {
                return Some(value);
            }
            if self.stopped.load(Relaxed) {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The results that rank 0 does not know.
    fn take_results(&self) -> Option<Up> {
        let mut state = self.lock();
        let results = std::mem::take(&mut state.results);
        (!results.is_empty()).then_some(Up::Results { bound: state.bound, results })
    }

    /// Takes what rank 0 tells. [`Down::Begin`] and [`Down::Leave`] are for the caller.
    fn hear(&self, message: Down) {
        let mut state = self.lock();
        match message {
            Down::Begin(mark) => state.mark = Some(mark),
            Down::Open { bound, opening } => state.opening = Some((bound, opening)),
            Down::Places { bound, first, places, last } if bound == state.bound => {
                state.places.extend(first..first + places);
                state.asked = false;
                state.dry |= last;
            }
            Down::Enough { bound } if bound == state.bound => self.enough.store(true, Relaxed),
            Down::Close { bound, results } => state.closing = Some((bound, results)),
            Down::Stop => self.stopped.store(true, Relaxed),
            Down::End => {
                self.stopped.store(true, Relaxed);
                self.cancel.cancel();
                self.owners.iter().for_each(Owners::end);
            }
            Down::Places { .. } | Down::Enough { .. } | Down::Leave => {}
        }
        self.changed.notify_all();
    }

    /// Tells rank 0 of a bound, on rank 0.
    fn announce(&self, frontier: &Frontier<'_>, bound: u32, digest: [u8; 16]) {
        let known = self.keeper.map_or_else(KnownUnits::default, |keeper| keeper.open(frontier));
        let numbers = |plan: &[Op]| plan.iter().map(|op| op.0).collect();
        let opening = Opening {
            digest,
            plans: known.plans.iter().map(|plan| numbers(plan)).collect(),
            refused: !known.left.is_empty(),
            counts: known.counts,
        };
        let places = frontier.paths.len() - opening.counts.len();
        self.tell(Up::Open { bound, places, wanted: frontier.wanted, opening });
    }

    /// [`Units::open`] of a bound that ranks share. `None` if it is not searched.
    fn open_shared(&self, frontier: &Frontier<'_>) -> Option<KnownUnits> {
        let bound = {
            let mut state = self.lock();
            (state.places, state.own) = <_>::default();
            (state.asked, state.dry, state.open) = (false, false, false);
            state.bound += 1;
            state.bound
        };
        self.enough.store(false, Relaxed);
        if self.stopped.load(Relaxed) {
            return None;
        }
        let digest = BoundRecord::new(frontier).digest;
        if self.rank == 0 {
            self.announce(frontier, bound, digest);
        }
        let opening = self.wait(|state| {
            let opening = state.opening.take_if(|(number, _)| *number == bound)?.1;
            state.open = opening.digest == digest && !opening.refused;
            Some(opening)
        })?;
        if opening.digest != digest {
            let fault = format!("other units than rank 0 has for bound {}", frontier.bound);
            self.lock().fault.get_or_insert(fault);
        }
        if opening.digest != digest || opening.refused {
            return None;
        }
        let plans = opening.plans.iter().map(|plan| plan.iter().map(|&op| Op(op)).collect());
        Some(KnownUnits { counts: opening.counts, left: Vec::new(), plans: plans.collect() })
    }

    fn is_whole(&self) -> bool {
        self.whole.load(Relaxed)
    }

    /// What answers the questions of other ranks. `None` before the search has begun.
    fn answering(&self) -> Option<&Owners> {
        self.owners.as_ref().filter(|_| self.agreed.load(Relaxed))
    }

    /// Whether other ranks may wait for answers that this rank cannot give.
    fn is_deaf(&self) -> bool {
        self.owners.is_some() && !self.agreed.load(Relaxed)
    }

    /// Whether values of tables may be missing, so that the counts of a unit mean nothing.
    fn lacks_values(&self) -> bool {
        self.owners.as_ref().is_some_and(Owners::is_over)
    }
}

impl Keeper for ClusterUnits<'_> {
    fn begin(&self, heuristic: &str, tables: &BTreeMap<String, String>) {
        let own = HeuristicMark { heuristic: heuristic.to_owned(), tables: tables.clone() };
        if !tables.is_empty() && self.owners.as_ref().is_some_and(|owners| !owners.is_open()) {
            let fault = format!(
                "each rank must have whole tables of the heuristic {heuristic}: \
                 ranks cannot own them by range"
            );
            self.lock().fault.get_or_insert(fault);
            return self.cancel.cancel();
        }
        if let Some(keeper) = self.keeper {
            keeper.begin(heuristic, tables);
        }
        let mut state = self.lock();
        match &state.mark {
            None => {
                state.mark = Some(own.clone());
                self.agreed.store(true, Relaxed);
                self.tell(Up::Begin(own));
            }
            Some(first) if *first != own => {
                let fault = format!("{own:?}, but rank 0 has {first:?}");
                state.fault.get_or_insert(fault);
                self.stopped.store(true, Relaxed);
                self.cancel.cancel();
            }
            Some(_) => self.agreed.store(true, Relaxed),
        }
    }
}

impl Units for ClusterUnits<'_> {
    fn open(&self, frontier: &Frontier<'_>) -> KnownUnits {
        let whole = self.ranks == 1 || frontier.before < self.shared_from;
        self.whole.store(whole, Relaxed);
        self.next.store(0, Relaxed);
        let none = || KnownUnits { left: (0..frontier.paths.len()).collect(), ..<_>::default() };
        if self.lacks_values() {
            return none();
        }
        if whole {
            return self.keeper.map_or_else(KnownUnits::default, |keeper| keeper.open(frontier));
        }
        self.open_shared(frontier).unwrap_or_else(none)
    }

    fn refused(&self, plan: &[Op]) {
        if let Some(keeper) = self.keeper {
            keeper.refused(plan);
        }
    }

    fn claim(&self) -> usize {
        if self.is_whole() {
            return self.next.fetch_add(1, Relaxed);
        }
        let place = self.wait(|state| {
            let over = self.enough.load(Relaxed) || self.stopped.load(Relaxed);
            if over || !state.open {
                return Some(usize::MAX);
            }
            let place = state.places.pop_front();
            if !state.dry && !state.asked && state.places.len() <= self.ahead / 2 {
                state.asked = true;
                let places = self.ahead - state.places.len();
                self.tell(Up::Claim { bound: state.bound, places });
            }
            place.or(state.dry.then_some(usize::MAX))
        });
        place.unwrap_or(usize::MAX)
    }

    fn searched(&self, unit: usize, counts: UnitCounts) {
        if self.lacks_values() {
            return;
        }
        if !self.is_whole() {
            let mut state = self.lock();
            state.results.counts.push((unit, counts));
            state.searched += 1;
        } else if let Some(keeper) = self.keeper {
            keeper.searched(unit, counts);
        }
    }

    fn found(&self, unit: usize, plan: &[Op]) {
        if !self.is_whole() {
            let numbers = plan.iter().map(|op| op.0).collect();
            let mut state = self.lock();
            state.own.insert(unit);
            let results = Results { counts: Vec::new(), plans: vec![(unit, numbers)] };
            self.tell(Up::Results { bound: state.bound, results });
        } else if let Some(keeper) = self.keeper {
            keeper.found(unit, plan);
        }
    }

    fn is_over(&self) -> bool {
        let told = self.enough.load(Relaxed) || self.stopped.load(Relaxed);
        !self.is_whole() && told
            || self.lacks_values()
            || self.keeper.is_some_and(|keeper| keeper.is_over())
    }

    fn are_kept(&self) -> bool {
        self.kept
    }

    fn close(&self, complete: bool) -> KnownUnits {
        let complete = complete && !self.lacks_values();
        if self.is_whole() {
            return self.keeper.map_or_else(KnownUnits::default, |keeper| keeper.close(complete));
        }
        let bound = {
            let mut state = self.lock();
            if !std::mem::take(&mut state.open) {
                return KnownUnits::default();
            }
            state.bound
        };
        if let Some(results) = self.take_results() {
            self.tell(results);
        }
        self.tell(Up::Close { bound, complete });
        let closing = self.wait(|state| {
            let results = state.closing.take_if(|(number, _)| *number == bound)?.1;
            Some((results, std::mem::take(&mut state.own)))
        });
        if let Some(keeper) = self.keeper {
            keeper.close(complete);
        }
        let Some((Results { counts, plans }, own)) = closing else { return <_>::default() };
        let plans = plans.into_iter().filter(|(unit, _)| !own.contains(unit));
        let plans = plans.map(|(_, plan)| plan.into_iter().map(Op).collect());
        KnownUnits { counts, left: Vec::new(), plans: plans.collect() }
    }
}
