//! Search from both ends: in a group a plan can grow from its first operator or from its last.
//!
//! [`TwoSided`] makes a domain of any [`Group`](fewest::search::Group). Every node grows at the end
//! that has fewer operators left.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::fsm::{Automaton, Keep, learn};
use fewest::search::testing::{GapHeuristic, Pancake};
use fewest::search::{Claims, Cost, Domain, Heuristic, Op, OpSet, Options};
use fewest::search::{Reversible, TwoSided, TwoSidedPruning, TwoSidedState, Verdict, ida_star};

/// Counts gaps one flip ahead, and excludes flips that leave more gaps than flips.
struct Ahead;
fn look(domain: &Pancake, stack: &u64, limit: Cost) -> Verdict<u32> {
    let mut to = 0;
    let hopeless = |op: &Op| {
        domain.apply_into(stack, *op, &mut to);
        GapHeuristic.estimate(domain, &to) >= limit
    };
    let excluded = domain.applicable(stack).members().filter(hopeless).fold(0, OpSet::with);
    Verdict { h: GapHeuristic.estimate(domain, stack), excluded }
}
#[rustfmt::skip] // The search from one end.
impl Heuristic<Pancake> for Ahead {
    type Carry = ();
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fn root(&self, _: &Pancake, _: &u64) {}
    fn child(&self, _: &Pancake, _: &u64, (): &(), _: Op, _: &u64) {}
    fn bound(&self, domain: &Pancake, stack: &u64, (): &mut (), limit: Cost) -> Verdict<u32> {
        look(domain, stack, limit)
    }
}
/// A state of the search: a stack and its inverse, which need equally many flips.
type Both = TwoSidedState<u64>;
#[rustfmt::skip]
impl Heuristic<TwoSided<Pancake>> for Ahead {
    type Carry = ();
    const CLAIMS: Claims = Claims::ADMISSIBLE;
    fn root(&self, _: &TwoSided<Pancake>, _: &Both) {}
    fn child(&self, _: &TwoSided<Pancake>, _: &Both, (): &(), _: Op, _: &Both) {}
    fn bound(&self, both: &TwoSided<Pancake>, at: &Both, (): &mut (), limit: Cost) -> Verdict<u64> {
        let [front, back] = [at.position, at.inverse].map(|stack| look(&both.0, &stack, limit));
        let excluded = OpSet::double(front.excluded, back.excluded, both.0.operators());
        Verdict { h: front.h.max(back.h), excluded }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Pancake::new(12);
    let learned = learn(&domain, 4, Keep::OneOptimal);
    let front: Automaton<u32> = Automaton::new(&learned)?;
    let back = Automaton::reversed(&learned, |op| domain.inverse_op(op))?;
    let start = domain.state(&[4, 7, 0, 9, 5, 2, 11, 8, 1, 6, 3, 10]);
    let one = ida_star(&domain, &Ahead, &front, &start, &Options::default());
    println!("one end:   {} flips, {:>6} nodes", one.lower_bound, one.generated());
    let (both, ends) = (TwoSided(domain), TwoSidedPruning { front, back });
    let two = ida_star(&both, &Ahead, &ends, &both.state(&start), &Options::default());
    println!("both ends: {} flips, {:>6} nodes", two.lower_bound, two.generated());
    Ok(())
}
