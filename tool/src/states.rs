//! Reads states from the command line, or one a line from a file or standard input. A file in the
//! puzzle's own format is passed on whole.

use super::ctrl_c::at_once;
use super::faces::{Patience, joined_faces};
use super::input::InputState;
use fewest::{Backlog, InstanceReader, InstanceSet, Puzzle, PuzzleInfo, instance_sets, state_text};
use fewest_terminal::{Error, note};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// The mark that some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Most bytes of a file that are read to recognize its format.
const LOOK: u64 = 1 << 20;

/// Most bytes of a whole file. One more byte is read, so that the puzzle refuses a longer file.
const LONGEST: u64 = 64 << 20;

/// Most bytes of a line.
const LINE: u64 = 1 << 20;

/// Most states that are read ahead, so that an endless input needs no more memory.
const AHEAD: usize = 4096;

/// The states that were asked for, in order. A file and standard input are read ahead.
pub(super) struct States {
    source: Source,
    /// States that were read and not yet taken.
    backlog: Backlog,
    /// Whether they come through a pipe.
    piped: bool,
}

enum Source {
    One(Option<InputState>),
    Many(Receiver<Result<InputState, Error>>),
}

/// How lines and files are read.
#[derive(Clone, Default)]
struct Form {
    /// The words with which a file in the puzzle's own format can begin.
    words: &'static [&'static str],
    /// The puzzle of the states. `None` if the lines are moves.
    puzzle: Option<PuzzleInfo>,
    /// Which lines may wait for later lines.
    patience: Patience,
}

impl Form {
    fn of(puzzle: &dyn Puzzle) -> Self {
        let words = puzzle.state_files().map_or(&[][..], |files| files.words());
        Self { words, puzzle: Some(puzzle.info().clone()), patience: Patience::File }
    }
}

/// Replaces a line of an instance file by the state on it.
fn of_instance(given: InputState, reader: Option<&mut InstanceReader>) -> InputState {
    let Some(reader) = reader.filter(|_| given.wrong.is_none()) else { return given };
    match reader.read(&given.text) {
        Ok(Some(instance)) => InputState { text: instance.state, name: instance.name, ..given },
        Ok(None) => given,
        Err(refused) => InputState { wrong: Some(refused.to_string()), ..given },
    }
}

/// Whether standard input is a pipe or a socket: another program is at its other end.
#[cfg(unix)]
fn input_is_piped() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    let kind = file.and_then(|file| file.metadata()).map(|data| data.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
}

/// Whether standard input may be a pipe.
#[cfg(not(unix))]
fn input_is_piped() -> bool {
    !io::stdin().is_terminal()
}

impl States {
    /// Whether they come through a pipe.
    pub(super) fn are_piped(&self) -> bool {
        self.piped
    }

    /// The number of states that are read but not yet taken.
    pub(super) fn backlog(&self) -> Backlog {
        self.backlog.clone()
    }

    fn read_ahead(reader: impl BufRead + Send + 'static, name: String, form: Form) -> Self {
        let (send, receive) = sync_channel(AHEAD);
        let backlog = Backlog::new();
        let counter = backlog.clone();
        // The thread ends with the input, or with the program.
        thread::spawn(move || read(reader, &name, &form, &send, &counter));
        Self { source: Source::Many(receive), backlog, piped: false }
    }
}

fn read(
    mut reader: impl BufRead,
    name: &str,
    form: &Form,
    send: &SyncSender<Result<InputState, Error>>,
    backlog: &Backlog,
) {
    let mut head = Vec::new();
    if !form.words.is_empty() && begins_with(form.words, &mut reader, &mut head) {
        let read = reader.take(LONGEST + 1).read_to_end(&mut head);
        let whole = read.map(|_| file(head));
        // The whole file counts as one state.
        backlog.add();
        let _ = send.send(whole.map_err(|error| Error::refused(format!("{name}: {error}"))));
        return;
    }
    let info = form.puzzle.as_ref();
    let lines = lines(Cursor::new(head).chain(reader), name);
    let mut reader = info.map(InstanceReader::new);
    let lines = lines.map(move |line| line.map(|given| of_instance(given, reader.as_mut())));
    let face = info.and_then(|info| info.face_stickers.or(info.refused_stickers));
    for given in joined_faces(lines, face, form.patience) {
        backlog.add();
        if send.send(given).is_err() {
            return;
        }
    }
}

/// Whether the first line that is neither empty nor a comment begins with one of these words. A
/// JSON object that ends on its line does not count: it is one state of many.
///
/// Reads all lines up to this one into `head`.
fn begins_with(words: &[&str], reader: &mut impl BufRead, head: &mut Vec<u8>) -> bool {
    loop {
        let from = head.len();
        let left = LOOK.saturating_sub(from as u64);
        // A read that fails here fails again when the lines are read.
        if !matches!(reader.by_ref().take(left).read_until(b'\n', head), Ok(1..)) {
            return false;
        }
        let line = head[from..].strip_prefix(BYTE_ORDER_MARK).filter(|_| from == 0);
        let line = String::from_utf8_lossy(line.unwrap_or(&head[from..]));
        match line.split_whitespace().next() {
            None => {}
            Some(word) if word.starts_with('#') => {}
            // An object on one line is one state of many; else the object goes on.
            Some(word) if word.starts_with('{') && words.contains(&"{") => {
                return serde_json::from_str::<serde::de::IgnoredAny>(&line).is_err();
            }
            Some(word) => return words.contains(&word),
        }
    }
}

/// A whole file for the puzzle to read.
fn file(bytes: Vec<u8>) -> InputState {
    let text = String::from_utf8(bytes);
    let wrong = text.as_ref().err().map(|error| format!("this is no text: {error}"));
    let text = text.unwrap_or_default();
    InputState { text, line: None, wrong, name: None, whole: true }
}

impl Iterator for States {
    type Item = Result<InputState, Error>;

    /// The next state. Waits for it if the input has not ended.
    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.source {
            Source::One(given) => given.take().map(Ok),
            Source::Many(receive) => {
                let given = receive.recv().ok()?;
                self.backlog.take();
                Some(given)
            }
        }
    }
}

/// The states, in order, without empty lines and comments.
///
/// If the first line (other than empty lines and comments) begins with a word of the puzzle's own
/// format, the whole input is one [`InputState`].
pub(super) fn states(
    state: &[String],
    file: Option<&Path>,
    puzzle: &dyn Puzzle,
) -> Result<States, Error> {
    open(state, file, Form::of(puzzle))
}

/// The states of a set that comes with the program, by its name, or of a file.
pub(super) fn instances(named: &str, puzzle: &dyn Puzzle) -> Result<States, Error> {
    let own = &puzzle.info().name;
    let Some(set) = InstanceSet::named(named) else {
        let names: Vec<&str> = instance_sets().map(|set| set.name).collect();
        return open(&[], Some(Path::new(named)), Form::of(puzzle)).map_err(|error| {
            let names = names.join(", ");
            Error::refused(format_args!("{}; expected a file, or {names}", error.message))
        });
    };
    if set.puzzle != own {
        let told = format_args!("{named}: these are states of {}, not of {own}", set.puzzle);
        return Err(Error::refused(told));
    }
    let text = set.lines().collect::<Vec<_>>().join("\n");
    Ok(States::read_ahead(Cursor::new(text), named.to_owned(), Form::of(puzzle)))
}

/// All of these states, at most so many. A file in the puzzle's own format has several.
pub(super) fn all_instances(
    named: &str,
    puzzle: &dyn Puzzle,
    most: Option<usize>,
) -> Result<Vec<InputState>, Error> {
    let most = most.unwrap_or(usize::MAX);
    let mut all = Vec::new();
    for given in instances(named, puzzle)?.take(most) {
        let given = given?;
        match puzzle.state_files().filter(|_| given.whole && given.wrong.is_none()) {
            Some(files) => {
                let file = files.read_file(&given.text)?;
                all.extend(file.states.into_iter().map(InputState::from));
            }
            None => all.push(given),
        }
    }
    all.truncate(most);
    Ok(all)
}

/// Sequences of moves, in order, without empty lines and comments.
pub(super) fn sequences(moves: &[String], file: Option<&Path>) -> Result<States, Error> {
    open(moves, file, Form::default())
}

/// The state that all words together are, without comments and numbers.
///
/// # Errors
/// If there is none.
pub(super) fn joined(words: &[String]) -> Result<String, Error> {
    let text = words.join(" ");
    let text = state_text(&text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        // An unset variable of a script is such a text. It must not pass for a solved puzzle.
        return Err(Error::refused(
            "the state is empty: expected words after the puzzle or --from",
        ));
    }
    Ok(text)
}

fn open(given: &[String], file: Option<&Path>, form: Form) -> Result<States, Error> {
    if !given.is_empty() {
        let text = joined(given)?;
        let given = InputState { text, line: None, wrong: None, name: None, whole: false };
        let source = Source::One(Some(given));
        return Ok(States { source, backlog: Backlog::new(), piped: false });
    }
    if let Some(path) = file.filter(|path| *path != Path::new("-")) {
        let named = |error: io::Error| Error::refused(format!("{}: {error}", path.display()));
        let reader = BufReader::new(at_once(|| File::open(path)).map_err(named)?);
        return Ok(States::read_ahead(reader, path.display().to_string(), form));
    }
    let (typed, piped) = (io::stdin().is_terminal(), input_is_piped());
    if typed {
        note("States, one a line; end with Ctrl-D.");
    }
    let patience = match (typed, piped) {
        (true, _) => Patience::Typed,
        (_, true) => Patience::Piped,
        _ => Patience::File,
    };
    let name = "standard input".to_owned();
    let states = States::read_ahead(BufReader::new(io::stdin()), name, Form { patience, ..form });
    Ok(States { piped, ..states })
}

fn lines(reader: impl BufRead, name: &str) -> impl Iterator<Item = Result<InputState, Error>> {
    let mut reader = reader;
    // A read that fails, such as that of a folder, would fail again and again.
    let mut failed = false;
    let lines = std::iter::from_fn(move || {
        let line = if failed { None } else { line(&mut reader).transpose() };
        failed |= matches!(line, Some(Err(_)));
        line
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

/// The next line without its line end. `None` at the end of the input.
///
/// A line that is too long is cut to one byte more than allowed. The rest of it is skipped.
fn line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if reader.by_ref().take(LINE + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(line));
    }
    let mut left = LONGEST;
    while line.len() as u64 > LINE && left > 0 {
        let buffer = reader.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (passed, ends) = (end.map_or(buffer.len(), |end| end + 1), buffer.is_empty());
        reader.consume(passed);
        if end.is_some() || ends {
            return Ok(Some(line));
        }
        left = left.saturating_sub(passed as u64);
    }
    if left > 0 {
        return Ok(Some(line));
    }
    Err(io::Error::other(format!("a line of more than {LONGEST} bytes, expected at most {LINE}")))
}

/// The state of a line, if there is one.
fn given(line: &[u8], number: usize) -> Option<InputState> {
    if line.len() as u64 > LINE {
        let wrong = Some(format!("the line has more than {LINE} bytes, expected at most that"));
        let line = Some(number);
        return Some(InputState { text: String::new(), line, wrong, name: None, whole: false });
    }
    let wrong = std::str::from_utf8(line).err().map(|error| format!("this is no text: {error}"));
    let text = String::from_utf8_lossy(line);
    let text = state_text(&text).trim().to_owned();
    let (skip, line) = (text.is_empty(), Some(number));
    (!skip).then_some(InputState { text, line, wrong, name: None, whole: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_comments_are_no_part_of_a_state() {
        let text = |line: &str| given(line.as_bytes(), 1).map(|given| given.text);
        for line in ["R U2", "1) R U2", "12. R U2 // twelve", "\t3)\tR U2 # three", "R U2//"] {
            assert_eq!(text(line).as_deref(), Some("R U2"), "{line}");
        }
        for line in ["", " ", "# R", " // R", "//"] {
            assert_eq!(text(line), None, "{line}");
        }
        // A number alone is no state, and names of moves may have these characters.
        for line in ["1)", "(R U)2", "8 7 6 0", "2R U", "F# R", "1.5 R", "{\"a\": \"b // # c\"}"] {
            assert_eq!(text(line).as_deref(), Some(line));
        }
    }
}
