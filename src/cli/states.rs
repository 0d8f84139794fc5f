//! States from words, a file or standard input, one a line.

use super::Error;
use super::args::StateOptions;
use super::output::note;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

/// A state to answer, and where it stands.
pub(super) struct Given {
    pub(super) text: String,
    /// Line number, from 1; `None` for the state of the command line.
    pub(super) line: Option<usize>,
}

/// The states, in order. Empty lines and lines that begin with `#` are passed over.
pub(super) fn states(
    input: &StateOptions,
    file: Option<&Path>,
) -> Result<Box<dyn Iterator<Item = Result<Given, Error>>>, Error> {
    if !input.state.is_empty() {
        let text = input.state.join(" ");
        if text.trim().is_empty() {
            // Such as an unset variable of a script: not to be taken for a solved puzzle.
            return Err(Error::refused("the state is empty: expected words after the puzzle"));
        }
        return Ok(Box::new(std::iter::once(Ok(Given { text, line: None }))));
    }
    if let Some(path) = file.filter(|path| *path != Path::new("-")) {
        let named = |error: io::Error| Error::refused(format!("{}: {error}", path.display()));
        return Ok(Box::new(lines(
            BufReader::new(File::open(path).map_err(named)?),
            path.display().to_string(),
        )));
    }
    if io::stdin().is_terminal() {
        note("One state a line; end with Ctrl-D.");
    }
    Ok(Box::new(lines(BufReader::new(io::stdin()), "standard input".into())))
}

fn lines(
    reader: impl BufRead + 'static,
    name: String,
) -> impl Iterator<Item = Result<Given, Error>> {
    // Bytes that are no text cost one line; any other failure to read, such as that of a folder, would come back for ever.
    let mut failed = false;
    let lines = reader.lines().take_while(move |line| {
        let goes_on = !failed;
        failed |= line.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::InvalidData);
        goes_on
    });
    lines.enumerate().filter_map(move |(index, line)| {
        let number = index + 1;
        match line {
            Err(error) => Some(Err(Error::refused(format!("{name}, line {number}: {error}")))),
            Ok(line) => {
                let text = line.trim();
                let skip = text.is_empty() || text.starts_with('#');
                (!skip).then(|| Ok(Given { text: text.to_owned(), line: Some(number) }))
            }
        }
    })
}
