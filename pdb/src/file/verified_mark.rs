//! The *mark* of a table: a side file `NAME.verified`, which says when all chunks passed their
//! check.

use super::regular_file;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Largest size of a mark that is read, in bytes.
const LONGEST: u64 = 4096;

/// What the mark of a table says about the file in its present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// The chunks have not been checked since the file last changed.
    None,
    /// The chunks passed the check, but before the last boot of the machine or mount of the disk.
    Earlier,
    /// The chunks passed the check since the last boot and mount.
    Current,
}

/// The path of the mark of a table.
pub(super) fn path_of(table: &Path) -> PathBuf {
    table.with_extension("verified")
}

/// Reads the mark of a table. `state` is the present state of the table file, see [`state`].
pub(super) fn read(table: &Path, file: &File, state: &str) -> Mark {
    let mut text = String::new();
    let mut options = OpenOptions::new();
    let opened = regular_file::open(&path_of(table), options.read(true), "read the mark");
    let read = opened.map(|(mark, _)| mark.take(LONGEST).read_to_string(&mut text));
    let mut lines = text.lines();
    if !matches!(read, Ok(Ok(_))) || lines.next() != Some(state) {
        return Mark::None;
    }
    match lines.next() {
        Some(since) if session(file).as_deref() == Some(since) => Mark::Current,
        _ => Mark::Earlier,
    }
}

/// Writes the mark after all chunks passed their check.
///
/// If it cannot be written (full disk, read-only folder), the next load checks the chunks again.
pub(super) fn write(table: &Path, file: &File, state: &str) {
    let path = path_of(table);
    let since = session(file).unwrap_or_default();
    let written = temporary(&path).and_then(|mut mark| {
        writeln!(mark, "{state}\n{since}")?;
        mark.persist(&path).map_err(|error| error.error)
    });
    if written.is_err() {
        forget(table);
    }
}

/// Removes the mark after a failed check.
pub(super) fn forget(table: &Path) {
    let _ = std::fs::remove_file(path_of(table));
}

/// Creates a new file beside `path`, named `.NAME.RANDOM.tmp`. It is deleted when dropped, unless
/// it is renamed.
pub(super) fn temporary(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let prefix = format!(".{}.", path.file_stem().unwrap_or_default().to_string_lossy());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // The file gets the rights of any new file, as far as the umask leaves them.
        builder.permissions(std::fs::Permissions::from_mode(0o666))
    };
    builder.tempfile_in(folder)
}

/// Identifies the boot of the machine and the mount of the file's disk. `None` if the operating
/// system does not tell.
///
/// Bytes may rot on the disk between boots, and the times of the file do not show it.
fn session(file: &File) -> Option<String> {
    #[cfg(target_os = "linux")]
    {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(format!("boot {} mount {}", boot.trim(), mount(file)))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = file;
        None
    }
}

/// The number of the mount. It is unique until the next boot. 0 before Linux 6.8.
#[cfg(target_os = "linux")]
fn mount(file: &File) -> u64 {
    use rustix::fs::{AtFlags, StatxFlags, statx};
    /// `STATX_MNT_ID_UNIQUE`.
    const UNIQUE: StatxFlags = StatxFlags::from_bits_retain(0x4000);
    match statx(file, "", AtFlags::EMPTY_PATH, UNIQUE) {
        Ok(told) if StatxFlags::from_bits_retain(told.stx_mask).contains(UNIQUE) => told.stx_mnt_id,
        _ => 0,
    }
}

/// The state of a file, as one line. A mark is valid only for this state.
///
/// It has the length, the inode, and the times when bytes and inode last changed. No program can
/// set the time of the inode. `crcs` are the checksums of the chunk table and of the header.
pub(super) fn state(metadata: &Metadata, crcs: [u32; 2]) -> String {
    #[cfg(unix)]
    let (changed, inode) = {
        use std::os::unix::fs::MetadataExt;
        let (data, nanos) = (metadata.mtime(), metadata.mtime_nsec());
        let (inode, inode_nanos) = (metadata.ctime(), metadata.ctime_nsec());
        (format!("{data}.{nanos:09} {inode}.{inode_nanos:09}"), metadata.ino())
    };
    #[cfg(not(unix))]
    let (changed, inode) = {
        let time = metadata.modified().ok();
        let since = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        (since.map_or(-1, |since| since.as_nanos().cast_signed()), 0)
    };
    let [chunk_table, header] = crcs;
    format!(
        "bytes {} changed {changed} inode {inode} chunk-table {chunk_table:08x} header {header:08x}",
        metadata.len(),
    )
}
