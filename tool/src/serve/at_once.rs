//! Requests that are answered at once, without a job: puzzles, states, scrambles, plans.

use super::guard::random_seed;
use super::puzzles::{PuzzleChoice, check_length};
use super::refusal::{Input, Refusal};
use super::server::Server;
use super::tasks::{PuzzleRequest, ScrambleRequest};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use fewest::search::Limits;
use fewest::{NamedPuzzle, Puzzle, Request, TextForm, named_puzzles, puzzle_object};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The answer of a request.
pub(super) type Reply = Result<Json<Value>, Refusal>;

/// Runs work that may take a while on another thread. Few such threads run at once.
pub(super) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.unwrap_or_else(|error| {
        let message = format_args!(
            "this request met a defect of fewest; the terminal of `fewest serve` shows where it \
             was ({error})"
        );
        Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message))
    })
}

/// What the server is, and the puzzles that have a name.
pub(super) async fn about(State(server): State<Arc<Server>>) -> Json<Value> {
    // Capitals stand for what the user chooses. Paths are not for requests.
    let named = named_puzzles().into_iter().filter(|puzzle| !puzzle.name.contains("PATH"));
    let puzzles: Vec<NamedPuzzle> = named.collect();
    Json(json!({"version": env!("CARGO_PKG_VERSION"), "threads": rayon::current_num_threads(),
                "memory": server.settings.memory, "puzzles": puzzles}))
}

/// What a puzzle is and can do. For a definition, also the definition as KPuzzle.
pub(super) async fn puzzle(
    State(server): State<Arc<Server>>,
    Input(PuzzleRequest { puzzle: choice }): Input<PuzzleRequest>,
) -> Reply {
    aside(move || {
        let puzzle = server.puzzles.reading(&choice)?;
        let info = puzzle.info();
        // Boards and stickers need no definition to be drawn.
        let drawn = info.board.is_some() || info.face_stickers.is_some();
        let definition = if drawn { None } else { choice.definition()? };
        let kpuzzle = definition.map(|one| one.written(TextForm::Json).0);
        let mut object = puzzle_object(&*puzzle);
        object["kpuzzle"] =
            kpuzzle.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null);
        Ok(Json(object))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateRequest {
    puzzle: PuzzleChoice,
    state: String,
}

/// Most time in which the group of a definition is found for a request that is answered at once.
const MOST_TIME: Duration = Duration::from_secs(5);

/// Makes what reading a state needs, in [`MOST_TIME`].
fn prepare(puzzle: &dyn Puzzle) -> Result<(), Refusal> {
    let limits = Limits { time: Some(MOST_TIME), ..Limits::default() };
    Ok(puzzle.prepare(&Request::default().limits(limits))?)
}

/// The description of a state that was read.
fn described(choice: &PuzzleChoice, puzzle: &dyn Puzzle, state: &str) -> Result<Value, Refusal> {
    check_length("a state", state)?;
    prepare(puzzle)?;
    let mut object = json!(puzzle.read(state)?);
    let info = puzzle.info();
    if info.board.is_none() && info.face_stickers.is_none() {
        object["pattern"] = pattern(choice, state)?;
    }
    Ok(object)
}

/// The state as KPattern. Null if the puzzle has no definition.
fn pattern(choice: &PuzzleChoice, state: &str) -> Result<Value, Refusal> {
    let Some(definition) = choice.definition()? else { return Ok(Value::Null) };
    let converted = definition.convert(state, false, (TextForm::Json, 1))?;
    Ok(serde_json::from_str(&converted.text).unwrap_or(Value::Null))
}

/// Reads a state.
pub(super) async fn state(
    State(server): State<Arc<Server>>,
    Input(StateRequest { puzzle: choice, state }): Input<StateRequest>,
) -> Reply {
    aside(move || {
        let puzzle = server.puzzles.reading(&choice)?;
        Ok(Json(described(&choice, &*puzzle, &state)?))
    })
    .await
}

/// Draws a random state.
pub(super) async fn scramble(
    State(server): State<Arc<Server>>,
    Input(ScrambleRequest { puzzle: choice, seed }): Input<ScrambleRequest>,
) -> Reply {
    aside(move || {
        let puzzle = server.puzzles.reading(&choice)?;
        let missing = || Refusal::input("no random states of this puzzle are drawn");
        prepare(&*puzzle)?;
        let scrambler = puzzle.scrambler().ok_or_else(missing)?;
        let seed = seed.unwrap_or_else(random_seed);
        let state = scrambler.scrambles(seed).next().ok_or_else(missing)?;
        let mut object = described(&choice, &*puzzle, &state)?;
        object["seed"] = json!(seed);
        Ok(Json(object))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckRequest {
    puzzle: PuzzleChoice,
    state: String,
    plan: String,
}

/// Replays a plan on the reference puzzle.
pub(super) async fn check(
    State(server): State<Arc<Server>>,
    Input(CheckRequest { puzzle: choice, state, plan }): Input<CheckRequest>,
) -> Reply {
    aside(move || {
        check_length("a state", &state)?;
        check_length("a plan", &plan)?;
        let puzzle = server.puzzles.reading(&choice)?;
        prepare(&*puzzle)?;
        Ok(Json(json!(puzzle.check_plan(&state, &plan)?)))
    })
    .await
}
