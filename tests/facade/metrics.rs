//! Metrics of the 3x3x3 beside half and quarter turns, and costs of moves.

use cube::notation::{Move, parse_moves};
use cube::{Cube, Cube3, CubeMetric, Facelets};
use fewest::{Ending, MetricChoice, Puzzle, Request, Settings, configure};
use search::{Domain, Op};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

fn puzzle(settings: Settings) -> Box<dyn Puzzle> {
    crate::configured("3x3x3", &settings.memory(64 << 20))
}

fn text(cube: &Cube) -> String {
    Facelets::from(cube).to_string()
}

/// The moves that count as one: turns of faces, and turns of slices or of two opposite faces.
fn moves(metric: MetricChoice) -> Vec<Vec<Move>> {
    let powers = |letter: char| ["", "2", "'"].map(|power| format!("{letter}{power}"));
    let one = |text: &String| parse_moves(text).expect("moves");
    let mut all: Vec<Vec<Move>> =
        "URFDLB".chars().flat_map(powers).map(|text| one(&text)).collect();
    if metric == MetricChoice::SliceTurn {
        all.extend("MES".chars().flat_map(powers).map(|text| one(&text)));
    }
    if metric == MetricChoice::Axial {
        for (first, second) in [('U', 'D'), ('R', 'L'), ('F', 'B')] {
            for first in powers(first) {
                all.extend(powers(second).map(|second| one(&format!("{first} {second}"))));
            }
        }
    }
    all
}

/// The distances of cubes from the solved one, by a breadth-first search that turns the cube as it
/// is held.
fn near(metric: MetricChoice, depth: u64) -> HashMap<String, (Cube, u64)> {
    let moves = moves(metric);
    let mut seen = HashMap::from([(text(&Cube::SOLVED), (Cube::SOLVED, 0))]);
    let mut layer = vec![Cube::SOLVED];
    for distance in 1..=depth {
        let mut next = Vec::new();
        for (from, one) in layer.iter().flat_map(|from| moves.iter().map(move |one| (from, one))) {
            let to = from.moved(one);
            if let Entry::Vacant(new) = seen.entry(text(&to)) {
                new.insert((to, distance));
                next.push(to);
            }
        }
        layer = next;
    }
    seen
}

const METRICS: [MetricChoice; 2] = [MetricChoice::SliceTurn, MetricChoice::Axial];

#[test]
fn layers_of_slices_and_of_axes_are_those_of_a_plain_search() {
    for metric in METRICS {
        let puzzle = puzzle(Settings::default().metric(metric));
        let mut counts = Vec::new();
        let counting = puzzle.counting().expect("counts");
        let tell = &mut |_: usize, count| counts.push(count);
        counting.count_states(3, &Request::default(), tell).expect("few");
        let near = near(metric, 3);
        let layer = |depth| near.values().filter(|(_, at)| *at == depth).count() as u128;
        assert_eq!(counts, (0..4).map(layer).collect::<Vec<_>>(), "{metric}");
    }
}

/// Optimal lengths are the distances, and plans solve the cube as it is turned in the hand.
#[test]
fn plans_of_slices_and_of_axes_are_as_short_as_can_be() {
    for metric in METRICS {
        let puzzle = puzzle(Settings::default().metric(metric));
        assert_eq!(puzzle.info().metric, Some(metric));
        let near = near(metric, 3);
        let mut states: Vec<&(Cube, u64)> = near.values().collect();
        states.sort_by_key(|(cube, at)| (*at, text(cube)));
        for (cube, at) in states.iter().step_by(states.len() / 40) {
            let state = text(cube);
            let answer = puzzle.solve(&state, &Request::default()).expect("solved");
            assert_eq!((answer.ending, answer.upper_bound), (Ending::Solved, Some(*at)), "{state}");
            let plan = answer.plans[0].join(" ");
            assert_eq!(cube.moved(&parse_moves(&plan).expect("moves")), Cube::SOLVED, "{plan}");
            let replay = puzzle.check_plan(&state, &plan).expect("a plan");
            assert_eq!((replay.fault, replay.length as u64), (None, *at), "{state}: {plan}");
        }
    }
}

/// Turns of two layers are products of turns of faces. So the tables are those of the groups that
/// turns of faces generate, with all symmetries: the cosets of Kociemba's phase 1 among them.
#[test]
fn tables_for_slices_and_axes_are_those_of_turns_of_faces() {
    for metric in METRICS {
        let puzzle = puzzle(Settings::default().metric(metric).memory(100 << 20));
        let tables = puzzle.tables().expect("tables").explain(&Request::default());
        let tables = tables.expect("tables");
        let taken = tables.iter().filter(|one| one.in_use);
        let taken: Vec<(u64, usize, usize)> =
            taken.map(|one| (one.states, one.symmetries, one.views)).collect();
        assert!(taken.contains(&(2_217_093_120, 16, 3)), "{metric}: {taken:?}");
    }
}

#[test]
fn moves_of_two_layers_have_the_names_that_people_use() {
    let [slices, axes] = METRICS.map(|metric| puzzle(Settings::default().metric(metric)));
    for (puzzle, state, plan) in [
        (&slices, "M", "M'"),
        (&slices, "M U", "U' M'"),
        (&slices, "R2 L2", "M2"),
        (&axes, "U D'", "(U' D)"),
        (&axes, "R L2 F", "F' (R' L2)"),
    ] {
        let answer = puzzle.solve(state, &Request::default()).expect("solved");
        assert_eq!(answer.plans[0].join(" "), plan, "{state}");
    }
    let replay = axes.check_plan("R L2 F", "F' L2 R'").expect("a plan");
    assert_eq!((replay.fault, replay.length), (None, 2));
}

/// Goals and masks: the cross on the side where its centre is.
#[test]
fn goals_are_reached_by_slices() {
    let settings = Settings::default().metric(MetricChoice::SliceTurn).goal("cross:D");
    let answer = puzzle(settings).solve("D M2", &Request::default()).expect("solved");
    assert_eq!((answer.upper_bound, answer.optimal), (Some(1), true));
}

/// Of the slices, those may turn whose two turns may.
#[test]
fn allowed_moves_leave_slices_and_pairs() {
    for (metric, moves, state, plan) in [
        (MetricChoice::SliceTurn, "R2,L2,U2", "M2", "M2"),
        (MetricChoice::SliceTurn, "R,L,U", "M U", "U' M'"),
        (MetricChoice::Axial, "R2,L2,U2", "R2 L2 U2", "U2 (R2 L2)"),
    ] {
        let answer = puzzle(Settings::default().metric(metric).moves(moves))
            .solve(state, &Request::default())
            .expect("solved");
        assert_eq!(answer.plans[0].join(" "), plan, "{moves}");
    }
    let one = puzzle(Settings::default().metric(MetricChoice::SliceTurn).moves("R,U"));
    let answer = one.solve("M", &Request::default());
    assert!(answer.is_err() || answer.is_ok_and(|answer| answer.plans.is_empty()));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |name: &str, settings: Settings| {
        configure(name, &settings).err().expect("refused").to_string()
    };
    let stm = || Settings::default().metric(MetricChoice::SliceTurn);
    assert!(refused("2x2x2", stm()).contains("held in any way"));
    assert!(refused("3x3x3", stm().solver("two-phase")).contains("has no metric stm"));
    assert!(refused("3x3x3", stm().moves("M,U")).contains("3x3x3-slices"));
    assert!(refused(&crate::definition("pyraminx.tws"), stm()).contains("built-in 3x3x3"));
    for cost in ["Rw=2", "R3=2,R'=3", "x=2", "R", "R=0", "R=2,R=3", "=2", "R=251", "R U=2"] {
        let told = refused("3x3x3", Settings::default().cost(cost));
        assert!(told.contains("cost"), "{cost}: {told}");
    }
    let pyraminx = crate::definition("pyraminx.tws");
    for cost in ["R3=7", "Q=2"] {
        assert!(refused(&pyraminx, Settings::default().cost(cost)).contains("cost of"), "{cost}");
    }
    let steps = fewest::Steps::configure("3x3x3", &stm(), &["eo", "dr"]).err();
    assert!(steps.expect("refused").to_string().contains("turns the centres"));
    assert!(refused("8-puzzle", Settings::default().cost("up=2")).contains("takes no cost"));
    let told = refused("3x3x3", Settings::default().metric(MetricChoice::QuarterTurn).cost("R2=2"));
    assert!(told.contains("two moves"), "{told}");
}

/// The cheapest plans of cubes near the solved one, by a search that knows only costs of turns.
fn cheapest(cost: impl Fn(&str) -> u64, most: u64) -> Vec<(Cube, u64)> {
    let domain = Cube3::new(CubeMetric::HalfTurn);
    let ops: Vec<(Op, u64)> =
        (0..domain.operators()).map(Op::new).map(|op| (op, cost(&domain.name(op)))).collect();
    let mut least = HashMap::from([(text(&Cube::SOLVED), 0)]);
    let mut found = vec![(Cube::SOLVED, 0)];
    for at in 0..most {
        let layer: Vec<Cube> = found
            .iter()
            .filter(|(cube, own)| (*own, least[&text(cube)]) == (at, at))
            .map(|(cube, _)| *cube)
            .collect();
        for (from, &(op, cost)) in
            layer.iter().flat_map(|from| ops.iter().map(move |op| (from, op)))
        {
            let mut to = *from;
            domain.apply_into(from, op, &mut to);
            let total = at + cost;
            if total <= most && least.get(&text(&to)).is_none_or(|&known| total < known) {
                least.insert(text(&to), total);
                found.push((to, total));
            }
        }
    }
    found.retain(|(cube, at)| least[&text(cube)] == *at);
    found
}

/// `R=2,R2=3`: R and R' cost 2, R2 costs 3. A definition with these costs agrees.
#[test]
fn costs_of_moves_and_of_single_turns_count() {
    let costs = "R=2,R2=3";
    let of = |name: &str| match name {
        "R2" => 3,
        "R" | "R'" => 2,
        _ => 1,
    };
    let settings = || Settings::default().cost(costs).memory(64 << 20);
    let file = crate::definition("3x3x3.tws");
    let [built_in, defined] = ["3x3x3", &file].map(|name| crate::configured(name, &settings()));
    let cubes = cheapest(of, 4);
    for (cube, least) in cubes.iter().step_by(cubes.len() / 25) {
        let answer = built_in.solve(&text(cube), &Request::default()).expect("solved");
        assert_eq!((answer.optimal, answer.upper_bound), (true, Some(*least)));
        // The plan's inverse leads to the cube in the definition.
        let state = built_in.invert(&answer.plans[0].join(" ")).expect("moves").join(" ");
        if !state.is_empty() {
            let other = defined.solve(&state, &Request::default()).expect("solved");
            assert_eq!((other.optimal, other.upper_bound), (true, Some(*least)), "{state}");
        }
    }
}

/// `R=2`: a half turn of R costs 2 in half turns, 4 in quarter turns.
#[test]
fn a_cost_is_that_of_what_counts_as_one_move() {
    for (metric, cost) in [(MetricChoice::HalfTurn, 2), (MetricChoice::QuarterTurn, 4)] {
        for name in ["3x3x3", &crate::definition("3x3x3.tws"), "2x2x2"] {
            let settings = Settings::default().metric(metric).cost("R=2,L=2").memory(64 << 20);
            let answer = crate::configured(name, &settings)
                .solve("R2", &Request::default())
                .expect("solved");
            assert_eq!((answer.optimal, answer.upper_bound), (true, Some(cost)), "{name} {metric}");
        }
    }
    // A robot turns both layers at once, as slowly as the slower.
    let settings = Settings::default().metric(MetricChoice::Axial).cost("U=3,D2=2");
    let answer = puzzle(settings).solve("U D2", &Request::default()).expect("solved");
    assert_eq!(answer.upper_bound, Some(3));
}

/// A move and its inverse may cost differently. Counts and plans are about the way to the goal: the
/// same cross, whose states a plain search reaches by moves that are undone.
#[test]
fn costs_of_a_move_and_of_its_inverse_may_differ() {
    let costs = "R'=4,U=3,F2=2";
    let of = |name: &str| match name {
        "R'" => 4,
        "U" | "U2" | "U'" => 3,
        "F2" => 2,
        _ => 1,
    };
    // To undo a move from the solved cube costs what its inverse costs.
    let undone = |name: &str| match name.strip_suffix('\'') {
        Some(turn) => of(turn),
        None if name.ends_with('2') => of(name),
        None => of(&format!("{name}'")),
    };
    let domain = Cube3::new(CubeMetric::HalfTurn);
    let cross = |cube: &Cube| {
        let text = text(cube);
        // Edges of D, and the stickers beside them: each face has nine, in the order U R F D L B.
        let at = [28, 30, 32, 34, 16, 25, 43, 52];
        let solved = self::text(&Cube::SOLVED);
        at.iter().all(|&at| text.as_bytes()[at] == solved.as_bytes()[at])
    };
    let settings = || Settings::default().cost(costs).memory(64 << 20);
    let [whole, with_goal] =
        [settings(), settings().goal("cross:D")].map(|one| crate::configured("3x3x3", &one));
    let cubes = cheapest(undone, 3);
    for (cube, least) in cubes.iter().step_by(cubes.len() / 25) {
        let answer = whole.solve(&text(cube), &Request::default()).expect("solved");
        assert_eq!((answer.optimal, answer.upper_bound), (true, Some(*least)));
        let answer = with_goal.solve(&text(cube), &Request::default()).expect("solved");
        let least = within(&domain, *cube, &of, &cross, *least);
        assert_eq!((answer.optimal, answer.upper_bound), (true, Some(least)));
    }
    // The cross: all states at each distance to the goal.
    let mut counts = Vec::new();
    let tell = &mut |_: usize, count| counts.push(count);
    let exhaustive = with_goal.exhaustive().expect("counts");
    let farthest = exhaustive.count_all(3, &Request::default(), tell).expect("counted");
    assert_eq!(counts.iter().sum::<u128>(), 190_080);
    for state in farthest {
        let answer = with_goal.solve(&state, &Request::default()).expect("solved");
        assert_eq!(answer.upper_bound, Some(counts.len() as u64 - 1), "{state}");
    }
}

/// The least cost from a cube to a goal, if it is at most `most`: a search without tables.
fn within(
    domain: &Cube3,
    from: Cube,
    cost: &impl Fn(&str) -> u64,
    is_goal: &impl Fn(&Cube) -> bool,
    most: u64,
) -> u64 {
    if is_goal(&from) {
        return 0;
    }
    let ops = (0..domain.operators()).map(Op::new);
    let after = |op| {
        let (mut to, paid) = (from, cost(&domain.name(op)));
        domain.apply_into(&from, op, &mut to);
        (paid <= most).then(|| paid + within(domain, to, cost, is_goal, most - paid))
    };
    ops.filter_map(after).min().unwrap_or(1000)
}
