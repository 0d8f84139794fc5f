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
    /// Why it is refused unread: it is not UTF-8.
    pub(super) wrong: Option<String>,
}

/// The mark that some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The states, in order. Empty lines and lines that begin with `#` are passed over, as is a byte-order mark before the first.
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
        return Ok(Box::new(std::iter::once(Ok(Given { text, line: None, wrong: None }))));
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
    // A failure to read, such as that of a folder, would come back for ever.
    let mut failed = false;
    let lines = reader.split(b'\n').take_while(move |line| {
        let goes_on = !failed;
        failed |= line.is_err();
        goes_on
    });
    lines.enumerate().filter_map(move |(index, line)| {
        let number = index + 1;
        match line {
            Err(error) => Some(Err(Error::refused(format!("{name}, line {number}: {error}")))),
            Ok(line) => {
                let text = line.strip_prefix(BYTE_ORDER_MARK).filter(|_| index == 0);
                given(text.unwrap_or(&line), number).map(Ok)
            }
        }
    })
}

/// The state of a line, if there is one.
fn given(line: &[u8], number: usize) -> Option<Given> {
    let wrong = std::str::from_utf8(line).err().map(|error| format!("this is no text: {error}"));
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let skip = text.is_empty() || text.starts_with('#');
    (!skip).then(|| Given { text: text.to_owned(), line: Some(number), wrong })
}
