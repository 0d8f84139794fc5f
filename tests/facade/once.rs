//! Preparations (automata, choices of tables) are made once, and end with the caller's limits.

use fewest::{Ending, Event, Failure, MetricChoice, Puzzle, Request, Settings, Watch, configure};
use search::{CancelToken, Limits};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// One puzzle of every kind.
fn puzzles() -> Vec<Box<dyn Puzzle>> {
    let names = ["3x3x3", "2x2x2", "15-puzzle", &crate::definition("2x2x2.tws")];
    names.map(|name| crate::configured(name, &Settings::default().memory(8 << 20))).into()
}

fn cancelled() -> Request<'static> {
    Request::default().cancel(CancelToken::cancelled())
}

/// Learning an automaton looks at the cancel token. Using an automaton that is learned already does
/// not.
#[test]
fn automata_are_learned_once() {
    for puzzle in puzzles() {
        let counting = puzzle.counting().expect("counts");
        assert!(counting.count_sequences(3, &cancelled()).is_err(), "{}", puzzle.info().name);
        let counts = counting.count_sequences(3, &Request::default()).expect("counts");
        assert_eq!(counting.count_sequences(3, &cancelled()).expect("kept"), counts);
    }
}

/// If the caller cancels while strings are learned, the outcome is `cancelled`: no error and no
/// limit.
#[test]
fn a_search_that_is_cancelled_while_it_learns_is_cancelled() {
    for puzzle in puzzles() {
        let state =
            puzzle.scrambler().expect("random states").scrambles(1).next().expect("a state");
        let answer = puzzle.solve(&state, &cancelled()).expect("an answer");
        assert_eq!(answer.ending, Ending::Cancelled, "{}", puzzle.info().name);
    }
}

/// Cancels when a preparation begins.
struct CancelAt<'a>(&'a str, CancelToken);

impl Watch for CancelAt<'_> {
    fn event(&self, event: &Event<'_>) {
        if matches!(event, Event::Preparing { what } if *what == self.0) {
            self.1.cancel();
        }
    }
}

/// If a preparation is cancelled, the next search prepares again.
#[test]
fn preparation_that_is_cancelled_is_not_kept() {
    for (file, memory, steps) in [
        ("pyraminx.tws", 1 << 16, &["the group of the moves", "the sets of pieces"][..]),
        ("3x3x3.tws", 8 << 20, &["the branching factor", "the coset tables to choose from"]),
    ] {
        let path = crate::definition(file);
        let puzzle = crate::configured(&path, &Settings::default().memory(memory));
        let state = if file.starts_with('p') { "R U L" } else { "R U F" };
        for step in steps {
            let watch = CancelAt(step, CancelToken::new());
            let request = Request::default().cancel(watch.1.clone()).watch(&watch);
            let answer = puzzle.solve(state, &request).expect("an answer");
            assert!(watch.1.is_cancelled(), "{file} never came to {step}");
            let told = (answer.ending, answer.generated());
            assert_eq!(told, (Ending::Cancelled, 0), "{file}, {step}");
        }
        let answer = puzzle.solve(state, &Request::default()).expect("an answer");
        assert_eq!((answer.ending, answer.lower_bound), (Ending::Solved, 3), "{file}");
    }
}

/// Without a limit, choosing the tables takes seconds or minutes here.
#[test]
fn preparation_ends_with_the_limit_of_time() {
    for file in ["megaminx.tws", "4x4x4.tws"] {
        let settings = Settings::default().memory(8 << 20);
        let puzzle = configure(&crate::definition(file), &settings).expect("a puzzle");
        let state =
            puzzle.scrambler().expect("random states").scrambles(1).next().expect("a state");
        let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
        let started = Instant::now();
        let answer = puzzle.solve(&state, &Request::default().limits(limits)).expect("an answer");
        assert_eq!(answer.ending, Ending::LimitReached, "{file}");
        assert!(started.elapsed() < Duration::from_secs(2), "{file}: {:?}", started.elapsed());
    }
}

/// The limit of memory ends a count after its complete layers.
#[test]
fn counts_end_where_the_memory_ends() {
    let definition = crate::definition;
    for (name, heuristic) in [
        ("3x3x3".to_owned(), "manhattan"),
        ("24-puzzle".to_owned(), "manhattan"),
        (definition("square-1.tws"), "none"),
    ] {
        let counts = |memory| {
            let settings = Settings::default().heuristic(heuristic).memory(memory);
            let puzzle = configure(&name, &settings).expect("a puzzle");
            let mut counts = Vec::new();
            let mut tell = |depth, count: u128| {
                assert_eq!(depth, counts.len());
                counts.push(count);
            };
            let counting = puzzle.counting().expect("counts");
            let result = counting.count_states(40, &Request::default(), &mut tell);
            let failure = result.expect_err("little memory");
            let told = failure.to_string();
            assert!(
                matches!(failure, Failure::Limit(_)) && told.contains("does not fit"),
                "{told}"
            );
            counts
        };
        let (few, more) = (counts(1 << 20), counts(16 << 20));
        assert!(few.len() > 3 && few.len() < more.len() && more.starts_with(&few), "{name}");
    }
}

/// Holds the thread that builds a table until it is released.
#[derive(Default)]
struct Hold {
    building: AtomicBool,
    released: AtomicBool,
}

impl Watch for Hold {
    fn event(&self, event: &Event<'_>) {
        if !matches!(event, Event::Building { .. }) {
            return;
        }
        self.building.store(true, Relaxed);
        while !self.released.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A thread that waits for the table of another thread still looks at its own token and deadline.
#[test]
fn a_wait_for_another_thread_can_be_cancelled() {
    let puzzle = configure("2x2x2", &Settings::default()).expect("a puzzle");
    let hold = Hold::default();
    let solve =
        |request: Request<'static>| puzzle.solve("R U", &request).expect("an answer").ending;
    std::thread::scope(|scope| {
        scope.spawn(|| puzzle.solve("R U", &Request::default().watch(&hold)).expect("an answer"));
        while !hold.building.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let cancel = CancelToken::new();
        let cancelled = Request::default().cancel(cancel.clone());
        let cancelled = scope.spawn(|| solve(cancelled));
        let late = scope.spawn(|| solve(Request::default().deadline(Duration::from_millis(100))));
        cancel.cancel();
        let started = Instant::now();
        while !(cancelled.is_finished() && late.is_finished()) && started.elapsed().as_secs() < 9 {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Released before any assertion, so that a failure ends the first thread.
        let in_time = started.elapsed().as_secs() < 9;
        hold.released.store(true, Relaxed);
        assert_eq!(cancelled.join().expect("no panic"), Ending::Cancelled);
        assert_eq!(late.join().expect("no panic"), Ending::LimitReached);
        assert!(in_time);
    });
}

/// A state near the goal waits for no large table: where pieces are alike, and in a group.
#[test]
fn a_state_near_the_goal_builds_no_table() {
    let built = AtomicBool::new(false);
    let watch = |event: &Event<'_>| {
        built.fetch_or(matches!(event, Event::Building { .. }), Relaxed);
    };
    for (name, state, length) in [("4x4x4", "R U F R", 4), ("kilominx", "R U", 2)] {
        let puzzle = configure(name, &Settings::default()).expect("a puzzle");
        let answer = puzzle.solve(state, &Request::default().watch(&watch)).expect("an answer");
        assert_eq!((answer.plans[0].len(), answer.optimal), (length, true), "{name}");
        assert!(!built.load(Relaxed), "{name}");
    }
}

/// Tables of another metric are no reason to build those of this one.
#[test]
fn tables_of_another_metric_build_none() {
    let tables = tempfile::tempdir().expect("a folder");
    let solve = |metric, state, request: &Request<'_>| {
        let settings = Settings::default().tables(tables.path()).metric(metric);
        let puzzle = configure("3x3x3", &settings.goal("cross")).expect("a puzzle");
        puzzle.solve(state, request).expect("an answer");
        tables.path().read_dir().expect("files").count()
    };
    let far = "D' L2 F2 D' U' L2 B2 L U' F' R2 U B L2 F2 U' R2 U";
    let built = solve(MetricChoice::HalfTurn, far, &Request::default().plans(6).slack(1));
    assert_ne!(built, 0);
    assert_eq!(solve(MetricChoice::QuarterTurn, "R U", &Request::default()), built);
}

/// If the layers of a killed build stay, the caller is told, and gets the answer.
#[test]
fn layers_that_cannot_be_removed_cost_no_answer() {
    let [tables, layers] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let settings = Settings::default().heuristic("tables:1.2.3-4.5.6.7.8");
    let settings = settings.tables(tables.path()).disk(layers.path());
    let solve = |watch| {
        let puzzle = configure("8-puzzle", &settings).expect("a puzzle");
        let request = Request::default().watch(watch);
        puzzle.solve("1 4 2 3 0 5 6 7 8", &request).expect("an answer").plans
    };
    let plans = solve(&fewest::Quiet);
    for file in tables.path().read_dir().expect("files") {
        let name = file.expect("a file").file_name().into_string().expect("a name");
        let (name, _) = name.rsplit_once('.').expect("an extension");
        let layer = layers.path().join(format!("{name}-disk-buckets/7.spill"));
        std::fs::create_dir_all(layer).expect("a folder that is no file");
    }
    let told = AtomicBool::new(false);
    let watch = |event: &Event<'_>| {
        told.fetch_or(matches!(event, Event::NotKept { .. }), Relaxed);
    };
    assert_eq!(solve(&watch), plans);
    assert!(told.into_inner());
}
