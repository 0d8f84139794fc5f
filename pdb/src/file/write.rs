//! Writing a table file: under a temporary name, checked, synced, then renamed.

use super::error::{TableError, TableErrorKind};
use super::format::{CHUNK, Header, PAGE, Page};
use super::read;
use super::spec::TableSpec;
use rayon::prelude::*;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use zerocopy::IntoBytes;

/// Writes a table to `path`, where no file is yet. On an error nothing is left behind.
pub(super) fn write(spec: &TableSpec, payload: &[u8], path: &Path) -> Result<(), TableError> {
    let refuse = |kind| TableError::new(path, kind);
    spec.check().map_err(refuse)?;
    if payload.len() as u64 != spec.payload_bytes {
        return Err(refuse(TableErrorKind::Spec(format!(
            "the payload has {} bytes, the specification says {}",
            payload.len(),
            spec.payload_bytes
        ))));
    }
    if path.exists() {
        return Err(refuse(TableErrorKind::Exists));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let crcs: Vec<[u8; 4]> =
        payload.par_chunks(CHUNK).map(|chunk| crc32fast::hash(chunk).to_le_bytes()).collect();
    let header = Header::of(spec, crc32fast::hash(crcs.as_flattened()));

    let prefix = format!(".{}.", spec.name);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        // As any other file: what the umask leaves of it.
        builder.permissions(std::fs::Permissions::from_mode(0o666))
    };
    // Deleted when dropped, until it is renamed.
    let mut temporary =
        builder.tempfile_in(folder).map_err(TableError::io(path, "create a temporary file"))?;
    let write = |file: &mut File| {
        file.write_all(header.as_bytes())?;
        file.write_all(crcs.as_flattened())?;
        let gap = header.payload_offset.get() - PAGE - 4 * crcs.len() as u64;
        file.write_all(&Page::from([0; 4096])[..usize::try_from(gap).unwrap_or_default()])?;
        payload.chunks(CHUNK).try_for_each(|chunk| file.write_all(chunk))?;
        file.sync_all()
    };
    write(temporary.as_file_mut()).map_err(TableError::io(path, "write the table"))?;
    // What lies in the file is read back before it gets its name.
    read::open(temporary.path())
        .and_then(|opened| opened.check_chunks(&|_, _| ()))
        .map_err(|error| error.at(path))?;
    temporary.persist_noclobber(path).map_err(|error| {
        if error.error.kind() == std::io::ErrorKind::AlreadyExists {
            refuse(TableErrorKind::Exists)
        } else {
            TableError::io(path, "rename the temporary file")(error.error)
        }
    })?;
    #[cfg(unix)]
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(TableError::io(path, "sync the folder"))?;
    Ok(())
}
