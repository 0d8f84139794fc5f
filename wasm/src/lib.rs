//! The facade as a WebAssembly module, for one worker of a page.
//!
//! A [`Solver`] takes each [`Call`] as JSON and answers in JSON, in the shapes of the command line
//! (docs/JSON.md). It works on the thread of the caller until it has the answer. The files in
//! `js/` run it in a worker, and are what a page imports.

mod call;
mod options;
mod progress;

use call::Call;
use fewest::{ConfigureError, Failure, InvalidInput, Puzzle, configure, named_puzzles};
use serde::de::DeserializeOwned;
use serde_json::json;
use std::fmt::Display;
use wasm_bindgen::prelude::*;

/// Turns a panic, which is a defect, into an exception with its message.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// An exception. Its `name` is the kind of the error.
fn error(kind: &str, message: impl Display) -> JsValue {
    let error = js_sys::Error::new(&message.to_string());
    error.set_name(kind);
    error.into()
}

/// The exception for a refused text. Its `place` says where, as in the JSON of the command line.
fn refusal(refused: &InvalidInput) -> JsValue {
    let error = error("refused", refused);
    let place = refused.place().and_then(|place| serde_json::to_string(place).ok());
    if let Some(place) = place.and_then(|place| js_sys::JSON::parse(&place).ok()) {
        // A new object takes any key.
        let _ = js_sys::Reflect::set(&error, &"place".into(), &place);
    }
    error
}

/// The exception for a failure of the facade.
fn failed(failure: &Failure) -> JsValue {
    let kind = match failure {
        Failure::Refused(refused) => return refusal(refused),
        Failure::Memory(_) => "memory",
        Failure::Limit(_) | Failure::Time => "limit",
        _ => "failed",
    };
    error(kind, failure)
}

/// Reads JSON of the caller.
fn parsed<T: DeserializeOwned>(json: &str) -> Result<T, JsValue> {
    serde_json::from_str(json).map_err(|wrong| error("refused", wrong))
}

/// The names of all puzzles, as a list in JSON. Words in capitals stand for what the user chooses.
#[wasm_bindgen]
#[must_use]
pub fn puzzles() -> String {
    let named = named_puzzles().into_iter().filter(|puzzle| !puzzle.name.contains("PATH"));
    json!(named.collect::<Vec<_>>()).to_string()
}

/// A configured puzzle, with its tables in memory.
#[wasm_bindgen]
pub struct Solver(Box<dyn Puzzle>);

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Solver").field(self.0.info()).finish()
    }
}

#[wasm_bindgen]
impl Solver {
    /// Configures a puzzle, by its name or the text of its definition. `options` is an object in
    /// JSON.
    ///
    /// # Errors
    /// If the puzzle or an option is invalid. The message says what was expected.
    #[wasm_bindgen(constructor)]
    pub fn new(puzzle: &str, options: &str) -> Result<Self, JsValue> {
        let refused = |wrong: ConfigureError| match wrong {
            ConfigureError::Memory(_) => error("memory", wrong),
            ConfigureError::Invalid(wrong) => refusal(&wrong),
            wrong => error("refused", wrong),
        };
        let settings = options::settings(options).map_err(|wrong| error("refused", wrong))?;
        Ok(Self(configure(puzzle, &settings).map_err(refused)?))
    }

    /// Carries out a [`Call`] in JSON, and returns its result in JSON. `on_progress` receives
    /// progress in JSON, at most ten times a second.
    ///
    /// # Errors
    /// If the call, a state or a plan is invalid, or the work needs too much memory.
    pub fn call(
        &self,
        call: &str,
        on_progress: Option<js_sys::Function>,
    ) -> Result<String, JsValue> {
        let call: Call = parsed(call)?;
        let answer = progress::told(on_progress, |watch| call.answer(&*self.0, watch));
        Ok(answer.map_err(|failure| failed(&failure))?.to_string())
    }
}
