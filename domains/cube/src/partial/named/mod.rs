//! Goals of speed-cubers by name: crosses, first layers, orientations, last layers.

mod names;
mod sets;
#[cfg(test)]
mod tests;

pub use names::{GOALS_OF_2X2X2, GOALS_OF_3X3X3, GoalName};

use super::PartialCube;
use sets::{A_SLOT, SLOTS, crosses, face_of_colour, goal};
use std::collections::BTreeSet;

/// A goal has a known name, but what follows it is not allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoalNameError {
    /// After the colon stands something else.
    #[error("goal {name}: found `{found}` after the colon, expected {expected}")]
    Part {
        /// The name of the goal.
        name: String,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A goal that is joined to others has no known name.
    #[error("the goal {text}: found `{found}`, expected the name of a goal")]
    Name {
        /// The whole text.
        text: String,
        /// What stands in its place.
        found: String,
    },
    /// There are too many ways to reach a goal.
    #[error("the goal {goal} is reached in {ways} ways, expected at most {MOST_SETS}")]
    Many {
        /// The goal, or its name.
        goal: String,
        /// The sets of cubes that reach it.
        ways: usize,
    },
    /// No cube reaches both of two goals.
    #[error("the goal {text}: no cube reaches all its parts, expected parts that go together")]
    Apart {
        /// The whole text.
        text: String,
    },
}

/// The most sets of a goal.
const MOST_SETS: usize = 1000;

/// Reads the name of a goal, and returns the sets of cubes that reach it. A cube in any of these
/// sets has reached the goal. `face` is the number of stickers of a face, 9 or 4.
///
/// | name | goal | default |
/// |---|---|---|
/// | `cross:FACE` | the edges of a face at home | D |
/// | `xcross:SLOT`, `f2l-slot:SLOT` | a cross, a corner of its face, the edge above | any on D |
/// | `xxcross:SLOT-SLOT`, `xxxcross:..` | a cross with two or three such pairs | any on D |
/// | `layer:FACE` | the edges and corners of a face at home | D |
/// | `f2l:FACE`, `last-layer-ignored:FACE` | everything but the opposite layer at home | D |
/// | `oll:FACE` | the other two layers at home, and this face of one colour | U |
/// | `pll:FACE` | solved, up to a turn of this face | U |
/// | `eo:AXIS` | all edges such that no quarter turns of this axis are needed to solve them | FB |
/// | `eoline:FACE` | `eo`, and the two edges of the face that lie on the axis | D, FB |
/// | `eocross:FACE` | `eo`, and the cross | D, FB |
/// | `dr:AXIS` | solvable with half turns, and quarter turns of this axis | UD |
/// | `htr` | solvable with half turns | |
/// | `222:CORNER` | the corner and its three edges at home | DLB |
/// | `223:EDGE` | the edge with all pieces that share no face with its opposite edge | DL |
/// | `fb:SIDE` | the block of three edges and two corners on a side, beside a face | LD |
/// | `f2b:FACE` | the blocks on two opposite sides of a face | DL |
/// | `corners`, `edges`, `solved` | these at home, or all | |
///
/// A colour stands for its face on a cube held with white up and green in front: `cross:white` is
/// `cross:U`. A slot is a corner whose first face is that of the cross, or an edge such as `FR` for
/// the cross on D. A face alone, after `xcross`, `eoline`, `fb` and such, is the best of its slots,
/// axes or sides. With `any`, one face, axis, corner or edge is enough.
///
/// `/` stands between alternatives: `cross:U/D`, `cross/222`. `-` joins what must all be at home:
/// `222:DLB-DLF`. `+` joins goals: `cross+eo`.
///
/// On the 2x2x2 (`face` is 4) there are `layer`, `oll`, `pll` and `solved`, and `face:FACE` for a
/// face of one colour. The sets are for one way to hold the puzzle. [`PartialCube::held`] gives the
/// sets for all ways.
///
/// `None` if the text does not begin with the name of a goal.
///
/// # Errors
/// If it does, but what follows is not allowed, or no cube reaches the goal.
pub fn named_goal(text: &str, face: usize) -> Option<Result<Vec<PartialCube>, GoalNameError>> {
    let names: Vec<&str> = GoalName::all(face).iter().map(|goal| goal.name).collect();
    let first = name_of(text.split(['+', '/']).next()?);
    names.contains(&&*first).then(|| {
        let apart = || GoalNameError::Apart { text: text.to_owned() };
        let mut all = vec![PartialCube::ANY];
        for part in text.split('+') {
            all = both(&all, &alternatives((text, part), &names)?);
            if all.is_empty() {
                return Err(apart());
            }
            few((text, &all))?;
        }
        let of_corners = |set: PartialCube| match face {
            9 => set,
            _ => PartialCube { edges: PartialCube::ANY.edges, ..set },
        };
        Ok(all.into_iter().map(of_corners).collect())
    })
}

/// The sets of cubes in one of these sets and one of those, each once, in the order of these.
fn both(these: &[PartialCube], those: &[PartialCube]) -> Vec<PartialCube> {
    let pairs = these.iter().flat_map(|one| those.iter().map(move |other| one.and(other)));
    let mut seen = BTreeSet::new();
    pairs.flatten().filter(|set| seen.insert(set.clone())).collect()
}

/// # Errors
/// If a goal has more sets than [`MOST_SETS`].
fn few((goal, sets): (&str, &[PartialCube])) -> Result<(), GoalNameError> {
    let ways = sets.len();
    let many = || GoalNameError::Many { goal: goal.to_owned(), ways };
    if ways > MOST_SETS { Err(many()) } else { Ok(()) }
}

/// The name that a goal begins with, in small letters.
fn name_of(goal: &str) -> String {
    goal.split_once(':').map_or(goal, |(name, _)| name).trim().to_ascii_lowercase()
}

/// The sets of goals of which one must be reached. What has no name is a part of the goal before.
fn alternatives(
    (text, part): (&str, &str),
    names: &[&str],
) -> Result<Vec<PartialCube>, GoalNameError> {
    let (mut sets, mut name) = (Vec::new(), None);
    for goal in part.split('/') {
        let own = name_of(goal);
        let given = if names.contains(&&*own) {
            name = Some(own);
            goal.split_once(':').map(|(_, given)| given.trim())
        } else {
            Some(goal.trim())
        };
        let Some(name) = &name else {
            let (text, found) = (text.to_owned(), goal.trim().to_owned());
            return Err(GoalNameError::Name { text, found });
        };
        sets.extend(joined(name, given)?);
    }
    Ok(sets)
}

/// The sets of one goal. Parts with `-` between them must all be reached.
fn joined(name: &str, given: Option<&str>) -> Result<Vec<PartialCube>, GoalNameError> {
    let upper = given.map(str::to_ascii_uppercase);
    let pairs = match name {
        "xcross" | "f2l-slot" => 1,
        "xxcross" => 2,
        "xxxcross" => 3,
        _ => 0,
    };
    let wrong = |expected| {
        let found = given.unwrap_or_default().to_owned();
        GoalNameError::Part { name: name.to_owned(), found, expected }
    };
    if pairs > 0 {
        let expected = if pairs == 1 { A_SLOT } else { SLOTS };
        let sets = crosses(upper.as_deref().map_or("D", face_of_colour), pairs);
        return sets.ok_or_else(|| wrong(expected));
    }
    let mut all = vec![PartialCube::ANY];
    for item in upper.as_deref().map_or(vec![None], |all| all.split('-').map(Some).collect()) {
        let (sets, expected) = goal(name, item.map(|item| face_of_colour(item.trim())));
        let sets = sets.ok_or_else(|| wrong(expected))?;
        all = both(&all, &sets);
        if all.is_empty() {
            return Err(wrong(expected));
        }
        few((name, &all))?;
    }
    Ok(all)
}
