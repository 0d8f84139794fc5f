//! What the server refuses: foreign hosts and pages, requests without the token, bad bodies.

use crate::client::Server;
use serde_json::{Value, json};

#[test]
fn only_the_page_with_the_token_is_answered() {
    let server = Server::start(&[]);
    let port = server.port;
    let own = server.own_headers();
    let about = |headers: &str| server.raw("GET /api/about", headers, b"").status;
    assert_eq!(about(&own), 200);
    assert_eq!(about(&own.replace("Origin: http://127.0.0.1", "Origin: http://localhost")), 200);
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    for host in [
        "",
        "Host: evil.example\r\n",
        "Host: 127.0.0.1:1\r\n",
        &format!("Host: evil.example:{port}\r\n"),
        &format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
        &format!("Host: 127.0.0.1:{port}.evil.example\r\n"),
    ] {
        let headers = own.replace(&format!("Host: 127.0.0.1:{port}\r\n"), host);
        assert!([400, 403].contains(&about(&headers)), "{host}");
        // The page itself is for this host alone, too.
        let front = server.raw("GET /", host, b"").status;
        assert!([400, 403].contains(&front), "{host}");
    }
    for origin in [
        "http://evil.example".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("http://127.0.0.1:{port}@evil.example"),
        "null".to_owned(),
        String::new(),
    ] {
        let headers =
            own.replace(&format!("Origin: http://127.0.0.1:{port}"), &format!("Origin: {origin}"));
        assert_eq!(about(&headers), 403, "{origin}");
        let front = server.raw("GET /", &format!("{host}Origin: {origin}\r\n"), b"").status;
        assert_eq!(front, 403, "{origin}");
    }
    assert_eq!(about(&host), 401);
    for token in ["", "Bearer", "Bearer ", "Bearer 0", "Basic 0"] {
        assert_eq!(about(&format!("{host}Authorization: {token}\r\n")), 401, "{token}");
    }
    let short = own.trim_end();
    assert_eq!(about(&format!("{}\r\n", &short[..short.len() - 1])), 401);
    assert_eq!(about(&format!("{short}0\r\n")), 401);
    assert_eq!(server.raw("GET /", &host, b"").status, 200);
}

#[test]
fn every_answer_keeps_other_sites_out() {
    let server = Server::start(&[]);
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    for answer in [
        server.raw("GET /", &host, b""),
        server.raw("GET /api/about", &server.own_headers(), b""),
        server.raw("GET /api/about", "", b""),
        server.raw("GET /../Cargo.toml", &host, b""),
    ] {
        for header in ["frame-ancestors 'none'", "nosniff", "no-referrer", "same-origin"] {
            // A request without a host is refused by the server's HTTP itself.
            assert!(answer.head.contains(header) || answer.status == 400, "{}", answer.head);
        }
        assert!(!answer.head.contains("access-control-allow"), "{}", answer.head);
    }
}

#[test]
fn bad_bodies_are_refused() {
    let server = Server::start(&[]);
    let json = format!("{}Content-Type: application/json\r\n", server.own_headers());
    let state = |headers: &str, body: &[u8]| server.raw("POST /api/state", headers, body);
    let good = br#"{"puzzle": {"name": "3x3x3"}, "state": "R U"}"#;
    assert_eq!(state(&json, good).status, 200);
    assert_eq!(state(&server.own_headers(), good).status, 415);
    let text = format!("{}Content-Type: text/plain\r\n", server.own_headers());
    assert_eq!(state(&text, good).status, 415);
    let mebibyte = 1 << 20;
    assert_eq!(state(&json, &vec![b' '; mebibyte + 1]).status, 413);
    assert_eq!(state(&json, &vec![b' '; mebibyte]).status, 400);
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{}",
        "\u{0}",
        r#"{"puzzle": "3x3x3", "state": "R"}"#,
        r#"{"puzzle": {"name": "3x3x3"}, "state": 1}"#,
        r#"{"puzzle": {"name": "3x3x3"}, "state": "R", "tables": "/tmp"}"#,
        r#"{"puzzle": {"name": "3x3x3"}, "state": "R"} {}"#,
    ] {
        let answer = state(&json, body.as_bytes());
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        assert!(answer.json()["error"].is_string(), "{body}");
    }
    assert_eq!(state(&json, b"{\"puzzle\": \"\xff\"}").status, 400);
    let deep = "[".repeat(100_000);
    assert_eq!(state(&json, deep.as_bytes()).status, 400);
    let page = server.page();
    // Numbers outside of their ranges are not taken for others, and settings stay the server's.
    let (searches, counts) = (format!("POST {page}/searches"), format!("POST {page}/counts"));
    let search = |line: &str, puzzle: &str, wish: &str| {
        let body = format!(r#"{{"puzzle": {{"name": "2x2x2"{puzzle}}}{wish}}}"#);
        server.raw(line, &json, body.as_bytes())
    };
    assert_eq!(search(&searches, "", r#", "state": "R", "slack": null"#).status, 202);
    for (name, value) in [
        ("slack", "-1"),
        ("slack", "1.5"),
        ("slack", "1e99"),
        ("slack", "\"1\""),
        ("plans", "0"),
        ("plans", "1001"),
        ("limit_time", "-1"),
        ("limit_time", "1e300"),
        ("threads", "0"),
        ("limit_seconds", "1"),
        ("antipodes", "101"),
        ("memory", "1"),
        ("load", "\"ram\""),
        ("tables", "\"/tmp\""),
        ("disk", "\"/tmp\""),
        ("metric", "\"ftm\""),
    ] {
        let own = format!(r#", "{name}": {value}"#);
        let answer = match name {
            "antipodes" => search(&counts, "", &own),
            "memory" | "load" | "tables" | "disk" | "metric" => {
                search(&searches, &own, r#", "state": "R""#)
            }
            _ => search(&searches, "", &format!(r#", "state": "R"{own}"#)),
        };
        let told = answer.json()["error"].to_string();
        assert!(told.contains(name), "{name}: {told}");
        // Settings are read with the puzzle.
        assert_eq!(answer.status, 422, "{name}: {told}");
    }
}

#[test]
fn bad_inputs_are_refused_with_their_place() {
    let server = Server::start(&[]);
    let refuse = |puzzle: &str, state: &str| {
        let body = json!({"puzzle": {"name": puzzle}, "state": state});
        server.refuse(422, "POST", "/api/state", body)
    };
    assert_eq!(refuse("3x3x3", "R Q")["place"], json!({"column": 3}));
    let swapped = "UUUUUUUURURRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    assert_eq!(refuse("3x3x3", swapped)["place"], json!({"facelets": [9, 10, 21]}));
    assert_eq!(refuse("8-puzzle", "1 2 3 4 5 6 7 8 8")["place"], json!({"squares": [9, 8]}));
    assert_eq!(refuse("3x3x3", " ")["place"], Value::Null);
    assert!(refuse("3x3x3", &"R ".repeat(40_000))["error"].to_string().contains("65536"));
    let broken = "Name broken\nSet CORNERS 8 three";
    assert_eq!(refuse(broken, "solved")["place"]["line"], json!(2));
    // Requests name no files.
    for path in ["Cargo.toml", "/etc/passwd", "a.json", "../a.tws", "domains/a.def", "a\\b"] {
        let error = refuse(path, "solved");
        assert!(error["error"].to_string().contains("no files"), "{path}: {error}");
    }
    refuse("no-such-puzzle", "solved");
    let metric = json!({"puzzle": {"name": "8-puzzle", "metric": "qtm"}, "state": "solved"});
    server.refuse(422, "POST", "/api/state", metric);
}

/// A goal is a text. Whether a file has the same name makes no difference, and is not told.
#[test]
fn goals_reach_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["U", "face:U", "secret"] {
        std::fs::write(folder.path().join(name), "a secret").expect("written");
    }
    let server = Server::start_in(folder.path(), &[]);
    let state = |puzzle: &str, goal: &str| {
        let puzzle = json!({"name": puzzle, "goal": goal});
        server.ask("POST", "/api/state", json!({"puzzle": puzzle, "state": "solved"}))
    };
    for (puzzle, goal) in [("pyraminx", "U"), ("3x3x3", "U"), ("2x2x2", "face:U")] {
        let (status, read) = state(puzzle, goal);
        assert_eq!(status, 200, "{puzzle}, {goal}: {read}");
    }
    for puzzle in ["pyraminx", "3x3x3", "2x2x2", "8-puzzle"] {
        let told = |goal: &str| {
            let (status, error) = state(puzzle, goal);
            assert_eq!(status, 422, "{error}");
            error["error"].to_string().replace(goal, "")
        };
        assert_eq!(told("secret"), told("secreu"), "{puzzle}");
    }
}

#[test]
fn unknown_things_are_refused() {
    let server = Server::start(&[]);
    server.refuse(404, "GET", "/api/pages/0/events", Value::Null);
    server.refuse(404, "GET", "/api/pages/0/jobs/1", Value::Null);
    let page = server.page();
    server.refuse(404, "GET", &format!("{page}/jobs/77"), Value::Null);
    for job in ["none", "-1", "1.5", "99999999999999999999999999"] {
        server.refuse(400, "GET", &format!("{page}/jobs/{job}"), Value::Null);
    }
    server.refuse(400, "DELETE", "/api/tables/%ff", Value::Null);
    let own = server.own_headers();
    assert_eq!(server.raw("GET /api/nothing", &own, b"").status, 404);
    assert_eq!(server.raw("GET /nothing.js", &own, b"").status, 404);
    assert_eq!(server.raw("PUT /api/about", &own, b"").status, 405);
    for table in ["none", "..%2f..%2fetc%2fpasswd", "%2Fetc%2Fpasswd"] {
        server.refuse(404, "DELETE", &format!("/api/tables/{table}"), Value::Null);
    }
    // The jobs of one page are unknown to another.
    let job = server.search(&page, json!({"name": "8-puzzle"}), "1 0 2 3 4 5 6 7 8");
    let other = job.replace(&page, &server.page());
    server.refuse(404, "GET", &other, Value::Null);
}
