//! The shipped puzzles can be read and converted. Their laws, orders, distributions and impossible
//! states are those of `puzzles/index.json`.

use fewest_permutation::{
    Definition, GeneralPuzzle, GroupElement, GroupPuzzle, MoveMetric, NotAGroup, OrbitState,
    PuzzleSize, PuzzleState, ReadLimits, TextFormat, shipped,
};
use groups::StabilizerChain;
use search::random::Random;
use search::stored::layer_counts;
use search::{Domain, OpSet, Options, Symmetric, testing};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Most states of a layer that is counted here. Larger layers need a search by rank.
const MOST: u64 = 60_000;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("puzzles")
}

fn index() -> Vec<Value> {
    let text = fs::read_to_string(folder().join("index.json")).expect("the index");
    let index: Value = serde_json::from_str(&text).expect("JSON");
    index["puzzles"].as_array().expect("puzzles").clone()
}

fn read(entry: &Value) -> Definition {
    let file = entry["file"].as_str().expect("a name");
    let source = fs::File::open(folder().join(file)).expect(file);
    let read = Definition::read(source, TextFormat::Tws, &ReadLimits::default());
    read.unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn metric(name: &Value) -> MoveMetric {
    if name == "qtm" { MoveMetric::Quarter } else { MoveMetric::Turn }
}

/// The crate contains each file of the folder, and no other definition.
#[test]
fn every_file_is_shipped() {
    let mut files = Vec::new();
    for file in fs::read_dir(folder()).expect("the folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "tws") {
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
            let text = fs::read_to_string(&path).expect("the file");
            assert_eq!(shipped::text(&name), Some(text.as_str()), "{name}");
            files.push(name);
        }
    }
    files.sort();
    assert!(shipped::names().eq(files.iter().map(String::as_str)));
    let text = fs::read_to_string(folder().join("index.json")).expect("the index");
    let index: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(index["puzzles"].as_array().map(Vec::len), Some(files.len()));
    assert_eq!(shipped::text("no such puzzle"), None);
}

/// Some random states, and the start state.
fn states<D: Domain>(domain: &D, start: &D::State, seed: u64) -> Vec<D::State> {
    let mut random = Random::new(seed);
    let mut states = vec![start.clone()];
    for _ in 0..40 {
        let from = states.last().expect("the start").clone();
        let applicable: Vec<_> = domain.applicable(&from).members().collect();
        let choice = random.below(applicable.len() as u64);
        let mut to = from.clone();
        domain.apply_into(&from, applicable[usize::try_from(choice).expect("few")], &mut to);
        states.push(to);
    }
    states
}

/// Three of the states, because a check of a law walks some hundred states from each.
fn starts<S: Clone>(states: &[S]) -> Vec<S> {
    states.iter().step_by(20).cloned().collect()
}

/// Checks that the domain does what the definition says, and obeys the laws of domains.
fn check_plain<const N: usize, O: OpSet>(
    entry: &Value,
    definition: &Definition,
    metric: MoveMetric,
) {
    let file = &entry["file"];
    let operators = definition.operators(metric).expect("operators");
    let puzzle = GeneralPuzzle::<N, O>::new(definition.clone(), operators.clone()).expect("small");
    let start = puzzle.state(definition.start());
    assert!(puzzle.is_goal(&start), "{file}");
    let states = states(&puzzle, &start, 3);
    let few = starts(&states);
    testing::check_domain(&puzzle, &few).unwrap_or_else(|error| panic!("{file}: {error}"));
    testing::check_packed(&puzzle, &few).unwrap_or_else(|error| panic!("{file}: {error}"));
    for state in &states {
        let pattern = puzzle.pattern(state);
        assert_eq!(puzzle.state(&pattern), *state, "{file}");
        assert_eq!(puzzle.is_goal(state), definition.is_goal(&pattern), "{file}");
        let mut to = *state;
        for (op, operator) in (0..).map(search::Op).zip(&operators.list) {
            let allowed = puzzle.applicable(state).contains(op);
            match definition.after(&pattern, operator.turn) {
                Ok(after) => {
                    puzzle.apply_into(state, op, &mut to);
                    assert!(allowed && puzzle.pattern(&to) == after, "{file}, {}", operator.name);
                }
                Err(_) => assert!(!allowed, "{file}, {}", operator.name),
            }
        }
    }
    if entry["illegal_states"] == false {
        check_group::<N, O>(entry, definition, metric);
    }
    for known in entry["distributions"].as_array().expect("distributions") {
        if self::metric(&known["metric"]) == metric {
            let counts = known["counts"].as_array().expect("counts").iter().map(Value::as_u64);
            let counts: Vec<u64> = counts.map(|count| count.expect("a number")).collect();
            let mut all = 0;
            let small = counts.iter().take_while(|&&count| {
                all += count;
                all <= MOST
            });
            let depth = small.count() - 1;
            let found = layer_counts(&puzzle, &start, depth, &Options::default()).expect("memory");
            assert_eq!(found, counts[..=depth], "{file}");
        }
    }
}

/// Checks that the group does what the definition says, obeys its laws, and has the known order.
fn check_group<const N: usize, O: OpSet>(
    entry: &Value,
    definition: &Definition,
    metric: MoveMetric,
) {
    let file = &entry["file"];
    let operators = definition.operators(metric).expect("operators");
    let group = match GroupPuzzle::<N, O>::new(definition, operators.clone()) {
        Ok(group) => group,
        Err(error) => {
            let alike = entry["identical_pieces"] == true && error == NotAGroup::Alike;
            assert!(alike, "{file}: {error}");
            return;
        }
    };
    assert_eq!(entry["identical_pieces"], false, "{file}");
    let identity = group.element(definition.start()).expect("the start");
    assert!(group.is_goal(&identity), "{file}");
    let states = states(&group, &identity, 4);
    let lawful = |result: Result<(), testing::LawError>| {
        result.unwrap_or_else(|error| panic!("{file}: {error}"));
    };
    let few = starts(&states);
    lawful(testing::check_domain(&group, &few));
    lawful(testing::check_reversible(&group, &few));
    lawful(testing::check_group(&group, &few));
    lawful(testing::check_permutation_group(&group, &few));
    lawful(testing::check_packed(&group, &few));
    let keys: Vec<_> = states.iter().map(|state| search::Packed::pack(&group, state)).collect();
    lawful(testing::check_flat_keys(&keys));
    lawful(testing::check_parity(&group, &few));
    lawful(testing::check_symmetric(&group, &few));
    let isometries = ["rotations", "reflections"].map(|kind| entry["isometries"][kind].as_u64());
    let isometries = isometries.into_iter().flatten().sum::<u64>();
    let symmetries = group.symmetries() as u64;
    assert!(isometries == 0 || symmetries == isometries, "{file}: {symmetries} symmetries");
    let puzzle = GeneralPuzzle::<N, O>::new(definition.clone(), operators).expect("small");
    let mut pattern = puzzle.state(definition.start());
    let (mut element, mut next, mut after) = (identity, identity, pattern);
    let mut random = Random::new(5);
    for _ in 0..50 {
        let op =
            search::Op::new(usize::try_from(random.below(group.operators() as u64)).expect("few"));
        group.apply_into(&element, op, &mut next);
        puzzle.apply_into(&pattern, op, &mut after);
        (element, pattern) = (next, after);
        let state = puzzle.pattern(&pattern);
        assert_eq!(group.element(&state), Some(element), "{file}");
        let contents = element.contents(group.group().slots());
        assert_eq!(GroupElement::of(&contents), element, "{file}");
        assert_eq!(group.group().pattern_of(definition, &contents), Ok(state), "{file}");
        let permutation = group.group().permutation(&contents).expect("a permutation");
        assert_eq!(group.group().element_of(&permutation), Some(contents), "{file}");
    }
    let group = group.group();
    let generators = group.generators().expect("permutations");
    let chain = StabilizerChain::new(group.points(), &generators, &[]).expect("a chain");
    assert_eq!(chain.order().to_string(), entry["group_order"].to_string(), "{file}");
    let element = element.contents(group.slots());
    assert!(chain.contains(&group.permutation(&element).expect("a permutation")), "{file}");
    if let Some(impossible) = impossible(entry, definition) {
        let element = group.element(&impossible).expect("the same pieces");
        let permutation = group.permutation(&element).expect("a permutation");
        assert!(!chain.contains(&permutation), "{file}: an impossible state");
    }
}

/// The state that the index names as unreachable. `None` if it names none.
fn impossible(entry: &Value, definition: &Definition) -> Option<PuzzleState> {
    let orbits = definition.orbits();
    let start = definition.start();
    let mut rows: Vec<OrbitState> = (0..orbits.len())
        .map(|orbit| OrbitState {
            pieces: start.pieces(orbit).to_vec(),
            orientation: start.orientation(orbit).to_vec(),
            modulus: start.modulus(orbit).to_vec(),
        })
        .collect();
    for set in entry["impossible_state"].as_array()? {
        let orbit = orbits.find(set["set"].as_str().expect("a set")).expect("of the puzzle");
        let numbers = |key: &str| {
            let list = set[key].as_array().expect("numbers").iter();
            list.map(|number| u16::try_from(number.as_u64().expect("a number")).expect("small"))
                .collect::<Vec<_>>()
        };
        rows[orbit].pieces = numbers("pieces");
        rows[orbit].orientation = numbers("orientation")
            .into_iter()
            .map(|turn| turn.try_into().expect("small"))
            .collect();
    }
    Some(PuzzleState::new(orbits, rows).expect("a state"))
}

#[test]
fn every_puzzle_is_what_the_index_says() {
    for entry in &index() {
        let definition = read(entry);
        let there = Definition::from_kpuzzle(&definition.to_kpuzzle(), &ReadLimits::default());
        assert_eq!(there.as_ref(), Ok(&definition), "{}", entry["file"]);
        assert_eq!(Definition::from_tws(&definition.to_tws(), &ReadLimits::default()), there);
        for metric in [MoveMetric::Turn, MoveMetric::Quarter] {
            let size =
                PuzzleSize::of(&definition, &definition.operators(metric).expect("operators"));
            match size {
                PuzzleSize { slots: 0..=32, operators: 0..=32, .. } => {
                    check_plain::<32, u32>(entry, &definition, metric);
                }
                PuzzleSize { slots: 0..=64, operators: 0..=64, .. } => {
                    check_plain::<64, u64>(entry, &definition, metric);
                }
                _ => check_plain::<256, [u64; 8]>(entry, &definition, metric),
            }
        }
    }
}
