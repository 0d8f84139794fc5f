//! Every heuristic that is made of others keeps [`check_wrapper`], and forgetful ones are caught.

use super::{Bad, BadGap};
use crate::domain::{Cost, Group, Op};
use crate::heuristic::{Claims, Estimate, Heuristic, Max, Scaled, Zero};
use crate::ida_star::expansion::tests::Filtered;
use crate::stored::{FromStart, Perimeter};
use crate::testing::{GapHeuristic, LawError, Pancake, check_wrapper};
use crate::{ConstrainedDomain, IgnoreRules, OperatorRules, Options};
use std::sync::Arc;

/// Reads its bounds in batches.
const INNER: Filtered<false> = Filtered;

fn check<H: Heuristic<Pancake>>(wrapper: H, claims: Claims) -> Result<(), LawError> {
    let domain = Pancake::new(6);
    check_wrapper(&domain, &wrapper, claims, &[domain.state(&[3, 0, 5, 1, 4, 2])])
}

#[test]
fn every_wrapper_keeps_the_laws() {
    let admissible = Claims::ADMISSIBLE;
    check(&INNER, admissible).unwrap();
    check(Box::new(INNER), admissible).unwrap();
    check(Arc::new(INNER), admissible).unwrap();
    check(Max(INNER, Zero), admissible).unwrap();
    check(Max(Zero, Estimate(|_: &u64| 0)), Claims::DEAD_ENDS).unwrap();
    check(vec![GapHeuristic], admissible.and_consistent()).unwrap();
    check(Scaled(GapHeuristic, 1.5), admissible.unproven()).unwrap();
    check(Max(Zero, Scaled(Zero, 1.5)), Claims::DEAD_ENDS.unproven()).unwrap();
    let (domain, options) = (Pancake::new(6), Options::default());
    let start = domain.state(&[3, 0, 5, 1, 4, 2]);
    check(FromStart { heuristic: INNER, start }, admissible).unwrap();
    let perimeter = |goal| Perimeter::new(&domain, &[goal], INNER, 3, &options).unwrap();
    check(perimeter(domain.identity()), admissible).unwrap();
    let scaled = perimeter(domain.identity()).with(Scaled(Zero, 2.0));
    check(scaled, Claims::DEAD_ENDS.unproven()).unwrap();
    let rules = OperatorRules { forbidden: vec![[Op(1), Op(2)]], limits: Vec::new() };
    let constrained = ConstrainedDomain::new(&domain, &rules).unwrap();
    let starts = [constrained.start(start)];
    check_wrapper(&constrained, &IgnoreRules(INNER), admissible, &starts).unwrap();
}

/// Forgets that the heuristic inside is not admissible.
struct Forgetful(Scaled<GapHeuristic>);

impl Heuristic<Pancake> for Forgetful {
    type Carry = Cost;
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    crate::forward_heuristic! { |this, domain: Pancake| this.0, domain; root child bound }
}

#[test]
fn a_wrapper_with_a_fault_is_caught() {
    let inner = Scaled(GapHeuristic, 1.5);
    let claims = <Scaled<GapHeuristic> as Heuristic<Pancake>>::CLAIMS;
    let error = check(Forgetful(inner), claims).unwrap_err();
    assert!(error.to_string().contains("the wrapper claims"), "{error}");
    for bad in [Bad::KeepsTheValueTogether, Bad::FiltersAll, Bad::WithinCutsMore] {
        assert!(check(BadGap(bad), Claims::ADMISSIBLE.and_consistent()).is_err(), "{bad:?}");
    }
}
