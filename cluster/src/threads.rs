//! Ranks as threads of one process: [`ThreadComm`].

use crate::Comm;
use std::sync::mpsc::{Receiver, Sender, channel};

type Message = (usize, Vec<u8>);

/// A rank among threads of one process. For tests, and where there is no MPI.
#[derive(Debug)]
pub struct ThreadComm {
    rank: usize,
    peers: Vec<Sender<Message>>,
    incoming: Receiver<Message>,
}

impl ThreadComm {
    /// Returns `size` connected ranks, rank 0 first. Move each to a thread of its own.
    pub fn ranks(size: usize) -> Vec<Self> {
        let (peers, ends): (Vec<_>, Vec<_>) = (0..size).map(|_| channel()).unzip();
        let rank = |(rank, incoming)| Self { rank, peers: peers.clone(), incoming };
        ends.into_iter().enumerate().map(rank).collect()
    }
}

impl Comm for ThreadComm {
    fn rank(&self) -> usize {
        self.rank
    }
    fn size(&self) -> usize {
        self.peers.len()
    }
    fn send(&self, to: usize, bytes: &[u8]) {
        // A rank that is gone needs no message.
        let _ = self.peers[to].send((self.rank, bytes.to_vec()));
    }
    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        self.incoming.try_recv().ok()
    }
}
