//! The states that a log makes claims about: [`States`].

use super::chooser::Chooser;
use super::costs::Costs;
use super::encoding::Encoding;
use super::error::LogError;
use super::tables::Tables;
use search::CancelToken;
use std::collections::HashMap;
use std::rc::Rc;

/// The states that a search within the budget expands, each once.
#[derive(Debug, Default)]
pub(super) struct States {
    /// The states, sorted. The start is the first.
    pub(super) states: Vec<Rc<[u16]>>,
    /// For each state: the fewest units on a way from the start.
    pub(super) units: Vec<u8>,
    numbers: HashMap<Rc<[u16]>, u32>,
    /// The number of children that were generated.
    pub(super) generated: u64,
}

impl States {
    /// The number of a sorted state.
    pub(super) fn number(&self, state: &[u16]) -> Option<usize> {
        self.numbers.get(state).map(|&number| number as usize)
    }

    /// Notes a way to a state. Returns the number of the state if no other way is as cheap.
    fn reach(&mut self, state: &[u16], units: usize) -> Option<u32> {
        let units = u8::try_from(units).unwrap_or(u8::MAX);
        if let Some(&number) = self.numbers.get(state) {
            let known = &mut self.units[number as usize];
            return (units < std::mem::replace(known, units.min(*known))).then_some(number);
        }
        let (number, state): (_, Rc<[u16]>) =
            (u32::try_from(self.states.len()).ok()?, state.into());
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        self.units.push(units);
        Some(number)
    }
}

/// The image of a sorted state, sorted. `None` if the operator does not apply.
pub(super) fn image(encoding: &Encoding, operator: usize, state: &[u16]) -> Option<Vec<u16>> {
    let mut image = encoding.step(operator, state)?;
    encoding.sort(&mut image);
    Some(image)
}

/// Searches all plans within the budget, those of the fewest units first. A state is left out if
/// the units on the way to it and the sum of its distances exceed the budget.
///
/// # Errors
/// If there is a plan, if more than `most` children are generated, or if the caller cancels.
pub(super) fn states(
    encoding: &Encoding,
    (costs, tables, chooser): (&Costs, &Tables<'_>, &Chooser),
    most: u64,
    cancel: &CancelToken,
) -> Result<States, LogError> {
    let sorted = |atoms: &[u16]| {
        let mut atoms = atoms.to_vec();
        encoding.sort(&mut atoms);
        atoms
    };
    let goals: Vec<Vec<u16>> = encoding.goals.iter().map(|goal| sorted(goal)).collect();
    let mut all = States::default();
    let mut open = vec![Vec::new(); costs.budget + 1];
    let start = all.reach(&sorted(&encoding.start), 0);
    let is_far = |state: &[u16]| tables.by_part(state).iter().sum::<usize>() > costs.budget;
    open[0].extend(start.filter(|_| !is_far(&all.states[0])));
    for units in 0..=costs.budget {
        if cancel.is_cancelled() {
            return Err(LogError::Cancelled);
        }
        while let Some(number) = open[units].pop() {
            let state = all.states[number as usize].clone();
            if usize::from(all.units[number as usize]) < units {
                continue;
            }
            if goals.iter().any(|goal| goal[..] == state[..]) {
                return Err(LogError::Plan);
            }
            for &operator in chooser.choose(&state).0 {
                all.generated += 1;
                if all.generated > most {
                    return Err(LogError::TooMany { most });
                }
                if all.generated.is_multiple_of(4096) && cancel.is_cancelled() {
                    return Err(LogError::Cancelled);
                }
                let Some(child) = image(encoding, operator, &state) else { continue };
                let cost = units + costs.units(encoding, (operator, costs.total()), &state);
                if cost + tables.by_part(&child).iter().sum::<usize>() <= costs.budget {
                    open[cost].extend(all.reach(&child, cost));
                }
            }
        }
    }
    Ok(all)
}
