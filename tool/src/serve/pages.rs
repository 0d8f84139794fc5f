//! Open pages: each has its jobs and a stream of events. Jobs end soon after their page is gone.

use super::guard::random_text;
use super::jobs::Job;
use super::queue::Queue;
use super::refusal::Refusal;
use axum::http::StatusCode;
use axum::response::sse::Event;
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Most open pages.
const MOST_PAGES: usize = 1000;
/// Most jobs of a page that are kept, finished ones included.
const MOST_JOBS: usize = 1000;
/// Least time between two events of one job.
const PAUSE: Duration = Duration::from_millis(60);

/// The path of a job.
#[derive(Deserialize)]
pub(super) struct JobPath {
    pub(super) page: String,
    job: u64,
}

/// All open pages.
pub(super) struct Pages {
    open: Mutex<HashMap<String, Arc<Page>>>,
    pub(super) gone_after: Duration,
    jobs: AtomicU64,
}

impl Pages {
    /// A page without a stream, and without a request for `gone_after`, is gone.
    pub(super) fn new(gone_after: Duration) -> Self {
        Self { open: Mutex::default(), gone_after, jobs: AtomicU64::new(1) }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Page>>> {
        // No code that can panic holds the lock.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next job.
    pub(super) fn next_id(&self) -> u64 {
        self.jobs.fetch_add(1, Relaxed)
    }

    pub(super) fn get(&self, page: &str) -> Result<Arc<Page>, Refusal> {
        let gone = || {
            let message = "no open page has this name: expected one that POST /api/pages opened; \
                           the server forgets pages that are away, and all when it is started anew";
            Refusal::new(StatusCode::NOT_FOUND, message)
        };
        let open = self.lock();
        let page = open.get(page).cloned().ok_or_else(gone)?;
        // Whoever asks is still there, without a stream, too.
        page.presence().since = Instant::now();
        Ok(page)
    }

    /// Opens a page, and returns its name.
    ///
    /// # Errors
    /// If too many pages are open, or the system has no random numbers.
    pub(super) fn open(&self) -> Result<String, Refusal> {
        let failed = |error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error);
        let name = random_text().map_err(failed)?;
        let mut open = self.lock();
        if open.len() >= MOST_PAGES {
            let message = format_args!("{MOST_PAGES} pages are open: close some");
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        let presence = Mutex::new(Presence { streams: 0, since: Instant::now() });
        open.insert(name.clone(), Arc::new(Page { jobs: Mutex::default(), presence }));
        Ok(name)
    }

    pub(super) fn job(&self, path: &JobPath) -> Result<Arc<Job>, Refusal> {
        let job = self.get(&path.page)?.lock().get(&path.job).cloned();
        job.ok_or_else(|| {
            Refusal::new(
                StatusCode::NOT_FOUND,
                "this page has no job of this number, or has forgotten it",
            )
        })
    }

    /// Ends the jobs of pages that are gone, and forgets these pages.
    pub(super) fn leave_gone(&self) {
        self.lock().retain(|_, page| {
            let gone = page.presence().is_gone(self.gone_after);
            if gone {
                page.leave();
            }
            !gone
        });
    }

    /// Stops the jobs of all pages.
    pub(super) fn leave_all(&self) {
        self.lock().drain().for_each(|(_, page)| page.leave());
    }
}

/// Whether somebody sees a page.
struct Presence {
    streams: usize,
    since: Instant,
}

impl Presence {
    fn is_gone(&self, after: Duration) -> bool {
        self.streams == 0 && self.since.elapsed() >= after
    }
}

/// An open page.
pub(super) struct Page {
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
    presence: Mutex<Presence>,
}

impl Page {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn presence(&self) -> MutexGuard<'_, Presence> {
        self.presence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job. Forgets the oldest finished one if there are too many.
    ///
    /// # Errors
    /// If too many jobs of this page are not finished.
    pub(super) fn add(&self, job: Arc<Job>) -> Result<(), Refusal> {
        let mut jobs = self.lock();
        if jobs.len() >= MOST_JOBS {
            let Some(oldest) = jobs.values().find(|job| job.is_over()).map(|job| job.id()) else {
                let message = format_args!("{MOST_JOBS} jobs of this page are not finished");
                return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
            };
            jobs.remove(&oldest);
        }
        jobs.insert(job.id(), job);
        Ok(())
    }

    /// Forgets a job.
    pub(super) fn forget(&self, job: u64) {
        self.lock().remove(&job);
    }

    fn leave(&self) {
        self.lock().values().filter(|job| !job.is_over()).for_each(|job| job.stop());
    }
}

/// One open stream of a page.
pub(super) struct Feed {
    page: Arc<Page>,
    queue: Arc<Queue<Job>>,
    changes: watch::Receiver<u64>,
    /// The version of each job that was sent last.
    told: HashMap<u64, u64>,
    /// The jobs of the page that wait, with their places, as they were sent last.
    places: Vec<(u64, usize)>,
    ready: VecDeque<Event>,
}

impl Feed {
    /// A stream of events: first what is known of all jobs of the page, then each change.
    pub(super) fn stream(
        page: Arc<Page>,
        queue: Arc<Queue<Job>>,
    ) -> impl Stream<Item = Result<Event, Infallible>> {
        page.presence().streams += 1;
        let changes = queue.changes();
        let (told, ready) = (HashMap::new(), VecDeque::new());
        let feed = Self { page, queue, changes, told, places: Vec::new(), ready };
        stream::unfold(feed, async |mut feed| {
            let event = feed.next().await?;
            Some((Ok(event), feed))
        })
    }

    /// The next event. `None` if the server ends.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            self.changes.borrow_and_update();
            self.collect();
            if self.ready.is_empty() {
                self.changes.changed().await.ok()?;
            }
            // Later changes of the same job make one event.
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Makes events of all that changed.
    fn collect(&mut self) {
        let jobs = self.page.lock().clone();
        for job in jobs.values() {
            let version = job.version();
            if self.told.insert(job.id(), version) != Some(version) {
                self.ready.push_back(Event::default().event("job").data(job.told().to_string()));
            }
        }
        let waiting = self.queue.waiting().into_iter().zip(1..);
        let places: Vec<(u64, usize)> = waiting.filter(|(id, _)| jobs.contains_key(id)).collect();
        if places != self.places {
            let told: Vec<_> =
                places.iter().map(|(job, place)| json!({"job": job, "place": place})).collect();
            let data = json!({"waiting": told}).to_string();
            self.ready.push_back(Event::default().event("queue").data(data));
            self.places = places;
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let mut presence = self.page.presence();
        presence.streams -= 1;
        presence.since = Instant::now();
    }
}
