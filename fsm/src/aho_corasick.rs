//! Builds the table of next states of an automaton that accepts all strings without a forbidden
//! part.
//!
//! Source: Alfred Aho and Margaret Corasick, "Efficient string matching: an aid to bibliographic
//! search", Communications of the ACM 18, 1975, sections 3 and 6 (the deterministic automaton). We
//! differ: a match leads to the dead state, because nothing after it matters.

use crate::forbidden::{DEAD, ForbiddenStrings};
use std::collections::VecDeque;

/// Stands for "no edge yet".
const NONE: u32 = u32::MAX - 1;

/// The next states, indexed by `state * operators + op`; [`DEAD`] if the string ends in a forbidden
/// one. State 0 is the start, which is never dead. Some states may be unreachable.
///
/// Time and memory: O(operators in all forbidden strings x operators of the domain).
pub(crate) fn table(learned: &ForbiddenStrings) -> Vec<u32> {
    let operators = learned.operators();
    let mut next = trie(learned);
    // For each state, the state of its longest proper suffix in the trie. The row of the suffix is
    // completed before the row of the state.
    let mut suffix = vec![0_u32; next.len() / operators];
    let mut queue = VecDeque::from([0_u32]);
    while let Some(state) = queue.pop_front() {
        let longest = suffix[state as usize] as usize * operators;
        for op in 0..operators {
            let place = state as usize * operators + op;
            // The state to which the suffix leads. The start has no suffix: operators without an
            // edge stay there.
            let through = if state == 0 { 0 } else { next[longest + op] };
            match next[place] {
                DEAD => {}
                NONE => next[place] = through,
                // A proper suffix is forbidden already. That happens if strings are not minimal.
                _ if through == DEAD => next[place] = DEAD,
                child => {
                    suffix[child as usize] = through;
                    queue.push_back(child);
                }
            }
        }
    }
    // States below a forbidden string are unvisited and unreachable.
    next.iter_mut().filter(|to| **to == NONE).for_each(|to| *to = DEAD);
    next
}

/// The trie of the forbidden strings, as a table of next states. Nodes are the proper prefixes; a
/// complete string leads to [`DEAD`].
fn trie(learned: &ForbiddenStrings) -> Vec<u32> {
    let operators = learned.operators();
    let mut next = vec![NONE; operators];
    for string in learned.strings() {
        let mut state = 0;
        for (place, op) in string.iter().enumerate() {
            let edge = state * operators + op.index();
            if next[edge] == DEAD {
                break;
            }
            if place + 1 == string.len() {
                next[edge] = DEAD;
            } else {
                if next[edge] == NONE {
                    let fresh = u32::try_from(next.len() / operators).ok();
                    let Some(fresh) = fresh.filter(|&fresh| fresh < NONE) else {
                        panic!("the forbidden strings have 2^32 prefixes")
                    };
                    next[edge] = fresh;
                    next.resize(next.len() + operators, NONE);
                }
                state = next[edge] as usize;
            }
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Automaton, Keep};
    use search::Op;
    use search::random::Random;

    /// All strings over `operators` operators of at most this length, shortest first.
    fn strings(operators: u16, length: usize) -> Vec<Vec<Op>> {
        let mut all = vec![Vec::new()];
        let mut first = 0;
        for _ in 0..length {
            let last = all.len();
            for place in first..last {
                for op in (0..operators).map(Op) {
                    all.push([&all[place][..], &[op]].concat());
                }
            }
            first = last;
        }
        all
    }

    /// Tries random sets of strings, in some of which one string contains another.
    #[test]
    fn accepts_exactly_the_strings_without_a_forbidden_part() {
        let all = strings(3, 4);
        let mut random = Random::new(7);
        for _ in 0..60 {
            let mut draw = |n: usize| random.index(n);
            let forbidden: Vec<&[Op]> =
                (0..1 + draw(9)).map(|_| &all[1 + draw(all.len() - 1)][..]).collect();
            let learned = ForbiddenStrings::from_strings(
                &[1; 3],
                4,
                Keep::OneOptimal,
                forbidden.iter().copied(),
            )
            .unwrap();
            let automaton: Automaton<u32> = Automaton::new(&learned).unwrap();
            for string in strings(3, 6) {
                let holds = |part: &&[Op]| string.windows(part.len()).any(|window| window == *part);
                assert_eq!(
                    automaton.accepts(&string),
                    !forbidden.iter().any(holds),
                    "{string:?} {forbidden:?}"
                );
            }
        }
    }
}
