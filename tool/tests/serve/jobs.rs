//! Jobs: two at once, the others in a queue, each with its own answer; stopped, and left alone.

use crate::client::{Server, is_over};
use fewest::{Request, Settings, configure};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A board that takes years with a weak heuristic.
const HARD: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

fn hard() -> Value {
    json!({"name": "24-puzzle", "heuristic": "manhattan"})
}

#[test]
fn two_jobs_run_and_the_others_wait_in_order() {
    let server = Server::start(&[]);
    let page = server.page();
    let jobs: Vec<String> = (0..4).map(|_| server.search(&page, hard(), HARD)).collect();
    let place = |place: Value| move |status: &Value| status["place"] == place;
    for job in &jobs[..2] {
        server.wait(job, |status| status["phase"] == "searching" && status["lower_bound"] != 0);
    }
    assert_eq!(server.wait(&jobs[2], place(json!(1)))["phase"], "queued");
    assert_eq!(server.wait(&jobs[3], place(json!(2)))["phase"], "queued");
    // A job that waits ends at once.
    let stopped = server.get("POST", &format!("{}/stop", jobs[2]), Value::Null);
    assert_eq!(stopped["phase"], "stopped");
    server.wait(&jobs[3], place(json!(1)));
    // A job that runs tells what it has proven.
    server.get("POST", &format!("{}/stop", jobs[0]), Value::Null);
    let stopped = server.wait(&jobs[0], is_over);
    assert_eq!(
        (&stopped["phase"], &stopped["answer"]["outcome"]),
        (&json!("stopped"), &json!("cancelled"))
    );
    assert!(stopped["answer"]["lower_bound"].as_u64() > Some(30), "{stopped}");
    server.wait(&jobs[3], |status| status["phase"] == "searching");
    let limit = json!({"puzzle": hard(), "state": HARD, "limit_time": 0.1});
    let limited = server.get("POST", &format!("{page}/searches"), limit);
    server.get("DELETE", &jobs[1], Value::Null);
    let limited = server.wait(&format!("{page}/jobs/{}", limited["job"]), is_over);
    assert_eq!(limited["answer"]["outcome"], "limit-reached");
}

/// Each answer belongs to its own state. The stream tells all of them, over one connection.
#[test]
fn two_hundred_requests_get_their_own_answers() {
    let server = Server::start(&[]);
    let puzzle = configure("8-puzzle", &Settings::default()).expect("a puzzle");
    let boards: Vec<String> =
        puzzle.scrambler().expect("random boards").scrambles(7).take(200).collect();
    let page = server.page();
    let mut events = server.events(&page);
    let mut states = BTreeMap::new();
    for state in &boards {
        let request = json!({"puzzle": {"name": "8-puzzle"}, "state": state});
        let job = server.get("POST", &format!("{page}/searches"), request);
        states.insert(job["job"].as_u64().expect("a number"), state);
    }
    assert_eq!(states.len(), 200);
    let mut open = states.clone();
    while !open.is_empty() {
        let (name, status) = events.next();
        if name != "job" || !is_over(&status) {
            continue;
        }
        let state = states[&status["job"].as_u64().expect("a number")];
        open.remove(&status["job"].as_u64().expect("a number"));
        let plan: Vec<&str> =
            status["plan"].as_array().expect("a plan").iter().filter_map(Value::as_str).collect();
        let replay = puzzle.check_plan(state, &plan.join(" ")).expect("a plan");
        assert_eq!(replay.fault, None, "{state}: {plan:?}");
        let optimal = puzzle.solve(state, &Request::default()).expect("solved").lower_bound;
        assert_eq!(plan.len(), usize::from(optimal), "{state}");
    }
}

#[test]
fn jobs_end_when_their_page_is_gone() {
    let server = Server::start(&["--gone-after", "1s"]);
    let left = server.page();
    let kept = server.page();
    let mut watched = server.events(&kept);
    let events = server.events(&left);
    let jobs: Vec<String> = (0..3).map(|_| server.search(&left, hard(), HARD)).collect();
    server.wait(&jobs[1], |status| status["phase"] == "searching");
    // They go on while their page is open, longer than a page may be away.
    server.wait(&jobs[0], |status| status["seconds"].as_f64() > Some(2.0));
    let waiting = server.search(&kept, json!({"name": "8-puzzle"}), "1 0 2 3 4 5 6 7 8");
    assert_eq!(server.get("GET", &waiting, Value::Null)["phase"], "queued");
    drop(events);
    // Only the end of a job that runs makes room for this one.
    assert_eq!(server.wait(&waiting, is_over)["phase"], "done");
    server.refuse(404, "GET", &jobs[0], Value::Null);
    while watched.next().1["phase"] != "done" {}
}

/// The plan, both bounds and the speed of a search, as a page shows them.
#[test]
fn a_search_tells_how_its_bounds_meet() {
    let server = Server::start(&[]);
    let page = server.page();
    let mut events = server.events(&page);
    let puzzle = json!({"name": "15-puzzle", "heuristic": "manhattan"});
    server.search(&page, puzzle, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3");
    let (mut lower, mut rated) = (0, false);
    let done = loop {
        let (name, status) = events.next();
        if name != "job" {
            continue;
        }
        let bound = status["lower_bound"].as_u64().expect("a bound");
        assert!(bound >= lower, "a proven bound never falls: {status}");
        lower = bound;
        rated |= status["nodes_per_second"].as_f64() > Some(0.0);
        if is_over(&status) {
            break status;
        }
    };
    assert!(rated, "{done}");
    assert_eq!(done["upper_bound"], done["lower_bound"]);
    let bounds = done["bounds"].as_array().expect("bounds");
    assert_eq!(bounds.last().map(|last| &last["upper"]), Some(&done["upper_bound"]));
}
