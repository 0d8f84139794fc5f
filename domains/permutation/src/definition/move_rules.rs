//! What the rules about moves mean for operators: which one a rule names, and which pairs of operators need not be tried under the rules.

use super::Definition;
use super::names::{MoveRef, Turn};
use super::operators::Operators;
use super::rules::LimitedMoves;
use crate::error::{Complaint, quoted};
use search::{Op, OperatorRules};
use std::collections::{HashMap, HashSet};

/// A turn under its own name: the move that it turns, and how often, from 0 to the order of the move.
pub(crate) type Meaning = (MoveRef, i128);

/// Two operators one after another that a plan under the rules can do without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DuplicatePair {
    /// The operators.
    pub pair: [Op; 2],
    /// Whether the second undoes the first.
    pub undone: bool,
}

impl Definition {
    /// What a turn is, whatever name it has: a name for one turn of another move means that turn, and turns of a move that do the same are one.
    pub(crate) fn meaning(&self, turn: Turn) -> Meaning {
        let (mut of, mut amount) = (turn.of, i128::from(turn.amount));
        loop {
            let order = self.transformation_of(of).order().and_then(|n| i128::try_from(n).ok());
            amount = order.map_or(amount, |order| amount.rem_euclid(order));
            let MoveRef::Derived(index) = of else { return (of, amount) };
            let [inner] = self.derived()[index].turns[..] else { return (of, amount) };
            // Names of names of large powers of moves of enormous order are left as they are.
            let Some(product) = amount.checked_mul(inner.amount.into()) else {
                return (of, amount);
            };
            (of, amount) = (inner.of, product);
        }
    }

    /// Whether a limit counts a turn: `F2` that turn alone, `F*` every turn that is a power of F.
    pub fn counts(&self, limited: LimitedMoves, turn: Turn) -> bool {
        let (of, amount) = self.meaning(turn);
        match limited {
            LimitedMoves::Turn(named) => self.meaning(named) == (of, amount),
            LimitedMoves::All(named) => {
                let (base, step) = self.meaning(Turn::once(named));
                let order = self.transformation_of(base).order();
                let order = order.and_then(|order| i128::try_from(order).ok()).unwrap_or(0);
                base == of && amount % gcd(step, order).max(1) == 0
            }
        }
    }

    /// The rules about moves in terms of these operators. What a rule says of a rotation, or of a move that is not searched with, says nothing here.
    ///
    /// # Errors
    /// If a rule names what takes several operators: a half turn where quarter turns are counted, or a name for several moves.
    pub fn operator_rules(&self, operators: &Operators) -> Result<OperatorRules, Complaint> {
        let mut index: HashMap<Meaning, Vec<Op>> = HashMap::new();
        for (number, operator) in operators.list.iter().enumerate() {
            index.entry(self.meaning(operator.turn)).or_default().push(Op::new(number));
        }
        let searched: HashSet<MoveRef> = index.keys().map(|&(of, _)| of).collect();
        let mut known: HashMap<Turn, Vec<Op>> = HashMap::new();
        let mut find = |turn: Turn| match known.get(&turn) {
            Some(ops) => Ok(ops.clone()),
            None => {
                let ops = self.operators_of_turn(turn, &index, &searched)?;
                Ok(known.entry(turn).or_insert(ops).clone())
            }
        };
        let mut rules = OperatorRules::default();
        for &(first, second) in &self.rules().forbidden {
            let (first, second) = (find(first)?, find(second)?);
            let pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b]));
            rules.forbidden.extend(pairs);
        }
        for (&limited, &most) in &self.rules().limits {
            match limited {
                LimitedMoves::Turn(turn) => _ = find(turn)?,
                LimitedMoves::All(of) => _ = self.searchable(Turn::once(of), &searched)?,
            }
            let list = operators.list.iter().enumerate();
            let counted = list.filter(|(_, operator)| self.counts(limited, operator.turn));
            let ops: Vec<Op> = counted.map(|(number, _)| Op::new(number)).collect();
            if !ops.is_empty() {
                rules.limits.push((ops, most));
            }
        }
        Ok(rules)
    }

    /// The operators that make a turn; none if no search makes its move.
    fn operators_of_turn(
        &self,
        turn: Turn,
        index: &HashMap<Meaning, Vec<Op>>,
        searched: &HashSet<MoveRef>,
    ) -> Result<Vec<Op>, Complaint> {
        match index.get(&self.meaning(turn)) {
            Some(ops) => Ok(ops.clone()),
            None if !self.searchable(turn, searched)? => Ok(Vec::new()),
            None => {
                let found = format!("a rule about {}", quoted(&self.turn_text(turn)));
                let expected = "rules about turns that count as one move in this metric";
                Err(Complaint::new(found, expected))
            }
        }
    }

    /// Whether a search makes turns of the move that a turn means.
    fn searchable(&self, turn: Turn, searched: &HashSet<MoveRef>) -> Result<bool, Complaint> {
        match self.meaning(turn).0 {
            of if searched.contains(&of) => Ok(true),
            MoveRef::Base(_) => Ok(false),
            of @ MoveRef::Derived(_) => {
                let found = format!("a rule about {}", quoted(self.name_of(of)));
                Err(Complaint::new(found, "rules about single moves, not several in a row"))
            }
        }
    }

    /// The moves that rules about moves name, under their own names.
    pub(crate) fn moves_with_rules(&self) -> HashSet<MoveRef> {
        let pairs = self.rules().forbidden.iter().flat_map(|&(first, second)| [first, second]);
        let limits = self.rules().limits.keys().map(|&limited| match limited {
            LimitedMoves::Turn(turn) => turn,
            LimitedMoves::All(of) => Turn::once(of),
        });
        pairs.chain(limits).map(|turn| self.meaning(turn).0).collect()
    }

    /// Pairs of operators that a search under these rules (of [`Definition::operator_rules`]) may cut: in their place stands nothing, one operator or the
    /// same two in the other order. With `all`, so that every optimal plan survives, of those that differ by the order of neighbours that
    /// commute one; otherwise so that one does.
    ///
    /// *Why that is sound.* Let `k` do what the pair `w` does wherever `w` applies, and be smaller: cheaper, or as dear and shorter, or as long and first in
    /// the operators' order. The pair is cut only if besides (1) what `k` consists of is allowed, (2) whatever may come before `w` may come
    /// before `k`, (3) whatever may come after `w` may come after `k`; if `k` is empty, whatever may come before `w` may be followed by whatever may come after it;
    /// and (4) no limit counts more operators in `k` than in `w`. Then a plan under the rules with `w` in it is one with `k` in its place, and it is a smaller
    /// one. So the smallest plan of the least cost holds no such pair, and no forbidden one. For all optimal plans, `k` is strictly cheaper, or the
    /// other order of `w`: then a plan with `w` is not optimal, or the same but for the order of neighbours as a smaller one, which is optimal too.
    ///
    /// Where some states are illegal or pieces are tied together, `w` and `k` turn one and the same move of the file: then the states on
    /// the way of `k` are some of those of `w`, and its pieces may move where those of `w` may. Or `k` is `w` in the other order, and the moves of the file
    /// that `w` turns change no slot in common: then a slot on the way of `k` holds what it holds before or after `w`, which are legal, and of a block
    /// the second takes what it takes after the first.
    ///
    /// Longer strings are left alone. Time: the square of the number of operators, times an eighth of their number in bytes.
    pub fn duplicate_pairs(
        &self,
        operators: &Operators,
        rules: &OperatorRules,
        all: bool,
    ) -> Vec<DuplicatePair> {
        let list = &operators.list;
        let table = Table::new(list.len(), rules);
        let mut effects: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, operator) in list.iter().enumerate() {
            effects.entry(operator.transformation.rows()).or_default().push(number);
        }
        let restricted = self.rules().restrict_states();
        let kin = |a: usize, b: usize| {
            let (one, other) = (self.meaning(list[a].turn).0, self.meaning(list[b].turn).0);
            one == other && matches!(one, MoveRef::Base(_))
        };
        let moved = |op: usize| {
            let base = self.transformation_of(list[op].turn.of);
            let slots = |(orbit, (_, range)): (usize, (_, std::ops::Range<usize>))| {
                (0..range.len()).map(move |slot| base.moves_slot(orbit, slot)).collect::<Vec<_>>()
            };
            self.orbits().ranges().enumerate().flat_map(slots).collect::<Vec<bool>>()
        };
        let moved: Vec<Vec<bool>> = (0..list.len()).map(moved).collect();
        let apart = |a: usize, b: usize| !moved[a].iter().zip(&moved[b]).any(|(a, b)| *a && *b);
        let mut out = Vec::new();
        for (a, b) in (0..list.len()).flat_map(|a| (0..list.len()).map(move |b| (a, b))) {
            if !table.may_follow(a, b) || restricted && !kin(a, b) && !apart(a, b) {
                continue;
            }
            let effect = list[a].transformation.then(&list[b].transformation);
            let cost = u32::from(list[a].cost) + u32::from(list[b].cost);
            let undone = effect.is_identity();
            let one = || {
                let found = effects.get(&effect.rows()).into_iter().flatten();
                found.copied().any(|c| {
                    let single = u32::from(list[c].cost);
                    let smaller = single < cost || single == cost && !all;
                    smaller && (!restricted || kin(a, c)) && table.stands_for(&[c], [a, b])
                })
            };
            let swapped = || {
                let commutes = || list[b].transformation.then(&list[a].transformation) == effect;
                b < a
                    && (!restricted || apart(a, b))
                    && table.stands_for(&[b, a], [a, b])
                    && commutes()
            };
            if undone && table.stands_for(&[], [a, b]) || one() || swapped() {
                out.push(DuplicatePair { pair: [Op::new(a), Op::new(b)], undone });
            }
        }
        out
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What may come before and after each operator, as rows of bits, and which limits count it.
struct Table {
    before: Vec<Vec<u64>>,
    after: Vec<Vec<u64>>,
    counted: Vec<Vec<usize>>,
}

fn is_within(part: &[u64], whole: &[u64]) -> bool {
    part.iter().zip(whole).all(|(part, whole)| part & !whole == 0)
}

impl Table {
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

    /// How often a limit counts operators of a string.
    fn count(&self, string: &[usize], limit: usize) -> usize {
        string.iter().flat_map(|&op| &self.counted[op]).filter(|&&other| other == limit).count()
    }

    /// Whether a string may stand wherever the pair `w` does, as far as the rules are concerned.
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
