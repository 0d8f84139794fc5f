//! Plans that begin and end as the caller says.

use fewest::search::Limits;
use fewest::{Aim, Ending, MetricChoice, Puzzle, Request, Settings, configure};

fn request(begins: &str, ends: &str) -> Request<'static> {
    let mut request = Request::default();
    (request.begins, request.ends) = (some(begins), some(ends));
    request
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// The choices of a text. A text that is not given has one: no moves.
fn choices(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).collect()
}

/// Whether no move joins another one, where turns of an axis may change places. A move of a board
/// joins the one that undoes it.
fn is_reduced(words: &[&str]) -> bool {
    let axis = |word: &str| match &word[..1] {
        "U" | "D" | "E" => 0,
        "R" | "L" | "M" => 1,
        "F" | "B" | "S" => 2,
        "u" | "d" => 3,
        _ => 4,
    };
    let joins = |a: &str, b: &str| match axis(a) {
        3 | 4 => axis(a) == axis(b) && a != b,
        _ => a[..1] == b[..1],
    };
    (0..words.len()).all(|at| {
        let run = words[at + 1..].iter().take_while(|word| axis(word) == axis(words[at]));
        run.into_iter().all(|word| !joins(words[at], word))
    })
}

/// All cheapest plans that begin and end so, and in which no moves join, by trying all sequences of
/// moves between: their cost, and the plans.
fn tried(
    puzzle: &dyn Puzzle,
    state: &str,
    moves: &[&str],
    (begins, ends): (&str, &str),
) -> (u64, Vec<String>) {
    let mut middles = vec![Vec::new()];
    let (mut least, mut all) = (u64::MAX, Vec::new());
    for _ in 0..=4 {
        for (middle, begin, end) in middles.iter().flat_map(|middle: &Vec<&str>| {
            let ends = move |begin| choices(ends).into_iter().map(move |end| (middle, begin, end));
            choices(begins).into_iter().flat_map(ends)
        }) {
            let words = [&[begin][..], middle, &[end]].concat().join(" ");
            let words: Vec<&str> = words.split_whitespace().collect();
            if !is_reduced(&words) {
                continue;
            }
            let plan = words.join(" ");
            let replay = puzzle.check_plan(state, &plan).expect("a plan");
            if replay.fault.is_none() && replay.cost <= least {
                if replay.cost < least {
                    all.clear();
                }
                least = replay.cost;
                all.push(plan);
            }
        }
        middles = middles
            .iter()
            .flat_map(|middle| moves.iter().map(move |&one| [&middle[..], &[one]].concat()))
            .collect();
    }
    all.sort();
    all.dedup();
    (least, all)
}

fn begins_and_ends(plan: &str, (begins, ends): (&str, &str)) -> bool {
    choices(begins).iter().any(|begin| plan.starts_with(begin))
        && choices(ends).iter().any(|end| plan.ends_with(end))
}

const FACES: [&str; 9] = ["U", "U2", "U'", "R", "R2", "R'", "F", "F2", "F'"];

/// The 2x2x2 as a definition, which is held one way.
#[test]
fn plans_are_the_cheapest_that_begin_and_end_so() {
    let file = crate::definition("2x2x2.tws");
    let puzzle = crate::configured(&file, &Settings::default());
    for state in ["R U F'", "U R2 F U'", "R U R' U'", "solved", "F2"] {
        for ends in [("R,U2", ""), ("", "F,R U"), ("R U,F'", "U,U2"), ("U", "U'")] {
            let expected = tried(&*puzzle, state, &FACES, ends);
            let asked = request(ends.0, ends.1).plans(usize::MAX);
            let answer = puzzle.solve(state, &asked).expect("an answer");
            assert_eq!((answer.ending, answer.optimal), (Ending::Solved, true), "{state} {ends:?}");
            assert!(answer.complete, "{state} {ends:?}");
            assert_eq!(u64::from(answer.lower_bound), answer.costs[0], "{state} {ends:?}");
            let mut plans: Vec<String> = answer.plans.iter().map(|plan| plan.join(" ")).collect();
            assert!(plans.iter().all(|plan| begins_and_ends(plan, ends)), "{state} {ends:?}");
            let one = puzzle.solve(state, &request(ends.0, ends.1)).expect("an answer");
            assert_eq!(one.costs, [answer.costs[0]], "{state} {ends:?}");
            assert!(plans.contains(&one.plans[0].join(" ")), "{state} {ends:?}");
            if expected.0 == u64::MAX {
                assert!(answer.costs[0] > 5, "{state} {ends:?}");
                continue;
            }
            assert_eq!(answer.costs[0], expected.0, "{state} {ends:?}");
            plans.sort();
            assert_eq!(plans, expected.1, "{state} {ends:?}");
        }
    }
}

/// The built-in 2x2x2 may be held in any way, so any face may begin.
#[test]
fn any_face_begins_a_plan_of_the_pocket_cube() {
    let puzzle = crate::configured("2x2x2", &Settings::default());
    for (state, begins) in [("R U F'", "D"), ("R' D'", "L,B"), ("x R U F'", "D"), ("L", "D")] {
        let expected = tried(&*puzzle, state, &FACES, (begins, ""));
        let answer = puzzle.solve(state, &request(begins, "")).expect("an answer");
        let plan = answer.plans[0].join(" ");
        assert!(answer.costs[0] == expected.0 || expected.0 > 9, "{state} {begins}: {plan}");
        assert!(begins_and_ends(&plan, (begins, "")), "{state} {begins}: {plan}");
    }
}

/// The cube itself, cubes with costs, a metric, a goal or some moves, and a board.
#[test]
fn costs_metrics_goals_and_boards_have_first_moves() {
    let cube = |settings: Settings| crate::configured("3x3x3", &settings.memory(64 << 20));
    let stm = Settings::default().metric(MetricChoice::SliceTurn);
    let cases = [
        (cube(Settings::default()), "F R U", vec!["U'", "R'", "F'", "R"], ("R,D", "D',F'")),
        (cube(Settings::default()), "z F R U", vec!["U'", "R'", "F'", "D'"], ("D,L", "F'")),
        (cube(Settings::default().cost("R=2")), "R U", vec!["U'", "R'", "F'"], ("R,R',F", "R',F'")),
        (cube(stm), "M U", vec!["U'", "U2", "M'", "M2"], ("U,M", "")),
        (cube(Settings::default().goal("cross:D")), "R F", vec!["F'", "R'", "U"], ("U,U'", "")),
        (cube(Settings::default().moves("R,U")), "R U", vec!["U'", "R'", "R"], ("R2,U2", "U")),
        (
            crate::configured("8-puzzle", &Settings::default()),
            "1 4 2 3 0 5 6 7 8",
            vec!["up", "down", "left", "right"],
            ("down,up left", ""),
        ),
        (crate::configured("pyraminx", &Settings::default()), "R U", vec!["U'", "R'"], ("B", "B'")),
    ];
    for (puzzle, state, moves, ends) in cases {
        let name = &puzzle.info().name;
        let expected = tried(&*puzzle, state, &moves, ends);
        let answer = puzzle.solve(state, &request(ends.0, ends.1)).expect("an answer");
        let (plan, cost) = (answer.plans[0].join(" "), answer.costs[0]);
        assert!(begins_and_ends(&plan, ends), "{name}: {state}: {plan}");
        let words: Vec<&str> = answer.plans[0].iter().map(|word| &**word).collect();
        // Turns of the pyraminx do not commute.
        assert!(name == "pyraminx" || is_reduced(&words), "{name}: {state}: {plan}");
        assert!(answer.optimal && u64::from(answer.lower_bound) == cost, "{name}: {state}");
        if expected.0 == u64::MAX {
            // There is none with four moves between.
            assert!(cost > 4, "{name}: {state}: {plan}");
            continue;
        }
        assert_eq!(cost, expected.0, "{name}: {state}: {plan}");
        // No limit below lets a plan through, and no bound says more than is true.
        let mut low = request(ends.0, ends.1);
        low.limits.bound = u8::try_from(expected.0 - 1).ok();
        let low = puzzle.solve(state, &low).expect("an answer");
        assert_eq!((low.ending, low.plans.len()), (Ending::LimitReached, 0), "{name}: {state}");
        assert_eq!(u64::from(low.lower_bound), expected.0, "{name}: {state}");
    }
}

#[test]
fn near_optimal_and_longer_plans_begin_and_end_so() {
    let puzzle = crate::configured("3x3x3", &Settings::default().memory(64 << 20));
    let ends = ("R,U2 L", "F,B");
    let near = request(ends.0, ends.1).aim(Aim::NearOptimal);
    let answer = puzzle.solve("R U F D2 L' B U2 R", &near).expect("an answer");
    assert!(begins_and_ends(&answer.plans[0].join(" "), ends), "{:?}", answer.plans);
    let file = crate::definition("2x2x2.tws");
    let puzzle = crate::configured(&file, &Settings::default());
    let state = "R U F' R2 U2 F R U' F2";
    let longer = request("R", "U").plans(usize::MAX).slack(1);
    let answer = puzzle.solve(state, &longer).expect("an answer");
    let least = puzzle.solve(state, &request("R", "U")).expect("an answer").costs[0];
    assert_eq!(answer.costs[0], least);
    assert!(answer.costs.iter().all(|&cost| cost <= least + 1));
    assert!(answer.costs.contains(&(least + 1)), "{:?}", answer.costs);
    for plan in &answer.plans {
        let plan = plan.join(" ");
        assert!(begins_and_ends(&plan, ("R", "U")), "{plan}");
        assert_eq!(puzzle.check_plan(state, &plan).expect("a plan").fault, None, "{plan}");
    }
    let dear = request("R", "U").min_length(u8::try_from(least).expect("a cost") + 1);
    assert_eq!(puzzle.solve(state, &dear).expect("an answer").costs, [least + 1]);
}

/// Limits hold for all choices together, and what is proven by then is true.
#[test]
fn limits_and_cancellation_end_the_search() {
    let puzzle = crate::configured("3x3x3", &Settings::default().memory(64 << 20));
    let state = "R U F D2 L' B U2 R F2 D L2 U' R B";
    let few = Limits { nodes: Some(10_000), ..Limits::default() };
    let answer = puzzle.solve(state, &request("R,U,F", "").limits(few)).expect("an answer");
    assert_eq!((answer.ending, answer.optimal), (Ending::LimitReached, false));
    assert!(answer.generated() < 20_000 && u64::from(answer.lower_bound) <= 16);
    let cancelled = request("R,U,F", "");
    cancelled.cancel.cancel();
    let answer = puzzle.solve(state, &cancelled).expect("an answer");
    assert_eq!(answer.ending, Ending::Cancelled);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |name: &str, settings: Settings, state: &str, ends: (&str, &str), why: &str| {
        let puzzle = configure(name, &settings).expect("a puzzle");
        let error = puzzle.solve(state, &request(ends.0, ends.1)).expect_err("no answer");
        assert!(error.to_string().contains(why), "{name} {ends:?}: {error}");
    };
    let plain = Settings::default;
    refused("2x2x2", plain(), "R U", ("Q", ""), "begins:");
    refused("2x2x2", plain(), "R U", ("R,,U", ""), "begins: expected moves before and after");
    refused("2x2x2", plain(), "R U", ("", "nonsense"), "ends:");
    refused("2x2x2", plain(), "R U", ("", "R"), "held one way");
    let stm = plain().metric(MetricChoice::SliceTurn).memory(64 << 20);
    refused("3x3x3", stm, "R U", ("", "R"), "turns of slices");
    refused(
        "3x3x3",
        plain().solver("macros"),
        "R U",
        ("R", ""),
        "the solver macros takes no begins",
    );
    let dear = plain().cost("R=200").memory(64 << 20);
    refused("3x3x3", dear, "R U", ("R R", ""), "cost 400 together");
    refused("8-puzzle", plain(), "1 0 2 3 4 5 6 7 8", ("up", ""), "none that the state allows");
    refused("8-puzzle", plain(), "1 0 2 3 4 5 6 7 8", ("", "left"), "form a group");
    refused("3x3x3", plain().goal("cross:D"), "R U", ("", "R"), "a goal of its own");
    refused("4x4x4", plain(), "R U", ("", "R"), "identical pieces");
}

#[test]
fn a_text_asks_for_them() {
    let request: Request<'_> =
        serde_json::from_str(r#"{"begins": "R U,F'", "ends": "R"}"#).expect("a request");
    assert_eq!((request.begins.as_deref(), request.ends.as_deref()), (Some("R U,F'"), Some("R")));
    let wrong = serde_json::from_str::<Request<'_>>(r#"{"begins": 3}"#).expect_err("no request");
    assert!(wrong.to_string().contains("begins: 3, expected a text"), "{wrong}");
}
