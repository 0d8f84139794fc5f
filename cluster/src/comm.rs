//! How ranks send bytes to each other: [`Comm`].

use std::cell::Cell;

/// One rank's end of the messages between all ranks.
///
/// Messages from one rank to another arrive in the order in which they were sent.
pub trait Comm {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// The number of ranks. They have the numbers from 0 on.
    fn size(&self) -> usize;

    /// Sends a message to another rank. It may wait until that rank receives, and meanwhile keeps
    /// what arrives.
    fn send(&self, to: usize, bytes: &[u8]);

    /// The next message, and the rank that sent it. `None` if none has arrived.
    fn receive(&self) -> Option<(usize, Vec<u8>)>;
}

/// The ranks to which a rank passes on what rank 0 tells all: a binary tree with rank 0 at its top.
pub(crate) fn children(rank: usize, size: usize) -> impl Iterator<Item = usize> {
    [2 * rank + 1, 2 * rank + 2].into_iter().filter(move |&child| child < size)
}

/// A [`Comm`] that counts what it sends.
#[derive(Debug)]
pub(crate) struct Counted<'c, C> {
    comm: &'c C,
    messages: Cell<u64>,
    bytes: Cell<u64>,
}

impl<'c, C: Comm> Counted<'c, C> {
    pub(crate) fn new(comm: &'c C) -> Self {
        Self { comm, messages: Cell::new(0), bytes: Cell::new(0) }
    }

    /// The number of messages sent so far, and their bytes.
    pub(crate) fn sent(&self) -> (u64, u64) {
        (self.messages.get(), self.bytes.get())
    }
}

impl<C: Comm> Comm for Counted<'_, C> {
    fn rank(&self) -> usize {
        self.comm.rank()
    }
    fn size(&self) -> usize {
        self.comm.size()
    }
    fn send(&self, to: usize, bytes: &[u8]) {
        self.messages.set(self.messages.get() + 1);
        self.bytes.set(self.bytes.get() + bytes.len() as u64);
        self.comm.send(to, bytes);
    }
    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        self.comm.receive()
    }
}

/// How long to wait before looking for messages again: the longer nothing arrives, the longer, so
/// that waiting takes no core.
#[derive(Debug, Default)]
pub(crate) struct Idle(u32);

impl Idle {
    pub(crate) fn next(&mut self) -> std::time::Duration {
        self.0 = (self.0 + 1).min(6);
        // 32 microseconds to 1 millisecond.
        std::time::Duration::from_micros(16 << self.0)
    }
}
