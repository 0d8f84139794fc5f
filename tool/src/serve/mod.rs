//! `fewest serve`: a page on loopback, and behind it an interface of JSON and server-sent events.
//!
//! [`openapi.json`](../serve/openapi.json) describes every route. Work runs on two threads
//! ([`queue`]). A page opens one stream of events ([`pages`]), and its jobs end soon after it is
//! gone.

mod assets;
mod guard;
mod jobs;
mod pages;
mod puzzles;
mod queue;
mod refusal;
mod states;
mod tables;
mod tasks;
mod watch;

use super::ctrl_c::Interrupt;
use super::output::note;
use super::shared_options::EngineOptions;
use super::{Error, Exit};
use assets::Assets;
use axum::extract::DefaultBodyLimit;
use axum::routing::{delete, get, post};
use axum::{Router, middleware};
use clap::Args;
use fewest::Settings;
use guard::Guard;
use pages::Pages;
use puzzles::Puzzles;
use queue::Queue;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tasks::{BuildRequest, CountRequest, ScrambleRequest, SearchRequest};
use tokio::net::TcpListener;

/// Most bytes of a request.
const MOST_BYTES: usize = 1 << 20;
/// Most threads that read states at once.
const READERS: usize = 4;
/// How often the server looks for Ctrl-C and for pages that are gone.
const TICK: Duration = Duration::from_millis(100);
/// The interface, for programs that want to use it.
const OPENAPI: &str = include_str!("openapi.json");

/// The options of `fewest serve`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The port on 127.0.0.1 [default: a free one]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// How long a search goes on after its page is closed
    #[arg(long, value_name = "TIME", default_value = "30s")]
    gone_after: humantime::Duration,
    /// Folder with the files of the page [default: those in the program, or web/dist of its source]
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Write nothing but the link and errors
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    engine: EngineOptions,
}

/// What all requests share.
struct Server {
    /// The folder of table files, memory and loading: the choice of the command line.
    settings: Settings,
    guard: Guard,
    assets: Assets,
    puzzles: Puzzles,
    pages: Pages,
    queue: Arc<Queue>,
}

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
    let server = Server::new(port, verb.page.clone(), verb.gone_after.into(), settings);
    let server = Arc::new(server.map_err(refused)?);
    let link = server.guard.link();
    queue::start(&server).map_err(refused)?;
    writeln!(io::stdout(), "{link}")?;
    if !verb.quiet {
        note("Open this link in a browser. Ctrl-C ends the server.");
    }
    let routes = routes(Arc::clone(&server));
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

impl Server {
    fn new(
        port: u16,
        page: Option<PathBuf>,
        gone_after: Duration,
        settings: Settings,
    ) -> io::Result<Self> {
        Ok(Self {
            guard: Guard::new(port)?,
            assets: Assets::new(page),
            puzzles: Puzzles::new(&settings),
            pages: Pages::new(gone_after),
            queue: Arc::new(Queue::default()),
            settings,
        })
    }

    /// Stops the jobs of all pages, and waits until none runs: a build that is stopped removes its
    /// unfinished file. The handler of Ctrl-C bounds the wait.
    fn end(&self) {
        self.pages.leave_all();
        while self.queue.is_busy() {
            std::thread::sleep(TICK / 10);
        }
    }
}

/// All routes. The guard stands before each of them.
fn routes(server: Arc<Server>) -> Router {
    let interface = Router::new()
        .route("/about", get(states::about))
        .route("/openapi.json", get(async || ([("content-type", "application/json")], OPENAPI)))
        .route("/puzzle", post(states::puzzle))
        .route("/state", post(states::state))
        .route("/scramble", post(states::scramble))
        .route("/check", post(states::check))
        .route("/tables", get(tables::list))
        .route("/tables/{table}", delete(tables::remove))
        .route("/pages", post(pages::open))
        .route("/pages/{page}/events", get(pages::events))
        .route("/pages/{page}/searches", post(jobs::start::<SearchRequest>))
        .route("/pages/{page}/scrambles", post(jobs::start::<ScrambleRequest>))
        .route("/pages/{page}/counts", post(jobs::start::<CountRequest>))
        .route("/pages/{page}/builds", post(jobs::start::<BuildRequest>))
        .route("/pages/{page}/jobs/{job}", get(jobs::status).delete(jobs::forget))
        .route("/pages/{page}/jobs/{job}/stop", post(jobs::stop));
    Router::new()
        .nest("/api", interface)
        .route("/", get(assets::front))
        .route("/{file}", get(assets::file))
        .fallback(refusal::no_route)
        .method_not_allowed_fallback(refusal::no_method)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(Arc::clone(&server), guard::check))
        .with_state(server)
}
