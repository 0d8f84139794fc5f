//! How many operator strings an automaton leaves: exact counts, and the factor by which they grow.
//!
//! Both work on the product of automaton and contexts: a pair is followed by an operator if the automaton lets it through and it applies
//! in the context. Contexts are followed through their representatives, only pairs that can be reached are looked at. The counts are the
//! nodes of a brute-force tree, layer by layer; the factor is their asymptotic growth.
//!
//! Source: Richard Korf and Stefan Edelkamp, "The branching factor of regular search spaces", AAAI 1998, sections 3 and 4. We differ: the
//! factor is enclosed, not only approached.

use crate::automaton::{Automaton, AutomatonState};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use search::{Contexts, Op, OpSet};

/// Relative width of the enclosure at which the iteration ends.
const TOLERANCE: f64 = 1e-12;
/// Rounds after which it ends anyway.
const ROUNDS: usize = 1_000_000;

/// No number yet.
const NONE: u32 = u32::MAX;

/// The reachable pairs of automaton state and context, as lists of successors.
struct Product {
    /// By pair: where its successors begin; one more entry for the end.
    begins: Vec<usize>,
    successors: Vec<u32>,
    /// By pair: its context.
    contexts: Vec<u32>,
}

impl Product {
    /// The pairs reachable from the start of the automaton in the given contexts, which get the first numbers.
    fn new<D: Contexts>(
        domain: &D,
        automaton: &Automaton<D::Ops>,
        starts: impl Iterator<Item = usize>,
    ) -> Self {
        let contexts = domain.contexts();
        let transitions: Vec<Vec<Option<usize>>> =
            (0..contexts).map(|context| transitions(domain, context)).collect();
        let mut number = vec![NONE; automaton.states() * contexts];
        let mut pairs: Vec<(AutomatonState, usize)> = Vec::new();
        let mut find = |pairs: &mut Vec<_>, at: AutomatonState, context: usize| {
            let number = &mut number[at.index() * contexts + context];
            if *number == NONE {
                *number = u32::try_from(pairs.len()).unwrap_or(NONE);
                pairs.push((at, context));
            }
            *number
        };
        for context in starts {
            find(&mut pairs, automaton.start_state(), context);
        }
        let mut product = Product { begins: vec![0], successors: Vec::new(), contexts: Vec::new() };
        while let Some(&(at, context)) = pairs.get(product.begins.len() - 1) {
            for op in automaton.live(at).members() {
                if let Some(to) = transitions[context][op.index()]
                    && let Some(next) = automaton.step(at, op)
                {
                    product.successors.push(find(&mut pairs, next, to));
                }
            }
            product.begins.push(product.successors.len());
            product.contexts.push(u32::try_from(context).unwrap_or(NONE));
        }
        product
    }

    fn len(&self) -> usize {
        self.begins.len() - 1
    }

    fn successors(&self, pair: usize) -> &[u32] {
        &self.successors[self.begins[pair]..self.begins[pair + 1]]
    }

    /// The strongly connected components.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(self.len(), self.successors.len());
        (0..self.len()).for_each(|_| {
            graph.add_node(());
        });
        for pair in 0..self.len() {
            for &to in self.successors(pair) {
                graph.add_edge(NodeIndex::new(pair), NodeIndex::from(to), ());
            }
        }
        let numbers = |nodes: Vec<NodeIndex>| nodes.into_iter().map(NodeIndex::index).collect();
        kosaraju_scc(&graph).into_iter().map(numbers).collect()
    }
}

/// By operator: the context where it leads from a context, if it applies there.
fn transitions<D: Contexts>(domain: &D, context: usize) -> Vec<Option<usize>> {
    let from = domain.representative(context);
    let mut to = from.clone();
    let applicable = domain.applicable(&from);
    let mut transition = |op: Op| {
        applicable.contains(op).then(|| {
            domain.apply_into(&from, op, &mut to);
            domain.context(&to)
        })
    };
    (0..domain.operators()).map(|op| transition(Op::new(op))).collect()
}

/// The asymptotic branching factor: by which factor the number of strings let through grows with each operator, from the
/// context with the most. 0 if only finitely many are. Counts operators, also where costs differ.
///
/// The dominant eigenvalue of the transfer matrix is the greatest among its strongly connected components. On each, the matrix M + 1
/// is iterated: it is primitive even where M is periodic (a bipartite graph), so the iteration converges, and the least and the greatest growth of
/// any entry enclose its eigenvalue in every round (Lothar Collatz, "Einschliessungssatz fuer die charakteristischen Zahlen von
/// Matrizen", Mathematische Zeitschrift 48, 1942). It ends when the enclosure is narrower than 1e-12 of the value; the answer is its middle.
///
/// Time O(transitions x rounds), typically 100 to 1000 rounds; memory 4 bytes times states times contexts, and 40 a transition.
pub fn branching_factor<D: Contexts>(domain: &D, automaton: &Automaton<D::Ops>) -> f64 {
    let product = Product::new(domain, automaton, 0..domain.contexts());
    let mut place = vec![NONE; product.len()];
    let mut greatest = 0.0_f64;
    for component in product.components() {
        for (index, &pair) in component.iter().enumerate() {
            place[pair] = u32::try_from(index).unwrap_or(NONE);
        }
        let within = |&to: &u32| component.get(place[to as usize] as usize) == Some(&(to as usize));
        let rows: Vec<Vec<u32>> = component
            .iter()
            .map(|&pair| product.successors(pair).iter().filter(|to| within(to)))
            .map(|row| row.map(|&to| place[to as usize]).collect())
            .collect();
        let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
        // No component grows faster than its widest row.
        if f64::from(u32::try_from(widest).unwrap_or(NONE)) > greatest {
            greatest = greatest.max(dominant_eigenvalue(&rows));
        }
    }
    greatest
}

/// Of an irreducible matrix of zeros and ones, given by the places of the ones in each row.
fn dominant_eigenvalue(rows: &[Vec<u32>]) -> f64 {
    let mut vector = vec![1.0_f64; rows.len()];
    let mut enclosure = (0.0, f64::INFINITY);
    for _ in 0..ROUNDS {
        let entry = |(row, own): (&Vec<u32>, &f64)| {
            own + row.iter().map(|&to| vector[to as usize]).sum::<f64>()
        };
        let image: Vec<f64> = rows.iter().zip(&vector).map(entry).collect();
        let growth = image.iter().zip(&vector).map(|(after, before)| after / before);
        enclosure = growth.fold((f64::INFINITY, 0.0), |(least, most), growth| {
            (growth.min(least), growth.max(most))
        });
        let (least, most) = enclosure;
        if most - least <= TOLERANCE * least {
            break;
        }
        let scale = image.iter().fold(0.0, |most: f64, &entry| entry.max(most)).recip();
        vector = image.into_iter().map(|entry| entry * scale).collect();
    }
    f64::midpoint(enclosure.0, enclosure.1) - 1.0
}

/// How many strings of 0, 1, .. `depth` operators apply to the states of a context and are let through: the nodes of a
/// brute-force tree, layer by layer. The list ends early before a count that passes 128 bits.
///
/// Time O(transitions x depth).
///
/// # Panics
/// If the context does not exist.
pub fn sequence_counts<D: Contexts>(
    domain: &D,
    automaton: &Automaton<D::Ops>,
    start_context: usize,
    depth: usize,
) -> Vec<u128> {
    assert!(start_context < domain.contexts(), "context {start_context} does not exist");
    let product = Product::new(domain, automaton, std::iter::once(start_context));
    let mut strings = vec![0_u128; product.len()];
    strings[0] = 1;
    let mut counts = Vec::new();
    while let Some(count) = strings.iter().try_fold(0_u128, |sum, &more| sum.checked_add(more)) {
        counts.push(count);
        if counts.len() > depth {
            break;
        }
        match longer(&product, &strings) {
            Some(longer) => strings = longer,
            None => break,
        }
    }
    counts
}

/// How many strings of 0, 1, .. `depth` operators apply to the states of a context and are let through, by the context in which
/// their last operator starts: what [`search::predict`] takes. The empty string is counted for the start. As floating-point numbers, for lengths at
/// which counts pass any integer.
///
/// Time O(transitions x depth).
///
/// # Panics
/// If the context does not exist.
pub fn sequences_by_context<D: Contexts>(
    domain: &D,
    automaton: &Automaton<D::Ops>,
    start_context: usize,
    depth: usize,
) -> Vec<Vec<f64>> {
    assert!(start_context < domain.contexts(), "context {start_context} does not exist");
    let product = Product::new(domain, automaton, std::iter::once(start_context));
    let none = vec![0.0; domain.contexts()];
    let mut strings = vec![0.0_f64; product.len()];
    strings[0] = 1.0;
    let mut counts = vec![none.clone()];
    counts[0][start_context] = 1.0;
    for _ in 0..depth {
        let (mut longer, mut by_context) = (vec![0.0; product.len()], none.clone());
        for (pair, &count) in strings.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            for &to in product.successors(pair) {
                longer[to as usize] += count;
                by_context[product.contexts[pair] as usize] += count;
            }
        }
        strings = longer;
        counts.push(by_context);
    }
    counts
}

/// The strings that lead to each pair with one operator more, if they fit 128 bits.
fn longer(product: &Product, strings: &[u128]) -> Option<Vec<u128>> {
    let mut longer = vec![0_u128; product.len()];
    for (pair, &count) in strings.iter().enumerate().filter(|(_, count)| **count > 0) {
        for &to in product.successors(pair) {
            let sum = &mut longer[to as usize];
            *sum = sum.checked_add(count)?;
        }
    }
    Some(longer)
}
