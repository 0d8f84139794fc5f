//! Rules about moves: which operators they name, and the costs of plans under them. Cuts of
//! duplicate pairs must keep at least one of the cheapest plans.

use crate::puzzles::{POCKET, tws};
use fewest_permutation::{
    Definition, GeneralPuzzle, LabelState, MoveMetric, Operators, ReadLimits, ReferencePuzzle,
    Transformation,
};
use search::plan::{Invalid, validate};
use search::random::Random;
use search::{
    ConstrainedDomain, Domain, NoPruning, Op, OpSet, OperatorRules, Options, Outcome, Zero,
    ida_star,
};
use std::collections::{BTreeMap, BTreeSet};

fn names(operators: &Operators, ops: &[Op]) -> Vec<String> {
    ops.iter().map(|op| operators.list[op.index()].name.clone()).collect()
}

/// The rules of a definition with these lines, in names of operators: first the forbidden pairs,
/// then the limits.
fn rules_of(text: &str, metric: MoveMetric) -> Result<(Vec<String>, Vec<String>), String> {
    let definition = Definition::from_tws(&format!("{POCKET}{text}"), &ReadLimits::default());
    let definition = definition.map_err(|error| error.to_string())?;
    let operators = definition.operators(metric).map_err(|error| error.to_string())?;
    let rules = definition.operator_rules(&operators).map_err(|error| error.to_string())?;
    let pairs = rules.forbidden.iter().map(|pair| names(&operators, pair).join(" ")).collect();
    let limit = |(of, most): &(Vec<Op>, u32)| format!("{} {most}", names(&operators, of).join("+"));
    Ok((pairs, rules.limits.iter().map(limit).collect()))
}

#[test]
fn rules_name_operators() {
    let is = |text: &str, metric, pairs: &[&str], limits: &[&str]| {
        let (found_pairs, found_limits) = rules_of(text, metric).expect(text);
        assert_eq!((found_pairs, found_limits), (owned(pairs), owned(limits)), "{text}");
    };
    let turn = MoveMetric::Turn;
    is("ForbiddenPairs\nU R2\nF' F'\nEnd", turn, &["U R2", "F' F'"], &[]);
    // Turns with the same effect under other names, and names for turns.
    is(
        "MoveAlias T U\nNamedSequence H R2\nForbiddenPairs\nU3 H\nT2' F\nEnd\n",
        turn,
        &["U' R2", "U2 F"],
        &[],
    );
    is("ForbiddenGroups\nU R2\nEnd", turn, &["U R2", "R2 U"], &[]);
    is("MoveLimits\nF2 1\nF* 2\nU' 0\nEnd", turn, &[], &["U' 0", "F2 1", "F+F2+F' 2"]);
    is("MoveLimits\nF* 2\nEnd", MoveMetric::Quarter, &[], &["F+F' 2"]);
    // All turns of a name for a half turn are half turns.
    is("NamedSequence H R2\nMoveLimits\nH* 3\nEnd", turn, &[], &["R2 3"]);
    // Searches make no rotations, so rules about them have no effect.
    let rotation = "MoveTransformation x\nCORNERS\n1 2 3 0 4 5 6\nEnd\n";
    let text = format!("{rotation}ForbiddenPairs\nx U\nU R\nEnd\nMoveLimits\nx 1\nx* 0\nEnd");
    is(&text, turn, &["U R"], &[]);
}

fn owned(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn rules_about_what_takes_several_operators_are_refused() {
    for (text, metric, wrong) in [
        ("ForbiddenPairs\nU2 R\nEnd", MoveMetric::Quarter, "found a rule about `U2`"),
        ("MoveLimits\nU2 1\nEnd", MoveMetric::Quarter, "found a rule about `U2`"),
        ("ForbiddenPairs\nU4 R\nEnd", MoveMetric::Turn, "found a rule about `U4`"),
        (
            "NamedSequence S U R\nForbiddenPairs\nS R\nEnd",
            MoveMetric::Turn,
            "found a rule about `S`",
        ),
        ("NamedSequence S U R\nMoveLimits\nS* 1\nEnd", MoveMetric::Turn, "found a rule about `S`"),
    ] {
        let error = rules_of(text, metric).expect_err(text);
        assert!(error.starts_with(wrong), "{error}");
    }
}

/// Two moves with the same effect become one operator, unless a rule names one of them. Then the
/// other one is a way around the rule.
#[test]
fn operators_that_do_the_same_are_kept_where_rules_tell_them_apart() {
    let same = "Move V\nCORNERS\n4 1 2 3 5 6 7\nEnd\n";
    let count = |text: &str| {
        let definition = tws(&format!("{POCKET}{same}{text}"));
        let operators = definition.operators(MoveMetric::Turn).expect("operators");
        let inverses = operators.inverses();
        let moves: Vec<_> = operators.list.iter().map(|op| op.turn.of).collect();
        for (op, back) in inverses.iter().enumerate() {
            assert_eq!(moves[op], moves[back.expect("an inverse")], "{text}");
        }
        (operators.list.len(), operators.notes.len())
    };
    assert_eq!(count(""), (9, 3));
    assert_eq!(count("MoveLimits\nF 1\nEnd"), (9, 3));
    assert_eq!(count("MoveLimits\nV 1\nEnd"), (12, 0));
    assert_eq!(count("ForbiddenPairs\nF U2\nEnd"), (12, 0));
}

/// A puzzle of six beads. It has a ring of four beads and two swaps, one of which commutes with the
/// ring.
const BEADS: &str = include_str!("../puzzles/beads.tws");

/// Random rules about turns of the beads, and random costs, as lines of a definition.
fn random_rules(random: &mut Random, turns: &[&str]) -> String {
    let mut below = |n: usize| usize::try_from(random.below(n as u64)).expect("small");
    let mut text = format!("MoveCost A {}\nMoveCost B {}\n", 1 + below(2), 1 + below(3));
    text += "ForbiddenPairs\n";
    for _ in 0..below(8) {
        text += &format!("{} {}\n", turns[below(turns.len())], turns[below(turns.len())]);
    }
    text += "End\nMoveLimits\n";
    for _ in 0..below(4) {
        let limited = [turns[below(turns.len())], "A*", "B*", "C*"][below(4)];
        text += &format!("{limited} {}\n", 1 + below(4));
    }
    text + "End\n"
}

/// For each state: the least cost of a string under the rules that leads there from the start. A
/// slow, simple search over states, last operators and how often each operator was used.
fn distances(
    definition: &Definition,
    operators: &Operators,
    rules: &OperatorRules,
    most: u32,
) -> BTreeMap<Vec<u16>, u32> {
    type Node = (u32, Vec<u16>, Option<usize>, Vec<u32>);
    let ops = &operators.list;
    let mut open: BTreeSet<(Node, Vec<usize>)> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut found = BTreeMap::new();
    let start = definition.start().pieces(0).to_vec();
    open.insert(((0, start, None, vec![0; rules.limits.len()]), Vec::new()));
    while let Some(((cost, state, last, counts), path)) = open.pop_first() {
        if !seen.insert((state.clone(), last, counts.clone())) {
            continue;
        }
        found.entry(state.clone()).or_insert(cost);
        for (number, op) in ops.iter().enumerate() {
            let forbidden =
                |pair: &[Op; 2]| Some(pair[0].index()) == last && pair[1].index() == number;
            let mut counts = counts.clone();
            for ((of, _), count) in rules.limits.iter().zip(&mut counts) {
                *count += u32::from(of.contains(&Op::new(number)));
            }
            let spent = rules.limits.iter().zip(&counts).any(|((_, most), count)| count > most);
            let cost = cost + u32::from(op.cost);
            if spent || cost > most || rules.forbidden.iter().any(forbidden) {
                continue;
            }
            let from = op.transformation.permutation(0);
            let to = from.iter().map(|&slot| state[usize::from(slot)]).collect();
            open.insert(((cost, to, Some(number), counts), [&path[..], &[number]].concat()));
        }
    }
    found
}

/// The definition of the beads with random rules, its operators in a metric, and its rules about
/// operators.
fn ruled_beads(seed: u64, metric: MoveMetric) -> (Definition, Operators, OperatorRules) {
    let turns: &[&str] = match metric {
        MoveMetric::Turn => &["A", "A2", "A'", "B", "C"],
        MoveMetric::Quarter => &["A", "A'", "B", "C"],
    };
    let mut random = Random::new(seed);
    let definition = tws(&format!("{BEADS}{}", random_rules(&mut random, turns)));
    let operators = definition.operators(metric).expect("operators");
    let rules = definition.operator_rules(&operators).expect("rules");
    (definition, operators, rules)
}

/// If the cut pairs are forbidden in addition, every state is still as far from the start as
/// without them.
#[test]
fn cuts_lose_no_distance_under_random_rules() {
    let (mut cuts, mut farther) = (0, 0);
    for seed in 0..60 {
        let metric = [MoveMetric::Turn, MoveMetric::Quarter][usize::from(seed % 3 == 0)];
        let (definition, operators, rules) = ruled_beads(seed, metric);
        let known = distances(&definition, &operators, &rules, 8);
        let free = distances(&definition, &operators, &OperatorRules::default(), 8);
        farther += u32::from(known != free);
        for all in [false, true] {
            let pairs =
                definition.duplicate_pairs(&operators, &rules, all, &|| false).expect("pairs");
            cuts += pairs.len();
            let mut more = rules.clone();
            more.forbidden.extend(pairs.iter().map(|cut| cut.pair));
            assert_eq!(distances(&definition, &operators, &more, 8), known, "seed {seed}");
        }
    }
    assert!(cuts > 400 && farther > 30, "{cuts} cuts, {farther} with longer plans");
}

/// All strings up to a cost that the rules allow, each with its effect.
fn strings(
    operators: &Operators,
    rules: &OperatorRules,
    most: u32,
) -> Vec<(Vec<Op>, Transformation)> {
    let identity = Transformation::identity(operators.list[0].transformation.orbits());
    let mut all = vec![(Vec::new(), identity)];
    let mut next = 0;
    while next < all.len() {
        let (string, made) = all[next].clone();
        next += 1;
        for (op, operator) in (0..).map(Op).zip(&operators.list) {
            let longer = [&string[..], &[op]].concat();
            let counted = |of: &[Op]| longer.iter().filter(|op| of.contains(op)).count() as u64;
            let spent = rules.limits.iter().any(|(of, most)| counted(of) > u64::from(*most));
            let forbidden =
                longer.len() > 1 && rules.forbidden.contains(&[longer[longer.len() - 2], op]);
            if !spent && !forbidden && cost_of(operators, &longer) <= most {
                all.push((longer, made.then(&operator.transformation)));
            }
        }
    }
    all
}

fn cost_of(operators: &Operators, string: &[Op]) -> u32 {
    string.iter().map(|op| u32::from(operators.list[op.index()].cost)).sum()
}

/// Every cheapest plan of every state is kept, or it becomes a kept plan if neighbouring operators
/// that commute are exchanged.
#[test]
fn cuts_for_all_plans_lose_the_order_of_neighbours_at_most() {
    let mut lost = 0;
    for seed in 200..212 {
        let (definition, operators, rules) = ruled_beads(seed, MoveMetric::Turn);
        let known = distances(&definition, &operators, &rules, 5);
        let optimal = |rules: &OperatorRules| -> BTreeSet<Vec<Op>> {
            let all = strings(&operators, rules, 5).into_iter();
            let cheapest = all.filter(|(string, made)| {
                let state = definition.start().apply(made);
                known.get(state.pieces(0)) == Some(&cost_of(&operators, string))
            });
            cheapest.map(|(string, _)| string).collect()
        };
        let before = optimal(&rules);
        let mut more = rules.clone();
        let cuts = definition.duplicate_pairs(&operators, &rules, true, &|| false).expect("pairs");
        more.forbidden.extend(cuts.iter().map(|cut| cut.pair));
        let after = optimal(&more);
        assert!(after.is_subset(&before));
        let made = |op: Op| &operators.list[op.index()].transformation;
        let commute = |a: Op, b: Op| made(a).then(made(b)) == made(b).then(made(a));
        // The walk starts from the kept plans, and passes through all plans that keep the rules.
        let (mut reached, mut todo) = (after.clone(), Vec::from_iter(after));
        while let Some(string) = todo.pop() {
            for place in 1..string.len() {
                let mut other = string.clone();
                other.swap(place - 1, place);
                let same = commute(string[place - 1], string[place]) && before.contains(&other);
                if same && reached.insert(other.clone()) {
                    lost += 1;
                    todo.push(other);
                }
            }
        }
        assert_eq!(reached, before, "seed {seed}");
    }
    assert!(lost > 30, "{lost}");
}

/// Without rules, the cut pairs are two powers of one move, and one of both orders of moves that
/// commute.
#[test]
fn without_rules_all_pairs_of_one_move_and_half_of_those_that_commute_are_cut() {
    let definition = tws(BEADS);
    let operators = definition.operators(MoveMetric::Turn).expect("operators");
    let cut = |rules: &OperatorRules, all| {
        let pairs = definition.duplicate_pairs(&operators, rules, all, &|| false).expect("pairs");
        pairs.iter().map(|cut| names(&operators, &cut.pair).join(" ")).collect::<Vec<_>>()
    };
    let free = OperatorRules::default();
    let powers =
        ["A A", "A A2", "A A'", "A2 A", "A2 A2", "A2 A'", "A' A", "A' A2", "A' A'", "B B", "C C"];
    let mut expected = owned(&powers);
    expected.extend(owned(&["B A", "B A2", "B A'"]));
    let mut found = cut(&free, false);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    // Where every turn costs the same, one turn is strictly cheaper than two.
    assert_eq!(cut(&free, true).len(), expected.len());
    // A half turn that may be made once does not replace two quarter turns. Nor does a turn that
    // fewer turns may follow.
    let op = |name: &str| {
        Op::new(operators.list.iter().position(|op| op.name == name).expect("an operator"))
    };
    let limited = OperatorRules { limits: vec![(vec![op("A2")], 1)], ..OperatorRules::default() };
    assert!(!cut(&limited, false).contains(&"A A".to_owned()));
    assert!(cut(&limited, false).contains(&"A2 A".to_owned()));
    let pair = OperatorRules { forbidden: vec![[op("A"), op("B")]], ..OperatorRules::default() };
    let left = cut(&pair, false);
    for lost in ["B A", "A2 A2", "A2 A'"] {
        assert!(!left.contains(&lost.to_owned()), "{lost} in {left:?}");
    }
}

/// Under random rules, the search finds plans of the cost that an exhaustive search of the same
/// rules finds, and every plan replays on [`ReferencePuzzle`].
#[test]
fn plans_are_the_shortest_under_the_rules_and_pass_the_replay() {
    let mut solved = 0;
    for seed in 100..116 {
        let (definition, operators, rules) = ruled_beads(seed, MoveMetric::Turn);
        let puzzle =
            GeneralPuzzle::<32, u32>::new(definition.clone(), operators.clone()).expect("small");
        let known = distances(&definition, &operators, &rules, 8);
        let mut more = rules.clone();
        let cuts = definition.duplicate_pairs(&operators, &rules, false, &|| false).expect("pairs");
        more.forbidden.extend(cuts.iter().map(|cut| cut.pair));
        let ruled = ConstrainedDomain::new(&puzzle, &more).expect("rules");
        let reference = ReferencePuzzle::new(&definition, &operators);
        for moves in ["A C", "C A2 C", "A B C A'", "C A' C A C", "A2 C B A"] {
            let state = definition.parse_state(moves).expect("moves");
            let limits = search::Limits { bound: Some(8), ..search::Limits::default() };
            let options = Options { limits, ..Options::default() };
            let start = ruled.start(puzzle.state(&state));
            let report = ida_star(&ruled, &Zero, &NoPruning, &start, &options);
            // A plan of a state leads from the solved state to the inverse of that state.
            let cost = known.get(&inverse(state.pieces(0))).copied();
            match report.outcome {
                Outcome::Solved(plans) => {
                    let found = plans[0].iter().map(|&op| u32::from(puzzle.cost(op))).sum();
                    assert_eq!(Some(found), cost, "seed {seed}: {moves}");
                    assert_eq!(validate(&reference, &reference.start(&state), &plans[0]), Ok(()));
                    solved += 1;
                }
                _ => assert_eq!(cost, None, "seed {seed}: {moves}"),
            }
        }
    }
    assert!(solved > 40, "{solved}");
}

fn inverse(pieces: &[u16]) -> Vec<u16> {
    let mut out = vec![0; pieces.len()];
    for (slot, &piece) in (0..).zip(pieces) {
        out[usize::from(piece)] = slot;
    }
    out
}

#[test]
fn the_reference_puzzle_knows_the_rules() {
    let text = "MoveAlias T U\nForbiddenPairs\nT R2\nEnd\nMoveLimits\nF2 1\nF* 2\nEnd\n";
    let definition = tws(&format!("{POCKET}{text}"));
    let operators = definition.operators(MoveMetric::Turn).expect("operators");
    let reference = ReferencePuzzle::new(&definition, &operators);
    let check = |state: &str, plan: &str| {
        let ops = plan.split(' ').map(|name| {
            Op::new(operators.list.iter().position(|op| op.name == name).expect("an operator"))
        });
        let state = definition.parse_state(state).expect("moves");
        validate(&reference, &reference.start(&state), &ops.collect::<Vec<_>>())
    };
    let refused = |place, op| Err(Invalid::NotApplicable { place, op: Op(op) });
    assert_eq!(check("R2 U'", "U R2"), refused(1, 4));
    assert_eq!(check("R2 U2", "U2 R2"), Ok(()));
    assert_eq!(check("R2 U2", "U2 R"), Err(Invalid::NotSolved));
    assert_eq!(check("F2 U2 F2", "F2 U2 F2"), refused(2, 7));
    assert_eq!(check("F2 U2 F'", "F U2 F2"), Ok(()));
    assert_eq!(check("F2 U F2 U'", "U F F U' F F"), refused(4, 6));
}

/// A puzzle with two moves of different slots, a move of all slots, tied pieces and illegal states.
const TIED: &str = include_str!("../puzzles/tied.tws");

/// If states are illegal or pieces are tied together, moves of different slots are made in one
/// order only. Every state is still reached at the same distance.
#[test]
fn cuts_of_moves_apart_lose_no_state() {
    let square = include_str!("../../puzzles/square-1.tws");
    for (text, pair, depth) in [(square, ["D", "U"], 5), (TIED, ["B", "A"], 7)] {
        let definition = Definition::from_tws(text, &ReadLimits::default()).expect("a puzzle");
        let operators = definition.operators(MoveMetric::Turn).expect("operators");
        let cuts = definition
            .duplicate_pairs(&operators, &OperatorRules::default(), true, &|| false)
            .expect("pairs");
        let cuts: BTreeSet<[Op; 2]> = cuts.iter().map(|cut| cut.pair).collect();
        let named: Vec<_> = cuts.iter().map(|cut| names(&operators, cut)).collect();
        assert!(named.contains(&owned(&pair)) && !named.contains(&owned(&[pair[1], pair[0]])));
        let puzzle = GeneralPuzzle::<32, u32>::new(definition.clone(), operators).expect("small");
        let start = puzzle.state(definition.start());
        let (mut all, mut free) = (BTreeSet::from([start]), BTreeSet::from([(start, None)]));
        let mut kept = BTreeSet::from([start]);
        for depth in 1..=depth {
            let next = |state: LabelState<32>, op| {
                let mut to = state;
                puzzle.apply_into(&state, op, &mut to);
                to
            };
            let ops =
                |state: &LabelState<32>| puzzle.applicable(state).members().collect::<Vec<Op>>();
            let last = all.clone();
            last.iter().for_each(|s| all.extend(ops(s).iter().map(|&op| next(*s, op))));
            let mut strings = BTreeSet::new();
            for (state, before) in free {
                let may = |op: &Op| before.is_none_or(|before| !cuts.contains(&[before, *op]));
                let allowed = ops(&state).into_iter().filter(may);
                strings.extend(allowed.map(|op| (next(state, op), Some(op))));
            }
            kept.extend(strings.iter().map(|&(state, _)| state));
            free = strings;
            assert!(all == kept, "{pair:?} at depth {depth}: {} of {}", kept.len(), all.len());
        }
        assert!(all.len() > 100);
    }
}
