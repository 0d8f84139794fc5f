//! Shows progress on standard error: a line that is redrawn on a terminal, or JSON lines.

use super::input::InputState;
use super::options::{EngineOptions, ProgressForm, ProgressOptions, WorkOptions};
use fewest::search::{Cost, Iteration};
use fewest::{Event, Watch, grouped, moves};
use fewest_terminal::{Exit, event_text, note};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Least time between two JSON lines of one kind.
const INTERVAL: Duration = Duration::from_millis(500);

/// What is built while layers are on disk.
const ON_DISK: &str = "the layers on disk";

/// Shows the progress of searches and builds on a terminal, or as JSON if asked for.
pub(super) struct Meter {
    form: Option<ProgressForm>,
    quiet: bool,
    bar: ProgressBar,
    state: Mutex<State>,
    /// Tables that could not be saved.
    unsaved: Mutex<Vec<String>>,
}

/// The data from which the node rate and the predicted end are computed.
struct State {
    started: Instant,
    last_line: Option<Instant>,
    /// Iterations of this search. The ratio of the last two predicts the next.
    iterations: Vec<Iteration>,
    table: String,
    /// Keys of the JSON lines that name the state in hand: its number and line, name or text.
    request: Map<String, Value>,
    /// A note about the memory for tables, which is printed with the first build.
    memory: Option<String>,
}

impl WorkOptions {
    /// The meter that shows the progress of the work.
    pub(super) fn meter(&self) -> Meter {
        Meter::new(&self.progress, &self.engine)
    }
}

impl Meter {
    /// `engine` are the options that say how much memory there is for tables.
    pub(super) fn new(options: &ProgressOptions, engine: &EngineOptions) -> Self {
        let visible = options.progress.is_none() && !options.quiet;
        // indicatif draws nothing where standard error is no terminal.
        let target = if visible {
            ProgressDrawTarget::stderr_with_hz(8)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner()),
        );
        let state = State {
            started: Instant::now(),
            last_line: None,
            iterations: Vec::new(),
            table: String::new(),
            request: Map::new(),
            memory: engine.default_told(),
        };
        Self {
            form: options.progress,
            quiet: options.quiet,
            bar,
            state: Mutex::new(state),
            unsaved: Mutex::default(),
        }
    }

    /// [`Exit::Table`] if a table could not be saved, since every run must build it again.
    pub(super) fn exit(&self) -> Exit {
        if self.unsaved().is_empty() { Exit::Done } else { Exit::Table }
    }

    /// The tables that could not be saved, by name.
    pub(super) fn unsaved(&self) -> MutexGuard<'_, Vec<String>> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clears the progress line before a result is printed. The rate of the next state begins anew.
    pub(super) fn clear(&self) {
        self.bar.set_message("");
        self.bar.finish_and_clear();
        self.bar.reset();
        let mut state = self.state();
        state.iterations.clear();
        state.started = Instant::now();
    }

    /// Notes the state that is worked on from now on, and its number in this run.
    pub(super) fn begin(&self, request: u64, given: &InputState) {
        let mut keys = Map::new();
        keys.insert("request".to_owned(), request.into());
        if let Some(line) = given.line {
            keys.insert("line".to_owned(), line.into());
        }
        match &given.name {
            Some(name) => keys.insert("name".to_owned(), name.as_str().into()),
            None if given.line.is_none() => {
                keys.insert("state".to_owned(), given.text.as_str().into())
            }
            None => None,
        };
        self.state().request = keys;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The guarded data is only shown, so it may be used even after another thread panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether to print a JSON line now: because it is printed `always`, or because [`INTERVAL`]
    /// has passed since the last one.
    fn due(&self, always: bool) -> bool {
        if self.form.is_none() {
            return false;
        }
        let mut state = self.state();
        let due = always || state.last_line.is_none_or(|last| last.elapsed() >= INTERVAL);
        if due {
            state.last_line = Some(Instant::now());
        }
        due
    }

    /// Writes a JSON line. It names the state that is worked on, if there is one.
    fn json(&self, mut line: Value) {
        for (key, value) in &self.state().request {
            line[key] = value.clone();
        }
        note(line);
    }

    /// Prints a line that is not redrawn. Prints nothing with `--quiet` or `--progress json`.
    fn say(&self, text: &str) {
        if !self.quiet && self.form.is_none() {
            self.bar.suspend(|| note(text));
        }
    }
}

/// Expected generated nodes of a later iteration: each bound has as many times the nodes of the one
/// before as the last two iterations show. `None` if these do not show it.
///
/// Bounds rise by 2 where plans have a parity, so the growth of a step is shared by its bounds.
pub(super) fn expected(iterations: &[Iteration], bound: Cost) -> Option<f64> {
    let [.., before, last] = iterations else { return None };
    let step = f64::from(last.bound.checked_sub(before.bound)?.max(1));
    let further = f64::from(bound.checked_sub(last.bound)?);
    let growth = last.generated as f64 / before.generated as f64;
    (before.generated > 1000).then(|| last.generated as f64 * growth.powf(further / step))
}

impl Watch for Meter {
    fn event(&self, event: &Event<'_>) {
        self.note(event);
        let due = match event {
            Event::Search { .. } => !self.quiet && self.due(false),
            // Other layers do not take long enough to show their parts.
            Event::Rows { .. } => self.state().table == ON_DISK && self.due(false),
            Event::Saving { .. } => self.due(false),
            Event::NotSaved { .. } | Event::NotKept { .. } | Event::Improved { .. } => false,
            _ => self.due(true),
        };
        if due && let Ok(mut line) = serde_json::to_value(event) {
            if let Event::Layer { .. } = event {
                line["table"] = self.state().table.as_str().into();
            }
            self.json(line);
        }
        if let Some(told) = self.told(event) {
            self.say(&told);
        } else if self.form.is_none()
            && !self.quiet
            && !self.bar.is_hidden()
            && let Some(message) = self.message(event)
        {
            self.bar.set_message(message);
            self.bar.tick();
        }
    }
}

impl Meter {
    /// Notes what later messages need, and says what nobody may miss.
    fn note(&self, event: &Event<'_>) {
        match *event {
            Event::Building { table, .. } => table.clone_into(&mut self.state().table),
            Event::OnDisk { .. } => ON_DISK.clone_into(&mut self.state().table),
            // The rate of a search leaves out the time of its tables.
            Event::Ready { .. } => self.state().started = Instant::now(),
            Event::Iteration { iteration } => self.state().iterations.push(iteration),
            Event::NotSaved { table, .. } => {
                self.unsaved().push(table.to_owned());
                self.warn(event);
            }
            Event::NotKept { .. } => self.warn(event),
            _ => {}
        }
    }

    /// Says what nobody may miss.
    fn warn(&self, event: &Event<'_>) {
        if let Some(text) = event_text(event) {
            self.bar.suspend(|| note(format_args!("fewest: {text}")));
        }
    }

    /// The line that an event leaves on the terminal. `None` if it leaves none: progress that the
    /// next event replaces, and warnings, which are printed elsewhere.
    fn told(&self, event: &Event<'_>) -> Option<String> {
        match event {
            Event::NotSaved { .. } | Event::NotKept { .. } => None,
            Event::Building { .. } => {
                let memory = self.state().memory.take();
                let memory = memory.map_or(String::new(), |told| format!(" {told}"));
                Some(event_text(event)? + &memory)
            }
            Event::Plan { plan, length, .. } if !self.bar.is_hidden() => {
                Some(format!("{}  ({}, not proven optimal)", plan.join(" "), moves(*length)))
            }
            _ => event_text(event),
        }
    }

    /// The message of the line that is redrawn.
    fn message(&self, event: &Event<'_>) -> Option<String> {
        let percent = |done: u64, all: u64| 100.0 * done as f64 / all.max(1) as f64;
        Some(match *event {
            Event::Preparing { what } => format!("preparing {what}"),
            Event::Layer { depth, seen, total, .. } => format!(
                "building {}: distance {depth}, {:.0}% of {} entries",
                self.state().table,
                percent(seen, total),
                grouped(total)
            ),
            Event::Rows { depth, rows, total } if self.state().table == ON_DISK => format!(
                "layers on disk: distance {depth}, {:.0}% of the states before looked at",
                percent(rows, total)
            ),
            Event::Saving { done, total } => {
                format!("layers on disk: {:.0}% of the table made", percent(done, total))
            }
            Event::Search {
                bound,
                generated,
                generated_in_iteration,
                lower_bound,
                upper_bound,
                tasks_done,
                tasks,
            } => {
                let state = self.state();
                let seconds = state.started.elapsed().as_secs_f64().max(1e-9);
                let rate = generated as f64 / seconds;
                let remaining = expected(&state.iterations, bound)
                    .map(|nodes| (nodes - generated_in_iteration as f64) / rate)
                    .filter(|seconds| *seconds >= 1.0)
                    .map(|seconds| format!(", bound {bound} done in about {}", duration(seconds)))
                    .unwrap_or_default();
                format!(
                    "at least {lower_bound}{} moves; bound {bound}: {} nodes, {:.1} million a \
                     second, task {tasks_done} of {tasks}{remaining}",
                    upper_bound.map_or(String::new(), |most| format!(", at most {most}")),
                    grouped(generated_in_iteration),
                    rate / 1e6,
                )
            }
            _ => return None,
        })
    }
}

/// Seconds as text for people, such as `1h 2m 5s`.
fn duration(seconds: f64) -> String {
    if seconds < 1e9 {
        humantime::format_duration(Duration::from_secs(Duration::from_secs_f64(seconds).as_secs()))
            .to_string()
    } else {
        "more than 30 years".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(bound: Cost, generated: u64) -> Iteration {
        Iteration { bound, generated, expanded: generated, complete: true }
    }

    #[test]
    fn the_next_iteration_grows_by_the_steps_seen() {
        // The 15-puzzle: each bound is 2 above the one before, with six times the nodes.
        let two = [iteration(41, 10_000), iteration(43, 60_000)];
        assert_eq!(expected(&two, 45).map(f64::round), Some(360_000.0));
        assert_eq!(expected(&two, 47).map(f64::round), Some(2_160_000.0));
        let one = [iteration(9, 10_000), iteration(10, 130_000)];
        assert_eq!(expected(&one, 11).map(f64::round), Some(1_690_000.0));
        // A bound that was skipped counts as well.
        assert_eq!(expected(&one, 12).map(f64::round), Some(21_970_000.0));
    }

    #[test]
    fn nothing_is_expected_from_too_little() {
        assert_eq!(expected(&[iteration(3, 5000)], 4), None);
        assert_eq!(expected(&[iteration(3, 10), iteration(4, 90)], 5), None);
        // Another search began at a lower bound.
        assert_eq!(expected(&[iteration(8, 5000), iteration(9, 9000)], 3), None);
        assert_eq!(expected(&[iteration(9, 5000), iteration(3, 9000)], 4), None);
    }
}
