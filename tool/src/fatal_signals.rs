//! Signals other than Ctrl-C that would end the program without a message.
#![expect(unsafe_code, reason = "the standard library has no signals")]

/// Turns signals of the file system into errors with a text.
///
/// - A write beyond a limit of the file size (`ulimit -f`) fails with a reason.
/// - If a mapped table file is shortened, or the disk fails to deliver a page of it, the program
///   ends with exit code 3. No printed result comes from such a page.
pub(super) fn take_over() {
    #[cfg(unix)]
    // SAFETY: no code runs in a handler for the first signal, because there is none. The handler of
    // the second only calls functions that are safe in handlers, and does not return.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        let handler: extern "C" fn(libc::c_int) = on_bus_error;
        libc::signal(libc::SIGBUS, handler as libc::sighandler_t);
    }
}

/// Ends the program with a message if the disk does not deliver a page of a table file.
#[cfg(unix)]
extern "C" fn on_bus_error(_: libc::c_int) {
    const TEXT: &[u8] =
        b"fewest: a table file was shortened while it was in use, or the disk does \
        not give its bytes (SIGBUS): `fewest tables verify` says which; --load ram reads whole \
        files first\n";
    // SAFETY: both functions are safe in signal handlers, and the text has this length.
    unsafe {
        libc::write(libc::STDERR_FILENO, TEXT.as_ptr().cast(), TEXT.len());
        libc::_exit(fewest_terminal::Exit::Table as libc::c_int);
    }
}
