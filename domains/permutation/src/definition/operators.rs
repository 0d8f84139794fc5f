//! The operators of a search: the powers of moves that the metric counts as one move, in the order
//! of the file.

use super::Definition;
use super::moves::{Meaning, MoveKind, MoveSet};
use super::names::{MoveRef, Turn};
use super::notation::parse;
use super::transformation::Transformation;
use crate::error::{Complaint, DefinitionError, Hint, TextFormat, quoted};
use search::Cost;
use std::collections::HashMap;

/// The metric: which powers of a move count as one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveMetric {
    /// Every power of a move counts as one move. U, U2 and U' cost the same.
    Turn,
    /// Only a move and its inverse count as one move. U2 is two operators in a row.
    Quarter,
}

/// An operator of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// The name with its amount, as [`Definition::parse_moves`] reads it.
    pub name: String,
    /// The move and its amount.
    pub turn: Turn,
    /// The effect of the operator.
    pub transformation: Transformation,
    /// The cost of the operator.
    pub cost: Cost,
}

/// The operators of a search.
///
/// No operator is the identity. Two operators have the same effect only if rules about moves, or
/// blocks, may treat them differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operators {
    /// The operators in the order in which searches try them: moves as in the file, each as M, M2,
    /// .., M2', M'.
    pub list: Vec<Operator>,
    /// Notes to the user: one for each operator that is left out because another has the same
    /// effect.
    pub notes: Vec<String>,
}

impl Operators {
    /// For each operator: the index of an operator that undoes it, if there is one. Prefers an
    /// operator of the same move, then the first.
    pub fn inverses(&self) -> Vec<Option<usize>> {
        let mut index: HashMap<_, Vec<usize>> = HashMap::new();
        for (i, op) in self.list.iter().enumerate() {
            index.entry(op.transformation.rows()).or_default().push(i);
        }
        let inverse = |op: &Operator| {
            let inverse = op.transformation.inverse();
            let all = index.get(&inverse.rows())?;
            let same = all.iter().find(|&&other| self.list[other].turn.of == op.turn.of);
            same.or(all.first()).copied()
        };
        self.list.iter().map(inverse).collect()
    }

    /// Whether all operators cost 1, so that the cost of a plan is its length.
    pub fn all_cost_one(&self) -> bool {
        self.list.iter().all(|operator| operator.cost == 1)
    }
}

/// Most operators of a search.
const MOST_OPERATORS: usize = u16::MAX as usize;
/// Most bytes of the transformations of all operators together.
const MOST_BYTES: usize = 1 << 30;

/// Implements [`Definition::operators`].
pub(super) fn all(definition: &Definition, metric: MoveMetric) -> Result<Operators, Complaint> {
    let base = definition.moves().base().iter().enumerate();
    let turns = base.filter(|(_, one)| one.kind == MoveKind::Turn);
    let turns: Vec<Turn> = turns.map(|(index, _)| Turn::once(MoveRef::Base(index))).collect();
    if turns.is_empty() {
        let complaint = Complaint::new("rotations only", "a move that a search can make");
        return Err(complaint.hint(Hint::Rotation));
    }
    operators_of(definition, metric, &turns)
}

/// Implements [`Definition::operators_named`].
pub(super) fn named(
    definition: &Definition,
    metric: MoveMetric,
    list: &str,
) -> Result<Operators, DefinitionError> {
    let wrong = |column: usize, complaint| DefinitionError::Malformed {
        form: TextFormat::Moves,
        line: 1,
        column,
        complaint: Box::new(complaint),
    };
    let moves = definition.moves();
    let blanks = list.replace(',', " ");
    let turns = parse(&moves.names, &blanks, MOST_OPERATORS);
    let turns =
        turns.map_err(|(at, complaint)| wrong(blanks[..at].chars().count() + 1, complaint))?;
    if turns.is_empty() {
        return Err(wrong(1, Complaint::new("no move", "names of moves to search with")));
    }
    for &turn in &turns {
        let MoveRef::Base(index) = turn.of else { continue };
        let one = &moves.base()[index];
        if one.kind == MoveKind::Rotation {
            let found = format!("the rotation {}", quoted(&one.name));
            let complaint = Complaint::new(found, "moves that a search can make");
            return Err(wrong(1, complaint.hint(Hint::Rotation)));
        }
    }
    operators_of(definition, metric, &turns).map_err(|complaint| wrong(1, complaint))
}

/// The operators that are powers of these turns, in order.
fn operators_of(
    definition: &Definition,
    metric: MoveMetric,
    turns: &[Turn],
) -> Result<Operators, Complaint> {
    let moves = definition.moves();
    let mut all = Operators { list: Vec::new(), notes: Vec::new() };
    let mut index = HashMap::new();
    let named = moves.ruled_by(definition.rules());
    let has_blocks = !definition.rules().blocks.is_empty();
    let most = MOST_OPERATORS.min(MOST_BYTES / (3 * definition.orbits().slots()));
    for &turn in turns {
        let generator = moves.transformation(turn);
        if generator.is_identity() {
            let found = format!("{}, which changes nothing", quoted(&moves.turn_text(turn)));
            return Err(Complaint::new(found, "moves that change something"));
        }
        let room = most.saturating_sub(all.list.len());
        let multiples = multiples(moves, turn, &generator, metric, (room, most))?;
        // Blocks look at the slots that the move changes. A power of the move may change fewer.
        let moved = has_blocks.then(|| moves.transformation_of(turn.of).moved_slots());
        let mut transformation = generator.clone();
        for (step, multiple) in multiples.into_iter().enumerate() {
            if step > 0 {
                transformation = match metric {
                    MoveMetric::Turn => transformation.then(&generator),
                    MoveMetric::Quarter => generator.inverse(),
                };
            }
            let name = moves.turn_text(multiple);
            let (made, cost) = (transformation.clone(), cost(moves, multiple, metric)?);
            let operator = Operator { name, turn: multiple, transformation: made, cost };
            let meaning = moves.meaning(multiple);
            let ruled = named.contains(&meaning.0).then_some(meaning);
            keep(&mut all, &mut index, operator, (moved.clone(), ruled));
        }
    }
    Ok(all)
}

/// The multiples of a turn that become operators.
///
/// In the turn metric: all different ones, the second half written as backward turns. In the
/// quarter metric: the turn and, if it differs, its inverse. It is an error if there are more than
/// `room`. The error text names `most`, the limit for all operators.
fn multiples(
    moves: &MoveSet,
    turn: Turn,
    generator: &Transformation,
    metric: MoveMetric,
    (room, most): (usize, usize),
) -> Result<Vec<Turn>, Complaint> {
    let order = generator.order().unwrap_or(u128::MAX);
    let count = match metric {
        MoveMetric::Turn => order - 1,
        MoveMetric::Quarter => (order - 1).min(2),
    };
    let text = || quoted(&moves.turn_text(turn));
    let Some(steps) = i32::try_from(count).ok().filter(|_| count <= room as u128) else {
        let found = format!("{count} powers of {}", text());
        return Err(Complaint::new(found, format!("at most {most} operators in all")));
    };
    let amount = |step: i32| {
        let signed = if step > (steps + 1) / 2 { step - steps - 1 } else { step };
        let signed = if metric == MoveMetric::Quarter && step == 2 { -1 } else { signed };
        turn.amount.checked_mul(signed).ok_or_else(|| {
            let found = format!("{} {signed} times", text());
            Complaint::new(found, "amounts below 2^31")
        })
    };
    (1..=steps).map(|step| Ok(Turn { of: turn.of, amount: amount(step)? })).collect()
}

/// What an operator of this turn costs.
fn cost(moves: &MoveSet, turn: Turn, metric: MoveMetric) -> Result<Cost, Complaint> {
    if let Some(cost) = moves.turn_cost(turn) {
        return Ok(cost);
    }
    let base = match turn.of {
        MoveRef::Base(index) => moves.base()[index].cost,
        MoveRef::Derived(_) => 1,
    };
    let times = match metric {
        MoveMetric::Turn => 1,
        MoveMetric::Quarter => turn.amount.unsigned_abs(),
    };
    let cost = u32::from(base).saturating_mul(times);
    Cost::try_from(cost).ok().filter(|&cost| cost <= 250).ok_or_else(|| {
        let found = format!("a cost of {cost} for {}", quoted(&moves.turn_text(turn)));
        Complaint::new(found, "a cost of at most 250")
    })
}

/// What rules look at: the slots that the operator's move changes, if there are blocks, and what
/// its turn means, if a rule names its move.
type Ruled = (Option<Vec<bool>>, Option<Meaning>);

/// The index of the operator with each effect. The key is the permutation, the turns, and what
/// rules look at.
type Seen = HashMap<(Vec<u16>, Vec<u8>, Ruled), usize>;

/// Adds an operator unless another has the same effect. Of two such operators, the cheaper is kept,
/// at the index of the first.
///
/// Both are kept if rules tell them apart, because a rule may forbid only one of them.
fn keep(all: &mut Operators, index: &mut Seen, operator: Operator, ruled: Ruled) {
    let (permutation, delta) = operator.transformation.rows();
    let next = all.list.len();
    let place = *index.entry((permutation.to_vec(), delta.to_vec(), ruled)).or_insert(next);
    if place == next {
        return all.list.push(operator);
    }
    let kept = &mut all.list[place];
    let (stays, goes) = match operator.cost < kept.cost {
        true => (operator.name.clone(), kept.name.clone()),
        false => (kept.name.clone(), operator.name.clone()),
    };
    if operator.cost < kept.cost {
        *kept = operator;
    }
    all.notes.push(format!("{goes} does the same as {stays} and is left out"));
}
