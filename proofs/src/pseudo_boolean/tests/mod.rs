//! Logs of small puzzles, checked.

mod puzzles;

use super::*;
use puzzles::{ring, tiles};

/// The formula and the proof of a bound.
fn log(encoding: &Encoding, bound: usize) -> Result<(String, String), LogError> {
    let (mut formula, mut proof) = (Vec::new(), Vec::new());
    write_log(encoding, bound, 100_000, &CancelToken::new(), (&mut formula, &mut proof))?;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ok((text(formula), text(proof)))
}

#[test]
fn writes() {
    let (f, p) = log(&tiles(2, 3, &[1, 2, 0, 3, 4, 5]), 1).unwrap();
    std::fs::write("/tmp/w/u1.opb", f).unwrap();
    std::fs::write("/tmp/w/u1.pbp", p).unwrap();
    let (f, p) = log(&tiles(3, 3, &[1, 2, 5, 3, 0, 4, 6, 7, 8]), 3).unwrap();
    std::fs::write("/tmp/w/u2.opb", f).unwrap();
    std::fs::write("/tmp/w/u2.pbp", p).unwrap();
    let (f, p) = log(&ring(5, &[3, 0, 2, 1, 4]), 3).unwrap();
    std::fs::write("/tmp/w/u3.opb", f).unwrap();
    std::fs::write("/tmp/w/u3.pbp", p).unwrap();
}
