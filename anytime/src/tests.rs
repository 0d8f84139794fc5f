//! Plans are replayed by products of permutations, and compared with those of all states.

use crate::{
    BeamOptions, ChainBeam, Effort, Generators, PieceHome, Pieces, Planner, Technique, WordChain,
};
use groups::testing::small_groups;
use groups::{Permutation, StabilizerChain};
use rustc_hash::FxHashMap;
use search::random::Random;
use search::{Cost, Op, PlanRound};
use std::collections::VecDeque;

/// Enough for groups of a few points.
pub(crate) const EFFORT: Effort =
    Effort { words: 200, lookups: 300_000, bytes: 1 << 20, lessons: 50_000 };

pub(crate) fn cycles(points: usize, cycles: &[&[u16]]) -> Permutation {
    Permutation::from_cycles(points, cycles).expect("cycles")
}

/// The permutations and their inverses, all of cost 1.
pub(crate) fn with_inverses(points: usize, turns: &[Permutation]) -> Generators {
    let both = turns.iter().flat_map(|turn| [turn.clone(), turn.inverse()]);
    let mut all: Vec<Permutation> = both.collect();
    all.sort();
    all.dedup();
    Generators::new(points, all.into_iter().map(|turn| (turn, 1)).collect(), &|| false)
        .expect("inverses")
}

pub(crate) fn chain(generators: &Generators, pieces: Pieces) -> WordChain {
    WordChain::new(generators.clone(), pieces, EFFORT, &|| false).expect("a chain")
}

pub(crate) fn product(generators: &Generators, word: &[Op]) -> Permutation {
    let points = generators.points();
    let identity = Permutation::identity(points).expect("few points");
    word.iter().fold(identity, |product, op| product.then(&generators.elements()[op.index()]))
}

/// A ring of eight points and one of six that share two, with turns of different costs.
pub(crate) fn rings(costs: [Cost; 2]) -> Generators {
    let rings: [&[u16]; 2] = [&[0, 1, 2, 3, 4, 5, 6, 7], &[6, 7, 8, 9, 10, 11]];
    let both = rings.into_iter().zip(costs).flat_map(|(ring, cost)| {
        let turn = cycles(12, &[ring]);
        [(turn.inverse(), cost), (turn, cost)]
    });
    Generators::new(12, both.collect(), &|| false).expect("inverses")
}

/// A group of 1,152 elements on two places of four turns and four of one, with its costs.
pub(crate) fn turning(costs: [Cost; 2]) -> (Generators, Pieces) {
    let a = (cycles(12, &[&[0, 4, 1, 5, 2, 6, 3, 7], &[8, 9]]), costs[0]);
    let b = (cycles(12, &[&[0, 1, 2, 3], &[8, 9, 10, 11]]), costs[1]);
    let back = |(turn, cost): &(Permutation, Cost)| (turn.inverse(), *cost);
    let operators = vec![back(&a), back(&b), a, b];
    let generators = Generators::new(12, operators, &|| false).expect("inverses");
    let homes = [0, 4, 8, 9, 10, 11];
    let piece = |(class, home)| PieceHome { home, class, step: 0 };
    (generators, Pieces::new((0..).zip(homes).map(piece).collect(), &[4, 4, 1, 1, 1, 1]))
}

/// What work gives on one thread, on two and on seven.
pub(crate) fn on_threads<T: Send>(work: impl Fn() -> T + Sync) -> [T; 3] {
    [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(&work)
    })
}

/// The shortest plan that a planner finds, and the lengths of all that it tells.
pub(crate) fn improve(chain: &WordChain, images: &[u16], nodes: u64) -> (Vec<Op>, Vec<u32>) {
    let (mut best, mut costs) = (Vec::new(), Vec::new());
    Planner::new(chain, 1 << 28).improve(images, nodes, &|| false, &mut |_, plan| {
        costs.push(chain.generators().cost_of(plan));
        best = plan.to_vec();
    });
    (best, costs)
}

/// Every element of these groups gets a plan. It solves the element, and later plans are cheaper.
#[test]
fn every_element_gets_a_plan() {
    for (name, points, turns) in small_groups() {
        let generators = with_inverses(points, &turns);
        let pieces = Pieces::of_points(u16::try_from(points).expect("few points"));
        let chain = chain(&generators, pieces);
        assert!(chain.is_whole(), "{name}");
        let group = StabilizerChain::new(points, &turns, &[]).expect("a group");
        let mut random = Random::new(1);
        for _ in 0..20 {
            let element = group.random(|below| random.below(below));
            let (plan, costs) = improve(&chain, element.images(), 20_000);
            assert!(element.then(&product(&generators, &plan)).is_identity(), "{name}");
            assert!(costs.windows(2).all(|pair| pair[1] < pair[0]), "{name}: {costs:?}");
        }
    }
}

/// The words of a level fix the base points before and take their point to the base point.
#[test]
fn words_are_what_they_say() {
    for (name, points, turns) in small_groups() {
        let generators = with_inverses(points, &turns);
        let chain = chain(&generators, Pieces::of_points(u16::try_from(points).expect("few")));
        for (number, level) in chain.levels.iter().enumerate() {
            for (point, entries) in (0..).zip(&level.entries) {
                let costs: Vec<u32> = entries.iter().map(|entry| entry.cost).collect();
                assert!(costs.is_sorted(), "{name}");
                for entry in entries {
                    assert_eq!(product(&generators, &entry.word), entry.element, "{name}");
                    assert_eq!(entry.cost, generators.cost_of(&entry.word), "{name}");
                    assert_eq!(entry.element.image(point), level.base, "{name}");
                    let fixed = chain.levels[..number].iter().map(|before| before.base);
                    assert!(fixed.clone().all(|base| entry.element.image(base) == base), "{name}");
                }
            }
        }
    }
}

/// The least cost of each element, by a plain search in the order of costs.
pub(crate) fn all_costs(generators: &Generators) -> FxHashMap<Permutation, u32> {
    let identity = Permutation::identity(generators.points()).expect("few points");
    let mut costs = FxHashMap::from_iter([(identity.clone(), 0)]);
    let mut queue = VecDeque::from([identity]);
    while let Some(element) = queue.pop_front() {
        let cost = costs[&element];
        for (op, turn) in generators.elements().iter().enumerate() {
            let (next, cost) = (element.then(turn), cost + u32::from(generators.cost(Op::new(op))));
            if costs.get(&next).is_none_or(|&known| cost < known) {
                costs.insert(next.clone(), cost);
                queue.push_back(next);
            }
        }
    }
    costs
}

/// No plan costs less than the least cost, and on a small group a wide beam finds that.
#[test]
fn plans_of_a_small_group_are_near_the_least_cost() {
    let turn = |costs: (&[u16], Cost)| (cycles(6, &[costs.0]), costs.1);
    let (a, b) = (turn((&[0, 1, 2, 3], 1)), turn((&[2, 3, 4, 5], 2)));
    let back = |turn: &(Permutation, Cost)| (turn.0.inverse(), turn.1);
    let generators =
        Generators::new(6, vec![back(&a), back(&b), a, b], &|| false).expect("inverses");
    let chain = chain(&generators, Pieces::of_points(6));
    let costs = all_costs(&generators);
    let (mut found, mut least) = (0, 0);
    for (element, &cost) in &costs {
        let (plan, _) = improve(&chain, element.images(), 100_000);
        assert!(element.then(&product(&generators, &plan)).is_identity());
        assert!(generators.cost_of(&plan) >= cost);
        found += generators.cost_of(&plan);
        least += cost;
    }
    assert!(found * 100 <= least * 105, "{found} for {least}");
}

/// Six pieces of two colours: a plan brings each colour home, in fewer operators than if all
/// pieces differed.
#[test]
fn pieces_that_look_alike_may_change_homes() {
    let swaps: Vec<_> = (0..5).map(|i| cycles(6, &[&[i, i + 1]])).collect();
    let generators = with_inverses(6, &swaps);
    let piece = |home| PieceHome { home, class: home / 3, step: 0 };
    let pieces = Pieces::new((0..6).map(piece).collect(), &[1; 6]);
    assert!(!pieces.are_distinct());
    let chain = chain(&generators, pieces);
    // The colours have changed places: 9 swaps. The order within a colour is of no matter.
    let images = [3, 5, 4, 1, 0, 2];
    let (plan, _) = improve(&chain, &images, 100_000);
    let end: Vec<u16> = {
        let product = product(&generators, &plan);
        images.iter().map(|&point| product.image(point)).collect()
    };
    assert!(end.iter().enumerate().all(|(piece, &at)| usize::from(at) / 3 == piece / 3));
    assert_eq!(plan.len(), 9);
}

/// Two places of three turns each. Where a turn does not matter, the shorter plan is found.
#[test]
fn turns_that_do_not_matter_cost_nothing() {
    let turn = [cycles(6, &[&[0, 1, 2]]), cycles(6, &[&[3, 4, 5]])];
    let generators = with_inverses(6, &turn);
    let of = |step| {
        let piece = |home| PieceHome { home, class: home, step: if home == 3 { step } else { 0 } };
        chain(&generators, Pieces::new([0, 3].map(piece).into(), &[3, 3]))
    };
    // Both pieces are turned once.
    assert_eq!(improve(&of(0), &[1, 4], 1_000).0.len(), 2);
    assert_eq!(improve(&of(1), &[1, 4], 1_000).0.len(), 1);
}

/// The answer does not depend on the number of threads.
#[test]
fn plans_are_the_same_for_any_number_of_threads() {
    let (_, points, turns) = small_groups().pop().expect("groups");
    let generators = with_inverses(points, &turns);
    let chain = chain(&generators, Pieces::of_points(u16::try_from(points).expect("few")));
    let group = StabilizerChain::new(points, &turns, &[]).expect("a group");
    let mut random = Random::new(2);
    let element = group.random(|below| random.below(below));
    let plans = on_threads(|| improve(&chain, element.images(), 50_000));
    assert!(plans[1..].iter().all(|plan| *plan == plans[0]));
}

/// Wide beams begin with words for some first pieces, or for all. Their words solve the state, for
/// any costs and number of threads, also where the first pieces are home.
#[test]
fn wide_beams_solve_what_narrow_ones_do() {
    let (turning, places) = turning([2, 7]);
    let like = PieceHome { home: 0, class: 0, step: 0 };
    let alike = (0..12).map(|home| PieceHome { home, class: home / 3, ..like }).collect();
    let mut counts = Vec::new();
    for (generators, pieces) in [
        (rings([1, 1]), Pieces::of_points(12)),
        (rings([3, 10]), Pieces::of_points(12)),
        (rings([1, 255]), Pieces::of_points(12)),
        (rings([0, 1]), Pieces::of_points(12)),
        (rings([1, 2]), Pieces::new(alike, &[1; 12])),
        (turning, places),
    ] {
        let chain = chain(&generators, pieces);
        let options = BeamOptions { width: 2_000, weight: 1 };
        counts.push(chain.first_count(options.width));
        let beam = ChainBeam::new(&chain);
        for length in [0, 1, 2, 30] {
            let mut random = Random::new(length);
            let ops: Vec<Op> =
                (0..length).map(|_| Op::new(random.index(generators.len()))).collect();
            let images = chain.pieces().images(&product(&generators, &ops));
            let found = on_threads(|| beam.search(&[&images], options, &|| false).word);
            assert!(found[1..].iter().all(|word| *word == found[0]));
            let word = found[0].as_deref().expect("a word");
            let after = product(&generators, &ops).then(&product(&generators, word));
            let pieces = chain.pieces().list();
            let of_class = |class: u16| {
                pieces.iter().filter(move |piece| piece.class == class).map(|piece| piece.home)
            };
            let is_home = |piece: &PieceHome| {
                of_class(piece.class).any(|home| home == after.image(piece.home))
            };
            assert!(pieces.iter().all(is_home));
            assert!(length > 2 || generators.cost_of(word) <= generators.cost_of(&ops));
        }
    }
    assert_eq!(counts[3..5], [0, 0]);
    assert!([0, 1, 2, 5].iter().all(|&at| counts[at] > 1), "{counts:?}");
}

/// A planner with one technique tells only plans of that one, and finds them without the others.
#[test]
fn one_technique_plans_alone() {
    let mut found = [false; Technique::ALL.len()];
    for (_, points, turns) in small_groups() {
        let generators = with_inverses(points, &turns);
        let chain = chain(&generators, Pieces::of_points(u16::try_from(points).expect("few")));
        let group = StabilizerChain::new(points, &turns, &[]).expect("a group");
        let mut random = Random::new(6);
        let element = group.random(|below| random.below(below));
        for technique in Technique::ALL {
            let planner = Planner::new(&chain, 1 << 20).with_only(Some(technique));
            planner.improve(element.images(), 20_000, &|| false, &mut |by, plan| {
                assert_eq!(by, technique.name());
                assert!(element.then(&product(&generators, plan)).is_identity(), "{by}");
                found[technique as usize] = true;
            });
        }
    }
    assert!(found[Technique::Words as usize], "{found:?}");
}

/// A run that knows the rounds of earlier runs goes on as one that was never stopped, after any
/// round. Rounds that a limit cut short are told as such.
#[test]
fn a_run_goes_on_after_any_round() {
    let mut meetings = 0;
    for (name, points, turns) in small_groups() {
        let generators = with_inverses(points, &turns);
        let chain = chain(&generators, Pieces::of_points(u16::try_from(points).expect("few")));
        let planner = Planner::new(&chain, 1 << 20).with_seed(3);
        let group = StabilizerChain::new(points, &turns, &[]).expect("a group");
        let mut random = Random::new(4);
        let element = group.random(|below| random.below(below));
        let run = |known: &[PlanRound], nodes| {
            let (mut rounds, mut whole) = (Vec::new(), 0);
            let tell = &mut |round: &PlanRound, is_whole| {
                rounds.push(round.clone());
                whole += usize::from(is_whole);
            };
            let spent = planner.resume(element.images(), (known, nodes), &|| false, tell);
            (rounds, whole, spent)
        };
        let (all, whole, spent) = run(&[], 200_000);
        meetings += all.iter().filter(|round| round.by == Technique::Meet.name()).count();
        for known in 0..=whole {
            let (more, _, again) = run(&all[..known], 200_000);
            assert_eq!((&more[..], again), (&all[known..], spent), "{name} after {known}");
        }
        for nodes in [1, 1_000, 20_000, 50_000] {
            let (some, kept, _) = run(&[], nodes);
            assert_eq!(some[..kept], all[..kept], "{name}: {nodes} nodes");
        }
        let stopped =
            planner.resume(element.images(), (&all[..1], 9_000), &|| true, &mut |_, _| {
                panic!("{name}: a round of a run that is stopped")
            });
        assert_eq!(stopped, all[0].nodes, "{name}");
    }
    assert!(meetings > 0);
}

/// After the widest beam that fits, beams go on over the words of other bases.
#[test]
fn other_bases_follow_the_widest_beam() {
    let (name, points, turns) = small_groups().pop().expect("groups");
    let generators = with_inverses(points, &turns);
    let chain = chain(&generators, Pieces::of_points(u16::try_from(points).expect("few")));
    let orders = [0, 1, 2, 3].map(|base| {
        let other = chain.with_base(base, 1 << 20, &|| false).expect("words");
        assert!(other.is_whole(), "{name}, base {base}");
        other.levels.iter().map(|level| level.base).collect::<Vec<_>>()
    });
    assert!(orders[1..].iter().any(|order| *order != orders[0]), "{orders:?}");
    assert_eq!(orders[0], chain.levels.iter().map(|level| level.base).collect::<Vec<_>>());
    let group = StabilizerChain::new(points, &turns, &[]).expect("a group");
    let element = group.random(|below| Random::new(9).below(below));
    // No more than the narrowest beam fits.
    let bytes = 299 * ChainBeam::new(&chain).bytes_of_node();
    let planner = Planner::new(&chain, bytes).with_only(Some(Technique::Words));
    let rounds = on_threads(|| {
        let mut rounds = Vec::new();
        planner.resume(element.images(), (&[], 30_000), &|| false, &mut |round, _| {
            rounds.push(round.clone());
        });
        rounds
    });
    assert!(rounds[1..].iter().all(|other| *other == rounds[0]));
    assert!(rounds[0].len() > 2 * 2, "{}", rounds[0].len());
    let plans = rounds[0].iter().filter_map(|round| round.plan.as_ref());
    plans.for_each(|plan| assert!(element.then(&product(&generators, plan)).is_identity()));
}

/// Plans that are known become cheaper, or stay as they are.
#[test]
fn known_plans_are_shortened() {
    let generators = rings([1, 2]);
    let chain = chain(&generators, Pieces::of_points(12));
    let shorten = chain.shorten().expect("contents of places");
    let mut random = Random::new(8);
    let (mut before, mut after) = (0, 0);
    for _ in 0..20 {
        // A walk, and the walk back: a plan that is far too long.
        let walk: Vec<Op> = (0..30).map(|_| Op::new(random.index(generators.len()))).collect();
        let plan = generators.inverse_of(&walk);
        let element = product(&generators, &walk);
        let other = ChainBeam::new(&chain).search(
            &[element.images()],
            BeamOptions { width: 1, weight: 1 },
            &|| false,
        );
        let plans = [plan.clone(), other.word.expect("a word")];
        for count in 1..=2 {
            let round =
                shorten.search(element.images(), &plans[..count], (0, 1 << 22, 1 << 24), &|| false);
            let shorter = round.and_then(|round| round.plan).expect("a plan");
            assert!(element.then(&product(&generators, &shorter)).is_identity());
            let cost = |word: &[Op]| generators.cost_of(word);
            assert!(cost(&shorter) <= cost(&plans[count - 1]));
            before += cost(&plans[count - 1]);
            after += cost(&shorter);
        }
    }
    assert!(after * 2 < before, "{after} for {before}");
}

/// A word is simplified to the same element at no greater cost.
#[test]
fn simplified_words_are_the_same_element() {
    let (turn, other) = (cycles(8, &[&[0, 1, 2, 3]]), cycles(8, &[&[4, 5, 6, 7]]));
    let powers = |turn: &Permutation| {
        [turn.clone(), turn.then(turn), turn.inverse()].map(|power| (power, 1))
    };
    let generators =
        Generators::new(8, [powers(&turn), powers(&other)].concat(), &|| false).expect("inverses");
    let ops = |list: &[u16]| list.iter().map(|&op| Op(op)).collect::<Vec<_>>();
    // Quarter turns of both, in turn: two half turns.
    let mut word = ops(&[0, 3, 0, 3]);
    generators.simplify(&mut word);
    assert_eq!(word.len(), 2);
    let mut random = Random::new(3);
    for _ in 0..200 {
        let before: Vec<Op> = (0..12).map(|_| Op::new(random.index(6))).collect();
        let mut after = before.clone();
        generators.simplify(&mut after);
        assert_eq!(product(&generators, &after), product(&generators, &before));
        assert!(after.len() <= 2);
    }
}

/// An operator that nothing undoes is refused. A search that is stopped ends without a plan.
#[test]
fn what_cannot_be_done_is_said() {
    let turn = cycles(3, &[&[0, 1, 2]]);
    let error = Generators::new(3, vec![(turn.clone(), 1)], &|| false).expect_err("no inverse");
    assert_eq!(error.to_string(), "no operator of the same cost undoes operator 0");
    let generators = with_inverses(3, &[turn]);
    let stopped = WordChain::new(generators.clone(), Pieces::of_points(3), EFFORT, &|| true);
    assert!(stopped.is_err());
    let chain = chain(&generators, Pieces::of_points(3));
    let options = BeamOptions { width: 10, weight: 1 };
    assert_eq!(ChainBeam::new(&chain).search(&[&[1, 2, 0]], options, &|| true).word, None);
}
