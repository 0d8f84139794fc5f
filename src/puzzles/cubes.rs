//! Code that the 3x3x3 and the 2x2x2 share: metrics, learned depths, inverted sequences.

use super::{Configure, derived_cube};
use crate::puzzle::InvalidInput;
use crate::settings::{MetricChoice, Settings};
use cube::CubeMetric;
use cube::notation::{Move, is_face, parse_moves, stickers};
use cube::partial::has_open;

/// Configures a cube. Calls `plain` if the settings have neither a goal nor allowed moves, else
/// derives a definition from them.
pub(super) fn configure(
    name: &'static str,
    face: usize,
    settings: &Settings,
    plain: &dyn Fn(&Settings) -> Configure,
) -> Configure {
    match derived_cube::is_asked(settings) {
        true => derived_cube::configure(name, face, settings, plain),
        false => plain(settings),
    }
}

/// The metric of a cube. [default: half turns]
pub(super) fn metric(settings: &Settings) -> CubeMetric {
    match settings.turn_metric() {
        MetricChoice::HalfTurn => CubeMetric::HalfTurn,
        MetricChoice::QuarterTurn => CubeMetric::QuarterTurn,
    }
}

/// Depth of the learned automaton. With this depth, counts of operator sequences equal those that
/// Korf published.
pub(super) fn depth(metric: CubeMetric) -> usize {
    match metric {
        CubeMetric::HalfTurn => 2,
        CubeMetric::QuarterTurn => 3,
    }
}

/// Reads moves. A text that may also be stickers is refused. `face`: stickers of one face.
pub(super) fn moves(text: &str, face: usize) -> Result<Vec<Move>, InvalidInput> {
    let mut words = text.split_whitespace().peekable();
    let faces = face == 9 && words.peek().is_some() && words.all(|word| is_face(word, face));
    if faces || stickers(text, face).is_some() {
        let wrong = "found what may be stickers: expected moves with blanks between them";
        return Err(InvalidInput(wrong.to_owned()));
    }
    parse_moves(text).map_err(|error| InvalidInput(error.to_string()))
}

/// Refuses a state with stickers that are not known. Only a goal says which stickers matter.
pub(super) fn refuse_open(text: &str) -> Result<(), InvalidInput> {
    match has_open(text) {
        true => Err(InvalidInput(
            "found a sticker that is not known (`.` or `?`): expected --goal, which says what is \
             to be solved, such as --goal f2l"
                .to_owned(),
        )),
        false => Ok(()),
    }
}

/// The moves that undo a sequence. A text that may be stickers is refused.
pub(super) fn invert(text: &str, face: usize) -> Result<Vec<String>, InvalidInput> {
    Ok(moves(text, face)?.iter().rev().map(|one| one.inverse().to_string()).collect())
}
