//! Work on all threads of the current rayon pool.
//!
//! Without the feature `rayon`, the caller does all work alone. No function here is generic, so the
//! code of the pool is compiled once.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// A task of [`run_all`].
pub type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// The number of threads of the current rayon pool; 1 without the feature `rayon`.
pub fn count() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Calls a function once on every thread.
pub fn broadcast(work: &(dyn Fn() + Sync)) {
    #[cfg(feature = "rayon")]
    rayon::broadcast(|_| work());
    #[cfg(not(feature = "rayon"))]
    work();
}

/// Calls a function with every number below `numbers`. The threads share the numbers, in any order.
pub fn each(numbers: usize, work: &(dyn Fn(usize) + Sync)) {
    #[cfg(feature = "rayon")]
    (0..numbers).into_par_iter().for_each(work);
    #[cfg(not(feature = "rayon"))]
    (0..numbers).for_each(work);
}

/// Runs every task. The threads share the tasks, in any order.
pub fn run_all(tasks: Vec<Task<'_>>) {
    #[cfg(feature = "rayon")]
    tasks.into_par_iter().for_each(|task| task());
    #[cfg(not(feature = "rayon"))]
    tasks.into_iter().for_each(|task| task());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn all_work_is_done_once() {
        for numbers in [0, 1, 1000] {
            let sum = AtomicUsize::new(0);
            let add = |number| _ = sum.fetch_add(number + 1, Relaxed);
            each(numbers, &add);
            run_all((0..numbers).map(|number| Box::new(move || add(number)) as Task<'_>).collect());
            assert_eq!(sum.into_inner(), numbers * (numbers + 1));
        }
        let calls = AtomicUsize::new(0);
        broadcast(&|| _ = calls.fetch_add(1, Relaxed));
        assert_eq!(calls.into_inner(), count());
    }
}
