//! Refused requests: a status, and an object with a message and a place ([`Refusal`]).

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use fewest::{ConfigureError, Failure, InvalidInput, Place};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a request is refused. As JSON it has the keys of the command line: `error` and `place`.
#[derive(Debug, Serialize)]
pub(super) struct Refusal {
    #[serde(skip)]
    status: StatusCode,
    error: String,
    /// Where in the text or in the state, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Box<Place>>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl ToString) -> Self {
        Self { status, error: message.to_string(), place: None }
    }

    /// A request that is well formed, but whose puzzle, settings, state or plan are refused.
    pub(super) fn input(message: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}

impl From<InvalidInput> for Refusal {
    fn from(error: InvalidInput) -> Self {
        Self { place: error.place().cloned().map(Box::new), ..Self::input(&error) }
    }
}

impl From<ConfigureError> for Refusal {
    fn from(error: ConfigureError) -> Self {
        Failure::from(error).into()
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Memory(memory) => Self::input(memory.told("the server's --memory")),
            Failure::File(_) | Failure::Build { .. } | Failure::Defect { .. } => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, failure)
            }
            Failure::Refused(refused) => refused.into(),
            failure => Self::input(failure),
        }
    }
}

/// No route has this path.
pub(super) async fn no_route() -> Refusal {
    let message = "the server has no such path: /api/openapi.json lists all paths";
    Refusal::new(StatusCode::NOT_FOUND, message)
}

/// The route has other methods.
pub(super) async fn no_method() -> Refusal {
    let message = "this path does not take this method: /api/openapi.json lists those it takes";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// The body of a request, read from JSON.
pub(super) struct Input<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Input<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        // A form of another site cannot set this type without asking the server first.
        let json = request.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        if json.is_none_or(|kind| !kind.starts_with("application/json")) {
            let expected = "expected a body of the type application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, expected));
        }
        let body = Bytes::from_request(request, state).await.map_err(|refused| {
            let message = match refused.status() {
                StatusCode::PAYLOAD_TOO_LARGE => "the body has more than 1 MiB".to_owned(),
                _ => refused.body_text(),
            };
            Refusal::new(refused.status(), message)
        })?;
        let read = serde_json::from_slice(&body);
        read.map(Self).map_err(|error| {
            Refusal::new(StatusCode::BAD_REQUEST, format_args!("the body: {error}"))
        })
    }
}
