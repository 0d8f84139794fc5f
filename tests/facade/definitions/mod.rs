//! Puzzles from definition files. They are solved, refused and counted as `puzzles/index.json`
//! says.

mod bounds;
mod costs;
mod farthest;
mod goals;
mod held;
mod kept_plans;
mod large;
mod oracle;
mod quotients;
mod random;
mod resumed;
mod rules;
mod saved_words;
mod unknown_turns;
mod unproven;

use crate::definition;
use fewest::{Ending, Failure, Puzzle, Request, Settings, configure};
use permutation::{Definition, GroupPuzzle, MoveMetric, ReadLimits, TextFormat};
use search::random::Random;
use search::{Op, Symmetric};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;

fn index() -> Vec<Value> {
    let text = fs::read_to_string(definition("index.json")).expect("the index");
    let index: Value = serde_json::from_str(&text).expect("JSON");
    index["puzzles"].as_array().expect("puzzles").clone()
}

fn puzzle(file: &str, metric: &str, memory: u64) -> Box<dyn Puzzle> {
    let metric = metric.parse().expect("a metric");
    let settings = Settings::default().metric(metric).memory(memory);
    crate::configured(&definition(file), &settings)
}

fn layers(puzzle: &dyn Puzzle) -> Vec<u64> {
    let mut layers = Vec::new();
    let request = Request::default();
    let mut tell = |_, count: u128| layers.push(u64::try_from(count).expect("small"));
    puzzle.exhaustive().expect("few states").count_all(0, &request, &mut tell).expect("memory");
    layers
}

/// A complete distribution in the index.
struct Whole {
    file: String,
    metric: String,
    counts: Vec<u64>,
}

impl Whole {
    fn states(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn text(&self) -> String {
        fs::read_to_string(definition(&self.file)).expect("a definition")
    }

    fn oracle(&self) -> oracle::Oracle {
        let metric = if self.metric == "htm" { MoveMetric::Turn } else { MoveMetric::Quarter };
        oracle::Oracle::new(&self.text(), metric)
    }
}

/// The complete distributions in the index of puzzles with this many states.
fn whole_distributions(sizes: RangeInclusive<u64>) -> Vec<Whole> {
    let mut all = Vec::new();
    for entry in &index() {
        for known in entry["distributions"].as_array().expect("distributions") {
            let counts = known["counts"].as_array().expect("counts").iter();
            let counts = counts.map(|count| count.as_u64().expect("a number")).collect();
            let file = entry["file"].as_str().expect("a name").to_owned();
            let metric = known["metric"].as_str().expect("a metric").to_owned();
            let whole = Whole { file, metric, counts };
            if known["complete"] == true && sizes.contains(&whole.states()) {
                all.push(whole);
            }
        }
    }
    all
}

/// Compares the complete distributions in the index with those counted here, for puzzles with this
/// many states. Returns the number of such puzzles.
fn compare_whole_distributions(sizes: RangeInclusive<u64>) -> usize {
    let all = whole_distributions(sizes);
    for Whole { file, metric, counts } in &all {
        assert_eq!(layers(&*puzzle(file, metric, 1 << 30)), *counts, "{file}, {metric}");
    }
    all.len()
}

/// Most states of a puzzle whose complete distribution is counted fast.
const FAST: u64 = 4_000_000;

#[test]
fn whole_distributions_are_those_of_the_index() {
    let compared = compare_whole_distributions(0..=FAST);
    assert!(compared > 30, "{compared}");
}

#[test]
#[ignore = "slow: 1,106,668,800 states, 1 min"]
fn large_whole_distributions_are_those_of_the_index() {
    let compared = compare_whole_distributions(FAST + 1..=u64::MAX);
    assert!(compared >= 9, "{compared}");
}

/// The text of a definition means the same as its file. Errors in it have no file name.
#[test]
fn a_text_is_a_definition() {
    let path = definition("pancake-6.tws");
    let text = fs::read_to_string(&path).expect("a file");
    let json = {
        let read = Definition::from_tws(&text, &ReadLimits::default()).expect("a definition");
        read.to_kpuzzle() + "\n"
    };
    let of_file = layers(&*puzzle("pancake-6.tws", "htm", 1 << 30));
    for text in [&text, &json] {
        let puzzle = configure(text, &Settings::default()).expect("a definition");
        assert_eq!((puzzle.info().name.as_str(), layers(&*puzzle)), ("pancake-6", of_file.clone()));
    }
    let error = configure("Name x\nSets A 3 1\n", &Settings::default()).err().expect("no word");
    assert!(error.to_string().starts_with("definition, line 2, column 1: "), "{error}");
}

/// Random states are solved with tables of the whole group and with tables of a few pieces. The
/// lengths are the same.
#[test]
fn random_states_have_one_length_with_large_and_small_tables() {
    for (file, metric) in [
        ("2x2x2.tws", "htm"),
        ("2x2x2.tws", "qtm"),
        ("pyraminx.tws", "htm"),
        ("skewb.tws", "htm"),
        ("m12.tws", "htm"),
        ("pancake-8.tws", "htm"),
        ("top-spin-8-4.tws", "qtm"),
        ("swap-and-turn-8.tws", "qtm"),
    ] {
        let [large, small] = [1 << 26, 2000].map(|memory| puzzle(file, metric, memory));
        for state in large.scrambler().expect("random states").scrambles(7).take(5) {
            let lengths = [&large, &small].map(|puzzle| {
                let answer = puzzle.solve(&state, &Request::default()).expect("a state");
                assert_eq!((answer.ending, answer.optimal), (Ending::Solved, true), "{file}");
                let plan = answer.plans[0].join(" ");
                assert_eq!(puzzle.check_plan(&state, &plan).expect("a plan").fault, None);
                assert_eq!(answer.plans[0].len(), usize::from(answer.lower_bound));
                answer.lower_bound
            });
            assert_eq!(lengths[0], lengths[1], "{file}, {metric}: {state}");
        }
    }
}

#[test]
fn a_half_turn_and_a_quarter_turn_are_three_quarter_turns() {
    let cube = puzzle("2x2x2.tws", "qtm", 1 << 26);
    let answer = cube.solve("R2 U", &Request::default()).expect("a state");
    assert_eq!(answer.plans[0].len(), 3);
}

#[test]
fn states_that_moves_do_not_lead_to_are_refused() {
    let cube = puzzle("2x2x2.tws", "htm", 1 << 26);
    let twisted = cube.solve("CPOS 1369CFIL", &Request::default());
    let Err(Failure::Refused(refused)) = twisted else { panic!("{twisted:?}") };
    assert!(refused.to_string().contains("no sequence of moves"), "{refused}");
    assert!(matches!(cube.solve("R Q", &Request::default()), Err(Failure::Refused(_))));
}

/// For fifty cubes near the goal, the cube from its file finds the same lengths as the built-in
/// cube.
#[test]
fn fifty_cubes_have_the_lengths_of_the_cube_by_hand() {
    let mut random = Random::new(50);
    let from_file = puzzle("3x3x3.tws", "htm", 8 << 20);
    let tables = crate::tables();
    let settings = Settings::default().memory(8 << 20).tables(tables);
    let by_hand = configure("3x3x3", &settings).expect("the cube");
    let (mut longest, mut table_bytes) = (0, 0);
    for _ in 0..50 {
        let mut pick = |texts: &[&'static str]| {
            texts[usize::try_from(random.below(texts.len() as u64)).expect("small")]
        };
        let turns: Vec<String> = (0..11)
            .map(|_| format!("{}{}", pick(&["U", "R", "F", "D", "L", "B"]), pick(&["", "2", "'"])))
            .collect();
        let state = turns.join(" ");
        let answers = [&from_file, &by_hand].map(|puzzle| {
            let answer = puzzle.solve(&state, &Request::default()).expect("a state");
            assert_eq!((answer.ending, answer.optimal), (Ending::Solved, true), "{state}");
            answer
        });
        assert_eq!(answers[0].plans[0].len(), answers[1].plans[0].len(), "{state}");
        longest = longest.max(answers[0].plans[0].len());
        table_bytes = answers[0].table_bytes;
    }
    assert!(longest > 9, "{longest}");
    // The table is about as large as the built-in one, with the data that finds its entries.
    assert!((4_500_000..6_000_000).contains(&table_bytes), "{table_bytes}");
}

/// The symmetries that are derived from the cube's file rename its turns in the same way as
/// rotations and reflections do.
#[test]
fn the_symmetries_of_the_cube_from_its_file_are_those_of_a_cube() {
    for (metric, by_hand) in [
        (MoveMetric::Turn, cube::CubeMetric::HalfTurn),
        (MoveMetric::Quarter, cube::CubeMetric::QuarterTurn),
    ] {
        let source = fs::File::open(definition("3x3x3.tws")).expect("the cube");
        let read = Definition::read(source, TextFormat::Tws, &ReadLimits::default());
        let definition = read.expect("a definition");
        let operators = definition.operators(metric).expect("operators");
        let names: Vec<String> = operators.list.iter().map(|op| op.name.clone()).collect();
        let from_file = GroupPuzzle::<32, u32>::new(&definition, operators).expect("a group");
        let cube = cube::Cube3::new(by_hand);
        let hand_names: Vec<String> = (0..names.len()).map(|op| cube.name(Op::new(op))).collect();
        let found = relabellings(&from_file, &names);
        assert_eq!((found.len(), &found), (48, &relabellings(&cube, &hand_names)));
    }
}

/// For each symmetry: the name that each operator's name becomes.
fn relabellings<D: Symmetric>(domain: &D, names: &[String]) -> BTreeSet<Vec<(String, String)>> {
    let relabelled = |symmetry: usize| {
        let image = |op: usize| names[domain.relabel(symmetry, Op::new(op)).index()].clone();
        let mut pairs: Vec<_> = (0..names.len()).map(|op| (names[op].clone(), image(op))).collect();
        pairs.sort();
        pairs
    };
    (0..domain.symmetries()).map(relabelled).collect()
}

/// Larger tables have a higher worth, and the largest that fits in the memory is taken.
#[test]
fn derived_tables_are_explained() {
    let explained = |memory| {
        let cube = puzzle("3x3x3.tws", "htm", memory);
        cube.tables().expect("tables").explain(&Request::default()).expect("derived")
    };
    let tables = explained(1 << 30);
    assert!(tables.is_sorted_by(|a, b| a.bytes <= b.bytes && a.worth < b.worth));
    let taken: Vec<_> = tables.iter().filter(|one| one.in_use).collect();
    let states: Vec<u64> = taken.iter().map(|one| one.states).collect();
    assert_eq!(states, [495 * 256 * 2187, 495 * 2048 * 2187, 495 * 256 * 2187 * 70]);
    assert!(taken.iter().all(|one| (one.symmetries, one.views) == (16, 3)));
    assert!(taken.iter().map(|one| one.bytes).sum::<u64>() <= 1 << 30);
    // If a table of all states fits, it is the only one.
    let small = puzzle("2x2x2.tws", "htm", 1 << 30);
    let whole = small.tables().expect("tables").explain(&Request::default()).expect("a group");
    assert_eq!((whole.len(), whole[0].in_use, whole[0].states), (1, true, 3_674_160));
}

/// The cube from its file has the same operators, costs and distances as the built-in cube.
#[test]
fn the_cube_from_its_file_is_the_cube() {
    let from_file = puzzle("3x3x3.tws", "htm", 1 << 20);
    let facts = from_file.read("R U F'").expect("a state").facts;
    assert!(facts.contains(&("states", "43252003274489856000".to_owned())), "{facts:?}");
    let by_hand = configure("3x3x3", &Settings::default()).expect("the cube");
    for metric in ["htm", "qtm"] {
        let from_file = puzzle("3x3x3.tws", metric, 1 << 20);
        let settings = Settings::default().metric(metric.parse().expect("a metric"));
        let by_hand = configure("3x3x3", &settings).expect("the cube");
        let sequences = |puzzle: &dyn Puzzle| {
            puzzle.counting().expect("counts").count_sequences(9, &Request::default())
        };
        assert_eq!(sequences(&*from_file).expect("counts"), sequences(&*by_hand).expect("counts"));
        for depth in [2, 3] {
            let learn = |puzzle: &dyn Puzzle| {
                puzzle.learning().expect("strings").learn(depth, false, &Request::default())
            };
            let [file, hand] = [&from_file, &by_hand].map(|p| learn(&**p).expect("learned").0);
            assert_eq!((file.strings, file.states), (hand.strings, hand.states));
            assert_eq!(file.minimized_states, hand.minimized_states);
        }
    }
    for state in ["R U2 F' L D", "U D' R2 F B", "R U R' U' R U R' U'"] {
        let [file, hand] = [&from_file, &by_hand]
            .map(|puzzle| puzzle.solve(state, &Request::default()).expect("a state").lower_bound);
        assert_eq!(file, hand, "{state}");
    }
}

/// The cube from its file predicts the same nodes as the built-in cube, whose table has the same
/// cosets.
#[test]
fn predictions_are_those_of_the_hand_written_cube() {
    let memory = 6 << 20;
    let tables = crate::tables();
    let settings = Settings::default().memory(12 << 20).tables(tables);
    let by_hand = configure("3x3x3", &settings).expect("the cube");
    let request = Request::default();
    let by_hand = by_hand.predicting().expect("nodes").predict(14, &request).expect("sequences");
    let from_file = puzzle("3x3x3.tws", "htm", memory)
        .predicting()
        .expect("nodes")
        .predict(14, &request)
        .expect("sequences");
    assert_eq!(from_file.generated.len(), 14);
    assert_eq!((from_file.tables.len(), by_hand.tables.len()), (1, 1));
    let both = from_file.tables[0].generated.iter().zip(&by_hand.tables[0].generated);
    let many: Vec<_> = both.filter(|(a, b)| a.max(**b) >= 100.0).collect();
    assert!(many.len() >= 3, "{by_hand:?}");
    for (a, b) in many {
        // Both figures are means of small samples.
        assert!((a / b - 1.0).abs() < 0.35, "{a} and {b}");
    }
    // Prediction with a table of all states, and without a group.
    let small = puzzle("2x2x2.tws", "htm", 1 << 26)
        .predicting()
        .expect("nodes")
        .predict(9, &request)
        .expect("sequences");
    assert!(small.tables.is_empty() && small.generated.is_sorted(), "{small:?}");
    let refused =
        |puzzle: &dyn Puzzle| match puzzle.predicting().expect("nodes").predict(3, &request) {
            Err(Failure::Refused(refused)) => refused.to_string(),
            other => panic!("{other:?}"),
        };
    let plain = refused(&*puzzle("square-1.tws", "htm", 1 << 26));
    assert!(plain.contains("no group"), "{plain}");
    // The formula counts moves.
    let text = fs::read_to_string(definition("2x2x2.tws")).expect("a definition");
    let own = tempfile::tempdir().expect("a folder");
    let path = own.path().join("dear.tws");
    fs::write(&path, format!("{text}\nMoveCost U 3\n")).expect("a file");
    let dear = configure(path.to_str().expect("a path"), &Settings::default()).expect("a puzzle");
    assert!(refused(&*dear).contains("cost"), "{}", refused(&*dear));
}
