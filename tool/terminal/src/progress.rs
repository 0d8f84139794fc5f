//! The texts of progress that people may want to read later.

use fewest::Event;

/// The line for an event that people may want to read later. `None` for other events.
pub fn event_text(event: &Event<'_>) -> Option<String> {
    let size = |bytes: u64| bytesize::ByteSize(bytes).display().iec();
    Some(match *event {
        Event::Building { table, bytes } => {
            format!("Building the table {table} ({}), once; later runs load it.", size(bytes))
        }
        Event::Waiting { table } => {
            format!("Waiting for another process that builds the table {table}.")
        }
        Event::OnDisk { folder, bytes } => format!(
            "The layers are on disk: they take {}, more than the memory. Folder {}",
            size(bytes),
            folder.display()
        ),
        Event::Moved { read, written } => format!(
            "The layers on disk took {} of reads and {} of writes.",
            size(read),
            size(written)
        ),
        Event::NotSaved { table, error } => format!(
            "the table {table} could not be saved, so the next run has to build it again: {error}"
        ),
        Event::NotKept { error } => format!(
            "the files of the work so far could not be saved or removed: {error}; a stopped run \
             may begin anew"
        ),
        _ => return None,
    })
}
