//! `fewest serve`: a page on loopback, and behind it an interface of JSON and server-sent events.
//!
//! [`openapi.json`](../serve/openapi.json) describes every route. What takes a moment is answered
//! [`at_once`]. Other work is a job ([`job_routes`]), and runs on two threads ([`queue`]). A page
//! opens one stream of events ([`pages`]), and its jobs end soon after it is gone.

mod assets;
mod at_once;
mod guard;
mod job_routes;
mod jobs;
mod pages;
mod puzzles;
mod queue;
mod refusal;
mod server;
mod status;
mod tables;
mod tasks;

use super::ctrl_c::Interrupt;
use crate::verbs::Serve;
use assets::Assets;
use axum::extract::DefaultBodyLimit;
use axum::routing::{delete, get, post};
use axum::{Router, middleware};
use fewest::Settings;
use fewest_terminal::{Error, Exit, note};
use guard::Guard;
use server::Server;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tasks::{CountRequest, PuzzleRequest, ScrambleRequest, SearchRequest};
use tokio::net::TcpListener;

/// Most bytes of a request.
const MOST_BYTES: usize = 1 << 20;
/// Most threads that read states at once.
const READERS: usize = 4;
/// How often the server looks for Ctrl-C and for pages that are gone.
const TICK: Duration = Duration::from_millis(100);
/// The interface, for programs that want to use it.
const OPENAPI: &str = include_str!("openapi.json");

/// Serves the page until Ctrl-C.
pub(super) fn run(verb: &Serve, interrupt: &Interrupt) -> Result<Exit, Error> {
    let mut settings = Settings::default();
    verb.engine.apply(&mut settings)?;
    let refused = |error: io::Error| Error::refused(format_args!("the server: {error}"));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(READERS)
        .enable_all()
        .build()
        .map_err(refused)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, verb.port));
    let listener = runtime.block_on(TcpListener::bind(address)).map_err(|error| {
        Error::refused(format_args!("port {}: {error}; expected a free port", verb.port))
    })?;
    let port = listener.local_addr().map_err(refused)?.port();
    let server = Server::start(verb.gone_after.into(), settings).map_err(refused)?;
    let (server, guard) = (Arc::new(server), Arc::new(Guard::new(port).map_err(refused)?));
    writeln!(io::stdout(), "{}", guard.link())?;
    if !verb.quiet {
        note("Open this link in a browser. Ctrl-C ends the server.");
    }
    let routes = routes(Arc::clone(&server), guard, Assets::new(verb.page.clone()));
    let ended = runtime.block_on(async {
        let serving = tokio::spawn(async move { axum::serve(listener, routes).await });
        while !interrupt.cancel.is_cancelled() && !serving.is_finished() {
            server.pages.leave_gone();
            tokio::time::sleep(TICK).await;
        }
        if serving.is_finished() { serving.await.unwrap_or(Ok(())) } else { Ok(()) }
    });
    server.end();
    runtime.shutdown_background();
    ended.map_err(refused)?;
    Ok(Exit::Done)
}

/// All routes. The guard stands before each of them.
fn routes(server: Arc<Server>, guard: Arc<Guard>, assets: Assets) -> Router {
    let interface = Router::new()
        .route("/about", get(at_once::about))
        .route("/openapi.json", get(async || ([("content-type", "application/json")], OPENAPI)))
        .route("/puzzle", post(at_once::puzzle))
        .route("/state", post(at_once::state))
        .route("/scramble", post(at_once::scramble))
        .route("/check", post(at_once::check))
        .route("/tables", get(tables::list))
        .route("/tables/{table}", delete(tables::remove))
        .route("/pages", post(job_routes::open))
        .route("/pages/{page}/events", get(job_routes::events))
        .route("/pages/{page}/searches", post(job_routes::start::<SearchRequest>))
        .route("/pages/{page}/scrambles", post(job_routes::start::<ScrambleRequest>))
        .route("/pages/{page}/counts", post(job_routes::start::<CountRequest>))
        .route("/pages/{page}/builds", post(job_routes::start::<PuzzleRequest>))
        .route("/pages/{page}/jobs/{job}", get(job_routes::status).delete(job_routes::forget))
        .route("/pages/{page}/jobs/{job}/stop", post(job_routes::stop));
    let files = Router::new()
        .route("/", get(assets::front))
        .route("/{file}", get(assets::file))
        .with_state(Arc::new(assets));
    Router::new()
        .nest("/api", interface.with_state(server))
        .merge(files)
        .fallback(refusal::no_route)
        .method_not_allowed_fallback(refusal::no_method)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(guard, guard::check))
}
