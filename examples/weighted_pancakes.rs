//! Pancakes by weight: a flip costs as much as it turns over. A* and IDA* with two databases.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]
use fewest::pdb::{BuildError, BuildOptions, Projection};
use fewest::search::stored::{a_star, uniform_cost};
use fewest::search::{
    Cost, Domain, Heuristic, InversePruning, Max, Op, OpSet, Options, Packed, Reversible, ida_star,
};
const SIZE: usize = 9;
type Stack = [u8; SIZE];
const SORTED: Stack = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/// A state is the pancakes from the top. Operator `i` turns over the topmost `i + 2`, which costs
/// `i + 2`.
pub(crate) struct Pancakes;
#[rustfmt::skip] // The domain: its states, operators, costs and goal.
impl Domain for Pancakes {
    type State = Stack;
    type Ops = u16;
    fn operators(&self) -> usize { SIZE - 1 }
    fn applicable(&self, _: &Stack) -> u16 { u16::first(SIZE - 1) }
    fn apply_into(&self, from: &Stack, op: Op, to: &mut Stack) {
        *to = *from;
        to[..op.index() + 2].reverse();
    }
    fn is_goal(&self, state: &Stack) -> bool { *state == SORTED }
    fn cost(&self, op: Op) -> Cost { [2, 3, 4, 5, 6, 7, 8, 9][op.index()] }
}
#[rustfmt::skip] // A flip undoes itself.
impl Reversible for Pancakes {
    fn inverse_op(&self, op: Op) -> Op { op }
}
#[rustfmt::skip] // A* stores states as words: four bits a pancake.
impl Packed for Pancakes {
    type Key = u64;
    fn pack(&self, state: &Stack) -> u64 { state.iter().fold(0, |k, &p| k << 4 | u64::from(p)) }
    fn unpack(&self, key: u64, out: &mut Stack) {
        *out = std::array::from_fn(|i| (key >> (4 * (SIZE - 1 - i)) & 15) as u8);
    }
}
/// The least cost to put these pancakes where they belong. All others look alike: they are 99.
fn database(kept: std::ops::Range<u8>) -> Result<impl Heuristic<Pancakes>, BuildError> {
    let forget = move |state: &Stack| state.map(|p| if kept.contains(&p) { p } else { 99 });
    Projection::new(&Pancakes, forget).backward(&[SORTED], &BuildOptions::default())
}
/// The larger of two bounds: a flip moves pancakes of both databases, so they may not be added.
pub(crate) fn heuristic() -> Result<impl Heuristic<Pancakes>, BuildError> {
    Ok(Max(database(0..5)?, database(4..9)?))
}
fn main() -> Result<(), BuildError> {
    let (start, options, bound) = ([4, 7, 0, 5, 2, 8, 1, 6, 3], Options::default(), heuristic()?);
    for (name, report) in [
        ("A*", a_star(&Pancakes, &bound, &start, &options)),
        ("IDA*", ida_star(&Pancakes, &bound, &InversePruning, &start, &options)),
        ("uniform cost", uniform_cost(&Pancakes, &start, &options)),
    ] {
        let flips = report.plan().map_or(0, |plan| plan.len());
        let (cost, nodes) = (report.lower_bound, report.generated());
        println!("{name}: {flips} flips turn over {cost} pancakes, the fewest; {nodes} nodes");
    }
    Ok(())
}
