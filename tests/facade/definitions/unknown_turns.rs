//! Definitions whose goals do not specify all orientations: searches leave these out.

use fewest::{Puzzle, Request, Settings, configure, definition};
use serde_json::{Value, json};

/// The 2x2x2 with a centre on each of the faces that turn. Goals specify the centres' turns modulo
/// `modulus`: 1 specifies nothing, 4 everything.
fn with_centres(modulus: u64) -> (tempfile::TempDir, String) {
    let plain = definition(&crate::definition("2x2x2.tws")).expect("known").expect("read");
    let (text, _) = plain.written(fewest::TextForm::Json);
    let mut puzzle: Value = serde_json::from_str(&text).expect("JSON");
    let orbits = puzzle["orbits"].as_array_mut().expect("orbits");
    orbits.push(json!({"orbitName": "CENTRES", "numPieces": 3, "numOrientations": 4}));
    puzzle["defaultPattern"]["CENTRES"] = json!({
        "pieces": [0, 1, 2], "orientation": [0, 0, 0], "orientationMod": vec![modulus; 3],
    });
    for (at, name) in ["U", "R", "F"].into_iter().enumerate() {
        let mut turns = [0; 3];
        turns[at] = 1;
        puzzle["moves"][name]["CENTRES"] =
            json!({"permutation": [0, 1, 2], "orientationDelta": turns});
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("centres.json");
    std::fs::write(&path, puzzle.to_string()).expect("written");
    let path = path.to_str().expect("a path").to_owned();
    (folder, path)
}

fn configured(name: &str) -> Box<dyn Puzzle> {
    configure(name, &Settings::default()).expect("a puzzle")
}

#[test]
fn orientations_that_no_goal_knows_are_not_searched() {
    let plain = configured(&crate::definition("2x2x2.tws"));
    let (_folder, path) = with_centres(1);
    let centres = configured(&path);
    let (_folder, even_path) = with_centres(2);
    let even = configured(&even_path);
    let states = |puzzle: &dyn Puzzle| {
        let facts = puzzle.read("U").expect("a state").facts;
        facts.into_iter().find(|(name, _)| *name == "states").expect("a group").1
    };
    assert_eq!((&*states(&*plain), &*states(&*centres)), ("3674160", "3674160"));
    // The parity of the corners decides whether the sum of the three centres' turns is even. So
    // modulo 2, they have four combinations of eight.
    assert_eq!(states(&*even), (3_674_160_u64 * 4).to_string());
    for state in ["U R F'", "R2 U F R' U2 F2 R", "F U' R F2 U R' F' U2 R2"] {
        let solved =
            |puzzle: &dyn Puzzle| puzzle.solve(state, &Request::default()).expect("solved");
        let (one, other) = (solved(&*plain), solved(&*centres));
        assert_eq!(
            (one.plans[0].len(), one.generated()),
            (other.plans[0].len(), other.generated())
        );
        // A plan for the centres is one for the corners.
        let more = solved(&*even);
        assert!(more.plans[0].len() >= one.plans[0].len(), "{state}: {:?}", more.plans);
        let plan = more.plans[0].join(" ");
        assert_eq!(even.check_plan(state, &plan).expect("a plan").fault, None);
    }
    assert_eq!(even.solve("U2", &Request::default()).expect("solved").plans, [["U2"]]);
}

/// States are written as the file has them, whatever is searched.
#[test]
fn states_are_those_of_the_file() {
    for modulus in [1, 2, 4] {
        let (_folder, path) = with_centres(modulus);
        let (puzzle, known) = (configured(&path), definition(&path).expect("known").expect("read"));
        let scrambler = puzzle.scrambler().expect("states");
        for state in scrambler.scrambles(modulus).take(5) {
            let fact = |state: &str| puzzle.read(state).expect("read").facts[0].1.clone();
            assert_eq!(fact(&state), state);
            let converted = known.convert(&state, false, (fewest::TextForm::Json, 1));
            let json = converted.expect("a state").text;
            assert_eq!(fact(&json), state, "{json}");
        }
        let given = Settings::default().goal("R U");
        let other = configure(&path, &given).expect("a goal");
        let plans = other.solve("R", &Request::default()).expect("solved").plans;
        assert_eq!(plans, [["U"]], "modulo {modulus}");
    }
}
