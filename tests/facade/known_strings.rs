//! The program's binary holds the forbidden strings that the learner finds.

use fsm::{ForbiddenStrings, Keep};
use search::Op;
use std::path::Path;
use tiles::AnyTiles;

/// Encodes strings as the files of `src/puzzles/tiles/strings/` have them.
fn encoded(strings: &ForbiddenStrings) -> Vec<u8> {
    let (mut bytes, mut before): (Vec<u8>, &[Op]) = (Vec::new(), &[]);
    for string in strings.strings() {
        let shared = before.iter().zip(string).take_while(|(a, b)| a == b).count();
        let rest = &string[shared..];
        bytes.push(u8::try_from(16 * shared + rest.len()).expect("short"));
        for four in rest.chunks(4) {
            let code = |(place, op): (usize, &Op)| op.index() << (2 * place);
            let byte: usize = four.iter().enumerate().map(code).sum();
            bytes.push(u8::try_from(byte).expect("four operators"));
        }
        before = string;
    }
    bytes
}

/// Compares the file of a board with what the learner finds. Without a file, writes it.
fn check(rows: usize, columns: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/puzzles/tiles/strings");
    let domain = AnyTiles::<u128>::of_size(rows, columns).expect("a board");
    for (keep, name) in [(Keep::OneOptimal, "one"), (Keep::AllOptimal, "all")] {
        let learned = encoded(&fsm::learn(&domain, 14, keep));
        let path = folder.join(format!("{rows}x{columns}-{name}.bin"));
        let kept = std::fs::read(&path).unwrap_or_default();
        if kept.is_empty() {
            std::fs::write(&path, &learned).expect("written");
        }
        assert!(kept == learned, "{}: {} bytes", path.display(), learned.len());
    }
}

#[test]
fn the_strings_of_the_15_puzzle_are_those_that_are_learned() {
    check(4, 4);
}

#[test]
#[ignore = "slow: learns from millions of strings, 15 s"]
fn the_strings_of_larger_boards_are_those_that_are_learned() {
    check(4, 5);
    check(5, 5);
}
