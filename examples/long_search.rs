//! A search that can be killed: a journal for a domain of your own. See docs/LONG_SEARCHES.md.
//!
//! Run it, kill it, and run it again: it goes on where it was. Its arguments: the path of the
//! journal, and the number of threads.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]
use fewest::proofs::{Identity, Journal, Share};
use fewest::search::{
    Domain, InversePruning, Op, OpSet, Options, Reversible, Zero, ida_star_parallel,
};
use std::error::Error;
use std::path::PathBuf;
const SIZE: usize = 10;
/// Nine flips sort these pancakes.
const START: [u8; SIZE] = [2, 0, 4, 9, 6, 7, 1, 5, 3, 8];
/// A state is the pancakes from the top. Operator `i` turns over the topmost `i + 2`.
pub(crate) struct Pancakes;
#[rustfmt::skip] // The domain: its states, operators and goal.
impl Domain for Pancakes {
    type State = [u8; SIZE];
    type Ops = u16;
    fn operators(&self) -> usize { SIZE - 1 }
    fn applicable(&self, _: &[u8; SIZE]) -> u16 { u16::first(SIZE - 1) }
    fn apply_into(&self, from: &[u8; SIZE], op: Op, to: &mut [u8; SIZE]) {
        *to = *from;
        to[..op.index() + 2].reverse();
    }
    fn is_goal(&self, state: &[u8; SIZE]) -> bool { state.is_sorted() }
}
#[rustfmt::skip] // A flip undoes itself.
impl Reversible for Pancakes {
    fn inverse_op(&self, op: Op) -> Op { op }
}
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().map(PathBuf::from);
    let path = path.unwrap_or_else(|| std::env::temp_dir().join("pancakes.journal"));
    let cores = arguments.next().map(|cores| cores.parse()).transpose()?.unwrap_or(2);
    // Whatever changes the units of the search belongs here.
    let identity = Identity::new()
        .with("puzzle", "pancakes")
        .with("state", format!("{START:?}"))
        .with("heuristic", "none")
        .with("pruning", "inverse");
    let journal = Journal::open(&path, &identity, &Identity::new(), Share::ALL)?;
    let known = journal.record().generated();
    let options = Options { units: Some(&journal), ..Options::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build()?;
    let report =
        pool.install(|| ida_star_parallel(&Pancakes, &Zero, &InversePruning, &START, &options));
    for iteration in report.iterations.iter().filter(|iteration| iteration.complete) {
        let (bound, nodes) = (iteration.bound, iteration.generated);
        println!("bound {bound}: no plan among {nodes} nodes");
    }
    let flips = report.plan().ok_or("no plan")?.len();
    println!("{flips} flips, the fewest; {known} nodes were known before");
    Ok(())
}
