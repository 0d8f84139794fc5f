//! Each goal with moves that keep it and moves that break it, and errors.

use super::*;
use crate::cube::Cube;
use crate::notation::parse_moves;
use std::collections::HashSet;

fn sets(text: &str) -> Vec<PartialCube> {
    named_goal(text, 9).unwrap().unwrap()
}

fn reached(goal: &str, moves: &str) -> bool {
    let cube = Cube::SOLVED.moved(&parse_moves(moves).unwrap());
    sets(goal).iter().any(|set| set.contains(&cube))
}

#[test]
fn goals_are_kept_by_the_moves_that_keep_them() {
    let sune = "R U R' U R U2 R'";
    for (goal, kept, broken) in [
        ("cross", "R U R' U' L' U L", "R U F"),
        ("cross:r", "U L U'", "R U"),
        ("cross:any", "R2", "R U F D"),
        ("cross:White", "D R D R'", "R"),
        ("f2l-slot:yellow", "U", "D"),
        ("layer", "U", "R"),
        ("f2l", sune, "R U R'"),
        ("last-layer-ignored:U", "B R D R' D' B'", "U2 R"),
        ("f2l-slot:FR", "L' U L U2 B U B'", "R U R'"),
        ("f2l-slot", "R U R' U L' U L", "R2 U L2"),
        ("f2l-slot:DLB", "R U R' U F' U F", "L U L'"),
        ("oll", "R U R' U' R' F R2 U' R' U' R U R' F'", sune),
        ("pll", "U2", "R2 U R2"),
        ("eo", "U R D' L F2 B2", "F"),
        ("eo:UD", "F B' R L2 U2", "U"),
        ("dr", "U D' R2 L2 F2 B2", "R"),
        ("dr:F", "F B R2 U2 L2", "U"),
        ("htr", "R2 U2 F2 L2 D2 B2 R2 U2", "R2 U"),
        // A cycle of three corners.
        ("htr", "F2", "R' F R' B2 R F' R' B2 R2"),
        ("xcross:FR", "L' U L U2 B U B'", "R U R'"),
        ("xxcross:FR-FL", "B U B' U R' U R U' R' U' R", "R U R'"),
        ("xxcross", "R U R' U' F' U F", "R U R' L U L' B U B'"),
        ("xxxcross:DFR-DFL-DBL", "R' U R U2 R' U' R", "L U L'"),
        ("cross:U/D", "D2", "R U R' F"),
        ("cross/222:DLB", "R U", "R L"),
        ("cross+eo", "R U R'", "F U F'"),
        ("222", "R U F", "L"),
        ("222:any", "R U F", "R L U D F B"),
        ("222:DLB-DLF", "R U R'", "F"),
        ("223", "R U R'", "F"),
        ("223:DR", "L U L2", "F"),
        ("fb", "R U R2", "F"),
        ("fb:RU", "L D L'", "F"),
        ("f2b", "M U M'", "R"),
        ("eoline", "R U L D2 R2 D2", "D"),
        ("eoline:DFB", "R U L", "D"),
        ("eoline:D", "R U L", "D R"),
        ("eocross", "R U R'", "F U F'"),
        ("eocross:UR", "F D F'", "R D R'"),
        ("corners", "M2 U2 M2 U2", "U"),
        ("edges", "", "U"),
        ("solved", "x R3 R x'", "U2"),
    ] {
        assert!(reached(goal, kept), "{goal}");
        assert!(!reached(goal, broken), "{goal}");
    }
    let count = |text| sets(text).len();
    assert_eq!((count("xcross"), count("xxcross"), count("xxxcross:U")), (4, 6, 4));
    assert_eq!(
        (count("222:any"), count("223:any"), count("fb:any"), count("fb:L")),
        (8, 12, 24, 4)
    );
    assert_eq!((count("f2b:any"), count("f2b:D"), count("eoline:any")), (12, 2, 12));
    for goal in &GOALS_OF_3X3X3 {
        let whole = format!("{}:{}", goal.name, goal.usual);
        assert!(goal.usual.is_empty() || goal.sets(9) == sets(&whole), "{whole}");
        assert!(goal.sets(9).iter().any(|set| set.contains(&Cube::SOLVED)), "{}", goal.name);
    }
    assert_eq!(sets("222:DLB-DLF"), sets("223:DL"));
    assert_eq!(sets("xxcross:FR-FL"), sets("xxcross:DFL-DFR"));
    assert_eq!((sets("f2l-slot:any").len(), sets("f2l-slot:D").len()), (24, 4));
    assert_eq!((sets("eo:any").len(), sets("cross:any").len(), sets("pll").len()), (3, 6, 4));
}

/// All cubes that half turns reach, by a plain breadth-first search, are the goal's.
#[test]
fn half_turns_reach_as_many_cubes_as_their_goal_has() {
    let sets = sets("htr");
    assert_eq!(sets.len(), 96);
    let place = |cube: &Cube| sets.iter().position(|set| set.contains(cube)).expect("a set");
    let (mut seen, mut cubes) = (HashSet::from([Cube::SOLVED]), vec![Cube::SOLVED]);
    let mut counts = [0; 96];
    while let Some(cube) = cubes.pop() {
        counts[place(&cube)] += 1;
        let turned = (0..6).map(|face| cube.turned(3 * face + 1));
        cubes.extend(turned.filter(|cube| seen.insert(*cube)));
    }
    // Half of the ways to fill three slices have the parity of the corners.
    assert_eq!(counts, [24 * 24 * 24 / 2; 96]);
}

#[test]
fn what_is_no_goal_is_told() {
    let wrong = |text| named_goal(text, 9).unwrap().unwrap_err().to_string();
    assert_eq!(
        wrong("cross:W"),
        "goal cross: found `W` after the colon, expected one of the faces U R F D L B, a \
         colour such as white, or any"
    );
    assert!(wrong("eo:UF").contains("axes UD, RL and FB"));
    assert!(wrong("corners:U").ends_with("expected nothing"));
    assert!(wrong("f2l-slot:DUF").contains("a corner such as DFR"));
    assert!(wrong("xxcross:FR-FR").contains("found `FR-FR` after the colon, expected as many"));
    assert!(wrong("xxcross:FR").contains("as many different slots"));
    assert!(wrong("xxcross:UFR-DFL").contains("slots of one cross"));
    assert!(wrong("222:DL").contains("a corner such as DLB"));
    assert!(wrong("fb:LR").contains("a side and the face below it such as LD"));
    assert_eq!(
        wrong("cross+nothing"),
        "the goal cross+nothing: found `nothing`, expected the name of a goal"
    );
    assert!(wrong("cross+U").contains("found `U`, expected the name of a goal"));
    let many = format!("222:any{}", "-any".repeat(9));
    assert_eq!(
        named_goal(&many, 9).map(|sets| sets.is_ok_and(|sets| sets.len() < 300)),
        Some(true)
    );
    assert!(wrong("223:any-any-any+xxcross:any+eo:any").contains("ways, expected at most 1000"));
    assert!(wrong("pll:U+eo:XY").contains("axes UD, RL and FB"));
    assert!(named_goal("R U", 9).is_none() && named_goal("cross", 4).is_none());
    assert_eq!(named_goal("face:any", 4).unwrap().unwrap().len(), 6);
}
