//! Tells the page about progress.

use fewest::Watch;
use fewest::pdb::BuildObserver;
use fewest::search::{Cost, Iteration, Observer, Progress};
use js_sys::Function;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::sync::Mutex;
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_time::Instant;

thread_local! {
    /// The function of the running call. A [`Watch`] may be shared by threads, which a function of
    /// JavaScript may not, so [`Teller`] cannot hold it.
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Least time between two reports of nodes or layers.
const INTERVAL: Duration = Duration::from_millis(100);

/// Passes progress to the listener, as objects in JSON like those of `--progress json`.
pub(crate) struct Teller {
    /// When nodes or layers were last reported.
    last: Mutex<Option<Instant>>,
}

/// Runs `work` with a watch that calls `listener`.
pub(crate) fn told<T>(listener: Option<Function>, work: impl FnOnce(&dyn Watch) -> T) -> T {
    LISTENER.replace(listener);
    let result = work(&Teller { last: Mutex::default() });
    LISTENER.take();
    result
}

impl Teller {
    /// Whether the interval since the last report is over. Starts the next one if it is.
    fn due(&self) -> bool {
        let now = Instant::now();
        let Ok(mut last) = self.last.lock() else { return false };
        let due = last.is_none_or(|last| now.duration_since(last) >= INTERVAL);
        if due {
            *last = Some(now);
        }
        due
    }

    fn tell(&self, object: &Value) {
        LISTENER.with_borrow(|listener| {
            if let Some(listener) = listener {
                // A listener that throws is no reason to end the search.
                let _ = listener.call1(&JsValue::NULL, &object.to_string().into());
            }
        });
    }
}

impl Observer for Teller {
    fn progress(&self, progress: &Progress) {
        if self.due() {
            self.tell(&json!({"progress": "search", "bound": progress.bound,
                "generated": progress.generated, "lower_bound": progress.lower_bound,
                "upper_bound": progress.upper_bound}));
        }
    }
    fn iteration(&self, iteration: &Iteration) {
        self.tell(&json!({"progress": "iteration", "iteration": iteration}));
    }
}

impl BuildObserver for Teller {
    fn layer(&self, depth: Cost, entries: u64, seen: u64, total: u64) {
        if self.due() {
            self.tell(
                &json!({"progress": "build", "depth": depth, "entries": entries, "seen": seen,
                "total": total}),
            );
        }
    }
}

impl Watch for Teller {
    fn preparing(&self, what: &str) {
        self.tell(&json!({"progress": "preparing", "what": what}));
    }
    fn building(&self, table: &str, bytes: u64) {
        self.tell(&json!({"progress": "building", "table": table, "bytes": bytes}));
    }
    fn ready(&self, table: &str, bytes: u64) {
        self.tell(&json!({"progress": "ready", "table": table, "bytes": bytes}));
    }
    fn plan(&self, plan: &[String], lower_bound: Cost) {
        self.tell(&json!({"progress": "plan", "plan": plan, "length": plan.len(),
            "lower_bound": lower_bound, "upper_bound": plan.len()}));
    }
}
