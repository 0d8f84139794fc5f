//! Errors of table files. Each names the file, the place, and what was expected.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something is wrong with a table file.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what} {}: {kind}", path.display())]
pub struct TableError {
    /// What the path is.
    what: &'static str,
    path: PathBuf,
    #[source]
    kind: TableErrorKind,
}

impl TableError {
    pub(super) fn new(path: &Path, kind: TableErrorKind) -> Self {
        Self { what: "table file", path: path.to_owned(), kind }
    }

    /// An error of the folder where table files are.
    pub(super) fn folder(path: &Path, kind: TableErrorKind) -> Self {
        Self { what: "folder of tables", ..Self::new(path, kind) }
    }

    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::new(path, TableErrorKind::Io { action, source: Arc::new(source) })
    }

    /// The same error of another file.
    pub(super) fn at(self, path: &Path) -> Self {
        Self { path: path.to_owned(), ..self }
    }

    /// The file, or the folder where one was to be made.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong.
    pub fn kind(&self) -> &TableErrorKind {
        &self.kind
    }
}

/// What is wrong with a table file. Byte ranges count from the start of the file.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TableErrorKind {
    /// The system refused something: no right to write, disk full, ..
    #[error("could not {action}: {source}")]
    Io { action: &'static str, source: Arc<io::Error> },
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// A link, a folder, a pipe or a device, where only a file may be.
    #[error("it is {found}, expected a regular file")]
    NotRegular { found: &'static str },
    /// A file is there already; it is never replaced silently.
    #[error("there is such a file already; remove it to build the table anew")]
    Exists,
    /// Another process builds this table, or removes it.
    #[error("another process holds the lock of this table")]
    Locked,
    /// The specification cannot be stored.
    #[error("{0}")]
    Spec(String),
    /// Not a table file at all.
    #[error(
        "header, bytes 0..8: not a table file (expected `{}`, found `{}`)",
        expected.escape_ascii(),
        found.escape_ascii()
    )]
    Magic { expected: [u8; 8], found: [u8; 8] },
    /// Written by another version.
    #[error("header, bytes 8..12: format version {found}, this program reads version {expected}")]
    Version { expected: u32, found: u32 },
    /// The header is damaged.
    #[error(
        "header, bytes 0..4096: checksum {found:08x}, expected {expected:08x}: the header is damaged"
    )]
    HeaderChecksum { expected: u32, found: u32 },
    /// The header is undamaged, but its values are impossible.
    #[error("header: {field} is {found}, expected {expected}")]
    Field { field: &'static str, expected: String, found: String },
    /// A table of something else.
    #[error(
        "header: the table is of another kind: fingerprint {found}, expected {expected}; it describes itself as {description}"
    )]
    Fingerprint { expected: String, found: String, description: String },
    /// The file is too short for a header.
    #[error("the file has {found} bytes, expected at least {least}")]
    Short { least: u64, found: u64 },
    /// The file was cut off, or something was appended.
    #[error("the file has {found} bytes, expected {expected}")]
    Length { expected: u64, found: u64 },
    /// The table of chunk checksums is damaged.
    #[error(
        "chunk table, bytes {start}..{end}: checksum {found:08x}, expected {expected:08x}: the chunk table is damaged"
    )]
    ChunkTable { start: u64, end: u64, expected: u32, found: u32 },
    /// A chunk of the payload is damaged.
    #[error(
        "chunk {number}, bytes {start}..{end}: checksum {found:08x}, expected {expected:08x}: the chunk is damaged"
    )]
    Chunk { number: u64, start: u64, end: u64, expected: u32, found: u32 },
}
