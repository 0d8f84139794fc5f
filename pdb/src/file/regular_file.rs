//! Opens regular files only. It follows no link and does not wait for a pipe.

use super::error::{TableError, TableErrorKind};
use std::fs::{File, FileType, Metadata, OpenOptions};
use std::path::Path;

/// Opens a regular file. Refuses links, folders, pipes and devices at once.
///
/// # Errors
/// If the path is not a regular file, or the operating system refuses to open it.
pub(super) fn open(
    path: &Path,
    options: &mut OpenOptions,
    action: &'static str,
) -> Result<(File, Metadata), TableError> {
    if let Ok(found) = path.symlink_metadata() {
        check(path, found.file_type())?;
    }
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Something else may have taken the name meanwhile.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path).map_err(TableError::io(path, action))?;
    let metadata = file.metadata().map_err(TableError::io(path, "look at the file"))?;
    check(path, metadata.file_type())?;
    Ok((file, metadata))
}

fn check(path: &Path, found: FileType) -> Result<(), TableError> {
    let found = match found {
        file if file.is_file() => return Ok(()),
        link if link.is_symlink() => "a symbolic link",
        folder if folder.is_dir() => "a folder",
        _ => "a pipe or a device",
    };
    Err(TableError::new(path, TableErrorKind::NotRegular { found }))
}

/// Whether something with this path exists, of whatever kind. A dangling link counts.
pub(super) fn is_taken(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
