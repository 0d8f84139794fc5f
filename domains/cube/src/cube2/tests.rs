//! The 2x2x2: laws of the domain, its group, its stickers, and Fowler's joint table.

use super::*;
use crate::domain::{Cube3, CubeMetric};
use crate::notation::parse_moves;
use crate::turns::FACES;
use pdb::BuildOptions;
use pdb::testing::check_abstraction;
use proptest::prelude::*;
use search::plan::{Invalid, Reference, validate};
use search::random::Random;
use search::{Domain, Op, Packed, TwoSided, testing};
use std::collections::HashSet;

const METRICS: [CubeMetric; 2] = [CubeMetric::HalfTurn, CubeMetric::QuarterTurn];

#[test]
fn the_laws_of_the_contracts_hold() {
    let mut random = Random::new(11);
    let mut starts = vec![Pocket::SOLVED];
    starts.extend((0..3).map(|_| Pocket::random(&mut random).normalised()));
    for domain in METRICS.map(Cube2::new) {
        testing::check_domain(&domain, &starts).unwrap();
        testing::check_reversible(&domain, &starts).unwrap();
        testing::check_packed(&domain, &starts).unwrap();
        testing::check_parity(&domain, &starts).unwrap();
        testing::check_symmetric(&domain, &starts).unwrap();
        testing::check_group(&domain, &starts).unwrap();
        testing::check_permutation_group(&domain, &starts).unwrap();
        testing::check_contexts(&domain, &starts, 3).unwrap();
        testing::check_two_sided(&TwoSided(domain), 3).unwrap();
    }
}

#[test]
fn manhattan_is_admissible_and_consistent() {
    for metric in METRICS {
        let domain = Cube2::new(metric);
        let distances = testing::Distances::from_goals(&domain, &[Pocket::SOLVED], 6);
        testing::check_heuristic(&domain, &PocketManhattan::new(metric), &distances).unwrap();
    }
}

#[test]
fn ranks_are_one_to_one_and_normalised() {
    for rank in 0..Pocket::COUNT {
        let pocket = Pocket::unrank(rank);
        assert_eq!(pocket.rank(), rank);
        assert_eq!(rank, 729 * u32::from(pocket.order()) + u32::from(pocket.twists()));
        // The state is legal, and DBL is at home.
        let sound = pocket.check().is_ok() && (pocket.corner(6), pocket.twist(6)) == (6, 0);
        assert!(sound, "{pocket:?}");
    }
}

#[test]
fn a_solved_puzzle_can_be_held_in_24_ways() {
    let held: HashSet<Pocket> = Pocket::held().collect();
    assert_eq!(held.len(), 24);
    assert!(held.iter().all(Pocket::is_solved));
    let rotations = ["", "x", "y", "z", "x2 y", "z' x"].map(|text| parse_moves(text).unwrap());
    let mut random = Random::new(8);
    for _ in 0..200 {
        let pocket = Pocket::random(&mut random);
        let normal = pocket.normalised();
        assert_eq!((normal.corner(6), normal.twist(6)), (6, 0));
        assert_eq!(normal.normalised(), normal);
        // Renaming the corners by a rotation does not change the normalised state.
        assert!(held.iter().all(|turn| turn.compose(&pocket).normalised() == normal));
        assert!(rotations.iter().all(|turn| pocket.moved(turn).check().is_ok()));
    }
    assert!(held.contains(&Pocket::SOLVED.turned(3).turned(14)), "R L' turns the whole puzzle");
    assert!(!Pocket::SOLVED.turned(3).is_solved());
}

/// The domain turns only three faces. A turn of another face equals a turn of the opposite face,
/// then a turn of the whole puzzle.
#[test]
fn six_faces_are_three_and_a_turn_of_the_whole() {
    let mut random = Random::new(9);
    for _ in 0..50 {
        let pocket = Pocket::random(&mut random);
        let near = |turns: std::ops::Range<usize>| -> HashSet<Pocket> {
            let held = |turn| Pocket::held().map(move |held| pocket.turned(turn).compose(&held));
            turns.flat_map(held).collect()
        };
        assert_eq!(near(0..9), near(9..18));
    }
}

#[test]
fn moves_do_what_they_do_to_the_corners_of_a_cube() {
    let after = |text: &str| Pocket::SOLVED.moved(&parse_moves(text).unwrap());
    for (text, same) in [("Rw", "R"), ("u2 F", "U2 F"), ("M E2 S'", ""), ("x U", "U"), ("U x", "B")]
    {
        assert_eq!(after(text).normalised(), after(same).normalised(), "{text} and {same}");
    }
    assert_eq!(after("L").normalised(), after("R").normalised());
    assert_ne!(after("R"), after("L"));
}

#[test]
fn both_metrics_have_fowlers_joint_table() {
    // For each distance in quarter turns: the least distance in half turns, and the numbers of
    // states from that distance on.
    let fowler: [(usize, &[u64]); 15] = [
        (0, &[1]),
        (1, &[6]),
        (1, &[3, 24]),
        (2, &[24, 96]),
        (2, &[6, 144, 384]),
        (3, &[72, 768, 1416]),
        (3, &[9, 564, 3608, 4788]),
        (4, &[126, 3600, 15072, 14260]),
        (4, &[5, 1248, 18996, 57120, 36780]),
        (5, &[120, 9480, 85548, 195_400, 69960]),
        (6, &[1728, 55548, 341_604, 487_724, 43984]),
        (6, &[72, 14016, 238_920, 841_500, 256_248, 96]),
        (7, &[1032, 56440, 455_588, 268_532, 944]),
        (7, &[12, 928, 32968, 54876, 1496]),
        (9, &[8, 160, 108]),
    ];
    let expected: Vec<Vec<u64>> = fowler
        .iter()
        .map(|&(first, counts)| {
            let mut row = vec![0; 12];
            row[first..first + counts.len()].copy_from_slice(counts);
            row
        })
        .collect();
    let joint = joint_counts(&BuildOptions::default()).unwrap();
    assert_eq!(joint, expected);
    assert_eq!(joint.iter().flatten().sum::<u64>(), u64::from(Pocket::COUNT));
    let sum = |value: &dyn Fn(usize, usize) -> usize| -> u64 {
        let cells = joint.iter().enumerate();
        let cells = cells.flat_map(|(q, row)| row.iter().enumerate().map(move |(h, n)| (q, h, n)));
        cells.map(|(q, h, n)| value(q, h) as u64 * n).sum()
    };
    assert_eq!((sum(&|_, h| h), sum(&|q, _| q)), (32_169_388, 39_190_008));
}

#[test]
fn the_whole_puzzle_is_a_lawful_abstraction() {
    for metric in METRICS {
        let (domain, whole) = (Cube2::new(metric), PocketAbstraction::new(metric));
        let table = pdb::build::<4>(&whole, &BuildOptions::default()).unwrap();
        let read = |entry| table.get(entry);
        check_abstraction(&domain, &whole, &whole, &read, &[Pocket::SOLVED], 50_000).unwrap();
    }
}

proptest! {
    #[test]
    fn stickers_and_corners_agree(ops in proptest::collection::vec(0_usize..18, 1..60)) {
        for metric in METRICS {
            let (six, reference) = (Cube3::new(metric), FaceletPocket::new(metric));
            let mut pocket = Pocket::SOLVED;
            let mut stickers = PocketFacelets::from(&pocket);
            for op in ops.iter().map(|op| Op::new(op % six.operators())) {
                pocket = pocket.turned(six.turn(op));
                stickers = reference.successor(&stickers, op).unwrap();
                prop_assert_eq!(stickers, PocketFacelets::from(&pocket));
                prop_assert_eq!(reference.is_solved(&stickers), pocket.is_solved());
            }
            let read = PocketFacelets::parse(&stickers.to_string()).unwrap();
            prop_assert_eq!(read.to_pocket(), Ok(pocket));
            prop_assert_eq!(reference.successor(&stickers, Op::new(six.operators())), None);
        }
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "[URFDLBx' 2]{0,30}", facelets in "[URFDLB]{24}") {
        let _ = parse_state(&text);
        let _ = parse_state(&facelets);
        let _ = PocketFacelets::parse(&facelets).map(|facelets| facelets.to_pocket());
    }
}

#[test]
fn the_operators_are_the_first_ones_of_the_cube() {
    for metric in METRICS {
        let (two, three) = (Cube2::new(metric), Cube3::new(metric));
        assert_eq!(2 * two.operators(), three.operators());
        for op in (0..two.operators()).map(Op::new) {
            assert_eq!(two.turn(op), three.turn(op));
        }
    }
}

#[test]
fn complaints_name_the_place() {
    const SOLVED: &str = "UUUURRRRFFFFDDDDLLLLBBBB";
    let refused = |changes: &[(usize, char)]| {
        let mut symbols: Vec<char> = SOLVED.chars().collect();
        changes.iter().for_each(|&(at, symbol)| symbols[at - 1] = symbol);
        let text: String = symbols.into_iter().collect();
        PocketFacelets::parse(&text)
            .and_then(|facelets| facelets.to_pocket())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(PocketFacelets::from(&Pocket::SOLVED).to_string(), SOLVED);
    assert_eq!(
        PocketFacelets::parse("UUU").unwrap_err().to_string(),
        "3 facelets, expected 24: four for each of the faces U R F D L B"
    );
    assert!(refused(&[(7, 'x')]).starts_with("facelet 7: found `x`, expected a colour"));
    assert_eq!(refused(&[(4, 'R')]), "the colour `U` occurs 3 times, expected 4");
    // URF: facelets 4, 5, 10.
    assert!(
        refused(&[(5, 'F'), (10, 'R')]).contains("found the colours UFR clockwise, expected URF")
    );
    // The colours of DFR in the wrong direction.
    assert!(
        refused(&[(4, 'D'), (14, 'U')]).contains("found the colours DRF clockwise, expected DFR")
    );
    let opposite = refused(&[(5, 'D'), (14, 'R')]);
    assert!(
        opposite.starts_with("corner URF (facelets 4, 5, 10): found the colours UDF, expected"),
        "{opposite}"
    );
    assert!(refused(&[(4, 'R'), (6, 'U')]).contains("found the colours RRF, expected"));
    // The stickers of UFL at URF as well.
    let twice = refused(&[(5, 'F'), (10, 'L'), (19, 'R')]);
    assert!(twice.starts_with("corner UFL: found the piece UFL, which is also at URF"), "{twice}");
    assert!(FACES.iter().all(|&face| SOLVED.matches(face).count() == 4));
}

#[test]
fn plans_are_replayed_as_the_puzzle_is_held() {
    let (domain, reference) =
        (Cube2::new(CubeMetric::HalfTurn), FaceletPocket::new(CubeMetric::HalfTurn));
    let start = parse_state("D' y").unwrap();
    let stickers = PocketFacelets::from(&start);
    // The start is D' and a turn of the whole puzzle about the same axis. U solves it, up to how it
    // is held.
    assert_eq!(validate(&reference, &stickers, &[Op(0)]), Ok(()));
    assert_eq!(validate(&reference, &stickers, &[Op(2)]), Err(Invalid::NotSolved));
    let mut next = Pocket::SOLVED;
    domain.apply_into(&start.normalised(), Op(0), &mut next);
    assert!(domain.is_goal(&next));
    assert_eq!(domain.pack(&next), Pocket::SOLVED.rank());
}

#[test]
fn random_states_are_legal_and_the_same_in_every_release() {
    let mut random = Random::new(0);
    let states: Vec<Pocket> = (0..1000).map(|_| Pocket::random(&mut random)).collect();
    assert!(states.iter().all(|state| state.check().is_ok()));
    assert!(states.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(PocketFacelets::from(&states[0]).to_string(), "BDULBBRDFURUDFDLRLFFRUBL");
}
