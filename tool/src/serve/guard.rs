//! Who may ask: requests to this host and port, from this page, with the token of the link.

use super::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;

/// What a request is checked against.
pub(super) struct Guard {
    port: u16,
    token: String,
}

/// What the page may load and do. It loads nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-cache"),
];

/// 128 random bits as text.
pub(super) fn random_text() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// A seed that the page can read, whose numbers have 53 bits.
pub(super) fn random_seed() -> u64 {
    // The keys of a new hasher come from the system's randomness.
    RandomState::new().hash_one(0) >> 11
}

impl Guard {
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn new(port: u16) -> io::Result<Self> {
        Ok(Self { port, token: random_text()? })
    }

    /// The link to the page. The part behind `#` never leaves the browser.
    pub(super) fn link(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// Whether a text names this server. A name that a foreign site resolves to loopback does not.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
        matches!(name, "127.0.0.1" | "localhost") && port.parse() == Ok(self.port)
    }

    fn check(&self, path: &str, headers: &HeaderMap) -> Result<(), Refusal> {
        let header = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or(""));
        let forbidden = |message: &str| Err(Refusal::new(StatusCode::FORBIDDEN, message));
        if !header("host").is_some_and(|host| self.is_own(host)) {
            return forbidden("Host: expected the host and port of the printed link");
        }
        let own_origin =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|host| self.is_own(host));
        if header("origin").is_some_and(|origin| !own_origin(origin)) {
            return forbidden("Origin: expected a request of this server's own page");
        }
        let token = header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        if path.starts_with("/api/") && !token.is_some_and(|token| same(token, &self.token)) {
            let message = "expected the token of the printed link (Authorization: Bearer TOKEN)";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, message));
        }
        Ok(())
    }
}

/// Whether two texts are the same, in a time that does not depend on where they differ.
fn same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differences == 0
}

/// An answer as it is. A refusal of the router is text, and becomes JSON as all others.
fn in_json(answer: Response) -> Response {
    let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
    let json = kind.is_some_and(|kind| kind.starts_with("application/json"));
    if !answer.status().is_client_error() || json {
        return answer;
    }
    Refusal::new(answer.status(), "the path of the request cannot be read").into_response()
}

/// Lets a request through, or refuses it. Every answer gets [`HEADERS`].
pub(super) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let mut answer = match guard.check(request.uri().path(), request.headers()) {
        Ok(()) => in_json(next.run(request).await),
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}
