//! States from words, a file or standard input, one a line; or a whole file that a puzzle reads itself.

use super::Error;
use super::args::StateOptions;
use super::output::note;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// A state to answer, and where it stands.
pub(super) struct Given {
    pub(super) text: String,
    /// Line number, from 1; `None` for the state of the command line.
    pub(super) line: Option<usize>,
    /// Why it is refused unread: it is not UTF-8.
    pub(super) wrong: Option<String>,
    /// Its name in a file that has names.
    pub(super) name: Option<String>,
    /// Whether the text is a whole file, which the puzzle reads.
    pub(super) whole: bool,
}

/// The mark that some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How far a file is looked at to tell what it is, in bytes.
const LOOK: u64 = 1 << 20;

/// Bytes of a whole file, at the most; one more shows that it is longer.
const LONGEST: u64 = 64 << 20;

/// How many states are read ahead, at the most: so an endless input takes no more memory than these.
const AHEAD: usize = 4096;

/// The states that were asked for, in order; those of a file or of standard input are read ahead.
pub(super) struct States {
    source: Source,
    waiting: Arc<AtomicUsize>,
}

enum Source {
    One(Option<Given>),
    Many(Receiver<Result<Given, Error>>),
}

impl States {
    /// Tells at any time how many more are known: read already and not yet taken.
    pub(super) fn others(&self) -> impl Fn() -> usize + Sync + use<> {
        let waiting = Arc::clone(&self.waiting);
        move || waiting.load(Ordering::Relaxed)
    }

    fn read_ahead(
        reader: impl BufRead + Send + 'static,
        name: String,
        words: &'static [&'static str],
    ) -> Self {
        let (send, receive) = sync_channel(AHEAD);
        let waiting = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&waiting);
        // Ends with the input, or with the program.
        thread::spawn(move || read(reader, &name, words, &send, &counter));
        Self { source: Source::Many(receive), waiting }
    }
}

fn read(
    mut reader: impl BufRead,
    name: &str,
    words: &[&str],
    send: &SyncSender<Result<Given, Error>>,
    waiting: &AtomicUsize,
) {
    let mut head = Vec::new();
    if !words.is_empty() && begins_with(words, &mut reader, &mut head) {
        let read = reader.take(LONGEST + 1).read_to_end(&mut head);
        let whole = read.map(|_| file(head));
        // The one that it counts for is the file.
        waiting.fetch_add(1, Ordering::Relaxed);
        let _ = send.send(whole.map_err(|error| Error::refused(format!("{name}: {error}"))));
        return;
    }
    for given in lines(Cursor::new(head).chain(reader), name) {
        waiting.fetch_add(1, Ordering::Relaxed);
        if send.send(given).is_err() {
            return;
        }
    }
}

/// Reads up to the end of the first line that says something into `head`; whether its first word is one of these.
fn begins_with(words: &[&str], reader: &mut impl BufRead, head: &mut Vec<u8>) -> bool {
    loop {
        let from = head.len();
        let left = LOOK.saturating_sub(from as u64);
        // A failure to read comes again when the lines are read.
        if !matches!(reader.by_ref().take(left).read_until(b'\n', head), Ok(1..)) {
            return false;
        }
        let line = head[from..].strip_prefix(BYTE_ORDER_MARK).filter(|_| from == 0);
        let line = String::from_utf8_lossy(line.unwrap_or(&head[from..]));
        match line.split_whitespace().next() {
            None => {}
            Some(word) if word.starts_with('#') => {}
            Some(word) => return words.contains(&word),
        }
    }
}

/// A whole file.
fn file(bytes: Vec<u8>) -> Given {
    let text = String::from_utf8(bytes);
    let wrong = text.as_ref().err().map(|error| format!("this is no text: {error}"));
    let text = text.unwrap_or_default();
    Given { text, line: None, wrong, name: None, whole: true }
}

impl Iterator for States {
    type Item = Result<Given, Error>;

    /// The next state; waits for one if the input has not ended.
    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.source {
            Source::One(given) => given.take().map(Ok),
            Source::Many(receive) => {
                let given = receive.recv().ok()?;
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                Some(given)
            }
        }
    }
}

/// The states, in order. Empty lines and lines that begin with `#` are passed over, as is a byte-order mark before the first.
///
/// If the first line that says something begins with one of `words`, all of it is one [`Given`] for the puzzle to read.
pub(super) fn states(
    input: &StateOptions,
    file: Option<&Path>,
    words: &'static [&'static str],
) -> Result<States, Error> {
    if !input.state.is_empty() {
        let text = input.state.join(" ");
        if text.trim().is_empty() {
            // Such as an unset variable of a script: not to be taken for a solved puzzle.
            return Err(Error::refused("the state is empty: expected words after the puzzle"));
        }
        let given = Given { text, line: None, wrong: None, name: None, whole: false };
        let source = Source::One(Some(given));
        return Ok(States { source, waiting: Arc::default() });
    }
    if let Some(path) = file.filter(|path| *path != Path::new("-")) {
        let named = |error: io::Error| Error::refused(format!("{}: {error}", path.display()));
        let reader = BufReader::new(File::open(path).map_err(named)?);
        return Ok(States::read_ahead(reader, path.display().to_string(), words));
    }
    if io::stdin().is_terminal() {
        note("One state a line; end with Ctrl-D.");
    }
    Ok(States::read_ahead(BufReader::new(io::stdin()), "standard input".to_owned(), words))
}

fn lines(reader: impl BufRead, name: &str) -> impl Iterator<Item = Result<Given, Error>> {
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
    let (text, line) = (text.to_owned(), Some(number));
    (!skip).then_some(Given { text, line, wrong, name: None, whole: false })
}
