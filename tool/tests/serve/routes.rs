//! Every route answers as its description says.

use crate::client::{Server, is_over};
use serde_json::{Value, json};

/// A definition that no file has: three pieces in a ring, and a move that turns them.
const RING: &str = r#"{"name": "ring", "orbits": [{"orbitName": "P", "numPieces": 3, "numOrientations": 1}],
 "defaultPattern": {"P": {"pieces": [0, 1, 2], "orientation": [0, 0, 0]}},
 "moves": {"T": {"P": {"permutation": [1, 2, 0], "orientationDelta": [0, 0, 0]}}}}"#;

#[test]
fn every_route_is_described_and_answers() {
    let server = Server::start(&[]);
    let about = server.get("GET", "/api/about", Value::Null);
    let names = about["puzzles"].as_array().expect("puzzles").iter().map(|one| &one["puzzle"]);
    assert!(names.clone().count() > 50 && names.clone().any(|name| name == "pyraminx"));
    assert!(names.clone().all(|name| !name.to_string().contains("PATH")));
    server.get("GET", "/api/openapi.json", Value::Null);

    let cube = json!({"puzzle": {"name": "3x3x3"}});
    let told = server.get("POST", "/api/puzzle", cube);
    assert_eq!((&told["face_stickers"], &told["near_optimal"]), (&json!(9), &json!(true)));
    let board = server.get("POST", "/api/puzzle", json!({"puzzle": {"name": "4x3-tiles"}}));
    assert_eq!(board["board"], json!([4, 3]));
    // A definition has faces, but does not say where their stickers lie.
    for (name, stickers) in [("2x2x2", json!(4)), ("megaminx", Value::Null)] {
        let told = server.get("POST", "/api/puzzle", json!({"puzzle": {"name": name}}));
        assert_eq!(
            (&told["face_stickers"], told["kpuzzle"].is_null()),
            (&stickers, name == "2x2x2")
        );
    }
    let ring = server.get("POST", "/api/puzzle", json!({"puzzle": {"name": RING}}));
    assert_eq!((&ring["puzzle"], &ring["kpuzzle"]["name"]), (&json!("ring"), &json!("ring")));

    let state = json!({"puzzle": {"name": RING}, "state": "T"});
    let read = server.get("POST", "/api/state", state);
    assert_eq!(read["pattern"]["P"]["pieces"], json!([1, 2, 0]));
    // Cubes read the patterns of cubing.js as well.
    let pattern = r#"{"CORNERS": {"pieces": [4, 0, 2, 3, 7, 5, 6, 1],
                                  "orientation": [2, 1, 0, 0, 1, 0, 0, 2]}}"#;
    let small = |state: &str| {
        let state = json!({"puzzle": {"name": "2x2x2"}, "state": state});
        server.get("POST", "/api/state", state)["state"].clone()
    };
    assert_eq!(small(pattern), small("R"));
    let request = json!({"puzzle": {"name": "3x3x3"}, "seed": 5});
    let drawn = server.get("POST", "/api/scramble", request.clone());
    assert_eq!(drawn, server.get("POST", "/api/scramble", request));
    assert_eq!(drawn["state"].as_str().map(str::len), Some(54));
    let any = json!({"puzzle": {"name": "3x3x3"}});
    assert_ne!(drawn, server.get("POST", "/api/scramble", any));
    for (plan, solves) in [("U' R'", true), ("R' U'", false)] {
        let check = json!({"puzzle": {"name": "3x3x3"}, "state": "R U", "plan": plan});
        assert_eq!(server.get("POST", "/api/check", check)["solves"], solves, "{plan}");
    }

    let page = server.page();
    let mut events = server.events(&page);
    let job = server.search(&page, json!({"name": RING}), "T");
    let (name, _) = events.next();
    assert!(name == "job" || name == "queue");
    let done = server.wait(&job, is_over);
    assert_eq!((&done["phase"], &done["plan"]), (&json!("done"), &json!(["T'"])));
    server.get("POST", &format!("{job}/stop"), Value::Null);
    server.get("DELETE", &job, Value::Null);
    server.refuse(404, "GET", &job, Value::Null);

    let scramble = json!({"puzzle": {"name": "4x4x4"}, "seed": 3});
    let scramble = server.get("POST", &format!("{page}/scrambles"), scramble);
    let drawn = server.wait(&format!("{page}/jobs/{}", scramble["job"]), is_over);
    assert_eq!(drawn["answer"]["uniform"], false);
    assert!(drawn["answer"]["moves"].as_array().is_some_and(|moves| moves.len() > 20), "{drawn}");

    let count = json!({"puzzle": {"name": "2x2x2"}, "antipodes": 1});
    let count = server.get("POST", &format!("{page}/counts"), count);
    let count = server.wait(&format!("{page}/jobs/{}", count["job"]), is_over);
    let states = [1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644];
    let layers = count["layers"].as_array().expect("layers").iter();
    assert!(layers.map(|layer| &layer["count"]).eq(&states.map(|count| json!(count))), "{count}");
    assert_eq!(count["answer"]["diameter"], 11);

    let build = json!({"puzzle": {"name": "2x2x2", "heuristic": "table"}});
    let build = server.get("POST", &format!("{page}/builds"), build);
    let built = server.wait(&format!("{page}/jobs/{}", build["job"]), is_over);
    let table = built["answer"]["tables"][0]["table"].as_str().expect("a table").to_owned();
    let listed = || server.get("GET", "/api/tables", Value::Null)["tables"].to_string();
    assert!(listed().contains(&table));
    server.get("DELETE", &format!("/api/tables/{table}"), Value::Null);
    assert!(!listed().contains(&table));

    assert_eq!(server.unasked(), [], "operations that no test asks for");
}

/// Settings of a request: allowed moves, a goal with stickers that do not matter, several plans.
#[test]
fn searches_have_settings() {
    let server = Server::start(&[]);
    let page = server.page();
    let search = |request: Value| {
        let job = server.get("POST", &format!("{page}/searches"), request);
        server.wait(&format!("{page}/jobs/{}", job["job"]), is_over)
    };
    let two = json!({"name": "2x2x2", "moves": "U,R"});
    let done = search(json!({"puzzle": two, "state": "R U R2"}));
    assert_eq!(done["plan"], json!(["R2", "U'", "R'"]), "{done}");
    let all =
        search(json!({"puzzle": {"name": "2x2x2"}, "state": "R2 U2", "plans": 9, "slack": 2}));
    let lengths = all["answer"]["costs"].as_array().expect("costs");
    assert!(lengths.contains(&json!(2)) && lengths.contains(&json!(4)), "{all}");
    let qtm = search(json!({"puzzle": {"name": "2x2x2", "metric": "qtm"}, "state": "R2"}));
    assert_eq!(qtm["answer"]["lower_bound"], 2);
    let costs = json!({"name": "2x2x2", "metric": "qtm", "moves": "U,R2"});
    let costs = search(json!({"puzzle": costs, "state": "R2 U"}));
    let of_cost = (&costs["has_costs"], &costs["lower_bound"], &costs["plan"]);
    assert_eq!(of_cost, (&json!(true), &json!(3), &json!(["U'", "R2"])));
    assert_eq!(qtm["has_costs"], false);
    let face = json!({"name": "2x2x2", "goal": "UUUU...................."});
    let face = search(json!({"puzzle": face, "state": "U R"}));
    assert_eq!(face["answer"]["lower_bound"], 1, "{face}");
    let least = search(json!({"puzzle": {"name": "8-puzzle"}, "state": "1 0 2 3 4 5 6 7 8",
                              "min_length": 2}));
    assert!(least["answer"]["lower_bound"].as_u64() > Some(1), "{least}");
    let wrong = search(json!({"puzzle": {"name": "8-puzzle"}, "state": "2 1 0 3 4 5 6 7 8"}));
    assert_eq!(wrong["phase"], "failed");
    assert!(wrong["answer"]["error"].to_string().contains("cannot be solved"), "{wrong}");
}

/// Without the files of the page, the page says how to make them.
#[test]
fn a_page_that_is_not_built_says_how() {
    let empty = tempfile::tempdir().expect("a folder");
    let server = Server::start(&["--page", empty.path().to_str().expect("a text")]);
    let host = format!("Host: localhost:{}\r\n", server.port);
    let page = server.raw("GET /", &host, b"");
    assert!(page.status == 200 && page.body.contains("web/build"), "{}", page.body);
    std::fs::write(empty.path().join("index.html"), "<p>built").expect("written");
    std::fs::write(empty.path().join("secret.txt"), "secret").expect("written");
    assert_eq!(server.raw("GET /", &host, b"").body, "<p>built");
    assert_eq!(server.raw("GET /secret.txt", &host, b"").status, 404);
}
