//! The names of goals, and what each means: [`GOALS_OF_3X3X3`] and [`GOALS_OF_2X2X2`].

use super::named_goal;
use crate::partial::PartialCube;

/// A goal that [`named_goal`] knows by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalName {
    /// The name.
    pub name: &'static str,
    /// What the name alone stands for: the text after the colon. Empty if none may follow.
    pub usual: &'static str,
    /// When the goal is reached.
    pub means: &'static str,
}

const fn goal(name: &'static str, usual: &'static str, means: &'static str) -> GoalName {
    GoalName { name, usual, means }
}

/// Goals of the 3x3x3.
pub const GOALS_OF_3X3X3: [GoalName; 22] = [
    goal("cross", "D", "the edges of a face at home"),
    goal("xcross", "D", "a cross, and a corner of its face with the edge beside it: the best slot"),
    goal("xxcross", "D", "a cross with two such pairs: the best slots"),
    goal("xxxcross", "D", "a cross with three such pairs: the best slots"),
    goal("f2l-slot", "D", "the same as xcross"),
    goal("f2l", "D", "all but the layer opposite to a face at home"),
    goal("last-layer-ignored", "D", "the same as f2l"),
    goal("oll", "U", "the other two layers at home, and a face of one colour"),
    goal("pll", "U", "solved up to turns of a face"),
    goal("layer", "D", "the edges and corners of a face at home"),
    goal("eo", "FB", "no edge needs quarter turns of an axis"),
    goal("eoline", "DFB", "eo, and the two edges of a face that lie on its axis"),
    goal("eocross", "DFB", "eo, and the cross of a face"),
    goal("dr", "UD", "half turns, and quarter turns of an axis, are enough (domino reduction)"),
    goal("htr", "", "half turns are enough"),
    goal("222", "DLB", "a block of a corner and its three edges"),
    goal("223", "DL", "a block of all pieces that share no face with the edge opposite"),
    goal("fb", "LD", "the block of 1x2x3 on a side, beside a face (Roux)"),
    goal("f2b", "DL", "two such blocks on opposite sides of a face"),
    goal("corners", "", "all corners at home"),
    goal("edges", "", "all edges at home"),
    goal("solved", "", "all pieces at home"),
];
/// Goals of the 2x2x2.
pub const GOALS_OF_2X2X2: [GoalName; 5] = [
    goal("face", "D", "a face of one colour"),
    goal("layer", "D", "the corners of a face at home"),
    goal("oll", "U", "the other layer at home, and a face of one colour"),
    goal("pll", "U", "solved up to turns of a face"),
    goal("solved", "", "all corners at home"),
];

impl GoalName {
    /// The goals of a cube with `face` stickers on a face, 9 or 4.
    pub fn all(face: usize) -> &'static [Self] {
        if face == 9 { &GOALS_OF_3X3X3 } else { &GOALS_OF_2X2X2 }
    }

    /// The sets of cubes that the name alone stands for.
    pub fn sets(&self, face: usize) -> Vec<PartialCube> {
        named_goal(self.name, face).and_then(Result::ok).unwrap_or_default()
    }
}
