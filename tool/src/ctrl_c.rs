//! Handles Ctrl-C: the first stops the current work, the second ends the program.
//!
//! While the tool waits for input, the first Ctrl-C ends the program. If states come through a
//! pipe, each Ctrl-C stops the current state only, and two in a row end the program.

use fewest::search::CancelToken;
use fewest_terminal::{Exit, note};
use std::process::exit;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Two Ctrl-C within this time end the program. Two that are further apart stop one state each.
const TWICE: Duration = Duration::from_millis(1500);
/// Work that does not end by itself within this time after Ctrl-C is ended.
const PATIENCE: Duration = Duration::from_millis(900);

/// How many calls of [`at_once`] run now.
static AT_ONCE: AtomicUsize = AtomicUsize::new(0);

/// Calls `work`, which leaves nothing half done. Ctrl-C ends the program meanwhile.
///
/// Work that opens files belongs here: opening a FIFO waits for its writer, and checks no token.
pub(super) fn at_once<T>(work: impl FnOnce() -> T) -> T {
    AT_ONCE.fetch_add(1, SeqCst);
    let result = work();
    AT_ONCE.fetch_sub(1, SeqCst);
    result
}

/// What the signal handler and the verbs share.
#[derive(Clone)]
pub(super) struct Interrupt {
    /// Cancelled by the Ctrl-C that ends the program's work.
    pub(super) cancel: CancelToken,
    state: Arc<Mutex<State>>,
}

/// The state that decides what the next Ctrl-C does.
#[derive(Default)]
struct State {
    /// The exit code for a Ctrl-C while the tool waits for input. `None` at all other times.
    ///
    /// A blocked read cannot check the token, so the handler itself ends the program.
    waiting: Option<Exit>,
    /// If true, the first Ctrl-C stops the current state and nothing else.
    only_state: bool,
    /// The token of the current state.
    current: CancelToken,
    /// When the last signal came.
    last: Option<Instant>,
    /// Whether the tool has begun a state since the last signal. Always false unless `only_state`
    /// is true.
    begun: bool,
}

/// Ends the program without a result.
fn end() -> ! {
    note("fewest: cancelled");
    exit(Exit::NotSolved as i32);
}

impl Interrupt {
    /// Installs the handler of Ctrl-C.
    pub(super) fn install() -> Self {
        let interrupt = Self { cancel: CancelToken::new(), state: Arc::default() };
        let handler = interrupt.clone();
        let installed = ctrlc::set_handler(move || handler.signal());
        if let Err(error) = installed {
            note(format_args!("fewest: Ctrl-C will end the program without an answer: {error}"));
        }
        interrupt
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signal(&self) {
        let mut state = self.lock();
        let begun = std::mem::take(&mut state.begun);
        let last = state.last.replace(Instant::now());
        let twice = last.is_some_and(|last| !begun || last.elapsed() < TWICE);
        match state.waiting {
            Some(code) if twice || !state.only_state => exit(code as i32),
            Some(_) => {}
            // Two in a row end the program at once.
            None if twice => exit(130),
            None if AT_ONCE.load(SeqCst) > 0 => end(),
            None if state.only_state => state.current.cancel(),
            None => {
                self.cancel.cancel();
                std::thread::spawn(|| {
                    std::thread::sleep(PATIENCE);
                    end();
                });
            }
        }
    }

    /// Says what the first Ctrl-C stops from now on: the current state only, if `only`, else all
    /// work.
    pub(super) fn only_state(&self, only: bool) {
        self.lock().only_state = only;
    }

    /// A token for the next state.
    pub(super) fn token(&self) -> CancelToken {
        let mut state = self.lock();
        state.current = self.cancel.child();
        state.begun = state.only_state;
        state.current.clone()
    }

    /// Calls `read`. Returns `None` without a call if Ctrl-C was pressed before.
    ///
    /// A Ctrl-C during the read ends the program with the exit code so far, at least
    /// [`Exit::NotSolved`].
    pub(super) fn read<T>(&self, so_far: Exit, read: impl FnOnce() -> Option<T>) -> Option<T> {
        self.lock().waiting = Some(so_far.max(Exit::NotSolved));
        // Checked after the code is set: either the handler sees the code, or this sees the signal.
        let read = if self.cancel.is_cancelled() { None } else { read() };
        self.lock().waiting = None;
        read
    }
}
