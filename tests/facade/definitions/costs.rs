//! Puzzles whose moves have great costs, or different ones.

use fewest::{Ending, Puzzle, Request, Settings, configure};

/// Two swaps that commute.
fn swaps(slots: usize, pieces: &str, [one, two]: [u8; 2]) -> Box<dyn Puzzle> {
    let row = |first: &str| {
        let rest: String = (5..=slots).map(|piece| format!(" {piece}")).collect();
        format!("{first}{rest}")
    };
    let text = format!(
        "Name swaps\nSet P {slots} 1\nSolved\nP\n{}\nEnd\nMove A\nP\n{}\nEnd\nMove B\nP\n{}\nEnd\n\
         MoveCost A {one}\nMoveCost B {two}\n",
        row(pieces),
        row("2 1 3 4"),
        row("1 2 4 3"),
    );
    configure(&text, &Settings::default().memory(1 << 26)).expect("a puzzle")
}

/// States are counted by cost, whatever the size of the puzzle is.
#[test]
fn states_are_counted_by_the_costs_of_their_plans() {
    for slots in [5, 300] {
        let puzzle = swaps(slots, "1 2 3 4", [3, 2]);
        let known = [1, 0, 1, 1, 0, 1];
        for to in [0, 3, 5, 8] {
            let mut told = Vec::new();
            let tell = &mut |_, count| told.push(count);
            puzzle
                .counting()
                .expect("counts")
                .count_states(to, &Request::default(), tell)
                .expect("few");
            let known: Vec<u128> = (0..=to).map(|at| known.get(at).copied().unwrap_or(0)).collect();
            assert_eq!(told, known, "{slots} slots");
        }
        let mut told = Vec::new();
        let tell = &mut |_, count| told.push(count);
        let far = puzzle.exhaustive().expect("few").count_all(3, &Request::default(), tell);
        assert_eq!(told, known, "{slots} slots");
        let far = far.expect("few");
        assert_eq!(far.len(), 1, "{far:?}");
        let answer = puzzle.solve(&far[0], &Request::default()).expect("a state");
        assert_eq!(answer.costs, [5]);
    }
}

/// Tables hold distances up to 254. A table of greater ones is left out.
#[test]
fn a_far_state_hides_no_near_one() {
    for (slots, pieces) in [(4, "1 2 3 4"), (4, "1 2 3 3"), (300, "1 2 3 4")] {
        let puzzle = swaps(slots, pieces, [200, 190]);
        for (state, cost) in [("solved", 0), ("A", 200), ("A A", 0)] {
            let answer = puzzle.solve(state, &Request::default()).expect("a state");
            assert_eq!((answer.ending, answer.optimal), (Ending::Solved, true), "{state}");
            assert_eq!(answer.costs, [cost], "{state}");
        }
    }
    let puzzle = swaps(4, "1 2 3 4", [200, 190]);
    let answer = puzzle.solve("A B", &Request::default()).expect("a state");
    assert_eq!((answer.ending, answer.lower_bound), (Ending::LimitReached, 255));
    let mut told = Vec::new();
    let tell = &mut |depth, count| told.push((depth, count));
    puzzle.exhaustive().expect("few").count_all(0, &Request::default(), tell).expect("few");
    told.retain(|&(_, count)| count > 0);
    assert_eq!(told, [(0, 1), (190, 1), (200, 1), (390, 1)]);
}
