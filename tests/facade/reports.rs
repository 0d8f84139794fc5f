//! Answers as text and as objects, which all programs print.

use fewest::{
    Answer, Event, Puzzle, Request, Settings, answer_object, answer_text, configure, grouped,
};

fn answer(puzzle: &dyn Puzzle, state: &str, request: &Request<'_>) -> Answer {
    puzzle.solve(state, request).expect("an answer")
}

/// The text claims no more than the search proves, and counts costs where moves have some.
#[test]
fn the_text_says_what_is_proven() {
    let cube = configure("3x3x3", &Settings::default().heuristic("manhattan")).expect("a cube");
    let plain = answer(&*cube, "R", &Request::default());
    assert_eq!(answer_text(&plain, "E", 0, false), "R'  (1 move, optimal; E)");
    let long = answer(&*cube, "R", &Request::default().min_length(2));
    assert!(answer_text(&long, "E", 2, false).contains("no shorter one of at least 2; E"));
    assert!(answer_text(&plain, "E", 0, true).contains("1 move, cost 1, optimal"));
}

#[test]
fn several_plans_have_their_lengths() {
    let cube = configure("3x3x3", &Settings::default().heuristic("manhattan")).expect("a cube");
    let several = answer(&*cube, "R", &Request::default().plans(2).slack(1));
    let object = answer_object(cube.info(), "R", &several, true);
    let lengths = object["lengths"].as_array().expect("lengths");
    assert_eq!(lengths.len(), object["plans"].as_array().expect("plans").len());
    let one = answer_object(cube.info(), "R", &answer(&*cube, "R", &Request::default()), false);
    assert!(one.get("plans").is_none() && one["length"] == 1 && one["puzzle"] == "3x3x3");
}

#[test]
fn thousands_are_grouped() {
    assert_eq!(grouped(0_u32), "0");
    assert_eq!(grouped(999_u32), "999");
    assert_eq!(grouped(1_000_u32), "1,000");
    assert_eq!(grouped(246_639_261_965_462_754_048_u128), "246,639,261,965,462,754,048");
}

/// A plan of two operators may cost five.
#[test]
fn an_event_of_a_plan_has_its_cost() {
    let plan = ["A".to_owned(), "B".to_owned()];
    let told = serde_json::to_value(Event::plan(&plan, 5, 3)).expect("JSON");
    assert_eq!((&told["length"], &told["upper_bound"]), (&2.into(), &5.into()));
}
