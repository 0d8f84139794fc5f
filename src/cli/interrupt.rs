//! Ctrl-C: the first stops the work in hand, the second ends the program.
//!
//! A tool that waits for input ends at the first.

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
    /// While the tool waits for input: the exit code if none comes.
    ///
    /// A read that blocks cannot look at the token.
    waiting: Arc<Mutex<Option<Exit>>>,
}

impl Interrupt {
    /// Takes over Ctrl-C.
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
        // Whoever presses twice means it.
        if self.cancel.is_cancelled() {
            exit(130);
        }
        self.cancel.cancel();
    }

    fn set(&self, code: Option<Exit>) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = code;
    }

    /// Reads input; `None` if Ctrl-C was pressed before.
    ///
    /// Ctrl-C ends the program meanwhile, with the exit code so far or as cancelled.
    pub(super) fn read<T>(&self, so_far: Exit, read: impl FnOnce() -> Option<T>) -> Option<T> {
        self.set(Some(so_far.max(Exit::NotSolved)));
        // Looked at after the code is set: a signal sees the code, or this sees the signal.
        let read = if self.cancel.is_cancelled() { None } else { read() };
        self.set(None);
        read
    }
}
