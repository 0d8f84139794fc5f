//! How long the plans of many states are: [`statistics`].

mod tally;

pub use tally::{Spread, Statistics};

use crate::puzzle::{Aim, Answer, Backlog, Ending, Event, Failure, Puzzle, Request, Result, Watch};
use search::CancelToken;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The states for each thread that may be ahead of one that is still being solved.
const AHEAD: usize = 1024;

/// The most states that a thread gets at once.
const MOST_AT_ONCE: usize = 16;

/// States that take longer are handed over one by one.
const QUICK: Duration = Duration::from_millis(1);

/// So many states are solved with all threads at most, until one has loaded or built tables.
const ALONE: usize = 16;

/// Solves states until there are no more, and adds each to what is `known` of the states before.
/// Returns what is known by then, and why there is no more.
///
/// Each state is solved by one thread, as many at a time as the request has threads, and counts
/// when those before it do. So a later call goes on where this one was stopped: it skips as many
/// states as [`Statistics::states`] says. The state at that number is the one that failed. `tell`
/// gets what is known after each state. `backlog` is the number of states that are still to come:
/// it decides how large a table is worth building. The first states are solved by all threads,
/// until they have tables.
///
/// Of the request, these count: the limits for each state, the threads, and the cancellation. The
/// watcher hears of tables alone. The plans are proven, without a search for others before.
///
/// # Errors
/// If a state is invalid, or its search fails, or the caller cancels.
pub fn statistics(
    puzzle: &dyn Puzzle,
    states: &mut dyn Iterator<Item = String>,
    (mut known, backlog): (Statistics, usize),
    request: &Request<'_>,
    tell: &mut dyn FnMut(&Statistics),
) -> (Statistics, Result<()>) {
    let request = request.clone().aim(Aim::OptimalOnly).backlog(Backlog::of(backlog));
    let mut count = |known: &mut Statistics, solved: Result<Answer>| {
        count(known, &solved?);
        tell(known);
        Ok(())
    };
    for _ in 0..ALONE {
        let Some(state) = states.next() else { return (known, Ok(())) };
        let solved = solve(puzzle, &state, &request);
        let has_tables = solved.as_ref().is_ok_and(|answer| answer.tables > Duration::ZERO);
        if let Err(failure) = count(&mut known, solved) {
            return (known, Err(failure));
        }
        if has_tables {
            break;
        }
    }
    let threads = request.threads.unwrap_or_else(rayon::current_num_threads).max(1);
    let pools: Result<Vec<rayon::ThreadPool>> = (0..threads).map(|_| one_thread()).collect();
    let ended = pools.and_then(|pools| {
        let (watch, cancel) = (Tables(request.watch), request.cancel.child_within(None));
        let request = Request { threads: None, ..request.clone() };
        let request = request.watch(&watch).cancel(cancel.clone());
        let solve = |state: &str| solve(puzzle, state, &request);
        in_order(states, (&pools, &cancel), &solve, &mut |solved| count(&mut known, solved))
    });
    (known, ended)
}

/// States that follow each other, with the number of the first.
type Block<T> = (usize, Vec<T>);

/// Calls `work` for each state on the threads, and `take` with the results in the order of the
/// states, until it fails. Then the token is cancelled, so that work on later states ends.
///
/// A thread gets several states at once while each takes less than [`QUICK`], since to hand over
/// one would take as long.
fn in_order(
    states: &mut dyn Iterator<Item = String>,
    (pools, cancel): (&[rayon::ThreadPool], &CancelToken),
    work: &(dyn Fn(&str) -> Result<Answer> + Sync),
    take: &mut dyn FnMut(Result<Answer>) -> Result<()>,
) -> Result<()> {
    let (asking, asked) = channel::<Block<String>>();
    let asked = &Mutex::new(asked);
    // The threads end when `asking` does.
    std::thread::scope(move |scope| {
        let (answering, answered) = channel();
        for pool in pools {
            let answering = answering.clone();
            scope.spawn(move || pool.install(|| serve((asked, cancel), &answering, work)));
        }
        drop(answering);
        // The numbers of the next state to ask and to take.
        let (mut ask, mut next, mut early) = (0, 0, BTreeMap::new());
        let mut size = 1;
        loop {
            while ask < next + AHEAD * pools.len() {
                let block: Vec<String> = states.take(size).collect();
                if block.is_empty() {
                    break;
                }
                let first = ask;
                ask += block.len();
                // Threads that were cancelled listen no more, and `answered` tells.
                let _ = asking.send((first, block));
            }
            if next == ask {
                return Ok(());
            }
            let (first, answers): Block<Result<Answer>> =
                answered.recv().map_err(|_| Failure::Cancelled)?;
            early.insert(first, answers);
            while let Some(answers) = early.remove(&next) {
                next += answers.len();
                size = if answers.iter().all(is_quick) { MOST_AT_ONCE.min(2 * size) } else { 1 };
                for answer in answers {
                    take(answer).inspect_err(|_| cancel.cancel())?;
                }
            }
        }
    })
}

/// Answers states as long as some are asked.
fn serve(
    (asked, cancel): (&Mutex<Receiver<Block<String>>>, &CancelToken),
    answering: &Sender<Block<Result<Answer>>>,
    work: &(dyn Fn(&str) -> Result<Answer> + Sync),
) {
    while !cancel.is_cancelled() {
        let block = asked.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((first, states)) = block else { break };
        let (mut first, mut answers) = (first, Vec::new());
        for state in &states {
            let answer = work(state);
            let (is_quick, is_wrong) = (is_quick(&answer), answer.is_err());
            answers.push(answer);
            if !is_quick {
                let ready = std::mem::take(&mut answers);
                let next = first + ready.len();
                if answering.send((first, ready)).is_err() || is_wrong {
                    return;
                }
                first = next;
            }
        }
        if !answers.is_empty() && answering.send((first, answers)).is_err() {
            return;
        }
    }
}

fn is_quick(answer: &Result<Answer>) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.elapsed < QUICK)
}

fn one_thread() -> Result<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.map_err(|error| Failure::refused(format_args!("no threads: {error}")))
}

/// The answer for a state. A failure if the caller cancelled.
fn solve(puzzle: &dyn Puzzle, state: &str, request: &Request<'_>) -> Result<Answer> {
    request.backlog.take();
    let answer = puzzle.solve(state, request)?;
    let cancelled = answer.ending != Ending::Solved && request.cancel.is_cancelled();
    if cancelled { Err(Failure::Cancelled) } else { Ok(answer) }
}

fn count(known: &mut Statistics, answer: &Answer) {
    match answer.costs.first() {
        Some(&cost) if answer.ending == Ending::Solved && answer.optimal => {
            known.solved(cost, answer.generated(), answer.elapsed);
        }
        _ => known.unsolved += 1,
    }
}

/// Tells of tables alone: several searches at once would tell bounds of different states.
struct Tables<'a>(&'a dyn Watch);

impl Watch for Tables<'_> {
    fn event(&self, event: &Event<'_>) {
        let is_search = matches!(
            event,
            Event::Search { .. }
                | Event::Iteration { .. }
                | Event::Improved { .. }
                | Event::Plan { .. }
        );
        if !is_search {
            self.0.event(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, configure};
    use search::Limits;

    fn states(puzzle: &dyn Puzzle, count: usize) -> Vec<String> {
        let drawn = puzzle.scrambler().expect("states").scrambles(3);
        drawn.take(count).collect()
    }

    fn counted(
        puzzle: &dyn Puzzle,
        states: &[String],
        before: Statistics,
        request: &Request<'_>,
    ) -> (Statistics, Result<()>) {
        let mut told = before.states();
        let mut tell = |known: &Statistics| {
            told += 1;
            assert_eq!(known.states(), told);
        };
        let before = (before, states.len());
        statistics(puzzle, &mut states.iter().cloned(), before, request, &mut tell)
    }

    /// The same counts on one and on three threads, in two parts, and state by state.
    #[test]
    fn states_count_once_however_they_are_shared() {
        let puzzle = configure("pyraminx", &Settings::default().memory(1 << 24)).expect("a puzzle");
        let states = states(&*puzzle, 60);
        let all = |request: &Request<'_>| {
            let (known, ended) = counted(&*puzzle, &states, Statistics::default(), request);
            ended.expect("answers");
            known
        };
        let one = all(&Request::default().threads(1));
        let three = Request::default().threads(3);
        assert_eq!(all(&three).costs, one.costs);
        let (first, _) = counted(&*puzzle, &states[..25], Statistics::default(), &three);
        assert_eq!(first.states(), 25);
        let (both, _) = counted(&*puzzle, &states[25..], first, &three);
        assert_eq!((both.states(), &both.costs), (60, &one.costs));
        let mut costs = std::collections::BTreeMap::new();
        for state in &states {
            let answer = puzzle.solve(state, &Request::default()).expect("an answer");
            *costs.entry(answer.costs[0]).or_insert(0) += 1;
        }
        assert_eq!(one.costs, costs);
    }

    #[test]
    fn limits_and_errors_are_told() {
        let puzzle = configure("pyraminx", &Settings::default().memory(1 << 24)).expect("a puzzle");
        let mut states = states(&*puzzle, 9);
        let begin = Statistics::default;
        let few = Limits { bound: Some(2), ..Limits::default() };
        let request = Request::default().limits(few);
        let (none, _) = counted(&*puzzle, &states, begin(), &request);
        assert_eq!((none.states(), none.unsolved, none.mean()), (9, 9, None));
        let cancel = CancelToken::new();
        cancel.cancel();
        let stopped = Request::default().cancel(cancel);
        let (none, ended) = counted(&*puzzle, &states, begin(), &stopped);
        assert_eq!(none.states(), 0);
        assert!(matches!(ended, Err(Failure::Cancelled)));
        // The states before the one that fails count, on any number of threads, and the work on
        // later states ends.
        states[7] = "no state".to_owned();
        for threads in [1, 3] {
            let request = Request::default().threads(threads);
            let (some, ended) = counted(&*puzzle, &states, begin(), &request);
            assert_eq!(some.states(), 7);
            assert!(matches!(ended, Err(Failure::Refused(_))), "{ended:?}");
        }
    }
}
