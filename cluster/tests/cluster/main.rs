//! Ranks as threads: what they find together is what one search finds alone.

mod layers;
mod puzzles;
mod tables;
mod toys;

use fewest_cluster::ThreadComm;

/// Runs `work` on so many ranks, each on a thread of its own. Returns the results by rank.
fn on_ranks<T: Send>(size: usize, work: impl Fn(&ThreadComm) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let work = &work;
        let ranks = ThreadComm::ranks(size).into_iter();
        let threads: Vec<_> = ranks.map(|comm| scope.spawn(move || work(&comm))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no rank panics")).collect()
    })
}
