//! Minimisation: the smallest automaton that accepts the same strings.
//!
//! Source: Edward Moore, "Gedanken-experiments on sequential machines", Automata Studies,
//! Princeton, 1956, section 8. Each round splits classes of states by the classes of their
//! successors, until a round splits nothing. The result is exact. All states except the dead one
//! accept, so the first round starts from one class.
//!
//! There are at most as many rounds as the longest forbidden string has operators, because no
//! longer string tells two states of an Aho-Corasick automaton apart. So Hopcroft's algorithm would
//! gain nothing.

use crate::automaton::Automaton;
use crate::forbidden::DEAD;
use hashbrown::HashTable;
use search::{CancelToken, OpSet};

impl<O: OpSet> Automaton<O> {
    /// The smallest automaton that accepts the same strings. It has the same dead-end bounds.
    ///
    /// The numbering of states is canonical: two minimised automata are equal exactly if they
    /// accept the same strings.
    ///
    /// Time: O(states x operators x rounds). Memory: O(states).
    #[must_use]
    pub fn minimized(&self) -> Self {
        let found = self.minimized_until(&CancelToken::new());
        found.unwrap_or_else(|| unreachable!("nobody cancels"))
    }

    /// Does what [`Automaton::minimized`] does. `None` if the caller cancels. It looks at the token
    /// before each round.
    #[must_use]
    pub fn minimized_until(&self, cancel: &CancelToken) -> Option<Self> {
        let operators = self.operators();
        let next = self.table();
        let mut classes = vec![0_u32; self.states()];
        let mut count = 1;
        loop {
            if cancel.is_cancelled() {
                return None;
            }
            let (refined, more) = refine(&next, operators, &classes);
            classes = refined;
            if more == count {
                break;
            }
            count = more;
        }
        // Classes are numbered by their first state, so the start is in class 0.
        let mut table = Vec::with_capacity(count * operators);
        for (state, row) in next.chunks_exact(operators).enumerate() {
            if classes[state] as usize * operators == table.len() {
                table.extend(row.iter().map(|&to| class(&classes, to)));
            }
        }
        match Self::from_table(self.costs().into(), &table) {
            Ok(minimized) => Some(minimized),
            Err(error) => unreachable!("classes of a valid automaton: {error}"),
        }
    }
}

fn class(classes: &[u32], state: u32) -> u32 {
    if state == DEAD { DEAD } else { classes[state as usize] }
}

/// Splits classes by the classes of their states' successors. Returns the new class of each state,
/// and the number of new classes. Classes are numbered in the order of their first states.
fn refine(next: &[u32], operators: usize, classes: &[u32]) -> (Vec<u32>, usize) {
    let own_and_successors = |state: usize| {
        let row = &next[state * operators..][..operators];
        std::iter::once(classes[state]).chain(row.iter().map(|&to| class(classes, to)))
    };
    let hash = |state: usize| {
        let mix = |hash: u64, class: u32| {
            let mixed = (hash ^ u64::from(class)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 29
        };
        own_and_successors(state).fold(0, mix)
    };
    let mut refined = Vec::with_capacity(classes.len());
    // The first state of each new class, and the class.
    let mut firsts: HashTable<(usize, u32)> = HashTable::new();
    for state in 0..classes.len() {
        let same =
            |&(first, _): &(usize, u32)| own_and_successors(first).eq(own_and_successors(state));
        let fresh = u32::try_from(firsts.len()).unwrap_or(DEAD);
        let entry = firsts.entry(hash(state), same, |&(first, _)| hash(first));
        refined.push(entry.or_insert((state, fresh)).get().1);
    }
    (refined, firsts.len())
}

#[cfg(test)]
mod tests {
    use crate::{Automaton, ForbiddenStrings, Keep, branching_factor_until};
    use search::testing::Pancake;
    use search::{CancelToken, Op};

    #[test]
    fn cancelled_work_on_an_automaton_stops() {
        let learned = crate::learn(&Pancake::new(5), 4, Keep::OneOptimal);
        let automaton: Automaton<u32> = Automaton::new(&learned).unwrap();
        let cancel = CancelToken::new();
        assert_eq!(automaton.minimized_until(&cancel), Some(automaton.minimized()));
        cancel.cancel();
        assert_eq!(automaton.minimized_until(&cancel), None);
        assert_eq!(branching_factor_until(&Pancake::new(5), &automaton, &cancel), None);
    }

    #[test]
    fn equivalent_states_become_one() {
        // After operator 0 or 1 neither of them may follow, so the states after "0" and after "1"
        // are one.
        let op = |a, b| [Op(a), Op(b)];
        let strings = [op(0, 0), op(0, 1), op(1, 0), op(1, 1)];
        let strings = strings.iter().map(|string| &string[..]);
        let learned =
            ForbiddenStrings::from_strings(&[1; 3], 2, Keep::OneOptimal, strings).unwrap();
        let automaton: Automaton<u32> = Automaton::new(&learned).unwrap();
        assert_eq!((automaton.states(), automaton.minimized().states()), (3, 2));
        assert_eq!(automaton.minimized().minimized(), automaton.minimized());
    }
}
