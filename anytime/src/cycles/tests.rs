//! Cycles, seams and energies are compared with products of permutations.

use super::defects::{Defects, apply};
use super::places::Places;
use super::seam::Seams;
use super::skeleton::Skeleton;
use super::table::{Cycle, CycleWord, cycle_of};
use super::{Cycles, Round};
use crate::NotWords;
use crate::tests::on_threads;
use crate::{Effort, Generators, PieceHome, Pieces, Planner, WordChain};
use groups::{GroupError, Permutation, StabilizerChain};
use search::random::Random;
use search::{Op, PlanRound};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The rows and columns of a square board that wraps around, each turned by one or back.
pub(super) fn board(size: u16) -> Vec<Permutation> {
    let points = usize::from(size * size);
    let line = |at: Vec<u16>| Permutation::from_cycles(points, &[&at]).expect("a cycle");
    let rows = (0..size).map(|row| line((0..size).map(|i| size * row + i).collect()));
    let columns = (0..size).map(|column| line((0..size).map(|i| size * i + column).collect()));
    rows.chain(columns).collect()
}

/// Five places of three turns each, in two rings of three that share one. A ring turns one piece
/// forth and another back.
fn rings() -> Vec<Permutation> {
    let ring = |[a, b, c]: [u16; 3]| {
        let cycle = |turn: u16| [3 * a + turn, 3 * b + turn, 3 * c + (turn + 1) % 3];
        let mut images: Vec<u16> = (0..15).collect();
        for turn in 0..3 {
            let [x, y, z] = cycle(turn);
            images[usize::from(x)] = y;
            images[usize::from(y)] = z;
            images[usize::from(z)] = x;
        }
        Permutation::new(images).expect("a ring")
    };
    vec![ring([0, 1, 2]), ring([2, 3, 4])]
}

/// The permutations and their inverses. `costs` are those of the first, the second, the first ..
pub(super) fn generators(turns: &[Permutation], costs: [u8; 2]) -> Generators {
    let costed = turns.iter().zip(costs.into_iter().cycle());
    let both = costed.flat_map(|(turn, cost)| [(turn.clone(), cost), (turn.inverse(), cost)]);
    Generators::new(turns[0].points(), both.collect(), &|| false).expect("inverses")
}

/// Puzzles with their names: all pieces differ, some look alike or moves have costs, pieces turn,
/// and lie turned at home.
pub(super) fn puzzles() -> Vec<(&'static str, Generators, Pieces)> {
    let alike = (0..16).map(|home| PieceHome { home, class: home / 4, step: 0 }).collect();
    let turned = |by: u16| {
        let piece = |i| PieceHome { home: 3 * i + by * (i % 3), class: i, step: 0 };
        Pieces::new((0..5).map(piece).collect(), &[3; 5])
    };
    vec![
        ("distinct", generators(&board(4), [1, 1]), Pieces::of_points(16)),
        ("alike", generators(&board(4), [1, 3]), Pieces::new(alike, &[1; 16])),
        ("turned", generators(&rings(), [1, 1]), turned(0)),
        ("turned at home", generators(&rings(), [1, 1]), turned(1)),
    ]
}

fn cycles(generators: &Generators, pieces: &Pieces) -> Cycles {
    Cycles::new(generators, pieces, std::iter::empty(), 1 << 28, &|| false).expect("cheap cycles")
}

fn product(generators: &Generators, word: &[Op]) -> Permutation {
    let identity = Permutation::identity(generators.points()).expect("few points");
    word.iter().fold(identity, |product, op| product.then(&generators.elements()[op.index()]))
}

/// Where the pieces lie in a random state.
pub(super) fn random(generators: &Generators, pieces: &Pieces, random: &mut Random) -> Vec<u16> {
    let group = StabilizerChain::new(generators.points(), generators.elements(), &[]);
    pieces.images(&group.expect("a group").random(|below| random.below(below)))
}

/// Whether a word brings pieces to a home of their class.
pub(super) fn solves(
    generators: &Generators,
    pieces: &Pieces,
    images: &[u16],
    word: &[Op],
) -> bool {
    let product = product(generators, word);
    pieces.list().iter().zip(images).all(|(piece, &image)| {
        let same = pieces.list().iter().filter(|other| other.class == piece.class);
        same.into_iter().any(|other| other.home == product.image(image))
    })
}

/// Every cycle of three places.
fn all_cycles(cycles: &Cycles) -> Vec<Cycle> {
    let list = &cycles.places.list;
    let mut all = Vec::new();
    for a in 0..list.len() {
        for b in (0..list.len()).filter(|&b| b != a) {
            for c in (0..list.len()).filter(|&c| c != a && c != b) {
                let turns = list[a].turns;
                for turn in 0..turns.pow(3) {
                    let by = [turn % turns, turn / turns % turns, turn / turns / turns];
                    let images =
                        [list[b].first + by[0], list[c].first + by[1], list[a].first + by[2]];
                    all.push(Cycle { places: [a, b, c], images });
                }
            }
        }
    }
    all
}

#[test]
fn words_are_their_cycles() {
    for (name, generators, pieces) in puzzles() {
        let cycles = cycles(&generators, &pieces);
        let mut count = 0;
        for cycle in all_cycles(&cycles) {
            for word in cycles.table.words(&cycles.places, &cycle) {
                let element = product(&generators, &word.word);
                let images = (0..).zip(element.images());
                let mut same = images.map(|(p, &to)| apply(&cycles.places, &cycle, p) == to);
                assert!(same.all(|same| same), "{name}: {cycle:?}");
                assert_eq!(word.cost, generators.cost_of(&word.word), "{name}");
                count += 1;
            }
        }
        assert!(count > 50, "{name}: {count}");
    }
}

/// What annealing keeps is what the word says, after every hundred steps.
#[test]
fn energies_are_those_of_the_word() {
    for (name, generators, pieces) in puzzles() {
        let cycles = cycles(&generators, &pieces);
        let start = random(&generators, &pieces, &mut Random::new(7));
        let mut skeleton = Skeleton::new(&cycles, &start, 3);
        for _ in 0..30 {
            skeleton.anneal(100, &|| false);
            skeleton.check(&start, name);
        }
    }
}

/// A round's plan solves its state, on any number of threads the same.
#[test]
fn rounds_give_plans() {
    for (name, generators, pieces) in puzzles() {
        let cycles = cycles(&generators, &pieces);
        let mut seed = Random::new(5);
        for _ in 0..3 {
            let images = random(&generators, &pieces, &mut seed);
            let search = || cycles.search(&images, (0, 0, u64::MAX), &|| false);
            let [one, two, seven] = on_threads(search);
            let Round { plan, nodes, .. } = &one;
            let plan = plan.as_ref().expect(name);
            assert!(solves(&generators, &pieces, &images, plan), "{name}");
            assert!(*nodes > 0);
            assert_eq!((&one.plan, one.nodes), (&two.plan, two.nodes), "{name}");
            assert_eq!((&one.plan, one.nodes), (&seven.plan, seven.nodes), "{name}");
        }
    }
}

/// A search gives the same plans with cycles that were saved and read. Damaged bytes are refused,
/// or the words are still true.
#[test]
fn saved_cycles_are_the_same() {
    for (name, generators, pieces) in puzzles() {
        let built = cycles(&generators, &pieces);
        let bytes = built.to_bytes();
        let read = |bytes: &[u8]| Cycles::of_bytes(&generators, &pieces, bytes, 1 << 28, &|| false);
        let same = read(&bytes).expect("cycles").expect("cheap cycles");
        assert_eq!((same.to_bytes(), same.least()), (bytes.clone(), built.least()), "{name}");
        let mut seed = Random::new(7);
        let images = random(&generators, &pieces, &mut seed);
        let round = |cycles: &Cycles| {
            let Round { plan, nodes, .. } = cycles.search(&images, (1, 0, 100_000), &|| false);
            (plan, nodes)
        };
        assert_eq!(round(&same), round(&built), "{name}");
        let mut refused = 0;
        for _ in 0..200 {
            let mut other = bytes.clone();
            match seed.index(3) {
                0 => other.truncate(seed.index(bytes.len())),
                1 => other[seed.index(bytes.len())] ^= 1 << seed.index(8),
                _ => other.extend_from_slice(&bytes[..seed.index(bytes.len()) + 1]),
            }
            let Ok(Some(read)) = read(&other) else {
                refused += 1;
                continue;
            };
            for words in read.table.lists() {
                let cycle = |word: &CycleWord| {
                    let element = product(&generators, &word.word);
                    cycle_of(&read.places, 0..read.places.list.len(), &|p| element.image(p))
                        .map(|it| it.first_turn())
                };
                let all: Vec<_> = words.iter().map(cycle).collect();
                assert!(all.iter().all(|cycle| cycle.is_some() && *cycle == all[0]), "{name}");
            }
        }
        assert!(refused > 100, "{name}: {refused}");
        let stopped = Cycles::of_bytes(&generators, &pieces, &bytes, 1 << 28, &|| true);
        assert_eq!(stopped.err(), Some(NotWords::Stopped), "{name}");
    }
}

/// No cycle is needed where all are home, and a useful cycle lowers the number.
#[test]
fn useful_cycles_lower_the_number_that_is_needed() {
    for (name, generators, pieces) in puzzles() {
        let cycles = cycles(&generators, &pieces);
        let orbit = &cycles.places.orbits[0];
        let home = pieces.images(&product(&generators, &[]));
        assert_eq!(Defects::new(&cycles.places, orbit, &home).count(), 0, "{name}");
        let mut seed = Random::new(11);
        for _ in 0..20 {
            let images = random(&generators, &pieces, &mut seed);
            let before = Defects::new(&cycles.places, orbit, &images).count();
            for (cycle, after) in Defects::new(&cycles.places, orbit, &images).useful(&|| false) {
                let image = |&point: &u16| apply(&cycles.places, &cycle, point);
                let moved: Vec<u16> = images.iter().map(image).collect();
                assert!(after < before, "{name}");
                assert_eq!(Defects::new(&cycles.places, orbit, &moved).count(), after, "{name}");
            }
        }
    }
}

/// What a seam saves is what the word costs less, at the least.
#[test]
fn seams_save_what_they_say() {
    let (_, generators, _) = &puzzles()[0];
    let mut seed = Random::new(2);
    let mut saved = 0;
    for _ in 0..200 {
        let mut word = |length| -> Vec<Op> {
            let ops = (0..length).map(|_| Op::new(seed.index(generators.len())));
            let mut word = ops.collect();
            generators.simplify(&mut word);
            word
        };
        let (whole, inserted) = (word(12), word(4));
        let seams = Seams::new(generators, &whole);
        for at in 0..=whole.len() {
            let put = Seams::put(generators, &whole, at, &inserted);
            let raw = generators.cost_of(&whole) + generators.cost_of(&inserted);
            let saving = seams.saving(at, &inserted);
            assert!(generators.cost_of(&put) <= raw - saving);
            if seams.ends(at, &inserted) > 0 {
                assert!(saving > 0);
            }
            saved += saving;
        }
    }
    assert!(saved > 1_000);
}

/// The planner takes cycles where their plan is better than that of a beam.
#[test]
fn a_planner_takes_cycles_where_they_gain() {
    let (generators, pieces) = (generators(&board(6), [1, 1]), Pieces::of_points(36));
    let effort =
        Effort { words: 2_000, lookups: 3_000_000, bytes: 1 << 26, ..crate::tests::EFFORT };
    let chain = WordChain::new(generators.clone(), pieces.clone(), effort, &|| false);
    let chain = chain.expect("a chain");
    let images = random(&generators, &pieces, &mut Random::new(1));
    let mut plans = Vec::new();
    let tell = &mut |by: &str, plan: &[Op]| plans.push((by.to_owned(), plan.to_vec()));
    Planner::new(&chain, 1 << 20).improve(&images, 4_000_000, &|| false, tell);
    assert!(plans.iter().all(|(_, plan)| solves(&generators, &pieces, &images, plan)));
    let costs: Vec<u32> = plans.iter().map(|(_, plan)| generators.cost_of(plan)).collect();
    assert!(costs.windows(2).all(|pair| pair[1] < pair[0]), "{costs:?}");
    let by = [&plans[0], &plans[plans.len() - 1]].map(|(by, _)| by.as_str());
    assert_eq!(by, ["words", "cycles"], "{costs:?}");
    // An earlier run told rounds of both ways. The limit cut some short: those are not known.
    let run = |known: &[PlanRound]| {
        let (mut rounds, mut whole) = (Vec::new(), 0);
        let tell = &mut |round: &PlanRound, is_whole| {
            rounds.push(round.clone());
            whole += usize::from(is_whole);
        };
        Planner::new(&chain, 1 << 20).resume(&images, (known, 4_000_000), &|| false, tell);
        (rounds, whole)
    };
    let (all, whole) = run(&[]);
    // A chain that is read has the cycles that were saved, and saves none.
    let again = WordChain::from_bytes(generators, pieces, effort, &chain.to_bytes(), &|| false);
    let again = again.expect("a chain");
    again.take_cycles(chain.cycle_bytes().expect("cycles were found"));
    let tell = &mut |round: &PlanRound, _| assert!(all.contains(round));
    Planner::new(&again, 1 << 20).resume(&images, (&[], 4_000_000), &|| false, tell);
    assert_eq!(again.cycle_bytes(), None);
    assert!(whole < all.len() && all[..whole].iter().any(|round| round.by == "cycles"), "{whole}");
    for known in 0..=whole {
        assert_eq!(run(&all[..known]).0, all[known..], "after {known}");
    }
}

/// A search that is stopped ends with a plan that solves or none, wherever it is.
#[test]
fn a_stop_ends_a_search() {
    for (name, generators, pieces) in puzzles() {
        let cycles = cycles(&generators, &pieces);
        let images = random(&generators, &pieces, &mut Random::new(9));
        for most in [0, 1, 3, 10, 30, 100, 300, 1_000, 3_000] {
            let asked = AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most;
            let Round { plan, .. } = cycles.search(&images, (0, 0, 100_000), &stop);
            let solves = |plan: &Vec<Op>| solves(&generators, &pieces, &images, plan);
            assert!(plan.as_ref().is_none_or(solves), "{name} {most}");
        }
    }
}

/// No cycles: of few bytes, of moves that cost nothing, of too many orbits, or of none.
#[test]
fn some_puzzles_have_no_cycles() {
    let none = |generators: &Generators, bytes| {
        let points = u16::try_from(generators.points()).expect("few points");
        let pieces = Pieces::of_points(points);
        Cycles::new(generators, &pieces, std::iter::empty(), bytes, &|| false).is_none()
    };
    let free = generators(&board(4), [0, 0]);
    let board = generators(&board(4), [1, 1]);
    assert!(!none(&board, 1 << 24) && none(&board, 1_000) && none(&free, 1 << 24));
    let swap = |pair: u16| Permutation::from_cycles(130, &[&[2 * pair, 2 * pair + 1]]);
    let swaps = (0..65).map(|pair| Ok((swap(pair)?, 1))).collect::<Result<_, GroupError>>();
    let swaps = Generators::new(130, swaps.expect("swaps"), &|| false).expect("inverses");
    assert!(none(&swaps, 1 << 24));
}

/// Each place that is moved has a bit, above 64 too.
#[test]
fn moved_places_have_a_bit_each() {
    let ring: Vec<u16> = (0..130).filter(|point| point % 3 != 0).collect();
    let ring = Permutation::from_cycles(130, &[&ring]).expect("a cycle");
    let generators = generators(std::slice::from_ref(&ring), [1, 1]);
    let places = Places::new(&generators, &Pieces::of_points(130)).expect("places");
    let bits = places.moved(|point| ring.image(point));
    assert!((0..130).all(|place| (bits[place / 64] >> (place % 64) & 1 == 1) == (place % 3 != 0)));
}
