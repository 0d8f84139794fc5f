//! Writing a table file: under a temporary name, checked, synced, then renamed.

use super::error::{TableError, TableErrorKind};
use super::format::{CHUNK, Header, payload_offset};
use super::spec::TableSpec;
use super::{read, regular_file, verified_mark};
use search::CancelToken;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;
use web_time::Instant;

/// Bytes of a huge page, and of one write. Each write ends at a multiple of them in the file.
///
/// A file system with large folios keeps such a piece in one huge page. A map of the file then has
/// huge pages, too.
const PIECE: usize = 2 << 20;

/// A writer that collects the bytes of a [`PIECE`].
struct Pieces<'a> {
    file: &'a mut File,
    piece: Vec<u8>,
    /// Bytes until the end of the piece.
    left: usize,
}

impl<'a> Pieces<'a> {
    /// Writes from an offset of the file on.
    fn new(file: &'a mut File, offset: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(offset))?;
        let left = PIECE as u64 - offset % PIECE as u64;
        let left = usize::try_from(left).expect("at most a piece");
        Ok(Self { file, piece: Vec::with_capacity(left), left })
    }

    fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(self.left));
            self.piece.extend_from_slice(now);
            self.left -= now.len();
            if self.left == 0 {
                self.end_piece()?;
            }
            bytes = later;
        }
        Ok(())
    }

    /// Writes the bytes of the piece, complete or not.
    fn end_piece(&mut self) -> io::Result<()> {
        self.file.write_all(&self.piece)?;
        self.piece.clear();
        self.left = PIECE;
        Ok(())
    }
}

/// A writer that counts the bytes, and computes the checksum of each chunk.
struct Chunks<'a> {
    out: Pieces<'a>,
    crcs: Vec<[u8; 4]>,
    crc: crc32fast::Hasher,
    written: u64,
    most: u64,
}

impl Write for Chunks<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        if self.written + bytes.len() as u64 > self.most {
            let message = format!("a payload of more than {} bytes", self.most);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let left = CHUNK as u64 - self.written % CHUNK as u64;
        let part = &bytes[..bytes.len().min(usize::try_from(left).expect("at most a chunk"))];
        self.out.write_all(part)?;
        self.crc.update(part);
        self.written += part.len() as u64;
        if self.written.is_multiple_of(CHUNK as u64) || self.written == self.most {
            let crc = std::mem::take(&mut self.crc).finalize();
            self.crcs.push(crc.to_le_bytes());
        }
        Ok(part.len())
    }

    /// Writes the complete pieces so far to the disk.
    fn flush(&mut self) -> io::Result<()> {
        self.out.file.sync_data()
    }
}

/// Number of bytes after which a file is synced, so that the last sync of a large file is short.
const SYNCED: usize = 8 << 20;
/// If the work is cancelled, a file is given up when its writing has taken longer than this.
const PATIENCE: Duration = Duration::from_millis(30);

/// Tells whether to continue with a file: not if the work is cancelled and the file takes long.
struct Patience<'a> {
    cancel: Option<&'a CancelToken>,
    started: Instant,
}

impl Patience<'_> {
    fn goes_on(&self) -> bool {
        let late = self.started.elapsed() > PATIENCE;
        !(late && self.cancel.is_some_and(CancelToken::is_cancelled))
    }
}

/// A writer that fails once [`Patience`] ends the file. Syncs the file piece by piece.
struct Stoppable<'a> {
    out: &'a mut dyn Write,
    patience: &'a Patience<'a>,
    /// Bytes that were written since the last sync.
    unsynced: usize,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.patience.goes_on() {
            return Err(io::Error::other("cancelled"));
        }
        let written = self.out.write(bytes)?;
        self.unsynced += written;
        if self.unsynced >= SYNCED {
            self.unsynced = 0;
            self.out.flush()?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a table to `path`, which must not exist. `fill` writes the payload. After an error no
/// file is left behind.
///
/// If cancelled, ends with [`TableErrorKind::Cancelled`] unless the file is done soon.
pub(super) fn write(
    spec: &TableSpec,
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    path: &Path,
    cancel: Option<&CancelToken>,
) -> Result<(), TableError> {
    let patience = Patience { cancel, started: Instant::now() };
    let mut fill = |out: &mut dyn Write| {
        let mut out = Stoppable { out, patience: &patience, unsynced: 0 };
        fill(&mut out)
    };
    let written = write_and_sync(spec, &mut fill, path, &|| patience.goes_on(), sync_folder);
    written.map_err(|error| match patience.goes_on() {
        true => error,
        false => TableError::new(path, TableErrorKind::Cancelled),
    })
}

/// Syncs a folder, so that its new names survive a power failure.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// As [`write()`], with a function that syncs the folder, and one that tells whether to continue.
pub(super) fn write_and_sync(
    spec: &TableSpec,
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    path: &Path,
    goes_on: &(dyn Fn() -> bool + Sync),
    sync_folder: fn(&Path) -> io::Result<()>,
) -> Result<(), TableError> {
    let refuse = |kind| TableError::new(path, kind);
    spec.check().map_err(refuse)?;
    if regular_file::is_taken(path) {
        return Err(refuse(TableErrorKind::Exists));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    // The file is deleted when dropped, unless it is renamed before.
    let mut temporary =
        verified_mark::temporary(path).map_err(TableError::io(path, "create a temporary file"))?;
    let most = spec.payload_bytes;
    let mut write = |file: &mut File| {
        let out = Pieces::new(file, payload_offset(most))?;
        let (crcs, crc) = (Vec::new(), crc32fast::Hasher::new());
        let mut chunks = Chunks { out, crcs, crc, written: 0, most };
        fill(&mut chunks)?;
        chunks.out.end_piece()?;
        Ok((chunks.written, chunks.crcs))
    };
    let failed = || TableError::io(path, "write the table");
    let file = temporary.as_file_mut();
    let (written, crcs) = write(file).map_err(failed())?;
    if written != most {
        return Err(refuse(TableErrorKind::Spec(format!(
            "the payload has {written} bytes, the specification says {most}"
        ))));
    }
    let header = Header::of(spec, crc32fast::hash(crcs.as_flattened()));
    // Between the checksums and the payload the file has a hole, which reads as zeros.
    let begin = |file: &mut File| {
        file.rewind()?;
        file.write_all(header.as_bytes())?;
        file.write_all(crcs.as_flattened())?;
        file.sync_all()
    };
    begin(file).map_err(failed())?;
    // The file is read back before it gets its name.
    read::open(temporary.path())
        .and_then(|opened| opened.check_chunks(&|_, _| goes_on()))
        .map_err(|error| error.at(path))?;
    temporary.persist_noclobber(path).map_err(|error| {
        if error.error.kind() == std::io::ErrorKind::AlreadyExists {
            refuse(TableErrorKind::Exists)
        } else {
            TableError::io(path, "rename the temporary file")(error.error)
        }
    })?;
    sync_folder(folder).map_err(|error| {
        // After a crash the name might not be there, so the table does not count as saved.
        let _ = std::fs::remove_file(path);
        TableError::io(path, "sync the folder")(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn pieces_of_a_file_keep_the_order_of_the_bytes() {
        let mut file = tempfile::tempfile().expect("a file");
        let bytes: Vec<u8> =
            (0..5_000_000_u32).map(|i| i.wrapping_mul(0x9e37_79b9).to_be_bytes()[0]).collect();
        let mut pieces = Pieces::new(&mut file, 8192).expect("an offset");
        // Parts smaller and larger than a piece, and the end of a piece within a part.
        let (small, large) = bytes.split_at(PIECE - 8192 - 5);
        small.chunks(70_001).for_each(|part| pieces.write_all(part).expect("written"));
        pieces.write_all(large).expect("written");
        pieces.end_piece().expect("written");
        let mut read = Vec::new();
        file.rewind().expect("rewound");
        file.read_to_end(&mut read).expect("read");
        assert!(read[..8192].iter().all(|&byte| byte == 0));
        assert!(read[8192..] == bytes);
    }
}
