//! Reading a table file: the checks of every load, the check of all chunks, and the payload.
#![expect(unsafe_code, reason = "a mapped file is only as constant as the folder it lies in")]

use super::error::{TableError, TableErrorKind};
use super::format::{CHUNK, Header, PAGE, Page};
use super::spec::TableSpec;
use crate::memory::{Bytes, BytesMut};
use search::threads::{self, Task};
use serde_json::Value;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How a loaded payload is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Load {
    /// Mapped read only: at once, shared with other processes, small pages.
    Mmap,
    /// Copied into memory on huge pages: random reads are 1.2 to 1.6 times faster. The default.
    #[default]
    Ram,
}

/// The contents of a file's header.
#[derive(Clone, Debug, PartialEq)]
pub struct TableInfo {
    /// The file.
    pub path: PathBuf,
    /// Name of the encoding.
    pub encoding: String,
    /// How many entries there are.
    pub entries: u64,
    /// Bytes of the payload.
    pub payload_bytes: u64,
    /// The description, as it was given.
    pub description: Value,
    /// BLAKE3 of description, encoding and lengths.
    pub fingerprint: [u8; 32],
    /// Whether the chunks were checked since the file last changed.
    pub verified: bool,
}

/// Checks every chunk of a file, and remembers that. Calls `progress` with the bytes checked and
/// the bytes in all, from many threads.
///
/// # Errors
/// What is wrong and where: the lowest damaged chunk.
pub fn verify(path: &Path, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<TableInfo, TableError> {
    let opened = open(path)?;
    opened.check_chunks(progress)?;
    opened.remember();
    Ok(opened.info())
}

/// A file whose header, length and chunk table are checked.
pub(super) struct OpenTable {
    path: PathBuf,
    file: File,
    metadata: Metadata,
    header: Header,
    /// CRC-32 of each chunk.
    crcs: Vec<u32>,
}

/// Opens a file and checks its header, length and chunk table.
pub(super) fn open(path: &Path) -> Result<OpenTable, TableError> {
    let mut file = File::open(path).map_err(|error| match error.kind() {
        // A file where the folder should be holds no table either; who saves one is told.
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            TableError::new(path, TableErrorKind::Missing)
        }
        _ => TableError::io(path, "open the file")(error),
    })?;
    let metadata = file.metadata().map_err(TableError::io(path, "read the file's length"))?;
    let refuse = |kind| TableError::new(path, kind);
    let mut page: Page = [0; 4096];
    if metadata.len() < PAGE {
        let found = metadata.len();
        return Err(refuse(TableErrorKind::Short { least: PAGE, found }));
    }
    file.read_exact(&mut page).map_err(TableError::io(path, "read the header"))?;
    let header = Header::parse(&page).map_err(refuse)?;
    if metadata.len() != header.file_bytes() {
        let (expected, found) = (header.file_bytes(), metadata.len());
        return Err(refuse(TableErrorKind::Length { expected, found }));
    }
    // The file is as long as the header says, so this length is no invention of a damaged one.
    let mut table = vec![0; usize::try_from(4 * header.chunks()).expect("4 bytes a mebibyte")];
    file.read_exact(&mut table).map_err(TableError::io(path, "read the chunk table"))?;
    let (expected, found) = (header.chunk_table_crc(), crc32fast::hash(&table));
    if expected != found {
        let (start, end) = (PAGE, PAGE + table.len() as u64);
        return Err(refuse(TableErrorKind::ChunkTable { start, end, expected, found }));
    }
    let crcs = table.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    Ok(OpenTable { path: path.to_owned(), file, metadata, header, crcs })
}

impl OpenTable {
    /// Refuses the table of something else.
    pub(super) fn is_of(&self, spec: &TableSpec) -> Result<(), TableError> {
        self.header.is_of(spec).map_err(|kind| TableError::new(&self.path, kind))
    }

    /// What the header says.
    pub(super) fn info(&self) -> TableInfo {
        let description = self.header.description();
        TableInfo {
            path: self.path.clone(),
            encoding: self.header.encoding(),
            entries: self.header.entries(),
            payload_bytes: self.header.payload_bytes(),
            description: serde_json::from_str(&description).unwrap_or(Value::String(description)),
            fingerprint: self.header.fingerprint(),
            verified: self.is_verified(),
        }
    }

    /// The payload. Checks the chunks, unless they were checked since the file last changed.
    pub(super) fn load(&self, load: Load) -> Result<Bytes, TableError> {
        let mapped = self.map()?;
        match load {
            Load::Mmap => {
                if !self.is_verified() {
                    self.check(&mapped, &|_, _| ())?;
                    self.remember();
                }
                Ok(mapped)
            }
            Load::Ram => {
                let mut memory = BytesMut::zeroed(mapped.len())
                    .map_err(TableError::io(&self.path, "get memory for the table"))?;
                let copy = memory.as_mut_slice();
                let mut tasks: Vec<Task<'_>> = Vec::new();
                for (to, from) in copy.chunks_mut(CHUNK).zip(mapped.chunks(CHUNK)) {
                    tasks.push(Box::new(|| to.copy_from_slice(from)));
                }
                threads::run_all(tasks);
                // Check the copy, because the copy is used.
                self.check(copy, &|_, _| ())?;
                Ok(memory.freeze())
            }
        }
    }

    fn map(&self) -> Result<Bytes, TableError> {
        let len = usize::try_from(self.header.payload_bytes())
            .map_err(|_| ErrorKind::OutOfMemory.into())
            .map_err(TableError::io(&self.path, "map the table"))?;
        // SAFETY: this crate writes a table file under another name, renames it, and never changes
        // it afterwards; to remove one leaves mapped bytes alone. `TableStore` asks the same of
        // other programs.
        unsafe { Bytes::map_file(&self.file, self.header.payload_offset(), len) }
            .map_err(TableError::io(&self.path, "map the table"))
    }

    /// Checks every chunk as it lies in the file.
    pub(super) fn check_chunks(
        &self,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(), TableError> {
        self.check(&self.map()?, progress)
    }

    /// Checks every chunk of a payload. The error names the lowest damaged one.
    fn check(
        &self,
        payload: &[u8],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(), TableError> {
        let (done, total) = (AtomicU64::new(0), payload.len() as u64);
        let chunks: Vec<_> = payload.chunks(CHUNK).zip(&self.crcs).collect();
        let damaged = AtomicUsize::new(usize::MAX);
        threads::each(chunks.len(), &|number| {
            let (chunk, &expected) = chunks[number];
            if crc32fast::hash(chunk) != expected {
                damaged.fetch_min(number, Ordering::Relaxed);
            }
            let bytes = chunk.len() as u64;
            progress(done.fetch_add(bytes, Ordering::Relaxed) + bytes, total);
        });
        let number = damaged.into_inner();
        let Some(&(chunk, &expected)) = chunks.get(number) else { return Ok(()) };
        let start = self.header.payload_offset() + (number * CHUNK) as u64;
        let kind = TableErrorKind::Chunk {
            number: number as u64,
            start,
            end: start + chunk.len() as u64,
            expected,
            found: crc32fast::hash(chunk),
        };
        Err(TableError::new(&self.path, kind))
    }

    /// The state of the file that a check holds for. It has the length, the inode, the checksum of
    /// the chunk table, and the times of the last change of bytes and inode. No program can set the
    /// time of the inode.
    fn state(&self) -> String {
        #[cfg(unix)]
        let (changed, inode) = {
            use std::os::unix::fs::MetadataExt;
            let (data, nanos) = (self.metadata.mtime(), self.metadata.mtime_nsec());
            let (inode, inode_nanos) = (self.metadata.ctime(), self.metadata.ctime_nsec());
            (format!("{data}.{nanos:09} {inode}.{inode_nanos:09}"), self.metadata.ino())
        };
        #[cfg(not(unix))]
        let (changed, inode) = {
            let time = self.metadata.modified().ok();
            let since = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            (since.map_or(-1, |since| since.as_nanos().cast_signed()), 0)
        };
        format!(
            "bytes {} changed {changed} inode {inode} chunk-table {:08x} header {:08x}\n",
            self.metadata.len(),
            self.header.chunk_table_crc(),
            self.header.crc(),
        )
    }

    fn is_verified(&self) -> bool {
        std::fs::read_to_string(verified_path(&self.path)).is_ok_and(|state| state == self.state())
    }

    /// Remembers that all chunks are right. If the folder is full or read-only, the next load
    /// checks again.
    pub(super) fn remember(&self) {
        let path = verified_path(&self.path);
        if std::fs::write(&path, self.state()).is_err() {
            let _ = std::fs::remove_file(&path);
        }
    }
}

/// The side file that remembers a check.
pub(super) fn verified_path(path: &Path) -> PathBuf {
    path.with_extension("verified")
}
