//! The search of a domain that is written in Python, through the closures.
//!
//! The search runs on the calling thread, which holds the interpreter: it calls Python for every
//! state. The first exception of a callback ends the search, and is the exception of the call.

use crate::errors;
use crate::options::duration;
use crate::waiting::caught;
use fewest::closures::{
    CancelToken, ClosureAnswer, ClosureError, ClosureSearch, Limits, Observer, Outcome, Progress,
    StatePath,
};
use fewest::search::Iteration;
use pyo3::prelude::*;
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Expanded states between two looks for signals, for callbacks that run no Python code.
const FUEL: u32 = 256;
/// Least time between two calls of the progress callback.
const INTERVAL: Duration = Duration::from_millis(100);

/// The keys of the dict with which a domain is searched.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct DomainOptions {
    algorithm: String,
    weight: f64,
    limit_time: Option<f64>,
    limit_nodes: Option<u64>,
    max_bound: Option<i64>,
    plans: Option<usize>,
}

/// An iteration: its bound, its generated and expanded nodes, and whether it is complete.
type IterationRow = (i64, u64, u64, bool);

/// The arguments of `fewest.SearchResult`. A path is a list of states and its cost.
#[derive(IntoPyObject)]
pub(crate) struct SearchDict<'py> {
    outcome: &'static str,
    paths: Vec<(Vec<Bound<'py, PyAny>>, i64)>,
    optimal: bool,
    complete: bool,
    lower_bound: i64,
    iterations: Vec<IterationRow>,
    seconds: f64,
}

/// The first exception of a callback.
#[derive(Default)]
struct Trouble {
    error: Mutex<Option<PyErr>>,
    cancel: CancelToken,
}

impl Trouble {
    /// Keeps the exception, and ends the search.
    #[cold]
    fn keep(&self, error: PyErr) {
        self.cancel.cancel();
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// The value of a callback. After the first exception no callback is called any more.
    fn or<T>(&self, otherwise: T, call: impl FnOnce() -> PyResult<T>) -> T {
        if self.cancel.is_cancelled() {
            return otherwise;
        }
        call().unwrap_or_else(|error| {
            self.keep(error);
            otherwise
        })
    }
}

/// A state: any hashable Python object.
#[derive(Clone)]
struct State<'a, 'py> {
    object: Bound<'py, PyAny>,
    trouble: &'a Trouble,
}

impl PartialEq for State<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.object.is(&other.object) || self.trouble.or(false, || self.object.eq(&other.object))
    }
}

impl Eq for State<'_, '_> {}

impl Hash for State<'_, '_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_isize(self.trouble.or(0, || self.object.hash()));
    }
}

/// Calls a function about once in an [`INTERVAL`].
struct Teller<'a> {
    function: Option<Py<PyAny>>,
    trouble: &'a Trouble,
    started: Instant,
    last: Mutex<Instant>,
}

impl Observer<i64> for Teller<'_> {
    fn progress(&self, progress: &Progress<i64>) {
        let Some(function) = &self.function else { return };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < INTERVAL {
            return;
        }
        *last = Instant::now();
        let seconds = self.started.elapsed().as_secs_f64();
        let (bound, lower_bound) = (progress.bound, progress.lower_bound);
        let told = (bound, lower_bound, progress.generated, seconds);
        self.trouble.or((), || Python::attach(|py| function.call1(py, told)).map(drop));
    }
}

/// An estimate: a whole number, or a float, which loses its fraction. `math.inf` says that no plan
/// starts there.
#[expect(clippy::cast_possible_truncation, reason = "floats above the range become the greatest")]
fn estimate(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    value.extract::<i64>().or_else(|error| {
        let float = value.extract::<f64>().ok().filter(|float| !float.is_nan());
        float.map(|float| float as i64).ok_or(error)
    })
}

/// The methods of a domain.
struct Methods<'a, 'py> {
    successors: Bound<'py, PyAny>,
    heuristic: Bound<'py, PyAny>,
    is_goal: Bound<'py, PyAny>,
    trouble: &'a Trouble,
    /// Calls of `successors` until the next look for signals.
    fuel: Cell<u32>,
}

impl<'a, 'py> Methods<'a, 'py> {
    fn successors(&self, state: &State<'a, 'py>) -> Vec<(State<'a, 'py>, i64)> {
        let trouble = self.trouble;
        trouble.or(Vec::new(), || {
            self.fuel.set(self.fuel.get() - 1);
            if self.fuel.get() == 0 {
                self.fuel.set(FUEL);
                state.object.py().check_signals()?;
            }
            let step = |item: PyResult<Bound<'py, PyAny>>| {
                let (object, cost) = item?.extract()?;
                Ok((State { object, trouble }, cost))
            };
            self.successors.call1((&state.object,))?.try_iter()?.map(step).collect()
        })
    }

    fn estimate(&self, state: &State<'_, 'py>) -> i64 {
        self.trouble.or(i64::MAX, || estimate(&self.heuristic.call1((&state.object,))?))
    }

    fn is_goal(&self, state: &State<'_, 'py>) -> bool {
        self.trouble.or(false, || self.is_goal.call1((&state.object,))?.is_truthy())
    }
}

/// Searches a domain from a state. `methods` are successors, heuristic and goal test.
#[pyfunction]
pub(crate) fn search<'py>(
    py: Python<'py>,
    methods: (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>),
    start: Bound<'py, PyAny>,
    options: DomainOptions,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<SearchDict<'py>> {
    // A state that cannot be hashed is refused before any search.
    start.hash()?;
    let trouble = &Trouble::default();
    let (successors, heuristic, is_goal) = methods;
    let methods = Methods { successors, heuristic, is_goal, trouble, fuel: Cell::new(FUEL) };
    let (started, last) = (Instant::now(), Mutex::new(Instant::now()));
    let teller = Teller { function: on_progress, trouble, started, last };
    let answer = caught(|| run(py, &methods, State { object: start, trouble }, &options, &teller));
    let answer = answer.map_err(|panic| errors::of_panic(py, &*panic))??;
    match trouble.error.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => answer.map(dict).map_err(|error| errors::of_closures(py, &error)),
    }
}

/// What the search answers. The outer error is that of the options.
fn run<'a, 'py>(
    py: Python<'py>,
    methods: &Methods<'a, 'py>,
    start: State<'a, 'py>,
    options: &DomainOptions,
    teller: &Teller<'_>,
) -> PyResult<Result<ClosureAnswer<State<'a, 'py>, i64>, ClosureError>> {
    let limits = Limits {
        nodes: options.limit_nodes,
        time: duration(py, "limit_time", options.limit_time)?,
        bound: options.max_bound,
        bytes: None,
    };
    let (successors, estimate) =
        (|state: &_| methods.successors(state), |state: &_| methods.estimate(state));
    let search = ClosureSearch::new(&start, successors, estimate, |state| methods.is_goal(state))
        .limits(limits)
        .cancel(&methods.trouble.cancel)
        .observer(teller)
        .plans(options.plans.unwrap_or(usize::MAX));
    Ok(match options.algorithm.as_str() {
        "a_star" => search.a_star(),
        "weighted_a_star" => search.weighted_a_star(options.weight),
        "uniform_cost" => search.uniform_cost(),
        "breadth_first" => search.breadth_first(),
        "ida_star" => search.ida_star(),
        "ida_star_wide" => search.ida_star_wide(),
        other => {
            let expected = "ida_star, ida_star_wide, a_star, weighted_a_star, uniform_cost or \
                            breadth_first";
            let message = format_args!("algorithm {other:?}: expected {expected}");
            return Err(errors::invalid(py, message));
        }
    })
}

fn dict<'py>(answer: ClosureAnswer<State<'_, 'py>, i64>) -> SearchDict<'py> {
    let ClosureAnswer { paths, report, .. } = answer;
    let path = |StatePath { states, cost }: StatePath<State<'_, 'py>, i64>| {
        (states.into_iter().map(|state| state.object).collect(), cost)
    };
    let row = |one: &Iteration<i64>| (one.bound, one.generated, one.expanded, one.complete);
    SearchDict {
        outcome: match report.outcome {
            Outcome::Solved(_) => "solved",
            Outcome::Unsolvable => "unsolvable",
            Outcome::LimitReached(_) => "limit-reached",
            Outcome::Cancelled => "cancelled",
        },
        paths: paths.into_iter().map(path).collect(),
        optimal: report.optimal,
        complete: report.complete,
        lower_bound: report.lower_bound,
        iterations: report.iterations.iter().map(row).collect(),
        seconds: report.elapsed.as_secs_f64(),
    }
}
