//! Values that are made once and then kept: [`Once`] holds one, [`AutomatonCache`] the automata of
//! a puzzle.

use crate::automata::{self, Automata};
use crate::puzzle::Failure;
use fsm::{Automaton, ForbiddenStrings, Keep};
use search::{OpSet, Reversible};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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
    pub(crate) fn get_or_make<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        // The lock guards no data, so a panic of another thread leaves nothing wrong behind.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        Ok(self.keep(make()?))
    }

    fn keep(&self, value: T) -> &T {
        self.value.get_or_init(|| value)
    }
}

/// The automata of one domain and one pruning, each learned once.
pub(crate) struct AutomatonCache<O: OpSet> {
    /// Indexed by [`place`]: the strings that keep one optimal plan, then those that keep all.
    strings: [Once<ForbiddenStrings>; 2],
    front: [Once<Automaton<O>>; 2],
    ends: [Once<Arc<Ends<O>>>; 2],
}

/// The automata of a two-sided search, for the front and for the back of a plan.
type Ends<O> = search::TwoSidedPruning<Automaton<O>, Automaton<O>>;

impl<O: OpSet> Default for AutomatonCache<O> {
    fn default() -> Self {
        Self { strings: Default::default(), front: Default::default(), ends: Default::default() }
    }
}

/// The index of a [`Keep`] in the arrays of [`AutomatonCache`].
fn place(keep: Keep) -> usize {
    usize::from(keep == Keep::AllOptimal)
}

impl<O: OpSet> AutomatonCache<O> {
    /// The forbidden strings. The first call learns them with `learn`.
    pub(crate) fn strings(
        &self,
        keep: Keep,
        learn: &dyn Fn() -> Result<ForbiddenStrings, Failure>,
    ) -> Result<&ForbiddenStrings, Failure> {
        self.strings[place(keep)].get_or_make(learn)
    }

    /// The minimized automaton of the forbidden strings. The first call learns them with `learn`.
    pub(crate) fn automaton(
        &self,
        keep: Keep,
        learn: &dyn Fn() -> Result<ForbiddenStrings, Failure>,
    ) -> Result<&Automaton<O>, Failure> {
        self.front[place(keep)].get_or_make(|| automata::automaton(self.strings(keep, learn)?))
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
        learn: &dyn Fn() -> Result<ForbiddenStrings, Failure>,
    ) -> Result<Arc<Automata<D>>, Failure> {
        if relabellings.is_empty() {
            let ends = self.ends[place(keep)].get_or_make(|| {
                automata::ends(domain, self.strings(keep, learn)?, &[]).map(Arc::new)
            })?;
            return Ok(Arc::clone(ends));
        }
        automata::ends(domain, self.strings(keep, learn)?, relabellings).map(Arc::new)
    }
}
