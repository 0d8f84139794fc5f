//! Values that are made once and then kept: [`Once`] holds one, [`AutomatonCache`] the automata of
//! a puzzle.

use crate::automata::{self, Automata};
use crate::puzzle::{Failure, Result};
use crate::run::Run;
use fsm::{Automaton, ForbiddenStrings, Keep};
use search::{OpSet, Reversible};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};
use std::time::Duration;

/// How often a thread that waits for a value looks whether it is made, or its caller cancels.
const PAUSE: Duration = Duration::from_millis(10);

/// A value that is made when it is first needed. Other threads that need it wait until it is made.
///
/// If making it fails, the next call tries again.
pub(crate) struct Once<T> {
    value: OnceLock<T>,
    making: Mutex<()>,
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self { value: OnceLock::new(), making: Mutex::new(()) }
    }
}

impl<T> Once<T> {
    /// The value, if it is already made.
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value. If there is none yet, `make` makes it.
    ///
    /// # Errors
    /// Those of `make`. [`Failure::Cancelled`] if the caller cancels while another thread makes it.
    pub(crate) fn get_or_make(
        &self,
        run: &Run<'_>,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<&T> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let _making = lock(&self.making, &|| self.value.get().is_some(), run)?;
        match self.value.get() {
            Some(value) => Ok(value),
            None => make().map(|value| self.value.get_or_init(|| value)),
        }
    }
}

/// The lock of those who make a value. `None` if the value `is_made` meanwhile.
///
/// # Errors
/// If the caller cancels while another thread makes the value.
fn lock<'l>(
    making: &'l Mutex<()>,
    is_made: &dyn Fn() -> bool,
    run: &Run<'_>,
) -> Result<Option<MutexGuard<'l, ()>>> {
    loop {
        match making.try_lock() {
            Ok(making) => return Ok(Some(making)),
            // The lock guards no data, so a panic of another thread leaves nothing wrong.
            Err(TryLockError::Poisoned(poisoned)) => return Ok(Some(poisoned.into_inner())),
            Err(TryLockError::WouldBlock) if run.request.cancel.is_cancelled() => {
                return Err(Failure::Cancelled);
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
        if is_made() {
            return Ok(None);
        }
    }
}

/// The automata of one domain and one pruning, each learned once.
pub(crate) struct AutomatonCache<O: OpSet> {
    /// Indexed by [`Keep`].
    strings: [Once<ForbiddenStrings>; 3],
    front: [Once<Automaton<O>>; 3],
    ends: [Once<Arc<Ends<O>>>; 3],
}

/// The automata of a two-sided search, for the front and for the back of a plan.
type Ends<O> = search::TwoSidedPruning<Automaton<O>, Automaton<O>>;

impl<O: OpSet> Default for AutomatonCache<O> {
    fn default() -> Self {
        Self { strings: Default::default(), front: Default::default(), ends: Default::default() }
    }
}

impl<O: OpSet> AutomatonCache<O> {
    /// The forbidden strings. The first call learns them with `learn`.
    pub(crate) fn strings(
        &self,
        keep: Keep,
        run: &Run<'_>,
        learn: &dyn Fn() -> Result<ForbiddenStrings>,
    ) -> Result<&ForbiddenStrings> {
        self.strings[keep as usize].get_or_make(run, learn)
    }

    /// The minimized automaton of the forbidden strings. The first call learns them with `learn`.
    pub(crate) fn automaton(
        &self,
        keep: Keep,
        run: &Run<'_>,
        learn: &dyn Fn() -> Result<ForbiddenStrings>,
    ) -> Result<&Automaton<O>> {
        self.front[keep as usize]
            .get_or_make(run, || automata::automaton(self.strings(keep, run, learn)?))
    }

    /// The minimized automata of a two-sided search. [`automata::ends`] says what `relabellings`
    /// are.
    ///
    /// Automata with relabellings are made anew each time, since few start states have any.
    pub(crate) fn ends<D: Reversible<Ops = O>>(
        &self,
        domain: &D,
        keep: Keep,
        relabellings: &[Vec<search::Op>],
        run: &Run<'_>,
        learn: &dyn Fn() -> Result<ForbiddenStrings>,
    ) -> Result<Arc<Automata<D>>> {
        if relabellings.is_empty() {
            let ends = self.ends[keep as usize].get_or_make(run, || {
                automata::ends(domain, self.strings(keep, run, learn)?, &[]).map(Arc::new)
            })?;
            return Ok(Arc::clone(ends));
        }
        automata::ends(domain, self.strings(keep, run, learn)?, relabellings).map(Arc::new)
    }
}
