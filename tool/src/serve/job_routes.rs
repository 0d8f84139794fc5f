//! Requests that start, show and end jobs. Others open a page and follow its events.

use super::at_once::Reply;
use super::jobs::{Job, Task};
use super::pages::{Feed, JobPath};
use super::refusal::{Input, Refusal};
use super::server::Server;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::Stream;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// How often a silent stream sends a comment, which shows whether the page is still there.
const SIGN: Duration = Duration::from_secs(5);

/// Opens a page.
pub(super) async fn open(State(server): State<Arc<Server>>) -> Reply {
    let gone_after = server.pages.gone_after.as_secs_f64();
    Ok(Json(json!({"page": server.pages.open()?, "gone_after_seconds": gone_after})))
}

/// The stream of a page.
pub(super) async fn events(
    State(server): State<Arc<Server>>,
    Path(page): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let stream = Feed::stream(server.pages.get(&page)?, Arc::clone(&server.queue));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(SIGN)))
}

/// Asks for a job.
pub(super) async fn start<T: Task + DeserializeOwned + 'static>(
    State(server): State<Arc<Server>>,
    Path(page): Path<String>,
    Input(task): Input<T>,
) -> Result<(StatusCode, Json<Value>), Refusal> {
    let page = server.pages.get(&page)?;
    task.check()?;
    task.puzzle().check(&server.settings)?;
    let (id, queue) = (server.pages.next_id(), Arc::clone(&server.queue));
    let job = Arc::new(Job::new(id, Box::new(task), queue));
    page.add(Arc::clone(&job))?;
    if let Err(refusal) = server.queue.add(id, Arc::clone(&job)) {
        page.forget(job.id());
        return Err(refusal);
    }
    Ok((StatusCode::ACCEPTED, Json(job.told())))
}

/// What is known of a job.
pub(super) async fn status(State(server): State<Arc<Server>>, Path(path): Path<JobPath>) -> Reply {
    Ok(Json(server.pages.job(&path)?.told()))
}

/// Ends a job. Its page still shows what is known.
pub(super) async fn stop(State(server): State<Arc<Server>>, Path(path): Path<JobPath>) -> Reply {
    let job = server.pages.job(&path)?;
    job.stop();
    Ok(Json(job.told()))
}

/// Ends a job and forgets it.
pub(super) async fn forget(
    State(server): State<Arc<Server>>,
    Path(path): Path<JobPath>,
) -> Result<StatusCode, Refusal> {
    let job = server.pages.job(&path)?;
    job.stop();
    server.pages.get(&path.page)?.forget(job.id());
    Ok(StatusCode::NO_CONTENT)
}
