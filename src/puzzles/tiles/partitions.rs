//! Partitions of the tiles into patterns, and as text.

use tiles::{Grid, Partition};

/// Most patterns of a partition.
pub(super) const MOST_PATTERNS: usize = 8;

/// Partitions as the heuristic `tables:..` takes them.
///
/// A dot stands between homes, `-` between patterns, `+` between partitions.
pub(super) fn as_text(partitions: &[Partition]) -> String {
    let joined = |texts: Vec<String>, by: &str| texts.join(by);
    let pattern = |homes: &Vec<u8>| joined(homes.iter().map(ToString::to_string).collect(), ".");
    let partition = |p: &Partition| joined(p.iter().map(pattern).collect(), "-");
    joined(partitions.iter().map(partition).collect(), "+")
}

/// The partitions of a text that [`as_text`] wrote. They may not fit the board.
pub(super) fn parse(text: &str) -> Result<Vec<Partition>, String> {
    let home = |home: &str| {
        home.parse::<u8>().map_err(|_| {
            format!(
                "{home:?} is no square: expected partitions such as 1.2.3-4.5.6.7.8, \
                 by home squares counted from 0, with + between partitions"
            )
        })
    };
    let pattern = |pattern: &str| pattern.split('.').map(home).collect();
    let partition = |partition: &str| partition.split('-').map(pattern).collect();
    text.split('+').map(partition).collect()
}

/// The homes of all tiles along a path over the board.
///
/// The path goes down one column and up the next or, if `by_rows`, forth along one row and back
/// along the next.
pub(super) fn way(grid: Grid, by_rows: bool) -> Vec<u8> {
    let (rows, columns) = (grid.rows, grid.columns);
    let length = if by_rows { columns } else { rows };
    let squares = (0..grid.squares()).map(|step| {
        let (line, place) = (step / length, step % length);
        let place = if line % 2 == 0 { place } else { length - 1 - place };
        if by_rows { line * columns + place } else { place * columns + line }
    });
    let homes = squares.filter(|&home| home != grid.blank_home);
    homes.filter_map(|home| u8::try_from(home).ok()).collect()
}
