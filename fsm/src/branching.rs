//! How many operator strings an automaton allows: exact counts, and their growth.
//!
//! Counts and growth are computed on pairs of an automaton state and a context. An operator leads
//! from one pair to another if the automaton allows it and it applies in the context. Each context
//! is tried on its representative state. Only pairs that the start reaches count. The counts are
//! the nodes of each layer of a brute-force tree. The branching factor is the asymptotic growth of
//! the counts.
//!
//! Source: Richard Korf and Stefan Edelkamp, "The branching factor of regular search spaces", AAAI
//! 1998, sections 3 and 4. We differ: we enclose the factor between two bounds.

use crate::automaton::Automaton;
use crate::forbidden::DEAD;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use search::{CancelToken, Contexts, Op, OpSet};

/// The iteration ends when the relative distance between both bounds is at most this.
const TOLERANCE: f64 = 1e-12;
/// The iteration ends after this many rounds in any case.
const ROUNDS: usize = 1_000_000;

/// Stands for "no number yet".
const NONE: u32 = u32::MAX;

/// The reachable pairs of automaton state and context, as lists of successors.
struct Product {
    /// For each pair, the start of its successors. One more entry marks the end.
    begins: Vec<usize>,
    successors: Vec<u32>,
    /// The context of each pair.
    contexts: Vec<u32>,
}

impl Product {
    /// The pairs that are reachable from the automaton's start in the given contexts. The starting
    /// pairs get the first numbers.
    fn new(steps: &Steps, starts: impl Iterator<Item = usize>) -> Self {
        let contexts = steps.contexts;
        let mut number = vec![NONE; steps.states() * contexts];
        // The state and the context of each pair.
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut find = |pairs: &mut Vec<_>, state: usize, context: usize| {
            let number = &mut number[state * contexts + context];
            if *number == NONE {
                *number = u32::try_from(pairs.len()).unwrap_or(NONE);
                pairs.push((state, context));
            }
            *number
        };
        for context in starts {
            find(&mut pairs, 0, context);
        }
        let mut product = Product { begins: vec![0], successors: Vec::new(), contexts: Vec::new() };
        while let Some(&(state, context)) = pairs.get(product.begins.len() - 1) {
            for op in 0..steps.operators {
                if let (Some(next), Some(to)) = (steps.next(state, op), steps.to(context, op)) {
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

    /// The pairs of each strongly connected component.
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

/// The transitions of a domain's contexts and of an automaton, as tables. They do not depend on the
/// type of the domain, so the rest of this file is compiled once.
struct Steps {
    operators: usize,
    contexts: usize,
    /// For each automaton state and operator, the next state, or [`DEAD`].
    next: Vec<u32>,
    /// For each context and operator, the next context; `None` if the operator does not apply.
    to: Vec<Option<usize>>,
}

impl Steps {
    fn new<D: Contexts>(domain: &D, automaton: &Automaton<D::Ops>) -> Self {
        let (operators, contexts) = (domain.operators(), domain.contexts());
        assert_eq!(operators, automaton.operators(), "the automaton is of another domain");
        let mut to = Vec::with_capacity(operators * contexts);
        for context in 0..contexts {
            let from = domain.representative(context);
            let mut state = from.clone();
            let applicable = domain.applicable(&from);
            for op in 0..operators {
                let applies = applicable.contains(Op::new(op));
                if applies {
                    domain.apply_into(&from, Op::new(op), &mut state);
                }
                to.push(applies.then(|| domain.context(&state)));
            }
        }
        Self { operators, contexts, next: automaton.table(), to }
    }

    /// The number of states of the automaton.
    fn states(&self) -> usize {
        self.next.len() / self.operators
    }

    fn next(&self, state: usize, op: usize) -> Option<usize> {
        let next = self.next[state * self.operators + op];
        (next != DEAD).then_some(next as usize)
    }

    fn to(&self, context: usize, op: usize) -> Option<usize> {
        self.to[context * self.operators + op]
    }
}

/// The asymptotic branching factor: the factor by which the number of allowed strings grows with
/// each operator. It is 0 if there are only finitely many strings.
///
/// If strings from different contexts grow at different rates, the greatest rate counts. The length
/// of a string is its number of operators, even if operators differ in cost.
///
/// Method: the factor is the dominant eigenvalue of the transfer matrix. It is the greatest among
/// the eigenvalues of the strongly connected components. For each component M the power iteration
/// runs on M + 1. That matrix is primitive even if M is periodic (a bipartite graph), so the
/// iteration converges. In every round, the least and the greatest growth of an entry enclose the
/// eigenvalue (Lothar Collatz, "Einschliessungssatz fuer die charakteristischen Zahlen von
/// Matrizen", Mathematische Zeitschrift 48, 1942). The result is the middle of an enclosure whose
/// relative width is 1e-12.
///
/// Time: O(transitions x rounds), typically 100 to 1000 rounds. Bytes of memory:
/// - 4 for each pair of state and context;
/// - 4 for each pair of state and operator;
/// - 16 for each pair of context and operator;
/// - 40 for each transition between pairs of state and context.
///
/// # Panics
/// If the automaton is of a domain with another number of operators.
pub fn branching_factor<D: Contexts>(domain: &D, automaton: &Automaton<D::Ops>) -> f64 {
    let found = branching_factor_until(domain, automaton, &CancelToken::new());
    found.unwrap_or_else(|| unreachable!("nobody cancels"))
}

/// Does what [`branching_factor`] does. `None` if the caller cancels. It looks at the token before
/// each round.
///
/// # Panics
/// As [`branching_factor`].
pub fn branching_factor_until<D: Contexts>(
    domain: &D,
    automaton: &Automaton<D::Ops>,
    cancel: &CancelToken,
) -> Option<f64> {
    growth(&Steps::new(domain, automaton), cancel)
}

fn growth(steps: &Steps, cancel: &CancelToken) -> Option<f64> {
    let product = Product::new(steps, 0..steps.contexts);
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
            greatest = greatest.max(dominant_eigenvalue(&rows, cancel)?);
        }
    }
    Some(greatest)
}

/// The dominant eigenvalue of an irreducible matrix of zeros and ones. Each row lists its ones.
/// `None` if the caller cancels.
fn dominant_eigenvalue(rows: &[Vec<u32>], cancel: &CancelToken) -> Option<f64> {
    let mut vector = vec![1.0_f64; rows.len()];
    let mut enclosure = (0.0, f64::INFINITY);
    for _ in 0..ROUNDS {
        if cancel.is_cancelled() {
            return None;
        }
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
    Some(f64::midpoint(enclosure.0, enclosure.1) - 1.0)
}

/// Counts the allowed strings that apply to the states of `start_context`, by length. Entry `i` is
/// the number of strings of `i` operators, for `i` from 0 to `depth`.
///
/// Entry `i` is also the number of nodes in layer `i` of a brute-force tree. The list ends before a
/// count that exceeds 128 bits. Time: O(transitions x depth).
///
/// # Panics
/// If the context does not exist.
pub fn sequence_counts<D: Contexts>(
    domain: &D,
    automaton: &Automaton<D::Ops>,
    start_context: usize,
    depth: usize,
) -> Vec<u128> {
    counts(&Steps::new(domain, automaton), start_context, depth)
}

fn counts(steps: &Steps, start_context: usize, depth: usize) -> Vec<u128> {
    assert!(start_context < steps.contexts, "context {start_context} does not exist");
    let product = Product::new(steps, std::iter::once(start_context));
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

/// The counts of [`sequence_counts`], split by context: entry `[i][c]` counts the strings of `i`
/// operators whose last operator starts in context `c`. This is the input of
/// [`search::predict::predict`].
///
/// The empty string counts for `start_context`. The counts are floating-point numbers, because they
/// may exceed any integer type. Time: O(transitions x depth).
///
/// # Panics
/// If the context does not exist.
pub fn sequences_by_context<D: Contexts>(
    domain: &D,
    automaton: &Automaton<D::Ops>,
    start_context: usize,
    depth: usize,
) -> Vec<Vec<f64>> {
    by_context(&Steps::new(domain, automaton), start_context, depth)
}

fn by_context(steps: &Steps, start_context: usize, depth: usize) -> Vec<Vec<f64>> {
    assert!(start_context < steps.contexts, "context {start_context} does not exist");
    let product = Product::new(steps, std::iter::once(start_context));
    let none = vec![0.0; steps.contexts];
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

/// For each pair, the number of strings of one more operator that end there. `None` if a number
/// exceeds 128 bits.
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
