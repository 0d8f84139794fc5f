//! Handles Ctrl-C: the first stops the current work, the second ends the program.
//!
//! While the tool waits for input, the first ends the program.

use super::Exit;
use super::output::note;
use search::CancelToken;
use std::process::exit;
use std::sync::{Arc, Mutex, PoisonError};

/// What the signal handler and the verbs share.
#[derive(Clone)]
pub(super) struct Interrupt {
    /// Cancelled by the first Ctrl-C.
    pub(super) cancel: CancelToken,
    /// The exit code for a Ctrl-C while the tool waits for input. `None` at all other times.
    ///
    /// A blocked read cannot check the token, so the handler itself ends the program.
    waiting: Arc<Mutex<Option<Exit>>>,
}

impl Interrupt {
    /// Installs the handler of Ctrl-C.
    pub(super) fn install() -> Self {
        let interrupt = Self { cancel: CancelToken::new(), waiting: Arc::default() };
        let handler = interrupt.clone();
        let installed = ctrlc::set_handler(move || handler.signal());
        if let Err(error) = installed {
            note(format_args!("fewest: Ctrl-C will end the program without an answer: {error}"));
        }
        interrupt
    }

    fn signal(&self) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = *waiting {
            exit(code as i32);
        }
        // A second Ctrl-C ends the program at once.
        if self.cancel.is_cancelled() {
            exit(130);
        }
        self.cancel.cancel();
    }

    fn set(&self, code: Option<Exit>) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = code;
    }

    /// Reads input with `read`. `None` if Ctrl-C was pressed before.
    ///
    /// A Ctrl-C during the read ends the program. Its exit code is `so_far`, or [`Exit::NotSolved`]
    /// if that is greater.
    pub(super) fn read<T>(&self, so_far: Exit, read: impl FnOnce() -> Option<T>) -> Option<T> {
        self.set(Some(so_far.max(Exit::NotSolved)));
        // The token is checked after the code is set. So either a signal finds the code, or this
        // check finds the signal.
        let read = if self.cancel.is_cancelled() { None } else { read() };
        self.set(None);
        read
    }
}
