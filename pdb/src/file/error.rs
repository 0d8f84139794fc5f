//! Errors of table files. Each says which file, which bytes, and what was expected.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An error about a table file or a folder of them.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what} {}: {kind}", path.display())]
pub struct TableError {
    /// Says what kind of path it is, for the error text.
    what: &'static str,
    path: PathBuf,
    #[source]
    kind: TableErrorKind,
}

impl TableError {
    pub(crate) fn new(path: &Path, kind: TableErrorKind) -> Self {
        Self { what: "table file", path: path.to_owned(), kind }
    }

    /// An error about the folder of table files.
    pub(super) fn folder(path: &Path, kind: TableErrorKind) -> Self {
        Self { what: "folder of tables", ..Self::new(path, kind) }
    }

    /// An error about a file or a folder of an exhaustive search on disk.
    pub(crate) fn layers(path: &Path, kind: TableErrorKind) -> Self {
        Self { what: "layers on disk", ..Self::new(path, kind) }
    }

    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::new(path, TableErrorKind::Io { action, source: Arc::new(source) })
    }

    /// The same error for another path.
    pub(super) fn at(self, path: &Path) -> Self {
        Self { path: path.to_owned(), ..self }
    }

    /// The file, or the folder in which a file was to be created.
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
    /// The operating system refused something, for example because of missing rights or a full
    /// disk.
    #[error("could not {action}: {source}")]
    Io { action: &'static str, source: Arc<io::Error> },
    /// The operating system refused something to an exhaustive search on disk.
    #[error(
        "could not {action}: {source}; {layers} layers are saved, and the same search goes on from \
         them"
    )]
    Layers { action: &'static str, source: Arc<io::Error>, layers: usize },
    /// The disk has too little space.
    #[error("the disk has {free} bytes left, expected at least {needed}")]
    Space { needed: u64, free: u64 },
    /// The file does not exist.
    #[error("there is no such file")]
    Missing,
    /// The path is a link, a folder, a pipe or a device, but must be a regular file.
    #[error("it is {found}, expected a regular file")]
    NotRegular { found: &'static str },
    /// The file exists already. Files are never replaced silently.
    #[error("there is such a file already; remove it to build the table anew")]
    Exists,
    /// Another process builds or removes this table.
    #[error("another process holds the lock of this table")]
    Locked,
    /// The specification of the table cannot be stored in a file. The text says why.
    #[error("{0}")]
    Spec(String),
    /// The file is not a table file.
    #[error(
        "header, bytes 0..8: not a table file (expected `{}`, found `{}`)",
        expected.escape_ascii(),
        found.escape_ascii()
    )]
    Magic { expected: [u8; 8], found: [u8; 8] },
    /// The file has another version of the format.
    #[error("header, bytes 8..12: format version {found}, this program reads version {expected}")]
    Version { expected: u32, found: u32 },
    /// The header is damaged.
    #[error(
        "header, bytes 0..4096: checksum {found:08x}, expected {expected:08x}: the header is damaged"
    )]
    HeaderChecksum { expected: u32, found: u32 },
    /// The header's checksum is right, but a value is impossible.
    #[error("header: {field} is {found}, expected {expected}")]
    Field { field: &'static str, expected: String, found: String },
    /// The file has another table than the one asked for.
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
    /// A byte between the chunk table and the payload is not 0.
    #[error("padding, byte {at}: {found:#04x}, expected 0: the file is damaged")]
    Padding { at: u64, found: u8 },
    /// The checksums are right, but the payload is none that a program of this project writes.
    #[error("the payload is {found}, expected {expected}")]
    Contents { found: &'static str, expected: &'static str },
    /// The table of a projection has an entry that its domain and projection contradict. `image`
    /// shows the image as its type does for debugging.
    #[error(
        "entry {entry}, image {image}: {found}, expected {expected}: the table belongs to another \
         domain, projection or goal"
    )]
    Entry { entry: u64, image: String, found: String, expected: String },
    /// The caller cancelled the check of the chunks, or the writing of the file.
    #[error("the caller cancelled it")]
    Cancelled,
    /// A chunk of the payload is damaged.
    #[error(
        "chunk {number}, bytes {start}..{end}: checksum {found:08x}, expected {expected:08x}: the chunk is damaged"
    )]
    Chunk { number: u64, start: u64, end: u64, expected: u32, found: u32 },
}
