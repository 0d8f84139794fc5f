//! The files of a search on disk: two slots for the codes of each bucket, and a spill file.
//! [`super::spill_files`] reads and writes the latter.

use super::io_thread::with_io_thread;
use crate::builder::BuildError;
use crate::file::{TableError, TableErrorKind, sync_folder};
use crate::layers::ExhaustError;
use search::CancelToken;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};

/// Bytes of one read or write. The search looks at the token before each.
pub(super) const PIECE: usize = 1 << 20;
/// Bytes after which a file is synced, so that the last sync of a large bucket is short.
const SYNCED: usize = 8 << 20;

/// One of the two files of a bucket. A layer writes the slot that the layer before did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    A,
    B,
}

impl Slot {
    pub(super) fn other(self) -> Self {
        if self == Self::A { Self::B } else { Self::A }
    }
}

/// A part of a file that a thread syncs beside the work.
pub(super) struct FileToSync {
    file: File,
    path: PathBuf,
}

/// Takes written files, to sync them beside the work.
pub(super) type Syncs = SyncSender<FileToSync>;

/// The folder of a search's files. Bytes that were read and written are counted.
pub(super) struct BucketFiles<'a> {
    folder: PathBuf,
    cancel: Option<&'a CancelToken>,
    /// Number of layers that are saved, for error texts.
    saved: AtomicUsize,
    pub(super) read: AtomicU64,
    pub(super) written: AtomicU64,
}

impl<'a> BucketFiles<'a> {
    /// Creates the folder if there is none.
    pub(super) fn new(
        folder: PathBuf,
        cancel: Option<&'a CancelToken>,
    ) -> Result<Self, ExhaustError> {
        let (read, written) = (AtomicU64::new(0), AtomicU64::new(0));
        let files = Self { folder, cancel, saved: AtomicUsize::new(0), read, written };
        fs::create_dir_all(&files.folder).map_err(files.failed(&files.folder, "create it"))?;
        Ok(files)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Notes how many layers a later run will find.
    pub(super) fn set_saved(&self, layers: usize) {
        self.saved.store(layers, Relaxed);
    }

    fn failed(
        &self,
        path: &Path,
        action: &'static str,
    ) -> impl FnOnce(io::Error) -> ExhaustError + use<'a> {
        let (path, layers) = (path.to_owned(), self.saved.load(Relaxed));
        move |source| {
            let kind = TableErrorKind::Layers { action, source: Arc::new(source), layers };
            ExhaustError::File(TableError::layers(&path, kind))
        }
    }

    /// An error if the caller has cancelled.
    pub(super) fn check(&self) -> Result<(), ExhaustError> {
        match self.cancel.is_some_and(CancelToken::is_cancelled) {
            true => Err(BuildError::Cancelled.into()),
            false => Ok(()),
        }
    }

    fn path(&self, bucket: usize, slot: Slot) -> PathBuf {
        let ending = if slot == Slot::A { "a" } else { "b" };
        self.folder.join(format!("{bucket}.{ending}"))
    }

    fn spill_path(&self, bucket: usize) -> PathBuf {
        self.folder.join(format!("{bucket}.spill"))
    }

    /// Removes the files of the search, except the files for which `keep` is true.
    pub(super) fn clear(&self, keep: &dyn Fn(usize, Slot) -> bool) -> Result<(), ExhaustError> {
        let failed = |path: &Path| self.failed(path, "remove it");
        let entries = fs::read_dir(&self.folder).map_err(failed(&self.folder))?;
        for entry in entries {
            let path = entry.map_err(failed(&self.folder))?.path();
            let number = path.file_stem().and_then(|stem| stem.to_str()?.parse::<usize>().ok());
            let ending = path.extension().and_then(|ending| ending.to_str());
            let stray = match (number, ending) {
                (Some(bucket), Some("a")) => !keep(bucket, Slot::A),
                (Some(bucket), Some("b")) => !keep(bucket, Slot::B),
                (Some(_), Some("spill")) => true,
                _ => false,
            };
            if stray {
                fs::remove_file(&path).map_err(failed(&path))?;
            }
        }
        Ok(())
    }

    /// Removes all files, and the folder if it has no files of others.
    pub(super) fn remove(&self) -> Result<(), ExhaustError> {
        self.clear(&|_, _| false)?;
        match fs::remove_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
            removed => removed.map_err(self.failed(&self.folder, "remove it")),
        }
    }

    /// Fills `bytes` from a bucket's file and returns their CRC-32.
    pub(super) fn load(
        &self,
        bucket: usize,
        slot: Slot,
        bytes: &mut [u8],
    ) -> Result<u32, ExhaustError> {
        let path = self.path(bucket, slot);
        let failed = || self.failed(&path, "read it");
        let mut file = File::open(&path).map_err(failed())?;
        let mut crc = crc32fast::Hasher::new();
        for piece in bytes.chunks_mut(PIECE) {
            self.check()?;
            file.read_exact(piece).map_err(failed())?;
            crc.update(piece);
        }
        self.read.fetch_add(bytes.len() as u64, Relaxed);
        Ok(crc.finalize())
    }

    /// The error that a bucket's file is not what was written.
    pub(super) fn damaged(&self, bucket: usize, slot: Slot) -> ExhaustError {
        let error = io::Error::new(io::ErrorKind::InvalidData, "its checksum is wrong");
        self.failed(&self.path(bucket, slot), "read it")(error)
    }

    /// Calls `work`, and beside it syncs the files that it writes. At the end all are on the disk.
    pub(super) fn syncing(
        &self,
        work: impl FnOnce(&Syncs) -> Result<(), ExhaustError>,
    ) -> Result<(), ExhaustError> {
        let (syncs, written) = sync_channel::<FileToSync>(1);
        let sync = || {
            written.into_iter().try_for_each(|FileToSync { file, path }| {
                self.check()?;
                file.sync_all().map_err(self.failed(&path, "sync it"))
            })
        };
        with_io_thread(&self.folder, sync, move || work(&syncs))
    }

    /// Writes a bucket's file and returns the CRC-32 of its bytes. The file is on the disk at the
    /// end of [`BucketFiles::syncing`].
    pub(super) fn save(
        &self,
        bucket: usize,
        slot: Slot,
        bytes: &[u8],
        syncs: &Syncs,
    ) -> Result<u32, ExhaustError> {
        let path = self.path(bucket, slot);
        let failed = || self.failed(&path, "write it");
        let mut file = create(&path).map_err(failed())?;
        let mut crc = crc32fast::Hasher::new();
        for part in bytes.chunks(SYNCED) {
            for piece in part.chunks(PIECE) {
                self.check()?;
                file.write_all(piece).map_err(failed())?;
                crc.update(piece);
            }
            let unsynced =
                FileToSync { file: file.try_clone().map_err(failed())?, path: path.clone() };
            // If the thread has ended, its error counts.
            syncs.send(unsynced).map_err(|_| BuildError::Cancelled)?;
        }
        self.written.fetch_add(bytes.len() as u64, Relaxed);
        Ok(crc.finalize())
    }

    /// Tells the operating system that a bucket's file, if it has one, is read soon.
    pub(super) fn expect(&self, bucket: usize, slot: Option<Slot>) {
        #[cfg(target_os = "linux")]
        if let Some(Ok(file)) = slot.map(|slot| File::open(self.path(bucket, slot))) {
            // Without it, the file is read when it is needed.
            let _ = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::WillNeed);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (bucket, slot);
    }

    /// Removes a bucket's file, if there is one.
    pub(super) fn discard(&self, bucket: usize, slot: Slot) -> Result<(), ExhaustError> {
        let path = self.path(bucket, slot);
        remove(&path).map_err(self.failed(&path, "remove it"))
    }

    /// Appends a frame to a bucket's spill file, or creates the file with it.
    pub(super) fn append_spill(
        &self,
        bucket: usize,
        frame: &[u8],
        is_new: bool,
    ) -> Result<(), ExhaustError> {
        let path = self.spill_path(bucket);
        let file = match is_new {
            true => create(&path),
            false => OpenOptions::new().append(true).open(&path),
        };
        let written = file.and_then(|mut file| file.write_all(frame));
        written.map_err(self.failed(&path, "write it"))?;
        self.written.fetch_add(frame.len() as u64, Relaxed);
        Ok(())
    }

    /// Opens a bucket's spill file.
    pub(super) fn open_spill(&self, bucket: usize) -> Result<File, ExhaustError> {
        let path = self.spill_path(bucket);
        File::open(&path).map_err(self.failed(&path, "read it"))
    }

    /// The error of a spill file that cannot be read.
    pub(super) fn spill_failed(&self, bucket: usize, error: io::Error) -> ExhaustError {
        self.failed(&self.spill_path(bucket), "read it")(error)
    }

    /// Removes a bucket's spill file.
    pub(super) fn remove_spill(&self, bucket: usize) -> Result<(), ExhaustError> {
        let path = self.spill_path(bucket);
        remove(&path).map_err(self.failed(&path, "remove it"))
    }

    /// Syncs the folder, so that the names of its files survive a power failure.
    pub(super) fn sync_names(&self) -> Result<(), ExhaustError> {
        sync_folder(&self.folder).map_err(self.failed(&self.folder, "sync it"))
    }

    /// Bytes that the file system of the folder has left. `None` if it does not say.
    pub(super) fn free(&self) -> Option<u64> {
        #[cfg(unix)]
        {
            let told = rustix::fs::statvfs(&self.folder).ok()?;
            told.f_bavail.checked_mul(told.f_frsize)
        }
        #[cfg(not(unix))]
        None
    }
}

/// Creates a file in the place of what may be there. Never follows a link.
fn create(path: &Path) -> io::Result<File> {
    remove(path)?;
    OpenOptions::new().write(true).create_new(true).open(path)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
