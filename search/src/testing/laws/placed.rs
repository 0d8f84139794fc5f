//! The law of places: an operator moves one feature from one place to another, and the context
//! decides which places.

use super::{LawError, law, samples, successor};
use crate::domain::{Op, OpSet, Placed};
use std::collections::BTreeMap;

/// Checks [`Placed`] on states sampled from `starts`, and on the representatives of their contexts:
/// - a feature is at one place at most, and [`Placed::place`] finds it there;
/// - an operator moves the feature that [`Partitioned::mover`](crate::Partitioned::mover) names
///   from one place to another, and all others stay;
/// - states of one context have the same operators, which move the same places and lead to the same
///   context.
///
/// # Errors
/// Names the law that is broken, with the state and the operator.
pub fn check_placed<D: Placed>(domain: &D, starts: &[D::State]) -> Result<(), LawError> {
    let mut moves = Moves::new();
    for state in samples(domain, starts) {
        let context = domain.context(&state);
        let representative = domain.representative(context);
        law!(
            domain.applicable(&state) == domain.applicable(&representative),
            "other operators apply to {state:?} than to the representative of its context {context}"
        );
        for state in [representative, state] {
            check_features(domain, &state)?;
            for op in domain.applicable(&state).members() {
                check_move(domain, &state, op, &mut moves)?;
            }
        }
    }
    Ok(())
}

/// For each context and operator, the place that the feature leaves, the place that it enters, and
/// the next context.
type Moves = BTreeMap<(usize, Op), (usize, usize, usize)>;

fn check_features<D: Placed>(domain: &D, state: &D::State) -> Result<(), LawError> {
    let mut found = vec![None; domain.features()];
    for place in 0..domain.places() {
        let Some(feature) = domain.feature_at(state, place) else { continue };
        law!(
            feature < found.len(),
            "feature {feature} is at place {place} of {state:?}, but there are {}",
            found.len()
        );
        let before = found[feature].replace(place);
        law!(
            before.is_none(),
            "feature {feature} is at two places of {state:?}: {} and {place}",
            before.unwrap_or(0)
        );
    }
    for (feature, &there) in found.iter().enumerate() {
        let said = domain.place(state, feature);
        law!(
            said == there,
            "feature {feature} of {state:?} is said to be at place {said:?}, but lies at {there:?}"
        );
    }
    Ok(())
}

fn check_move<D: Placed>(
    domain: &D,
    state: &D::State,
    op: Op,
    moves: &mut Moves,
) -> Result<(), LawError> {
    let (to, mover) = (successor(domain, state, op), domain.mover(state, op));
    let mut way = None;
    for feature in 0..domain.features() {
        let (before, after) = (domain.place(state, feature), domain.place(&to, feature));
        law!(
            (before != after) == (feature == mover),
            "operator {} moves feature {mover} in {state:?}, but feature {feature} is at place {before:?} before and {after:?} after",
            op.0
        );
        if feature == mover {
            way = before.zip(after);
        }
    }
    let Some((from, place)) = way else {
        return Err(LawError::new(format!(
            "operator {} on {state:?} moves feature {mover}, which is not at a place before and after",
            op.0
        )));
    };
    let context = domain.context(state);
    let now = (from, place, domain.context(&to));
    let before = *moves.entry((context, op)).or_insert(now);
    law!(
        before == now,
        "operator {} in context {context} moves what is at place {} to {} and leads to context {}, but from {state:?} these are {now:?}",
        op.0,
        before.0,
        before.1,
        before.2
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Contexts, Domain, Partitioned};
    use crate::testing::{Pebbles, Way, check_contexts, check_domain, check_packed};

    /// The fault of a domain: which law it breaks, and how.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Fault {
        None,
        UnknownFeature,
        FeatureTwice,
        PlaceIsWrong,
        OtherMover,
        MoverIsNowhere,
        TwoMove,
        OneContext,
        WayNeedsMore,
    }

    /// Pebbles that keep the law, or break it.
    struct Faulty(Pebbles, Fault);

    impl Faulty {
        fn has(&self, fault: Fault) -> bool {
            self.1 == fault
        }
    }

    impl Domain for Faulty {
        type State = u64;
        type Ops = u64;
        crate::forward_domain! { 0: operators is_goal }
        fn applicable(&self, state: &u64) -> u64 {
            let all = self.0.applicable(state);
            let first = self.0.feature_at(state, 0) == Some(0);
            if self.has(Fault::WayNeedsMore) && first { all & !1 } else { all }
        }
        fn apply_into(&self, from: &u64, op: Op, to: &mut u64) {
            self.0.apply_into(from, op, to);
            let place = |feature| self.0.place(to, feature).unwrap();
            if self.has(Fault::TwoMove) && op.0 == 1 && self.0.mover(from, op) != 0 {
                let (a, b) = (place(0), place(1));
                *to ^= (1 << (4 * a)) | (1 << (4 * b));
            }
        }
    }

    impl Partitioned for Faulty {
        fn features(&self) -> usize {
            self.0.features() - usize::from(self.has(Fault::UnknownFeature))
        }
        fn mover(&self, from: &u64, op: Op) -> usize {
            let mover = self.0.mover(from, op);
            if self.has(Fault::OtherMover) { (mover + 1) % self.features() } else { mover }
        }
    }

    impl Contexts for Faulty {
        fn contexts(&self) -> usize {
            if self.has(Fault::OneContext) { 1 } else { self.0.contexts() }
        }
        fn context(&self, state: &u64) -> usize {
            if self.has(Fault::OneContext) { 0 } else { self.0.context(state) }
        }
        crate::forward_domain! { 0: representative }
    }

    impl Placed for Faulty {
        crate::forward_domain! { 0: places }
        fn feature_at(&self, state: &u64, place: usize) -> Option<usize> {
            let feature = self.0.feature_at(state, place);
            match self.1 {
                Fault::FeatureTwice => feature.or(Some(0)),
                Fault::MoverIsNowhere => feature.filter(|&feature| feature != 2),
                _ => feature,
            }
        }
        fn place(&self, state: &u64, feature: usize) -> Option<usize> {
            if self.has(Fault::PlaceIsWrong) && feature == 1 {
                return Some(0);
            }
            (0..self.places()).find(|&place| self.feature_at(state, place) == Some(feature))
        }
    }

    #[test]
    fn pebbles_keep_every_law_and_each_fault_is_caught() {
        let pebbles = Pebbles::ladder(2, 1);
        let starts = [pebbles.goal(), pebbles.state(&[2, 0, 15, 1, 3, 4])];
        check_domain(&pebbles, &starts).unwrap();
        check_packed(&pebbles, &starts).unwrap();
        check_contexts(&pebbles, &starts, 4).unwrap();
        let one_way = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)];
        let one_way = one_way.map(|(from, to)| Way { from, to, cost: 2 });
        let one_way = Pebbles::new(4, &one_way);
        check_placed(&one_way, &[one_way.goal()]).unwrap();
        check_placed(&Faulty(pebbles.clone(), Fault::None), &starts).unwrap();
        for fault in [
            Fault::UnknownFeature,
            Fault::FeatureTwice,
            Fault::PlaceIsWrong,
            Fault::OtherMover,
            Fault::MoverIsNowhere,
            Fault::TwoMove,
            Fault::OneContext,
            Fault::WayNeedsMore,
        ] {
            let faulty = Faulty(pebbles.clone(), fault);
            assert!(check_placed(&faulty, &starts).is_err(), "{fault:?} is not caught");
        }
    }
}
