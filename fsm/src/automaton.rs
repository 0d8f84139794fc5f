//! The automaton that prunes operator strings during a search, with one table read for each node.
//!
//! **Language.** The automaton accepts all strings without a forbidden part. It is dense and
//! deterministic.
//!
//! **Layout.** Each state has a row of 4-byte words, one for each operator. A word's index is
//! `state * operators + op`. State 0 is the start. The dead state has no row. The low 24 bits of a
//! word are the next state. The high 8 bits are the next state's *dead-end bound*: the least cost
//! that no continuation reaches. The bound is 0 for the dead state. It is 255 if continuations are
//! endless, or cost 254 and more. A search keeps the whole word, so it reads the table once for
//! each node.
//!
//! **Invariants.** Every next state exists, and every state is reachable. States are numbered in
//! breadth-first order, with operators in ascending order. So automata with the same structure have
//! equal tables. Two minimised automata are equal exactly if their languages are.
//!
//! **Dead-end bounds** are sound in iterative deepening. There, all smaller costs are proven to
//! have no plan. So a plan must spend exactly the remaining cost. Other searches do not ask for
//! dead ends.
//!
//! Source: the "moribund" states of Robert Clausecker (24-puzzle solver, 2017, catalogue of
//! finite-state machines). We count costs, not operators.

use crate::aho_corasick;
use crate::error::AutomatonError;
use crate::forbidden::{DEAD, ForbiddenStrings};
use search::{Cost, Domain, Op, OpSet, Pruning};

/// A state of an [`Automaton`]: all that the automaton knows about the operators so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AutomatonState(u32);

impl AutomatonState {
    /// The state's number, below [`Automaton::states`].
    pub fn index(self) -> usize {
        (self.0 & NUMBER) as usize
    }

    /// Every continuation costs less than this: 0 if the state is dead, 255 if there is no such
    /// limit.
    fn dead_end_bound(self) -> u32 {
        self.0 >> STATE_BITS
    }
}

const STATE_BITS: u32 = 24;
/// A mask of the bits of a word that hold the number of a state.
const NUMBER: u32 = (1 << STATE_BITS) - 1;
const ENDLESS: u8 = 255;

/// Prunes strings that contain a forbidden part. `O` is the operator set of the domain.
///
/// As a [`Pruning`] it keeps at least one optimal plan from every state, or all of them: see
/// [`Keep`](crate::Keep). A combination with another pruning of strings may lose all optimal plans:
/// see the [crate].
///
/// Memory: 4 bytes for each state and operator, and an operator set for each state.
///
/// Serde stores the costs and the table of next states. Loading checks that every next state
/// exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton<O> {
    operators: usize,
    costs: Box<[Cost]>,
    start: AutomatonState,
    rows: Box<[AutomatonState]>,
    /// For each state, the operators that do not lead to the dead state.
    allowed: Box<[O]>,
}

impl<O: OpSet> Automaton<O> {
    /// Builds the automaton of the forbidden strings with Aho and Corasick's algorithm.
    ///
    /// Its states are the proper prefixes of forbidden strings. [`Automaton::minimized`] makes it
    /// smaller. Time and memory: O(operators in all forbidden strings x operators of the domain).
    ///
    /// # Errors
    /// If there are 2^24 states or more, or more operators than `O` holds.
    pub fn new(learned: &ForbiddenStrings) -> Result<Self, AutomatonError> {
        Self::from_table(learned.costs().into(), &aho_corasick::table(learned))
    }

    /// Builds the automaton for the back end of a two-sided search, from the reversed and inverted
    /// strings ([`ForbiddenStrings::reversed`]).
    ///
    /// # Errors
    /// As [`Automaton::new`].
    ///
    /// # Panics
    /// If `inverse` is not a permutation of the operators.
    pub fn reversed(
        learned: &ForbiddenStrings,
        inverse: impl Fn(Op) -> Op,
    ) -> Result<Self, AutomatonError> {
        Self::new(&learned.reversed(inverse))
    }

    /// Builds an automaton from a table of next states, indexed by `state * operators + op`;
    /// [`DEAD`] stands for the dead state. Checks the table. Drops unreachable states, and numbers
    /// the others in breadth-first order.
    pub(crate) fn from_table(costs: Box<[Cost]>, next: &[u32]) -> Result<Self, AutomatonError> {
        check_table::<O>(&costs, next)?;
        let operators = costs.len();
        let next = renumber(next, operators);
        let states = next.len() / operators;
        if states >> STATE_BITS != 0 {
            return Err(AutomatonError::TooManyStates { states });
        }
        let bounds = dead_end_bounds(&next, &costs);
        let word = |to: u32| match to {
            DEAD => AutomatonState(0),
            _ => AutomatonState(to | u32::from(bounds[to as usize]) << STATE_BITS),
        };
        let live = |row: &[u32]| {
            let live = (0..operators).filter(|&op| row[op] != DEAD);
            live.fold(O::NONE, |set, op| set.with(Op::new(op)))
        };
        Ok(Self {
            operators,
            start: word(0),
            rows: next.iter().map(|&to| word(to)).collect(),
            allowed: next.chunks_exact(operators).map(live).collect(),
            costs,
        })
    }

    /// The number of states, without the dead one.
    pub fn states(&self) -> usize {
        self.allowed.len()
    }

    /// The number of operators.
    pub fn operators(&self) -> usize {
        self.operators
    }

    /// The cost of each operator.
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// The bytes of the rows and operator sets that a search reads.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.rows) + size_of_val(&*self.allowed)
    }

    /// The state before any operator.
    pub(crate) fn start_state(&self) -> AutomatonState {
        self.start
    }

    /// Every state, in the order of the states' numbers.
    pub(crate) fn all_states(&self) -> Vec<AutomatonState> {
        let mut states = vec![self.start; self.states()];
        for &state in self.rows.iter().filter(|state| state.dead_end_bound() > 0) {
            states[state.index()] = state;
        }
        states
    }

    /// The operators that may follow in this state.
    #[inline(always)]
    pub(crate) fn live(&self, at: AutomatonState) -> O {
        self.allowed[at.index()]
    }

    /// The state after an operator; `None` if the string is then forbidden. It may be a dead end:
    /// only [`Pruning::dead_end`] tells.
    #[inline(always)]
    pub(crate) fn step(&self, at: AutomatonState, op: Op) -> Option<AutomatonState> {
        let next = self.read(at, op);
        (next.dead_end_bound() > 0).then_some(next)
    }

    /// Whether a string contains no forbidden part.
    pub fn accepts(&self, string: &[Op]) -> bool {
        string.iter().try_fold(self.start_state(), |at, &op| self.step(at, op)).is_some()
    }

    #[inline(always)]
    fn read(&self, at: AutomatonState, op: Op) -> AutomatonState {
        debug_assert!(op.index() < self.operators);
        self.rows[at.index() * self.operators + op.index()]
    }

    /// The table of next states from which [`Automaton::from_table`] makes this automaton.
    pub(crate) fn table(&self) -> Vec<u32> {
        let next = |word: &AutomatonState| match word.dead_end_bound() {
            0 => DEAD,
            _ => word.0 & NUMBER,
        };
        self.rows.iter().map(next).collect()
    }
}

impl<D: Domain> Pruning<D> for Automaton<D::Ops> {
    type State = AutomatonState;
    const DEAD_ENDS: bool = true;
    /// # Panics
    /// If the domain has another number of operators than the automaton.
    fn start(&self, domain: &D, _: &D::State) -> AutomatonState {
        assert_eq!(
            domain.operators(),
            self.operators,
            "the automaton was learned from another domain"
        );
        self.start_state()
    }
    #[inline(always)]
    fn allowed(&self, _: &D, at: AutomatonState) -> D::Ops {
        self.live(at)
    }
    #[inline(always)]
    fn next(&self, _: &D, at: AutomatonState, op: Op) -> AutomatonState {
        self.read(at, op)
    }
    #[inline(always)]
    fn prefetch(&self, at: AutomatonState) {
        search::prefetch(&self.allowed, at.index());
        search::prefetch(&self.rows, at.index() * self.operators);
    }
    /// No plan has more than 254 remaining, so the bound 255 never cuts.
    #[inline(always)]
    fn dead_end(&self, _: &D, at: AutomatonState, remaining: Cost) -> bool {
        at.dead_end_bound() <= u32::from(remaining.min(ENDLESS - 1))
    }
}

/// Checks that a table consists of rows whose next states exist.
fn check_table<O: OpSet>(costs: &[Cost], next: &[u32]) -> Result<(), AutomatonError> {
    let operators = costs.len();
    if operators == 0 || operators > O::CAPACITY {
        return Err(AutomatonError::Operators { found: operators, most: O::CAPACITY });
    }
    if let Some(op) = costs.iter().position(|&cost| cost == 0) {
        return Err(AutomatonError::FreeOperator { op });
    }
    if next.is_empty() || !next.len().is_multiple_of(operators) {
        return Err(AutomatonError::Rows { entries: next.len(), operators });
    }
    let states = next.len() / operators;
    let wrong = |&to: &u32| to != DEAD && to as usize >= states;
    if let Some(place) = next.iter().position(wrong) {
        let (state, op, next) = (place / operators, place % operators, next[place]);
        return Err(AutomatonError::NextState { state, op, next, states });
    }
    Ok(())
}

/// The table of the reachable states only, numbered in breadth-first order from state 0.
fn renumber(next: &[u32], operators: usize) -> Vec<u32> {
    let mut number = vec![DEAD; next.len() / operators];
    number[0] = 0;
    let mut order = vec![0_u32];
    let mut renumbered = Vec::with_capacity(next.len());
    let mut at = 0;
    while at < order.len() {
        let row = order[at] as usize * operators;
        for &to in &next[row..row + operators] {
            renumbered.push(if to == DEAD {
                DEAD
            } else {
                if number[to as usize] == DEAD {
                    number[to as usize] = u32::try_from(order.len()).unwrap_or(DEAD);
                    order.push(to);
                }
                number[to as usize]
            });
        }
        at += 1;
    }
    renumbered
}

/// For each state, 1 plus the greatest cost of any continuation. [`ENDLESS`] if the cost has no
/// limit or does not fit. The computation starts from the states without continuation. Time:
/// O(states x operators).
fn dead_end_bounds(next: &[u32], costs: &[Cost]) -> Vec<u8> {
    let operators = costs.len();
    let states = next.len() / operators;
    let live = |state: usize| {
        let row = &next[state * operators..][..operators];
        row.iter().enumerate().filter(|&(_, &to)| to != DEAD).map(|(op, &to)| (op, to as usize))
    };
    // For each state, the transitions that lead to it, as a list linked through places of the
    // table.
    let mut last_into = vec![DEAD; states];
    let mut before = vec![DEAD; next.len()];
    let mut open = vec![0_u32; states];
    for (state, open) in open.iter_mut().enumerate() {
        for (op, to) in live(state) {
            let place = state * operators + op;
            before[place] = last_into[to];
            last_into[to] = u32::try_from(place).unwrap_or(DEAD);
            *open += 1;
        }
    }
    let mut bounds = vec![ENDLESS; states];
    let mut settled: Vec<usize> = (0..states).filter(|&state| open[state] == 0).collect();
    while let Some(state) = settled.pop() {
        let costs = live(state).map(|(op, to)| costs[op].saturating_add(bounds[to]));
        bounds[state] = costs.max().unwrap_or(1);
        let mut place = last_into[state];
        while place != DEAD {
            let from = place as usize / operators;
            open[from] -= 1;
            if open[from] == 0 {
                settled.push(from);
            }
            place = before[place as usize];
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Keep;
    use search::testing::Pancake;

    fn automaton(costs: &[Cost], strings: &[&[u16]]) -> Automaton<u32> {
        let strings: Vec<Vec<Op>> =
            strings.iter().map(|string| string.iter().map(|&op| Op(op)).collect()).collect();
        let strings = strings.iter().map(Vec::as_slice);
        let learned = ForbiddenStrings::from_strings(costs, 9, Keep::OneOptimal, strings).unwrap();
        Automaton::new(&learned).unwrap()
    }

    /// The greatest remaining cost at which the first operator may be `op`; `None` if it never may.
    fn reaches(automaton: &Automaton<u32>, op: Op) -> Option<Cost> {
        let next = automaton.step(automaton.start_state(), op)?;
        let cut = |&remaining: &Cost| automaton.dead_end(&Pancake::new(3), next, remaining);
        (0..=Cost::MAX).rev().find(|remaining| !cut(remaining))
    }

    #[test]
    fn dead_ends_are_cut_by_what_remains() {
        // After 0 only 1 may follow, and after 0 1 nothing.
        let dead_end = automaton(&[1, 1], &[&[0, 0], &[0, 1, 0], &[0, 1, 1]]);
        assert_eq!(reaches(&dead_end, Op(0)), Some(1));
        assert_eq!(reaches(&dead_end, Op(1)), Some(Cost::MAX));
        assert!(dead_end.accepts(&[Op(1), Op(0), Op(1)]));
        assert!(!dead_end.accepts(&[Op(1), Op(0), Op(1), Op(0)]));
        // Dead-end bounds count costs: the one continuation costs 7.
        let dear = automaton(&[1, 7], &[&[0, 0], &[0, 1, 0], &[0, 1, 1]]);
        assert_eq!(reaches(&dear, Op(0)), Some(7));
        // Operator 0 is forbidden altogether.
        assert_eq!(reaches(&automaton(&[1, 1], &[&[0]]), Op(0)), None);
    }
}
