//! A folder of table files: [`TableStore`].

use super::error::{TableError, TableErrorKind};
use super::read::{self, ChunkCheck, Load, TableInfo};
use super::spec::TableSpec;
use super::{regular_file, verified_mark, write};
use crate::memory::Bytes;
use search::CancelToken;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Ending of a table file. Beside `NAME.table` there may be `NAME.verified` (see
/// [`verify`](super::verify)) and, during a build, an empty `NAME.lock`.
pub(super) const ENDING: &str = "table";
/// Time between two attempts to take a lock that another process holds.
const PAUSE: Duration = Duration::from_millis(50);

/// A folder of table files. The folder is created when the first file is saved.
///
/// Tables that are loaded with [`Load::Mmap`] stay in their files. While they are in use, no other
/// program may change or shorten these files. It may remove or replace them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableStore {
    /// The path of the folder.
    pub folder: PathBuf,
}

/// The lock of a table. While it exists, no other process builds the table. Dropping it releases
/// the lock.
#[derive(Debug)]
pub struct BuildLock {
    file: File,
    path: PathBuf,
}

impl Drop for BuildLock {
    /// Releases the lock. Removes the lock file first, if the path still leads to the locked file.
    fn drop(&mut self) {
        // On other systems an open file cannot be removed, or `is_at` cannot tell whether it was.
        #[cfg(unix)]
        if is_at(&self.file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether a path still leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
        matches!(
            (file.metadata().map(id), std::fs::metadata(path).map(id)),
            (Ok(open), Ok(found)) if open == found
        )
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// The bytes of a table that was loaded or built.
#[derive(Debug)]
pub struct TablePayload {
    /// The bytes of the table's entries.
    pub bytes: Bytes,
    /// The result of saving the table after it was built. `None` if it was loaded. After an error,
    /// the table must be built again next time.
    pub saved: Option<Result<PathBuf, TableError>>,
    /// A check that the caller must run before it relies on any value of the table. `None` if the
    /// table is checked already. See [`TableStore::obtain`].
    pub check: Option<ChunkCheck>,
}

/// Why a table could neither be loaded nor built.
#[derive(Debug, thiserror::Error)]
pub enum ObtainError<E> {
    /// The file exists but cannot be used.
    #[error(transparent)]
    Table(TableError),
    /// The file did not exist, and the build failed.
    #[error(transparent)]
    Build(E),
    /// The caller stopped waiting for another process, or cancelled a check or the saving.
    #[error("cancelled")]
    Cancelled,
}

impl TableStore {
    /// A store in this folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The path that the file of a table with this name has, whether it exists or not.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{ENDING}"))
    }

    /// The error that the payload of a table's file is wrong, though its checksums are right.
    pub fn wrong_contents(
        &self,
        name: &str,
        found: &'static str,
        expected: &'static str,
    ) -> TableError {
        TableError::new(&self.path(name), TableErrorKind::Contents { found, expected })
    }

    /// The header of a table's file. `None` if there is no file. Checks header, length and chunk
    /// table.
    ///
    /// # Errors
    /// If the file is damaged, or has another version or another table.
    pub fn find(&self, spec: &TableSpec) -> Result<Option<TableInfo>, TableError> {
        match self.open(spec) {
            Ok(opened) => Ok(Some(opened.info())),
            Err(error) if matches!(error.kind(), TableErrorKind::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The header of the file with this name. Checks header, length and chunk table.
    ///
    /// # Errors
    /// If the file is missing or damaged, or has another version.
    pub fn info(&self, name: &str) -> Result<TableInfo, TableError> {
        TableSpec::check_name(name).map_err(|kind| TableError::folder(&self.folder, kind))?;
        Ok(read::open(&self.path(name))?.info())
    }

    /// Loads the payload of a table. With [`Load::Ram`], all chunks are checked. With
    /// [`Load::Mmap`], they are checked unless the side file `NAME.verified` says that they passed
    /// since the last boot.
    ///
    /// # Errors
    /// If the file is missing, damaged, or has another version or another table, or the operating
    /// system refuses something.
    pub fn load(&self, spec: &TableSpec, load: Load) -> Result<Bytes, TableError> {
        let cancel = CancelToken::new();
        let (bytes, check) = self.open(spec)?.load(load, &cancel)?;
        check.map_or(Ok(()), |check| check.run(&cancel))?;
        Ok(bytes)
    }

    /// Saves a payload. Writes it under a temporary name, reads it back, syncs it, renames it, and
    /// syncs the folder.
    ///
    /// # Errors
    /// If the file exists already, the specification is invalid, or the operating system refuses
    /// something (no space, no right). Then no file is left behind.
    pub fn save(&self, spec: &TableSpec, payload: &[u8]) -> Result<PathBuf, TableError> {
        if payload.len() as u64 != spec.payload_bytes {
            let (found, expected) = (payload.len(), spec.payload_bytes);
            let message =
                format!("the payload has {found} bytes, the specification says {expected}");
            return Err(TableError::new(&self.path(&spec.name), TableErrorKind::Spec(message)));
        }
        self.save_with(spec, &mut |out| out.write_all(payload))
    }

    /// As [`TableStore::save`], for a payload that `fill` writes piece by piece.
    ///
    /// # Errors
    /// As [`TableStore::save`]. Also if `fill` fails, or writes another number of bytes than the
    /// specification says.
    pub fn save_with(
        &self,
        spec: &TableSpec,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, TableError> {
        self.save_until(spec, fill, None)
    }

    /// As [`TableStore::save_with`]. If cancelled, it fails with [`TableErrorKind::Cancelled`],
    /// unless the file is done soon.
    pub(crate) fn save_until(
        &self,
        spec: &TableSpec,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
        cancel: Option<&CancelToken>,
    ) -> Result<PathBuf, TableError> {
        self.create_folder()?;
        let path = self.path(&spec.name);
        write::write(spec, fill, &path, cancel)?;
        read::open(&path)?.remember();
        Ok(path)
    }

    /// All tables of the folder, sorted by path. A file that cannot be used is listed with its
    /// error. A folder that does not exist counts as empty.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list(&self) -> Result<Vec<Result<TableInfo, TableError>>, TableError> {
        // Temporary files have another ending.
        let is_table = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == ENDING);
        let paths = self.paths()?;
        let tables = paths.iter().filter(is_table);
        Ok(tables.map(|path| read::open(path).map(|opened| opened.info())).collect())
    }

    /// The paths of everything in the folder, sorted. A folder that does not exist counts as empty.
    pub(super) fn paths(&self) -> Result<Vec<PathBuf>, TableError> {
        let refuse = || self.refuse("read it");
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(refuse())?,
        };
        let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(refuse()));
        let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
        paths.sort();
        Ok(paths)
    }

    /// Removes a table and its side files, even damaged ones. Returns whether there was a table.
    ///
    /// # Errors
    /// If another process builds the table, or the operating system refuses.
    pub fn remove(&self, spec: &TableSpec) -> Result<bool, TableError> {
        let path = self.path(&spec.name);
        self.check_name(spec)?;
        if !regular_file::is_taken(&path) {
            return Ok(false);
        }
        let Some(_lock) = self.lock_to_remove(spec)? else {
            return Err(TableError::new(&path, TableErrorKind::Locked));
        };
        verified_mark::forget(&path);
        std::fs::remove_file(&path).map_err(TableError::io(&path, "remove the file"))?;
        Ok(true)
    }

    /// Takes the lock of a table. `None` if another process, or another lock of this process, holds
    /// it.
    ///
    /// # Errors
    /// If the folder cannot be written to, or its file system has no locks.
    pub fn try_lock(&self, spec: &TableSpec) -> Result<Option<BuildLock>, TableError> {
        self.lock(spec, &mut || false)
    }

    /// As [`TableStore::try_lock`]. A link or a pipe in the place of the lock file locks nothing,
    /// and is removed first.
    pub(super) fn lock_to_remove(&self, spec: &TableSpec) -> Result<Option<BuildLock>, TableError> {
        let lock = self.try_lock(spec);
        match &lock {
            Err(error) if matches!(error.kind(), TableErrorKind::NotRegular { .. }) => {
                let path = error.path();
                std::fs::remove_file(path).map_err(TableError::io(path, "remove the file"))?;
                self.try_lock(spec)
            }
            _ => lock,
        }
    }

    /// Takes the lock of a table, and waits for it if necessary. Meanwhile it calls `wait` about
    /// every 50 ms. Returns `None` as soon as `wait` returns false.
    ///
    /// # Errors
    /// If the folder cannot be written to, or its file system has no locks.
    pub fn lock(
        &self,
        spec: &TableSpec,
        wait: &mut dyn FnMut() -> bool,
    ) -> Result<Option<BuildLock>, TableError> {
        loop {
            let (file, path) = self.lock_file(spec)?;
            match file.try_lock() {
                // The last owner may have removed the lock file. Then the lock guards nothing.
                Ok(()) if !is_at(&file, &path) => {}
                Ok(()) => return Ok(Some(BuildLock { file, path })),
                // A wait in the system could not be cancelled.
                Err(TryLockError::WouldBlock) if wait() => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => {
                    return Err(TableError::io(&path, "lock")(error));
                }
            }
        }
    }

    /// Loads a table, or builds and saves it if there is no file. If another process builds it,
    /// waits while `wait` returns true, then loads it. `cancel` ends the check of the chunks, and
    /// the saving of a large table.
    ///
    /// A mapped table that passed its check before the last boot is returned at once, with a check
    /// for the caller to run: [`TablePayload::check`]. A build removes the files that killed builds
    /// of this table left.
    ///
    /// # Errors
    /// - The file exists but cannot be used. It is not overwritten.
    /// - The build failed, or the wait or the saving was cancelled.
    ///
    /// It is no error if the built table cannot be saved: see [`TablePayload::saved`].
    pub fn obtain<E>(
        &self,
        spec: &TableSpec,
        (load, cancel): (Load, &CancelToken),
        wait: &mut dyn FnMut() -> bool,
        build: impl FnOnce() -> Result<Bytes, E>,
    ) -> Result<TablePayload, ObtainError<E>> {
        self.obtain_sized(&|_| spec.clone(), (load, cancel), wait, || build().map(Some))
    }

    /// As [`TableStore::obtain`], for a payload whose length its build decides. `spec_of` gives the
    /// specification of a payload of so many bytes. Its name is always the same. A file whose
    /// length its specification does not have is refused.
    ///
    /// If `build` returns `None`, it has saved the file itself, for example because the table
    /// exceeds the memory.
    ///
    /// # Errors
    /// As [`TableStore::obtain`].
    pub fn obtain_sized<E>(
        &self,
        spec_of: &dyn Fn(u64) -> TableSpec,
        (load, cancel): (Load, &CancelToken),
        wait: &mut dyn FnMut() -> bool,
        build: impl FnOnce() -> Result<Option<Bytes>, E>,
    ) -> Result<TablePayload, ObtainError<E>> {
        let spec = &spec_of(1);
        let opened = || self.open_sized(spec_of);
        let existing = || match opened().and_then(|opened| opened.load(load, cancel)) {
            Ok((bytes, check)) => Ok(Some(TablePayload { bytes, saved: None, check })),
            Err(error) => match error.kind() {
                TableErrorKind::Missing => Ok(None),
                TableErrorKind::Cancelled => Err(ObtainError::Cancelled),
                _ => Err(ObtainError::Table(error)),
            },
        };
        if let Some(obtained) = existing()? {
            return Ok(obtained);
        }
        let lock = self.lock(spec, wait);
        if let Ok(None) = lock {
            return Err(ObtainError::Cancelled);
        }
        // Another process may have built it during the wait.
        if let (Ok(_), Some(obtained)) = (&lock, existing()?) {
            return Ok(obtained);
        }
        if let Ok(Some(lock)) = &lock {
            self.remove_temporaries(&spec.name, lock);
        }
        let Some(bytes) = build().map_err(ObtainError::Build)? else {
            let missing = || TableError::new(&self.path(&spec.name), TableErrorKind::Missing);
            let mut obtained = existing()?.ok_or_else(|| ObtainError::Table(missing()))?;
            obtained.saved = Some(Ok(self.path(&spec.name)));
            return Ok(obtained);
        };
        let spec = &spec_of(bytes.len() as u64);
        let saved = lock.and_then(|lock| {
            let Some(lock) = lock else { return self.save(spec, &bytes) };
            let saved = self.save_under(spec, &bytes, (&lock, cancel))?;
            self.remove_layers(&spec.name, &lock);
            Ok(saved)
        });
        match saved {
            Err(error) if matches!(error.kind(), TableErrorKind::Cancelled) => {
                Err(ObtainError::Cancelled)
            }
            saved => Ok(TablePayload { bytes, saved: Some(saved), check: None }),
        }
    }

    /// Saves a table that was built under a lock.
    ///
    /// If somebody removed the lock file, another process may build the same table. That process
    /// may remove the unfinished file of this one, so saving is tried twice. Or it may save its own
    /// file first, which serves as well.
    fn save_under(
        &self,
        spec: &TableSpec,
        payload: &[u8],
        (lock, cancel): (&BuildLock, &CancelToken),
    ) -> Result<PathBuf, TableError> {
        let mut fill = |out: &mut dyn Write| out.write_all(payload);
        let mut save = || {
            self.save_until(spec, &mut fill, Some(cancel)).or_else(|error| {
                let there = self.open(spec).and_then(|opened| opened.check_chunks(&|_, _| true));
                there.map(|()| self.path(&spec.name)).map_err(|_| error)
            })
        };
        let is_lost = || !is_at(&lock.file, &lock.path);
        save().or_else(|error| if is_lost() { save() } else { Err(error) })
    }

    fn open(&self, spec: &TableSpec) -> Result<read::OpenTable, TableError> {
        self.open_sized(&|_| spec.clone())
    }

    /// Opens the file of a payload. `spec_of`: see [`TableStore::obtain_sized`].
    fn open_sized(
        &self,
        spec_of: &dyn Fn(u64) -> TableSpec,
    ) -> Result<read::OpenTable, TableError> {
        let spec = spec_of(1);
        self.check_name(&spec)?;
        let opened = read::open(&self.path(&spec.name))?;
        opened.is_of(&spec_of(opened.info().payload_bytes))?;
        Ok(opened)
    }

    /// Returns an error if the name is invalid. A valid name cannot lead out of the folder.
    fn check_name(&self, spec: &TableSpec) -> Result<(), TableError> {
        spec.check().map_err(|kind| TableError::folder(&self.folder, kind))
    }

    fn create_folder(&self) -> Result<(), TableError> {
        std::fs::create_dir_all(&self.folder).map_err(self.refuse("create it"))
    }

    fn refuse(&self, action: &'static str) -> impl FnOnce(std::io::Error) -> TableError {
        move |source| {
            TableError::folder(
                &self.folder,
                TableErrorKind::Io { action, source: Arc::new(source) },
            )
        }
    }

    fn lock_file(&self, spec: &TableSpec) -> Result<(File, PathBuf), TableError> {
        self.check_name(spec)?;
        self.create_folder()?;
        let path: PathBuf = Path::new(&self.path(&spec.name)).with_extension("lock");
        let create = regular_file::open(
            &path,
            OpenOptions::new().create(true).append(true),
            "create the lock file",
        );
        // Another user's file may be read only. That is enough for a lock.
        let open = |error: TableError| match error.kind() {
            TableErrorKind::Io { source, .. } if source.kind() == ErrorKind::PermissionDenied => {
                regular_file::open(&path, OpenOptions::new().read(true), "open the lock file")
            }
            _ => Err(error),
        };
        let (file, _) = create.or_else(open)?;
        Ok((file, path))
    }
}
