//! Translates rules about moves to rules about operators. Finds the pairs of operators that a
//! search may skip under these rules.

use super::Definition;
use super::moves::{Meaning, MoveSet};
use super::names::{MoveRef, Turn};
use super::operators::Operators;
use super::products::Products;
use super::rules::LimitedMoves;
use crate::error::{Complaint, quoted};
use rustc_hash::FxHashMap;
use search::{Op, OperatorRules};
use std::collections::{HashMap, HashSet};

/// Two successive operators that a search may skip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DuplicatePair {
    /// The operators, in the order in which a plan would make them.
    pub pair: [Op; 2],
    /// Whether the second operator undoes the first.
    pub undone: bool,
    /// Whether the other order of the two is the only string that may replace them.
    pub swapped: bool,
}

/// Implements [`Definition::operator_rules`].
pub(super) fn operator_rules(
    definition: &Definition,
    operators: &Operators,
) -> Result<OperatorRules, Complaint> {
    let moves = definition.moves();
    let mut index: HashMap<Meaning, Vec<Op>> = HashMap::new();
    for (number, operator) in operators.list.iter().enumerate() {
        index.entry(moves.meaning(operator.turn)).or_default().push(Op::new(number));
    }
    let searched: HashSet<MoveRef> = index.keys().map(|&(of, _)| of).collect();
    let mut known: HashMap<Turn, Vec<Op>> = HashMap::new();
    let mut find = |turn: Turn| match known.get(&turn) {
        Some(ops) => Ok(ops.clone()),
        None => {
            let ops = operators_of_turn(moves, turn, &index, &searched)?;
            Ok(known.entry(turn).or_insert(ops).clone())
        }
    };
    let mut rules = OperatorRules::default();
    for &(first, second) in &definition.rules().forbidden {
        let (first, second) = (find(first)?, find(second)?);
        let pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b]));
        rules.forbidden.extend(pairs);
    }
    for (&limited, &most) in &definition.rules().limits {
        match limited {
            LimitedMoves::Turn(turn) => _ = find(turn)?,
            LimitedMoves::All(of) => _ = searchable(moves, Turn::once(of), &searched)?,
        }
        let list = operators.list.iter().enumerate();
        let counted = list.filter(|(_, operator)| moves.counts(limited, operator.turn));
        let ops: Vec<Op> = counted.map(|(number, _)| Op::new(number)).collect();
        if !ops.is_empty() {
            rules.limits.push((ops, most));
        }
    }
    Ok(rules)
}

/// The operators that are the same turn of the same move. Empty if the search does not make the
/// move.
fn operators_of_turn(
    moves: &MoveSet,
    turn: Turn,
    index: &HashMap<Meaning, Vec<Op>>,
    searched: &HashSet<MoveRef>,
) -> Result<Vec<Op>, Complaint> {
    match index.get(&moves.meaning(turn)) {
        Some(ops) => Ok(ops.clone()),
        None if !searchable(moves, turn, searched)? => Ok(Vec::new()),
        None => {
            let found = format!("a rule about {}", quoted(&moves.turn_text(turn)));
            Err(Complaint::new(found, "rules about turns that count as one move in this metric"))
        }
    }
}

/// Whether the search makes turns of the move that a turn means.
fn searchable(moves: &MoveSet, turn: Turn, searched: &HashSet<MoveRef>) -> Result<bool, Complaint> {
    match moves.meaning(turn).0 {
        of if searched.contains(&of) => Ok(true),
        MoveRef::Base(_) => Ok(false),
        of @ MoveRef::Derived(_) => {
            let found = format!("a rule about {}", quoted(moves.name_of(of)));
            Err(Complaint::new(found, "rules about single moves, not several in a row"))
        }
    }
}

/// Implements [`Definition::duplicate_pairs`].
///
/// # Soundness
/// Let the string `k` have the same effect as the pair `w`, and let `k` be *smaller* than `w`. The
/// cheaper string is smaller. At the same cost it is the shorter one, and at the same length the
/// first in the order of the operators. `w` is cut only if four conditions hold:
/// 1. The rules allow `k` itself.
/// 2. Whatever may come before `w` may come before `k`.
/// 3. Whatever may come after `w` may come after `k`. If `k` is empty, whatever may come after
///    `w` may follow whatever may come before it.
/// 4. No limit counts more operators in `k` than in `w`.
///
/// So `k` may replace `w` in every plan under the rules, and the plan becomes smaller. The
/// smallest plan of the least cost therefore holds no such pair.
///
/// For all optimal plans, `k` is strictly cheaper or the other order of `w`. In the first case a
/// plan with `w` is not optimal. In the second, it differs from a smaller optimal plan only by
/// the order of neighbours.
///
/// Where states are restricted (some are illegal, or pieces are tied together), one of two more
/// conditions holds:
/// - All turns of `w` and `k` are turns of one move of the file. Then `k` passes only through
///   states that `w` passes through, and its pieces may move where those of `w` may.
/// - `k` is the other order of `w`, and the two moves of the file change no slot in common. Then
///   a slot on the way of `k` holds what it holds before or after `w`, and both are legal. The
///   second move takes the same pieces of a block before the first move as after it.
pub(super) fn duplicate_pairs(
    definition: &Definition,
    operators: &Operators,
    rules: &OperatorRules,
    all: bool,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<DuplicatePair>> {
    let list = &operators.list;
    let moves = definition.moves();
    let neighbours = Neighbours::new(list.len(), rules);
    let products = Products::new(definition.orbits(), operators);
    let restricted = definition.rules().restrict_states();
    let meant: Vec<Meaning> = list.iter().map(|op| moves.meaning(op.turn)).collect();
    let kin =
        |a: usize, b: usize| meant[a].0 == meant[b].0 && matches!(meant[a].0, MoveRef::Base(_));
    let powers: FxHashMap<Meaning, usize> =
        meant.iter().enumerate().map(|(op, &meaning)| (meaning, op)).collect();
    let order = |&(of, _): &Meaning| moves.transformation_of(of).order();
    let orders: Vec<Option<i128>> =
        meant.iter().map(|one| order(one).and_then(|order| i128::try_from(order).ok())).collect();
    // The operator with the effect of `a` and then `b`, if both are powers of one move. `None` for
    // two moves, and if no operator is that power.
    let power = |a: usize, b: usize| {
        let sum = orders[a].filter(|_| meant[a].0 == meant[b].0);
        let sum = sum.and_then(|order| Some(meant[a].1.checked_add(meant[b].1)? % order));
        powers.get(&(meant[a].0, sum?)).copied()
    };
    let moved = |op: usize| moves.transformation_of(list[op].turn.of).moved_slots();
    let tested = if restricted { list.len() } else { 0 };
    let moved: Vec<Vec<bool>> = (0..tested).map(moved).collect();
    let apart = |a: usize, b: usize| !moved[a].iter().zip(&moved[b]).any(|(a, b)| *a && *b);
    let mut out = Vec::new();
    for (a, b) in (0..list.len()).flat_map(|a| (0..list.len()).map(move |b| (a, b))) {
        if b == 0 && stop() {
            return None;
        }
        if !neighbours.may_follow(a, b) || restricted && !kin(a, b) && !apart(a, b) {
            continue;
        }
        let cost = u32::from(list[a].cost) + u32::from(list[b].cost);
        let undone = products.is_identity(a, b);
        let replaces = |c: usize| {
            let single = u32::from(list[c].cost);
            let smaller = single < cost || single == cost && !all;
            smaller && (!restricted || kin(a, c)) && neighbours.stands_for(&[c], [a, b])
        };
        let one =
            || power(a, b).is_some_and(replaces) || products.same(a, b).into_iter().any(replaces);
        let swapped = || {
            b < a
                && (!restricted || apart(a, b))
                && (meant[a].0 == meant[b].0 || products.commute(a, b))
                && neighbours.stands_for(&[b, a], [a, b])
        };
        let shorter = undone && neighbours.stands_for(&[], [a, b]) || one();
        if shorter || swapped() {
            out.push(DuplicatePair { pair: [Op::new(a), Op::new(b)], undone, swapped: !shorter });
        }
    }
    Some(out)
}

/// For each operator: which operators may come before and after it, as rows of bits, and which
/// limits count it.
struct Neighbours {
    before: Vec<Vec<u64>>,
    after: Vec<Vec<u64>>,
    counted: Vec<Vec<usize>>,
}

fn is_within(part: &[u64], whole: &[u64]) -> bool {
    part.iter().zip(whole).all(|(part, whole)| part & !whole == 0)
}

impl Neighbours {
    fn new(operators: usize, rules: &OperatorRules) -> Self {
        // Bits beyond the last operator are set in all rows.
        let row = vec![u64::MAX; operators.div_ceil(64)];
        let (mut before, mut after) = (vec![row.clone(); operators], vec![row; operators]);
        for &[first, second] in &rules.forbidden {
            let (first, second) = (first.index(), second.index());
            after[first][second / 64] &= !(1 << (second % 64));
            before[second][first / 64] &= !(1 << (first % 64));
        }
        let mut counted = vec![Vec::new(); operators];
        for (limit, (of, _)) in rules.limits.iter().enumerate() {
            of.iter().for_each(|op| counted[op.index()].push(limit));
        }
        Self { before, after, counted }
    }

    fn may_follow(&self, first: usize, second: usize) -> bool {
        self.after[first][second / 64] >> (second % 64) & 1 == 1
    }

    /// The number of operators in a string that a limit counts.
    fn count(&self, string: &[usize], limit: usize) -> usize {
        string.iter().flat_map(|&op| &self.counted[op]).filter(|&&other| other == limit).count()
    }

    /// Whether the rules allow the string `k` in every place where they allow the pair `w`.
    fn stands_for(&self, k: &[usize], w: [usize; 2]) -> bool {
        let limits = || k.iter().flat_map(|&op| &self.counted[op]);
        let counts = limits().all(|&limit| self.count(k, limit) <= self.count(&w, limit));
        let inner = k.windows(2).all(|pair| self.may_follow(pair[0], pair[1]));
        let ends = match (k.first(), k.last()) {
            (Some(&first), Some(&last)) => {
                is_within(&self.before[w[0]], &self.before[first])
                    && is_within(&self.after[w[1]], &self.after[last])
            }
            _ => (0..self.after.len())
                .filter(|&x| self.may_follow(x, w[0]))
                .all(|x| is_within(&self.after[w[1]], &self.after[x])),
        };
        counts && inner && ends
    }
}
