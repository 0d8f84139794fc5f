//! Puzzles with more slots, operators or orientations than states of a fixed size hold: they are
//! counted, learned and solved as smaller ones are.

use super::layers;
use fewest::proofs::{Identity, Share};
use fewest::{Aim, Ending, Puzzle, Request, RunJournal, Settings, configure, run_identity};
use search::Limits;
use std::fmt::{Display, Write};
use std::fs;
use std::path::Path;

fn words<T: Display>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(" ")
}

/// The place of a sticker: three coordinates from 0 to n + 1, one of which is 0 or n + 1.
type Place = [usize; 3];

/// A quarter turn about an axis.
fn turned(place: Place, axis: usize, n: usize) -> Place {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut to = place;
    (to[u], to[v]) = (n + 1 - place[v], place[u]);
    to
}

/// The stickers of an NxNxN cube. A move turns the layers `from` to `to` about an axis; layers
/// count from 1.
fn cube(n: usize, moves: &[(String, usize, usize, usize)]) -> String {
    let mut places: Vec<Place> = Vec::new();
    for (axis, side) in [(0, 0), (0, n + 1), (1, 0), (1, n + 1), (2, 0), (2, n + 1)] {
        for (u, v) in (1..=n).flat_map(|u| (1..=n).map(move |v| (u, v))) {
            let mut place = [side; 3];
            (place[(axis + 1) % 3], place[(axis + 2) % 3]) = (u, v);
            places.push(place);
        }
    }
    // The distance of a sticker from the nearer face along each axis, in ascending order.
    let orbit = |place: &Place| {
        let mut depth = place.map(|x| x.min(n + 1 - x));
        depth.sort_unstable();
        depth
    };
    places.sort_by_key(orbit);
    let orbits: Vec<&[Place]> = places.chunk_by(|a, b| orbit(a) == orbit(b)).collect();
    let mut out = format!("Name cube-{n}\n");
    for (i, orbit) in orbits.iter().enumerate() {
        let _ = writeln!(out, "Set S{i} {} 1", orbit.len());
    }
    out += "Solved\n";
    for (i, orbit) in orbits.iter().enumerate() {
        let colour = |place: &Place| {
            let axis = place.iter().position(|x| x % (n + 1) == 0).expect("a sticker");
            2 * axis + usize::from(place[axis] > 0) + 1
        };
        let _ = writeln!(out, "S{i}\n{}", words(orbit.iter().map(colour)));
    }
    out += "End\n";
    for (name, axis, from, to) in moves {
        let _ = writeln!(out, "MoveTransformation {name}");
        let turns = |place: &Place| (*from..=*to).contains(&place[*axis].clamp(1, n));
        for (i, orbit) in orbits.iter().enumerate() {
            let comes = orbit.iter().map(|&place| {
                let back = (0..3).fold(place, |at, _| turned(at, *axis, n));
                let from = if turns(&place) { back } else { place };
                orbit.iter().position(|&other| other == from).expect("the same orbit")
            });
            let _ = writeln!(out, "S{i}\n{}", words(comes));
        }
        out += "End\n";
    }
    out
}

/// The layers of one half of a cube or, if `wide`, blocks of layers from a face inward.
fn slices(n: usize, wide: bool) -> Vec<(String, usize, usize, usize)> {
    let (mut all, half) = (Vec::new(), n / 2);
    for (axis, name) in ["R", "U", "F"].into_iter().enumerate() {
        for layer in 1..=half {
            all.push((format!("{layer}{name}"), axis, if wide { 1 } else { layer }, layer));
            let back = n + 1 - layer;
            all.push((format!("{layer}{name}b"), axis, back, if wide { n } else { back }));
        }
    }
    all
}

fn puzzle_of(folder: &Path, name: &str, text: &str) -> Box<dyn Puzzle> {
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    let settings = Settings::default().tables(crate::tables());
    configure(path.to_str().expect("a path"), &settings).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The states and the sequences up to a depth.
fn counts(puzzle: &dyn Puzzle, depth: usize) -> (Vec<u128>, Vec<u128>) {
    let counting = puzzle.counting().expect("it counts");
    let mut states = Vec::new();
    let mut tell = |_, count| states.push(count);
    counting.count_states(depth, &Request::default(), &mut tell).expect("few states");
    (states, counting.count_sequences(depth, &Request::default()).expect("sequences"))
}

fn solve(puzzle: &dyn Puzzle, state: &str) -> (Ending, Option<u64>, usize) {
    let request = Request::default()
        .limits(Limits { nodes: Some(3_000_000), ..Limits::default() })
        .plans(100);
    let answer = puzzle.solve(state, &request).unwrap_or_else(|error| panic!("{state}: {error}"));
    (answer.ending, answer.upper_bound, answer.plans.len())
}

/// The same definition with a set of pieces that no move changes.
fn padded(text: &str) -> String {
    text.replacen("\nSolved", "\nSet PADDING 300 1\nSolved", 1)
}

/// Counts, strings and plans do not depend on the size of states.
#[test]
fn large_states_are_searched_as_small_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["pyraminx", "3x3x3", "3x3x3-slices", "hungarian-rings", "square-1", "clock"] {
        let text = permutation::shipped::text(name).expect("it is shipped");
        let small = puzzle_of(folder.path(), &format!("{name}.tws"), text);
        let large = puzzle_of(folder.path(), &format!("{name}-padded.tws"), &padded(text));
        let has_group =
            small.counting().expect("it counts").count_sequences(1, &Request::default());
        if has_group.is_ok() {
            assert_eq!(counts(&*small, 2), counts(&*large, 2), "{name}");
            let learned = |puzzle: &dyn Puzzle| {
                let learning = puzzle.learning().expect("it learns");
                learning.learn(2, false, &Request::default()).expect("pairs").0
            };
            assert_eq!(learned(&*small), learned(&*large), "{name}");
        }
        let scrambler = small.scrambler().expect("it scrambles");
        let request = Request::default();
        let moves = scrambler.move_scrambles(5, &request).expect("moves").scrambles;
        for scramble in moves.take(3) {
            let scramble = scramble.expect("moves");
            let shorter = [1, 3].map(|length| scramble[..length.min(scramble.len())].join(" "));
            for state in ["solved".to_owned()].into_iter().chain(shorter) {
                assert_eq!(solve(&*small, &state), solve(&*large, &state), "{name}: {state}");
            }
        }
    }
}

/// A journal gets the units of one search with one heuristic, on any number of threads.
#[test]
fn large_states_are_searched_unit_by_unit() {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, state) = (cube(11, &slices(11, true)), "1R 2Fb 5U2 1F' 3R 2U");
    let cost = puzzle_of(folder.path(), "alone.tws", &text).solve(state, &Request::default());
    let cost = cost.expect("a plan").upper_bound;
    let mut searches = Vec::new();
    for (threads, heuristic) in [(1, "best"), (2, "best"), (1, "none")] {
        let path = folder.path().join("cube.tws");
        fs::write(&path, &text).expect("a file");
        let settings = Settings::default().heuristic(heuristic).memory(2 << 30);
        let puzzle = configure(path.to_str().expect("a path"), &settings).expect("a puzzle");
        // A search for plans beside the proof may end it before it opens a bound.
        let request = Request::default().threads(threads).aim(Aim::OptimalOnly);
        let request = if heuristic == "none" {
            request.limits(Limits { bound: Some(3), ..Limits::default() })
        } else {
            request
        };
        let identity = run_identity(&*puzzle, &settings, state, &request).expect("a state");
        let journal = RunJournal::new(None, identity, Identity::new(), Share::ALL);
        let answer = puzzle.solve(state, &request.keeper(&journal)).expect("an answer");
        assert_eq!(journal.fault(), None);
        let record = journal.record().expect("a search");
        for (bound, iteration) in record.bounds.iter().zip(&answer.iterations) {
            assert_eq!((bound.bound, bound.is_complete()), (iteration.bound, iteration.complete));
            if iteration.complete {
                assert_eq!(bound.counts(), (iteration.generated, iteration.expanded));
            }
        }
        // The states near the goal leave few nodes to search.
        let least = if heuristic == "best" { 0 } else { 2000 };
        assert!(record.bounds.iter().any(|bound| bound.units.len() >= least), "{heuristic}");
        if heuristic == "best" {
            assert_eq!(answer.upper_bound, cost);
            let complete = answer.iterations.into_iter().filter(|one| one.complete);
            searches.push(complete.collect::<Vec<_>>());
        }
    }
    assert_eq!(searches[0], searches[1]);
}

/// Ignored pieces, several goals, rules and costs.
#[test]
fn large_states_keep_rules_and_goals() {
    let folder = tempfile::tempdir().expect("a folder");
    let ring = "Set A 5 3\nSolved\nA\n1 1 2 3 4\n0 0 ? 1 0\nEnd\nMove T\nA\n2 3 4 5 1\n1 0 2 0 0\n\
                End\nMove S\nA\n2 1 3 4 5\nEnd\nMove Q\nA\n1 2 4 3 5\n0 0 1 1 0\nEnd\n";
    for rule in [
        "",
        "Ignore\nA\n0 0 0 0 0\n1 1 1 1 1\nEnd\n",
        "Goal\nA\n2 1 1 3 4\n? 0 0 0 0\nEnd\n",
        "Illegal A 2 3 4\n",
        "ForbiddenPairs\nT S\nT2 S\nEnd\nMoveLimits\nS 2\nEnd\n",
        "MoveCost T 3\nMoveCost Q 2\n",
        "Block\nA\n3 4\nEnd\n",
    ] {
        let text = format!("{ring}{rule}");
        let small = puzzle_of(folder.path(), "small.tws", &text);
        let large = puzzle_of(folder.path(), "large.tws", &padded(&text));
        if !rule.contains("Cost") && !rule.contains("Limits") && !rule.contains("Ignore") {
            assert_eq!(layers(&*small), layers(&*large), "{rule}");
        }
        for state in ["solved", "T", "S T", "T2 S", "Q T S T'", "T' Q T2 S Q"] {
            if small.read(state).is_ok() {
                assert_eq!(solve(&*small, state), solve(&*large, state), "{rule}: {state}");
            } else {
                assert!(large.read(state).is_err(), "{rule}: {state}");
            }
        }
    }
}

/// Layers and blocks of layers of cubes of 7 to 20 layers.
#[test]
fn cubes_of_many_layers_are_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    for (n, wide) in [(7, false), (7, true), (11, true), (20, false), (20, true)] {
        let moves = slices(n, wide);
        let puzzle = puzzle_of(folder.path(), "cube.tws", &cube(n, &moves));
        let operators = 3 * moves.len() as u128;
        let (states, sequences) = counts(&*puzzle, 2);
        // A layer commutes with the layers of its axis. Two turns of a block are one.
        let (all, axis) = (operators, operators / 3);
        let second = all * (all - axis) + 3 * (axis * (axis - 3) / 2);
        assert_eq!(states, [1, all, second], "{n}");
        assert_eq!(sequences, states, "{n}");
        let state = format!("1R 2Fb {}U2 1F'", n / 2);
        assert_eq!(solve(&*puzzle, &state).1, Some(4), "{n}");
        assert_eq!(
            puzzle.check_plan(&state, "1F 3U").map(|replay| replay.fault.is_some()),
            Ok(true)
        );
        let scrambler = puzzle.scrambler().expect("it scrambles");
        let state = scrambler.scrambles(1).next().expect("a state");
        assert!(puzzle.read(&state).is_ok(), "{n}");
        assert_eq!(scrambler.scrambles(1).next(), Some(state));
    }
}

/// A random state of 32 boards of 16 pieces, whose rows and columns turn, has a plan.
#[test]
fn a_puzzle_of_many_pieces_has_a_plan() {
    let mut text = "Name boards\n".to_owned();
    for board in 0..32 {
        let _ = writeln!(text, "Set B{board} 16 1");
    }
    text += "Solved\nEnd\n";
    for board in 0..32 {
        for line in 0..4 {
            for (name, first, step) in [("R", 4 * line, 1), ("C", line, 4)] {
                let comes = (0..16).map(|at| match at % 4 == line {
                    true if step == 4 => (at + 4) % 16,
                    _ if step == 1 && at / 4 == line => first + (at + 1) % 4,
                    _ => at,
                });
                let comes = words(comes.map(|at| at + 1));
                let _ = writeln!(text, "Move {name}{line}_{board}\nB{board}\n{comes}\nEnd");
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("boards.tws");
    fs::write(&path, &text).expect("a file");
    // Words for all pieces do not fit.
    let settings = Settings::default().memory(72 << 20);
    let puzzle = configure(path.to_str().expect("a path"), &settings).expect("a puzzle");
    let state = puzzle.scrambler().expect("it scrambles").scrambles(1).next().expect("a state");
    let request = Request::default().aim(Aim::NearOptimal);
    let answer = puzzle.solve(&state, &request).expect("an answer");
    assert_eq!((answer.ending, answer.by.as_deref()), (Ending::Solved, Some("cycles")));
    let solved = puzzle.solve("solved", &request).expect("an answer");
    assert_eq!((solved.ending, solved.upper_bound), (Ending::Solved, Some(0)));
    let replay = puzzle.check_plan(&state, &answer.plans[0].join(" ")).expect("a plan");
    assert_eq!((replay.fault, replay.cost), (None, answer.costs[0]));
}

/// Sets of more than 256 pieces, orientations above 128, more than a thousand operators.
#[test]
fn sets_of_any_size_are_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let ring = |n: usize| {
        let turn = words((2..=n).chain([1]));
        let swap = words([2, 1].into_iter().chain(3..=n));
        format!("Set A {n} 1\nSolved\nEnd\nMove T\nA\n{turn}\nEnd\nMove S\nA\n{swap}\nEnd\n")
    };
    for n in [300, 400] {
        let puzzle = puzzle_of(folder.path(), "ring.tws", &ring(n));
        let (states, sequences) = counts(&*puzzle, 2);
        let turns = n as u128 - 1;
        assert_eq!(states, [1, turns + 1, 2 * turns]);
        assert_eq!(sequences, states);
        assert_eq!(solve(&*puzzle, "T5 S T7 S").1, Some(4));
    }
    let dials = "Set D 3 255\nSolved\nEnd\nMove A\nD\n1 2 3\n1 1 0\nEnd\nMove B\nD\n1 2 3\n0 1 1\n\
                 End\nMove C\nD\n2 3 1\nEnd\n";
    let puzzle = puzzle_of(folder.path(), "dials.tws", dials);
    assert_eq!(counts(&*puzzle, 1).0, [1, 2 * 254 + 2]);
    assert_eq!(solve(&*puzzle, "A200 B77 C").1, Some(3));
    // A ring of more operators than any state has room for is refused in words.
    let path = folder.path().join("ring.tws");
    fs::write(&path, ring(6000)).expect("a file");
    let error = configure(path.to_str().expect("a path"), &Settings::default()).err();
    assert!(error.expect("too many").to_string().contains("6000 operators"));
}

/// For puzzles without a group, parities and sums of turns refuse most states that moves do not
/// reach. They refuse no state that moves reach.
#[test]
fn states_that_invariants_exclude_are_refused() {
    for name in ["4x4x4", "5x5x5", "square-1", "hungarian-rings", "pyramorphix"] {
        let puzzle = configure(name, &Settings::default()).expect("shipped");
        let scrambler = puzzle.scrambler().expect("it scrambles");
        for state in scrambler.scrambles(3).take(20) {
            puzzle.read(&state).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    // Two rings of four: no move takes a piece from one to the other. Pieces turn in pairs.
    let rings = "Set A 8 3\nSolved\nA\n1 1 2 3 4 5 6 7\nEnd\n\
                 Move R\nA\n2 3 4 1 5 6 7 8\n1 2 0 0 0 0 0 0\nEnd\n\
                 Move S\nA\n1 2 3 4 6 7 8 5\nEnd\nMove T\nA\n1 2 3 4 6 7 5 8\nEnd\n";
    for text in [rings.to_owned(), padded(rings)] {
        let puzzle = puzzle_of(folder.path(), "rings.tws", &text);
        let definition =
            permutation::Definition::from_tws(&text, &permutation::ReadLimits::default());
        let definition = definition.expect("a definition");
        let mut state = definition.start().clone();
        let mut read = |pieces: &[u16], turns: &[u8]| {
            let rows = (0..definition.orbits().len()).map(|orbit| permutation::OrbitState {
                pieces: if orbit == 0 { pieces } else { state.pieces(orbit) }.to_vec(),
                orientation: if orbit == 0 { turns } else { state.orientation(orbit) }.to_vec(),
                modulus: state.modulus(orbit).to_vec(),
            });
            let rows = rows.collect();
            state = permutation::PuzzleState::new(definition.orbits(), rows).expect("a state");
            let text = definition.compact(&state).expect("the same pieces");
            puzzle.read(&format!("CPOS {text}")).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(read(&[0, 1, 2, 0, 3, 4, 5, 6], &[0; 8]), Ok(()));
        let place = read(&[0, 0, 1, 3, 2, 4, 5, 6], &[0; 8]).unwrap_err();
        assert!(place.contains("no move connects"), "{place}");
        let turned = read(&[0, 0, 1, 2, 3, 4, 5, 6], &[1, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
        assert!(turned.contains("sum of their turns"), "{turned}");
    }
}
