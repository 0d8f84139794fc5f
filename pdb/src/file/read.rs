//! Reads a table file: the checks of every load, the check of all chunks, and the payload.
//!
//! A failed check removes the mark of the file, see [`verified_mark`].
#![expect(unsafe_code, reason = "a mapped file is only as constant as the folder it lies in")]

use super::error::{TableError, TableErrorKind};
use super::format::{CHUNK, Header, PAGE, Page};
use super::regular_file;
use super::spec::TableSpec;
use super::verified_mark::{self, Mark};
use crate::memory::{Bytes, BytesMut};
use search::CancelToken;
use search::threads::{self, Task};
use serde_json::Value;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Where the payload is after loading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Load {
    /// Mapped read-only. Loading takes no time, and processes share the memory. Pages are huge only
    /// where the file system keeps files in large folios (ext4 since Linux 6.16, XFS and Btrfs).
    /// [`Bytes::populate`] maps many pages in a tenth of the time of their page faults.
    Mmap,
    /// Copied into memory with huge pages. Random reads are 1.2 to 1.6 times faster. The default.
    #[default]
    Ram,
}

/// The contents of a file's header.
#[derive(Clone, Debug, PartialEq)]
pub struct TableInfo {
    /// The path of the file.
    pub path: PathBuf,
    /// Name of the encoding.
    pub encoding: String,
    /// Number of entries of the table.
    pub entries: u64,
    /// Where the payload begins in the file, in bytes.
    pub payload_offset: u64,
    /// Size of the payload in bytes.
    pub payload_bytes: u64,
    /// The description from the [`TableSpec`].
    pub description: Value,
    /// BLAKE3 hash of description, encoding and lengths.
    pub fingerprint: [u8; 32],
    /// Whether all chunks passed a check since the file last changed.
    pub verified: bool,
}

impl TableInfo {
    /// The header of a file. Checks header, length and chunk table.
    ///
    /// # Errors
    /// If the file is missing or damaged, or has another version.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        Ok(open(path)?.info())
    }

    /// The specification of the table. Its name is that of the file.
    pub fn spec(&self) -> TableSpec {
        let Self { encoding, entries, payload_bytes, description, .. } = self;
        let name = self.path.file_stem().map(|name| name.to_string_lossy().into_owned());
        TableSpec {
            name: name.unwrap_or_default(),
            description: description.clone(),
            encoding: encoding.clone(),
            entries: *entries,
            payload_bytes: *payload_bytes,
        }
    }
}

/// Checks the fingerprint and every chunk of a file, and records the result in the mark. Calls
/// `progress` with the number of bytes checked so far and in all, from many threads. Ends early
/// once `progress` returns false.
///
/// # Errors
/// If the file is damaged. The error names the lowest damaged chunk. Also if `progress` ended the
/// check.
pub fn verify(
    path: &Path,
    progress: &(dyn Fn(u64, u64) -> bool + Sync),
) -> Result<TableInfo, TableError> {
    let opened = open(path)?;
    opened.found(opened.header.check_fingerprint().err())?;
    opened.check_chunks(progress)?;
    opened.remember();
    Ok(opened.info())
}

/// A pending check of all chunks of a mapped table. The caller may use the table while it runs.
///
/// The table passed its last check, but before the last boot. Results are not certain until
/// [`ChunkCheck::run`] has passed.
#[derive(Debug)]
#[must_use = "the table may be damaged"]
pub struct ChunkCheck {
    opened: OpenTable,
    payload: Bytes,
}

impl ChunkCheck {
    /// Checks every chunk on this thread, and records the result in the mark.
    ///
    /// # Errors
    /// If a chunk is damaged. The error names the lowest one. Also if the caller cancels.
    pub fn run(&self, cancel: &CancelToken) -> Result<(), TableError> {
        for (number, chunk) in self.payload.chunks(CHUNK).enumerate() {
            if cancel.is_cancelled() {
                return Err(self.opened.refuse(TableErrorKind::Cancelled));
            }
            self.payload.populate(number * CHUNK, chunk.len());
            self.opened.found(self.opened.damage(number, chunk))?;
        }
        self.opened.remember();
        Ok(())
    }
}

/// An open file whose header, length and chunk table have passed their checks.
#[derive(Debug)]
pub(super) struct OpenTable {
    path: PathBuf,
    file: File,
    metadata: Metadata,
    header: Header,
    /// CRC-32 of each chunk.
    crcs: Vec<u32>,
}

/// The damage of the lowest damaged chunk that any thread has found.
#[derive(Default)]
struct Worst(Mutex<Option<(usize, TableErrorKind)>>);

impl Worst {
    fn record(&self, number: usize, damage: Option<TableErrorKind>) {
        let Some(kind) = damage else { return };
        let mut worst = self.0.lock().expect("no thread panics while it holds this lock");
        if worst.as_ref().is_none_or(|(lowest, _)| number < *lowest) {
            *worst = Some((number, kind));
        }
    }

    fn kind(self) -> Option<TableErrorKind> {
        self.0.into_inner().expect("no thread panicked").map(|(_, kind)| kind)
    }
}

/// Opens a file and checks its header, length and chunk table. A failed check drops the mark.
pub(super) fn open(path: &Path) -> Result<OpenTable, TableError> {
    read_head(path).inspect_err(|error| {
        use TableErrorKind::{Io, Missing, NotRegular};
        if !matches!(error.kind(), Io { .. } | Missing | NotRegular { .. }) {
            verified_mark::forget(path);
        }
    })
}

fn read_head(path: &Path) -> Result<OpenTable, TableError> {
    let opened = regular_file::open(path, OpenOptions::new().read(true), "open the file");
    let (mut file, metadata) = opened.map_err(|error| match error.kind() {
        // If the path of the folder is a file, there is no table either. Saving one will be an
        // error.
        TableErrorKind::Io { source, .. }
            if matches!(source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
        {
            TableError::new(path, TableErrorKind::Missing)
        }
        _ => error,
    })?;
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
    // The file is as long as the header says, so a damaged header cannot make this length too
    // large.
    let mut table = vec![0; usize::try_from(4 * header.chunks()).expect("4 bytes a mebibyte")];
    file.read_exact(&mut table).map_err(TableError::io(path, "read the chunk table"))?;
    let (expected, found) = (header.chunk_table_crc(), crc32fast::hash(&table));
    if expected != found {
        let (start, end) = (PAGE, PAGE + table.len() as u64);
        return Err(refuse(TableErrorKind::ChunkTable { start, end, expected, found }));
    }
    let begin = PAGE + table.len() as u64;
    let mut padding = vec![0; usize::try_from(header.payload_offset() - begin).expect("a page")];
    file.read_exact(&mut padding).map_err(TableError::io(path, "read the padding"))?;
    if let Some((at, &found)) = (begin..).zip(&padding).find(|(_, byte)| **byte != 0) {
        return Err(refuse(TableErrorKind::Padding { at, found }));
    }
    let crcs = table.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    Ok(OpenTable { path: path.to_owned(), file, metadata, header, crcs })
}

impl OpenTable {
    /// Returns an error if the file has another table.
    pub(super) fn is_of(&self, spec: &TableSpec) -> Result<(), TableError> {
        self.header.is_of(spec).map_err(|kind| {
            verified_mark::forget(&self.path);
            self.refuse(kind)
        })
    }

    fn refuse(&self, kind: TableErrorKind) -> TableError {
        TableError::new(&self.path, kind)
    }

    /// The contents of the header.
    pub(super) fn info(&self) -> TableInfo {
        let description = self.header.description();
        TableInfo {
            path: self.path.clone(),
            encoding: self.header.encoding(),
            entries: self.header.entries(),
            payload_offset: self.header.payload_offset(),
            payload_bytes: self.header.payload_bytes(),
            description: serde_json::from_str(&description).unwrap_or(Value::String(description)),
            fingerprint: self.header.fingerprint(),
            verified: self.mark() != Mark::None,
        }
    }

    /// Loads the payload. With [`Load::Mmap`], it may return a check for the caller to run. It does
    /// so if the unchanged file passed its last check before the last boot.
    pub(super) fn load(
        self,
        load: Load,
        cancel: &CancelToken,
    ) -> Result<(Bytes, Option<ChunkCheck>), TableError> {
        if load == Load::Ram {
            return self.copy(cancel).map(|bytes| (bytes, None));
        }
        let mapped = self.map()?;
        match self.mark() {
            Mark::Current => Ok((mapped, None)),
            Mark::Earlier => {
                let payload = mapped.clone();
                Ok((mapped, Some(ChunkCheck { opened: self, payload })))
            }
            Mark::None => {
                self.check_map(&mapped, cancel)?;
                self.remember();
                Ok((mapped, None))
            }
        }
    }

    /// Reads the payload into memory, and checks each chunk of the copy.
    ///
    /// It does not copy from a map, because map and copy would hold the payload twice.
    fn copy(&self, cancel: &CancelToken) -> Result<Bytes, TableError> {
        let mut memory = BytesMut::zeroed(self.payload_len()?)
            .map_err(TableError::io(&self.path, "get memory for the table"))?;
        let worst = Worst::default();
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for (number, chunk) in memory.as_mut_slice().chunks_mut(CHUNK).enumerate() {
            let worst = &worst;
            tasks.push(Box::new(move || match cancel.is_cancelled() {
                true => worst.record(usize::MAX, Some(TableErrorKind::Cancelled)),
                false => worst.record(number, self.read_and_check(number, chunk)),
            }));
        }
        threads::run_all(tasks);
        self.found(worst.kind())?;
        Ok(memory.freeze())
    }

    /// Reads a chunk, and returns what is wrong with it.
    fn read_and_check(&self, number: usize, chunk: &mut [u8]) -> Option<TableErrorKind> {
        match self.read_chunk(number, chunk) {
            Ok(()) => self.damage(number, chunk),
            Err(source) => {
                let (action, source) = ("read the table", Arc::new(source));
                Some(TableErrorKind::Io { action, source })
            }
        }
    }

    /// Reads a chunk of the payload.
    fn read_chunk(&self, number: usize, chunk: &mut [u8]) -> io::Result<()> {
        let at = self.header.payload_offset() + (number * CHUNK) as u64;
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_exact_at(&self.file, chunk, at);
        #[cfg(not(unix))]
        {
            // A handle of its own, because threads share the position of this one.
            let mut file = File::open(&self.path)?;
            io::Seek::seek(&mut file, io::SeekFrom::Start(at))?;
            file.read_exact(chunk)
        }
    }

    fn payload_len(&self) -> Result<usize, TableError> {
        usize::try_from(self.header.payload_bytes())
            .map_err(|_| ErrorKind::OutOfMemory.into())
            .map_err(TableError::io(&self.path, "map the table"))
    }

    fn map(&self) -> Result<Bytes, TableError> {
        let len = self.payload_len()?;
        // SAFETY: this crate writes a table file under another name, renames it, and never changes
        // it afterwards. Removing a file leaves its mapped bytes intact. `TableStore` asks other
        // programs to do the same.
        unsafe { Bytes::map_file(&self.file, self.header.payload_offset(), len) }
            .map_err(TableError::io(&self.path, "map the table"))
    }

    /// Reads and checks every chunk in the file. Ends early once `progress` returns false.
    ///
    /// It does not map the file, because the pages of a map would count as memory of the process.
    pub(super) fn check_chunks(
        &self,
        progress: &(dyn Fn(u64, u64) -> bool + Sync),
    ) -> Result<(), TableError> {
        let spare: Mutex<Vec<Vec<u8>>> = Mutex::default();
        let lock = || spare.lock().expect("no thread panics while it holds this lock");
        self.check(self.payload_len()?, progress, &|number, len| {
            let mut chunk = lock().pop().unwrap_or_default();
            chunk.resize(len, 0);
            let damage = self.read_and_check(number, &mut chunk);
            lock().push(chunk);
            damage
        })
    }

    /// Checks every chunk of a mapped payload.
    fn check_map(&self, payload: &Bytes, cancel: &CancelToken) -> Result<(), TableError> {
        self.check(payload.len(), &|_, _| !cancel.is_cancelled(), &|number, len| {
            payload.populate(number * CHUNK, len);
            self.damage(number, &payload[number * CHUNK..][..len])
        })
    }

    /// Calls `damage` with the number and length of every chunk of `len` bytes. The error names the
    /// lowest damaged one.
    fn check(
        &self,
        len: usize,
        progress: &(dyn Fn(u64, u64) -> bool + Sync),
        damage: &(dyn Fn(usize, usize) -> Option<TableErrorKind> + Sync),
    ) -> Result<(), TableError> {
        let (done, total) = (AtomicU64::new(0), len as u64);
        let (worst, ended) = (Worst::default(), AtomicBool::new(false));
        threads::each(len.div_ceil(CHUNK), &|number| {
            if ended.load(Ordering::Relaxed) {
                return;
            }
            let chunk = CHUNK.min(len - number * CHUNK);
            worst.record(number, damage(number, chunk));
            let bytes = chunk as u64;
            if !progress(done.fetch_add(bytes, Ordering::Relaxed) + bytes, total) {
                ended.store(true, Ordering::Relaxed);
            }
        });
        self.found(worst.kind())?;
        // If `progress` ended the check after the last chunk, the check is complete all the same.
        if done.into_inner() < total {
            return Err(self.refuse(TableErrorKind::Cancelled));
        }
        Ok(())
    }

    /// The damage of a chunk. `None` if its checksum is right.
    fn damage(&self, number: usize, chunk: &[u8]) -> Option<TableErrorKind> {
        let (expected, found) = (self.crcs[number], crc32fast::hash(chunk));
        let start = self.header.payload_offset() + (number * CHUNK) as u64;
        let (number, end) = (number as u64, start + chunk.len() as u64);
        let damage = TableErrorKind::Chunk { number, start, end, expected, found };
        (found != expected).then_some(damage)
    }

    /// Turns the damage that a check found into a result. Removes the mark if there is damage.
    fn found(&self, damaged: Option<TableErrorKind>) -> Result<(), TableError> {
        let Some(kind) = damaged else { return Ok(()) };
        if !matches!(kind, TableErrorKind::Cancelled | TableErrorKind::Io { .. }) {
            verified_mark::forget(&self.path);
        }
        Err(self.refuse(kind))
    }

    fn state(&self) -> String {
        verified_mark::state(&self.metadata, [self.header.chunk_table_crc(), self.header.crc()])
    }

    fn mark(&self) -> Mark {
        verified_mark::read(&self.path, &self.file, &self.state())
    }

    /// Writes the mark: all chunks passed their check.
    pub(super) fn remember(&self) {
        verified_mark::write(&self.path, &self.file, &self.state());
    }
}
