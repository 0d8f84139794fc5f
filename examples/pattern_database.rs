//! A pattern database: describe the pattern, build the table of exact distances, search with it.
//!
//! The pattern is where the five smallest of nine pancakes lie. It does not distinguish the others.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use fewest::pdb::rank::Arrangements;
use fewest::pdb::{Abstraction, BuildOptions, ColumnMap, Edge, Indexer, PatternDatabase, build};
use fewest::search::testing::{GapHeuristic, Pancake};
use fewest::search::{InversePruning, Max, Options, ida_star};

/// An entry is the rank of the places of pancakes 0 to 4. Nibble `i` of a word is the place of
/// pancake `i`.
const RANK: Arrangements = Arrangements::new(9, 5);

#[derive(Debug)]
struct Smallest;

/// The build side: a graph of entries, here without shared columns.
#[rustfmt::skip]
impl Abstraction for Smallest {
    fn shape(&self) -> (u64, usize) { (RANK.size(), 1) }
    fn goals(&self, out: &mut Vec<u64>) { out.push(RANK.rank(0x43210)); }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let from = RANK.unrank(row);
        for count in 2..=9 {
            let flipped = |place: u64| if place < count { count - 1 - place } else { place };
            let to = (0..5).fold(0, |to, i| to | flipped(from >> (4 * i) & 15) << (4 * i));
            out.push(Edge { row: RANK.rank(to), map: 0, cost: 1 });
        }
    }
    fn column_map(&self, _: u32) -> ColumnMap<'_> { ColumnMap::IDENTITY }
    fn undirected(&self) -> bool { true }
}

/// The search side: where a state finds its entry.
#[rustfmt::skip]
impl Indexer<Pancake> for Smallest {
    type Index = u64;
    fn index(&self, _: &Pancake, state: &u64) -> u64 {
        let places = (0..9).map(|place| (place as u64, Pancake::pancake(*state, place)));
        let places = places.filter(|&(_, i)| i < 5);
        RANK.rank(places.fold(0, |word, (place, i)| word | place << (4 * i)))
    }
    fn entry(&self, at: u64) -> u64 { at }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = build::<4>(&Smallest, &BuildOptions::default())?;
    println!("{:?}, mean {:.3}", table.histogram().counts, table.histogram().mean());
    let (domain, database) = (Pancake::new(9), PatternDatabase::new(Smallest, table));
    let (pruning, options) = (InversePruning, Options::default());
    let start = domain.state(&[4, 7, 0, 5, 2, 8, 1, 6, 3]);
    let alone = ida_star(&domain, &database, &pruning, &start, &options);
    let both = ida_star(&domain, &Max(GapHeuristic, &database), &pruning, &start, &options);
    println!("database alone:    {} flips, {} nodes", alone.lower_bound, alone.generated());
    println!("with the gaps too: {} flips, {} nodes", both.lower_bound, both.generated());
    Ok(())
}
