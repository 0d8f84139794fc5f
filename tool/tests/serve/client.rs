//! A running server, and a client of plain sockets that checks every answer against its
//! description.

use crate::schema::Description;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Nothing in these tests takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server that ends with the test.
pub(crate) struct Server {
    program: Child,
    /// Kept, so that its folder lives as long as the server.
    _tables: tempfile::TempDir,
    pub(crate) port: u16,
    token: String,
    description: Description,
    /// The operations that answered as described, not with an error.
    answered: Mutex<BTreeSet<(String, String)>>,
}

/// An answer of the server.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        match self.body.as_str() {
            "" => Value::Null,
            body => serde_json::from_str(body).unwrap_or_else(|_| panic!("no JSON: {body}")),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Server {
    pub(crate) fn start(options: &[&str]) -> Self {
        Self::start_in(Path::new("."), options)
    }

    /// Starts a server whose working directory is this folder.
    pub(crate) fn start_in(folder: &Path, options: &[&str]) -> Self {
        let tables = tempfile::tempdir().expect("a folder");
        let mut program = Command::new(env!("CARGO_BIN_EXE_fewest"))
            .args(["serve", "--quiet", "--memory", "256MiB", "--tables"])
            .arg(tables.path())
            .args(options)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut link = String::new();
        BufReader::new(program.stdout.take().expect("piped")).read_line(&mut link).expect("a link");
        let rest = link.trim().strip_prefix("http://127.0.0.1:").expect("a link on loopback");
        let (port, token) = rest.split_once("/#token=").expect("a token");
        Self {
            program,
            _tables: tables,
            port: port.parse().expect("a port"),
            token: token.to_owned(),
            description: Description::new(),
            answered: Mutex::default(),
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// The headers of a request by the page itself.
    pub(crate) fn own_headers(&self) -> String {
        format!(
            "Host: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\nAuthorization: Bearer {1}\r\n",
            self.port, self.token
        )
    }

    /// Sends a request with these headers and body.
    pub(crate) fn raw(&self, line: &str, headers: &str, body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let length = body.len();
        let head = format!(
            "{line} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        // A server that refuses a long body may close before it has read all of it.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// Sends a request as the page does, and checks both sides against the description.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let mut headers = self.own_headers();
        let mut text = String::new();
        if !body.is_null() {
            self.description.check_request(method, path, &body);
            headers += "Content-Type: application/json\r\n";
            text = body.to_string();
        }
        let answer = self.raw(&format!("{method} {path}"), &headers, text.as_bytes());
        let value = answer.json();
        self.description.check_answer(method, path, answer.status, &value);
        if answer.status < 300 {
            self.note(method, path);
        }
        (answer.status, value)
    }

    fn note(&self, method: &str, path: &str) {
        let path = self.description.path(path).expect("described").to_owned();
        self.answered.lock().expect("no panic").insert((method.to_owned(), path));
    }

    /// [`Server::ask`] for an answer that is no refusal.
    pub(crate) fn get(&self, method: &str, path: &str, body: Value) -> Value {
        let (status, value) = self.ask(method, path, body);
        assert!(status < 300, "{method} {path}: {status} {value}");
        value
    }

    /// [`Server::ask`] for a refusal with this status. Returns its error and place.
    pub(crate) fn refuse(&self, status: u16, method: &str, path: &str, body: Value) -> Value {
        let (found, value) = self.ask(method, path, body);
        assert_eq!(found, status, "{method} {path}: {value}");
        value
    }

    /// The operations that the description has, and nobody asked for.
    pub(crate) fn unasked(&self) -> Vec<(String, String)> {
        let answered = self.answered.lock().expect("no panic");
        let all = self.description.operations().into_iter();
        all.filter(|operation| !answered.contains(operation)).collect()
    }

    /// Opens a page, and returns its path.
    pub(crate) fn page(&self) -> String {
        let page = self.get("POST", "/api/pages", Value::Null);
        format!("/api/pages/{}", page["page"].as_str().expect("a name"))
    }

    /// Starts a search on a page, and returns the path of the job.
    pub(crate) fn search(&self, page: &str, puzzle: Value, state: &str) -> String {
        let request = json!({"puzzle": puzzle, "state": state});
        let job = self.get("POST", &format!("{page}/searches"), request);
        format!("{page}/jobs/{}", job["job"])
    }

    /// Asks for a job until it is as wanted.
    pub(crate) fn wait(&self, job: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let status = self.get("GET", job, Value::Null);
            if wanted(&status) {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "{job} never got there: {status}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens the stream of a page.
    pub(crate) fn events(&self, page: &str) -> Events<'_> {
        let mut stream = self.connect();
        let head = format!("GET {page}/events HTTP/1.1\r\n{}\r\n", self.own_headers());
        stream.write_all(head.as_bytes()).expect("sent");
        let mut events = Events { lines: BufReader::new(stream), server: self };
        let status = events.line();
        assert!(status.starts_with("HTTP/1.1 200"), "{status}");
        self.note("GET", &format!("{page}/events"));
        events
    }
}

/// The open stream of a page. Closes with it.
pub(crate) struct Events<'a> {
    lines: BufReader<TcpStream>,
    server: &'a Server,
}

impl Events<'_> {
    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line).expect("a line in time");
        assert!(read > 0, "the stream has ended");
        line.trim_end().to_owned()
    }

    /// The next event: its name and its data.
    pub(crate) fn next(&mut self) -> (String, Value) {
        loop {
            // Sizes of chunks, comments and empty lines stand between the events.
            let Some(name) = self.line().strip_prefix("event: ").map(str::to_owned) else {
                continue;
            };
            let data = self.line();
            let data = data.strip_prefix("data: ").expect("data");
            let data: Value = serde_json::from_str(data).expect("JSON");
            let schema = if name == "job" { "Job" } else { "QueueEvent" };
            self.server.description.check_named(schema, &data);
            return (name, data);
        }
    }
}

/// Whether nothing more happens to a job.
pub(crate) fn is_over(status: &Value) -> bool {
    ["done", "stopped", "failed"].iter().any(|phase| status["phase"] == *phase)
}
