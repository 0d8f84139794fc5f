//! Pruning for symmetric starts. Of operator strings that a symmetry of the start maps to each
//! other, the automaton accepts only the lexicographically first.
//!
//! Source: the lex-leader of James Crawford, Matthew Ginsberg, Eugene Luks and Amitabha Roy,
//! "Symmetry-Breaking Predicates for Search Problems", KR 1996. There it orders the variables of a
//! formula, here the operators of a plan.

use crate::automaton::Automaton;
use crate::error::AutomatonError;
use crate::forbidden::DEAD;
use search::{Op, OpSet};
use std::collections::HashMap;

/// The most relabellings that are used. It is sound to ignore others.
const MOST: usize = 128;

impl<O: OpSet> Automaton<O> {
    /// Restricts this automaton to *lex-leaders*. It accepts a string only if no relabelling maps
    /// the string to a lexicographically earlier one.
    ///
    /// A relabelling lists the image of every operator under a symmetry. The symmetry maps the
    /// start of a search to itself, and goals to goals (a rotation of a solved cube). Such a
    /// symmetry maps plans to plans of the same cost and length. So the automaton accepts the
    /// smallest optimal plan from this start, in the order of [`Keep::OneOptimal`](crate::Keep).
    ///
    /// - From other starts it may accept no optimal plan.
    /// - It prunes images of plans, so do not use it if all optimal plans are wanted.
    /// - In a two-sided search use it for the front end only; the back end stays as it is.
    ///
    /// A state of the result also remembers the set of relabellings that have left the string
    /// unchanged so far. Only the first 128 different relabellings are used. Time and memory:
    /// O(states x such sets x operators).
    ///
    /// # Errors
    /// If the automaton would have 2^24 states or more.
    ///
    /// # Panics
    /// If a relabelling has another number of operators than the automaton.
    pub fn lex_leaders(&self, relabellings: &[Vec<Op>]) -> Result<Self, AutomatonError> {
        let operators = self.operators();
        let mut images: Vec<&[Op]> = Vec::new();
        for image in relabellings {
            assert_eq!(image.len(), operators, "a relabelling of another domain");
            if images.len() < MOST && !images.contains(&&image[..]) {
                images.push(image);
            }
        }
        let inner = self.table();
        let all = if images.len() == MOST { u128::MAX } else { (1 << images.len()) - 1 };
        let mut order = vec![(0_u32, all)];
        let mut numbers = HashMap::from([(order[0], 0_u32)]);
        let mut table = Vec::new();
        let mut at = 0;
        while at < order.len() {
            let (state, tied) = order[at];
            let row = &inner[state as usize * operators..][..operators];
            for (op, &next) in (0..operators).map(Op::new).zip(row) {
                let still = if next == DEAD { None } else { tied_after(&images, tied, op) };
                table.push(still.map_or(DEAD, |still| {
                    *numbers.entry((next, still)).or_insert_with(|| {
                        order.push((next, still));
                        u32::try_from(order.len() - 1).unwrap_or(DEAD)
                    })
                }));
            }
            at += 1;
        }
        Self::from_table(self.costs().into(), &table)
    }
}

/// The relabellings of the set `tied` that fix an operator; `None` if any of `tied` maps it to an
/// earlier operator. Bit `i` of a set stands for `images[i]`.
fn tied_after(images: &[&[Op]], tied: u128, op: Op) -> Option<u128> {
    let mut still = 0;
    for (bit, image) in images.iter().enumerate().filter(|&(bit, _)| tied >> bit & 1 == 1) {
        match image[op.index()].cmp(&op) {
            std::cmp::Ordering::Less => return None,
            std::cmp::Ordering::Equal => still |= 1 << bit,
            std::cmp::Ordering::Greater => {}
        }
    }
    Some(still)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ForbiddenStrings, Keep};

    /// All strings of a length, in lexicographic order.
    fn strings(operators: usize, length: u32) -> impl Iterator<Item = Vec<Op>> {
        (0..operators.pow(length)).map(move |number| {
            let digit = |place| Op::new(number / operators.pow(place) % operators);
            (0..length).rev().map(digit).collect()
        })
    }

    /// Checks that the automaton accepts the strings by definition: accepted by the original
    /// automaton, and no later than any image.
    fn check(forbidden: &[&[u16]], relabellings: &[&[u16]]) {
        let operators = relabellings[0].len();
        let ops = |string: &&[u16]| string.iter().map(|&op| Op(op)).collect::<Vec<_>>();
        let forbidden: Vec<_> = forbidden.iter().map(ops).collect();
        let relabellings: Vec<_> = relabellings.iter().map(ops).collect();
        let costs = vec![1; operators];
        let parts = forbidden.iter().map(Vec::as_slice);
        let learned = ForbiddenStrings::from_strings(&costs, 3, Keep::OneOptimal, parts).unwrap();
        let automaton = Automaton::<u32>::new(&learned).unwrap();
        let leaders = automaton.lex_leaders(&relabellings).unwrap();
        let mut cut = 0;
        for string in (0..6).flat_map(|length| strings(operators, length)) {
            let image = |to: &Vec<Op>| string.iter().map(|op| to[op.index()]).collect::<Vec<_>>();
            let first = relabellings.iter().all(|to| string <= image(to));
            let expected = automaton.accepts(&string) && first;
            cut += usize::from(automaton.accepts(&string) && !first);
            assert_eq!(leaders.accepts(&string), expected, "{string:?}");
            assert_eq!(leaders.minimized().accepts(&string), expected, "{string:?}");
        }
        assert_eq!(cut > 0, relabellings.iter().any(|to| !to.is_sorted()));
    }

    #[test]
    fn only_first_strings_are_let_through() {
        check(&[&[0, 1], &[2, 2]], &[&[0, 1, 2, 3]]);
        check(&[&[0, 1], &[2, 2]], &[&[1, 0, 2, 3]]);
        check(&[&[1, 1, 1]], &[&[0, 1, 2, 3], &[1, 0, 3, 2], &[2, 3, 0, 1], &[3, 2, 1, 0]]);
        check(&[&[3]], &[&[1, 2, 3, 0], &[2, 3, 0, 1], &[3, 0, 1, 2]]);
    }

    #[test]
    fn relabellings_that_do_nothing_cost_nothing() {
        let learned =
            ForbiddenStrings::from_strings(&[1, 1], 2, Keep::OneOptimal, [&[Op(1), Op(0)][..]])
                .unwrap();
        let automaton = Automaton::<u32>::new(&learned).unwrap().minimized();
        assert_eq!(automaton.lex_leaders(&[]).unwrap(), automaton);
        let same = vec![Op(0), Op(1)];
        assert_eq!(automaton.lex_leaders(&vec![same; 300]).unwrap(), automaton);
    }
}
