//! Tells the page about progress.

use fewest::{Event, Watch};
use js_sys::Function;
use std::cell::RefCell;
use std::sync::Mutex;
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_time::Instant;

thread_local! {
    /// The function of the running call. A [`Watch`] may be shared by threads, which a function of
    /// JavaScript may not, so [`Listener`] cannot hold it.
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Least time between two reports of nodes or layers.
const INTERVAL: Duration = Duration::from_millis(100);

/// Passes progress to the listener, as objects in JSON like those of `--progress json`.
pub(crate) struct Listener {
    /// When nodes or layers were last reported.
    last: Mutex<Option<Instant>>,
}

/// Runs `work` with a watch that calls `listener`.
pub(crate) fn told<T>(listener: Option<Function>, work: impl FnOnce(&dyn Watch) -> T) -> T {
    LISTENER.replace(listener);
    let result = work(&Listener { last: Mutex::default() });
    LISTENER.take();
    result
}

impl Listener {
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
}

impl Watch for Listener {
    fn event(&self, event: &Event<'_>) {
        if let Event::Search { .. } | Event::Layer { .. } | Event::Rows { .. } = event
            && !self.due()
        {
            return;
        }
        LISTENER.with_borrow(|listener| {
            if let (Some(listener), Ok(json)) = (listener, serde_json::to_string(event)) {
                // A listener that throws is no reason to end the search.
                let _ = listener.call1(&JsValue::NULL, &json.into());
            }
        });
    }
}
