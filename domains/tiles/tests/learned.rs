//! Learned pairs and triples of tiles: the published numbers, what they discover, and admissibility.

use pdb::Learned;
use search::{Cost, Heuristic};
use tiles::{Board, Puzzle8, Puzzle15, Puzzle19, Puzzle24, Tiles, Word};

#[test]
fn explore() {
    fn go<W: Word, const R: usize, const C: usize>(domain: &Tiles<W, R, C>, triples: bool) {
        let t = std::time::Instant::now();
        let l = if triples {
            Learned::triples(domain, &[domain.goal()], None)
        } else {
            Learned::pairs(domain, &[domain.goal()], None)
        }
        .unwrap();
        let mut h = std::collections::BTreeMap::new();
        for e in l.excesses() {
            *h.entry((e.features().len(), e.cost())).or_insert(0) += 1;
        }
        println!(
            "{R}x{C} {triples} {:?} {:?} {} bytes {:?}",
            l.entries(),
            h,
            l.bytes(),
            t.elapsed()
        );
    }
    for triples in [false, true] {
        go(&Puzzle8::new(), triples);
        go(&Puzzle15::new(), triples);
        go(&Puzzle19::new(), triples);
        go(&Puzzle24::new(), triples);
    }
}
