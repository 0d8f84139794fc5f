//! Search from both ends: where states form a group, a plan can be built from its first operator on or from its last.
//!
//! [`TwoSided`] makes such a domain of any [`Group`](fewest::search::Group). Each node goes on at the end with fewer operators left; here the heuristic
//! looks at the stack and at its inverse, and the automaton of each end cuts its own strings.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::fsm::{Automaton, Keep, learn};
use fewest::search::testing::{Gap, Pancake};
use fewest::search::{
    Both, CancelToken, Cost, Ends, Heuristic, Op, Options, Reversible, TwoSided, Verdict, ida_star,
};

/// The gaps of a stack, read whichever end was changed.
struct Gaps;

impl Heuristic<TwoSided<Pancake>> for Gaps {
    type Carry = ();
    fn root(&self, _: &TwoSided<Pancake>, _: &Both<u64>) {}
    fn child(&self, _: &TwoSided<Pancake>, _: &Both<u64>, (): &(), _: Op, _: &Both<u64>) {}
    fn bound(
        &self,
        domain: &TwoSided<Pancake>,
        state: &Both<u64>,
        (): &mut (),
        _: Cost,
    ) -> Verdict<u64> {
        let of = |stack: &u64| Gap.estimate(&domain.0, stack);
        // A stack and its inverse need equally many flips, so both bounds hold.
        Verdict::bound(of(&state.position).max(of(&state.inverse)))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Pancake::new(9);
    let learned = learn(&domain, 4, Keep::OneOptimal, &CancelToken::new())?;
    let front: Automaton<u32> = Automaton::new(&learned)?.minimized();
    let back = Automaton::reversed(&learned, |op| domain.inverse_op(op))?.minimized();
    let start = domain.state(&[4, 7, 0, 5, 2, 8, 1, 6, 3]);

    let one = ida_star(&domain, &Gap, &front, &start, &Options::default());
    println!("one end:   {} flips, {} nodes", one.lower_bound, one.generated());

    let both = TwoSided(domain);
    let pruning = Ends { front, back };
    let two = ida_star(&both, &Gaps, &pruning, &both.state(&start), &Options::default());
    println!("both ends: {} flips, {} nodes", two.lower_bound, two.generated());
    println!("plan: {:?}", two.plan().ok_or("no plan")?);
    Ok(())
}
