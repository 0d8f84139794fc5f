//! Cycles of three pieces put into plans that leave them.

use fewest::search::Limits;
use fewest::{Failure, MetricChoice, Puzzle, Request, Settings};
use std::collections::HashMap;

/// The axis and the quarter turns of a move of a face.
fn turn(word: &str) -> (usize, &str, u8) {
    let (face, rest) = word.split_at(1);
    let quarters = match rest {
        "" => 1,
        "2" => 2,
        _ => 3,
    };
    ("UDRLFB".find(face).expect("a face") / 2, face, quarters)
}

/// The number of moves of a sequence, after turns of a face with only turns of its axis between
/// them are joined, as often as that is possible.
fn joined(words: &[String]) -> usize {
    let mut made: Vec<(usize, &str, u8)> = Vec::new();
    for word in words {
        let (axis, face, quarters) = turn(word);
        let run = made.iter().rposition(|&(other, ..)| other != axis).map_or(0, |at| at + 1);
        match made[run..].iter().position(|&(_, other, _)| other == face) {
            None => made.push((axis, face, quarters)),
            Some(at) => {
                let both = (made[run + at].2 + quarters) % 4;
                match both {
                    0 => drop(made.remove(run + at)),
                    both => made[run + at].2 = both,
                }
            }
        }
    }
    made.len()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Plans of states by an oracle that puts them in one after the other.
struct Tried<'a> {
    puzzle: &'a dyn Puzzle,
    known: HashMap<String, Vec<Vec<String>>>,
}

impl Tried<'_> {
    /// All shortest plans of moves.
    fn plans(&mut self, moves: &str) -> Vec<Vec<String>> {
        let state = self.puzzle.read(moves).expect("a state").text;
        let puzzle = self.puzzle;
        let solve = || {
            let all = Request::default().plans(usize::MAX);
            puzzle.solve(moves, &all).expect("an answer").plans
        };
        self.known.entry(state).or_insert_with(solve).clone()
    }

    /// All plans with a shortest plan of a conjugate of `cycle`, which is moves, put in somewhere.
    fn with(&mut self, plan: &[String], cycle: &str) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for at in 0..=plan.len() {
            let suffix = plan[at..].join(" ");
            let back = match suffix.is_empty() {
                true => String::new(),
                false => self.puzzle.invert(&suffix).expect("moves").join(" "),
            };
            for inserted in self.plans(&format!("{suffix} {cycle} {back}")) {
                all.push([&plan[..at], &inserted, &plan[at..]].concat());
            }
        }
        all
    }
}

/// The Niklas cycle of three corners, and a cycle of three edges.
const CORNERS: &str = "R U' L' U R' U' L U";
const EDGES: &str = "R2 U R U R' U' R' U' R' U R'";

#[test]
fn one_cycle_is_put_in_at_the_best_place() {
    let puzzle = crate::configured("3x3x3", &Settings::default().memory(64 << 20));
    let mut tried = Tried { puzzle: &*puzzle, known: HashMap::new() };
    for (cycle, skeleton) in
        [(CORNERS, "F2 D R' B L2 U"), (CORNERS, "R U L D'"), (CORNERS, ""), (EDGES, "L D2 F' R B")]
    {
        let undone = puzzle.invert(cycle).expect("moves").join(" ");
        // The state, and then the skeleton, is the cycle undone.
        let state = match skeleton.is_empty() {
            true => undone.clone(),
            false => format!("{undone} {}", puzzle.invert(skeleton).expect("moves").join(" ")),
        };
        let least = tried.with(&words(skeleton), &undone).iter().map(|all| joined(all)).min();
        let inserted = puzzle.insert(&state, skeleton, &Request::default()).expect("a plan");
        assert_eq!(Some(inserted.length), least, "{skeleton}: {inserted:?}");
        assert!(inserted.complete && inserted.insertions.len() == 1);
        let plan = inserted.plan.join(" ");
        assert_eq!(puzzle.check_plan(&state, &plan).expect("a plan").fault, None, "{plan}");
        // What is put in, without joining, solves the state, too.
        let raw = inserted.insertions[0].in_brackets().replace(['[', ']'], "");
        assert_eq!(puzzle.check_plan(&state, &raw).expect("a plan").fault, None, "{raw}");
    }
}

#[test]
fn two_cycles_are_put_in_one_after_the_other() {
    let puzzle = crate::configured("3x3x3", &Settings::default().memory(64 << 20));
    let mut tried = Tried { puzzle: &*puzzle, known: HashMap::new() };
    let skeleton = "F2 D R'";
    let back = puzzle.invert(skeleton).expect("moves").join(" ");
    let state = format!("{CORNERS} {EDGES} {back}");
    let mut least = usize::MAX;
    for (first, then) in [(CORNERS, EDGES), (EDGES, CORNERS)] {
        for plan in tried.with(&words(skeleton), first) {
            // The first plan may join with its neighbours before the second is put in.
            let plan = simplified(&plan);
            least = tried
                .with(&plan, then)
                .iter()
                .map(|all| joined(all))
                .min()
                .map_or(least, |own| own.min(least));
        }
    }
    let inserted = puzzle.insert(&state, skeleton, &Request::default()).expect("a plan");
    assert_eq!(inserted.length, least, "{inserted:?}");
    assert_eq!((inserted.insertions.len(), inserted.complete), (2, true));
    let plan = inserted.plan.join(" ");
    assert_eq!(puzzle.check_plan(&state, &plan).expect("a plan").fault, None, "{plan}");
}

/// A sequence after turns that meet are joined.
fn simplified(plan: &[String]) -> Vec<String> {
    let mut plan = plan.to_vec();
    loop {
        let pair = (0..plan.len()).flat_map(|a| (a + 1..plan.len()).map(move |b| (a, b)));
        let meets = |&(a, b): &(usize, usize)| {
            let (axis, face, _) = turn(&plan[a]);
            turn(&plan[b]).1 == face && plan[a..b].iter().all(|word| turn(word).0 == axis)
        };
        let Some((a, b)) = { pair }.find(meets) else { return plan };
        let (_, face, quarters) = turn(&plan[a]);
        let face = face.to_owned();
        let both = (quarters + turn(&plan[b]).2) % 4;
        plan.remove(b);
        match both {
            0 => drop(plan.remove(a)),
            both => plan[a] = format!("{face}{}", ["", "", "2", "'"][usize::from(both)]),
        }
    }
}

/// A definition of the cube finds what the cube itself does.
#[test]
fn definitions_have_cycles_too() {
    let settings = Settings::default().memory(64 << 20);
    let file = crate::definition("3x3x3.tws");
    let (cube, same) = (crate::configured("3x3x3", &settings), crate::configured(&file, &settings));
    for (state, plan) in [(format!("{CORNERS} L F2"), "F2 L'"), (EDGES.to_owned(), "")] {
        let costs = [&cube, &same].map(|puzzle| {
            let inserted = puzzle.insert(&state, plan, &Request::default()).expect("a plan");
            let whole = inserted.plan.join(" ");
            let replay = puzzle.check_plan(&state, &whole).expect("a plan");
            assert_eq!((replay.fault, replay.cost), (None, inserted.cost), "{whole}");
            assert!(inserted.complete);
            inserted.cost
        });
        assert_eq!(costs[0], costs[1], "{state}");
    }
}

/// In quarter turns three turns of a face are one back, wherever they meet.
#[test]
fn quarter_turns_that_meet_are_joined() {
    let settings = Settings::default().metric(MetricChoice::QuarterTurn).memory(64 << 20);
    let puzzle = crate::configured("3x3x3", &settings);
    let mut tried = Tried { puzzle: &*puzzle, known: HashMap::new() };
    let skeleton = "L L U' F D D";
    let back = puzzle.invert(skeleton).expect("moves").join(" ");
    let state = format!("{CORNERS} {back}");
    let quarters = |words: &[String]| -> usize {
        let quarters = |word: &String| if word.ends_with('2') { 2 } else { 1 };
        simplified(words).iter().map(quarters).sum()
    };
    let all = tried.with(&words(skeleton), CORNERS);
    let least = all.iter().map(|all| quarters(all)).min();
    let inserted = puzzle.insert(&state, skeleton, &Request::default()).expect("a plan");
    assert_eq!(Some(inserted.length), least, "{inserted:?}");
}

/// A limit leaves a plan that is not the best for sure, or none.
#[test]
fn limits_are_told() {
    let puzzle = crate::configured("3x3x3", &Settings::default().memory(64 << 20));
    let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let (state, plan) = (format!("{CORNERS} L F2 D B'"), "B D' F2 L'");
    let whole = puzzle.insert(&state, plan, &Request::default()).expect("a plan");
    let some = Request::default().limits(limits(whole.generated / 2));
    let some = puzzle.insert(&state, plan, &some).expect("a plan");
    assert!(!some.complete && some.cost >= whole.cost && some.generated < whole.generated);
    let none = puzzle.insert(&state, plan, &Request::default().limits(limits(1)));
    assert!(matches!(none, Err(Failure::Limit(_))), "{none:?}");
    let cancelled = Request::default();
    cancelled.cancel.cancel();
    assert!(matches!(puzzle.insert(&state, plan, &cancelled), Err(Failure::Cancelled)));
}

#[test]
fn a_plan_that_solves_is_the_answer_and_others_are_refused() {
    let puzzle = crate::configured("3x3x3", &Settings::default().memory(64 << 20));
    let inserted = puzzle.insert("R U", "U' F F' R'", &Request::default()).expect("a plan");
    assert_eq!((inserted.plan.join(" "), inserted.insertions.len()), ("U' R'".to_owned(), 0));
    let refused = |puzzle: &dyn Puzzle, state: &str, plan: &str, why: &str| {
        let error = puzzle.insert(state, plan, &Request::default()).expect_err("refused");
        assert!(error.to_string().contains(why), "{state} {plan}: {error}");
    };
    refused(&*puzzle, "R U F", "", "no cycle of three and no two such cycles");
    refused(&*puzzle, "R U F", "Q", "plan:");
    refused(&*puzzle, "R U Q", "U", "found `Q`");
    refused(&*puzzle, "R U F D L B R U", "", "it leaves");
    let board = crate::configured("8-puzzle", &Settings::default());
    refused(&*board, "1 0 2 3 4 5 6 7 8", "left", "nothing is inserted");
    let goal = crate::configured("3x3x3", &Settings::default().goal("cross:D").memory(64 << 20));
    refused(&*goal, "R U F", "F'", "no other goal");
}
