//! Ranks of an MPI job: [`MpiComm`].

use crate::Comm;
use mpi::environment::Universe;
use mpi::point_to_point::MatchedReceiveVec;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use std::cell::RefCell;
use std::collections::VecDeque;

/// A rank of an MPI job. All its calls must come from the thread that made it.
pub struct MpiComm {
    world: SimpleCommunicator,
    arrived: RefCell<VecDeque<(usize, Vec<u8>)>>,
    // Dropped last: it ends MPI.
    _universe: Universe,
}

impl std::fmt::Debug for MpiComm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MpiComm").field("rank", &self.rank()).finish_non_exhaustive()
    }
}

impl MpiComm {
    /// Begins MPI. From now on a panic of any thread ends the whole job, with exit code 101.
    ///
    /// `None` if this process began MPI before, or the library allows no threads beside MPI.
    pub fn begin() -> Option<Self> {
        let wanted = mpi::Threading::Funneled;
        let (universe, threading) = mpi::initialize_with_threading(wanted)?;
        if threading < wanted {
            return None;
        }
        // A panic would unwind into MPI_Finalize, which waits for all ranks for ever.
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            told(panic);
            SimpleCommunicator::world().abort(101);
        }));
        let world = universe.world();
        Some(Self { world, arrived: RefCell::default(), _universe: universe })
    }

    /// The cores that this rank may use, shared by the ranks of its machine. At least 1.
    ///
    /// All ranks must call it together.
    pub fn cores(&self) -> usize {
        let ranks = self.world.split_shared(0).size();
        let ranks = usize::try_from(ranks).expect("a number of ranks is not negative");
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (cores / ranks).max(1)
    }

    /// Ends the whole job with this exit code.
    pub fn abort(&self, code: i32) -> ! {
        self.world.abort(code)
    }

    /// Receives a message that has arrived, if there is one.
    fn take_in(&self) -> bool {
        let message = self.world.any_process().immediate_matched_probe();
        let Some(message) = message else { return false };
        let (bytes, status) = message.matched_receive_vec::<u8>();
        let from = usize::try_from(status.source_rank()).expect("a rank is not negative");
        self.arrived.borrow_mut().push_back((from, bytes));
        true
    }
}

impl Comm for MpiComm {
    fn rank(&self) -> usize {
        usize::try_from(self.world.rank()).expect("a rank is not negative")
    }

    fn size(&self) -> usize {
        usize::try_from(self.world.size()).expect("a number of ranks is not negative")
    }

    /// Messages are taken in while this one goes out. So two ranks that send to each other do not
    /// wait for ever.
    fn send(&self, to: usize, bytes: &[u8]) {
        let to = i32::try_from(to).expect("a rank of MPI has 31 bits");
        mpi::request::scope(|scope| {
            let mut request = self.world.process_at_rank(to).immediate_send(scope, bytes);
            while let Err(unfinished) = request.test() {
                request = unfinished;
                if !self.take_in() {
                    std::thread::yield_now();
                }
            }
        });
    }

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        while self.arrived.borrow().is_empty() && self.take_in() {}
        self.arrived.borrow_mut().pop_front()
    }
}
