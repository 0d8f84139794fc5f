//! Cubes with goals that leave something open: crosses, first and last layers, stickers with `.`.

use cube::partial::{PartialCube, named_goal};
use cube::{Cube, Cube3, CubeMetric, Facelets};
use fewest::{Aim, Answer, Ending, Event, MetricChoice, Puzzle, Request, Settings, configure};
use search::random::Random;
use search::{Domain, Limits, Op};
use std::collections::HashMap;
use std::sync::Mutex;

const SCRAMBLE: &str = "R U F' L2 D B R' U2 F L D2 B' R";

fn cube(goal: &str) -> Box<dyn Puzzle> {
    puzzle("3x3x3", Settings::default().goal(goal))
}

fn puzzle(name: &str, settings: Settings) -> Box<dyn Puzzle> {
    crate::configured(name, &settings.memory(256 << 20))
}

fn solved(puzzle: &dyn Puzzle, state: &str) -> Answer {
    let answer = puzzle.solve(state, &Request::default()).expect("a state");
    assert_eq!((answer.ending, answer.optimal, answer.complete), (Ending::Solved, true, true));
    let plan = answer.plans[0].join(" ");
    let replay = puzzle.check_plan(state, &plan).expect("a plan");
    assert_eq!((replay.fault, replay.cost), (None, answer.lower_bound.into()), "{state}: {plan}");
    answer
}

/// Where some edges and corners lie and how they are turned: 5 bits each.
fn places(cube: &Cube, edges: &[u8], corners: &[u8]) -> u64 {
    let edge = |piece: &u8| {
        let slot = (0..12).find(|&slot| cube.edge(slot) == *piece).expect("every edge");
        2 * slot as u64 + u64::from(cube.flip(slot))
    };
    let corner = |piece: &u8| {
        let slot = (0..8).find(|&slot| cube.corner(slot) == *piece).expect("every corner");
        3 * slot as u64 + u64::from(cube.twist(slot))
    };
    let all = edges.iter().map(edge).chain(corners.iter().map(corner));
    all.fold(0, |all, place| all << 5 | place)
}

/// Where the edges of the cross on D lie, and how they are turned.
fn cross_of(cube: &Cube) -> u64 {
    places(cube, &[4, 5, 6, 7], &[])
}

/// The distances of all states that `key` tells apart, by a breadth-first search over cubes, and
/// their number at each distance.
fn distances(key: impl Fn(&Cube) -> u64) -> (HashMap<u64, u8>, Vec<usize>) {
    let domain = Cube3::new(CubeMetric::HalfTurn);
    let (mut layer, mut counts) = (vec![Cube::SOLVED], Vec::new());
    let mut distances = HashMap::from([(key(&Cube::SOLVED), 0)]);
    for depth in 1.. {
        counts.push(layer.len());
        let mut next = Vec::new();
        for cube in &layer {
            for op in (0..domain.operators()).map(Op::new) {
                let mut to = *cube;
                domain.apply_into(cube, op, &mut to);
                distances.entry(key(&to)).or_insert_with(|| {
                    next.push(to);
                    depth
                });
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    (distances, counts)
}

/// Crosses of a thousand random cubes are as long as a full table says, for one colour and for the
/// best of six. Their tables leave at most a thousand nodes to search.
#[test]
fn crosses_of_random_cubes_are_optimal() {
    let cubes = 1000;
    let (distances, counts) = distances(cross_of);
    assert_eq!(counts, [1, 15, 158, 1394, 9809, 46_381, 97_254, 34_966, 102]);
    let (one, best) = (cube("cross"), cube("cross:any"));
    // The tables are in memory afterwards.
    for puzzle in [&one, &best] {
        solved(&**puzzle, SCRAMBLE);
    }
    let mut random = Random::new(22);
    // Rotations that bring each face to D.
    let turns = ["", "x2", "x", "x'", "z", "z'"];
    let (mut most, mut found) = (0, [0_usize; 9]);
    for _ in 0..cubes {
        let state = Cube::random(&mut random);
        let text = Facelets::from(&state).to_string();
        let seen = |turn: &&str| {
            let moves = cube::notation::parse_moves(turn).expect("a rotation");
            distances[&cross_of(&state.moved(&moves))]
        };
        let answer = solved(&*one, &text);
        assert_eq!(Some(answer.lower_bound), turns.iter().map(seen).next(), "{text}");
        let answer = solved(&*best, &text);
        assert_eq!(Some(answer.lower_bound), turns.iter().map(seen).min(), "{text}");
        found[usize::from(answer.lower_bound)] += 1;
        most = most.max(answer.generated());
    }
    // The best of six is hardly ever longer than six.
    assert!(found[..7].iter().sum::<usize>() * 10 > 9 * cubes, "{found:?}");
    assert!(most <= 1000, "{most} nodes");
}

/// Goals are counted, and the farthest states are solved at that distance.
#[test]
fn goals_are_counted_to_the_last_state() {
    for (goal, expected) in [
        ("cross:F", &[1, 15, 158, 1394, 9809, 46_381, 97_254, 34_966, 102][..]),
        ("eo", &[1, 2, 25, 202, 620, 900, 285, 13]),
        ("eo:UD", &[1, 2, 25, 202, 620, 900, 285, 13]),
    ] {
        let puzzle = cube(goal);
        let (mut counts, request) = (Vec::new(), Request::default());
        let all = puzzle.exhaustive().expect("few states");
        let far =
            all.count_all(2, &request, &mut |_, count| counts.push(count)).expect("few states");
        assert_eq!(counts, expected, "{goal}");
        for state in &far {
            assert_eq!(usize::from(solved(&*puzzle, state).lower_bound) + 1, expected.len());
        }
    }
}

fn counts_of(goal: &str) -> Vec<usize> {
    // The layers of the first block need more than other searches.
    let puzzle = crate::configured("3x3x3", &Settings::default().goal(goal).memory(2 << 30));
    let mut counts = Vec::new();
    let all = puzzle.exhaustive().expect("few states");
    let tell = &mut |_, count: u128| counts.push(usize::try_from(count).expect("a count"));
    all.count_all(0, &Request::default(), tell).expect("few states");
    counts
}

/// The counts of blocks and lines are those of a plain search.
#[test]
fn blocks_and_lines_are_counted_as_a_plain_search_does() {
    let block = |cube: &Cube| places(cube, &[6, 7, 10], &[6]);
    let line = |cube: &Cube| {
        let flips = (0..12).fold(0, |all, slot| all << 1 | u64::from(cube.flip(slot)));
        flips << 10 | places(cube, &[5, 7], &[])
    };
    let (blocks, lines) = (distances(block).1, distances(line).1);
    assert_eq!(blocks.iter().sum::<usize>(), 253_440);
    assert_eq!(lines.iter().sum::<usize>(), 270_336);
    assert_eq!(counts_of("222:DLB"), blocks);
    assert_eq!(counts_of("eoline"), lines);
}

#[test]
#[ignore = "slow: 5,322,240 states by a plain search, 1 min"]
fn the_first_block_is_counted_as_a_plain_search_does() {
    let (_, counts) = distances(|cube| places(cube, &[6, 9, 10], &[5, 6]));
    assert_eq!(counts.iter().sum::<usize>(), 5_322_240);
    assert_eq!(counts_of("fb"), counts);
}

/// How far the states of one step are from the next: as a plain search over both says.
#[test]
fn states_are_counted_from_one_goal_to_the_next() {
    let counts = |from: &str, goal: &str| {
        let (puzzle, request, mut counts) = (cube(goal), Request::default(), Vec::new());
        let all = puzzle.exhaustive().expect("few states");
        all.count_from(from, &request, &mut |_, count| counts.push(count)).map(|()| counts)
    };
    let line = |cube: &Cube| {
        let flips = (0..12).fold(0, |all, slot| all << 1 | u64::from(cube.flip(slot)));
        flips << 10 | places(cube, &[5, 7], &[])
    };
    let mut plain = vec![0; 5];
    for (line, distance) in distances(line).0 {
        if line >> 10 == 0 {
            plain[usize::from(distance)] += 1;
        }
    }
    assert_eq!(plain.iter().sum::<u128>(), 12 * 11);
    assert_eq!(counts("eo", "eoline").expect("within"), plain);
    let pair = counts("cross", "xcross:FR").expect("within");
    assert_eq!(pair, [1, 0, 0, 6, 15, 69, 162, 107, 24]);
    let error = |from: &str, goal: &str| counts(from, goal).unwrap_err().to_string();
    assert!(error("xcross:FR", "cross").contains("--from xcross:FR: it asks for more than"));
    assert!(error("cros", "xcross:FR").contains("did you mean cross"));
    assert!(error("cross", "xcross").contains("in 4 ways"));
}

#[test]
#[ignore = "slow: 1,532,805,120 states, 2 min"]
fn the_block_of_two_by_two_by_three_is_counted() {
    let counts = [
        1,
        12,
        141,
        1746,
        20_935,
        243_092,
        2_698_935,
        27_258_179,
        216_204_042,
        830_686_751,
        453_825_501,
        1_865_784,
        1,
    ];
    assert_eq!(counts.iter().sum::<usize>(), 1_532_805_120);
    assert_eq!(counts_of("223:DL"), counts);
}

/// If many states are to come, a table of all classes is built. Lengths are those without it.
#[test]
#[ignore = "slow: a table of 1,532,805,120 states, 3 min"]
fn a_table_of_all_classes_gives_the_same_lengths() {
    let folder = tempfile::tempdir().expect("a folder");
    let large = Settings::default().goal("223:DL").memory(2 << 30).tables(folder.path());
    // The table does not fit the memory of the other one.
    let (with, without) = (configure("3x3x3", &large).expect("a puzzle"), cube("223:DL"));
    let states: Vec<String> =
        cube("eo").scrambler().expect("cubes").scrambles(7).take(40).collect();
    let begin = (fewest::Statistics::default(), 50_000);
    let (mut drawn, request) = (states.iter().cloned(), Request::default());
    let (known, ended) = fewest::statistics(&*with, &mut drawn, begin, &request, &mut |_| ());
    ended.expect("answers");
    let mut costs = std::collections::BTreeMap::new();
    for state in &states {
        *costs.entry(u64::from(solved(&*without, state).lower_bound)).or_insert(0) += 1;
    }
    assert_eq!(known.costs, costs);
    let nodes = |puzzle: &dyn Puzzle| -> u64 {
        states.iter().map(|state| solved(puzzle, state).generated()).sum()
    };
    let (few, many) = (nodes(&*with), nodes(&*without));
    assert!(2 * few < many, "{few} nodes with the table, {many} without");
}

/// Two bits a state are asked for before the count begins.
#[test]
fn a_count_that_does_not_fit_is_refused_with_its_bytes() {
    let puzzle =
        crate::configured("3x3x3", &Settings::default().goal("xcross:FR").memory(17 << 20));
    let all = puzzle.exhaustive().expect("few states");
    let mut told = 0;
    let error = all.count_all(0, &Request::default(), &mut |_, _| told += 1).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("72,990,720 classes") && error.contains("17.0 MiB"), "{error}");
    assert_eq!(told, 0);
}

/// Pairs of slots, alternatives, and goals that are joined: every plan reaches what it says, and no
/// plan is shorter than those of its parts.
#[test]
fn joined_goals_are_reached_together() {
    let length = |goal: &str| solved(&*cube(goal), SCRAMBLE).lower_bound;
    let one = [length("xcross:FR"), length("xcross:FL")];
    let both = length("xxcross:FR-FL");
    assert!(one.iter().all(|one| *one <= both && length("cross") <= *one));
    assert_eq!(length("cross:U/D"), length("cross:U").min(length("cross:D")));
    assert!(length("cross+eo") >= length("cross").max(length("eo")));
    assert_eq!(length("eocross:DF"), length("cross+eo:FB"));
    let wrong = |goal: &str| {
        let settings = Settings::default().goal(goal);
        configure("3x3x3", &settings).map(drop).unwrap_err().to_string()
    };
    assert!(wrong("xxcross:FR-FR").contains("as many different slots of one cross"));
    assert!(wrong("xcros").contains("a goal is one of cross, xcross, xxcross"));
}

/// A goal by name and by its stickers is the same. A cube held in another way has the same plans.
#[test]
fn goals_by_name_and_by_stickers_are_the_same() {
    let cross = "......... ....R..R. ....F..F. .D.DDD.D. ....L..L. ....B..B.";
    let by_name = solved(&*cube("cross"), SCRAMBLE);
    assert_eq!(solved(&*cube(cross), SCRAMBLE).plans, by_name.plans);
    // What a cross does not ask for need not be known.
    let text = Facelets::from(&Cube::SOLVED.moved(&cube::notation::parse_moves(SCRAMBLE).unwrap()));
    let stickers = text.to_string();
    let cross_only = |at: usize, c: char| if at % 9 % 2 == 1 || at % 9 == 4 { c } else { '.' };
    let known: String = stickers.chars().enumerate().map(|(at, c)| cross_only(at, c)).collect();
    assert_eq!(solved(&*cube("cross"), &known).plans, by_name.plans);
    let vague = cube("f2l-slot:FR").solve(&known, &Request::default()).unwrap_err().to_string();
    assert!(vague.contains("leave open what lies in slot"), "{vague}");
    let turned = solved(&*cube("cross:F"), &format!("{SCRAMBLE} x"));
    assert_eq!(turned.lower_bound, by_name.lower_bound);
}

/// The best of several goals is as short as the shortest of each, and all its plans are found.
#[test]
fn any_is_the_best_of_all() {
    for (all, each) in [
        ("eo:any", &["eo:UD", "eo:RL", "eo:FB"][..]),
        ("cross:any", &["cross:U", "cross:R", "cross:F", "cross:D", "cross:L", "cross:B"]),
    ] {
        for state in [SCRAMBLE, "F R U B", "U R2 L' F D2 B L"] {
            let request = Request::default().plans(1000);
            let plans = |goal: &str| {
                let answer = cube(goal).solve(state, &request).expect("a state");
                assert!(answer.complete && answer.optimal);
                (answer.lower_bound, answer.plans)
            };
            let each: Vec<_> = each.iter().map(|goal| plans(goal)).collect();
            let least = each.iter().map(|(bound, _)| *bound).min().expect("some");
            let shortest = each.into_iter().filter(|(bound, _)| *bound == least);
            let mut shortest: Vec<_> = shortest.flat_map(|(_, plans)| plans).collect();
            shortest.sort();
            shortest.dedup();
            let (bound, mut plans) = plans(all);
            plans.sort();
            assert_eq!((bound, plans), (least, shortest), "{all}: {state}");
        }
    }
}

/// Last layers are solved up to a final turn of U, by all moves and by three faces alone.
#[test]
fn last_layers_are_solved_up_to_a_turn() {
    let t = "R U R' U' R' F R2 U' R' U' R U R' F'";
    for settings in [Settings::default(), Settings::default().moves("U,R,F")] {
        let puzzle = puzzle("3x3x3", settings.goal("pll"));
        assert_eq!(solved(&*puzzle, "U2").lower_bound, 0);
        let lengths = ["", " U", " U2", " U'"]
            .map(|turn| solved(&*puzzle, &format!("{t}{turn}")).lower_bound);
        assert!(lengths.iter().all(|length| *length <= 14), "{lengths:?}");
        let sune = solved(&*puzzle, "R U R' U R U2 R'");
        assert_eq!((sune.lower_bound, sune.plans[0].len()), (7, 7));
    }
}

/// Quarter turns, allowed moves, and corners alone: the group of the 2x2x2 held in any way.
#[test]
fn cubes_take_moves_metrics_and_other_states_as_goals() {
    let quarter = Settings::default().metric(MetricChoice::QuarterTurn).goal("cross");
    assert_eq!(solved(&*puzzle("3x3x3", quarter), "R2 F").lower_bound, 3);
    assert_eq!(solved(&*cube("superflip"), "superflip").lower_bound, 0);
    assert_eq!(solved(&*cube("R U F2"), "R").plans, [["U", "F2"]]);
    let file = puzzle(&crate::definition("2x2x2.tws"), Settings::default().goal("R U"));
    assert_eq!(solved(&*file, "R").plans, [["U"]]);
    let two = puzzle("3x3x3", Settings::default().moves("U,R2"));
    assert_eq!(solved(&*two, "R2 U R2").plans, [["R2", "U'", "R2"]]);
    let said = two.read("R").expect_err("no half turn").to_string();
    assert!(said.contains("no sequence of the allowed moves"), "{said}");
    let random = two.scrambler().expect("states").scrambles(1).next().expect("one");
    assert!(two.read(&random).is_ok());
    let wrong = |settings: Settings| configure("3x3x3", &settings).err().expect("").to_string();
    assert!(wrong(Settings::default().moves("U,M")).contains("M is no turn of a face"));
    assert!(
        wrong(Settings::default().goal("crss")).contains("a goal is one of cross, xcross, xxcross")
    );
    let every = ".".repeat(54);
    assert!(wrong(Settings::default().goal(&*every)).contains("every cube is a goal"));
    let named = Settings::default().goal("cross").heuristic("korf97");
    assert!(wrong(named).contains("best or none"));
}

/// Goals of the 2x2x2 hold for each way to hold it, against a search over all its states.
#[test]
fn goals_of_the_pocket_cube_hold_for_each_way_to_hold_it() {
    let domain = Cube3::new(CubeMetric::HalfTurn);
    for goal in ["layer", "face:any", "oll", "pll", "oll:F"] {
        let sets = named_goal(goal, 4).expect("a goal").expect("sets");
        let sets: Vec<PartialCube> = sets.iter().flat_map(PartialCube::held).collect();
        let puzzle = puzzle("2x2x2", Settings::default().goal(goal));
        for state in ["U U'", "R U", "R U F' R2", "D L B' U", "x R U2 F"] {
            let start = Cube::SOLVED.moved(&cube::notation::parse_moves(state).expect("moves"));
            // A breadth-first search over the turns of all six faces finds the least length.
            let (mut layer, mut depth) = (vec![start], 0);
            while !layer.iter().any(|cube| sets.iter().any(|set| set.contains(cube))) {
                let after = |cube: &Cube| {
                    (0..9)
                        .map(Op::new)
                        .map(|op| {
                            let mut to = *cube;
                            domain.apply_into(cube, op, &mut to);
                            to
                        })
                        .collect::<Vec<_>>()
                };
                layer = layer.iter().flat_map(after).collect();
                depth += 1;
            }
            assert_eq!(solved(&*puzzle, state).lower_bound, depth, "{goal}: {state}");
        }
    }
}

/// Plans that are not proven, for goals with one and with several views. Each that is told on the
/// way is as the user holds the cube. None is below the optimum.
#[test]
fn near_optimal_plans_are_told_as_the_cube_is_held() {
    for goal in ["f2l:R", "cross:any", "xcross:R", "f2l:F/R"] {
        let puzzle = cube(goal);
        let told = Mutex::new(Vec::new());
        let watch = |event: &Event<'_>| {
            if let Event::Plan { plan, lower_bound, upper_bound, .. } = *event {
                assert!(u64::from(lower_bound) <= upper_bound, "{goal}");
                told.lock().expect("plans").push(plan.join(" "));
            }
        };
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let request = Request::default().aim(Aim::NearOptimal).limits(limits).watch(&watch);
        let answer = puzzle.solve(SCRAMBLE, &request).expect("a plan");
        let told = told.into_inner().expect("plans");
        assert!(!told.is_empty(), "{goal}");
        let mut costs = Vec::new();
        for plan in &told {
            let replay = puzzle.check_plan(SCRAMBLE, plan).expect("a plan");
            assert_eq!(replay.fault, None, "{goal}: {plan}");
            costs.push(replay.cost);
        }
        assert!(costs.is_sorted_by(|a, b| a > b), "{goal}: {costs:?}");
        assert_eq!(answer.plans[0].join(" "), *told.last().expect("a plan"), "{goal}");
        if goal != "f2l:R" {
            let least = solved(&*cube(goal), SCRAMBLE).costs[0];
            assert!(answer.costs[0] >= least && u64::from(answer.lower_bound) <= least, "{goal}");
        }
    }
}
