//! The heuristics of Korf and Taylor (1996), and the theory from which they follow.

use crate::{Findings, Lab, Row, Sample};
use fewest::Failure;
use fewest::distances::{DistancesError, LearnedDistances};
use fewest::search::Heuristic;
use fewest::search::random::Random;
use fewest::search::stored::Layers;
use fewest::tiles::{AnyTiles, BoardWord, KorfTaylor, ManhattanPlus, Puzzle8, Puzzle24, WideWord};

/// T1, T3, T4, T5 and T8.
pub(super) fn heuristics(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    for (rows, columns) in [(3, 3), (4, 4), (4, 5), (5, 5)] {
        let board = board::<WideWord>(rows, columns)?;
        let (sum, squares) = board.expected_manhattan();
        let mean = f64::from(sum) / f64::from(squares);
        let what = format!("mean Manhattan distance, {rows} x {columns}");
        out.row(Row::unpublished("T1", what, (mean, 3)));
        let singles = LearnedDistances::singles(&board, &[board.goal()]).map_err(learned)?;
        let places =
            || (0..board.squares()).flat_map(|to| (1..board.squares()).map(move |t| (t, to)));
        let alike = places().filter(|&(tile, square)| {
            singles.distance(tile, square) == Some(board.distance_home(tile, square))
        });
        let what = format!("single-tile searches that find Manhattan distance, {rows} x {columns}");
        out.row(Row::exact("T8", what, places().count(), alike.count()));
    }
    let puzzle = Puzzle24::new();
    let (apply, all) = puzzle.last_move_fraction().map_err(Failure::refused)?;
    let percent = 100.0 * apply as f64 / all as f64;
    out.row(Row::exact(
        "T3",
        "placements with a last move to add, in per cent",
        (64.0, 0),
        (percent, 4),
    ));
    out.row(Row::unpublished("T3", "the same, as a fraction", format!("{apply}/{all}")));

    // At least one of the six tiles beside the three corners is at home, by inclusion and exclusion
    // over all 25! boards.
    let mut share = 0.0;
    let mut term = 1.0;
    for k in 1..=6_u32 {
        // C(6, k) (25 - k)! / 25!
        term *= f64::from(7 - k) / f64::from(k) / f64::from(26 - k);
        share += if k % 2 == 1 { term } else { -term };
    }
    out.row(Row::exact(
        "T5",
        "boards with one of the six tiles at home, in per cent",
        (22.0, 0),
        (100.0 * share, 4),
    ));
    let (corners, mut fires) = (ManhattanPlus::corner_tiles(&puzzle), Sample::default());
    let mut random = Random::new(1996);
    for done in 0..200_000 {
        if done % 5_000 == 0 {
            lab.check()?;
        }
        let board = puzzle.random(&mut random);
        let added = corners.estimate(&puzzle, &board) > puzzle.manhattan(&board);
        fires.add(if added { 100.0 } else { 0.0 });
    }
    let what = "boards with a corner tile to add, in per cent";
    let why =
        "a tile at home beside a corner adds moves only if the corner's own tile is not in it";
    let row = Row::unpublished("T5", what, (fires.mean(), 2));
    out.row(row.with_sample(&fires).remark(why));
    let wrong_corners = every_corner_tile();
    let board = puzzle.board(&wrong_corners).map_err(Failure::refused)?;
    let added = corners.estimate(&puzzle, &board) - puzzle.manhattan(&board);
    out.row(Row::exact("T5", "most moves that corner tiles add", 12_usize, usize::from(added)));
    rules(lab, out)
}

/// T4: how often the sum of all rules is above the distance, on all boards of the 8-puzzle.
fn rules(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let puzzle = Puzzle8::new();
    let sum = KorfTaylor::new(&puzzle).map_err(Failure::refused)?;
    let options = lab.options();
    let mut layers = Layers::last_two(&puzzle, &[puzzle.goal()], &options);
    let (mut boards, mut above, mut gain) = (0_u64, 0_u64, Sample::default());
    for distance in 0.. {
        layers.for_each(distance, |board| {
            let bound = sum.estimate(&puzzle, board);
            boards += 1;
            above += u64::from(usize::from(bound) > distance);
            gain.add(f64::from(bound) - f64::from(puzzle.manhattan(board)));
        });
        if layers.advance()? == 0 {
            break;
        }
    }
    out.row(Row::unpublished("T4", "boards of the 8-puzzle", boards));
    let what = "boards on which conflicts, last moves and corner tiles together claim too much";
    out.row(Row::exact("T4", what, 0_u64, above));
    let what = "moves that they add to Manhattan distance there, mean";
    out.row(Row::unpublished("T4", what, (gain.mean(), 4)));
    Ok(())
}

/// A board of the 24-puzzle with the tiles beside three corners at home, and none in its corner.
fn every_corner_tile() -> Vec<u8> {
    let mut numbers: Vec<u8> = (0..25).collect();
    // The corner tiles 4, 20 and 24 go round with tile 12; two others change places.
    numbers.swap(4, 12);
    numbers.swap(20, 12);
    numbers.swap(24, 12);
    numbers.swap(1, 5);
    numbers
}

/// A board of any size.
fn board<W: BoardWord>(rows: usize, columns: usize) -> Result<AnyTiles<W>, Failure> {
    let no = || Failure::refused(format_args!("no board has {rows} rows of {columns}"));
    AnyTiles::of_size(rows, columns).ok_or_else(no)
}

fn learned(error: DistancesError) -> Failure {
    match error {
        DistancesError::Cancelled => Failure::Cancelled,
        error => Failure::refused(error),
    }
}

/// T6 and T7.
pub(super) fn pairs(lab: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let cancel = Some(&lab.request.cancel);
    for (rows, columns) in [(3, 3), (4, 4), (4, 5), (5, 5)] {
        let board = board::<WideWord>(rows, columns)?;
        let learned_pairs = LearnedDistances::pairs(&board, &[board.goal()], cancel);
        let learned_pairs = learned_pairs.map_err(learned)?;
        let excesses = learned_pairs.excesses();
        let count = excesses.len() as u64;
        let name = format!("{rows} x {columns}");
        let all = learned_pairs.entries()[1];
        let equal = 100.0 * (1.0 - count as f64 / all as f64);
        let what = format!("{name}: pairs whose distance is Manhattan distance, in per cent");
        let remark = format!("{count} of {all} pairs exceed; the paper says \"almost all pairs\"");
        out.row(Row::unpublished("T6", what, (equal, 2)).remark(remark));
        let two = excesses.iter().filter(|excess| excess.cost() == 2).count();
        let what = format!("{name}: pairs that exceed by two moves, of all that exceed");
        out.row(Row::exact("T6", what, count, two as u64));
    }
    let puzzle = board::<u64>(4, 4)?;
    let triples = LearnedDistances::triples(&puzzle, &[puzzle.goal()], cancel).map_err(learned)?;
    let found = |tiles: &[u8], squares: &[u8]| {
        let mut all = triples.excesses().iter();
        let one = all.find(|one| one.features() == tiles && one.places() == squares);
        one.map_or(0, |one| usize::from(one.cost()))
    };
    // The tiles 3 2 1 stand in this order in their row.
    let of_pairs =
        [(&[1, 2], &[3, 2]), (&[1, 3], &[3, 1]), (&[2, 3], &[2, 1])].map(|(t, s)| found(t, s));
    // Any two of the pairs share a tile, so a matching takes one.
    let matched = of_pairs.into_iter().max().unwrap_or(0);
    out.row(Row::exact(
        "T7",
        "3 2 1 in their row: moves that a matching of pairs adds",
        2_usize,
        matched,
    ));
    let three = found(&[1, 2, 3], &[3, 2, 1]);
    out.row(Row::exact("T7", "3 2 1 in their row: moves that the triple adds", 4_usize, three));
    Ok(())
}
