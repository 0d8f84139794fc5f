//! Files that killed builds left in a folder of tables. They are removed under the lock of their
//! table.

use super::error::TableError;
use super::regular_file;
use super::spec::TableSpec;
use super::store::{BuildLock, ENDING, TableStore};
use crate::table::PackedTable;
use std::fs::{OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// A file that a killed build left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The path of the file.
    pub path: PathBuf,
    /// The name of the table that was being built.
    pub table: String,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// The table to which an unfinished file `.TABLE.RANDOM.tmp` belongs. `None` for other names.
fn of_temporary(name: &str) -> Option<&str> {
    let (table, random) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    random.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(table)
}

/// The table to which a checkpoint file `TABLE-layer-N` belongs. `None` for other names.
fn of_layer(name: &str) -> Option<&str> {
    let (table, layer) = name.rsplit_once("-layer-")?;
    layer.bytes().all(|byte| byte.is_ascii_digit()).then_some(table)
}

impl TableStore {
    /// The files that killed builds left, sorted by path: unfinished files, lock files that no
    /// process holds, and checkpoint files of tables that are complete.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn leftovers(&self) -> Result<Vec<Leftover>, TableError> {
        let mut found = Vec::new();
        for path in self.paths()? {
            let Some(table) = self.left_by(&path) else { continue };
            if !self.is_in_use(&table) {
                let bytes = path.symlink_metadata().map_or(0, |data| data.len());
                found.push(Leftover { path, table, bytes });
            }
        }
        Ok(found)
    }

    /// Removes a leftover, unless another process holds the lock of its table. Returns whether it
    /// was removed.
    pub fn remove_leftover(&self, leftover: &Leftover) -> bool {
        // Only the name counts for a lock.
        let payload = PackedTable::payload(8, 1);
        let spec = TableSpec::new(&leftover.table, serde_json::Value::Null, payload);
        let lock = self.lock_to_remove(&spec);
        let free = matches!(lock, Ok(Some(_))) && !self.is_base_in_use(&leftover.table);
        free && std::fs::remove_file(&leftover.path).is_ok()
    }

    /// Whether a process holds the lock of a table, or of the table to which a checkpoint file of
    /// this name belongs.
    fn is_in_use(&self, table: &str) -> bool {
        self.is_locked(table) || self.is_base_in_use(table)
    }

    fn is_base_in_use(&self, table: &str) -> bool {
        of_layer(table).is_some_and(|base| self.is_locked(base))
    }

    fn is_locked(&self, table: &str) -> bool {
        let path = self.path(table).with_extension("lock");
        let opened = regular_file::open(&path, OpenOptions::new().read(true), "open the lock file");
        opened.is_ok_and(|(file, _)| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// The table whose killed build may have left this file. `None` if no build leaves such files.
    fn left_by(&self, path: &Path) -> Option<String> {
        let name = path.file_name()?.to_str()?;
        let (stem, ending) = (path.file_stem()?.to_str()?, path.extension()?.to_str()?);
        let table = match ending {
            "tmp" => of_temporary(name)?,
            "lock" => stem,
            ENDING => of_layer(stem).filter(|table| self.path(table).is_file())?,
            _ => return None,
        };
        TableSpec::is_name(table).then(|| table.to_owned())
    }

    /// Removes the unfinished files of a table and of its checkpoints. The caller holds the lock.
    pub(super) fn remove_temporaries(&self, table: &str, _lock: &BuildLock) {
        let own = |name: &str| {
            let of = of_temporary(name);
            of == Some(table) || of.and_then(of_layer) == Some(table)
        };
        self.remove_files(own);
    }

    /// Removes the checkpoint files of a complete table, even damaged ones. The caller holds the
    /// lock.
    pub(super) fn remove_layers(&self, table: &str, _lock: &BuildLock) {
        let own = |name: &str| {
            let stem = name.strip_suffix(".table").or_else(|| name.strip_suffix(".verified"));
            stem.and_then(of_layer) == Some(table)
        };
        self.remove_files(own);
    }

    fn remove_files(&self, own: impl Fn(&str) -> bool) {
        // A file that cannot be removed now is listed as a leftover later.
        for path in self.paths().unwrap_or_default() {
            if path.file_name().and_then(|name| name.to_str()).is_some_and(&own) {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}
