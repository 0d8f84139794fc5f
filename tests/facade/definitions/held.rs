//! States whose moves hold the whole puzzle another way.

use fewest::{Request, Settings, configure};
use permutation::{Definition, MoveMetric, PuzzleState, ReadLimits, Transformation};
use search::random::Random;

/// Two wheels that turn by themselves, and rotations that swap them.
const WHEELS: &str = "Name wheels\nSet P 6 1\nStartState\nP\n0 1 2 3 4 5\nEnd\n\
    MoveTransformation A\nP\n2 0 1 3 4 5\nEnd\nMoveTransformation B\nP\n0 1 2 5 3 4\nEnd\n\
    MoveTransformation x\nP\n3 4 5 0 1 2\nEnd\nMoveTransformation y\nP\n4 5 3 2 0 1\nEnd\n";

/// The fewest operators after which a state is the solved one, held with a rotation.
fn least(definition: &Definition, start: &PuzzleState, held: &Transformation) -> usize {
    let operators = definition.operators(MoveMetric::Turn).expect("operators").list;
    let goal = definition.start().apply(held);
    let mut layer = vec![start.clone()];
    for depth in 0..6 {
        if layer.contains(&goal) {
            return depth;
        }
        let next = |state: &PuzzleState| {
            let state = state.clone();
            operators.iter().map(move |op| state.apply(&op.transformation)).collect::<Vec<_>>()
        };
        layer = layer.iter().flat_map(next).collect();
        layer.dedup();
    }
    panic!("a far state")
}

/// A state that is solved but for its rotations has length 0, and a plan turns what is in the hand.
#[test]
fn the_rotations_that_were_made_are_undone() {
    // With alike pieces, the states form no group.
    let alike = WHEELS.replace(
        "\n0 1 2 3 4 5\nEnd\nMoveTransformation A",
        "\n0 0 1 2 2 3\nEnd\nMoveTransformation A",
    );
    assert_ne!(alike, WHEELS);
    for (text, words) in [(WHEELS, &["A", "B", "A'", "x", "y"][..]), (&alike, &["A", "B", "x"])] {
        let definition = Definition::from_tws(text, &ReadLimits::default()).expect("a puzzle");
        let puzzle = configure(text, &Settings::default()).expect("a puzzle");
        let mut random = Random::new(44);
        let mut states: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        states.extend(["x2", "x y", "x A", "A x", "x A x"].map(str::to_owned));
        for length in 2..30 {
            let word = |_| words[usize::try_from(random.below(words.len() as u64)).expect("small")];
            states.push((0..=length % 6).map(word).collect::<Vec<_>>().join(" "));
        }
        for state in states.iter().filter(|state| !text.contains("2 2") || !state.contains('y')) {
            let turns = definition.parse_moves(state).expect("moves");
            let rotations = turns
                .iter()
                .filter(|turn| ["x", "y"].contains(&definition.moves().name_of(turn.of)));
            let held = rotations
                .fold(Transformation::identity(definition.orbits()), |held, &turn| {
                    held.then(&definition.moves().transformation(turn))
                });
            let start = definition.parse_state(state).expect("moves");
            let answer = puzzle.solve(state, &Request::default()).expect("a state");
            let plan = &answer.plans[0];
            assert_eq!(plan.len(), least(&definition, &start, &held), "{state}: {plan:?}");
            let end = definition.parse_state(&format!("{state} {}", plan.join(" ")));
            assert_eq!(end.expect("moves"), definition.start().apply(&held), "{state}: {plan:?}");
            let checked = puzzle.check_plan(state, &plan.join(" ")).expect("a plan");
            assert_eq!(checked.fault, None, "{state}");
            // A scramble file of the same moves undoes the same rotations.
            let file = format!("ScrambleAlg\n{state}\nEnd\n");
            let read = puzzle.state_files().expect("scramble files").read_file(&file);
            let again = &read.expect("a scramble").states[0].text;
            let again = puzzle.solve(again, &Request::default()).expect("a state");
            assert_eq!(again.plans[0].len(), plan.len(), "ScrambleAlg {state}");
        }
    }
}
