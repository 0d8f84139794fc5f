//! Automata are learned once, and a cancelled call reports that it was cancelled.

use fewest::{Ending, Job, Puzzle, Settings, configure};
use search::CancelToken;

/// One puzzle of every kind.
fn puzzles() -> Vec<Box<dyn Puzzle>> {
    let definition = crate::definition("2x2x2.tws");
    let definition = definition.to_str().expect("a path").to_owned();
    let names = ["3x3x3", "2x2x2", "15-puzzle", &definition];
    let settings = Settings::default().memory(8 << 20).tables(crate::tables());
    names.map(|name| configure(name, &settings).expect("a puzzle")).into()
}

fn cancelled() -> Job<'static> {
    let cancel = CancelToken::new();
    cancel.cancel();
    Job::default().cancel(cancel)
}

/// Learning an automaton looks at the cancel token. Using an automaton that is learned already does
/// not.
#[test]
fn automata_are_learned_once() {
    for puzzle in puzzles() {
        let counting = puzzle.counting().expect("counts");
        assert!(counting.count_sequences(3, &cancelled()).is_err(), "{}", puzzle.info().name);
        let counts = counting.count_sequences(3, &Job::default()).expect("counts");
        assert_eq!(counting.count_sequences(3, &cancelled()).expect("kept"), counts);
    }
}

/// The outcome is `cancelled`, not an error and not a limit.
#[test]
fn a_search_that_is_cancelled_while_it_learns_is_cancelled() {
    for puzzle in puzzles() {
        let state =
            puzzle.scrambler().expect("random states").scrambles(1).next().expect("a state");
        let answer = puzzle.solve(&state, &cancelled()).expect("an answer");
        assert_eq!(answer.ending, Ending::Cancelled, "{}", puzzle.info().name);
    }
}
