//! The progress of a build: [`BuildObserver`].

use crate::file::TableError;
use search::Cost;
use std::path::Path;

/// Receives the progress of a build, on the threads of the build. By default every method does
/// nothing.
pub trait BuildObserver: Sync {
    /// The layer `depth` is complete. It has `entries` entries; `seen` of `total` entries have a
    /// distance by now. A layer is reported twice if the build finds the first uncharged edge in
    /// the next layer. The second report has more entries.
    fn layer(&self, _depth: Cost, _entries: u64, _seen: u64, _total: u64) {}
    /// The build has processed `rows` of `total` rows in the layer `depth`. All layers from 255 on
    /// are reported as 255.
    fn rows(&self, _depth: Cost, _rows: u64, _total: u64) {}
    /// The search keeps its table in files of this folder, `bytes` in all, because it exceeds the
    /// memory.
    fn on_disk(&self, _folder: &Path, _bytes: u64) {}
    /// All layers on disk are complete, and the table is made from them: `done` of `total` parts so
    /// far. If the disk has little space, there may be more parts than were told at first.
    fn saving(&self, _done: u64, _total: u64) {}
    /// A search on disk has ended. `read` and `written` are bytes of files.
    fn moved(&self, _read: u64, _written: u64) {}
    /// A file of the [`Checkpoint`](crate::file::Checkpoint) could not be read, written or removed.
    /// The build continues without it. After a failed write it writes no more files.
    fn not_kept(&self, _error: &TableError) {}
}
