//! Lets a worker thread send and receive, while the thread that owns the [`Comm`] passes messages
//! on: [`with_relay`].

use crate::Comm;
use crate::comm::Idle;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

/// The bytes of stack of the thread that works.
const STACK: usize = 16 << 20;

type Message = (usize, Vec<u8>);

/// A [`Comm`] that any thread may use. The thread that owns the real one passes messages on.
#[derive(Debug)]
pub(crate) struct Relay {
    rank: usize,
    size: usize,
    out: Sender<Message>,
    arrived: Mutex<Receiver<Message>>,
    messages: AtomicU64,
    bytes: AtomicU64,
}

impl Relay {
    /// The number of messages sent so far, and their bytes.
    pub(crate) fn sent(&self) -> [u64; 2] {
        [&self.messages, &self.bytes].map(|sum| sum.load(Relaxed))
    }
}

impl Comm for Relay {
    fn rank(&self) -> usize {
        self.rank
    }
    fn size(&self) -> usize {
        self.size
    }
    fn send(&self, to: usize, bytes: &[u8]) {
        self.messages.fetch_add(1, Relaxed);
        self.bytes.fetch_add(bytes.len() as u64, Relaxed);
        // If the other end is gone, the job ends.
        let _ = self.out.send((to, bytes.to_vec()));
    }
    fn receive(&self) -> Option<Message> {
        self.arrived.lock().unwrap_or_else(PoisonError::into_inner).try_recv().ok()
    }
}

/// Runs `work` on a thread of its own, and passes its messages on from this one.
///
/// # Panics
/// If `work` panics.
pub(crate) fn with_relay<C: Comm, T: Send>(comm: &C, work: impl FnOnce(&Relay) -> T + Send) -> T {
    let ((out, waiting), (incoming, arrived)) = (channel(), channel());
    let arrived = Mutex::new(arrived);
    let (messages, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
    let relay = Relay { rank: comm.rank(), size: comm.size(), out, arrived, messages, bytes };
    std::thread::scope(|scope| {
        let named = std::thread::Builder::new().name("work".to_owned()).stack_size(STACK);
        // The relay is dropped with the work: then `waiting` ends.
        let thread = named.spawn_scoped(scope, move || work(&relay));
        let thread = thread.expect("the system starts a thread");
        let mut idle = Idle::default();
        loop {
            use std::sync::mpsc::RecvTimeoutError::{Disconnected, Timeout};
            match waiting.recv_timeout(idle.next()) {
                Ok((to, bytes)) => {
                    comm.send(to, &bytes);
                    idle = Idle::default();
                }
                Err(Disconnected) => break,
                Err(Timeout) => {}
            }
            while let Some(message) = comm.receive() {
                // The work that has ended needs no message.
                let _ = incoming.send(message);
                idle = Idle::default();
            }
        }
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
