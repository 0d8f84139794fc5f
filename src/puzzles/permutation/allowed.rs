//! The moves that plans may make: all, or those that the settings allow.

use permutation::{Complaint, Definition, DefinitionError, MoveMetric, Operators};
use search::{Op, OperatorRules};

/// The operators of a definition. `moves` names those that are allowed.
///
/// The order of the names does not matter: operators keep the order and the names that they have
/// among all. So tables are the same for `U,R` and `R,U`.
pub(in crate::puzzles) fn operators(
    definition: &Definition,
    metric: MoveMetric,
    moves: &str,
) -> Result<Operators, DefinitionError> {
    let mut named = definition.operators_named(metric, moves)?;
    // Derived moves may be allowed even if the definition has no other operators.
    let all = definition.operators(metric).map_or_else(|_| Vec::new(), |all| all.list);
    let place = |op: &permutation::Operator| {
        let same = |other: &permutation::Operator| {
            other.turn.of == op.turn.of && other.transformation == op.transformation
        };
        all.iter().position(same)
    };
    for op in &mut named.list {
        if let Some(place) = place(op) {
            *op = all[place].clone();
        }
    }
    named.list.sort_by_cached_key(|op| (place(op).unwrap_or(all.len()), op.turn));
    Ok(named)
}

/// The names of the moves that the limits of a definition leave, separated by blanks. `None` if
/// every move may be made at least once.
///
/// A move with `MoveLimits` 0 for all its turns is no operator. A search under rules is slower and
/// has weaker tables than a search with fewer moves.
pub(super) fn left_by_limits(definition: &Definition, metric: MoveMetric) -> Option<String> {
    if definition.rules().limits.values().all(|&most| most > 0) {
        return None;
    }
    let all = definition.operators(metric).ok()?;
    let rules = definition.operator_rules(&all).ok()?;
    let never =
        |op: usize| rules.limits.iter().any(|(ops, most)| *most == 0 && ops.contains(&Op::new(op)));
    let of = |op: usize| all.list[op].turn.of;
    let is_left =
        |op: &usize| (0..all.list.len()).any(|other| of(other) == of(*op) && !never(other));
    let left: Vec<usize> = (0..all.list.len()).filter(is_left).collect();
    let names = left.iter().map(|&op| all.list[op].name.as_str());
    (!left.is_empty() && left.len() < all.list.len()).then(|| names.collect::<Vec<_>>().join(" "))
}

/// The rules of a definition, in terms of the operators that are allowed.
///
/// Rules about other moves have no effect.
pub(super) fn rules(
    definition: &Definition,
    metric: MoveMetric,
    allowed: &Operators,
) -> Result<OperatorRules, Complaint> {
    let all = definition.operators(metric)?;
    let own = |op: Op| {
        let turn = all.list[op.index()].turn;
        allowed.list.iter().position(|op| op.turn == turn).map(Op::new)
    };
    if allowed.list.iter().any(|op| all.list.iter().all(|other| other.turn != op.turn)) {
        return definition.operator_rules(allowed);
    }
    let rules = definition.operator_rules(&all)?;
    let pairs = rules.forbidden.iter().filter_map(|&[a, b]| Some([own(a)?, own(b)?]));
    let limits = rules
        .limits
        .iter()
        .map(|(ops, most)| (ops.iter().filter_map(|&op| own(op)).collect::<Vec<_>>(), *most));
    Ok(OperatorRules {
        forbidden: pairs.collect(),
        limits: limits.filter(|(ops, _)| !ops.is_empty()).collect(),
    })
}
