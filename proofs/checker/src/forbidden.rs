//! Forbidden strings: each has a smaller twin, and one automaton finds them all in a path.

use crate::puzzle::Puzzle;
use crate::text::Objection;
use std::collections::VecDeque;

/// The most entries of the automaton.
const MOST: usize = 1 << 28;
/// In the automaton: no state yet, and after that a path with a forbidden string.
const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Forbidden {
    pub(crate) line: usize,
    pub(crate) string: Vec<usize>,
    pub(crate) twin: Vec<usize>,
}

impl Forbidden {
    /// Checks that the twin is smaller, applies wherever the string does, and leads to the same
    /// state. Then a cheapest plan without forbidden strings exists: replacing strings by twins
    /// ends, as each step makes the plan smaller.
    pub(crate) fn check(&self, puzzle: &Puzzle) -> Result<(), Objection> {
        let refused = |text: String| Objection::Refused(format!("line {}: {text}", self.line));
        let size = |string: &Vec<usize>| (puzzle.cost(string), string.len(), string.clone());
        if size(&self.twin) >= size(&self.string) {
            return Err(refused("the twin is not smaller than the forbidden string".into()));
        }
        // Permutations: one state shows the product. Boards: the blank on each square.
        let starts = if puzzle.is_board() { puzzle.points } else { 1 };
        for blank in 0..starts {
            let mut values: Vec<u16> = (0..).take(puzzle.points).collect();
            values.swap(0, blank);
            let start = puzzle.state(values);
            let end = puzzle.apply_all(&start, &self.string);
            if end.is_some() && puzzle.apply_all(&start, &self.twin) != end {
                let from =
                    if puzzle.is_board() { format!(" from square {blank}") } else { String::new() };
                return Err(refused(format!("the twin does not lead to the same state{from}")));
            }
        }
        Ok(())
    }
}

/// Tells for each path whether it contains a forbidden string: its state is the longest end of the
/// path that begins one.
#[derive(Debug)]
pub(crate) struct Automaton {
    moves: usize,
    next: Vec<u32>,
}

impl Automaton {
    pub(crate) fn new(strings: &[Forbidden], moves: usize) -> Result<Self, Objection> {
        let letters: usize = strings.iter().map(|one| one.string.len()).sum();
        if letters.saturating_mul(moves) > MOST {
            return Err(Objection::NotDone("there are too many forbidden strings".into()));
        }
        // A tree of all strings, with state 0 for the empty one.
        let mut next = vec![NONE; moves];
        let mut complete = vec![false];
        for Forbidden { string, .. } in strings {
            let mut at = 0;
            for &by in string {
                let entry = at * moves + by;
                if next[entry] == NONE {
                    next[entry] = u32::try_from(complete.len()).unwrap_or(NONE);
                    next.resize(next.len() + moves, NONE);
                    complete.push(false);
                }
                at = next[entry] as usize;
            }
            complete[at] = true;
        }
        // Level by level: a state falls back to the longest end of its string that is a state, too.
        let mut back = vec![0; complete.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            complete[at] |= complete[back[at]];
            for by in 0..moves {
                let behind = if at == 0 { 0 } else { next[back[at] * moves + by] };
                let child = &mut next[at * moves + by];
                if *child == NONE {
                    *child = behind;
                } else {
                    back[*child as usize] = behind as usize;
                    queue.push_back(*child as usize);
                }
            }
        }
        let finished = |&state: &u32| if complete[state as usize] { NONE } else { state };
        Ok(Self { moves, next: next.iter().map(finished).collect() })
    }

    /// The state of a path that is one move longer. `None`: it contains a forbidden string.
    pub(crate) fn step(&self, state: u32, by: usize) -> Option<u32> {
        Some(self.next[state as usize * self.moves + by]).filter(|&next| next != NONE)
    }
}
