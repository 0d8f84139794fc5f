//! The code of docs/YOUR_OWN_PUZZLE.md: that it works, and that the page shows no other.

#[path = "../../examples/your_own_puzzle.rs"]
#[expect(dead_code, reason = "an example has a main function")]
mod your_own_puzzle;

use fewest::fsm::{Automaton, Keep, learn};
use fewest::pdb::rank::Arrangements;
use fewest::pdb::testing::{check_abstraction, check_projection};
use fewest::pdb::{
    Abstraction, BuildError, BuildOptions, ColumnMap, Edge, Indexer, PatternDatabase, Projection,
    build,
};
use fewest::search::testing::{
    Distances, check_contexts, check_domain, check_heuristic, check_packed, check_pruning,
};
use fewest::search::{Contexts, Max, Op, Options, Reversible, Zero, ida_star};
use std::error::Error;
use your_own_puzzle::{RINGS, Rings};

/// The start of the page's table: all beads in reverse order.
const START: [u8; 10] = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

#[test]
fn the_rings_are_lawful() {
    let starts = [Rings.representative(0), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]];
    check_domain(&Rings, &starts).unwrap();
    check_packed(&Rings, &starts).unwrap();
    check_contexts(&Rings, &starts, 3).unwrap(); // strings of up to 3 operators

    let learned = learn(&Rings, 6, Keep::OneOptimal);
    let automaton = Automaton::new(&learned).unwrap();
    check_pruning(&Rings, &automaton, &starts, 8).unwrap(); // every layer up to cost 8 survives
}

#[test]
fn an_automaton_cuts_duplicates() -> Result<(), Box<dyn Error>> {
    let learned = learn(&Rings, 6, Keep::OneOptimal);
    let automaton = Automaton::new(&learned)?;
    assert_eq!((learned.strings().len(), automaton.states()), (18, 44));
    let start = START;
    let report = ida_star(&Rings, &Zero, &automaton, &start, &Options::default());
    assert_eq!(report.plan().map(|plan| plan.len()), Some(15));
    assert_eq!(report.generated(), 7_176_396);
    Ok(())
}

impl Reversible for Rings {
    fn inverse_op(&self, op: Op) -> Op {
        Op(op.0 ^ 1)
    }
}

#[test]
fn projections_bound_the_rings() -> Result<(), Box<dyn Error>> {
    let solved = Rings.representative(0);
    let projection = |first: u8| {
        Projection::new(&Rings, move |state: &[u8; 10]| {
            state.map(|bead| if (first..first + 5).contains(&bead) { bead } else { 10 })
        })
    };
    let options = BuildOptions::default();
    let heuristic = Max(
        projection(0).backward(&[solved], &options)?,
        projection(5).backward(&[solved], &options)?,
    );

    // In a test.
    check_projection(&projection(0), &[solved], &[solved], 10_000)?;

    let automaton = Automaton::new(&learn(&Rings, 6, Keep::OneOptimal))?;
    let report = ida_star(&Rings, &heuristic, &automaton, &START, &Options::default());
    assert_eq!(report.generated(), 3_290);
    Ok(())
}

const RANK: Arrangements = Arrangements::new(10, 5);

/// Where the beads `first` to `first + 4` lie: nibble `i` of a word is the place of bead
/// `first + i`.
struct Five {
    first: u8,
}

impl Abstraction for Five {
    fn shape(&self) -> (u64, usize) {
        (RANK.size(), 1)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(RANK.rank(0x43210 + u64::from(self.first) * 0x11111));
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let from = RANK.unrank(row);
        for op in 0..4 {
            let (ring, step) = (RINGS[op / 2], [1, 5][op % 2]);
            let turned = |place: u64| match ring.iter().position(|&p| p as u64 == place) {
                Some(i) => ring[(i + step) % 6] as u64,
                None => place,
            };
            let to = (0..5).fold(0, |to, i| to | turned(from >> (4 * i) & 15) << (4 * i));
            out.push(Edge { row: RANK.rank(to), map: 0, cost: 1 });
        }
    }
    fn column_map(&self, _: u32) -> ColumnMap<'_> {
        ColumnMap::IDENTITY
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<Rings> for Five {
    type Index = u64;
    fn index(&self, _: &Rings, state: &[u8; 10]) -> u64 {
        let kept = self.first..self.first + 5;
        let beads = (0_u64..).zip(state).filter(|(_, bead)| kept.contains(bead));
        RANK.rank(beads.fold(0, |word, (place, bead)| word | place << (4 * (bead - self.first))))
    }
    fn entry(&self, at: u64) -> u64 {
        at
    }
}

#[test]
fn tables_bound_the_rings() -> Result<(), Box<dyn Error>> {
    let (automaton, start) = (Automaton::new(&learn(&Rings, 6, Keep::OneOptimal))?, START);

    let database = |first| -> Result<_, BuildError> {
        let table = build::<4>(&Five { first }, &BuildOptions::default())?;
        Ok(PatternDatabase::new(Five { first }, table))
    };
    let heuristic = Max(database(0)?, database(5)?);

    // In a test.
    let (five, solved) = (Five { first: 0 }, Rings.representative(0));
    let table = build::<4>(&five, &BuildOptions::default())?;
    check_abstraction(&Rings, &five, &five, &|entry| table.get(entry), &[solved], 10_000)?;
    check_heuristic(&Rings, &heuristic, &Distances::from_goals(&Rings, &[solved], 9))?;

    let report = ida_star(&Rings, &heuristic, &automaton, &start, &Options::default());
    assert_eq!(report.generated(), 3_290);
    let one = ida_star(&Rings, &database(0)?, &automaton, &start, &Options::default());
    assert_eq!(one.generated(), 15_820);
    Ok(())
}

/// Code without comments, blanks and last commas.
fn bare(code: &str) -> String {
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let joined: String = lines.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect();
    [(",)", ")"), (",}", "}"), (",]", "]")].iter().fold(joined, |code, (a, b)| code.replace(a, b))
}

#[test]
fn the_page_shows_this_code() {
    let source =
        bare(concat!(include_str!("rings.rs"), include_str!("../../examples/your_own_puzzle.rs")));
    let page = include_str!("../../docs/YOUR_OWN_PUZZLE.md");
    let blocks: Vec<&str> = page.split("```rust\n").skip(1).collect();
    assert_eq!(blocks.len(), 8);
    for block in blocks {
        let code = block.split("```").next().unwrap_or_default();
        assert!(source.contains(&bare(code)), "no such code:\n{code}");
    }
}
