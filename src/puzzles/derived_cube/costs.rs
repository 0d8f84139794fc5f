//! What the moves of a cube cost.

use crate::puzzles::costs::read;
use crate::settings::{ConfigureError, MetricChoice, Settings};
use cube::notation::{AxisMoves, Layer, parse_moves};
use search::Cost;

/// For each move: what the settings say that it costs. A pair of turns costs what the dearer of
/// them costs, a slice 1, unless the settings name them. A pair costs at most what its turns cost
/// one after the other, because they read as the pair.
///
/// # Errors
/// If a name is that of no move of the metric.
pub(super) fn of_moves(settings: &Settings, all: &AxisMoves) -> Result<Vec<Cost>, ConfigureError> {
    let metric = settings.turn_metric();
    let mut named: Vec<(usize, bool, Cost)> = Vec::new();
    for (name, cost) in read(settings)? {
        let wrong = |what: &str| {
            let text = format!("the cost of {name:?}: {what}, expected a move of {metric}");
            ConfigureError::invalid(format!("{text} such as R, R2 or R'"))
        };
        let moves = parse_moves(name).map_err(|error| wrong(&error.to_string()))?;
        let turns = |layer| matches!(layer, Layer::Face(_) | Layer::Slice(_));
        let is_turned = moves.iter().all(|one| turns(one.layer));
        let read = all.read(&moves);
        let (&[number], true) = (&read[..], is_turned) else {
            return Err(wrong("found no single move"));
        };
        if metric == MetricChoice::QuarterTurn && all.is_half_turn(number) {
            return Err(wrong("a half turn is two moves"));
        }
        // A quarter turn clockwise stands for all its powers.
        let is_whole = moves.len() == 1 && moves[0].quarters == 1;
        if named.iter().any(|&(other, whole, _)| (other, whole) == (number, is_whole)) {
            return Err(wrong("found it twice"));
        }
        named.push((number, is_whole, Cost::try_from(cost).unwrap_or(Cost::MAX)));
    }
    named.sort_by_key(|&(_, is_whole, _)| !is_whole);
    let mut costs: Vec<Option<Cost>> = vec![None; all.len()];
    for (number, is_whole, cost) in named {
        let times = if is_whole { 1..=3 } else { 1..=1 };
        for power in times.filter_map(|times| all.power(number, times)) {
            costs[power] = Some(cost);
        }
    }
    let turn = |turn: usize| costs[turn].unwrap_or(1);
    let cost = |number: usize| match (costs[number], all.turns(number)) {
        (cost, (first, Some(second))) if metric == MetricChoice::Axial => {
            let cost = cost.unwrap_or_else(|| turn(first).max(turn(second)));
            cost.min(turn(first).saturating_add(turn(second)))
        }
        (cost, _) => cost.unwrap_or(1),
    };
    Ok((0..all.len()).map(cost).collect())
}
