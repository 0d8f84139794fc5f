//! Predicted nodes of sums of tables that forget the blank. They are not consistent.

use crate::tables::{sums, tables};
use fewest_tiles::{BlankRegion, Board, DirectTables, Puzzle8, TableLayout, Tiles};
use search::predict::{ConditionalSampler, Distribution, predict};
use search::stored::Layers;
use search::{
    Contexts, Cost, Domain, Heuristic, InversePruning, Limits, MaxOfSums, OpSet, Options,
    Reversible, ida_star,
};

/// For each start context: the number of strings without an operator and its inverse in a row, by
/// length and by the context in which the last operator starts.
fn strings<const R: usize, const C: usize>(
    domain: &Tiles<u64, R, C>,
    length: usize,
) -> Vec<Vec<Vec<f64>>> {
    let contexts = domain.contexts();
    let none = vec![0.0; contexts];
    let from = |start: usize| {
        // Indexed by context and last operator; operator 4 stands for none.
        let mut ends = vec![[0.0; 5]; contexts];
        ends[start][4] = 1.0;
        let mut counts = vec![none.clone()];
        counts[0][start] = 1.0;
        for _ in 0..length {
            let (mut next, mut starts) = (vec![[0.0; 5]; contexts], none.clone());
            for context in 0..contexts {
                let board = domain.representative(context);
                for op in domain.applicable(&board).members() {
                    let mut to = board;
                    domain.apply_into(&board, op, &mut to);
                    let undone = domain.inverse_op(op).index();
                    let all = (0..5).filter(|&last| last != undone);
                    let strings: f64 = all.map(|last| ends[context][last]).sum();
                    next[domain.context(&to)][op.index()] += strings;
                    starts[context] += strings;
                }
            }
            ends = next;
            counts.push(starts);
        }
        counts
    };
    (0..contexts).map(from).collect()
}

/// Mean generated nodes of iterations, and what is predicted by the formula and by conditional
/// distributions.
#[derive(Debug)]
struct PredictionCheck {
    measured: f64,
    formula: f64,
    conditional: f64,
}

/// Predicts from `samples`, and searches from those of `starts` that have the parity of the bound.
fn told<H: Heuristic<Tiles<u64, R, C>>, const R: usize, const C: usize>(
    domain: &Tiles<u64, R, C>,
    heuristic: &H,
    (starts, samples): (&[Board<u64>], &[Board<u64>]),
    bound: Cost,
) -> PredictionCheck {
    let parity = |board: &Board<u64>| domain.parity(board) == Some(bound % 2 == 1);
    let limits = Limits { bound: Some(bound), ..Limits::default() };
    let options = Options { limits, lower_bound: bound, plans: usize::MAX, ..Options::default() };
    let starts: Vec<&Board<u64>> = starts.iter().filter(|board| parity(board)).collect();
    let nodes = |start: &&Board<u64>| {
        ida_star(domain, heuristic, &InversePruning, start, &options).generated() as f64
    };
    let measured = starts.iter().map(nodes).sum::<f64>() / starts.len() as f64;

    let mut sampler = ConditionalSampler::new(domain, heuristic, &InversePruning, 1);
    sampler.add_starts(samples.iter().copied());
    let sampled = sampler.finish();
    let mut counts = vec![vec![0; 100]; domain.contexts()];
    for board in samples {
        counts[domain.context(board)][usize::from(heuristic.estimate(domain, board))] += 1;
    }
    let distributions: Vec<_> = counts.iter().map(|c| Distribution::from_counts(c)).collect();
    let strings = strings(domain, usize::from(bound) + 1);
    let contexts = 0..domain.contexts();
    let contexts: Vec<usize> =
        contexts.filter(|&context| parity(&domain.representative(context))).collect();
    let mean = |nodes: &dyn Fn(usize) -> f64| {
        contexts.iter().map(|&context| nodes(context)).sum::<f64>() / contexts.len() as f64
    };
    PredictionCheck {
        measured,
        formula: mean(&|context| predict(&strings[context], &distributions, bound.into())),
        conditional: mean(&|context| sampled.predict(context, bound).generated),
    }
}

fn error(predicted: f64, measured: f64) -> f64 {
    (predicted / measured - 1.0).abs()
}

#[test]
fn all_boards_of_the_8_puzzle_are_predicted() {
    let domain = Puzzle8::new();
    let options = Options::default();
    let mut layers = Layers::new(&domain, &[domain.goal()], &options);
    while layers.advance().unwrap() > 0 {}
    let mut boards = Vec::new();
    (0..layers.sizes().len()).for_each(|layer| layers.for_each(layer, |board| boards.push(*board)));
    assert_eq!(boards.len(), 181_440);
    let tables = tables(&domain, &[vec![1, 2, 3, 4], vec![5, 6, 7, 8]], TableLayout::Direct);
    let members = DirectTables::<16>::new(&domain, &tables, true, BlankRegion::Forgotten).unwrap();
    let sums = sums(&members, &domain, 2);
    let heuristic = MaxOfSums::<_, _, 1, 16>::new(&domain, members, &sums).unwrap();
    for bound in 13..=15 {
        let told = told(&domain, &heuristic, (&boards, &boards), bound);
        assert!(error(told.conditional, told.measured) < 0.06, "{bound}: {told:?}");
        assert!(error(told.formula, told.measured) > 0.2, "{bound}: {told:?}");
    }
}
