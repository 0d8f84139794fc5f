//! The goals that have a name, of any puzzle: [`named_goals`].

use crate::puzzle::{NamedGoal, PuzzleInfo};
use cube::partial::GoalName;

/// The goals of a puzzle that have a name.
pub(super) fn named_goals(info: &PuzzleInfo) -> Vec<NamedGoal> {
    if let Some(face) = info.face_stickers {
        return goals_of_cube(face);
    }
    let Some((rows, columns)) = info.board else {
        return vec![NamedGoal::new("solved", "the solved state of the definition", None)];
    };
    let numbers = |all: &mut dyn Iterator<Item = usize>| -> String {
        all.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
    };
    let (first, last) =
        (numbers(&mut (0..rows * columns)), numbers(&mut (1..rows * columns).chain([0])));
    vec![
        NamedGoal::new("solved", "all tiles in order, the blank first", Some(first)),
        NamedGoal::new("last", "all tiles in order, the blank last", Some(last)),
    ]
}

/// The goals of a cube by name. `face` is the number of stickers of a face, 9 or 4.
fn goals_of_cube(face: usize) -> Vec<NamedGoal> {
    let goal = |goal: &GoalName| {
        let sets = goal.sets(face);
        let picture = sets.first().map(|set| set.picture(face));
        let GoalName { name, usual, means } = *goal;
        NamedGoal {
            name: name.to_owned(),
            usual,
            means: means.to_owned(),
            ways: sets.len(),
            picture,
        }
    };
    GoalName::all(face).iter().map(goal).collect()
}
