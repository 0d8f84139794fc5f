//! The facts about a puzzle that patterns need: components of slots, classes of pieces, operators
//! and rules.

use crate::definition::{IgnoredSlots, gcd};
use crate::puzzle::slots::slot_number;
use crate::puzzle::{PuzzleLabels, SlotContents};
use search::Cost;

/// The slots, pieces, goals, operators and rules of a puzzle as numbers.
///
/// Pieces that look alike share a label, as in [`PuzzleLabels`]. Labels that the goals do not
/// distinguish share a *class*: all labels that lie in ignored slots of one set.
///
/// The turns of a class are those that are known of all its pieces. If goals ignore the orientation
/// of a class in all slots, it has one turn. If they ignore it in some slots only, each way to turn
/// the pieces there becomes a goal of its own. If these goals are too many, the class has one turn,
/// and more states become goals. Distances to them are still admissible.
///
/// So every state that the definition counts as a goal shows the classes and turns of a goal here.
#[derive(Clone, Debug)]
pub struct PuzzleStructure {
    /// For each slot: the number of its component. A component is the slots that a piece can reach.
    pub(super) component: Vec<usize>,
    /// For each label: its class, which is named by its least label.
    pub(super) class: Vec<u8>,
    /// For each label: the number of turns that are distinguished. It is the same within a class.
    pub(super) turns: Vec<u8>,
    /// For each label: the set of the definition, and the piece number in it.
    pub(super) names: Vec<(usize, u16)>,
    /// Indexed by goal, then slot: label and twist.
    pub(super) goals: Vec<Vec<(u8, u8)>>,
    /// Whether these goals are those of the definition, and no other states show the classes and
    /// turns of one.
    pub(super) exact: bool,
    /// Whether all labels and their twists are told apart.
    pub(super) apart: bool,
    /// Indexed by operator, then slot: the slot that its piece comes from, and by how much it
    /// turns.
    pub(super) steps: Vec<Vec<(u8, u8)>>,
    pub(super) costs: Vec<Cost>,
    /// Whether every operator is undone by some operator of the same cost.
    pub(super) undone: bool,
    /// For each rule: a slot, and the labels that may not lie there.
    pub(super) illegal: Vec<(usize, Vec<u8>)>,
    /// For each block: the labels of its pieces.
    pub(super) blocks: Vec<Vec<u8>>,
    /// Indexed by operator, then slot: whether the operator's move changes the slot. Blocks need
    /// this.
    pub(super) moved: Vec<Vec<bool>>,
}

/// Converts the labels of a puzzle of at most 256 slots to bytes.
fn bytes(labels: &[u16]) -> Vec<u8> {
    labels.iter().map(|&label| slot_number(label.into())).collect()
}

/// The most goals after ignored turns are written out: one goal for each way to turn the pieces. If
/// there are more, the turns of these pieces are ignored in every slot.
const MOST_GOALS_WRITTEN_OUT: usize = 1 << 14;

impl PuzzleStructure {
    /// The structure of a puzzle.
    ///
    /// Time: a small polynomial in the numbers of slots, goals and operators.
    ///
    /// # Panics
    /// If the puzzle has labels or slots with numbers above 255.
    pub fn new(puzzle: &PuzzleLabels) -> Self {
        let list = &puzzle.list().list;
        let inverses = puzzle.list().inverses();
        let undone = |(op, back): (usize, &Option<usize>)| {
            back.is_some_and(|back| list[back].cost == list[op].cost)
        };
        let mut made = Self {
            component: Vec::new(),
            class: (0..=u8::MAX).take(puzzle.pieces.len()).collect(),
            turns: puzzle.pieces.iter().map(|&(_, _, known)| known.max(1)).collect(),
            names: puzzle.pieces.iter().map(|&(orbit, piece, _)| (orbit, piece)).collect(),
            goals: puzzle.goals.iter().map(SlotContents::pairs).collect(),
            exact: true,
            apart: true,
            steps: puzzle.effects.steps.iter().map(SlotContents::pairs).collect(),
            costs: puzzle.effects.costs.clone(),
            undone: inverses.iter().enumerate().all(undone),
            illegal: puzzle.illegal.iter().map(|(slot, labels)| (*slot, bytes(labels))).collect(),
            blocks: puzzle.blocks.iter().map(|block| bytes(block)).collect(),
            moved: puzzle.moved.clone(),
        };
        made.forget_what_is_ignored(puzzle);
        made.find_components(puzzle);
        made
    }

    /// Joins the labels in ignored slots of a set to one class. Removes the turns that goals
    /// ignore, or adds a goal for each way to turn the pieces.
    fn forget_what_is_ignored(&mut self, puzzle: &PuzzleLabels) {
        let Some(ignore) = &puzzle.ignore else { return };
        for (_, range) in puzzle.definition().orbits().ranges() {
            let labels = self.goals.iter().flat_map(|goal| {
                range.clone().filter(|&slot| ignore.pieces[slot]).map(move |slot| goal[slot].0)
            });
            let labels: Vec<u8> = labels.collect();
            let Some(&least) = labels.iter().min() else { continue };
            labels.iter().for_each(|&label| self.class[usize::from(label)] = least);
        }
        let mut turns = vec![0; self.class.len()];
        for (&class, &own) in self.class.iter().zip(&self.turns) {
            let turns = &mut turns[usize::from(class)];
            *turns = u8::try_from(gcd((*turns).into(), own.into())).expect("at most 255 turns");
        }
        let class = |label: u8| usize::from(self.class[usize::from(label)]);
        let bound: Vec<usize> = self
            .goals
            .iter()
            .flat_map(|goal| {
                let bound = (0..goal.len()).filter(|&slot| !ignore.orientation[slot]);
                bound.map(|slot| class(goal[slot].0)).collect::<Vec<usize>>()
            })
            .collect();
        // Goals may fix the turns of a class in some slots only. Then each way to turn its pieces
        // in the other slots is a goal of its own. If there are too many of these goals, the turns
        // are fixed in no slot.
        let free = |goal: &Vec<(u8, u8)>| {
            let free = (0..goal.len()).filter(|&slot| ignore.orientation[slot]);
            free.map(|slot| (slot, class(goal[slot].0))).collect::<Vec<(usize, usize)>>()
        };
        let ways = |goal: &Vec<(u8, u8)>| {
            let mixed = free(goal).into_iter().filter(|(_, class)| bound.contains(class));
            mixed.fold(1, |all: usize, (_, class)| all.saturating_mul(turns[class].into()))
        };
        let few = self.goals.iter().fold(0, |all: usize, goal| all.saturating_add(ways(goal)))
            <= MOST_GOALS_WRITTEN_OUT;
        let mut goals = Vec::new();
        let mut kept = turns.clone();
        for goal in &self.goals {
            let mut all = vec![goal.clone()];
            for (slot, class) in free(goal) {
                if !few || !bound.contains(&class) {
                    kept[class] = 1;
                    continue;
                }
                let turned = |goal: Vec<(u8, u8)>| {
                    (0..turns[class]).map(move |turn| {
                        let mut goal = goal.clone();
                        goal[slot].1 = turn;
                        goal
                    })
                };
                all = all.into_iter().flat_map(turned).collect();
            }
            goals.extend(all);
        }
        // A goal that is written out may be one that moves do not reach.
        self.exact =
            few && goals.len() == self.goals.len() && self.joins_only_ignored(ignore, &bound);
        self.goals = goals;
        let turns = kept;
        let turns: Vec<u8> = self.class.iter().map(|&class| turns[usize::from(class)]).collect();
        self.apart = self.turns == turns && (0..).zip(&self.class).all(|(label, &of)| label == of);
        self.turns = turns;
    }

    /// Whether goals ask for no piece of a class with several labels, and for the turns of such a
    /// class only if all its labels have as many. `bound` has the classes with turns that goals ask
    /// for.
    fn joins_only_ignored(&self, ignore: &IgnoredSlots, bound: &[usize]) -> bool {
        let class = |label: usize| usize::from(self.class[label]);
        let labels = || 0..self.class.len();
        let is_joined = |of: usize| labels().filter(|&label| class(label) == of).count() > 1;
        let asked = |goal: &Vec<(u8, u8)>| {
            let kept = (0..goal.len()).filter(|&slot| !ignore.pieces[slot]);
            kept.map(|slot| class(goal[slot].0.into())).any(is_joined)
        };
        let turned = |label: usize| {
            !bound.contains(&class(label)) || self.turns[label] == self.turns[class(label)]
        };
        !self.goals.iter().any(asked) && labels().all(turned)
    }

    /// Numbers the components, each of which is the slots that a piece can reach. If two goals have
    /// different classes in a component, all components of its set become one.
    fn find_components(&mut self, puzzle: &PuzzleLabels) {
        let mut least = puzzle.effects.components();
        for (_, range) in puzzle.definition().orbits().ranges() {
            let shown = |goal: &Vec<(u8, u8)>| {
                let of = |slot: usize| (least[slot], self.class[usize::from(goal[slot].0)]);
                let mut all: Vec<(usize, u8)> = range.clone().map(of).collect();
                all.sort_unstable();
                all
            };
            if self.goals.iter().any(|goal| shown(goal) != shown(&self.goals[0])) {
                least[range.clone()].fill(range.start);
            }
        }
        let mut firsts = least.clone();
        firsts.sort_unstable();
        firsts.dedup();
        let number =
            |first: &usize| firsts.binary_search(first).expect("every first slot is there");
        self.component = least.iter().map(number).collect();
    }

    /// The number of pieces with a label in the solved state.
    pub(super) fn count(&self, label: u8) -> usize {
        self.goals[0].iter().filter(|&&(other, _)| other == label).count()
    }

    /// The components in which a label lies in some goal.
    pub(super) fn homes(&self, label: u8) -> Vec<usize> {
        let of = |goal: &Vec<(u8, u8)>| {
            let slots = goal.iter().zip(&self.component).filter(|((other, _), _)| *other == label);
            slots.map(|(_, &component)| component).collect::<Vec<usize>>()
        };
        let mut all: Vec<usize> = self.goals.iter().flat_map(of).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
