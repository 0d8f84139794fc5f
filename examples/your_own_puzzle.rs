//! A puzzle of your own: two rings of six beads that cross twice. See docs/YOUR_OWN_PUZZLE.md.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]
use fewest::fsm::{Automaton, Keep, learn};
use fewest::search::{Contexts, Domain, Op, OpSet, Options, Packed, Zero, ida_star, plan};
/// The places of both rings, clockwise. The places are `012` above `3456` above `789`.
pub(crate) const RINGS: [[usize; 6]; 2] = [[0, 1, 5, 8, 7, 3], [1, 2, 6, 9, 8, 4]];
/// A state says which bead is at each place. An operator turns a ring by one place.
pub(crate) struct Rings;
#[rustfmt::skip] // The domain: its states, operators and goal.
impl Domain for Rings {
    type State = [u8; 10];
    type Ops = u32;
    fn operators(&self) -> usize { 4 }
    fn applicable(&self, _: &[u8; 10]) -> u32 { u32::first(4) }
    fn apply_into(&self, from: &[u8; 10], op: Op, to: &mut [u8; 10]) {
        let (ring, step) = (RINGS[op.index() / 2], [1, 5][op.index() % 2]);
        *to = *from;
        (0..6).for_each(|i| to[ring[(i + step) % 6]] = from[ring[i]]);
    }
    fn is_goal(&self, state: &[u8; 10]) -> bool { state.is_sorted() }
}
#[rustfmt::skip] // Every turn is possible everywhere, so one state stands for all.
impl Contexts for Rings {
    fn contexts(&self) -> usize { 1 }
    fn context(&self, _: &[u8; 10]) -> usize { 0 }
    fn representative(&self, _: usize) -> [u8; 10] { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }
}
#[rustfmt::skip] // A state as a number: four bits a bead.
impl Packed for Rings {
    type Key = u64;
    fn pack(&self, at: &[u8; 10]) -> u64 { at.iter().fold(0, |k, &bead| k << 4 | u64::from(bead)) }
    fn unpack(&self, key: u64, out: &mut [u8; 10]) {
        *out = std::array::from_fn(|i| (key >> (36 - 4 * i) & 15) as u8);
    }
}
#[rustfmt::skip] // A second description of the puzzle. It replays the plan that the search found.
impl plan::Reference for Rings {
    type State = Vec<u8>;
    fn successor(&self, state: &Vec<u8>, op: Op) -> Option<Vec<u8>> {
        let (ring, mut next) = (RINGS[op.index() / 2], state.clone());
        let mut beads = ring.map(|place| state[place]);
        if op.0.is_multiple_of(2) { beads.rotate_right(1) } else { beads.rotate_left(1) };
        ring.iter().zip(beads).for_each(|(&place, bead)| next[place] = bead);
        Some(next)
    }
    fn is_solved(&self, state: &Vec<u8>) -> bool { state[..] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }
}
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let automaton = Automaton::new(&learn(&Rings, 6, Keep::OneOptimal))?;
    let mut state = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
    let report = ida_star(&Rings, &Zero, &automaton, &state, &Options::default());
    let found = report.plan().ok_or("no plan")?;
    plan::validate(&Rings, &state.to_vec(), found)?;
    println!("{state:?}: {} turns, the fewest; {} nodes", found.len(), report.generated());
    for &op in found {
        Rings.apply_into(&state.clone(), op, &mut state);
        println!("{state:?} {}", ["left", "left'", "right", "right'"][op.index()]);
    }
    Ok(())
}
