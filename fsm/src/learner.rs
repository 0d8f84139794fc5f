//! Learns the duplicate operator strings of a domain by a breadth-first search over strings.
//!
//! # What is forbidden
//! The learner takes strings in order: by cost, then by length, then lexicographically in the
//! operators' order. A string `k` *covers* `w` if in every context in which `w` applies, `k`
//! applies too and leads to the same state. The learner *forbids* `w` if a smaller string covers
//! it, and *keeps* it otherwise. It extends only kept strings. It skips a candidate whose proper
//! suffix is forbidden, because the shorter string prunes it already. So forbidden strings are
//! minimal.
//!
//! # Why a plan survives ([`Keep::OneOptimal`])
//! Let a plan contain a forbidden string `w` that the smaller `k` covers. Put `k` in its place:
//! - The plan still applies and ends in the same state. That is the law of [`Contexts`].
//! - It costs no more.
//! - It is smaller: `k < w` implies `a k b < a w b`. Costs and lengths add up, and strings of equal
//!   length are compared at their first difference.
//!
//! Every cost is at least 1, so only finitely many strings are smaller than a given one. Hence
//! rewriting ends, at a plan without a forbidden string. The smallest optimal plan is one. The
//! argument never looks at the goal or at a heuristic.
//!
//! # Why it suffices to compare with kept strings
//! Suppose a smaller `v` covers `w`. If we rewrite `v` as above, we end at a string `k` that is no
//! larger than `v`, has no forbidden part and covers `w`. The learner keeps `k`. With unit costs
//! `k` is no longer than `w`, so the learner took it before `w`. With other costs `k` may be longer
//! than the learned depth. Then the learner keeps `w`, which loses some pruning but no plan.
//!
//! # Impossible strings
//! A string that applies in no context is neither extended nor forbidden. No search ever meets such
//! a string. To forbid it would add states to the automaton and prune nothing.
//!
//! # All optimal plans ([`Keep::AllOptimal`])
//! Two kinds of strings are forbidden:
//! 1. Strings that a strictly *cheaper* string covers. No optimal plan contains one.
//! 2. Strings `b u a` where `a < b` and `a` commutes with `b` and with every operator of `u`. Two
//!    operators *commute* if both orders apply in the same contexts and lead to the same states.
//!
//! Swaps of commuting neighbours turn optimal plans into optimal plans. Of the plans that such
//! swaps turn into each other, the lexicographically first is the only one without a string of the
//! second kind. So exactly that plan survives, if the depth suffices for these strings. It always
//! does if commuting is transitive, because then `u` is empty.
//!
//! With [`Keep::AllOrders`] only strings of the first kind are forbidden.
//!
//! # Sources
//! Larry Taylor and Richard Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993,
//! sections 3 and 4. The second rule: A. V. Anisimov and D. E. Knuth, "Inhomogeneous sorting",
//! International Journal of Computer and Information Sciences 8, 1979.
//!
//! We differ in three points. First, our order of strings is total and concatenation preserves it.
//! The proof needs both, and the first paper leaves the order open. Second, we find preconditions
//! by trying each context; the paper gives a rule about paths. Third, costs may differ.
//!
//! # Memory
//! A kept string takes 10 to 20 bytes for each context in which it applies. If it is shorter than
//! the full depth, it takes 4 bytes and a packed state more for each such context.

use crate::candidates::{Candidate, NONE, Node, ROOT, Strings, narrow};
use crate::error::LearnError;
use crate::forbidden::{ForbiddenStrings, Keep};
use search::{CancelToken, Contexts, Cost, Key, Op, OpSet, Packed, Plan};

/// Finds the minimal forbidden strings of up to `depth` operators.
///
/// A string is forbidden if a smaller string leads to the same state wherever it applies (two
/// clockwise quarter turns instead of two counterclockwise ones). Strings are compared by cost,
/// then by length, then lexicographically in the operators' order. [`Keep`] says which plans
/// survive.
///
/// Time: O(strings kept x operators x contexts) applications of operators. Memory: 10 to 20 bytes
/// for each kept string and each context in which it applies, and about `30 + 4 x operators` bytes
/// for each kept string.
///
/// # Panics
/// If the domain has no context, or if strings and the contexts in which they apply are 2^32 pairs
/// or more.
pub fn learn<D: Contexts + Packed>(domain: &D, depth: usize, keep: Keep) -> ForbiddenStrings {
    let found = Learner::new(domain, depth, keep).run(&|| false, usize::MAX);
    found.unwrap_or_else(|_| unreachable!("nobody cancels, and memory has no limit"))
}

/// Does what [`learn`] does, but stops early if `cancel` is cancelled, or if strings and their
/// effects take more than `bytes`.
///
/// # Errors
/// If the token is cancelled, or the strings need more than `bytes`. The learner checks both about
/// every hundred strings.
///
/// # Panics
/// As [`learn`].
pub fn learn_until<D: Contexts + Packed>(
    domain: &D,
    depth: usize,
    keep: Keep,
    cancel: &CancelToken,
    bytes: usize,
) -> Result<ForbiddenStrings, LearnError> {
    Learner::new(domain, depth, keep).run(&|| cancel.is_cancelled(), bytes)
}

/// A forbidden string, and a smaller string that covers it.
pub type Twins = (Plan, Plan);

/// The strings that [`learn_until`] forbids with [`Keep::OneOptimal`], in the same order, each with
/// a kept string that covers it. So anyone can check each of them without learning.
///
/// # Errors
/// As [`learn_until`].
///
/// # Panics
/// As [`learn`].
pub fn learn_twins<D: Contexts + Packed>(
    domain: &D,
    depth: usize,
    cancel: &CancelToken,
    bytes: usize,
) -> Result<Vec<Twins>, LearnError> {
    let mut learner = Learner::new(domain, depth, Keep::OneOptimal);
    let mut covers = Vec::new();
    learner.covers = Some(&mut covers);
    let forbidden = learner.run(&|| cancel.is_cancelled(), bytes)?;
    Ok(forbidden.strings().map(Plan::from_slice).zip(covers).collect())
}

/// The number of candidates between two checks of the cancel token and the memory.
const LOOK: usize = 1 << 7;

/// The effect of a string: the contexts in which it applies, ascending, and the packed state to
/// which it leads from the representative of each.
struct Effect<K> {
    contexts: Vec<u32>,
    keys: Vec<K>,
}

struct Learner<'d, D: Contexts + Packed> {
    domain: &'d D,
    strings: Strings,
    /// The effects of the strings that are shorter than the full depth.
    store: Effect<D::Key>,
    /// The parent of the current candidate: its node, and the states to which its string leads. The
    /// states are unpacked once for all candidates of this parent.
    parent: (u32, Vec<D::State>),
    /// For each forbidden string so far: a kept string that covers it. `None`: nobody asks.
    covers: Option<&'d mut Vec<Plan>>,
}

impl<'d, D: Contexts + Packed> Learner<'d, D> {
    fn new(domain: &'d D, depth: usize, keep: Keep) -> Self {
        let costs = (0..domain.operators()).map(|op| domain.cost(Op::new(op))).collect();
        assert!(domain.contexts() > 0, "a domain has at least one context");
        let commute = if keep == Keep::AllOptimal { commuting(domain) } else { Vec::new() };
        let mut learner = Self {
            domain,
            strings: Strings::new(ForbiddenStrings::empty(costs, depth, keep), commute),
            store: Effect { contexts: Vec::new(), keys: Vec::new() },
            parent: (NONE, Vec::new()),
            covers: None,
        };
        let contexts = 0..domain.contexts();
        let nothing = Effect {
            keys: contexts.clone().map(|c| domain.pack(&domain.representative(c))).collect(),
            contexts: contexts.map(narrow).collect(),
        };
        learner.keep(Candidate { parent: ROOT, op: Op(0) }, NONE, (0, 0), &nothing);
        learner
    }

    fn run(
        mut self,
        stop: &dyn Fn() -> bool,
        limit: usize,
    ) -> Result<ForbiddenStrings, LearnError> {
        let mut effect = Effect { contexts: Vec::new(), keys: Vec::new() };
        let (mut from, mut to) = (self.domain.representative(0), self.domain.representative(0));
        while let Some(((cost, length), candidates)) = self.strings.candidates() {
            for (count, &candidate) in candidates.iter().enumerate() {
                if count % LOOK == 0 {
                    if stop() {
                        return Err(LearnError::Cancelled);
                    }
                    if self.bytes() + candidates.len() * size_of::<Candidate>() > limit {
                        let depth = self.strings.depth();
                        return Err(LearnError::Memory { depth, length, limit });
                    }
                }
                let suffix = self.strings.suffix(candidate);
                if suffix == NONE {
                    continue;
                }
                self.apply(candidate, &mut effect, &mut to);
                if effect.contexts.is_empty() {
                    continue;
                }
                if self.strings.commutes_forward(candidate) {
                    self.strings.forbid(candidate);
                    continue;
                }
                match self.covering(cost, &effect, (&mut from, &mut to)) {
                    Some(node) => {
                        self.strings.forbid(candidate);
                        if let Some(covers) = &mut self.covers {
                            covers.push(self.strings.string_of(node));
                        }
                    }
                    None => self.keep(candidate, suffix, (cost, length), &effect),
                }
            }
        }
        Ok(self.strings.into_forbidden())
    }

    /// Bytes of strings and effects.
    fn bytes(&self) -> usize {
        let Effect { contexts, keys } = &self.store;
        self.strings.bytes() + contexts.capacity() * 4 + keys.capacity() * size_of::<D::Key>()
    }

    /// Overwrites `effect` with the effect of a candidate.
    fn apply(&mut self, candidate: Candidate, effect: &mut Effect<D::Key>, to: &mut D::State) {
        let Candidate { parent: node, op } = candidate;
        let Node { effect: first, applies, .. } = *self.strings.node(node);
        let (first, applies) = (first as usize, applies as usize);
        if self.parent.0 != node {
            // The list never shrinks, so its states are used again.
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

    /// Whether the string of a node applies in a context and leads there to the state with this
    /// key. Overwrites `from` and `to`.
    fn ends_in(
        &self,
        node: u32,
        (context, key): (u32, D::Key),
        from: &mut D::State,
        to: &mut D::State,
    ) -> bool {
        let node = self.strings.node(node);
        let stored = |node: &Node| {
            let (first, applies) = (node.effect as usize, node.applies as usize);
            let contexts = &self.store.contexts[first..first + applies];
            contexts.binary_search(&context).ok().map(|place| self.store.keys[first + place])
        };
        if node.row != NONE {
            return stored(node) == Some(key);
        }
        stored(self.strings.node(node.parent)).is_some_and(|before| {
            self.domain.unpack(before, from);
            self.domain.applicable(from).contains(node.op) && {
                self.domain.apply_into(from, node.op, to);
                self.domain.pack(to) == key
            }
        })
    }

    /// The node of a smaller kept string that covers a string with this effect and cost. With
    /// [`Keep::AllOptimal`] and [`Keep::AllOrders`] the kept string must also be cheaper.
    fn covering(
        &self,
        cost: u32,
        effect: &Effect<D::Key>,
        (from, to): (&mut D::State, &mut D::State),
    ) -> Option<u32> {
        // A covering string applies in the first context, too, and leads there to the same state.
        let hash = end_hash(effect.contexts[0], effect.keys[0]);
        let mut ends = self.strings.ends(hash);
        let covers = ends.find(|entry| {
            let node = self.strings.node(entry.node);
            entry.hash == hash
                && node.applies as usize >= effect.contexts.len()
                && (self.strings.keep_one() || node.cost < cost)
                // Contexts are compared from the last one on: in the first one the states probably
                // agree, because their hashes do.
                && effect.contexts.iter().zip(&effect.keys).rev().all(|(&context, &key)| {
                    self.ends_in(entry.node, (context, key), from, to)
                })
        });
        covers.map(|entry| entry.node)
    }

    /// Keeps a candidate, so that it may cover later strings. A string shorter than the full depth
    /// gets candidates of its own. `suffix` is the node of the string without its first operator.
    /// `place` is the cost and length.
    fn keep(
        &mut self,
        candidate: Candidate,
        suffix: u32,
        place: (u32, usize),
        effect: &Effect<D::Key>,
    ) {
        let applies = narrow(effect.contexts.len());
        let stored = narrow(self.store.keys.len());
        let id = self.strings.keep(candidate, suffix, place, (applies, stored));
        if self.strings.node(id).row != NONE {
            self.store.contexts.extend_from_slice(&effect.contexts);
            self.store.keys.extend_from_slice(&effect.keys);
        }
        for (&context, &key) in effect.contexts.iter().zip(&effect.keys) {
            self.strings.add_end(end_hash(context, key), id);
        }
    }
}

/// Whether two operators commute, at index `a * operators + b`: `a b` and `b a` apply in the same
/// contexts and lead to the same states.
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

/// A hash of a context and a state together.
#[expect(clippy::cast_possible_truncation, reason = "both halves of the hash are folded")]
fn end_hash<K: Key>(context: u32, key: K) -> u32 {
    let hash = (key.hash() ^ u64::from(context)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 32) as u32
}

/// The cost of a string is a sum of [`Cost`]s. 32 bits hold it for any depth that can be learned.
const _: () = assert!(size_of::<Cost>() == 1);
