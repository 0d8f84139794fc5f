//! A job in which rank 1 panics while rank 0 waits for its message. The panic ends the job.

use fewest_cluster::{Comm, MpiComm};
use std::time::Duration;

fn main() {
    let comm = MpiComm::begin().expect("an MPI that allows threads");
    if comm.rank() == 1 {
        // As the search of a rank: on a thread of its own.
        std::thread::spawn(|| panic!("a defect")).join().expect("the panic ends the job");
    }
    while comm.receive().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}
