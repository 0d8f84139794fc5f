//! The names of the boards.

/// The boards with a name of their own: rows and columns.
const NAMES: [(&str, usize, usize); 4] =
    [("8-puzzle", 3, 3), ("15-puzzle", 4, 4), ("19-puzzle", 4, 5), ("24-puzzle", 5, 5)];

/// The name of a board: its own, or by its size.
pub(super) fn own_name(rows: usize, columns: usize) -> String {
    let named = NAMES.iter().find(|(_, r, c)| (*r, *c) == (rows, columns));
    named.map_or_else(|| format!("{rows}x{columns}-tiles"), |(name, _, _)| (*name).to_owned())
}

/// The rows and columns of the board with a name. `None` if it names no board of sliding tiles.
pub(super) fn size_of(name: &str) -> Option<(usize, usize)> {
    if let Some(&(_, rows, columns)) = NAMES.iter().find(|(own, _, _)| *own == name) {
        return Some((rows, columns));
    }
    let (rows, columns) = name.strip_suffix("-tiles")?.split_once('x')?;
    Some((rows.parse().ok()?, columns.parse().ok()?))
}
