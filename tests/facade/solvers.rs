//! Solvers other than the optimal search: each plan is replayed, proven ones are as short as those
//! of the optimal search, and what a solver cannot do is refused.

use fewest::{Answer, Ending, MetricChoice, Puzzle, Request, Settings, configure};
use search::Limits;

pub(crate) fn puzzle(name: &str, solver: &str) -> Box<dyn Puzzle> {
    crate::configured(name, &Settings::default().solver(solver).memory(256 << 20))
}

/// Solves a state, and replays the plan.
pub(crate) fn solved(puzzle: &dyn Puzzle, state: &str) -> Answer {
    let answer = puzzle.solve(state, &Request::default()).expect("a state");
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
    let request = Request::default().limits(Limits { bound: Some(30), ..Limits::default() });
    let answer = cube.solve("superflip", &request).expect("an answer");
    assert_eq!(
        (answer.ending, answer.plans.len(), answer.optimal),
        (Ending::LimitReached, 0, false)
    );
    let settings = Settings::default().metric(MetricChoice::QuarterTurn).solver("bayes");
    let quarter = configure("3x3x3", &settings).expect("configured");
    let refused = quarter.solve("R U", &Request::default()).expect_err("quarter turns");
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
fn perimeters_quarters_and_both_ends_keep_to_the_memory() {
    let limits =
        |bytes| Request::default().limits(Limits { bytes: Some(bytes), ..Limits::default() });
    for (solver, proven) in [("schroeppel-shamir", 4), ("bidirectional", 0)] {
        let cube = puzzle("3x3x3", solver);
        let answer = cube.solve("superflip", &limits(1 << 20)).expect("an answer");
        let ended = (answer.ending, answer.plans.len(), answer.optimal);
        assert_eq!(ended, (Ending::LimitReached, 0, false), "{solver}");
        assert!(answer.lower_bound > proven);
    }
    let cube = puzzle("3x3x3", "perimeter");
    let answer = cube.solve("R U F' L2 D", &limits(1 << 20)).expect("an answer");
    assert_eq!((answer.ending, answer.lower_bound), (Ending::Solved, 5));
    assert!(answer.table_bytes <= 1 << 15, "{}", answer.table_bytes);
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
    let answer = cube.solve("superflip", &Request::default().limits(few)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
    let late = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let answer = cube.solve("superflip", &Request::default().limits(late)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
    let cancel = search::CancelToken::cancelled();
    let answer = cube.solve("superflip", &Request::default().cancel(cancel)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::Cancelled, 0));
    // Little memory: the table has longer macros.
    let memory = Limits { bytes: Some(1 << 20), ..Limits::default() };
    let board = puzzle("15-puzzle", "macros");
    let state = board.scrambler().expect("random states").scrambles(8).next().expect("a state");
    let answer = board.solve(&state, &Request::default().limits(memory)).expect("an answer");
    assert_eq!(answer.ending, Ending::Solved);
    // A plan that is too long is no answer.
    let short = Limits { bound: Some(20), ..Limits::default() };
    let answer = board.solve(&state, &Request::default().limits(short)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
}

#[test]
fn what_a_solver_cannot_do_is_refused() {
    let cube = puzzle("2x2x2", "bidirectional");
    let refused = cube.solve("R U", &Request::default().plans(2)).expect_err("two plans");
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

/// The lengths of the stages of an answer add up to its plan.
pub(crate) fn lengths(answer: &Answer) -> Vec<usize> {
    let lengths: Vec<usize> = answer.stages.iter().map(|stage| stage.length).collect();
    assert_eq!(lengths.iter().sum::<usize>(), answer.plans[0].len());
    lengths
}

#[test]
fn thistlethwaite_solves_in_four_stages() {
    for (metric, most) in [("htm", Some([7, 10, 13, 15])), ("qtm", None)] {
        let settings = Settings::default().solver("thistlethwaite");
        let settings = settings.metric(metric.parse().expect("a metric"));
        let cube = configure("3x3x3", &settings).expect("a cube");
        for state in cube.scrambler().expect("random states").scrambles(4).take(5) {
            let answer = solved(&*cube, &state);
            let lengths = lengths(&answer);
            let names: Vec<&str> = answer.stages.iter().map(|stage| stage.name.as_str()).collect();
            assert_eq!(names, ["G1", "G2", "G3", "solved"]);
            assert!(!answer.optimal && usize::from(answer.lower_bound) <= lengths[0]);
            assert!(most.is_none_or(|most| lengths.iter().zip(most).all(|(l, most)| *l <= most)));
        }
        let answer = solved(&*cube, "solved");
        assert_eq!((answer.plans[0].len(), answer.optimal), (0, true));
    }
}

#[test]
fn two_phases_become_shorter() {
    let cube = puzzle("3x3x3", "two-phase");
    for state in cube.scrambler().expect("random states").scrambles(5).take(3) {
        let answer = solved(&*cube, &state);
        let [first, second] = lengths(&answer)[..] else { panic!("two phases") };
        assert!(first + second <= 24 && !answer.optimal, "{first} {second}");
    }
    // A short phase 1 is soon as long as the plan, which proves it.
    let answer = solved(&*cube, "R U F");
    assert_eq!((answer.plans[0].len(), answer.optimal, answer.lower_bound), (3, true, 3));
    let limits = |bound| Limits { bound: Some(bound), ..Limits::default() };
    let within = |bound| cube.solve("R U F D", &Request::default().limits(limits(bound)));
    assert_eq!(within(4).expect("an answer").plans[0].len(), 4);
    let none = within(3).expect("an answer");
    assert_eq!((none.ending, none.plans.len(), none.lower_bound), (Ending::LimitReached, 0, 4));
}

#[test]
fn reid_finds_the_fewest_moves() {
    let cube = puzzle("3x3x3", "reid");
    for (state, length) in [("R U F' L2 D B R' U2", 8), ("U R2 F B R B2 R U2 L", 9), ("solved", 0)]
    {
        let answer = solved(&*cube, state);
        assert_eq!((answer.plans[0].len(), answer.optimal), (length, true));
        assert!(answer.heuristic.ends_with("g1"), "{}", answer.heuristic);
    }
    let small = Settings::default().solver("reid").memory(8 << 20);
    let cube = configure("3x3x3", &small).expect("a cube");
    let error = cube.solve("R", &Request::default()).expect_err("too little memory").to_string();
    assert!(error.starts_with("the solver reid needs "), "{error}");
}

/// A chain of subgroups of the pyraminx: each stage has fewer corners to turn.
const STAGES: &str = "
all: U L R B
two corners: U L   # only these two
one: U
";

#[test]
fn stages_of_a_definition_are_chains_of_subgroups() {
    let pyraminx = configure("pyraminx", &Settings::default().stages(STAGES)).expect("stages");
    for state in pyraminx.scrambler().expect("random states").scrambles(6).take(5) {
        let answer = solved(&*pyraminx, &state);
        let names: Vec<&str> = answer.stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!((names, lengths(&answer)[2] < 2), (vec!["all", "two corners", "one"], true));
        assert!(usize::from(answer.lower_bound) >= lengths(&answer)[0]);
    }
    // Without all moves at first, some states have no plan.
    let some = configure("pyraminx", &Settings::default().stages("U L\nU")).expect("stages");
    solved(&*some, "U L U' L'");
    let error =
        some.solve("R", &Request::default()).expect_err("a move that is not there").to_string();
    assert!(error.contains("the moves of the first stage do not solve this state"), "{error}");
    let cube = "3x3x3.tws";
    let file = std::env::temp_dir().join(format!("stages-{}-{cube}", std::process::id()));
    std::fs::write(&file, include_str!("../../domains/permutation/puzzles/3x3x3.tws")).unwrap();
    let name = file.to_str().expect("a path");
    let four = "U D R L F B\nU D R L F2 B2\nU D R2 L2 F2 B2\nU2 D2 R2 L2 F2 B2\n";
    let settings = Settings::default().stages(four);
    let (file_cube, built_in) =
        (configure(name, &settings).expect("a cube"), puzzle("3x3x3", "thistlethwaite"));
    for moves in ["R U F' L2 D B R' U2 L F D2", "F U2 L B' D R2 U' F2 L2 B D' R"] {
        let (of_file, built_in) = (solved(&*file_cube, moves), solved(&*built_in, moves));
        // The first stage has the same distance. Later ones begin elsewhere.
        assert_eq!(lengths(&of_file)[0], lengths(&built_in)[0]);
        assert_eq!(of_file.stages[3].name, "stage 4");
        assert!(lengths(&of_file).iter().zip([7, 10, 13, 15]).all(|(l, most)| *l <= most));
    }
    std::fs::remove_file(file).unwrap();
}

const THISTLETHWAITE: &str = "
G1: U D R L F B
G2: U D R L F2 B2
G3: U D R2 L2 F2 B2
solved: U2 D2 R2 L2 F2 B2
";

#[test]
fn stages_of_cubes_are_chains_of_subgroups() {
    let file = configure("3x3x3", &Settings::default().stages(THISTLETHWAITE)).expect("stages");
    let named = puzzle("3x3x3", "thistlethwaite");
    for state in file.scrambler().expect("random states").scrambles(9).take(10) {
        let (of_file, named) = (solved(&*file, &state), solved(&*named, &state));
        assert_eq!((of_file.stages, of_file.heuristic), (named.stages, named.heuristic));
    }
    let pocket = Settings::default().stages("U R F\nU, R, F2\nhalf: U2 R2 F2");
    let pocket = configure("2x2x2", &pocket).expect("stages");
    for state in pocket.scrambler().expect("random states").scrambles(9).take(10) {
        let answer = solved(&*pocket, &state);
        // Half turns generate 24 states, which need at most four.
        assert!(lengths(&answer)[2] <= 4 && answer.stages[2].name == "half");
    }
    let error = |name: &str, settings: Settings| match configure(name, &settings) {
        Ok(_) => panic!("{name}: expected an error"),
        Err(error) => error.to_string(),
    };
    let stages = |text: &str| Settings::default().stages(text);
    let told = error("2x2x2", stages("U R F\nD"));
    assert_eq!(told, "2x2x2: stages: stage 2: the search has no move D");
    let told = error("3x3x3", stages(THISTLETHWAITE).metric(MetricChoice::QuarterTurn));
    assert_eq!(told, "3x3x3: stages: G2: the search has no move F2");
    assert!(error("3x3x3", stages("U M")).contains("the search has no move M"));
    assert!(error("3x3x3", stages("U\n+")).starts_with("3x3x3: stages: stage 2: column 1: "));
    assert!(error("3x3x3", stages("U").goal("cross")).contains("takes no goal or moves"));
    assert!(error("8-puzzle", stages("U")).starts_with("unknown solver \"stages\""));
}

/// A chain whose first stage lacks operators proves nothing about plans with all of them, and costs
/// are not counts of operators.
#[test]
fn chains_claim_no_more_than_they_prove() {
    let state = "R U' R U R U R U' R' U' R2";
    let chain = configure("3x3x3", &Settings::default().stages("ru: R U")).expect("stages");
    let answer = solved(&*chain, state);
    assert!(answer.plans[0].len() == 11 && !answer.optimal && answer.lower_bound == 0);
    let best = configure("3x3x3", &Settings::default().heuristic("manhattan")).expect("a cube");
    assert_eq!(best.solve(state, &Request::default()).expect("a state").plans[0].len(), 9);

    // Three pieces. Two swaps that cost 10 each do the work of one that costs 15.
    let swap = |name: &str, to: &str| format!("Move {name}\nP\n{to}\nEnd\n");
    let moves = [swap("A", "2 1 3"), swap("B", "1 3 2"), swap("C", "3 1 2")].concat();
    let costs = "MoveCost A 10\nMoveCost B 10\nMoveCost C 15\n";
    let solved_state = "Solved\nP\n1 2 3\nEnd\n";
    let text = format!("Name swaps\nSet P 3 1\n{solved_state}{moves}{costs}");
    for settings in [
        Settings::default().stages("all: A B C\na: A"),
        Settings::default().solver("decomposition").memory(1 << 20),
    ] {
        let puzzle = configure(&text, &settings).expect("a definition");
        let optimal = configure(&text, &Settings::default()).expect("a definition");
        for state in ["A", "B", "C", "A B", "B A", "C A"] {
            let found = solved(&*puzzle, state);
            let least = optimal.solve(state, &Request::default()).expect("a state").costs[0];
            assert!(found.costs[0] >= least && u64::from(found.lower_bound) <= least, "{state}");
            assert_eq!(found.optimal, found.costs[0] == u64::from(found.lower_bound), "{state}");
        }
    }
}

/// Subgoals of pieces: tables of at most some thousand entries make several.
#[test]
fn decompositions_solve_from_subgoal_to_subgoal() {
    let small = |name: &str, memory: u64| {
        let settings = Settings::default().solver("decomposition").memory(memory);
        configure(name, &settings).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let puzzles = [("2x2x2", 1 << 20), ("pyraminx", 20_000), ("m12", 20_000), ("skewb", 1 << 20)];
    for (name, memory) in puzzles {
        let puzzle = small(name, memory);
        for state in puzzle.scrambler().expect("random states").scrambles(2).take(5) {
            let answer = solved(&*puzzle, &state);
            assert!(lengths(&answer).len() > 1 && answer.table_bytes <= memory, "{name}");
            assert_eq!(answer.stages.last().expect("a stage").name, "solved");
            assert!(usize::from(answer.lower_bound) >= answer.stages[0].length);
            assert_eq!(answer.heuristic, "pieces of subgoals");
        }
    }
    // All states fit one table: there is one subgoal, and its plan is optimal.
    for (name, metric) in [("2x2x2", "htm"), ("2x2x2", "qtm"), ("pyraminx", "qtm")] {
        let metric: MetricChoice = metric.parse().expect("a metric");
        let settings = Settings::default().metric(metric).tables(crate::tables());
        let (optimal, one) = (settings.clone(), settings.solver("decomposition"));
        let [optimal, one] = [optimal, one].map(|settings| configure(name, &settings).unwrap());
        for state in one.scrambler().expect("random states").scrambles(2).take(3) {
            let (wanted, found) = (solved(&*optimal, &state), solved(&*one, &state));
            assert_eq!((found.plans[0].len(), found.optimal), (wanted.plans[0].len(), true));
        }
    }
    let pocket = small("2x2x2", 1 << 20);
    let names = |state: &str| {
        let stages = solved(&*pocket, state).stages.into_iter();
        stages.map(|stage| stage.name).collect::<Vec<_>>()
    };
    assert_eq!(names("R U F"), names("F2 R"));
    let refused = configure("square-1", &Settings::default().solver("decomposition"));
    let refused = refused.err().expect("no group").to_string();
    assert!(refused.contains("is for puzzles whose states form a group"), "{refused}");
}

#[test]
fn a_subgoal_that_is_not_reached_has_a_bound() {
    let settings = Settings::default().solver("decomposition").memory(20_000);
    let puzzle = configure(&crate::definition("3x3x3.tws"), &settings).expect("a cube");
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let moves = "R U F' L2 D B R' U2 L F D2 R B2";
    let answer = puzzle.solve(moves, &Request::default().limits(limits)).expect("an answer");
    assert_eq!((answer.ending, answer.plans.len()), (Ending::LimitReached, 0));
    let last = answer.stages.last().expect("a stage");
    assert!(last.name.ends_with(" not reached, at least") && last.length > 0, "{}", last.name);
    assert!(answer.stages.len() > 1 && answer.stages[0].name.contains('('), "{:?}", answer.stages);
}

#[test]
fn stages_that_are_no_chain_are_refused() {
    let configured = |text: &str| configure("pyraminx", &Settings::default().stages(text));
    let error = |text: &str| match configured(text) {
        Ok(puzzle) => puzzle.solve("U L", &Request::default()).expect_err("no chain").to_string(),
        Err(error) => error.to_string(),
    };
    assert!(error("# nothing\n").contains("found no stage"));
    assert!(error("U L\nfirst:\n").contains("line 2: found no moves"));
    assert!(error("U L R B\nU X").contains('X'));
    assert!(
        error("U L\nR").contains("stage 2 has a move outside of the group of the stage before")
    );
    let without = match configure("pyraminx", &Settings::default().solver("stages")) {
        Ok(_) => panic!("expected an error"),
        Err(error) => error.to_string(),
    };
    assert!(without.contains("expected --stages FILE"), "{without}");
}
