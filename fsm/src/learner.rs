//! Learns the duplicate operator strings of a domain by a breadth-first search over strings.
//!
//! **What.** Strings of operators are taken up by cost, then length, then lexicographically in the operators' order. A string
//! `w` *is covered by* `k` if `k` applies in every context in which `w` applies and ends there in the same state. `w` is *forbidden*
//! if a smaller string covers it, and *kept* otherwise. Only kept strings are extended, and a candidate whose proper suffix is forbidden
//! is passed over because the shorter string cuts it already: so forbidden strings are minimal.
//!
//! **Why a plan survives** ([`Keep::OneOptimal`]). Let a plan hold a forbidden string `w`, covered by the smaller `k`. With `k` in
//! its place the plan still applies and ends in the same state (the law of [`Contexts`]), costs no more, and is smaller,
//! since `k < w` implies `a k b < a w b`: costs and lengths add up, and strings of equal length are compared at their first
//! difference. Every cost is at least 1, so only finitely many strings are smaller than a given one and rewriting ends: at
//! a plan that holds no forbidden string. The smallest optimal plan is such a one. The argument never looks at the goal or at a heuristic.
//!
//! **Why comparing with kept strings is enough.** Suppose some smaller `v` covers `w`. Rewriting `v` as above ends at a still smaller
//! string without forbidden parts which covers `w`: a kept one. (With unit costs it is no longer than `w`, hence was
//! taken up before. With other costs it may be longer than the learned depth: then `w` is kept, which loses some cuts but no plan.)
//!
//! **Impossible strings**, which apply in no context, are neither extended nor forbidden: no search ever meets one, so
//! forbidding them would add states to the automaton and cut nothing.
//!
//! **All optimal plans** ([`Keep::AllOptimal`]). Two kinds of strings are forbidden. First, those covered by a strictly *cheaper*
//! one: no optimal plan holds such a string. Second, `b u a` where `a < b` and `a` commutes with `b` and with every operator of `u`
//! (both orders apply in the same contexts and end in the same states). Swapping commuting neighbours turns optimal plans into optimal
//! plans, and a string is the lexicographically first of its class exactly if it has no such part, so exactly the first one
//! of each class survives where the depth suffices for the patterns (always if commuting is transitive, for then `u` is empty).
//!
//! **Source.** Larry Taylor and Richard Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993, sections 3 and 4; the second
//! rule: A. V. Anisimov and D. E. Knuth, "Inhomogeneous sorting", International Journal of Computer and Information Sciences 8,
//! 1979. We differ: the order of strings is total and preserved by concatenation, which their text leaves open and the proof
//! needs; preconditions are found by trying each context, not given as a rule about paths; costs may differ.
//!
//! **Cost.** For S kept strings that apply in C contexts on average and |O| operators: O(S |O| C) applications of operators. Memory for
//! each kept string and each context where it applies: 10 to 20 bytes, and 4 bytes and a packed state more if it is short of the
//! full depth; for each kept string about 30 + 4 |O| bytes.

use crate::error::Cancelled;
use crate::forbidden::{ForbiddenStrings, Keep};
use hashbrown::HashTable;
use search::{CancelToken, Contexts, Cost, Key, Op, OpSet, Packed, Plan};
use std::collections::BTreeMap;

/// Finds the minimal forbidden strings of up to `depth` operators.
///
/// A string is forbidden if a smaller string does the same wherever it applies (two clockwise
/// quarter turns for two counterclockwise ones). Strings are compared by cost, then by length, then
/// by the operators' order. [`Keep`] says which plans survive.
///
/// Time: O(strings kept x operators x contexts) applications of operators. Memory: 10 to 20 bytes
/// for each kept string and each context in which it applies, and about `30 + 4 x operators` bytes
/// for each kept string.
///
/// # Panics
/// If the domain has no context, or if there are 2^32 strings times contexts.
pub fn learn<D: Contexts + Packed>(domain: &D, depth: usize, keep: Keep) -> ForbiddenStrings {
    let found = Learner::new(domain, depth, keep).run(|| false);
    found.unwrap_or_else(|_| unreachable!("nobody cancels"))
}

/// Does what [`learn`] does, but stops early if `cancel` is cancelled.
///
/// # Errors
/// If the token is cancelled. The learner checks it every thousand strings.
///
/// # Panics
/// As [`learn`].
pub fn learn_until<D: Contexts + Packed>(
    domain: &D,
    depth: usize,
    keep: Keep,
    cancel: &CancelToken,
) -> Result<ForbiddenStrings, Cancelled> {
    Learner::new(domain, depth, keep).run(|| cancel.is_cancelled())
}

/// The empty string.
const ROOT: u32 = 0;
/// No node, no row.
const NONE: u32 = u32::MAX;
/// Candidates between two looks at the cancel token.
const LOOK: usize = 1 << 10;

/// A kept string: its parent's with one more operator.
struct Node {
    parent: u32,
    /// The string without its first operator.
    suffix: u32,
    /// The node's row of children and its effect; `NONE` if it is of full depth, hence never extended.
    row: u32,
    /// Where the effect begins in the store, and in how many contexts the string applies.
    effect: u32,
    applies: u32,
    cost: u32,
    op: Op,
}

/// What a string does: by context in which it applies, in increasing order, the packed state where it ends.
struct Effect<K> {
    contexts: Vec<u32>,
    keys: Vec<K>,
}

/// Which string ends in some state of some context; the hash stands for both.
struct Entry {
    hash: u32,
    node: u32,
}

struct Learner<'d, D: Contexts + Packed> {
    domain: &'d D,
    depth: usize,
    learned: ForbiddenStrings,
    nodes: Vec<Node>,
    /// By row and operator: the kept string, or `NONE`.
    children: Vec<u32>,
    /// The effects of the strings short of the full depth.
    store: Effect<D::Key>,
    /// One entry for each kept string and context.
    ends: HashTable<Entry>,
    /// By cost and length: strings to take up, as a parent and an operator.
    open: BTreeMap<(u32, usize), Vec<(u32, Op)>>,
    /// By operator pair `a * operators + b`: whether they commute. Empty unless needed.
    commute: Vec<bool>,
    /// The states where the parent of the current candidate ends, unpacked once for all its candidates.
    parent: (u32, Vec<D::State>),
}

impl<'d, D: Contexts + Packed> Learner<'d, D> {
    fn new(domain: &'d D, depth: usize, keep: Keep) -> Self {
        let costs = (0..domain.operators()).map(|op| domain.cost(Op::new(op))).collect();
        assert!(domain.contexts() > 0, "a domain has at least one context");
        let mut learner = Self {
            domain,
            depth,
            learned: ForbiddenStrings::empty(costs, depth, keep),
            nodes: Vec::new(),
            children: Vec::new(),
            store: Effect { contexts: Vec::new(), keys: Vec::new() },
            ends: HashTable::new(),
            open: BTreeMap::new(),
            commute: if keep == Keep::AllOptimal { commuting(domain) } else { Vec::new() },
            parent: (NONE, Vec::new()),
        };
        let contexts = 0..domain.contexts();
        let nothing = Effect {
            keys: contexts.clone().map(|c| domain.pack(&domain.representative(c))).collect(),
            contexts: contexts.map(narrow).collect(),
        };
        learner.keep(ROOT, Op(0), NONE, (0, 0), &nothing);
        learner
    }

    fn run(mut self, stop: impl Fn() -> bool) -> Result<ForbiddenStrings, Cancelled> {
        let mixed = self.learned.costs().windows(2).any(|pair| pair[0] != pair[1]);
        let mut effect = Effect { contexts: Vec::new(), keys: Vec::new() };
        let (mut from, mut to) = (self.domain.representative(0), self.domain.representative(0));
        while let Some(((cost, length), mut candidates)) = self.open.pop_first() {
            if mixed {
                // With one cost, parents are extended in their own order, which is already this one.
                candidates.sort_by_cached_key(|&(parent, op)| self.string(parent, op));
            }
            for (count, &(parent, op)) in candidates.iter().enumerate() {
                if count % LOOK == 0 && stop() {
                    return Err(Cancelled);
                }
                let suffix = if parent == ROOT {
                    ROOT
                } else {
                    self.child(self.nodes[parent as usize].suffix, op)
                };
                if suffix == NONE {
                    continue;
                }
                self.apply(parent, op, &mut effect, &mut to);
                if effect.contexts.is_empty() {
                    continue;
                }
                if self.commutes_forward(parent, op)
                    || self.is_covered(cost, &effect, (&mut from, &mut to))
                {
                    let string = self.string(parent, op);
                    self.learned.push(string.into_iter());
                } else {
                    self.keep(parent, op, suffix, (cost, length), &effect);
                }
            }
        }
        Ok(self.learned)
    }

    /// The kept string with one more operator, or `NONE`.
    fn child(&self, node: u32, op: Op) -> u32 {
        let row = self.nodes[node as usize].row as usize;
        self.children[row * self.learned.operators() + op.index()]
    }

    fn string(&self, mut node: u32, op: Op) -> Plan {
        let mut string = Plan::from_slice(&[op]);
        while node != ROOT {
            string.push(self.nodes[node as usize].op);
            node = self.nodes[node as usize].parent;
        }
        string.reverse();
        string
    }

    /// The effect of a string short of the full depth, followed by `op`.
    fn apply(&mut self, node: u32, op: Op, effect: &mut Effect<D::Key>, to: &mut D::State) {
        let Node { effect: first, applies, .. } = self.nodes[node as usize];
        let (first, applies) = (first as usize, applies as usize);
        if self.parent.0 != node {
            // The list only grows, so that nothing is made anew.
            let length = self.parent.1.len().max(applies);
            self.parent.1.resize(length, to.clone());
            let keys = &self.store.keys[first..first + applies];
            for (state, &key) in self.parent.1.iter_mut().zip(keys) {
                self.domain.unpack(key, state);
            }
            self.parent.0 = node;
        }
        effect.contexts.clear();
        effect.keys.clear();
        let contexts = &self.store.contexts[first..first + applies];
        for (&context, from) in contexts.iter().zip(&self.parent.1) {
            if self.domain.applicable(from).contains(op) {
                self.domain.apply_into(from, op, to);
                effect.contexts.push(context);
                effect.keys.push(self.domain.pack(to));
            }
        }
    }

    /// Whether a kept string applies in a context and ends there in a state. `from` and `to` are overwritten.
    fn ends_in(
        &self,
        node: u32,
        (context, key): (u32, D::Key),
        from: &mut D::State,
        to: &mut D::State,
    ) -> bool {
        let node = &self.nodes[node as usize];
        let stored = |node: &Node| {
            let (first, applies) = (node.effect as usize, node.applies as usize);
            let contexts = &self.store.contexts[first..first + applies];
            contexts.binary_search(&context).ok().map(|place| self.store.keys[first + place])
        };
        if node.row != NONE {
            return stored(node) == Some(key);
        }
        stored(&self.nodes[node.parent as usize]).is_some_and(|before| {
            self.domain.unpack(before, from);
            self.domain.applicable(from).contains(node.op) && {
                self.domain.apply_into(from, node.op, to);
                self.domain.pack(to) == key
            }
        })
    }

    /// Whether a smaller kept string (a cheaper one, if all optimal plans are to survive) does the same wherever this one applies.
    fn is_covered(
        &self,
        cost: u32,
        effect: &Effect<D::Key>,
        (from, to): (&mut D::State, &mut D::State),
    ) -> bool {
        // A string that covers this one applies in its first context, so it is among those that end there in the same state.
        let hash = end_hash(effect.contexts[0], effect.keys[0]);
        self.ends.iter_hash(spread(hash)).any(|entry| {
            let node = &self.nodes[entry.node as usize];
            entry.hash == hash
                && node.applies as usize >= effect.contexts.len()
                && (self.learned.keep() == Keep::OneOptimal || node.cost < cost)
                // The last context first: the first one probably agrees, for its hash does.
                && effect.contexts.iter().zip(&effect.keys).rev().all(|(&context, &key)| {
                    self.ends_in(entry.node, (context, key), from, to)
                })
        })
    }

    /// Whether the string `b u a` is not the first of its class: `a < b`, and `a` commutes with `b` and all of `u`.
    fn commutes_forward(&self, mut node: u32, a: Op) -> bool {
        if self.commute.is_empty() {
            return false;
        }
        let mut first = None;
        while node != ROOT {
            let op = self.nodes[node as usize].op;
            if !self.commute[a.index() * self.learned.operators() + op.index()] {
                return false;
            }
            first = Some(op);
            node = self.nodes[node as usize].parent;
        }
        first.is_some_and(|b| a < b)
    }

    /// Keeps a string: from now on it covers others, and is extended if it is short of the full depth.
    fn keep(
        &mut self,
        parent: u32,
        op: Op,
        suffix: u32,
        (cost, length): (u32, usize),
        effect: &Effect<D::Key>,
    ) {
        let id = narrow(self.nodes.len());
        let operators = self.learned.operators();
        let mut node = Node {
            parent,
            suffix,
            row: NONE,
            effect: 0,
            applies: narrow(effect.contexts.len()),
            cost,
            op,
        };
        if length < self.depth {
            node.row = narrow(self.children.len() / operators.max(1));
            node.effect = narrow(self.store.keys.len());
            self.children.resize(self.children.len() + operators, NONE);
            self.store.contexts.extend_from_slice(&effect.contexts);
            self.store.keys.extend_from_slice(&effect.keys);
            for op in (0..operators).map(Op::new) {
                let key = (cost + u32::from(self.learned.costs()[op.index()]), length + 1);
                self.open.entry(key).or_default().push((id, op));
            }
        }
        self.nodes.push(node);
        if id != ROOT {
            let row = self.nodes[parent as usize].row as usize;
            self.children[row * operators + op.index()] = id;
        }
        for (&context, &key) in effect.contexts.iter().zip(&effect.keys) {
            let entry = Entry { hash: end_hash(context, key), node: id };
            self.ends.insert_unique(spread(entry.hash), entry, |entry| spread(entry.hash));
        }
    }
}

/// By operator pair `a * operators + b`: whether `a b` and `b a` apply in the same contexts and end there in the same states.
fn commuting<D: Contexts>(domain: &D) -> Vec<bool> {
    let operators = domain.operators();
    let step = |from: &D::State, op: Op| {
        let mut to = from.clone();
        domain.applicable(from).contains(op).then(|| {
            domain.apply_into(from, op, &mut to);
            to
        })
    };
    let mut commute = vec![true; operators * operators];
    for start in (0..domain.contexts()).map(|context| domain.representative(context)) {
        for (pair, commute) in commute.iter_mut().enumerate() {
            let (a, b) = (Op::new(pair / operators), Op::new(pair % operators));
            let after = |a, b| step(&start, a).and_then(|state| step(&state, b));
            *commute &= a == b || after(a, b) == after(b, a);
        }
    }
    commute
}

/// A hash of a state in a context.
#[expect(clippy::cast_possible_truncation, reason = "both halves of the hash are folded")]
fn end_hash<K: Key>(context: u32, key: K) -> u32 {
    let hash = (key.hash() ^ u64::from(context)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 32) as u32
}

/// The stored half of a hash as the full hash that the table wants: high and low bits both count.
fn spread(hash: u32) -> u64 {
    let hash = u64::from(hash).wrapping_mul(0xd1b5_4a32_d192_ed03);
    hash ^ hash >> 32
}

fn narrow(index: usize) -> u32 {
    match u32::try_from(index) {
        Ok(index) if index != NONE => index,
        _ => panic!("more than 2^32 strings times contexts"),
    }
}

/// Costs of strings are sums of [`Cost`] over at most the depth; 32 bits hold them for any depth that can be learned.
const _: () = assert!(size_of::<Cost>() == 1);
