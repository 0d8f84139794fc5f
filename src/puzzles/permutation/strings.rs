//! The forbidden strings of a definition: learned in a group, or pairs of operators.
//!
//! Under rules about moves, the pruning cuts pairs that a rule forbids, and duplicate pairs:
//! [`permutation::Definition::duplicate_pairs`] says why that is sound. It cuts no learned strings.
//! Each of these is duplicate because of another string, which a rule may forbid.

use super::model::PuzzleModel;
use crate::automata::{self, PruningRequest};
use crate::puzzle::{Failure, Result};
use crate::run::Run;
use crate::settings::PruningChoice;
use fsm::{ForbiddenStrings, Keep};
use permutation::{Definition, DuplicatePair, GroupPuzzle, PuzzleGroup, PuzzleState};
use search::{Cost, Op, OpSet, OperatorRules};

/// Longest strings that the pruning cuts under rules, or without a group to learn from.
pub(super) const PAIRS: usize = 2;

impl PuzzleModel {
    /// Which plans the pruning of a search must allow.
    ///
    /// Above the least cost, one order of commuting neighbours may pass a goal, or pass a state
    /// twice, and another may not. Then all orders are searched, where goals are several or pieces
    /// are alike. In a group without rules, only a plan with a part that does nothing has such
    /// orders. Under rules a plan may pass a state twice, so only an order that passes a goal
    /// differs: its beginning is a cheaper plan. In both cases the first order counts or none.
    pub(super) fn keep(&self, run: &Run<'_>) -> Keep {
        match self.group.is_err() && self.rules.is_empty() && run.is_above() {
            true => Keep::AllOrders,
            false => run.keep(),
        }
    }

    /// The forbidden strings.
    ///
    /// Those learned in the group of the states, or in the group with all pieces told apart.
    /// Without any group, or under rules, those of [`PuzzleModel::pairs`].
    pub(super) fn strings<const N: usize, O: OpSet>(
        &self,
        group: Option<&GroupPuzzle<N, O>>,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<ForbiddenStrings> {
        if !self.rules.is_empty() {
            return self.pairs(keep, run);
        }
        let apart = match group {
            Some(_) => None,
            None => self.with_pieces_apart().and_then(|group| GroupPuzzle::of(group.into()).ok()),
        };
        let Some(group) = group.or(apart.as_ref()) else { return self.pairs(keep, run) };
        let (pruning, memory, depth) = (self.settings.pruning, self.settings.memory, self.depth());
        run.prepare("the forbidden strings", |cancel| {
            let request = PruningRequest { pruning, depth, keep, cancel, memory };
            automata::strings(group, request)
        })
    }

    /// The group that the moves generate if no two pieces are alike.
    ///
    /// If every operator is always applicable, duplicate strings can be learned in this group. The
    /// reason: what a string does to the slots depends neither on pieces that look alike nor on the
    /// goals.
    ///
    /// `None` if rules restrict states, or this puzzle is no group either.
    fn with_pieces_apart(&self) -> Option<PuzzleGroup> {
        let definition = self.definition();
        if definition.rules().restrict_states() {
            return None;
        }
        let start = PuzzleState::ordered(definition.orbits());
        let apart = Definition::new(definition.name(), definition.orbits(), start).ok()?;
        PuzzleGroup::new(&apart, self.operators().clone()).ok()
    }

    /// The forbidden strings of a puzzle without a group to learn from: under rules, those of
    /// [`PuzzleModel::strings_under_rules`], else some pairs of operators.
    ///
    /// A pair is forbidden if another string does the same and no rule can forbid that string: see
    /// [`permutation::Definition::duplicate_pairs`].
    pub(super) fn pairs(&self, keep: Keep, run: &Run<'_>) -> Result<ForbiddenStrings> {
        if !self.rules.is_empty() {
            return self.strings_under_rules(&self.costs(), self.settings.pruning, keep, run);
        }
        let (list, pruning) = (&self.operators().list, self.settings.pruning);
        let inverses = self.operators().inverses();
        let back = (0..list.len()).filter_map(|a| inverses[a].map(|b| [Op::new(a), Op::new(b)]));
        let mut pairs: Vec<[Op; 2]> = match pruning {
            PruningChoice::None => Vec::new(),
            PruningChoice::Inverse | PruningChoice::Fsm(_) => back.collect(),
        };
        if let PruningChoice::Fsm(_) = pruning {
            let found = self.duplicate_pairs(&OperatorRules::default(), keep, run)?;
            pairs.extend(found.iter().map(|found| found.pair));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let strings = pairs.iter().map(|pair| &pair[..]);
        ForbiddenStrings::from_strings(&self.costs(), PAIRS, keep, strings).map_err(Failure::limit)
    }

    /// The strings that a pruning cuts under the rules.
    ///
    /// `costs`: the cost of each operator of the definition, then of operators that no rule is
    /// about.
    pub(super) fn strings_under_rules(
        &self,
        costs: &[Cost],
        pruning: PruningChoice,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<ForbiddenStrings> {
        let mut pairs = self.rules.forbidden.clone();
        if pruning != PruningChoice::None {
            let cuts = self.duplicate_pairs(&self.rules, keep, run)?;
            let cuts = cuts.iter().filter(|cut| cut.undone || pruning != PruningChoice::Inverse);
            pairs.extend(cuts.map(|cut| cut.pair));
        }
        let strings = pairs.iter().map(|pair| &pair[..]);
        ForbiddenStrings::from_strings(costs, PAIRS, keep, strings).map_err(Failure::limit)
    }

    /// The duplicate pairs under some rules.
    fn duplicate_pairs(
        &self,
        rules: &OperatorRules,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<Vec<DuplicatePair>> {
        let all = keep != Keep::OneOptimal;
        run.prepare("the forbidden strings", |cancel| {
            let (definition, stop) = (self.definition(), || cancel.is_cancelled());
            let pairs = definition.duplicate_pairs(self.operators(), rules, all, &stop);
            let mut pairs = pairs.ok_or(Failure::Cancelled)?;
            pairs.retain(|pair| keep != Keep::AllOrders || !pair.swapped);
            Ok(pairs)
        })
    }
}
