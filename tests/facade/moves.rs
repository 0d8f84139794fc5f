//! Plans of allowed moves only: `Settings::moves`.

use crate::definition;
use cube::{Cube, Cube3, CubeMetric};
use fewest::{Ending, MetricChoice, Puzzle, Request, Settings, configure};
use search::{Domain, Op};
use std::collections::HashSet;

fn puzzle(name: &str, settings: Settings) -> Box<dyn Puzzle> {
    crate::configured(name, &settings.memory(64 << 20))
}

fn states(puzzle: &dyn Puzzle, depth: usize) -> Vec<u128> {
    let mut counts = Vec::new();
    let counting = puzzle.counting().expect("counts");
    counting
        .count_states(depth, &Request::default(), &mut |_, count| counts.push(count))
        .expect("few");
    counts
}

/// Cubes at each distance, by a breadth-first search over turns of these faces.
fn layers(metric: CubeMetric, faces: &str, depth: usize) -> Vec<u128> {
    let domain = Cube3::new(metric);
    let all = (0..domain.operators()).map(Op::new);
    let ops: Vec<Op> =
        all.filter(|&op| domain.name(op).starts_with(|c| faces.contains(c))).collect();
    let key = |cube: &Cube| format!("{cube:?}");
    let (mut seen, mut layer) = (HashSet::from([key(&Cube::SOLVED)]), vec![Cube::SOLVED]);
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next = Vec::new();
        for (from, &op) in layer.iter().flat_map(|from| ops.iter().map(move |op| (from, op))) {
            let mut to = *from;
            domain.apply_into(from, op, &mut to);
            if seen.insert(key(&to)) {
                next.push(to);
            }
        }
        counts.push(next.len() as u128);
        layer = next;
    }
    counts
}

/// Moves that `MoveLimits` never allows are no operators. The search is that of fewer moves,
/// without rules.
#[test]
fn moves_with_the_limit_zero_are_not_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(definition("3x3x3.tws")).expect("read");
    let path = folder.path().join("limits.tws");
    std::fs::write(&path, text + "MoveLimits\nL* 0\nD* 0\nB* 0\nEnd\n").expect("written");
    let (limits, file) = (path.to_str().expect("a path"), definition("3x3x3.tws"));
    let both =
        [puzzle(limits, Settings::default()), puzzle(&file, Settings::default().moves("U,R,F"))];
    let known = layers(CubeMetric::HalfTurn, "URF", 4);
    both.iter().for_each(|cube| assert_eq!(states(&**cube, 4), known));
    let [limited, allowed] = both.each_ref().map(|cube| {
        let answer = cube.solve("R U F R' U' F' R2 U", &Request::default()).expect("solved");
        let nodes: Vec<_> = answer.iterations.iter().map(|one| one.generated).collect();
        (answer.costs, nodes)
    });
    assert_eq!(limited, allowed);
    assert!(both[0].check_plan("U", "L U' L'").is_err());
}

#[test]
fn subgroups_of_the_cube_count_as_a_search_over_their_turns_does() {
    for (name, metric) in [
        (MetricChoice::HalfTurn, CubeMetric::HalfTurn),
        (MetricChoice::QuarterTurn, CubeMetric::QuarterTurn),
    ] {
        for faces in ["U,R", "R U F"] {
            let known = layers(metric, faces, 5);
            for cube in ["3x3x3", &definition("3x3x3.tws")] {
                let cube = puzzle(cube, Settings::default().metric(name).moves(faces));
                assert_eq!(states(&*cube, 5), known, "{faces}");
            }
        }
    }
}

/// A published distribution of the two-generator group of the 2x2x2, and of all its states.
#[test]
fn subgroups_of_the_pocket_cube_are_counted_to_the_last_state() {
    let path = &definition("2x2x2-six-faces.tws");
    let count = |name: &str, moves: &str| {
        let mut counts: Vec<u128> = Vec::new();
        let puzzle = puzzle(name, Settings::default().moves(moves));
        let all = puzzle.exhaustive().expect("a table of all states");
        all.count_all(0, &Request::default(), &mut |_, count| counts.push(count))
            .expect("few states");
        counts
    };
    let two = [1, 6, 18, 53, 148, 400, 910, 1882, 3276, 4628, 6198, 6325, 4352, 941, 22];
    assert_eq!(count(path, "U R"), two);
    assert_eq!(count("2x2x2", "U R"), two);
    let all = [1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644];
    assert_eq!(count(path, "F,R,U"), all);
    assert_eq!(count("2x2x2", "F,R,U"), all);
}

#[test]
fn the_t_permutation_has_ten_algs_of_three_faces() {
    let state = "R U R' U' R' F R2 U' R' U' R U R' F'";
    for cube in ["3x3x3", &definition("3x3x3.tws")] {
        let cube = puzzle(cube, Settings::default().moves("U,F,R"));
        let request = Request::default().plans(10).slack(1);
        let answer = cube.solve(state, &request).expect("solved");
        assert_eq!((answer.ending, answer.plans.len()), (Ending::Solved, 10));
        assert_eq!((answer.plans[0].len(), answer.lower_bound), (14, 14));
        for plan in &answer.plans {
            assert!(plan.iter().all(|name| name.starts_with(['U', 'R', 'F'])), "{plan:?}");
            assert!(cube.check_plan(state, &plan.join(" ")).expect("a plan").fault.is_none());
        }
        assert!(cube.read("R L").is_err());
    }
}

#[test]
fn what_the_allowed_moves_do_not_solve_is_refused() {
    let cube = puzzle(&definition("3x3x3.tws"), Settings::default().moves("U,R2"));
    let said = cube.read("R").expect_err("R is a quarter turn").to_string();
    assert!(said.starts_with("no sequence of the allowed moves leads here"), "{said}");
    assert!(cube.read("U R2 U'").is_ok());
    let plan = cube.check_plan("R2 U", "U' R R").expect_err("R is not allowed").to_string();
    assert!(plan.contains("R is no operator"), "{plan}");
    // The moves reach every random state.
    let random = cube.scrambler().expect("a group").scrambles(7).next().expect("one");
    assert!(cube.read(&random).is_ok());
    for (moves, said) in [
        ("U,Q", "the allowed moves: moves, line 1, column 3: found `Q`"),
        ("x", "column 1: found `x`"),
        ("", "found no move"),
    ] {
        let settings = Settings::default().moves(moves);
        let error =
            configure(&definition("3x3x3.tws"), &settings).err().expect("refused").to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// A half turn costs two quarter turns. The order of names changes neither plans nor tables.
#[test]
fn half_turns_cost_two_where_quarter_turns_are_counted() {
    let settings = || Settings::default().metric(MetricChoice::QuarterTurn);
    let (one, other) = ("U R2", "R2,U'");
    let solve = |moves: &str| {
        let puzzle = puzzle(&definition("3x3x3.tws"), settings().moves(moves));
        puzzle.solve("U R2 U R2", &Request::default()).expect("solved")
    };
    let (one, other) = (solve(one), solve(other));
    assert_eq!((one.upper_bound, one.optimal), (Some(6), true));
    assert_eq!((one.plans, one.iterations), (other.plans, other.iterations));
}

#[test]
fn boards_may_forbid_ways_of_the_blank() {
    let solve = |moves: &str, state: &str| {
        let puzzle = puzzle("8-puzzle", Settings::default().moves(moves));
        puzzle.solve(state, &Request::default()).expect("searched")
    };
    let state = "1 4 2 3 0 5 6 7 8";
    assert_eq!(solve("up,left", state).plans, [["up", "left"]]);
    assert_eq!(solve("u l r", state).plans[0].len(), 2);
    assert_eq!(solve("left,down", state).ending, Ending::Unsolvable);
    assert_eq!(solve("up,down,right", state).ending, Ending::Unsolvable);
    let puzzle = puzzle("8-puzzle", Settings::default().moves("up,left"));
    // Each plan is so many moves up and to the left, in some order.
    assert_eq!(states(&*puzzle, 5), [1, 2, 4, 6, 6, 0]);
    let sequences = puzzle.counting().expect("counts").count_sequences(3, &Request::default());
    assert_eq!(sequences.expect("few"), [1, 0, 0, 0]);
    assert!(puzzle.scrambler().is_none() && puzzle.predicting().is_none());
    assert!(puzzle.check_plan(state, "up left").expect("a plan").fault.is_none());
    let said = puzzle.check_plan(state, "right").expect_err("not allowed").to_string();
    assert_eq!(said, "plan: right is none of the allowed moves");
    for wrong in ["up,over", ""] {
        assert!(configure("8-puzzle", &Settings::default().moves(wrong)).is_err());
    }
}
