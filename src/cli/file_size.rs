//! Makes a write beyond the limit of the file size (`ulimit -f`) an error, not the end of the
//! program.
#![expect(unsafe_code, reason = "the standard library sets no signal to be ignored")]

/// Ignores the signal that a write beyond the limit sends. The write then fails with a reason.
pub(super) fn ignore_signal() {
    #[cfg(unix)]
    // SAFETY: no code runs in a handler, because there is none.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
