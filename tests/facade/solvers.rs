//! Solvers other than the optimal search: each plan is replayed, proven ones are as short as those
//! of the optimal search, and what a solver cannot do is refused.

use fewest::{Answer, Ending, Job, MetricChoice, Puzzle, Settings, configure};
use search::Limits;

fn puzzle(name: &str, solver: &str) -> Box<dyn Puzzle> {
    let settings = Settings::default().solver(solver).memory(256 << 20).tables(crate::tables());
    configure(name, &settings).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Solves a state, and replays the plan.
fn solved(puzzle: &dyn Puzzle, state: &str) -> Answer {
    let answer = puzzle.solve(state, &Job::default()).expect("a state");
    assert_eq!(answer.ending, Ending::Solved, "{state}");
    let plan = answer.plans[0].join(" ");
    assert_eq!(puzzle.check_plan(state, &plan).expect("a plan").fault, None, "{state}: {plan}");
    answer
}

/// Solves random states of a puzzle with a solver that proves its plans.
fn is_optimal(name: &str, solver: &str, states: usize) {
    let (optimal, other) = (puzzle(name, "optimal"), puzzle(name, solver));
    let scrambles = optimal.scrambler().expect("random states").scrambles(1);
    for state in scrambles.take(states) {
        let (wanted, found) = (solved(&*optimal, &state), solved(&*other, &state));
        assert_eq!((found.solver.as_str(), found.optimal), (solver, true));
        assert_eq!(found.lower_bound, wanted.lower_bound, "{state}");
        assert_eq!(found.plans[0].len(), wanted.plans[0].len(), "{state}");
    }
}

#[test]
fn both_ends_find_the_fewest_moves() {
    for name in ["2x2x2", "8-puzzle", "pyraminx", "2x3-tiles"] {
        is_optimal(name, "bidirectional", 3);
    }
    let cube = puzzle("3x3x3", "bidirectional");
    let answer = solved(&*cube, "R U F' L2 D B R' U2");
    assert_eq!((answer.plans[0].len(), answer.optimal), (8, true));
    assert_eq!((answer.heuristic.as_str(), answer.pruning.as_str()), ("manhattan", "none"));
}

/// Greedy search by beliefs proves nothing. It says when it finds no plan.
#[test]
fn beliefs_solve_cubes_or_say_that_they_do_not() {
    let pocket = puzzle("2x2x2", "bayes");
    for state in pocket.scrambler().expect("random states").scrambles(1).take(5) {
        let answer = solved(&*pocket, &state);
        assert_eq!((answer.solver.as_str(), answer.optimal), ("bayes", false));
        assert_eq!(answer.heuristic, "home+colours+twists+order");
        assert_eq!(solved(&*pocket, &state).plans, answer.plans);
    }
    let cube = puzzle("3x3x3", "bayes");
    assert_eq!(solved(&*cube, "R U").plans[0], ["U'", "R'"]);
    let job = Job::default().limits(Limits { bound: Some(30), ..Limits::default() });
    let answer = cube.solve("superflip", &job).expect("an answer");
    assert_eq!(
        (answer.ending, answer.plans.len(), answer.optimal),
        (Ending::LimitReached, 0, false)
    );
    let settings = Settings::default().metric(MetricChoice::QuarterTurn).solver("bayes");
    let quarter = configure("3x3x3", &settings).expect("configured");
    let refused = quarter.solve("R U", &Job::default()).expect_err("quarter turns");
    assert!(refused.to_string().contains("expected the metric htm"), "{refused}");
}

#[test]
fn perimeters_and_quarters_find_the_fewest_moves() {
    for name in ["2x2x2", "8-puzzle", "pyraminx", "2x3-tiles"] {
        is_optimal(name, "perimeter", 3);
    }
    for name in ["2x2x2", "pyraminx"] {
        is_optimal(name, "schroeppel-shamir", 3);
    }
    for (solver, heuristic) in
        [("perimeter", "manhattan, perimeter of 5"), ("schroeppel-shamir", "none")]
    {
        let cube = puzzle("3x3x3", solver);
        let answer = solved(&*cube, "R U F' L2 D B R' U2");
        assert_eq!((answer.plans[0].len(), answer.optimal), (8, true));
        assert_eq!(answer.heuristic, heuristic);
    }
    let refused = configure("8-puzzle", &Settings::default().solver("schroeppel-shamir"));
    let refused = refused.err().expect("no group").to_string();
    assert!(refused.contains("expected optimal, bidirectional, perimeter or macros"), "{refused}");
}

/// A limit of memory ends the lists, and the perimeter shrinks with it.
#[test]
fn perimeters_and_quarters_keep_to_the_memory() {
    let limits = |bytes| Job::default().limits(Limits { bytes: Some(bytes), ..Limits::default() });
    let cube = puzzle("3x3x3", "schroeppel-shamir");
    let answer = cube.solve("superflip", &limits(1 << 20)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
    assert!(answer.lower_bound > 4);
    let cube = puzzle("3x3x3", "perimeter");
    let answer = cube.solve("R U F' L2 D", &limits(1 << 20)).expect("an answer");
    assert_eq!((answer.ending, answer.lower_bound), (Ending::Solved, 5));
    assert!(answer.table_bytes <= 1 << 15, "{}", answer.table_bytes);
}

#[test]
fn memory_limits_both_ends() {
    let cube = puzzle("3x3x3", "bidirectional");
    let limits = Limits { bytes: Some(1 << 20), ..Limits::default() };
    let job = Job::default().limits(limits);
    let answer = cube.solve("superflip", &job).expect("an answer");
    assert_eq!(
        (answer.ending, answer.plans.len(), answer.optimal),
        (Ending::LimitReached, 0, false)
    );
    assert!(answer.lower_bound > 0);
}

#[test]
fn macros_solve_every_kind_of_puzzle() {
    // The name, the number of features that need macros, and the name of the first feature.
    let puzzles = [
        ("2x2x2", 6, "DLF"),
        ("8-puzzle", 7, "blank"),
        ("15-puzzle", 14, "blank"),
        ("3x4-tiles", 10, "blank"),
        ("pyraminx", 10, "slot 1"),
        ("3x3x3", 18, "DL"),
    ];
    for (name, most, first) in puzzles {
        let puzzle = puzzle(name, "macros");
        let scrambles = puzzle.scrambler().expect("random states").scrambles(3);
        for state in scrambles.take(5) {
            let answer = solved(&*puzzle, &state);
            assert_eq!((answer.solver.as_str(), answer.optimal), ("macros", false), "{state}");
            assert!(answer.complete && answer.stages.len() <= most, "{name}: {state}");
            let lengths: usize = answer.stages.iter().map(|stage| stage.length).sum();
            assert_eq!(lengths, answer.plans[0].len());
            let names: Vec<&str> = answer.stages.iter().map(|stage| &*stage.name).collect();
            let at = names.iter().position(|&name| name == first);
            assert!(at.is_none_or(|at| at == 0), "{names:?}");
        }
    }
    let answer = solved(&*puzzle("2x2x2", "macros"), "solved");
    assert_eq!((answer.plans[0].len(), answer.optimal, answer.stages.len()), (0, true, 0));
}

#[test]
fn limits_of_macros_are_told() {
    let cube = puzzle("3x3x3", "macros");
    let few = Limits { nodes: Some(1000), ..Limits::default() };
    let answer = cube.solve("superflip", &Job::default().limits(few)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
    let late = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let answer = cube.solve("superflip", &Job::default().limits(late)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
    let cancel = search::CancelToken::new();
    cancel.cancel();
    let answer = cube.solve("superflip", &Job::default().cancel(cancel)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::Cancelled, 0));
    // Little memory: the table has longer macros.
    let memory = Limits { bytes: Some(1 << 20), ..Limits::default() };
    let board = puzzle("15-puzzle", "macros");
    let state = board.scrambler().expect("random states").scrambles(8).next().expect("a state");
    let answer = board.solve(&state, &Job::default().limits(memory)).expect("an answer");
    assert_eq!(answer.ending, Ending::Solved);
    // A plan that is too long is no answer.
    let short = Limits { bound: Some(20), ..Limits::default() };
    let answer = board.solve(&state, &Job::default().limits(short)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
}

#[test]
fn what_a_solver_cannot_do_is_refused() {
    let cube = puzzle("2x2x2", "bidirectional");
    let refused = cube.solve("R U", &Job::default().plans(2)).expect_err("two plans");
    assert_eq!(
        refused.to_string(),
        "the solver bidirectional finds one plan: expected the solver optimal for several plans, \
         or for plans of another length"
    );
    let error = |name: &str, settings: Settings| match configure(name, &settings) {
        Ok(_) => panic!("{name}: expected an error"),
        Err(error) => error.to_string(),
    };
    let unknown = Settings::default().solver("guess");
    for name in ["3x3x3", "2x2x2", "8-puzzle", "pyraminx"] {
        let told = error(name, unknown.clone());
        assert!(told.starts_with("unknown solver \"guess\" for "), "{told}");
        assert!(told.contains("expected optimal") && told.contains("bidirectional"), "{told}");
    }
    let both = Settings::default().solver("bidirectional");
    for settings in [both.clone().goal("cross"), both.clone().moves("R,U")] {
        assert_eq!(
            error("3x3x3", settings),
            "the solver bidirectional takes no goal or moves: expected the solver optimal with \
             goal or moves"
        );
    }
    assert!(error("8-puzzle", both.clone().moves("up,left")).contains("takes no moves"));
    assert!(error("square-1", both).contains("is for puzzles whose states form a group"));
}
