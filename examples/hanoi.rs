//! The towers of Hanoi with four pegs and eight discs: the sum of two pattern databases, each from
//! a function that forgets some discs.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]
use fewest::pdb::{BuildOptions, Projection};
use fewest::search::stored::a_star;
use fewest::search::{Additive, Domain, Op, OpSet, Options, Packed, Partitioned, Reversible};
/// The peg of a forgotten disc.
const AWAY: u8 = 4;
/// A state is the peg of each disc, the smallest disc first. Operator `4 a + b` moves the smallest
/// disc of peg `a` to peg `b`.
struct Hanoi;
#[rustfmt::skip] // The domain. A peg without a disc has the smallest disc 8.
impl Domain for Hanoi {
    type State = [u8; 8];
    type Ops = u16;
    fn operators(&self) -> usize { 16 }
    fn applicable(&self, state: &[u8; 8]) -> u16 {
        let top = |peg| state.iter().position(|&p| p == peg).unwrap_or(8);
        let ops = (0..16).filter(|op| top(op / 4) < top(op % 4));
        ops.fold(0, |ops, op| ops.with(Op(op.into())))
    }
    fn apply_into(&self, from: &[u8; 8], op: Op, to: &mut [u8; 8]) {
        *to = *from;
        to[self.mover(from, op)] = (op.0 % 4) as u8;
    }
    fn is_goal(&self, state: &[u8; 8]) -> bool { *state == [3; 8] }
}
#[rustfmt::skip] // Moving back from `b` to `a` undoes a move.
impl Reversible for Hanoi {
    fn inverse_op(&self, op: Op) -> Op { Op(op.0 % 4 * 4 + op.0 / 4) }
}
#[rustfmt::skip] // Every move takes one disc along, so that distances of separate discs add up.
impl Partitioned for Hanoi {
    fn features(&self) -> usize { 8 }
    fn mover(&self, from: &[u8; 8], op: Op) -> usize {
        from.iter().position(|&peg| u16::from(peg) == op.0 / 4).unwrap_or(0)
    }
}
#[rustfmt::skip] // A* stores states as words.
impl Packed for Hanoi {
    type Key = u64;
    fn pack(&self, state: &[u8; 8]) -> u64 { u64::from_le_bytes(*state) }
    fn unpack(&self, key: u64, out: &mut [u8; 8]) { *out = key.to_le_bytes(); }
}
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let database = |kept: std::ops::Range<usize>| {
        let discs = kept.clone();
        let forget = move |state: &[u8; 8]| {
            std::array::from_fn(|disc| if discs.contains(&disc) { state[disc] } else { AWAY })
        };
        let projection = Projection::new(&Hanoi, forget).charging(kept);
        projection.backward(&[[3; 8]], &BuildOptions::default())
    };
    let sum = Additive::new(&Hanoi, vec![database(0..6)?, database(6..8)?])?;
    let report = a_star(&Hanoi, &sum, &[0; 8], &Options::default());
    let plan = report.plan().ok_or("no plan")?;
    println!("eight discs: {} moves, the fewest; {} nodes", plan.len(), report.generated());
    println!("{}", plan.iter().map(|op| format!("{}-{} ", op.0 / 4, op.0 % 4)).collect::<String>());
    Ok(())
}
