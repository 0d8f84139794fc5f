//! Domains whose [`Domain::UNIT_COSTS`] or [`Domain::UNROLL`] is a false claim.

use super::ring::{Fault, Ring};
use crate::domain::{Cost, Domain, Op};
use crate::testing::{Pancake, UnrolledPancake, check_domain};

/// A ring whose operators cost 1 and 2, though it claims unit costs.
struct DearRing(Ring);

impl Domain for DearRing {
    type State = u32;
    type Ops = u32;
    const UNIT_COSTS: bool = true;
    fn operators(&self) -> usize {
        2
    }
    crate::forward_domain! { 0: applicable apply_into is_goal }
    fn cost(&self, op: Op) -> Cost {
        1 + Cost::from(op.0 == 1)
    }
}

#[test]
fn a_wrong_claim_of_unit_costs_is_caught() {
    let error = check_domain(&DearRing(Ring(Fault::None)), &[0]).unwrap_err();
    assert!(error.to_string().contains("unit costs are claimed"), "{error}");
}

#[test]
fn a_wrong_claim_of_few_operators_is_caught() {
    let check = |size| {
        let domain = UnrolledPancake(Pancake::new(size));
        check_domain(&domain, &[domain.0.state(&(0..size).collect::<Vec<_>>())])
    };
    check(5).unwrap();
    let error = check(6).unwrap_err();
    assert!(error.to_string().contains("5 operators: UNROLL"), "{error}");
}
