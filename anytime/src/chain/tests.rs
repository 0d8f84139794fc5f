//! A chain that is read plans as the one that was saved, and no bytes do any harm.

use super::WordChain;
use crate::NotWords;
use crate::tests::{EFFORT, chain, cycles, improve, product, with_inverses};
use crate::{Generators, PieceHome, Pieces};
use groups::testing::small_groups;
use groups::{Permutation, StabilizerChain};
use search::random::Random;

/// Small groups as puzzles, and one with pieces that look alike and turn, and with symmetries.
fn puzzles() -> Vec<(String, Generators, Pieces)> {
    let group = |(name, points, turns): (&str, usize, Vec<Permutation>)| {
        let pieces = Pieces::of_points(u16::try_from(points).expect("few points"));
        (name.to_owned(), with_inverses(points, &turns), pieces)
    };
    let mut all: Vec<_> = small_groups().into_iter().map(group).collect();
    let ring = [cycles(8, &[&[0, 2, 4], &[1, 3, 5]]), cycles(8, &[&[2, 4, 6], &[3, 5, 7]])];
    let piece = |home| PieceHome { home, class: u16::from(home > 2), step: u16::from(home == 4) };
    let pieces = Pieces::new([0, 2, 4, 6].map(piece).into(), &[2; 4]);
    all.push(("ring".to_owned(), with_inverses(8, &ring), pieces));
    all
}

fn read(from: &WordChain, bytes: &[u8]) -> Result<WordChain, NotWords> {
    let (generators, pieces) = (from.generators().clone(), from.pieces().clone());
    WordChain::from_bytes(generators, pieces, EFFORT, bytes, &|| false)
}

#[test]
fn a_chain_that_is_read_gives_the_same_plans() {
    let mut symmetries = 0;
    for (name, generators, pieces) in puzzles() {
        let built = chain(&generators, pieces);
        let bytes = built.to_bytes();
        let read = read(&built, &bytes).expect("the same chain");
        assert_eq!(read.to_bytes(), bytes, "{name}");
        assert_eq!((read.len(), read.is_whole()), (built.len(), built.is_whole()), "{name}");
        symmetries += read.frames.len();
        let turns = generators.elements();
        let group = StabilizerChain::new(generators.points(), turns, &[]).expect("a group");
        let mut random = Random::new(5);
        for _ in 0..5 {
            let element = group.random(|below| random.below(below));
            let images = built.pieces().images(&element);
            assert_eq!(improve(&read, &images, 20_000), improve(&built, &images, 20_000), "{name}");
        }
    }
    assert!(symmetries > 3);
}

/// Whatever the bytes are, they are refused, or the words of the chain are true.
#[test]
fn damaged_bytes_are_refused_or_true() {
    for (name, generators, pieces) in puzzles() {
        let built = chain(&generators, pieces);
        let bytes = built.to_bytes();
        let step = bytes.len().div_ceil(200);
        for len in (0..bytes.len()).step_by(step) {
            let error = read(&built, &bytes[..len]).expect_err("cut off");
            assert!(matches!(error, NotWords::Wrong { .. }), "{name}: {len}");
        }
        let longer = [&bytes[..], &[0]].concat();
        let error = read(&built, &longer).expect_err("too long");
        assert_eq!(
            error.to_string(),
            "the words are longer than its words, expected no more bytes"
        );
        for at in (0..bytes.len()).step_by(step) {
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                let Ok(chain) = read(&built, &other) else { continue };
                for level in &chain.levels {
                    for (point, entry) in (0..)
                        .zip(&level.entries)
                        .flat_map(|(point, all)| all.iter().map(move |entry| (point, entry)))
                    {
                        assert_eq!(product(&generators, &entry.word), entry.element, "{name}");
                        assert_eq!(entry.element.image(point), level.base, "{name}");
                    }
                }
            }
        }
    }
}

/// Words of other operators or pieces are refused, and so is more than the memory holds.
#[test]
fn words_of_another_puzzle_are_refused() {
    let turn = cycles(5, &[&[0, 1, 2, 3, 4]]);
    let (first, other) = (with_inverses(5, &[turn]), with_inverses(5, &[cycles(5, &[&[0, 1]])]));
    let built = chain(&first, Pieces::of_points(5));
    let bytes = built.to_bytes();
    let of = |generators: &Generators, pieces, effort| {
        WordChain::from_bytes(generators.clone(), pieces, effort, &bytes, &|| false)
    };
    assert!(of(&first, Pieces::of_points(5), EFFORT).is_ok());
    assert!(of(&other, Pieces::of_points(5), EFFORT).is_err());
    assert!(of(&first, Pieces::of_points(4), EFFORT).is_err());
    let identity =
        |generators, effort| WordChain::identity((generators, &Pieces::of_points(5)), effort);
    let (less, more) =
        (super::Effort { bytes: 1, ..EFFORT }, super::Effort { bytes: 1 << 40, ..EFFORT });
    assert_ne!(identity(&first, EFFORT), identity(&other, EFFORT));
    assert_ne!(identity(&first, EFFORT), identity(&first, less));
    assert_eq!(identity(&first, EFFORT), identity(&first, more));
    let stopped = WordChain::from_bytes(first, Pieces::of_points(5), EFFORT, &bytes, &|| true);
    assert_eq!(stopped.expect_err("stopped"), NotWords::Stopped);
}
