//! Runs one search on all ranks: [`run`].

use super::ClusterUnits;
use super::coordinator::{Coordinator, To};
use super::messages::{Ask, Down, Message, RankEnd, SendCommand, Up, decode, encode, encode_down};
use super::owners::Owners;
use crate::Comm;
use crate::comm::{Counted, Idle, children};
use fewest::Keeper;
use fewest::search::CancelToken;
use std::sync::mpsc::{Receiver, channel};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// The longest time for which results stay at a rank.
const EVERY: Duration = Duration::from_secs(1);
/// The bytes of stack of the thread that begins the search.
const STACK: usize = 16 << 20;

/// How [`run`] works.
#[derive(Clone)]
pub struct RunOptions<'k> {
    /// Keeps the results, on rank 0. Other ranks ignore it. [default: none]
    pub keeper: Option<&'k dyn Keeper>,
    /// The number of threads of this rank's search. [default: 1]
    pub threads: usize,
    /// A bound is shared if the bound before it generated so many nodes. The same on all ranks.
    /// [default: 2^18, a few milliseconds]
    pub shared_from: u64,
    /// Whether ranks own the entries of tables by range, and ask each other for the others
    /// ([`ClusterUnits::reader`]). The same on all ranks. [default: false]
    pub spread: bool,
    /// Whether results of units are for other searches, too, so that ranks that own entries by
    /// range search the units of any other search ([`fewest::search::Units::are_kept`]). The same
    /// on all ranks. [default: true]
    pub units_kept: bool,
    /// Ends the search of this rank, and with it that of all. [default: a new token]
    pub cancel: CancelToken,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self {
            keeper: None,
            threads: 1,
            shared_from: 1 << 18,
            spread: false,
            units_kept: true,
            cancel: CancelToken::new(),
        }
    }
}

impl std::fmt::Debug for RunOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunOptions")
            .field("keeper", &self.keeper.is_some())
            .field("threads", &self.threads)
            .field("shared_from", &self.shared_from)
            .field("spread", &self.spread)
            .field("units_kept", &self.units_kept)
            .finish_non_exhaustive()
    }
}

/// What the search of a rank returns.
#[derive(Clone, Debug)]
pub struct RankSearch<T> {
    /// For the caller of [`run`].
    pub value: T,
    /// Processor time of the search.
    pub cpu: Duration,
    /// Why the rank could not search. It ends the search of all ranks.
    pub error: Option<String>,
}

/// What [`run`] returns.
#[derive(Clone, Debug)]
pub struct RankResult<T> {
    /// What the search returned. `None` if it did not begin: rank 0 ended without a search.
    pub value: Option<T>,
    /// How the search of each rank ended. Empty on all ranks but rank 0.
    pub ends: Vec<RankEnd>,
}

/// Runs `search` on a thread of its own, and answers messages on this one until all ranks have
/// ended. Then returns what the search of this rank returned and, on rank 0, how each rank ended.
/// Call it on all ranks.
///
/// On rank 0 the search begins at once. It must call [`Keeper::begin`] of its units before it opens
/// a bound, as [`fewest::Request::keeper`] does. On other ranks the search begins then, and gets
/// the name of the heuristic that rank 0 searches with.
///
/// # Panics
/// If the search panics.
pub fn run<C: Comm, T: Send>(
    comm: &C,
    options: &RunOptions<'_>,
    search: impl FnOnce(&ClusterUnits<'_>, Option<&str>) -> RankSearch<T> + Send,
) -> RankResult<T> {
    let (up, waiting) = channel();
    let first = comm.rank() == 0;
    let keeper = options.keeper.filter(|_| first);
    let units = &ClusterUnits::new((comm.rank(), comm.size()), options, keeper, up);
    let coordinator = first.then(|| Coordinator::new(comm.size(), keeper));
    let comm = Counted::new(comm);
    let (ended, over, gone, leave) = (false, false, false, false);
    let mut exchange =
        Exchange { comm, units, coordinator, waiting, early: Vec::new(), ended, over, gone, leave };
    std::thread::scope(|scope| {
        let mut search = Some(search);
        let mut thread: Option<ScopedJoinHandle<'_, T>> = None;
        let mut begin = |heuristic: Option<String>| {
            let search = search.take()?;
            let work = move || {
                let RankSearch { value, cpu, error } = search(units, heuristic.as_deref());
                let error = error.or_else(|| units.fault());
                let end = RankEnd { cpu_seconds: cpu.as_secs_f64(), error, ..RankEnd::default() };
                units.tell(Up::End { end, is_deaf: units.is_deaf() });
                value
            };
            let named = std::thread::Builder::new().name("search".to_owned()).stack_size(STACK);
            Some(named.spawn_scoped(scope, work).expect("the system starts a thread"))
        };
        if first {
            thread = begin(None);
        }
        let mut idle = Idle::default();
        let mut told = Instant::now();
        while !(exchange.leave && exchange.over) {
            let busy = exchange.work(idle.next(), &mut |heuristic| {
                if thread.is_none() {
                    thread = begin(Some(heuristic));
                }
            });
            // Other ranks may wait for answers of a rank that owns entries.
            if busy || units.owners.is_some() {
                idle = Idle::default();
            }
            if told.elapsed() >= EVERY {
                told = Instant::now();
                units.take_results().into_iter().for_each(|results| exchange.up(results));
            }
            let gone = thread.as_ref().is_some_and(ScopedJoinHandle::is_finished);
            if (gone || exchange.over && thread.is_none()) && !exchange.ended {
                exchange.end_without_word(gone);
            }
            if exchange.ended && exchange.over && !std::mem::replace(&mut exchange.gone, true) {
                exchange.up(Up::Gone);
            }
        }
        let value = thread
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let ends = exchange.coordinator.as_ref().and_then(Coordinator::ends).unwrap_or_default();
        RankResult { value, ends }
    })
}

/// Passes messages from the search of this rank to the coordinator of rank 0, and back.
struct Exchange<'r, 'k, C> {
    comm: Counted<'r, C>,
    units: &'r ClusterUnits<'k>,
    /// On rank 0.
    coordinator: Option<Coordinator<'k>>,
    /// What the search of this rank tells.
    waiting: Receiver<SendCommand>,
    /// Questions that came before this rank had its tables, and who asked.
    early: Vec<(usize, Ask)>,
    /// Whether rank 0 was told that the search of this rank has ended.
    ended: bool,
    /// Whether no rank should search on.
    over: bool,
    /// Whether rank 0 was told that this rank sends nothing more.
    gone: bool,
    /// Whether no rank sends anything more.
    leave: bool,
}

impl<C: Comm> Exchange<'_, '_, C> {
    /// Passes on all messages, after waiting for at most this time for one of the search. Returns
    /// whether there was any.
    fn work(&mut self, wait: Duration, begin: &mut dyn FnMut(String)) -> bool {
        let mut busy = false;
        // A sleep would take longer than an answer.
        let mut next = if self.units.owners.as_ref().is_some_and(Owners::is_waiting) {
            std::thread::yield_now();
            self.waiting.try_recv().ok()
        } else {
            self.waiting.recv_timeout(wait).ok()
        };
        while let Some(command) = next {
            busy = true;
            self.send(command);
            next = self.waiting.try_recv().ok();
        }
        while let Some((from, bytes)) = self.comm.receive() {
            busy = true;
            let message: Down = match decode(&bytes) {
                Message::Up(message) => {
                    self.serve(from, message);
                    continue;
                }
                Message::Ask(ask) => {
                    self.early.push((from, ask));
                    continue;
                }
                Message::Answer(answer) => {
                    if let Some(owners) = &self.units.owners {
                        owners.hear(answer);
                    }
                    continue;
                }
                Message::Down(message) => message,
            };
            if !matches!(message, Down::Places { .. } | Down::Leave) {
                self.pass_on(&bytes);
            }
            if let Down::Begin(mark) = &message {
                let heuristic = mark.heuristic.clone();
                self.take(message);
                begin(heuristic);
            } else {
                self.take(message);
            }
        }
        self.answer();
        busy
    }

    /// Answers the questions of other ranks, if this rank has its tables.
    fn answer(&mut self) {
        if self.over {
            return self.early.clear();
        }
        if let Some(owners) = self.units.answering() {
            for (from, ask) in self.early.drain(..) {
                let answer = owners.answer(&ask).map(Message::<Up, Down>::Answer);
                answer.iter().for_each(|answer| self.comm.send(from, &encode(answer)));
            }
        }
    }

    /// Takes what the search of this rank has to send.
    fn send(&mut self, command: SendCommand) {
        match command {
            SendCommand::Up(message) => self.up(message),
            // Nobody answers any more.
            SendCommand::Ask { .. } if self.over => {}
            SendCommand::Ask { to, ask } => {
                self.comm.send(to, &encode(&Message::<Up, Down>::Ask(ask)));
            }
        }
    }

    /// Takes a message of the search of this rank to the coordinator.
    fn up(&mut self, mut message: Up) {
        if let Up::End { end, .. } = &mut message {
            self.ended = true;
            (end.messages, end.bytes) = self.comm.sent();
            end.units = self.units.lock().searched;
        }
        match self.coordinator {
            Some(_) => self.serve(0, message),
            None => self.comm.send(0, &encode(&Message::<Up, Down>::Up(message))),
        }
    }

    /// The coordinator takes a message of a rank, and its answers go out.
    fn serve(&mut self, from: usize, message: Up) {
        let Some(coordinator) = &mut self.coordinator else { return };
        for (to, message) in coordinator.hear(from, message) {
            match to {
                To::One(0) => self.take(message),
                To::One(rank) => self.comm.send(rank, &encode_down(&message)),
                To::All => {
                    self.pass_on(&encode_down(&message));
                    self.take(message);
                }
            }
        }
        self.leave = self.coordinator.as_ref().is_some_and(Coordinator::is_empty);
    }

    fn pass_on(&self, bytes: &[u8]) {
        for child in children(self.comm.rank(), self.comm.size()) {
            self.comm.send(child, bytes);
        }
    }

    /// Takes a message for this rank.
    fn take(&mut self, message: Down) {
        match &message {
            Down::End => self.over = true,
            Down::Leave => self.leave = true,
            _ => {}
        }
        self.units.hear(message);
    }

    /// Tells rank 0 that the search of this rank has ended, if it could not tell that itself.
    fn end_without_word(&mut self, panicked: bool) {
        // Its last words may have come meanwhile.
        while let Ok(command) = self.waiting.try_recv() {
            self.send(command);
        }
        if !self.ended {
            let error = panicked.then(|| "the search panicked".to_owned());
            let end = RankEnd { error, ..RankEnd::default() };
            self.up(Up::End { end, is_deaf: false });
        }
    }
}
