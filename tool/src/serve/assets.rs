//! The files of the page: built by `web/build`, and read from a folder or kept in the program.

use super::refusal::{Refusal, no_route};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// The files and their types. No other file is served.
const FILES: [(&str, &str); 6] = [
    ("index.html", "text/html; charset=utf-8"),
    ("app.js", "text/javascript; charset=utf-8"),
    ("app.css", "text/css; charset=utf-8"),
    ("player.js", "text/javascript; charset=utf-8"),
    ("icon.svg", "image/svg+xml"),
    ("licences.txt", "text/plain; charset=utf-8"),
];

/// Where `web/build` puts the files.
const BUILT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/dist");

/// What is shown in place of a page that is not built.
const NOT_BUILT: &str = "<!doctype html><html lang=en><title>fewest</title>\
    <p>The page is not built yet: run <code>web/build</code> in the source folder of fewest, then \
    reload.";

/// The files inside the program, in the order of [`FILES`].
#[cfg(feature = "page")]
const INSIDE: [&[u8]; 6] = [
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../web/dist/index.html")),
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../web/dist/app.js")),
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../web/dist/app.css")),
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../web/dist/player.js")),
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../web/dist/icon.svg")),
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../web/dist/licences.txt")),
];
/// Without the feature `page`, the program has no files.
#[cfg(not(feature = "page"))]
const INSIDE: [&[u8]; 0] = [];

/// Where the files come from.
pub(super) struct Assets {
    /// `None`: the program has them inside.
    folder: Option<PathBuf>,
}

impl Assets {
    /// Files of the folder that the command line names. Without one, those inside the program, or
    /// else of the folder where they are built.
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        let built = || INSIDE.is_empty().then(|| PathBuf::from(BUILT));
        Self { folder: folder.or_else(built) }
    }

    /// The contents of a file. `None` if it is not built.
    fn read(&self, number: usize) -> Option<Cow<'static, [u8]>> {
        match &self.folder {
            Some(folder) => std::fs::read(folder.join(FILES[number].0)).ok().map(Cow::Owned),
            None => INSIDE.get(number).map(|&bytes| Cow::Borrowed(bytes)),
        }
    }
}

/// The page.
pub(super) async fn front(assets: State<Arc<Assets>>) -> Response {
    file(assets, Path(FILES[0].0.to_owned())).await
}

/// A file of the page.
pub(super) async fn file(State(assets): State<Arc<Assets>>, Path(name): Path<String>) -> Response {
    let Some(number) = FILES.iter().position(|(own, _)| *own == name) else {
        return no_route().await.into_response();
    };
    match assets.read(number) {
        Some(bytes) => ([("content-type", FILES[number].1)], bytes).into_response(),
        None if number == 0 => Html(NOT_BUILT).into_response(),
        None => Refusal::new(StatusCode::NOT_FOUND, "not built: run web/build").into_response(),
    }
}
