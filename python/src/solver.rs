//! A configured puzzle: the class behind `fewest.Solver`.

use crate::errors;
use crate::many;
use crate::options::{cost, json, request, settings};
use crate::plans::Plans;
use crate::threads::Threads;
use crate::waiting::{Attention, caught};
use fewest::{Failure, InvalidInput, Puzzle, Request, configure, named_puzzles};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A puzzle with its settings, tables and threads. Calls from several threads share all of these.
#[pyclass(frozen, module = "fewest._fewest")]
pub(crate) struct Solver {
    puzzle: Arc<dyn Puzzle>,
    threads: Threads,
    /// The folder of the table files.
    #[pyo3(get)]
    tables: Option<PathBuf>,
}

/// The failure of a puzzle that lacks an ability.
fn lacks(puzzle: &dyn Puzzle, what: &str) -> Failure {
    InvalidInput::new(format_args!("{}: {what}", puzzle.info().name)).into()
}

impl Solver {
    /// Calls `work` with a request on the solver's threads.
    fn work<T: Send + 'static>(
        &self,
        attention: &Attention<'_>,
        request: Request<'static>,
        work: impl FnOnce(&dyn Puzzle, &Request<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let pool = self.threads.pool(attention.py)?;
        let (puzzle, monitor) = (Arc::clone(&self.puzzle), Arc::clone(&attention.monitor));
        let (request, watched) =
            (request.cancel(attention.cancel.clone()), attention.on_progress.is_some());
        let result = attention.run(&pool, move || {
            let request = if watched { request.watch(&*monitor) } else { request };
            work(&*puzzle, &request)
        })?;
        result.map_err(|failure| errors::of_failure(attention.py, &failure))
    }
}

#[pymethods]
impl Solver {
    #[new]
    fn new(
        py: Python<'_>,
        puzzle: String,
        options: &str,
        memory: &str,
        tables: Option<PathBuf>,
        threads: usize,
    ) -> PyResult<Self> {
        let settings = settings(py, options, memory, tables.clone())?;
        let puzzle = py.detach(|| caught(|| configure(&puzzle, &settings)));
        let puzzle = puzzle.map_err(|panic| errors::of_panic(py, &*panic))?;
        let puzzle = Arc::from(puzzle.map_err(|error| errors::of_settings(py, &error))?);
        Ok(Self { puzzle, threads: Threads::new(threads), tables })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.puzzle.info().name
    }
    #[getter]
    fn metric(&self) -> Option<&'static str> {
        self.puzzle.info().metric.map(|metric| metric.name())
    }
    #[getter]
    fn has_near_optimal(&self) -> bool {
        self.puzzle.info().has_near_optimal
    }
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.puzzle.info().notes.clone()
    }

    fn read(&self, py: Python<'_>, state: String) -> PyResult<String> {
        let attention = Attention::new(py, None, None);
        let work = move |puzzle: &dyn Puzzle, request: &Request<'_>| {
            puzzle.prepare(request)?;
            Ok(puzzle.read(&state)?)
        };
        json(py, &self.work(&attention, Request::default(), work)?)
    }

    fn check(&self, py: Python<'_>, state: String, plan: String) -> PyResult<String> {
        let attention = Attention::new(py, None, None);
        let work = move |puzzle: &dyn Puzzle, request: &Request<'_>| {
            puzzle.prepare(request)?;
            Ok(puzzle.check_plan(&state, &plan)?)
        };
        json(py, &self.work(&attention, Request::default(), work)?)
    }

    fn shorten<'py>(
        &self,
        py: Python<'py>,
        plans: Vec<String>,
        state: Option<String>,
        wishes: &str,
        cancel: Option<Bound<'py, PyAny>>,
    ) -> PyResult<String> {
        let attention = Attention::new(py, cancel, None);
        let work = move |puzzle: &dyn Puzzle, request: &Request<'_>| {
            let plans: Vec<&str> = plans.iter().map(String::as_str).collect();
            puzzle.shorten(state.as_deref(), &plans, request)
        };
        json(py, &self.work(&attention, request(py, wishes)?, work)?)
    }

    fn invert(&self, py: Python<'_>, moves: String) -> PyResult<Vec<String>> {
        let attention = Attention::new(py, None, None);
        self.work(&attention, Request::default(), move |puzzle, _| Ok(puzzle.invert(&moves)?))
    }

    fn scrambles(&self, py: Python<'_>, count: usize, seed: u64) -> PyResult<Vec<String>> {
        let attention = Attention::new(py, None, None);
        self.work(&attention, Request::default(), move |puzzle, request| {
            let scrambler = puzzle.scrambler();
            let scrambler = scrambler.ok_or_else(|| lacks(puzzle, "no states are drawn"))?;
            let states = scrambler.scrambles(seed);
            let going = |_: &String| !request.cancel.is_cancelled();
            Ok(states.take_while(going).take(count).collect())
        })
    }

    fn solve<'py>(
        &self,
        py: Python<'py>,
        state: String,
        wishes: &str,
        cancel: Option<Bound<'py, PyAny>>,
        on_progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<String> {
        let attention = Attention::new(py, cancel, on_progress);
        let work = move |puzzle: &dyn Puzzle, request: &Request<'_>| puzzle.solve(&state, request);
        let answer = self.work(&attention, request(py, wishes)?, work)?;
        if attention.on_progress.is_some() {
            attention.monitor.done(|latest| {
                latest.lower_bound = answer.lower_bound;
                latest.upper_bound = answer.upper_bound;
                latest.generated = answer.generated();
                latest.plan = answer.plans.first().cloned();
            });
            attention.tell()?;
        }
        json(py, &answer)
    }

    /// Starts a search for several plans.
    fn plans(&self, py: Python<'_>, state: String, wishes: &str) -> PyResult<Plans> {
        let request = request(py, wishes)?;
        let pool = self.threads.others(py, "plans")?;
        Ok(Plans::start(&pool, Arc::clone(&self.puzzle), state, request))
    }

    /// Calls `on_answer` with the index of a state and its answer.
    fn solve_many<'py>(
        &self,
        py: Python<'py>,
        states: Vec<String>,
        wishes: &str,
        cancel: Option<Bound<'py, PyAny>>,
        on_answer: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let attention = Attention::new(py, cancel, None);
        let request = request(py, wishes)?.cancel(attention.cancel.clone());
        let pool = self.threads.pool(py)?;
        many::solve(&attention, &pool, (&self.puzzle, states, request), |index, answer| {
            on_answer.call1((index, json(py, &answer)?)).map(drop)
        })
    }

    fn predict<'py>(
        &self,
        py: Python<'py>,
        bound: i64,
        on_progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<String> {
        let bound = cost(py, "bound", bound)?;
        let attention = Attention::new(py, None, on_progress);
        let prediction = self.work(&attention, Request::default(), move |puzzle, request| {
            let predicting = puzzle.predicting();
            predicting.ok_or_else(|| lacks(puzzle, "nothing is predicted"))?.predict(bound, request)
        })?;
        json(py, &prediction)
    }

    fn count_states<'py>(
        &self,
        py: Python<'py>,
        depth: usize,
        on_progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Vec<u128>> {
        let attention = Attention::new(py, None, on_progress);
        self.work(&attention, Request::default(), move |puzzle, request| {
            let counting = puzzle.counting();
            let counting = counting.ok_or_else(|| lacks(puzzle, "nothing is counted"))?;
            let mut counts = Vec::new();
            counting.count_states(depth, request, &mut |_, count| counts.push(count))?;
            Ok(counts)
        })
    }

    fn count_sequences(&self, py: Python<'_>, depth: usize) -> PyResult<Vec<u128>> {
        let attention = Attention::new(py, None, None);
        self.work(&attention, Request::default(), move |puzzle, request| {
            let counting = puzzle.counting();
            let counting = counting.ok_or_else(|| lacks(puzzle, "nothing is counted"))?;
            let counts = counting.count_sequences(depth, request)?;
            if counts.len() <= depth {
                let length = counts.len();
                let message = format!("the sequences of {length} operators pass 128 bits");
                return Err(Failure::Limit(message));
            }
            Ok(counts)
        })
    }

    fn count_all<'py>(
        &self,
        py: Python<'py>,
        antipodes: usize,
        on_progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Vec<u128>, Vec<String>)> {
        let attention = Attention::new(py, None, on_progress);
        self.work(&attention, Request::default(), move |puzzle, request| {
            let exhaustive = puzzle.exhaustive();
            let exhaustive = exhaustive.ok_or_else(|| lacks(puzzle, "too many states to count"))?;
            let mut counts = Vec::new();
            let farthest = exhaustive.count_all(antipodes, request, &mut |_, n| counts.push(n))?;
            Ok((counts, farthest))
        })
    }

    fn build_tables<'py>(
        &self,
        py: Python<'py>,
        on_progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Vec<(String, u64)>> {
        let attention = Attention::new(py, None, on_progress);
        self.work(&attention, Request::default(), |puzzle, request| {
            let tables = puzzle.tables();
            tables.ok_or_else(|| lacks(puzzle, "there are no tables"))?.build(request)
        })
    }

    fn histograms<'py>(
        &self,
        py: Python<'py>,
        on_progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<String> {
        let attention = Attention::new(py, None, on_progress);
        let histograms = self.work(&attention, Request::default(), |puzzle, request| {
            let tables = puzzle.tables();
            tables.ok_or_else(|| lacks(puzzle, "there are no tables"))?.histograms(request)
        })?;
        json(py, &histograms)
    }
}

/// The names of all puzzles, each with its aliases and a line about it.
#[pyfunction]
pub(crate) fn puzzles() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    named_puzzles().into_iter().map(|puzzle| (puzzle.name, puzzle.aliases, puzzle.title)).collect()
}
