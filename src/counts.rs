//! Counts states layer by layer, as all puzzles do it.

use crate::puzzle::{Failure, Result, Tell};
use pdb::layers::{ClassLayerOptions, exhaust_classes};
use search::{FlatKey, Options, Packed, Reversible, Symmetric};

/// Calls `tell` with the number of states at each distance from `goal`, 0 to `depth`. Stores one
/// state for each class of symmetric states.
pub(crate) fn count_states<D: Packed<Key: FlatKey> + Reversible + Symmetric>(
    domain: &D,
    goal: D::State,
    depth: usize,
    options: &Options<'_>,
    tell: &mut Tell<'_>,
) -> Result<()> {
    let mut told = 0;
    let wanted = ClassLayerOptions { depth, farthest: 0, checkpoint: None, observer: None };
    tell_classes(domain, &[goal], &wanted, options, &mut |depth, states| {
        told = depth + 1;
        tell(depth, states);
    })?;
    (told..=depth).for_each(|depth| tell(depth, 0));
    Ok(())
}

/// Counts the states at each distance from the goals, but stores only one state for each class of
/// symmetric states. Calls `tell` with each distance and its number of states (not classes).
///
/// Ends after the distance `wanted.depth`, or earlier if no states are left. Returns states at the
/// last distance told: at most `wanted.farthest`.
pub(crate) fn tell_classes<D: Packed<Key: FlatKey> + Reversible + Symmetric>(
    domain: &D,
    goals: &[D::State],
    wanted: &ClassLayerOptions<'_>,
    options: &Options<'_>,
    tell: &mut Tell<'_>,
) -> Result<Vec<D::State>> {
    let mut tell = |layer: search::stored::SymmetricLayer| tell(layer.depth, layer.states);
    exhaust_classes(domain, goals, wanted, options, &mut tell).map_err(Failure::from)
}

/// Calls `tell` with the number of states of each layer, from layer 0 to layer `to`. Layer 0 has
/// `goals` states.
///
/// If `to` is `usize::MAX`, stops after the last layer that has states.
pub(crate) fn tell_layers<D: Packed>(
    layers: &mut search::stored::Layers<'_, D>,
    goals: usize,
    to: usize,
    tell: &mut Tell<'_>,
) -> Result<()> {
    tell(0, goals as u128);
    for depth in 1..=to {
        let states = layers.advance()?;
        if states == 0 && to == usize::MAX {
            break;
        }
        tell(depth, u128::from(states));
    }
    Ok(())
}
