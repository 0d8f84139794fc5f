//! Writes files that exist either whole or not at all.

use fewest_terminal::{Error, Exit};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file that exists either whole or not at all. A pipe or a device gets the text itself.
pub(super) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    write_whole_by(path, &mut |out| out.write_all(text.as_bytes()))
}

/// As [`write_whole`], for what a function writes.
pub(super) fn write_whole_by(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return write(&mut File::create(path)?);
    }
    // A link stays, and the file that it leads to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut new = tempfile::Builder::new();
    #[cfg(unix)]
    new.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = new.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    write(&mut file)?;
    file.persist(path)?;
    Ok(())
}

/// Writes a result to a file that an option names, as [`write_whole`] does.
pub(super) fn write_file(file: &Path, text: &str) -> Result<(), Error> {
    write_whole(file, text).map_err(|error| Error {
        exit: Exit::Table,
        ..Error::refused(format!("{}: {error}", file.display()))
    })
}
