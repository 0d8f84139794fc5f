//! Sliding tiles in the metric `mtm`, with learned automata, tables and all verbs of the library.

use fewest::{MetricChoice, PruningChoice, Puzzle, Request, Settings, configure};
use search::Op;
use search::plan::Reference;
use std::collections::HashMap;
use tiles::ReferenceSlides;

fn settings() -> Settings {
    Settings::default().metric(MetricChoice::MultiTile)
}

fn puzzle(name: &str, heuristic: &str, pruning: PruningChoice) -> Box<dyn Puzzle> {
    crate::configured(name, &settings().heuristic(heuristic).pruning(pruning).memory(100 << 20))
}

/// For each board as text: the length and the number of its optimal plans, from a search of the
/// reference on lists of numbers.
fn boards(rows: usize, columns: usize) -> HashMap<String, (usize, usize)> {
    let goal: Vec<u8> = (0..).take(rows * columns).collect();
    let operators = 4 * (rows.max(columns) - 1);
    let reference = ReferenceSlides::new(columns, goal.clone());
    let mut found = HashMap::from([(goal.clone(), (0, 1))]);
    let mut layer = vec![goal];
    for depth in 1.. {
        let mut next = Vec::new();
        for board in layer {
            let plans = found[&board].1;
            for op in (0..operators).map(Op::new) {
                let Some(to) = reference.successor(&board, op) else { continue };
                let (length, count) = found.entry(to.clone()).or_insert_with(|| {
                    next.push(to);
                    (depth, 0)
                });
                // A slide and its opposite lead back and forth.
                if *length == depth {
                    *count += plans;
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    let text = |board: &Vec<u8>| board.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    found.iter().map(|(board, &known)| (text(board), known)).collect()
}

/// Solves every `step`th board, with few automata and heuristics.
fn compare(name: &str, (rows, columns): (usize, usize), step: usize, heuristics: &[&str]) {
    let known = boards(rows, columns);
    let mut states: Vec<_> = known.keys().collect();
    states.sort_unstable();
    for heuristic in heuristics {
        for depth in [2, 6, 8] {
            let puzzle = puzzle(name, heuristic, PruningChoice::Fsm(Some(depth)));
            for state in states.iter().step_by(step) {
                let answer = crate::cubes::solve(&*puzzle, state);
                assert_eq!(answer.plans[0].len(), known[*state].0, "{heuristic} {depth}: {state}");
                let replay = puzzle.check_plan(state, &answer.plans[0].join(" ")).expect("read");
                assert!(replay.error().is_none());
            }
        }
    }
}

#[test]
fn plans_are_optimal_with_every_heuristic_and_automaton() {
    compare("2x3-tiles", (2, 3), 1, &["manhattan", "tables:1.2.3", "best"]);
    compare("3x3-tiles", (3, 3), 3001, &["tables:1.3.4.6+2.5.7.8", "best"]);
    compare("8-puzzle", (3, 3), 30_011, &["manhattan"]);
}

/// No slides commute, so all optimal plans are listed.
#[test]
fn all_optimal_plans_are_found() {
    let known = boards(3, 3);
    let mut states: Vec<_> = known.keys().collect();
    states.sort_unstable();
    let puzzle = puzzle("8-puzzle", "tables:1.3.4.6+2.5.7.8", PruningChoice::Fsm(None));
    for state in states.into_iter().step_by(20_011) {
        let answer = puzzle.solve(state, &Request::default().plans(100_000)).expect("solved");
        assert_eq!(answer.plans.len(), known[state].1, "{state}");
    }
}

#[test]
fn states_and_sequences_are_counted() {
    let puzzle = puzzle("15-puzzle", "manhattan", PruningChoice::Fsm(None));
    let (counting, request) = (puzzle.counting().expect("counts"), Request::default());
    let mut counts = Vec::new();
    counting.count_states(8, &request, &mut |_, count| counts.push(count)).expect("few states");
    assert_eq!(counts, [1, 6, 18, 54, 162, 486, 1457, 4334, 12568]);
    let sequences = counting.count_sequences(6, &request).expect("few sequences");
    assert_eq!(sequences, [1, 6, 18, 54, 162, 486, 1457]);
    let small = self::puzzle("8-puzzle", "best", PruningChoice::Fsm(None));
    let mut layers = Vec::new();
    let farthest = small.exhaustive().expect("few states").count_all(2, &request, &mut |_, n| {
        layers.push(n);
    });
    let farthest = farthest.expect("counted");
    assert_eq!((layers.len() - 1, layers.iter().sum::<u128>()), (24, 181_440));
    assert_eq!(crate::cubes::solve(&*small, &farthest[0]).plans[0].len(), 24);
}

#[test]
fn plans_name_the_squares_that_the_blank_goes() {
    let puzzle = puzzle("15-puzzle", "manhattan", PruningChoice::Fsm(None));
    assert_eq!(puzzle.info().metric, Some(MetricChoice::MultiTile));
    let state = puzzle.read("r3 d2 L1 up").expect("moves").facts[0].1.clone();
    assert_eq!(crate::cubes::solve(&*puzzle, &state).plans[0].join(" "), "down right up2 left3");
    assert_eq!(puzzle.invert("r3 d2 L1 up").expect("moves").join(" "), "down right up2 left3");
    // Two slides in one direction are two moves, and three tiles do not fit twice.
    assert_eq!(puzzle.check_plan("3 0 1 2 4 5 6 7 8 9 10 11 12 13 14 15", "l").unwrap().length, 1);
    assert!(puzzle.read("r3 r").is_err() && puzzle.read("r4").is_err());
}

#[test]
fn near_optimal_plans_and_scrambles_solve_their_boards() {
    let puzzle = puzzle("3x4-tiles", "tables:1.2.3.4+8.9.10.11", PruningChoice::Fsm(None));
    let request = Request::default().aim(fewest::Aim::NearOptimal);
    let scrambler = puzzle.scrambler().expect("random states");
    for state in scrambler.scrambles(5).take(2) {
        let answer = puzzle.solve(&state, &request).expect("a plan");
        assert!(answer.plans[0].len() >= usize::from(answer.lower_bound));
        let replay = puzzle.check_plan(&state, &answer.plans[0].join(" ")).expect("read");
        assert!(replay.error().is_none());
    }
    let plain = crate::configured("3x4-tiles", &Settings::default().memory(1000));
    let single: Vec<_> = plain.scrambler().expect("states").scrambles(5).take(3).collect();
    assert_eq!(scrambler.scrambles(5).take(3).collect::<Vec<_>>(), single);
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let wrong = |name: &str, settings: &Settings, part: &str| {
        let error = configure(name, settings).err().expect("refused").to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{error}");
    };
    wrong("3x3x3", &settings(), "the metric mtm is for sliding tiles");
    wrong("2x2x2", &settings(), "the metric mtm is for sliding tiles");
    wrong("pyraminx", &settings(), "the metric mtm is for sliding tiles");
    wrong("3x3x3", &settings().goal("cross"), "the metric mtm is for sliding tiles");
    wrong("8-puzzle", &Settings::default().metric(MetricChoice::HalfTurn), "no metric htm");
    wrong("8-puzzle", &settings().moves("up,left"), "--moves names single moves");
    wrong("8-puzzle", &settings().solver("perimeter"), "no solver perimeter in the metric mtm");
    wrong("8-puzzle", &settings().heuristic("linear-conflict"), "expected best, manhattan or");
    wrong("8-puzzle", &settings().heuristic("tables:1.2-3.4"), "expected + between patterns");
    wrong("8-puzzle", &settings().heuristic("tables:0.1"), "goal square 0");
    let large = settings().heuristic("tables:1.2.3.4.5.6.7.8").memory(1 << 20);
    wrong("24-puzzle", &large, "need");
}
