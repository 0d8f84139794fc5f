//! The side file `NAME.verified`: all chunks of the table were right, and when.

use super::regular;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Longest mark that is read, in bytes.
const LONGEST: u64 = 4096;

/// What a table's mark says of the file as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// No chunk of this file was checked, or not since it changed.
    None,
    /// The chunks were right at an earlier boot of the machine or mount of the disk.
    Earlier,
    /// The chunks were right since then.
    Current,
}

/// The side file of a table.
pub(super) fn path_of(table: &Path) -> PathBuf {
    table.with_extension("verified")
}

/// What the mark of a table says. `state` is the table file's state as it is now.
pub(super) fn read(table: &Path, file: &File, state: &str) -> Mark {
    let mut text = String::new();
    let mut options = OpenOptions::new();
    let opened = regular::open(&path_of(table), options.read(true), "read the mark");
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

/// Remembers that all chunks are right.
///
/// If the folder is full or read-only there is no mark, and the next load checks again.
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

/// Removes the mark: a check failed.
pub(super) fn forget(table: &Path) {
    let _ = std::fs::remove_file(path_of(table));
}

/// A new file beside `path`, named `.NAME.RANDOM.tmp`. Deleted when dropped, unless renamed.
pub(super) fn temporary(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let prefix = format!(".{}.", path.file_stem().unwrap_or_default().to_string_lossy());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // As any other file: what the umask leaves of it.
        builder.permissions(std::fs::Permissions::from_mode(0o666))
    };
    builder.tempfile_in(folder)
}

/// The boot of the machine and the mount of the file's disk, where the system tells them.
///
/// Bytes may rot on the disk meanwhile, and no time of the file says so.
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

/// The number of the mount, which no other mount gets before the next boot. 0 before Linux 6.8.
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

/// The state of a file that a mark holds for, in one line.
///
/// It has the length, the inode, and the times of the last change of bytes and inode. No program
/// can set the time of the inode. `crcs` are those of the chunk table and of the header.
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
