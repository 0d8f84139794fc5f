//! [`SlideLines`]: a bound on slides without a table.

use super::domain::Slides;
use crate::board::{Board, BoardWord};
use search::{Claims, Cost, Domain, Heuristic, Verdict};

/// Manhattan distance, divided by the tiles that one slide moves.
///
/// A slide in a row moves at most all tiles of that row, each by one column. So it takes off at
/// most `columns - 1` of the columns between tiles and their homes. The same holds for columns. The
/// bound is the sum of both quotients, each rounded up.
///
/// Admissible: yes, as each slide lowers one quotient by at most 1, and both are 0 at the goal.
/// Consistent: yes, for the same reason. Time: one step for each square.
#[derive(Clone, Copy, Debug)]
pub struct SlideLines;

impl<W: BoardWord> Heuristic<Slides<W>> for SlideLines {
    search::carry_nothing! { Slides<W> }
    const CLAIMS: Claims = Claims::ADMISSIBLE.and_consistent();
    fn bound(
        &self,
        domain: &Slides<W>,
        board: &Board<W>,
        (): &mut (),
        _: Cost,
    ) -> Verdict<<Slides<W> as Domain>::Ops> {
        let (rows, columns) = (domain.tiles().rows(), domain.tiles().columns());
        let (mut across, mut along) = (0, 0);
        for square in (0..rows * columns).filter(|&square| square != board.blank()) {
            let home = domain.tiles().home(board.label(square));
            across += (square / columns).abs_diff(home / columns);
            along += (square % columns).abs_diff(home % columns);
        }
        let slides = across.div_ceil(rows - 1) + along.div_ceil(columns - 1);
        Verdict::bound(Cost::try_from(slides).unwrap_or(Cost::MAX))
    }
}
